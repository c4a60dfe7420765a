"""Two persons: a command that waits, and the second person's own command that lets it go on [D14].

The second person names the hash of what is pending and the version it was asked at. The PIN that
proves who they are never comes here, since what comes here is journaled for good.
"""

import hashlib

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Actor, Command, Event, Instant, Order
from taisai.core.kernel.names import same_person
from taisai.core.kernel.registry import COMMANDS, EVERYWHERE, command, event
from taisai.core.kernel.roles import PIT_AND_DEALER
from taisai.core.rules.reason import Refusal, refuse

EXPIRES_AFTER_MS = 60_000


@command(at=EVERYWHERE, by=("cage", "technician", *PIT_AND_DEALER), wire=False)
class Approve(Command, frozen=True):
    """The second person's own command: it names what is pending and the version it was asked at."""

    pending: str
    version: int


@command(at=EVERYWHERE, by=("cage", "technician", *PIT_AND_DEALER))
class Decline(Command, frozen=True):
    pending: str


@event(at=EVERYWHERE, posts=False)
class ApprovalRequested(Event, frozen=True):
    """A command that takes two persons waits for the second."""

    pending: str
    order: Order
    at: Instant


@event(at=EVERYWHERE, applies=False, posts=False)
class CommandApproved(Event, frozen=True):
    pending: str
    by: Actor


@event(at=EVERYWHERE, applies=False, posts=False)
class CommandDeclined(Event, frozen=True):
    """The second person does not agree; a round that was in doubt for it goes on."""

    pending: str
    by: Actor
    lifts_doubt: bool = False


class Pending(Struct, frozen=True):
    """A command that waits for its second person."""

    hash: str
    order: Order
    at: Instant
    version: int


def hash_of(order: Order, version: int) -> str:
    """Fingerprint a pending command, who gave it, and the version of the state it was given at."""
    content = msgspec.json.encode((order.actor, order.command, version), order="sorted")
    return hashlib.sha256(content).hexdigest()


def request(version: int, order: Order, at: Instant) -> ApprovalRequested:
    """Ask for a second person, at the version that the state has by then."""
    return ApprovalRequested(hash_of(order, version), order, at)


def approval_refusal(
    pending: Pending | None, approve: Approve, actor: Actor, at: Instant
) -> Refusal | None:
    """Check the second person's approval: of this command, in time, by another person who may."""
    if pending is None or pending.hash != approve.pending:
        return refuse("NOTHING_PENDING")
    if pending.version != approve.version:
        return refuse("PENDING_CHANGED")
    if at - pending.at > EXPIRES_AFTER_MS:
        return refuse("APPROVAL_EXPIRED")
    if same_person(pending.order.actor.person, actor.person):
        return refuse("SAME_PERSON")
    return _role_refusal(pending, actor)


def decline_refusal(pending: Pending | None, decline: Decline, actor: Actor) -> Refusal | None:
    """Check who declines: somebody who could have approved; a report not by who made it."""
    if pending is None or pending.hash != decline.pending:
        return refuse("NOTHING_PENDING")
    order = pending.order
    if COMMANDS[type(order.command)].doubts and same_person(order.actor.person, actor.person):
        return refuse("SAME_PERSON")
    return _role_refusal(pending, actor)


def _role_refusal(pending: Pending, actor: Actor) -> Refusal | None:
    if actor.role in COMMANDS[type(pending.order.command)].second:
        return None
    return refuse("MAY_NOT_APPROVE", role=actor.role)
