"""A venue does not start behind what its anchor remembers, and says what to do."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Equipment
from taisai.core.table.round import OpenBets
from taisai.runtime.journal.anchor import Anchor, AnchorError, default_anchor
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.operations import backup as backing_up
from taisai.runtime.operations.backup import BackupError, back_up, restore_by, two_persons
from taisai.runtime.streams import kind_of
from taisai.runtime.verification.report import Report
from taisai.runtime.verification.verifier import Asked, verify
from tests.kit.floor import Floor, keys, killed, run
from tests.kit.people import DEALER
from tests.kit.timeouts import TIMEOUT_SECONDS

NOW = 1_790_000_000_000


async def play(place: Path, venue_keys: VenueKeys) -> None:
    """Open a venue that holds its anchor, bet, and stop it."""
    floor = await Floor.open(place / "journal", venue_keys, anchor=place / "anchor")
    if not floor.venue.state.currency:
        await floor.found()
    table = f"T{len(floor.venue.tables()) + 1}"
    await floor.do(await floor.add_table(table), DEALER, OpenBets())
    await floor.bet(table, f"{table}-1", "small", 500)
    await floor.venue.stop()


def journal_rolled_back(place: Path) -> None:
    shutil.copy(place / "older", place / "journal")


def checkpoints_deleted(place: Path) -> None:
    """Delete the newer checkpoints, as a forger of the past must."""
    with closing(sqlite3.connect(place / "journal")) as database, database:
        database.execute("DELETE FROM checkpoints WHERE number > 1")
        database.execute("DELETE FROM snapshots")


def all_checkpoints_deleted(place: Path) -> None:
    (place / "anchor" / "anchor.json").unlink()
    with closing(sqlite3.connect(place / "journal")) as database, database:
        database.execute("DELETE FROM checkpoints")


def anchor_deleted(place: Path) -> None:
    (place / "anchor" / "anchor.json").unlink()


def anchor_altered(place: Path) -> None:
    file = place / "anchor" / "anchor.json"
    file.write_bytes(file.read_bytes().replace(b'"number":', b'"number":0'))


def anchor_lowered(place: Path) -> None:
    file = place / "anchor" / "anchor.json"
    data = file.read_bytes()
    start = data.index(b'"number":') + 9
    file.write_bytes(data[:start] + b"1" + data[data.index(b",", start) :])


def another_history(place: Path) -> None:
    """Make a venue with the same keys and a longer history."""
    other = place / "other"
    other.mkdir()
    for _ in range(3):
        asyncio.run(play(other, KEYS))
    shutil.copy(other / "journal", place / "journal")


KEYS = keys()
ATTACKS: list[tuple[Callable[[Path], None], str]] = [
    (journal_rolled_back, "an older journal was put in its place"),
    (checkpoints_deleted, "an older journal was put in its place"),
    (all_checkpoints_deleted, "there is no anchor"),
    (anchor_deleted, "there is no anchor"),
    (anchor_altered, "cannot be read"),
    (anchor_lowered, "was not written by this venue"),
    (another_history, "it is another history"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a venue that was stopped, with a copy of its journal from before."""
    made = tmp_path_factory.mktemp("made")
    run(play(made, KEYS))
    shutil.copy(made / "journal", made / "older")
    run(play(made, KEYS))
    return made


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """Give that venue for one test alone."""
    return Path(shutil.copytree(made, tmp_path / "place"))


async def kinds_of(file: Path, stream: str) -> list[str]:
    """Give the kinds of all events of a stream."""
    journal = await SqliteJournal.open(file, read_only=True)
    pages = [page async for page in journal.read(stream)]
    await journal.close()
    return [type(kind_of(stream).read(record)).__name__ for page in pages for record in page]


async def report_on(place: Path) -> Report:
    journal = await SqliteJournal.open(place / "journal", read_only=True)
    asked = Asked(KEYS.public, sealing=KEYS.sealing, anchor=place / "anchor" / "anchor.json")
    report = await verify(journal, asked)
    await journal.close()
    return report


@pytest.mark.parametrize(("attack", "said"), ATTACKS)
def test_a_venue_that_is_not_what_its_anchor_remembers_does_not_start(
    place: Path, attack: Callable[[Path], None], said: str
) -> None:
    report = run(report_on(place))
    assert report.verified
    assert any("remembers checkpoint" in note for note in report.notes)
    attack(place)
    with pytest.raises(SentenceError, match=said) as refused:
        run(play(place, KEYS))
    assert "taisai restore" in str(refused.value)
    assert "anchor" in {fault.in_ for fault in run(report_on(place)).faults}


def test_events_without_a_checkpoint_are_not_signed_as_if_they_had_been(place: Path) -> None:
    with closing(sqlite3.connect(place / "journal")) as database, database:
        database.execute("DELETE FROM checkpoints")

    async def start() -> None:
        with pytest.raises(SentenceError, match="holds events and no checkpoint"):
            await Floor.open(place / "journal", KEYS)

    run(start())


def test_only_a_restore_by_two_persons_sets_the_anchor_anew(place: Path) -> None:
    async def restore() -> None:
        anchor = Anchor(place / "anchor", KEYS.sealing)
        before = anchor.read()
        await back_up(place / "older", place / "backup")
        (place / "journal").unlink()
        persons = two_persons("Ann Lee", "Bob Tan")
        await restore_by(
            place / "backup", place / "journal", persons, NOW, KEYS, anchor=place / "anchor"
        )
        after = anchor.read()
        assert before is not None
        assert after is not None
        assert after.hash != before.hash
        await play(place, KEYS)

    run(restore())


def not_imported(patch: pytest.MonkeyPatch) -> None:
    async def empty(_: str) -> None:
        pass

    async def as_here(_: str | Path, __: object, now: int) -> int:
        return now

    async def fails(*_: object) -> None:
        raise JournalError("the database is gone")

    patch.setattr(backing_up, "_begin_empty", empty)
    patch.setattr(backing_up, "_time", as_here)
    patch.setattr("taisai.runtime.journal.migration.import_postgres", fails)


def name_taken(patch: pytest.MonkeyPatch) -> None:
    def fails(_: Path, path: Path) -> None:
        raise FileExistsError(path)

    patch.setattr(backing_up, "put_new", fails)


@pytest.mark.parametrize(
    ("fault", "where", "said"),
    [
        (not_imported, "postgresql://somewhere/journal", "the database is gone"),
        (name_taken, "again", "is there already"),
    ],
)
def test_a_restore_that_fails_leaves_the_anchor_as_it_was(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[pytest.MonkeyPatch], None],
    where: str,
    said: str,
) -> None:
    fault(monkeypatch)
    target = where if "://" in where else place / where
    anchor = place / "anchor" / "anchor.json"
    before = anchor.read_bytes()
    persons = two_persons("Ann Lee", "Bob Tan")
    with pytest.raises(SentenceError, match=said):
        run(restore_by(place / "older", target, persons, NOW, KEYS, anchor=anchor.parent))
    assert anchor.read_bytes() == before
    # The journal that the anchor is of is still there, and the venue goes on with it.
    run(play(place, KEYS))


def test_a_restore_whose_anchor_cannot_be_written_says_what_is_there(place: Path) -> None:
    shutil.rmtree(place / "anchor")
    (place / "anchor").write_text("in the way")
    persons = two_persons("Ann Lee", "Bob Tan")
    restoring = restore_by(
        place / "older", place / "again", persons, NOW, KEYS, anchor=place / "anchor"
    )
    with pytest.raises(BackupError, match=r"restored, but not its anchor: .*cannot be written"):
        run(restoring)
    assert (place / "again").exists()


def test_an_anchor_that_cannot_be_written_is_told_to_the_pit(tmp_path: Path) -> None:
    async def start() -> None:
        anchor = tmp_path / "anchor"
        floor = await Floor.open(tmp_path / "journal", KEYS, anchor=anchor)
        shutil.rmtree(tmp_path / "anchor")
        (tmp_path / "anchor").write_text("in the way")
        await floor.found()
        await floor.venue.committer.checkpoint()
        await floor.venue.stop()
        told = [each.text for each in floor.venue.announcements if each.code == "anchor"]
        assert any("cannot be written" in text for text in told)

    run(start())


def test_the_anchor_is_beside_the_keys() -> None:
    assert default_anchor(Path("data/keys")) == Path("data/keys.anchor")


def test_a_key_of_another_venue_has_written_no_anchor(tmp_path: Path) -> None:
    run(play(tmp_path, KEYS))
    with pytest.raises(AnchorError, match="not written by this venue"):
        Anchor(tmp_path / "anchor", keys().sealing).read()


@pytest.mark.parametrize("in_order", [True, False])
def test_secrets_are_dealt_from_again_only_after_a_stop_in_order(
    tmp_path: Path, in_order: bool
) -> None:
    async def deal() -> None:
        file, anchor = tmp_path / "journal", tmp_path / "anchor"
        floor = await Floor.open(file, KEYS, anchor=anchor)
        await floor.found()
        stream = await floor.add_table("T1", equipment=Equipment("verifiable"))
        chain = floor.venue.table("T1").chain
        assert chain is not None
        if in_order:
            await floor.venue.stop()
        else:
            await killed(floor)
        again = await Floor.open(file, KEYS, anchor=anchor)
        now = again.venue.table("T1").chain
        assert now is not None
        assert (now.commitment == chain.commitment) is in_order
        await again.do(stream, DEALER, OpenBets())
        await again.venue.stop()
        report = await report_on(tmp_path)
        assert report.verified, report.faults

    run(deal())


def test_a_journal_cut_back_to_its_newest_checkpoint_deals_from_none_of_its_secrets(
    tmp_path: Path,
) -> None:
    async def deal() -> None:
        file, anchor = tmp_path / "journal", tmp_path / "anchor"
        floor = await Floor.open(file, KEYS, anchor=anchor)
        await floor.found()
        await floor.add_table("T1", equipment=Equipment("verifiable"))
        await floor.venue.stop()
        floor = await Floor.open(file, KEYS, anchor=anchor)
        chain = floor.venue.table("T1").chain
        # A copy of the disk from this moment: people have seen every result after it.
        await back_up(file, tmp_path / "copy")
        await floor.do("table/T1", DEALER, OpenBets())
        await killed(floor)
        (tmp_path / "copy").replace(file)
        again = await Floor.open(file, KEYS, anchor=anchor)
        now = again.venue.table("T1").chain
        assert chain is not None
        assert now is not None
        assert now.commitment != chain.commitment
        await again.venue.stop()

    run(deal())


def test_a_venue_cut_off_with_a_secret_owed_ends_its_chain_once_and_starts(tmp_path: Path) -> None:
    async def deal() -> None:
        file, anchor = tmp_path / "journal", tmp_path / "anchor"
        floor = await Floor.open(file, KEYS, anchor=anchor)
        await floor.found()
        stream = await floor.add_table("T1", equipment=Equipment("verifiable"))
        await floor.do(stream, DEALER, OpenBets())
        await killed(floor)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            again = await Floor.open(file, KEYS, anchor=anchor)
        kinds = await kinds_of(file, stream)
        # The round is void; its secret is still revealed, from a chain that is not used again.
        assert kinds[-4:] == ["RoundVoided", "ChainRetired", "SecretRevealed", "ChainPublished"]
        await again.do(stream, DEALER, OpenBets())
        await again.venue.stop()
        report = await report_on(tmp_path)
        assert report.verified, report.faults

    run(deal())


def test_a_restored_venue_deals_from_none_of_the_secrets_of_its_backup(tmp_path: Path) -> None:
    async def deal() -> None:
        file, anchor = tmp_path / "journal", tmp_path / "anchor"
        floor = await Floor.open(file, KEYS, anchor=anchor)
        await floor.found()
        stream = await floor.add_table("T1", equipment=Equipment("verifiable"))
        chain = floor.venue.table("T1").chain
        assert chain is not None
        await back_up(file, tmp_path / "backup")
        await floor.do(stream, DEALER, OpenBets())
        await floor.venue.stop()
        file.replace(tmp_path / "lost")
        for leftover in ("journal-wal", "journal-shm"):
            (tmp_path / leftover).unlink(missing_ok=True)
        shutil.copy(tmp_path / "backup", file)
        # Put back by one person alone, the venue is behind its anchor, or has no secrets to deal.
        with pytest.raises(AnchorError, match="an older journal was put in its place"):
            await Floor.open(file, KEYS, anchor=anchor)
        for leftover in ("journal", "journal-wal", "journal-shm"):
            (tmp_path / leftover).unlink(missing_ok=True)
        persons = two_persons("Ann Lee", "Bob Tan")
        await restore_by(tmp_path / "backup", file, persons, NOW, KEYS, anchor=anchor)
        again = await Floor.open(file, KEYS, anchor=anchor)
        await again.do(stream, DEALER, OpenBets())
        now = again.venue.table("T1").chain
        assert now is not None
        assert now.commitment != chain.commitment
        assert now.first == again.venue.table("T1").round
        await again.venue.stop()
        report = await report_on(tmp_path)
        assert report.verified, report.faults

    run(deal())
