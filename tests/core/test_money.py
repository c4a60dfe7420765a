"""Odds read and written exactly, and amounts distinguished from other texts."""

from fractions import Fraction

import pytest

from taisai.core.rules.money import (
    AMOUNT_MAX,
    is_amount,
    parse_odds,
    smallest_step,
    write_fraction,
    write_odds,
)


@pytest.mark.parametrize(
    ("text", "odds"),
    [
        ("62", Fraction(62)),
        ("8.5", Fraction(17, 2)),
        ("0.05", Fraction(1, 20)),
        ("11.50", Fraction(23, 2)),
        ("35/3", Fraction(35, 3)),
        ("10/4", Fraction(5, 2)),
    ],
)
def test_odds_are_read_exactly(text: str, odds: Fraction) -> None:
    assert parse_odds(text) == odds


@pytest.mark.parametrize("text", ["", "8,5", "-1", "1e3", "nan", "8.", ".5", "1 to 1", "٣", "1/0"])
def test_what_is_no_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write"):
        parse_odds(text)


@pytest.mark.parametrize(
    ("odds", "text"),
    [
        (Fraction(62), "62"),
        (Fraction(17, 2), "8.5"),
        (Fraction(1, 20), "0.05"),
        (Fraction(5, 4), "1.25"),
        (Fraction(1, 125), "0.008"),
        (Fraction(35, 3), "35/3"),
        (Fraction(7, 6), "7/6"),
    ],
)
def test_odds_are_written_as_decimals_where_they_end(odds: Fraction, text: str) -> None:
    assert write_odds(odds) == text
    assert parse_odds(text) == odds


def test_fractions_are_written_as_people_read_them() -> None:
    assert write_fraction(Fraction(1, 36)) == "1/36"
    assert write_fraction(Fraction(-1, 216)) == "-1/216"
    assert write_fraction(Fraction(0)) == "0"


@pytest.mark.parametrize("value", [0, 1, AMOUNT_MAX])
def test_amounts(value: object) -> None:
    assert is_amount(value)


@pytest.mark.parametrize("value", [-1, AMOUNT_MAX + 1, True, False, 1.0, "1", None, [1]])
def test_what_is_no_amount(value: object) -> None:
    assert not is_amount(value)


def test_the_step_makes_every_payment_whole() -> None:
    assert smallest_step([Fraction(1), Fraction(17, 2)]) == 2
    assert smallest_step([Fraction(5, 4), Fraction(1, 6)]) == 12
    assert smallest_step([Fraction(62), Fraction(1)]) == 1
