"""What is read of a journal in PostgreSQL, and forgotten of it, as SQL."""

from taisai.runtime.journal.contract import CHAIN_SEALS

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
SELECT kept.* FROM unnest($2::text[], $3::text[]) AS asked(sender, id)
CROSS JOIN LATERAL (
  SELECT stream, sender, id, input, issued, first, last, answer FROM taisai.commands
  WHERE commands.stream = $1 AND commands.id = asked.id AND commands.sender = asked.sender) AS kept
"""
#: The oldest of each chain, as they came.
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
