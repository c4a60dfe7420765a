"""Second persons: the auditor's own record of who asked and who agreed [D14]."""

import unicodedata
from typing import TypeVar

from msgspec import Struct

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import Actor, Command, Instant, Order
from taisai.core.table.irregularities import ReportIrregularity
from taisai.runtime.auditor.books import AuditError, Complaint

_MINUTE_MS = 60_000
#: Roles that are no person, or have no authority over the table.
_NO_SECOND_PERSON = ("terminal", "device", "system", "auditor")
#: Roles that answer a report of what was seen of the dice: never a dealer [D20].
_SUPERVISORS = ("supervisor", "pit-manager", "shift-manager")

Asked = TypeVar("Asked", bound=Command)


def plain(name: str) -> str:
    """Give a name as people compare it, however it was typed."""
    return " ".join(unicodedata.normalize("NFKC", name).lower().split())


def one_alone(by: str, second: str) -> bool:
    """Say whether an event that must name two persons names only one, or none."""
    names = {plain(name) for name in (by, second)}
    return len(names) < 2 or "" in names


class SecondPerson(Struct):
    """The commands of one stream that wait for a second person, and the one just approved."""

    stream: str
    pending: str | None = None
    order: Order | None = None
    asked_at: Instant = 0
    #: Reports of what was seen of the dice wait until they are answered, by their hash [D20].
    reports: dict[str, Order] = {}
    granted: Command | None = None
    asked: Actor | None = None
    agreed: Actor | None = None
    used: bool = False

    def ask(self, event: ApprovalRequested, at: Instant) -> None:
        """Record that a command waits."""
        if event.at != at:
            raise AuditError(
                "{stream}: an approval is asked for at {at}, not {at_2}",
                stream=self.stream,
                at=event.at,
                at_2=at,
            )
        if isinstance(event.order.command, ReportIrregularity):
            self.reports[event.pending] = event.order
            return
        self.pending, self.order, self.asked_at = event.pending, event.order, at

    def agree(self, event: CommandApproved, at: Instant) -> None:
        """Check the second person, and keep the approved command for the rest of the decision."""
        lasts = event.pending in self.reports
        order = self._answered(event.pending)
        if one_alone(event.by.person, order.actor.person):
            name = event.by.person
            raise AuditError(
                "{stream}: {name} approved a command of their own", stream=self.stream, name=name
            )
        if event.by.role in _NO_SECOND_PERSON:
            raise AuditError(
                "{stream}: a {role} is no second person", stream=self.stream, role=event.by.role
            )
        if lasts and event.by.role not in _SUPERVISORS:
            raise AuditError(
                "{stream}: a {role} answered a report of the dice",
                stream=self.stream,
                role=event.by.role,
            )
        if not lasts and at - self.asked_at > _MINUTE_MS:
            raise AuditError(
                "{stream}: a command was approved after more than a minute", stream=self.stream
            )
        self.granted, self.used = order.command, False
        self.asked, self.agreed = order.actor, event.by
        self.lapse()

    def decline(self, event: CommandDeclined) -> Order:
        """Record that a second person did not agree; give the declined order."""
        lasts = event.pending in self.reports
        order = self._answered(event.pending)
        if lasts and (one_alone(event.by.person, order.actor.person) or not event.note.strip()):
            raise AuditError(
                "{stream}: {person} declined a report without ground",
                stream=self.stream,
                person=event.by.person,
            )
        if lasts and event.by.role not in _SUPERVISORS:
            raise AuditError(
                "{stream}: a {role} answered a report of the dice",
                stream=self.stream,
                role=event.by.role,
            )
        self.lapse()
        return order

    def lapse(self) -> None:
        """Forget the pending command: the table is no longer as it was when that was given."""
        self.pending = self.order = None

    def take(self, kind: type[Asked], what: str, /, **blanks: object) -> Asked:
        """Give the command that two persons agreed on; it is an error if one acted alone."""
        if not isinstance(self.granted, kind):
            raise AuditError(
                "{stream}: {what} without a second person",
                stream=self.stream,
                what=Complaint(what, blanks),
            )
        self.used = True
        return self.granted

    def persons(self) -> tuple[Actor, Actor]:
        """Give the persons of the approved command: who asked, and who agreed."""
        if self.asked is None or self.agreed is None:
            raise AuditError("{stream}: nobody asked, or nobody agreed", stream=self.stream)
        return self.asked, self.agreed

    def end_decision(self) -> None:
        """Check that the approved command was carried out, and forget it."""
        if self.granted is not None and not self.used:
            name = type(self.granted).__name__
            raise AuditError(
                "{stream}: {name} was approved and not carried out", stream=self.stream, name=name
            )
        self.granted = self.asked = self.agreed = None

    def _answered(self, pending: str) -> Order:
        report = self.reports.pop(pending, None)
        if report is not None:
            return report
        if self.order is None or self.pending != pending:
            raise AuditError(
                "{stream}: an answer to a command that does not wait", stream=self.stream
            )
        return self.order
