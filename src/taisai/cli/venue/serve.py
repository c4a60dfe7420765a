"""`taisai serve`: run a live venue until it is stopped."""

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
from pathlib import Path

from taisai.cli.command import PASSPHRASE, Refused, Wrong, argument, command, flag, place, whole
from taisai.cli.venue.environment import database_of, passphrase_of
from taisai.core.errors import SentenceError
from taisai.extras import require
from taisai.runtime.journal.location import JOURNAL_FILE, is_address
from taisai.runtime.keys.directory import create_keys
from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import KEYS_DIRECTORY, prepare
from taisai.server.setting_checks import (
    GATEWAYS_MAX,
    PORT_MAX,
    SettingsError,
    check_settings,
    read_address,
)
from taisai.server.settings import VISITORS_MAX, VISITORS_PER_PLACE, Settings

DEMO_DIRECTORY = ".taisai-demo"
PORT = 8888
#: Five at each table of the demo, so that layouts, roads and pit have something to show.
BOTS = 25

_DETAIL = """\
A venue needs a data directory. Where it is new, its keys are made in DIR/keys, and the address is
printed with a code in two halves: two persons found the house on its page with one half each, and
do the rest there. "taisai staff add --help" says how to do without the page.

Its journal is a SQLite file in the data directory, or a database. Tables come from a TOML file
(docs/serving.md has a whole one); in a venue that is no demo they are only created, and staff adopt
the rulebook, set the limits and open them, two persons each.

With --demo everything is made up: staff and terminals in one click, a table for each rulebook, an
automatic dealer and five bots at each. It listens on a loopback address alone, and its journal
opens in no other way.

Ctrl-C or SIGTERM finishes the rounds under way and stops; a second one stops at once, and the next
start rules on what was under way. Secrets come from a file or the environment, never from here."""

_EXAMPLE = """\
taisai serve --demo
  taisai serve --data venue --tables floor.toml --host 10.0.0.5 \\
      --certificate venue.crt --private-key venue.key --log json
  TAISAI_JOURNAL=postgresql://venue@db/venue taisai serve --data venue --tables floor.toml"""

_log = logging.getLogger("taisai.serve")


def _address(text: str) -> str:
    """Read an address of the venue."""
    try:
        return read_address(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@command(
    _EXAMPLE,
    place(
        "--data DIR",
        "the data directory: keys, credentials, and the journal (with --demo: .taisai-demo)",
    ),
    place(
        "--journal URL",
        "a postgresql:// database for the journal; otherwise TAISAI_JOURNAL, if set; otherwise"
        " a SQLite file in the data directory",
    ),
    place("--tables", "the tables of the venue, as TOML"),
    place("--copy-to DIR", "also write a copy of the log there"),
    place(
        "--anchor DIR",
        "where the newest checkpoint is remembered (DATA/keys.anchor); better on another disk",
    ),
    PASSPHRASE,
    place("--host HOST", "the address to listen on (127.0.0.1)", default="127.0.0.1"),
    whole(
        "--port",
        f"the port to listen on ({PORT}); 0: any that is free",
        least=0,
        most=PORT_MAX,
        default=PORT,
    ),
    place(
        "--name NAME",
        "a name besides the address under which browsers reach the venue; may be repeated",
        action="append",
        default=[],
    ),
    argument(
        "--address URL",
        "where there are several addresses of the venue, like https://10.0.0.5:8888, one of them:"
        " clients come back by any; may be repeated",
        action="append",
        default=[],
        type=_address,
    ),
    place("--certificate", "the certificate chain, for TLS"),
    place("--private-key", "the key of the certificate"),
    place(
        "--proxy NETWORK",
        "a proxy of the venue's own, an address or a network of them: whom it asks for is believed;"
        " may be repeated",
        action="append",
        default=[],
    ),
    argument(
        "--proxy-header",
        "where the proxies say whom they ask for (x-forwarded-for)",
        choices=("x-forwarded-for", "forwarded"),
        default="x-forwarded-for",
    ),
    whole(
        "--visitors-per-address N",
        f"how many may watch from one address without logging in ({VISITORS_PER_PLACE})",
        least=0,
        most=100_000,
        default=VISITORS_PER_PLACE,
    ),
    whole(
        "--gateways N",
        "processes that hold the sockets, each on a core of its own; 0: this one does (0)",
        least=0,
        most=GATEWAYS_MAX,
        default=0,
    ),
    flag("--demo", "a venue for trying things out, on this machine alone"),
    whole("--bots N", f"how many bots play in a demo ({BOTS}); 0: none", least=0, most=1_000),
    argument(
        "--log",
        "how the log is written: lines for people, or a JSON object a line (on a terminal:"
        " text; otherwise: json)",
        choices=("text", "json"),
    ),
    detail=_DETAIL,
)
def serve(arguments: argparse.Namespace) -> int:
    _refuse_wrong(arguments)
    require("a live venue", "server")
    settings = _settings(arguments)
    try:
        check_settings(settings)
    except SettingsError as error:
        raise Wrong(str(error)) from None
    _prepare_keys(settings)
    # Not at the top: the framework takes half a second, and `--help` needs none of it.
    import uvloop  # noqa: PLC0415

    from taisai.server.logs import set_up  # noqa: PLC0415

    set_up(arguments.log or ("text" if sys.stderr.isatty() else "json"))
    bots = BOTS if arguments.bots is None else arguments.bots
    try:
        uvloop.run(_serve(settings, bots if settings.demo else 0, as_json=arguments.json))
    except SentenceError:
        raise
    except Exception:  # noqa: BLE001 - logged with its traceback, and said in a sentence
        _log.exception("the venue has failed")
        raise Refused("a fault of ours ended the venue; what is registered is safe") from None
    return 0


def _refuse_wrong(arguments: argparse.Namespace) -> None:
    """Refuse options that contradict each other, before anything is opened."""
    if arguments.data is None and not arguments.demo:
        raise Wrong("name the data directory with --data, or try the venue with --demo")
    if arguments.bots and not arguments.demo:
        raise Wrong("bots play in a demo alone; leave out --bots, or add --demo")
    if arguments.journal is not None and not is_address(arguments.journal):
        raise Wrong("--journal is a database, postgresql://…; a file is in the data directory")


def _settings(arguments: argparse.Namespace) -> Settings:
    return Settings(
        data=Path(arguments.data or DEMO_DIRECTORY),
        journal=database_of(arguments),
        host=arguments.host,
        port=arguments.port,
        certificate=_path(arguments.certificate),
        private_key=_path(arguments.private_key),
        gateways=arguments.gateways,
        demo=arguments.demo,
        tables=_path(arguments.tables),
        hosts=tuple(arguments.name),
        addresses=tuple(arguments.address),
        proxies=tuple(arguments.proxy),
        proxy_header=arguments.proxy_header,
        visitors_per_place=arguments.visitors_per_address,
        visitors_max=max(VISITORS_MAX, arguments.visitors_per_address),
        passphrase=passphrase_of(arguments),
        copy_to=_path(arguments.copy_to),
        anchor=_path(arguments.anchor),
    )


def _path(name: str | None) -> Path | None:
    """Take the name of a file or directory."""
    return None if name is None else Path(name)


def _prepare_keys(settings: Settings) -> None:
    """Make the keys of a new house; refuse a journal without its own keys."""
    directory = settings.data / KEYS_DIRECTORY
    if settings.demo or directory.is_dir():
        return
    if settings.journal is not None or (settings.data / JOURNAL_FILE).exists():
        raise Refused(
            f"there are no keys in {directory}; put those of the venue there, or make the first"
            f" with: taisai keys create {directory}"
        )
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"{settings.data} cannot be made: {error.strerror or error}") from None
    create_keys(directory, settings.passphrase)


async def _serve(settings: Settings, bots: int, *, as_json: bool) -> None:
    from taisai.server.application import Application  # noqa: PLC0415 - as above
    from taisai.server.founding import Founding  # noqa: PLC0415
    from taisai.server.process import serve as serve_until  # noqa: PLC0415

    stop = asyncio.Event()
    beside: list[asyncio.Task[None]] = []
    announced: list[str] = []

    def founding(address: str, house: Founding) -> None:
        told = _founding_told(address, house.halves, as_json=as_json)
        announced.append(address)
        print(told, flush=True)

    def ready(address: str, _: Application) -> None:
        prepare()
        loop = asyncio.get_running_loop()
        beside.append(loop.create_task(look_after_memory()))
        if not announced:
            print(f'{{"address": "{address}"}}' if as_json else address, flush=True)
        if bots:
            beside.append(loop.create_task(_keep_lively(address, bots, stop)))

    heed_signals(stop)
    await serve_until(settings, ready, stop, founding)
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)
    _log.info("the venue is closed; all that is registered is in its journal")


def _founding_told(address: str, halves: tuple[str, str], *, as_json: bool) -> str:
    """Show the address for founding the house, and the code: half of it for each of two persons."""
    first, second = halves
    if as_json:
        return json.dumps({"address": address, "founding": [first, second]})
    return "\n".join(
        [
            address,
            "This house has nobody on its staff yet. Two persons found it on that page; each is to",
            "see one half of this code alone. It is good until they have, or the house is stopped.",
            f"  for the first:   {first}",
            f"  for the second:  {second}",
        ]
    )


def heed_signals(stop: asyncio.Event) -> None:
    """Stop politely at the first signal, and at once at the second."""
    loop = asyncio.get_running_loop()

    def heed(number: signal.Signals) -> None:
        if stop.is_set():
            _log.info("stopped at once; the next start rules on the rounds that were under way")
            os._exit(128 + number)
        _log.info("no more bets: the rounds under way are finished; once more stops at once")
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, heed, number)


async def _keep_lively(address: str, count: int, stop: asyncio.Event) -> None:
    """Run a few bots; a demo without them is only quieter."""
    from taisai.bots import keep_lively  # noqa: PLC0415 - only a demo needs them

    try:
        await keep_lively(address, count, stop)
    except Exception:  # noqa: BLE001 - logged; the venue goes on
        if not stop.is_set():
            _log.exception("the bots have stopped playing")
