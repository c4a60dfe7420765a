"""Bets from a file: CSV with a heading, or JSON in any of three shapes; its start says which.

Only the shape is judged here; whether such bets can be on a layout is judged as `taisai settle`
judges a line.
"""

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from taisai.cli.errors import Refused, Wrong
from taisai.cli.rules.round_input import PLAYER, WHOLE
from taisai.core.rules.reason import shown

#: A hundred thousand bets take a tenth of it.
FILE_MAX = 64 * 1024 * 1024

_COLUMNS = ("box", "stake", "player")

#: Bets and perhaps limits, in the shape of a line that `taisai settle` takes.
Line = dict[str, Any]


def read_bet_file(name: str) -> Line:
    """Read the bets of a file, or of standard input where the name is `-`."""
    text = _text_of(name)
    if text.lstrip()[:1] in ("{", "["):
        return _from_json(text, name)
    return {"bets": _from_csv(text, name)}


def _text_of(name: str) -> str:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(FILE_MAX + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(FILE_MAX + 1)
    except OSError as error:
        raise Wrong(f"the file {name} cannot be read: {error.strerror or error}") from None
    if len(data) > FILE_MAX:
        raise Refused(f"{name} is over {FILE_MAX} bytes; no layout holds that many bets")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{name} is not UTF-8 text") from None


def _from_json(text: str, name: str) -> Line:
    try:
        value = msgspec.json.decode(text)
        # Of a key given twice a decoder keeps the last; here that would be a bet left out.
        json.loads(text, object_pairs_hook=_without_twins)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{name} is not JSON: {error}") from None
    if isinstance(value, list):
        return {"bets": [_with_player(bet) for bet in value]}
    if isinstance(value, dict) and ("bets" in value or "limits" in value):
        bets = value.get("bets")
        named = [_with_player(bet) for bet in bets] if isinstance(bets, list) else bets
        return {**value, "bets": named}
    return {
        "bets": [{"player": PLAYER, "box": box, "stake": stake} for box, stake in value.items()]
    }


def _without_twins(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice; which one counts nobody can tell")


def _with_player(bet: object) -> object:
    """Leave the player out, and the bet is the one player's; anything wrong is judged later."""
    if isinstance(bet, dict) and "player" not in bet:
        return {"player": PLAYER, **bet}
    return bet


def _from_csv(text: str, name: str) -> list[dict[str, Any]]:
    lines = csv.reader(io.StringIO(text), strict=True)
    try:
        heading = [column.strip() for column in next(lines, [])]
        if not {"box", "stake"} <= set(heading) <= set(_COLUMNS) or len(set(heading)) < len(
            heading
        ):
            raise Refused(f"{name} has no heading 'box,stake' or 'player,box,stake'")
        return [_row(heading, cells, lines.line_num, name) for cells in lines if cells]
    except csv.Error as error:
        raise Refused(f"{name}, line {lines.line_num}: {error}") from None


def _row(heading: list[str], cells: list[str], line: int, name: str) -> dict[str, Any]:
    if len(cells) != len(heading):
        raise Refused(f"{name}, line {line}: {len(cells)} cells where {len(heading)} are right")
    found = dict(zip(heading, (cell.strip() for cell in cells), strict=True))
    if not WHOLE.fullmatch(found["stake"]):
        raise Refused(f"{name}, line {line}: the stake {shown(found['stake'])} is no whole number")
    return {"player": PLAYER, **found, "stake": int(found["stake"])}
