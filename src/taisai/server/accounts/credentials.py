"""The credentials of a venue's people and machines: one file, readable by its owner alone.

Nobody can log in with what it holds: argon2id verifiers of passwords and PINs, and SHA-256 hashes
of keys and codes, which are random and long enough for that. Replaced rows are overwritten. Every
row has a MAC under a key of the venue, and the version of the event in the journal that it belongs
to: a row that another program wrote, or an older one put back, is not accepted.
A write is on the disk before it returns, on the caller's thread: writes are rare and small.
"""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import apsw
import msgspec
from msgspec import Struct

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant
from taisai.core.kernel.names import same_person
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.runtime.keys.files import derived, every, refuse_open_to_others, sync_path, write_new

#: "TSCR", so that the file can be recognised.
APPLICATION_ID = 0x54534352
SCHEMA = 2
#: More than a venue has staff and terminals.
PERSONS_MAX = 20_000
KEYS_MAX = 250_000
_MODE = 0o600

TABLES = f"""
CREATE TABLE persons (
    person TEXT PRIMARY KEY, password TEXT NOT NULL, pin TEXT NOT NULL, version INTEGER NOT NULL,
    mac BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE codes (
    person TEXT PRIMARY KEY, hash BLOB NOT NULL, expires INTEGER NOT NULL,
    version INTEGER NOT NULL, mac BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE keys (
    "table" TEXT NOT NULL, terminal TEXT NOT NULL, hash BLOB NOT NULL, version INTEGER NOT NULL,
    mac BLOB NOT NULL, PRIMARY KEY ("table", terminal)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA};
"""


Values: TypeAlias = tuple[str | int | bytes, ...]


TABLE_NAMES = ("persons", "codes", "keys")


class CredentialsError(SentenceError):
    """The credentials cannot be used as they are; the sentence says why."""


class Verifiers(Struct, frozen=True):
    """What a person's password and PIN are checked against."""

    password: str
    pin: str
    #: The version of the venue's event that records them.
    version: int = 0

    def __repr__(self) -> str:
        """Show that there are verifiers, but not their values."""
        return "Verifiers(…)"


class Code(Struct, frozen=True):
    """The hash of a one-time code, and when the code expires."""

    hash: bytes
    expires: Instant
    #: The version of the venue's event that records it.
    version: int = 0


def hash_of(secret: str) -> bytes:
    """Hash a key or a code, which is random and long enough for that."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


class Credentials:
    """The file; made by `open`, ended by `close`."""

    def __init__(self, file: Path, connection: apsw.Connection, key: bytes) -> None:
        self._file = file
        self._connection = connection
        self._key = key

    @classmethod
    def open(cls, file: Path, key: bytes, *, renews: bool = False) -> "Credentials":
        """Open the credentials of a venue, or make the file if there is none.

        A row that was not written with the key of this venue is refused by its name; `renews` says
        that the venue has a new key since the file was last open.
        """
        try:
            _prepare(file)
            connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
        except (apsw.Error, OSError) as error:
            raise CredentialsError(f"{file} cannot be opened: {error}") from error
        try:
            _set_up(connection)
            _check(file, connection)
        except apsw.Error as error:
            connection.close(True)
            raise CredentialsError(f"{file} cannot be used: {error}") from error
        except BaseException:
            connection.close(True)
            raise
        credentials = cls(file, connection, key)
        try:
            if renews:
                credentials._renew_rows()
            credentials._check_rows()
        except BaseException:
            connection.close(True)
            raise
        return credentials

    def close(self) -> None:
        self._connection.close()

    async def read_again(self) -> None:
        """Do nothing: no other process changes the file."""

    # --- persons -----------------------------------------------------------------------------

    def persons(self) -> list[str]:
        """Name everybody who has set a password."""
        return [row[0] for row in self._rows("SELECT person FROM persons ORDER BY person")]

    def verifiers(self, person: str) -> Verifiers | None:
        rows = self._rows("SELECT * FROM persons WHERE person = ?", person)
        return Verifiers(*self._sound("persons", rows[0])[1:]) if rows else None

    def set_verifiers(self, person: str, verifiers: Verifiers) -> None:
        """Set a person's verifiers, and use up the code for it, both or neither."""
        self._refuse_full("persons", PERSONS_MAX)
        values = (person, verifiers.password, verifiers.pin, verifiers.version)
        self._write(
            self._row("persons", values),
            ("DELETE FROM codes WHERE person = ?", (person,)),
        )
        self._overwrite()

    def improve(self, person: str, verifiers: Verifiers) -> None:
        """Replace a person's verifiers by those of the same secrets made at another cost."""
        values = (person, verifiers.password, verifiers.pin, verifiers.version)
        if self._rows("SELECT 1 FROM persons WHERE person = ?", person):
            self._write(self._row("persons", values))
        self._overwrite()

    def forget(self, person: str) -> None:
        """Forget a person's verifiers and code."""
        self._write(
            ("DELETE FROM persons WHERE person = ?", (person,)),
            ("DELETE FROM codes WHERE person = ?", (person,)),
        )
        self._overwrite()

    # --- codes -------------------------------------------------------------------------------

    def code(self, person: str) -> Code | None:
        """Find the code a person may set a password with."""
        rows = self._rows("SELECT * FROM codes WHERE person = ?", person)
        return Code(*self._sound("codes", rows[0])[1:]) if rows else None

    def coded(self) -> list[str]:
        """Name everybody who has a code."""
        return [row[0] for row in self._rows("SELECT person FROM codes ORDER BY person")]

    def set_code(self, person: str, code: Code) -> None:
        """Set the code of a person; an earlier code is no longer valid."""
        self._refuse_full("codes", PERSONS_MAX)
        self._write(self._row("codes", (person, code.hash, code.expires, code.version)))

    # --- keys --------------------------------------------------------------------------------

    def keys(self) -> dict[tuple[str, str], tuple[bytes, int]]:
        """Give the hash of every terminal's key, and the version of the venue it was issued at."""
        rows = (self._sound("keys", row) for row in self._rows("SELECT * FROM keys"))
        return {(row[0], row[1]): (row[2], row[3]) for row in rows}

    def set_keys(self, keys: Sequence[tuple[str, str, bytes, int]]) -> None:
        """Set the keys of terminals, all or none; earlier keys are no longer valid."""
        self._refuse_full("keys", KEYS_MAX + 1 - len(keys))
        self._write(*(self._row("keys", key) for key in keys))

    # --- rows of this venue ------------------------------------------------------------------

    def _row(self, table: str, values: Values) -> tuple[str, Values]:
        """Write a row with its MAC."""
        sealed = (*values, self._mac(table, values))
        marks = ", ".join("?" * len(sealed))
        # The name of a table is one of three above, never anybody's input.
        return f"INSERT OR REPLACE INTO {table} VALUES ({marks})", sealed  # noqa: S608

    def _sound(self, table: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """Give the values of a row, if this venue wrote it."""
        *values, mac = row
        if not hmac.compare_digest(mac, self._mac(table, tuple(values))):
            raise CredentialsError(
                f"{self._file}: what it holds of {printable(str(row[0]))} ({table}) was not written"
                " by this venue, or with other keys; put your copy of the file and of the keys"
                " back, or move the file away and have codes made: taisai staff code --help"
            )
        return tuple(values)

    def _mac(self, table: str, values: Values, key: bytes | None = None) -> bytes:
        data = msgspec.msgpack.encode((table, values))
        return hmac.digest(self._key if key is None else key, data, hashlib.sha256)

    def _renew_rows(self) -> None:
        """Write rows with a MAC of an earlier key of the venue again, under the newest [D39]."""
        _, *earlier = every(self._key)
        renewed = []
        for table in TABLE_NAMES:
            for row in self._rows(f"SELECT * FROM {table}"):  # noqa: S608 - as above
                values = row[:-1]
                macs = [self._mac(table, values, each) for each in earlier]
                if any(hmac.compare_digest(row[-1], each) for each in macs):
                    renewed.append(self._row(table, values))
        if renewed:
            self._write(*renewed)
            self._overwrite()

    def every(self, table: str) -> list[Values]:
        """Give the values of all rows of a table, if this venue wrote them."""
        rows = self._rows(f"SELECT * FROM {table}")  # noqa: S608 - as above
        return [self._sound(table, row) for row in rows]

    def _check_rows(self) -> None:
        for table in TABLE_NAMES:
            for row in self._rows(f"SELECT * FROM {table}"):  # noqa: S608 - as above
                self._sound(table, row)

    # --- the file ----------------------------------------------------------------------------

    def _rows(self, sql: str, *given: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, given).fetchall()

    def _write(self, *changes: tuple[str, Values]) -> None:
        """Make changes, all or none, and write them to the disk."""
        try:
            with self._connection:
                for sql, values in changes:
                    self._connection.execute(sql, values)
        except apsw.Error as error:
            # The values are not shown: some are secret.
            raise CredentialsError(f"{self._file} cannot be written: {error}") from error

    def _overwrite(self) -> None:
        """Write the log back and empty it, so that it does not hold replaced rows."""
        try:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.Error as error:
            raise CredentialsError(f"{self._file} cannot be written: {error}") from error

    def _refuse_full(self, table: str, most: int) -> None:
        # The name of a table is one of three above, never anybody's input.
        if self._rows(f"SELECT count(*) FROM {table}")[0][0] >= most:  # noqa: S608
            raise CredentialsError(f"{self._file} holds {most} {table} already, and takes no more")


def _prepare(file: Path) -> None:
    """Make the file readable by its owner alone before it is used; refuse one open to others."""
    if file.is_symlink() or (file.exists() and not file.is_file()):
        raise CredentialsError(f"{file} is not a file of its own; credentials live in one")
    if file.exists():
        refuse_open_to_others(file, file.stat().st_mode)
        return
    write_new(file, b"", _MODE)
    sync_path(file.parent)


def _set_up(connection: apsw.Connection) -> None:
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    # One sync for each commit: to enrol ten thousand terminals delays the tables only briefly.
    if connection.execute("PRAGMA journal_mode = WAL").get != "wal":
        raise apsw.CantOpenError("the write-ahead log cannot be turned on")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")


def _check(file: Path, connection: apsw.Connection) -> None:
    application = connection.pragma("application_id")
    schema = connection.pragma("user_version")
    if not connection.execute("SELECT count(*) FROM sqlite_schema").get and not application:
        connection.execute(f"BEGIN EXCLUSIVE; {TABLES} COMMIT")
    elif application != APPLICATION_ID:
        raise CredentialsError(f"{file} holds no credentials of a venue")
    elif schema != SCHEMA:
        raise CredentialsError(
            f"{file} has schema {schema}, and this program reads schema {SCHEMA}"
        )


#: How long a one-time code is valid.
CODE_MS = 24 * 3_600_000


class Halves(NamedTuple):
    """A code in two halves, one for each of two persons: neither half is of use alone."""

    first: str
    second: str


def make_code(now: Instant, version: int) -> tuple[Halves, Code]:
    """Make a code, each half to be shown once to one person, and its hash to be stored [D14]."""
    halves = Halves(new_half(), new_half())
    return halves, Code(hash_of(plain_code("".join(halves))), now + CODE_MS, version)


def code_while_stopped(
    file: Path, key: bytes, person: str, now: Instant, version: int
) -> tuple[Halves, Instant]:
    """Make a code for a person of the staff while the venue is stopped.

    `version` is that of the venue's event that records it: without that the code is not valid.
    """
    halves, kept = make_code(now, version)
    with closing(Credentials.open(file, key)) as credentials:
        credentials.set_code(person, kept)
    return halves, kept.expires


def credentials_key(sealing: bytes) -> bytes:
    """Derive the key for the MACs of rows from a key of the venue."""
    return derived(sealing, b"taisai credentials")


PASSWORD_MIN, PASSWORD_MAX = 12, 256
PIN_MIN, PIN_MAX = 6, 12

#: Without letters that look like digits or like each other.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_GROUPS, _GROUP = 3, 5
_DIGITS = "0123456789"
_RUNS = ({0}, {1}, {9})


def password_refusal(person: str, password: str) -> Refusal | None:
    """Refuse a password that is too short, too long, or the person's own name."""
    normal = unicodedata.normalize("NFKC", password)
    long_enough = len(normal) >= PASSWORD_MIN and len(password) <= PASSWORD_MAX
    if not long_enough or same_person(normal, person):
        return refuse("WEAK_PASSWORD", least=PASSWORD_MIN, most=PASSWORD_MAX)
    return None


def pin_refusal(pin: str) -> Refusal | None:
    """Refuse a PIN that is not digits, or that a thief would try first."""
    is_pin = PIN_MIN <= len(pin) <= PIN_MAX and set(pin) <= set(_DIGITS)
    # Digits that are all the same, or count up or down, past nine too, are tried first.
    if is_pin and {(int(two) - int(one)) % 10 for one, two in pairwise(pin)} not in _RUNS:
        return None
    return refuse("WEAK_PIN", least=PIN_MIN, most=PIN_MAX)


def new_half() -> str:
    """Make half of a one-time code, in groups that can be read out: 75 random bits."""
    letters = [secrets.choice(ALPHABET) for _ in range(_GROUPS * _GROUP)]
    groups = ["".join(letters[at : at + _GROUP]) for at in range(0, len(letters), _GROUP)]
    return "-".join(groups)


def plain_code(code: str) -> str:
    """Read a code in capitals or small letters, with anything between the groups."""
    return "".join(each for each in code.upper() if each in ALPHABET)


def either_way(code: str) -> tuple[str, str]:
    """Read a code of two halves in either order: its person does not know which comes first."""
    plain = plain_code(code)
    middle = len(plain) // 2
    return plain, plain[middle:] + plain[:middle]
