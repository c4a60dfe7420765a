"""The requests of a Player Terminal: its last rounds with reasons, and its vouchers."""

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Struct

from taisai.core.cage.state import session_code
from taisai.core.cage.vouchers import TakeVoucher, VoucherTaken
from taisai.core.kernel.messages import Delivery, Instant
from taisai.core.kernel.transits import sender_of
from taisai.core.table.betting import RoundVoided
from taisai.core.table.positions import shown_session
from taisai.protocol.receipts import Receipt
from taisai.protocol.views import RecalledRound
from taisai.runtime.records.entries import event_of
from taisai.runtime.records.recall import ROUNDS_RECALLED, recall, void_rounds
from taisai.runtime.streams import CAGE
from taisai.runtime.transfers import print_order
from taisai.server.application import Application
from taisai.server.http.cage.vouchers import IssuedVoucher, VoucherNumber, issued, try_voucher
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    CommandId,
    InLanguage,
    TheApplication,
    check_open,
    durable_version,
    durably,
    find_open,
)
from taisai.server.http.frame.problems import not_found
from taisai.server.http.frame.requests import Secret

OWN = ("terminal",)


class Recall(Secret, frozen=True):
    """The last rounds of the session at a terminal, the newest first, and its code.

    What the session is owed after it has ended, the cage pays against the code. Without a session
    there is neither; for ten minutes whoever lost all still has theirs.
    """

    table: str
    terminal: str
    rounds: list[RecalledRound]
    session: str | None = None


class Taking(Secret, frozen=True, forbid_unknown_fields=True):
    """A voucher put into the terminal."""

    id: CommandId
    number: VoucherNumber


class Taken(Struct, frozen=True):
    """A voucher taken; its value is on its way to the terminal's credits."""

    id: str
    serial: int
    value: int
    transit: str
    at: Instant


@get("/api/terminal/recall", **route("terminal", "Last rounds", OWN, (503,)))
async def recall_rounds(
    application: TheApplication, caller: TheCaller, language: InLanguage = "en"
) -> Recall:
    """Show the player's own last ten rounds: every bet with its outcome, clause and reason."""
    table, terminal = _own(caller)
    runtime, stream = application.runtime, find_open(application.runtime, table)
    state = runtime.table(table)
    version = durable_version(runtime, stream)
    session = shown_session(state, terminal, runtime.clock.now())
    if session is None:
        return Recall(table, terminal, [])
    since, name = session
    # A round that has ended but is not durable yet is left out.
    ends = [each for each in void_rounds(state, since) if each <= version]
    events = [event_of(record) for record in await runtime.journal.records(stream, ends)]
    voided = {
        at: event for at, event in zip(ends, events, strict=True) if isinstance(event, RoundVoided)
    }
    shown = [
        each
        for each in recall(state, terminal, since, voided, ROUNDS_RECALLED + 1, language)
        if state.history[each.round].version <= version
    ]
    code = session_code(runtime.cage.newest_key, table, name)
    return Recall(table, terminal, shown[:ROUNDS_RECALLED], code)


@get("/api/terminal/receipt", **route("terminal", "A signed receipt", OWN, (503,)))
async def own_receipt(application: TheApplication, caller: TheCaller) -> Receipt:
    """Sign how far the record of the terminal's table has come, to be kept by the terminal."""
    table, _ = _own(caller)
    runtime = application.runtime
    receipt = runtime.receipt(find_open(runtime, table))
    assert receipt is not None, "a table that has terminals has events"
    return receipt


def _own(caller: TheCaller) -> tuple[str, str]:
    assert caller.table is not None, "a terminal is at a table"
    assert caller.terminal is not None, "only terminals come here"
    return caller.table, caller.terminal


@get(
    "/api/terminal/vouchers/{transit:str}",
    **route("terminal", "The voucher of a cash-out", OWN, (503,)),
)
async def own_voucher(
    application: TheApplication,
    caller: TheCaller,
    transit: Annotated[
        str,
        PathParameter(max_length=100, description="the transit that cashing out was answered with"),
    ],
) -> IssuedVoucher:
    """Show the number of the voucher printed for a cash-out of this very terminal."""
    table, terminal = _own(caller)
    runtime = application.runtime
    check_open(runtime, CAGE)
    async with durably(runtime, CAGE):
        found = _printed(application, table, terminal, transit)
    if found is None:
        raise not_found("NUMBER_NOT_SHOWN")
    return found


def _printed(
    application: Application, table: str, terminal: str, transit: str
) -> IssuedVoucher | None:
    """Find a voucher by its transit, if it was printed for this terminal of this table."""
    if sender_of(transit) not in (table, CAGE):
        return None
    order = print_order(transit, Delivery(table, terminal, 0))
    found = application.hub.questions.numbers.show(order, f"{table}/{terminal}")
    return None if found is None else issued(application.runtime.cage, transit, *found)


@post("/api/terminal/vouchers", **route("terminal", "Take a voucher", OWN, PROBLEMS, status=200))
async def take_voucher(
    application: TheApplication, caller: TheCaller, data: JSONBody[Taking]
) -> Taken:
    """Put a voucher into the terminal; its value comes to the credits in a moment."""
    table, terminal = _own(caller)
    command = TakeVoucher(data.number, table, terminal)
    registered = await try_voucher(application, caller, data.id, command)
    (taken,) = (each for each in registered.events if isinstance(each, VoucherTaken))
    return Taken(data.id, taken.serial, taken.value, taken.transit, registered.at)
