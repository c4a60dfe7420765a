"""Tries every change, goes on where it was broken off, and tells what no test notices."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from tools.mutants.by_hand import ROOT, Edit, Unnoticed, edit_faults, read_edits, read_unnoticed
from tools.mutants.campaign import (
    Verdict,
    Verdicts,
    edit_name,
    places,
    try_edits,
    try_keys,
)

VERDICTS = ROOT / ".mutants.json"


def main() -> int:
    """Try what has no verdict yet, and tell what survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--only", default="", help="only what has this in its name")
    parser.add_argument("--edits", action="store_true", help="only edits of the source")
    parser.add_argument("--keys", action="store_true", help="only keys of the rulebooks")
    asked = parser.parse_args()
    edits, unnoticed, verdicts = read_edits(), read_unnoticed(), Verdicts(VERDICTS)
    for fault in edit_faults(edits):
        print(fault, file=sys.stderr)
        return 1
    if asked.edits or not asked.keys:
        try_edits(edits, verdicts, tell, asked.only)
    if asked.keys or not asked.edits:
        try_keys(unnoticed, verdicts, tell, asked.only)
    return 0


def tell(name: str, verdict: Verdict) -> None:
    """Tell one verdict as it comes."""
    what = "noticed " if verdict.noticed else "refused " if verdict.fault else "SURVIVED"
    print(f"{what} {name}  ({verdict.noticed or verdict.fault or verdict.asked})", flush=True)


if __name__ == "__main__":
    sys.exit(main())
