"""Lost connections with a venue that follows a script: what is resumed, resent, and read again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec import structs

from taisai.client import Backoff, ClientError, Live, NotConnected, NotWelcome, connect, unanswered
from taisai.core.kernel.messages import BoxStake
from taisai.core.rules.reason import Reason
from taisai.protocol import private, public
from taisai.protocol.client_messages import Ask, Watch
from taisai.protocol.server_messages import (
    Countdown,
    Private,
    Public,
    Refused,
    ServerMessage,
    Staff,
    Suspended,
    VoucherPrinted,
    Welcome,
)
from tests.client.staged import (
    AT,
    KEY,
    LOOPS,
    WELCOME,
    Caller,
    StagedVenue,
    greeting,
    own_snapshot,
    registered,
    run,
    snapshot,
    staged_venue,
)
from tests.kit.floor import until
from tests.kit.ports import free_port

QUICK = Backoff(first_seconds=0.001, most_seconds=0.01, attempts=5)


@asynccontextmanager
async def seated() -> AsyncIterator[tuple[StagedVenue, Live, Caller]]:
    """Connect as a terminal that gets a snapshot the first time, and nothing after reconnecting."""
    async with (
        staged_venue() as venue,
        connect(venue.address, terminal=KEY, backoff=QUICK) as live,
    ):
        yield venue, live, await venue.caller()


async def watching(live: Live, caller: Caller, sequence: int) -> None:
    """Watch the table, beginning with a snapshot."""
    looking = asyncio.ensure_future(live.watch("T1"))
    await caller.says(Watch)
    caller.tell(snapshot(sequence))
    await looking


def totals(sequence: int, after: int, small: int) -> Public:
    return Public("T1", sequence, after, AT, (), {"totals": {"small": small}})


@pytest.mark.parametrize("loop", LOOPS)
def test_a_bet_whose_answer_was_lost_is_asked_again_with_the_same_id(loop: str) -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            placing = asyncio.ensure_future(live.place({"small": 500}))
            first = await caller.says(Ask)
            caller.cut()
            back = await venue.caller()
            assert back.hello.after == 5
            assert await back.says(Ask) == first
            bets = (BoxStake("small", 500),)
            back.tell(
                Private(
                    "T1",
                    6,
                    5,
                    AT,
                    (private.BetsRegistered(bets),),
                    {"credits": 9_500, "bets": {"small": 500}},
                ),
                registered(first.id, 6),
            )
            assert (await placing).id == first.id
            assert (live.terminal.credits, live.terminal.bets) == (9_500, {"small": 500})
            assert live.link.reconnections == 1

    run(story(), loop)


def test_what_is_asked_while_away_is_asked_on_return() -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            caller.cut()
            await caller.gone()
            await asyncio.sleep(0)
            placing = [asyncio.ensure_future(live.place({"small": 100})) for _ in range(150)]
            back = await venue.caller()
            asked = [await back.says(Ask) for _ in range(150)]
            back.tell(*(registered(each.id) for each in asked))
            assert [(await each).id for each in placing] == [each.id for each in asked]

    run(story())


def test_tables_are_watched_again_from_where_one_was() -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            await watching(live, caller, 10)
            caller.tell(totals(12, 10, 300))
            await live.until(lambda: bool(live.tables["T1"].totals))
            caller.cut()
            back = await venue.caller()
            assert await back.says(Watch) == Watch("T1", 12)
            back.tell(totals(15, 12, 700))
            await live.until(lambda: live.tables["T1"].totals == {"small": 700})

    run(story())


def test_a_gap_in_a_table_is_asked_for_once_and_old_news_is_no_news() -> None:
    async def story() -> None:
        async with seated() as (_, live, caller):
            await watching(live, caller, 10)
            table = live.tables["T1"]
            caller.tell(totals(14, 12, 1), totals(16, 14, 2))
            assert await caller.says(Watch) == Watch("T1", 10)
            assert caller.says_nothing()
            assert table.totals == {}
            caller.tell(totals(12, 10, 3), totals(11, 9, 4), totals(16, 12, 5))
            await live.until(lambda: table.totals == {"small": 5})
            # Caught up: the next gap is asked for again, and a snapshot fills it too.
            caller.tell(totals(30, 29, 6))
            assert await caller.says(Watch) == Watch("T1", 16)
            caller.tell(snapshot(30, totals={"small": 7}), totals(31, 30, 8))
            await live.until(lambda: table.totals == {"small": 8})

    run(story())


def test_what_overlaps_with_what_one_has_comes_next() -> None:
    async def story() -> None:
        async with seated() as (_, live, caller):
            await watching(live, caller, 10)
            caller.tell(totals(12, 4, 9))
            await live.until(lambda: live.tables["T1"].totals == {"small": 9})

    run(story())


def test_a_gap_in_ones_own_channel_is_filled_by_saying_hello_again() -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            caller.tell(Private("T1", 9, 8, AT, (private.LockCleared(),), {"credits": 1}))
            back = await venue.caller()
            assert back.hello.after == 5
            back.tell(own_snapshot(9, 4_000))
            await live.until(lambda: live.terminal.credits == 4_000)

    run(story())


def test_what_staff_are_told_goes_on_with_the_next_thing() -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            live.listen("cage")
            assert await caller.says(Watch) == Watch("cage")
            caller.tell(Staff("cage", 20, 18, AT, ()), Staff("cage", 19, 18, AT, ()))
            caller.cut()
            back = await venue.caller()
            assert await back.says(Watch) == Watch("cage")
            back.tell(Staff("cage", 30, 29, AT, ()), Countdown("T1", 1))
            await live.until(lambda: Countdown("T1", 1) in live._unread)
            told = [each.sequence for each in live._unread if isinstance(each, Staff)]
            assert told == [20, 30]

    run(story())


def test_news_of_a_table_that_is_watched_no_longer_is_no_news() -> None:
    async def story() -> None:
        async with seated() as (_, live, caller):
            await watching(live, caller, 10)
            live.unwatch("T1")
            caller.tell(totals(12, 10, 1), snapshot(13), Countdown("T2", 1))
            await live.until(lambda: Countdown("T2", 1) in live._unread)
            assert not any(isinstance(told, Public) for told in live._unread)
            assert live.tables == {}

    run(story())


def test_it_gives_up_at_last_and_says_so_to_everybody() -> None:
    async def story() -> None:
        async with staged_venue() as venue:
            once: list[ServerMessage] = [WELCOME]
            venue.greet = lambda _: tuple(once[:1]) if once else ()
            quick = Backoff(first_seconds=0.001, most_seconds=0.002, attempts=3)
            async with connect(venue.address, backoff=quick) as live:
                once.clear()
                waiting = asyncio.ensure_future(live.until(lambda: False))
                asking = asyncio.ensure_future(live.deal("T1", automatic=False))
                reading = asyncio.ensure_future(anext(aiter(live.messages())))
                await reading
                for _ in range(4):
                    (await venue.caller()).cut()
                for each in (waiting, asking):
                    with pytest.raises(NotConnected, match="was lost"):
                        await each
                with pytest.raises(NotConnected):
                    await live.ping()
                assert venue.callers.empty()

    run(story())


@pytest.mark.parametrize("code", [4000, 4001, 4002, 4004, 1008])
def test_whoever_is_shown_the_door_does_not_come_back(code: int) -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            waiting = asyncio.ensure_future(live.until(lambda: False))
            await asyncio.sleep(0)
            caller.close(code, "KEY_REPLACED", "your key was replaced")
            with pytest.raises(NotWelcome, match="your key was replaced"):
                await waiting
            assert venue.callers.empty()

    run(story())


@pytest.mark.parametrize("code", [1000, 1001, 1012, 4003])
def test_a_venue_that_stops_or_found_us_slow_is_come_back_to(code: int) -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            venue.greet = lambda _: ()
            caller.close(code, "VENUE_STOPPING", "come back soon")
            stopping = await venue.caller()
            venue.greet = lambda _: (WELCOME, own_snapshot(50, 77))
            stopping.close(1012, "VENUE_STOPPING", "come back soon")
            await live.until(lambda: live.terminal.credits == 77)

    run(story())


def test_a_kind_of_message_that_only_a_newer_venue_knows_is_passed_over() -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            caller.send(
                b'{"type":"Weather","sky":"blue"}\n'
                b'{"type":"Countdown","table":"T1","closes_at":5,"why":"new"}'
            )
            await live.until(lambda: Countdown("T1", 5) in live._unread)
            assert venue.callers.empty()

    run(story())


def test_an_event_that_only_a_newer_venue_knows_is_made_up_for_by_a_snapshot() -> None:
    news = b'"table":"T1","sequence":12,"after":10,"at":1,"events":[{"type":"Eclipse"}]'

    async def story() -> None:
        async with seated() as (venue, live, caller):
            await watching(live, caller, 10)
            caller.send(b'{"type":"Public",' + news + b"}")
            assert await caller.says(Watch) == Watch("T1")
            caller.tell(snapshot(12, "ready"))
            await live.until(lambda: live.tables["T1"].phase == "ready")
            caller.send(b'{"type":"Private",' + news + b"}")
            back = await venue.caller()
            assert back.hello.after is None
            assert live.terminal.credits == 10_000

    run(story())


def test_what_is_not_answered_is_asked_again_on_the_same_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("taisai.client.link.RESEND_SECONDS", 0.01)

    async def story() -> None:
        async with seated() as (_, live, caller):
            placing = asyncio.ensure_future(live.place({"small": 500}))
            first = await caller.says(Ask)
            assert await caller.says(Ask) == first
            caller.tell(registered(first.id))
            assert (await placing).id == first.id

    run(story())


@pytest.mark.parametrize("rubbish", [b"{", b"[]", b'{"type":"Countdown"}', b'"\xff"'])
def test_what_is_not_in_the_protocol_ends_the_connection_and_not_the_client(rubbish: bytes) -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            caller.send(rubbish)
            back = await venue.caller()
            back.tell(Countdown("T1", 1))
            await live.until(lambda: Countdown("T1", 1) in live._unread)

    run(story())


def test_a_message_in_fragments_is_put_together() -> None:
    async def story() -> None:
        async with seated() as (_, live, caller):
            caller.send(b'{"type":"Countdown",', fin=False)
            caller.send(b'"table":"T1",', fin=False, more=True)
            caller.send(b'"closes_at":5}', more=True)
            await live.until(lambda: Countdown("T1", 5) in live._unread)

    run(story())


def test_refused_again_is_asked_again_on_the_new_connection_only_once() -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            placing = asyncio.ensure_future(live.place({"small": 500}))
            ask = await caller.says(Ask)
            no = Refused(ask.id, "BUSY", "busy", Reason("BUSY"), again=True)
            caller.tell(no)
            caller.cut()
            back = await venue.caller()
            assert await back.says(Ask) == ask
            back.tell(registered(ask.id))
            await placing
            await live.link.close()
            assert back.says_nothing()

    run(story())


def test_leaving_while_coming_back() -> None:
    async def story() -> None:
        slow = Backoff(first_seconds=60, most_seconds=60)
        async with staged_venue() as venue:
            async with connect(venue.address, terminal=KEY, backoff=slow) as live:
                (await venue.caller()).cut()
                placing = asyncio.ensure_future(live.place({"small": 100}))
                await until(lambda: not live.link.connected)
            with pytest.raises(NotConnected, match="closed before an answer came"):
                await placing

    run(story())


def test_changes_are_applied_in_order_over_a_reconnection() -> None:
    async def story() -> None:
        async with seated() as (venue, live, caller):
            await watching(live, caller, 10)
            closed = public.BetsClosed("w", False, "5")
            caller.tell(Public("T1", 11, 10, AT, (closed,), {"phase": "no-more-bets"}))
            await live.until(lambda: live.tables["T1"].phase == "no-more-bets")
            caller.cut()
            back = await venue.caller()
            await back.says(Watch)
            entered = public.ResultEntered((1, 2, 3), 6, "call")
            back.tell(Public("T1", 12, 11, AT, (entered,), {"faces": (1, 2, 3)}))
            await live.until(lambda: live.tables["T1"].faces == (1, 2, 3))

    run(story())


def test_whoever_loses_an_address_comes_back_by_another_that_the_venue_told_of() -> None:
    async def story() -> None:
        async with staged_venue() as first, staged_venue() as second:
            told = (first.address, second.address, "ftp://wrong")
            for venue in (first, second):
                venue.greet = lambda hello: tuple(
                    structs.replace(each, gateways=told) if isinstance(each, Welcome) else each
                    for each in greeting(hello)
                )
            async with connect(first.address, terminal=KEY, backoff=QUICK) as live:
                here, there = first, second
                for _ in range(4):
                    (await here.caller()).cut()
                    here, there = there, here
                await here.caller()
                await until(lambda: live.link.reconnections == 4)

    run(story())


def test_of_several_addresses_that_are_given_any_will_do() -> None:
    async def story() -> None:
        nobody = f"http://127.0.0.1:{free_port()}"
        async with (
            staged_venue() as venue,
            connect([nobody, venue.address], terminal=KEY, backoff=QUICK) as live,
        ):
            await venue.caller()
            assert live.link.url.startswith(venue.address.replace("http", "ws"))
        with pytest.raises(NotConnected):
            async with connect([nobody], terminal=KEY, backoff=QUICK):
                pass
        with pytest.raises(ClientError, match="no address"):
            async with connect([], terminal=KEY):
                pass

    run(story())


def test_what_was_put_off_is_asked_at_once_when_its_table_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        async with seated() as (_, live, caller):
            placing = asyncio.ensure_future(live.place({"small": 100}))
            ask = await caller.says(Ask)
            monkeypatch.setattr(unanswered, "AGAIN", Backoff(first_seconds=3_600, attempts=7))
            no = Refused(ask.id, "RETRY", "suspended", Reason("RETRY"), again=True)
            caller.tell(no, VoucherPrinted("T1-1", "1", 100, AT))
            await live.until(lambda: live.voucher is not None)
            monkeypatch.setattr(unanswered, "AGAIN", Backoff(first_seconds=0.001, attempts=7))
            caller.tell(Suspended("T1", suspended=False))
            assert await caller.says(Ask) == ask
            caller.tell(registered(ask.id))
            await placing

    run(story())
