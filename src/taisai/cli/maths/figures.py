"""Figures with their bounds as answers: decimals of any exponent, and their possible error."""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import floor, log10

from taisai.cli.command import Answer
from taisai.core.rules.money import write_fraction
from taisai.maths.figures import Figure

_DIGITS = 15
_NEAREST = Context(prec=_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)
_BELOW = Context(prec=_DIGITS, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX)
_ABOVE = Context(prec=_DIGITS, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)
#: Longer fractions are of no use to a reader; a thousand rounds give some of two thousand digits.
_FRACTION_BITS_MAX = 1_000


def figure_answer(figure: Figure) -> Answer:
    """Give a figure as data: its value, its bounds rounded outwards, the exact value if short."""
    return {
        "value": digits(figure.value),
        "low": digits(figure.low, _BELOW),
        "high": digits(figure.high, _ABOVE),
        "exact": figure.exact,
        "fraction": short_fraction(figure),
    }


def short_fraction(figure: Figure) -> str | None:
    """Write an exact figure as a fraction, if that is short enough to be read."""
    bits = max(figure.value.numerator.bit_length(), figure.value.denominator.bit_length())
    return write_fraction(figure.value) if figure.exact and bits <= _FRACTION_BITS_MAX else None


def chance_text(figure: Figure) -> str:
    """Write a chance for people, in per cent if that can be read."""
    value = _decimal(figure.value, _NEAREST)
    if value == 0 or value > Decimal("0.0001"):
        return _text(figure.times(100), 5, " %")
    return f"{value:.5e}" if figure.exact else f"{value:.5e} ± {float(figure.error):.1e}"


def amount_text(figure: Figure) -> str:
    """Write an amount or a number for people."""
    return _text(figure, 2, "")


def _text(figure: Figure, decimals: int, unit: str) -> str:
    """Write as many decimals as are known, and the error if it could be seen."""
    error = float(figure.error)
    if error < 10.0**-decimals / 2:
        return f"{float(figure):,.{decimals}f}{unit}"
    shown = max(0, min(decimals, 1 - floor(log10(error))))
    return f"{float(figure):,.{shown}f}{unit} ± {error:,.{shown}f}{unit}"


def digits(value: Fraction, context: Context = _NEAREST) -> str:
    """Write a fraction of any size to fifteen digits."""
    return f"{_decimal(value, context):.{_DIGITS}g}"


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))
