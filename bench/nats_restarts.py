"""How soon terminals are told again that their bets are registered once NATS is back.

The cluster of `takeovers` with two owners, at whose tables terminals bet all the time. NATS is
killed at a random moment, stays down for a time drawn from the seed, and is started again. Measured
is the time from when its server accepts connections until the next bet is reported as registered,
and until the rate is as before. No node may end, and no table may move to another owner.
"""

import argparse
import asyncio
import random
import statistics
import sys
import time

from bench.goals import tell
from bench.live.cluster import Cluster, cluster

EPOCHS = "SELECT sum(epoch) FROM taisai.owners"
#: How long NATS is down; tables are shown as suspended after a second.
AWAY_SECONDS = (0.0, 1.5)
STEADY_SECONDS = 2.0


async def restart(made: Cluster, chance: random.Random) -> float:
    """Kill NATS and start it again; return how long it then took until a bet was registered."""
    await asyncio.sleep(chance.uniform(0.0, 0.5))
    made.nats.kill()
    await asyncio.sleep(chance.uniform(*AWAY_SECONDS))
    made.nats.start()
    began, before = time.monotonic(), made.registered
    await made.until(lambda: made.registered > before)
    return time.monotonic() - began


async def run(times: int, rate: float, seed: int) -> int:
    """Restart NATS so often, and print the figures."""
    chance = random.Random(seed)  # noqa: S311 - when NATS is killed, nothing secret
    found = []
    async with cluster() as made:
        playing = await made.play(rate)
        await made.until(lambda: made.registered > 0)
        epochs = await made.database.fetchval(EPOCHS)
        for number in range(1, times + 1):
            steady = await made.rate(STEADY_SECONDS)
            found.append(await restart(made, chance))
            after = await made.rate(STEADY_SECONDS)
            print(
                f"{number:>4}  bets again after {found[-1]:.3f} s;"
                f" {steady:,.0f} a second before, {after:,.0f} after",
                flush=True,
            )
        passed = await made.database.fetchval(EPOCHS) - epochs
        ended = [name for name, each in made.processes.items() if each.returncode is not None]
        playing.cancel()
        await asyncio.wait([playing])
    print(
        f"{times} restarts of NATS: bets again after {statistics.median(found):.3f} s,"
        f" {max(found):.3f} s at the most; {passed} tables passed on; ended: {ended or 'nobody'}\n"
    )
    tell("NATS restart", max(found))
    return 1 if passed or ended else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="restarts (20)")
    parser.add_argument("--rate", type=float, default=3.0, help="bets a second of a terminal (3)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.exit(asyncio.run(run(asked.times, asked.rate, asked.seed)))
