"""`taisai simulate-venue`: a seeded world of tables and cage, audited all the time."""

import argparse
import shlex
from typing import Any

from taisai.cli.catalogue import catalogue_of
from taisai.cli.command import RULEBOOK, Output, Refused, argument, command, pick, whole
from taisai.cli.progress import ProgressLine
from taisai.cli.text import align
from taisai.rulebooks import KEYS
from taisai.runtime.simulator import Finding, Report, simulate
from taisai.wording import write_amount

ROUNDS_MAX = 1_000_000


@command(
    "taisai simulate-venue --seed 7 --rounds 200",
    RULEBOOK,
    whole("--seed N", "the seed of the world", least=0, required=True),
    whole("--rounds M", "how many rounds to play (200)", least=1, most=ROUNDS_MAX, default=200),
    argument(
        "--rulebook-keys KEY",
        "the rulebooks that the tables play by; otherwise all of them",
        nargs="+",
    ),
    detail="The same seed gives the same world. What the auditor finds is shown with the command\n"
    "that shows it again, and ends with exit status 1.",
)
def simulate_venue(arguments: argparse.Namespace) -> Output:
    seed, rounds = arguments.seed, arguments.rounds
    catalogue = catalogue_of(arguments)
    all_keys = KEYS if arguments.rulebook is None else catalogue.keys()[:1]
    keys = tuple(arguments.rulebook_keys or all_keys)
    rulebooks = [catalogue.rulebook(key) for key in keys]
    with ProgressLine() as line:

        def step(done: int) -> None:
            line.show(lambda s: f"{done:,} of {rounds:,} rounds, {done / s:,.0f} a second")

        try:
            report = simulate(seed, rounds, rulebooks, step)
        except Finding as finding:
            return _finding(arguments, str(finding), keys)
    return Output(lambda: _answer(report, keys), lambda: _text(report, keys))


def _command(arguments: argparse.Namespace, keys: tuple[str, ...]) -> str:
    """Write the exact command that runs the same world again."""
    words = ["taisai", "simulate-venue", "--seed", arguments.seed, "--rounds", arguments.rounds]
    if arguments.rulebook is not None:
        words += ["--rulebook", arguments.rulebook]
    return shlex.join(map(str, [*words, "--rulebook-keys", *keys]))


def _finding(arguments: argparse.Namespace, sentence: str, keys: tuple[str, ...]) -> Output:
    command = _command(arguments, keys)
    if not arguments.json:
        raise Refused(f"in the world of seed {arguments.seed}: {sentence}\nagain with: {command}")
    finding = {"seed": arguments.seed, "finding": sentence, "command": command}
    return Output(lambda: finding, str, status=1)


def _answer(report: Report, keys: tuple[str, ...]) -> dict[str, Any]:
    tally = report.tally
    return {
        "seed": report.seed,
        "rulebooks": keys,
        **pick(report, "tables", "corrections", "fingerprint"),
        "rounds": {"settled": tally.settled, "void": tally.void},
        "bets_registered": tally.bets,
        "refused": dict(tally.refusals.most_common()),
        "vouchers_issued": report.vouchers,
        "turnover_cents": report.turnover,
        "hold_cents": report.hold,
        "commands": tally.commands,
        "events": dict(tally.events.most_common()),
        "router_crashes": tally.crashes,
        "checks": tally.checks(),
        "finding": None,
    }


def _text(report: Report, keys: tuple[str, ...]) -> str:
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
