"""Which function audits which event: each declares it beside itself, by its parameters' types.

This is the auditor's own list. It does not know what the core registers.
"""

from collections.abc import Callable
from typing import Any, TypeVar, get_args

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.messages import Event, Instant

Audit = Callable[[Any, Any, Instant], None]
Function = TypeVar("Function", bound=Audit)

#: By what is under audit (a table, the cage, the venue) and the class of event.
AUDITS: dict[type, dict[type[Event], Audit]] = {}
#: What players and buttons do, and secrets that come out in their turn, leaves a command pending;
#: after anything else it is no longer the table that it was asked for at. An answer to it looks
#: for it first.
ROUTINE: set[type[Event]] = {CommandApproved}


def audits(function: Function) -> Function:
    """Register a function for the event that its second parameter is of."""
    subject, kinds = _annotated(function)
    AUDITS.setdefault(subject, {}).update(dict.fromkeys(kinds, function))
    return function


def routine(function: Function) -> Function:
    """Note that the events of a function leave a pending command pending."""
    ROUTINE.update(_annotated(function)[1])
    return function


def _annotated(function: Audit) -> tuple[type, tuple[Any, ...]]:
    subject, kind, *_ = function.__annotations__.values()
    return subject, get_args(kind) or (kind,)


def audit(subject: Any, event: Event, at: Instant) -> None:
    """Check one event; what waits for a second person is followed alike in every stream."""
    if isinstance(event, ApprovalRequested):
        subject.second.ask(event, at)
    elif isinstance(event, CommandApproved):
        subject.second.agree(event, at)
    else:
        AUDITS[type(subject)][type(event)](subject, event, at)
