"""Several nodes write to one journal in PostgreSQL, each to the streams that it has leases for."""

import pytest

from taisai.runtime.journal.contract import FencedError, Outcome
from taisai.runtime.journal.lease import HeldError, NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from tests.contract.journals import adding, everything, head_after, outsider

DURABLE, FENCED = Outcome.DURABLE, Outcome.FENCED
GIVE = """
INSERT INTO taisai.owners (stream, epoch, node) VALUES ($1, $2, $3)
ON CONFLICT (stream) DO UPDATE SET epoch = $2, node = $3
"""


async def give(url: str, stream: str, leases: NodeLeases) -> None:
    """Give a node the lease of a stream, whoever holds it."""
    async with outsider(url) as giving:
        sql = "SELECT coalesce(max(epoch), 0) + 1 FROM taisai.owners WHERE stream = $1"
        epoch = await giving.fetchval(sql, stream)
        await giving.execute(GIVE, stream, epoch, leases.node)
    leases.epochs[stream] = epoch


async def test_each_node_writes_to_its_own_streams_and_to_no_other(postgres_url: str) -> None:
    here, there = NodeLeases("here"), NodeLeases("there")
    one = await PostgresJournal.open(postgres_url, node=here)
    two = await PostgresJournal.open(postgres_url, node=there)
    await give(postgres_url, "table/A", here)
    await give(postgres_url, "table/B", there)
    first, second = adding("table/A", b"a"), adding("table/B", b"b")
    assert await one.write([first]) == [DURABLE]
    assert await two.write([second]) == [DURABLE]
    # A stream whose lease it was not given, whether or not another node holds it.
    further = adding("table/B", b"c", after=head_after(second))
    assert await one.write([further, adding("table/C", b"c")]) == [FENCED, FENCED]
    assert await everything(one, "table/B") == second.records
    await one.close()
    await two.close()


async def test_a_stream_that_was_taken_over_holds_back_no_other(postgres_url: str) -> None:
    here, there = NodeLeases("here"), NodeLeases("there")
    journal = await PostgresJournal.open(postgres_url, node=here)
    for stream in ("table/A", "table/B"):
        await give(postgres_url, stream, here)
    kept, lost = adding("table/A", b"kept"), adding("table/B", b"lost")
    await give(postgres_url, "table/B", there)
    assert await journal.write([lost, kept]) == [FENCED, DURABLE]
    assert await everything(journal, "table/A") == kept.records
    assert await everything(journal, "table/B") == []
    await journal.close()


async def test_a_journal_is_one_venues_or_nodes(postgres_url: str) -> None:
    venue = await PostgresJournal.open(postgres_url, node="venue")
    with pytest.raises(HeldError, match="belongs to one venue, not to nodes: the venue venue"):
        await PostgresJournal.open(postgres_url, node=NodeLeases("here"))
    await venue.close()
    here = NodeLeases("here")
    journal = await PostgresJournal.open(postgres_url, node=here)
    await give(postgres_url, "table/A", here)
    with pytest.raises(HeldError, match="belongs to nodes, and here has 1 of its streams"):
        await PostgresJournal.open(postgres_url, node="venue")
    await journal.close()


async def test_a_name_is_one_nodes(postgres_url: str) -> None:
    journal = await PostgresJournal.open(postgres_url, node=NodeLeases("here"))
    async with outsider(postgres_url) as elsewhere:
        # As when another process has joined by the same name.
        await elsewhere.execute("UPDATE taisai.nodes SET fence = fence + 1")
    with pytest.raises(FencedError, match="another process has the name of the node here"):
        await journal.reopen()
    with pytest.raises(FencedError):
        await journal.probe()
    await journal.close()
