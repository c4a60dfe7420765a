"""Reading rounds to settle, one JSON object in each line, and refusing wrong lines.

A wrong line is refused, and nothing is guessed: an unknown key may be a misspelt limit.
"""

import argparse
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from taisai.cli.command import Wrong
from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.bets import Bet, bet_refusal
from taisai.core.rules.dice import Result, are_dice, result_of
from taisai.core.rules.limits import Limits, set_limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, shown
from taisai.core.rules.settlement import Settlement, settle
from taisai.rulebooks import Catalogue, UnknownPayTableError
from taisai.wording import say

LINE_MAX = 1024 * 1024

#: The player of a bet without a name.
PLAYER = "player"
#: A whole number as a person writes it.
WHOLE = re.compile(r"-?[0-9]{1,40}", re.ASCII)

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"')

#: The most numbers shown of a wrong throw.
_DICE_SHOWN = 6
_LINE_KEYS = ("pay_table", "dice", "bets", "limits")
_BET_KEYS = ("player", "box", "stake")
_LIMIT_KEYS = ("min", "max", "differential", "step", "boxes")
_BOX_LIMIT_KEYS = ("min", "max")


class LineError(SentenceError):
    """Why a line cannot be settled: a code for programs and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class RoundRequest(Struct, frozen=True):
    """A round to settle, understood."""

    table: PayTable
    result: Result
    bets: list[Bet]
    limits: Limits | None


def read_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Read numbered lines, None for one that is too long; blank lines are skipped."""
    number = 0
    while line := file.readline(LINE_MAX + 1):
        number += 1
        if len(line) > LINE_MAX and not line.endswith(b"\n"):
            pass_over_rest(file)
            yield number, None
        elif line.strip():
            yield number, line


def pass_over_rest(file: BinaryIO) -> None:
    """Skip to the end of a line that is too long."""
    while rest := file.readline(LINE_MAX):
        if rest.endswith(b"\n"):
            return


def read_round(line: bytes | None, catalogue: Catalogue, language: str = "en") -> RoundRequest:
    """Read one line as a round to settle, or refuse it."""
    request = decode_line(line)
    _check_keys(request, "the line", _LINE_KEYS, required=("pay_table", "dice", "bets"))
    bets = _check_bets(request["bets"])
    table = _find_table(catalogue, request["pay_table"])
    if not are_dice(request["dice"]):
        dice = _dice_text(request["dice"])
        raise LineError(
            "BAD_DICE", f"the dice are {dice}; three whole numbers from 1 to 6 are right"
        )
    return RoundRequest(
        table=table,
        result=result_of(request["dice"]),
        bets=[_read_bet(table, number, bet, language) for number, bet in enumerate(bets, start=1)],
        limits=read_limits(table, request.get("limits"), language),
    )


def _dice_text(dice: object) -> str:
    """Write the value given for dice, number by number if it is a short list."""
    if isinstance(dice, list) and 0 < len(dice) <= _DICE_SHOWN:
        return ", ".join(map(shown, dice))
    return shown(dice)


def settle_round(request: RoundRequest, language: str) -> Settlement:
    """Settle a round that was read, or refuse it like a wrong line."""
    settled = settle(request.table, request.result, request.bets, request.limits)
    if isinstance(settled, Refusal):
        raise _refused(settled, language)
    return settled


def read_bet(text: str) -> dict[str, Any]:
    """Read a bet given on the command line, BOX=STAKE or PLAYER:BOX=STAKE."""
    where, equals, stake = text.rpartition("=")
    player, colon, box = where.rpartition(":")
    if not (equals and WHOLE.fullmatch(stake)):
        raise Wrong(f"{text!r} is no bet; write box and stake like 'small=1000'")
    return {"player": player if colon else PLAYER, "box": box, "stake": int(stake)}


def limits_of(arguments: argparse.Namespace) -> dict[str, int]:
    """Read limits given on the command line in the form of a line's limits."""
    given = {name: getattr(arguments, name) for name in ("min", "max", "differential", "step")}
    limits = {name: amount for name, amount in given.items() if amount is not None}
    if limits and not {"min", "max"} <= set(limits):
        raise Wrong("limits need both --min and --max")
    return limits


def _refused(refusal: Refusal, language: str, where: str = "") -> LineError:
    """Turn a refusal of the core into the answer to a line."""
    return LineError(refusal.code, f"{where}{say(refusal.reason, language, minor_units=True)}")


def decode_line(line: bytes | None) -> dict[str, Any]:
    """Decode a line, or refuse one that is no JSON object or gives a key twice."""
    if line is None:
        raise LineError("LINE_TOO_LONG", f"the line is over {LINE_MAX} bytes; make rounds smaller")
    try:
        request = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LineError("NOT_JSON", f"the line is not JSON: {error}") from None
    except RecursionError:
        raise LineError("NOT_JSON", "the line is not JSON: it is nested too deeply") from None
    # In valid JSON there is one colon outside of texts for each key.
    if _TEXT.sub(b"", line).count(b":") > _keys_in(request):
        raise LineError("NOT_JSON", "a key is given twice; which one counts nobody can tell")
    if not isinstance(request, dict):
        raise LineError("NOT_JSON", f"the line is {shown(request)}; a JSON object is right")
    return request


def _keys_in(value: object) -> int:
    """Count the decoded keys; of a repeated key only the last is decoded."""
    if isinstance(value, dict):
        return len(value) + sum(map(_keys_in, value.values()))
    return sum(map(_keys_in, value)) if isinstance(value, list) else 0


def _check_keys(
    value: dict[str, Any], where: str, known: tuple[str, ...], required: tuple[str, ...] = ()
) -> None:
    for key in value:
        if key not in known:
            message = f"{where} has the key {shown(key)}; the keys are {', '.join(known)}"
            raise LineError("UNKNOWN_KEY", message)
    for key in required:
        if key not in value:
            raise LineError("MISSING_KEY", f"{where} has no key {key!r}")


def _check_bets(bets: object) -> list[dict[str, Any]]:
    if not isinstance(bets, list):
        raise LineError("MISSING_KEY", f"'bets' is {shown(bets)}; a list of bets is right")
    for number, bet in enumerate(bets, start=1):
        if not isinstance(bet, dict):
            message = f"bet {number} is {shown(bet)}; an object with player, box and stake is right"
            raise LineError("MISSING_KEY", message)
        _check_keys(bet, f"bet {number}", _BET_KEYS, required=_BET_KEYS)
        if not isinstance(bet["player"], str):
            message = f"bet {number} has the player {shown(bet['player'])}; a text is right"
            raise LineError("MISSING_KEY", message)
    return bets


def _find_table(catalogue: Catalogue, address: object) -> PayTable:
    if not isinstance(address, str):
        message = f"the pay table is {shown(address)}; a text like 'ts6/2' is right"
        raise LineError("UNKNOWN_PAY_TABLE", message)
    try:
        return catalogue.pay_table(address)
    except UnknownPayTableError as unknown:
        raise LineError("UNKNOWN_PAY_TABLE", str(unknown)) from None


def _read_bet(table: PayTable, number: int, bet: dict[str, Any], language: str) -> Bet:
    box, stake = bet["box"], bet["stake"]
    if not isinstance(box, str):
        message = f"bet {number} has the box {shown(box)}; a text like 'total-8' is right"
        raise LineError("UNKNOWN_BOX", message)
    refusal = bet_refusal(table, box, stake)
    if refusal is not None:
        raise _refused(refusal, language, f"bet {number}: ")
    return Bet(bet["player"], box, stake)


def read_limits(table: PayTable, value: object, language: str) -> Limits | None:
    """Read limits; null means that an optional part is left out, never an amount."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise LineError("BAD_LIMITS", f"the limits are {shown(value)}; an object is right")
    _check_keys(value, "'limits'", _LIMIT_KEYS, required=("min", "max"))
    for key in ("min", "max"):
        if value[key] is None:
            raise LineError("BAD_LIMITS", f"the limits' {key} is null; a whole number is right")
    setting = LimitsAsked(
        minimum=value["min"],
        maximum=value["max"],
        step=value.get("step"),
        differential=value.get("differential"),
        boxes=_read_overrides(value.get("boxes")),
    )
    limits = set_limits(table, setting)
    if isinstance(limits, Refusal):
        raise _refused(limits, language)
    return limits


def _read_overrides(value: object) -> dict[str, tuple[int | None, int | None]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise LineError("BAD_LIMITS", f"the limits' boxes are {shown(value)}; an object is right")
    overrides = {}
    for name, limits in value.items():
        if not isinstance(limits, dict):
            message = (
                f"the limits of {name} are {shown(limits)}; an object with min or max is right"
            )
            raise LineError("BAD_LIMITS", message)
        _check_keys(limits, f"the limits of {name}", _BOX_LIMIT_KEYS)
        overrides[name] = (limits.get("min"), limits.get("max"))
    return overrides
