"""The file of credentials: readable by its owner alone, of the right kind, without plain text."""

import os
import stat
from pathlib import Path

import apsw
import pytest

from taisai.runtime.keys.files import KeysError
from taisai.server.accounts.credentials import (
    SCHEMA,
    Code,
    Credentials,
    CredentialsError,
    Verifiers,
    either_way,
    hash_of,
    make_code,
    new_half,
    password_refusal,
    pin_refusal,
    plain_code,
)

KEY = b"a key of the house"
DAN = Verifiers("$argon2id$password", "$argon2id$pin")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "credentials.db"


def test_the_file_is_for_its_owner_alone(file: Path) -> None:
    before = os.umask(0)
    try:
        Credentials.open(file, KEY).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_was_written_is_there_after_a_restart(file: Path) -> None:
    credentials = Credentials.open(file, KEY)
    credentials.set_code("Dan", Code(b"h" * 32, 99))
    credentials.set_code("Cat", Code(b"c" * 32, 98))
    credentials.set_verifiers("Dan", DAN)
    credentials.set_keys([("T1", "T1-1", b"k" * 32, 5)])
    credentials.set_keys([("T1", "T1-1", b"l" * 32, 6)])
    credentials.close()
    again = Credentials.open(file, KEY)
    assert again.verifiers("Dan") == DAN
    assert again.persons() == ["Dan"]
    assert (again.code("Dan"), again.code("Cat")) == (None, Code(b"c" * 32, 98))
    assert again.coded() == ["Cat"]
    assert again.keys() == {("T1", "T1-1"): (b"l" * 32, 6)}
    again.forget("Dan")
    again.forget("Cat")
    assert (again.persons(), again.coded()) == ([], [])
    again.close()


def test_what_was_replaced_is_nowhere_in_the_directory(file: Path) -> None:
    credentials = Credentials.open(file, KEY)
    credentials.set_verifiers("Dan", Verifiers("$argon2id$" + "old" * 20, "$argon2id$pin"))
    assert any(b"oldold" in path.read_bytes() for path in file.parent.iterdir())
    credentials.set_verifiers("Dan", DAN)
    try:
        for path in file.parent.iterdir():
            assert b"oldold" not in path.read_bytes(), path.name
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        credentials.close()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_refused(file: Path, mode: int) -> None:
    Credentials.open(file, KEY).close()
    file.chmod(mode)
    with pytest.raises(KeysError, match="chmod 600"):
        Credentials.open(file, KEY)


def test_only_a_file_of_its_own_will_do(file: Path) -> None:
    elsewhere = file.with_name("elsewhere.db")
    Credentials.open(elsewhere, KEY).close()
    file.symlink_to(elsewhere)
    with pytest.raises(CredentialsError, match="not a file of its own"):
        Credentials.open(file, KEY)
    file.unlink()
    file.mkdir()
    with pytest.raises(CredentialsError, match="not a file of its own"):
        Credentials.open(file, KEY)


def test_a_file_of_another_kind_is_refused_and_left_alone(file: Path) -> None:
    file.write_bytes(b"not a database, but long enough to be taken for one" * 20)
    file.chmod(0o600)
    with pytest.raises(CredentialsError, match=r"credentials\.db cannot be used"):
        Credentials.open(file, KEY)
    assert file.read_bytes().startswith(b"not a database")


def test_another_databases_file_is_refused(file: Path) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("CREATE TABLE other (x)")
    connection.close()
    file.chmod(0o600)
    with pytest.raises(CredentialsError, match="holds no credentials of a venue"):
        Credentials.open(file, KEY)


def test_a_schema_that_is_not_known_is_refused(file: Path) -> None:
    Credentials.open(file, KEY).close()
    connection = apsw.Connection(str(file))
    connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    connection.close()
    with pytest.raises(CredentialsError, match=f"has schema {SCHEMA + 1}"):
        Credentials.open(file, KEY)


def test_two_at_a_time_are_refused(file: Path) -> None:
    credentials = Credentials.open(file, KEY)
    credentials.set_code("Dan", Code(b"h" * 32, 99))
    try:
        with pytest.raises(CredentialsError, match="locked"):
            Credentials.open(file, KEY)
    finally:
        credentials.close()


def test_no_directory_no_file(tmp_path: Path) -> None:
    with pytest.raises(CredentialsError, match="cannot be opened"):
        Credentials.open(tmp_path / "nowhere" / "credentials.db", KEY)


def test_there_is_an_end_to_what_it_holds(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.server.accounts.credentials.PERSONS_MAX", 1)
    monkeypatch.setattr("taisai.server.accounts.credentials.KEYS_MAX", 1)
    credentials = Credentials.open(file, KEY)
    try:
        credentials.set_verifiers("Dan", DAN)
        credentials.set_code("Dan", Code(b"", 1))
        credentials.set_keys([("T1", "T1-1", b"", 1)])
        with pytest.raises(CredentialsError, match="1 persons already"):
            credentials.set_verifiers("Cat", DAN)
        with pytest.raises(CredentialsError, match="1 codes already"):
            credentials.set_code("Cat", Code(b"", 1))
        with pytest.raises(CredentialsError, match="1 keys already"):
            credentials.set_keys([("T1", "T1-2", b"", 1)])
    finally:
        credentials.close()


def test_a_failed_write_is_told_without_what_was_written(file: Path) -> None:
    credentials = Credentials.open(file, KEY)
    credentials._connection.execute("PRAGMA query_only = ON")
    try:
        with pytest.raises(CredentialsError, match="cannot be written") as told:
            credentials.set_verifiers("Dan", DAN)
        assert "argon2id" not in str(told.value)
        assert credentials.persons() == []
    finally:
        credentials.close()


def test_verifiers_are_not_shown() -> None:
    assert "argon2id" not in repr(DAN)


# --- rules for passwords, PINs and codes ----------------------------------------------------------


@pytest.mark.parametrize(
    ("password", "good"),
    [
        ("x" * 11 + "y", True),
        ("twelve chars", True),
        ("eleven char", False),
        ("", False),
        ("骰" * 12, True),
        ("骰" * 11, False),
        ("y" * 256, True),
        ("y" * 257, False),
        # One character that is written as two counts once.
        ("e\u0301" * 11, False),
        ("Bartholomew Quill", False),
        ("  bartholomew   QUILL ", False),
        ("Bartholomew Quill!", True),
    ],
)
def test_passwords(password: str, *, good: bool) -> None:
    assert (password_refusal("Bartholomew Quill", password) is None) is good


@pytest.mark.parametrize(
    ("pin", "good"),
    [
        ("271845", True),
        ("271845271845", True),
        ("2718452718456", False),
        ("27184", False),
        ("", False),
        ("111111", False),
        ("123456", False),
        ("890123", False),
        ("987654", False),
        ("210987", False),
        ("123457", True),
        ("112233", True),
        ("27184x", False),
        ("٢٧١٨٤٥", False),
        ("²71845", False),
        (" 271845", False),
    ],
)
def test_pins(pin: str, *, good: bool) -> None:
    assert (pin_refusal(pin) is None) is good


def test_codes_are_long_random_and_read_as_they_are_meant() -> None:
    codes = {new_half() for _ in range(100)}
    assert len(codes) == 100
    for code in codes:
        assert len(plain_code(code)) == 15
        assert plain_code(code.lower().replace("-", " ")) == plain_code(code)
        assert not set(code) & set("IO01")


def test_two_halves_of_a_code_are_read_in_either_order() -> None:
    halves, kept = make_code(0, 1)
    assert kept.hash in map(hash_of, either_way(f"{halves.first} {halves.second}"))
    assert kept.hash in map(hash_of, either_way(f"{halves.second.lower()} {halves.first}"))
    assert kept.hash not in map(hash_of, either_way(f"{halves.first} {halves.first}"))
