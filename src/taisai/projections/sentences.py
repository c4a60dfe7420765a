"""Every event as sentences, in any language: what happened, without who and when.

An event is one sentence, named after its class: `SeatTaken` is `EVENT_SEAT_TAKEN`. Each blank of
the sentence is filled from the event's field of that name; an amount's blank ends in `_cents`. Only
an event with several sentences, or with a choice of them, has a function.
"""

from collections.abc import Callable, Iterator
from typing import Any

from taisai.core.cage.drawer import ShiftClosed
from taisai.core.kernel.messages import BoxStake, Event
from taisai.core.rules.apportionment import why_part
from taisai.core.rules.reason import Reason, because
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.layout_bets import (
    AdvisedBetReturned,
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    RecordCorrected,
)
from taisai.core.table.chips.pieces import RecordedBet, value_of
from taisai.core.table.chips.rulings import BetRuled, LateBetRefused
from taisai.core.table.chips.seats import ChipsExchanged
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.interruption import InterruptionRecorded, OutcomeTestified
from taisai.core.table.irregularities import IrregularityReported, ReportDeclined
from taisai.core.table.positions import OwnLimitsSet
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    ResultConfirmed,
    ResultEntered,
    RoundSettled,
)
from taisai.core.table.tumble import TumbleRecorded
from taisai.projections.filling import named
from taisai.projections.of_venue import OF_ALERTS, OF_VENUE
from taisai.projections.requests import OF_REQUESTS
from taisai.projections.setting_up import SETTING_UP


def sentences_of(event: Event) -> list[Reason]:
    """Give the sentences that say what happened."""
    kind = type(event)
    if kind in _SEVERAL:
        return list(_SEVERAL[kind](event))
    one = _ONE.get(kind)
    return [named(event) if one is None else one(event)]


# --- an event with a choice of sentences, or with blanks that no field fills as it is -------------


def _irregular(event: IrregularityReported) -> Reason:
    read = "EVENT_IRREGULARITY_READ" if event.device else None
    code = "EVENT_IRREGULARITY_IN_DOUBT" if event.in_doubt else read
    return named(event, code, what=event.code)


def _ruled(event: RulingRecorded) -> Reason:
    moved = sum(posting.amount for posting in event.postings)
    code = "EVENT_RULING_MOVES" if event.postings else None
    return named(event, code, count=len(event.postings), moved_cents=moved)


def _netted(event: RoundsReversed | RoundResettled, code: str, **more: int) -> Reason:
    netted = (*event.netted, *event.gone)
    covered = sum(each.covered for each in netted)
    if covered:
        code, more = f"{code}_COVERED", more | {"covered_cents": covered}
    return named(
        event,
        code,
        given_cents=sum(each.given for each in event.netted),
        aside_cents=sum(each.given for each in event.gone),
        taken_cents=sum(each.taken for each in netted),
        shortfall_cents=sum(each.shortfall for each in netted),
        **more,
    )


def _bet(what: str, place: str, bet: BoxStake | RecordedBet) -> dict[str, int | str]:
    stake = bet.stake if isinstance(bet, BoxStake) else bet.amount
    return {what: place, "box": bet.box, "stake_cents": stake}


_ONE: dict[type[Event], Callable[[Any], Reason]] = {
    **SETTING_UP,
    **OF_VENUE,
    BetsOpened: lambda event: named(event, "EVENT_BETS_NOTICE" if event.words is None else None),
    ResultEntered: lambda event: named(
        event, "EVENT_OUTCOME_DECLARED" if event.source == "declared" else None
    ),
    ResultConfirmed: lambda event: named(event, boxes=len(event.winners)),
    RoundVoided: lambda event: named(
        event, what=event.code, returned_cents=sum(line.stake for line in event.returned)
    ),
    SecretRevealed: lambda event: named(event, None if event.agrees else "EVENT_SECRET_DISAGREES"),
    IrregularityReported: _irregular,
    ReportDeclined: lambda event: named(
        event, "EVENT_REPORT_DECLINED_AGAIN" if event.tumbles_again else None, what=event.code
    ),
    InterruptionRecorded: lambda event: because(
        "EVENT_INTERRUPTION_" + event.ruling.replace("-", "_").upper()
    ),
    RoundsReversed: lambda event: _netted(event, "EVENT_ROUNDS_REVERSED", count=len(event.rounds)),
    RoundResettled: lambda event: _netted(event, "EVENT_ROUND_RESETTLED"),
    RulingRecorded: _ruled,
    ExcessRejected: lambda event: named(event, **_bet("seat", event.seat, event.bet)),
    AdvisedBetReturned: lambda event: named(event, **_bet("seat", event.seat, event.bet)),
    LateBetRefused: lambda event: named(event, **_bet("seat", event.seat, event.bet)),
    BetRuled: lambda event: named(
        event,
        f"EVENT_BET_RULED_{event.verdict.upper()}",
        what=event.why,
        plays_cents=event.plays,
        **_bet("seat", event.seat, event.bet),
    ),
    ChipsExchanged: lambda event: named(event, amount_cents=value_of(event.given, {})),
    ShiftClosed: lambda event: named(
        event, None if event.by is None else "EVENT_SHIFT_CLOSED_FOR", person=event.by
    ),
}


def voided_for_all(event: RoundVoided) -> Reason:
    """Say that a round is void, to readers who may not see the bets of others."""
    return because("ROUND_VOIDED_FOR_ALL", round=event.round, what=event.code)


# --- an event with several sentences -------------------------------------------------------------


def _tumble(event: TumbleRecorded) -> Iterator[Reason]:
    yield named(event)
    if not event.flat:
        yield because("EVENT_TUMBLE_NOT_FLAT")
    if not event.concealed:
        yield because("EVENT_TUMBLE_EXPOSED")


def _bets_closed(event: BetsClosed) -> Iterator[Reason]:
    code = "EVENT_BETS_DISPLAYED_CLOSED" if event.displayed else "EVENT_BETS_CLOSED"
    if event.report is not None:
        yield named(event, f"{code}_REPORT", what=event.report)
    else:
        yield named(event, f"{code}_BELL" if event.bell else code)
    for terminal, box, amount in event.rejected:
        yield because("EVENT_BET_REJECTED", terminal=terminal, box=box, stake_cents=amount)


def _settled(event: RoundSettled) -> Iterator[Reason]:
    yield named(event)
    yield from map(why_part, event.playing)


def _each_bet(code: str) -> Callable[[BetsRegistered | BetsWithdrawn], Iterator[Reason]]:
    def sentences(event: BetsRegistered | BetsWithdrawn) -> Iterator[Reason]:
        for bet in event.bets:
            given = _bet("terminal", event.terminal, bet)
            if event.on_behalf_by is None:
                yield because(code, **given)
            else:
                yield because(f"{code}_FOR", **given, person=event.on_behalf_by)

    return sentences


def _recorded(event: BetsRecorded) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet("seat", event.seat, bet)
        if event.oral:
            yield because("EVENT_BET_SPOKEN", **given)
        elif event.on_behalf:
            yield because("EVENT_BET_RECORDED_FOR", **given, person=event.by)
        else:
            yield because("EVENT_BET_RECORDED", **given)

    yield from _read_late(event)


def _corrected(event: RecordCorrected) -> Iterator[Reason]:
    yield named(event, before_cents=event.before.amount, **_bet("seat", event.seat, event.after))
    yield from _read_late(event)


def _read_late(event: BetsRecorded | RecordCorrected) -> Iterator[Reason]:
    """Say that the dice could be seen at a late reading, and which moment's layout it is."""
    if event.late:
        yield because(f"EVENT_READ_LATE_{str(event.lay_at).upper()}", note=event.note)


def _taken_back(event: BetsTakenBack) -> Iterator[Reason]:
    for bet in event.bets:
        yield because("EVENT_BET_TAKEN_BACK", **_bet("seat", event.seat, bet))


def _testified(event: OutcomeTestified) -> Iterator[Reason]:
    for fact in event.facts:
        yield because(f"EVENT_OUTCOME_TESTIFIED_{fact.upper()}")


def _own_limits(event: OwnLimitsSet) -> Iterator[Reason]:
    if event.loss is not None:
        yield because("EVENT_OWN_LOSS_LIMIT", terminal=event.terminal, loss_cents=event.loss)
    if event.session_seconds is not None:
        seconds = event.session_seconds
        yield because("EVENT_OWN_TIME_LIMIT", terminal=event.terminal, seconds=seconds)
    if event.loss is None and event.session_seconds is None:
        yield because("EVENT_OWN_LIMITS_NONE", terminal=event.terminal)


_SEVERAL: dict[type[Event], Callable[[Any], Iterator[Reason]]] = {
    TumbleRecorded: _tumble,
    BetsClosed: _bets_closed,
    RoundSettled: _settled,
    BetsRegistered: _each_bet("EVENT_BET_REGISTERED"),
    BetsWithdrawn: _each_bet("EVENT_BET_WITHDRAWN"),
    BetsRecorded: _recorded,
    RecordCorrected: _corrected,
    BetsTakenBack: _taken_back,
    OutcomeTestified: _testified,
    OwnLimitsSet: _own_limits,
    **OF_ALERTS,
    **OF_REQUESTS,
}
