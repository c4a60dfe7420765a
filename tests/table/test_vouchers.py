"""Voucher numbers: eighteen digits from a serial and a key, the last one a check."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.core.cage.state import check_digit, is_voucher_number, voucher_number

KEY = b"one key"
BODIES = st.text("0123456789", min_size=17, max_size=17)


def valid(number: str) -> bool:
    """Check a number by the inventor's description of the check digit: doubled, from the right."""
    total = 0
    for place, digit in enumerate(number[::-1]):
        value = int(digit) * (1 + place % 2)
        total += sum(map(int, str(value)))
    return total % 10 == 0


@pytest.mark.parametrize(
    ("body", "digit"),
    [("7992739871", "3"), ("0" * 17, "0"), ("1" + "0" * 16, "8"), ("0" * 16 + "1", "8")],
)
def test_the_check_digit_is_the_published_one(body: str, digit: str) -> None:
    assert check_digit(body) == digit


@given(st.integers(1, 10**9))
def test_every_number_has_eighteen_digits_and_checks(serial: int) -> None:
    number = voucher_number(KEY, serial)
    assert len(number) == 18
    assert number.isdigit()
    assert valid(number)
    assert is_voucher_number(number)


@given(BODIES, st.integers(0, 17), st.integers(1, 9))
def test_one_wrong_digit_is_always_found(body: str, place: int, off: int) -> None:
    number = body + check_digit(body)
    wrong = str((int(number[place]) + off) % 10)
    assert not is_voucher_number(number[:place] + wrong + number[place + 1 :])


def test_a_number_follows_from_key_and_serial_and_from_nothing_less() -> None:
    digest = hmac.new(KEY, b"voucher 7", hashlib.sha256).hexdigest()
    assert voucher_number(KEY, 7)[:17] == f"{int(digest, 16) % 10**17:017d}"
    assert voucher_number(KEY, 7) != voucher_number(KEY, 8)
    assert voucher_number(KEY, 7) != voucher_number(b"another key", 7)
    assert len({voucher_number(KEY, serial) for serial in range(2_000)}) == 2_000


@pytest.mark.parametrize(
    "text", ["", "0" * 17, "0" * 19, "0" * 17 + "1", "a" * 18, "०" * 18, " " + "0" * 17, None, 0]
)
def test_what_is_no_number_is_told_apart(text: object) -> None:
    assert not is_voucher_number(text)
