"""Ids made by clocks that are ahead of the venue's: they get their answers, whenever it started."""

from collections.abc import Collection
from pathlib import Path

import pytest

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Refusal
from taisai.core.table.round import OpenBets
from taisai.runtime.answers import AHEAD_MS, Answer, Registered
from taisai.runtime.journal.contract import IdempotencyRecord, Journal, JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.known_ids import key_of
from taisai.runtime.recovery import Ahead, read_ahead
from tests.kit.floor import Floor, keys, run, until
from tests.kit.people import DEALER
from tests.runtime.failing_journals import FailingJournal


async def ahead_answered(floor: Floor) -> dict[str, Answer]:
    """Have a bet registered and another refused whose senders' clocks are ahead."""
    made = floor.venue.clock.now() + AHEAD_MS - 500
    taken, refused = f"{made}-taken", f"{made}-refused"
    registered = await floor.bet("T1", "T1-1", "small", 500, taken)
    assert isinstance(registered, Registered)
    refusal = await floor.bet("T1", "T1-1", "small", 550, refused)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "OFF_STEP"
    return {taken: registered, refused: refusal}


async def ahead_answered_again(floor: Floor, answers: dict[str, Answer]) -> None:
    """Check that ids which are ahead get the answers that they got before, and no others."""
    taken, refused = answers
    head, known = floor.venue.writer("table/T1").head, floor.venue.writer("table/T1").known
    # They are known, and not looked up as ids made before the start.
    assert known.floor <= floor.venue.clock.now()
    for id_ in answers:
        assert known.get(key_of("terminal/T1-1", id_)) == int(id_.split("-")[0])
    both = [(500, taken), (550, refused)]
    again = [await floor.bet("T1", "T1-1", "small", stake, id_) for stake, id_ in both]
    assert again == [*answers.values()]
    for id_ in answers:
        other = await floor.bet("T1", "T1-1", "big", 600, id_)
        assert isinstance(other, Refusal)
        assert other.code == "ID_REUSED"
    assert floor.venue.writer("table/T1").head == head
    assert floor.venue.suspended() == {}


def test_an_id_that_is_ahead_is_answered_the_same_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        venue_keys, file = keys(), tmp_path / "journal.sqlite"
        floor = await Floor.open(file, venue_keys)
        await floor.found()
        await floor.do(await floor.add_table(), DEALER, OpenBets())
        answers = await ahead_answered(floor)
        await floor.venue.stop()
        floor = await Floor.open(file, venue_keys)
        await ahead_answered_again(floor, answers)
        await floor.venue.stop()

    run(test())


def test_an_id_that_is_ahead_is_answered_the_same_after_a_suspension(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.do(await floor.add_table(), DEALER, OpenBets())
        answers = await ahead_answered(floor)
        floor.venue.writer("table/T1").suspend("a reason")
        assert await floor.venue.resume("table/T1") is None
        await ahead_answered_again(floor, answers)
        await floor.venue.stop()

    run(test())


class Looking(FailingJournal):
    """A journal that counts the ids that are looked up, and may not find those that are ahead."""

    def __init__(self, real: Journal, *, finds_ahead: bool = True) -> None:
        super().__init__(real)
        self.finds_ahead = finds_ahead
        self.looked_up: list[str] = []

    async def answered(self, stream: str, sender: str, id_: str) -> IdempotencyRecord | None:
        self.looked_up.append(id_)
        return await super().answered(stream, sender, id_)

    async def issued_after(self, streams: Collection[str], at: Instant) -> list[IdempotencyRecord]:
        if not self.finds_ahead:
            raise JournalError("the disk does not answer")
        return await super().issued_after(streams, at)


@pytest.mark.parametrize("finds_ahead", [True, False])
def test_after_a_restart_only_ids_that_may_have_been_answered_are_looked_up(
    tmp_path: Path, finds_ahead: bool
) -> None:
    """If those that are ahead cannot be read, any new id may be one of them."""

    async def test() -> None:
        venue_keys, file = keys(), tmp_path / "journal.sqlite"
        floor = await Floor.open(file, venue_keys)
        await floor.found()
        stream = await floor.add_table()
        before = floor.new_id()
        await floor.venue.stop()
        journal = Looking(await SqliteJournal.open(file), finds_ahead=finds_ahead)
        floor = await Floor.open(journal, venue_keys)
        began = floor.venue.clock.now()
        await until(lambda: floor.venue.clock.now() > began)
        await floor.do(stream, DEALER, OpenBets())
        journal.looked_up.clear()
        new = floor.new_id()
        for id_ in (new, before):
            assert isinstance(await floor.bet("T1", "T1-1", "small", 500, id_), Registered)
        assert journal.looked_up == ([before] if finds_ahead else [new, before])
        await floor.venue.stop()

    run(test())


def test_where_later_times_have_a_digit_more_none_is_missed(tmp_path: Path) -> None:
    async def test() -> None:
        journal = Looking(await SqliteJournal.open(tmp_path / "journal.sqlite"))
        ids: dict[str, dict[str, Instant]] = {"cage": {}}
        # Five seconds later it is the last millisecond of thirteen digits.
        assert await read_ahead(journal, ids, 9_999_999_994_999) == Ahead(9_999_999_994_999, ids)
        assert await read_ahead(journal, ids, 9_999_999_995_000) is None
        await journal.close()

    run(test())
