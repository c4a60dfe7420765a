"""`taisai staff add` and `staff code`: staff of a stopped venue, by two persons."""

import argparse
import asyncio
import logging
import time
from pathlib import Path
from typing import Any, NamedTuple

from taisai.cli.command import PASSPHRASE, SECOND, Output, Refused, argument, command, pick, place
from taisai.cli.records.journals import journal_at
from taisai.cli.text import printable_lines
from taisai.cli.venue.environment import database_of, passphrase_of
from taisai.cli.venue.halves import SECOND_HALF, Half, place_for_second, show_in_turn, write_half
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.rules.reason import Refusal, printable
from taisai.core.venue.staff import (
    CodeMade,
    EngageStaff,
    GiveCode,
)
from taisai.extras import require
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.backends import opened_journal
from taisai.runtime.keys.directory import load_keys
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.keys.signing import person as name_of
from taisai.runtime.operations.offline_admin import (
    Alone,
    End,
    decided,
    read_alone,
    time_alone,
    write_signed,
)
from taisai.runtime.operations.process import CREDENTIALS_FILE, KEYS_DIRECTORY, held
from taisai.runtime.records.export import write_time
from taisai.runtime.streams import VENUE, kind_of
from taisai.wording import say

_WORKER = Actor("taisai staff", "system")


class Made(NamedTuple):
    """A code made for a person: its event, the roles of a new person, both halves."""

    event: CodeMade
    roles: tuple[str, ...] | None
    version: int
    halves: tuple[str, str]
    expires: Instant


_ANCHOR = place("--anchor DIR", "where the newest checkpoint is remembered (DATA/keys.anchor)")
_JOURNAL = place(
    "--journal URL",
    "the postgresql:// database of the venue; otherwise TAISAI_JOURNAL, if set; otherwise"
    " the journal is in DATA",
)


@command(
    "taisai staff add data --person 'Ann Lee' --role shift-manager"
    " --by 'Ann Lee' --second 'Bob Tan'",
    place("data DATA", "the data directory of the venue"),
    argument("--person NAME", "who is put on the staff", required=True),
    argument(
        "--role ROLE",
        "a role the person may take; may be given more than once",
        dest="roles",
        action="append",
        required=True,
    ),
    argument("--by NAME", "who puts them on the staff", required=True),
    SECOND,
    SECOND_HALF,
    _JOURNAL,
    _ANCHOR,
    PASSPHRASE,
    detail="The journal says who did it. A code is made in two halves, one for each of the two:\n"
    "with both the person sets a password and a PIN, once, within a day. The\n"
    "roles are dealer, supervisor, pit-manager, shift-manager, cage, technician and auditor.",
)
def add(arguments: argparse.Namespace) -> Output:
    by, second = name_of(arguments.by), name_of(arguments.second)
    person = name_of(arguments.person)
    return _output(arguments, EngageStaff(person, tuple(arguments.roles), by, second))


@command(
    "taisai staff code data --person 'Ann Lee' --by 'Bob Tan' --second 'Cy Ong'",
    place("data DATA", "the data directory of the venue"),
    argument("--person NAME", "who is to set a password and a PIN", required=True),
    argument("--by NAME", "who has the code made", required=True),
    SECOND,
    SECOND_HALF,
    _JOURNAL,
    _ANCHOR,
    PASSPHRASE,
    detail="For a venue that was restored, or whose credentials are lost: nobody can log in there\n"
    "to ask for a code. The venue is stopped. The journal says who did it; an earlier code is\n"
    "good no more, nor is the password that the person had once this one is used.",
)
def code(arguments: argparse.Namespace) -> Output:
    by, second = name_of(arguments.by), name_of(arguments.second)
    return _output(arguments, GiveCode(name_of(arguments.person), by, second))


def _output(arguments: argparse.Namespace, command: EngageStaff | GiveCode) -> Output:
    """Make a code, and show each half to its person."""
    if not Path(arguments.data).is_dir():
        raise Refused(f"there is no data directory {arguments.data}")
    require("an account on the staff", "server")
    with place_for_second(arguments) as file:
        made = _carry_out(arguments, command)
        first = Half(made.event.by, made.halves[0])
        second = Half(made.event.second, made.halves[1])
        if file is None:
            print("\n".join(map(printable, _done(made))), end="\n\n")
            show_in_turn(first, second)
            return Output(dict, lambda: printable_lines(_next(made)))
        write_half(file, second)
    named = arguments.second_half
    told = [*_done(made), "", *_where(first, second, named), "", *_next(made)]
    return Output(lambda: _answer(made, named), lambda: printable_lines(told))


def _carry_out(arguments: argparse.Namespace, command: EngageStaff | GiveCode) -> Made:
    """Record a command in the journal of a stopped venue, and make a code with it."""
    data = Path(arguments.data)
    # A table that does not verify is reported when the venue starts, and by 'taisai audit verify'.
    logging.getLogger("taisai").addHandler(logging.NullHandler())
    journal = journal_at(database_of(arguments) or arguments.data)
    keys = load_keys(data / KEYS_DIRECTORY, passphrase_of(arguments))
    anchor = Path(arguments.anchor or default_anchor(data / KEYS_DIRECTORY))
    with held(data):
        return asyncio.run(_work(journal, keys, command, data / CREDENTIALS_FILE, anchor))


async def _work(
    where: str | Path,
    keys: VenueKeys,
    command: EngageStaff | GiveCode,
    credentials: Path,
    anchor: Path,
) -> Made:
    async with opened_journal(where, data=credentials.parent) as journal:
        return await _write(await read_alone(journal, keys, anchor), command, credentials)


async def _write(alone: Alone, command: EngageStaff | GiveCode, credentials: Path) -> Made:
    # Not at the top: listing the staff does not need it.
    from taisai.server.accounts.credentials import (  # noqa: PLC0415
        code_while_stopped,
        credentials_key,
    )

    started = alone.started
    venue, now = started.streams[VENUE], time.time_ns() // 1_000_000
    if not venue.state.currency:
        raise Refused("there is no venue in this journal yet: 'taisai serve' opens one")
    if venue.state.demo:
        raise Refused("this is a demo venue: whoever opens its page is on the staff by one click")
    at = await time_alone(alone, now)
    order = Order(f"{at}-staff-{venue.head.version}", _WORKER, command)
    append = decided(End(VENUE, kind_of(VENUE), venue.state, venue.head), order, at)
    if isinstance(append, Refusal):
        raise Refused(say(append.reason))
    version, event = append.records[-1].version, kind_of(VENUE).read(append.records[-1])
    assert isinstance(event, CodeMade), "both come to a code"
    # The code is stored first: without the event it is worthless, and is forgotten.
    key = credentials_key(alone.keys.sealing)
    halves, expires = code_while_stopped(credentials, key, event.person, at, version)
    await write_signed(alone, [append], at)
    roles = command.roles if isinstance(command, EngageStaff) else None
    return Made(event, roles, version, halves, expires)


def _answer(made: Made, file: str) -> dict[str, Any]:
    return {
        **pick(made.event, "person", "by", "second"),
        **({} if made.roles is None else {"roles": made.roles}),
        "venue_version": made.version,
        "half": made.halves[0],
        "second_half": file,
        "expires": write_time(made.expires),
    }


def _done(made: Made) -> list[str]:
    """Say what was done, and what the code is for."""
    person, by, second = made.event.person, made.event.by, made.event.second
    appointed = f"{person} is on the staff as {', '.join(made.roles or ())}, by {by} and {second}."
    return [
        *([] if made.roles is None else [appointed]),
        (
            f"A code is made in two halves: with both {person} sets a password and a PIN, once, and"
            f" not after {write_time(made.expires)}."
        ),
    ]


def _where(first: Half, second: Half, file: str) -> list[str]:
    return [
        f"  the first, for {first.person}:  {first.half}",
        f"  the second is in {file}, for {second.person} to read and to delete",
    ]


def _next(made: Made) -> list[str]:
    return [
        f"Each half is given to {made.event.person} by the one whom it is for. Start the venue,",
        "and have them use both, one after the other, on its page.",
    ]
