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
from taisai.core.venue.staff import EngageStaff, RolesChanged, StaffAppointed, StaffDismissed
from taisai.extras import require
from taisai.runtime.journal.backends import opened_journal
from taisai.runtime.journal.contract import Append, Journal
from taisai.runtime.keys.directory import load_keys
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.keys.signing import person as name_of
from taisai.runtime.operations.offline_admin import End, decided, write_signed
from taisai.runtime.operations.process import CREDENTIALS_FILE, KEYS_DIRECTORY, held
from taisai.runtime.records.entries import event_of
from taisai.runtime.records.export import write_time
from taisai.runtime.recovery import read_back
from taisai.runtime.streams import VENUE, kind_of
from taisai.wording import say

_WORKER = Actor("taisai staff", "system")


class Added(NamedTuple):
    """A person put on the staff: what the journal says, where it says so, and their code."""

    event: StaffAppointed
    version: int
    code: str
    expires: Instant


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
    place(
        "--journal URL",
        "the postgresql:// database of the venue; otherwise TAISAI_JOURNAL, if set; otherwise"
        " the journal is in DATA",
    ),
    PASSPHRASE,
    detail="The journal says who did it. The code that is shown is for the person alone, who "
    "sets a\n"
    "password and a PIN with it, once, within a day. The roles are dealer, supervisor,\n"
    "pit-manager, shift-manager, cage, technician and auditor.",
)
def add(arguments: argparse.Namespace) -> Output:
    data = Path(arguments.data)
    if not data.is_dir():
        raise Refused(f"there is no data directory {arguments.data}")
    require("an account on the staff", "server")
    # A table that does not verify is reported when the venue starts, and by 'taisai audit verify'.
    logging.getLogger("taisai").addHandler(logging.NullHandler())
    by, second = name_of(arguments.by), name_of(arguments.second)
    command = EngageStaff(name_of(arguments.person), tuple(arguments.roles), by, second)
    journal = journal_at(database_of(arguments) or arguments.data)
    keys = load_keys(data / KEYS_DIRECTORY, passphrase_of(arguments))
    with held(data):
        added = asyncio.run(_engage(journal, keys, command, data / CREDENTIALS_FILE))
    return Output(lambda: _answer(added), lambda: printable_lines(_added(added)))


async def _engage(
    where: str | Path, keys: VenueKeys, command: EngageStaff, credentials: Path
) -> Added:
    async with opened_journal(where, data=credentials.parent) as journal:
        return await _write(journal, keys, command, credentials)


async def _write(
    journal: Journal, keys: VenueKeys, command: EngageStaff, credentials: Path
) -> Added:
    # Not at the top: whoever only lists the staff needs none of it.
    from taisai.server.accounts.credentials import code_while_stopped  # noqa: PLC0415

    started = await read_back(journal, keys)
    venue, now = started.streams[VENUE], time.time_ns() // 1_000_000
    if not venue.state.currency:
        raise Refused("there is no venue in this journal yet: 'taisai serve' opens one")
    if venue.state.demo:
        raise Refused("this is a demo venue: whoever opens its page is on the staff by one click")
    at = max(now, started.at)
    order = Order(f"{at}-staff-{venue.head.version}", _WORKER, command)
    append = decided(End(VENUE, kind_of(VENUE), venue.state, venue.head), order, at)
    if isinstance(append, Refusal):
        raise Refused(say(append.reason))
    event = _event_of(append)
    # The code comes first: without the event it is good for nothing, and is forgotten.
    code, expires = code_while_stopped(credentials, event.person, at)
    await write_signed(journal, keys, started, append, at)
    return Added(event, append.records[-1].version, code, expires)


def _event_of(append: Append) -> StaffAppointed:
    event = kind_of(VENUE).read(append.records[-1])
    assert isinstance(event, StaffAppointed), "engaging somebody comes to nothing else"
    return event


def _answer(added: Added) -> dict[str, Any]:
    event = added.event
    return {
        **pick(event, "person", "roles", "by", "second"),
        "venue_version": added.version,
        "code": added.code,
        "expires": write_time(added.expires),
    }


def _added(added: Added) -> list[str]:
    event = added.event
    return [
        (
            f"{event.person} is on the staff as {', '.join(event.roles)},"
            f" by {event.by} and {event.second}."
        ),
        "",
        (
            f"The code with which {event.person} sets a password and a PIN, once, and not after"
            f" {write_time(added.expires)}:"
        ),
        "",
        f"  {added.code}",
        "",
        "It is shown this once. Start the venue, and have them use it on its page.",
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
