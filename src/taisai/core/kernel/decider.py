"""`decide` answers a command with events or a refusal; `evolve` applies an event and never refuses.

Both are the same for table, cage and venue: authorise, decide, wait for a second person, approve.
Time, ids and dice come with the command. A person's mistake is a refusal, never an exception.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol

from taisai.core.kernel.approvals import (
    ApprovalRequested,
    Approve,
    CommandApproved,
    CommandDeclined,
    Decline,
    Pending,
    approval_refusal,
    decline_refusal,
    request,
)
from taisai.core.kernel.messages import (
    Actor,
    Balances,
    Command,
    Decision,
    Event,
    Instant,
    Order,
    Sender,
)
from taisai.core.kernel.names import note_refusal
from taisai.core.kernel.people import people_refusal
from taisai.core.kernel.registry import (
    COMMANDS,
    DATED,
    DECLINED,
    POSTINGS,
    ROUTINE,
    SENT,
    WAITS,
    WAITS_AS,
    WANTS,
    At,
    Dated,
    Place,
    applies,
)
from taisai.core.rules.reason import Refusal, refuse

_UNTOUCHED: Balances = {}
_NONE_PLAIN: tuple[Any, frozenset[str]] = (None, frozenset())


class State(Protocol):
    """What every state has: its version, its pending commands, and the place it belongs to.

    `pending` expires after a minute, or when another event changes the state; a `lasting` command,
    by its hash, waits until it is answered [D20].
    """

    places: ClassVar[At]
    version: int
    pending: Pending | None

    @property
    def lasting(self) -> dict[str, Pending]:
        """The pending commands that wait without an end, by hash."""

    @property
    def place(self) -> Place:
        """The place that this state belongs to."""


def decide(state: State, order: Order, at: Instant, past: Any = None) -> Decision:
    """Answer a command with its events, or with the reason it is refused [ts6 1.2; etg8 1.2].

    `past` is what was read from the journal for a command about old rounds [D24].
    """
    command, actor, place = order.command, order.actor, state.place
    kind = type(command)
    plain, roles = place.plain.get(kind, _NONE_PLAIN)
    if actor.role in roles and state.version:
        # Almost every command takes this path: there is nothing else to check.
        return plain(state, command, actor, at)
    spec = COMMANDS.get(kind)
    if spec is None or actor.role not in spec.by:
        return _not_allowed(order)
    function = place.decides.get(kind)
    if function is None and place.stream not in spec.streams:
        return _not_allowed(order)
    if not (state.version or spec.opens):
        return refuse(place.closed)
    if function is None:
        return _answer_pending(state, command, actor, at, past) or refuse(spec.at[0].only)
    who = Sender(actor.person, actor.role, order.id) if kind in SENT else actor
    if spec.plain:
        return function(state, command, who, at)
    refusal = note_refusal(command) if spec.noted else None
    if refusal is None and spec.part is not None and not spec.second:
        refusal = people_refusal(place, state, kind, actor)
    decision = refusal or function(state, command, who, at, *_past_for(kind, past))
    if not spec.second or isinstance(decision, Refusal) or not _waits(state, command):
        return decision
    if kind in WAITS_AS:
        order = Order(order.id, actor, WAITS_AS[kind](state, command))
    return (request(state.version, order, at),)


def date_refusal(
    state: State, order: Order, decision: Decision, at: Instant, others: Iterable[Instant]
) -> Refusal | None:
    """Refuse a command that depends on the date, while the time may be one of `others` [D35].

    A command that writes a date waits. One that compares a date is decided if the decision is the
    same at all these times.
    """
    asked, second = order, None
    if isinstance(order.command, Approve):
        pending = waiting_as(state, order.command.pending)
        if pending is None:
            return None
        asked, second = pending.order, order.actor
    kind, refused = type(asked.command), isinstance(decision, Refusal)
    dated, function = DATED.get(kind), state.place.decides.get(kind)
    if dated is None or function is None or (refused and not state.version):
        return None
    if dated is Dated.WRITTEN:
        return None if refused else refuse("CLOCK_IN_DOUBT")
    sender = Sender(asked.actor.person, asked.actor.role, asked.id, second)
    now = function(state, asked.command, sender, at)
    if refused and decision != now:
        # It is refused for another reason than the date.
        return None
    differs = any(function(state, asked.command, sender, other) != now for other in others)
    return refuse("CLOCK_IN_DOUBT") if differs else None


def _not_allowed(order: Order) -> Refusal:
    return refuse("NOT_ALLOWED", role=order.actor.role, command=type(order.command).__name__)


def _past_for(kind: type[Command], past: Any) -> tuple[Any, ...]:
    """Give `past` to the functions that take it, and to no other."""
    return (past,) if kind in WANTS else ()


def _answer_pending(
    state: State, command: Command, actor: Actor, at: Instant, past: Any
) -> Decision | None:
    """Answer an approval or a refusal of a pending command; None for any other command."""
    if isinstance(command, Approve):
        return _approve(state, command, actor, at, past)
    return _decline(state, command, actor) if isinstance(command, Decline) else None


def _waits(state: State, command: Command) -> bool:
    """Say whether a command that may need a second person needs one here."""
    waits = WAITS.get(type(command))
    return waits is None or waits(state, command)


def waiting_as(state: State, hash_: str) -> Pending | None:
    """Find a lasting command by its hash, else the pending one, whose hash may be another."""
    return state.lasting.get(hash_, state.pending)


def _approve(state: State, approve: Approve, second: Actor, at: Instant, past: Any) -> Decision:
    """Carry out a pending command, decided again on the state as it is now."""
    pending = waiting_as(state, approve.pending)
    refusal = approval_refusal(pending, approve, second, at)
    if refusal is not None:
        return refusal
    assert pending is not None, "an approval without anything pending is refused"
    order = pending.order
    refusal = people_refusal(state.place, state, type(order.command), order.actor, second)
    if refusal is not None:
        return refusal
    sender = Sender(order.actor.person, order.actor.role, order.id, second)
    kind = type(order.command)
    function = state.place.decides[kind]
    decision = function(state, order.command, sender, at, *_past_for(kind, past))
    if isinstance(decision, Refusal):
        return decision
    return (CommandApproved(pending.hash, second), *decision)


def _decline(state: State, decline: Decline, actor: Actor) -> Decision:
    """Drop a pending command; for a lasting one, its subject module says what follows [D20]."""
    pending = waiting_as(state, decline.pending)
    refusal = decline_refusal(pending, decline, actor)
    if refusal is not None:
        return refusal
    assert pending is not None, "declining without anything pending is refused"
    declined = CommandDeclined(pending.hash, actor, decline.note)
    if not pending.lasts:
        return (declined,)
    order = pending.order
    sender = Sender(order.actor.person, order.actor.role, order.id, actor)
    follows = DECLINED[type(order.command)](state, order.command, sender, decline.note)
    return (declined, *follows)


@applies
def approval_requested(state: State, event: ApprovalRequested) -> None:
    pending = Pending(event.pending, event.order, event.at, state.version)
    if pending.lasts:
        state.lasting[pending.hash] = pending
    else:
        state.pending = pending


@applies
def answered(state: State, event: CommandApproved | CommandDeclined) -> None:
    state.lasting.pop(event.pending, None)


def evolve(state: State, event: Event) -> Balances:
    """Apply an event to the state, and return the new balances of the accounts it touched.

    It may change the state in place, so that a bet costs the same with 100,000 on the table as with
    ten. Money moves by the event's postings and in no other way.
    """
    kind, place = type(event), state.place
    if state.pending is not None and kind not in ROUTINE:
        state.pending = None
    state.version += 1
    post = POSTINGS.get(kind)
    books: Any = state
    touched = _UNTOUCHED if post is None else books.ledger.post(post(event))
    place.applies[kind](state, event)
    if place.check is not None:
        place.check(state)
    return touched
