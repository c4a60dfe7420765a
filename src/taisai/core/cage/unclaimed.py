"""Money that a table has set aside for a session, paid at the cage against the session's code.

A session that has ended is owed what a correction gives it, or what came back of the bets that its
player walked away from [D21]. The table holds this money until the cage has paid it, and is then
told to release it. A payment is final: what the table takes from the session meanwhile is the
house's loss.
"""

from collections.abc import Iterator

from taisai.core.cage.state import (
    CageState,
    is_session_code,
    next_transit,
    sent_to,
    session_at,
)
from taisai.core.kernel.ledger import CASH, FLOOR
from taisai.core.kernel.messages import (
    Actor,
    Command,
    Decision,
    Delivery,
    Event,
    Instant,
    Posting,
    Sender,
)
from taisai.core.kernel.registry import (
    CAGE,
    applies,
    command,
    decides,
    event,
    posts,
    waits_as,
)
from taisai.core.kernel.roles import PIT_AND_CAGE
from taisai.core.kernel.transits import TRANSIT_MAX, arrival
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse

#: So many paid sessions are remembered, to answer a repeated request; nothing else depends on it.
SESSIONS_KEPT = 10_000


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, crosses=True)
class PayUnclaimed(Command, frozen=True):
    """Pay all that a table has set aside for a session, against its code.

    What a chip table has set aside are chips, and those are handed over; else it is cash.
    """

    code: str
    table: str
    session: str
    amount: int
    in_chips: bool = False


@event(at=CAGE, routine=True)
class UnclaimedPaid(Event, frozen=True):
    transit: str
    table: str
    session: str
    amount: int
    in_chips: bool
    by: str


@waits_as
def _without_code(_state: CageState, command: PayUnclaimed) -> PayUnclaimed:
    """Keep the code out of the journal: the waiting command names the session alone."""
    return PayUnclaimed("", command.table, command.session, command.amount, command.in_chips)


@decides
def pay_unclaimed(state: CageState, command: PayUnclaimed, actor: Sender, at: Instant) -> Decision:
    """Pay a session what it is owed, once: the code proves who may collect it [D21].

    The table knows the amount, and the runtime asks the table for it.
    """
    table, session, amount = command.table, command.session, command.amount
    refusal = (
        None if actor.second is not None and not command.code else _stranger(state, command, at)
    )
    if refusal is not None:
        return refusal
    if not is_amount(amount) or amount == 0:
        return refuse("BAD_AMOUNT", amount=str(amount)[:40])
    if any((each.table, each.terminal) == (table, session) for each in state.claims_open.values()):
        return refuse("UNCLAIMED_IS_PAID", session=session)
    transit = next_transit(state, table)
    return (UnclaimedPaid(transit, table, session, amount, command.in_chips, actor.person),)


def _stranger(state: CageState, command: PayUnclaimed, at: Instant) -> Refusal | None:
    """Refuse a code that is not the session's."""
    if not is_session_code(command.code):
        return refuse("NO_SESSION_CODE")
    if state.is_code_of(command.code, command.table, command.session, at):
        return None
    return refuse("UNKNOWN_UNCLAIMED")


@applies
def unclaimed_paid(state: CageState, event: UnclaimedPaid) -> None:
    sent_to(state, event.table)
    state.claims_open[event.transit] = Delivery(event.table, event.session, event.amount)
    state.sessions_paid[session_at(event.table, event.session)] = None
    if len(state.sessions_paid) > SESSIONS_KEPT:
        del state.sessions_paid[next(iter(state.sessions_paid))]


@posts
def _post_paid(event: UnclaimedPaid) -> Iterator[Posting]:
    """Post the payment over the counter; the table posts its own half later."""
    yield from arrival(event.transit, FLOOR if event.in_chips else CASH, event.amount)


@command(at=CAGE, by=("system",))
class CloseClaim(Command, frozen=True):
    """Note that the table has let go of what was paid here for it."""

    transit: str


@event(at=CAGE, routine=True, significant=False, posts=False, transit="closes")
class ClaimClosed(Event, frozen=True):
    """The table has let go of what was paid here for it."""

    transit: str
    amount: int


@decides
def close_claim(state: CageState, command: CloseClaim, _actor: Actor, _at: Instant) -> Decision:
    """Close a payment that its table has accounted for."""
    paid = state.claims_open.get(command.transit)
    if paid is None:
        return refuse("TRANSIT_CLOSED", transit=printable(command.transit[:TRANSIT_MAX]))
    return (ClaimClosed(command.transit, paid.amount),)


@applies
def claim_closed(state: CageState, event: ClaimClosed) -> None:
    del state.claims_open[event.transit]
