"""The generator: thousands of terminals in one process on the second core, run by the bench."""

import gc
import heapq
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from bench.live.children import answer_lines, run_child
from bench.live.terminals import (
    Betting,
    Comings,
    Heard,
    Paced,
    Steady,
    Terminal,
    connect,
    frames_for,
    greet,
    ping,
    together,
)

import taisai
from taisai.protocol.client_messages import TerminalKey
from taisai.protocol.server_messages import Private, ServerMessage, TerminalSnapshot
from taisai.protocol.views import RoundOutcome

#: The bytes that only a terminal's own settled lines contain, and those of a bare broadcast.
OWN_LINES = '"lines":['
BROADCAST = "broadcast"
#: How many of the longest waits are reported one by one.
SLOWEST = 1_000

_read_keys = msgspec.json.Decoder(list[TerminalKey]).decode
_read_message = msgspec.json.Decoder(ServerMessage).decode


class Generator:
    """The terminals, in crowds by the server they are connected to."""

    def __init__(self) -> None:
        self._crowds: dict[str, list[Terminal]] = {}
        self._heard: dict[str, Heard] = {}
        #: A terminal of each crowd that connects and disconnects, and its address.
        self._coming: dict[str, tuple[Terminal, str]] = {}
        #: When the generator itself was late: from when to when, and what it did meanwhile.
        self._late: list[tuple[float, float, float, float]] = []

    async def connect(
        self,
        crowd: str,
        address: str,
        keys: str,
        boxes_a_bet: int,
        greeting: bool,
        one_to_come: bool = False,
    ) -> dict[str, Any]:
        """Connect a crowd; terminals of a venue also say hello, and one is kept for later."""
        terminals = terminals_of(Path(keys), boxes_a_bet)
        if one_to_come:
            self._coming[crowd] = terminals.pop(), address
        began = time.perf_counter()
        for some in together(terminals):
            # Each terminal says hello at once: a waiting connection may be dropped for others.
            await connect(some, address)
            if greeting:
                await greet(some)
        self._crowds[crowd] = terminals
        gc.collect()
        gc.freeze()
        return {"seconds": time.perf_counter() - began}

    async def bet(self, crowd: str, bets: int, in_flight: int) -> dict[str, Any]:
        """Let a crowd bet; return the speed of its answers, and the generator's own usage."""
        betting = Betting(self._crowds[crowd], bets)
        cpu = time.process_time()
        seconds = await betting.run(in_flight)
        cpu = time.process_time() - cpu
        waits = sorted(betting.waits)
        return {
            "rate": bets / seconds,
            "p50": waits[len(waits) // 2],
            "p99": waits[len(waits) * 99 // 100],
            "most": waits[-1],
            "cpu": cpu / seconds,
            "refused": betting.refused,
        }

    async def steady(self, crowd: str, pace: float, seconds: float) -> dict[str, Any]:
        """Let a crowd bet at a steady pace; return the speed of its answers."""
        terminals = self._crowds[crowd]
        steady, comings = Steady(terminals), Comings(*self._coming[crowd])
        await steady.run(pace, seconds)
        await comings.end()
        waits = sorted(steady.waits)
        return {
            "bets": len(waits),
            "p50": waits[len(waits) // 2],
            "p99": waits[len(waits) * 99 // 100],
            "most": waits[-1],
            "refused": steady.refused,
            "lost": sum(each.lost is not None for each in terminals),
            "came": len(comings.waits),
            "coming": statistics.median(comings.waits),
            "longest_coming": max(comings.waits),
        }

    async def trace(self) -> dict[str, Any]:
        """Record from now on when the generator itself is late."""
        self._late = []
        return {}

    async def traced(self) -> dict[str, Any]:
        """Give when the generator was late."""
        return {"late": self._late}

    async def paced(self, crowd: str, pace: float, seconds: float) -> dict[str, Any]:
        """Let a crowd bet at a high and steady pace; return the waits, the longest one by one."""
        paced = Paced(self._crowds[crowd])
        await paced.run(pace, seconds)
        self._late += paced.late
        waits = sorted(paced.waits)
        pairs = zip(paced.dues, paced.waits, strict=True)
        longest = heapq.nlargest(SLOWEST, pairs, key=lambda each: each[1])
        return {
            "bets": len(waits),
            "p50": waits[len(waits) // 2],
            "p99": waits[len(waits) * 99 // 100],
            "most": waits[-1],
            "slow": longest,
            "refused": paced.refused,
        }

    async def expect(self, crowd: str, words: str) -> dict[str, Any]:
        """Expect some bytes from now on, or each terminal's own settled lines."""
        self._heard[crowd] = Heard(self._crowds[crowd], (words.encode(),))
        return {}

    async def heard(self, crowd: str) -> dict[str, Any]:
        """Wait until every terminal has received them; return the time of the last one."""
        return {"last": await self._heard.pop(crowd).by_all()}

    async def check(self, crowd: str) -> dict[str, Any]:
        """Compare the lines that each terminal holds with the bets it made; the round is over."""
        wrong = 0
        for terminal in self._crowds[crowd]:
            wrong += settled_stakes(terminal.kept) != terminal.stakes()
            terminal.settled_at = terminal.turn
        return {"wrong": wrong}

    async def ping(self, crowd: str) -> dict[str, Any]:
        """Wait until no message is on its way to any terminal."""
        await ping(self._crowds[crowd])
        return {}

    async def lost(self, crowd: str) -> dict[str, Any]:
        """Count the lost connections by reason."""
        lost = Counter(each.lost for each in self._crowds[crowd] if each.lost is not None)
        return {"lost": lost}


def terminals_of(keys: Path, boxes_a_bet: int) -> list[Terminal]:
    """Read the terminals' keys, and prepare the frames of their bets."""
    boxes = list(taisai.pay_table("ts6/2").boxes)
    return [
        Terminal(key, frames_for(key, boxes, boxes_a_bet)) for key in _read_keys(keys.read_bytes())
    ]


def settled_stakes(frame: bytes) -> dict[str, int] | None:
    """Read a terminal's message about its own round: the stake on each box that was settled."""
    for line in frame.splitlines():
        message = _read_message(line)
        last: RoundOutcome | None = None
        if isinstance(message, TerminalSnapshot):
            last = message.view.last
        elif isinstance(message, Private):
            last = message.changes.get("last")
        if last is not None:
            return {line.box: line.stake for line in last.lines}
    return None


async def main(_: list[str]) -> None:
    """Answer the bench until it closes the pipe."""
    generator = Generator()
    names = (
        "connect",
        "bet",
        "steady",
        "paced",
        "trace",
        "traced",
        "expect",
        "heard",
        "check",
        "ping",
        "lost",
    )
    await answer_lines({name: getattr(generator, name) for name in names})


if __name__ == "__main__":
    run_child(main)
