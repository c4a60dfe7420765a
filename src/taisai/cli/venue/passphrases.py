"""Where a command gets the passphrase of the keys: a file, or the environment; never the line."""

import argparse
import os
import stat
from pathlib import Path

from taisai.cli.errors import Refused

VARIABLE = "TAISAI_PASSPHRASE"
_BYTES_MAX = 4_096


def passphrase_of(arguments: argparse.Namespace) -> str | None:
    """Read the passphrase that was given, if any."""
    if arguments.passphrase_file is None:
        return os.environ.get(VARIABLE) or None
    path = Path(arguments.passphrase_file)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Refused(f"the passphrase file {path} cannot be read: {why}") from None
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
