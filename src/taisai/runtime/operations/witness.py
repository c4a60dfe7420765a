"""A witness: a program run by another party, with a key of its own, that co-signs checkpoints.

It co-signs a checkpoint only if that follows on the last one it co-signed. So anyone who trusts the
witness knows that there is one history, whatever becomes of the venue's own disks.

    witness.key   the key that it signs with (PEM)
    venue.keys    the venue's public keys
    last.json     the newest checkpoint that it has co-signed
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.checkpoints import (
    check_checkpoint,
    checkpoint_hash,
    read_checkpoint_file,
    write_checkpoint_file,
)
from taisai.runtime.journal.contract import Checkpoint
from taisai.runtime.keys.files import (
    DIRECTORY_MODE,
    PUBLIC_MODE,
    SECRET_MODE,
    read_file,
    write_file,
)
from taisai.runtime.keys.signing import PublicKeys, Signer, publish_keys, read_public, signed_by
from taisai.runtime.verification.consistency import check_between
from taisai.wording import told

WITNESS_DOMAIN = b"taisai witness\0"
KEY, VENUE_KEYS, LAST = "witness.key", "venue.keys", "last.json"

_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]


class WitnessError(SentenceError):
    """A witness refuses a request; the sentence says why."""


class Cosigned(Struct, frozen=True, forbid_unknown_fields=True):
    """A co-signed checkpoint: its number and hash, when, and the witness's signature."""

    number: int
    hash: _Hash
    at: Instant
    public: _Hash
    signature: Annotated[str, Meta(pattern="^([0-9a-f]{128})?\\Z")] = ""


_encode = msgspec.json.Encoder(order="sorted").encode


def create_witness(directory: Path, public: PublicKeys) -> str:
    """Make a witness of one venue, with a new key; give its public key."""
    if directory.exists():
        raise WitnessError(f"{directory} is there already, and nothing is written over")
    directory.mkdir(DIRECTORY_MODE, parents=True)
    signer = Signer.fresh()
    write_file(directory / KEY, signer.private_pem(), SECRET_MODE)
    publish_keys(public, directory / VENUE_KEYS)
    return signer.public.hex()


def cosign(
    directory: Path, checkpoint: Checkpoint, between: Sequence[Checkpoint], at: Instant
) -> Cosigned:
    """Store a checkpoint that follows on the last one, then co-sign it."""
    signer = _signer(directory)
    public = read_public(directory / VENUE_KEYS)
    last = directory / LAST
    if last.exists():
        check_between(read_checkpoint_file(last), checkpoint, between, public)
    else:
        check_checkpoint(checkpoint, public)
    # First: a co-signed checkpoint must be stored, whatever happens in between.
    write_checkpoint_file(checkpoint, last)
    said = Cosigned(checkpoint.number, checkpoint_hash(checkpoint.data), at, signer.public.hex())
    return msgspec.structs.replace(said, signature=signer.sign(_signed_part(said)).hex())


def check_cosigned(cosigned: Cosigned, checkpoint: Checkpoint, witness: str) -> None:
    """Check that a witness, known by its public key, has co-signed this very checkpoint."""
    if cosigned.public != witness:
        raise WitnessError(told("WITNESS_OTHER", public=cosigned.public, witness=witness))
    if not signed_by(witness, _signed_part(cosigned), bytes.fromhex(cosigned.signature)):
        raise WitnessError(told("WITNESS_UNSIGNED", witness=witness))
    if (cosigned.number, cosigned.hash) != (checkpoint.number, checkpoint_hash(checkpoint.data)):
        numbers = {"number": cosigned.number, "own": checkpoint.number}
        raise WitnessError(told("WITNESS_CHECKPOINT", **numbers))


def write_cosigned(cosigned: Cosigned, file: Path) -> None:
    """Write a witness's signature to a file of its own."""
    write_file(file, msgspec.json.format(_encode(cosigned)) + b"\n", PUBLIC_MODE)


def read_cosigned(file: Path) -> Cosigned:
    """Read, and do not check, a witness's signature."""
    try:
        return msgspec.json.decode(read_file(file, secret=False), type=Cosigned)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WitnessError(f"{file} is nothing that a witness signed: {error}") from None


def _signer(directory: Path) -> Signer:
    try:
        return Signer.read(read_file(directory / KEY, secret=True))
    except ValueError:
        raise WitnessError(f"{directory / KEY} is damaged; put your copy of it back") from None


def _signed_part(cosigned: Cosigned) -> bytes:
    return WITNESS_DOMAIN + _encode(msgspec.structs.replace(cosigned, signature=""))
