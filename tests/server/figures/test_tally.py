"""The tally of a table: exact, equal to its meters, and right after every correction."""

from fractions import Fraction
from pathlib import Path

import pytest

from taisai.core.kernel.messages import Actor
from taisai.core.rules.paytable import PayTable
from taisai.core.table.positions import CashOut
from taisai.core.table.round import AmendResult, OpenBets
from taisai.core.table.setup import CloseTable, GiveNotice, OpenTable, RegisterDice
from taisai.maths.fairness.monitor import FairnessMonitor
from taisai.projections.figures import tally
from taisai.projections.figures.sums import PAUSE_MS, Pace, Sums, band_of
from taisai.projections.figures.tally import Tally
from taisai.runtime.streams import table_stream
from tests.kit.floor import Floor, keys, run
from tests.kit.people import DEALER, SUPERVISOR
from tests.server.figures.playing import (
    assert_meters,
    correct,
    expected_of,
    play,
    read_tally,
    reverse,
    void_round,
)


async def read(floor: Floor, table: str) -> Tally:
    """Tally a table from its journal."""
    stream = table_stream(table)
    version = floor.venue.committer.heads[stream].version
    return await read_tally(floor, stream, version)


def pay_table_of(floor: Floor, table: str) -> PayTable:
    pay_table = floor.venue.table(table).pay_table
    assert pay_table is not None
    return pay_table


@pytest.mark.parametrize("address", ["ts6/3", "etg8/1", "div9/2"])
def test_theory_and_variance_are_those_of_the_very_bets(tmp_path: Path, address: str) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await floor.add_table("T1", address, credit=10_000_000)
        played = await play(floor, "T1", 7, 8)
        tally = await read(floor, "T1")
        sums = tally.state.sums
        found = sums.turnover, Fraction(sums.win), sums.theory, sums.variance
        assert found == expected_of(pay_table_of(floor, "T1"), played)
        assert (sums.rounds, sums.void) == (len(played), 0)
        theories = [each.theory for each in tally.state.kinds.values()]
        assert sum(theories, Fraction()) == sums.theory
        assert_meters(floor, "T1", tally)
        await floor.venue.stop()

    run(story())


def test_what_was_put_right_counts_as_it_stands_now(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await floor.add_table("T1", "etg8/2", credit=10_000_000)
        played = await play(floor, "T1", 3, 6)
        await void_round(floor, "T1")
        await floor.do("table/T1", Actor("T1-3", "terminal"), CashOut("T1-3"))
        before = await read(floor, "T1")
        assert (before.state.sums.void, before.state.sums.irregularities) == (1, 1)
        assert before.state.out == 10_000_000
        assert_meters(floor, "T1", before)

        await correct(floor, "T1", 2, (6, 6, 6))
        played[1] = played[1][0], (6, 6, 6)
        again = await read(floor, "T1")
        assert again.state.sums.win == expected_of(pay_table_of(floor, "T1"), played)[1]
        assert again.state.sums.theory == before.state.sums.theory, "the bets are the same"
        assert_meters(floor, "T1", again)
        watched = FairnessMonitor(0.99)
        watched.see_all([faces for _, faces in played])
        assert again.watched.log_e_value == pytest.approx(watched.log_e_value)

        await reverse(floor, "T1", 4)
        after = await read(floor, "T1")
        sums = after.state.sums
        stands = expected_of(pay_table_of(floor, "T1"), played[:3])
        assert (sums.turnover, Fraction(sums.win), sums.theory, sums.variance) == stands
        assert (sums.rounds, sums.reversed, sums.void) == (3, 3, 1)
        assert after.watched.throws == 6, "the dice were thrown all the same"
        assert_meters(floor, "T1", after)
        await floor.venue.stop()

    run(story())


def test_of_a_round_that_is_held_no_more_only_the_money_is_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four rounds two are held: all are void, and two still count in turnover and theory."""
    monkeypatch.setattr(tally, "ROUNDS_KEPT", 2)

    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await floor.add_table("T1", "etg8/2", credit=10_000_000)
        played = await play(floor, "T1", 3, 4)
        won = expected_of(pay_table_of(floor, "T1"), played)[1]
        await reverse(floor, "T1", 1)
        after = await read(floor, "T1")
        sums = after.state.sums
        stands = expected_of(pay_table_of(floor, "T1"), played[:2])
        assert (sums.turnover, Fraction(sums.win), sums.theory, sums.variance) == stands
        assert (sums.rounds, sums.reversed) == (2, 2)
        assert sum(day.corrections for day in after.state.days.values()) == won
        await floor.venue.stop()

    run(story())


def test_an_amendment_is_the_dealers_and_the_tables(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await floor.add_table("T1", "etg8/2")
        await floor.do("table/T1", DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "small", 500)
        await floor.close_and_enter("T1", (1, 1, 2))
        await floor.both("table/T1", DEALER, AmendResult((6, 6, 5)), SUPERVISOR)
        await floor.settle("T1")
        tally = await read(floor, "T1")
        assert tally.state.sums.amendments == 1
        assert tally.state.dealers["dan"].amendments == 1
        assert tally.state.sums.win == 500
        assert tally.state.dealing == "dan"
        assert_meters(floor, "T1", tally)
        await floor.venue.stop()

    run(story())


def test_dice_are_watched_set_by_set(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await floor.add_table("T1", "etg8/2")
        await play(floor, "T1", 5, 3)
        await floor.do("table/T1", SUPERVISOR, GiveNotice())
        await floor.do("table/T1", SUPERVISOR, CloseTable())
        await floor.do("table/T1", SUPERVISOR, RegisterDice("D2", "S2"))
        await floor.do("table/T1", SUPERVISOR, OpenTable())
        await play(floor, "T1", 6, 2)
        tally = await read(floor, "T1")
        assert {name: each.throws for name, each in tally.dice.items()} == {"D1": 3, "D2": 2}
        assert tally.watched is tally.dice["D2"]
        await floor.venue.stop()

    run(story())


def test_a_tally_is_handed_over_whole(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await floor.add_table("T1", "etg8/2", credit=10_000_000)
        await play(floor, "T1", 9, 4)
        tally = await read(floor, "T1")
        # A variance is soon longer than a program reads as a number.
        tally.state.sums.variance += 10**40
        copy = Tally.unpack(tally.pack())
        assert copy.pack() == tally.pack()
        assert copy.state.sums.variance == tally.state.sums.variance
        await floor.venue.stop()

    run(story())


@pytest.mark.parametrize(
    ("win", "standing"),
    [(1_000, "within"), (1_196, "within"), (1_197, "watch"), (1_259, "outside")],
)
def test_a_band_is_around_theory(win: int, standing: str) -> None:
    band = band_of(Sums(rounds=9, win=win, theory_216ths=216_000, variance=Fraction(10_000)))
    assert (band.low, band.high, band.lowest, band.highest) == (804, 1_196, 742, 1_258)
    assert band.standing == standing
    low = band_of(Sums(win=2_000 - win, theory_216ths=216_000, variance=Fraction(10_000)))
    assert (low.standing, low.deviation) == (standing, -band.deviation)


def test_nothing_played_is_within_its_band() -> None:
    band = band_of(Sums())
    assert (band.theory, band.deviation, band.standing) == (0, 0.0, "within")


def test_a_pace_is_without_pauses() -> None:
    pace = Pace()
    for at in (0, 60_000, 120_000, 120_000 + PAUSE_MS + 1, 180_000 + PAUSE_MS + 1):
        pace.note(at)
    assert pace.rounds_per_hour == 60.0
    assert (pace.first_at, pace.last_at) == (0, 180_001 + PAUSE_MS)
    assert Pace().rounds_per_hour is None
