"""The answers to people, compared with the journal in plain SQL, without the program's code.

A terminal's money is added up here from the stored events: a second computation, which shares no
code with the core.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import asyncpg

from tests.faults.clustering.people import Memory

MAKE = """
CREATE TEMP TABLE asked (stream text, terminal text, id text);
CREATE TEMP TABLE told (
  stream text, terminal text, id text, first bigint, last bigint, stake bigint);
CREATE TEMP TABLE refused (stream text, terminal text, id text);
CREATE TEMP TABLE shown (stream text, terminal text, sequence bigint, credits bigint);
"""
#: The content of the journal, each event read once.
READ = """
CREATE TEMP TABLE event AS
  SELECT stream, version, convert_from(cause, 'UTF8')::jsonb AS cause,
    convert_from(data, 'UTF8')::jsonb AS data
  FROM taisai.events WHERE stream LIKE 'table/%';
CREATE TEMP TABLE bet AS
  SELECT stream, version, cause ->> 1 AS terminal, cause ->> 2 AS id, data
  FROM event WHERE cause ->> 0 = 'terminal';
CREATE TEMP TABLE move AS
  SELECT stream, version, data ->> 'terminal' AS terminal, (data ->> 'amount')::bigint AS amount
  FROM event WHERE data ->> 'type' = 'CreditsReceived'
  UNION ALL
  SELECT stream, version, data ->> 'terminal', -(each ->> 1)::bigint
  FROM event, jsonb_array_elements(data -> 'bets') AS each WHERE data ->> 'type' = 'BetsRegistered'
  UNION ALL
  SELECT stream, version, each ->> 0, (each ->> 2)::bigint
  FROM event, jsonb_array_elements(data -> 'rejected') AS each WHERE data ->> 'type' = 'BetsClosed'
  UNION ALL
  SELECT stream, version, each ->> 0, (each ->> 4)::bigint
  FROM event, jsonb_array_elements(data -> 'lines') AS each WHERE data ->> 'type' = 'RoundSettled'
  UNION ALL
  SELECT stream, version, each ->> 0, (each ->> 2)::bigint
  FROM event, jsonb_array_elements(data -> 'returned') AS each
  WHERE data ->> 'type' = 'RoundVoided';
ANALYZE bet;
ANALYZE asked
"""

#: Queries that must find nothing, each with what a row would mean.
WRONG = {
    "told, and not at its version": """
        SELECT told.* FROM told LEFT JOIN bet
          ON (bet.stream, bet.version, bet.terminal, bet.id)
            = (told.stream, told.first, told.terminal, told.id)
        WHERE bet.data ->> 'type' IS DISTINCT FROM 'BetsRegistered' OR told.last <> told.first
          OR told.stake <> (
            SELECT sum((each ->> 1)::bigint) FROM jsonb_array_elements(bet.data -> 'bets') AS each)
        """,
    "an id carried out twice": """
        SELECT stream, terminal, id, count(*) FROM bet GROUP BY 1, 2, 3 HAVING count(*) > 1
        """,
    "refused, and carried out": """
        SELECT refused.* FROM refused JOIN bet USING (stream, terminal, id)
        """,
    "carried out, and asked by nobody": """
        SELECT stream, terminal, id FROM bet WHERE NOT EXISTS (SELECT FROM asked
          WHERE (asked.stream, asked.terminal, asked.id) = (bet.stream, bet.terminal, bet.id))
        """,
    "credits that do not agree": """
        SELECT shown.*, (
          SELECT sum(amount) FROM move WHERE move.stream = shown.stream
            AND move.terminal = shown.terminal AND move.version <= shown.sequence) AS added
        FROM shown WHERE shown.credits IS DISTINCT FROM (
          SELECT sum(amount) FROM move WHERE move.stream = shown.stream
            AND move.terminal = shown.terminal AND move.version <= shown.sequence)
        """,
    "a version that is missing": """
        SELECT stream, count(*), max(version) FROM taisai.events GROUP BY stream
        HAVING count(*) <> max(version) OR min(version) <> 1
        """,
}


async def look(url: str, memory: Memory) -> list[str]:
    """Give every disagreement between the people's answers and the journal."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(MAKE)
        await _copy(connection, "told", memory.told)
        await _copy(connection, "refused", memory.refused)
        await _copy(connection, "shown", memory.shown.values())
        # People play on meanwhile: answers given by now are in the journal as it is from here on,
        # and commands in it by then were sent before the next line.
        async with connection.transaction(isolation="repeatable_read"):
            await connection.execute("SELECT FROM taisai.events LIMIT 1")
            await _copy(connection, "asked", memory.asked)
            await connection.execute(READ)
            return [
                f"{what}: {tuple(row)}"
                for what, query in WRONG.items()
                for row in await connection.fetch(query)
            ]
    finally:
        await connection.close()


async def _copy(
    connection: "asyncpg.Connection[Any]", table: str, rows: Iterable[Sequence[Any]]
) -> None:
    """Copy what people remember into tables beside the journal, for this connection."""
    records = [(f"table/{row[0]}", *row[1:]) for row in rows]
    await connection.copy_records_to_table(table, records=records, schema_name="pg_temp")
