"""The short form of `python -m tools.soak_alterations`: every alteration that matters is found."""

from pathlib import Path

from tests.verification.alterations import make, tried, verified

TRIED = 120


def test_every_alteration_that_changes_anything_is_found(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    make(made)
    assert verified(made) is None
    found = list(tried(made, range(TRIED), tmp_path))
    assert [each for each in found if each.changed and each.found is None] == []
    assert sum(each.changed for each in found) > TRIED * 0.9
    # The campaign can fail: an alteration without effect does not count as found.
    assert {each.kind.partition(":")[0] for each in found} >= {"a value", "a row gone", "cut off"}
