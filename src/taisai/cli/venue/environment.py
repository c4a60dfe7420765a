"""Secrets of a command from a file or the environment, never from the command line itself.

So a list of processes never shows a passphrase, or a database's password.
"""

import argparse
import os
import stat
from pathlib import Path

from taisai.cli.command import Refused, unreadable

KEYS_VARIABLE = "TAISAI_PASSPHRASE"
JOURNAL_VARIABLE = "TAISAI_JOURNAL"
_BYTES_MAX = 4_096


def database_of(arguments: argparse.Namespace) -> str | None:
    """Give the address of the journal's database, if one was named."""
    return arguments.journal or os.environ.get(JOURNAL_VARIABLE) or None


def passphrase_set() -> str | None:
    """Give the passphrase from the environment, if any."""
    return os.environ.get(KEYS_VARIABLE) or None


def passphrase_of(arguments: argparse.Namespace) -> str | None:
    """Read the passphrase that was given, if any."""
    if arguments.passphrase_file is None:
        return passphrase_set()
    path = Path(arguments.passphrase_file)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_BYTES_MAX + 1)
    except OSError as error:
        raise unreadable("passphrase file", str(path), error) from None
    if os.name == "posix" and stat.S_ISREG(mode) and mode & 0o077:
        raise Refused(f"the passphrase file {path} can be read by others; run: chmod 600 {path}")
    return _only_line(data, path)


def _only_line(data: bytes, path: Path) -> str:
    try:
        text = data.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        text = ""
    if not text or "\n" in text or len(data) > _BYTES_MAX:
        raise Refused(f"the passphrase file {path} is not one line of UTF-8 text")
    return text
