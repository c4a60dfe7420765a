"""The steps and the log of the Game Console, as the staff at a table see them."""

from typing import Literal

from msgspec import Struct

from taisai.core.rules.reason import Reason
from taisai.protocol.client_messages import WireCommand

#: Whether a step is the one to take now, may be taken, or is refused.
Standing = Literal["next", "open", "refused"]
#: Who takes a step in the ordinary course.
Doer = Literal["dealer", "pit", "device", "automatic-dealer"]


class Step(Struct, frozen=True, gc=False):
    """One step of the Game Console, as it stands for the person it is sent to.

    Found by asking the rules, and nothing carried out. The one `next` step is the one that the
    rulebook has a person take now; a `refused` one says why, and by which clause.
    """

    command: str
    label: str
    standing: Standing
    second: bool
    by: Doer
    sentence: str | None = None
    clause: str | None = None
    words: str | None = None
    times: int | None = None
    give: WireCommand | None = None
    fields: tuple[str, ...] = ()


class Said(Struct, frozen=True, gc=False):
    """A sentence in the reader's language, with the reason by which another language has it."""

    sentence: str
    reason: Reason


class LogLine(Struct, frozen=True, omit_defaults=True, gc=False):
    """What happened, in sentences; who, why and by which clause, where no sentence says it."""

    sentences: tuple[Said, ...]
    by: str | None = None
    note: str | None = None
    clause: str | None = None
