"""What the figures need of an event, and no more: bets summed by box, names of rounds.

A settled round may have a hundred thousand lines. What is kept of it, while older events are still
being read, is one amount for each box.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from taisai.core import events as e
from taisai.core.dice import Faces
from taisai.core.messages import SettledLine


class Settled(Struct, frozen=True):
    """A round settled: what lay on each box, and how many bets there were."""

    round: int
    faces: Faces
    by: str
    stakes: dict[str, int]
    bets: int
    win: int


class Resettled(Struct, frozen=True):
    """A round settled again by what the dice showed."""

    round: int
    faces: Faces
    stakes: dict[str, int]


class Reversed(Struct, frozen=True):
    """Rounds that do not stand any more."""

    rounds: tuple[int, ...]


#: Events that are taken as they are: there is little in them.
_PLAIN = (
    e.RulebookAdopted,
    e.DiceRegistered,
    e.BetsOpened,
    e.BetsClosed,
    e.ResultAmended,
    e.RoundVoided,
    e.IrregularityReported,
    e.CreditsReceived,
    e.CashedOut,
)
Noted = (
    Settled
    | Resettled
    | Reversed
    | e.RulebookAdopted
    | e.DiceRegistered
    | e.BetsOpened
    | e.BetsClosed
    | e.ResultAmended
    | e.RoundVoided
    | e.IrregularityReported
    | e.CreditsReceived
    | e.CashedOut
)


def noted(event: e.Event) -> Noted | None:
    """Take what the figures need of an event; nothing of most."""
    take = _TAKE.get(type(event))
    return None if take is None else take(event)


def _settled(event: e.RoundSettled) -> Settled:
    return Settled(
        event.round,
        event.faces,
        event.by,
        _stakes(event.lines),
        len(event.lines),
        event.collected - event.paid,
    )


def _resettled(event: e.RoundResettled) -> Resettled:
    return Resettled(event.round, event.faces, _stakes(event.lines))


def _voided(event: e.RoundVoided) -> e.RoundVoided:
    return e.RoundVoided(event.round, event.code, event.clause, ())


def _stakes(lines: tuple[SettledLine, ...]) -> dict[str, int]:
    stakes: dict[str, int] = {}
    for line in lines:
        stakes[line.box] = stakes.get(line.box, 0) + line.stake
    return stakes


_TAKE: dict[type[e.Event], Callable[[Any], Noted]] = {
    **dict.fromkeys(_PLAIN, lambda event: event),
    e.RoundSettled: _settled,
    e.RoundResettled: _resettled,
    e.RoundsReversed: lambda event: Reversed(event.rounds),
    e.RoundVoided: _voided,
}
#: The types of event that the figures are made from.
WANTED: tuple[type[e.Event], ...] = tuple(_TAKE)
