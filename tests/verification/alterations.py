"""Alterations of a journal, its anchor and credentials, drawn from a seed: every one is found.

The attacker reads and writes every file and has no key: bytes are changed; rows deleted, added,
moved and exchanged; chains hashed anew; checkpoints deleted with everything after them; pages
damaged.
"""

import asyncio
import hashlib
import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from taisai.runtime.journal.anchor import ANCHOR_FILE, Anchor
from taisai.runtime.journal.contract import link
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.verification.verifier import Asked, verify
from taisai.server.accounts.credentials import (
    Code,
    Credentials,
    CredentialsError,
    Verifiers,
    credentials_key,
    hash_of,
)
from tests.kit.journals import Pen, played, venue_keys

JOURNAL, ANCHOR, CREDENTIALS = "journal.sqlite", "anchor", "credentials.db"
#: Columns of each table that may be altered, and the key of a row.
COLUMNS = {
    "events": ("stream", "version", "shape", "at", "cause", "data", "hash"),
    "checkpoints": ("number", "data", "key", "signature"),
    "snapshots": ("stream", "version", "head", "data", "key", "signature"),
    "seals": ("number", "data", "key", "mac"),
    "commands": (
        *("stream", "sender", "id", "input", "issued"),
        "first",
        "last",
        "answer",
        "batch",
    ),
}
#: The columns of each table of credentials, and the key of a row.
KNOWN_BY = {
    "persons": (("person",), ("person", "password", "pin", "version", "mac")),
    "codes": (("person",), ("person", "hash", "expires", "version", "mac")),
    "keys": (('"table"', "terminal"), ('"table"', "terminal", "hash", "version", "mac")),
}
PEOPLE = ("ann", "bob", "cat")
TABLES = (*(["events"] * 5), *(["checkpoints"] * 2), "snapshots", "seals", "commands")
ROUNDS, SEED = 3, 9


class Found(NamedTuple):
    """One alteration: its kind, whether it changed anything, and where it was found."""

    number: int
    kind: str
    changed: bool
    found: str | None


def make(place: Path) -> None:
    """Make a venue's journal, some of which no checkpoint covers yet, anchor and credentials."""

    async def write() -> None:
        journal = await SqliteJournal.open(place / JOURNAL)
        decided, keys = played(SEED, ROUNDS), venue_keys()
        pen = Pen(journal, keys, 20)
        signed = len(decided) - 30
        for start in range(0, len(decided), 20):
            await pen.write(decided[start : start + 20], checkpoint=start <= signed)
        assert pen.newest is not None
        Anchor(place / ANCHOR, keys.sealing).write(pen.newest)
        await journal.close()

    asyncio.run(write())
    with closing(Credentials.open(place / CREDENTIALS, _credentials_key())) as known:
        for number, person in enumerate(PEOPLE, 1):
            known.set_verifiers(person, Verifiers(f"password of {person}", f"PIN {number}", number))
            known.set_code(person, Code(hash_of(person), 1_760_000_000_000 + number, number))
        keys = [("T1", f"T1-{number}", hash_of(f"key {number}"), number) for number in range(3)]
        known.set_keys(keys)


def _credentials_key() -> bytes:
    return credentials_key(venue_keys().sealing)


class Attacker:
    """Alters a copy of a venue, by its seed."""

    def __init__(self, place: Path, number: int) -> None:
        self._file, self._anchor = place / JOURNAL, place / ANCHOR / ANCHOR_FILE
        self._credentials = place / CREDENTIALS
        self._chance = random.Random(number)  # noqa: S311 - what to alter, nothing secret
        self._base: sqlite3.Connection

    def alter(self) -> str:
        """Make one alteration; gives its kind."""
        act, name = self._chance.choice(ACTS)
        with closing(sqlite3.connect(self._file)) as self._base:
            self._base.execute("PRAGMA synchronous = OFF")
            with self._base:
                told = act(self)
        return f"{name}: {told}"

    def _row(self, table: str) -> dict[str, Any]:
        columns = COLUMNS[table]
        key = "place" if table == "commands" else "number" if "number" in columns else "version"
        rows = self._base.execute(
            f"SELECT {', '.join(columns)}, {key} FROM {table}"  # noqa: S608 - our own names
        ).fetchall()
        *values, named = self._chance.choice(rows)
        row = dict(zip(columns, values, strict=True))
        return {"_key": key, "_named": named, **row}

    def _where(self, row: dict[str, Any]) -> tuple[str, list[Any]]:
        if "stream" in row and row["_key"] == "version":
            return "stream = ? AND version = ?", [row["stream"], row["_named"]]
        return f"{row['_key']} = ?", [row["_named"]]

    def cell(self) -> str:
        """Change one value of one row."""
        table = self._chance.choice(TABLES)
        row = self._row(table)
        column = self._chance.choice([each for each in COLUMNS[table] if row[each] is not None])
        where, named = self._where(row)
        value = self._other(row[column])
        sql = f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {where}"  # noqa: S608 - our names
        self._base.execute(sql, [value, *named])
        return f"{table}.{column}"

    def _other(self, value: Any) -> Any:
        if isinstance(value, int):
            return value + self._chance.choice([-1, 1, 2, 1_000])
        if isinstance(value, str):
            return value + self._chance.choice("x/1")
        at = self._chance.randrange(len(value)) if value else 0
        changed = bytes([value[at] ^ (1 << self._chance.randrange(8))]) if value else b"x"
        return value[:at] + changed + value[at + 1 :]

    def gone(self) -> str:
        """Delete one row, but no snapshot, whose deletion would be no loss."""
        table = self._chance.choice([each for each in TABLES if each != "snapshots"])
        where, named = self._where(self._row(table))
        self._base.execute(f"DELETE FROM {table} WHERE {where}", named)  # noqa: S608 - our names
        return table

    def exchanged(self) -> str:
        """Exchange a value between two rows of a table."""
        table = self._chance.choice(TABLES)
        column = self._chance.choice(["data"] if table != "commands" else ["input", "id"])
        one, other = self._row(table), self._row(table)
        for row, value in ((one, other[column]), (other, one[column])):
            where, named = self._where(row)
            sql = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}"  # noqa: S608 - ours
            self._base.execute(sql, [value, *named])
        return f"{table}.{column}"

    def rehashed(self) -> str:
        """Change an event and compute all later hashes, with the signatures deleted or not."""
        row = self._row("events")
        self._rehash(row)
        also = self._chance.choice([(), ("snapshots",), ("snapshots", "checkpoints")])
        if "snapshots" in also:
            self._base.execute("DELETE FROM snapshots")
        if "checkpoints" in also:
            self._base.execute(
                "DELETE FROM checkpoints WHERE number > ?", [self._chance.randrange(3)]
            )
        return " and ".join(("events", *also))

    def _rehash(self, row: dict[str, Any]) -> None:
        stream, version = row["stream"], row["version"]
        [(before,)] = self._base.execute(
            "SELECT hash FROM events WHERE stream = ? AND version = ?", [stream, version - 1]
        ).fetchall() or [(hashlib.sha256(f"taisai stream {stream}".encode()).digest(),)]
        later = self._base.execute(
            "SELECT version, shape, at, cause, data FROM events WHERE stream = ? AND version >= ?"
            " ORDER BY version",
            [stream, version],
        ).fetchall()
        for number, shape, at, cause, data in later:
            now = self._other(data) if number == version else data
            before = link(before, number, shape, at, cause, now)
            self._base.execute(
                "UPDATE events SET data = ?, hash = ? WHERE stream = ? AND version = ?",
                [now, before, stream, number],
            )

    def cut(self) -> str:
        """Delete everything after a checkpoint: events, seals, checkpoints, snapshots, ids."""
        [(newest,)] = self._base.execute("SELECT max(number) FROM checkpoints").fetchall()
        number = self._chance.randrange(1, newest)
        [(data,)] = self._base.execute(
            "SELECT data FROM checkpoints WHERE number = ?", [number]
        ).fetchall()
        covered = json.loads(data)
        streams = self._base.execute("SELECT DISTINCT stream FROM events").fetchall()
        for (stream,) in streams:
            version = covered["heads"].get(stream, [0])[0]
            for table in ("events", "snapshots"):
                sql = f"DELETE FROM {table} WHERE stream = ? AND version > ?"  # noqa: S608 - ours
                self._base.execute(sql, [stream, version])
        self._base.execute("DELETE FROM seals WHERE number > ?", [covered["seals"][0]])
        self._base.execute("DELETE FROM commands WHERE batch > ?", [covered["seals"][0]])
        self._base.execute("DELETE FROM checkpoints WHERE number > ?", [number])
        return "back to a checkpoint"

    def anchor(self) -> str:
        """Change, shorten or delete the anchor."""
        data = self._anchor.read_bytes()
        how = self._chance.randrange(12)
        if how == 0:
            self._anchor.unlink()
            return "deleted"
        if how == 1:
            self._anchor.write_bytes(data[: self._chance.randrange(len(data))])
            return "shortened"
        self._anchor.write_bytes(self._other(data))
        return "altered"

    def credential(self) -> str:
        """Change a value of a person's or terminal's credentials, or exchange two."""
        table, (key, columns) = self._chance.choice([*KNOWN_BY.items()])
        column = self._chance.choice(columns)
        with closing(sqlite3.connect(self._credentials)) as base, base:
            rows = base.execute(
                f"SELECT {', '.join(key)}, {column} FROM {table}"  # noqa: S608 - our own names
            ).fetchall()
            (*one, was), (*other, others) = self._chance.sample(rows, 2)
            exchanged = column not in key and self._chance.randrange(2)
            changes = [(one, others), (other, was)] if exchanged else [(one, self._other(was))]
            where = " AND ".join(f"{each} = ?" for each in key)
            for named, value in changes:
                sql = f"UPDATE {table} SET {column} = ? WHERE {where}"  # noqa: S608 - our own names
                base.execute(sql, [value, *named])
        return f"{table} exchanged" if exchanged else table

    def page(self) -> str:
        """Damage the file itself somewhere."""
        self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        data = bytearray(self._file.read_bytes())
        at = self._chance.randrange(100, len(data))
        data[at] ^= 1 << self._chance.randrange(8)
        self._file.write_bytes(data)
        return "a bit"


ACTS: list[tuple[Callable[[Attacker], str], str]] = [
    *[(Attacker.cell, "a value")] * 8,
    *[(Attacker.gone, "a row gone")] * 3,
    *[(Attacker.exchanged, "values exchanged")] * 2,
    *[(Attacker.rehashed, "rewritten and hashed anew")] * 3,
    (Attacker.cut, "cut off"),
    *[(Attacker.anchor, "the anchor")] * 2,
    *[(Attacker.credential, "the credentials")] * 2,
    (Attacker.page, "the file"),
]


def content(place: Path) -> str:
    """Give a fingerprint of a venue's files; one that cannot be read has its own."""
    digest = hashlib.sha256()
    try:
        with closing(sqlite3.connect(place / JOURNAL)) as base:
            base.text_factory = bytes
            for table in COLUMNS:
                ask = f"SELECT * FROM {table} NOT INDEXED ORDER BY 1, 2"  # noqa: S608 - our names
                for row in base.execute(ask):
                    digest.update(repr(row).encode())
    except sqlite3.DatabaseError as error:
        digest.update(str(error).encode())
    with closing(sqlite3.connect(place / CREDENTIALS)) as base:
        for table in KNOWN_BY:
            for row in base.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):  # noqa: S608 - ours
                digest.update(repr(row).encode())
    anchor = place / ANCHOR / ANCHOR_FILE
    digest.update(anchor.read_bytes() if anchor.exists() else b"none")
    return digest.hexdigest()


def verified(place: Path) -> str | None:
    """Verify with the venue's keys and its anchor; gives the place of the first fault.

    The credentials are checked as a venue does before it opens.
    """
    try:
        Credentials.open(place / CREDENTIALS, _credentials_key()).close()
    except CredentialsError:
        return "credentials"
    keys = venue_keys()
    asked = Asked(keys.public, sealing=keys.sealing, anchor=place / ANCHOR / ANCHOR_FILE)

    async def look() -> str | None:
        try:
            journal = await SqliteJournal.open(place / JOURNAL, read_only=True)
        except Exception as error:  # noqa: BLE001 - a file that cannot be opened is found out
            return f"open: {type(error).__name__}"
        try:
            faults = (await verify(journal, asked)).faults
        finally:
            await journal.close()
        return faults[0].in_ if faults else None

    return asyncio.run(look())


def tried(made: Path, numbers: Iterable[int], scratch: Path) -> Iterable[Found]:
    """Make alterations by their numbers, each on a copy of its own."""
    before = content(made)
    for number in numbers:
        place = scratch / str(number)
        shutil.copytree(made, place)
        kind = Attacker(place, number).alter()
        changed = content(place) != before
        yield Found(number, kind, changed, verified(place))
        shutil.rmtree(place)
