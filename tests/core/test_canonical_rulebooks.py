"""The canonical forms, which are fast to read: those of the present files, and no others."""

from importlib import resources

import pytest

from taisai import rulebooks
from taisai.core.rules.rulebook import read_rulebook
from taisai.data_files import read_beside
from tools.canonical_rulebooks import FOLDER, canonical_form


@pytest.mark.parametrize("key", rulebooks.KEYS)
def test_a_rulebook_read_quickly_is_the_one_in_its_file(key: str) -> None:
    """`make rulebooks` writes the forms again when this fails."""
    file = resources.files("taisai.rulebooks") / f"{key}.toml"
    assert (FOLDER / f"{key}.canonical").read_bytes() == canonical_form(FOLDER / f"{key}.toml")
    assert rulebooks.rulebook(key) == read_rulebook(file.read_text("utf-8"), file.name)


def test_a_form_of_another_file_or_none_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file changed by one letter is read itself."""
    read = read_beside
    changed = read(rulebooks.__file__, "ts6.toml").replace(b'version = "6"', b'version = "6b"')

    def another(module: str, name: str) -> bytes:
        return changed if name == "ts6.toml" else read(module, name)

    def none(module: str, name: str) -> bytes:
        if name.endswith(".canonical"):
            raise FileNotFoundError(name)
        return read(module, name)

    fresh = rulebooks.rulebook.__wrapped__
    monkeypatch.setattr(rulebooks, "read_beside", another)
    assert fresh("ts6").content.version == "6b"
    monkeypatch.setattr(rulebooks, "read_beside", none)
    assert fresh("ts6").content.version == "6"
