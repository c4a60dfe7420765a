"""A directory of keys: made once, loaded at every start, its signing key rotated by two persons.

    signing.key      signs checkpoints and snapshots (PEM)
    signing.pub      its public half, as other programs read it (PEM)
    signing.history  every public key there has been, each endorsed by the one before it
    voucher.key      the numbers of vouchers are computed from it
    sealing.key      seals secrets at rest
    voucher-2.key    replaced it together with signing key 2; the old one stays for its vouchers

A rotation writes the new key beside the old one, then its endorsement, and only then puts it in
place. If it is interrupted, either the old key is still valid, or the next load completes it.
"""

import secrets
import shutil
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.names import same_person
from taisai.runtime.keys.files import (
    DIRECTORY_MODE,
    PUBLIC_MODE,
    SECRET_MODE,
    KeysError,
    Secret,
    held,
    read_file,
    refuse_no_directory,
    renewed,
    replace_and_erase,
    sync_path,
    write_file,
    write_new,
)
from taisai.runtime.keys.signing import (
    KEYS_MAX,
    SECRET_BYTES,
    Endorsement,
    PublicKeys,
    Signer,
    VenueKeys,
    endorse,
    fresh_keys,
    link_after,
    mark,
    person,
    read_lines,
)

PASSPHRASE_MIN, PASSPHRASE_MAX = 12, 1_000

_HEADER = b"taisai protected key 1\n"
_SALT_BYTES, _NONCE_BYTES, _KEY_BYTES = 16, 12, 32
# 32 MiB and about a tenth of a second for each guess.
_COST, _BLOCK, _LANES = 2**15, 8, 1


# --- keys under a passphrase ---------------------------------------------------------------------
#
# The file alone is useless to a thief. The file's own name is bound in, so that one key's file
# cannot be passed off as another's.


def is_protected(data: bytes) -> bool:
    """Say whether a key's file needs a passphrase."""
    return data.startswith(_HEADER)


def protect(data: bytes, name: str, passphrase: str | None) -> bytes:
    """Give the bytes to store for a key: as they are, or under a passphrase."""
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
    """Give the key in the content of its file."""
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
    # The same word typed on another machine can have other code points.
    word = unicodedata.normalize("NFC", passphrase).encode()
    stretching = Scrypt(salt=salt, length=_KEY_BYTES, n=_COST, r=_BLOCK, p=_LANES)
    return Secret(stretching.derive(word))


SIGNING, PUBLIC, HISTORY = "signing.key", "signing.pub", "signing.history"
VOUCHER, SEALING, READ_ME = "voucher.key", "sealing.key", "README.txt"
NEXT = "signing.key.next"

Replaced = Literal["voucher", "sealing"]
#: What may be replaced together with the signing key.
REPLACED: tuple[Replaced, ...] = ("voucher", "sealing")

_READ_ME = """\
The keys of a Tai Sai venue. Whoever has the .key files can sign as the venue, make voucher
numbers and open its sealed secrets. Keep a copy in a safe, away from the copies of the journal.
Change nothing here by hand: 'taisai keys --help' tells what can be done.
"""


class Described(NamedTuple):
    """The description of a directory of keys, without opening any."""

    public: PublicKeys
    protected: bool


def create_keys(
    directory: Path, passphrase: str | None = None, at: Instant | None = None
) -> PublicKeys:
    """Make a directory with new keys, whole or not at all; nothing is overwritten."""
    return write_keys(directory, fresh_keys(_now() if at is None else at), passphrase)


def write_keys(directory: Path, keys: VenueKeys, passphrase: str | None = None) -> PublicKeys:
    """Write a venue's first keys to a directory of their own, whole or not at all."""
    place = _free_place(directory)
    files = {
        SIGNING: (protect(keys.signer.private_pem(), SIGNING, passphrase), SECRET_MODE),
        PUBLIC: (keys.signer.public_pem(), PUBLIC_MODE),
        HISTORY: (keys.public.lines(), PUBLIC_MODE),
        VOUCHER: (protect(_written(keys.voucher), VOUCHER, passphrase), SECRET_MODE),
        SEALING: (protect(_written(keys.sealing), SEALING, passphrase), SECRET_MODE),
        READ_ME: (_READ_ME.encode(), PUBLIC_MODE),
    }
    beside = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    try:
        beside.mkdir(DIRECTORY_MODE)
        for name, (data, mode) in files.items():
            write_new(beside / name, data, mode)
        sync_path(beside)
        # A rename does not replace a directory that has files in it by now.
        beside.rename(place)
        sync_path(place.parent)
    except OSError as error:
        raise KeysError(f"{directory} cannot be made: {error.strerror}") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return keys.public


@contextmanager
def opened_keys(directory: Path, passphrase: str | None = None) -> Iterator[VenueKeys]:
    """Open the keys for a running venue: until it ends, no other process can change them."""
    refuse_no_directory(directory)
    with ExitStack() as at_work:
        with held(directory, alone=(directory / NEXT).exists()):
            keys = _load(directory, passphrase)
            # A lock on the file itself: a rotation needs it before it replaces the file.
            at_work.enter_context(held(directory / SIGNING, alone=False))
        yield keys


def load_keys(directory: Path, passphrase: str | None = None) -> VenueKeys:
    """Open the keys of a venue, after checking that they are whole and belong together."""
    refuse_no_directory(directory)
    # Loading completes an interrupted rotation, and then needs the directory for itself.
    with held(directory, alone=(directory / NEXT).exists()):
        return _load(directory, passphrase)


def describe_keys(directory: Path) -> Described:
    """Describe keys as far as no passphrase is needed."""
    refuse_no_directory(directory)
    with held(directory, alone=False):
        signing = read_file(directory / SIGNING, secret=True)
        return Described(_history(directory), is_protected(signing))


def rotate_keys(
    directory: Path,
    by: str,
    second: str,
    passphrase: str | None = None,
    at: Instant | None = None,
    *,
    replacing: Sequence[Replaced] = (),
) -> PublicKeys:
    """Replace the signing key with a new one that the old one endorses, by two persons [D14].

    The voucher key or the sealing key may be replaced with it; the old ones stay for what they made
    [D39].
    """
    by, second = person(by), person(second)
    if same_person(by, second):
        raise KeysError(f"rotating the key takes two different persons; {by} was named twice")
    refuse_no_directory(directory)
    with held(directory, alone=True), _with_no_venue(directory):
        keys = _load(directory, passphrase)
        last = keys.public.newest
        if last.number >= KEYS_MAX:
            raise KeysError(f"there have been {KEYS_MAX:,} signing keys, and no more are kept")
        signer = Signer.fresh()
        link = msgspec.structs.replace(
            last,
            number=last.number + 1,
            public=signer.public.hex(),
            # A clock that was set back must not change the order of the keys.
            at=max(last.at, _now() if at is None else at),
            by=by,
            second=second,
            previous=link_after(last),
        )
        protected = is_protected(read_file(directory / SIGNING, secret=True))
        word = passphrase if protected else None
        link = _with_new_secrets(directory, link, replacing, word)
        public = PublicKeys([*keys.public.chain, endorse(link, keys.signer)])
        pem = protect(signer.private_pem(), SIGNING, word)
        write_file(directory / NEXT, pem, SECRET_MODE)
        write_file(directory / HISTORY, public.lines(), PUBLIC_MODE)
        _complete_rotation(directory, signer)
        return public


def _with_new_secrets(
    directory: Path, link: Endorsement, replacing: Sequence[str], passphrase: str | None
) -> Endorsement:
    """Write new secrets, which are not in use until the link with their marks is written."""
    for purpose in replacing:
        secret = Secret(secrets.token_bytes(SECRET_BYTES))
        file = directory / _replacing(purpose, link.number)
        write_file(file, protect(_written(secret), file.name, passphrase), SECRET_MODE)
        link = msgspec.structs.replace(link, **{f"{purpose}_mark": mark(purpose, secret)})
    return link


@contextmanager
def _with_no_venue(directory: Path) -> Iterator[None]:
    """Refuse to change the keys of a running venue: it would go on signing with the old one."""
    try:
        with held(directory / SIGNING, alone=True, waits=False):
            yield
    except BlockingIOError:
        raise KeysError(
            f"a venue is at work with the keys in {directory}, and would go on signing with the"
            " old one; stop it first, and start it afterwards"
        ) from None


def _load(directory: Path, passphrase: str | None) -> VenueKeys:
    public = _history(directory)
    signer = _signer(directory, public, passphrase)
    if read_file(directory / PUBLIC, secret=False) != signer.public_pem():
        raise KeysError(
            f"{directory / PUBLIC} is not the public half of {SIGNING}; put your copy of it back"
        )
    voucher, sealing = (
        renewed([_secret(directory / file, mark_, passphrase) for file, mark_ in files])
        for files in (files_of(public, VOUCHER), files_of(public, SEALING))
    )
    return VenueKeys(signer, voucher, sealing, public)


def files_of(public: PublicKeys, first: str) -> list[tuple[str, str]]:
    """Name the files of a secret and its replacements, with their marks, in order."""
    purpose = first.removesuffix(".key")
    found = {getattr(public.chain[0], f"{purpose}_mark"): first}
    for link in public.chain:
        found.setdefault(getattr(link, f"{purpose}_mark"), _replacing(purpose, link.number))
    return [(file, mark_) for mark_, file in found.items()]


def _replacing(purpose: str, number: int) -> str:
    """Name the file of a secret that came with a signing key of this number."""
    return f"{purpose}-{number}.key"


def _history(directory: Path) -> PublicKeys:
    file = directory / HISTORY
    return read_lines(read_file(file, secret=False), str(file))


def _signer(directory: Path, public: PublicKeys, passphrase: str | None) -> Signer:
    if (directory / NEXT).exists():
        following = _read_signer(directory / NEXT, passphrase)
        if following.key_id == public.newest.key_id:
            _complete_rotation(directory, following)
            return following
    signer = _read_signer(directory / SIGNING, passphrase)
    if signer.key_id != public.newest.key_id:
        raise KeysError(
            f"{directory / SIGNING} is not the newest key of {directory / HISTORY}: one of the two "
            "is of another time or another venue; put back the two files that belong together"
        )
    return signer


def _read_signer(file: Path, passphrase: str | None) -> Signer:
    pem = unprotect(read_file(file, secret=True), SIGNING, passphrase)
    try:
        return Signer.read(pem)
    except ValueError:
        raise KeysError(
            f"{file} is damaged: it holds no Ed25519 private key in PEM; put your copy of it back"
        ) from None


def _secret(file: Path, expected_mark: str, passphrase: str | None) -> Secret:
    text = unprotect(read_file(file, secret=True), file.name, passphrase)
    secret = _read_written(text)
    if secret is None:
        raise KeysError(
            f"{file} is damaged: it holds no {SECRET_BYTES} bytes in hexadecimal; "
            "put your copy of it back"
        )
    if mark(file.stem.partition("-")[0], secret) != expected_mark:
        raise KeysError(
            f"{file} is not the key that {HISTORY} tells of: what was made with the right one "
            "could not be read or paid; put your copy of it back"
        )
    return secret


def _complete_rotation(directory: Path, signer: Signer) -> None:
    write_file(directory / PUBLIC, signer.public_pem(), PUBLIC_MODE)
    replace_and_erase(directory / NEXT, directory / SIGNING)


def _free_place(directory: Path) -> Path:
    """Give the place of a new directory, and refuse one that is taken."""
    try:
        place = directory.resolve()
        taken = place.exists() and not (place.is_dir() and next(place.iterdir(), None) is None)
    except (OSError, RuntimeError, ValueError) as error:
        raise KeysError(f"{directory} cannot be made: {error}") from None
    if taken:
        raise KeysError(
            f"{directory} is there already, and nothing is written over; "
            "name a directory that is not there yet"
        )
    if not place.parent.is_dir():
        raise KeysError(f"{directory} cannot be made: there is no directory {place.parent}")
    return place


def _written(secret: Secret) -> Secret:
    return Secret(secret.hex().encode() + b"\n")


def _read_written(text: bytes) -> Secret | None:
    try:
        secret = Secret.fromhex(text.decode("ascii"))
    except ValueError:
        return None
    return secret if len(secret) == SECRET_BYTES and _written(secret) == text else None


def _now() -> Instant:
    return time.time_ns() // 1_000_000
