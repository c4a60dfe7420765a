"""Voucher numbers: eighteen digits that follow from a serial and a secret key.

The journal holds the serial and the last four digits; whoever reads it cannot make a live number.
"""

import hashlib
import hmac

DIGITS = 18


def voucher_number(key: bytes, serial: int) -> str:
    """Derive a voucher's number: seventeen keyed digits and a check digit."""
    digest = hmac.new(key, f"voucher {serial}".encode(), hashlib.sha256).digest()
    body = str(int.from_bytes(digest, "big") % 10**17).rjust(17, "0")
    return body + check_digit(body)


def check_digit(body: str) -> str:
    """Compute the digit that finds a wrong digit and most swapped neighbours (Luhn)."""
    total = 0
    for position, digit in enumerate(reversed(body)):
        doubled = int(digit) * (2 if position % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return str(-total % 10)


def is_voucher_number(number: object) -> bool:
    """Say whether a text could be a voucher's number: eighteen digits, the last one right."""
    return (
        isinstance(number, str)
        and len(number) == DIGITS
        and number.isascii()
        and number.isdigit()
        and check_digit(number[:-1]) == number[-1]
    )
