"""`taisai simulate-house`: a seeded world of tables and cage, audited all the while."""

import argparse
import json
import shlex
import sys
import time
from typing import Any

from taisai.cli.refused import Refused, Wrong
from taisai.cli.shelves import find_rulebook, shelf_of
from taisai.cli.tables import align
from taisai.rulebooks import KEYS
from taisai.runtime.simulator import Finding, Report, simulate
from taisai.wording import write_amount

_EVERY_SECONDS = 0.2
ROUNDS_MAX = 1_000_000


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai simulate-house`."""
    seed, rounds = arguments.seed, arguments.rounds
    if seed < 0 or not 1 <= rounds <= ROUNDS_MAX:
        raise Wrong(f"the seed is zero or more, the rounds are between 1 and {ROUNDS_MAX:,}")
    shelf = shelf_of(arguments)
    keys = arguments.rulebook_keys or (KEYS if arguments.rulebook is None else shelf.keys()[:1])
    rulebooks = [find_rulebook(shelf, key) for key in keys]
    progress = _Progress(rounds)
    try:
        report = simulate(seed, rounds, rulebooks, progress.step)
    except Finding as finding:
        return _tell_finding(arguments, str(finding), tuple(keys))
    finally:
        progress.end()
    print(_as_json(report, tuple(keys)) if arguments.json else _as_text(report, tuple(keys)))
    return 0


class _Progress:
    """How many rounds have been played, told while a person is watching and not otherwise."""

    def __init__(self, rounds: int) -> None:
        self._watched = sys.stderr.isatty()
        self._rounds = rounds
        self._shown_at = self._began_at = time.monotonic()

    def step(self, done: int) -> None:
        now = time.monotonic()
        if self._watched and now - self._shown_at >= _EVERY_SECONDS:
            self._shown_at = now
            rate = done / (now - self._began_at)
            line = f"\r\x1b[K{done:,} of {self._rounds:,} rounds, {rate:,.0f} a second"
            print(line, end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._watched:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _command(arguments: argparse.Namespace, keys: tuple[str, ...]) -> str:
    """Write the exact command that runs the same world again."""
    words = ["taisai", "simulate-house", "--seed", arguments.seed, "--rounds", arguments.rounds]
    if arguments.rulebook is not None:
        words += ["--rulebook", arguments.rulebook]
    return shlex.join(map(str, [*words, "--rulebook-keys", *keys]))


def _tell_finding(arguments: argparse.Namespace, sentence: str, keys: tuple[str, ...]) -> int:
    command = _command(arguments, keys)
    if not arguments.json:
        raise Refused(f"in the world of seed {arguments.seed}: {sentence}\nagain with: {command}")
    finding = {"seed": arguments.seed, "finding": sentence, "command": command}
    print(json.dumps(finding, indent=1))
    return 1


def _as_json(report: Report, keys: tuple[str, ...]) -> str:
    tally = report.tally
    answer: dict[str, Any] = {
        "seed": report.seed,
        "rulebooks": keys,
        "tables": report.tables,
        "rounds": {"settled": tally.settled, "void": tally.void},
        "bets_registered": tally.bets,
        "refused": dict(tally.refusals.most_common()),
        "corrections": report.corrections,
        "vouchers_issued": report.vouchers,
        "turnover_cents": report.turnover,
        "hold_cents": report.hold,
        "commands": tally.commands,
        "events": dict(tally.events.most_common()),
        "router_crashes": tally.crashes,
        "checks": tally.checks(),
        "fingerprint": report.fingerprint,
        "finding": None,
    }
    return json.dumps(answer, indent=1)


def _as_text(report: Report, keys: tuple[str, ...]) -> str:
    tally = report.tally
    rows = [
        ("rounds settled", f"{tally.settled:,}"),
        ("rounds void", f"{tally.void:,}"),
        ("bets registered", f"{tally.bets:,}"),
        ("corrections", f"{report.corrections:,}"),
        ("vouchers issued", f"{report.vouchers:,}"),
        ("turnover", write_amount(report.turnover)),
        ("hold", write_amount(report.hold)),
        ("crashes of the router", f"{tally.crashes:,}"),
        ("commands refused", f"{tally.refusals.total():,} of {tally.commands:,}"),
        *((f"  {code}", f"{count:,}") for code, count in tally.refusals.most_common(10)),
        *((f"checked: {name}", f"{count:,}") for name, count in tally.checks().items()),
    ]
    tables = "1 table" if report.tables == 1 else f"{report.tables} tables"
    return (
        f"The world of seed {report.seed}: {tables} by {', '.join(keys)}. Nothing found.\n"
        f"{align(('', 'count'), rows, right=' r')}\n"
        f"events  {report.fingerprint}"
    )
