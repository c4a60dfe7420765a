"""Transits of streams that are audited separately, noted to be checked together later.

A process that audits one stream cannot know what another has sent or received. So the auditor's
calls on transits are noted, in the order of each stream; later they are all entered in one set of
books, as if all streams had been audited together.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from taisai.runtime.auditor.books import AuditError, Transit, Transits


class Sent(Struct, frozen=True, tag=True):
    """Money left a stream."""

    name: str
    transit: Transit


class Received(Struct, frozen=True, tag=True):
    """Money arrived in a stream."""

    name: str
    stream: str
    place: str
    amount: int


class TakenBack(Struct, frozen=True, tag=True):
    """A stream took back what it had sent."""

    name: str
    stream: str


class Closed(Struct, frozen=True, tag=True):
    """A stream closed what it had sent."""

    name: str
    stream: str
    amount: int


class DecisionEnded(Struct, frozen=True, tag=True):
    """The cage's decision with the last of these ended."""


Noted = Sent | Received | TakenBack | Closed | DecisionEnded


class NotedTransits(Transits):
    """Accepts every call without a check, and notes it for the stream that made it."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: dict[str, list[Noted]] = {}
        self._amounts: dict[str, int] = {}
        self._unended: str | None = None

    def send(self, name: str, transit: Transit) -> None:
        self._amounts[name] = transit.amount
        self._note(transit.source, Sent(name, transit))

    def awaits_sending(self, name: str) -> bool:  # noqa: ARG002 - nothing is waited for
        return False

    def on_its_way_to(self, name: str) -> str | None:  # noqa: ARG002 - nothing is waited for
        return None

    def receive(self, name: str, stream: str, place: str, amount: int) -> None:
        self._note(stream, Received(name, stream, place, amount))

    def take_back(self, name: str, stream: str) -> int:
        if name not in self._amounts:
            raise AuditError(
                "{stream}: transit {name} was taken back and is not on its way",
                stream=stream,
                name=name,
            )
        self._note(stream, TakenBack(name, stream))
        return self._amounts[name]

    def close(self, name: str, stream: str, amount: int) -> None:
        self._amounts.pop(name, None)
        self._note(stream, Closed(name, stream, amount))

    def end_decision(self) -> None:
        if self._unended is not None:
            self.noted[self._unended].append(DecisionEnded())
            self._unended = None

    def _note(self, stream: str, noted: Noted) -> None:
        self.noted.setdefault(stream, []).append(noted)
        self._unended = stream


def brought_together(streams: Iterable[Mapping[str, Sequence[Noted]]]) -> Transits:
    """Enter the notes of all streams in one set of books; a contradiction is an `AuditError`."""
    left = {name: deque(noted) for each in streams for name, noted in each.items()}
    transits = Transits()
    went_on = True
    while went_on:
        went_on = False
        for noted in left.values():
            while noted and not _awaits(transits, noted[0]):
                _enter(transits, noted.popleft())
                went_on = True
    if any(left.values()):
        raise AuditError("transits arrived that nobody sent, or were closed before they arrived")
    return transits


def _awaits(transits: Transits, noted: Noted) -> bool:
    """Say whether another stream must come further first."""
    match noted:
        case Received(name):
            return transits.awaits_sending(name)
        case Closed(name):
            return transits.on_its_way_to(name) is not None
        case _:
            return False


def _enter(transits: Transits, noted: Noted) -> None:
    match noted:
        case Sent(name, transit):
            # A copy, since the books change what they are given.
            transits.send(name, replace(transit))
        case Received(name, stream, place, amount):
            transits.receive(name, stream, place, amount)
        case TakenBack(name, stream):
            transits.take_back(name, stream)
        case Closed(name, stream, amount):
            transits.close(name, stream, amount)
        case DecisionEnded():
            transits.end_decision()
