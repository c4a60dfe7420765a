"""Money as whole minor units and odds as exact rationals; there are no floats here."""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import lcm

#: No real stake, limit or payment is near it; without a bound a message could carry a number
#: that takes minutes to multiply.
AMOUNT_MAX = 10**24

_ODDS = re.compile(r"(\d{1,9})(?:\.(\d{1,9})|/(\d{1,9}))?", re.ASCII)


def is_amount(value: object) -> bool:
    """Say whether a value is a whole number of minor units, zero included; `True` is not."""
    return type(value) is int and 0 <= value <= AMOUNT_MAX


def parse_odds(text: str) -> Fraction:
    """Read odds as a document prints them, `8.5` or `62`, or as a fraction, `35/3`."""
    found = _ODDS.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no odds; write them like '62', '8.5' or '35/3'")
    whole, decimals, denominator = found.groups()
    if denominator is not None:
        if int(denominator) == 0:
            raise ValueError(f"{text!r} divides by zero; write odds like '62', '8.5' or '35/3'")
        return Fraction(int(whole), int(denominator))
    scale = 10 ** len(decimals or "")
    return Fraction(int(whole + (decimals or "")), scale)


def write_odds(odds: Fraction) -> str:
    """Write odds as a finite decimal where there is one, `8.5`, else as a fraction, `35/3`."""
    scale = _decimal_scale(odds.denominator)
    if scale is None:
        return write_fraction(odds)
    digits = str(odds.numerator * (10**scale // odds.denominator)).rjust(scale + 1, "0")
    return digits if scale == 0 else f"{digits[:-scale]}.{digits[-scale:]}"


def write_fraction(value: Fraction) -> str:
    """Write an exact fraction as outside programs expect it: `1/36`, or `0` and `1` when whole."""
    return str(value)


def smallest_step(odds: Iterable[Fraction]) -> int:
    """Find the smallest stake step at which each of these odds pays a whole amount [etg8 4.1.1]."""
    return lcm(*(each.denominator for each in odds))


def _decimal_scale(denominator: int) -> int | None:
    """Count the decimals a fraction with this denominator needs; None when they never end."""
    twos = _times(denominator, 2)
    fives = _times(denominator, 5)
    ends = denominator == 2**twos * 5**fives
    return max(twos, fives) if ends else None


def _times(number: int, prime: int) -> int:
    count = 0
    while number % prime == 0:
        number //= prime
        count += 1
    return count
