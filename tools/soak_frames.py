"""Attacks a live venue with frames for a long time: garbage, forgeries, and nearly correct frames.

Each attack goes over a real socket to a real server, as nobody, a visitor, a terminal or an
auditor; after each one the venue must be alive, have written nothing wrong, and have sent nothing
about anybody else. A failing attack is reduced as far as possible, and printed with its seed.
"""

import argparse
import asyncio
import logging
import secrets
import sys
import tempfile
from pathlib import Path

import uvloop
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.server.fuzz.attacking import AS, Attack, attack
from tests.server.fuzz.hall import hall
from tests.server.fuzz.strategies import attacks


def attack_as(who: str, cases: int, number: int) -> None:
    """Attack one venue in one role, so many times."""
    with (
        tempfile.TemporaryDirectory() as directory,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        opening = hall(Path(directory))
        place = runner.run(opening.__aenter__())

        @seed(number)
        @settings(
            max_examples=cases,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @given(sent=attacks)
        def attacked(sent: Attack) -> None:
            runner.run(attack(place, who, sent))

        try:
            attacked()
        finally:
            runner.run(opening.__aexit__(None, None, None))


def main() -> int:
    """Attack in every role in turn; print what failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2_000, help="attacks as each (2000)")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(10**9), help="to repeat a run"
    )
    options = parser.parse_args()
    # An error in the venue's log is a failure; the other log lines are of no use.
    logging.lastResort = None
    for who in AS:
        try:
            attack_as(who, options.cases, options.seed)
        except AssertionError as error:
            print(f"As {who}, with --seed {options.seed}: {error}", file=sys.stderr)
            print(*getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)
            return 1
        print(f"  as {who}: {options.cases:,} attacks (seed {options.seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
