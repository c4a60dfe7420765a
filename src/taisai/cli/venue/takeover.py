"""`taisai takeover`: take over the journal in PostgreSQL of a lost venue, by two persons."""

import argparse
import asyncio
import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from taisai.cli.command import (
    PASSPHRASE,
    SECOND,
    Output,
    Refused,
    Wrong,
    argument,
    command,
    place,
)
from taisai.cli.text import printable_lines
from taisai.cli.venue.environment import database_of, passphrase_of
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.kernel.names import two_persons_refusal
from taisai.core.rules.reason import Refusal
from taisai.core.venue.setup import TakeOverVenue
from taisai.extras import require
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.contract import Append, JournalError
from taisai.runtime.journal.location import is_address
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
from taisai.runtime.operations.process import KEYS_DIRECTORY, held
from taisai.runtime.streams import VENUE, kind_of
from taisai.wording import say

if TYPE_CHECKING:
    from taisai.runtime.journal.postgres import PostgresJournal

_WORKER = Actor("taisai takeover", "system")
_DETAIL = """\
A venue that was killed goes on where it is started again, from the same data directory on the same
machine. Where that machine is lost, another is refused the journal, and told which venue has it;
this command takes it over for the next venue that starts. DATA is the data directory of the venue
that is to go on, with its keys and its anchor. Nothing that the former venue still sends is written
any more: if it lives, its tables are suspended at once. The journal says who did it."""


class Taken(NamedTuple):
    """The former holder of the journal, the time, and the version of the event, if there is one."""

    former: str
    epoch: int
    version: int


@command(
    "taisai takeover data --journal postgresql://venue@db/venue --by 'Ann Lee' --second 'Bob Tan'",
    place("data DATA", "the data directory of the venue that is to go on"),
    place("--journal URL", "the postgresql:// database; otherwise TAISAI_JOURNAL, if set"),
    argument("--by NAME", "who takes it over", required=True),
    SECOND,
    place("--anchor DIR", "where the newest checkpoint is remembered (DATA/keys.anchor)"),
    PASSPHRASE,
    detail=_DETAIL,
)
def take_over(arguments: argparse.Namespace) -> Output:
    where = database_of(arguments)
    if where is None or not is_address(where):
        raise Wrong(
            "name the database with --journal postgresql://…; a journal in a file belongs to the"
            " process that holds its directory, and is free once that has ended"
        )
    by, second = name_of(arguments.by), name_of(arguments.second)
    refusal = two_persons_refusal(by, second)
    if refusal is not None:
        raise Refused(say(refusal.reason))
    data = Path(arguments.data)
    if not data.is_dir():
        raise Refused(f"there is no data directory {arguments.data}")
    require("a journal in PostgreSQL", "postgres")
    # A table that does not verify is reported when the venue starts, and by 'taisai audit verify'.
    logging.getLogger("taisai").addHandler(logging.NullHandler())
    keys = load_keys(data / KEYS_DIRECTORY, passphrase_of(arguments))
    anchor = Path(arguments.anchor or default_anchor(data / KEYS_DIRECTORY))
    with held(data):
        taken = asyncio.run(_take_over(where, keys, anchor, by, second))
    return Output(lambda: _answer(taken, by, second), lambda: printable_lines([_told(taken)]))


async def _take_over(where: str, keys: VenueKeys, anchor: Path, by: str, second: str) -> Taken:
    # Not at the top: it cannot be imported without what was just looked for.
    from taisai.runtime.journal.postgres import PostgresJournal  # noqa: PLC0415

    journal = await PostgresJournal.open(where)
    try:
        holder = await journal.holder()
        if holder.node is None:
            raise Refused("no venue has this journal: the next that starts will have it")
        # Before the takeover: check that it can be recorded, by these keys and this anchor.
        _refuse_broken(await read_alone(journal, keys, anchor))
        former = await journal.take_over()
        if former is None or former.node is None:
            raise Refused("the venue has let go of this journal just now: the next may start")
        asked = TakeOverVenue(by, second, former.node, former.epoch + 1)
        version = await _record(journal, keys, anchor, asked)
    finally:
        await journal.close()
    return Taken(former.sentence, asked.epoch, version)


async def _record(
    journal: "PostgresJournal", keys: VenueKeys, anchor: Path, asked: TakeOverVenue
) -> int:
    """Record it in the venue's stream, which does not exist before the venue was opened."""
    try:
        alone = await read_alone(journal, keys, anchor)
        _refuse_broken(alone)
        if not alone.started.streams[VENUE].state.currency:
            return 0
        at = await time_alone(alone, time.time_ns() // 1_000_000)
        append = _append(alone, asked, at)
        await write_signed(alone, [append], at)
    except JournalError as error:
        raise Refused(
            f"the journal was taken over from {asked.node}, but that could not be put on record:"
            f" {error}"
        ) from None
    return append.records[-1].version


def _refuse_broken(alone: Alone) -> None:
    why = alone.started.broken.get(VENUE)
    if why is not None:
        raise JournalError(why)


def _append(alone: Alone, asked: TakeOverVenue, at: Instant) -> Append:
    venue = alone.started.streams[VENUE]
    order = Order(f"{at}-takeover-{asked.epoch}", _WORKER, asked)
    append = decided(End(VENUE, kind_of(VENUE), venue.state, venue.head), order, at)
    if isinstance(append, Refusal):
        raise JournalError(say(append.reason))
    return append


def _answer(taken: Taken, by: str, second: str) -> dict[str, object]:
    return {
        "from": taken.former,
        "epoch": taken.epoch,
        "by": by,
        "second": second,
        "venue_version": taken.version,
    }


def _told(taken: Taken) -> str:
    return f"taken over from {taken.former}; start the venue that is to go on"
