"""Connections that are slow, silent, cut or ended: none misses a message, or gets one too late."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import websockets

from taisai.core.kernel.messages import Order
from taisai.core.rules.reason import refuse
from taisai.core.table.positions import LoseTerminal, TerminalLost, TerminalRestored
from taisai.core.table.round import OpenBets
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import HOST
from taisai.runtime.journal.contract import IdempotencyRecord
from taisai.runtime.streams import table_stream
from taisai.runtime.writer import OnAnswer
from taisai.server.live import admission, sockets
from taisai.server.live import hub as hub_module
from tests.kit.floor import run, until
from tests.kit.news import Published, news_of
from tests.kit.people import DEALER
from tests.kit.servers import Live, Wire, bets, opened
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.server.fuzz.sockets import CLOSE, PING, PONG, Frame, RawSocket, text

T1, STREAM = "T1", table_stream("T1")


async def _table(live: Live) -> TerminalKey:
    await live.floor.add_table(T1, terminals=1)
    return live.key(T1, "T1-1")


def _hello(**more: Any) -> Frame:
    return text(json.dumps({"type": "Hello", "protocol": PROTOCOL, **more}))


async def _deaf(live: Live) -> RawSocket:
    """Connect as a visitor who watches, and then reads nothing more."""
    raw = await RawSocket.dial(live.socket_address)
    await raw.upgrade(live.socket_address)
    raw.send(_hello(), text(json.dumps({"type": "Watch", "table": T1})))
    while not any(b"TableSnapshot" in line for line in raw.lines):
        await raw.receive()
    raw.stop_reading()
    (connection,) = live.application.hub.everybody
    while connection.paused_at is None:
        for second in range(900):
            live.application.hub.countdown(T1, second)
        await asyncio.sleep(0)
    return raw


@pytest.mark.parametrize("says_goodbye", [False, True])
def test_who_never_reads_is_let_go_in_the_end(
    says_goodbye: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SLOW_SECONDS", 0.05)
    monkeypatch.setattr(sockets, "SWEEP_SECONDS", 0.05)

    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            raw = await _deaf(live)
            if says_goodbye:
                raw.send(Frame(CLOSE))
            await until(lambda: len(live.application.hub.everybody) == 0)
            raw.cut()

    run(play())


def test_nothing_is_heard_after_a_connection_has_ended(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            raw = await RawSocket.dial(live.socket_address)
            await raw.upgrade(live.socket_address)
            told = {"table": key.table, "terminal": key.terminal, "key": key.key}
            ask = {"type": "Ask", "to": T1, "command": bets(key.terminal, ("small", 100))}
            raw.send(
                _hello(terminal=told),
                text("no message at all"),
                text(json.dumps({**ask, "id": live.floor.new_id()})),
            )
            await raw.until_end()
            assert raw.closed_with == 4000
            await raw.close()
            assert not live.venue.table(T1).box_totals

    run(play())


def test_pings_are_no_hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HELLO_SECONDS", 0.1)
    monkeypatch.setattr(sockets, "SWEEP_SECONDS", 0.02)

    async def play() -> None:
        async with opened(tmp_path) as live:
            raw = await RawSocket.dial(live.socket_address)
            await raw.upgrade(live.socket_address)
            ending = asyncio.ensure_future(raw.until_end())
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while not ending.done():
                    raw.send(Frame(PING), Frame(PONG))
                    await asyncio.sleep(0.01)
            assert raw.closed_with == 4002
            await raw.close()

    run(play())


class Slowed:
    """A journal that answers slowly for some ids."""

    def __init__(self, live: Live, beginning: str) -> None:
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self._beginning = beginning
        self._answered_among = live.venue.journal.answered_among
        live.venue.journal.answered_among = self.answered_among  # type: ignore[method-assign]

    async def answered_among(
        self, stream: str, asked: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], IdempotencyRecord]:
        if any(id_.startswith(self._beginning) for _, id_ in asked):
            self.asked.set()
            await self.go_on.wait()
        return await self._answered_among(stream, asked)


async def _bets(live: Live, wire: Wire, terminal: str) -> str:
    answer = await wire.ask(T1, live.floor.new_id(), bets(terminal, ("small", 100)))
    return str(answer.get("code", "Registered"))


def test_a_terminal_that_comes_back_while_it_is_being_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 0.01)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
            slowed = Slowed(live, "lost-")
            await slowed.asked.wait()
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
                slowed.go_on.set()
                lost = await wire.until("Private")
                assert lost["events"][0]["type"] == "TerminalLost"
                restored = await wire.until("Private")
                assert restored["events"][0]["type"] == "TerminalRestored"
                assert await _bets(live, wire, key.terminal) == "Registered"

    run(play())


def test_a_terminal_that_was_lost_bets_as_soon_as_it_is_told_how_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 0.01)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            await live.floor.do(STREAM, DEALER, OpenBets())
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
            await until(lambda: not live.venue.table(T1).positions[key.terminal].connected)
            slowed = Slowed(live, "back-")
            async with live.sit(key) as wire:
                await slowed.asked.wait()
                await wire.say({"type": "Ping", "number": 1})
                told = await wire.until("Pong")
                slowed.go_on.set()
                told = await wire.until("TerminalSnapshot")
                assert told["view"]["credits"] == 100_000
                assert await _bets(live, wire, key.terminal) == "Registered"

    run(play())


def test_a_terminal_that_goes_while_it_is_being_restored_is_lost_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 0.01)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
            seat = live.venue.table(T1).positions[key.terminal]
            await until(lambda: not seat.connected)
            await live.venue.committer.settled()
            slowed, news = Slowed(live, "back-"), news_of(live.venue, STREAM)
            async with live.sit(key):
                await slowed.asked.wait()
            await until(lambda: len(live.application.hub.everybody) == 0)
            slowed.go_on.set()
            for expected in (TerminalRestored, TerminalLost):
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    told = await anext(news)
                assert isinstance(told, Published)
                assert isinstance(told.events[0], expected)

    run(play())


def test_a_terminal_that_could_not_be_restored_is_restored_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(sockets, "SWEEP_SECONDS", 0.05)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
            seat = live.venue.table(T1).positions[key.terminal]
            await until(lambda: not seat.connected)
            monkeypatch.setattr("taisai.runtime.writer.INBOX_MAX", -10_000)
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
                assert not seat.connected
                monkeypatch.setattr("taisai.runtime.writer.INBOX_MAX", 10_000)
                await until(lambda: seat.connected)

    run(play())


@pytest.mark.parametrize("comes_back", [False, True])
def test_a_terminal_that_goes_while_its_table_is_suspended_is_lost_once_that_goes_on(
    comes_back: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(admission, "AGAIN_SECONDS", 0.01)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key, venue = await _table(live), live.venue
            tries, submit_then = list[Order](), venue.submit_then

            def note(stream: str, order: Order, on_answer: OnAnswer) -> None:
                tries.extend([order] if isinstance(order.command, LoseTerminal) else [])
                submit_then(stream, order, on_answer)

            monkeypatch.setattr(venue, "submit_then", note)
            async with live.sit(key) as wire:
                await wire.until("TerminalSnapshot")
                venue.writer(STREAM).suspend("the journal was away")
            await until(lambda: len(tries) > 2)
            if comes_back:
                async with live.sit(key) as wire:
                    await wire.until("Suspended", suspended=True)
                    assert await venue.resume(STREAM) is None
                    await wire.until("TerminalSnapshot")
                    channel = live.application.hub.table(T1)
                    assert channel is not None
                    assert channel.seats[key.terminal].leaving is None
                    assert venue.table(T1).positions[key.terminal].connected
            else:
                assert await venue.resume(STREAM) is None
                await until(lambda: not venue.table(T1).positions[key.terminal].connected)

    run(play())


def test_a_terminal_that_goes_while_it_is_being_restored_is_lost_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no seat yet, and its table takes no commands when it goes."""
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(admission, "AGAIN_SECONDS", 0.01)

    async def play() -> None:
        async with opened(tmp_path) as live:
            key, absences = await _table(live), live.application.hub.admission.absences
            await live.floor.do(STREAM, HOST, LoseTerminal(key.terminal))
            order, refused = absences._order, list[str]()

            def busy_at_first(table: str, what: str, command: Any, then: OnAnswer) -> None:
                if isinstance(command, LoseTerminal) and len(refused) < 3:
                    refused.append(what)
                    then(refuse("BUSY", stream=STREAM))
                else:
                    order(table, what, command, then)

            monkeypatch.setattr(absences, "_order", busy_at_first)
            slowed, news = Slowed(live, "back-"), news_of(live.venue, STREAM)
            async with live.sit(key):
                await slowed.asked.wait()
            await until(lambda: len(live.application.hub.everybody) == 0)
            slowed.go_on.set()
            for expected in (TerminalRestored, TerminalLost):
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    told = await anext(news)
                assert isinstance(told, Published)
                assert isinstance(told.events[0], expected)
            assert len(refused) == 3

    run(play())


def test_sockets_come_by_any_address_of_a_venue_that_listens_on_all(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path, host="0.0.0.0") as live:  # noqa: S104 - that is the question
            port = live.address.rstrip("/").rpartition(":")[2]
            for host in ("127.0.0.1", "127.0.0.2"):
                async with websockets.connect(f"ws://{host}:{port}/api/live") as plain:
                    await plain.send(json.dumps({"type": "Hello", "protocol": PROTOCOL}))
                    assert "Welcome" in str(await plain.recv())
            with pytest.raises(websockets.InvalidStatus):
                await websockets.connect(
                    f"ws://127.0.0.2:{port}/api/live", additional_headers={"Host": "elsewhere"}
                )

    run(play())


def test_the_sweep_goes_on_when_one_connection_cannot_be_looked_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sockets, "SWEEP_SECONDS", 0.01)

    async def play() -> None:
        async with opened(tmp_path) as live:
            hub = live.application.hub
            looked: list[object] = []

            def trip(*given: object) -> None:
                looked.append(given)
                raise RuntimeError("for the sake of this test")

            async with live.visit() as wire:
                await wire.until("Welcome")
                monkeypatch.setattr(hub, "_look_after", trip)
                await until(lambda: len(looked) > 1)
            assert "looked after" in caplog.text

    run(play())
