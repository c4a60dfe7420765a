"""Tests a cluster with TLS and authentication on its connections to PostgreSQL and NATS.

It needs a PostgreSQL built with TLS, as Debian's is (`apt-get install postgresql`): that of the
tests is not. Without one it ends with status 1, or with `--where-possible` with status 0. An
office, an owner and a gateway play for some seconds; then it checks that every session at
PostgreSQL was encrypted, and that neither server accepts a client without a password or without
its certificate. Ends with status 1 if any check fails.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import asyncpg

from taisai.runtime.keys.directory import create_keys
from taisai.server.lanes.nats import Nats, NatsOptions
from taisai.server.lanes.nats_line import NatsError
from tests.kit.certificates import certificate
from tests.kit.nats_server import nats_server
from tests.kit.ports import free_port
from tests.postgres import Server, give_away
from tools.cluster import DemoNode, write_cluster

NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "owner": ("owner",),
    "gate": ("gateway",),
}
PLAYED_SECONDS = 5
PASSWORD = "of-the-tool-alone"  # noqa: S105 - for servers that are gone when the tool is
INSTALLED = "/usr/lib/postgresql"
PLAIN = """
SELECT count(*) FILTER (WHERE NOT ssl), count(*) FROM pg_stat_ssl
JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'taisai%'
"""


def binaries() -> Path | None:
    """Find Debian's PostgreSQL, the newest."""
    found = sorted(Path(INSTALLED).glob("*/bin/postgres"))
    return found[-1].parent if found else None


class Encrypted(Server):
    """A server that accepts no client without TLS and a password."""

    def __init__(self, home: Path, binaries: Path, port: int) -> None:
        super().__init__(home, binaries)
        self.listen = "127.0.0.1"
        self.port = port

    def begin(self) -> None:
        """Make its files: a certificate, a password, and the rules for clients."""
        super().begin()
        chain, key = certificate(self._data, "server")
        for file in (chain, key):
            file.chmod(0o600)
            give_away(file)
        (self._data / "pg_hba.conf").write_text(
            "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n", "utf-8"
        )
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(
                f"port = {self.port}\nssl = on\nssl_cert_file = '{chain}'\nssl_key_file = '{key}'\n"
            )

    @property
    def authority(self) -> Path:
        """Give the certificate by which clients verify it."""
        return self._data / "server.crt"


async def check(url: str, local: str, nats_url: str, authority: Path) -> list[str]:
    """List the failed checks."""
    wrong = []
    inside = await asyncpg.connect(local)
    plain, sessions = await inside.fetchrow(PLAIN) or (0, 0)
    await inside.close()
    print(f"sessions of the nodes at PostgreSQL: {sessions}, of which {plain} are not encrypted")
    if plain or not sessions:
        wrong.append("a session is not encrypted")
    for what, address in (
        ("without a password", url.replace(f":{PASSWORD}", "")),
        ("without TLS", url.replace("sslmode=verify-full", "sslmode=disable")),
    ):
        try:
            await (await asyncpg.connect(address, timeout=5)).close()
            wrong.append(f"PostgreSQL lets somebody in {what}")
        except (asyncpg.PostgresError, OSError) as error:
            print(f"PostgreSQL, {what}: {error}")
    try:
        await Nats.connect(NatsOptions((nats_url,), authority=authority), "nobody")
        wrong.append("NATS lets somebody in without a password")
    except NatsError as error:
        print(f"NATS, without a password: {error}")
    return wrong


def show(folder: Path, found: Path, stack: ExitStack) -> list[str]:
    """Let a cluster play; return the failed checks."""
    home = folder / "database"
    home.mkdir()
    give_away(folder)
    give_away(home)
    server = Encrypted(home, found, free_port())
    server.begin()
    server.start()
    stack.callback(server.stop)
    local = f"postgresql://postgres@/postgres?host={home}&port={server.port}"
    asyncio.run(_set_password(local))
    chain, key = certificate(folder, "nats")
    tls = {"cert_file": str(chain), "key_file": str(key)}
    users = [{"user": "venue", "password": PASSWORD}]
    broker = stack.enter_context(nats_server(tls=tls, authorization={"users": users}))
    url = (
        f"postgresql://postgres:{PASSWORD}@127.0.0.1:{server.port}/postgres"
        f"?sslmode=verify-full&sslrootcert={server.authority}"
    )
    create_keys(folder / "keys")
    file = write_cluster(folder, url, broker.url, NODES)
    secret = folder / "nats.password"
    secret.write_text(PASSWORD, "utf-8")
    secret.chmod(0o600)
    plan = file.read_text("utf-8")
    added = f'user = "venue"\npassword_file = "{secret}"\nauthority = "{chain}"\n'
    file.write_text(plan.replace("[nats]\n", f"[nats]\n{added}"), "utf-8")
    nodes = [DemoNode(file, name) for name in NODES]
    try:
        addresses = [each.address() for each in nodes]
        play = ("bots", "--address", addresses[-1], "--seconds", str(PLAYED_SECONDS))
        subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "taisai", *play, "--terminals", "20"], check=True
        )
        return asyncio.run(check(url, local, broker.url, chain))
    finally:
        for each in reversed(nodes):
            each.stop()


async def _set_password(local: str) -> None:
    connection = await asyncpg.connect(local)
    await connection.execute(f"ALTER USER postgres PASSWORD '{PASSWORD}'")
    await connection.close()


def main() -> int:
    """Run the test, and print its outcome."""
    parser = argparse.ArgumentParser(description="Show a cluster with TLS to both engines.")
    parser.add_argument(
        "--where-possible", action="store_true", help="end in peace where there is none"
    )
    asked, found = parser.parse_args(), binaries()
    if found is None:
        print(f"there is no PostgreSQL below {INSTALLED}: apt-get install postgresql")
        return 0 if asked.where_possible else 1
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taisai-tls-")))
        wrong = show(folder, found, stack)
    for each in wrong:
        print(f"wrong: {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
