"""How a journal is proved, backed up and put back: `audit verify`, `backup` and `restore`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands

_WHERE = "the journal: its file, the data directory it is in, or a postgresql:// address"


def add_audit_verify(group: "Commands") -> None:
    """Enter `taisai audit verify`."""
    command = add_command(
        group,
        "verify",
        "prove that a journal is whole, unaltered and right",
        "Follows the chain of every stream, checks the signatures of checkpoints and snapshots,\n"
        "replays every event, and has the auditor judge every decision and settlement a second\n"
        "way. The first thing that is wrong is named: stream, version, field, byte. docs/audit.md\n"
        "tells what this proves, and what to hold elsewhere so that it proves more.",
        "taisai audit verify data --keys published.keys --checkpoint held.json",
        "taisai.cli.audit_verify:run",
    )
    command.add_argument("where", metavar="WHERE", type=named, help=_WHERE)
    _add_keys(command)
    command.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=named,
        help="a checkpoint that was held elsewhere",
    )
    command.add_argument(
        "--copy",
        metavar="PLACE",
        type=named,
        help="the copy of the log that was written elsewhere: its file or directory",
    )
    command.add_argument(
        "--save-checkpoint",
        metavar="FILE",
        type=named,
        help="write the newest checkpoint to a file, to be held elsewhere, if all is sound",
    )


def add_backup(commands: "Commands") -> None:
    """Enter `taisai backup`."""
    command = add_command(
        commands,
        "backup",
        "copy a journal to a file while the house runs, and verify the copy",
        "The copy is a journal file by itself, also of a journal in PostgreSQL. Nothing is\n"
        "written over. The keys are not in it: keep those elsewhere.",
        "taisai backup data monday.sqlite --keys published.keys",
    )
    command.add_argument("where", metavar="WHERE", type=named, help=_WHERE)
    command.add_argument("file", metavar="FILE", type=named, help="the file to make")
    _add_keys(command)


def add_restore(commands: "Commands") -> None:
    """Enter `taisai restore`."""
    command = add_command(
        commands,
        "restore",
        "put a backup where there is no journal yet, by two persons",
        "The backup is verified first. What came after it was made is not in it: the newest\n"
        "checkpoint and its time are shown, and the journal says who restored it.",
        "taisai restore monday.sqlite data --by 'Ann Lee' --second 'Bob Tan' --keys published.keys",
    )
    command.add_argument("file", metavar="FILE", type=named, help="the backup")
    command.add_argument(
        "where",
        metavar="WHERE",
        type=named,
        help="a data directory, a file ending in .sqlite, or an empty postgresql:// database",
    )
    command.add_argument("--by", metavar="NAME", required=True, help="who restores it")
    command.add_argument(
        "--second", metavar="NAME", required=True, help="the second person, who agrees"
    )
    _add_keys(command)


def _add_keys(command: Parser) -> None:
    command.add_argument(
        "--keys",
        metavar="PUBLIC",
        type=named,
        help="the public keys: a published file, or a directory of keys; otherwise those in the"
        " data directory",
    )
