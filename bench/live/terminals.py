"""Player Terminals for a bench: each a socket with a callback, and no task of its own.

Frames are prepared in advance, except for the id, which begins with the time.
"""

import asyncio
import random
import re
import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence

import msgspec
from bench.live.moments import now
from picows import WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from taisai.core.kernel.messages import BoxStake
from taisai.core.table.betting import PlaceBets
from taisai.protocol import FRAME_MAX, PROTOCOL
from taisai.protocol.client_messages import Ask, Hello, Ping, TerminalKey, Watch

STAKE = 1_000
#: Connections opened at a time, so that no handshake takes longer than a server allows.
CONNECT_AT_ONCE = 50
#: Frames kept ready for each terminal, on different boxes, used in rotation.
FRAMES_READY = 4
READ_BUFFER = 1_024
#: The pause of a coming terminal before it tries again, and after it was there.
COME_SECONDS = 3.0
COME_AGAIN_SECONDS = 0.1
#: How often terminals at a high pace place the bets that are due, and from when on that is late.
STROKE_SECONDS = 0.001
LATE_SECONDS = 0.005

_TEXT = WSMsgType.TEXT
#: Bytes that are in no frame, in place of the id of a bet that was not made yet.
_NO_BET = b'"no bet yet"'
_CODE = re.compile(rb'"code":"([A-Z_]+)"')

_clock = time.perf_counter
_time_ns = time.time_ns
_encode = msgspec.json.Encoder().encode

#: The parts of a frame before and after the id, and its boxes.
_Frame = tuple[bytes, bytes, tuple[str, ...]]
_Receive = Callable[["Terminal", bytes], None]


def ignore(_: "Terminal", __: bytes) -> None:
    """Ignore a frame."""


class Terminal(WSListener):
    """A terminal at its socket; `receive` is its current handler of frames."""

    __slots__ = (
        *("frames", "id", "kept", "key", "lost", "receive", "sent", "settled_at", "turn", "way"),
    )

    def __init__(self, key: TerminalKey, frames: list[_Frame]) -> None:
        self.key = key
        self.frames = frames
        self.receive: _Receive = ignore
        #: How many bets it has made, now and when its last round was over.
        self.turn = 0
        self.settled_at = 0
        self.id = _NO_BET
        self.sent = 0.0
        self.kept = b""
        self.lost: str | None = None
        self.way: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Store the transport."""
        self.way = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002
        """Receive what the server sends."""
        if frame.msg_type is _TEXT:
            self.receive(self, frame.get_payload_as_bytes())
        elif frame.msg_type is WSMsgType.CLOSE:
            self.lost = f"{frame.get_close_code()} {frame.get_close_reason()}"

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002
        """Record that the connection is gone."""
        self.lost = self.lost or "disconnected"

    def say(self, frame: bytes) -> None:
        """Send a frame."""
        assert self.way is not None
        self.way.send(_TEXT, frame)

    def stakes(self) -> dict[str, int]:
        """Give its stake on each box since its last round."""
        stakes: Counter[str] = Counter()
        for turn in range(self.settled_at, self.turn):
            for box in self.frames[turn % FRAMES_READY][2]:
                stakes[box] += STAKE
        return dict(stakes)


def frames_for(key: TerminalKey, boxes: Sequence[str], boxes_a_bet: int) -> list[_Frame]:
    """Write the frames of a terminal's bets, each with a gap for its id."""
    source = random.Random(f"{key.table}/{key.terminal}")  # noqa: S311 - nothing secret
    written = []
    for _ in range(FRAMES_READY):
        chosen = tuple(source.sample(boxes, boxes_a_bet))
        bets = tuple(BoxStake(box, STAKE) for box in chosen)
        ask = Ask(key.table, "ID", PlaceBets(key.terminal, bets))
        before, after = _encode(ask).split(b'"ID"')
        written.append((before, after, chosen))
    return written


# --- together ------------------------------------------------------------------------------------


def together(terminals: Sequence[Terminal]) -> Iterator[Sequence[Terminal]]:
    """Give the terminals in groups that connect at once."""
    for start in range(0, len(terminals), CONNECT_AT_ONCE):
        yield terminals[start : start + CONNECT_AT_ONCE]


async def connect(terminals: Sequence[Terminal], address: str) -> None:
    """Connect terminals, all of them at once."""
    await asyncio.gather(*(_connect(terminal, address) for terminal in terminals))


async def _connect(terminal: Terminal, address: str) -> None:
    await ws_connect(
        lambda: terminal, address, max_frame_size=FRAME_MAX, read_buffer_init_size=READ_BUFFER
    )


async def greet(terminals: Sequence[Terminal]) -> None:
    """Let every terminal say hello and watch its table, and wait for the snapshots."""
    heard = Heard(terminals, (b'"type":"TerminalSnapshot"', b'"type":"TableSnapshot"'))
    for terminal in terminals:
        hello = _encode(Hello(PROTOCOL, terminal.key))
        terminal.say(hello + b"\n" + _encode(Watch(terminal.key.table)))
    await heard.by_all()


async def ping(terminals: Sequence[Terminal]) -> None:
    """Wait until every terminal has received everything sent to it so far."""
    heard = Heard(terminals, (b'"type":"Pong"',))
    for terminal in terminals:
        terminal.say(_encode(Ping(1)))
    await heard.by_all()


class Heard:
    """Waits until each terminal has received certain bytes, and knows when the last one has."""

    def __init__(self, terminals: Sequence[Terminal], words: Sequence[bytes]) -> None:
        self.last = 0.0
        self._words = words
        self._left = len(terminals)
        self._done = asyncio.Event()
        for terminal in terminals:
            terminal.kept = b""
            terminal.receive = self._receive_more if len(words) > 1 else self._receive

    def _receive(self, terminal: Terminal, frame: bytes) -> None:
        if self._words[0] in frame:
            terminal.kept = frame
            self._heard(terminal)

    def _receive_more(self, terminal: Terminal, frame: bytes) -> None:
        terminal.kept += frame
        if all(word in terminal.kept for word in self._words):
            self._heard(terminal)

    def _heard(self, terminal: Terminal) -> None:
        terminal.receive = ignore
        self._left -= 1
        if not self._left:
            self.last = _clock()
            self._done.set()

    async def by_all(self) -> float:
        """Wait for the last terminal; return the time."""
        await self._done.wait()
        return self.last


class Comings:
    """One terminal that connects, receives its view and disconnects, again and again."""

    def __init__(self, terminal: Terminal, address: str) -> None:
        self.waits: list[float] = []
        self.failed = 0
        self._terminal = terminal
        self._address = address
        #: Since when it has been trying to connect.
        self._began: float | None = None
        self._going = asyncio.create_task(self._run())

    async def end(self) -> None:
        """Stop; a terminal that is not connected by now has waited until now."""
        began = self._began
        self._going.cancel()
        await asyncio.wait([self._going])
        self._go()
        if began is not None:
            self.waits.append(_clock() - began)

    async def _run(self) -> None:
        while True:
            self._began = _clock()
            while not await self._comes():
                self.failed += 1
            self.waits.append(_clock() - self._began)
            self._began = None
            self._go()
            await asyncio.sleep(COME_AGAIN_SECONDS)

    async def _comes(self) -> bool:
        """Connect once; return whether it was let in before it gave up."""
        try:
            async with asyncio.timeout(COME_SECONDS):
                await connect([self._terminal], self._address)
                await greet([self._terminal])
        except (OSError, TimeoutError, WSError):
            self._go()
            return False
        return True

    def _go(self) -> None:
        if self._terminal.way is not None:
            self._terminal.way.disconnect()
            self._terminal.way = None


class Betting:
    """So many bets by all terminals in rotation, each answered before its terminal bets again."""

    def __init__(self, terminals: Sequence[Terminal], bets: int) -> None:
        self.waits: list[float] = []
        self.refused: Counter[str] = Counter()
        self._idle = deque(terminals)
        self._to_place = bets
        self._to_hear = bets
        self._done = asyncio.Event()
        for terminal in terminals:
            terminal.receive = self._receive

    async def run(self, in_flight: int) -> float:
        """Place all bets, so many in flight at any time; return how long that took."""
        began = _clock()
        for _ in range(min(in_flight, self._to_place)):
            self._place()
        await self._done.wait()
        return _clock() - began

    def _place(self) -> None:
        self._to_place -= 1
        _bet(self._idle.popleft(), _clock())

    def _receive(self, terminal: Terminal, frame: bytes) -> None:
        if terminal.id not in frame:
            return
        self.waits.append(_clock() - terminal.sent)
        _count_refused(frame, self.refused)
        self._idle.append(terminal)
        self._to_hear -= 1
        if self._to_place:
            self._place()
        elif not self._to_hear:
            self._done.set()


class Steady:
    """Bets at a steady pace, whether earlier bets are answered or not."""

    def __init__(self, terminals: Sequence[Terminal]) -> None:
        self.waits: list[float] = []
        self.refused: Counter[str] = Counter()
        self._idle = deque(terminals)
        self._away = 0
        self._heard = asyncio.Event()
        for terminal in terminals:
            terminal.receive = self._receive

    async def run(self, pace: float, seconds: float) -> None:
        """Place so many a second for so long, and wait for the last answer."""
        began = _clock()
        for number in range(int(pace * seconds)):
            due = began + number / pace
            await asyncio.sleep(max(0.0, due - _clock()))
            while not self._idle:
                await self._one_heard()
            self._place(due)
        while self._away:
            await self._one_heard()

    async def _one_heard(self) -> None:
        self._heard.clear()
        await self._heard.wait()

    def _place(self, due: float) -> None:
        self._away += 1
        # A bet that could not be placed in time has waited since then.
        _bet(self._idle.popleft(), due)

    def _receive(self, terminal: Terminal, frame: bytes) -> None:
        if terminal.id not in frame:
            return
        self.waits.append(_clock() - terminal.sent)
        _count_refused(frame, self.refused)
        self._idle.append(terminal)
        self._away -= 1
        self._heard.set()


class Paced:
    """Bets at a high and steady pace, so many at every stroke of a clock, answered or not."""

    def __init__(self, terminals: Sequence[Terminal]) -> None:
        #: When each bet was due, and how long its answer took from then on.
        self.dues, self.waits = array("d"), array("d")
        #: When the generator itself was late: from when to when, and how long it worked and waited
        #: for a processor.
        self.late: list[tuple[float, float, float, float]] = []
        self.refused: Counter[str] = Counter()
        self._idle = deque(terminals)
        self._due: deque[float] = deque()
        self._away = 0
        self._heard = asyncio.Event()
        for terminal in terminals:
            terminal.receive = self._receive

    async def run(self, pace: float, seconds: float) -> None:
        """Place so many a second for so long, and wait for the last answer."""
        began, placed, bets = _clock(), 0, int(pace * seconds)
        while placed < bets:
            stroke = now()
            await asyncio.sleep(STROKE_SECONDS)
            then = now()
            if then[0] - stroke[0] > LATE_SECONDS:
                worked, queued = then[1] - stroke[1], then[2] - stroke[2]
                self.late.append((stroke[0], then[0], worked, queued))
            wanted = min(bets, int((then[0] - began) * pace))
            self._due.extend(began + number / pace for number in range(placed, wanted))
            placed = wanted
            self._place()
        while self._away or self._due:
            self._heard.clear()
            await self._heard.wait()

    def _place(self) -> None:
        while self._due and self._idle:
            self._away += 1
            _bet(self._idle.popleft(), self._due.popleft())

    def _receive(self, terminal: Terminal, frame: bytes) -> None:
        if terminal.id not in frame:
            return
        self.dues.append(terminal.sent)
        self.waits.append(_clock() - terminal.sent)
        _count_refused(frame, self.refused)
        self._idle.append(terminal)
        self._away -= 1
        if self._due:
            self._place()
        self._heard.set()


def _bet(terminal: Terminal, sent: float) -> None:
    """Let a terminal place its next bet, which counts as sent then."""
    before, after, _ = terminal.frames[terminal.turn % FRAMES_READY]
    terminal.turn += 1
    terminal.id = id_ = b'"%d-%d"' % (_time_ns() // 1_000_000, terminal.turn)
    terminal.sent = sent
    terminal.say(before + id_ + after)


def _count_refused(frame: bytes, refused: Counter[str]) -> None:
    if b'"type":"Refused"' in frame:
        code = _CODE.search(frame)
        refused[code[1].decode() if code else "without a code"] += 1
