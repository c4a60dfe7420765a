"""Links between nodes: commands go to the owner of their stream, and answers come back.

An office calls every other node, an owner every office, and each sends commands over the lanes that
it called for. If a lane is lost, it is called for again, and callers that waited for an answer over
it are told to send the command again, with the same id.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec
from msgspec import structs

from taisai.core.kernel.messages import Instant, Order
from taisai.core.rules.reason import refuse
from taisai.runtime.answers import Answer, Registered, read_refusal, write_refusal
from taisai.runtime.node import NodeRuntime
from taisai.runtime.publisher import Announcement
from taisai.runtime.streams import kind_of
from taisai.runtime.writer import OnAnswer, give
from taisai.server.lanes.lane import Entry, Lane
from taisai.server.nodes.switchboard import Call, Standing, Switchboard
from taisai.wording import Told, told

#: A command for a stream; the answer to one; the journal was written to; when bets will be closed;
#: a notice for the pit; a session is over.
ORDER, ANSWER, STIRRED, CLOSES, NOTICE, SESSION_ENDED = range(1, 7)
#: How often callers are looked for that wait for a node that has lost their stream.
AGAIN_SECONDS = 0.2

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_pack = msgspec.msgpack.Encoder().encode
_read_order = msgspec.msgpack.Decoder(tuple[str, bytes]).decode
_decode_order: Callable[[bytes], Order] = msgspec.json.Decoder(Order).decode
_read_answer = msgspec.msgpack.Decoder(tuple[bytes, int, int, Instant, list[bytes]]).decode
_read_notice = msgspec.msgpack.Decoder(tuple[Instant, str, str, Any]).decode
_read_closes = msgspec.msgpack.Decoder(tuple[str, Instant | None]).decode


class Link:
    """A lane that this node has called for, and the callers that wait for answers over it."""

    def __init__(self, lost: asyncio.Event) -> None:
        self.lane = Lane(self._take, self._lost)
        self._ended = lost
        self._number = 0
        #: Which start of the other node it leads to.
        self.instance = ""
        #: The commands that wait, by number: the stream, and the function that takes the answer.
        self.waiting: dict[int, tuple[str, OnAnswer]] = {}

    def order(self, stream: str, order: Order, on_answer: OnAnswer) -> None:
        """Send a command to the owner of a stream."""
        if self.lane.broken or self.lane.full:
            on_answer(refuse("BUSY", stream=stream))
            return
        self._number += 1
        self.waiting[self._number] = stream, on_answer
        self.lane.put(ORDER, self._number, _pack((stream, _encode(order))))

    def give_up(self, numbers: list[int]) -> None:
        """Answer commands with `RETRY`: the other node no longer has their stream."""
        for number in numbers:
            _, on_answer = self.waiting.pop(number)
            give(on_answer, refuse("RETRY"))

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


def _write_text(text: object) -> object:
    """Write a text so that it can be read in another language: a worded one by its reason."""
    if isinstance(text, Told):
        given = {name: _write_text(value) for name, value in text.reason.params.items()}
        return [text.reason.code, given]
    return text


def _read_text(text: Any) -> Any:
    if isinstance(text, list):
        code, given = text
        return told(code, **{name: _read_text(value) for name, value in given.items()})
    return text


class Links:
    """All lanes of a node, to other nodes and from them."""

    def __init__(self, node: NodeRuntime, board: Switchboard, peers: Iterable[str]) -> None:
        self._node = node
        self._board = board
        self.peers = [name for name in peers if name != node.name]
        self._links: dict[str, Link] = {}
        self._lanes: set[Lane] = set()
        #: Called with the time at which another node will close a table's bets, with another
        #: node's announcement, and with a session that the office has ended.
        self.on_closes: Callable[[str, Instant | None], None] = lambda _, __: None
        self.on_notice: Callable[[Announcement], None] = lambda _: None
        self.on_session_ended: Callable[[str], None] = lambda _: None
        node.forward = self.forward
        node.stirred = partial(self.send_to_all, STIRRED, b"")

    def start(self) -> None:
        """Call each of the other nodes, and look after the commands that wait."""
        for name in self.peers:
            self._board.spawn(self._keep(name))
        self._board.repeat(self._look_after, AGAIN_SECONDS)

    def takes(self, call: Call) -> Lane:
        """Accept a call of another node."""
        lane = Lane(lambda entries: self._take(lane, entries), lambda _: self._lanes.discard(lane))
        self._lanes.add(lane)
        _log.info("node %s has called", call.name)
        return lane

    def receive_standing(self, standing: Standing) -> None:
        """Break at once a lane that leads to an earlier start of a node."""
        link = self._links.get(standing.node)
        if link is not None and link.instance != standing.instance:
            link.lane.give_up("the node was started again")

    def reached(self) -> list[str]:
        """Name the nodes to which there is a lane."""
        return [name for name, link in self._links.items() if not link.lane.broken]

    def forward(self, node: str, stream: str, order: Order, on_answer: OnAnswer) -> None:
        """Send a command to the owner of its stream."""
        link = self._links.get(node)
        if link is None:
            on_answer(refuse("TABLE_SUSPENDED", stream=stream))
        else:
            link.order(stream, order, on_answer)

    def send_to_all(self, kind: int, data: bytes) -> None:
        """Send an entry to every other node."""
        for link in self._links.values():
            if not link.lane.broken:
                link.lane.put(kind, 0, data)

    def send_closes(self, table: str, closes_at: Instant | None) -> None:
        """Send the other nodes the time at which the bets of a table will be closed."""
        self.send_to_all(CLOSES, _pack((table, closes_at)))

    def send_notice(self, announcement: Announcement) -> None:
        """Send the office a notice for the pit."""
        at, stream, code, text = structs.astuple(announcement)
        self.send_to_all(NOTICE, _pack((at, stream, code, _write_text(text))))

    def send_session_ended(self, id_: str) -> None:
        """Send the other nodes the id of a session that is over."""
        self.send_to_all(SESSION_ENDED, id_.encode())

    async def _keep(self, name: str) -> None:
        """Keep a lane to another node, whenever that node is running."""
        while True:
            lost = asyncio.Event()
            link = Link(lost)
            link.instance = await self._board.call(name, link.lane)
            self._links[name] = link
            await lost.wait()
            del self._links[name]

    def _look_after(self) -> None:
        """Answer commands with `RETRY` that wait for a node that no longer has their stream."""
        for name, link in [*self._links.items()]:
            waits = link.waiting.items()
            link.give_up([at for at, (stream, _) in waits if self._node.owner_of(stream) != name])

    def _take(self, lane: Lane, entries: list[Entry]) -> None:
        for kind, number, data in entries:
            if kind == ORDER:
                self._order(lane, number, *_read_order(data))
            elif kind == STIRRED:
                self._node.look()
            elif kind == CLOSES:
                self.on_closes(*_read_closes(data))
            elif kind == NOTICE:
                at, stream, code, text = _read_notice(data)
                self.on_notice(Announcement(at, stream, code, _read_text(text)))
            elif kind == SESSION_ENDED:
                self.on_session_ended(data.decode())

    def _order(self, lane: Lane, number: int, stream: str, data: bytes) -> None:
        def answer(answered: Answer) -> None:
            if not lane.broken:
                lane.put(ANSWER, number, _write_answer(answered))

        if not self._node.owns(stream):
            answer(refuse("TABLE_SUSPENDED", stream=stream))
            return
        try:
            self._node.submit_then(stream, _decode_order(data), answer)
        except Exception:  # noqa: BLE001 - logged, and nobody else on the lane is held up
            _log.exception("what another node asked for could not be done")
            answer(refuse("RETRY"))
