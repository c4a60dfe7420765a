"""The frame every command is entered in: its help, its example, and who answers it.

A command on its own is entered with `add_command` in the commands of `taisai`. A group, as of
`taisai keys create`, is begun with `add_group`, and its commands are entered in what that gives.
"""

import argparse
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from taisai.cli.refused import Wrong


class Parser(argparse.ArgumentParser):
    """A parser that answers a mistake with one sentence instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        raise Wrong(f"{message}; '{self.prog} --help' shows how")


if TYPE_CHECKING:
    # The type of what add_subparsers returns has no public name.
    Commands: TypeAlias = argparse._SubParsersAction[Parser]  # noqa: SLF001


def add_command(
    commands: "Commands",
    name: str,
    summary: str,
    detail: str,
    example: str,
    answered_by: str | None = None,
) -> Parser:
    """Enter a command, answered by `module:function` when it is run; `run` of its own otherwise."""
    command = commands.add_parser(name, help=summary, **_told(summary, detail, example))
    answered_by = answered_by or f"taisai.cli.{name.replace('-', '_')}:run"
    command.set_defaults(run=lambda arguments: _answer(answered_by, arguments))
    command.add_argument("--json", action="store_true", help="answer as JSON, for programs")
    return command


def add_group(
    commands: "Commands", name: str, summary: str, detail: str, example: str
) -> "Commands":
    """Begin a group of commands under one name, and give what they are entered in."""
    group = commands.add_parser(name, help=summary, **_told(summary, detail, example))
    return group.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)


def named(place: str) -> str:
    """Take the name of a file, a directory or an address; a blank one is a slip, and no place."""
    if not place:
        raise argparse.ArgumentTypeError("it is blank, and names nothing")
    return place


def add_rulebook(command: Parser) -> None:
    """Let a command read a rulebook of a person's own."""
    command.add_argument(
        "--rulebook", metavar="FILE", help="also read a rulebook file of your own, and prove it"
    )


def add_passphrase(command: Parser) -> None:
    """Let a command open keys that are protected; `cli.passphrases` reads what was given."""
    command.add_argument(
        "--passphrase-file",
        metavar="FILE",
        type=named,
        help="the file with the passphrase of the keys; otherwise TAISAI_PASSPHRASE, if set",
    )


def _answer(answered_by: str, arguments: argparse.Namespace) -> int:
    module, function = answered_by.split(":")
    return int(getattr(import_module(module), function)(arguments))


def _told(summary: str, detail: str, example: str) -> dict[str, Any]:
    return {
        "description": f"{summary[0].upper()}{summary[1:]}.\n{detail}".rstrip(),
        "epilog": f"example:\n  {example}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "allow_abbrev": False,
    }
