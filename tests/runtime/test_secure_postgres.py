"""A journal in PostgreSQL over TLS: the server's certificate is held against whom one trusts."""

from pathlib import Path

import pytest

from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import JournalError
from tests.kit.certificates import certificate
from tests.kit.floor import run
from tests.kit.secure_front import secured
from tests.postgres import Server, own_server

SOCKET = ".s.PGSQL.5432"


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
            for wrong in (f"sslmode=verify-full&sslrootcert={other}", "sslmode=disable"):
                with pytest.raises(JournalError):
                    await open_journal(f"{address}?{wrong}")

    with own_server() as server:
        run(story(server))
