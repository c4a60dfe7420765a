"""A venue in a process of its own, started as users start it, and short methods for requests."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.browser.floors import Floor
from tests.kit.ports import free_port
from tests.kit.timeouts import TIMEOUT_SECONDS

#: The credits that a demo gives every terminal at the beginning.
CREDITS = 100_000


class RunningVenue:
    """A demo venue on a port of its own; it can be killed, and started again on the same port."""

    def __init__(self, folder: Path, floor: Floor, bots: int = 0) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._bots = bots
        self._tokens: dict[str, str] = {}
        self._words: dict[str, dict[str, str]] = {}
        self._process: subprocess.Popen[str] | None = None
        (folder / "floor.toml").write_text(floor.written, encoding="utf-8")

    @property
    def data(self) -> Path:
        """The directory of its journal and its keys."""
        return self._folder / "data"

    def start(self) -> str:
        """Start it, wait until it prints that it is open, and return that line."""
        self._tokens.clear()
        arguments = ("--data", str(self._folder / "data"), "--port", str(self.port))
        # A demo that runs for hours writes much; a file takes it all and never blocks.
        with (self._folder / "log.txt").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "taisai", "serve", *arguments, *self._more()],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError((self._folder / "log.txt").read_text(encoding="utf-8"))
        return line

    def _more(self) -> tuple[str, ...]:
        floor = str(self._folder / "floor.toml")
        return ("--demo", "--bots", str(self._bots), "--log", "text", "--tables", floor)

    def kill(self) -> None:
        """Kill it at once."""
        self._stop(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it properly."""
        self._stop(signal.SIGTERM)

    def _stop(self, number: int) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(number)
        try:
            process.communicate(timeout=TIMEOUT_SECONDS)
        finally:
            process.kill()
            process.wait()

    # --- asking ----------------------------------------------------------------------------------

    def get(self, path: str, *, role: str | None = None, **query: object) -> Any:
        """Send a GET request, as a visitor or in a role."""
        headers = {} if role is None else {"authorization": f"Bearer {self._token(role)}"}
        asked = {name: str(value) for name, value in query.items()}
        return _answer(httpx.get(self.address + path, params=asked, headers=headers, timeout=60))

    def recall(self, key: dict[str, str]) -> Any:
        """Get a terminal's last rounds."""
        name = f"Terminal {key['table']}/{key['terminal']}:{key['key']}"
        path = self.address + "/api/terminal/recall"
        return _answer(httpx.get(path, headers={"authorization": name}, timeout=60))["rounds"]

    def credits(self, key: dict[str, str]) -> int:
        """Give a terminal's credits by the ledger."""
        told = self.get(f"/api/reports/terminals/{key['table']}", role="auditor")
        (line,) = [each for each in told["terminals"] if each["terminal"] == key["terminal"]]
        return int(line["credits"])

    def name_of(self, box: str, language: str = "en") -> str:
        """Give a box's name as printed on the layout."""
        if language not in self._words:
            self._words[language] = self.get(f"/api/words/{language}")["boxes"]
        return self._words[language][box]

    def _token(self, role: str) -> str:
        if role not in self._tokens:
            asked = httpx.post(self.address + "/api/demo/staff", json={"role": role}, timeout=60)
            self._tokens[role] = _answer(asked)["token"]
        return self._tokens[role]


class RealHouse(RunningVenue):
    """A real house that is not founded yet, in an empty directory; its code is printed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Floor(()))
        self.halves: tuple[str, str] = ("", "")

    def start(self) -> str:
        """Start it as its operator does, and read the halves of the code from the terminal."""
        line = super().start()
        first, second = json.loads(line)["founding"]
        self.halves = first, second
        return line

    def _more(self) -> tuple[str, ...]:
        return ("--json",)


def _answer(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


@contextmanager
def running(folder: Path, floor: Floor, bots: int = 0) -> Iterator[RunningVenue]:
    """Run a venue until the end of a test, and leave no process behind."""
    venue = RunningVenue(folder, floor, bots)
    try:
        venue.start()
        yield venue
    finally:
        venue.stop()
