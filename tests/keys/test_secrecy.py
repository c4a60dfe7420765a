"""Secrets never show: not in anything printed, logged or pickled, and not in failures."""

import copy
import logging
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taisai.runtime.keys import directory as directories
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.keys.files import KeysError
from taisai.runtime.keys.signing import VenueKeys, fresh_keys


def secrets_of(keys: VenueKeys) -> list[str]:
    """Give every secret of a venue in each form that could be seen."""
    pem = keys.signer.private_pem().decode()
    raw = [bytes(keys.voucher), bytes(keys.sealing)]
    return [pem.splitlines()[1], *(each.hex() for each in raw), *(repr(each) for each in raw)]


@pytest.mark.parametrize(
    "write",
    [repr, str, "{}".format, "%s".__mod__, ascii, lambda each: f"{each!r}"],
)
def test_nothing_secret_is_in_what_they_write_of_themselves(write: Callable[[Any], str]) -> None:
    keys = fresh_keys(0)
    parts = (keys, keys.signer, keys.voucher, keys.sealing, keys.public)
    text = "".join(write((each,) if write == "%s".__mod__ else each) for each in parts)
    text += write(([parts],))
    assert not [secret for secret in secrets_of(keys) if secret in text]
    assert keys.signer.key_id in text


@pytest.mark.parametrize("part", ["voucher", "sealing", "signer", None])
@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_they_are_neither_pickled_nor_copied(part: str | None, take: Callable[[Any], Any]) -> None:
    keys = fresh_keys(0)
    with pytest.raises(TypeError, match="keys are neither pickled nor copied"):
        take(keys if part is None else getattr(keys, part))


def test_nothing_secret_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    keys = fresh_keys(0)
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("venue").info("opened %s with %s", keys, [keys.voucher])
    assert "VenueKeys" in caplog.text
    assert not [secret for secret in secrets_of(keys) if secret in caplog.text]


def test_a_secret_still_works_as_bytes() -> None:
    keys = fresh_keys(0)
    assert isinstance(keys.voucher, bytes)
    assert bytes(keys.voucher) == keys.voucher
    assert len(keys.sealing) == 32


@pytest.mark.parametrize(
    ("name", "passphrase"),
    [
        ("signing.key", None),
        ("signing.pub", None),
        ("signing.history", None),
        ("voucher.key", None),
        ("sealing.key", None),
        ("voucher.key", "correct horse battery staple"),
    ],
)
def test_a_failure_shows_no_key_even_with_all_its_variables(
    tmp_path: Path, name: str, passphrase: str | None
) -> None:
    directory = tmp_path / "keys"
    create_keys(directory, passphrase)
    keys = load_keys(directory, passphrase)
    create_keys(tmp_path / "other", passphrase)
    (directory / name).write_bytes((tmp_path / "other" / name).read_bytes())
    with pytest.raises(KeysError) as caught:
        load_keys(directory, passphrase)
    others = load_keys(tmp_path / "other", passphrase)
    shown = "".join(
        traceback.TracebackException(
            type(caught.value), caught.value, caught.tb, capture_locals=True
        ).format()
    )
    assert "_load" in shown.split(directories.__file__, 1)[1]
    assert "directory = " in shown
    assert not [secret for secret in secrets_of(keys) + secrets_of(others) if secret in shown]
