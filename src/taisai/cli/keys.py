"""`taisai keys`: make the keys of a house, show, check, rotate and publish them."""

import argparse
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from taisai.cli.passphrases import passphrase_of
from taisai.cli.refused import Refused
from taisai.cli.tables import align
from taisai.core.rules.reason import printable
from taisai.runtime.keys import (
    Endorsement,
    KeysError,
    PublicKeys,
    create_keys,
    describe_keys,
    load_keys,
    publish_keys,
    read_public,
    rotate_keys,
    spell_fingerprint,
)

_PURPOSES = (
    ("signing.key", "signs checkpoints and snapshots of the journal"),
    ("signing.pub", "its public half, for programs that verify"),
    ("signing.history", "all public keys so far, each signed by the one before it"),
    ("voucher.key", "makes the numbers of vouchers; never rotated while any is out"),
    ("sealing.key", "seals secrets at rest; never rotated while any is sealed"),
)


def create(arguments: argparse.Namespace) -> int:
    """Answer `taisai keys create`."""
    directory, passphrase = Path(arguments.directory), passphrase_of(arguments)
    with _refusing():
        public = create_keys(directory, passphrase)
    answer = {"place": str(directory), "protected": passphrase is not None}
    _tell(arguments, {**answer, **_keys_answer(public)}, lambda: _created(directory, public))
    return 0


def show(arguments: argparse.Namespace) -> int:
    """Answer `taisai keys show`."""
    place = Path(arguments.directory)
    with _refusing():
        if place.is_file():
            public, protected = read_public(place), None
        else:
            public, protected = describe_keys(place)
    answer = {"place": str(place), "protected": protected, **_keys_answer(public)}
    _tell(arguments, answer, lambda: _shown(place, public, protected=protected))
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Answer `taisai keys check`."""
    place = Path(arguments.directory)
    with _refusing():
        public, checked = _check(place, arguments)
        if arguments.held is not None:
            _check_held(public, Path(arguments.held), place)
            checked.append(f"they follow on the keys in {arguments.held}")
    answer = {"place": str(place), "sound": True, "checked": checked, **_keys_answer(public)}
    sound = f"The keys in {printable(str(place))} are sound:"
    _tell(arguments, answer, lambda: "\n- ".join([sound, *map(printable, checked)]))
    return 0


def rotate(arguments: argparse.Namespace) -> int:
    """Answer `taisai keys rotate`."""
    directory, passphrase = Path(arguments.directory), passphrase_of(arguments)
    with _refusing():
        public = rotate_keys(directory, arguments.by, arguments.second, passphrase)
    answer = {"place": str(directory), **_keys_answer(public)}
    _tell(arguments, answer, lambda: _rotated(directory, public))
    return 0


def publish(arguments: argparse.Namespace) -> int:
    """Answer `taisai keys publish`."""
    directory = Path(arguments.directory)
    with _refusing():
        public = describe_keys(directory).public
        if arguments.file == "-":
            # The lines are JSON already, and what a file would hold.
            print(public.lines().decode(), end="")
            return 0
        publish_keys(public, Path(arguments.file))
    answer = {"file": arguments.file, **_keys_answer(public)}
    told = f"The public keys are in {printable(arguments.file)}. {_read_out(public)}"
    _tell(arguments, answer, lambda: told)
    return 0


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
        "voucher.key and sealing.key are those that belong to them",
    ]


def _check_held(public: PublicKeys, file: Path, place: Path) -> None:
    earlier = read_public(file)
    if public.continues(earlier):
        return
    if earlier.continues(public):
        raise KeysError(f"{file} knows newer keys than {place}, which has been put back to older")
    raise KeysError(
        f"the keys in {place} do not follow on those in {file}: "
        "they are another house's, or one of the two was forged"
    )


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except KeysError as error:
        raise Refused(str(error)) from None


def _tell(arguments: argparse.Namespace, answer: dict[str, Any], text: Callable[[], str]) -> None:
    print(json.dumps(answer, indent=1) if arguments.json else text())


def _keys_answer(public: PublicKeys) -> dict[str, Any]:
    return {
        "fingerprint": public.newest.key_id,
        "keys": [
            {
                "number": each.number,
                "fingerprint": each.key_id,
                "public": each.public,
                "since": _since(each),
                "by": each.by,
                "second": each.second,
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


def _rotated(directory: Path, public: PublicKeys) -> str:
    name = printable(str(directory))
    return (
        f"Key {public.newest.number} now signs; the one before it is destroyed here. "
        f"{_read_out(public)}\n\n"
        "The voucher and sealing keys are as before: vouchers that are out and secrets that are\n"
        "sealed depend on them.\n"
        "Next:\n"
        "- start the house again, so that it signs with the new key;\n"
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
