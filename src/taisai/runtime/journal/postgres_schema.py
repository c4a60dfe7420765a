"""SQL for the tables and types of a journal in PostgreSQL: to make them, and to find them."""

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
  first bigint NOT NULL, last bigint NOT NULL, answer bytea,
  batch bigint NOT NULL, place bigint NOT NULL, PRIMARY KEY (stream, id, sender)
);
CREATE INDEX commands_came ON taisai.commands (batch, place);
CREATE TABLE taisai.seals (
  number bigint PRIMARY KEY, data bytea NOT NULL, key bytea, mac bytea NOT NULL
);
CREATE TABLE taisai.snapshots (
  stream text COLLATE "C" NOT NULL, version bigint NOT NULL, head bytea NOT NULL,
  data bytea NOT NULL, key text NOT NULL, signature bytea NOT NULL, PRIMARY KEY (stream, version)
);
CREATE TABLE taisai.checkpoints (
  number bigint PRIMARY KEY, data bytea NOT NULL, key text NOT NULL, signature bytea NOT NULL
);
"""
#: An answered command as it is sent; all other rows but the next have their tables' own types.
MAKE_ANSWERED = """
CREATE TYPE taisai.answered AS (
  stream text COLLATE "C", sender text COLLATE "C", id text COLLATE "C", input bytea,
  issued bigint, first bigint, last bigint, answer bytea
)
"""
HAS_ANSWERED = "SELECT to_regtype('taisai.answered') IS NOT NULL"
#: A command with its one event, as most have.
MAKE_REGISTERED = """
CREATE TYPE taisai.registered AS (
  stream text COLLATE "C", version bigint, shape integer, at bigint, cause bytea, data bytea,
  hash bytea, sender text COLLATE "C", id text COLLATE "C", input bytea, issued bigint
)
"""
HAS_REGISTERED = "SELECT to_regtype('taisai.registered') IS NOT NULL"
MARK_SCHEMA = "INSERT INTO taisai.journal VALUES ($1)"
#: Locked while the tables are made ("TaiS"), so that two processes do not make them at once.
BEGIN_ALONE = "SELECT pg_advisory_xact_lock(1415670099)"
HAS_NAMESPACE = "SELECT to_regnamespace('taisai') IS NOT NULL"
MAKE_NAMESPACE = "CREATE SCHEMA taisai"
HAS_JOURNAL = "SELECT to_regclass('taisai.journal') IS NOT NULL"
#: Read as text, since a table of that name may be somebody else's, with other columns.
SCHEMA_FOUND = "SELECT to_jsonb(journal) ->> 'schema' FROM taisai.journal AS journal"
HAS_TABLES = """
SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('taisai'))
"""
