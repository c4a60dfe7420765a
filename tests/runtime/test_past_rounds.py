"""Rounds that a table no longer holds, read back from a real journal and put right [D24]."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import taisai
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Order
from taisai.core.rules.reason import Refusal, because
from taisai.core.table import state as table_state
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    VoidSettledRounds,
)
from taisai.core.table.past import Past
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import AdoptRulebook, CloseTable, GiveNotice, OpenTable, SetLimits
from taisai.runtime import past_rounds
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.auditor import table as auditor_table
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.past_rounds import find_past, read_past
from taisai.runtime.verification.verifier import Asked, verify
from tests.kit.floor import LIMITS, Floor, keys, run, until
from tests.kit.people import DEALER, PIT, SUPERVISOR
from tests.kit.tables import displayed

STREAM = "table/T1"


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make tables hold two rounds, and the auditor one."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 2)
    monkeypatch.setattr(auditor_table, "ROUNDS_KEPT", 1)


async def deal(floor: Floor, rounds: int, stake: int = 1_000) -> None:
    """Play rounds in which Big loses."""
    for _ in range(rounds):
        await floor.do(STREAM, DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "big", stake)
        await floor.close_and_enter("T1", (1, 2, 3))
        await floor.settle("T1")


async def adopt(floor: Floor, pay_table: str) -> None:
    """Close the table, and open it by another rulebook."""
    key, _, number = pay_table.partition("/")
    await floor.do(STREAM, DEALER, GiveNotice())
    await floor.do(STREAM, SUPERVISOR, CloseTable())
    canonical = taisai.rulebook(key).canonical.decode()
    await floor.both(STREAM, PIT, AdoptRulebook(canonical, int(number)), SUPERVISOR)
    await floor.both(STREAM, PIT, SetLimits(displayed(pay_table, LIMITS)), SUPERVISOR)
    await floor.do(STREAM, SUPERVISOR, OpenTable())


def held(floor: Floor) -> int:
    return floor.venue.table("T1").ledger.balance("terminal:T1-1")


async def sound(path: Path) -> bool:
    """Have the auditor verify the journal, with a memory of its own."""
    journal = await SqliteJournal.open(path, read_only=True)
    try:
        report = await verify(journal, Asked())
    finally:
        await journal.close()
    assert report.verified, report.faults
    return True


def test_5_6_rounds_older_than_a_table_holds_are_void_and_the_auditor_agrees(
    tmp_path: Path,
) -> None:
    async def plays() -> None:
        path = tmp_path / "journal.sqlite"
        floor = await Floor.open(path, keys())
        await floor.found()
        await floor.add_table()
        await deal(floor, 9)
        assert list(floor.venue.table("T1").history) == [8, 9]
        wrong = CorrectSettledRound(4, (4, 5, 6), "seen on camera")
        done = await floor.both(STREAM, SUPERVISOR, wrong, PIT)
        assert isinstance(done.events[-1], RoundResettled)
        assert held(floor) == 100_000 - 9_000 + 2_000
        void = VoidSettledRounds(2, "a chipped die")
        done = await floor.both(STREAM, SUPERVISOR, void, PIT)
        assert isinstance(done.events[-1], RoundsReversed)
        assert done.events[-1].rounds == tuple(range(2, 10))
        # Only the costs of the first round are gone; nobody is paid twice.
        assert held(floor) == 99_000
        done = await floor.both(STREAM, SUPERVISOR, void, PIT)
        assert (done.events[-1].rounds, held(floor)) == ((), 99_000)  # type: ignore[attr-defined]
        await floor.venue.stop()
        assert await sound(path)

    run(plays())


def test_a_round_by_an_older_rulebook_is_put_right_by_it_after_a_restart(tmp_path: Path) -> None:
    """The command is given before a restart from a snapshot, and again after it."""

    async def plays() -> None:
        path, venue_keys = tmp_path / "journal.sqlite", keys()
        floor = await Floor.open(path, venue_keys)
        await floor.found()
        await floor.add_table(pay_table="etg8/1")
        await floor.do(STREAM, DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "total-8", 1_000)
        await floor.close_and_enter("T1", (1, 2, 3))
        await floor.settle("T1")
        await adopt(floor, "etg8/3")
        await deal(floor, 3)
        wrong = CorrectSettledRound(1, (1, 2, 5), "seen on camera")
        asked = await floor.do(STREAM, SUPERVISOR, wrong)
        requested = asked.events[-1]
        assert isinstance(requested, ApprovalRequested)
        await floor.venue.stop()
        floor = await Floor.open(path, venue_keys)
        done = await floor.do(STREAM, PIT, Approve(requested.pending, asked.last))
        assert isinstance(done.events[-1], RoundResettled)
        # Total 8 paid 8.5 to 1 by the rulebook of the first round.
        assert held(floor) == 100_000 - 4_000 + 9_500
        await floor.venue.stop()
        assert await sound(path)

    run(plays())


def test_who_plays_meanwhile_is_not_held_up(tmp_path: Path) -> None:
    """Bets that come while rounds are read are registered; the command is decided after them."""

    async def plays() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.add_table()
        await deal(floor, 5)
        await floor.do(STREAM, DEALER, OpenBets())
        answers: list[str] = []

        def noting(name: str) -> Callable[[Answer], None]:
            return lambda answer: answers.append(f"{name}: {type(answer).__name__}")

        writer = floor.venue.writer(STREAM)
        order = Order(floor.new_id(), SUPERVISOR, VoidSettledRounds(1, "a chipped die"))
        writer.submit_then(order, noting("void"))
        bet = floor.bet("T1", "T1-2", "big", 1_000)
        noting("bet")(await bet)
        asked = await floor.venue.submit(STREAM, order)
        assert answers == ["bet: Registered", "void: Registered"]
        assert isinstance(asked, Registered)
        await floor.venue.stop()

    run(plays())


@pytest.mark.parametrize("first_read_ends_first", [True, False])
def test_who_asks_again_after_a_resume_while_rounds_are_still_read_is_decided_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first_read_ends_first: bool
) -> None:
    reading: list[asyncio.Event] = []

    async def slowly(*given: Any) -> Past:
        gate = asyncio.Event()
        reading.append(gate)
        await gate.wait()
        return await read_past(*given)

    monkeypatch.setattr("taisai.runtime.writer.read_past", slowly)

    async def plays() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.add_table()
        await deal(floor, 5)
        order = Order(floor.new_id(), SUPERVISOR, VoidSettledRounds(1, "a chipped die"))
        first = asyncio.create_task(floor.venue.submit(STREAM, order))
        await until(lambda: len(reading) == 1)
        floor.venue.writer(STREAM).suspend("a test")
        assert await floor.venue.resume(STREAM) is None
        again = asyncio.create_task(floor.venue.submit(STREAM, order))
        await until(lambda: len(reading) == 2)
        before, after = (0, 1) if first_read_ends_first else (1, 0)
        reading[before].set()
        await (first, again)[before]
        # A third time, while the other is still being read for.
        third = asyncio.create_task(floor.venue.submit(STREAM, order))
        await asyncio.sleep(0)
        await until(lambda: floor.venue.writer(STREAM)._seeker is None)
        reading[after].set()
        refused, *answers = await asyncio.gather(first, again, third)
        # Who asked before the table was read back is told to ask again.
        assert isinstance(refused, Refusal)
        assert refused.code == "RETRY"
        assert isinstance(answers[0], Registered)
        assert answers[0] == answers[1]
        assert len(reading) == 2
        assert floor.venue.suspended() == {}
        await floor.venue.stop()

    run(plays())


def test_more_lines_than_are_read_at_once_are_refused_with_how_many_rounds_are_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_rounds, "LINES_AT_ONCE", 3)

    async def plays() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.add_table()
        await deal(floor, 7)
        answer = await floor.send(STREAM, SUPERVISOR, VoidSettledRounds(1, "a chipped die"))
        assert isinstance(answer, Refusal)
        assert answer.code == "TOO_MANY_ROUNDS"
        assert answer.reason == because("TOO_MANY_ROUNDS", most=3)
        await floor.both(STREAM, SUPERVISOR, VoidSettledRounds(3, "a chipped die"), PIT)
        await floor.both(STREAM, SUPERVISOR, VoidSettledRounds(1, "a chipped die"), PIT)
        assert held(floor) == 100_000
        await floor.venue.stop()

    run(plays())


def test_a_journal_that_cannot_be_read_leaves_the_table_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def plays() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.add_table()
        await deal(floor, 5)
        void = VoidSettledRounds(1, "a chipped die")
        with monkeypatch.context() as patch:

            async def fails(*_: object) -> None:
                raise JournalError("the disk is gone")

            patch.setattr("taisai.runtime.writer.read_past", fails)
            answer = await floor.send(STREAM, SUPERVISOR, void)
            assert isinstance(answer, Refusal)
            assert answer.code == "RETRY"
        await deal(floor, 1)
        await floor.both(STREAM, SUPERVISOR, void, PIT)
        assert held(floor) == 100_000
        await floor.venue.stop()

    run(plays())


def test_what_the_journal_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def plays() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.add_table()
        await deal(floor, 5)

        async def finds_nothing(*_: object) -> Past:
            return Past()

        monkeypatch.setattr("taisai.runtime.writer.read_past", finds_nothing)
        answer = await floor.send(STREAM, SUPERVISOR, VoidSettledRounds(1, "a chipped die"))
        assert isinstance(answer, Refusal)
        assert answer.code == "ROUND_UNREADABLE"
        await floor.venue.stop()

    run(plays())


@pytest.mark.parametrize("rounds", [[(1, 1)], [(3, 5)], [(1, 2), (6, 6)], [(6, 7)], [(9, 12)]])
def test_rounds_are_found_alike_in_a_journal_and_in_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: list[tuple[int, int]]
) -> None:
    """However small the parts are that are read; and a round that is not there is not found."""
    monkeypatch.setattr(past_rounds, "PAGE", 4)
    monkeypatch.setattr(past_rounds, "GLANCE", 2)

    async def plays() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.add_table()
        await deal(floor, 7)
        journal, kind = floor.venue.journal, floor.venue.writer(STREAM).kind
        events = [kind.read(each) async for page in journal.read(STREAM) for each in page]
        newest = len(events)
        read = await read_past(journal, STREAM, rounds, [2, newest], newest)
        found = find_past(lambda each: events[each - 1], rounds, [2, newest], newest)
        assert read == found
        wanted = [n for first, last in rounds for n in range(first, last + 1) if n <= 7]
        assert list(read.ends) == wanted
        assert read.events == {2: events[1], newest: events[-1]}
        await floor.venue.stop()

    run(plays())
