"""Writes the files generated from the types of socket and HTTP: page, schema, TypeScript types.

Without `--write` it only says which of them are stale.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tools.protocol.answers import answers_page
from tools.protocol.conversation import conversation
from tools.protocol.declared import declared_page
from tools.protocol.limits import closing, limits
from tools.protocol.reference import reference
from tools.protocol.schema import schema_page
from tools.protocol.typescript import examples_page, types_page
from tools.protocol.vocabulary import VocabularyError, unused_meanings

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "protocol.md"
#: The parts of the page between these markers are generated; the rest is written by hand.
PARTS: dict[str, Callable[[], str]] = {
    "limits": limits,
    "closing": closing,
    "conversation": conversation,
    "reference": reference,
}
FILES: dict[Path, Callable[[], str]] = {
    ROOT / "docs" / "protocol" / "messages.schema.json": schema_page,
    ROOT / "web" / "src" / "protocol.ts": types_page,
    ROOT / "web" / "src" / "protocol.examples.ts": examples_page,
    ROOT / "web" / "src" / "answers.ts": answers_page,
    ROOT / "web" / "src" / "declared.ts": declared_page,
}


def begin(part: str) -> str:
    """Mark where a generated part of the page begins."""
    return f"<!-- {part}: written by `python -m tools.protocol_pages --write` -->\n"


def end(part: str) -> str:
    """Mark where a generated part of the page ends."""
    return f"<!-- end of {part} -->\n"


def page(text: str) -> str:
    """Put the generated parts into the page that is written by hand."""
    for part, write in PARTS.items():
        before, found, rest = text.partition(begin(part))
        _, ended, after = rest.partition(end(part))
        if not (found and ended):
            raise VocabularyError(
                f"docs/protocol.md lacks the markers of its {part}: put in the lines\n"
                f"{begin(part)}{end(part)}"
            )
        text = f"{before}{found}\n{write()}\n{ended}{after}"
    return text


def pages() -> dict[Path, str]:
    """Generate every page in memory."""
    if unused := unused_meanings():
        raise VocabularyError(
            f"tools/protocol/meanings.toml explains what there is not: {', '.join(unused)}."
        )
    return {PAGE: page(PAGE.read_text("utf-8")), **{path: make() for path, make in FILES.items()}}


def stale() -> list[str]:
    """List the pages that differ from the ones that would be written now."""
    return [
        str(path.relative_to(ROOT))
        for path, text in pages().items()
        if not path.exists() or path.read_text("utf-8") != text
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or say whether they are stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the pages")
    try:
        if parser.parse_args(arguments).write:
            for path, text in pages().items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
            return 0
        old = stale()
    except VocabularyError as error:
        print(error, file=sys.stderr)
        return 1
    if old:
        print(f"Stale: {', '.join(old)}. Write them again with `make protocol`.", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
