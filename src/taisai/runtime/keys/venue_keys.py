"""A house's keys as it works with them: they sign and seal, and never show themselves.

No secret is in what these write of themselves, and none of them can be pickled or copied away.
"""

import base64
import hashlib
import secrets
from typing import NoReturn, SupportsIndex

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from taisai.core.kernel.messages import Instant
from taisai.runtime.keys.files import Secret, stay_here
from taisai.runtime.keys.public import Endorsement, PublicKeys, endorse, fingerprint

SECRET_BYTES = 32

_PEM_BEGIN, _PEM_END = b"-----BEGIN PRIVATE KEY-----\n", b"\n-----END PRIVATE KEY-----\n"


class Signer:
    """The private half of a signing key, known by its fingerprint."""

    __slots__ = ("_private", "key_id", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        """Take a private key into use."""
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.key_id = fingerprint(self.public)

    @classmethod
    def fresh(cls) -> "Signer":
        """Make a new key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def read(cls, pem: bytes) -> "Signer":
        """Read a private key from PEM as it was written, or raise a ValueError."""
        # The key's own bytes are the last ones (RFC 8410). Writing them out again must give the
        # same PEM: a general parser would go its own ways with a damaged one.
        body = base64.b64decode(pem.removeprefix(_PEM_BEGIN).removesuffix(_PEM_END))
        signer = cls(Ed25519PrivateKey.from_private_bytes(body[-SECRET_BYTES:]))
        if signer.private_pem() != pem:
            raise ValueError("it is not an Ed25519 key as it was written")
        return signer

    def __repr__(self) -> str:
        return f"Signer({self.key_id})"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        stay_here()

    def sign(self, data: bytes) -> bytes:
        """Sign bytes; what kind of thing they are must be part of them."""
        return self._private.sign(data)

    def private_pem(self) -> Secret:
        """Write the private key, for its file alone."""
        pem = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return Secret(pem)

    def public_pem(self) -> bytes:
        """Write the public key as other programs read it."""
        public = self._private.public_key()
        return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


class VenueKeys:
    """All keys of a house, opened."""

    __slots__ = ("public", "sealing", "signer", "voucher")

    def __init__(
        self, signer: Signer, voucher: Secret, sealing: Secret, public: PublicKeys
    ) -> None:
        """Take keys that belong together into use."""
        self.signer = signer
        self.voucher = voucher
        self.sealing = sealing
        self.public = public

    def __repr__(self) -> str:
        return f"VenueKeys({self.signer.key_id})"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        stay_here()


def fresh_keys(at: Instant) -> VenueKeys:
    """Make a whole new set of keys, in memory."""
    signer = Signer.fresh()
    voucher = Secret(secrets.token_bytes(SECRET_BYTES))
    sealing = Secret(secrets.token_bytes(SECRET_BYTES))
    first = Endorsement(
        number=1,
        public=signer.public.hex(),
        at=at,
        by=None,
        second=None,
        voucher_mark=mark("voucher", voucher),
        sealing_mark=mark("sealing", sealing),
        previous=None,
    )
    return VenueKeys(signer, voucher, sealing, PublicKeys([endorse(first, signer)]))


def mark(purpose: str, secret: bytes) -> str:
    """Give what tells a secret from any other, and gives nothing of it away."""
    return hashlib.sha256(f"taisai mark of {purpose}\0".encode() + secret).hexdigest()
