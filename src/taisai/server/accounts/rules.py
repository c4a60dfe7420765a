"""What a password, a PIN and a one-time code must be like."""

import secrets
import unicodedata
from itertools import pairwise

from taisai.core.kernel.names import same_person
from taisai.core.rules.reason import Refusal, refuse

PASSWORD_MIN, PASSWORD_MAX = 12, 256
PIN_MIN, PIN_MAX = 6, 12

#: No letters that are taken for digits or for each other.
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_GROUPS, _GROUP = 5, 5
_DIGITS = "0123456789"


def password_refusal(person: str, password: str) -> Refusal | None:
    """Refuse a password that is too short, too long, or the person's own name."""
    normal = unicodedata.normalize("NFKC", password)
    long_enough = len(normal) >= PASSWORD_MIN and len(password) <= PASSWORD_MAX
    if not long_enough or same_person(normal, person):
        return refuse("WEAK_PASSWORD", least=PASSWORD_MIN, most=PASSWORD_MAX)
    return None


def pin_refusal(pin: str) -> Refusal | None:
    """Refuse a PIN that is not digits, or that everybody tries first."""
    if not (PIN_MIN <= len(pin) <= PIN_MAX and set(pin) <= set(_DIGITS)) or _is_run(pin):
        return refuse("WEAK_PIN", least=PIN_MIN, most=PIN_MAX)
    return None


def _is_run(pin: str) -> bool:
    """Say whether digits are all the same, or count up or down, past nine too."""
    return {(int(two) - int(one)) % 10 for one, two in pairwise(pin)} in ({0}, {1}, {9})


def new_code() -> str:
    """Make a one-time code, in groups that can be read out: 125 random bits."""
    letters = [secrets.choice(_ALPHABET) for _ in range(_GROUPS * _GROUP)]
    groups = ["".join(letters[at : at + _GROUP]) for at in range(0, len(letters), _GROUP)]
    return "-".join(groups)


def plain_code(code: str) -> str:
    """Read a code as it was meant: capitals or not, and whatever stands between the groups."""
    return "".join(each for each in code.upper() if each in _ALPHABET)
