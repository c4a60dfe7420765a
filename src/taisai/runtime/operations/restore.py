"""Putting a backup back by two persons, who are put on record in the journal itself [D14].

What came after the backup is lost to the journal, and not to the people: dice were shown, vouchers
were printed. So no table goes on with the secrets it had, and the cage leaves serials out.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from taisai.core.cage.state import CageState
from taisai.core.cage.vouchers import SkipSerials
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.provably_fair import AbandonChain
from taisai.core.table.state import Chain, TableState
from taisai.core.venue.setup import RestoreVenue
from taisai.runtime.journal.contract import Append, Journal, Outcome
from taisai.runtime.keys import KeysError
from taisai.runtime.keys.public import person, same_person
from taisai.runtime.operations.backup import BackupError, restore
from taisai.runtime.operations.offline_admin import End, decided, end_of, latest
from taisai.runtime.streams import HOUSE
from taisai.wording import say

_RESTORER = Actor("restore", "system")

#: So many serials of vouchers are left out: more than a house prints between two backups, which
#: takes one a second for more than eleven days. Serials are without end, and none is missed.
SERIALS_SKIPPED = 1_000_000

Restoring = RestoreVenue | AbandonChain | SkipSerials


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


async def _record(journal: Journal, persons: Persons, now: Instant) -> int:
    """Say in the house's stream who restored it, and in the others what follows from it."""
    newest = await journal.checkpoints(newest=1)
    checkpoint = newest[0].number if newest else 0
    house, at = await end_of(journal, HOUSE), await latest(journal, now)
    if not house.state.currency:
        return 0
    appends = [_append(house, RestoreVenue(*persons, checkpoint), at)]
    note = f"restored from a backup up to checkpoint {checkpoint}"
    for stream in sorted(await journal.heads()):
        if stream != HOUSE:
            end = await end_of(journal, stream)
            command = _due(end.state, persons, note)
            if command is not None:
                appends.append(_append(end, command, at))
    outcomes = await journal.write(appends)
    assert set(outcomes) == {Outcome.DURABLE}, "nobody else writes to a journal without a name"
    return house.head.version + 1


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


def _append(end: End, command: Restoring, at: Instant) -> Append:
    """Decide a command on a stream, and chain what it comes to."""
    append = decided(end, Order(f"restore-{end.head.version}", _RESTORER, command), at)
    if isinstance(append, Refusal):
        raise BackupError(f"the restore cannot be put on record: {say(append.reason)}")
    return append
