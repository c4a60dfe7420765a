"""Compares this code with older code: both measured in turn in one run, with ratios of the pairs.

    python -m bench.compare OLD_TREE [--pairs 9] [--bench table] [--bench live_bets]

OLD_TREE is any checkout of this project that has an environment of its own in `.venv`. One run
before the first pair warms both up and is not counted. Each pair measures both, the older first in
every other pair. The result is the median of new/old over the pairs: below 1, the new is faster.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
BENCHES = ("table", "durable_bets", "live_bets", "live_fanout")
PAIRS = 9

Seconds = dict[str, float]


class Checkout:
    """A bench of one checkout, running in a process of its own."""

    def __init__(self, tree: Path, python: str, bench: str) -> None:
        driver = ROOT / "bench" / "drive.py"
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - open as long as the process
        self._process = subprocess.Popen(
            # -P: the driver's folder is in this checkout, and must not be on the other's path.
            [python, "-P", str(driver), bench],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def measure(self) -> Seconds:
        """Measure once."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            sys.exit(f"\n{self._errors.read()}\nthe bench ended early: {self._process.args!r}")
        return msgspec.json.decode(line, type=Seconds)

    def end(self) -> None:
        """Close its input, and wait until it ends."""
        self._process.communicate(timeout=60)


@contextmanager
def checkouts(bench: str, old: Path) -> Iterator[tuple[Checkout, Checkout]]:
    """Start a bench in both checkouts, this one first."""
    both = (
        Checkout(ROOT, sys.executable, bench),
        Checkout(old, str(old / ".venv" / "bin" / "python"), bench),
    )
    yield both
    for each in both:
        each.end()


def compare(bench: str, old_tree: Path, pairs: int) -> dict[str, list[tuple[float, float]]]:
    """Measure both in turn; return pairs of new and old seconds by the name of the figure."""
    taken: dict[str, list[tuple[float, float]]] = {}
    with checkouts(bench, old_tree) as (new, old):
        for pair in range(-1, pairs):
            print(f"\r{bench}: pair {pair + 1} of {pairs}", end="", file=sys.stderr, flush=True)
            if pair % 2:
                before, after = old.measure(), new.measure()
            else:
                after, before = new.measure(), old.measure()
            if pair >= 0:
                for name, seconds in after.items():
                    taken.setdefault(name, []).append((seconds, before[name]))
    print("\r\x1b[K", end="", file=sys.stderr)
    return taken


def show(name: str, pairs: list[tuple[float, float]]) -> None:
    """Print the medians, the median of the ratios, and the least and the largest ratio."""
    ratios = sorted(new / old for new, old in pairs)
    new, old = (statistics.median(each) * 1e6 for each in zip(*pairs, strict=True))
    print(
        f"{name:34} {new:>14,.2f} {old:>14,.2f} {statistics.median(ratios):>8.3f}"
        f"   {ratios[0]:.3f} to {ratios[-1]:.3f}",
        flush=True,
    )


def main() -> None:
    """Run the requested comparisons."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old_tree", type=Path, help="a checkout with its own .venv")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="how often both are measured")
    parser.add_argument("--bench", action="append", choices=BENCHES, help="only these benches")
    asked = parser.parse_args()
    old = asked.old_tree.resolve()
    if not (old / ".venv" / "bin" / "python").exists():
        parser.error(f"{old} has no environment: run 'make setup' there first")
    print(f"{'':34} {'new, µs':>14} {'old, µs':>14} {'new/old':>8}   from pair to pair")
    for bench in asked.bench or BENCHES:
        for name, pairs in compare(bench, old, asked.pairs).items():
            show(name, pairs)


if __name__ == "__main__":
    main()
