"""The command line's grammar: commands, options and examples; nothing heavy is imported here."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from taisai import __version__
from taisai.cli.refused import Wrong
from taisai.wording import LANGUAGES

_DESCRIPTION = """\
Tai Sai / Sic Bo by four approved rulebooks: ask what a throw pays on any of eleven pay tables,
and which clause says so. A pay table is addressed as rulebook and number, like ts6/2."""

_EPILOG = """\
example:
  taisai explain ts6/2 --dice 2 2 2 --bet small=1000

'taisai COMMAND --help' explains a command. Amounts are whole numbers of minor units (cents)."""


class _Parser(argparse.ArgumentParser):
    """A parser that answers a mistake with one sentence instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        raise Wrong(f"{message}; '{self.prog} --help' shows how")


if TYPE_CHECKING:
    # The type of what add_subparsers returns has no public name.
    _Commands: TypeAlias = argparse._SubParsersAction[_Parser]  # noqa: SLF001


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; the namespace's `run` carries out the command."""
    parser = _Parser(
        prog="taisai",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"taisai {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for add in (_add_rules, _add_odds, _add_settle, _add_explain, _add_layout, _add_simulate_house):
        add(commands)
    return parser.parse_args(argv)


def _add(commands: "_Commands", name: str, summary: str, detail: str, example: str) -> _Parser:
    command = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}. {detail}",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module = f"taisai.cli.{name.replace('-', '_')}"
    command.set_defaults(run=lambda arguments: import_module(module).run(arguments))
    command.add_argument("--json", action="store_true", help="answer as JSON, for programs")
    command.add_argument(
        "--rulebook", metavar="FILE", help="also read a rulebook file of your own, and prove it"
    )
    return command


def _add_rules(commands: "_Commands") -> None:
    command = _add(
        commands,
        "rules",
        "list the rulebooks, or show one",
        "With a key, shows its clauses, people, procedure and irregularities.",
        "taisai rules div9",
    )
    command.add_argument("key", metavar="RULEBOOK", nargs="?", help="a rulebook's key, like ts6")


def _add_odds(commands: "_Commands") -> None:
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


def _add_settle(commands: "_Commands") -> None:
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


def _add_explain(commands: "_Commands") -> None:
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


def _add_layout(commands: "_Commands") -> None:
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


def _add_simulate_house(commands: "_Commands") -> None:
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


def _add_pay_table(command: _Parser) -> None:
    command.add_argument("pay_table", metavar="PAYTABLE", help="a pay table, like ts6/2")


def _add_dice(command: _Parser, *, required: bool) -> None:
    command.add_argument(
        "--dice",
        nargs=3,
        type=int,
        metavar=("A", "B", "C"),
        required=required,
        help="the three faces, each from 1 to 6",
    )


def _add_language(command: _Parser) -> None:
    command.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="the language of the sentences"
    )
