"""The demo's chip table: found open, filled and with guests, however a visitor left it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from taisai.client import connect
from taisai.client.http import demo_staff
from taisai.core.cage.fills import SendFill
from taisai.core.kernel.ledger import DROP, credits_of
from taisai.core.kernel.messages import Actor, Command
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.colours import ConvertColour
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop, ReceiveFill, SendCredit
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import BoxChips, ChipSet, Pieces, plain_chips
from taisai.core.table.chips.state import ChipTable, Day
from taisai.core.table.interruption import ResumePlay
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import ConfirmResult, OpenBets
from taisai.core.table.setup import CloseTable, GiveNotice
from taisai.core.table.state import Phase
from taisai.projections.figures.days import GamingDays
from taisai.protocol.server_messages import Refused
from taisai.runtime.answers import Registered
from taisai.runtime.clock import Clock
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE
from taisai.runtime.verification.verifier import Asked
from taisai.server.accounts.accounts import Accounts
from taisai.server.demo.staff import staff
from taisai.server.demo.venue import Demo, demo_plan
from taisai.server.floor import add_missing, found
from taisai.server.floor_plan import FloorPlan, TablePlan
from taisai.server.settings import Settings
from tests.kit.desk import new_terminal
from tests.kit.floor import Floor, keys, run
from tests.kit.servers import served
from tests.verification.damage import verify_file

TABLE = "table/chips"
#: 2026-11-16 at 04:00 in Singapore, where a gaming day starts at six: still that of the 15th.
EARLY_MS = 1_794_772_800_000
HOUR_MS = 3_600_000
DEALER, SUPERVISOR, PIT = staff("dealer"), staff("supervisor"), staff("pit-manager")


def clock_at(at: int) -> Clock:
    """Make a clock that goes on a millisecond at each reading."""
    ticks = iter(range(at, at + HOUR_MS))
    steady = iter(range(HOUR_MS))
    return Clock(lambda: next(ticks) * 1_000_000, lambda: next(steady) * 1_000_000)


@asynccontextmanager
async def demo_venue(
    where: Path, venue_keys: VenueKeys, at: int = EARLY_MS, tables: tuple[TablePlan, ...] = ()
) -> AsyncIterator[tuple[Floor, Demo]]:
    """Open a demo venue with only a chip table, without a network."""
    chip_tables = tuple(each for each in demo_plan().tables if each.form == "chips")
    plan = FloorPlan(venue=demo_plan().venue, tables=tables or chip_tables)
    floor = await Floor.open(where / "journal.sqlite", venue_keys, clock_at(at))
    await found(floor.venue, plan.venue, demo=True)
    await add_missing(floor.venue, plan)
    accounts = Accounts.open(where / "credentials.db", floor.venue, Settings(where, demo=True))
    demo = Demo(floor.venue, accounts, GamingDays(6, "Asia/Singapore"))
    await demo.set_up(plan)
    try:
        yield floor, demo
    finally:
        await floor.venue.stop()
        accounts.close()


def layout_of(venue: Runtime) -> ChipTable:
    chip_table = venue.table("chips").chips
    assert chip_table is not None
    return chip_table


def test_whoever_comes_to_deal_can_record_bets_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with demo_venue(tmp_path, keys()) as (floor, _):
            state, chip_table = floor.venue.table("chips"), layout_of(floor.venue)
            assert state.phase is Phase.READY
            assert set(chip_table.seated) == {"1", "2", "3", "5", "6"}
            assert chip_table.marked == {"red": 500, "orange": 1_000, "yellow": 2_500}
            in_front = {seat: state.ledger.balance(credits_of(seat)) for seat in chip_table.seated}
            bought = {"1": 30_000, "2": 20_000, "3": 30_000, "5": 50_000, "6": 60_000}
            assert in_front == bought
            assert state.ledger.balance(DROP) == 190_000
            await floor.do(TABLE, DEALER, OpenBets())
            for seat, chip in (("1", 2_500), ("2", "red"), ("3", "orange"), ("6", "yellow")):
                bets = (BoxChips("small", (Pieces(chip, 2),)),)
                await floor.do(TABLE, DEALER, RecordBets(seat, bets))
            assert [each.amount for each in chip_table.stacks] == [5_000, 1_000, 2_000, 5_000]

    run(work())


def test_its_day_was_opened_with_a_count_and_its_rack_filled_from_the_cage(tmp_path: Path) -> None:
    venue_keys = keys()

    async def work() -> None:
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            # 100 of 1.00, 120 of 5.00, 80 of 25.00, 40 of 100.00 and 10 of 500.00; then 40 of
            # 25.00 and 20 of 100.00 more.
            day = layout_of(floor.venue).day
            assert day == Day("2026-11-15", opening=1_170_000, fills=300_000, played=True)
            await floor.venue.transfers.settled()
            assert floor.venue.cage.fills_open == {}

    run(work())
    report = verify_file(tmp_path / "journal.sqlite", Asked(venue_keys.public))
    assert report.verified, report.faults


def test_a_chip_table_has_no_terminals_for_anybody(tmp_path: Path) -> None:
    async def work() -> None:
        async with demo_venue(tmp_path, keys()) as (_, demo):
            named = await new_terminal(demo.terminals, "chips")
            assert isinstance(named, Refusal)
            assert named.code == "ONLY_AT_TERMINALS"
            anywhere = await new_terminal(demo.terminals)
            assert isinstance(anywhere, Refusal)
            assert anywhere.code == "NO_TABLE"

    run(work())


def test_a_day_that_is_open_goes_on_on_another_date(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            await floor.venue.transfers.settled()
            before = floor.venue.writer(TABLE).head
        async with demo_venue(tmp_path, venue_keys, EARLY_MS + 30 * HOUR_MS) as (floor, _):
            # Interrupted; and two persons declare that nothing was dealt.
            assert floor.venue.writer(TABLE).head.version == before.version + 4
            state = floor.venue.table("chips")
            assert (state.phase, state.waiting, state.stopped) == (Phase.READY, False, None)
            day = layout_of(floor.venue).day
            assert day is not None
            assert day.date == "2026-11-15"

    run(work())


# --- whatever state it was left in ----------------------------------------------------------------


async def both(floor: Floor, first: Actor, command: Command, second: Actor) -> Registered:
    return await floor.both(TABLE, first, command, second)


async def is_closed(floor: Floor) -> None:
    await floor.do(TABLE, DEALER, GiveNotice())
    await floor.do(TABLE, SUPERVISOR, CloseTable())


async def has_notice(floor: Floor) -> None:
    await floor.do(TABLE, DEALER, GiveNotice())


async def is_being_bet_at(floor: Floor) -> None:
    await floor.do(TABLE, DEALER, OpenBets())
    bets = (BoxChips("big", (Pieces("red", 4),)), BoxChips("triple-6", (Pieces("red", 2),)))
    await floor.do(TABLE, DEALER, RecordBets("2", bets))


async def is_to_be_paid_before_it_closes(floor: Floor) -> None:
    await is_being_bet_at(floor)
    await floor.do(TABLE, DEALER, GiveNotice())
    await floor.close_and_enter("chips", (6, 6, 6))
    await floor.do(TABLE, DEALER, ConfirmResult())


async def has_too_few_chips_to_pay(floor: Floor) -> None:
    """Send everything in the rack to the cage: 180 for 1 on a triple takes chips."""
    chip_table = layout_of(floor.venue)
    await both(floor, DEALER, SendCredit(stack(chip_table)), SUPERVISOR)
    await is_to_be_paid_before_it_closes(floor)


def stack(chip_table: ChipTable) -> tuple[Pieces, ...]:
    return tuple(Pieces(chip, count) for chip, count in chip_table.rack.items() if count)


async def was_stopped(floor: Floor) -> None:
    await floor.do(TABLE, SUPERVISOR, ReportIrregularity("malfunction", "the lid is stuck"))


@pytest.mark.parametrize("left", [is_closed, was_stopped, has_notice])
def test_whatever_a_visitor_left_behind_the_next_start_goes_on(
    tmp_path: Path, left: Callable[[Floor], Awaitable[None]]
) -> None:
    venue_keys = keys()

    async def work() -> None:
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            await left(floor)
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            state, chip_table = floor.venue.table("chips"), layout_of(floor.venue)
            assert (state.phase, state.stopped, chip_table.paying) == (Phase.READY, None, False)
            assert not state.notice_given
            assert set(chip_table.seated) == {"1", "2", "3", "5", "6"}
            await floor.do(TABLE, DEALER, OpenBets())

    run(work())
    report = verify_file(tmp_path / "journal.sqlite", Asked(venue_keys.public))
    assert report.verified, report.faults


@pytest.mark.parametrize(
    "left", [is_being_bet_at, is_to_be_paid_before_it_closes, has_too_few_chips_to_pay]
)
def test_a_round_left_under_way_is_for_visitors_to_speak_of(
    tmp_path: Path, left: Callable[[Floor], Awaitable[None]]
) -> None:
    venue_keys = keys()

    async def work() -> None:
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            await left(floor)
            phase = floor.venue.table("chips").phase
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            state = floor.venue.table("chips")
            assert (state.phase, state.waiting, state.live) == (phase, True, 3_000)
            await both(floor, SUPERVISOR, ResumePlay("nothing was dealt"), DEALER)
            assert (state.phase, state.waiting) == (phase, False)

    run(work())
    report = verify_file(tmp_path / "journal.sqlite", Asked(venue_keys.public))
    assert report.verified, report.faults


async def day_ends(floor: Floor) -> int:
    """Let everybody leave, and count box and rack; give the count of the rack."""
    chip_table = layout_of(floor.venue)
    for seat in [*chip_table.seated]:
        colour = chip_table.colour_of(seat)
        if colour is not None:
            pieces = chip_table.in_front(colour)
            await floor.do(TABLE, DEALER, ConvertColour(seat, pieces))
        await floor.do(TABLE, DEALER, LeaveSeat(seat))
    await both(floor, staff("cage"), CountDrop(190_000, 0), SUPERVISOR)
    closing = chip_table.rack_value
    await both(floor, SUPERVISOR, CloseDay(stack(chip_table)), DEALER)
    return closing


def test_a_demo_whose_next_day_is_too_far_ahead_leaves_the_chip_table_closed(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        venue_keys = keys()
        for date in ("2026-11-15", "2026-11-16", "2026-11-17"):
            async with demo_venue(tmp_path, venue_keys) as (floor, _):
                assert layout_of(floor.venue).last_date == date
                await is_closed(floor)
                await day_ends(floor)
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            assert floor.venue.table("chips").phase is Phase.CLOSED
            assert (layout_of(floor.venue).day, layout_of(floor.venue).seated) == (None, {})

    run(work())


def test_after_a_day_was_closed_the_next_is_opened_and_guests_come(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            await is_closed(floor)
            closing = await day_ends(floor)
        # Started again on the same date: a demo does not wait for tomorrow.
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            chip_table = layout_of(floor.venue)
            assert chip_table.day is not None
            assert (chip_table.day.date, chip_table.day.opening) == ("2026-11-16", closing)
            # The cage sends as much as the guests took with them, in whatever chips.
            assert chip_table.day.fills >= 1_470_000 - closing
            assert set(chip_table.seated) == {"1", "2", "3", "5", "6"}
            assert floor.venue.table("chips").phase is Phase.READY

    run(work())


def test_a_chip_table_of_somebodys_own_plan_is_set_up_with_its_own_chips(tmp_path: Path) -> None:
    plan = TablePlan(
        name="chips",
        pay_table="div9/1",
        minimum=5_000,
        maximum=100_000,
        step=5_000,
        form="chips",
        chips=ChipSet(values=(5_000, 25_000), seats=5, colours=("pink",), pieces=50),
    )

    async def work() -> None:
        async with demo_venue(tmp_path, keys(), tables=(plan,)) as (floor, _):
            chip_table = layout_of(floor.venue)
            assert floor.venue.table("chips").phase is Phase.READY
            # There is no sixth seat, and one colour for two guests who want one.
            assert (set(chip_table.seated), chip_table.marked) == (
                {"1", "2", "3", "5"},
                {"pink": 5_000},
            )
            # Thirty times 50.00.
            assert floor.venue.table("chips").ledger.balance(credits_of("1")) == 150_000

    run(work())


def test_a_fill_on_its_way_waits_for_people(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            send = SendFill("chips", plain_chips(50_000, (10_000,)))
            await floor.both(CAGE, staff("cage"), send, PIT)
            await floor.venue.transfers.settled()
            (transit,) = floor.venue.cage.fills_open
        async with demo_venue(tmp_path, venue_keys) as (floor, _):
            assert list(floor.venue.cage.fills_open) == [transit]
            receive = ReceiveFill(transit, plain_chips(50_000, (10_000,)))
            await both(floor, DEALER, receive, SUPERVISOR)
            await floor.venue.transfers.settled()
            assert floor.venue.cage.fills_open == {}

    run(work())


# --- over the network -----------------------------------------------------------------------------


def test_over_the_socket_it_is_dealt_by_people_and_filled_as_it_was_sent(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(Settings(tmp_path, port=0, demo=True)) as (address, application):
            assert application.gaming_days.time_zone == "UTC"
            token = await demo_staff(address, "dealer")
            async with connect(address, session=token) as dealer:
                handed = await dealer.deal("chips", automatic=True)
                assert isinstance(handed, Refused)
                assert handed.sentence == "this is done at electronic tables alone"
                receive = ReceiveFill("cage-T1-999", (Pieces(10_000, 1),))
                taken = await dealer.ask("chips", receive)
                assert isinstance(taken, Refused)
                assert taken.code == "FILL_UNKNOWN"
            token = await demo_staff(address, "cage")
            async with connect(address, session=token) as cashier:
                sent = await cashier.ask("cage", SendFill("salon", (Pieces(10_000, 1),)))
                assert isinstance(sent, Refused)
                assert sent.code == "FILL_NO_TABLE"

    run(work())
