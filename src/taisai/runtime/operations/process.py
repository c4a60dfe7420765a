"""A venue as a process: a data directory of its own, and what was measured to suit it."""

import fcntl
import gc
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from taisai.runtime.recovery import StartupError

#: Where a data directory has its keys, and what its people are known by.
KEYS_DIRECTORY = "keys"
CREDENTIALS_FILE = "credentials.db"
SWITCH_SECONDS = 0.0005
#: How much is made between two looks at what is new, and how many of those between two at what is
#: not so new: few, since whatever has gathered by then is looked at in one go (55 ms after twenty,
#: with 5,000 terminals). All of it is looked at seldom, and not by itself.
GARBAGE_THRESHOLDS = (10_000, 4, 1_000_000)
_LOCK_FILE = "venue.lock"
#: As much of it is read of who holds it.
_WHO_MAX = 200


def prepare() -> None:
    """Set this process up for a venue: what was measured to matter (docs/performance.md).

    The thread that commits waits half a millisecond at most for a loop that is busy. Everything
    read back so far is there to stay, and is not looked through for garbage again and again.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


@contextmanager
def held(directory: Path) -> Iterator[None]:
    """Hold a data directory, so that no second venue writes to the same journal."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(directory / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StartupError(
            f"nothing can be written to the data directory {directory}: {error.strerror or error};"
            " name one that belongs to whoever runs the venue, on a disk that can be written"
        ) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = os.pread(lock, _WHO_MAX, 0).decode(errors="replace").strip()
            raise StartupError(
                f"another venue is running on {directory}{f', {who}' if who else ''}; stop it, or"
                " name another directory"
            ) from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        yield
    finally:
        os.close(lock)
