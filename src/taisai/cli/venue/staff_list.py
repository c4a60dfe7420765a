"""`taisai staff list`: who is on the staff of a venue, in which roles, since when and by whom."""

import argparse
from typing import NamedTuple

import msgspec

from taisai.cli.command import Output, command, place
from taisai.cli.records.journals import reading
from taisai.cli.text import align
from taisai.core.kernel.messages import Event, Instant
from taisai.core.rules.reason import printable
from taisai.core.venue.staff import RolesChanged, StaffAppointed, StaffDismissed
from taisai.runtime.journal.contract import Journal, Record
from taisai.runtime.records.entries import RecordsError
from taisai.runtime.records.export import write_time
from taisai.runtime.streams import HOUSE, kind_of


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
        "where",
        metavar="DATA",
        help="the data directory of the venue, its journal, or its database as postgresql://…",
    ),
    detail="Nothing is written.",
)
def list_staff(arguments: argparse.Namespace) -> Output:
    """Answer `taisai staff list`."""
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
    async for page in journal.read(HOUSE):
        for record in page:
            match _read(record):
                case StaffAppointed() | RolesChanged() as event:
                    member = Member(event.person, event.roles, record.at, event.by, event.second)
                    members[event.person] = member
                case StaffDismissed(person=person):
                    members.pop(person, None)
                case _:
                    pass
    return sorted(members.values())


def _read(record: Record) -> Event:
    try:
        return kind_of(HOUSE).read(record)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        where = f"{HOUSE} cannot be read at version {record.version}"
        raise RecordsError(f"{where}: {error}; 'taisai audit verify' tells more") from None


def _table(members: list[Member]) -> str:
    headings = ("person", "roles", "since", "by")
    rows = [
        (each.person, ", ".join(each.roles), write_time(each.since), f"{each.by} and {each.second}")
        for each in members
    ]
    return align(headings, [tuple(map(printable, row)) for row in rows])
