"""The list of the commands of `taisai`: a summary of each in a line, and its module.

A module is imported when its command is used, so that a command that needs little starts at once
and `taisai --help` imports none.
"""

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from taisai import __version__
from taisai.cli.command import Command, Help, Parser

if TYPE_CHECKING:
    # The type of what add_subparsers returns has no public name.
    Subparsers: TypeAlias = argparse._SubParsersAction[Parser]  # noqa: SLF001

_DESCRIPTION = """\
Tai Sai / Sic Bo by four approved rulebooks: ask what a throw pays on any of eleven pay tables,
and which clause says so. A pay table is addressed as rulebook and number, like ts6/2."""

_EPILOG = """\
example:
  taisai explain ts6/2 --dice 2 2 2 --bet small=1000

'taisai COMMAND --help' explains a command. Amounts are whole numbers of minor units (cents)."""


class Entry(NamedTuple):
    """A command in the list: its summary, and `module:function` under `taisai.cli`."""

    summary: str
    home: str

    def load(self) -> Command:
        module, function = self.home.split(":")
        found = getattr(import_module(f"taisai.cli.{module}"), function)
        assert isinstance(found, Command), f"{self.home} is a command"
        return found


class Group(NamedTuple):
    """Commands under one name, like `taisai keys create`."""

    summary: str
    detail: str
    example: str
    commands: Mapping[str, Entry]


COMMANDS: Mapping[str, Entry | Group] = {
    "rules": Entry("list the rulebooks, or show one", "rules.rules:rules"),
    "odds": Entry(
        "show what each box of a pay table pays, its chance and its house edge, exactly",
        "rules.rules:odds",
    ),
    "settle": Entry(
        "settle rounds, one JSON object a line, from a file or standard input",
        "rules.settle:settle_rounds",
    ),
    "explain": Entry("tell the story of each bet of one round", "rules.explain:explain"),
    "layout": Entry(
        "draw the layout of a pay table, with the winning areas of a throw marked",
        "rules.layout:layout",
    ),
    "simulate-venue": Entry(
        "play a seeded world of tables and cage, checked by an auditor all the while",
        "venue.simulate_venue:simulate_venue",
    ),
    "serve": Entry(
        "open a venue to the network: tables, terminals, staff, over HTTP and WebSocket",
        "venue.serve:serve",
    ),
    "node": Entry(
        "be one of several nodes of a venue, which share its journal in PostgreSQL",
        "venue.node:node",
    ),
    "cluster": Group(
        "see how the nodes of a venue stand, and have tables go elsewhere",
        "Nodes are started with 'taisai node'; docs/cluster.md tells how. What is asked for here\n"
        "is done between two rounds, by the nodes themselves.",
        "taisai cluster status --cluster cluster.toml",
        {
            "status": Entry("tell which node has which streams", "venue.node:status"),
            "drain": Entry("have a node leave all that it has", "venue.node:drain"),
            "move": Entry("have a table go to another node", "venue.node:move"),
        },
    ),
    "takeover": Entry(
        "take a journal in PostgreSQL from a venue that is lost, so that another may start",
        "venue.takeover:take_over",
    ),
    "bots": Entry(
        "have many terminals bet at a venue at once, and count what comes of it",
        "venue.bots:bots",
    ),
    "keys": Group(
        "make and look after the keys of a venue",
        "A venue signs what it has written, numbers its vouchers and seals its secrets with keys\n"
        "that live in a directory of their own. docs/keys.md tells what each is for, where to\n"
        "keep it, and what to do when it is lost or stolen.",
        "taisai keys create venue-keys",
        {
            "create": Entry("make a new directory with a set of keys", "venue.keys:create"),
            "show": Entry(
                "tell what each key is for, its fingerprint, and the keys before it",
                "venue.keys:show",
            ),
            "check": Entry(
                "prove that the keys are whole, belong together and sign", "venue.keys:check"
            ),
            "rotate": Entry(
                "put a new signing key in the place of the old one, by two persons",
                "venue.keys:rotate",
            ),
            "publish": Entry(
                "write out the public keys, for an auditor to hold elsewhere",
                "venue.keys:publish",
            ),
        },
    ),
    "staff": Group(
        "put the first people on the staff of a venue, and show who is on it",
        "Once two people can log in, staff is appointed in the venue itself.",
        "taisai staff list data",
        {
            "add": Entry(
                "put a person on the staff of a venue that is stopped, by two persons",
                "venue.staff:add",
            ),
            "code": Entry(
                "make a code for a person on the staff of a venue that is stopped, by two persons",
                "venue.staff:code",
            ),
            "list": Entry(
                "show who is on the staff, in which roles, since when and by whom",
                "venue.staff_list:list_staff",
            ),
        },
    ),
    "audit": Group(
        "prove a journal, and re-create what it tells",
        "Nothing but the journal is needed, and nothing is ever written to it.",
        "taisai audit verify data --keys published.keys",
        {
            "verify": Entry(
                "prove that a journal is whole, unaltered and right",
                "records.verify:verify_journal",
            ),
            "consistency": Entry(
                "prove that one checkpoint grew out of another",
                "records.consistency:consistency",
            ),
            "receipt": Entry(
                "hold a journal against what the venue signed for a terminal",
                "records.receipt:receipt",
            ),
            "round": Entry("re-create a round from the journal alone", "records.audit:audit_round"),
            "events": Entry(
                "list the significant events, in the order they happened",
                "records.audit:audit_events",
            ),
        },
    ),
    "witness": Group(
        "co-sign a venue's checkpoints on another machine, if they are of one history",
        "A witness is somebody else's: it has a key of its own, and needs none of the venue's.",
        "taisai witness sign witness newest.json --proof proof.jsonl --to cosigned.json",
        {
            "create": Entry("make a witness of a venue", "records.witness:create"),
            "sign": Entry(
                "co-sign a checkpoint that follows on the last one", "records.witness:sign"
            ),
            "check": Entry("check what a witness has co-signed", "records.witness:check"),
        },
    ),
    "export": Entry(
        "write records of a journal to CSV, JSON Lines or Parquet",
        "records.export:export_records",
    ),
    "backup": Entry(
        "copy a journal to a file while the venue runs, and verify the copy",
        "records.backup:backup",
    ),
    "restore": Entry(
        "put a backup where there is no journal yet, by two persons", "records.backup:restore"
    ),
    "slate": Entry("show what one round of a set of bets brings, exactly", "maths.slate:slate"),
    "session": Entry("show what so many rounds of the same bets bring", "maths.session:session"),
    "compare": Entry(
        "compare two pay tables box by box, and what is cheapest to play on each",
        "maths.compare:compare_tables",
    ),
    "ruin": Entry(
        "show how likely a bank is lost: within so many rounds, before a target, or ever",
        "maths.ruin:ruin",
    ),
    "plan": Entry(
        "show what comes of a betting plan on a box, within the limits of a table",
        "maths.plan:plan",
    ),
    "simulate": Entry(
        "play rounds from a seed, and hold what they bring against the exact answer",
        "maths.simulate:simulate_rounds",
    ),
    "exposure": Entry(
        "show what the house pays on each of the 56 results, for the bets now on a layout",
        "maths.exposure:exposure",
    ),
    "par": Entry("write the PAR sheet of a pay table as Markdown, HTML or JSON", "maths.par:par"),
    "fairness": Entry(
        "test whether observed throws are those of fair dice", "maths.fairness:fairness"
    ),
}


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; the namespace's `run` carries out the command."""
    parser = Parser(
        prog="taisai",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"taisai {__version__}")
    _add_commands(parser, COMMANDS, argv)
    return parser.parse_args(argv)


def _add_commands(
    parser: Parser, commands: Mapping[str, Entry | Group], argv: Sequence[str]
) -> None:
    """List the commands; if the command line begins with one, define it alone and in full."""
    subparsers: Subparsers = parser.add_subparsers(
        metavar="COMMAND", required=True, parser_class=Parser, prog=parser.prog
    )
    asked = {name: commands[name] for name in argv[:1] if name in commands}
    for name, command in (asked or commands).items():
        entered = subparsers.add_parser(
            name,
            help=command.summary,
            formatter_class=Help,
            allow_abbrev=False,
        )
        if not asked:
            continue
        if isinstance(command, Entry):
            command.load().define(entered, command.summary)
        else:
            entered.describe(command.summary, command.detail, command.example)
            _add_commands(entered, command.commands, argv[1:])
