"""A gateway of a simulated cluster: real lanes to every host, over ways that lose and delay.

Whoever asks something asks the gateway. A lane leads to one start of a host; when that is gone, who
waits is told to send again. What goes over a lane is counted, so that it is seen whether everything
came, once and in order.
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
#: What may happen to a message on its way, in a hundred.
LOST_PERCENT, DOUBLED_PERCENT, LATE_PERCENT = 2, 2, 2
#: How long one takes, in order; and one that is late, so that others overtake it.
USUAL_SECONDS, LATE_SECONDS = 0.001, 0.05
APART_SECONDS = 1e-6

Told = Callable[[int | None], None]
_pack = msgspec.msgpack.encode
_order = msgspec.msgpack.Decoder(tuple[str, str]).decode
_answer = msgspec.msgpack.Decoder(int | None).decode


class Way(Transport):
    """One way of a lane: it is careless, and can be cut."""

    lossy = True

    def __init__(self, to: Receiver, host: Host, chance: Random) -> None:
        self._to = to
        self._host = host
        self._chance = chance
        self._under_way: set[asyncio.Task[None]] = set()
        #: When the newest that is in order arrives.
        self._arrives = 0.0
        self.cut = False

    def send(self, message: bytes) -> None:
        """Send a message, or lose it, or send it twice."""
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
        """Say how long the next takes: of two for the same moment a loop may have either first."""
        now = asyncio.get_running_loop().time()
        self._arrives = max(now + USUAL_SECONDS, self._arrives + APART_SECONDS)
        return self._arrives - now

    async def _bring(self, message: bytes, late: float) -> None:
        """Bring it; a host that is stopped finds it when it wakes."""
        await asyncio.sleep(late)
        await self._host.line.awake()
        if not self.cut:
            self._to.received(message)

    def close(self) -> None:
        """Carry nothing more."""
        self.cut = True


class _Careless(Lane):
    """A lane that takes whatever comes, twice or with others missing before it."""

    def received(self, message: bytes) -> None:
        """Take the next message, whichever it is."""
        _, number, *_ = msgspec.msgpack.decode(message)
        if number:
            self._taken = number - 1
        super().received(message)


class _Forgetful(Lane):
    """A lane that sends nothing again."""

    def resend(self) -> None:
        """Take it that everything came."""

    def _try(self) -> None:
        """Take it that the newest came too."""


class Line:
    """The lane between the gateway and one start of a host, and who waits for an answer."""

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
        """Ask the host for something."""
        self._asked += 1
        self._waiting[self._asked] = told
        self._here.put(ORDER, self._asked, _pack((stream, id_)))

    def set_cut(self, *, cut: bool) -> None:
        """Cut both ways, or mend them."""
        for way in self._ways:
            way.cut = cut

    def end(self) -> None:
        """Have everybody ask again who waits for a host that is gone."""
        for lane in (self._here, self._there):
            lane.give_up("the host is gone")
        for told in self._waiting.values():
            told(None)
        self._waiting.clear()

    @property
    def untaken(self) -> bool:
        """Say whether anything waits to be taken, or never came."""
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
    """The gateway: a line to each host, since that was started."""

    def __init__(self, chance: Random, without: Without, fault: Callable[[str], None]) -> None:
        self._chance = chance
        self._without = without
        self._fault = fault
        self.lines: dict[str, Line] = {}

    def greet(self, host: Host) -> None:
        """Have a line to a host that was started."""
        former = self.lines.get(host.name)
        if former is not None:
            former.end()
        self.lines[host.name] = Line(host, self._chance, self._without, self._fault)

    def ask(self, host: Host, stream: str, id_: str, told: Told) -> None:
        """Ask a host; one that was started anew meanwhile is asked by the next try."""
        line = self.lines[host.name]
        if line.host is host:
            line.ask(stream, id_, told)
        else:
            told(None)
