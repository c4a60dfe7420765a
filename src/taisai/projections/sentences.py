"""Every event as sentences, in any language: what happened, without who and when.

An event is one sentence, named after its class: `SeatTaken` is `EVENT_SEAT_TAKEN`. Each blank of
the sentence is filled from the event's field of that name; an amount's blank ends in `_cents`. Only
an event with several sentences, or with a choice of them, has a function.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from string import Formatter
from typing import Any

from taisai.core.cage.drawer import ShiftClosed
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Actor, BoxStake, Event
from taisai.core.rules.apportionment import why_part
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import Reason, because
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.layout_bets import (
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    RecordCorrected,
)
from taisai.core.table.chips.pieces import RecordedBet, value_of
from taisai.core.table.chips.seats import ChipsExchanged
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.irregularities import InterruptionRecorded, IrregularityReported
from taisai.core.table.positions import OwnLimitsSet
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    ResultConfirmed,
    ResultEntered,
    RoundSettled,
    TumbleRecorded,
)
from taisai.core.table.setup import LimitsSet, TableCreated
from taisai.core.venue.setup import VenueOpened
from taisai.wording import words


def sentences_of(event: Event) -> list[Reason]:
    """Give the sentences that say what happened."""
    several = _SEVERAL.get(type(event))
    return [_named(event)] if several is None else list(several(event))


def write_dice(faces: Faces) -> str:
    """Write three faces so that no spreadsheet takes them for a date."""
    return " ".join(map(str, faces))


@cache
def sentence_of(kind: type[Event]) -> str:
    """Name the sentence of a class of event."""
    return "EVENT" + re.sub("(?=[A-Z])", "_", kind.__name__).upper()


@cache
def _blanks(code: str) -> dict[str, str]:
    """Find the blanks of a sentence, each with the field that fills it."""
    parts = Formatter().parse(words("en")["sentences"][code])
    return {blank: blank.removesuffix("_cents") for _, blank, _, _ in parts if blank is not None}


def _named(event: Event) -> Reason:
    code = sentence_of(type(event))
    blanks = _blanks(code).items()
    return because(code, **{blank: _written(getattr(event, field)) for blank, field in blanks})


def _written(value: Any) -> int | str:
    """Write a field as a sentence takes it."""
    match value:
        case Actor(person=person):
            return person
        case (int(), int(), int()):
            return write_dice(value)
        case tuple():
            return ", ".join(value)
        case _:
            plain: int | str = value
            return plain


# --- rounds ----------------------------------------------------------------------------------


def _created(event: TableCreated) -> Iterator[Reason]:
    given = {"table": event.table, "currency": event.currency, "tumbler": event.equipment.tumbler}
    yield because("EVENT_TABLE_CREATED", **given)


def _limits(event: LimitsSet) -> Iterator[Reason]:
    limits = event.limits
    given = {"minimum_cents": limits.minimum, "maximum_cents": limits.maximum}
    if limits.differential is None:
        yield because("EVENT_LIMITS_SET", **given)
    else:
        differential = limits.differential
        yield because("EVENT_LIMITS_SET_DIFFERENTIAL", **given, differential_cents=differential)


def _tumble(event: TumbleRecorded) -> Iterator[Reason]:
    yield _named(event)
    if not event.flat:
        yield because("EVENT_TUMBLE_NOT_FLAT")
    if not event.concealed:
        yield because("EVENT_TUMBLE_EXPOSED")


def _bets_closed(event: BetsClosed) -> Iterator[Reason]:
    yield because("EVENT_BETS_CLOSED_BELL", words=event.words) if event.bell else _named(event)
    for terminal, box, amount in event.rejected:
        yield because("EVENT_BET_REJECTED", terminal=terminal, box=box, stake_cents=amount)


def _entered(event: ResultEntered) -> Iterator[Reason]:
    if event.source == "declared":
        yield because("EVENT_OUTCOME_DECLARED", faces=write_dice(event.faces))
    else:
        yield _named(event)


def _confirmed(event: ResultConfirmed) -> Iterator[Reason]:
    faces = write_dice(event.faces)
    yield because("EVENT_RESULT_CONFIRMED", faces=faces, boxes=len(event.winners))


def _settled(event: RoundSettled) -> Iterator[Reason]:
    yield _named(event)
    for part in event.playing:
        yield why_part(part)


def _voided(event: RoundVoided) -> Iterator[Reason]:
    returned = sum(line.stake for line in event.returned)
    given = {"round": event.round, "returned_cents": returned}
    yield because("EVENT_ROUND_VOIDED", **given, what=event.code)


def _revealed(event: SecretRevealed) -> Iterator[Reason]:
    code = "EVENT_SECRET_REVEALED" if event.agrees else "EVENT_SECRET_DISAGREES"
    yield because(code, round=event.round, drawn=write_dice(event.drawn))


def _irregular(event: IrregularityReported) -> Iterator[Reason]:
    code = "EVENT_IRREGULARITY_IN_DOUBT" if event.in_doubt else "EVENT_IRREGULARITY_REPORTED"
    yield because(code, what=event.code, ruling=event.ruling)


def _interrupted(event: InterruptionRecorded) -> Iterator[Reason]:
    yield because("EVENT_INTERRUPTION_" + event.ruling.replace("-", "_").upper())


def _netted(event: RoundsReversed | RoundResettled) -> dict[str, int]:
    netted = (*event.netted, *event.gone)
    return {
        "given_cents": sum(each.given for each in netted),
        "taken_cents": sum(each.taken for each in netted),
        "shortfall_cents": sum(each.shortfall for each in netted),
    }


def _reversed(event: RoundsReversed) -> Iterator[Reason]:
    given = {"first": event.first, "last": event.last, "count": len(event.rounds)}
    yield because("EVENT_ROUNDS_REVERSED", **given, **_netted(event))


def _resettled(event: RoundResettled) -> Iterator[Reason]:
    given = {"before": write_dice(event.before), "faces": write_dice(event.faces)}
    yield because("EVENT_ROUND_RESETTLED", round=event.round, **given, **_netted(event))


def _ruled(event: RulingRecorded) -> Iterator[Reason]:
    moved = sum(posting.amount for posting in event.postings)
    if event.postings:
        yield because("EVENT_RULING_MOVES", count=len(event.postings), moved_cents=moved)
    else:
        yield _named(event)


# --- bets, positions and people ----------------------------------------------------------------


def _registered(event: BetsRegistered) -> Iterator[Reason]:
    return _each_bet("EVENT_BET_REGISTERED", event)


def _withdrawn(event: BetsWithdrawn) -> Iterator[Reason]:
    return _each_bet("EVENT_BET_WITHDRAWN", event)


def _each_bet(code: str, event: BetsRegistered | BetsWithdrawn) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet("terminal", event.terminal, bet)
        if event.on_behalf_by is None:
            yield because(code, **given)
        else:
            yield because(f"{code}_FOR", **given, person=event.on_behalf_by)


def _bet(what: str, place: str, bet: BoxStake | RecordedBet) -> dict[str, int | str]:
    stake = bet.stake if isinstance(bet, BoxStake) else bet.amount
    return {what: place, "box": bet.box, "stake_cents": stake}


def _recorded(event: BetsRecorded) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet("seat", event.seat, bet)
        if event.oral:
            yield because("EVENT_BET_SPOKEN", **given)
        elif event.on_behalf:
            yield because("EVENT_BET_RECORDED_FOR", **given, person=event.by)
        else:
            yield because("EVENT_BET_RECORDED", **given)


def _corrected(event: RecordCorrected) -> Iterator[Reason]:
    given = _bet("seat", event.seat, event.after)
    yield because("EVENT_RECORD_CORRECTED", **given, before_cents=event.before.amount)


def _taken_back(event: BetsTakenBack) -> Iterator[Reason]:
    for bet in event.bets:
        yield because("EVENT_BET_TAKEN_BACK", **_bet("seat", event.seat, bet))


def _rejected(event: ExcessRejected) -> Iterator[Reason]:
    yield because("EVENT_EXCESS_REJECTED", **_bet("seat", event.seat, event.bet))


def _exchanged(event: ChipsExchanged) -> Iterator[Reason]:
    amount = value_of(event.given, {})
    yield because("EVENT_CHIPS_EXCHANGED", seat=event.seat, amount_cents=amount)


def _shift_closed(event: ShiftClosed) -> Iterator[Reason]:
    counts = {"count_cents": event.count, "expected_cents": event.expected}
    if event.by is None:
        yield _named(event)
    else:
        yield because("EVENT_SHIFT_CLOSED_FOR", cashier=event.cashier, person=event.by, **counts)


def _own_limits(event: OwnLimitsSet) -> Iterator[Reason]:
    if event.loss is not None:
        yield because("EVENT_OWN_LOSS_LIMIT", terminal=event.terminal, loss_cents=event.loss)
    if event.session_seconds is not None:
        seconds = event.session_seconds
        yield because("EVENT_OWN_TIME_LIMIT", terminal=event.terminal, seconds=seconds)
    if event.loss is None and event.session_seconds is None:
        yield because("EVENT_OWN_LIMITS_NONE", terminal=event.terminal)


def _approval(event: ApprovalRequested) -> Iterator[Reason]:
    command = type(event.order.command).__name__
    yield because("EVENT_APPROVAL_REQUESTED", command=command, person=event.order.actor.person)


def _opened(event: VenueOpened) -> Iterator[Reason]:
    if event.demo:
        yield because("EVENT_DEMO_OPENED", name=event.name, currency=event.currency)
    else:
        yield _named(event)


_SEVERAL: dict[type[Event], Callable[[Any], Iterator[Reason]]] = {
    TableCreated: _created,
    LimitsSet: _limits,
    TumbleRecorded: _tumble,
    BetsClosed: _bets_closed,
    ResultEntered: _entered,
    ResultConfirmed: _confirmed,
    RoundSettled: _settled,
    RoundVoided: _voided,
    SecretRevealed: _revealed,
    IrregularityReported: _irregular,
    InterruptionRecorded: _interrupted,
    RoundsReversed: _reversed,
    RoundResettled: _resettled,
    RulingRecorded: _ruled,
    BetsRegistered: _registered,
    BetsWithdrawn: _withdrawn,
    BetsRecorded: _recorded,
    RecordCorrected: _corrected,
    BetsTakenBack: _taken_back,
    ExcessRejected: _rejected,
    ChipsExchanged: _exchanged,
    ShiftClosed: _shift_closed,
    OwnLimitsSet: _own_limits,
    ApprovalRequested: _approval,
    VenueOpened: _opened,
}
