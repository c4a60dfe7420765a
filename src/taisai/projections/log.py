"""Log lines for the staff: an event's sentences, with the details that they leave out."""

from taisai.core.kernel.messages import Actor, Event
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.core.table.chips.layout_bets import BetsRecorded, BetsTakenBack
from taisai.core.table.round import RoundStarted
from taisai.projections.sentences import sentences_of
from taisai.protocol.console import LogLine, Said
from taisai.wording import say

#: Events that happen many times a round, and are of no use in a log.
_SILENT = frozenset(
    {RoundStarted, TransitClosed, BetsRegistered, BetsWithdrawn, BetsRecorded, BetsTakenBack}
)


def line_of(event: Event, language: str) -> LogLine | None:
    """Write an event as a line in a language; None if the log leaves it out."""
    if type(event) in _SILENT:
        return None
    reasons = sentences_of(event)
    said = {name for reason in reasons for name in reason.params}
    by, note = getattr(event, "by", None), getattr(event, "note", None)
    return LogLine(
        tuple(Said(say(reason, language), reason) for reason in reasons),
        by=None if {"by", "person"} & said else _person(by),
        note=None if "note" in said else note or None,
        clause=None if "clause" in said else getattr(event, "clause", None),
    )


def _person(by: Actor | str | None) -> str | None:
    return by.person if isinstance(by, Actor) else by
