"""`taisai exposure`: what the house pays on each result, which boxes cause it, the room left.

Bets come from the command line or from a file: CSV with a heading, or JSON in any of three shapes.
Bets are checked in the same way as `taisai settle` checks a line.
"""

import argparse
import csv
import io
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from taisai.cli.catalogue import catalogue_of
from taisai.cli.command import (
    LIMITS,
    PAY_TABLE,
    RULEBOOK,
    Answer,
    Output,
    Refused,
    Wrong,
    bets,
    command,
    place,
    plot,
    several,
    unreadable,
    whole,
)
from taisai.cli.rules.round_input import (
    PLAYER,
    WHOLE,
    RoundRequest,
    decode_json,
    limits_of,
    read_bet,
    read_round,
)
from taisai.cli.rules.settlements import counts_for_nothing
from taisai.cli.text import align, title_of
from taisai.core.rules.dice import RESULTS, Result
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.reason import shown
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.exposure import Exposure, Room, exposure_of_bets
from taisai.rulebooks import Catalogue
from taisai.rulebooks.answers import identity_of
from taisai.wording import say

#: A file of a hundred thousand bets is a tenth of this.
FILE_MAX = 64 * 1024 * 1024

_COLUMNS = ("box", "stake", "player")

#: Bets and perhaps limits, in the form of a line for `taisai settle`.
Line = dict[str, Any]


def read_bet_file(name: str) -> Line:
    """Read the bets of a file, or of standard input if the name is `-`."""
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
        raise unreadable("file", name, error) from None
    if len(data) > FILE_MAX:
        raise Refused(f"{name} is over {FILE_MAX} bytes; no layout holds that many bets")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{name} is not UTF-8 text") from None


def _from_json(text: str, name: str) -> Line:
    try:
        value = decode_json(text.encode())
        # A decoder keeps only the last value of a repeated key; here that would lose a bet.
        json.loads(text, object_pairs_hook=_without_twins, parse_int=len)
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
    """Add the only player to a bet without one; faults are found later."""
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


_BLOCKS = 4


@command(
    "taisai exposure ts6/2 --bet small=50000 triple-1=2000 --limit 500000",
    RULEBOOK,
    PAY_TABLE,
    place("file", "the bets; - is standard input", nargs="?"),
    bets("a bet, stake in minor units; PLAYER:BOX=STAKE for more than one player", default=[]),
    whole("--limit AMOUNT", "the most the house is to pay on a result, net"),
    several("--box BOX", "tell the room of these boxes alone; otherwise of all"),
    *LIMITS,
    plot("it"),
    detail="Tells the worst case, what is expected and the boxes that drive it; with --limit, how\n"
    "much more each box can take before the house pays more than that on a win of it.\n"
    "With --min and --max it is the exposure of what plays, over-full boxes pro rata.\n"
    "FILE is CSV with the columns box and stake and perhaps player, or JSON: a list of bets,\n"
    '{"bets": [...], "limits": {...}} as taisai settle takes them, or {"small": 1000}.',
)
def exposure(arguments: argparse.Namespace) -> Output:
    catalogue = catalogue_of(arguments)
    laid = _laid(arguments, catalogue)
    found = exposure_of_bets(laid.table, laid.bets, laid.limits)
    rooms = _rooms(arguments, laid, found)
    if arguments.plot is not None:
        from taisai.maths.plots import plot_exposure  # noqa: PLC0415 - an extra, for pictures

        title = f"Exposure by result, {found.table.address}"
        plot_exposure(found.pays, arguments.plot, title, arguments.limit)
    rulebook = catalogue.rulebook(laid.table.rulebook_key)
    return Output(
        lambda: _answer(rulebook, laid, found, arguments.limit, rooms),
        lambda: _text(rulebook, laid, found, arguments.limit, rooms),
    )


def _laid(arguments: argparse.Namespace, catalogue: Catalogue) -> RoundRequest:
    """Put the input into the form of a line to settle, so that both are checked alike."""
    if (arguments.file is None) == (not arguments.bet):
        raise Wrong("give the bets either in a file or with --bet")
    catalogue.pay_table(arguments.pay_table)
    if arguments.file is None:
        line: dict[str, Any] = {"bets": [read_bet(text) for text in arguments.bet]}
    else:
        line = read_bet_file(arguments.file)
        if line.get("pay_table", arguments.pay_table) != arguments.pay_table:
            raise Refused(f"{arguments.file} is of another pay table than {arguments.pay_table}")
    if limits := limits_of(arguments):
        if line.get("limits") is not None:
            raise Refused(
                f"{arguments.file} has limits, and so has the command line; give them in one place"
            )
        line["limits"] = limits
    # A line needs a throw; exposure is about all of them, so any will do.
    line |= {"pay_table": arguments.pay_table, "dice": RESULTS[0].faces}
    return read_round(msgspec.json.encode(line), catalogue)


def _rooms(arguments: argparse.Namespace, laid: RoundRequest, exposure: Exposure) -> list[Room]:
    if arguments.limit is None:
        if arguments.box:
            raise Wrong("--box tells the room of a box, and needs --limit")
        return []
    boxes = arguments.box or list(laid.table.boxes)
    return [exposure.room(box, arguments.limit, laid.limits) for box in boxes]


# --- for programs --------------------------------------------------------------------------------


def _answer(
    rulebook: Rulebook,
    laid: RoundRequest,
    exposure: Exposure,
    limit: int | None,
    rooms: list[Room],
) -> Answer:
    answer: Answer = {
        "pay_table": laid.table.address,
        "rulebook": identity_of(rulebook),
        "registered": sum(bet.stake for bet in laid.bets),
        "playing": exposure.staked,
        "boxes": exposure.stakes,
        "results": [
            {"dice": each.faces, "throws": each.throws, "pays": exposure.pays[each.index]}
            for each in RESULTS
        ],
        "worst": {
            "pays": exposure.worst,
            "dice": [result.faces for result in exposure.worst_results],
            "probability": exposure.worst_probability,
        },
        "expected": exposure.expected,
        "loses_probability": exposure.losing_probability,
        "drivers": [
            {**each._asdict(), "odds": write_odds(each.odds)} for each in exposure.drivers()
        ],
    }
    if limit is not None:
        answer["limit"] = {
            "most": limit,
            "passed": [result.faces for result in _passed(exposure, limit)],
            "room": [_room_answer(room) for room in rooms],
        }
    return answer


def _room_answer(room: Room) -> Answer:
    return {
        "box": room.box,
        "room": room.amount,
        "ended_by": room.by,
        "dice": None if room.result is None else room.result.faces,
    }


# --- for people ----------------------------------------------------------------------------------


def _text(
    rulebook: Rulebook,
    laid: RoundRequest,
    exposure: Exposure,
    limit: int | None,
    rooms: list[Room],
) -> str:
    note = counts_for_nothing(laid.table, laid.limits)
    parts = [
        title_of(rulebook, laid.table),
        f"{say(note)} [D6]" if note else "",
        _summary(laid, exposure),
        _drivers(exposure),
        f"What the house pays, net, on each result (below zero it gains)\n{_results(exposure)}",
    ]
    if limit is not None:
        parts.append(_rooms_text(exposure, limit, rooms))
    return "\n\n".join(part for part in parts if part)


def _summary(laid: RoundRequest, exposure: Exposure) -> str:
    registered = sum(bet.stake for bet in laid.bets)
    staked = f"{exposure.staked:,} minor units on {_count(len(exposure.stakes), 'box', 'boxes')}"
    if registered != exposure.staked:
        staked += f"; {registered:,} are registered, and the rest does not play"
    on = ", ".join(map(_faces, exposure.worst_results[:4]))
    more = len(exposure.worst_results) - 4
    on += f" and {more} more" if more > 0 else ""
    exactly = write_fraction(exposure.expected)
    return "\n".join(
        [
            f"playing      {staked}",
            f"worst case   {_pays(exposure.worst)} on {on} ({_chance(exposure.worst_probability)})",
            f"expected     {_pays(exposure.expected)} ({exactly} exactly)",
            f"house loses  on {_chance(exposure.losing_probability)}",
        ]
    )


def _drivers(exposure: Exposure) -> str:
    drivers = exposure.drivers()
    if not drivers:
        return ""
    rows = [
        (each.box, f"{each.stake:,}", write_odds(each.odds), f"{each.pays:,}") for each in drivers
    ]
    worst = exposure.worst_results[0]
    collected = exposure.collected(worst)
    rows.append(("all others lose", f"{collected:,}", "", f"{-collected:,}"))
    heading = f"What drives the worst case, {_faces(worst)}"
    return f"{heading}\n{align(('box', 'stake', 'odds', 'pays'), rows, right=' rrr')}"


def _results(exposure: Exposure) -> str:
    high = len(RESULTS) // _BLOCKS
    rows = [
        [cell for block in range(_BLOCKS) for cell in _cells(exposure, block * high + row)][:-1]
        for row in range(high)
    ]
    headings = ("result", "throws", "pays", "") * _BLOCKS
    return align(headings[:-1], rows, right=(" rr " * _BLOCKS)[:-1])


def _cells(exposure: Exposure, number: int) -> tuple[str, ...]:
    result = RESULTS[number]
    return _faces(result), str(result.throws), f"{exposure.pays[number]:,}", ""


def _rooms_text(exposure: Exposure, limit: int, rooms: list[Room]) -> str:
    passed = _passed(exposure, limit)
    heading = f"Room before the house pays more than {limit:,} on a win"
    if passed:
        heading += f"; it already does on {_count(len(passed), 'result', 'results')}"
    rows = [
        (
            room.box,
            f"{exposure.stakes.get(room.box, 0):,}",
            "no end" if room.amount is None else f"{room.amount:,}",
            room.by if room.result is None else _faces(room.result),
        )
        for room in rooms
    ]
    return f"{heading}\n{align(('box', 'lies', 'room', 'ended by'), rows, right=' rr')}"


def _passed(exposure: Exposure, limit: int) -> list[Result]:
    return [result for result in RESULTS if exposure.pays[result.index] > limit]


def _faces(result: Result) -> str:
    return "-".join(map(str, result.faces))


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _pays(amount: int | Fraction) -> str:
    written = f"{abs(amount):,}" if isinstance(amount, int) else f"{abs(float(amount)):,.2f}"
    return f"the house {'pays' if amount >= 0 else 'gains'} {written}"


def _chance(chance: Fraction) -> str:
    return f"{chance * 216} of 216 throws, {100 * float(chance):.2f} %"
