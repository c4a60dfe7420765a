"""Asking the rules what would come of a command, with nothing carried out.

`decide` only reads the state. Where a copy is asked instead, it is a shallow one: it shares what
nothing here changes.
"""

from msgspec.structs import replace

from taisai.core.kernel.approvals import ApprovalRequested, Approve, Pending
from taisai.core.kernel.decider import decide
from taisai.core.kernel.messages import Actor, Decision, Instant, Order, Role
from taisai.core.kernel.people import roles_for, seconds_for
from taisai.core.kernel.registry import always_waits
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.rules.dice import RESULTS, Faces
from taisai.core.rules.reason import Refusal
from taisai.core.streams import TableCommand, TableEvent
from taisai.core.table.chips.payout import Guide
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.past import NOTHING_READ, Past
from taisai.core.table.state import Phase, TableState
from taisai.protocol.client_messages import WireCommand

#: What can be tried: whatever can be asked of a table, or over the socket.
Tried = TableCommand | WireCommand
#: Two that are nobody: an answer hangs on a role, and on there being two different persons.
_FIRST, _SECOND = "somebody", "somebody else"


def ask(
    state: TableState, role: Role, command: Tried, at: Instant, past: Past = NOTHING_READ
) -> Decision:
    """Ask what would come of a command that somebody in a role gave now."""
    return decide(state, order_of(role, command), at, past)


def order_of(role: Role, command: Tried) -> Order:
    """Write an order of nobody."""
    return Order("", Actor(_FIRST, role), command)


def people_for(state: TableState, command: Tried) -> tuple[Role, ...]:
    """Name the roles of the staff that may give a command here, by its rulebook too [D29]."""
    may = roles_for(state.place, state, type(command))
    return tuple(role for role in STAFF_ROLES if role in may)


def with_nothing_on_it(state: TableState, guide: Guide | None = None) -> TableState:
    """Give the table as it is but for what is on it.

    Whether a command is taken does not hang on the bets, nor does what it comes to but for what
    a void round gives back, which is everything. So it is asked of a table that has none: that
    costs the same with 100,000 on the table as with ten. A chip table has room for no such
    number, and what is done at it does depend on the chips; but where its lists are worked out
    already, nothing else is to be found out from them.
    """
    if state.chips is not None:
        if guide is None or state.phase is not Phase.CONFIRMED:
            return state
        return replace(state, chips=replace(state.chips, stacks=[], collected=()))
    return replace(state, positions={}, box_totals={}, live=0)


def with_no_lines(state: TableState, number: int) -> TableState:
    """Give the table as it is but for the bets of a finished round.

    Whether the round may be settled again does not hang on them, only what that comes to.
    """
    record = state.history.get(number)
    if record is None:
        return state
    return replace(state, history={**state.history, number: replace(record, lines=())})


def request_in(events: tuple[TableEvent, ...]) -> ApprovalRequested | None:
    """Find what would wait for a second person."""
    return next((each for each in events if isinstance(each, ApprovalRequested)), None)


def takes_second(command: Tried, decision: Decision) -> bool:
    """Say whether a command takes a second person: as it was decided, or by what it is."""
    if isinstance(decision, Refusal):
        return always_waits(type(command))
    return request_in(decision) is not None


def seconds_of(state: TableState, request: ApprovalRequested) -> tuple[Role, ...]:
    """Name the roles that the second person may have."""
    return tuple(sorted(seconds_for(state.place, state, request.order)))


def agreed(
    state: TableState, request: ApprovalRequested, at: Instant, past: Past = NOTHING_READ
) -> Decision:
    """Ask what would come of a command that waits, once the second person has agreed."""
    order = request.order
    pending = Pending(request.pending, order, at, state.version)
    waiting = replace(state, pending=pending)
    if isinstance(order.command, ReportIrregularity):
        doubts = (*state.doubts, order.command.code)
        waiting = replace(state, lasting={pending.hash: pending}, doubts=doubts)
    approve = Approve(request.pending, state.version)
    second = Actor(_SECOND, seconds_of(state, request)[0])
    return decide(waiting, Order("", second, approve), at, past)


def other_than(faces: Faces | None) -> Faces:
    """Give some other dice: what is asked is only whether the command would be taken."""
    return next(result.faces for result in RESULTS if result.faces != faces)
