"""`taisai keys`: make the keys of a venue, show, check, rotate and publish them."""

import argparse
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from taisai.cli.command import PASSPHRASE, SECOND, Argument, Output, argument, command, pick, place
from taisai.cli.text import align
from taisai.cli.venue.environment import passphrase_of
from taisai.core.rules.reason import printable
from taisai.runtime.keys.directory import (
    REPLACED,
    create_keys,
    describe_keys,
    load_keys,
    rotate_keys,
)
from taisai.runtime.keys.files import KeysError
from taisai.runtime.keys.signing import (
    Endorsement,
    PublicKeys,
    publish_keys,
    read_public,
    spell_fingerprint,
)

_PURPOSES = (
    ("signing.key", "signs checkpoints and snapshots of the journal"),
    ("signing.pub", "its public half, for programs that verify"),
    ("signing.history", "all public keys so far, each signed by the one before it"),
    ("voucher.key", "makes the numbers of vouchers"),
    ("sealing.key", "seals secrets at rest"),
)


def _directory(help_: str = "the directory of the keys") -> Argument:
    return place("directory DIR", help_)


_EITHER = _directory("the directory of the keys, or a published file")


@command(
    "taisai keys create venue-keys",
    _directory("the directory to make"),
    PASSPHRASE,
    detail="Nothing that is there is ever written over. With a passphrase, the keys are "
    "useless to\n"
    "whoever has only the files.",
)
def create(arguments: argparse.Namespace) -> Output:
    directory, passphrase = Path(arguments.directory), passphrase_of(arguments)
    public = create_keys(directory, passphrase)
    answer = {"place": str(directory), "protected": passphrase is not None}
    return Output(lambda: {**answer, **_keys_answer(public)}, lambda: _created(directory, public))


@command(
    "taisai keys show venue-keys",
    _EITHER,
    detail="The fingerprint is in groups of four, for two people to read to each other.",
)
def show(arguments: argparse.Namespace) -> Output:
    where = Path(arguments.directory)
    public, protected = (read_public(where), None) if where.is_file() else describe_keys(where)
    return Output(
        lambda: {"place": str(where), "protected": protected, **_keys_answer(public)},
        lambda: _shown(where, public, protected=protected),
    )


@command(
    "taisai keys check venue-keys --held published.keys",
    _EITHER,
    argument("--held FILE", "a published file that was held elsewhere"),
    PASSPHRASE,
    detail="With a published file that was held elsewhere, also that these keys follow on it.",
)
def check(arguments: argparse.Namespace) -> Output:
    where = Path(arguments.directory)
    public, checked = _check(where, arguments)
    if arguments.held is not None:
        _check_held(public, Path(arguments.held), where)
        checked.append(f"they follow on the keys in {arguments.held}")
    sound = f"The keys in {printable(str(where))} are sound:"
    return Output(
        lambda: {"place": str(where), "sound": True, "checked": checked, **_keys_answer(public)},
        lambda: "\n- ".join([sound, *map(printable, checked)]),
    )


@command(
    "taisai keys rotate venue-keys --by 'Ann Lee' --second 'Bob Tan'",
    _directory(),
    argument("--by NAME", "who rotates the key", required=True),
    SECOND,
    argument("--voucher", "replace the voucher key too", action="store_true"),
    argument("--sealing", "replace the sealing key too", action="store_true"),
    PASSPHRASE,
    detail="The old key signs the new one and is destroyed; what it signed can still be verified.\n"
    "The voucher key and the sealing key stay as they are unless you say so. Replaced, the old\n"
    "ones stay in the directory: the vouchers that are out keep their numbers, and what is\n"
    "sealed can still be opened. Stop the venue before, start it after.",
)
def rotate(arguments: argparse.Namespace) -> Output:
    directory, passphrase = Path(arguments.directory), passphrase_of(arguments)
    replacing = [each for each in REPLACED if getattr(arguments, each)]
    by, second = arguments.by, arguments.second
    public = rotate_keys(directory, by, second, passphrase, replacing=replacing)
    return Output(
        lambda: {"place": str(directory), "replaced": replacing, **_keys_answer(public)},
        lambda: _rotated(directory, public, replacing),
    )


@command(
    "taisai keys publish venue-keys published.keys",
    _directory(),
    argument("file FILE", "where to; - or nothing: standard output", nargs="?", default="-"),
    detail="There is no secret in them. A file that these keys follow on is brought up to\n"
    "date; any other is left alone.",
)
def publish(arguments: argparse.Namespace) -> Output | int:
    public = describe_keys(Path(arguments.directory)).public
    if arguments.file == "-":
        # The lines are JSON already, in the form of the file.
        print(public.lines().decode(), end="")
        return 0
    publish_keys(public, Path(arguments.file))
    return Output(
        lambda: {"file": arguments.file, **_keys_answer(public)},
        lambda: f"The public keys are in {printable(arguments.file)}. {_read_out(public)}",
    )


def _check(place: Path, arguments: argparse.Namespace) -> tuple[PublicKeys, list[str]]:
    if place.is_file():
        return read_public(place), ["every key is signed by the one before it"]
    keys = load_keys(place, passphrase_of(arguments))
    challenge = b"taisai check\0" + secrets.token_bytes(32)
    if not keys.public.verify(keys.signer.key_id, challenge, keys.signer.sign(challenge)):
        raise KeysError(f"what the key in {place} signs cannot be verified; put your copies back")
    return keys.public, [
        "nobody but their owner can read the secret ones",
        "every signing key is signed by the one before it",
        "what signing.key signs, signing.pub verifies",
        "the voucher and sealing keys, old and new, are those that belong to them",
    ]


def _check_held(public: PublicKeys, file: Path, place: Path) -> None:
    earlier = read_public(file)
    if public.continues(earlier):
        return
    if earlier.continues(public):
        raise KeysError(f"{file} knows newer keys than {place}, which has been put back to older")
    raise KeysError(
        f"the keys in {place} do not follow on those in {file}: "
        "they are another venue's, or one of the two was forged"
    )


def _keys_answer(public: PublicKeys) -> dict[str, Any]:
    return {
        "fingerprint": public.newest.key_id,
        "keys": [
            {
                **pick(each, "number", "public", "by", "second"),
                "fingerprint": each.key_id,
                "since": _since(each),
            }
            for each in public.chain
        ],
    }


def _created(directory: Path, public: PublicKeys) -> str:
    name = printable(str(directory))
    return (
        f"The keys are in {name}. {_read_out(public)}\n\n"
        "Next:\n"
        "- put a copy of the directory in a safe, away from copies of the journal: without the\n"
        "  voucher and sealing keys, vouchers cannot be paid nor sealed secrets opened;\n"
        f"- 'taisai keys publish {name} FILE' writes what an auditor holds elsewhere."
    )


def _rotated(directory: Path, public: PublicKeys, replacing: Sequence[str]) -> str:
    name, number = printable(str(directory)), public.newest.number
    new = " and ".join(f"{each}-{number}.key" for each in replacing)
    depends = "vouchers that are out and secrets that are sealed depend on"
    kept = f"The voucher and sealing keys are as before: {depends} them.\n"
    if replacing:
        kept = (
            f"{new} is in force once the venue is started. Keep what was there before, here and\n"
            f"in the safe: {depends} it.\n"
        )
    return (
        f"Key {number} now signs; the one before it is destroyed here. "
        f"{_read_out(public)}\n\n{kept}"
        "Next:\n"
        "- start the venue again, so that it signs with the new key;\n"
        "- destroy the copies of the old signing.key, and put a copy of the new one in the safe;\n"
        f"- 'taisai keys publish {name} FILE' brings an auditor's file up to date."
    )


def _shown(place: Path, public: PublicKeys, *, protected: bool | None) -> str:
    parts = [f"The keys in {printable(str(place))}. {_read_out(public)}"]
    if protected is not None:
        parts.append(align(("file", "what it is for"), _PURPOSES))
        parts.append(f"The secret ones are {'' if protected else 'not '}under a passphrase.")
    rows = [
        (
            str(each.number),
            spell_fingerprint(each.key_id),
            _since(each),
            "-" if each.by is None else printable(f"{each.by} and {each.second}"),
        )
        for each in public.chain
    ]
    parts.append(align(("key", "fingerprint", "since", "by"), rows, right="r"))
    return "\n\n".join(parts)


def _read_out(public: PublicKeys) -> str:
    return f"Fingerprint of the signing key:\n\n  {spell_fingerprint(public.newest.key_id)}"


def _since(endorsement: Endorsement) -> str:
    moment = datetime.fromtimestamp(endorsement.at // 1_000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
