"""The command line as a whole, and the commands that answer from a rulebook alone.

Other groups of commands are in `cli.grammar`, one module for each. Nothing heavy is imported here.
"""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from taisai import __version__
from taisai.cli.grammar.audit import add_audit
from taisai.cli.grammar.banks import add_plan, add_ruin
from taisai.cli.grammar.bots import add_bots
from taisai.cli.grammar.exposure import add_exposure
from taisai.cli.grammar.fairness import add_fairness
from taisai.cli.grammar.frame import Parser, add_command, add_rulebook
from taisai.cli.grammar.keys import add_keys
from taisai.cli.grammar.par import add_par
from taisai.cli.grammar.proof import add_backup, add_restore
from taisai.cli.grammar.records import add_export
from taisai.cli.grammar.serve import add_serve
from taisai.cli.grammar.simulate import add_simulate
from taisai.cli.grammar.slates import add_slates
from taisai.cli.grammar.staff import add_staff
from taisai.wording import LANGUAGES

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands

_DESCRIPTION = """\
Tai Sai / Sic Bo by four approved rulebooks: ask what a throw pays on any of eleven pay tables,
and which clause says so. A pay table is addressed as rulebook and number, like ts6/2."""

_EPILOG = """\
example:
  taisai explain ts6/2 --dice 2 2 2 --bet small=1000

'taisai COMMAND --help' explains a command. Amounts are whole numbers of minor units (cents)."""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; the namespace's `run` carries out the command."""
    parser = Parser(
        prog="taisai",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"taisai {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for add in (
        *(_add_rules, _add_odds, _add_settle, _add_explain, _add_layout, _add_simulate_house),
        *(add_serve, add_bots, add_keys, add_staff, add_audit, add_export, add_backup, add_restore),
        *(add_slates, add_ruin, add_plan, add_simulate),
        *(add_exposure, add_par, add_fairness),
    ):
        add(commands)
    return parser.parse_args(argv)


def _add(commands: "Commands", name: str, summary: str, detail: str, example: str) -> Parser:
    command = add_command(commands, name, summary, detail, example)
    add_rulebook(command)
    return command


def _add_rules(commands: "Commands") -> None:
    command = _add(
        commands,
        "rules",
        "list the rulebooks, or show one",
        "With a key, shows its clauses, people, procedure and irregularities.",
        "taisai rules div9",
    )
    command.add_argument("key", metavar="RULEBOOK", nargs="?", help="a rulebook's key, like ts6")


def _add_odds(commands: "Commands") -> None:
    command = _add(
        commands,
        "odds",
        "show what each box of a pay table pays, its chance and its house edge, exactly",
        "",
        "taisai odds etg8/2",
    )
    _add_pay_table(command)
    command.add_argument(
        "--allow-player-edge",
        action="store_true",
        help="take a rulebook of your own even where a box has no house edge",
    )


def _add_settle(commands: "Commands") -> None:
    command = _add(
        commands,
        "settle",
        "settle rounds, one JSON object a line, from a file or standard input",
        "Each line holds pay_table, dice, bets and, if wanted, limits. A line that cannot be\n"
        "settled is answered with an error, and the next one is read.",
        """echo '{"pay_table": "ts6/2", "dice": [2, 2, 6],"""
        """ "bets": [{"player": "a", "box": "double-2", "stake": 5000}]}' | taisai settle --json""",
    )
    command.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="the rounds; - or nothing: standard input",
    )
    _add_language(command)


def _add_explain(commands: "Commands") -> None:
    command = _add(
        commands,
        "explain",
        "tell the story of each bet of one round",
        "",
        "taisai explain ts6/2 --dice 2 2 2 --bet small=1000",
    )
    _add_pay_table(command)
    _add_dice(command, required=True)
    command.add_argument(
        "--bet",
        metavar="BOX=STAKE",
        nargs="+",
        action="extend",
        required=True,
        help="a bet, stake in minor units; PLAYER:BOX=STAKE for more than one player",
    )
    for name, help_ in (
        ("min", "the least a player may bet on a box"),
        ("max", "the most a box may hold, or a player bet on it, as the rulebook says"),
        ("differential", "how far Big and Small, or Odd and Even, may lie apart"),
        ("step", "what every stake is a multiple of"),
    ):
        command.add_argument(f"--{name}", type=int, metavar="AMOUNT", help=help_)
    _add_language(command)


def _add_layout(commands: "Commands") -> None:
    command = _add(
        commands,
        "layout",
        "draw the felt of a pay table, with the winning areas of a throw marked",
        "",
        "taisai layout ts6/1 --dice 2 2 6",
    )
    _add_pay_table(command)
    _add_dice(command, required=False)
    command.add_argument("--width", type=int, metavar="COLUMNS", help="how wide to draw it")
    _add_language(command)


def _add_simulate_house(commands: "Commands") -> None:
    command = _add(
        commands,
        "simulate-house",
        "play a seeded world of tables and cage, checked by an auditor all the while",
        "The same seed gives the same world. What the auditor finds is told with the command\n"
        "that shows it again, and ends with exit status 1.",
        "taisai simulate-house --seed 7 --rounds 200",
    )
    command.add_argument(
        "--seed", type=int, metavar="N", required=True, help="the seed of the world"
    )
    command.add_argument(
        "--rounds", type=int, metavar="M", default=200, help="how many rounds to play (200)"
    )
    command.add_argument(
        "--rulebook-keys",
        metavar="KEY",
        nargs="+",
        help="the rulebooks that the tables play by; otherwise all of them",
    )


def _add_pay_table(command: Parser) -> None:
    command.add_argument("pay_table", metavar="PAYTABLE", help="a pay table, like ts6/2")


def _add_dice(command: Parser, *, required: bool) -> None:
    command.add_argument(
        "--dice",
        nargs=3,
        type=int,
        metavar=("A", "B", "C"),
        required=required,
        help="the three faces, each from 1 to 6",
    )


def _add_language(command: Parser) -> None:
    command.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="the language of the sentences"
    )
