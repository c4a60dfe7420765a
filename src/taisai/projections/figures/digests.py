"""Digests of events with only what the figures need: bets summed by box, names of rounds.

A settled round may have a hundred thousand lines. While older events are still being read, only one
amount for each box is kept of it.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from taisai.core.kernel.ledger import FLOOR, credits_of, postings_of
from taisai.core.kernel.messages import Event
from taisai.core.rules.dice import Faces
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.colours import ColourBought
from taisai.core.table.chips.recovery import RecoveryRecorded
from taisai.core.table.chips.seats import ChipsBought, PlayerWalkedAway, SeatLeft, UnclaimedSetAside
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.positions import CashedOut, CreditsReceived
from taisai.core.table.round import RoundSettled
from taisai.core.table.service import SessionEndedByStaff, WinSetAside


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
    """A round settled again by the right dice, and what that gave to players in all."""

    round: int
    faces: Faces
    given: int


class Reversed(Struct, frozen=True):
    """Rounds that were reversed, and what that gave to players in all."""

    rounds: tuple[int, ...]
    given: int


class PutRight(Struct, frozen=True):
    """Money that a ruling gave to players or left with them; negative if it was taken."""

    given: int


class Moved(Struct, frozen=True):
    """Money that players brought to the table, or took from it."""

    drop: int = 0
    out: int = 0


#: A digest: the event itself, or one of the classes above.
Noted = Event | Settled | Resettled | Reversed | PutRight | Moved


def _settled(event: RoundSettled) -> Settled:
    return Settled(
        round=event.round,
        faces=event.faces,
        by=event.by,
        stakes=_playing(event),
        bets=len(event.lines),
        collected=event.collected,
        paid=event.paid,
    )


def _playing(event: RoundSettled) -> dict[str, int]:
    """Give what played on each box: all bets, less the parts outside the limits [D2]."""
    stakes: dict[str, int] = {}
    for line in event.lines:
        box = line.box
        stakes[box] = stakes.get(box, 0) + line.stake
    for part in event.playing:
        stakes[part.box] -= part.stake - part.playing
    return stakes


def _given(event: RoundsReversed | RoundResettled) -> int:
    return sum(each.given - each.taken for each in (*event.netted, *event.gone))


def _ruled(event: RulingRecorded) -> PutRight:
    came, left = _came_and_left(event)
    return PutRight(came - left)


def _moved(event: Event) -> Moved:
    return Moved(*_came_and_left(event))


def _came_and_left(event: Event) -> tuple[int, int]:
    """Add up what an event posts to players' credits, and what it posts from them.

    Chips that players had with them are not counted: they were bought before.
    """
    postings = postings_of(event)
    came = (each for each in postings if each.source != FLOOR and _is_a_players(each.destination))
    left = (each for each in postings if _is_a_players(each.source))
    return sum(each.amount for each in came), sum(each.amount for each in left)


def _is_a_players(account: str) -> bool:
    return account.startswith(_PLAYERS)


_PLAYERS = credits_of("")
#: Events by which players bring money to the table, or take it from it.
_BROUGHT_OR_TAKEN: tuple[type[Event], ...] = (
    CreditsReceived,
    CashedOut,
    ChipsBought,
    ColourBought,
    SeatLeft,
    PlayerWalkedAway,
    UnclaimedSetAside,
    SessionEndedByStaff,
    WinSetAside,
)
#: How to make the digest of each event that is too long to be kept; others are kept as they are.
DIGESTS: dict[type[Event], Callable[[Any], Noted]] = {
    RoundSettled: _settled,
    RoundResettled: lambda event: Resettled(event.round, event.faces, _given(event)),
    RoundsReversed: lambda event: Reversed(event.rounds, _given(event)),
    RoundVoided: lambda event: RoundVoided(event.round, event.code, event.clause, ()),
    RulingRecorded: _ruled,
    RecoveryRecorded: lambda event: PutRight(event.missing),
    **dict.fromkeys(_BROUGHT_OR_TAKEN, _moved),
}
