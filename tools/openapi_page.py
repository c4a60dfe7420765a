"""Writes docs/openapi.json, the OpenAPI document of a venue, with the routes of a demo.

Without `--write` it only says whether the file is stale.
"""

import argparse
import json
import sys
from pathlib import Path

from taisai.server.http.routes import describe

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "openapi.json"


def page() -> str:
    """Make the document to commit."""
    return json.dumps(describe(demo=True), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the file, or say whether it is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the file")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print("docs/openapi.json is stale: write it with `python -m tools.openapi_page --write`")
    return 1


if __name__ == "__main__":
    sys.exit(main())
