"""A gateway of a simulated cluster: real lanes to every host, over transports that lose and delay.

Clients send their commands to the gateway. A lane leads to one start of a host; when that process
is gone, waiting clients are told to send again. Messages on a lane are counted, to check that
everything arrives, once and in order.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random

import msgspec

from taisai.server.lanes.lane import Entry, Lane
from taisai.server.lanes.transport import Receiver, Transport
from tests.ownership.hosts import Host, Without

ORDER, ANSWER = 1, 2
#: What may happen to a message, in percent.
LOST_PERCENT, DOUBLED_PERCENT, LATE_PERCENT = 2, 2, 2
#: How long a message takes in order; and a late one, which others overtake.
USUAL_SECONDS, LATE_SECONDS = 0.001, 0.05
APART_SECONDS = 1e-6

Told = Callable[[int | None], None]
_pack = msgspec.msgpack.encode
_order = msgspec.msgpack.Decoder(tuple[str, str]).decode
_answer = msgspec.msgpack.Decoder(int | None).decode


class Way(Transport):
    """One direction of a lane: it loses messages, and can be cut."""

    lossy = True

    def __init__(self, to: Receiver, host: Host, chance: Random) -> None:
        self._to = to
        self._host = host
        self._chance = chance
        self._under_way: set[asyncio.Task[None]] = set()
        #: When the newest message in order arrives.
        self._arrives = 0.0
        self.cut = False

    def send(self, message: bytes) -> None:
        """Send a message, lose it, or send it twice."""
        if self.cut or self._chance.uniform(0, 100) < LOST_PERCENT:
            return
        times = 1 + (self._chance.uniform(0, 100) < DOUBLED_PERCENT)
        for _ in range(times):
            late = self._chance.uniform(0, 100) < LATE_PERCENT
            seconds = LATE_SECONDS if late else self._in_order()
            task = asyncio.get_running_loop().create_task(self._bring(message, seconds))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    def _in_order(self) -> float:
        """Give the next delay: of two messages due at one moment a loop may run either first."""
        now = asyncio.get_running_loop().time()
        self._arrives = max(now + USUAL_SECONDS, self._arrives + APART_SECONDS)
        return self._arrives - now

    async def _bring(self, message: bytes, late: float) -> None:
        """Deliver it; a stopped host receives it when it continues."""
        await asyncio.sleep(late)
        await self._host.line.awake()
        if not self.cut:
            self._to.received(message)

    def close(self) -> None:
        """Deliver nothing more."""
        self.cut = True


class _Careless(Lane):
    """A lane that takes every message, repeated or out of order."""

    def received(self, message: bytes) -> None:
        """Take this message as the next one."""
        _, number, *_ = msgspec.msgpack.decode(message)
        if number:
            self._taken = number - 1
        super().received(message)


class _Forgetful(Lane):
    """A lane that resends nothing."""

    def resend(self) -> None:
        """Assume that everything arrived."""

    def _try(self) -> None:
        """Assume that the newest message arrived too."""


class Line:
    """The lane between the gateway and one start of a host, and the clients waiting for answers."""

    def __init__(self, host: Host, chance: Random, without: Without, fault: Callable[[str], None]):
        kind = _Careless if without.lane_order else _Forgetful if without.lane_resend else Lane
        self.host = host
        self._here: Lane = kind(self._answered, lambda _: None)
        self._there: Lane = kind(self._ordered, lambda _: None)
        self._fault = fault
        self._asked = self._came = self._told = self._returned = 0
        self._waiting: dict[int, Told] = {}
        self._ways = (Way(self._there, host, chance), Way(self._here, host, chance))
        for lane, way in zip((self._here, self._there), self._ways, strict=True):
            lane.connected(way)

    def ask(self, stream: str, id_: str, told: Told) -> None:
        """Send the host a command."""
        self._asked += 1
        self._waiting[self._asked] = told
        self._here.put(ORDER, self._asked, _pack((stream, id_)))

    def set_cut(self, *, cut: bool) -> None:
        """Cut both directions, or mend them."""
        for way in self._ways:
            way.cut = cut

    def end(self) -> None:
        """Tell the clients that wait for this host, which is gone, to send again."""
        for lane in (self._here, self._there):
            lane.give_up("the host is gone")
        for told in self._waiting.values():
            told(None)
        self._waiting.clear()

    @property
    def untaken(self) -> bool:
        """Say whether a message has not been taken, or has never arrived."""
        missing = self._came < self._asked or self._returned < self._told
        return bool(missing or self._here.held or self._there.held)

    def _ordered(self, entries: list[Entry]) -> None:
        for _, number, data in entries:
            if number != self._came + 1:
                self._fault(f"a lane brought {number} after {self._came}")
            self._came = number
            stream, id_ = _order(data)
            self.host.submit(stream, id_, partial(self._say, number))

    def _say(self, number: int, version: int | None) -> None:
        self._told += 1
        self._there.put(ANSWER, number, _pack(version))

    def _answered(self, entries: list[Entry]) -> None:
        self._returned += len(entries)
        for _, number, data in entries:
            told = self._waiting.pop(number, None)
            if told is None:
                self._fault(f"a lane brought the answer to {number} twice")
            else:
                told(_answer(data))


class Gate:
    """The gateway: a lane to the present process of each host."""

    def __init__(self, chance: Random, without: Without, fault: Callable[[str], None]) -> None:
        self._chance = chance
        self._without = without
        self._fault = fault
        self.lines: dict[str, Line] = {}

    def greet(self, host: Host) -> None:
        """Make a lane to a host that was started."""
        former = self.lines.get(host.name)
        if former is not None:
            former.end()
        self.lines[host.name] = Line(host, self._chance, self._without, self._fault)

    def ask(self, host: Host, stream: str, id_: str, told: Told) -> None:
        """Send a command to a host; if it was restarted meanwhile, the client must send again."""
        line = self.lines[host.name]
        if line.host is host:
            line.ask(stream, id_, told)
        else:
            told(None)
