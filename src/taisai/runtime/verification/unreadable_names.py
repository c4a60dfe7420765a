"""Names in a journal that are no text any more: looked for where reading them has failed.

SQLite keeps whatever bytes it is given as text. A server that checks its text does not need this.
"""

from typing import Any

import apsw

from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.verification.fault import Fault

_EVENTS = "SELECT CAST(stream AS BLOB), min(version) FROM events GROUP BY stream"
_SNAPSHOTS = "SELECT CAST(stream AS BLOB), version, CAST(key AS BLOB) FROM snapshots"
_CHECKPOINTS = "SELECT CAST(key AS BLOB), number FROM checkpoints ORDER BY number"


def names_that_are_no_text(journal: Journal, error: UnicodeDecodeError) -> list[Fault]:
    """Name the events, snapshots and checkpoints whose stream or key is no text."""
    if not isinstance(journal, SqliteJournal):
        return [Fault("journal", f"a name in the journal is no text: {error}")]
    try:
        connection = apsw.Connection(str(journal.path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            found = [*_events(connection), *_snapshots(connection), *_checkpoints(connection)]
        finally:
            connection.close()
    except apsw.Error as failure:
        raise JournalError(f"the journal {journal.path} cannot be read: {failure}") from failure
    return found or [Fault("journal", f"a name in the journal is no text: {error}")]


def _events(connection: apsw.Connection) -> list[Fault]:
    rows: list[tuple[Any, ...]] = connection.execute(_EVENTS).fetchall()
    return [
        Fault(
            "event",
            f"the event of version {version} is in a stream whose name, {_shown(stream)}, is no"
            f" text from byte {byte} on",
            stream=_shown(stream),
            version=version,
            field="stream",
            byte=byte,
        )
        for stream, version in rows
        if (byte := _no_text_from(stream)) is not None
    ]


def _snapshots(connection: apsw.Connection) -> list[Fault]:
    rows: list[tuple[Any, ...]] = connection.execute(_SNAPSHOTS).fetchall()
    return [
        Fault(
            "snapshot",
            f"the snapshot of {_shown(stream)} at version {version}: its {field}, {_shown(name)},"
            f" is no text from byte {byte} on",
            stream=_shown(stream),
            version=version,
            field=field,
            byte=byte,
        )
        for stream, version, key in rows
        for field, name in (("stream", stream), ("key", key))
        if (byte := _no_text_from(name)) is not None
    ]


def _checkpoints(connection: apsw.Connection) -> list[Fault]:
    rows: list[tuple[Any, ...]] = connection.execute(_CHECKPOINTS).fetchall()
    return [
        Fault(
            "checkpoint",
            f"checkpoint {number} names the key {_shown(key)}, which is no text from byte {byte}"
            " on",
            checkpoint=number,
            field="key",
            byte=byte,
        )
        for key, number in rows
        if (byte := _no_text_from(key)) is not None
    ]


def _no_text_from(name: bytes) -> int | None:
    try:
        name.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _shown(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")
