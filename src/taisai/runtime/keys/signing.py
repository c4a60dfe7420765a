"""Signing keys: the private ones that a venue uses, and every public one that it has had.

The first key signs itself; it is trusted because it was handed over in person. Every later key is
signed by its predecessor, with the time, the two persons, and marks of the other keys. The `repr`
of these classes shows no secret, and none can be pickled or copied.
"""

import base64
import hashlib
import secrets
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn, SupportsIndex

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.name_profile import person_refusal
from taisai.core.kernel.names import same_person
from taisai.core.rules.reason import printable
from taisai.runtime.keys.files import (
    PUBLIC_MODE,
    KeysError,
    Secret,
    read_file,
    stay_here,
    write_file,
)
from taisai.wording import say

#: The kind of a signature is part of what is signed, so that none can pass for another kind.
DOMAIN = b"taisai key\0"

KEYS_MAX = 1_000
NAME_MAX = 100
FINGERPRINT_DIGITS = 32
SECRET_BYTES = 32

_PEM_BEGIN, _PEM_END = b"-----BEGIN PRIVATE KEY-----\n", b"\n-----END PRIVATE KEY-----\n"

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]
#: Empty only while it is being made.
_Signature = Annotated[str, Meta(pattern="^([0-9a-f]{128})?\\Z")]
#: A moment that can be written as a date.
_Moment = Annotated[Instant, Meta(ge=0, le=253_402_300_799_999)]


class Endorsement(Struct, frozen=True, forbid_unknown_fields=True):
    """A public key put into use: when, by which two persons, signed by the key before it."""

    number: int
    public: _Hash
    at: _Moment
    by: str | None
    second: str | None
    voucher_mark: _Hash
    sealing_mark: _Hash
    previous: _Hash | None
    signature: _Signature = ""

    @property
    def key_id(self) -> str:
        """The fingerprint by which signatures name this key."""
        return fingerprint(bytes.fromhex(self.public))


class PublicKeys:
    """The keys by which a venue's signatures are verified, the oldest first."""

    __slots__ = ("_keys", "_positions", "chain", "where")

    def __init__(self, chain: Sequence[Endorsement], where: str = "the chain of keys") -> None:
        """Check every link of a chain of endorsements."""
        self.chain = tuple(chain)
        #: Where they were read, for people.
        self.where = where
        _check_chain(self.chain, where)
        self._keys = {each.key_id: _public_key(each.public) for each in self.chain}
        self._positions = {each.key_id: each.number for each in self.chain}

    def __repr__(self) -> str:
        return f"PublicKeys({', '.join(self._keys)})"

    @property
    def newest(self) -> Endorsement:
        """The endorsement of the key that signs now."""
        return self.chain[-1]

    def verify(self, key_id: str, data: bytes, signature: bytes) -> bool:
        """Say whether this key of the venue, old or new, has signed these bytes."""
        key = self._keys.get(key_id)
        return key is not None and _has_signed(key, data, signature)

    def position(self, key_id: str) -> int | None:
        """Give a key's position among the venue's, from one; `None` if it is not there."""
        return self._positions.get(key_id)

    def continues(self, earlier: "PublicKeys") -> bool:
        """Say whether these keys begin with all earlier known ones."""
        return self.chain[: len(earlier.chain)] == earlier.chain

    def lines(self) -> bytes:
        """Write the chain as it is stored and published: a JSON object a line."""
        return b"".join(encode(each) + b"\n" for each in self.chain)


encode = msgspec.json.Encoder(order="sorted").encode
_decoder = msgspec.json.Decoder(Endorsement)


def fingerprint(public: bytes) -> str:
    """Give a public key's fingerprint, for people to compare: half of its SHA-256."""
    return hashlib.sha256(public).hexdigest()[:FINGERPRINT_DIGITS]


def spell_fingerprint(key_id: str) -> str:
    """Write a fingerprint in groups of four, to be read aloud."""
    return " ".join(key_id[start : start + 4] for start in range(0, len(key_id), 4))


class Signer:
    """The private half of a signing key, known by its fingerprint."""

    __slots__ = ("_private", "key_id", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        """Use a private key."""
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
        # same PEM: a general parser might accept a damaged one.
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
        """Sign bytes, which must include the kind of what is signed."""
        return self._private.sign(data)

    def private_pem(self) -> Secret:
        """Write the private key, only for its file."""
        pem = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return Secret(pem)

    def public_pem(self) -> bytes:
        """Write the public key as other programs read it."""
        public = self._private.public_key()
        return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def endorse(link: Endorsement, signer: Signer) -> Endorsement:
    """Sign a link of the chain: with itself if it is the first, else with the key before it."""
    return msgspec.structs.replace(link, signature=signer.sign(_signed_part(link)).hex())


def link_after(last: Endorsement) -> str:
    """Give the hash that the next endorsement has as its `previous`."""
    return hashlib.sha256(encode(last)).hexdigest()


def read_lines(data: bytes, where: str) -> PublicKeys:
    """Read a chain of endorsements, and check every link of it."""
    lines = data.splitlines()
    if len(lines) > KEYS_MAX:
        raise KeysError(f"{where} holds {len(lines)} keys; at most {KEYS_MAX:,} are read")
    return PublicKeys([_read_line(line, at, where) for at, line in enumerate(lines, 1)], where)


def read_public(file: Path) -> PublicKeys:
    """Read published public keys."""
    return read_lines(read_file(file, secret=False), str(file))


def publish_keys(public: PublicKeys, file: Path) -> None:
    """Write public keys to a file; an existing file must hold the beginning of these keys."""
    if file.exists() and not public.continues(read_public(file)):
        raise KeysError(
            f"{file} holds keys that these do not follow on; it is left as it is: "
            "find out whose they are, or name another file"
        )
    write_file(file, public.lines(), PUBLIC_MODE)


def person(name: str) -> str:
    """Give a person's name in the form that is stored, or refuse it."""
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    if not plain or len(plain) > NAME_MAX:
        raise KeysError(
            f"{printable(name)!r} is no name of a person; one has 1 to {NAME_MAX} letters"
        )
    refusal = person_refusal(plain)
    if refusal is not None:
        raise KeysError(f"{printable(name)!r} is no name of a person: {say(refusal.reason)}")
    return plain


def _read_line(line: bytes, number: int, where: str) -> Endorsement:
    try:
        endorsement = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise KeysError(f"{where}, line {number}: no endorsement of a key ({error})") from None
    if encode(endorsement) != line:
        raise KeysError(f"{where}, line {number}: the line is not as it was written")
    return endorsement


def _check_chain(chain: Sequence[Endorsement], where: str) -> None:
    if not chain:
        raise KeysError(f"{where} holds no key")
    if len({each.public for each in chain}) != len(chain):
        raise KeysError(f"{where}: a key stands there twice")
    for number, link in enumerate(chain, 1):
        before = chain[number - 2] if number > 1 else None
        if fault := _fault(link, before, number):
            raise KeysError(
                f"{where}, line {number}: the endorsement of key "
                f"{spell_fingerprint(link.key_id)} is not sound: {fault}"
            )


def _fault(link: Endorsement, before: Endorsement | None, number: int) -> str | None:
    """Find what is wrong with one link of the chain."""
    if link.number != number:
        return f"it is number {link.number}, and number {number} is expected"
    if before is None:
        if (link.previous, link.by, link.second) != (None, None, None):
            return "the first key has none before it"
    elif fault := _fault_after(link, before):
        return fault
    key = _public_key((before or link).public)
    if not _has_signed(key, _signed_part(link), bytes.fromhex(link.signature)):
        return f"the {'key before it' if before else 'key itself'} has not signed it"
    return None


def _fault_after(link: Endorsement, before: Endorsement) -> str | None:
    if link.previous != link_after(before):
        return "it does not follow on the line before it"
    if link.at < before.at:
        return "its time is before that of the key before it"
    if link.by is None or link.second is None or same_person(link.by, link.second):
        return "it does not name two different persons"
    return None


def _signed_part(link: Endorsement) -> bytes:
    return DOMAIN + encode(msgspec.structs.replace(link, signature=""))


def _public_key(public: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))


def signed_by(public: str, data: bytes, signature: bytes) -> bool:
    """Say whether a public key, of any owner, has signed these bytes."""
    return _has_signed(_public_key(public), data, signature)


def _has_signed(key: Ed25519PublicKey, data: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, data)
    except InvalidSignature:
        return False
    return True


# --- the keys that sign and seal -----------------------------------------------------------------


class VenueKeys:
    """All keys of a venue, opened."""

    __slots__ = ("public", "sealing", "signer", "voucher")

    def __init__(
        self, signer: Signer, voucher: Secret, sealing: Secret, public: PublicKeys
    ) -> None:
        """Use keys that belong together."""
        self.signer = signer
        self.voucher = voucher
        self.sealing = sealing
        self.public = public

    def __repr__(self) -> str:
        return f"VenueKeys({self.signer.key_id})"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        stay_here()


def fresh_keys(at: Instant) -> VenueKeys:
    """Make a new set of all keys, in memory."""
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
    """Give the mark of a secret: it identifies the secret and does not reveal it."""
    return hashlib.sha256(f"taisai mark of {purpose}\0".encode() + secret).hexdigest()
