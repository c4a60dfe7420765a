"""How soon old rounds are put right at a table that has played 100,000 rounds since [D24].

The journal is written first, every event decided by the core: a set of dice was used for 1,000
rounds, and another for all rounds since. Then a venue is opened on it, which settles one of those
rounds again and voids all of them, with a second person each time; meanwhile a terminal bets.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from bench.goals import tell
from bench.long_journal import LongVenue

from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Actor, BoxStake, Command, Order
from taisai.core.table.betting import PlaceBets
from taisai.core.table.corrections import CorrectSettledRound, VoidSettledRounds
from taisai.core.table.round import OpenBets
from taisai.runtime.answers import Registered
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from taisai.runtime.verification.verifier import Asked, verify

SINCE = 100_000
AFFECTED = 1_000
TERMINALS = 20
BETS_A_ROUND = 20
#: Rounds written to the journal at once.
BATCH = 100

STREAM = table_stream("T1")
SUPERVISOR, PIT = Actor("sue", "supervisor"), Actor("pat", "pit-manager")
DEALER = Actor("dan", "dealer")


async def write(folder: Path, affected: int, since: int) -> int:
    """Write the journal; return its number of events."""
    journal = await SqliteJournal.open(folder / "journal")
    venue = LongVenue(journal, load_keys(folder / "keys"), 1, TERMINALS)
    for number in range(affected + since):
        if number == affected:
            venue.change_dice("D2")
        for _ in venue.play(BETS_A_ROUND):
            pass
        if number % BATCH == 0:
            await venue.write()
    await venue.end()
    await journal.close()
    return venue.events


class Bench:
    """A venue on the journal, and the waiting times of its people."""

    def __init__(self, venue: Runtime) -> None:
        self._venue = venue
        self._orders = 0
        self._held_up = 0.0
        #: The longest waits, for an answer and for a bet meanwhile.
        self.longest = {"past answer": 0.0, "past bet": 0.0}

    async def send(self, actor: Actor, command: Command) -> tuple[Registered, float]:
        """Send a command; return its answer, and how long it took."""
        self._orders += 1
        order = Order(f"{self._venue.clock.now()}-{self._orders}", actor, command)
        began = time.perf_counter()
        answer = await self._venue.submit(STREAM, order)
        assert isinstance(answer, Registered), answer
        return answer, time.perf_counter() - began

    async def bet_on(self) -> None:
        """Bet all the time, and record the longest delay of a bet."""
        while True:
            bet = PlaceBets("T1-0", (BoxStake("big", 1_000),))
            _, took = await self.send(Actor("T1-0", "terminal"), bet)
            self._held_up = max(self._held_up, took)
            await asyncio.sleep(0)

    async def put_right(self, what: str, command: Command) -> None:
        """Send the command, approve it, and print how long each took."""
        self._held_up = 0.0
        betting = asyncio.get_running_loop().create_task(self.bet_on())
        asked, first = await self.send(SUPERVISOR, command)
        request = asked.events[-1]
        assert isinstance(request, ApprovalRequested)
        _, second = await self.send(PIT, Approve(request.pending, asked.last))
        betting.cancel()
        print(f"{what:32}asked {first:6.3f} s   agreed {second:6.3f} s", end="   ")
        print(f"a bet meanwhile at most {self._held_up * 1_000:5.0f} ms")
        for key, took in (("past answer", max(first, second)), ("past bet", self._held_up)):
            self.longest[key] = max(self.longest[key], took)


async def measure(folder: Path, affected: int) -> None:
    """Put rounds right, and let the auditor verify everything."""
    keys = load_keys(folder / "keys")
    venue = await Runtime.open(await SqliteJournal.open(folder / "journal"), keys)
    bench = Bench(venue)
    await venue.checked()
    await bench.send(DEALER, OpenBets())
    wrong = CorrectSettledRound(affected // 2, (6, 6, 6), "seen on camera")
    await bench.put_right("one round settled again", wrong)
    damaged = VoidSettledRounds(1, "a chipped die", "D1")
    await bench.put_right(f"{affected:,} rounds void", damaged)
    await venue.stop()
    journal = await SqliteJournal.open(folder / "journal", read_only=True)
    began = time.perf_counter()
    report = await verify(journal, Asked())
    await journal.close()
    assert report.verified, report.faults
    print(f"verified, old rounds too        {time.perf_counter() - began:6.1f} s")
    for key, took in bench.longest.items():
        tell(key, took)


def main(affected: int, since: int) -> None:
    """Write the journal, measure, and print the figures."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        create_keys(folder / "keys")
        began = time.perf_counter()
        events = asyncio.run(write(folder, affected, since))
        took = time.perf_counter() - began
        print(f"{affected + since:,} rounds, {events:,} events, written in {took:.0f} s")
        asyncio.run(measure(folder, affected))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--affected", type=int, default=AFFECTED)
    parser.add_argument("--since", type=int, default=SINCE)
    given = parser.parse_args()
    main(given.affected, given.since)
