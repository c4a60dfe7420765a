"""One venue at a time writes to a journal in PostgreSQL; a second is refused, or waits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from taisai.runtime.journal.contract import FencedError, Outcome
from taisai.runtime.journal.lease import HeldError
from taisai.runtime.journal.postgres import PostgresJournal
from tests.contract.journals import adding, checkpoint_of, everything, head_after, outsider

DURABLE = Outcome.DURABLE
HERE, THERE = "here:/venue", "there:/venue"


@asynccontextmanager
async def opened(url: str, node: str) -> AsyncIterator[PostgresJournal]:
    """Open a journal by the name of a node, and close it at the end."""
    journal = await PostgresJournal.open(url, node=node)
    try:
        yield journal
    finally:
        await journal.close()


def kill(journal: PostgresJournal) -> None:
    """End the connections of a journal silently, as when its process is killed."""
    assert journal._writer is not None
    assert journal._readers is not None
    journal._writer.connection.terminate()
    journal._readers.terminate()


async def test_a_second_venue_is_refused_and_told_whose_the_journal_is(postgres_url: str) -> None:
    one = adding("cage", b"one")
    async with opened(postgres_url, HERE) as journal:
        with pytest.raises(HeldError, match=r"belongs to the venue here:/venue, .*connected now"):
            await PostgresJournal.open(postgres_url, node=THERE)
        # The refused venue has changed nothing.
        assert await journal.write([one], checkpoint_of(1)) == [DURABLE]
        # Readers are welcome.
        reading = await PostgresJournal.open(postgres_url, read_only=True)
        assert await everything(reading, "cage") == one.records
        await reading.close()


async def test_a_venue_that_stops_leaves_the_journal_to_the_next(postgres_url: str) -> None:
    one = adding("cage", b"one")
    async with opened(postgres_url, HERE) as journal:
        await journal.write([one])
    async with opened(postgres_url, THERE) as journal:
        further = adding("cage", b"two", after=head_after(one))
        assert await journal.write([further]) == [DURABLE]


async def test_a_venue_that_was_killed_goes_on_where_it_was_and_no_other_does(
    postgres_url: str,
) -> None:
    killed = await PostgresJournal.open(postgres_url, node=HERE)
    kill(killed)
    async with outsider(postgres_url) as looking:
        others = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'taisai'"
        while await looking.fetchval(others):
            pass
    with pytest.raises(HeldError, match="has no connection now"):
        await PostgresJournal.open(postgres_url, node=THERE)
    async with opened(postgres_url, HERE) as journal:
        assert await journal.write([adding("cage", b"one")]) == [DURABLE]


async def test_two_of_the_same_name_are_told_apart_by_their_beats(postgres_url: str) -> None:
    async with opened(postgres_url, HERE) as journal:

        async def live() -> None:
            async with outsider(postgres_url) as beating:
                while True:
                    await beating.execute("UPDATE taisai.nodes SET heard = clock_timestamp()")

        living = asyncio.create_task(live())
        with pytest.raises(HeldError, match="another process has the name here:/venue"):
            await PostgresJournal.open(postgres_url, node=HERE)
        living.cancel()
        assert await journal.write([adding("cage", b"one")]) == [DURABLE]


async def test_the_epoch_fences_what_a_former_venue_sends(postgres_url: str) -> None:
    one = adding("cage", b"one")
    async with opened(postgres_url, HERE) as former:
        await former.write([one])
        late = adding("cage", b"late", after=head_after(one))
        async with outsider(postgres_url) as elsewhere:
            # As when it was taken over, and the former owner's connection is still there.
            await elsewhere.execute("UPDATE taisai.owners SET epoch = epoch + 1, node = $1", THERE)
        with pytest.raises(FencedError, match="there:/venue"):
            await former.write([late], checkpoint_of(1))
        with pytest.raises(FencedError):
            await former.write((), checkpoint_of(1))
        with pytest.raises(FencedError):
            await former.reopen()
    async with outsider(postgres_url) as looking:
        assert await looking.fetchval("SELECT count(*) FROM taisai.events") == 1
        assert await looking.fetchval("SELECT count(*) FROM taisai.checkpoints") == 0
        # Nor does it release another's lease.
        assert await looking.fetchval("SELECT node FROM taisai.owners") == THERE


async def test_a_take_over_ends_the_former_and_lets_the_next_in(postgres_url: str) -> None:
    one = adding("cage", b"one")
    async with opened(postgres_url, HERE) as former:
        await former.write([one])
        taking = await PostgresJournal.open(postgres_url)
        taken = await taking.take_over()
        assert taken is not None
        assert taken.node == HERE
        assert await taking.take_over() is None
        await taking.close()
        async with opened(postgres_url, THERE) as journal:
            further = adding("cage", b"two", after=head_after(one))
            assert await journal.write([further], checkpoint_of(1)) == [DURABLE]
            with pytest.raises(FencedError, match="taken over: the venue there:/venue"):
                await former.reopen()
            with pytest.raises(HeldError):
                await PostgresJournal.open(postgres_url, node=HERE)
