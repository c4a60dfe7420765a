"""Tries every change, continues an interrupted run, and reports changes that no test notices."""

import argparse
import sys
from collections.abc import Iterator

import msgspec

from taisai.rulebooks import KEYS
from tools.clause_ledger import BY_HAND, ROOT, Found, Results
from tools.mutants.by_hand import Edits, Unnoticed, edit_faults, read_edits, read_unnoticed
from tools.mutants.campaign import Verdict, Verdicts, edit_name, places, try_edits, try_keys

VERDICTS = ROOT / ".mutants.json"
RESULTS = BY_HAND / "results.toml"


def main() -> int:
    """Try changes without a verdict, and report survivors; store the results if all were tried."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], help="only what has this in its name")
    parser.add_argument("--edits", action="store_true", help="only edits of the source")
    parser.add_argument("--keys", action="store_true", help="only keys of the rulebooks")
    asked = parser.parse_args()
    edits, unnoticed, verdicts = read_edits(), read_unnoticed(), Verdicts(VERDICTS)
    faults = list(edit_faults(edits))
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        return 1

    def tell(name: str, verdict: Verdict) -> None:
        what = verdict.noticed or verdict.fault or f"{verdict.asked} tests asked"
        print(f"{standing_of(verdict):9} {name}  ({what})", flush=True)

    if asked.edits or not asked.keys:
        try_edits(edits, verdicts, tell, asked.only)
    if asked.keys or not asked.edits:
        try_keys(unnoticed, verdicts, tell, asked.only)
    return report(edits, unnoticed, verdicts)


def standing_of(verdict: Verdict) -> str:
    """Give the outcome of a change in one word."""
    return "noticed" if verdict.noticed else "refused" if verdict.fault else "unnoticed"


def report(edits: Edits, unnoticed: Unnoticed, verdicts: Verdicts) -> int:
    """Report all outcomes, and store them if every change was tried."""
    kinds: dict[str, list[str]] = {}
    survived = []
    for document, kind, name in _judged(edits, unnoticed, verdicts):
        kinds.setdefault(document, []).append(kind)
        if kind in ("survived", "edit survived", "untried"):
            survived.append(f"{name}: {kind}")
    documents = {key: _found(kinds.get(key, [])) for key in KEYS}
    for key, found in documents.items():
        print(key, msgspec.to_builtins(found))
    print(f"{len(survived)} that no test notices, or not tried")
    print(*survived, sep="\n")
    if not any("untried" in each for each in kinds.values()):
        _write(Results(tuple(survived), documents))
    return bool(survived)


def _found(kinds: list[str]) -> Found:
    """Count the outcomes of a document's changes."""
    taken_out = [each for each in kinds if each.startswith("edit")]
    changed = len(kinds) - len(taken_out)
    noticed = taken_out.count("edit noticed")
    counts = [kinds.count(each) for each in ("noticed", "refused", "unnoticed")]
    return Found(len(taken_out), noticed, changed, *counts)


def _judged(
    edits: Edits, unnoticed: Unnoticed, verdicts: Verdicts
) -> Iterator[tuple[str, str, str]]:
    """Give each change with its document and its outcome."""
    for edit in edits.edit:
        for citation in edit.citations:
            name = edit_name(edit, citation)
            verdict = verdicts.get(name, repr((edit, edits.unproved)))
            noticed = verdict is not None and verdict.noticed
            kind = "untried" if verdict is None else "edit noticed" if noticed else "edit survived"
            yield citation.partition(" ")[0], kind, name
    for place in places(unnoticed):
        verdict = verdicts.get(str(place), "")
        kind = "untried" if verdict is None else _kind(verdict, unnoticed, str(place), place.key)
        yield place.document, kind, str(place)


def _kind(verdict: Verdict, unnoticed: Unnoticed, place: str, key: str) -> str:
    """Give the outcome of a changed key; a refusal counts only if a test cites it."""
    if verdict.noticed:
        return "noticed"
    if verdict.fault is not None and unnoticed.cited(verdict.fault) is not None:
        return "refused"
    return "unnoticed" if unnoticed.why(place, key) is not None else "survived"


def _write(results: Results) -> None:
    """Store the results for the clause ledger."""
    lines = ["# What `make mutants` found when it was last run whole; it writes this file.", ""]
    lines += [f"survived = {list(results.survived)!r}"]
    for key, found in results.documents.items():
        lines += ["", f"[documents.{key}]"]
        lines += [f"{name} = {value}" for name, value in msgspec.to_builtins(found).items()]
    RESULTS.write_text("\n".join([*lines, ""]), "utf-8")
    print(f"written: {RESULTS.relative_to(ROOT)}; 'make ledger' shows it")


if __name__ == "__main__":
    sys.exit(main())
