"""SQL to read a journal in PostgreSQL, to add to it and to forget old ids."""

from taisai.runtime.journal.contract import CHAIN_SEALS

_HEADS_OF = """
SELECT wanted.stream, version, hash FROM wanted CROSS JOIN LATERAL (
  SELECT version, hash FROM taisai.events WHERE events.stream = wanted.stream
  ORDER BY version DESC LIMIT 1) AS head
"""
HEADS = "WITH wanted AS (SELECT unnest($1::text[]) AS stream)" + _HEADS_OF
#: Skips from stream to stream along the key: to list ten streams it must not read every event.
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
SELECT kept.* FROM unnest($2::text[]) AS asked(id)
CROSS JOIN LATERAL (
  SELECT stream, sender, id, input, issued, first, last, answer FROM taisai.commands
  WHERE commands.stream = $1 AND commands.id = asked.id) AS kept
"""
#: The oldest of each chain first, in the order of writing.
FORGET = f"""
WITH RECURSIVE found(batch) AS (
  SELECT min(batch) FROM taisai.commands
  UNION ALL SELECT (SELECT min(batch) FROM taisai.commands
    WHERE batch >= (found.batch / {CHAIN_SEALS} + 1) * {CHAIN_SEALS})
  FROM found WHERE found.batch IS NOT NULL
), old AS (
  SELECT oldest.* FROM found CROSS JOIN LATERAL (
    SELECT stream, sender, id, issued FROM taisai.commands
    WHERE batch >= found.batch AND batch < (found.batch / {CHAIN_SEALS} + 1) * {CHAIN_SEALS}
    ORDER BY batch, place LIMIT $2) AS oldest
)
DELETE FROM taisai.commands USING old
WHERE old.issued < $1 AND commands.stream = old.stream
  AND commands.sender = old.sender AND commands.id = old.id
"""  # noqa: S608 - our own words

# Streams whose head is not the one that the batch follows on. If there is one, nothing is added,
# and the batch is tried stream by stream, unless another venue has taken the whole journal.
_CHECK = """
WITH fenced AS MATERIALIZED (
  SELECT 1 FROM unnest($3::text[], $4::bigint[]) AS held(stream, epoch)
  WHERE held.epoch IS DISTINCT FROM (
    SELECT epoch FROM taisai.owners WHERE owners.stream = held.stream)
), stale AS MATERIALIZED (
  SELECT 1 FROM unnest($1::text[], $2::bytea[]) AS follows(stream, head)
  WHERE follows.head IS DISTINCT FROM (
    SELECT hash FROM taisai.events WHERE events.stream = follows.stream
    ORDER BY version DESC LIMIT 1)
  UNION ALL SELECT 1 FROM fenced
)
"""
_ADD = """
, added AS (
  INSERT INTO taisai.events
  SELECT * FROM unnest($5::taisai.events[]) WHERE NOT EXISTS (SELECT FROM stale)
), answered AS (
  INSERT INTO taisai.commands (stream, sender, id, input, issued, first, last, answer, place, batch)
  SELECT answered.*, $7 FROM unnest($6::taisai.answered[]) WITH ORDINALITY AS answered
  WHERE NOT EXISTS (SELECT FROM stale)
), sealed AS (
  INSERT INTO taisai.seals
  SELECT * FROM unnest($8::taisai.seals[]) WHERE NOT EXISTS (SELECT FROM stale)
)
"""
_IS_STALE = "SELECT EXISTS (SELECT FROM stale), EXISTS (SELECT FROM fenced)"
APPEND = _CHECK + _ADD + _IS_STALE
# If each command has one event, both are sent in one row: 11 values, and not 15.
_REGISTER = """
, added AS (
  INSERT INTO taisai.events SELECT stream, version, shape, at, cause, data, hash
  FROM unnest($5::taisai.registered[]) WHERE NOT EXISTS (SELECT FROM stale)
), answered AS (
  INSERT INTO taisai.commands (stream, sender, id, input, issued, first, last, place, batch)
  SELECT stream, sender, id, input, issued, version, version, place, $6
  FROM unnest($5::taisai.registered[]) WITH ORDINALITY AS registered(
    stream, version, shape, at, cause, data, hash, sender, id, input, issued, place)
  WHERE NOT EXISTS (SELECT FROM stale)
), sealed AS (
  INSERT INTO taisai.seals
  SELECT * FROM unnest($7::taisai.seals[]) WHERE NOT EXISTS (SELECT FROM stale)
)
"""
REGISTER = _CHECK + _REGISTER + _IS_STALE
# All parts of a statement see the tables as they were before it, so the snapshots to keep are
# chosen from the stored and the new ones. Its values come after those of the statement it extends.
_MARK = """
, taken AS (
  SELECT * FROM unnest(${0}::taisai.snapshots[]) WHERE NOT EXISTS (SELECT FROM stale)
), placed AS (
  SELECT stream, version, rank() OVER (PARTITION BY stream ORDER BY version DESC) AS place
  FROM (SELECT stream, version FROM taisai.snapshots WHERE stream IN (SELECT stream FROM taken)
    UNION SELECT stream, version FROM taken) AS every
), dropped AS (
  DELETE FROM taisai.snapshots USING placed
  WHERE snapshots.stream = placed.stream AND snapshots.version = placed.version
    AND place > ${2}
), kept AS (
  INSERT INTO taisai.snapshots
  SELECT taken.* FROM taken JOIN placed USING (stream, version) WHERE place <= ${2}
  ON CONFLICT (stream, version) DO UPDATE SET head = excluded.head, data = excluded.data,
    key = excluded.key, signature = excluded.signature
), signed AS (
  INSERT INTO taisai.checkpoints
  SELECT * FROM unnest(${1}::taisai.checkpoints[]) WHERE NOT EXISTS (SELECT FROM stale)
)
"""
APPEND_AND_MARK = _CHECK + _ADD + _MARK.format(9, 10, 11) + _IS_STALE
REGISTER_AND_MARK = _CHECK + _REGISTER + _MARK.format(8, 9, 10) + _IS_STALE
