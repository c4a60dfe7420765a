"""How an event is announced to everybody: no names, no notes, nobody's money; in a language."""

from collections.abc import Callable
from typing import Any

from taisai.core import events as e
from taisai.core.rules.dice import call_of, result_of
from taisai.projections.sentences import tell
from taisai.protocol import public as p
from taisai.protocol.roads import mark_of
from taisai.wording import say

Show = Callable[[Any, str], p.AnyPublicEvent | None]


def public_of(event: e.Event, language: str) -> p.AnyPublicEvent | None:
    """Make the public form of an event; most events of terminals and staff have none."""
    show = _SHOW.get(type(event))
    return None if show is None else show(event, language)


def is_public(event: e.Event) -> bool:
    """Say whether everybody may know of an event."""
    if isinstance(event, e.CommandDeclined):
        return event.lifts_doubt
    return type(event) in _SHOW


def _entered(event: e.ResultEntered, language: str) -> p.ResultEntered:
    result = result_of(event.faces)
    return p.ResultEntered(event.faces, result.total, say(call_of(result), language))


def _amended(event: e.ResultAmended, language: str) -> p.ResultAmended:
    result = result_of(event.faces)
    call = say(call_of(result), language)
    return p.ResultAmended(event.faces, result.total, call, event.before, event.clause)


def _settled(event: e.RoundSettled, _: str) -> p.RoundSettled:
    odds = {box: odds for box, odds in event.odds.items() if odds is not None}
    return p.RoundSettled(event.round, event.faces, odds, *mark_of(event.faces))


def _voided(event: e.RoundVoided, language: str) -> p.RoundVoided:
    sentence = say(tell(event)[0], language)
    return p.RoundVoided(event.round, event.code, event.clause, sentence)


def _irregular(event: e.IrregularityReported, _: str) -> p.IrregularityReported:
    return p.IrregularityReported(event.code, event.ruling, event.clause, event.in_doubt)


_SHOW: dict[type[e.Event], Show] = {
    e.RulebookAdopted: lambda event, _: p.RulebookAdopted(event.key, event.sha256, event.pay_table),
    e.LimitsSet: lambda _, __: p.LimitsSet(),
    e.TableOpened: lambda _, __: p.TableOpened(),
    e.NoticeGiven: lambda _, __: p.NoticeGiven(),
    e.TableClosed: lambda _, __: p.TableClosed(),
    e.RoundStarted: lambda event, _: p.RoundStarted(event.round, event.at),
    e.BetsOpened: lambda event, _: p.BetsOpened(event.words, event.clause),
    e.TumbleRecorded: lambda event, _: p.TumbleRecorded(event.times),
    e.BetsClosed: lambda event, _: p.BetsClosed(event.words, event.bell, event.clause),
    e.ResultsDisagreed: lambda _, __: p.ResultsDisagreed(),
    e.ResultEntered: _entered,
    e.ResultConfirmed: lambda event, _: p.ResultConfirmed(event.faces, event.winners),
    e.ResultAmended: _amended,
    e.RoundSettled: _settled,
    e.RoundVoided: _voided,
    e.ChainPublished: lambda event, _: p.ChainPublished(
        event.commitment, event.length, event.first
    ),
    e.SecretRevealed: lambda event, _: p.SecretRevealed(
        event.round, event.secret, event.drawn, event.agrees
    ),
    e.ChainAbandoned: lambda _, __: p.ChainAbandoned(),
    e.IrregularityReported: _irregular,
    e.CommandDeclined: lambda event, _: p.DoubtLifted() if event.lifts_doubt else None,
    e.InterruptionRecorded: lambda event, _: p.InterruptionRecorded(event.ruling, event.clause),
    e.TableStopped: lambda event, _: p.TableStopped(event.clause),
    e.TableRectified: lambda _, __: p.TableRectified(),
    e.SafeProcedureDeclared: lambda _, __: p.SafeProcedureDeclared(),
    e.RoundsReversed: lambda event, _: p.RoundsReversed(event.rounds, event.clause),
    e.RoundResettled: lambda event, _: p.RoundResettled(
        event.round, event.faces, event.before, event.clause, *mark_of(event.faces)
    ),
    e.SeatTaken: lambda event, _: p.SeatTaken(event.seat),
    e.SeatLeft: lambda event, _: p.SeatLeft(event.seat),
    # Who walked away has the seat until what is theirs is kept for them.
    e.MoneyKept: lambda event, _: p.SeatLeft(event.seat),
    e.ColourAssigned: lambda event, _: p.ColourAssigned(event.seat, event.colour, event.value),
    e.ColourReleased: lambda event, _: p.ColourReleased(event.colour),
    e.WinnersPaid: lambda event, _: p.WinnersPaid(event.round),
}
