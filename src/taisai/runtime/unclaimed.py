"""Finding the session of a code: among those that are owed something, or among all.

A code is computed from the session's name with the cage's key, and not the other way round; so the
sessions are tried one after the other.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from taisai.core.cage.state import CageState, is_session_code
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.state import TableState
from taisai.runtime.transfers import nothing_unclaimed

#: So many sessions are tried for a code, and so many before the loop does other work.
SESSIONS_TRIED = 500_000
TRIED_AT_ONCE = 500


def find_unclaimed(
    code: str, cage: CageState, tables: Mapping[str, TableState], at: Instant
) -> PayUnclaimed | Refusal:
    """Give the command that pays all that is set aside for a code's session, or a refusal."""
    if not is_session_code(code):
        return refuse("NO_SESSION_CODE")
    for name, table in tables.items():
        session = _of_code(code, cage, name, table.unclaimed, at)
        if session is not None:
            amount = table.unclaimed[session]
            return PayUnclaimed(code, name, session, amount, table.chips is not None)
    for name, table in tables.items():
        session = _of_code(code, cage, name, _sessions(table), at)
        if session is not None:
            return nothing_unclaimed(cage, name, session)
    for paid in cage.sessions_paid:
        table_name, _, session = paid.partition(":")
        if cage.is_code_of(code, table_name, session, at):
            return nothing_unclaimed(cage, table_name, session)
    return refuse("UNKNOWN_UNCLAIMED")


async def find_session(
    code: str, cage: CageState, tables: Mapping[str, TableState], at: Instant
) -> tuple[str, str] | None:
    """Find the table and the name of a code's session, from the newest back.

    The loop does other work in between; after `SESSIONS_TRIED` sessions it is given up.
    """
    for tried, (table, session) in enumerate(islice(_newest_first(tables), SESSIONS_TRIED)):
        if cage.is_code_of(code, table, session, at):
            return table, session
        if tried % TRIED_AT_ONCE == TRIED_AT_ONCE - 1:
            await asyncio.sleep(0)
    return None


def _newest_first(tables: Mapping[str, TableState]) -> Iterator[tuple[str, str]]:
    """Name every session there was: at each position from the newest back, in turns."""
    newest = [
        (table, name, position.sessions[-1][1])
        for table, state in tables.items()
        for name, position in state.positions.items()
        if position.sessions
    ]
    for back in range(max((number for *_, number in newest), default=0)):
        for table, name, number in newest:
            if number > back:
                yield table, f"{name}@{number - back}"


def _of_code(
    code: str, cage: CageState, table: str, sessions: Iterable[str], at: Instant
) -> str | None:
    return next((each for each in sessions if cage.is_code_of(code, table, each, at)), None)


def _sessions(table: TableState) -> Iterator[str]:
    """Name the sessions of a table, as far back as its history goes."""
    for name, position in table.positions.items():
        for _, number in position.sessions:
            yield f"{name}@{number}"
