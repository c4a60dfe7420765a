"""Keys under a passphrase: useless to whoever has the file alone.

The file's own name is bound in, so that one key's file cannot be passed off as another's.
"""

import secrets
import unicodedata

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from taisai.runtime.keys.files import KeysError, Secret

PASSPHRASE_MIN, PASSPHRASE_MAX = 12, 1_000

_HEADER = b"taisai protected key 1\n"
_SALT_BYTES, _NONCE_BYTES, _KEY_BYTES = 16, 12, 32
# 32 MiB and about a tenth of a second for each guess.
_COST, _BLOCK, _LANES = 2**15, 8, 1


def is_protected(data: bytes) -> bool:
    """Say whether a key's file needs a passphrase."""
    return data.startswith(_HEADER)


def protect(data: bytes, name: str, passphrase: str | None) -> bytes:
    """Give the bytes to keep of a key: as they are, or under a passphrase."""
    if passphrase is None:
        return data
    if not PASSPHRASE_MIN <= len(passphrase) <= PASSPHRASE_MAX:
        raise KeysError(
            f"a passphrase has {PASSPHRASE_MIN} to {PASSPHRASE_MAX:,} characters; "
            f"this one has {len(passphrase)}"
        )
    salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
    sealed = ChaCha20Poly1305(_stretch(passphrase, salt)).encrypt(nonce, data, name.encode())
    return _HEADER + (salt + nonce + sealed).hex().encode() + b"\n"


def unprotect(data: Secret, name: str, passphrase: str | None) -> Secret:
    """Open what a key's file holds."""
    if not is_protected(data):
        return data
    if passphrase is None:
        raise KeysError(
            f"{name} is protected by a passphrase; "
            "give it with --passphrase-file FILE, or in TAISAI_PASSPHRASE"
        )
    try:
        body = bytes.fromhex(data[len(_HEADER) :].decode("ascii"))
        salt, rest = body[:_SALT_BYTES], body[_SALT_BYTES:]
        nonce, sealed = rest[:_NONCE_BYTES], rest[_NONCE_BYTES:]
        opening = ChaCha20Poly1305(_stretch(passphrase, salt))
        return Secret(opening.decrypt(nonce, sealed, name.encode()))
    except (InvalidTag, ValueError):
        raise KeysError(
            f"{name} does not open: the passphrase is another, or the file is damaged"
        ) from None


def _stretch(passphrase: str, salt: bytes) -> Secret:
    # The same word typed on another machine can come as other code points.
    word = unicodedata.normalize("NFC", passphrase).encode()
    stretching = Scrypt(salt=salt, length=_KEY_BYTES, n=_COST, r=_BLOCK, p=_LANES)
    return Secret(stretching.derive(word))
