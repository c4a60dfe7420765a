"""The SQL of a journal in SQLite: its tables, and every statement that is asked of them."""

from functools import cache

from taisai.runtime.journal.contract import SCHEMA

#: "TaiS", so that no other file is taken for a journal.
APPLICATION_ID = 0x54616953

TABLES = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA};
CREATE TABLE events (
  stream TEXT NOT NULL, version INTEGER NOT NULL, shape INTEGER NOT NULL, at INTEGER NOT NULL,
  cause BLOB, data BLOB NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE commands (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL, sender TEXT NOT NULL, id TEXT NOT NULL, input BLOB NOT NULL,
  issued INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, answer BLOB,
  UNIQUE (stream, id, sender)
) STRICT;
CREATE TABLE snapshots (
  stream TEXT NOT NULL, version INTEGER NOT NULL, head BLOB NOT NULL, data BLOB NOT NULL,
  key TEXT NOT NULL, signature BLOB NOT NULL, PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoints (
  number INTEGER PRIMARY KEY, data BLOB NOT NULL, key TEXT NOT NULL, signature BLOB NOT NULL
) STRICT;
"""

#: Ids begin with a time: new ones go to the end of their index, and few pages are written.
INTO = {
    "events": ("events", "(?, ?, ?, ?, ?, ?, ?)"),
    "commands": (
        "commands (stream, sender, id, input, issued, first, last, answer)",
        "(?, ?, ?, ?, ?, ?, ?, ?)",
    ),
}
#: Rows go in so many at a time: each statement lets the loop go on while SQLite works.
ROWS_AT_ONCE = (256, 64, 16, 4, 1)
ADD_SNAPSHOT = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)"
ADD_CHECKPOINT = "INSERT INTO checkpoints VALUES (?, ?, ?, ?)"
OLD_SNAPSHOTS = """
DELETE FROM snapshots WHERE stream = ?1 AND version NOT IN (
  SELECT version FROM snapshots WHERE stream = ?1 ORDER BY version DESC LIMIT ?2)
"""
HEAD = "SELECT version, hash FROM events WHERE stream = ? ORDER BY version DESC LIMIT 1"
#: Skips from stream to stream along the key; reading every event to list ten streams would not do.
STREAMS = """
WITH RECURSIVE found(stream) AS (
  SELECT min(stream) FROM events
  UNION ALL SELECT (SELECT min(stream) FROM events WHERE stream > found.stream) FROM found
  WHERE found.stream IS NOT NULL)
SELECT stream FROM found WHERE stream IS NOT NULL
"""
READ = """
SELECT stream, version, shape, at, cause, data, hash FROM events
WHERE stream = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?
"""
ONE = """
SELECT stream, version, shape, at, cause, data, hash FROM events WHERE stream = ? AND version = ?
"""
ANSWERED = """
SELECT stream, sender, id, input, issued, first, last, answer FROM commands
WHERE stream = ? AND sender = ? AND id = ?
"""
#: The oldest first, as they came; a sender's fast clock only keeps its ids a little longer.
FORGET = """
DELETE FROM commands WHERE position IN (
  SELECT position FROM (SELECT position, issued FROM commands ORDER BY position LIMIT ?)
  WHERE issued < ?)
"""
SNAPSHOTS = "SELECT * FROM snapshots WHERE stream = ? ORDER BY version DESC"
SNAPSHOT_STREAMS = "SELECT DISTINCT stream FROM snapshots"
CHECKPOINTS = "SELECT * FROM checkpoints ORDER BY number DESC LIMIT ?"
CHECKPOINTS_AFTER = "SELECT * FROM checkpoints WHERE number > ? ORDER BY number LIMIT ?"


@cache
def insertion(table: str, rows: int) -> str:
    """Write the statement that inserts so many rows at once."""
    into, row = INTO[table]
    return f"INSERT INTO {into} VALUES {', '.join([row] * rows)}"  # noqa: S608 - our own words
