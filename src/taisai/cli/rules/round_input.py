"""Reading rounds to settle, one JSON object in each line, and refusing wrong lines.

A wrong line is refused, and nothing is guessed: an unknown key may be a misspelt limit.
"""

import argparse
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from taisai.cli.command import DIGITS_MAX, Wrong
from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.bets import Bet, bet_refusal
from taisai.core.rules.dice import Result, are_dice, result_of
from taisai.core.rules.limits import Limits, set_limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Reason, Refusal, because, shown
from taisai.core.rules.settlement import Settlement, settle
from taisai.rulebooks import Catalogue, UnknownPayTableError
from taisai.wording import say

LINE_MAX = 1024 * 1024

#: The player of a bet without a name.
PLAYER = "player"
#: A whole number as a person writes it.
WHOLE = re.compile(rf"-?[0-9]{{1,{DIGITS_MAX}}}", re.ASCII)

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"')
#: A text, passed over, or a number with its sign, digits and exponent.
_NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*"|(-?)[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?')
#: The longest number that is decoded as it is written. No amount is near it, and a float is below
#: a number of so many digits; a longer one may be above what the decoder can hold.
_DIGITS_MAX = 400
#: Where the decoder found no JSON, as it says.
_AT_BYTE = re.compile(r"\(byte ([0-9]+)\)$")

#: The most numbers shown of a wrong throw.
_DICE_SHOWN = 6
_LINE_KEYS = ("pay_table", "dice", "bets", "limits")
_BET_KEYS = ("player", "box", "stake")
_LIMIT_KEYS = ("min", "max", "differential", "step", "boxes")
_BOX_LIMIT_KEYS = ("min", "max")


class LineError(SentenceError):
    """Why a line cannot be settled: a code for programs, and for people a sentence.

    The sentence is made in any language; the text of the error is the English one.
    """

    def __init__(self, code: str, reason: Reason, bet: int | None = None) -> None:
        super().__init__(code)
        self.code, self._reason, self._bet = code, reason, bet

    def sentence(self, language: str = "en") -> str:
        """Say what is wrong, and with which bet if it is one; amounts as programs write them."""
        said = say(self._reason, language, minor_units=True)
        if self._bet is None:
            return said
        return say(because("FAULT_OF_BET", number=self._bet, fault=said), language)

    def __str__(self) -> str:
        return self.sentence()


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


def read_round(line: bytes | None, catalogue: Catalogue) -> RoundRequest:
    """Read one line as a round to settle, or refuse it."""
    request = decode_line(line)
    _check_keys(request, "LINE", _LINE_KEYS, required=("pay_table", "dice", "bets"))
    bets = _check_bets(request["bets"])
    table = _find_table(catalogue, request["pay_table"])
    if not are_dice(request["dice"]):
        raise LineError("BAD_DICE", because("LINE_DICE", dice=_dice_text(request["dice"])))
    return RoundRequest(
        table=table,
        result=result_of(request["dice"]),
        bets=[_read_bet(table, number, bet) for number, bet in enumerate(bets, start=1)],
        limits=read_limits(table, request.get("limits")),
    )


def _dice_text(dice: object) -> str:
    """Write the value given for dice, number by number if it is a short list."""
    if isinstance(dice, list) and 0 < len(dice) <= _DICE_SHOWN:
        return ", ".join(map(shown, dice))
    return shown(dice)


def settle_round(request: RoundRequest) -> Settlement:
    """Settle a round that was read, or refuse it like a wrong line."""
    settled = settle(request.table, request.result, request.bets, request.limits)
    if isinstance(settled, Refusal):
        raise _refused(settled)
    return settled


def read_bet(text: str) -> dict[str, Any]:
    """Read a bet given on the command line, BOX=STAKE or PLAYER:BOX=STAKE."""
    where, equals, stake = text.rpartition("=")
    player, colon, box = where.rpartition(":")
    if not (equals and WHOLE.fullmatch(stake)):
        raise Wrong(f"{text[:60]!r} is no bet; write box and stake like 'small=1000'")
    return {"player": player if colon else PLAYER, "box": box, "stake": int(stake)}


def limits_of(arguments: argparse.Namespace) -> dict[str, int]:
    """Read limits given on the command line in the form of a line's limits."""
    given = {name: getattr(arguments, name) for name in ("min", "max", "differential", "step")}
    limits = {name: amount for name, amount in given.items() if amount is not None}
    if limits and not {"min", "max"} <= set(limits):
        raise Wrong("limits need both --min and --max")
    return limits


def _refused(refusal: Refusal, bet: int | None = None) -> LineError:
    """Turn a refusal of the core into the answer to a line."""
    return LineError(refusal.code, refusal.reason, bet)


def decode_line(line: bytes | None) -> dict[str, Any]:
    """Decode a line, or refuse one that is no JSON object or gives a key twice."""
    if line is None:
        raise LineError("LINE_TOO_LONG", because("LINE_TOO_LONG", most=LINE_MAX))
    try:
        request = decode_json(line.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LineError("NOT_JSON", _why_not_json(error)) from None
    # In valid JSON there is one colon outside of texts for each key.
    if _TEXT.sub(b"", line).count(b":") > _keys_in(request):
        raise LineError("NOT_JSON", because("KEY_TWICE"))
    if not isinstance(request, dict):
        raise LineError("NOT_JSON", because("LINE_NO_OBJECT", value=shown(request)))
    return request


def decode_json(text: bytes) -> Any:
    """Decode JSON; a number above what the decoder can hold is JSON all the same."""
    try:
        return msgspec.json.decode(text)
    except msgspec.ValidationError:
        return msgspec.json.decode(_NUMBER.sub(_held, text))


def _held(found: re.Match[bytes]) -> bytes:
    """Write a number as it is, or in place of one that cannot be held, one that is none too."""
    number = found[0]
    if found[1] is None or (len(number) < _DIGITS_MAX and isfinite(float(number))):
        return number
    return found[1] + b"9" * _DIGITS_MAX


def _why_not_json(error: Exception) -> Reason:
    if isinstance(error, UnicodeDecodeError):
        return because("LINE_NOT_UTF_8")
    if isinstance(error, RecursionError):
        return because("LINE_NESTED")
    at = _AT_BYTE.search(str(error))
    return because("LINE_CUT_OFF") if at is None else because("LINE_NOT_JSON", byte=int(at[1]) + 1)


def _keys_in(value: object) -> int:
    """Count the decoded keys; of a repeated key only the last is decoded."""
    if isinstance(value, dict):
        return len(value) + sum(map(_keys_in, value.values()))
    return sum(map(_keys_in, value)) if isinstance(value, list) else 0


def _check_keys(
    value: dict[str, Any],
    whose: str,
    known: tuple[str, ...],
    required: tuple[str, ...] = (),
    **where: int | str,
) -> None:
    """Refuse an unknown key, and a missing one; `whose` names the sentences."""
    for key in value:
        if key not in known:
            keys = {"key": shown(key), "known": ", ".join(known)}
            raise LineError("UNKNOWN_KEY", because(f"UNKNOWN_KEY_OF_{whose}", **keys, **where))
    for key in required:
        if key not in value:
            raise LineError("MISSING_KEY", because(f"MISSING_KEY_OF_{whose}", key=key, **where))


def _check_bets(bets: object) -> list[dict[str, Any]]:
    if not isinstance(bets, list):
        raise LineError("MISSING_KEY", because("BETS_NO_LIST", value=shown(bets)))
    for number, bet in enumerate(bets, start=1):
        if not isinstance(bet, dict):
            reason = because("BET_NO_OBJECT", number=number, value=shown(bet))
            raise LineError("MISSING_KEY", reason)
        _check_keys(bet, "BET", _BET_KEYS, required=_BET_KEYS, number=number)
        if not isinstance(bet["player"], str):
            reason = because("PLAYER_NO_TEXT", number=number, value=shown(bet["player"]))
            raise LineError("MISSING_KEY", reason)
    return bets


def _find_table(catalogue: Catalogue, address: object) -> PayTable:
    if not isinstance(address, str):
        raise LineError("UNKNOWN_PAY_TABLE", because("PAY_TABLE_NO_TEXT", value=shown(address)))
    try:
        return catalogue.pay_table(address)
    except UnknownPayTableError as unknown:
        raise LineError("UNKNOWN_PAY_TABLE", unknown.reason) from None


def _read_bet(table: PayTable, number: int, bet: dict[str, Any]) -> Bet:
    box, stake = bet["box"], bet["stake"]
    if not isinstance(box, str):
        raise LineError("UNKNOWN_BOX", because("BOX_NO_TEXT", number=number, value=shown(box)))
    refusal = bet_refusal(table, box, stake)
    if refusal is not None:
        raise _refused(refusal, number)
    return Bet(bet["player"], box, stake)


def read_limits(table: PayTable, value: object) -> Limits | None:
    """Read limits; null means that an optional part is left out, never an amount."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise LineError("BAD_LIMITS", because("LIMITS_NO_OBJECT", value=shown(value)))
    _check_keys(value, "LIMITS", _LIMIT_KEYS, required=("min", "max"))
    for key in ("min", "max"):
        if value[key] is None:
            raise LineError("BAD_LIMITS", because("LIMIT_NULL", key=key))
    setting = LimitsAsked(
        minimum=value["min"],
        maximum=value["max"],
        step=value.get("step"),
        differential=value.get("differential"),
        boxes=_read_overrides(value.get("boxes")),
    )
    limits = set_limits(table, setting)
    if isinstance(limits, Refusal):
        raise _refused(limits)
    return limits


def _read_overrides(value: object) -> dict[str, tuple[int | None, int | None]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise LineError("BAD_LIMITS", because("BOX_LIMITS_NO_OBJECT", value=shown(value)))
    overrides = {}
    for name, limits in value.items():
        if not isinstance(limits, dict):
            reason = because("LIMITS_OF_BOX_NO_OBJECT", named=shown(name), value=shown(limits))
            raise LineError("BAD_LIMITS", reason)
        _check_keys(limits, "LIMITS_OF_BOX", _BOX_LIMIT_KEYS, named=shown(name))
        overrides[name] = (limits.get("min"), limits.get("max"))
    return overrides
