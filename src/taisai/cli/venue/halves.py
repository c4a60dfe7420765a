"""A code shown at the machine in two halves: each of two persons sees only their own half.

At a terminal each half is shown alone, and cleared off the screen before the next. Elsewhere the
first is printed, and the second is written to a new file of its own.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from taisai.cli.command import Refused, place
from taisai.core.rules.reason import printable

SECOND_HALF = place(
    "--second-half FILE",
    "a new file for the second half, which is for the second person alone; at a terminal it can"
    " be left out, and the halves are shown one after the other",
)
#: Clears the screen and its scroll-back.
WIPE = "\x1b[2J\x1b[3J\x1b[H"


class Half(NamedTuple):
    """Half of a code, and the person it is for."""

    person: str
    half: str


@contextmanager
def place_for_second(arguments: argparse.Namespace) -> Iterator[Path | None]:
    """Prepare a place for the second half before a code is made: a new file, or the terminal.

    A file that stays empty is removed again.
    """
    named = arguments.second_half
    if named is None:
        if arguments.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise Refused(
                "each half of the code is for one person alone: name a new file for the second"
                " with --second-half FILE, or run this at a terminal without --json"
            )
        yield None
        return
    file = Path(named)
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise Refused(f"{named} is there already, and nothing is written over") from None
    except OSError as error:
        raise Refused(f"{named} cannot be made: {error.strerror or error}") from None
    try:
        yield file
    finally:
        with suppress(OSError):
            if file.stat().st_size == 0:
                file.unlink()


def write_half(file: Path, second: Half) -> None:
    """Write the second half to its file, and sync it to disk."""
    with file.open("w", encoding="utf-8") as opened:
        opened.write(f"{second.half}\n")
        opened.flush()
        os.fsync(opened.fileno())


def show_in_turn(first: Half, second: Half) -> None:
    """Show each half to its person, and clear it before anything else is shown."""
    for each, which in ((first, "first"), (second, "second")):
        person = printable(each.person)
        _wait(f"The {which} half is for {person} alone: let nobody else look, and press Enter. ")
        print(f"\n  {each.half}\n")
        _wait(f"Once {person} has it, press Enter: it is wiped off, and not shown again. ")
        print(WIPE, end="", flush=True)


def _wait(prompt: str) -> None:
    with suppress(EOFError):
        input(prompt)
