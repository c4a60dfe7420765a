"""Gaming days: exact to the cent, by table, dealer and kind of bet, on the right date."""

import asyncio
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Actor, Posting
from taisai.core.rules.dice import result_of
from taisai.core.rules.paytable import PayTable
from taisai.core.table import corrections
from taisai.core.table.chips.gaming_day import DayClosed, ReturnCredit
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    VoidSettledRounds,
)
from taisai.core.table.round import RoundSettled
from taisai.core.table.setup import OpenTable, RulebookAdopted
from taisai.projections.figures import days as days_module
from taisai.projections.figures.days import Count, Dates, Days, DaySums, GamingDays
from taisai.projections.figures.tally import Tally
from taisai.rulebooks import rulebook
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.streams import table_of, table_stream
from taisai.server.figures import follower as following
from taisai.server.figures.follower import Figures, noted, read_fold
from taisai.server.http.audit.journal_workers import JournalWorkers, reading_by
from taisai.server.settings import Settings
from tests.kit.floor import Floor, keys, run
from tests.kit.journals import Decided, played
from tests.kit.people import DEALER, PIT, SUPERVISOR
from tests.server.figures.chip_table_days import (
    COUNTED_WIN,
    LEFT_OVER,
    THEORY,
    TURNOVER,
    VARIANCE,
    WIN,
    ChipTable,
    Hands,
    begin_day,
    end_day,
)
from tests.server.figures.playing import Played, assert_meters, expected_of, play, read_tally


async def read(floor: Floor, table: str, gaming_days: GamingDays | None = None) -> Tally:
    """Tally a table from its journal, and check that packing for another process loses nothing."""
    stream = table_stream(table)
    version = floor.venue.committer.heads[stream].version
    tally = await read_tally(floor, stream, version, gaming_days)
    assert Tally.unpack(tally.pack(), gaming_days).pack() == tally.pack()
    return tally


# --- the day of a chip table, done by hand --------------------------------------------------------


def test_a_chip_table_day_done_by_hand(tmp_path: Path) -> None:
    async def story() -> None:
        hands = Hands("2026-11-16T09:00:00")
        floor = await Floor.open(tmp_path / "journal", keys(), hands.clock)
        await floor.found()
        chip_table = ChipTable(floor)
        await chip_table.set_up()
        await begin_day(chip_table, "2026-11-16")
        # After midnight, and after the hour at which days start: the day goes on until it closes.
        hands.set("2026-11-17T07:00:00")
        await end_day(chip_table)
        tally = await read(floor, "F1")
        assert tally.state.chip_table
        assert list(tally.state.days) == ["2026-11-16"]
        day = tally.state.days["2026-11-16"]
        for sums in (tally.state.sums, day.sums):
            assert (sums.rounds, sums.bets) == (2, 4)
            assert (sums.turnover, sums.win) == (TURNOVER, WIN)
            assert (sums.theory, sums.variance) == (THEORY, VARIANCE)
        assert (day.collected, day.paid, day.corrections) == (12_000, 5_000, 0)
        assert (day.drop, day.out) == (40_000, 33_000)
        count = day.count
        assert count is not None
        assert (count.opening, count.opening_expected) == (0, 0)
        assert (count.fills, count.credits) == (200_000, 50_000)
        assert (count.drop_cash, count.drop_chips, count.drop_expected) == (39_500, 0, 40_000)
        assert (count.closing, count.closing_expected) == (117_100, 117_000)
        assert count.closing is not None
        assert count.closing_expected is not None
        assert count.drop - count.drop_expected == -500
        assert count.closing - count.closing_expected == 100
        assert count.win == day.win == COUNTED_WIN == WIN - 500 + 100
        assert (count.opened_by, count.closed_by) == ("sue", "sue")
        assert_meters(floor, "F1", tally)
        await floor.venue.stop()

    run(story())


def test_a_chip_table_day_by_dealer_and_by_kind_of_bet(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        chip_table = ChipTable(floor)
        await chip_table.set_up()
        await begin_day(chip_table, "2026-11-16")
        day = (await read(floor, "F1")).state.days["2026-11-16"]
        dan, dora = day.dealers["dan"], day.dealers["dora"]
        assert (dan.rounds, dan.turnover, dan.win) == (1, 10_000, 10_000)
        assert (dora.rounds, dora.turnover, dora.win) == (1, 7_000, -3_000)
        assert dan.theory == Fraction(10_000, 36)
        assert dan.variance + dora.variance == VARIANCE
        small, odd = day.kinds["small"], day.kinds["odd"]
        assert (small.rounds, small.turnover, small.win) == (2, 15_000, 5_000)
        assert (odd.rounds, odd.turnover, odd.win) == (1, 2_000, 2_000)
        assert (small.theory, odd.theory) == (Fraction(15_000, 36), Fraction(2_000, 36))
        # A stake of s is won or lost: s² less the square of s/36.
        one_less = 1 - Fraction(1, 36) ** 2
        assert small.variance == (10_000**2 + 5_000**2) * one_less
        assert odd.variance == 2_000**2 * one_less
        assert day.count is not None
        assert day.count.win is None, "no win by counts before the rack is counted"
        assert day.win == WIN, "by the books"
        await floor.venue.stop()

    run(story())


def test_a_correction_counts_where_the_round_was_played_and_its_money_when_it_moved(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        chip_table = ChipTable(floor)
        await chip_table.set_up()
        await begin_day(chip_table, "2026-11-16")
        before = (await read(floor, "F1")).state.days["2026-11-16"]
        # Round 1 showed 1 2 3: Small wins, and 50.00 of each seat's 100.00 played. Each gets back
        # the 50.00 it lost, and 50.00 more.
        command = CorrectSettledRound(1, (1, 2, 3), "the camera says so")
        await floor.both(chip_table.stream, PIT, command, SUPERVISOR)
        tally = await read(floor, "F1")
        day = tally.state.days["2026-11-16"]
        assert (day.collected, day.paid, day.corrections) == (12_000, 5_000, 20_000)
        assert day.win == WIN - 20_000
        assert (day.sums.turnover, day.sums.win) == (TURNOVER, WIN - 20_000)
        assert (day.sums.theory, day.sums.variance) == (THEORY, VARIANCE), "the bets are the same"
        assert day.dealers["dan"].win == -10_000
        assert (day.kinds["small"].win, day.kinds["small"].rounds) == (-15_000, 2)
        assert before.sums.win == WIN
        assert_meters(floor, "F1", tally)
        await floor.venue.stop()

    run(story())


def test_what_is_missing_of_a_credit_that_came_back_is_in_the_days_difference(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        hands = Hands("2026-11-16T09:00:00")
        floor = await Floor.open(tmp_path / "journal", keys(), hands.clock)
        await floor.found()
        chip_table = ChipTable(floor)
        await chip_table.set_up()
        await chip_table.open_day("2026-11-16", Pieces(10_000, 10))
        credit = await chip_table.send_credit(Pieces(10_000, 3))
        back = ReturnCredit(credit, (Pieces(10_000, 1),))
        await floor.both(chip_table.stream, DEALER, back, SUPERVISOR)
        await chip_table.close_day(Pieces(10_000, 8))
        tally = await read(floor, "F1")
        day = tally.state.days["2026-11-16"]
        assert day.count is not None
        # Opened with 1,000.00, closed with 800.00: 200.00 of the 300.00 never came back.
        assert (day.count.credits, day.count.missing, tally.state.credits_sent) == (0, 20_000, {})
        assert (day.count.win, day.win, day.count.difference) == (-20_000,) * 3
        await floor.venue.stop()

    run(story())


def test_what_is_put_right_between_two_days_is_in_no_days_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        # It is refused now; there are journals from before.
        monkeypatch.setattr(corrections, "_no_day", lambda _: None)
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        chip_table = ChipTable(floor)
        await chip_table.set_up()
        await begin_day(chip_table, "2026-11-16")
        await end_day(chip_table)
        # Round 2 is reversed: seat 1 won 50.00, seat 2 lost 20.00, and both have gone. What seat 2
        # is owed is set aside; what seat 1 owes cannot be recovered.
        command = VoidSettledRounds(2, "a die is chipped")
        await floor.both(chip_table.stream, PIT, command, SUPERVISOR)
        await chip_table.open_day("2026-11-17", *LEFT_OVER)
        tally = await read(floor, "F1")
        first, second = tally.state.days["2026-11-16"], tally.state.days["2026-11-17"]
        assert first.count is not None
        assert second.count is not None
        assert (first.win, first.corrections) == (COUNTED_WIN, 0)
        assert (first.sums.rounds, first.sums.reversed, first.sums.win) == (1, 1, 10_000)
        assert (first.count.between, second.count.between) == (0, 2_000)
        # The chips kept for seat 2 are out of the rack by the books; two persons counted them in.
        assert second.count.opening_difference == 2_000
        assert (second.win, second.sums.rounds) == (0, 0)
        assert tally.state.between == 0
        await floor.venue.stop()

    run(story())


def test_chips_on_their_way_to_the_cage_are_known_until_they_are_there(tmp_path: Path) -> None:
    async def story() -> None:
        hands = Hands("2026-11-16T09:00:00")
        floor = await Floor.open(tmp_path / "journal", keys(), hands.clock)
        await floor.found()
        chip_table = ChipTable(floor)
        await chip_table.set_up()
        await begin_day(chip_table, "2026-11-16")
        hands.on(7)
        transit = await chip_table.send_credit(*LEFT_OVER[:1])
        (sent,) = (await read(floor, "F1")).state.credits_sent.values()
        assert (sent.table, sent.amount, sent.by) == ("F1", 30_000, "dan")
        assert (sent.chips, sent.at) == (LEFT_OVER[:1], hands.clock.now())
        await chip_table.receive_credit(transit, *LEFT_OVER[:1])
        assert (await read(floor, "F1")).state.credits_sent == {}
        await floor.venue.stop()

    run(story())


# --- chip tables at play -------------------------------------------------------------------------


def chip_table_streams(seed: int) -> Iterator[tuple[Tally, list[Decided]]]:
    """Play a simulated venue with chip tables, and give each one's tally and decisions."""
    decided = [each for each in played(seed, 120, chip_table_share=1.0) if table_of(each.stream)]
    for stream in {each.stream for each in decided}:
        own = [each for each in decided if each.stream == stream]
        tally = Tally()
        for each in own:
            for event in each.events:
                what = noted(event)
                if what is not None:
                    tally.note(what, each.at)
        if tally.state.chip_table:
            yield tally, own


Reckoned = tuple[int, Fraction, Fraction, Fraction]


def reckon(events: list[Any]) -> Reckoned:
    """Find what played in each standing round by its losses or by its wins, and add up."""
    table: PayTable | None = None
    standing: dict[int, Reckoned] = {}
    for event in events:
        if isinstance(event, RulebookAdopted):
            table = rulebook(event.key).pay_tables[event.pay_table]
        elif isinstance(event, RoundsReversed):
            for number in event.rounds:
                standing.pop(number, None)
        elif isinstance(event, RoundSettled | RoundResettled):
            assert table is not None
            played_ = [(stakes_of(table, event), event.faces)]
            standing[event.round] = expected_of(table, played_)
    empty: Reckoned = (0, Fraction(), Fraction(), Fraction())
    turnovers, wins, theories, variances = zip(empty, *standing.values(), strict=True)
    return sum(turnovers), sum(wins), sum(theories), sum(variances)


def stakes_of(table: PayTable, event: RoundSettled | RoundResettled) -> dict[str, int]:
    stakes: dict[str, int] = {}
    for line in event.lines:
        odds = table.boxes[line.box].odds_on(result_of(event.faces))
        part = line.stake - line.back if odds is None else Fraction(line.won) / odds
        stakes[line.box] = stakes.get(line.box, 0) + int(part)
    return stakes


def test_chip_tables_at_play_come_out_as_reckoned_another_way() -> None:
    played_in_part = 0
    for seed in range(4):
        ((tally, decided),) = chip_table_streams(seed)
        events = [event for each in decided for event in each.events]
        played_in_part += _comes_out_as_reckoned(tally, events)
    assert played_in_part, "some bets were outside the limits"


def _comes_out_as_reckoned(tally: Tally, events: list[Any]) -> int:
    """Compare a tally with the events; count the rounds that had bets outside the limits."""
    settled = [each for each in events if isinstance(each, RoundSettled)]
    sums, days = tally.state.sums, tally.state.days
    assert (sums.turnover, Fraction(sums.win), sums.theory, sums.variance) == reckon(events)
    assert sum(each.sums.turnover for each in days.values()) == sums.turnover
    collected = sum(each.collected - each.paid for each in settled)
    assert sum(each.collected - each.paid for each in days.values()) == collected
    for closed in (each for each in events if isinstance(each, DayClosed)):
        count = days[closed.date].count
        assert count is not None
        assert count.win == closed.win == days[closed.date].win
        assert (count.opening, count.fills, count.credits, count.drop, count.closing) == (
            *(closed.opening, closed.fills, closed.credits, closed.drop, closed.closing),
        )
    return sum(1 for each in settled if each.playing)


# --- the dates of an electronic table ------------------------------------------------------------


async def play_at(floor: Floor, hands: Hands, moments: dict[str, str]) -> dict[str, Played]:
    """Play a round at each of these moments; give the figures by gaming date."""
    found: dict[str, Played] = {}
    for seed, (when, date) in enumerate(moments.items()):
        hands.set(when)
        found.setdefault(date, []).extend(await play(floor, "T1", seed, 1))
    return found


@pytest.mark.parametrize(
    ("day_starts", "zone", "moments"),
    [
        (
            6,
            "Asia/Singapore",
            {
                # 05:59:59.999 and 06:00 on the 17th, eight hours ahead; 05:59:59.999 on the 18th.
                "2026-11-16T21:59:59.999": "2026-11-16",
                "2026-11-16T22:00:00.000": "2026-11-17",
                "2026-11-17T21:59:59.999": "2026-11-17",
            },
        ),
        (
            6,
            "Pacific/Auckland",
            {
                # Summer time begins on 27 September at 02:00: the gaming day has 23 hours.
                "2026-09-25T17:59:59.999": "2026-09-25",
                "2026-09-25T18:00:00.000": "2026-09-26",
                "2026-09-26T16:59:59.999": "2026-09-26",
                "2026-09-26T17:00:00.000": "2026-09-27",
                # It ends on 4 April at 03:00: the gaming day has 25 hours.
                "2027-04-02T16:59:59.999": "2027-04-02",
                "2027-04-02T17:00:00.000": "2027-04-03",
                "2027-04-03T17:59:59.999": "2027-04-03",
                "2027-04-03T18:00:00.000": "2027-04-04",
            },
        ),
    ],
)
def test_an_electronic_tables_rounds_belong_to_the_date_of_their_moment(
    tmp_path: Path, day_starts: int, zone: str, moments: dict[str, str]
) -> None:
    async def story() -> None:
        hands = Hands("2026-09-20T12:00:00")
        floor = await Floor.open(tmp_path / "journal", keys(), hands.clock)
        await floor.found()
        await floor.add_table("T1", "etg8/2", credit=10_000_000)
        found = await play_at(floor, hands, moments)
        gaming_days = GamingDays(day_starts, zone)
        tally = await read(floor, "T1", gaming_days)
        played_on = {date: day for date, day in tally.state.days.items() if day.sums.rounds}
        assert list(played_on) == sorted(found)
        pay_table = floor.venue.table("T1").pay_table
        assert pay_table is not None
        for date, rounds in found.items():
            sums = played_on[date].sums
            reckoned = sums.turnover, Fraction(sums.win), sums.theory, sums.variance
            assert reckoned == expected_of(pay_table, rounds)
            assert (sums.rounds, played_on[date].count) == (len(rounds), None)
            assert played_on[date].win == sums.win
        # The credits came in on the day the table was set up, which is before all of these.
        assert next(day.drop for day in tally.state.days.values()) == 30_000_000
        await floor.venue.stop()

    run(story())


def test_a_ruling_counts_on_the_day_its_money_moved(tmp_path: Path) -> None:
    async def story() -> None:
        hands = Hands("2026-11-16T12:00:00")
        floor = await Floor.open(tmp_path / "journal", keys(), hands.clock)
        await floor.found()
        await floor.add_table("T1", "etg8/2", credit=10_000_000)
        await play(floor, "T1", 1, 2)
        hands.set("2026-11-17T12:00:00")
        postings = (
            Posting("house:bank", "terminal:T1-1", 700),
            Posting("terminal:T1-2", "house:bank", 200),
        )
        rule = Rule("the screen was dark", postings)
        shift = Actor("mia", "shift-manager")
        asked = await floor.do("table/T1", shift, rule)
        if isinstance(asked.events[-1], ApprovalRequested):
            approve = Approve(asked.events[-1].pending, asked.last)
            await floor.do("table/T1", SUPERVISOR, approve)
        days = (await read(floor, "T1")).state.days
        assert [day.corrections for day in days.values()] == [0, 500]
        assert days["2026-11-17"].win == -500
        assert days["2026-11-16"].win == days["2026-11-16"].sums.win
        await floor.venue.stop()

    run(story())


# --- what is kept --------------------------------------------------------------------------------


def test_older_days_are_read_again_when_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(days_module, "DAYS_KEPT", 2)

    async def story() -> None:
        hands = Hands("2026-11-10T12:00:00")
        floor = await Floor.open(tmp_path / JOURNAL_FILE, keys(), hands.clock)
        await floor.found()
        await floor.add_table("T1", "etg8/2", credit=10_000_000)
        moments = {f"2026-11-{day}T12:00:00": f"2026-11-{day}" for day in range(11, 16)}
        found = await play_at(floor, hands, moments)
        by_worker = reading_by(JournalWorkers(Settings(tmp_path)))
        pay_table = floor.venue.table("T1").pay_table
        assert pay_table is not None
        figures = Figures(floor.venue, by_worker)
        figures.begin()
        async with asyncio.timeout(20):
            await figures.caught_up()
        tally = figures.of("table/T1")
        assert tally is not None
        assert list(tally.state.days) == ["2026-11-14", "2026-11-15"]
        assert not tally.days.know(Dates("2026-11-13", "2026-11-14"))
        for short in (following.SHORT, 0):
            # In the venue itself, then by a worker.
            monkeypatch.setattr(following, "SHORT", short)
            for dates in (Dates("2026-11-12", "2026-11-14"), Dates("2026-11-14", "2026-11-20")):
                told = await figures.days("table/T1", dates)
                assert told is not None
                assert [day.date for day in told] == [each for each in found if dates.has(each)]
                for day in told:
                    win = expected_of(pay_table, found[day.date])[1]
                    assert (Fraction(day.sums.win), day.sums.rounds) == (win, 1)
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_of_chip_table_days_those_that_are_wanted_are_the_same_as_among_all(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        chip_table = ChipTable(floor)
        await chip_table.set_up()
        await begin_day(chip_table, "2026-11-16")
        await end_day(chip_table)
        await chip_table.open_day("2026-11-17", *LEFT_OVER)
        await floor.do(chip_table.stream, SUPERVISOR, OpenTable())
        await chip_table.close_table()
        await chip_table.count_drop(0)
        await chip_table.close_day(*LEFT_OVER)
        every = (await read(floor, "F1")).state.days
        version = floor.venue.committer.heads[chip_table.stream].version
        for date in ("2026-11-16", "2026-11-17", "2026-11-18"):
            tally = Tally(wanted=Dates(date, date))
            await read_fold(floor.venue.journal, chip_table.stream, version, lambda *_: None, tally)
            assert tally.state.days == {each: every[each] for each in every if each == date}
        await floor.venue.stop()

    run(story())


def test_a_day_that_is_not_kept_is_not_begun_again() -> None:
    days = Days({}, forgotten="2026-11-10")
    days.on("2026-11-10").collected += 5
    assert days.by_date == {}
    days.on("2026-11-11").collected += 5
    assert days.by_date["2026-11-11"].collected == 5
    assert days.know(Dates("2026-11-11", "2026-11-12"))
    assert not days.know(Dates("2026-11-10", "2026-11-12"))


def test_dealers_beyond_a_limit_are_added_up_under_no_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(days_module, "DEALERS_A_DAY", 2)
    day = DaySums("2026-11-16")
    for number in range(4):
        for sums in day.sums_of(f"dealer {number}"):
            sums.rounds += 1
    rounds = {name: sums.rounds for name, sums in day.dealers.items()}
    assert rounds == {"dealer 0": 1, "dealer 1": 1, "": 2}
    assert day.sums.rounds == 4


def test_counts_that_are_not_made_yet_make_no_difference() -> None:
    count = Count(0, "sue", 5_000, 5_000)
    assert (count.difference, count.win) == (0, None)
