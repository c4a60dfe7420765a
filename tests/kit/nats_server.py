"""A real NATS server for the tests: on the loopback address, on a free port."""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

import msgspec

from tests.kit.ports import free_port
from tests.kit.timeouts import TIMEOUT_SECONDS


class NatsServer:
    """A server that can be killed, stopped, and started again on the same port."""

    def __init__(
        self,
        home: Path,
        settings: dict[str, Any],
        address: str = "127.0.0.1",
        run_by: Sequence[str] = (),
    ) -> None:
        self.port = free_port()
        self.address = address
        #: The command that runs the program on another host, if any.
        self._run_by = run_by
        self._scheme = "tls" if "tls" in settings else "nats"
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None
        # The server's settings format is a superset of JSON.
        listen = {"listen": f"{address}:{self.port}", **settings}
        (home / "nats.conf").write_bytes(msgspec.json.encode(listen))

    @property
    def url(self) -> str:
        """Give the server's address."""
        return f"{self._scheme}://{self.address}:{self.port}"

    @property
    def pid(self) -> int:
        """Give its process id."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """Give the text of its log."""
        return (self._home / "log").read_text(encoding="utf-8")

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        with (self._home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._run_by, str(_program()), "--config", str(self._home / "nats.conf")],
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.005)

    def kill(self, *, politely: bool = False) -> None:
        """Kill it at once, or let it end by itself."""
        process, self._process = self._process, None
        if process is not None:
            if politely:
                process.terminate()
            else:
                process.kill()
            process.wait()

    def _answers(self) -> bool:
        with socket.socket() as asked:
            return asked.connect_ex((self.address, self.port)) == 0


def _program() -> Path:
    """Find the server program, which its wheel puts beside the interpreter."""
    return Path(sys.executable).with_name("nats-server")


@contextmanager
def nats_server(
    address: str = "127.0.0.1", run_by: Sequence[str] = (), **settings: Any
) -> Iterator[NatsServer]:
    """Run a server with the given settings of its file; everything is removed afterwards."""
    home = Path(tempfile.mkdtemp(prefix="taisai-nats-"))
    server = NatsServer(home, settings, address, run_by)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        rmtree(home)
