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
    """Find what sets a process's clock apart from the machine's (libfaketime), if it is there."""
    found = [Path(each) / "libfaketimeMT.so.1" for each in _LIBRARIES]
    return next((str(each) for each in found if each.exists()), None)


def clock_environment(clock: Path) -> dict[str, str]:
    """Say what a process is given whose clock is ahead by what a file says; it looks every second.

    Only the clock of the day is set apart: how long something takes is as it is.
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
        # process with two threads at work does little but change between them.
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    }


def tree_environment(tree: Path | None) -> dict[str, str]:
    """Say what a process is given that is to be of the project in another tree."""
    return {} if tree is None else {"PYTHONPATH": str(tree / "src")}


def _forget_clock(process: int) -> None:
    """Take away the memory by which the library shares a clock: whoever is killed leaves it."""
    for each in (f"faketime_shm_{process}", f"sem.faketime_sem_{process}"):
        (_SHARED / each).unlink(missing_ok=True)


class Member:
    """One process of a cluster and its children; it says when it is ready with a line."""

    def __init__(
        self, host: Host, folder: Path, arguments: Sequence[str], keys: Path | None = None
    ) -> None:
        self.host = host
        #: Where its keys are, by which a journal is proved.
        self.keys = keys or folder / "data" / "keys"
        #: Where the project is that it is started from; none: this one.
        self.tree: Path | None = None
        self._folder = folder
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None
        #: By how many seconds its clock is ahead, as the library reads it.
        self._clock = folder / "clock"
        self._clock.write_text("+0", encoding="ascii")

    @property
    def pid(self) -> int:
        """Give the number of its process."""
        assert self._process is not None
        return self._process.pid

    def children(self) -> list[int]:
        """Give the numbers of the processes that it started, such as gateways."""
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
        """Give what it has logged."""
        return (self._folder / "log.txt").read_text(encoding="utf-8")

    def set_clock(self, ahead: int) -> None:
        """Set its clock ahead of the machine's, or back; it looks once a second."""
        self._clock.write_text(f"{ahead:+d}", encoding="ascii")

    def signal(self, number: int) -> None:
        """Send a signal to its own process."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it and all it started, as when a machine is lost."""
        if self._process is not None:
            with suppress(FileNotFoundError, ProcessLookupError):
                for child in self.children():
                    os.kill(child, signal.SIGKILL)
                    _forget_clock(child)
            self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Have it stop by itself."""
        if self._process is not None:
            self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        process, self._process = self._process, None
        assert process is not None
        process.send_signal(number)
        process.communicate()
        _forget_clock(process.pid)

    def forget(self) -> None:
        """Leave nothing of it."""
        self.kill()
        shutil.rmtree(self._folder)
