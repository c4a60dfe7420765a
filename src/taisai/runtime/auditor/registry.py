"""The auditor's registry: which function audits which event, by the types of its parameters.

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
#: Events of players and buttons, and secrets revealed in turn, leave a command pending; after any
#: other event the table is not as it was when the command was given. An approval must find it.
ROUTINE: set[type[Event]] = {CommandApproved}


def audits(function: Function) -> Function:
    """Register a function for the event type of its second parameter."""
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
    """Check one event; approvals by a second person are checked alike in every stream."""
    if isinstance(event, ApprovalRequested):
        subject.second.ask(event, at)
    elif isinstance(event, CommandApproved):
        subject.second.agree(event, at)
    else:
        AUDITS[type(subject)][type(event)](subject, event, at)
