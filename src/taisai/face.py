"""The face of a package: its names are listed in `__init__.pyi`, and imported when asked for."""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

_IMPORT = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def face_of(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Give a package what finds its names and what lists them."""

    @cache
    def homes() -> dict[str, str]:
        """Read which module each name comes from, where type checkers read it too."""
        listed = Path(file).with_suffix(".pyi").read_text("utf-8")
        return {name: home for home, name in _IMPORT.findall(listed)}

    def find(name: str) -> object:
        if name == "__all__":
            return [*homes()]
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes()[name]), name)

    return find, lambda: sorted(homes())
