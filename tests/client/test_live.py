"""The client with a venue that follows a script: connecting, asking, watching, and its views."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

import taisai
from taisai.client import (
    ClientError,
    Live,
    Missed,
    NotAllowed,
    NotAnswered,
    NotConnected,
    NotReceived,
    NotWelcome,
    connect,
)
from taisai.client.unanswered import AGAIN
from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.messages import BoxStake
from taisai.core.rules.reason import Reason
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.positions import CashOut, SetOwnLimits
from taisai.core.table.setup import Rectify
from taisai.protocol import private, public
from taisai.protocol.client_messages import Ask, Deal, Grant, Hello, Ping, Unwatch, Watch
from taisai.protocol.server_messages import (
    Countdown,
    Dealer,
    Done,
    Fault,
    Pong,
    Private,
    Public,
    Refused,
    Suspended,
    VoucherPrinted,
)
from taisai.protocol.views import Line, RoundOutcome, RoundSummary, RulebookName
from tests.client.staged import (
    AT,
    KEY,
    LOOPS,
    Caller,
    StagedVenue,
    registered,
    run,
    snapshot,
    staged_venue,
)

BUSY = Reason("BUSY", {"stream": "table:T1"})


@asynccontextmanager
async def seated() -> AsyncIterator[tuple[Live, Caller]]:
    """Connect as a terminal with 100.00 of credits."""
    async with staged_venue() as venue, connect(venue.address, terminal=KEY) as live:
        yield live, await venue.caller()


@pytest.mark.parametrize("loop", LOOPS)
def test_a_terminal_connects_and_its_bet_is_registered(loop: str) -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            assert caller.hello == Hello(1, KEY, client=f"taisai {taisai.__version__}")
            placing = asyncio.ensure_future(live.place({"small": 500}))
            ask = await caller.says(Ask)
            assert ask.to == "T1"
            assert ask.command == PlaceBets("T1-1", (BoxStake("small", 500),))
            caller.tell(registered(ask.id))
            assert (await placing).id == ask.id

    run(story(), loop)


def test_ids_begin_with_the_time_of_the_venue_and_none_is_like_another() -> None:
    async def story() -> None:
        async with seated() as (live, _):
            made = [live.new_id() for _ in range(100)]
            assert len(set(made)) == 100
            times = [int(each.partition("-")[0]) for each in made]
            assert all(AT <= time < AT + 30_000 for time in times)

    run(story())


def test_everything_a_terminal_asks_for_is_written_as_the_protocol_has_it() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            stakes = (BoxStake("big", 100),)
            for asking, to, command in (
                (live.withdraw(stakes), "T1", WithdrawBets("T1-1", stakes)),
                (live.clear(), "T1", ClearBets("T1-1")),
                (live.cash_out(), "T1", CashOut("T1-1")),
                (live.take_voucher("1"), "cage", TakeVoucher("1", "T1", "T1-1")),
                (live.ask("T1", SetOwnLimits("T1-1", 5)), "T1", SetOwnLimits("T1-1", 5)),
            ):
                answer = asyncio.ensure_future(asking)
                ask = await caller.says(Ask)
                assert (ask.to, ask.command) == (to, command)
                caller.tell(registered(ask.id))
                await answer

    run(story())


def test_staff_grant_deal_and_ping() -> None:
    async def story() -> None:
        async with staged_venue() as venue, connect(venue.address, session="token") as live:
            caller = await venue.caller()
            assert caller.hello.session == "token"
            granting = asyncio.ensure_future(live.grant("T1", "hash", 12, "1234"))
            grant = await caller.says(Grant)
            assert (grant.pending, grant.version, grant.pin) == ("hash", 12, "1234")
            refused = Refused(grant.id, "SAME_PERSON", "no", Reason("SAME_PERSON"))
            caller.tell(refused)
            assert await granting == refused
            dealing = asyncio.ensure_future(live.deal("T1", automatic=True))
            deal = await caller.says(Deal)
            caller.tell(Done(deal.id))
            assert await dealing == Done(deal.id)
            pinging = asyncio.ensure_future(live.ping())
            ping = await caller.says(Ping)
            caller.tell(Pong(ping.number, AT + 60_000))
            assert (await pinging).at == AT + 60_000
            assert live.link.venue_time() >= AT + 60_000

    run(story())


def test_a_refusal_that_says_again_is_obeyed_with_the_same_id() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            placing = asyncio.ensure_future(live.place({"small": 500}))
            first = await caller.says(Ask)
            caller.tell(Refused(first.id, "BUSY", "busy", BUSY, again=True))
            assert await caller.says(Ask) == first
            caller.tell(registered(first.id))
            assert (await placing).id == first.id

    run(story())


def test_a_refusal_that_says_again_is_told_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.client.unanswered.AGAIN", replace(AGAIN, first_seconds=0.001))

    async def story() -> None:
        async with seated() as (live, caller):
            placing = asyncio.ensure_future(live.place({"small": 500}))
            for _ in range(AGAIN.attempts + 1):
                ask = await caller.says(Ask)
                caller.tell(Refused(ask.id, "BUSY", "busy", BUSY, again=True))
            answer = await placing
            assert isinstance(answer, Refused)
            assert answer.again

    run(story())


def test_an_answer_that_does_not_come_is_told_with_its_id_and_can_be_asked_for_again() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            command = ClearBets("T1-1")
            with pytest.raises(NotAnswered, match="ask again with the same id") as caught:
                await live.ask("T1", command, seconds=0.01)
            first = await caller.says(Ask)
            assert caught.value.id == first.id
            asking = asyncio.ensure_future(live.ask("T1", command, id=caught.value.id))
            assert await caller.says(Ask) == first
            caller.tell(registered(first.id))
            assert (await asking).id == first.id

    run(story())


def test_an_id_that_is_being_asked_with_is_not_used_twice() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            asking = asyncio.ensure_future(live.ask("T1", ClearBets("T1-1"), id="1-a"))
            ask = await caller.says(Ask)
            with pytest.raises(ClientError, match="being asked already"):
                await live.ask("T1", ClearBets("T1-1"), id="1-a")
            caller.tell(registered(ask.id))
            await asking

    run(story())


def test_a_view_follows_the_table() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            watching = asyncio.ensure_future(live.watch("T1"))
            assert await caller.says(Watch) == Watch("T1")
            caller.tell(snapshot(10, "ready", totals={}))
            table = await watching
            assert not table.taking_bets
            opened = public.BetsOpened("w", "5")
            caller.tell(
                Public("T1", 12, 10, AT, (opened,), {"phase": "betting", "round": 8}),
                Countdown("T1", AT + 20_000),
                Public("T1", 14, 12, AT, (), {"totals": {"small": 500, "big": 100}}),
                Public("T1", 15, 14, AT, (), {"totals": {"big": None}}),
                Dealer("T1", "automatic"),
                Suspended("T1", True),
            )
            await live.until(lambda: table.suspended)
            assert (table.round, table.phase, table.totals) == (8, "betting", {"small": 500})
            assert (table.closes_at, table.dealer) == (AT + 20_000, "automatic")
            shown = RoundSummary(8, (1, 2, 4), total=7, size="small", parity="odd")
            ended = {"phase": "ready", "totals": None, "rounds": {8: shown}}
            settled = public.RoundSettled(8, (1, 2, 4), {"small": "1"}, 7, "small", "odd")
            caller.tell(Public("T1", 20, 15, AT, (settled,), ended), Suspended("T1", False))
            await live.until(lambda: not table.suspended)
            assert (table.phase, table.totals, table.rounds) == ("ready", {}, {8: shown})
            assert table.last_round == shown
            again, third = (
                RoundSummary(8, (5, 6, 6), False, 17, "big", "odd"),
                RoundSummary(9, None),
            )
            changes = {"rounds": {8: again, 9: third}}
            caller.tell(Public("T1", 21, 20, AT, (), changes), Suspended("T1", True))
            await live.until(lambda: table.suspended)
            assert (table.rounds, table.last_round) == ({8: again, 9: third}, third)
            caller.tell(Public("T1", 22, 21, AT, (), {"rounds": {8: None}}), Suspended("T1", False))
            await live.until(lambda: not table.suspended)
            assert table.rounds == {9: third}
            live.unwatch("T1")
            assert await caller.says(Unwatch) == Unwatch("T1")

    run(story())


def test_what_a_newer_venue_announces_is_looked_up_in_a_new_snapshot() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            watching = asyncio.ensure_future(live.watch("T1"))
            await caller.says(Watch)
            caller.tell(snapshot(10))
            table = await watching
            news = b'"table":"T1","sequence":11,"after":10,"at":1,"events":[{"type":"Unheard"}]'
            caller.send(b'{"type":"Public",' + news + b"}")
            assert await caller.says(Watch) == Watch("T1")
            name = RulebookName("k", "a title", None, "sha", "k/2")
            caller.tell(snapshot(11, rulebook=name))
            await live.until(lambda: table.rulebook == name)

    run(story())


def test_the_terminal_follows_its_own_channel() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            seat = live.terminal
            bets = (BoxStake("small", 500), BoxStake("big", 200))
            first = {"credits": 9_300, "staked": 700, "bets": {"small": 500, "big": 200}}
            second = {"credits": 9_500, "staked": 500, "bets": {"big": None}}
            caller.tell(
                Private("T1", 6, 5, AT, (private.BetsRegistered(bets),), first),
                Private("T1", 7, 6, AT, (private.BetsWithdrawn(bets[1:]),), second),
            )
            await live.until(lambda: seat.credits == 9_500)
            assert (seat.bets, seat.staked) == ({"small": 500}, 500)
            line = Line("small", 500, 500, 1_000, "1", "4.1.1")
            last = RoundOutcome(8, (line,), 1_000, 500, (1, 2, 4))
            settled = private.RoundSettled(8)
            third = {"credits": 10_500, "staked": 0, "bets": None, "last": last}
            caller.tell(Private("T1", 9, 7, AT, (settled,), third))
            await live.until(lambda: seat.credits == 10_500)
            assert (seat.bets, seat.staked, seat.last) == ({}, 0, last)
            caller.tell(VoucherPrinted("t", "1" * 18, 10_500, AT))
            await live.until(lambda: live.voucher is not None)

    run(story())


def test_messages_come_in_order_and_the_oldest_make_room() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            live.messages_max = 4
            for number in range(10):
                caller.tell(Countdown("T1", number))
            await live.until(lambda: Countdown("T1", 9) in live._unread)
            messages = live.messages()
            assert await anext(messages) == Missed(8)
            assert [await anext(messages) for _ in range(4)] == [
                Countdown("T1", number) for number in (6, 7, 8, 9)
            ]
            caller.tell(Countdown("T1", 10))
            assert await anext(messages) == Countdown("T1", 10)

    run(story())


def test_what_a_client_cannot_do_is_said_in_a_sentence() -> None:
    async def story() -> None:
        async with staged_venue() as venue, connect(venue.address) as live:
            caller = await venue.caller()
            with pytest.raises(ClientError, match=r"no table 'T9' .* there are: T1, T2"):
                await live.watch("T9")
            with pytest.raises(ClientError, match="only a terminal"):
                await live.place({"small": 100})
            with pytest.raises(ClientError, match="too long"):
                await live.ask("T1", Rectify("x" * 70_000))
            with pytest.raises(NotReceived, match=r"within 0\.01 seconds"):
                await live.until(lambda: False, 0.01)
            watching = asyncio.ensure_future(live.watch("T2"))
            await caller.says(Watch)
            caller.tell(Fault("NOT_YOURS", "not this table"))
            with pytest.raises(NotAllowed, match="not this table"):
                await watching

    run(story())


def test_a_condition_that_fails_fails_where_it_was_given() -> None:
    async def story() -> None:
        async with seated() as (live, caller):
            waiting = asyncio.ensure_future(live.until(lambda: bool(live.tables) and 1 // 0 > 0))
            await asyncio.sleep(0)
            live.link.watch("T1")
            caller.tell(snapshot(1))
            with pytest.raises(ZeroDivisionError):
                await waiting

    run(story())


@pytest.mark.parametrize("loop", LOOPS)
def test_nobody_at_the_address(loop: str) -> None:
    async def story() -> None:
        async with staged_venue() as venue:
            address = venue.address
        with pytest.raises(NotConnected, match="cannot connect to ws://127"):
            async with connect(address):
                pass
        with pytest.raises(ClientError, match="no address of a venue"):
            async with connect("127.0.0.1:8888"):
                pass

    run(story(), loop)


def test_no_socket_at_that_path() -> None:
    async def story() -> None:
        async with staged_venue() as venue:
            with pytest.raises(NotConnected, match="cannot connect"):
                async with connect(f"{venue.address}/elsewhere"):
                    pass

    run(story())


def test_whoever_is_not_welcome_is_told_why() -> None:
    async def story() -> None:
        async with staged_venue() as venue:
            venue.greet = lambda _: ()

            async def close_the_door() -> None:
                (await venue.caller()).close(4002, "NOT_LET_IN", "that is not its key")

            closing = asyncio.ensure_future(close_the_door())
            with pytest.raises(NotWelcome, match="that is not its key") as caught:
                async with connect(venue.address, terminal=KEY):
                    pass
            assert caught.value.code == "NOT_LET_IN"
            await closing

    run(story())


def test_a_venue_that_closes_before_welcome() -> None:
    async def story() -> None:
        async with staged_venue() as venue:
            venue.greet = lambda _: ()

            async def cut() -> None:
                (await venue.caller()).cut()

            cutting = asyncio.ensure_future(cut())
            with pytest.raises(NotConnected, match="was lost"):
                async with connect(venue.address, terminal=KEY):
                    pass
            await cutting

    run(story())


def test_keys_and_sessions_are_in_no_repr() -> None:
    async def story(venue: StagedVenue) -> None:
        async with connect(venue.address, terminal=KEY) as live:
            assert KEY.key not in f"{live!r} {live.link!r} {live._key!r} {vars(live)!r}"

    async def staged() -> None:
        async with staged_venue() as venue:
            await story(venue)

    run(staged())
