"""Old shapes of events, read as if written today; what is in the journal is never rewritten.

An upcast takes an event of one shape, as plain JSON data, to the next shape. Only a change that a
default value cannot bridge needs one.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from taisai.runtime.journal.contract import NotAJournalError
from taisai.runtime.journal.record import SHAPE, Record

#: By the shape an event was written in and the event's type: how it is written in the next shape.
Upcasts = dict[tuple[int, str], Callable[[dict[str, Any]], dict[str, Any]]]

UPCASTS: Upcasts = {}


def upcast(record: Record, upcasts: Upcasts = UPCASTS, to: int = SHAPE) -> bytes:
    """Give an event's data in today's shape."""
    if record.shape == to:
        return record.data
    if record.shape > to:
        raise NotAJournalError(
            f"{record.stream} {record.version} is written in shape {record.shape},"
            f" and this program reads up to {to}; a newer program wrote it"
        )
    event: dict[str, Any] = msgspec.json.decode(record.data)
    for shape in range(record.shape, to):
        step = upcasts.get((shape, event["type"]))
        event = event if step is None else step(event)
    return msgspec.json.encode(event)
