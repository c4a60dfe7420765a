"""Kills real venues under load a thousand times, on SQLite and on PostgreSQL.

Stops at the first broken promise, and leaves the journal for inspection if it is a file. The times
are drawn from the seed, but the state they hit depends on the machine. `make soak` runs it.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.killing.crowd import PromiseBrokenError
from tests.faults.killing.places import Place
from tests.faults.killing.run import Report, Run
from tests.postgres import any_server, empty, own_database

#: How many kills a journal takes before a new venue is founded: a check reads all of it.
KILLS_OF_A_JOURNAL = 50
BACKENDS = ("sqlite", "postgresql")


class Progress:
    """Prints the progress now and then."""

    def __init__(self, kills: int) -> None:
        self._kills = kills
        self._began = self._shown = time.monotonic()
        self.done = 0

    def count(self, _: int) -> None:
        """Count one more kill."""
        self.done += 1
        now = time.monotonic()
        tty = sys.stderr.isatty()
        if now - self._shown < (1 if tty else 30):
            return
        self._shown = now
        start, end = ("\r\x1b[K", "") if tty else ("", "\n")
        line = f"{start}{self.done:,} of {self._kills:,} kills in {self.seconds:,.0f} s"
        print(line, end=end, file=sys.stderr, flush=True)

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return time.monotonic() - self._began


@contextmanager
def journals(backend: str) -> Iterator[Callable[[Path], str]]:
    """Make the function that names a new journal of a backend, for a new directory."""
    if backend == "sqlite":
        yield lambda directory: str(directory / "journal")
        return
    with any_server() as server, own_database(server) as url:

        def emptied(_: Path) -> str:
            empty(url)
            return url

        yield emptied


def kill_on(backend: str, kills: int, seed: int, progress: Progress) -> Iterator[Report | str]:
    """Kill venues of one backend, with a new journal every so often: reports, or a finding."""
    with journals(backend) as journal_in:
        for number, start in enumerate(range(0, kills, KILLS_OF_A_JOURNAL)):
            directory = Path(tempfile.mkdtemp(prefix="taisai-kills-"))
            run = Run(journal_in(directory), directory, seed + number)
            run.told = progress.count
            try:
                yield asyncio.run(run.kill(min(KILLS_OF_A_JOURNAL, kills - start)))
            except PromiseBrokenError as broken:
                yield f"{broken}\nwith the seed {seed + number} on {backend}, in {directory}"
                return
            shutil.rmtree(directory)


def main() -> int:
    """Run the soak, and print its outcome."""
    parser = argparse.ArgumentParser(description="Kill real venues under load, many times.")
    parser.add_argument("--kills", type=int, default=1_000, help="kills on each backend")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first venue")
    parser.add_argument("--on", choices=BACKENDS, nargs="+", default=BACKENDS, help="backends")
    asked = parser.parse_args()
    progress = Progress(asked.kills * len(asked.on))
    reports: dict[str, list[Report]] = {backend: [] for backend in asked.on}
    status = 0
    for backend in asked.on:
        for result in kill_on(backend, asked.kills, asked.seed, progress):
            if isinstance(result, str):
                print(f"\nfound: {result}", flush=True)
                status = 1
            else:
                reports[backend].append(result)
    _show(reports)
    print(f"{progress.done:,} kills in {progress.seconds:,.0f} s")
    return status


def _show(reports: dict[str, list[Report]]) -> None:
    """Print the counts, a line for each and a column for each backend."""
    lines: list[tuple[str, Callable[[Report], int]]] = [
        *((f"killed {place.words}", lambda each, at=place: each.kills[at]) for place in Place),
        ("  of all these, while being founded", lambda each: each.founding),
        ("  with a batch that outlived the venue", lambda each: each.outlived),
        ("killed while idle, not counted", lambda each: each.idle),
        ("commands asked from outside", lambda each: each.tally.asked),
        ("  told registered", lambda each: each.tally.registered),
        ("  told refused", lambda each: each.tally.refused),
        ("  never answered", lambda each: each.tally.unanswered),
        ("  sent again with the same id", lambda each: each.tally.sent_again),
        ("  durable, and told only by a later venue", lambda each: each.tally.found_durable),
        ("events checked", lambda each: each.checked.events),
        ("rounds ended, once each", lambda each: each.checked.rounds),
        ("interruptions ruled on", lambda each: each.checked.interruptions),
        ("checkpoints checked", lambda each: each.checked.checkpoints),
    ]
    print(f"\n{'':<42}" + "".join(f"{backend:>14}" for backend in reports))
    for name, count in lines:
        counts = [sum(count(each) for each in made) for made in reports.values()]
        print(f"{name:<42}" + "".join(f"{each:>14,}" for each in counts))


if __name__ == "__main__":
    sys.exit(main())
