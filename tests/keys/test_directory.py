"""A directory of keys: how it is made, when it is refused, and what it gives to the venue."""

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from taisai.runtime.keys.directory import create_keys, describe_keys, load_keys
from taisai.runtime.keys.files import KeysError
from taisai.runtime.keys.signing import publish_keys, read_public, spell_fingerprint
from tests.keys.bits import flips

AT = 1_790_000_000_000
PASSPHRASE = "correct horse battery staple"  # noqa: S105 - it opens nothing but these tests


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Give a directory with keys."""
    create_keys(tmp_path / "keys", at=AT)
    return tmp_path / "keys"


def test_the_files_are_for_their_owner_alone(directory: Path) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
    assert modes == {
        "signing.key": 0o600,
        "voucher.key": 0o600,
        "sealing.key": 0o600,
        "signing.pub": 0o644,
        "signing.history": 0o644,
        "README.txt": 0o644,
    }
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert [path.name for path in directory.parent.iterdir()] == ["keys"]


def test_a_mask_neither_opens_nor_closes_the_files(tmp_path: Path) -> None:
    for mask in (0o000, 0o277):
        before = os.umask(mask)
        try:
            create_keys(tmp_path / f"keys-{mask}")
        finally:
            os.umask(before)
        load_keys(tmp_path / f"keys-{mask}")


def test_what_is_signed_is_verified_by_another_program(directory: Path, tmp_path: Path) -> None:
    signature = load_keys(directory).signer.sign(b"a checkpoint")
    (tmp_path / "data").write_bytes(b"a checkpoint")
    (tmp_path / "signature").write_bytes(signature)
    verify = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(directory / "signing.pub")]
    verify += ["-rawin", "-in", str(tmp_path / "data"), "-sigfile", str(tmp_path / "signature")]
    openssl = shutil.which("openssl")
    if openssl is not None:
        subprocess.run(verify, check=True, capture_output=True, timeout=60)
    # A machine without OpenSSL's command still has it in the library.
    key = load_pem_public_key((directory / "signing.pub").read_bytes())
    key.verify(signature, b"a checkpoint")  # type: ignore[union-attr, call-arg]


def test_the_venue_gets_what_the_files_hold(directory: Path) -> None:
    keys = load_keys(directory)
    assert keys.voucher == bytes.fromhex((directory / "voucher.key").read_text())
    assert keys.sealing == bytes.fromhex((directory / "sealing.key").read_text())
    assert (len(keys.voucher), len(keys.sealing)) == (32, 32)
    assert keys.voucher != keys.sealing
    assert keys.signer.key_id == keys.public.newest.key_id
    assert keys.public.newest.at == AT
    signature = keys.signer.sign(b"data")
    assert keys.public.verify(keys.signer.key_id, b"data", signature)
    assert not keys.public.verify(keys.signer.key_id, b"dato", signature)
    assert not keys.public.verify("0" * 32, b"data", signature)
    assert not keys.public.verify(keys.signer.key_id, b"data", signature[:-1])


def test_two_directories_have_nothing_in_common(directory: Path, tmp_path: Path) -> None:
    create_keys(tmp_path / "other")
    for name in ("signing.key", "voucher.key", "sealing.key"):
        assert (directory / name).read_bytes() != (tmp_path / "other" / name).read_bytes()


def test_a_fingerprint_is_read_out_in_groups_of_four(directory: Path) -> None:
    spelt = spell_fingerprint(load_keys(directory).signer.key_id)
    assert re.fullmatch(r"([0-9a-f]{4} ){7}[0-9a-f]{4}", spelt)


def test_nothing_is_written_over(directory: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in directory.iterdir()}
    (tmp_path / "file").write_text("mine")
    for taken in (directory, tmp_path / "file", tmp_path):
        with pytest.raises(KeysError, match="is there already, and nothing is written over"):
            create_keys(taken)
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "keys"]


def test_an_empty_directory_may_be_there_already(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir(0o755)
    create_keys(tmp_path / "keys")
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match=f"there is no directory {tmp_path / 'no'}"):
        create_keys(tmp_path / "no" / "keys")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(KeysError, match="loop"):
        create_keys(tmp_path / "loop" / "keys")


@pytest.mark.parametrize("name", ["signing.key", "voucher.key", "sealing.key"])
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_a_secret_that_others_can_reach_is_refused(directory: Path, name: str, mode: int) -> None:
    (directory / name).chmod(mode)
    sentence = f"{name} can be read or changed by others .mode {mode:04o}.; run: chmod 600 "
    with pytest.raises(KeysError, match=sentence):
        load_keys(directory)
    (directory / name).chmod(0o400)
    load_keys(directory)


def test_a_directory_that_others_can_change_is_refused(directory: Path) -> None:
    directory.chmod(0o770)
    with pytest.raises(KeysError, match=f"mode 0770.; run: chmod 700 {directory}"):
        load_keys(directory)


def cut(path: Path) -> None:
    """Truncate a file to its half."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    """Empty a file."""
    path.write_bytes(b"")


def swap(path: Path) -> None:
    """Replace a file by another venue's."""
    create_keys(path.parent.parent / "other")
    path.write_bytes((path.parent.parent / "other" / path.name).read_bytes())


def overfill(path: Path) -> None:
    """Make a file larger than any valid one."""
    path.write_bytes(bytes(3_000_000))


def make_directory(path: Path) -> None:
    """Put a directory where a file should be."""
    path.unlink()
    path.mkdir()


DAMAGES: list[tuple[str, Callable[[Path], None], str]] = [
    ("signing.key", Path.unlink, "is missing"),
    ("signing.key", cut, "is damaged: it holds no Ed25519 private key in PEM"),
    ("signing.key", swap, "is not the newest key of "),
    ("signing.key", overfill, "is over 2097152 bytes"),
    ("signing.key", make_directory, "is not a file"),
    ("signing.pub", Path.unlink, "is missing"),
    ("signing.pub", swap, "is not the public half of signing.key"),
    ("signing.history", Path.unlink, "is missing"),
    ("signing.history", cut, "line 1: no endorsement of a key"),
    ("signing.history", swap, "is not the newest key of "),
    ("signing.history", empty, "holds no key"),
    ("voucher.key", Path.unlink, "is missing"),
    ("voucher.key", cut, "is damaged: it holds no 32 bytes in hexadecimal"),
    ("voucher.key", swap, "is not the key that signing.history tells of"),
    ("sealing.key", cut, "is damaged: it holds no 32 bytes in hexadecimal"),
    ("sealing.key", swap, "is not the key that signing.history tells of"),
]


@pytest.mark.parametrize(("name", "damage", "sentence"), DAMAGES)
def test_a_damaged_file_is_named(
    directory: Path, name: str, damage: Callable[[Path], None], sentence: str
) -> None:
    damage(directory / name)
    with pytest.raises(KeysError, match=sentence) as caught:
        load_keys(directory)
    assert str(directory / name) in str(caught.value)


def test_two_secrets_in_each_others_place_are_found(directory: Path) -> None:
    voucher = (directory / "voucher.key").read_bytes()
    (directory / "voucher.key").write_bytes((directory / "sealing.key").read_bytes())
    (directory / "sealing.key").write_bytes(voucher)
    with pytest.raises(KeysError, match=r"voucher.key is not the key that signing.history tells"):
        load_keys(directory)


def test_a_key_of_another_kind_is_refused(directory: Path) -> None:
    pem = "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n"
    # An X25519 key: its bytes differ only in the number of the algorithm (RFC 8410).
    (directory / "signing.key").write_text(
        pem.format("MC4CAQAwBQYDK2VuBCIEIHBgPSkrtQIeTbVIFpX8xqY5tYn2sUTRRpvVxnVvLHZ3")
    )
    with pytest.raises(KeysError, match="holds no Ed25519 private key"):
        load_keys(directory)


@pytest.mark.parametrize("name", ["signing.key", "voucher.key", "sealing.key", "signing.pub"])
def test_every_flipped_bit_of_a_file_is_found(directory: Path, name: str) -> None:
    for flipped in flips((directory / name).read_bytes()):
        (directory / name).write_bytes(flipped)
        with pytest.raises(KeysError):
            load_keys(directory)


def test_what_is_published_verifies_and_holds_no_secret(directory: Path, tmp_path: Path) -> None:
    keys = load_keys(directory)
    publish_keys(keys.public, tmp_path / "published")
    public = read_public(tmp_path / "published")
    assert public.verify(keys.signer.key_id, b"data", keys.signer.sign(b"data"))
    text = (tmp_path / "published").read_text()
    assert keys.voucher.hex() not in text
    assert keys.sealing.hex() not in text


def test_publishing_leaves_another_venues_file_alone(directory: Path, tmp_path: Path) -> None:
    file = tmp_path / "published"
    publish_keys(create_keys(tmp_path / "other"), file)
    before = file.read_bytes()
    with pytest.raises(KeysError, match="holds keys that these do not follow on"):
        publish_keys(load_keys(directory).public, file)
    assert file.read_bytes() == before


def test_keys_under_a_passphrase_open_with_it_alone(tmp_path: Path) -> None:
    directory = tmp_path / "keys"
    create_keys(directory, PASSPHRASE)
    keys = load_keys(directory, PASSPHRASE)
    for name, secret in (("voucher.key", keys.voucher), ("sealing.key", keys.sealing)):
        assert secret.hex() not in (directory / name).read_text()
    assert "PRIVATE" not in (directory / "signing.key").read_text()
    with pytest.raises(KeysError, match="give it with --passphrase-file FILE"):
        load_keys(directory)
    with pytest.raises(KeysError, match="the passphrase is another, or the file is damaged"):
        load_keys(directory, PASSPHRASE + "!")
    assert describe_keys(directory).protected
    assert describe_keys(directory).public.chain == keys.public.chain


def test_a_protected_file_is_not_taken_for_another(tmp_path: Path) -> None:
    directory = tmp_path / "keys"
    create_keys(directory, PASSPHRASE)
    (directory / "voucher.key").write_bytes((directory / "sealing.key").read_bytes())
    with pytest.raises(KeysError, match=r"voucher.key does not open"):
        load_keys(directory, PASSPHRASE)
    (directory / "signing.key").write_bytes(b"taisai protected key 1\nnot hexadecimal\n")
    with pytest.raises(KeysError, match=r"signing.key does not open"):
        load_keys(directory, PASSPHRASE)


def test_the_same_passphrase_in_other_code_points_opens(tmp_path: Path) -> None:
    create_keys(tmp_path / "keys", "caf\u00e9 au lait, twice")
    load_keys(tmp_path / "keys", "cafe\u0301 au lait, twice")


def test_a_short_passphrase_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match="12 to 1,000 characters; this one has 11"):
        create_keys(tmp_path / "keys", "elevenchars")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_directory_of_keys_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, sentence in [
        ("none", "there is no directory .*none; 'taisai keys create' makes one"),
        ("file", "file is not a directory; keys live in a directory of their own"),
        ("loop", "loop cannot be read"),
        ("file/keys", "keys cannot be read: Not a directory"),
    ]:
        with pytest.raises(KeysError, match=sentence):
            load_keys(tmp_path / name)
