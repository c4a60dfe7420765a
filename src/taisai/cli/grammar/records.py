"""How the records of a journal are asked for: `audit round`, `audit events` and `export`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, named
from taisai.wording import LANGUAGES

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands

_WHERE = "the journal: its file, the data directory it is in, or a postgresql:// address"


def add_audit_round(group: "Commands") -> None:
    """Enter `taisai audit round`."""
    command = add_command(
        group,
        "round",
        "re-create a round from the journal alone",
        "Shows the rulebook and limits it was played by, what happened and who did it, each bet\n"
        "with its clause and reason, the money that moved, each terminal's credits before and\n"
        "after, and what was put right later. The chain of hashes is checked on the way.",
        "taisai audit round data T1 57",
        "taisai.cli.audit_round:run",
    )
    command.add_argument("where", metavar="WHERE", type=named, help=_WHERE)
    command.add_argument("table", metavar="TABLE", help="the table's name")
    command.add_argument("number", metavar="N", type=int, help="the round's number")
    _add_language(command)


def add_audit_events(group: "Commands") -> None:
    """Enter `taisai audit events`."""
    command = add_command(
        group,
        "events",
        "list the significant events, in the order they happened",
        "Faults, interruptions, amendments, voids, changes of limits and rulebooks, approvals,\n"
        "terminals lost, barred or locked, rulings, corrections, opening and closing.\n"
        "With --json, one object a line. The chain of hashes is not checked here: run\n"
        "'taisai audit verify' first.",
        "taisai audit events data --table T1 --from 2026-03-01",
        "taisai.cli.audit_events:run",
    )
    command.add_argument("where", metavar="WHERE", type=named, help=_WHERE)
    _add_filters(command)
    _add_language(command)


def add_export(commands: "Commands") -> None:
    """Enter `taisai export`."""
    command = add_command(
        commands,
        "export",
        "write records of a journal to CSV, JSON Lines or Parquet",
        "docs/records.md tells what each column means, and how to open the files in pandas,\n"
        "polars and DuckDB. A file appears under its name only once it is complete. The chain of\n"
        "hashes is not checked here: run 'taisai audit verify' first.",
        "taisai export data rounds --to rounds.csv --from 2026-03-01 --until 2026-04-01",
    )
    command.add_argument("where", metavar="WHERE", type=named, help=_WHERE)
    command.add_argument(
        "what",
        metavar="WHAT",
        help="rounds, bets, placements, postings, meters, significant, or all of them",
    )
    command.add_argument(
        "--to",
        metavar="FILE",
        type=named,
        required=True,
        help="the file to write; - is standard output; for all, a directory",
    )
    command.add_argument(
        "--format",
        choices=("csv", "jsonl", "parquet"),
        help="the format; otherwise the ending of the file's name tells",
    )
    _add_filters(command)
    command.add_argument(
        "--terminal",
        metavar="T",
        nargs="+",
        action="extend",
        default=[],
        help="only what concerns these terminals",
    )
    command.add_argument(
        "--overwrite", action="store_true", help="replace a file that is there already"
    )
    command.add_argument(
        "--decimal-amounts",
        action="store_true",
        help="in Parquet, write amounts as decimals of 38 digits instead of 64 bits",
    )
    _add_language(command)


def _add_filters(command: Parser) -> None:
    command.add_argument(
        "--from",
        dest="since",
        metavar="TIME",
        help="only from this time on, like 2026-03-01T18:30:00+08:00; without a zone it is UTC",
    )
    command.add_argument("--until", metavar="TIME", help="only before this time")
    command.add_argument(
        "--table",
        dest="tables",
        metavar="T",
        nargs="+",
        action="extend",
        default=[],
        help="only these tables",
    )


def _add_language(command: Parser) -> None:
    command.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="the language of the sentences"
    )
