"""Bets while attackers flood the venue: how long a registered bet takes, and whether memory grows.

The venue is on the first core. A process on the second core makes 2,000 hostile connections, of one
kind after another, as fast as it can. Beside them terminals bet at a steady pace. Required: 99 of
100 bets are answered within three times their time without a flood in the same run, or within 50
ms; no bet is refused; and nothing grows without a limit.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bench.goals import tell
from bench.live.children import Child, generator_core, server_core, started
from bench.live.flooder import KINDS
from bench.live.preparing import prepare_venue

CONNECTIONS = 2_000
SECONDS = 8.0
TERMINALS = 500
PACE = 300
QUIET = "quiet"
#: The requirements.
TIMES_QUIET = 3.0
ENOUGH_SECONDS = 0.050
GROWN_MAX = 256 * 1024 * 1024
HELD_MAX = 16 * 1024 * 1024
STRANGERS_MAX = 4_000


class Floods:
    """The venue, the betting terminals, the flooder, and the findings."""

    def __init__(self, venue: Child, generator: Child, flooder: Child) -> None:
        self._venue = venue
        self._generator = generator
        self._flooder = flooder
        self._address = ""
        self._quiet = 0.0
        self.missed: list[str] = []

    async def connect(self, keys: Path) -> None:
        """Connect the terminals."""
        self._address = (await self._venue.ask("address"))["address"]
        await self._generator.ask(
            "connect",
            crowd="venue",
            address=self._address,
            keys=str(keys),
            boxes_a_bet=1,
            greeting=True,
            one_to_come=True,
        )

    async def quiet(self, seconds: float) -> None:
        """Bet without a flood."""
        found = await self._bet(seconds)
        self._quiet = max(self._quiet, found["p99"])
        self._show(QUIET, found, {}, {})

    async def flood(self, kind: str, connections: int, seconds: float) -> None:
        """Bet during a flood."""
        before = await self._venue.ask("crowd")
        await self._flooder.ask("begin", address=self._address, kind=kind, connections=connections)
        found = await self._bet(seconds)
        during = await self._venue.ask("crowd")
        counts = (await self._flooder.ask("end"))["counts"]
        after = await self._venue.ask("alone")
        self._show(kind, found, counts, during)
        self._judge(kind, found, before, during, after)

    async def _bet(self, seconds: float) -> dict[str, Any]:
        await self._venue.ask("open_bets")
        found = await self._generator.ask("steady", crowd="venue", pace=PACE, seconds=seconds)
        await self._venue.ask("finish_round")
        return found

    def _judge(
        self,
        kind: str,
        found: dict[str, Any],
        before: dict[str, Any],
        during: dict[str, Any],
        after: dict[str, Any],
    ) -> None:
        limit = max(TIMES_QUIET * self._quiet, ENOUGH_SECONDS)
        strangers = during["newcomers"] + during["visitors"]
        wrong = {
            f"99 of 100 within {found['p99'] * 1_000:.0f} ms, not {limit * 1_000:.0f}": found["p99"]
            > limit,
            f"refused: {found['refused']}": bool(found["refused"]),
            f"{found['lost']} terminals were cut off": bool(found["lost"]),
            f"{strangers} strangers at once": strangers > STRANGERS_MAX,
            f"{during['most_held']} bytes waiting": during["most_held"] > HELD_MAX,
            f"{after['strangers']} strangers are still there": bool(after["strangers"]),
            f"memory grew by {(after['memory'] - before['memory']) >> 20} MB": after["memory"]
            - before["memory"]
            > GROWN_MAX,
        }
        self.missed += [f"{kind}: {what}" for what, is_so in wrong.items() if is_so]

    def _show(
        self, kind: str, found: dict[str, Any], counts: dict[str, int], during: dict[str, Any]
    ) -> None:
        print(
            f"{kind:34} {found['bets']:>6,} bets, {found['p50'] * 1_000:6.1f} ms,"
            f" 99 of 100 {found['p99'] * 1_000:6.1f} ms, longest {found['most'] * 1_000:6.0f} ms;"
            f" {found['came']} came, {found['coming'] * 1_000:.0f} ms,"
            f" longest {found['longest_coming'] * 1_000:.0f} ms"
        )
        if counts:
            away = ", ".join(f"{why} {count:,}" for why, count in during["turned_away"].items())
            print(
                f"{'':34} {counts.get('connected', 0):,} connections,"
                f" {counts.get('bytes', 0) >> 20:,} MB, {counts.get('answers', 0):,} answers;"
                f" at once {during['newcomers']:,} newcomers, {during['visitors']:,} visitors;"
                f" {during['memory'] >> 20} MB; {away}",
                flush=True,
            )


async def main(
    folder: Path, keys: Path, connections: int, seconds: float, kinds: Sequence[str] = KINDS
) -> list[str]:
    """Measure without a flood, during each flood, then without again; return what was missed."""
    async with AsyncExitStack() as stack:

        async def start(module: str, core: int, *arguments: Any) -> Child:
            child = started(module, core, *(str(each) for each in arguments))
            return await stack.enter_async_context(child)

        floods = Floods(
            await start("venue_server", server_core(), folder / "venue"),
            await start("generator", generator_core()),
            await start("flooder", generator_core()),
        )
        await floods.connect(keys)
        await floods.quiet(seconds)
        for kind in kinds:
            await floods.flood(kind, connections, seconds)
        await floods.quiet(seconds)
    return floods.missed


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--connections", type=int, default=CONNECTIONS)
    options.add_argument("--seconds", type=float, default=SECONDS, help="of each flood")
    options.add_argument("--terminals", type=int, default=TERMINALS)
    options.add_argument("--kind", action="append", choices=KINDS, help="one of them alone")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        prepared = prepare_venue(Path(scratch) / "venue", asked.terminals)
        not_kept = asyncio.run(
            main(
                Path(scratch),
                prepared,
                asked.connections,
                asked.seconds,
                asked.kind or KINDS,
            )
        )
    for each in not_kept:
        print(f"MISSED: {each}")
    tell("flood", len(not_kept))
    sys.exit(bool(not_kept))
