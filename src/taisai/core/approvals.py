"""Two persons: a command that waits, and the second person's own command that lets it go on [D14].

The second person names the hash of what is pending and the version it was asked at. The PIN that
proves who they are never comes here, since what comes here is written down for good.
"""

import hashlib

import msgspec

from taisai.core.commands import Approve, Order, ReportIrregularity
from taisai.core.decision import is_name, same_person
from taisai.core.events import ApprovalRequested
from taisai.core.messages import Actor, Instant
from taisai.core.people import MAY_APPROVE
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import Pending, TableState

EXPIRES_AFTER_MS = 60_000


def hash_of(order: Order, version: int) -> str:
    """Fingerprint a pending command, who gave it, and the version of the table it was given at."""
    content = msgspec.json.encode((order.actor, order.command, version), order="sorted")
    return hashlib.sha256(content).hexdigest()


def request(state: TableState, order: Order, at: Instant, after: int = 0) -> ApprovalRequested:
    """Ask for a second person; `after` counts events of the same decision that come before."""
    return ApprovalRequested(hash_of(order, state.version + after), order, at)


def named_refusal(by: str, second: str) -> Refusal | None:
    """Check the two persons that a command of the house itself names."""
    if not (is_name(by) and is_name(second)):
        return refuse("NAME_MISSING")
    if same_person(by, second):
        return refuse("SAME_PERSON")
    return None


def decline_refusal(pending: Pending | None, hash_: str, actor: Actor) -> Refusal | None:
    """Check who declines: somebody who could have approved; a report not by who made it."""
    if pending is None or pending.hash != hash_:
        return refuse("NOTHING_PENDING")
    order = pending.order
    if isinstance(order.command, ReportIrregularity) and same_person(
        order.actor.person, actor.person
    ):
        return refuse("SAME_PERSON")
    if actor.role not in MAY_APPROVE[type(order.command)]:
        return refuse("MAY_NOT_APPROVE", role=actor.role)
    return None


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
    if actor.role not in MAY_APPROVE[type(pending.order.command)]:
        return refuse("MAY_NOT_APPROVE", role=actor.role)
    return None
