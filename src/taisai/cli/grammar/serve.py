"""How `taisai serve` is written."""

import argparse
from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, add_passphrase, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands

PORT = 8888
#: Five at each table of the demo, so that felts, roads and pit are alive.
BOTS = 25

_DETAIL = """\
A house needs a data directory with its keys in DIR/keys, and somebody on the staff:

  taisai keys create DIR/keys
  taisai staff add --help

Its journal is a SQLite file in the data directory, or a database. Tables come from a TOML file
(docs/serving.md has a whole one); in a house that is no demo they are only created, and staff adopt
the rulebook, set the limits and open them, two persons each.

With --demo everything is made up: staff and terminals in one click, a table for each rulebook, an
automatic dealer and five bots at each. It listens on a loopback address alone, and its journal
opens in no other way.

Ctrl-C or SIGTERM finishes the rounds under way and stops; a second one stops at once, and the next
start rules on what was under way. Secrets come from a file or the environment, never from here."""

_EXAMPLE = """\
taisai serve --demo
  taisai serve --data house --tables floor.toml --host 10.0.0.5 \\
      --certificate house.crt --private-key house.key --log json
  TAISAI_JOURNAL=postgresql://house@db/house taisai serve --data house --tables floor.toml"""


def add_serve(commands: "Commands") -> None:
    """Enter `taisai serve`."""
    command = add_command(
        commands,
        "serve",
        "open a house to the network: tables, terminals, staff, over HTTP and WebSocket",
        _DETAIL,
        _EXAMPLE,
    )
    _add_places(command)
    _add_network(command)
    _add_manner(command)


def _add_places(command: Parser) -> None:
    command.add_argument(
        "--data",
        metavar="DIR",
        type=named,
        help="the data directory: keys, credentials, and the journal (with --demo: .taisai-demo)",
    )
    command.add_argument(
        "--journal",
        metavar="URL",
        type=named,
        help="a postgresql:// database for the journal; otherwise TAISAI_JOURNAL, if set; otherwise"
        " a SQLite file in the data directory",
    )
    command.add_argument(
        "--tables", metavar="FILE", type=named, help="the tables of the house, as TOML"
    )
    command.add_argument(
        "--copy-to", metavar="DIR", type=named, help="also write a copy of the log there"
    )
    add_passphrase(command)


def _add_network(command: Parser) -> None:
    command.add_argument(
        "--host", default="127.0.0.1", type=named, help="the address to listen on (127.0.0.1)"
    )
    command.add_argument(
        "--port",
        type=_port,
        default=PORT,
        help=f"the port to listen on ({PORT}); 0: any that is free",
    )
    command.add_argument(
        "--name",
        metavar="NAME",
        action="append",
        default=[],
        type=named,
        help="a name besides the address under which browsers reach the house; may be repeated",
    )
    command.add_argument(
        "--certificate", metavar="FILE", type=named, help="the certificate chain, for TLS"
    )
    command.add_argument(
        "--private-key", metavar="FILE", type=named, help="the key of the certificate"
    )


def _add_manner(command: Parser) -> None:
    command.add_argument(
        "--demo", action="store_true", help="a house for trying things out, on this machine alone"
    )
    command.add_argument(
        "--bots",
        metavar="N",
        type=_count,
        help=f"how many bots play in a demo ({BOTS}); 0: none",
    )
    command.add_argument(
        "--log",
        choices=("text", "json"),
        help="how the log is written: lines for people, or a JSON object a line (on a terminal:"
        " text; otherwise: json)",
    )


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; between 0 and 65535 is right")
    return int(text)


def _count(text: str) -> int:
    if not (text.isdecimal() and int(text) <= 1_000):
        raise argparse.ArgumentTypeError(f"{text!r} bots; between 0 and 1000 is right")
    return int(text)
