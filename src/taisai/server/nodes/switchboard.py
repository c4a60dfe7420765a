"""The switchboard of a node: over NATS it calls other nodes and accepts calls; each is a lane.

The caller chooses one half of the lane's name at random, the called node the other: so no two lanes
ever have the same name. Messages between nodes carry a code made with a key of the venue, which
gateways do not have. Besides, all processes receive which node has which streams.
"""

import asyncio
import hmac
import logging
import secrets
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from taisai.runtime.recovery import StartupError
from taisai.server.lanes.lane import Lane
from taisai.server.lanes.nats import Nats, NatsOptions
from taisai.server.lanes.transport import Receiver, Transport
from taisai.server.nodes.cluster import NatsPlan

#: A call that is not accepted is made again after so long.
CALL_SECONDS = 0.1
#: How often lanes are checked; a side silent for so long, while NATS is connected, is gone.
LOOK_SECONDS = 0.5
SILENT_SECONDS = 5.0
#: How many calls may be under way or answered at a node.
CALLS_MAX = 10_000
LINK_DOMAIN = b"taisai link\0"
_MAC_BYTES = 32

_log = logging.getLogger(__name__)


class Call(Struct, array_like=True, frozen=True):
    """A call: the caller's name and start, whether it is a node, and half of the lane's name."""

    name: str
    instance: str
    is_node: bool
    half: str


class Taken(Struct, array_like=True, frozen=True):
    """The answer to a call: which start of the node, and the other half of the lane's name."""

    half: str
    instance: str
    other_half: str


class Standing(Struct, array_like=True, frozen=True):
    """Which streams a node owns, each with its epoch; and which start of the node it is."""

    node: str
    instance: str
    streams: dict[str, int]


_pack = msgspec.msgpack.Encoder().encode
_read_call = msgspec.msgpack.Decoder(Call).decode
_read_taken = msgspec.msgpack.Decoder(Taken).decode
_read_standing = msgspec.msgpack.Decoder(Standing).decode

#: Makes this side of a lane for a call; None: not yet.
Takes = Callable[[Call], Lane | None]


class Authentic(Receiver, Transport):
    """Carries messages, each proved to be from a process with the key of the venue.

    A lane numbers its messages, takes each once, and has a name that no other lane ever had: so the
    code is over the lane's name, the direction and the message.
    """

    def __init__(self, key: bytes, name: str, lane: Receiver, *, calls: bool) -> None:
        self._key = hmac.digest(key, LINK_DOMAIN + name.encode(), "sha256")
        self._lane = lane
        self._calls = calls
        self._under: Transport | None = None

    @property
    def lossy(self) -> bool:
        """Say whether a message can be lost while both sides live."""
        return self._under is None or self._under.lossy

    def connected(self, transport: Transport) -> None:
        """Go on over a transport."""
        self._under = transport
        self._lane.connected(self)

    def received(self, message: bytes) -> None:
        """Take a message if its sender has the key; any other is dropped."""
        mac, said = message[:_MAC_BYTES], message[_MAC_BYTES:]
        if hmac.compare_digest(mac, self._mac(said, by_caller=not self._calls)):
            self._lane.received(said)
        else:
            _log.error("a lane of another node says what nobody with the venue's key has said")

    def lost(self) -> None:
        """Note that no more messages will come."""
        self._lane.lost()

    def send(self, message: bytes) -> None:
        """Send one message with its code."""
        if self._under is not None:
            self._under.send(self._mac(message, by_caller=self._calls) + message)

    def close(self) -> None:
        """Carry nothing more."""
        if self._under is not None:
            self._under.close()

    def _mac(self, message: bytes, *, by_caller: bool) -> bytes:
        return hmac.digest(self._key, b"%d " % by_caller + message, "sha256")


class Switchboard:
    """The calls of one process; `key` is the venue's, which a gateway does not have."""

    def __init__(self, nats: Nats, prefix: str, name: str, key: bytes | None) -> None:
        self.nats = nats
        self.name = name
        #: Identifies this start of the process: it is not mistaken for the one before.
        self.instance = secrets.token_hex(8)
        self._prefix = prefix
        self._key = key
        self._loop = asyncio.get_running_loop()
        #: Calls that wait to be accepted, by their half; and calls that were accepted here.
        self._waiting: dict[str, asyncio.Future[Taken]] = {}
        self._answered: dict[str, asyncio.Task[Taken]] = {}
        self._lanes: dict[Lane, float] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.repeat(self._look_after, LOOK_SECONDS)

    @classmethod
    async def open(
        cls, plan: NatsPlan, name: str, key: bytes | None, takes: Takes | None = None
    ) -> "Switchboard":
        """Connect to NATS, and accept calls from then on if `takes` is given."""
        board = cls(await Nats.connect(options_of(plan), name), plan.prefix, name, key)
        await board.nats.listen(board._subject("taken", board.instance), board._was_taken)
        if takes is not None:
            await board.nats.listen(
                board._subject("call", name), lambda data: board._called(data, takes)
            )
        return board

    async def close(self) -> None:
        """Close all lanes and the connection to NATS."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for lane in [*self._lanes]:
            lane.close()
        await self.nats.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in a task, for as long as the switchboard is open."""
        self._note(self._loop.create_task(work))

    def repeat(self, work: Callable[[], None], seconds: float) -> None:
        """Do work every so often; after a fault of ours, which is logged, it is done again."""
        self.spawn(_repeat(work, seconds))

    def _note(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("what was done beside has ended: a fault of ours", exc_info=error)

    def _subject(self, *parts: str) -> str:
        return ".".join((self._prefix, *parts))

    # --- who has what --------------------------------------------------------------------------

    def send_standing(self, streams: dict[str, int]) -> None:
        """Publish the streams that this node owns."""
        self.nats.post(
            self._subject("standing"), _pack(Standing(self.name, self.instance, streams))
        )

    async def receive_standings(self, take: Callable[[Standing], None]) -> None:
        """Receive the streams that each node owns."""
        await self.nats.listen(self._subject("standing"), lambda data: take(_read_standing(data)))

    # --- calling -------------------------------------------------------------------------------

    async def call(self, node: str, lane: Lane) -> str:
        """Call a node until it accepts the call; give which start of the node it was."""
        half = secrets.token_hex(16)
        taken: asyncio.Future[Taken] = self._loop.create_future()
        self._waiting[half] = taken
        call = _pack(Call(self.name, self.instance, self._key is not None, half))
        try:
            while not taken.done():
                self.nats.post(self._subject("call", node), call)
                await asyncio.wait([taken], timeout=CALL_SECONDS)
        finally:
            del self._waiting[half]
        found = taken.result()
        name = half + found.other_half
        receiver = self._receiver(name, lane, calls=True)
        await self.nats.carry(
            receiver, self._subject("lane", name, "down"), self._subject("lane", name, "up")
        )
        self._lanes[lane] = self._loop.time()
        return found.instance

    def _was_taken(self, data: bytes) -> None:
        taken = _read_taken(data)
        waiting = self._waiting.get(taken.half)
        if waiting is not None and not waiting.done():
            waiting.set_result(taken)

    # --- being called --------------------------------------------------------------------------

    def _called(self, data: bytes, takes: Takes) -> None:
        """Accept a call once, and answer it as often as it is made."""
        call = _read_call(data)
        if call.is_node and self._key is None:
            return
        answered = self._answered.get(call.half)
        if answered is None:
            lane = takes(call)
            if lane is None:
                return
            if len(self._answered) >= CALLS_MAX:
                del self._answered[next(iter(self._answered))]
            answered = self._answered[call.half] = self._loop.create_task(self._take(call, lane))
            self._note(answered)
        elif answered.done() and not answered.cancelled():
            self._send_taken(call, answered.result())

    async def _take(self, call: Call, lane: Lane) -> Taken:
        taken = Taken(call.half, self.instance, secrets.token_hex(16))
        name = call.half + taken.other_half
        receiver = self._receiver(name, lane, calls=False) if call.is_node else lane
        await self.nats.carry(
            receiver, self._subject("lane", name, "up"), self._subject("lane", name, "down")
        )
        self._lanes[lane] = self._loop.time()
        self._send_taken(call, taken)
        return taken

    def _send_taken(self, call: Call, taken: Taken) -> None:
        self.nats.post(self._subject("taken", call.instance), _pack(taken))

    def _receiver(self, name: str, lane: Lane, *, calls: bool) -> Receiver:
        return lane if self._key is None else Authentic(self._key, name, lane, calls=calls)

    # --- who is still there --------------------------------------------------------------------

    def _look_after(self) -> None:
        """Break lanes whose other side is gone: nothing has come from it for too long.

        Each side sends something every second. While NATS is away no side is found silent.
        """
        now = self._loop.time()
        for lane in [*self._lanes]:
            try:
                self._look_at(lane, now)
            except Exception:  # noqa: BLE001 - logged: without this all would be found silent
                _log.exception("a lane could not be looked after: a fault of ours")

    def _look_at(self, lane: Lane, now: float) -> None:
        since = max(self._lanes[lane], lane.received_at)
        if lane.broken:
            del self._lanes[lane]
        elif not self.nats.connected:
            self._lanes[lane] = now
        elif now - since > SILENT_SECONDS:
            lane.give_up("it has said nothing for too long")
        else:
            # An empty message: a side that has nothing to send must not be found silent.
            lane.sign_of_life()


async def _repeat(work: Callable[[], None], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            work()
        except Exception:  # noqa: BLE001 - logged: who does it no more is not there for others
            _log.exception("what is done again and again could not be done: a fault of ours")


def options_of(plan: NatsPlan) -> NatsOptions:
    """Make the options for NATS; a secret that cannot be read is raised as a sentence."""
    return NatsOptions(
        plan.servers,
        plan.user,
        _secret(plan.password_file),
        _secret(plan.token_file),
        _path(plan.authority),
        _path(plan.certificate),
        _path(plan.private_key),
    )


def _path(file: str | None) -> Path | None:
    return None if file is None else Path(file)


def _secret(file: str | None) -> str | None:
    if file is None:
        return None
    try:
        return Path(file).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise StartupError(f"nats: {file} cannot be read: {why}") from None
