"""Receipts for players: a settled round's result for a player, signed by the venue.

With the code of a session its rounds are shown at the cage; a terminal asks for those of the player
who is there. `taisai audit receipt` checks a receipt against the journal.
"""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from taisai.core.cage.state import is_session_code
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import refuse
from taisai.core.table.positions import shown_session
from taisai.core.table.state import RoundRecord, TableState, is_reversed, newest_ended
from taisai.protocol.receipts import RoundReceipt
from taisai.runtime.records.receipts import bets_in, of_round, round_as_of
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, table_stream
from taisai.runtime.unclaimed import find_session
from taisai.server.http.cage.unclaimed import SessionCode
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    WHOLE_MAX,
    TheApplication,
    check_open,
    durable_version,
    durably,
    find_open,
    open_tables,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.frame.requests import Secret

#: How many rounds of a session are listed, the newest.
ROUNDS_SHOWN = 50

RoundNumber = Annotated[int, Meta(ge=1, le=WHOLE_MAX)]


class SessionAsked(Secret, frozen=True, forbid_unknown_fields=True):
    """The code of a session, as its player has it on a voucher or read it on the screen."""

    code: SessionCode


class ReceiptAsked(Secret, frozen=True, forbid_unknown_fields=True):
    """A round of the session of a code."""

    code: SessionCode
    round: RoundNumber


class PlayedRound(Struct, frozen=True):
    """A round that a session bet in: its dice, what was staked and what went back."""

    round: int
    faces: Faces | None
    void: bool
    staked: int
    back: int


class PlayedRounds(Struct, frozen=True):
    """The rounds of a session that its table still holds, the newest first."""

    table: str
    session: str
    rounds: list[PlayedRound]


@post("/api/cage/rounds", **route("cage", "Rounds of a session", ("cage",), PROBLEMS, status=200))
async def rounds_of_code(application: TheApplication, data: JSONBody[SessionAsked]) -> PlayedRounds:
    """List the rounds that the session of a code bet in, as far back as its table holds them."""
    runtime = application.runtime
    table, session = await _session(runtime, data.code)
    state = runtime.table(table)
    upto = durable_version(runtime, table_stream(table))
    rounds: list[PlayedRound] = []
    for record in reversed(state.history.values()):
        bets = bets_in(record, session)
        if bets and record.version <= upto:
            staked, back = sum(bet.stake for bet in bets), sum(bet.back for bet in bets)
            rounds.append(PlayedRound(record.number, record.faces, record.void, staked, back))
        if len(rounds) == ROUNDS_SHOWN:
            break
    return PlayedRounds(table, session, rounds)


@post(
    "/api/cage/receipts",
    **route("cage", "A player's receipt", ("cage",), (*PROBLEMS, 404), status=200),
)
async def receipt_of_code(
    application: TheApplication, data: JSONBody[ReceiptAsked]
) -> RoundReceipt:
    """Sign what a round came to for the session of a code."""
    table, session = await _session(application.runtime, data.code)
    return await _signed(application.runtime, table, session, data.round)


@get(
    "/api/terminal/receipts/{number:int}",
    **route("terminal", "A receipt of a round", ("terminal",), (404, 503)),
)
async def own_round_receipt(
    application: TheApplication,
    caller: TheCaller,
    number: Annotated[int, PathParameter(ge=1, le=WHOLE_MAX, description="the round's number")],
) -> RoundReceipt:
    """Sign what a round came to for the player who is at the terminal."""
    runtime = application.runtime
    assert caller.table is not None, "a terminal is at a table"
    assert caller.terminal is not None, "only terminals come here"
    find_open(runtime, caller.table)
    state = runtime.table(caller.table)
    shown = shown_session(state, caller.terminal, runtime.clock.now())
    if shown is None:
        raise RefusedError(refuse("NO_RECEIPT", round=number))
    return await _signed(runtime, caller.table, shown[1], number)


async def _session(runtime: Runtime, code: str) -> tuple[str, str]:
    """Find the table and the session of a code."""
    check_open(runtime, CAGE)
    if not is_session_code(code):
        raise RefusedError(refuse("NO_SESSION_CODE"))
    tables = open_tables(runtime)
    async with durably(runtime, CAGE):
        cage = runtime.cage
    found = await find_session(code, cage, tables, runtime.clock.now())
    if found is None:
        raise RefusedError(refuse("UNKNOWN_UNCLAIMED"))
    return found


async def _signed(runtime: Runtime, table: str, session: str, number: int) -> RoundReceipt:
    """Sign a round, once it is on disk; its hash is read from the journal."""
    stream = find_open(runtime, table)
    async with durably(runtime, stream):
        state: TableState = runtime.table(table)
        record = state.history.get(number)
        upto = durable_version(runtime, stream)
    if record is None or (record.void and record.faces is not None):
        record = await _read_again(runtime, stream, state, number, upto)
    said = None if record is None else of_round(record, table, session, runtime.clock.now())
    if said is None:
        raise RefusedError(refuse("NO_RECEIPT", round=number))
    (found,) = await runtime.journal.records(stream, [said.version])
    return runtime.round_receipt(msgspec.structs.replace(said, hash=found.hash.hex()))


async def _read_again(
    runtime: Runtime, stream: str, state: TableState, number: int, upto: int
) -> RoundRecord | None:
    """Read from the journal a round that the table no longer has, or whose reversal it lacks.

    [D24].
    """
    if number > newest_ended(state):
        return None
    put_right = number in state.history or number in state.resettled or is_reversed(state, number)
    return await round_as_of(runtime.journal, stream, number, upto, put_right=put_right)
