"""`taisai takeover`: a journal in PostgreSQL taken from a venue that is lost."""

import argparse
import asyncio

from taisai.cli.command import Output, Refused, Wrong, command, place
from taisai.cli.text import printable_lines
from taisai.cli.venue.environment import database_of
from taisai.extras import require
from taisai.runtime.journal.location import is_address

_DETAIL = """\
A venue that was killed goes on where it is started again, from the same data directory on the same
machine. Where that machine is lost, another is refused the journal, and told which venue has it;
this command takes it over for the next venue that starts. Nothing that the former venue still
sends is written any more: if it lives, its tables are suspended at once."""


@command(
    "taisai takeover --journal postgresql://venue@db/venue",
    place("--journal URL", "the postgresql:// database; otherwise TAISAI_JOURNAL, if set"),
    detail=_DETAIL,
)
def take_over(arguments: argparse.Namespace) -> Output:
    where = database_of(arguments)
    if where is None or not is_address(where):
        raise Wrong(
            "name the database with --journal postgresql://…; a journal in a file belongs to the"
            " process that holds its directory, and is free once that has ended"
        )
    require("a journal in PostgreSQL", "postgres")
    former = asyncio.run(_take_over(where))
    if former is None:
        raise Refused("no venue has this journal: the next that starts will have it")
    sentence = f"taken over from {former}; start the venue that is to go on"
    return Output(lambda: {"from": former}, lambda: printable_lines([sentence]))


async def _take_over(where: str) -> str | None:
    # Not at the top: it cannot be imported without what was just looked for.
    from taisai.runtime.journal.postgres import PostgresJournal  # noqa: PLC0415

    journal = await PostgresJournal.open(where)
    try:
        former = await journal.take_over()
    finally:
        await journal.close()
    return None if former is None else former.sentence
