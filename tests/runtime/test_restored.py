"""A venue that goes on from a backup: no number or dice that people saw since then comes again."""

from pathlib import Path

import pytest

from taisai.core.cage.vouchers import SerialsSkipped
from taisai.core.kernel.messages import Equipment, Event
from taisai.core.table.betting import RoundVoided
from taisai.core.table.provably_fair import ChainAbandoned
from taisai.core.table.round import CloseBets, OpenBets
from taisai.core.table.state import Chain, Phase, TableState
from taisai.runtime.installation import add_table
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.operations.backup import (
    SERIALS_SKIPPED,
    BackupError,
    Persons,
    back_up,
    restore_by,
)
from taisai.runtime.streams import CAGE, kind_of
from taisai.runtime.verification.verifier import Asked, verify
from tests.kit.floor import Floor, keys, run, until
from tests.kit.people import DEALER

ANN_AND_BOB = Persons("Ann Lee", "Bob Tan")
NOW = 1_999_000_000_000
ROUNDS = 4


def chain_of(floor: Floor) -> Chain:
    chain = floor.venue.table("T1").chain
    assert chain is not None
    return chain


async def opened(tmp_path: Path, venue_keys: VenueKeys) -> Floor:
    floor = await Floor.open(tmp_path / "venue.sqlite", venue_keys)
    await floor.found()
    await floor.add_table(equipment=Equipment("verifiable"), terminals=1)
    return floor


async def again(tmp_path: Path, venue_keys: VenueKeys) -> Floor:
    """Restore the backup, prove it, and open the venue on it."""
    backup, target = tmp_path / "backup.sqlite", tmp_path / "restored.sqlite"
    await restore_by(backup, target, ANN_AND_BOB, NOW, venue_keys)
    await prove(target, venue_keys)
    floor = await Floor.open(target, venue_keys)
    await until(lambda: at_rest(floor.venue.table("T1")))
    return floor


def at_rest(state: TableState) -> bool:
    chain = state.chain
    return chain is not None and not chain.used_up and chain.next_round > state.round


async def prove(file: Path, venue_keys: VenueKeys) -> None:
    journal = await open_journal(file, read_only=True)
    try:
        report = await verify(journal, Asked(venue_keys.public))
    finally:
        await journal.close()
    assert report.verified, report.faults


async def events_of(file: Path, stream: str) -> list[Event]:
    journal = await open_journal(file, read_only=True)
    try:
        kind = kind_of(stream)
        return [kind.read(record) async for page in journal.read(stream) for record in page]
    finally:
        await journal.close()


async def play(floor: Floor) -> tuple[int, ...]:
    """Play a round; give its dice once its secret is revealed."""
    await floor.do("table/T1", DEALER, OpenBets())
    await floor.bet("T1", "T1-1", "small", 1_000)
    await floor.do("table/T1", DEALER, CloseBets(bell=True))
    await until(lambda: floor.venue.table("T1").phase is Phase.RESULT)
    await floor.settle("T1")
    await until(lambda: at_rest(floor.venue.table("T1")))
    record = floor.venue.table("T1").history[floor.venue.table("T1").round]
    assert record.drawn == record.faces is not None
    return record.faces


def test_dice_and_vouchers_after_a_restore_are_not_those_after_the_backup(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        floor = await opened(tmp_path, venue_keys)
        await play(floor)
        await back_up(tmp_path / "venue.sqlite", tmp_path / "backup.sqlite")
        before = chain_of(floor).commitment
        shown = [await play(floor) for _ in range(ROUNDS)]
        sold = await floor.sell(500)
        known = chain_of(floor).link
        serial = floor.venue.cage.serial
        await floor.venue.stop()
        floor = await again(tmp_path, venue_keys)
        assert chain_of(floor).commitment != before
        assert chain_of(floor).first == 2
        # Four equal throws happen by chance less than once in a million times.
        assert [await play(floor) for _ in range(ROUNDS)] != shown
        assert chain_of(floor).link != known
        assert await floor.sell(500) != sold
        assert floor.venue.cage.serial == serial - 1 + SERIALS_SKIPPED + 1
        await floor.venue.stop()
        await prove(tmp_path / "restored.sqlite", venue_keys)

    run(work())


def test_who_restored_it_stands_in_every_stream_that_it_concerns(tmp_path: Path) -> None:
    async def work() -> tuple[list[Event], list[Event]]:
        venue_keys = keys()
        floor = await opened(tmp_path, venue_keys)
        await add_table(floor.venue, "T2", Equipment())
        await floor.venue.stop()
        target = tmp_path / "restored.sqlite"
        await back_up(tmp_path / "venue.sqlite", tmp_path / "backup.sqlite")
        before = await events_of(tmp_path / "backup.sqlite", "table/T2")
        await restore_by(tmp_path / "backup.sqlite", target, ANN_AND_BOB, NOW, venue_keys)
        assert await events_of(target, "table/T2") == before
        return await events_of(target, "table/T1"), await events_of(target, CAGE)

    at_table, at_cage = run(work())
    note = "restored from a backup up to checkpoint 2"
    assert at_table[-1] == ChainAbandoned("Ann Lee", "Bob Tan", note)
    assert at_cage[-1] == SerialsSkipped(1 + SERIALS_SKIPPED, "Ann Lee", "Bob Tan", note)


def test_a_round_under_way_is_void_and_its_secret_comes_out(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        floor = await opened(tmp_path, venue_keys)
        await floor.do("table/T1", DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "small", 1_000)
        await back_up(tmp_path / "venue.sqlite", tmp_path / "backup.sqlite")
        await floor.venue.stop()
        floor = await again(tmp_path, venue_keys)
        state = floor.venue.table("T1")
        assert (state.round, state.phase, state.live) == (1, Phase.READY, 0)
        assert state.history[1].void
        assert state.history[1].drawn is not None
        assert state.ledger.balance("terminal:T1-1") == 100_000
        await play(floor)
        await floor.venue.stop()
        await prove(tmp_path / "restored.sqlite", venue_keys)
        events = await events_of(tmp_path / "restored.sqlite", "table/T1")
        assert sum(isinstance(event, RoundVoided) for event in events) == 1

    run(work())


def test_a_backup_of_a_restored_venue_that_never_opened_is_restored_again(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        floor = await opened(tmp_path, venue_keys)
        await floor.venue.stop()
        first = tmp_path / "first.sqlite"
        await restore_by(tmp_path / "venue.sqlite", first, ANN_AND_BOB, NOW, venue_keys)
        await back_up(first, tmp_path / "backup.sqlite")
        floor = await again(tmp_path, venue_keys)
        assert floor.venue.cage.serial == 1 + 2 * SERIALS_SKIPPED
        await play(floor)
        await floor.venue.stop()

    run(work())


def test_a_restore_that_cannot_be_put_on_record_is_not_done(tmp_path: Path) -> None:
    async def work() -> None:
        venue_keys = keys()
        floor = await opened(tmp_path, venue_keys)
        await floor.venue.stop()
        target = tmp_path / "restored.sqlite"
        with pytest.raises(BackupError, match="cannot be put on record: a name is missing"):
            await restore_by(
                tmp_path / "venue.sqlite", target, Persons("Ann:Lee", "Bob"), NOW, venue_keys
            )
        assert not target.exists()

    run(work())
