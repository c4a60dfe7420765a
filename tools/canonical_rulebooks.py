"""Writes each rulebook's canonical form beside its file, so that no command has to parse TOML.

The first line is the hash of the source file: if that file has changed since, the form is not used,
and a test fails.
"""

import argparse
import sys
from hashlib import sha256
from pathlib import Path

from taisai.core.rules.rulebook import read_rulebook
from taisai.rulebooks import KEYS

FOLDER = Path(__file__).resolve().parent.parent / "src" / "taisai" / "rulebooks"


def canonical_form(file: Path) -> bytes:
    """Read and prove a rulebook file, and return its form after the hash of the file."""
    data = file.read_bytes()
    book = read_rulebook(data.decode(), file.name)
    return sha256(data).hexdigest().encode() + b"\n" + book.canonical


def main() -> int:
    """Write the forms, or list the stale ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write them")
    write = parser.parse_args().write
    stale = []
    for key in KEYS:
        form, kept = canonical_form(FOLDER / f"{key}.toml"), FOLDER / f"{key}.canonical"
        if write:
            kept.write_bytes(form)
        elif not kept.exists() or kept.read_bytes() != form:
            stale.append(kept.name)
    if stale:
        print(f"{', '.join(stale)}: not of the rulebook as it is; 'make rulebooks' writes them")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
