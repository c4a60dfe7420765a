"""The report of a verification: what was checked, its sums, and the faults."""

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Reason
from taisai.runtime.auditor.books import AuditError, Complaint
from taisai.wording import Told, say_again

#: The place of a fault: an event, the chain at it, a whole stream, a checkpoint, a snapshot, the
#: seal of a batch, an id of a command, the anchor, the copy held elsewhere, the file or database
#: itself; or events that are sound and should not be there.
In = Literal[
    "event",
    "stream",
    "checkpoint",
    "snapshot",
    "seal",
    "command",
    "anchor",
    "copy",
    "journal",
    "replay",
    "audit",
]


class Fault(Struct, frozen=True, rename={"in_": "in"}):
    """Something that does not hold, named by stream and version or by checkpoint."""

    in_: In
    sentence: str
    stream: str | None = None
    version: int | None = None
    checkpoint: int | None = None
    field: str | None = None
    byte: int | None = None
    expected: str | None = None
    found: str | None = None


class FaultError(Exception):
    """A fault, on its way to the report."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class Money(Struct):
    """What the books of all streams come to, in minor units."""

    currency: str = ""
    turnover: int = 0
    won: int = 0
    bank: int = 0
    credits: int = 0
    stakes: int = 0
    vouchers: int = 0
    unclaimed: int = 0
    in_transit: int = 0


class NewestCheckpoint(Struct, frozen=True):
    """The newest checkpoint: its number, when it was made, and the key that signed it."""

    number: int
    at: Instant
    key: str


class Report(Struct):
    """Everything that was checked, and the faults in the order they were found."""

    faults: list[Fault] = []
    #: What could not be checked, or is no fault and worth knowing.
    notes: list[str] = []
    streams: int = 0
    events: int = 0
    decisions: int = 0
    rounds: int = 0
    checkpoints: int = 0
    snapshots: int = 0
    seals: int = 0
    copied_events: int = 0
    newest_checkpoint: NewestCheckpoint | None = None
    money: Money = field(default_factory=Money)
    seconds: float = 0.0

    @property
    def verified(self) -> bool:
        """Say whether nothing was found wrong."""
        return not self.faults


def plain_report(report: Report) -> Report:
    """Give a report that can be written as data: its sentences are texts in English."""
    faults = [replace(each, sentence=say_again(each.sentence)) for each in report.faults]
    return replace(report, faults=faults, notes=[say_again(each) for each in report.notes])


def told_by_auditor(error: AuditError) -> Told:
    """Give the auditor's complaint in a form that can be read in another language."""
    return _told(error.complaint)


def _told(complaint: Complaint) -> Told:
    blanks = {name: _filled(value) for name, value in complaint.blanks.items()}
    return Told(Reason(complaint.sentence, blanks))


def _filled(value: object) -> int | str:
    if isinstance(value, Complaint):
        return _told(value)
    return value if isinstance(value, int | str) else str(value)
