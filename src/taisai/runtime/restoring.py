"""Putting a backup back by two persons, who are put on record in the journal itself [D14].

What came after the backup is lost to the journal, and not to the people: dice were shown, vouchers
were printed. So no table goes on with the secrets it had, and the cage leaves serials out.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from taisai.core.cage import CageState
from taisai.core.commands import AbandonChain, Order, RestoreHouse, SkipSerials
from taisai.core.messages import Actor, Instant
from taisai.core.reason import Refusal
from taisai.core.table_state import Chain, TableState
from taisai.runtime.answering import cause_of
from taisai.runtime.backing_up import BackupError, restore
from taisai.runtime.journal.contract import Append, Journal, Outcome
from taisai.runtime.journal.record import SHAPE, Head, Record, genesis, link
from taisai.runtime.keys import KeysError
from taisai.runtime.keys.public import person, same_person
from taisai.runtime.streams import HOUSE, Kind, kind_of
from taisai.wording import say

_RESTORER = Actor("restore", "system")

#: So many serials of vouchers are left out: more than a house prints between two backups, which
#: takes one a second for more than eleven days. Serials are without end, and none is missed.
SERIALS_SKIPPED = 1_000_000

Restoring = RestoreHouse | AbandonChain | SkipSerials

_encode = msgspec.json.Encoder().encode


class Persons(NamedTuple):
    """The two who restore a house."""

    by: str
    second: str


def two_persons(by: str, second: str) -> Persons:
    """Take two names, or refuse one person under two names [D14]."""
    try:
        persons = Persons(person(by), person(second))
    except KeysError as error:
        raise BackupError(str(error)) from None
    if same_person(*persons):
        raise BackupError(
            f"restoring a backup takes two different persons; {persons.by} was named twice"
        )
    return persons


async def restore_by(
    file: Path,
    where: str | Path,
    persons: Persons,
    now: Instant,
    told: Callable[[int, int], None] = lambda _, __: None,
) -> int:
    """Restore a backup and write down who did; gives the version of the event that says so.

    Where the house was never opened there is nobody to tell, and the version is zero.
    """
    versions: list[int] = []

    async def record(journal: Journal) -> None:
        versions.append(await _record(journal, persons, now))

    await restore(file, where, record, told)
    return versions[0]


class _End(NamedTuple):
    """A stream as it is at its end."""

    stream: str
    kind: Kind[Any]
    state: Any
    head: Head


async def _record(journal: Journal, persons: Persons, now: Instant) -> int:
    """Say in the house's stream who restored it, and in the others what follows from it."""
    newest = await journal.checkpoints(newest=1)
    checkpoint = newest[0].number if newest else 0
    house, at = await _end_of(journal, HOUSE), await _latest(journal, now)
    if not house.state.currency:
        return 0
    appends = [_append(house, RestoreHouse(*persons, checkpoint), at)]
    note = f"restored from a backup up to checkpoint {checkpoint}"
    for stream in sorted(await journal.heads()):
        if stream != HOUSE:
            end = await _end_of(journal, stream)
            command = _due(end.state, persons, note)
            if command is not None:
                appends.append(_append(end, command, at))
    outcomes = await journal.write(appends)
    assert set(outcomes) == {Outcome.DURABLE}, "nobody else writes to a journal without a name"
    return house.head.version + 1


async def _end_of(journal: Journal, stream: str) -> _End:
    """Replay a stream; no key is needed, since nothing is asked here that hangs on one."""
    kind, head = kind_of(stream), genesis(stream)
    state = kind.fresh(b"")
    async for page in journal.read(stream):
        for record in page:
            kind.evolve(state, kind.read(record))
        head = Head(page[-1].version, page[-1].hash)
    return _End(stream, kind, state, head)


async def _latest(journal: Journal, now: Instant) -> Instant:
    """Tell the time: the house's never goes back, whatever the clock of this machine says."""
    heads = await journal.heads()
    ends = [await journal.records(stream, [end.version]) for stream, end in heads.items()]
    return max([now, *(last.at for end in ends for last in end)])


def _due(state: object, persons: Persons, note: str) -> AbandonChain | SkipSerials | None:
    """Tell what a stream may not do a second time, if anything.

    Secrets that were revealed after the backup was made are known, and so are their dice; and the
    numbers of vouchers printed since then follow from serials that the backup would issue again.
    """
    match state:
        case TableState(chain=Chain(used_up=False)):
            return AbandonChain(*persons, note)
        case CageState(currency=str(currency), serial=serial) if currency:
            return SkipSerials(serial + SERIALS_SKIPPED, *persons, note)
        case _:
            return None


def _append(end: _End, command: Restoring, at: Instant) -> Append:
    """Decide a command on a stream, and chain what it comes to."""
    order = Order(f"restore-{end.head.version}", _RESTORER, command)
    decision = end.kind.decide(end.state, order, at)
    if isinstance(decision, Refusal):
        raise BackupError(f"the restore cannot be put on record: {say(decision.reason)}")
    head, records = end.head, list[Record]()
    for event in decision:
        version, data = head.version + 1, _encode(event)
        cause = None if records else cause_of(order)
        head = Head(version, link(head.hash, version, SHAPE, at, cause, data))
        records.append(Record(end.stream, version, SHAPE, at, cause, data, head.hash))
    return Append(end.stream, end.head, records)
