"""A journal is created once, opened by the right programs, and nothing else is taken for one."""

import asyncio
import importlib.util
import stat
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from taisai.extras import MissingExtraError
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import (
    SCHEMA,
    JournalError,
    NotAJournalError,
    NothingWrittenError,
    Outcome,
)
from tests.contract.journals import (
    NOON,
    Place,
    PostgresPlace,
    SqlitePlace,
    adding,
    checkpoint_of,
    everything,
    head_after,
    outsider,
)
from tests.kit.unprivileged import without_privileges

DURABLE = Outcome.DURABLE


async def test_a_journal_is_begun_where_there_is_none_and_found_again(place: Place) -> None:
    append = adding("venue", b"opened")
    async with place.journal() as journal:
        await journal.write([append], checkpoint_of(1))
    async with place.journal() as journal:
        assert await journal.heads() == {"venue": head_after(append)}
        assert await journal.checkpoints() == [checkpoint_of(1)]
        further = adding("venue", b"more", after=head_after(append))
        assert await journal.write([further]) == [DURABLE]


async def test_two_that_begin_at_once_begin_one_journal(place: Place) -> None:
    async with place.journal() as first, place.journal() as second:
        await first.write([adding("cage", b"first")])
        assert await second.heads() == await first.heads()


async def test_a_journal_reopened_goes_on(place: Place) -> None:
    append = adding("cage", b"before")
    async with place.journal() as journal:
        await journal.write([append])
        await journal.reopen()
        assert await everything(journal, "cage") == append.records
        further = adding("cage", b"after", after=head_after(append))
        assert await journal.write([further]) == [DURABLE]
        assert await everything(journal, "cage") == [*append.records, *further.records]


async def test_a_journal_may_be_closed_twice_and_is_closed_then(place: Place) -> None:
    async with place.journal() as journal:
        await journal.write([adding("cage", b"one")])
        await journal.close()
        await journal.close()
        with pytest.raises(JournalError, match="closed"):
            await journal.heads()
        with pytest.raises(JournalError, match="closed"):
            await journal.write([adding("venue", b"two")])


async def test_something_else_is_not_taken_for_a_journal(place: Place) -> None:
    await place.make_something_else()
    for read_only in (False, True):
        with pytest.raises(NotAJournalError, match=r"no journal of a venue$"):
            async with place.journal(read_only=read_only):
                pass


async def test_a_journal_of_another_schema_is_left_alone(place: Place) -> None:
    async with place.journal() as journal:
        await journal.write([adding("cage", b"one")])
    await place.make_schema(SCHEMA + 1)
    for read_only in (False, True):
        with pytest.raises(NotAJournalError) as caught:
            async with place.journal(read_only=read_only):
                pass
        assert str(caught.value).endswith(
            f"has schema {SCHEMA + 1}, and this program reads schema {SCHEMA}"
        )
    await place.make_schema(SCHEMA)
    async with place.journal() as journal:
        assert set(await journal.heads()) == {"cage"}


async def test_reading_only_begins_no_journal(place: Place) -> None:
    with pytest.raises(JournalError):
        async with place.journal(read_only=True):
            pass
    assert await place.begins_nothing()


async def test_reading_only_writes_nothing(place: Place) -> None:
    append = adding("cage", b"one")
    async with place.journal() as journal:
        await journal.write([append])
    async with place.journal(read_only=True) as journal:
        further = adding("cage", b"two", after=head_after(append))
        with pytest.raises(NothingWrittenError):
            await journal.write([further])
        with pytest.raises(NothingWrittenError):
            await journal.write([], checkpoint_of(1))
        with pytest.raises(JournalError):
            await journal.forget(NOON)
        assert await everything(journal, "cage") == append.records
        assert await journal.checkpoints() == []


async def test_who_reads_only_sees_what_is_written_meanwhile(place: Place) -> None:
    async with place.journal() as writing, place.journal(read_only=True) as reading:
        assert await reading.heads() == {}
        append = adding("cage", b"one")
        await writing.write([append])
        assert await everything(reading, "cage") == append.records


# --- the address -----------------------------------------------------------------------------


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear venue, " * 1_000)
    with pytest.raises(NotAJournalError, match=r"letter\.txt is no journal"):
        await open_journal(path)


@pytest.mark.parametrize("kind", [str, Path])
async def test_a_path_is_a_path_as_text_or_not(tmp_path: Path, kind: type[str | Path]) -> None:
    place = SqlitePlace(tmp_path / "venue.journal")
    journal = await open_journal(kind(place.path))
    await journal.close()
    assert not await place.begins_nothing()


async def test_an_address_of_another_kind_is_refused_in_a_sentence() -> None:
    with pytest.raises(JournalError) as caught:
        await open_journal("mysql://localhost/venue")
    assert str(caught.value) == (
        "a journal is a file or a database at postgresql://…, and mysql:// is neither"
    )


async def test_without_asyncpg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> ModuleSpec | None:
        return None if name == "asyncpg" else importlib.util.find_spec(name)

    monkeypatch.setattr("taisai.extras.find_spec", missing)
    with pytest.raises(MissingExtraError, match=r'pip install "taisai\[postgres\]"$'):
        await open_journal("postgresql://localhost/venue")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://mei:sesame@localhost:1/venue",
        "postgresql://mei:sesame@localhost:no-port/venue",
        "postgresql://mei@localhost:1/venue?password=sesame",
    ],
)
async def test_a_server_that_is_not_there_is_named_without_the_password(address: str) -> None:
    with pytest.raises(JournalError) as caught:
        await open_journal(address)
    assert "cannot be opened: " in str(caught.value)
    assert "localhost" in str(caught.value)
    assert "sesame" not in str(caught.value)


async def test_two_that_begin_at_the_same_moment_begin_one_journal(postgres_url: str) -> None:
    journals = await asyncio.gather(*(open_journal(postgres_url) for _ in range(4)))
    outcomes = [
        await journal.write([adding(f"table/{n}", b"one")]) for n, journal in enumerate(journals)
    ]
    assert outcomes == [[DURABLE]] * 4
    for journal in journals:
        assert len(await journal.heads()) == 4
        await journal.close()


async def test_a_journal_from_before_rows_travelled_whole_is_written_to(postgres_url: str) -> None:
    append = adding("venue", b"opened")
    async with PostgresPlace(postgres_url).journal() as journal:
        assert await journal.write([append]) == [DURABLE]
    async with outsider(postgres_url) as connection:
        await connection.execute("DROP TYPE taisai.answered; DROP TYPE taisai.registered")
    async with PostgresPlace(postgres_url).journal() as journal:
        further = adding("venue", b"more", after=head_after(append))
        assert await journal.write([further]) == [DURABLE]


def test_a_journal_that_may_only_be_read_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "venue.journal"

    async def begin() -> None:
        journal = await open_journal(path)
        await journal.close()

    async def go_on() -> str:
        with pytest.raises(JournalError) as caught:
            await open_journal(path)
        # To be read it is opened nevertheless.
        reading = await open_journal(path, read_only=True)
        await reading.close()
        return str(caught.value)

    asyncio.run(begin())
    before = path.read_bytes()
    path.chmod(0o400)
    told = without_privileges(lambda: asyncio.run(go_on()))
    assert told == f"the journal {path} cannot be opened: [Errno 13] Permission denied: '{path}'"
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (before, 0o400)


def test_a_journal_that_may_only_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "venue.journal"
    path.touch(0o200)

    async def begin() -> None:
        with pytest.raises(JournalError, match=r"Permission denied: '.*venue\.journal'$"):
            await open_journal(path)

    without_privileges(lambda: asyncio.run(begin()))


async def test_a_directory_in_place_of_a_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "venue.journal"
    path.mkdir()
    with pytest.raises(JournalError) as caught:
        await open_journal(path)
    assert str(caught.value) == (
        f"the journal {path} cannot be opened: [Errno 21] Is a directory: '{path}'"
    )


@pytest.mark.parametrize("through_a_link", [False, True])
async def test_a_new_journal_is_for_its_owner_alone(tmp_path: Path, through_a_link: bool) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    named = file = folder / "journal.sqlite"
    if through_a_link:
        named = tmp_path / "link.sqlite"
        named.symlink_to(file)
    journal = await open_journal(named)
    try:
        await journal.heads()
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}
        assert modes["journal.sqlite"] == modes["journal.sqlite-wal"] == 0o600
        assert set(modes.values()) == {0o600}
    finally:
        await journal.close()
