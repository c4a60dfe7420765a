"""`taisai staff`: a person put on the staff of a venue that is stopped, and who is on it."""

import argparse
import asyncio
import logging
import time
from pathlib import Path
from typing import Any, NamedTuple

from taisai.cli.command import PASSPHRASE, SECOND, Output, Refused, argument, command, pick, place
from taisai.cli.records.journals import journal_at, reading
from taisai.cli.text import align, printable_lines
from taisai.cli.venue.environment import database_of, passphrase_of
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.rules.reason import Refusal, printable
from taisai.core.venue.staff import (
    CodeMade,
    EngageStaff,
    GiveCode,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
)
from taisai.extras import require
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.backends import opened_journal
from taisai.runtime.journal.contract import Journal
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
from taisai.runtime.records.entries import event_of
from taisai.runtime.records.export import write_time
from taisai.runtime.streams import VENUE, kind_of
from taisai.wording import say

_WORKER = Actor("taisai staff", "system")


class Made(NamedTuple):
    """A code made for a person: what the journal says, the roles of somebody new, both halves."""

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
    _JOURNAL,
    _ANCHOR,
    PASSPHRASE,
    detail="The journal says who did it. The code that is shown is in two halves, one for each\n"
    "of the two: with both the person sets a password and a PIN, once, within a day. The\n"
    "roles are dealer, supervisor, pit-manager, shift-manager, cage, technician and auditor.",
)
def add(arguments: argparse.Namespace) -> Output:
    by, second = name_of(arguments.by), name_of(arguments.second)
    person = name_of(arguments.person)
    made = _carry_out(arguments, EngageStaff(person, tuple(arguments.roles), by, second))
    return Output(lambda: _answer(made), lambda: printable_lines(_told(made)))


@command(
    "taisai staff code data --person 'Ann Lee' --by 'Bob Tan' --second 'Cy Ong'",
    place("data DATA", "the data directory of the venue"),
    argument("--person NAME", "who is to set a password and a PIN", required=True),
    argument("--by NAME", "who has the code made", required=True),
    SECOND,
    _JOURNAL,
    _ANCHOR,
    PASSPHRASE,
    detail="For a venue that was restored, or whose credentials are lost: nobody can log in there\n"
    "to ask for a code. The venue is stopped. The journal says who did it; an earlier code is\n"
    "good no more, nor is the password that the person had once this one is used.",
)
def code(arguments: argparse.Namespace) -> Output:
    by, second = name_of(arguments.by), name_of(arguments.second)
    made = _carry_out(arguments, GiveCode(name_of(arguments.person), by, second))
    return Output(lambda: _answer(made), lambda: printable_lines(_told(made)))


def _carry_out(arguments: argparse.Namespace, command: EngageStaff | GiveCode) -> Made:
    """Have something written down in a venue that is stopped, and a code made with it."""
    data = Path(arguments.data)
    if not data.is_dir():
        raise Refused(f"there is no data directory {arguments.data}")
    require("an account on the staff", "server")
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
    # Not at the top: whoever only lists the staff needs none of it.
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
    # The code comes first: without the event it is good for nothing, and is forgotten.
    key = credentials_key(alone.keys.sealing)
    halves, expires = code_while_stopped(credentials, key, event.person, at, version)
    await write_signed(alone, [append], at)
    roles = command.roles if isinstance(command, EngageStaff) else None
    return Made(event, roles, version, halves, expires)


def _answer(made: Made) -> dict[str, Any]:
    return {
        **pick(made.event, "person", "by", "second"),
        **({} if made.roles is None else {"roles": made.roles}),
        "venue_version": made.version,
        "halves": list(made.halves),
        "expires": write_time(made.expires),
    }


def _told(made: Made) -> list[str]:
    person, by, second = made.event.person, made.event.by, made.event.second
    appointed = f"{person} is on the staff as {', '.join(made.roles or ())}, by {by} and {second}."
    return [
        *([] if made.roles is None else [appointed, ""]),
        (
            f"The code with which {person} sets a password and a PIN, once, and not after"
            f" {write_time(made.expires)}, in two halves:"
        ),
        "",
        f"  the first, for {by}:  {made.halves[0]}",
        f"  the second, for {second}:  {made.halves[1]}",
        "",
        "They are shown this once. Each is to be seen by the one that it is for, and given to",
        f"{person}. Start the venue, and have them use both, one after the other, on its page.",
    ]


class Member(NamedTuple):
    """Somebody on the staff, since an appointment or a change of roles."""

    person: str
    roles: tuple[str, ...]
    since: Instant
    by: str
    second: str


@command(
    "taisai staff list data",
    place(
        "where DATA",
        "the data directory of the venue, its journal, or its database as postgresql://…",
    ),
    detail="Nothing is written.",
)
def list_staff(arguments: argparse.Namespace) -> Output:
    members = reading(arguments.where, _members)
    return Output(
        lambda: {
            "staff": [{**each._asdict(), "since": write_time(each.since)} for each in members]
        },
        lambda: _table(members) if members else _NOBODY,
    )


_NOBODY = "Nobody is on the staff of this venue; 'taisai staff add' puts somebody on it."


async def _members(journal: Journal) -> list[Member]:
    """Read who is on the staff, by name."""
    members = dict[str, Member]()
    async for page in journal.read(VENUE):
        for record in page:
            match event_of(record):
                case StaffAppointed() | RolesChanged() as event:
                    member = Member(event.person, event.roles, record.at, event.by, event.second)
                    members[event.person] = member
                case StaffDismissed(person=person):
                    members.pop(person, None)
                case _:
                    pass
    return sorted(members.values())


def _table(members: list[Member]) -> str:
    headings = ("person", "roles", "since", "by")
    rows = [
        (each.person, ", ".join(each.roles), write_time(each.since), f"{each.by} and {each.second}")
        for each in members
    ]
    return align(headings, [tuple(map(printable, row)) for row in rows])
