"""Dice that follow from a secret: the chain of secrets, and the dice of a round, by hashes alone.

Secrets form a chain backwards: each is the SHA-256 of the one after it, so whoever knows one can
check the next and cannot find it. Where secrets come from and who keeps them is not known here.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from itertools import islice

from taisai.core.rules.dice import Faces

SECRET_BYTES = 32
#: The largest multiple of six that a byte can reach: from here on bytes are thrown away, so that
#: each face has 42 of the 252 values that are left.
FAIR_BELOW = 252


def link_of(secret: bytes) -> bytes:
    """Give the link before a secret: what was known before the secret was."""
    return hashlib.sha256(secret).digest()


def secret_from(text: str) -> bytes | None:
    """Read a secret or a link, written as 64 small hexadecimal digits."""
    if len(text) != 2 * SECRET_BYTES or not set(text) <= set("0123456789abcdef"):
        return None
    return bytes.fromhex(text)


def fair_faces(values: Iterable[int]) -> Iterator[int]:
    """Turn bytes into faces, each as likely as the other: what does not divide is thrown away."""
    return (value % 6 + 1 for value in values if value < FAIR_BELOW)


def drawn_dice(secret: bytes, table: str, round: int) -> Faces:
    """Draw the dice of a round from its secret, from low to high.

    The bytes come from HMAC-SHA-256 with the secret as key, block after block; the message is
    `table:round:counter`, which is unambiguous because no table's name holds a colon.
    """
    low, middle, high = sorted(islice(fair_faces(_bytes_of(secret, table, round)), 3))
    return low, middle, high


def _bytes_of(secret: bytes, table: str, round: int) -> Iterator[int]:
    counter = 0
    while True:
        message = f"{table}:{round}:{counter}".encode()
        yield from hmac.digest(secret, message, "sha256")
        counter += 1
