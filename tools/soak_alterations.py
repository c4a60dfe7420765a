"""Alters a venue's journal and anchor thousands of times, and counts what verifying finds.

    python -m tools.soak_alterations --count 5000 --results alterations.jsonl

Each alteration is determined by its number. Those already in the results are not tried again: an
interrupted run continues where it was. Exit status 1 if a real alteration was not found.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.verification.alterations import Found, make, tried, verified


def main() -> int:
    """Try the remaining alterations, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--results", type=Path)
    arguments = parser.parse_args()
    found = [] if arguments.results is None else _read(arguments.results)
    done = {each.number for each in found}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        made.mkdir()
        make(made)
        if fault := verified(made):
            print(f"what nobody altered does not verify: {fault}", file=sys.stderr)
            return 1
        numbers = [number for number in range(arguments.count) if number not in done]
        for each in tried(made, numbers, Path(folder)):
            found.append(each)
            if arguments.results is not None:
                with arguments.results.open("a") as file:
                    file.write(json.dumps(each._asdict()) + "\n")
    return _show(found)


def _read(results: Path) -> list[Found]:
    if not results.exists():
        return []
    return [Found(**json.loads(line)) for line in results.read_text().splitlines()]


def _show(found: list[Found]) -> int:
    kinds = Counter(each.kind for each in found if each.changed)
    for kind, count in sorted(kinds.items()):
        where = Counter(each.found for each in found if each.changed and each.kind == kind)
        print(f"{kind:45} {count:6}  {', '.join(f'{at} {n}' for at, n in where.most_common())}")
    missed = [each for each in found if each.changed and each.found is None]
    changed = sum(kinds.values())
    print(
        f"{len(found):,} alterations, {changed:,} of which changed something:"
        f" {changed - len(missed):,} found, {len(missed):,} missed"
    )
    for each in missed[:20]:
        print(f"missed: {each.number}, {each.kind}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
