"""Every event told as a sentence, in any language: what happened, without who and when.

An event whose parts people look at one by one, as bets on several boxes, is several sentences.
"""

from collections.abc import Callable, Iterator
from typing import Any

from taisai.core.cage.vouchers import (
    CageOpened,
    SerialsSkipped,
    VoucherIssued,
    VoucherPaid,
    VoucherTaken,
)
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import BoxStake, Event
from taisai.core.kernel.transits import TransitClosed
from taisai.core.rules.apportionment import why_part
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import Reason, because
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.irregularities import InterruptionRecorded, IrregularityReported
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
)
from taisai.core.table.provably_fair import ChainAbandoned, ChainPublished, SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    FacePressed,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
    TumbleRecorded,
)
from taisai.core.table.setup import (
    ChecksRecorded,
    DiceRegistered,
    LimitsSet,
    NoticeGiven,
    RulebookAdopted,
    SafeProcedureDeclared,
    TableClosed,
    TableCreated,
    TableOpened,
    TableRectified,
    TableStopped,
    TerminalEnrolled,
)
from taisai.core.venue.setup import TableAdmitted, VenueOpened, VenueRestored
from taisai.core.venue.staff import (
    LockedOut,
    LoggedIn,
    LoggedOut,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
)
from taisai.core.venue.terminal_keys import TerminalKeyIssued
from taisai.projections.chip_sentences import TELL_FELT

Teller = Callable[[Any], Iterator[Reason]]


def tell(event: Event) -> list[Reason]:
    """Tell what an event says happened."""
    return list(_TELL[type(event)](event))


def write_dice(faces: Faces) -> str:
    """Write three faces so that no spreadsheet takes them for a date."""
    return " ".join(map(str, faces))


def _plain(code: str, **fields: str) -> Teller:
    """Tell an event by one sentence; each blank is filled from the field named beside it."""

    def told(event: Any) -> Iterator[Reason]:
        yield because(code, **{blank: getattr(event, field) for blank, field in fields.items()})

    return told


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


def _checks(event: ChecksRecorded) -> Iterator[Reason]:
    yield because("EVENT_CHECKS_RECORDED", checks=", ".join(event.checks))


def _tumble(event: TumbleRecorded) -> Iterator[Reason]:
    yield because("EVENT_TUMBLE_RECORDED", times=event.times)
    if not event.flat:
        yield because("EVENT_TUMBLE_NOT_FLAT")
    if not event.concealed:
        yield because("EVENT_TUMBLE_EXPOSED")


def _bets_closed(event: BetsClosed) -> Iterator[Reason]:
    code = "EVENT_BETS_CLOSED_BELL" if event.bell else "EVENT_BETS_CLOSED"
    yield because(code, words=event.words)
    for terminal, box, amount in event.rejected:
        yield because("EVENT_BET_REJECTED", terminal=terminal, box=box, stake_cents=amount)


def _reported(event: ResultReported) -> Iterator[Reason]:
    yield because("EVENT_RESULT_REPORTED", source=event.source, dice=write_dice(event.faces))


def _entered(event: ResultEntered) -> Iterator[Reason]:
    dice = write_dice(event.faces)
    if event.source == "declared":
        yield because("EVENT_OUTCOME_DECLARED", dice=dice)
    else:
        yield because("EVENT_RESULT_ENTERED", dice=dice, source=event.source)


def _confirmed(event: ResultConfirmed) -> Iterator[Reason]:
    dice = write_dice(event.faces)
    yield because("EVENT_RESULT_CONFIRMED", dice=dice, boxes=len(event.winners))


def _amended(event: ResultAmended) -> Iterator[Reason]:
    before, dice = write_dice(event.before), write_dice(event.faces)
    yield because("EVENT_RESULT_AMENDED", before=before, dice=dice)


def _settled(event: RoundSettled) -> Iterator[Reason]:
    yield because(
        "EVENT_ROUND_SETTLED",
        round=event.round,
        dice=write_dice(event.faces),
        collected_cents=event.collected,
        paid_cents=event.paid,
    )
    for part in event.playing:
        yield why_part(part)


def _voided(event: RoundVoided) -> Iterator[Reason]:
    returned = sum(line.stake for line in event.returned)
    given = {"round": event.round, "returned_cents": returned}
    yield because("EVENT_ROUND_VOIDED", **given, what=event.code)


def _revealed(event: SecretRevealed) -> Iterator[Reason]:
    code = "EVENT_SECRET_REVEALED" if event.agrees else "EVENT_SECRET_DISAGREES"
    yield because(code, round=event.round, dice=write_dice(event.drawn))


def _bet(terminal: str, bet: BoxStake) -> dict[str, int | str]:
    return {"terminal": terminal, "box": bet.box, "stake_cents": bet.stake}


def _registered(event: BetsRegistered) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet(event.terminal, bet)
        if event.on_behalf_by is None:
            yield because("EVENT_BET_REGISTERED", **given)
        else:
            yield because("EVENT_BET_REGISTERED_FOR", **given, person=event.on_behalf_by)


def _withdrawn(event: BetsWithdrawn) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet(event.terminal, bet)
        if event.on_behalf_by is None:
            yield because("EVENT_BET_WITHDRAWN", **given)
        else:
            yield because("EVENT_BET_WITHDRAWN_FOR", **given, person=event.on_behalf_by)


def _irregular(event: IrregularityReported) -> Iterator[Reason]:
    code = "EVENT_IRREGULARITY_IN_DOUBT" if event.in_doubt else "EVENT_IRREGULARITY"
    yield because(code, what=event.code, ruling=event.ruling)


_INTERRUPTIONS = {
    "conclude": "EVENT_INTERRUPTION_CONCLUDE",
    "wait": "EVENT_INTERRUPTION_WAIT",
    "void-round": "EVENT_INTERRUPTION_VOID",
    "none": "EVENT_INTERRUPTION_NONE",
}


def _interrupted(event: InterruptionRecorded) -> Iterator[Reason]:
    yield because(_INTERRUPTIONS[event.ruling])


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
    given = {"before": write_dice(event.before), "dice": write_dice(event.faces)}
    yield because("EVENT_ROUND_RESETTLED", round=event.round, **given, **_netted(event))


def _ruled(event: RulingRecorded) -> Iterator[Reason]:
    moved = sum(posting.amount for posting in event.postings)
    if event.postings:
        yield because("EVENT_RULING_MOVES", count=len(event.postings), moved_cents=moved)
    else:
        yield because("EVENT_RULING")


def _own_limits(event: OwnLimitsSet) -> Iterator[Reason]:
    if event.loss is not None:
        yield because("EVENT_OWN_LOSS_LIMIT", terminal=event.terminal, loss_cents=event.loss)
    if event.session_seconds is not None:
        seconds = event.session_seconds
        yield because("EVENT_OWN_TIME_LIMIT", terminal=event.terminal, seconds=seconds)
    if event.loss is None and event.session_seconds is None:
        yield because("EVENT_OWN_LIMITS_NONE", terminal=event.terminal)


def _asked(event: ApprovalRequested) -> Iterator[Reason]:
    command = type(event.order.command).__name__
    yield because("EVENT_APPROVAL_REQUESTED", command=command, person=event.order.actor.person)


def _approved(event: CommandApproved) -> Iterator[Reason]:
    yield because("EVENT_COMMAND_APPROVED", person=event.by.person)


def _declined(event: CommandDeclined) -> Iterator[Reason]:
    yield because("EVENT_COMMAND_DECLINED", person=event.by.person)


def _house_opened(event: VenueOpened) -> Iterator[Reason]:
    code = "EVENT_DEMO_OPENED" if event.demo else "EVENT_VENUE_OPENED"
    yield because(code, name=event.name, currency=event.currency)


def _staffed(code: str) -> Teller:
    """Tell who has which roles from now on, and who decided that."""

    def told(event: StaffAppointed | RolesChanged) -> Iterator[Reason]:
        roles = ", ".join(event.roles)
        yield because(code, person=event.person, roles=roles, by=event.by, second=event.second)

    return told


_TELL: dict[type[Event], Teller] = {
    TableCreated: _created,
    TerminalEnrolled: _plain("EVENT_TERMINAL_ENROLLED", terminal="terminal", place="place"),
    RulebookAdopted: _plain("EVENT_RULEBOOK_ADOPTED", key="key", pay_table="pay_table"),
    LimitsSet: _limits,
    DiceRegistered: _plain("EVENT_DICE_REGISTERED", dice_set="dice_set", seal="seal"),
    ChecksRecorded: _checks,
    TableOpened: _plain("EVENT_TABLE_OPENED"),
    NoticeGiven: _plain("EVENT_NOTICE_GIVEN"),
    TableClosed: _plain("EVENT_TABLE_CLOSED"),
    RoundStarted: _plain("EVENT_ROUND_STARTED", round="round"),
    BetsOpened: _plain("EVENT_BETS_OPENED", words="words"),
    TumbleRecorded: _tumble,
    BetsClosed: _bets_closed,
    FacePressed: _plain("EVENT_FACE_PRESSED", face="face"),
    ResultReported: _reported,
    ResultsDisagreed: _plain("EVENT_RESULTS_DISAGREED"),
    ResultEntered: _entered,
    ResultConfirmed: _confirmed,
    ResultAmended: _amended,
    RoundSettled: _settled,
    RoundVoided: _voided,
    ChainPublished: _plain(
        "EVENT_CHAIN_PUBLISHED", length="length", first="first", commitment="commitment"
    ),
    SecretRevealed: _revealed,
    ChainAbandoned: _plain("EVENT_CHAIN_ABANDONED", by="by", second="second"),
    BetsRegistered: _registered,
    BetsWithdrawn: _withdrawn,
    IrregularityReported: _irregular,
    InterruptionRecorded: _interrupted,
    TableStopped: _plain("EVENT_TABLE_STOPPED"),
    TableRectified: _plain("EVENT_TABLE_RECTIFIED"),
    SafeProcedureDeclared: _plain("EVENT_SAFE_PROCEDURE"),
    RoundsReversed: _reversed,
    RoundResettled: _resettled,
    RulingRecorded: _ruled,
    CreditsReceived: _plain("EVENT_CREDITS_RECEIVED", terminal="terminal", amount_cents="amount"),
    CashedOut: _plain("EVENT_CASHED_OUT", terminal="terminal", amount_cents="amount"),
    SessionEnded: _plain("EVENT_SESSION_ENDED", terminal="terminal"),
    TransitClosed: _plain("EVENT_TRANSIT_CLOSED", transit="transit", amount_cents="amount"),
    TerminalLost: _plain("EVENT_TERMINAL_LOST", terminal="terminal"),
    TerminalRestored: _plain("EVENT_TERMINAL_RESTORED", terminal="terminal"),
    OwnLimitsSet: _own_limits,
    TerminalBarred: _plain("EVENT_TERMINAL_BARRED", terminal="terminal"),
    BarLifted: _plain("EVENT_BAR_LIFTED", terminal="terminal"),
    TerminalLocked: _plain("EVENT_TERMINAL_LOCKED", terminal="terminal", won_cents="won"),
    LockCleared: _plain("EVENT_LOCK_CLEARED", terminal="terminal"),
    ApprovalRequested: _asked,
    CommandApproved: _approved,
    CommandDeclined: _declined,
    CageOpened: _plain("EVENT_CAGE_OPENED", currency="currency", days="voucher_days"),
    VoucherIssued: _plain(
        "EVENT_VOUCHER_ISSUED", serial="serial", value_cents="value", place="place"
    ),
    VoucherTaken: _plain(
        "EVENT_VOUCHER_TAKEN",
        serial="serial",
        value_cents="value",
        terminal="terminal",
        table="table",
    ),
    VoucherPaid: _plain("EVENT_VOUCHER_PAID", serial="serial", value_cents="value"),
    SerialsSkipped: _plain("EVENT_SERIALS_SKIPPED", upto="upto", by="by", second="second"),
    VenueOpened: _house_opened,
    TableAdmitted: _plain("EVENT_TABLE_ADMITTED", stream="stream"),
    VenueRestored: _plain(
        "EVENT_VENUE_RESTORED", by="by", second="second", checkpoint="checkpoint"
    ),
    StaffAppointed: _staffed("EVENT_STAFF_APPOINTED"),
    RolesChanged: _staffed("EVENT_ROLES_CHANGED"),
    StaffDismissed: _plain("EVENT_STAFF_DISMISSED", person="person", by="by"),
    TerminalKeyIssued: _plain(
        "EVENT_TERMINAL_KEY_ISSUED", terminal="terminal", table="table", by="by"
    ),
    LoggedIn: _plain("EVENT_LOGGED_IN", person="person", role="role", place="place"),
    LoggedOut: _plain("EVENT_LOGGED_OUT", person="person"),
    LockedOut: _plain("EVENT_LOCKED_OUT", person="person", place="place"),
    **{
        kind: told if callable(told) else _plain(told[0], **told[1])
        for kind, told in TELL_FELT.items()
    },
}
