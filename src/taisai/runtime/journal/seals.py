"""Seals: each batch is authenticated as it is written, before any checkpoint covers it.

A seal names the heads after its batch, hashes the ids of the commands answered with it, and holds
the hash of the seal before it. It is authenticated by a key that moves forward with every seal and
is only in memory: an attacker who reads it there cannot compute the one before. The first key of
each run is in its first seal, itself sealed under the venue's key.

Seals follow on each other in a chain. A venue that has its whole journal has one, chain 0; if nodes
share a journal each has its own, numbered by the node [D44]. A checkpoint signs how far each chain
had come, so that anyone with the public keys can follow them.
"""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain as flatten
from typing import Annotated, NamedTuple

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.contract import (
    CHAIN_SEALS,
    Append,
    Head,
    Heads,
    IdempotencyRecord,
    Journal,
    JournalError,
    Seal,
    Sealing,
    VanishedError,
)
from taisai.runtime.keys.files import NONCE_BYTES, Secret, derived, every, opened_by
from taisai.wording import told

SEAL_DOMAIN, NEXT_DOMAIN, RUN_DOMAIN = b"taisai seal\0", b"taisai next\0", b"taisai run\0"
_KEY_BYTES = 32
#: So many seals are read at a time.
SEALS_AT_ONCE = 1_000
#: A run has so many seals at most: a reader that starts in the middle computes the keys before it.
RUN_SEALS = 10_000

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]


class SealError(JournalError):
    """A seal is not valid; the sentence says which, and why."""


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a seal: the heads after its batch, and the ids answered with it.

    `commands` is the hash of those ids, `issued` when the oldest of them was issued.
    """

    number: int
    before: _Hash
    heads: dict[str, tuple[int, _Hash]]
    commands: _Hash | None
    issued: Instant | None


class Followed(NamedTuple):
    """How far a chain of seals has come: the number of the last, and its hash."""

    number: int
    hash: str


def beginning(chain: int) -> Followed:
    """Give the beginning of a chain."""
    return Followed(chain * CHAIN_SEALS, "0" * 64)


def chain_of(number: int) -> int:
    """Give the chain that a seal is in."""
    return number // CHAIN_SEALS


NOTHING_SEALED = beginning(0)
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Sealed)


def hash_of(data: bytes) -> str:
    """Give the hash that the next seal has as its `before`."""
    return hashlib.sha256(data).hexdigest()


def commands_hash(commands: Sequence[IdempotencyRecord]) -> str | None:
    """Hash the ids of a batch in the order they were written; `None` without ids."""
    return hash_of(_encode(commands)) if commands else None


def read_seal(seal: Seal, before: Followed) -> Sealed:
    """Read a seal, and check that it follows on the one before; its maker is not checked."""
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
    """Opens the keys of runs and moves them forward; `sealing` is the venue's own key."""

    def __init__(self, sealing: bytes) -> None:
        #: The newest first.
        self._ciphers = [ChaCha20Poly1305(each) for each in every(derived(sealing, RUN_DOMAIN))]
        self.key: Secret | None = None

    def begin(self, number: int, before: str) -> bytes:
        """Make the first key of a run; give it sealed, and bound to where the run begins."""
        nonce, self.key = secrets.token_bytes(NONCE_BYTES), Secret(secrets.token_bytes(_KEY_BYTES))
        return nonce + self._ciphers[0].encrypt(nonce, self.key, _bound(number, before))

    def authenticate(self, data: bytes) -> bytes:
        """Authenticate a seal with the current key."""
        assert self.key is not None, "a run begins with a key"
        return hmac.digest(self.key, SEAL_DOMAIN + data, "sha256")

    def move(self) -> None:
        """Move on to the next key; there is no way back."""
        assert self.key is not None, "a run begins with a key"
        self.key = Secret(hashlib.sha256(NEXT_DOMAIN + self.key).digest())

    def take_up(self, first: Seal, number: int) -> None:
        """Go from the first key of a run to that of a later seal of it."""
        assert first.key is not None, "a run begins with a key"
        try:
            before = _decoder.decode(first.data).before
        except (msgspec.MsgspecError, UnicodeDecodeError):
            # It was not sealed by this venue, so no key is taken from it.
            return
        self.key = opened_by(self._ciphers, first.key, _bound(first.number, before))
        for _ in range(number - first.number if self.key is not None else 0):
            self.move()

    def check(self, seal: Seal, before: str) -> bool:
        """Say whether a seal was made with a key of this venue, and move on."""
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
    """The seals of a journal, for a process with its keys: follows all chains, adds to one.

    `heads` are the heads in a signed checkpoint or a seal, and no others.
    """

    def __init__(
        self, sealing: bytes, signed: Iterable[Followed], heads: Heads, chain: int = 0
    ) -> None:
        signed_by = {chain_of(each.number): each for each in signed}
        #: How far the chain that is added to here has come.
        self.at = signed_by.pop(chain, beginning(chain))
        self.heads: dict[str, Head] = dict(heads)
        #: When the newest of the answered ids of all chains was issued, as far as is known.
        self.issued: Instant = 0
        self._others: dict[int, Followed] = signed_by
        self._sealing = sealing
        self._keys = Keyring(sealing)
        self._others_keys: dict[int, Keyring] = {}
        #: Only one task at a time follows the chains of others.
        self._following = asyncio.Lock()
        #: How many seals this run has; none if the next one is to start a run.
        self._of_run = 0
        self._pending: tuple[Seal, Sealed] | None = None

    @property
    def chain(self) -> int:
        """The number of the chain that is added to here."""
        return chain_of(self.at.number)

    @property
    def followed(self) -> list[Followed]:
        """How far each chain has come, in order of number, that of the whole venue first."""
        every_ = {0: NOTHING_SEALED, **self._others, self.chain: self.at}
        return [every_[chain] for chain in sorted(every_)]

    @property
    def number(self) -> int:
        """The number of the seal that comes next."""
        return self.at.number + 1

    def over(self, appends: Sequence[Append]) -> Seal:
        """Seal a batch; the seal counts once `note` is called."""
        commands = [*flatten.from_iterable(append.commands for append in appends)]
        heads = {
            append.stream: (append.records[-1].version, append.records[-1].hash.hex())
            for append in appends
            if append.records
        }
        issued = min([command.issued for command in commands], default=None)
        said = Sealed(self.number, self.at.hash, heads, commands_hash(commands), issued)
        data = _encode(said)
        run = None if self._of_run else self._keys.begin(self.number, self.at.hash)
        seal = Seal(self.number, data, run, self._keys.authenticate(data))
        self._pending = seal, said
        return seal

    def begin_run(self) -> None:
        """Start a new run with the next seal: a checkpoint is signed of all before it."""
        self._of_run = 0

    def drop(self) -> None:
        """Forget a seal whose batch was not written."""
        self._pending = None

    def note(self) -> None:
        """Count the seal that was made last: its batch is written."""
        if self._pending is not None:
            seal, said = self._pending
            self._keys.move()
            self._of_run, self._pending = (self._of_run + 1) % RUN_SEALS, None
            self.at = self._count(seal, said)

    async def catch_up(self, journal: Journal) -> None:
        """Follow the seals that are not known yet, and check each one's key."""
        await self.follow_others(journal)
        await self._follow(journal, self.at, self._keys, self._note_own)
        self._pending = None

    def _note_own(self, at: Followed) -> None:
        self.at = at

    async def follow_others(self, journal: Journal, only: Collection[int] | None = None) -> None:
        """Follow only the chains of others, or some: a seal of one's own may be under way."""
        async with self._following:
            for chain in await journal.chains() if only is None else only:
                if chain != self.chain:
                    keys = self._others_keys.setdefault(chain, Keyring(self._sealing))
                    at = self._others.get(chain, beginning(chain))
                    await self._follow(journal, at, keys, partial(self._others.__setitem__, chain))

    async def _follow(
        self, journal: Journal, at: Followed, keys: Keyring, note: Callable[[Followed], None]
    ) -> None:
        """Follow one chain from its last known seal to its end.

        The position is noted with each seal, as the key moves with each: if the journal fails in
        between, both stay where they are. A page that is not full is the end: later seals are for
        the next time, or a chain that keeps growing would be followed for ever. The last known seal
        of another's chain is read again: if a wait for the standby was broken off, it may have been
        lost since.
        """
        is_others = keys is not self._keys
        is_full = True
        while is_full:
            known = int(is_others and at != beginning(chain_of(at.number)))
            page = await journal.seals_after(at.number - known, SEALS_AT_ONCE)
            is_full = len(page) == SEALS_AT_ONCE
            if known and (not page or Followed(page[0].number, hash_of(page[0].data)) != at):
                raise VanishedError(told("SEAL_VANISHED", number=at.number))
            for seal in page[known:]:
                said = read_seal(seal, at)
                if keys.key is None and seal.key is None:
                    await _take_up(journal, keys, seal.number)
                if not keys.check(seal, at.hash):
                    raise SealError(told("SEAL_NOT_OURS", number=seal.number))
                if not is_others:
                    # Only a seal made here goes on with the key that is known here.
                    mine = self._pending is not None and self._pending[0] == seal
                    self._of_run = (self._of_run + 1) % RUN_SEALS if mine else 0
                at = self._count(seal, said)
                note(at)

    def _count(self, seal: Seal, said: Sealed) -> Followed:
        heads = self.heads
        for stream, (version, hash_) in said.heads.items():
            # Chains are followed one by one: another node may have a later head of the stream.
            if stream not in heads or heads[stream].version < version:
                heads[stream] = Head(version, bytes.fromhex(hash_))
        if said.issued is not None:
            self.issued = max(self.issued, said.issued)
        return Followed(seal.number, hash_of(seal.data))


async def _take_up(journal: Journal, keys: Keyring, number: int) -> None:
    """Find the key of a seal in the middle of a run, where a checkpoint was signed."""
    first = await journal.run_of(number)
    if first is not None:
        keys.take_up(first, number)
