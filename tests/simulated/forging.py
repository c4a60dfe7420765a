"""Forges a recorded world: one event is changed, left out or repeated, and audited again."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import pytest

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.messages import Command, Event
from taisai.rulebooks import KEYS
from taisai.runtime.auditor import AuditError, Auditor
from tests.simulated.recorded import RECORDED_SEEDS, Decided, recorded

Change = Callable[[Any], Any]
#: A kind of event, a condition for it, the change, and the auditor's complaint.
Forgery = tuple[type[Event], Callable[[Any], Any], Change, str]


def audit(decisions: Sequence[Decided]) -> Auditor:
    """Show decisions to a new auditor."""
    auditor = Auditor()
    for decided in decisions:
        auditor.observe(*decided)
    return auditor


def edit(event: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(event, **fields)


def worlds() -> Iterator[tuple[Decided, ...]]:
    """Give the recorded worlds one after the other, for as long as the caller needs more."""
    for seed in RECORDED_SEEDS:
        for key in KEYS:
            yield recorded(key, seed)


class Place(NamedTuple):
    """The place of an event: its decision in a world, and its position in that."""

    world: tuple[Decided, ...]
    position: int
    within: int

    @property
    def decided(self) -> Decided:
        return self.world[self.position]

    @property
    def event(self) -> Any:
        return self.decided.events[self.within]


def find(kind: type[Event], suits: Callable[[Any], Any] = lambda _: True) -> Place:
    """Find the first event of a kind that meets the condition."""
    place = next(find_all(kind, suits), None)
    if place is None:
        raise LookupError(f"no {kind.__name__} in the recorded worlds suits")
    return place


def find_all(kind: type[Event], suits: Callable[[Any], Any] = lambda _: True) -> Iterator[Place]:
    """Find the events of a kind that meet the condition, one after the other."""
    for world in worlds():
        for index, decided in enumerate(world):
            for within, event in enumerate(decided.events):
                if type(event) is kind and suits(event):
                    yield Place(world, index, within)


def forge(place: Place, events: Sequence[Event]) -> list[Decided]:
    """Replace one event by others."""
    stream, before, at, role = place.decided
    after = (*before[: place.within], *events, *before[place.within + 1 :])
    world = list(place.world)
    world[place.position] = Decided(stream, after, at, role)
    return world


def caught(decisions: Sequence[Decided], sentence: str) -> None:
    with pytest.raises(AuditError, match=sentence):
        audit(decisions)


def find_approved(kind: type[Command]) -> Place:
    """Find the approval of a command of a kind."""
    for world in worlds():
        waiting: dict[str, Any] = {}
        for index, decided in enumerate(world):
            for within, event in enumerate(decided.events):
                if isinstance(event, ApprovalRequested):
                    waiting[event.pending] = event.order.command
                elif isinstance(event, CommandApproved) and isinstance(
                    waiting[event.pending], kind
                ):
                    return Place(world, index, within)
    raise LookupError(f"no {kind.__name__} was approved in the recorded worlds")


def try_forgery(forgery: Forgery) -> None:
    """Forge the first event that meets the condition, and check that the auditor finds it."""
    kind, suits, change, sentence = forgery
    place = find(kind, suits)
    caught(forge(place, [change(place.event)]), sentence)
