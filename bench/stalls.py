"""Whether a table moves to another owner although none is lost: at full load, while disks stall.

The cluster of `takeovers` with two owners, at whose tables so many terminals bet, as often as one
may, that both processors are always busy. Every few seconds the database's writing sessions are
stopped for half a second, as by a stalled disk. No table may move to another owner, and no owner
may find that it was silent for too long.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import time
from contextlib import suppress

from bench.goals import tell
from bench.live.cluster import Cluster, cluster

#: Forty at each of twenty tables ask for more than two processors can do; each may send fifty
#: commands a second.
SEATS_A_TABLE = 40
RATE = 50.0
STALL_SECONDS = 0.5
STALLED_EVERY = (2.0, 8.0)
REPORT_SECONDS = 60.0
#: The sessions that write events; beats use others, and are not synced.
WRITERS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'taisai'"
EPOCHS = "SELECT sum(epoch) FROM taisai.owners"


async def stall(made: Cluster) -> None:
    """Stop the writing sessions for half a second."""
    writers = [row[0] for row in await made.database.fetch(WRITERS)]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in writers:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        await asyncio.sleep(STALL_SECONDS if number == signal.SIGSTOP else 0)


async def run(minutes: float, rate: float, seed: int) -> int:
    """Stall for so long, and count the tables that moved."""
    chance = random.Random(seed)  # noqa: S311 - when the disk stalls, nothing secret
    async with cluster() as made:
        playing = await made.play(rate, SEATS_A_TABLE)
        await made.until(lambda: made.registered > 0)
        epochs, bets = await made.database.fetchval(EPOCHS), made.registered
        began = reported = time.monotonic()
        stalls = 0
        while (now := time.monotonic()) < began + minutes * 60:
            await asyncio.sleep(chance.uniform(*STALLED_EVERY))
            await stall(made)
            stalls += 1
            if now - reported >= REPORT_SECONDS:
                reported = now
                passed = await made.database.fetchval(EPOCHS) - epochs
                print(
                    f"{(now - began) / 60:4.0f} min: {stalls} stalls, {passed} passed on",
                    flush=True,
                )
        passed = int(await made.database.fetchval(EPOCHS) - epochs)
        seconds, bets = time.monotonic() - began, made.registered - bets
        suspended = made.said("not been heard of for too long")
        playing.cancel()
        await asyncio.wait([playing])
    print(
        f"{seconds / 60:.1f} min, {bets / seconds:,.0f} bets a second, {stalls} stalls of"
        f" {STALL_SECONDS} s: {passed} tables passed on, {suspended} suspended themselves\n"
    )
    tell("false take-overs", passed)
    return 1 if passed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="for how long (60)")
    parser.add_argument("--rate", type=float, default=RATE, help="each terminal's bets a second")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.exit(asyncio.run(run(asked.minutes, asked.rate, asked.seed)))
