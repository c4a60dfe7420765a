"""The bare reference server: picows on uvloop, the same durable append and answer, and no game."""

import asyncio
import time
from pathlib import Path
from typing import Any

import msgspec
from bench.durable_bets import BareJournal
from bench.live.children import answer_lines, run_child, used
from bench.live.generator import BROADCAST
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

from taisai.core.kernel.messages import Actor, Order
from taisai.core.table.betting import PlaceBets
from taisai.protocol.client_messages import Ask
from taisai.protocol.server_messages import Registered
from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import prepare

BROADCAST_BYTES = 500
READ_BUFFER = 1_024

_TEXT = WSMsgType.TEXT
_decode = msgspec.json.Decoder(Ask).decode
_encode = msgspec.json.Encoder().encode


class BareConnection(WSListener):
    """A connection: it reads a bet from the socket, makes it durable, and answers."""

    __slots__ = ("_journal", "_others")

    def __init__(self, journal: BareJournal, others: set[WSTransport]) -> None:
        self._journal = journal
        self._others = others

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Join the others."""
        self._others.add(transport)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Leave the others."""
        self._others.discard(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Make a bet durable; for broadcasts nothing is received."""
        if frame.msg_type is not _TEXT:
            return
        ask = _decode(frame.get_payload_as_bytes())
        command = ask.command
        assert isinstance(command, PlaceBets)
        order = Order(ask.id, Actor(command.terminal, "terminal"), command)

        def tell(_: None) -> None:
            answer = Registered(ask.id, ask.to, 1, 1, 1_760_000_000_000)
            transport.send(_TEXT, _encode(answer))

        self._journal.add(order, tell)


async def main(arguments: list[str]) -> None:
    """Serve bets and broadcasts until the bench hangs up."""
    journal, connected = BareJournal(Path(arguments[0])), set[WSTransport]()

    def connection(_: WSUpgradeRequest) -> BareConnection:
        return BareConnection(journal, connected)

    server = await ws_create_server(
        connection, "127.0.0.1", 0, backlog=1_024, read_buffer_init_size=READ_BUFFER
    )
    port = server.sockets[0].getsockname()[1]
    prepare()
    # As in a venue, although this process has too few objects to profit from it.
    beside = asyncio.create_task(look_after_memory())

    async def address() -> dict[str, Any]:
        return {"address": f"ws://127.0.0.1:{port}/"}

    async def broadcast() -> dict[str, Any]:
        message = BROADCAST.encode().ljust(BROADCAST_BYTES, b".")
        began = time.perf_counter()
        for transport in connected:
            transport.send(_TEXT, message)
        return {"began": began}

    async def usage() -> dict[str, Any]:
        return used(journal.batches)

    await answer_lines({"address": address, "broadcast": broadcast, "usage": usage})
    beside.cancel()
    server.close()
    journal.close()


if __name__ == "__main__":
    run_child(main)
