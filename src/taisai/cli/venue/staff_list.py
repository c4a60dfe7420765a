"""`taisai staff list`: the staff of a venue, by its journal."""

import argparse
from typing import NamedTuple

from taisai.cli.command import Output, command, place
from taisai.cli.records.journals import reading
from taisai.cli.text import align
from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable
from taisai.core.venue.staff import RolesChanged, StaffAppointed, StaffDismissed
from taisai.runtime.journal.contract import Journal
from taisai.runtime.records.entries import event_of
from taisai.runtime.records.export import write_time
from taisai.runtime.streams import VENUE


class Member(NamedTuple):
    """A person on the staff, since an appointment or a change of roles."""

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
    """Read the persons on the staff, by name."""
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
