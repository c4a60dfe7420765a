"""Members of a cluster: processes on hosts, which can be killed, stopped, and started again.

A member is a venue with its gateways, or a node of several: an office, an owner or a gateway.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.faults.clustering.hosts import Host

_LIBRARIES = ("/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime")
_SHARED = Path("/dev/shm")  # noqa: S108 - where Linux has it


def clock_library() -> str | None:
    """Find the library that shifts a process's clock (libfaketime), if it is installed."""
    found = [Path(each) / "libfaketimeMT.so.1" for each in _LIBRARIES]
    return next((str(each) for each in found if each.exists()), None)


def clock_environment(clock: Path) -> dict[str, str]:
    """Give the environment of a process whose clock is ahead by a file's number of seconds.

    The process reads the file every second. Only the time of day is shifted: durations stay right.
    """
    library = clock_library()
    if library is None:
        return {}
    return {
        "LD_PRELOAD": library,
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        # Otherwise a thread that waits for its turn by the monotonic clock does not wait, and a
        # process with two busy threads does little but switch between them.
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    }


def tree_environment(tree: Path | None) -> dict[str, str]:
    """Give the environment of a process that runs the project of another tree."""
    return {} if tree is None else {"PYTHONPATH": str(tree / "src")}


def _forget_clock(process: int) -> None:
    """Delete the library's shared memory for a clock, which a killed process leaves behind."""
    for each in (f"faketime_shm_{process}", f"sem.faketime_sem_{process}"):
        (_SHARED / each).unlink(missing_ok=True)


class Member:
    """One process of a cluster and its children; it prints a line when it is ready."""

    def __init__(
        self, host: Host, folder: Path, arguments: Sequence[str], keys: Path | None = None
    ) -> None:
        self.host = host
        #: The directory of its keys, with which a journal is verified.
        self.keys = keys or folder / "data" / "keys"
        #: The tree of the project it runs; None is this one.
        self.tree: Path | None = None
        self._folder = folder
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None
        #: How many seconds its clock is ahead, as the library reads it.
        self._clock = folder / "clock"
        self._clock.write_text("+0", encoding="ascii")

    @property
    def pid(self) -> int:
        """Give its process id."""
        assert self._process is not None
        return self._process.pid

    def children(self) -> list[int]:
        """Give the ids of its child processes, such as gateways."""
        listed = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return [int(each) for each in listed.split()]

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        with (self._folder / "log.txt").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [*self.host.run_by, sys.executable, "-m", "taisai", *self._arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | clock_environment(self._clock) | tree_environment(self.tree),
            )
        assert self._process.stdout is not None
        ready = self._process.stdout.readline()
        assert ready, self.log()

    def log(self) -> str:
        """Give its log."""
        return (self._folder / "log.txt").read_text(encoding="utf-8")

    def set_clock(self, ahead: int) -> None:
        """Set its clock ahead of the machine's, or back; the process reads it once a second."""
        self._clock.write_text(f"{ahead:+d}", encoding="ascii")

    def signal(self, number: int) -> None:
        """Send a signal to its own process."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it and all its children, as when a machine is lost."""
        if self._process is not None:
            with suppress(FileNotFoundError, ProcessLookupError):
                for child in self.children():
                    os.kill(child, signal.SIGKILL)
                    _forget_clock(child)
            self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Let it stop in order."""
        if self._process is not None:
            self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        process, self._process = self._process, None
        assert process is not None
        process.send_signal(number)
        process.communicate()
        _forget_clock(process.pid)

    def forget(self) -> None:
        """Kill it and delete its files."""
        self.kill()
        shutil.rmtree(self._folder)
