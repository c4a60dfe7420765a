"""A venue as a process: its data directory, and Python settings that were measured to suit it."""

import fcntl
import gc
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from taisai.runtime.recovery import StartupError

#: The names of the keys and of the accounts within a data directory.
KEYS_DIRECTORY = "keys"
CREDENTIALS_FILE = "credentials.db"
SWITCH_SECONDS = 0.0001
#: Allocations between two collections of new objects, and how many of those between two of the
#: middle generation: few, since it is collected in one go (55 ms after twenty, with 5,000
#: terminals). A full collection is rare, and does not start by itself.
GARBAGE_THRESHOLDS = (10_000, 4, 1_000_000)
_LOCK_FILE = "venue.lock"
#: So many bytes are read of the note on the holder.
_WHO_MAX = 200


def prepare() -> None:
    """Set this process up for a venue, as measured in docs/performance.md.

    The thread that commits waits for a busy loop some ten times in a batch, about a tenth of a
    millisecond each time. All that was read back so far stays, and garbage is not looked for in it.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


@contextmanager
def held(directory: Path) -> Iterator[None]:
    """Lock a data directory, so that no second venue writes to the same journal."""
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
