"""What the PostgreSQL journal says to its server: its tables, and every statement it uses.

The tables are in a database schema of their own, `taisai`; the rest of the database is other
people's. Each batch is one statement, so that it costs one round trip and is whole by itself. Rows
travel as arrays, a column each.
"""

TABLES = """
CREATE TABLE taisai.journal (schema integer NOT NULL);
CREATE TABLE taisai.events (
  stream text COLLATE "C" NOT NULL, version bigint NOT NULL, shape integer NOT NULL,
  at bigint NOT NULL, cause bytea, data bytea NOT NULL, hash bytea NOT NULL,
  PRIMARY KEY (stream, version)
);
CREATE TABLE taisai.commands (
  stream text COLLATE "C" NOT NULL, sender text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL, input bytea NOT NULL, issued bigint NOT NULL,
  first bigint NOT NULL, last bigint NOT NULL, answer bytea, PRIMARY KEY (stream, id, sender)
);
CREATE INDEX commands_issued ON taisai.commands (issued);
CREATE TABLE taisai.snapshots (
  stream text COLLATE "C" NOT NULL, version bigint NOT NULL, head bytea NOT NULL,
  data bytea NOT NULL, key text NOT NULL, signature bytea NOT NULL, PRIMARY KEY (stream, version)
);
CREATE TABLE taisai.checkpoints (
  number bigint PRIMARY KEY, data bytea NOT NULL, key text NOT NULL, signature bytea NOT NULL
);
"""
MARK_SCHEMA = "INSERT INTO taisai.journal VALUES ($1)"
#: Whoever makes the tables holds this lock ("TaiS"), so that two who begin at once make them once.
BEGIN_ALONE = "SELECT pg_advisory_xact_lock(1415670099)"
HAS_NAMESPACE = "SELECT to_regnamespace('taisai') IS NOT NULL"
MAKE_NAMESPACE = "CREATE SCHEMA taisai"
HAS_JOURNAL = "SELECT to_regclass('taisai.journal') IS NOT NULL"
#: Read as text, whatever columns somebody else's table of that name has.
SCHEMA_FOUND = "SELECT to_jsonb(journal) ->> 'schema' FROM taisai.journal AS journal"
HAS_TABLES = """
SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('taisai'))
"""
SYNCS = "SELECT current_setting('fsync')::boolean"

#: A connection that was lost may still have a server process at work: it is ended …
END_FORMER = """
SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint = $1
"""
#: … and only when its session is over, whatever came of it, is this lock to be had.
TAKE_FENCE = "SELECT pg_advisory_lock($1)"
#: Transactions of others that are adding events at this moment.
UNDER_WAY = """
SELECT virtualtransaction FROM pg_locks
WHERE relation = 'taisai.events'::regclass AND mode = 'RowExclusiveLock' AND granted
  AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""

# Streams whose head is not what the batch follows on. Where there is one, nothing is added: the
# batch is then tried stream by stream. An epoch of a lease would be compared here too.
_ADD = """
WITH stale AS MATERIALIZED (
  SELECT FROM unnest($1::text[], $2::bytea[]) AS follows(stream, head)
  WHERE follows.head IS DISTINCT FROM (
    SELECT hash FROM taisai.events WHERE events.stream = follows.stream
    ORDER BY version DESC LIMIT 1)
), added AS (
  INSERT INTO taisai.events
  SELECT unnest($3::text[]), unnest($4::bigint[]), unnest($5::integer[]), unnest($6::bigint[]),
    unnest($7::bytea[]), unnest($8::bytea[]), unnest($9::bytea[])
  WHERE NOT EXISTS (SELECT FROM stale)
), answered AS (
  INSERT INTO taisai.commands
  SELECT unnest($10::text[]), unnest($11::text[]), unnest($12::text[]), unnest($13::bytea[]),
    unnest($14::bigint[]), unnest($15::bigint[]), unnest($16::bigint[]), unnest($17::bytea[])
  WHERE NOT EXISTS (SELECT FROM stale)
)
"""
_IS_STALE = "SELECT EXISTS (SELECT FROM stale)"
APPEND = _ADD + _IS_STALE
# All parts of a statement see what was there before it, so what is to be kept of the snapshots is
# chosen from those there and those coming.
_MARK = """
, taken AS (
  SELECT * FROM unnest($18::text[], $19::bigint[], $20::bytea[], $21::bytea[], $22::text[],
    $23::bytea[]) AS taken(stream, version, head, data, key, signature)
  WHERE NOT EXISTS (SELECT FROM stale)
), placed AS (
  SELECT stream, version, rank() OVER (PARTITION BY stream ORDER BY version DESC) AS place
  FROM (SELECT stream, version FROM taisai.snapshots WHERE stream IN (SELECT stream FROM taken)
    UNION SELECT stream, version FROM taken) AS every
), dropped AS (
  DELETE FROM taisai.snapshots USING placed
  WHERE snapshots.stream = placed.stream AND snapshots.version = placed.version
    AND place > $28
), kept AS (
  INSERT INTO taisai.snapshots
  SELECT taken.* FROM taken JOIN placed USING (stream, version) WHERE place <= $28
  ON CONFLICT (stream, version) DO UPDATE SET head = excluded.head, data = excluded.data,
    key = excluded.key, signature = excluded.signature
), signed AS (
  INSERT INTO taisai.checkpoints
  SELECT * FROM unnest($24::bigint[], $25::bytea[], $26::text[], $27::bytea[])
  WHERE NOT EXISTS (SELECT FROM stale)
)
"""
APPEND_AND_MARK = _ADD + _MARK + _IS_STALE

_HEADS_OF = """
SELECT wanted.stream, version, hash FROM wanted CROSS JOIN LATERAL (
  SELECT version, hash FROM taisai.events WHERE events.stream = wanted.stream
  ORDER BY version DESC LIMIT 1) AS head
"""
HEADS = "WITH wanted AS (SELECT unnest($1::text[]) AS stream)" + _HEADS_OF
#: Skips from stream to stream along the key; reading every event to list ten streams would not do.
_ALL = """
WITH RECURSIVE found(stream) AS (
  (SELECT stream FROM taisai.events ORDER BY stream LIMIT 1)
  UNION ALL SELECT (SELECT events.stream FROM taisai.events
    WHERE events.stream > found.stream ORDER BY events.stream LIMIT 1)
  FROM found WHERE found.stream IS NOT NULL
), wanted AS (SELECT stream FROM found WHERE stream IS NOT NULL)
"""
ALL_HEADS = _ALL + _HEADS_OF
#: The length of a value is known without fetching it, so what a page leaves out is not read.
READ = """
SELECT stream, version, shape, at, cause, data, hash FROM (
  SELECT *, sum(length(data)) OVER (ORDER BY version) - length(data) AS size_before FROM (
    SELECT stream, version, shape, at, cause, data, hash FROM taisai.events
    WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT $4) AS page
) AS sized WHERE size_before <= $5 ORDER BY version
"""
RECORDS = """
SELECT events.stream, events.version, shape, at, cause, data, hash
FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted(version, place)
CROSS JOIN LATERAL (SELECT * FROM taisai.events
  WHERE events.stream = $1 AND events.version = wanted.version) AS events ORDER BY place
"""
ANSWERED = """
SELECT stream, sender, id, input, issued, first, last, answer FROM taisai.commands
WHERE stream = $1 AND sender = $2 AND id = $3
"""
FORGET = """
WITH old AS (SELECT stream, sender, id FROM taisai.commands WHERE issued < $1
  ORDER BY issued LIMIT $2)
DELETE FROM taisai.commands USING old
WHERE commands.stream = old.stream AND commands.sender = old.sender AND commands.id = old.id
"""
SNAPSHOTS = """
SELECT stream, version, head, data, key, signature FROM taisai.snapshots
WHERE stream = $1 ORDER BY version DESC
"""
SNAPSHOT_STREAMS = "SELECT DISTINCT stream FROM taisai.snapshots"
CHECKPOINTS = """
SELECT number, data, key, signature FROM taisai.checkpoints ORDER BY number DESC LIMIT $1
"""
CHECKPOINTS_AFTER = """
SELECT number, data, key, signature FROM taisai.checkpoints WHERE number > $1
ORDER BY number LIMIT $2
"""
