"""Ids that were answered lately: none is forgotten unnoticed, and no pending one at all."""

import random

import pytest

from taisai.runtime import known_ids
from taisai.runtime.known_ids import KnownIds


def key(number: int) -> known_ids.Key:
    """Make the key of a command."""
    return known_ids.key_of("terminal/T1-1", f"{number}-x")


def test_every_id_made_after_the_floor_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_ids, "IDS_KNOWN", 20)
    known: KnownIds[str] = KnownIds(5)
    for made in range(100, 200):
        assert known.claim(key(made), "waits", made) is None
        known.newer[key(made)] = made
        assert len(known) <= 22
        assert all(
            known.get(key(each)) == each for each in range(known.floor + 1, made) if each >= 100
        )
    assert 100 < known.floor < 199
    assert known.get(key(known.floor - 30)) is None


def test_ids_answered_before_the_beginning_are_found_and_dropped_as_any_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(known_ids, "IDS_KNOWN", 20)
    known: KnownIds[str] = KnownIds(100)
    assert known.claim(key(200), "waits", 200) is None
    known.begin(100, {key(150): 150, key(101): 101})
    assert known.get(key(200)) is None
    assert [known.claim(key(each), "waits", each) for each in (101, 102, 150)] == [101, None, 150]
    # They are in the first of five parts of four each: it ends with 103, and the last with 119.
    for made in range(103, 120):
        assert (known.floor, known.get(key(101))) == (100, 101)
        assert known.claim(key(made), "waits", made) is None
    assert known.floor == 150
    assert known.get(key(150)) is None


def test_what_waits_is_not_forgotten_however_long_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(known_ids, "IDS_KNOWN", 20)
    known: KnownIds[str] = KnownIds(5)
    assert known.claim(key(1), "waits", 1) is None
    for made in range(100, 200):
        assert known.claim(key(made), "waits", made) is None
        known.newer[key(made)] = made
    assert known.get(key(1)) == "waits"
    known.newer[key(1)] = 1
    for made in range(200, 300):
        assert known.claim(key(made), "waits", made) is None
        known.newer[key(made)] = made
    assert known.get(key(1)) is None


def test_few_are_forgotten_at_once_since_everybody_waits_meanwhile() -> None:
    known: KnownIds[str] = KnownIds(5)
    forgotten, before = [], 0
    for made in range(100, 100 + 2 * known_ids.IDS_KNOWN):
        assert known.claim(key(made), "waits", made) is None
        known.newer[key(made)] = made
        forgotten.append(before + 1 - len(known))
        before = len(known)
    assert max(forgotten) < known_ids.IDS_KNOWN // known_ids.PARTS <= 10_000
    assert sum(forgotten) == 2 * known_ids.IDS_KNOWN - before > 0


def test_an_id_that_has_no_answer_is_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_ids, "IDS_KNOWN", 4)
    known: KnownIds[str] = KnownIds(5)
    for made in range(1, 4):
        assert known.claim(key(made), "waits", made) is None
    for made in range(1, 4):
        assert known.get(key(made)) == "waits"
        known.free(key(made))
        assert known.get(key(made)) is None
    assert len(known) == 0


def test_an_id_that_says_when_it_was_made_is_found_as_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(known_ids, "IDS_KNOWN", 20)
    known: KnownIds[str] = KnownIds(5)
    clocks = random.Random(18)  # noqa: S311 - a seeded workload, nothing secret
    made: dict[int, str | int] = {}
    for turn in range(300):
        # Clients' clocks may be wrong: a later command may have an earlier time.
        issued = 1_000 + turn + clocks.randrange(-30, 30)
        if issued <= known.floor:
            # It is looked up in the journal.
            continue
        waiting = f"waits {turn}"
        assert known.claim(key(issued), waiting, issued) == made.get(issued)
        if issued not in made:
            made[issued] = waiting
            if turn % 3:
                known.newer[key(issued)] = made[issued] = issued
        made = {each: its for each, its in made.items() if each > known.floor}
        size = len(known)
        for each, its in made.items():
            assert known.claim(key(each), "again", each) == known.get(key(each)) == its
        assert len(known) == size
    assert len(known.older) > 1
