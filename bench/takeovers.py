"""How soon the tables of a lost owner are open at another, and how fast bets are taken there.

A cluster on this machine: PostgreSQL, NATS, an office, two owners, a gateway, and twenty tables at
which terminals bet, so that each loss happens in a round. The owner of all tables is killed or
stopped, in turn, again and again; the cluster stays up, and only the killed owner is started again.
Before each loss the newest snapshots are removed until the tables have on average a thousand events
each without one. Measured is the time from the loss until the other owner says over NATS, as to
gateways, that it owns every table; the rate of bets reported as registered in the five seconds
after is compared with the five before.

With `--kept FILE` each loss is stored there, and an interrupted run continues where it was.
"""

import argparse
import asyncio
import signal
import statistics
import sys
import time
from pathlib import Path
from typing import Literal

import msgspec
from bench.goals import tell
from bench.live.children import processor_seconds
from bench.live.cluster import STREAMS, TABLES, Cluster, cluster
from msgspec import Struct

#: The average number of events of a table since its last snapshot.
TAIL = 1_000
WITHIN_SECONDS = 2.0
RATE_SECONDS = 5.0
TAILS = """
SELECT stream, (SELECT max(version) FROM taisai.events WHERE stream = asked.stream)
  - coalesce((SELECT max(version) FROM taisai.snapshots WHERE stream = asked.stream), 0)
FROM unnest($1::text[]) AS asked(stream)
"""
#: Never a table's last snapshot: without any, all of its events would have to be read back.
LENGTHEN = """
DELETE FROM taisai.snapshots WHERE stream = $1
  AND version = (SELECT max(version) FROM taisai.snapshots WHERE stream = $1)
  AND version > (SELECT min(version) FROM taisai.snapshots WHERE stream = $1)
"""


class Loss(Struct):
    """One loss of an owner, and its figures."""

    how: Literal["killed", "stopped"]
    #: Events that had to be read back, of all tables.
    tail: int
    #: The time until every table was open at the other owner, and its processor time for this.
    seconds: float
    processor: float
    #: Bets a second before, and right after.
    before: float
    after: float

    @property
    def rate(self) -> float:
        """The rate right after, relative to that before."""
        return self.after / self.before


async def tail_of_all(made: Cluster) -> int:
    """Count the events of all tables that no snapshot covers."""
    return sum(row[1] for row in await made.database.fetch(TAILS, [*STREAMS]))


async def lengthen(made: Cluster) -> int:
    """Remove newest snapshots until tails are long enough; return their total length."""
    for stream in sorted(STREAMS):
        if (tail := await tail_of_all(made)) >= TAIL * TABLES:
            return tail
        await made.database.execute(LENGTHEN, stream)
    return await tail_of_all(made)


async def lose(made: Cluster, owner: str, heir: str, how: Literal["killed", "stopped"]) -> Loss:
    """Lose the owner of all tables, and time how long the other takes to open them."""
    before = await made.rate(RATE_SECONDS)
    tail = await lengthen(made)
    process, pid = made.processes[owner], made.processes[heir].pid
    used, began = processor_seconds(pid), time.monotonic()
    process.send_signal(signal.SIGKILL if how == "killed" else signal.SIGSTOP)
    await made.until_all_at(heir)
    seconds, used = time.monotonic() - began, processor_seconds(pid) - used
    after = await made.rate(RATE_SECONDS)
    made.forget(owner)
    if how == "killed":
        await process.wait()
        await made.start(owner)
    else:
        process.send_signal(signal.SIGCONT)
    await made.until_none_at(owner)
    return Loss(how, tail, seconds, used, before, after)


async def run(times: int, rate: float, kept: Path | None) -> list[Loss]:
    """Lose owners until there are enough losses; return all of them."""
    losses = read_kept(kept)
    if len(losses) >= times:
        return losses
    print(
        f"{'':>4}  {'':8} {'tail':>7} {'open after':>11} {'of heir':>8} {'before':>8} {'after':>8}"
    )
    async with cluster() as made:
        playing = await made.play(rate)
        owner, heir = "east", "west"
        await made.gather_at(owner)
        while await tail_of_all(made) < TAIL * TABLES / 2:
            await made.rate(1.0)
        while len(losses) < times:
            how: Literal["killed", "stopped"] = "stopped" if len(losses) % 2 else "killed"
            losses.append(await lose(made, owner, heir, how))
            owner, heir = heir, owner
            show(len(losses), losses[-1])
            keep(kept, losses[-1])
        playing.cancel()
        await asyncio.wait([playing])
    return losses


def read_kept(kept: Path | None) -> list[Loss]:
    """Read what was measured before."""
    lines = kept.read_bytes().splitlines() if kept is not None and kept.exists() else []
    return [msgspec.json.decode(line, type=Loss) for line in lines]


def keep(kept: Path | None, loss: Loss) -> None:
    """Note a loss."""
    if kept is not None:
        with kept.open("ab") as file:
            file.write(msgspec.json.encode(loss) + b"\n")


def show(number: int, loss: Loss) -> None:
    """Print a line of the table."""
    print(
        f"{number:>4}  {loss.how:8} {loss.tail:>7,} {loss.seconds:>9.2f} s {loss.processor:>6.2f} s"
        f" {loss.before:>6,.0f}/s {loss.after:>6,.0f}/s{loss.rate:>6.2f}",
        flush=True,
    )


def report(losses: list[Loss]) -> None:
    """Print the figures by the kind of loss, beside the goals."""
    print()
    for how in ("killed", "stopped"):
        seconds = sorted(each.seconds for each in losses if each.how == how)
        if seconds:
            late = sum(each >= WITHIN_SECONDS for each in seconds)
            print(
                f"{len(seconds)} owners of {TABLES} tables {how}: open elsewhere after"
                f" {statistics.median(seconds):.2f} s, {seconds[-1]:.2f} s at the most;"
                f" {late} took {WITHIN_SECONDS:.0f} s or longer"
            )
    print()
    in_time = sum(each.seconds < WITHIN_SECONDS for each in losses)
    tell("take-overs in time", in_time / len(losses))
    tell("rate after a take-over", statistics.median(each.rate for each in losses))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="owners to lose (100)")
    parser.add_argument("--rate", type=float, default=3.0, help="bets a second of a terminal (3)")
    parser.add_argument("--kept", type=Path, help="where each loss is noted, and gone on from")
    asked = parser.parse_args()
    report(asyncio.run(run(asked.times, asked.rate, asked.kept)))
    sys.exit(0)
