"""How an event is announced to everybody: no names, no notes, nobody's money; in a language."""

from collections.abc import Callable
from typing import Any

from taisai.core.kernel.approvals import CommandDeclined
from taisai.core.kernel.messages import Event
from taisai.core.rules.dice import call_of, result_of
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.colours import ColourAssigned, ColourReleased
from taisai.core.table.chips.payout import WinnersPaid
from taisai.core.table.chips.seats import SeatLeft, SeatTaken, UnclaimedSetAside
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.irregularities import InterruptionRecorded, IrregularityReported
from taisai.core.table.provably_fair import ChainAbandoned, ChainPublished, SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
    TumbleRecorded,
)
from taisai.core.table.setup import (
    LimitsSet,
    NoticeGiven,
    RulebookAdopted,
    SafeProcedureDeclared,
    TableClosed,
    TableOpened,
    TableRectified,
    TableStopped,
)
from taisai.projections.sentences import sentences_of
from taisai.protocol import public as p
from taisai.protocol.roads import mark_of
from taisai.wording import say

Show = Callable[[Any, str], p.AnyPublicEvent | None]


def public_of(event: Event, language: str) -> p.AnyPublicEvent | None:
    """Make the public form of an event; most events of terminals and staff have none.

    [ts6 5.11; etg8 1.3, 5.8]
    """
    show = _SHOW.get(type(event))
    return None if show is None else show(event, language)


def is_public(event: Event) -> bool:
    """Say whether everybody may know of an event."""
    if isinstance(event, CommandDeclined):
        return event.lifts_doubt
    return type(event) in _SHOW


def _entered(event: ResultEntered, language: str) -> p.ResultEntered:
    result = result_of(event.faces)
    return p.ResultEntered(event.faces, result.total, say(call_of(result), language))


def _amended(event: ResultAmended, language: str) -> p.ResultAmended:
    result = result_of(event.faces)
    call = say(call_of(result), language)
    return p.ResultAmended(event.faces, result.total, call, event.before, event.clause)


def _settled(event: RoundSettled, _: str) -> p.RoundSettled:
    odds = {box: odds for box, odds in event.odds.items() if odds is not None}
    return p.RoundSettled(event.round, event.faces, odds, *mark_of(event.faces))


def _voided(event: RoundVoided, language: str) -> p.RoundVoided:
    sentence = say(sentences_of(event)[0], language)
    return p.RoundVoided(event.round, event.code, event.clause, sentence)


def _irregular(event: IrregularityReported, _: str) -> p.IrregularityReported:
    return p.IrregularityReported(event.code, event.ruling, event.clause, event.in_doubt)


_SHOW: dict[type[Event], Show] = {
    RulebookAdopted: lambda event, _: p.RulebookAdopted(event.key, event.sha256, event.pay_table),
    LimitsSet: lambda _, __: p.LimitsSet(),
    TableOpened: lambda _, __: p.TableOpened(),
    NoticeGiven: lambda _, __: p.NoticeGiven(),
    TableClosed: lambda _, __: p.TableClosed(),
    RoundStarted: lambda event, _: p.RoundStarted(event.round, event.at),
    BetsOpened: lambda event, _: p.BetsOpened(event.words, event.clause),
    TumbleRecorded: lambda event, _: p.TumbleRecorded(event.times),
    BetsClosed: lambda event, _: p.BetsClosed(event.words, event.bell, event.clause),
    ResultsDisagreed: lambda _, __: p.ResultsDisagreed(),
    ResultEntered: _entered,
    ResultConfirmed: lambda event, _: p.ResultConfirmed(event.faces, event.winners),
    ResultAmended: _amended,
    RoundSettled: _settled,
    RoundVoided: _voided,
    ChainPublished: lambda event, _: p.ChainPublished(event.commitment, event.length, event.first),
    SecretRevealed: lambda event, _: p.SecretRevealed(
        event.round, event.secret, event.drawn, event.agrees
    ),
    ChainAbandoned: lambda _, __: p.ChainAbandoned(),
    IrregularityReported: _irregular,
    CommandDeclined: lambda event, _: p.DoubtLifted() if event.lifts_doubt else None,
    InterruptionRecorded: lambda event, _: p.InterruptionRecorded(event.ruling, event.clause),
    TableStopped: lambda event, _: p.TableStopped(event.clause),
    TableRectified: lambda _, __: p.TableRectified(),
    SafeProcedureDeclared: lambda _, __: p.SafeProcedureDeclared(),
    RoundsReversed: lambda event, _: p.RoundsReversed(event.rounds, event.clause),
    RoundResettled: lambda event, _: p.RoundResettled(
        event.round, event.faces, event.before, event.clause, *mark_of(event.faces)
    ),
    SeatTaken: lambda event, _: p.SeatTaken(event.seat),
    SeatLeft: lambda event, _: p.SeatLeft(event.seat),
    # Who walked away has the seat until what is theirs is kept for them.
    UnclaimedSetAside: lambda event, _: p.SeatLeft(event.seat),
    ColourAssigned: lambda event, _: p.ColourAssigned(event.seat, event.colour, event.value),
    ColourReleased: lambda event, _: p.ColourReleased(event.colour),
    WinnersPaid: lambda event, _: p.WinnersPaid(event.round),
}
