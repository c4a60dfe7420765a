"""PostgreSQL over TLS: the server's certificate is checked against the trusted authority.

This holds for the journal, for the leases of nodes and for the credentials that they share.
"""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.ownership.rows import Rows
from taisai.runtime.ownership.tenure import Terms
from taisai.runtime.streams import VENUE
from taisai.server.accounts.credentials import Code, CredentialsError, credentials_key
from taisai.server.accounts.shared_credentials import SharedCredentials
from tests.kit.certificates import certificate
from tests.kit.floor import run
from tests.kit.secure_front import secured
from tests.postgres import Server, own_server

SOCKET = ".s.PGSQL.5432"
KEY = credentials_key(bytes(range(32)))


def test_a_journal_over_tls_is_opened_where_the_certificate_is_trusted(
    tmp_path: Path,
) -> None:
    chain, key = certificate(tmp_path)
    other, _ = certificate(tmp_path, "other")

    async def story(server: Server) -> None:
        async with secured(server.home / SOCKET, chain, key) as front:
            address = f"postgresql://postgres@127.0.0.1:{front.port}/postgres"
            journal = await open_journal(f"{address}?sslmode=verify-full&sslrootcert={chain}")
            assert await journal.heads() == {}
            await journal.close()
            assert front.secure
            assert not front.plain
            await check_node(f"{address}?sslmode=verify-full&sslrootcert={chain}")
            assert not front.plain
            for wrong in (f"sslmode=verify-full&sslrootcert={other}", "sslmode=disable"):
                await check_refused(f"{address}?{wrong}")

    with own_server() as server:
        run(story(server))


def leases() -> NodeLeases:
    return NodeLeases("east", ("owner",), signs_by=VENUE)


async def check_node(address: str) -> None:
    """Check that a node beats, and that credentials are shared."""
    held = leases()
    journal, rows = await PostgresJournal.open(address, node=held), Rows(address, held, Terms())
    assert [each.node for each in (await rows.beat()).nodes] == ["east"]
    await rows.add([VENUE], "office")
    assert [each.stream for each in (await rows.beat()).owners] == [VENUE]
    await rows.close()
    await journal.close()

    def share() -> None:
        # It waits for the database, which is reached through this very loop.
        with closing(SharedCredentials.join(address, KEY)) as one:
            one.set_code("ann", Code(b"c" * 32, 9, 2))
        with closing(SharedCredentials.join(address, KEY)) as other:
            assert other.code("ann") == Code(b"c" * 32, 9, 2)

    await asyncio.to_thread(share)


async def check_refused(address: str) -> None:
    """Check that nothing connects to an untrusted server, or without TLS to one that wants it."""
    with pytest.raises(JournalError):
        await open_journal(address)
    rows = Rows(address, leases(), Terms())
    with pytest.raises(JournalError):
        await rows.beat()
    await rows.close()
    with pytest.raises(CredentialsError):
        await asyncio.to_thread(SharedCredentials.join, address, KEY)
