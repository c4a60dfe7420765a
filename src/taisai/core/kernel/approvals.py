"""Two persons: a command that waits, and the second person's own command that lets it go on [D14].

The second person names the hash of the pending command and the version it was given at. The PIN
that proves who they are never comes here, since everything here is journaled for good. Most
pending commands expire after a minute; a lasting one waits until it is answered [D20].
"""

import hashlib

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Actor, Command, Event, Instant, Order
from taisai.core.kernel.names import note_refusal, same_person
from taisai.core.kernel.registry import COMMANDS, EVERYWHERE, command, event
from taisai.core.kernel.roles import PIT_AND_DEALER
from taisai.core.rules.reason import Refusal, refuse

EXPIRES_AFTER_MS = 60_000


@command(at=EVERYWHERE, by=("cage", "technician", *PIT_AND_DEALER), wire=False, crosses=True)
class Approve(Command, frozen=True):
    """The second person's own command: it names what is pending and the version it was asked at."""

    pending: str
    version: int


@command(at=EVERYWHERE, by=("cage", "technician", *PIT_AND_DEALER))
class Decline(Command, frozen=True):
    """The second person does not agree; what lasts is declined with a reason."""

    pending: str
    note: str = ""


@event(at=EVERYWHERE, posts=False)
class ApprovalRequested(Event, frozen=True):
    """A command that takes two persons waits for the second."""

    pending: str
    order: Order
    at: Instant

    @property
    def expires(self) -> Instant | None:
        """Give the last moment at which it can be answered; none where it lasts [D20]."""
        return None if _lasts(self.order) else self.at + EXPIRES_AFTER_MS


def _lasts(order: Order) -> bool:
    return COMMANDS[type(order.command)].lasts


@event(at=EVERYWHERE, posts=False)
class CommandApproved(Event, frozen=True):
    pending: str
    by: Actor


@event(at=EVERYWHERE, posts=False)
class CommandDeclined(Event, frozen=True):
    """The second person does not agree, and may have said why."""

    pending: str
    by: Actor
    note: str = ""


class Pending(Struct, frozen=True):
    """A command that waits for its second person."""

    hash: str
    order: Order
    at: Instant
    version: int

    @property
    def lasts(self) -> bool:
        """Say whether it waits until somebody answers it [D20]."""
        return _lasts(self.order)

    @property
    def expires(self) -> Instant | None:
        """Give the last moment at which it can be answered; none where it lasts."""
        return None if self.lasts else self.at + EXPIRES_AFTER_MS

    def is_over(self, at: Instant) -> bool:
        """Say whether it has expired."""
        return self.expires is not None and at > self.expires


def hash_of(order: Order, version: int) -> str:
    """Fingerprint a pending command, who gave it, and the version of the state it was given at."""
    content = msgspec.json.encode((order.actor, order.command, version), order="sorted")
    return hashlib.sha256(content).hexdigest()


def request(version: int, order: Order, at: Instant) -> ApprovalRequested:
    """Ask for a second person's approval of a command given at this version of the state."""
    return ApprovalRequested(hash_of(order, version), order, at)


def approval_refusal(
    pending: Pending | None, approve: Approve, actor: Actor, at: Instant
) -> Refusal | None:
    """Check the second person's approval: of this command, in time, by another person who may."""
    if pending is None or pending.hash != approve.pending:
        return refuse("NOTHING_PENDING")
    if pending.version != approve.version:
        return refuse("PENDING_CHANGED")
    if pending.is_over(at):
        return refuse("APPROVAL_EXPIRED")
    if same_person(pending.order.actor.person, actor.person):
        return refuse("SAME_PERSON")
    return _role_refusal(pending, actor)


def decline_refusal(pending: Pending | None, decline: Decline, actor: Actor) -> Refusal | None:
    """Check who declines: a role that may approve; a lasting command takes another person's reason.

    [D20]
    """
    if pending is None or pending.hash != decline.pending:
        return refuse("NOTHING_PENDING")
    if pending.lasts and same_person(pending.order.actor.person, actor.person):
        return refuse("SAME_PERSON")
    if pending.lasts and not decline.note.strip():
        return _role_refusal(pending, actor) or refuse("REASON_MISSING")
    return _role_refusal(pending, actor) or note_refusal(decline)


def _role_refusal(pending: Pending, actor: Actor) -> Refusal | None:
    if actor.role in COMMANDS[type(pending.order.command)].second:
        return None
    return refuse("MAY_NOT_APPROVE", role=actor.role)
