"""What is wrong with a journal, as a sentence and in parts: where, which byte, what is right."""

from typing import Literal

from msgspec import Struct

#: What a fault is in: an event, the chain at it, a whole stream, a checkpoint, a snapshot, the copy
#: held elsewhere, the file or database itself; or events that are sound and should not be.
In = Literal["event", "stream", "checkpoint", "snapshot", "copy", "journal", "replay", "audit"]


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
