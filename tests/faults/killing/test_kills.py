"""A real venue under load, killed with SIGKILL again and again, keeps its promises.

A venue that does not is found by these same checks.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from taisai.core.cage.vouchers import VoucherIssued
from taisai.core.kernel.messages import Actor, BoxStake, Event, Order, SettledLine
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.betting import BetsRegistered, PlaceBets, RoundVoided
from taisai.core.table.interruption import InterruptionRecorded
from taisai.core.table.positions import CashedOut, CashOut
from taisai.core.table.round import ResultEntered, RoundSettled, RoundStarted
from tests.faults.killing.checking import check_interruptions, check_rounds, check_told
from tests.faults.killing.crowd import Memory, PromiseBrokenError, Request
from tests.faults.killing.lines import Told
from tests.faults.killing.places import Board, Place
from tests.faults.killing.reading import Decision, in_causal_order
from tests.faults.killing.run import Report, Run

KILLS = 15
TERMINAL = Actor("T-1", "terminal")
PLACED = PlaceBets("T-1", (BoxStake("big", 100),))


def killed(where: str, directory: Path, kills: int, broken: str | None = None) -> Report:
    """Kill a venue on a new journal this many times."""

    async def run() -> Report:
        return await Run(where, directory, seed=4, broken=broken).kill(kills)

    return asyncio.run(run())


def check_report(report: Report) -> None:
    """Check that every place was struck, under enough load for the kills to matter."""
    assert report.kills.total() == KILLS
    assert all(report.kills[place] for place in Place), report.kills
    assert report.founding
    assert report.lives == KILLS + report.idle + 1
    assert report.checks == 2
    assert report.checked.rounds > 5
    assert report.checked.interruptions > 5
    assert report.checked.checkpoints
    assert report.checked.snapshots
    assert report.tally.registered > 150
    assert report.tally.sent_again
    assert report.tally.found_durable


def test_a_venue_on_sqlite_is_killed_15_times_and_keeps_every_promise(tmp_path: Path) -> None:
    check_report(killed(str(tmp_path / "journal"), tmp_path, KILLS))


def test_a_venue_on_postgresql_is_killed_15_times_and_keeps_every_promise(
    postgres_url: str, tmp_path: Path
) -> None:
    report = killed(postgres_url, tmp_path, KILLS)
    check_report(report)
    assert report.outlived


# --- the checks can fail ---------------------------------------------------------------------


@pytest.mark.parametrize("broken", ["hasty", "forgetful"])
def test_a_venue_that_breaks_its_promises_is_found_out(broken: str, tmp_path: Path) -> None:
    """One venue answers before events are durable, one carries out a repeated command again."""
    with pytest.raises(PromiseBrokenError, match=r"was answered|is lost|was told version|twice"):
        killed(str(tmp_path / "journal"), tmp_path, KILLS, broken)


def request(answer: Told | None, command: PlaceBets | CashOut = PLACED) -> Request:
    """Make a command that was sent once."""
    made = Request(0, "table/T", Order("1-1", TERMINAL, command))
    made.sent, made.answer = 1, answer
    return made


def decision(*events: Event, version: int = 7, id_: str = "1-1") -> Decision:
    """Make a decision in a journal."""
    last = version + len(events) - 1
    return Decision("table/T", version, last, 1, "terminal/T-1", id_, events)


REGISTERED = BetsRegistered("T-1", (BoxStake("big", 100),))


def test_what_was_told_is_in_the_journal_once_and_as_told() -> None:
    check_told([request(Told(0, 7, 7))], [decision(REGISTERED)])
    check_told([request(None)], [decision(REGISTERED)])
    check_told([request(None)], [])
    check_told([request(Told(0, refused="BETS_CLOSED"))], [])


@pytest.mark.parametrize(
    ("answer", "decisions", "sentence"),
    [
        (Told(0, 7, 7), [], "is lost"),
        (Told(0, 8, 8), [decision(REGISTERED)], "told version 8, and is at 7"),
        (Told(0, refused="BUSY"), [decision(REGISTERED)], "carried out all the same"),
        (None, [decision(REGISTERED), decision(REGISTERED, version=9)], "carried out twice"),
        (None, [decision(REGISTERED, id_="1-2")], "nobody has asked"),
        (None, [decision(BetsRegistered("T-1", (BoxStake("big", 200),)))], "was registered as"),
    ],
)
def test_what_was_told_and_is_otherwise_in_the_journal_is_found(
    answer: Told | None, decisions: list[Decision], sentence: str
) -> None:
    with pytest.raises(PromiseBrokenError, match=sentence):
        check_told([request(answer)], decisions)


def test_an_answer_that_changes_is_found() -> None:
    memory = Memory()
    memory.ask("table/T", Order("1-1", TERMINAL, PLACED))
    memory.note(Told(0, 7, 7))
    memory.note(Told(0, 7, 7))
    for other in (Told(0, 8, 8), Told(0, refused="BETS_CLOSED")):
        with pytest.raises(PromiseBrokenError, match="was answered"):
            memory.note(other)


def settled(number: int, *lines: SettledLine) -> RoundSettled:
    """Make a settlement of a round with these lines."""
    return RoundSettled(number, (1, 2, 3), lines, {}, {}, 0, 0, "dan", 0)


LINE = SettledLine("T-1", "big", 100, 0, 0)
ROUND = [RoundStarted(1, 1), REGISTERED]


def test_a_round_that_settles_once_and_whole_is_right() -> None:
    assert check_rounds("T", [*ROUND, settled(1, LINE), RoundStarted(2, 1), settled(2)]) == 2


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([*ROUND, settled(1)], "lay there"),
        ([*ROUND, settled(1, LINE, LINE)], "lay there"),
        ([*ROUND, settled(1, LINE), settled(1, LINE)], "round 1 ended"),
        ([*ROUND, settled(1, LINE), RoundVoided(1, "code", "1.1", (LINE,))], "round 1 ended"),
        ([*ROUND, RoundStarted(2, 1)], "round 2 began"),
        ([REGISTERED], "outside a round"),
    ],
)
def test_a_bet_that_settles_twice_or_not_at_all_is_found(
    events: list[Event], sentence: str
) -> None:
    with pytest.raises(PromiseBrokenError, match=sentence):
        check_rounds("T", events)


def at(moment: int, *events: Event) -> Decision:
    """Make a decision of the venue itself, at a moment."""
    return Decision("table/T", 1, 1, moment, "system/host", "1", events)


RULED = InterruptionRecorded("conclude", None, "")


def test_a_round_under_way_is_ruled_on_first() -> None:
    decisions = [
        at(5, *ROUND),
        at(12, RULED),
        at(13, settled(1, LINE)),
        at(23, RoundStarted(2, 1)),
        at(41, RULED),
    ]
    assert check_interruptions("T", decisions, [0, 10, 20, 30, 40]) == 2


def test_dice_drawn_for_a_round_that_was_not_ruled_on_are_found() -> None:
    decisions = [at(5, *ROUND), at(12, ResultEntered((1, 2, 3), "device", "host")), at(13, RULED)]
    with pytest.raises(PromiseBrokenError, match="did ResultEntered before it was ruled on"):
        check_interruptions("T", decisions, [0, 10])


def test_money_is_read_as_it_went_even_within_one_millisecond() -> None:
    left = Decision(
        "table/T", 1, 1, 5, "terminal/T-1", "1", (CashedOut("T-1", "T-1", 10, "T-1@1", 5),)
    )
    arrived = Decision(
        "cage", 1, 1, 5, "system/carrier", "2",
        (VoucherIssued(1, "1234", 10, "T/T-1", 5, 6, "2", "T-1"),),
    )  # fmt: skip
    closed = Decision("table/T", 2, 2, 5, "system/carrier", "3", (TransitClosed("T-1", 10),))
    assert [*in_causal_order([[arrived], [left, closed]])] == [left, arrived, closed]


# --- where a kill struck ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "aimed_at", "struck"),
    [
        ({}, None, None),
        ({}, Place.INSIDE_COMMIT, None),
        ({"waiting": 3}, None, Place.BEFORE_APPEND),
        ({"waiting": 3, "owed": 2}, None, Place.AFTER_DURABLE),
        ({"waiting": 3, "owed": 2}, Place.BEFORE_APPEND, Place.BEFORE_APPEND),
        ({"waiting": 3, "committing": 1}, Place.BEFORE_APPEND, Place.INSIDE_COMMIT),
        ({"waiting": 3, "committing": 1, "owed": 2}, None, Place.AFTER_DURABLE),
        ({"committing": 1, "owed": 2}, Place.INSIDE_COMMIT, Place.INSIDE_COMMIT),
        ({"committing": 1, "settling": 1}, None, Place.SETTLEMENT),
        ({"committing": 1, "recovering": 1}, Place.INSIDE_COMMIT, Place.RECOVERY),
    ],
)
def test_where_a_kill_struck_is_read_off_the_board(
    shown: dict[str, int], aimed_at: Place | None, struck: Place | None, tmp_path: Path
) -> None:
    board = Board.open(tmp_path / "board")
    for name, value in shown.items():
        setattr(board, name, value)
    assert Board.open(tmp_path / "board").struck(aimed_at) is struck


def test_a_venue_rings_at_the_visit_that_was_wished_for(tmp_path: Path) -> None:
    board, rings = Board.open(tmp_path / "board"), []
    ring: Callable[[], None] = lambda: rings.append(len(rings))  # noqa: E731 - one line says it
    board.aim(Place.SETTLEMENT, 2, hold=False)
    for place in (Place.SETTLEMENT, Place.INSIDE_COMMIT):
        board.visit(place, ring)
    assert not rings
    board.visit(Place.SETTLEMENT, ring)
    board.visit(Place.SETTLEMENT, ring)
    assert rings == [0]
