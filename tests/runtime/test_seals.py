"""Seals: each commit seals the events that no checkpoint covers yet, so that changes show."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.core.rules.reason import Refusal
from taisai.core.table.round import OpenBets
from taisai.runtime.answers import IDS_KEPT_MS, Registered
from taisai.runtime.journal.backends import opened_journal
from taisai.runtime.journal.checkpoints import read_checkpoint
from taisai.runtime.journal.contract import (
    Append,
    JournalError,
    Outcome,
    Record,
    Seal,
    VanishedError,
    genesis,
    link,
)
from taisai.runtime.journal.seals import Keyring, Sealed, SealError, Tail
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.recovery import StartupError
from taisai.runtime.verification.verifier import Asked, verify
from tests.contract.journals import adding, answered, head_after
from tests.kit.floor import Floor, keys, killed, run, until
from tests.kit.people import DEALER

TABLE = "table/T1"


async def betted(file: Path, venue_keys: VenueKeys) -> None:
    """Make a venue with a checkpoint, and after it bets that no checkpoint covers."""
    floor = await Floor.open(file, venue_keys)
    await floor.found()
    stream = await floor.add_table("T1")
    await floor.do(stream, DEALER, OpenBets())
    await floor.bet("T1", "T1-1", "small", 500)
    await floor.venue.committer.checkpoint()
    for terminal in ("T1-2", "T1-3"):
        assert isinstance(await floor.bet("T1", terminal, "small", 500), Registered)
    await killed(floor)


def tell(file: Path, sql: str, *given: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as database, database:
        return database.execute(sql, given).fetchall()


def rewrite_end(file: Path) -> None:
    """Change the last bet, and compute its hash anew."""
    [(version, at, cause, data)] = tell(
        file,
        "SELECT version, at, cause, data FROM events WHERE stream = ?"
        " ORDER BY version DESC LIMIT 1",
        TABLE,
    )
    [(before,)] = tell(
        file, "SELECT hash FROM events WHERE stream = ? AND version = ?", TABLE, version - 1
    )
    altered = data.replace(b"500", b"900")
    assert altered != data
    hash_ = link(before, version, 1, at, cause, altered)
    tell(
        file,
        "UPDATE events SET data = ?, hash = ? WHERE stream = ? AND version = ?",
        *(altered, hash_, TABLE, version),
    )


def forge_seal(file: Path) -> None:
    """Rewrite the end and have the last seal match it, without the key."""
    rewrite_end(file)
    [(number, data)] = tell(file, "SELECT number, data FROM seals ORDER BY number DESC LIMIT 1")
    [(version, hash_)] = tell(
        file,
        "SELECT version, hash FROM events WHERE stream = ? ORDER BY version DESC LIMIT 1",
        TABLE,
    )
    said = msgspec.json.decode(data, type=Sealed)
    said = msgspec.structs.replace(said, heads={TABLE: (version, hash_.hex())})
    tell(file, "UPDATE seals SET data = ? WHERE number = ?", msgspec.json.encode(said), number)


def cut_events(file: Path) -> None:
    [(last,)] = tell(file, "SELECT max(version) FROM events WHERE stream = ?", TABLE)
    tell(file, "DELETE FROM events WHERE stream = ? AND version = ?", TABLE, last)


def cut_seals(file: Path) -> None:
    tell(file, "DELETE FROM seals WHERE number = (SELECT max(number) FROM seals)")


def swap_key(file: Path) -> None:
    """Put the key of an earlier run in the place of a later run's."""
    rows = tell(file, "SELECT number, key FROM seals WHERE key IS NOT NULL ORDER BY number")
    tell(file, "UPDATE seals SET key = ? WHERE number = ?", rows[0][1], rows[-1][0])


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        (rewrite_end, "the venue has sealed another event there"),
        (cut_events, "of its events are known"),
        (cut_seals, "was not written by this venue, since no seal is of it"),
    ],
)
def test_an_end_that_was_rewritten_or_cut_leaves_its_table_shut(
    tmp_path: Path, attack: Callable[[Path], None], said: str
) -> None:
    async def start() -> None:
        file, venue_keys = tmp_path / "journal", keys()
        await betted(file, venue_keys)
        attack(file)
        floor = await Floor.open(file, venue_keys)
        assert said in floor.venue.suspended()[TABLE]
        assert floor.venue.suspended().keys() == {TABLE}
        assert said in (await floor.venue.resume(TABLE) or "")
        await floor.venue.stop()
        # A later signature does not vouch for forged events.
        again = await Floor.open(file, venue_keys)
        assert TABLE in again.venue.suspended()
        await again.venue.stop()

    run(start())


@pytest.mark.parametrize("attack", [forge_seal, swap_key])
def test_a_seal_made_without_the_key_of_the_venue_keeps_it_from_starting(
    tmp_path: Path, attack: Callable[[Path], None]
) -> None:
    async def start() -> None:
        file, venue_keys = tmp_path / "journal", keys()
        await betted(file, venue_keys)
        attack(file)
        with pytest.raises(
            StartupError, match=r"not made with a key of this venue.*taisai restore"
        ):
            await Floor.open(file, venue_keys)

    run(start())


@pytest.mark.parametrize("attack", [rewrite_end, forge_seal, cut_events, cut_seals, swap_key])
def test_verifying_with_the_keys_of_the_venue_finds_an_end_that_was_forged(
    tmp_path: Path, attack: Callable[[Path], None]
) -> None:
    async def prove() -> None:
        file, venue_keys = tmp_path / "journal", keys()
        await betted(file, venue_keys)
        asked = Asked(venue_keys.public, sealing=venue_keys.sealing)
        for sound in (True, False):
            journal = await SqliteJournal.open(file, read_only=True)
            report = await verify(journal, asked)
            await journal.close()
            assert report.verified is sound, report.faults
            if sound:
                attack(file)

    run(prove())


def test_a_venue_killed_again_and_again_signs_what_it_has_each_time(tmp_path: Path) -> None:
    async def loop() -> None:
        file, venue_keys = tmp_path / "journal", keys()
        await betted(file, venue_keys)
        for _ in range(3):
            [(events,)] = tell(file, "SELECT count(*) FROM events")
            floor = await Floor.open(file, venue_keys)
            newest = floor.venue.committer.newest
            assert newest is not None
            assert read_checkpoint(newest).events == events
            assert floor.venue.suspended() == {}
            await floor.do(TABLE, DEALER, OpenBets())
            await killed(floor)

    run(loop())


def test_seals_are_by_age_signed_with_the_next_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        before = floor.venue.committer.newest
        monkeypatch.setattr("taisai.runtime.journal.group_commit.CHECKPOINT_SECONDS", 0.0)
        await floor.add_table("T1")
        after = floor.venue.committer.newest
        assert before is not None
        assert after is not None
        assert after.number > before.number
        await floor.venue.stop()

    run(play())


def test_no_key_of_an_earlier_seal_is_found_from_a_later_one() -> None:
    ring = Keyring(bytes(32))
    ring.begin(1, "0" * 64)
    first, mac = ring.key, ring.authenticate(b"data")
    ring.move()
    assert ring.key != first
    assert ring.authenticate(b"data") != mac


def ids_altered(file: Path) -> None:
    tell(file, "UPDATE commands SET input = x'00' WHERE place = (SELECT max(place) FROM commands)")


def ids_deleted(file: Path) -> None:
    tell(file, "DELETE FROM commands WHERE place = (SELECT max(place) FROM commands)")


def ids_added(file: Path) -> None:
    tell(
        file,
        "INSERT INTO commands SELECT stream, sender, id || 'x', input, issued, first, last, answer,"
        " 999, NULL FROM commands LIMIT 1",
    )


@pytest.mark.parametrize("attack", [ids_altered, ids_deleted, ids_added])
def test_ids_of_commands_are_those_that_were_sealed(
    tmp_path: Path, attack: Callable[[Path], None]
) -> None:
    async def prove() -> None:
        file, venue_keys = tmp_path / "journal", keys()
        await betted(file, venue_keys)
        attack(file)
        journal = await SqliteJournal.open(file, read_only=True)
        report = await verify(journal, Asked(venue_keys.public))
        await journal.close()
        assert [fault.in_ for fault in report.faults] == ["command"]

    run(prove())


def test_ids_that_may_be_forgotten_by_a_signed_checkpoint_are_not_missed(tmp_path: Path) -> None:
    async def forget() -> None:
        file, venue_keys = tmp_path / "journal", keys()
        floor = await Floor.open(file, venue_keys)
        await floor.found()
        floor.venue.committer.at += 2 * IDS_KEPT_MS
        await floor.venue.committer.checkpoint()
        await floor.venue._forget()
        assert not [page async for page in floor.venue.journal.commands()]
        await killed(floor)
        journal = await SqliteJournal.open(file, read_only=True)
        report = await verify(journal, Asked(venue_keys.public))
        await journal.close()
        assert report.verified, report.faults

    run(forget())


def test_a_tail_follows_what_another_run_has_sealed(tmp_path: Path) -> None:
    async def follow() -> None:
        journal, sealing = await SqliteJournal.open(tmp_path / "journal"), bytes(range(32))
        one, other = Tail(sealing, (), {}), Tail(sealing, (), {})
        first = adding("cage", b"one", commands=[answered("cage", "1")])
        await journal.write([first], sealing=one)
        one.note()
        await other.catch_up(journal)
        second = adding("cage", b"two", after=head_after(first))
        await journal.write([second], sealing=other)
        other.note()
        await one.catch_up(journal)
        assert one.at == other.at
        assert one.heads == {"cage": head_after(second)}
        with pytest.raises(SealError, match="not made with a key"):
            await Tail(bytes(32), (), {}).catch_up(journal)
        await journal.close()

    run(follow())


def test_a_tail_goes_on_where_the_journal_failed_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far a chain is known and the key that moves with it stay together."""
    monkeypatch.setattr("taisai.runtime.journal.seals.SEALS_AT_ONCE", 1)

    async def follow() -> None:
        journal, sealing = await SqliteJournal.open(tmp_path / "journal"), bytes(range(32))
        one, other = Tail(sealing, (), {}), Tail(sealing, (), {})
        after = None
        for data in (b"one", b"two", b"three"):
            adds = adding("cage", data) if after is None else adding("cage", data, after=after)
            await journal.write([adds], sealing=one)
            one.note()
            after = head_after(adds)
            if data == b"one":
                await other.catch_up(journal)
        read, pages = journal.seals_after, []

        async def failing(number: int, most: int) -> list[Seal]:
            pages.append(number)
            if len(pages) == 2:
                raise JournalError("the journal is away")
            return await read(number, most)

        monkeypatch.setattr(journal, "seals_after", failing)
        with pytest.raises(JournalError, match="away"):
            await other.catch_up(journal)
        await other.catch_up(journal)
        assert other.at == one.at
        await journal.close()

    run(follow())


class Growing(SqliteJournal):
    """A journal in which another chain has one seal more at each reading."""

    def __init__(self, sealing: bytes) -> None:
        self.sealing = sealing
        self.pages = self.lives = 0
        self.begin()

    def begin(self) -> None:
        """Start with an empty chain, and with other events to come than before."""
        self.lives += 1
        self.tail = Tail(self.sealing, (), {}, chain=1)
        self._seals: list[Seal] = []

    async def chains(self) -> list[int]:
        return [1]

    async def seals_after(self, number: int, most: int) -> list[Seal]:
        self.pages += 1
        if self.pages <= 10:
            stream = f"table/{self.lives}"
            record = Record(stream, self.pages, 1, 0, None, b"{}", bytes(32))
            self._seals.append(self.tail.over([Append(stream, genesis(stream), [record], [])]))
            self.tail.note()
        return [seal for seal in self._seals if seal.number > number][:most]


def test_a_chain_that_grows_all_the_while_is_followed_as_far_as_it_was_when_it_was_read() -> None:
    async def follow() -> None:
        sealing = b"s" * 32
        journal, tail = Growing(sealing), Tail(sealing, (), {}, chain=2)
        for pages in (1, 2):
            await tail.follow_others(journal)
            assert journal.pages == pages
            assert tail.followed[1] == journal.tail.at

    run(follow())


@pytest.mark.parametrize("seals", [0, 3])
def test_what_was_followed_of_another_chain_and_is_gone_shows(seals: int) -> None:
    """As after a failover to a standby that had not received it, whatever was sealed since."""

    async def follow() -> None:
        sealing = b"s" * 32
        journal, tail = Growing(sealing), Tail(sealing, (), {}, chain=2)
        for _ in range(2):
            await tail.follow_others(journal)
        journal.begin()
        journal.pages = 10 - seals
        for _ in range(seals):
            await journal.seals_after(0, 1)
        with pytest.raises(VanishedError, match="is not there any more"):
            await tail.follow_others(journal)

    run(follow())


async def sealed_heads(journal: SqliteJournal) -> list[list[str]]:
    """List the streams that each seal names."""
    seals = await journal.seals_after(0, 100)
    return [sorted(msgspec.json.decode(each.data, type=Sealed).heads) for each in seals]


def test_a_batch_of_which_a_stream_is_in_conflict_is_sealed_without_it(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await SqliteJournal.open(tmp_path / "journal.sqlite")
        tail = Tail(bytes(32), (), {})
        one, two = adding("table/1", b"one"), adding("table/2", b"one")
        assert await journal.write([one, two], None, tail) == [Outcome.DURABLE] * 2
        tail.note()
        follows = adding("table/1", b"two", after=head_after(one))
        # Another process was first at the second table.
        again = adding("table/2", b"other")
        found = await journal.write([follows, again], None, tail)
        assert found == [Outcome.DURABLE, Outcome.CONFLICT]
        tail.note()
        assert await sealed_heads(journal) == [["table/1", "table/2"], ["table/1"]]
        # What is in the journal is what the tail goes on from.
        assert tail.heads["table/1"] == head_after(follows)
        read = Tail(bytes(32), (), {})
        await read.catch_up(journal)
        assert (read.at, read.heads) == (tail.at, tail.heads)
        await journal.close()

    run(test())


def test_a_batch_of_which_every_stream_is_in_conflict_leaves_no_gap_in_the_seals(
    tmp_path: Path,
) -> None:
    """What other tables register after it is still there when the venue is opened again."""

    async def test() -> None:
        file, venue_keys = tmp_path / "journal.sqlite", keys()
        floor = await Floor.open(file, venue_keys)
        await floor.found()
        for table in ("T1", "T2"):
            await floor.do(await floor.add_table(table), DEALER, OpenBets())
        committer = floor.venue.committer
        before = committer.tail.at
        async with opened_journal(file) as other:
            # Another process was first at this table.
            await other.write([adding(TABLE, b"{}", after=committer.heads[TABLE])])
        assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Refusal)
        assert [*floor.venue.suspended()] == [TABLE]
        assert committer.tail.at == before
        assert isinstance(await floor.bet("T2", "T2-1", "small", 500), Registered)
        await killed(floor)
        floor = await Floor.open(file, venue_keys)
        assert [*floor.venue.suspended()] == [TABLE]
        await killed(floor)

    run(test())


def test_nothing_of_a_batch_that_cannot_be_sealed_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        journal = await SqliteJournal.open(tmp_path / "journal.sqlite")
        tail = Tail(bytes(32), (), {})

        def fail(_: object) -> Seal:
            raise ArithmeticError("it cannot be sealed")

        with monkeypatch.context() as patched:
            patched.setattr(tail, "over", fail)
            with pytest.raises(ArithmeticError, match="cannot be sealed"):
                await journal.write([adding("table/1", b"one")], None, tail)
        # The transaction that was broken off ends with its connection.
        await journal.reopen()
        assert await journal.heads() == {}
        assert await journal.write([adding("table/1", b"one")], None, tail) == [Outcome.DURABLE]
        assert await sealed_heads(journal) == [["table/1"]]
        await journal.close()

    run(test())


def test_a_checkpoint_that_nobody_waits_for_any_more_keeps_its_number(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await Floor.open(tmp_path / "journal.sqlite", keys())
        await floor.found()
        await floor.add_table("T1")
        journal, committer = floor.venue.journal, floor.venue.committer
        assert isinstance(journal, SqliteJournal)
        first = await committer.checkpoint()
        # Whoever asked for the next gives up while it waits for the thread.
        held = threading.Event()
        journal._writing.submit(held.wait, 30)
        asked = asyncio.create_task(committer.checkpoint())
        await until(committer._turn.locked)
        asked.cancel()
        held.set()
        with pytest.raises(asyncio.CancelledError):
            await asked
        last = await committer.checkpoint()
        assert last.number == first.number + 2
        written = await journal.checkpoints()
        assert [each.number for each in written] == [*range(1, last.number + 1)]
        await floor.venue.stop()

    run(test())
