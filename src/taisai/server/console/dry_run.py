"""Dry runs: asking the core what a command would do, with nothing carried out.

`decide` only reads the state. If a copy is asked instead, it is a shallow one: it shares the parts
that nothing here changes.
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

#: The commands that can be tried: all for a table, and all of the socket.
Tried = TableCommand | WireCommand
#: Names of no real persons: an answer depends on a role, and on two persons being different.
_FIRST, _SECOND = "somebody", "somebody else"


def ask(
    state: TableState, role: Role, command: Tried, at: Instant, past: Past = NOTHING_READ
) -> Decision:
    """Ask what a command would do if a person in a role gave it now."""
    return decide(state, order_of(role, command), at, past)


def order_of(role: Role, command: Tried) -> Order:
    """Make an order that no real person gives."""
    return Order("", Actor(_FIRST, role), command)


def people_for(state: TableState, command: Tried) -> tuple[Role, ...]:
    """Name the roles of the staff that may give a command here, by its rulebook too [D29]."""
    may = roles_for(state.place, state, type(command))
    return tuple(role for role in STAFF_ROLES if role in may)


def with_nothing_on_it(state: TableState, guide: Guide | None = None) -> TableState:
    """Give the state of the table without its bets.

    Whether a command is accepted does not depend on the bets, nor does its result, except for the
    stakes that a void round gives back, which are all. So a table without bets is asked: that
    costs the same with 100,000 on the table as with ten. A chip table has room for no such
    number, and its commands do depend on the chips; but once its lists are computed, the chips
    decide nothing else.
    """
    if state.chips is not None:
        if guide is None or state.phase is not Phase.CONFIRMED:
            return state
        # What is set aside for those who walked away is in the lists too.
        seated = dict.fromkeys(state.chips.seated, False)
        chips = replace(state.chips, stacks=[], collected=(), seated=seated)
        return replace(state, chips=chips)
    return replace(state, positions={}, box_totals={}, live=0)


def with_no_lines(state: TableState, number: int) -> TableState:
    """Give the state of the table without the bets of a finished round.

    Whether the round may be settled again does not depend on them, only the result does.
    """
    record = state.history.get(number)
    if record is None:
        return state
    return replace(state, history={**state.history, number: replace(record, lines=())})


def request_in(events: tuple[TableEvent, ...]) -> ApprovalRequested | None:
    """Find the request that would wait for a second person."""
    return next((each for each in events if isinstance(each, ApprovalRequested)), None)


def takes_second(command: Tried, decision: Decision) -> bool:
    """Say whether a command takes a second person: by its decision, or if refused, by its type."""
    if isinstance(decision, Refusal):
        return always_waits(type(command))
    return request_in(decision) is not None


def seconds_of(state: TableState, request: ApprovalRequested) -> tuple[Role, ...]:
    """Name the roles that the second person may have."""
    return tuple(sorted(seconds_for(state.place, state, request.order)))


def agreed(
    state: TableState, request: ApprovalRequested, at: Instant, past: Past = NOTHING_READ
) -> Decision:
    """Ask what a waiting command would do once the second person has agreed."""
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
    """Give some other dice: the question is only whether the command would be accepted."""
    return next(result.faces for result in RESULTS if result.faces != faces)
