"""The public form of an event: no names, no notes, nobody's money; worded in a language."""

from collections.abc import Callable
from typing import Any, get_args

from taisai.core.kernel.messages import Event
from taisai.core.rules.dice import call_of, result_of
from taisai.core.rules.reason import Reason
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.seats import UnclaimedSetAside
from taisai.projections.sentences import sentences_of, voided_for_all
from taisai.protocol import public as p
from taisai.protocol.roads import mark_of
from taisai.wording import say

#: The public form of an event has the event's name; this one has another.
_PUBLIC: dict[str, type[p.PublicEvent]] = {
    **{each.__name__: each for each in get_args(p.AnyPublicEvent)},
    # A player who walked away has the seat until their money is set aside for them.
    UnclaimedSetAside.__name__: p.SeatLeft,
}
#: Fields that are computed; all others are copied from the event.
_WORKED_OUT: dict[str, Callable[[Any, str], Any]] = {
    "total": lambda event, _: mark_of(event.faces).total,
    "size": lambda event, _: mark_of(event.faces).size,
    "parity": lambda event, _: mark_of(event.faces).parity,
    "call": lambda event, language: say(call_of(result_of(event.faces)), language),
    "odds": lambda event, _: {box: odds for box, odds in event.odds.items() if odds is not None},
    "sentence": lambda event, language: say(_said_to_all(event), language),
}


def _said_to_all(event: Event) -> Reason:
    """Choose the public sentence: for a void round, one without the stakes that are returned."""
    return voided_for_all(event) if isinstance(event, RoundVoided) else sentences_of(event)[0]


def public_of(event: Event, language: str) -> p.AnyPublicEvent:
    """Make the public form of an event that has one [ts6 5.11; etg8 1.3, 5.8]."""
    public = _PUBLIC[type(event).__name__]
    values = {}
    for name in public.__struct_fields__:
        work_out = _WORKED_OUT.get(name)
        values[name] = getattr(event, name) if work_out is None else work_out(event, language)
    return public(**values)


def is_public(event: Event) -> bool:
    """Say whether an event is public; most events of terminals and staff are not."""
    return type(event).__name__ in _PUBLIC
