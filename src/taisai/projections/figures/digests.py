"""What the figures need of an event, and no more: bets summed by box, names of rounds.

A settled round may have a hundred thousand lines. What is kept of it, while older events are still
being read, is one amount for each box.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from taisai.core import events as e
from taisai.core.accounts import credits_of
from taisai.core.rules.dice import Faces


class Settled(Struct, frozen=True):
    """A round settled: what played on each box, and how many bets there were."""

    round: int
    faces: Faces
    by: str
    stakes: dict[str, int]
    bets: int
    collected: int
    paid: int


class Resettled(Struct, frozen=True):
    """A round settled again by what the dice showed, and what that gave to players in all."""

    round: int
    faces: Faces
    given: int


class Reversed(Struct, frozen=True):
    """Rounds that do not stand any more, and what reversing them gave to players in all."""

    rounds: tuple[int, ...]
    given: int


class PutRight(Struct, frozen=True):
    """Money given to players by a ruling, or left with them: less than nothing if it was taken."""

    given: int


class Moved(Struct, frozen=True):
    """Money that players brought to the table, or took from it."""

    drop: int = 0
    out: int = 0


#: Events that are taken as they are: there is little in them.
_PLAIN = (
    e.TableCreated,
    e.RulebookAdopted,
    e.DiceRegistered,
    e.BetsOpened,
    e.BetsClosed,
    e.ResultAmended,
    e.RoundVoided,
    e.IrregularityReported,
    e.DayOpened,
    e.FloatFilled,
    e.FloatCredited,
    e.CreditReturned,
    e.TransitClosed,
    e.DropCounted,
    e.DayClosed,
    e.FillSent,
    e.FillReturned,
    e.ShiftOpened,
    e.ShiftClosed,
)
Noted = (
    Settled
    | Resettled
    | Reversed
    | PutRight
    | Moved
    | e.TableCreated
    | e.RulebookAdopted
    | e.DiceRegistered
    | e.BetsOpened
    | e.BetsClosed
    | e.ResultAmended
    | e.RoundVoided
    | e.IrregularityReported
    | e.DayOpened
    | e.FloatFilled
    | e.FloatCredited
    | e.CreditReturned
    | e.TransitClosed
    | e.DropCounted
    | e.DayClosed
    | e.FillSent
    | e.FillReturned
    | e.ShiftOpened
    | e.ShiftClosed
)


def noted(event: e.Event) -> Noted | None:
    """Take what the figures need of an event; nothing of most."""
    take = _TAKE.get(type(event))
    return None if take is None else take(event)


def _settled(event: e.RoundSettled) -> Settled:
    return Settled(
        round=event.round,
        faces=event.faces,
        by=event.by,
        stakes=_playing(event),
        bets=len(event.lines),
        collected=event.collected,
        paid=event.paid,
    )


def _playing(event: e.RoundSettled) -> dict[str, int]:
    """Tell what played on each box: all that lay there, less what was outside the limits [D2]."""
    stakes: dict[str, int] = {}
    for line in event.lines:
        stakes[line.box] = stakes.get(line.box, 0) + line.stake
    for part in event.playing:
        stakes[part.box] -= part.stake - part.playing
    return stakes


def _voided(event: e.RoundVoided) -> e.RoundVoided:
    return e.RoundVoided(event.round, event.code, event.clause, ())


def _given(event: e.RoundsReversed | e.RoundResettled) -> int:
    return sum(each.given - each.taken for each in (*event.netted, *event.gone))


def _ruled(event: e.RulingRecorded) -> PutRight:
    to_players = sum(each.amount for each in event.postings if _is_a_players(each.destination))
    from_players = sum(each.amount for each in event.postings if _is_a_players(each.source))
    return PutRight(to_players - from_players)


def _is_a_players(account: str) -> bool:
    return account.startswith(_PLAYERS)


_PLAYERS = credits_of("")
_TAKE: dict[type[e.Event], Callable[[Any], Noted]] = {
    **dict.fromkeys(_PLAIN, lambda event: event),
    e.RoundSettled: _settled,
    e.RoundResettled: lambda event: Resettled(event.round, event.faces, _given(event)),
    e.RoundsReversed: lambda event: Reversed(event.rounds, _given(event)),
    e.RoundVoided: _voided,
    e.RulingRecorded: _ruled,
    e.RecoveryRecorded: lambda event: PutRight(event.missing),
    e.CreditsReceived: lambda event: Moved(drop=event.amount),
    e.CashedOut: lambda event: Moved(out=event.amount),
    e.ChipsBought: lambda event: Moved(drop=event.cash + event.dropped),
    e.ColourBought: lambda event: Moved(drop=event.cash),
    e.SeatLeft: lambda event: Moved(out=event.taken),
    e.PlayerWalkedAway: lambda event: Moved(out=event.taken),
    e.MoneyKept: lambda event: Moved(out=event.amount),
}
#: The types of event that the figures are made from.
WANTED: tuple[type[e.Event], ...] = tuple(_TAKE)
