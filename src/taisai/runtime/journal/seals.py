"""Seals: each batch authenticated as it is written, so that what no checkpoint covers yet is too.

A seal names the heads that its batch came to, hashes the ids of commands that were answered with
it, and follows on the seal before by its hash. It is authenticated by a key that moves forward
with every seal and is nowhere but in memory: whoever reads it there cannot go back to the one
before. The first key of each run is in its first seal, itself sealed under the venue's key. A
checkpoint signs how far the seals had come, so that whoever has the public keys can follow them.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from itertools import chain
from typing import Annotated, NamedTuple

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import (
    Append,
    Head,
    Heads,
    IdempotencyRecord,
    Journal,
    JournalError,
    Seal,
    Sealing,
)
from taisai.runtime.keys.files import NONCE_BYTES, Secret, derived, every, opened_by
from taisai.wording import told

SEAL_DOMAIN, NEXT_DOMAIN, RUN_DOMAIN = b"taisai seal\0", b"taisai next\0", b"taisai run\0"
_KEY_BYTES = 32
#: Seals are read so many at a time.
SEALS_AT_ONCE = 1_000

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]


class SealError(JournalError):
    """A seal does not hold; the sentence says which, and why."""


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seal says: the heads its batch came to, and the ids answered with it.

    `commands` is the hash of those ids, `issued` when the oldest of them was issued.
    """

    number: int
    before: _Hash
    heads: dict[str, tuple[int, _Hash]]
    commands: _Hash | None
    issued: Instant | None


class Followed(NamedTuple):
    """How far the seals have come: the number of the last, and its hash."""

    number: int
    hash: str


NOTHING_SEALED = Followed(0, "0" * 64)
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Sealed)


def hash_of(data: bytes) -> str:
    """Give what the next seal has as its `before`."""
    return hashlib.sha256(data).hexdigest()


def commands_hash(commands: Sequence[IdempotencyRecord]) -> str | None:
    """Hash the ids of a batch in the order they were written; none of none."""
    return hash_of(_encode(commands)) if commands else None


def read_seal(seal: Seal, before: Followed) -> Sealed:
    """Read what a seal says, and check that it follows on the one before; not who made it."""
    try:
        said = _decoder.decode(seal.data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SealError(told("SEAL_UNREADABLE", number=seal.number, why=str(error))) from None
    if seal.number != before.number + 1:
        raise SealError(told("SEAL_MISSING", number=before.number + 1, next=seal.number))
    if said.number != seal.number or said.before != before.hash or _encode(said) != seal.data:
        raise SealError(told("SEAL_NOT_NEXT", number=seal.number))
    return said


class Keyring:
    """Opens and moves forward the keys of runs; `sealing` is the venue's own key."""

    def __init__(self, sealing: bytes) -> None:
        #: The newest first.
        self._ciphers = [ChaCha20Poly1305(each) for each in every(derived(sealing, RUN_DOMAIN))]
        self.key: Secret | None = None

    def begin(self, number: int, before: str) -> bytes:
        """Make up the first key of a run; gives it as it is kept, bound to where the run begins."""
        nonce, self.key = secrets.token_bytes(NONCE_BYTES), Secret(secrets.token_bytes(_KEY_BYTES))
        return nonce + self._ciphers[0].encrypt(nonce, self.key, _bound(number, before))

    def authenticate(self, data: bytes) -> bytes:
        """Authenticate a seal by the key as it is now."""
        assert self.key is not None, "a run begins with a key"
        return hmac.digest(self.key, SEAL_DOMAIN + data, "sha256")

    def move(self) -> None:
        """Move on to the next key; there is no way back."""
        assert self.key is not None, "a run begins with a key"
        self.key = Secret(hashlib.sha256(NEXT_DOMAIN + self.key).digest())

    def check(self, seal: Seal, before: str) -> bool:
        """Say whether a seal is by a key of this venue, and move on."""
        if seal.key is not None:
            opened = opened_by(self._ciphers, seal.key, _bound(seal.number, before))
            if opened is None:
                return False
            self.key = opened
        if self.key is None or not hmac.compare_digest(self.authenticate(seal.data), seal.mac):
            return False
        self.move()
        return True


def _bound(number: int, before: str) -> bytes:
    return b"%s%d\0%s" % (RUN_DOMAIN, number, before.encode())


class Tail(Sealing):
    """The seals of a journal as a venue that has its keys follows them, and adds to them.

    `heads` are the heads that a signature or a seal vouches for, and no others.
    """

    def __init__(self, sealing: bytes, signed: Followed, heads: Heads) -> None:
        self.at = signed
        self.heads: dict[str, Head] = dict(heads)
        self._keys = Keyring(sealing)
        #: Whether the last seal is of this run, so that the next needs no key of its own.
        self._under_way = False
        self._pending: tuple[Seal, Sealed] | None = None

    @property
    def number(self) -> int:
        """The number of the seal that comes next."""
        return self.at.number + 1

    def over(self, appends: Sequence[Append]) -> Seal:
        """Seal a batch; it counts when `note` is told that it is written."""
        commands = [*chain.from_iterable(append.commands for append in appends)]
        heads = {
            append.stream: (append.records[-1].version, append.records[-1].hash.hex())
            for append in appends
            if append.records
        }
        issued = min([command.issued for command in commands], default=None)
        said = Sealed(self.number, self.at.hash, heads, commands_hash(commands), issued)
        data = _encode(said)
        run = None if self._under_way else self._keys.begin(self.number, self.at.hash)
        seal = Seal(self.number, data, run, self._keys.authenticate(data))
        self._pending = seal, said
        return seal

    def begin_run(self) -> None:
        """Have the next seal carry a key of its own: a checkpoint is signed of what is before."""
        self._under_way = False

    def drop(self) -> None:
        """Forget a seal that was made for a batch of which nothing came."""
        self._pending = None

    def note(self) -> None:
        """Count the seal that was made last: its batch is written."""
        if self._pending is not None:
            seal, said = self._pending
            self._keys.move()
            self._under_way, self._pending = True, None
            self._count(seal, said)

    async def catch_up(self, journal: Journal) -> None:
        """Follow the seals that are there and are not known yet, and check who made each."""
        while page := await journal.seals_after(self.at.number, SEALS_AT_ONCE):
            for seal in page:
                said = read_seal(seal, self.at)
                if not self._keys.check(seal, self.at.hash):
                    raise SealError(told("SEAL_NOT_OURS", number=seal.number))
                self._under_way = self._pending is not None and self._pending[0] == seal
                self._count(seal, said)
        self._pending = None

    def _count(self, seal: Seal, said: Sealed) -> None:
        self.at = Followed(seal.number, hash_of(seal.data))
        for stream, (version, hash_) in said.heads.items():
            self.heads[stream] = Head(version, bytes.fromhex(hash_))
