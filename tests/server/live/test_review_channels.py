"""Messages during trouble: a suspension, an absence, a rejection, a flood."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from taisai.core.kernel.messages import Actor, LimitsAsked
from taisai.core.table.betting import BetsRegistered, ClearBets
from taisai.core.table.positions import CashOut
from taisai.core.table.round import BetsOpened, CloseBets, OpenBets
from taisai.core.table.setup import SetLimits
from taisai.projections.table_view import TableProjection
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import Registered
from taisai.runtime.publisher import Announcement, Follower, Publisher
from taisai.runtime.streams import table_stream
from taisai.server.live.connection import Connection
from taisai.server.live.seats import Seat
from tests.kit.floor import run, until
from tests.kit.news import news_of
from tests.kit.people import DEALER, PIT, SUPERVISOR
from tests.kit.servers import Live, Wire, opened
from tests.kit.timeouts import TIMEOUT_SECONDS

T1, STREAM = "T1", table_stream("T1")


async def _table(live: Live) -> TerminalKey:
    await live.floor.add_table(T1, terminals=2)
    return live.key(T1, "T1-1")


async def _watch(wire: Wire, **more: Any) -> dict[str, Any]:
    await wire.say({"type": "Watch", "table": T1, **more})
    return await wire.until("TableSnapshot")


async def _until_pong(wire: Wire) -> list[dict[str, Any]]:
    """Give every message before the answer to a ping."""
    await wire.say({"type": "Ping", "number": 99})
    heard = []
    while (told := await wire.receive())["type"] != "Pong":
        heard.append(told)
    return heard


class _Bets(Follower):
    """A follower that records which terminals' bets came together."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def published_bets(self, stream: str, bets: Sequence[Registered]) -> None:
        """Record a batch of bets."""
        assert stream == STREAM
        placed = [each.events[0] for each in bets]
        self.batches.append([each.terminal for each in placed if isinstance(each, BetsRegistered)])


async def _bet_together(live: Live, **stakes: int) -> None:
    """Place a bet on each box, each from another terminal, all in one batch."""
    laid = [
        live.floor.bet(T1, f"T1-{number}", box, stake)
        for number, (box, stake) in enumerate(stakes.items(), 1)
    ]
    assert all(isinstance(each, Registered) for each in await asyncio.gather(*laid))


def _staff(live: Live, actor: Actor) -> Any:
    """Connect as staff, with a session begun by logging in."""
    begun = live.application.accounts.sessions.begin(
        actor.person, actor.role, "here", live.venue.clock.now()
    )
    assert begun is not None
    return live.visit(session=begun[0])


def _trip(*_: object) -> None:
    raise RuntimeError("for the sake of this test")


def _connection(live: Live, role: str) -> Connection:
    there = live.application.hub.everybody
    return next(each for each in there if isinstance(each.actor, Actor) and each.actor.role == role)


def test_what_the_differential_gives_back_no_longer_lies_there(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            limits = SetLimits(LimitsAsked(100, 1_000_000, 100, differential=500))
            await live.floor.both(STREAM, PIT, limits, SUPERVISOR)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.visit() as wire:
                await _watch(wire)
                await live.floor.bet(T1, "T1-1", "small", 500)
                await live.floor.bet(T1, "T1-2", "big", 1_000)
                await live.floor.do(STREAM, Actor("T1-1", "terminal"), ClearBets("T1-1"))
                boxes, totals = dict[str, int | None](), dict[str, Any]()
                while boxes != {"small": None, "big": 1_000}:
                    totals = await wire.until("Public")
                    boxes |= totals["changes"]["totals"]
                await live.floor.do(STREAM, DEALER, CloseBets(bell=True))
                closed = await wire.until("Public")
                assert closed["events"][0]["type"] == "BetsClosed"
                assert closed["changes"] == {"phase": "no-more-bets", "totals": {"big": 500}}
            async with live.visit() as back:
                await back.say({"type": "Watch", "table": T1, "after": totals["sequence"]})
                assert await back.until("Public") == closed

    run(play())


def test_who_comes_back_hears_what_was_laid_while_nobody_watched(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.visit() as wire:
                mine = (await _watch(wire))["sequence"]
            await until(lambda: not live.application.hub.everybody)
            await live.floor.bet(T1, "T1-1", "big", 700)
            async with live.visit() as wire:
                await wire.say({"type": "Watch", "table": T1, "after": mine})
                told = await wire.until("Public")
                assert told["after"] <= mine < told["sequence"]
                assert told["changes"] == {"totals": {"big": 700}}

    run(play())


def test_who_comes_to_a_suspended_table_is_shown_it_once_when_it_goes_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            live.venue.writer(STREAM).suspend("for the sake of this test")
            async with live.visit() as wire, live.sit(key) as seated:
                await wire.until("Welcome")
                for _ in range(50):
                    await wire.say({"type": "Watch", "table": T1})
                assert {told["type"] for told in await _until_pong(wire)} == {"Suspended"}
                await seated.until("Suspended")
                assert {told["type"] for told in await _until_pong(seated)} == set()
                assert await live.venue.resume(STREAM) is None
                heard = [told["type"] for told in await _until_pong(wire)]
                assert heard.count("TableSnapshot") == 1
                heard = [told["type"] for told in await _until_pong(seated)]
                assert heard.count("TerminalSnapshot") == 1

    run(play())


def test_a_snapshot_is_of_what_is_durable_and_waits_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            writer = live.venue.writer(STREAM)
            durable, going_on, write = (
                writer.head.version,
                asyncio.Event(),
                live.venue.journal.write,
            )

            async def slowly(*given: Any) -> Any:
                await going_on.wait()
                return await write(*given)

            monkeypatch.setattr(live.venue.journal, "write", slowly)
            betting = asyncio.ensure_future(live.floor.bet(T1, key.terminal, "small", 500))
            await until(lambda: writer.head.version > durable)
            async with live.sit(key) as wire:
                own, table = await wire.until("TerminalSnapshot"), await _watch(wire)
                assert (own["sequence"], own["view"]["bets"]) == (durable, {})
                assert (table["sequence"], table["view"]["totals"]) == (durable, {})
                going_on.set()
                await betting
                private = await wire.until("Private")
                assert (private["after"], private["changes"]["bets"]) == (durable, {"small": 500})
                public = await wire.until("Public")
                assert (public["after"], public["changes"]["totals"]) == (durable, {"small": 500})

    run(play())


def test_more_at_once_than_may_wait_ends_with_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
                await _watch(wire)
                monkeypatch.setattr("taisai.server.live.connection.WAITING_MAX", 3)
                for second in range(10):
                    live.application.hub.countdown(T1, 1_000 * second)
                assert (await wire.until("TableSnapshot"))["closes_at"] == 9_000
                await wire.until("TerminalSnapshot")

    run(play())


def test_a_voucher_printed_for_a_slow_terminal_is_shown_when_it_reads_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
                connection = _connection(live, "terminal")
                connection.pause_writing()
                await live.floor.do(STREAM, PIT, CashOut(key.terminal))
                await live.venue.transfers.settled()
                assert connection.behind
                connection.resume_writing()
                snapshot = await wire.until("TerminalSnapshot")
                assert snapshot["view"]["credits"] == 0
                printed = await wire.until("VoucherPrinted")
                assert printed["value"] == 100_000

    run(play())


def test_who_missed_something_hears_nothing_before_the_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
                await _watch(wire)
                connection = _connection(live, "terminal")
                connection.pause_writing()
                await live.floor.bet(T1, key.terminal, "small", 100)
                assert connection.behind
                # The next commit is held up, and the snapshot already contains its event.
                going_on, write = asyncio.Event(), live.venue.journal.write

                async def slowly(*given: Any) -> Any:
                    await going_on.wait()
                    return await write(*given)

                monkeypatch.setattr(live.venue.journal, "write", slowly)
                before = live.venue.writer(STREAM).head.version
                closing = asyncio.ensure_future(live.floor.do(STREAM, DEALER, CloseBets(bell=True)))
                await until(lambda: live.venue.writer(STREAM).head.version > before)
                connection.resume_writing()
                going_on.set()
                await closing
                kinds = {(await wire.receive())["type"] for _ in range(2)}
                assert kinds == {"TableSnapshot", "TerminalSnapshot"}

    run(play())


def test_as_many_tables_as_may_be_are_watched_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisai.server.live.admission.WATCHED_MAX", 1)

    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            async with live.visit() as wire:
                await _watch(wire)
                await _watch(wire)

    run(play())


def test_who_trips_over_news_keeps_it_from_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            hub = live.application.hub
            for channel in hub.channels.values():
                monkeypatch.setattr(channel, "published", _trip)
            monkeypatch.setattr(hub, "announced", _trip)
            news = news_of(live.venue, STREAM)
            await live.floor.do(STREAM, PIT, CashOut(key.terminal))
            await live.venue.transfers.settled()
            # The money was carried, although the hub could not publish it.
            assert sum(each.value for each in live.venue.cage.outstanding.values()) == 100_000
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await anext(news)
            live.venue.writer(STREAM).suspend("for the sake of this test")
            assert await live.venue.resume(STREAM) is None

    run(play())


def test_a_bet_that_cannot_be_shown_keeps_the_others_from_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    show: Any = Seat.show

    def shown(seat: Seat, *given: Any) -> Any:
        return _trip() if seat.terminal == "T1-1" else show(seat, *given)

    async def play() -> None:
        async with opened(tmp_path) as live:
            keys = await _table(live), live.key(T1, "T1-2")
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with (
                live.sit(keys[0]) as one,
                live.sit(keys[1]) as two,
                live.visit() as visitor,
                _staff(live, DEALER) as console,
            ):
                await one.until("TerminalSnapshot")
                await two.until("TerminalSnapshot")
                await _watch(visitor)
                await _watch(console)
                await console.until("Exposure", staked=0)
                live.venue.publisher.followers.append(later := _Bets())
                monkeypatch.setattr(Seat, "show", shown)
                await _bet_together(live, small=500, big=700)
                assert later.batches == [["T1-1", "T1-2"]]
                assert (await two.until("Private"))["changes"]["bets"] == {"big": 700}
                totals = (await visitor.until("Public"))["changes"]["totals"]
                assert totals == {"small": 500, "big": 700}
                await console.until("Exposure", staked=1_200)
                assert "Private" not in {told["type"] for told in await _until_pong(one)}

    run(play())
    assert "could not be passed on" in caplog.text


@pytest.mark.parametrize("broken", ["tick", "console"])
def test_totals_that_cannot_be_sent_hold_up_no_later_follower(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(key) as wire, _staff(live, DEALER) as console:
                await wire.until("TerminalSnapshot")
                await _watch(console)
                channel = live.application.hub.table(T1)
                assert channel is not None
                live.venue.publisher.followers.append(later := _Bets())
                if broken == "tick":
                    monkeypatch.setattr(channel, "_begin_tick", _trip)
                else:
                    monkeypatch.setattr(channel.console, "stakes_changed", _trip)
                await _bet_together(live, small=500, big=700)
                assert later.batches == [["T1-1", "T1-2"]]
                assert (await wire.until("Private"))["changes"]["bets"] == {"small": 500}

    run(play())


def test_bets_of_a_table_that_is_followed_cost_nothing_until_somebody_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded: list[Any] = []
    fold = TableProjection.bets_registered

    def folding(table: TableProjection, bet: BetsRegistered) -> None:
        folded.append((bet.terminal, bet.bets[0].stake))
        fold(table, bet)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            # As if another node decided for the table.
            followed = {STREAM}
            monkeypatch.setattr(live.venue, "is_followed", lambda stream: stream in followed)
            monkeypatch.setattr(TableProjection, "bets_registered", folding)
            await _bet_together(live, small=500, big=700)
            await live.floor.bet(T1, key.terminal, "small", 100)
            channel = live.application.hub.table(T1)
            assert channel is not None
            version = live.venue.writer(STREAM).head.version
            assert (folded, channel.version) == ([], version)
            async with live.visit() as visitor:
                snapshot = await _watch(visitor)
                assert snapshot["sequence"] == version
                assert snapshot["view"]["totals"] == {"small": 600, "big": 700}
                # From now on each bet is shown.
                await live.floor.bet(T1, key.terminal, "small", 200)
                told = await visitor.until("Public")
                assert (told["after"], told["sequence"]) == (version, version + 1)
                assert told["changes"] == {"totals": {"small": 800}}
                assert folded == [(key.terminal, 200)]
            await until(lambda: not channel.is_watched)
            await live.floor.bet(T1, key.terminal, "small", 300)
            assert folded == [(key.terminal, 200)]
            # This node takes the table over: the next bet is in the state that it begins with.
            followed.clear()
            await live.floor.bet(T1, key.terminal, "small", 100)
            assert channel.totals == {"small": 1_200, "big": 700}
            followed.add(STREAM)
            await live.floor.bet(T1, key.terminal, "small", 100)
            async with live.sit(key) as wire:
                assert (await wire.until("TerminalSnapshot"))["view"]["bets"] == {"small": 1_300}
            assert folded == [(key.terminal, 200)]

    run(play())


def test_a_publisher_tells_the_others(caplog: pytest.LogCaptureFixture) -> None:
    class Hearer(Follower):
        def __init__(self, *, trips: bool) -> None:
            self.trips = trips
            self.heard = 0

        def published(self, *_: object) -> None:
            self.heard += 1
            if self.trips:
                raise RuntimeError("for the sake of this test")

        def announced(self, _: object) -> None:
            self.published()

    publisher = Publisher()
    one, two = Hearer(trips=True), Hearer(trips=False)
    publisher.followers += [one, two]
    publisher.publish(STREAM, [Registered(1, 1, 0, (BetsOpened(None, "3.2", "dan"),))])
    publisher.announce(Announcement(0, STREAM, "dealer", "somebody else deals"))
    assert (one.heard, two.heard) == (2, 2)
    assert "could not be passed on" in caplog.text
