"""The face of a package: its names are listed in `__init__.pyi`, and imported when asked for."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from taisai.data_files import read_beside


def face_of(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Give a package what finds its names and what lists them."""

    @cache
    def homes() -> dict[str, str]:
        """Read which module each name comes from, where type checkers read it too."""
        # Not at the top: the command line asks for none of these names.
        import re  # noqa: PLC0415

        listed = read_beside(file, "__init__.pyi").decode()
        imports = re.findall(r"^from (\S+) import (\w+) as \2$", listed, re.MULTILINE)
        return {name: home for home, name in imports}

    def find(name: str) -> object:
        if name == "__all__":
            return [*homes()]
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes()[name]), name)

    return find, lambda: sorted(homes())
