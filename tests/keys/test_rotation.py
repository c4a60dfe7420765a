"""Rotation of the signing key: two persons, an unbroken chain, and a power cut at any step."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.runtime.keys import directory as directories
from taisai.runtime.keys.directory import create_keys, is_protected, load_keys, rotate_keys
from taisai.runtime.keys.files import KeysError, every
from taisai.runtime.keys.signing import (
    Endorsement,
    PublicKeys,
    Signer,
    endorse,
    fresh_keys,
    link_after,
    publish_keys,
    read_lines,
    read_public,
)
from tests.keys.bits import flips
from tests.keys.test_directory import PASSPHRASE

AT = 1_790_000_000_000


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Give a directory with keys."""
    create_keys(tmp_path / "keys", at=AT)
    return tmp_path / "keys"


def files(directory: Path) -> dict[str, bytes]:
    """Read every file of a directory."""
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def following(chain: tuple[Endorsement, ...], signer: Signer, **changes: Any) -> Endorsement:
    """Endorse a new key after a chain, as `signer` would, with changes."""
    fresh: dict[str, Any] = {
        "number": len(chain) + 1,
        "public": Signer.fresh().public.hex(),
        "by": "Ann",
        "second": "Bob",
        "previous": link_after(chain[-1]),
    }
    return endorse(msgspec.structs.replace(chain[-1], **{**fresh, **changes}), signer)


def test_the_old_key_verifies_and_no_longer_signs(directory: Path) -> None:
    old = load_keys(directory)
    signed = old.signer.sign(b"data")
    pem = (directory / "signing.key").read_bytes()
    rotate_keys(directory, "Ann Lee", "Bob Tan", at=AT + 1)
    new = load_keys(directory)
    assert new.signer.key_id != old.signer.key_id
    assert new.public.verify(old.signer.key_id, b"data", signed)
    assert not new.public.verify(new.signer.key_id, b"data", signed)
    assert new.public.position(old.signer.key_id) == 1
    assert new.public.position(new.signer.key_id) == 2
    newest = new.public.newest
    assert (newest.by, newest.second, newest.at) == ("Ann Lee", "Bob Tan", AT + 1)
    assert all(pem not in data for data in files(directory).values())


def test_the_other_keys_stay(directory: Path) -> None:
    before = files(directory)
    rotate_keys(directory, "Ann", "Bob")
    after = files(directory)
    assert {name for name in before if after[name] != before[name]} == {
        "signing.key",
        "signing.pub",
        "signing.history",
    }
    assert set(after) == set(before)
    assert (directory / "signing.key").stat().st_mode & 0o777 == 0o600


def test_the_old_key_is_blanked_where_it_lay(directory: Path, tmp_path: Path) -> None:
    # A second name for the same bytes on the disk shows what became of them.
    (tmp_path / "link").hardlink_to(directory / "signing.key")
    rotate_keys(directory, "Ann", "Bob")
    assert set((tmp_path / "link").read_bytes()) == {0}


@pytest.mark.parametrize(
    ("by", "second", "sentence"),
    [
        ("Ann Lee", "Ann Lee", "two different persons; Ann Lee was named twice"),
        ("Ann Lee", " ann  LEE ", "two different persons; Ann Lee was named twice"),
        ("Ann Lee", "Ann\u00a0Lee", "two different persons"),
        ("Ann Lee", "\uff21nnLee", "is no name of a person: U.FF21 has no place in a name"),
        ("Ann Lee", "Ann 1ee", "two different persons"),
        ("Coco", "\u0421\u043e\u0441\u043e", "two different persons"),
        ("", "Bob", "'' is no name of a person"),
        ("Ann", " \n ", "is no name of a person"),
        ("Ann\x1b[2J", "Bob", "is no name of a person"),
        ("A" * 101, "Bob", "one has 1 to 100 letters"),
    ],
)
def test_it_takes_two_persons(directory: Path, by: str, second: str, sentence: str) -> None:
    before = files(directory)
    with pytest.raises(KeysError, match=sentence):
        rotate_keys(directory, by, second)
    assert files(directory) == before


def test_a_clock_put_back_does_not_break_the_order(directory: Path) -> None:
    rotate_keys(directory, "Ann", "Bob", at=AT - 1_000)
    assert [each.at for each in load_keys(directory).public.chain] == [AT, AT]


def test_keys_under_a_passphrase_stay_under_it(tmp_path: Path) -> None:
    directory = tmp_path / "keys"
    create_keys(directory, PASSPHRASE)
    with pytest.raises(KeysError, match="protected by a passphrase"):
        rotate_keys(directory, "Ann", "Bob")
    rotate_keys(directory, "Ann", "Bob", PASSPHRASE)
    assert b"PRIVATE" not in (directory / "signing.key").read_bytes()
    assert load_keys(directory, PASSPHRASE).public.newest.number == 2


def test_a_published_file_is_brought_up_to_date(directory: Path, tmp_path: Path) -> None:
    file = tmp_path / "published"
    publish_keys(load_keys(directory).public, file)
    earlier = read_public(file)
    for _ in range(3):
        rotate_keys(directory, "Ann", "Bob")
    publish_keys(load_keys(directory).public, file)
    assert len(read_public(file).chain) == 4
    assert read_public(file).continues(earlier)
    assert not earlier.continues(read_public(file))


def test_there_is_an_end_to_rotating(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directories, "KEYS_MAX", 1)
    with pytest.raises(KeysError, match="there have been 1 signing keys"):
        rotate_keys(directory, "Ann", "Bob")


class Cut(BaseException):
    """A power cut."""


@pytest.mark.parametrize("step", range(8))
def test_a_rotation_cut_short_leaves_one_key_or_the_other(
    directory: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace: Callable[[Path, Path], Path] = Path.replace
    steps = iter(range(8))

    def cut_short(path: Path, target: Path) -> Path:
        if next(steps) == step:
            raise Cut
        done = replace(path, target)
        if next(steps) == step:
            raise Cut
        return done

    old = load_keys(directory).signer.key_id
    monkeypatch.setattr(Path, "replace", cut_short)
    with pytest.raises(Cut):
        rotate_keys(directory, "Ann", "Bob")
    monkeypatch.undo()
    # The endorsement is the second of four files: from then on the new key is valid.
    keys = load_keys(directory)
    assert (keys.signer.key_id != old) is (step >= 3)
    assert keys.signer.key_id == keys.public.newest.key_id
    rotate_keys(directory, "Ann", "Bob")
    assert load_keys(directory).public.newest.number == (3 if step >= 3 else 2)
    assert "signing.key.next" not in files(directory)


def test_a_cut_that_lost_the_old_key_is_completed(directory: Path) -> None:
    rotate_keys(directory, "Ann", "Bob")
    (directory / "signing.key").rename(directory / "signing.key.next")
    assert load_keys(directory).public.newest.number == 2
    assert (directory / "signing.key").exists()


def test_a_forged_endorsement_is_refused() -> None:
    keys, thief = fresh_keys(AT), Signer.fresh()
    forged = following(keys.public.chain, thief, public=thief.public.hex())
    with pytest.raises(KeysError, match=r"line 2: .* the key before it has not signed it"):
        PublicKeys([*keys.public.chain, forged])


def test_a_first_key_that_did_not_sign_itself_is_refused() -> None:
    keys = fresh_keys(AT)
    forged = endorse(keys.public.newest, Signer.fresh())
    with pytest.raises(KeysError, match=r"line 1: .* the key itself has not signed it"):
        PublicKeys([forged])


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"number": 3}, "it is number 3, and number 2 is expected"),
        ({"previous": "0" * 64}, "it does not follow on the line before it"),
        ({"previous": None}, "it does not follow on the line before it"),
        ({"at": AT - 1}, "its time is before that of the key before it"),
        ({"by": None}, "it does not name two different persons"),
        ({"second": "ANN"}, "it does not name two different persons"),
    ],
)
def test_a_signed_endorsement_must_still_follow(changes: dict[str, Any], fault: str) -> None:
    keys = fresh_keys(AT)
    link = following(keys.public.chain, keys.signer, **changes)
    with pytest.raises(KeysError, match=fault):
        PublicKeys([*keys.public.chain, link])


def test_a_first_key_has_none_before_it() -> None:
    keys = fresh_keys(AT)
    link = endorse(msgspec.structs.replace(keys.public.newest, by="Ann"), keys.signer)
    with pytest.raises(KeysError, match="the first key has none before it"):
        PublicKeys([link])


def test_a_key_does_not_come_back() -> None:
    keys = fresh_keys(AT)
    link = following(keys.public.chain, keys.signer, public=keys.signer.public.hex())
    with pytest.raises(KeysError, match="a key stands there twice"):
        PublicKeys([*keys.public.chain, link])


def test_a_link_taken_out_or_moved_is_found(directory: Path) -> None:
    for _ in range(2):
        rotate_keys(directory, "Ann", "Bob")
    first, second, third = load_keys(directory).public.chain
    for broken in ([first, third], [second, third], [second, first, third], [first, third, second]):
        with pytest.raises(KeysError, match="is not sound"):
            PublicKeys(broken)
    # A chain that ends early is sound in itself; a holder of the later one sees it.
    assert not PublicKeys([first, second]).continues(PublicKeys([first, second, third]))


def test_every_flipped_bit_of_a_published_chain_is_found(directory: Path) -> None:
    public = rotate_keys(directory, "Ann Lee", "Bob Tan")
    for flipped in flips(public.lines()):
        with pytest.raises(KeysError, match="published, line"):
            read_lines(flipped, "published")


def test_a_chain_may_have_travelled_through_another_system(directory: Path, tmp_path: Path) -> None:
    public = rotate_keys(directory, "Ann Lee", "Bob Tan")
    (tmp_path / "published").write_bytes(public.lines().replace(b"\n", b"\r\n"))
    assert read_public(tmp_path / "published").chain == public.chain


def test_more_keys_than_are_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "published").write_bytes(b"{}\n" * 1_001)
    with pytest.raises(KeysError, match="holds 1001 keys; at most 1,000 are read"):
        read_public(tmp_path / "published")


@pytest.mark.parametrize("failing", range(7))
def test_a_disk_that_fails_is_named_and_loses_no_key(
    directory: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = load_keys(directory).signer.key_id
    syncs, sync = iter(range(100)), os.fsync

    def fail(descriptor: int) -> None:
        if next(syncs) == failing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(KeysError, match="No space left on device"):
        rotate_keys(directory, "Ann", "Bob")
    monkeypatch.undo()
    # Each file is synced, then its directory; the endorsement is in place by the fourth.
    assert (load_keys(directory).signer.key_id != old) is (failing >= 3)


@pytest.mark.parametrize("failing", range(8))
def test_keys_that_could_not_be_made_leave_nothing_behind(
    tmp_path: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs, sync = iter(range(100)), os.fsync

    def fail(descriptor: int) -> None:
        if next(syncs) == failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(KeysError, match="keys cannot be made: Input/output error"):
        create_keys(tmp_path / "keys")
    # The last to be synced is the directory with the finished one.
    assert list(tmp_path.iterdir()) == ([] if failing < 7 else [tmp_path / "keys"])


def test_keys_that_a_venue_works_with_are_not_rotated(directory: Path) -> None:
    before = files(directory)
    with directories.opened_keys(directory) as keys:
        with pytest.raises(KeysError, match=r"a venue is at work with the keys.*stop it first"):
            rotate_keys(directory, "Ann", "Bob", at=AT)
        assert files(directory) == before
        # Readers are not held up.
        assert load_keys(directory).signer.key_id == keys.signer.key_id
    assert rotate_keys(directory, "Ann", "Bob", at=AT).newest.number == 2


def test_a_voucher_or_sealing_key_that_is_replaced_leaves_the_old_one(tmp_path: Path) -> None:
    """[D39] Under the same passphrase, in a file of its own, marked in the chain."""
    directory, word = tmp_path / "protected", "five words make a passphrase"
    create_keys(directory, word, AT)
    before = load_keys(directory, word)
    rotate_keys(directory, "Ann", "Bob", word, AT, replacing=("sealing",))
    rotate_keys(directory, "Ann", "Bob", word, AT)
    rotate_keys(directory, "Ann", "Bob", word, AT, replacing=("voucher", "sealing"))
    keys = load_keys(directory, word)
    assert every(keys.voucher)[1:] == (before.voucher,)
    first, second, third = reversed(every(keys.sealing))
    assert (first, third) == (before.sealing, keys.sealing)
    assert len({first, second, third, *every(keys.voucher)}) == 5
    made = sorted(each.name for each in directory.glob("*-*.key"))
    assert made == ["sealing-2.key", "sealing-4.key", "voucher-4.key"]
    assert all(is_protected((directory / each).read_bytes()) for each in made)
    (directory / "sealing-2.key").unlink()
    with pytest.raises(KeysError, match=r"sealing-2\.key"):
        load_keys(directory, word)
