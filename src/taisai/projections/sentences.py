"""Every event told as a sentence, in any language: what happened, without who and when.

An event whose parts people look at one by one, as bets on several boxes, is several sentences.
"""

from collections.abc import Callable, Iterator
from typing import Any

from taisai.core import events as e
from taisai.core.events import Event
from taisai.core.messages import BoxStake
from taisai.core.rules.apportionment import why_part
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import Reason, because
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


def _created(event: e.TableCreated) -> Iterator[Reason]:
    given = {"table": event.table, "currency": event.currency, "tumbler": event.equipment.tumbler}
    yield because("EVENT_TABLE_CREATED", **given)


def _limits(event: e.LimitsSet) -> Iterator[Reason]:
    limits = event.limits
    given = {"minimum_cents": limits.minimum, "maximum_cents": limits.maximum}
    if limits.differential is None:
        yield because("EVENT_LIMITS_SET", **given)
    else:
        differential = limits.differential
        yield because("EVENT_LIMITS_SET_DIFFERENTIAL", **given, differential_cents=differential)


def _checks(event: e.ChecksRecorded) -> Iterator[Reason]:
    yield because("EVENT_CHECKS_RECORDED", checks=", ".join(event.checks))


def _tumble(event: e.TumbleRecorded) -> Iterator[Reason]:
    yield because("EVENT_TUMBLE_RECORDED", times=event.times)
    if not event.flat:
        yield because("EVENT_TUMBLE_NOT_FLAT")
    if not event.concealed:
        yield because("EVENT_TUMBLE_EXPOSED")


def _bets_closed(event: e.BetsClosed) -> Iterator[Reason]:
    code = "EVENT_BETS_CLOSED_BELL" if event.bell else "EVENT_BETS_CLOSED"
    yield because(code, words=event.words)
    for terminal, box, amount in event.rejected:
        yield because("EVENT_BET_REJECTED", terminal=terminal, box=box, stake_cents=amount)


def _reported(event: e.ResultReported) -> Iterator[Reason]:
    yield because("EVENT_RESULT_REPORTED", source=event.source, dice=write_dice(event.faces))


def _entered(event: e.ResultEntered) -> Iterator[Reason]:
    dice = write_dice(event.faces)
    if event.source == "declared":
        yield because("EVENT_OUTCOME_DECLARED", dice=dice)
    else:
        yield because("EVENT_RESULT_ENTERED", dice=dice, source=event.source)


def _confirmed(event: e.ResultConfirmed) -> Iterator[Reason]:
    dice = write_dice(event.faces)
    yield because("EVENT_RESULT_CONFIRMED", dice=dice, boxes=len(event.winners))


def _amended(event: e.ResultAmended) -> Iterator[Reason]:
    before, dice = write_dice(event.before), write_dice(event.faces)
    yield because("EVENT_RESULT_AMENDED", before=before, dice=dice)


def _settled(event: e.RoundSettled) -> Iterator[Reason]:
    yield because(
        "EVENT_ROUND_SETTLED",
        round=event.round,
        dice=write_dice(event.faces),
        collected_cents=event.collected,
        paid_cents=event.paid,
    )
    for part in event.playing:
        yield why_part(part)


def _voided(event: e.RoundVoided) -> Iterator[Reason]:
    returned = sum(line.stake for line in event.returned)
    given = {"round": event.round, "returned_cents": returned}
    yield because("EVENT_ROUND_VOIDED", **given, what=event.code)


def _revealed(event: e.SecretRevealed) -> Iterator[Reason]:
    code = "EVENT_SECRET_REVEALED" if event.agrees else "EVENT_SECRET_DISAGREES"
    yield because(code, round=event.round, dice=write_dice(event.drawn))


def _bet(terminal: str, bet: BoxStake) -> dict[str, int | str]:
    return {"terminal": terminal, "box": bet.box, "stake_cents": bet.stake}


def _registered(event: e.BetsRegistered) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet(event.terminal, bet)
        if event.on_behalf_by is None:
            yield because("EVENT_BET_REGISTERED", **given)
        else:
            yield because("EVENT_BET_REGISTERED_FOR", **given, person=event.on_behalf_by)


def _withdrawn(event: e.BetsWithdrawn) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet(event.terminal, bet)
        if event.on_behalf_by is None:
            yield because("EVENT_BET_WITHDRAWN", **given)
        else:
            yield because("EVENT_BET_WITHDRAWN_FOR", **given, person=event.on_behalf_by)


def _irregular(event: e.IrregularityReported) -> Iterator[Reason]:
    code = "EVENT_IRREGULARITY_IN_DOUBT" if event.in_doubt else "EVENT_IRREGULARITY"
    yield because(code, what=event.code, ruling=event.ruling)


_INTERRUPTIONS = {
    "conclude": "EVENT_INTERRUPTION_CONCLUDE",
    "wait": "EVENT_INTERRUPTION_WAIT",
    "void-round": "EVENT_INTERRUPTION_VOID",
    "none": "EVENT_INTERRUPTION_NONE",
}


def _interrupted(event: e.InterruptionRecorded) -> Iterator[Reason]:
    yield because(_INTERRUPTIONS[event.ruling])


def _netted(event: e.RoundsReversed | e.RoundResettled) -> dict[str, int]:
    netted = (*event.netted, *event.gone)
    return {
        "given_cents": sum(each.given for each in netted),
        "taken_cents": sum(each.taken for each in netted),
        "shortfall_cents": sum(each.shortfall for each in netted),
    }


def _reversed(event: e.RoundsReversed) -> Iterator[Reason]:
    given = {"first": event.first, "last": event.last, "count": len(event.rounds)}
    yield because("EVENT_ROUNDS_REVERSED", **given, **_netted(event))


def _resettled(event: e.RoundResettled) -> Iterator[Reason]:
    given = {"before": write_dice(event.before), "dice": write_dice(event.faces)}
    yield because("EVENT_ROUND_RESETTLED", round=event.round, **given, **_netted(event))


def _ruled(event: e.RulingRecorded) -> Iterator[Reason]:
    moved = sum(posting.amount for posting in event.postings)
    if event.postings:
        yield because("EVENT_RULING_MOVES", count=len(event.postings), moved_cents=moved)
    else:
        yield because("EVENT_RULING")


def _own_limits(event: e.OwnLimitsSet) -> Iterator[Reason]:
    if event.loss is not None:
        yield because("EVENT_OWN_LOSS_LIMIT", terminal=event.terminal, loss_cents=event.loss)
    if event.session_seconds is not None:
        seconds = event.session_seconds
        yield because("EVENT_OWN_TIME_LIMIT", terminal=event.terminal, seconds=seconds)
    if event.loss is None and event.session_seconds is None:
        yield because("EVENT_OWN_LIMITS_NONE", terminal=event.terminal)


def _asked(event: e.ApprovalRequested) -> Iterator[Reason]:
    command = type(event.order.command).__name__
    yield because("EVENT_APPROVAL_REQUESTED", command=command, person=event.order.actor.person)


def _approved(event: e.CommandApproved) -> Iterator[Reason]:
    yield because("EVENT_COMMAND_APPROVED", person=event.by.person)


def _declined(event: e.CommandDeclined) -> Iterator[Reason]:
    yield because("EVENT_COMMAND_DECLINED", person=event.by.person)


def _house_opened(event: e.HouseOpened) -> Iterator[Reason]:
    code = "EVENT_DEMO_OPENED" if event.demo else "EVENT_HOUSE_OPENED"
    yield because(code, name=event.name, currency=event.currency)


def _staffed(code: str) -> Teller:
    """Tell who has which roles from now on, and who decided that."""

    def told(event: e.StaffAppointed | e.RolesChanged) -> Iterator[Reason]:
        roles = ", ".join(event.roles)
        yield because(code, person=event.person, roles=roles, by=event.by, second=event.second)

    return told


_TELL: dict[type[Event], Teller] = {
    e.TableCreated: _created,
    e.TerminalEnrolled: _plain("EVENT_TERMINAL_ENROLLED", terminal="terminal", place="place"),
    e.RulebookAdopted: _plain("EVENT_RULEBOOK_ADOPTED", key="key", pay_table="pay_table"),
    e.LimitsSet: _limits,
    e.DiceRegistered: _plain("EVENT_DICE_REGISTERED", dice_set="dice_set", seal="seal"),
    e.ChecksRecorded: _checks,
    e.TableOpened: _plain("EVENT_TABLE_OPENED"),
    e.NoticeGiven: _plain("EVENT_NOTICE_GIVEN"),
    e.TableClosed: _plain("EVENT_TABLE_CLOSED"),
    e.RoundStarted: _plain("EVENT_ROUND_STARTED", round="round"),
    e.BetsOpened: _plain("EVENT_BETS_OPENED", words="words"),
    e.TumbleRecorded: _tumble,
    e.BetsClosed: _bets_closed,
    e.FacePressed: _plain("EVENT_FACE_PRESSED", face="face"),
    e.ResultReported: _reported,
    e.ResultsDisagreed: _plain("EVENT_RESULTS_DISAGREED"),
    e.ResultEntered: _entered,
    e.ResultConfirmed: _confirmed,
    e.ResultAmended: _amended,
    e.RoundSettled: _settled,
    e.RoundVoided: _voided,
    e.ChainPublished: _plain(
        "EVENT_CHAIN_PUBLISHED", length="length", first="first", commitment="commitment"
    ),
    e.SecretRevealed: _revealed,
    e.ChainAbandoned: _plain("EVENT_CHAIN_ABANDONED", by="by", second="second"),
    e.BetsRegistered: _registered,
    e.BetsWithdrawn: _withdrawn,
    e.IrregularityReported: _irregular,
    e.InterruptionRecorded: _interrupted,
    e.TableStopped: _plain("EVENT_TABLE_STOPPED"),
    e.TableRectified: _plain("EVENT_TABLE_RECTIFIED"),
    e.SafeProcedureDeclared: _plain("EVENT_SAFE_PROCEDURE"),
    e.RoundsReversed: _reversed,
    e.RoundResettled: _resettled,
    e.RulingRecorded: _ruled,
    e.CreditsReceived: _plain("EVENT_CREDITS_RECEIVED", terminal="terminal", amount_cents="amount"),
    e.CashedOut: _plain("EVENT_CASHED_OUT", terminal="terminal", amount_cents="amount"),
    e.SessionEnded: _plain("EVENT_SESSION_ENDED", terminal="terminal"),
    e.TransitClosed: _plain("EVENT_TRANSIT_CLOSED", transit="transit", amount_cents="amount"),
    e.TerminalLost: _plain("EVENT_TERMINAL_LOST", terminal="terminal"),
    e.TerminalRestored: _plain("EVENT_TERMINAL_RESTORED", terminal="terminal"),
    e.OwnLimitsSet: _own_limits,
    e.TerminalBarred: _plain("EVENT_TERMINAL_BARRED", terminal="terminal"),
    e.BarLifted: _plain("EVENT_BAR_LIFTED", terminal="terminal"),
    e.TerminalLocked: _plain("EVENT_TERMINAL_LOCKED", terminal="terminal", won_cents="won"),
    e.LockCleared: _plain("EVENT_LOCK_CLEARED", terminal="terminal"),
    e.ApprovalRequested: _asked,
    e.CommandApproved: _approved,
    e.CommandDeclined: _declined,
    e.CageOpened: _plain("EVENT_CAGE_OPENED", currency="currency", days="voucher_days"),
    e.VoucherIssued: _plain(
        "EVENT_VOUCHER_ISSUED", serial="serial", value_cents="value", place="place"
    ),
    e.VoucherTaken: _plain(
        "EVENT_VOUCHER_TAKEN",
        serial="serial",
        value_cents="value",
        terminal="terminal",
        table="table",
    ),
    e.VoucherPaid: _plain("EVENT_VOUCHER_PAID", serial="serial", value_cents="value"),
    e.SerialsSkipped: _plain("EVENT_SERIALS_SKIPPED", upto="upto", by="by", second="second"),
    e.HouseOpened: _house_opened,
    e.TableAdmitted: _plain("EVENT_TABLE_ADMITTED", stream="stream"),
    e.HouseRestored: _plain(
        "EVENT_HOUSE_RESTORED", by="by", second="second", checkpoint="checkpoint"
    ),
    e.StaffAppointed: _staffed("EVENT_STAFF_APPOINTED"),
    e.RolesChanged: _staffed("EVENT_ROLES_CHANGED"),
    e.StaffDismissed: _plain("EVENT_STAFF_DISMISSED", person="person", by="by"),
    e.TerminalKeyIssued: _plain(
        "EVENT_TERMINAL_KEY_ISSUED", terminal="terminal", table="table", by="by"
    ),
    e.LoggedIn: _plain("EVENT_LOGGED_IN", person="person", role="role", place="place"),
    e.LoggedOut: _plain("EVENT_LOGGED_OUT", person="person"),
    e.LockedOut: _plain("EVENT_LOCKED_OUT", person="person", place="place"),
    **{
        kind: told if callable(told) else _plain(told[0], **told[1])
        for kind, told in TELL_FELT.items()
    },
}
