"""The automatic dealer: rounds by every document, in time, and handed to a person at any moment."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS, ApprovalRequested, Approve
from taisai.core.kernel.messages import Command, Equipment, Event, Instant, Order
from taisai.core.rules.reason import refuse
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.setup import (
    CloseTable,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    Rectify,
)
from taisai.core.table.state import Phase, TableState
from taisai.core.table.tumble import RecordTumble
from taisai.runtime import runtime as venues
from taisai.runtime.answers import Answer, Registered, UnknownStreamError
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from taisai.runtime.tumblers import TumblerFault
from taisai.server.dealing import dealers as dealing
from taisai.server.dealing.dealers import (
    Dealers,
    Give,
    Step,
    Tumble,
    Turn,
    Wait,
    is_fit,
    next_step,
    turn_at,
)
from taisai.server.floor_plan import COUNTDOWN_MIN_SECONDS, Pace, TablePlan
from tests.kit.floor import Floor, keys, run, until
from tests.kit.news import Published, news_of
from tests.kit.people import DEALER, PIT, SUPERVISOR, TECHNICIAN
from tests.kit.tables import ADDRESSES, Table, open_table
from tests.runtime.failing_journals import FailingJournal
from tests.tumblers.reader import TrayReader

AT = 1_800_000_000_000
PACE = Pace(20.0, 4.0, 3.0)
DEMO_TABLES = ("ts6/2", "tso5/3", "etg8/2", "div9/2")


# --- the next step, by the table and the time -----------------------------------------------------


def at_phase(address: str, phase: Phase) -> TableState:
    """Bring a table with a simulated tumbler to a phase."""
    table = open_table(address, equipment=Equipment("simulated"))
    if phase is Phase.TUMBLED:
        table.does("device", RecordTumble(3))
    if phase in (Phase.BETTING, Phase.NO_MORE_BETS, Phase.RESULT, Phase.CONFIRMED):
        table.betting(t7={"small": 1_000})
    if phase in (Phase.NO_MORE_BETS, Phase.RESULT, Phase.CONFIRMED):
        table.closed()
    if phase in (Phase.RESULT, Phase.CONFIRMED):
        table.tumbled()
        table.does("device", EnterResult((1, 2, 3)))
    if phase is Phase.CONFIRMED:
        table.does("dealer", ConfirmResult())
    assert table.state.phase is phase
    return table.state


def step_at(state: TableState, waited_ms: int, *, device: bool = True) -> Step:
    """Give the next step at a table that has been in its phase for this long."""
    turn = Turn(state.round, state.phase, AT)
    return next_step(state, turn, PACE, AT + waited_ms, device=device)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    ("phase", "due_ms", "command"),
    [
        (Phase.READY, 3_000, OpenBets()),
        (Phase.BETTING, 20_000, CloseBets(bell=True)),
        (Phase.RESULT, 0, ConfirmResult()),
        (Phase.CONFIRMED, 4_000, Settle()),
    ],
)
def test_each_step_is_taken_when_it_is_due_and_not_before(
    address: str, phase: Phase, due_ms: int, command: Command
) -> None:
    state = at_phase(address, phase)
    before_bets = open_table(address).before_bets
    first = Tumble() if before_bets and phase is Phase.READY else Give(command)
    assert step_at(state, due_ms) == first
    if due_ms:
        assert step_at(state, due_ms - 1) == Wait(AT + due_ms)


@pytest.mark.parametrize("address", ADDRESSES)
def test_while_the_device_works_there_is_nothing_to_do(address: str) -> None:
    assert step_at(at_phase(address, Phase.NO_MORE_BETS), 1_000_000) == Wait()


def test_bets_are_called_for_as_soon_as_the_dice_are_tumbled() -> None:
    assert step_at(at_phase("div9/2", Phase.TUMBLED), 0) == Give(OpenBets())


@pytest.mark.parametrize("address", ADDRESSES)
def test_with_notice_given_no_round_begins_and_the_one_under_way_ends(address: str) -> None:
    table = open_table(address, equipment=Equipment("simulated"))
    table.does("dealer", GiveNotice())
    assert step_at(table.state, 1_000_000) == Wait()
    table.betting()
    assert step_at(table.state, 20_000) == Give(CloseBets(bell=True))


@pytest.mark.parametrize("address", ADDRESSES)
def test_where_a_person_reads_the_dice_that_person_enters_and_confirms_them(address: str) -> None:
    table = open_table(address)
    assert step_at(table.betting().state, 20_000, device=False) == Give(CloseBets(bell=True))
    assert step_at(table.closed().tumbled().state, 1_000_000, device=False) == Wait()
    assert step_at(table.entered(1, 2, 3).state, 1_000_000, device=False) == Wait()
    table.does("dealer", ConfirmResult())
    assert step_at(table.state, 4_000, device=False) == Give(Settle())


def test_without_a_device_a_person_tumbles_before_the_bets() -> None:
    state = open_table("div9/2").state
    assert step_at(state, 1_000_000, device=False) == Wait()


def test_what_waits_for_its_second_person_has_its_minute_and_no_more() -> None:
    table = open_table("ts6/2", equipment=Equipment("simulated"))
    table.does("technician", EnrolTerminal("9", "place 9"))
    pending = table.state.pending
    assert pending is not None
    turn = Turn(table.state.round, table.state.phase, pending.at - 1_000)
    due = pending.at + 2_000
    assert next_step(table.state, turn, PACE, due) == Wait(pending.at + EXPIRES_AFTER_MS + 1)
    late = pending.at + EXPIRES_AFTER_MS + 1
    assert next_step(table.state, turn, PACE, late) == Give(OpenBets())
    # Asked for again and again, an approval holds the table up for a minute in all.
    long_due = Turn(table.state.round, table.state.phase, pending.at - EXPIRES_AFTER_MS - 3_001)
    assert next_step(table.state, long_due, PACE, pending.at) == Give(OpenBets())


def test_since_when_is_known_as_long_as_the_table_stays_where_it_is() -> None:
    state = open_table("ts6/2").state
    turn = turn_at(None, state, AT)
    assert turn_at(turn, state, AT + 5_000) is turn
    assert turn_at(turn, at_phase("ts6/2", Phase.BETTING), AT + 5_000).since == AT + 5_000


def stopped() -> Table:
    table = open_table("div9/2")
    table.does("dealer", ReportIrregularity("malfunction", "the lid is stuck"))
    return table


def in_doubt() -> Table:
    table = open_table("ts6/2").betting().closed().tumbled()
    table.does("dealer", ReportIrregularity("die-not-flat"))
    return table


def waiting() -> Table:
    table = open_table("ts6/2").betting().closed()
    table.does("system", RecordInterruption("the power failed"))
    return table


@pytest.mark.parametrize("unfit", [stopped, in_doubt, waiting, Table("ts6/2").created])
def test_a_table_that_people_must_see_to_is_not_dealt_at(unfit: Callable[[], Table]) -> None:
    assert not is_fit(unfit().state)


@pytest.mark.parametrize("address", ADDRESSES)
def test_any_other_table_is(address: str) -> None:
    assert is_fit(open_table(address).state)


# --- at a real venue ------------------------------------------------------------------------------


class Lamp:
    """What the players see: who deals, and when the bets will be closed."""

    def __init__(self) -> None:
        self.closes: list[Instant | None] = []
        self.dealers: list[str] = []

    def countdown(self, table: str, closes_at: Instant | None) -> None:
        assert table == "T1"
        self.closes.append(closes_at)

    def dealer(self, table: str, dealer: Literal["automatic", "person"]) -> None:
        assert table == "T1"
        self.dealers.append(dealer)


class Pit:
    """A floor with one table, its automatic dealer, and records of what both did."""

    def __init__(self, floor: Floor, dealers: Dealers, lamp: Lamp, orders: list[Order]) -> None:
        self.floor = floor
        self.venue = floor.venue
        self.dealers = dealers
        self.lamp = lamp
        self.orders = orders
        self.stream = table_stream("T1")

    @property
    def state(self) -> TableState:
        return self.venue.table("T1")

    async def rounds(self, more: int) -> None:
        """Wait until this many more rounds are over."""
        upto = self.state.round + more
        await until(lambda: self.state.round >= upto and self.state.phase is Phase.READY)

    async def settles(self, number: int) -> None:
        await until(lambda: number in self.state.history)

    async def reaches(self, phase: Phase) -> None:
        await until(lambda: self.state.phase is phase)

    async def told(self) -> list[Event]:
        """Read all events of the table from the journal."""
        writer = self.venue.writer(self.stream)
        await self.venue.committer.settled()
        journal = self.venue.journal
        records = await journal.records(self.stream, range(1, writer.head.version + 1))
        return [writer.kind.read(record) for record in records]


def quick(pause: float = 0.0, countdown: float = 0.0, result: float = 0.0) -> Pace:
    return Pace(countdown, result, pause)


@asynccontextmanager
async def dealt(
    where: Any,
    address: str = "ts6/2",
    pace: Pace | None = None,
    tumbler: Literal["keyed", "simulated", "verifiable", "reader"] = "simulated",
    minimum_seconds: float = 0.0,
    **more: Any,
) -> AsyncIterator[Pit]:
    """Open a venue with one table, dealt by the automatic dealer."""
    floor = await Floor.open(where, keys(), **more)
    await floor.found()
    await floor.add_table("T1", address, equipment=Equipment(tumbler))
    lamp = Lamp()
    orders = remember(floor.venue)
    dealers = Dealers(floor.venue, lamp, minimum_seconds)
    try:
        dealers.add("T1", plan(address, pace or quick()))
        yield Pit(floor, dealers, lamp, orders)
    finally:
        await dealers.stop()
        await floor.venue.stop()


def plan(address: str, pace: Pace, dealer: str = "automatic") -> TablePlan:
    return TablePlan(
        name="T1",
        pay_table=address,
        minimum=100,
        maximum=100_000,
        countdown_seconds=pace.countdown_seconds,
        result_seconds=pace.result_seconds,
        pause_seconds=pace.pause_seconds,
        dealer=dealer,
    )


def remember(venue: Runtime) -> list[Order]:
    """Record every command of the automatic dealer, in order."""
    orders: list[Order] = []
    submit = venue.submit

    def submitting(stream: str, order: Order) -> Any:
        if order.actor == dealing.DEALER:
            orders.append(order)
        return submit(stream, order)

    venue.submit = submitting  # type: ignore[method-assign]
    return orders


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a refused step be tried again soon."""
    monkeypatch.setattr(dealing, "AGAIN_MS", 2)
    monkeypatch.setattr(venues, "RETRY_SECONDS", 0.005)


ROUND = {
    "before-bets": ["TumbleRecorded", "BetsOpened", "BetsClosed"],
    "otherwise": ["BetsOpened", "BetsClosed", "TumbleRecorded"],
}


@pytest.mark.parametrize("tumbler", ["simulated", "verifiable"])
@pytest.mark.parametrize("address", DEMO_TABLES)
def test_rounds_are_dealt_as_each_document_has_them(
    tmp_path: Path, address: str, tumbler: Literal["simulated", "verifiable"]
) -> None:
    async def play() -> list[Event]:
        async with dealt(tmp_path / "journal", address, tumbler=tumbler) as pit:
            await pit.rounds(3)
            return await pit.told()

    told = [type(event).__name__ for event in run(play())]
    told = [name for name in told if name not in ("ChainPublished", "SecretRevealed")]
    first = told.index("RoundStarted")
    order = "before-bets" if open_table(address).before_bets else "otherwise"
    one = ["RoundStarted", *ROUND[order], "ResultEntered", "ResultConfirmed", "RoundSettled"]
    assert told[first : first + 21] == one * 3


def test_the_bets_are_open_until_the_moment_that_was_shown(tmp_path: Path) -> None:
    async def play() -> tuple[list[tuple[Instant, str]], list[Instant | None]]:
        async with dealt(tmp_path / "journal", pace=quick(countdown=0.05)) as pit:
            news = news_of(pit.venue, pit.stream)
            await pit.rounds(2)
            await pit.dealers.stop()
            happened = []
            while news.queue:
                each = await anext(news)
                if isinstance(each, Published):
                    happened += [(each.at, type(event).__name__) for event in each.events]
            news.close()
            return happened, pit.lamp.closes

    happened, closes = run(play())
    opened = [at for at, name in happened if name == "BetsOpened"]
    closed = [at for at, name in happened if name == "BetsClosed"]
    shown = [at for at in closes if at is not None]
    assert closes[:4] == [shown[0], None, shown[1], None]
    for began, until_, ended in zip(opened, shown, closed, strict=False):
        assert began + 50 <= until_ <= ended


def test_a_bet_during_the_countdown_is_settled(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", pace=quick(countdown=0.2)) as pit:
            await pit.reaches(Phase.BETTING)
            answer = await pit.floor.bet("T1", "T1-1", "small", 500)
            assert isinstance(answer, Registered)
            number = pit.state.round
            await pit.settles(number)
            assert pit.state.history[number].lines[0].stake == 500

    run(play())


def test_no_plan_goes_below_the_venues_minimum(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", minimum_seconds=COUNTDOWN_MIN_SECONDS) as pit:
            news = news_of(pit.venue, pit.stream)
            await until(lambda: bool(pit.lamp.closes))
            opened = await anext(news)
            assert isinstance(opened, Published)
            shown = pit.lamp.closes[0]
            assert shown is not None
            assert shown >= opened.at + COUNTDOWN_MIN_SECONDS * 1_000
            news.close()

    run(play())


# --- handing over ---------------------------------------------------------------------------------

BY_HAND: dict[Phase, Command] = {
    Phase.READY: OpenBets(),
    Phase.TUMBLED: OpenBets(),
    Phase.BETTING: CloseBets(bell=True),
    Phase.RESULT: ConfirmResult(),
    Phase.CONFIRMED: Settle(),
}


async def finishes_by_hand(pit: Pit) -> None:
    """Deal as a person until the next round is over; the dice are still the device's."""
    over = pit.state.round + (pit.state.phase is Phase.READY)
    assert pit.state.rulebook is not None
    before_bets = pit.state.rulebook.content.procedure.tumble.order == "before-bets"
    device = pit.venue.device("T1")
    assert device is not None
    while pit.state.round < over or pit.state.phase is not Phase.READY:
        await device.settled()
        phase = pit.state.phase
        if phase is Phase.READY and before_bets:
            await pit.floor.send(pit.stream, DEALER, RecordTumble(3))
        elif phase in BY_HAND:
            # Refused if somebody else was faster, which the next look at the table shows.
            await pit.floor.send(pit.stream, DEALER, BY_HAND[phase])
        else:
            await pit.reaches(Phase.RESULT)


@pytest.mark.parametrize("address", DEMO_TABLES)
@pytest.mark.parametrize(
    "moment",
    [
        *("RoundStarted", "TumbleRecorded", "BetsOpened", "BetsClosed"),
        *("ResultEntered", "ResultConfirmed", "RoundSettled"),
    ],
)
def test_a_person_takes_over_at_any_moment_and_hands_back(
    tmp_path: Path, address: str, moment: str
) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", address) as pit:
            await pit.rounds(1)
            news = news_of(pit.venue, pit.stream)
            async for each in news:
                names = [type(event).__name__ for event in getattr(each, "events", ())]
                if moment in names:
                    break
            news.close()
            await pit.dealers.hand_over("T1", automatic=False, by="dan")
            given = len(pit.orders)
            assert not pit.dealers.automatic("T1")
            await finishes_by_hand(pit)
            await finishes_by_hand(pit)
            assert len(pit.orders) == given, "from the moment of handing over it gives no command"
            await pit.dealers.hand_over("T1", automatic=True)
            await pit.rounds(1)
            assert len(pit.orders) > given
            assert pit.lamp.dealers == ["automatic", "person", "automatic"]

    run(play())


def test_taking_over_ends_the_countdown_and_handing_back_begins_a_whole_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", pace=quick(countdown=60.0)) as pit:
            await pit.reaches(Phase.BETTING)
            await until(lambda: bool(pit.lamp.closes))
            await pit.dealers.hand_over("T1", automatic=False)
            assert pit.lamp.closes[-1:] == [None]
            back_at = pit.venue.clock.now()
            await pit.dealers.hand_over("T1", automatic=True)
            await until(lambda: pit.lamp.closes[-1] is not None)
            shown = pit.lamp.closes[-1]
            assert shown is not None
            assert shown >= back_at + 60_000

    run(play())


def test_whoever_takes_over_waits_for_what_was_given_before(tmp_path: Path) -> None:
    async def play() -> None:
        journal = FailingJournal(await SqliteJournal.open(tmp_path / "journal"))
        async with dealt(journal, pace=quick(pause=0.05)) as pit:
            journal.gate.clear()
            await until(lambda: bool(pit.orders))
            handing = asyncio.ensure_future(pit.dealers.hand_over("T1", automatic=False))
            back = asyncio.ensure_future(pit.dealers.hand_over("T1", automatic=True))
            await asyncio.sleep(0.02)
            assert not handing.done()
            journal.gate.set()
            await handing
            assert pit.state.phase is Phase.BETTING
            await back
            assert pit.dealers.automatic("T1")
            assert pit.lamp.dealers == ["automatic", "person", "automatic"]

    run(play())


def test_handing_over_to_who_deals_already_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal") as pit:
            await pit.dealers.hand_over("T1", automatic=True)
            assert pit.lamp.dealers == ["automatic"]
            with pytest.raises(UnknownStreamError):
                await pit.dealers.hand_over("T9", automatic=True)
            assert not pit.dealers.automatic("T9")

    run(play())


def test_the_pit_is_told_who_deals(tmp_path: Path) -> None:
    async def play() -> list[str]:
        async with dealt(tmp_path / "journal", pace=quick(countdown=60.0)) as pit:
            await pit.dealers.hand_over("T1", automatic=False, by="dan")
            await pit.dealers.hand_over("T1", automatic=True)
            return [notice.text for notice in pit.venue.announcements if notice.code == "dealer"]

    assert run(play()) == [
        "a person deals from now on, as dan asked",
        "the automatic dealer deals from now on",
    ]


# --- whatever happens at the table ----------------------------------------------------------------


@pytest.mark.parametrize("address", DEMO_TABLES)
def test_a_person_may_do_any_step_first(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", address, quick(60.0, 60.0, 60.0)) as pit:
            for _ in range(2):
                await finishes_by_hand(pit)
            # Only the steps due at once were left to the automatic dealer.
            given = {type(order.command) for order in pit.orders}
            assert given <= {ConfirmResult, OpenBets}
            assert pit.state.round == 2

    run(play())


def test_with_notice_the_round_is_finished_and_the_pit_closes_the_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", pace=quick(countdown=0.05)) as pit:
            await pit.reaches(Phase.BETTING)
            await pit.floor.do(pit.stream, SUPERVISOR, GiveNotice())
            await pit.reaches(Phase.READY)
            number, given = pit.state.round, len(pit.orders)
            await pit.floor.do(pit.stream, SUPERVISOR, CloseTable())
            assert (pit.state.round, len(pit.orders)) == (number, given)
            await pit.floor.do(pit.stream, SUPERVISOR, OpenTable())
            await pit.rounds(1)

    run(play())


def test_a_stopped_table_ends_its_game_and_goes_on_when_people_have_seen_to_it(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", "div9/2", quick(countdown=0.2)) as pit:
            await until(lambda: bool(pit.lamp.closes))
            fault = ReportIrregularity("malfunction", "the lid is stuck")
            await pit.floor.do(pit.stream, SUPERVISOR, fault)
            assert pit.state.phase is Phase.BETTING
            await until(lambda: 1 in pit.state.history)
            assert not pit.state.history[1].void
            given = len(pit.orders)
            await asyncio.sleep(0.25)
            assert (pit.state.phase, len(pit.orders)) == (Phase.READY, given)
            await pit.floor.do(pit.stream, SUPERVISOR, Rectify("the lid was freed"))
            await until(lambda: 2 in pit.state.history)

    run(play())


def test_a_round_in_doubt_waits_for_its_second_person(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", pace=quick(result=60.0)) as pit:
            await pit.reaches(Phase.CONFIRMED)
            report = ReportIrregularity("die-not-flat", "it leant on the wall")
            await pit.floor.both(pit.stream, SUPERVISOR, report, PIT)
            await until(lambda: pit.state.round == 2)
            assert pit.state.history[1].void

    run(play())


def test_what_waits_for_its_second_person_is_not_ended_by_the_dealer(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", pace=quick(countdown=0.1)) as pit:
            await pit.reaches(Phase.BETTING)
            enrol = EnrolTerminal("T1-9", "a place")
            asked = await pit.floor.do(pit.stream, TECHNICIAN, enrol)
            await asyncio.sleep(0.15)
            requested = asked.events[-1]
            assert isinstance(requested, ApprovalRequested)
            approval = Approve(requested.pending, asked.last)
            await pit.floor.do(pit.stream, SUPERVISOR, approval)
            assert "T1-9" in pit.state.positions
            await pit.rounds(1)

    run(play())


def test_a_suspended_table_is_dealt_at_again_once_it_is_read_back(tmp_path: Path) -> None:
    async def play() -> None:
        journal = FailingJournal(await SqliteJournal.open(tmp_path / "journal"))
        async with dealt(journal, pace=quick(countdown=0.02)) as pit:
            await pit.rounds(1)
            journal.failures.append(JournalError("the disk is full"))
            await until(lambda: pit.stream in pit.venue.suspended())
            await until(lambda: pit.lamp.closes[-1] is None)
            assert await pit.venue.resume(pit.stream) is None
            await pit.rounds(2)

    run(play())


@pytest.mark.parametrize("code", ["BUSY", "RETRY", "ROUND_UNDER_WAY"])
def test_a_step_that_is_refused_is_tried_again(
    tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", pace=quick(pause=0.05)) as pit:
            submit = pit.venue.submit
            refusals = [refuse("RETRY") if code == "RETRY" else refuse(code, stream="T1")] * 3

            async def refusing(stream: str, order: Order) -> Answer:
                if refusals and order.actor == dealing.DEALER:
                    return refusals.pop()
                return await submit(stream, order)

            monkeypatch.setattr(pit.venue, "submit", refusing)
            await pit.rounds(1)
            assert refusals == []

    run(play())


@pytest.mark.parametrize("address", DEMO_TABLES)
def test_at_a_keyed_table_only_the_dice_are_a_persons(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", address, tumbler="keyed") as pit:
            for number in (1, 2):
                before_bets = open_table(address).before_bets
                if before_bets:
                    await pit.floor.do(pit.stream, DEALER, RecordTumble(3))
                await pit.reaches(Phase.NO_MORE_BETS)
                if not before_bets:
                    await pit.floor.do(pit.stream, DEALER, RecordTumble(3))
                await pit.floor.enter("T1", (1, 2, 3))
                await pit.floor.do(pit.stream, DEALER, ConfirmResult())
                await pit.settles(number)
            kinds = {type(order.command) for order in pit.orders}
            assert kinds == {OpenBets, CloseBets, Settle}

    run(play())


def test_a_reader_that_fails_before_the_bets_stops_the_table_for_people(tmp_path: Path) -> None:
    class Stuck(TrayReader):
        """A tumbler whose lid is stuck until somebody frees it."""

        stuck = True

        async def tumble(self, table: str, round: int, at_least: int) -> Any:
            if self.stuck:
                raise TumblerFault("the lid is stuck")
            return await super().tumble(table, round, at_least)

    async def play() -> None:
        reader = Stuck()
        reader.put(1, 2, 3)
        more = {"tumbler": "reader", "readers": {"T1": reader}}
        async with dealt(tmp_path / "journal", "div9/2", **more) as pit:  # type: ignore[arg-type]
            await until(lambda: pit.state.stopped is not None)
            assert pit.state.round == 0
            reader.stuck = False
            await pit.floor.do(pit.stream, SUPERVISOR, Rectify("the lid was freed"))
            await pit.rounds(1)

    run(play())


def test_a_fault_of_ours_leaves_the_table_to_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal", pace=quick(pause=60.0)) as pit:

            def broken(*_: object, **__: object) -> Step:
                raise AssertionError("a bug")

            monkeypatch.setattr(dealing, "next_step", broken)
            await pit.dealers.hand_over("T1", automatic=False)
            with caplog.at_level(logging.CRITICAL):
                await pit.dealers.hand_over("T1", automatic=True)
                await until(lambda: not pit.dealers.automatic("T1"))
            assert pit.lamp.dealers[-1] == "person"
            assert "has failed" in pit.venue.announcements[-1].text

    run(play())


def test_once_stopped_it_gives_no_more_commands(tmp_path: Path) -> None:
    async def play() -> None:
        async with dealt(tmp_path / "journal") as pit:
            await pit.rounds(2)
            await pit.dealers.stop()
            given, version = len(pit.orders), pit.state.version
            device = pit.venue.device("T1")
            assert device is not None
            await device.settled()
            settled = pit.state.version
            await asyncio.sleep(0.02)
            assert (len(pit.orders), pit.state.version) == (given, settled)
            assert settled - version <= 2, "at most the device's tumble and draw"

    run(play())


def test_after_a_start_rounds_go_on_where_they_were(tmp_path: Path) -> None:
    async def play() -> None:
        venue_keys = keys()
        floor = await Floor.open(tmp_path / "journal", venue_keys)
        await floor.found()
        await floor.add_table("T1", "ts6/2", equipment=Equipment("simulated"))
        for least in (1, 3):
            dealers = Dealers(floor.venue, Lamp(), minimum_seconds=0.0)
            dealers.add("T1", plan("ts6/2", quick()))
            pit = Pit(floor, dealers, Lamp(), [])
            await pit.rounds(least - pit.state.round)
            await dealers.stop()
            await floor.venue.stop()
            floor = await Floor.open(tmp_path / "journal", venue_keys)
            assert floor.venue.table("T1").round >= least
            assert floor.venue.table("T1").phase is Phase.READY
        await floor.venue.stop()

    run(play())


# --- a table that moves to another node ----------------------------------------------------------


def test_no_round_begins_at_a_table_that_is_to_pass_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with dealt(tmp_path / "journal") as pit:
            await pit.rounds(1)
            between: list[int] = []

            def is_leaving(stream: str) -> bool:
                assert stream == pit.stream
                between.append(pit.state.round)
                return True

            pit.venue.is_leaving = is_leaving  # type: ignore[method-assign]
            await until(lambda: len(between) > 5)
            assert pit.state.phase is Phase.READY
            assert len({*between}) == 1
            # No node has taken it: this dealer goes on.
            pit.venue.is_leaving = lambda _: False  # type: ignore[method-assign,assignment]
            await pit.rounds(2)

    run(work())


# --- a chip table is dealt by people --------------------------------------------------------------


def test_a_chip_table_is_never_dealt_by_itself(tmp_path: Path) -> None:
    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        stream = await floor.add_chip_table("T1")
        await floor.do(stream, SUPERVISOR, OpenTable())
        lamp = Lamp()
        dealers = Dealers(floor.venue, lamp, minimum_seconds=0.0)
        # The plan has an automatic dealer, but the table turns out to be a chip table.
        plan = TablePlan(
            name="T1", pay_table="ts6/2", minimum=1_000, maximum=50_000, dealer="automatic"
        )
        dealers.add("T1", plan)
        assert await dealers.hand_over("T1", automatic=True) == refuse("ONLY_AT_TERMINALS")
        assert await dealers.hand_over("T1", automatic=False) is None
        assert (dealers.automatic("T1"), lamp.dealers) == (False, ["person"])
        assert not is_fit(floor.venue.table("T1"))
        await dealers.stop()
        await floor.venue.stop()

    run(work())
