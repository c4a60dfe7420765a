"""Secrets at rest: sealed with the house's sealing key, and bound to their table and commitment.

The cipher is ChaCha20-Poly1305; a seal is the nonce, the secret and its tag, in hexadecimal.
"""

import os
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_NONCE_BYTES = 12


class SealBrokenError(Exception):
    """What was sealed cannot be opened: another key, another table, or it was tampered with."""


class Sealer:
    """Seals and opens with the one sealing key of a house."""

    def __init__(self, key: bytes, chance: Callable[[int], bytes] = os.urandom) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self._chance = chance

    def seal(self, secret: bytes, table: str, commitment: str) -> str:
        """Seal a secret for one table and one published chain."""
        nonce = self._chance(_NONCE_BYTES)
        return (nonce + self._cipher.encrypt(nonce, secret, _bound(table, commitment))).hex()

    def open(self, sealed: str, table: str, commitment: str) -> bytes:
        """Open what was sealed for this table and this chain."""
        try:
            content = bytes.fromhex(sealed)
            nonce, rest = content[:_NONCE_BYTES], content[_NONCE_BYTES:]
            return self._cipher.decrypt(nonce, rest, _bound(table, commitment))
        except (InvalidTag, ValueError):
            raise SealBrokenError(
                f"the secrets of table {table} cannot be opened: the sealing key is not the one "
                "they were sealed with, or the journal was changed; put the right key back"
            ) from None


def _bound(table: str, commitment: str) -> bytes:
    """Say what a seal is bound to; no table's name holds a colon."""
    return f"{table}:{commitment}".encode()
