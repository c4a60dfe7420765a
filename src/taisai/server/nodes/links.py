"""Links between nodes: commands go to the owner of their stream, and answers come back.

Each node connects to every other, and asks over the line that it made. What is said is put on a
lane; each message of it carries a code by a key of the venue, over its place in the order, so that
nobody else can say anything. A line that is lost is made again; whoever waited for an answer over
it is told to ask again, with the same id.
"""

import asyncio
import hmac
import logging
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from taisai.core.kernel.messages import Instant, Order
from taisai.core.rules.reason import refuse
from taisai.runtime.answers import Answer, Registered, read_refusal, write_refusal
from taisai.runtime.keys.files import derived
from taisai.runtime.node import NodeRuntime
from taisai.runtime.streams import kind_of
from taisai.runtime.writer import OnAnswer
from taisai.server.lanes.lane import Entry, Lane
from taisai.server.lanes.transport import Receiver, Transport
from taisai.server.lanes.unix import UnixTransport

#: A command for a stream, the answer to one, that something was written, when bets will be closed.
ORDER, ANSWER, STIRRED, CLOSES = range(1, 5)
#: A line that is lost is made again after so long; so often it is looked who waits in vain.
AGAIN_SECONDS = 0.2
_LINK_DOMAIN = b"taisai link\0"
_NONCE_BYTES = 32
_MAC_BYTES = 32

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_pack = msgspec.msgpack.Encoder().encode
_read_order = msgspec.msgpack.Decoder(tuple[str, bytes]).decode
_decode_order: Callable[[bytes], Order] = msgspec.json.Decoder(Order).decode
_read_answer = msgspec.msgpack.Decoder(tuple[bytes, int, int, Instant, list[bytes]]).decode
_read_closes = msgspec.msgpack.Decoder(tuple[str, Instant | None]).decode


class Authentic(Receiver, Transport):
    """Carries messages of which each is known to be by somebody with the key of the venue."""

    lossy = False

    def __init__(self, key: bytes, lane: Receiver, *, made_here: bool) -> None:
        self._key = key
        self._lane = lane
        self._made_here = made_here
        self._nonce = secrets.token_bytes(_NONCE_BYTES)
        self._session: bytes | None = None
        self._under: Transport | None = None
        self._sent = self._received = 0

    def connected(self, transport: Transport) -> None:
        """Say what nobody can have heard before."""
        self._under = transport
        transport.send(self._nonce)

    def received(self, message: bytes) -> None:
        """Take a message, if whoever sent it has the key; otherwise nothing more."""
        if self._session is None:
            nonces = (self._nonce, message) if self._made_here else (message, self._nonce)
            self._session = hmac.digest(self._key, _LINK_DOMAIN + b"".join(nonces), "sha256")
            self._lane.connected(self)
            return
        mac, said = message[:_MAC_BYTES], message[_MAC_BYTES:]
        self._received += 1
        if not hmac.compare_digest(
            mac, self._mac(said, self._received, made_here=not self._made_here)
        ):
            _log.error("a line of another node says what nobody with the venue's key has said")
            self.close()
            return
        self._lane.received(said)

    def lost(self) -> None:
        """Take it that nothing more will come."""
        self._lane.lost()

    def send(self, message: bytes) -> None:
        """Send one message with its code."""
        if self._under is not None:
            self._sent += 1
            mac = self._mac(message, self._sent, made_here=self._made_here)
            self._under.send(mac + message)

    def close(self) -> None:
        """Hang up."""
        if self._under is not None:
            self._under.close()

    def _mac(self, message: bytes, number: int, *, made_here: bool) -> bytes:
        assert self._session is not None, "nothing is sent before both have said hello"
        return hmac.digest(self._session, b"%d %d " % (made_here, number) + message, "sha256")


class Link:
    """The line that this node has made to another, and whoever waits for an answer over it."""

    def __init__(self, lost: asyncio.Event) -> None:
        self.lane = Lane(self._take, self._lost)
        self._ended = lost
        self._number = 0
        #: Whoever waits, by number: the stream that was asked, and whom to tell.
        self.waiting: dict[int, tuple[str, OnAnswer]] = {}

    def order(self, stream: str, order: Order, on_answer: OnAnswer) -> None:
        """Ask the owner of a stream."""
        if self.lane.broken or self.lane.full:
            on_answer(refuse("BUSY", stream=stream))
            return
        self._number += 1
        self.waiting[self._number] = stream, on_answer
        self.lane.put(ORDER, self._number, _pack((stream, _encode(order))))

    def give_up(self, numbers: list[int]) -> None:
        """Have those ask again who wait for somebody who has the stream no more."""
        for number in numbers:
            _, on_answer = self.waiting.pop(number)
            on_answer(refuse("RETRY"))

    def _take(self, entries: list[Entry]) -> None:
        for kind, number, data in entries:
            if kind == ANSWER and number in self.waiting:
                stream, on_answer = self.waiting.pop(number)
                on_answer(_answer(stream, data))

    def _lost(self, _: str) -> None:
        self._ended.set()
        self.give_up([*self.waiting])


def _answer(stream: str, data: bytes) -> Answer:
    refusal, first, last, at, events = _read_answer(data)
    if refusal:
        return read_refusal(refusal)
    kind = kind_of(stream)
    return Registered(first, last, at, tuple(kind.decode(event) for event in events))


def _write_answer(answer: Answer) -> bytes:
    if isinstance(answer, Registered):
        events = [_encode(event) for event in answer.events]
        return _pack((b"", answer.first, answer.last, answer.at, events))
    return _pack((write_refusal(answer), 0, 0, 0, []))


class Links:
    """All lines of a node, to the others and from them."""

    def __init__(
        self, node: NodeRuntime, sealing: bytes, peers: Mapping[str, tuple[str, int]]
    ) -> None:
        self._node = node
        self._key = derived(sealing, _LINK_DOMAIN)
        self._peers = {name: at for name, at in peers.items() if name != node.name}
        self._links: dict[str, Link] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._server: asyncio.Server | None = None
        self._lines: set[Any] = set()
        #: Told when the bets of a table of another node will be closed.
        self.on_closes: Callable[[str, Instant | None], None] = lambda _, __: None
        node.forward = self.forward
        node.stirred = partial(self.say, STIRRED, b"")

    async def start(self, host: str, port: int) -> None:
        """Listen for the others, and connect to each."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, host, port)
        self._tasks = [loop.create_task(self._keep(name)) for name in self._peers]
        self._tasks.append(loop.create_task(self._look_after()))

    async def stop(self) -> None:
        """Hang up everywhere."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            self._server.close()
        for lane in [*self._lines, *(link.lane for link in self._links.values())]:
            lane.close()

    def reached(self) -> list[str]:
        """Name the nodes that there is a line to."""
        return [name for name, link in self._links.items() if not link.lane.broken]

    def forward(self, node: str, stream: str, order: Order, on_answer: OnAnswer) -> None:
        """Give a command to the owner of its stream."""
        link = self._links.get(node)
        if link is None:
            on_answer(refuse("TABLE_SUSPENDED", stream=stream))
        else:
            link.order(stream, order, on_answer)

    def say(self, kind: int, data: bytes) -> None:
        """Tell every other node something."""
        for link in self._links.values():
            if not link.lane.broken:
                link.lane.put(kind, 0, data)

    def say_closes(self, table: str, closes_at: Instant | None) -> None:
        """Tell the others when the bets of a table will be closed."""
        self.say(CLOSES, _pack((table, closes_at)))

    async def _keep(self, name: str) -> None:
        """Have a line to another node, whenever that is there."""
        loop = asyncio.get_running_loop()
        while True:
            lost = asyncio.Event()
            link = Link(lost)
            authentic = Authentic(self._key, link.lane, made_here=True)
            with suppress(OSError):
                await loop.create_connection(partial(UnixTransport, authentic), *self._peers[name])
                self._links[name] = link
                await lost.wait()
                del self._links[name]
            await asyncio.sleep(AGAIN_SECONDS)

    async def _look_after(self) -> None:
        """Have those ask again who wait for a node that has their stream no more."""
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            for name, link in self._links.items():
                waits = link.waiting.items()
                link.give_up(
                    [at for at, (stream, _) in waits if self._node.owner_of(stream) != name]
                )

    def _accept(self) -> UnixTransport:
        """Take a line that another node has made."""
        lane = Lane(lambda entries: self._take(lane, entries), lambda _: self._gone(lane))
        self._lines.add(lane)
        return UnixTransport(Authentic(self._key, lane, made_here=False))

    def _gone(self, lane: Lane) -> None:
        self._lines.discard(lane)

    def _take(self, lane: Lane, entries: list[Entry]) -> None:
        for kind, number, data in entries:
            if kind == ORDER:
                self._order(lane, number, *_read_order(data))
            elif kind == STIRRED:
                self._node.look()
            elif kind == CLOSES:
                self.on_closes(*_read_closes(data))

    def _order(self, lane: Lane, number: int, stream: str, data: bytes) -> None:
        def answer(answered: Answer) -> None:
            if not lane.broken:
                lane.put(ANSWER, number, _write_answer(answered))

        if self._node.owns(stream):
            self._node.submit_then(stream, _decode_order(data), answer)
        else:
            answer(refuse("TABLE_SUSPENDED", stream=stream))
