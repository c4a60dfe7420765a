"""Irregularities: reported, ruled by the document's clause, and recorded.

A report of a physical fact is never refused as out of order [D5]. A report that voids a round
closes its bets at once. A device's report voids by itself; a person's report on dice that were
seen waits until a supervisor agrees, or finds that it did not happen [D20].
"""

from taisai.core.kernel.approvals import request
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Order, Sender
from taisai.core.kernel.name_profile import is_name
from taisai.core.kernel.registry import TABLE, applies, command, decides, declines, event, waits
from taisai.core.kernel.roles import DEALING, PIT, PIT_AND_DEALER
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.schema import IrregularityContent
from taisai.core.table.betting import voided
from taisai.core.table.chips.layout_bets import reading_ends
from taisai.core.table.round import closed_bets
from taisai.core.table.setup import TableStopped
from taisai.core.table.state import (
    AFTER_CLOSE,
    IN_ROUND,
    NOT_OPEN,
    Phase,
    TableState,
    ground_of,
    in_force,
    ruling_on,
)

#: Reports that imply that the dice were seen.
_SEEN = ("die-not-flat", "dice-exposed", "tumbled-too-early")
#: Reports about dice that somebody looked at. Whatever is found, those dice can be seen from then
#: on, until they are tumbled again [D22].
LOOKED_AT = ("die-not-flat", "dice-exposed")
#: Of them, what nobody can report before dice were tumbled, even if no tumble is on record yet.
_NOT_FLAT = "die-not-flat"
#: Dice that were tumbled without their cover can be seen.
_UNCOVERED = "uncovered-tumble"
#: These have commands of their own, with more fields.
_ELSEWHERE = {
    "damaged-dice": "ReportDamage",
    "wrong-result-settled": "CorrectSettledRound",
    "interrupted-with-outcome": "RecordInterruption",
    "interrupted-without-outcome": "RecordInterruption",
    "terminal-lost-registered": "LoseTerminal",
    "terminal-lost-unregistered": "LoseTerminal",
}
#: The newest matters left to a ruling are remembered, at most so many.
UNRULED_MAX = 20


@command(at=TABLE, by=("device", *PIT_AND_DEALER), second=PIT, lasts=True)
class ReportIrregularity(Command, frozen=True):
    code: str
    note: str = ""


@event(at=TABLE, posts=False, irregular=True)
class IrregularityReported(Event, frozen=True):
    """What was reported and how it is ruled; in doubt until a supervisor has answered it."""

    code: str
    ruling: str
    clause: str | None
    by: str
    note: str
    in_doubt: bool = False
    #: Whether a device read it; no person can overrule a device.
    device: bool = False


@decides
def report_irregularity(
    state: TableState, command: ReportIrregularity, actor: Sender, at: Instant
) -> Decision:
    """Rule on a report by the rulebook, and record it.

    If a supervisor agrees, the round that was in doubt is void [D20].

    [ts6 5.5, 5.10, 5.14(a); etg8 5.3, 5.10(a); div9 7.1, 7.1(d), 7.3]
    """
    if actor.second is not None:
        assert command.code in state.doubts, "what waits is a report that put the round in doubt"
        return (voided(state, command.code),)
    if state.phase in NOT_OPEN:
        return refuse("TABLE_CLOSED")
    if not is_name(command.code):
        return refuse("NO_IRREGULARITY", code=command.code[:40])
    if command.code in _ELSEWHERE:
        return refuse("HAS_ITS_OWN_COMMAND", code=command.code, name=_ELSEWHERE[command.code])
    refusal = device_refusal(state, actor)
    if refusal is not None:
        return refusal
    code = _fact(state, command.code)
    found = ruling_on(state, code)
    if found is not None and found.ruling == "void-round":
        return _void_refusal(state, found, actor) or established(
            state, code, actor, at, command.note
        )
    return _ruled(state, command, actor, found)


def _fact(state: TableState, code: str) -> str:
    """Give a report's code: a tumble without a cover before the close means exposed dice [D29].

    [ts6 3.7, 5.5.3; etg8 3.6, 5.3.3; div9 6.1, 7.1(c)]
    """
    covered = in_force(state).content.procedure.tumble.cover == "covered"
    early = state.phase in (Phase.TUMBLED, Phase.BETTING)
    return "dice-exposed" if covered and early and code == _UNCOVERED else code


def device_refusal(state: TableState, actor: Actor) -> Refusal | None:
    """Refuse a device's report at a table without devices."""
    keyed = state.equipment.tumbler == "keyed"
    return refuse("DEALER_ENTERS") if keyed and actor.role == "device" else None


def _void_refusal(state: TableState, found: IrregularityContent, actor: Actor) -> Refusal | None:
    """Refuse a voiding report if no round is under way, or if a person reported it before."""
    clause = ground_of(state, found)
    if state.phase not in IN_ROUND:
        return refuse("NO_ROUND", clause)
    if found.code in state.doubts and actor.role != "device":
        return refuse("ALREADY_REPORTED", clause, what=found.code)
    return None


def _ruled(
    state: TableState,
    command: ReportIrregularity,
    actor: Actor,
    found: IrregularityContent | None,
) -> Decision:
    """Record a report that does not void the round."""
    clause = ground_of(state, found)
    if found is not None and found.ruling == "activate-tumbler":
        # Untumbled dice are simply tumbled now; only one document requires more [D26].
        return refuse("TUMBLE_INSTEAD", clause)
    reported = as_ruled(state, command.code, actor, command.note)
    if command.code == _UNCOVERED and state.tumbled:
        return (*reading_ends(state, actor), reported)
    if found is not None and found.stops_table and state.stopped is None:
        return (reported, TableStopped(found.stops_clause or clause, command.note))
    return (reported,)


def as_ruled(state: TableState, code: str, actor: Actor, note: str = "") -> IrregularityReported:
    """Make the event with the rulebook's ruling; without one the shift manager rules [D6]."""
    found = ruling_on(state, code)
    ruling = "shift-manager-rules" if found is None else found.ruling
    clause, device = ground_of(state, found), actor.role == "device"
    return IrregularityReported(code, ruling, clause, actor.person, note, device=device)


def established(
    state: TableState,
    code: str,
    actor: Actor,
    at: Instant,
    note: str,
    started: tuple[Event, ...] = (),
) -> tuple[Event, ...]:
    """Close the bets for a voiding fact, and void the round or wait for a supervisor [D20].

    A device's report voids by itself, and so does any report while nobody has seen the dice.
    """
    device = actor.role == "device"
    waits_for_finding = not device and _seen(state, code)
    found = ruling_on(state, code)
    reported = IrregularityReported(
        code=code,
        ruling="void-round" if found is None else found.ruling,
        clause=ground_of(state, found),
        by=actor.person,
        note=note,
        in_doubt=waits_for_finding,
        device=device,
    )
    events: tuple[Event, ...] = (reported,)
    if state.phase is Phase.BETTING:
        # If the round is void at once, excess over the limits goes back with all the rest.
        events += (closed_bets(state, actor, report=code, goes_on=waits_for_finding),)
    if waits_for_finding:
        order = Order("", Actor(actor.person, actor.role), ReportIrregularity(code, note))
        return (*events, request(state.version + len(started) + len(events), order, at))
    number = state.round if state.phase in IN_ROUND else state.round + 1
    return (*events, voided(state, code, number))


def _seen(state: TableState, code: str) -> bool:
    """Say whether the dice have been seen, as far as the table knows."""
    in_the_open = in_force(state).content.procedure.tumble.cover == "open"
    return (
        code in _SEEN
        or bool(state.doubts)
        or (in_the_open and code == "bad-tumble")
        or (state.tumbled and state.phase in AFTER_CLOSE)
    )


@waits
def _waits(_state: TableState, _command: ReportIrregularity) -> bool:
    """Never wait here: the report is recorded at once, and itself asks for a second person."""
    return False


@applies
def irregularity_reported(state: TableState, event: IrregularityReported) -> None:
    if event.in_doubt:
        state.doubts = (*state.doubts, event.code)
    if report_shows_dice(event, state.phase, tumbled=state.tumbled):
        state.uncovered = True
    found = ruling_on(state, event.code)
    if found is not None and found.words is not None:
        state.to_announce = event.code
    if event.ruling == "shift-manager-rules":
        state.unruled.pop(event.code, None)
        state.unruled[event.code] = state.round
        if len(state.unruled) > UNRULED_MAX:
            del state.unruled[next(iter(state.unruled))]


def report_shows_dice(event: IrregularityReported, phase: Phase, *, tumbled: bool) -> bool:
    """Say whether the dice can be seen because of what was reported of them."""
    if event.in_doubt and (event.code == _NOT_FLAT or (tumbled and event.code in LOOKED_AT)):
        return True
    return event.code == _UNCOVERED and tumbled and phase is Phase.NO_MORE_BETS


@event(at=TABLE, posts=False, irregular=True)
class ReportDeclined(Event, frozen=True):
    """A supervisor finds that what was reported did not happen, and says why [D20].

    The round goes on from where it stood, its bets closed as they lay. `tumbles_again` where the
    tumble on record does not count: the dice are tumbled before the round goes on.
    """

    round: int
    code: str
    clause: str
    reported_by: str
    by: Actor
    note: str
    tumbles_again: bool = False


@declines
def report_declined(
    state: TableState, command: ReportIrregularity, sender: Sender, why: str
) -> tuple[Event, ...]:
    """Let a round in doubt go on; nobody may bet on the same dice after the report [D20].

    If bets had not opened, the dice are tumbled again before they open. A tumble reported as too
    early, and found not to be, is still to be recorded at its proper time.
    """
    assert sender.second is not None, "a report is declined by a second person"
    code, before = command.code, state.phase is Phase.TUMBLED
    again = before or (code == "tumbled-too-early" and state.tumbled_early)
    clause = ground_of(state, ruling_on(state, code))
    by = sender.second
    return (ReportDeclined(state.round, code, clause, sender.person, by, why, tumbles_again=again),)


@applies
def finding_recorded(state: TableState, event: ReportDeclined) -> None:
    state.doubts = tuple(code for code in state.doubts if code != event.code)
    if event.tumbles_again:
        state.tumbled = state.uncovered = False
    spoken = (ruling_on(state, code) for code in state.doubts)
    left = [each.code for each in spoken if each is not None and each.words is not None]
    state.to_announce = left[-1] if left else None


@command(at=TABLE, by=DEALING, part="closes")
class AnnounceVoid(Command, frozen=True):
    """Record that the dealer has announced what the document has announced of a void round."""


@event(at=TABLE, significant=False, posts=False, irregular=True)
class VoidAnnounced(Event, frozen=True):
    """The dealer has announced a void spin by the document's words [div9 7.1] [D32]."""

    round: int
    code: str
    words: str
    clause: str
    by: str


@decides
def announce_void(
    state: TableState, _command: AnnounceVoid, actor: Actor, _at: Instant
) -> Decision:
    """Record that a void spin was announced, with or without the words [div9 7.1] [D12, D32]."""
    if state.phase in NOT_OPEN:
        return refuse("TABLE_CLOSED")
    code = state.to_announce
    found = None if code is None else ruling_on(state, code)
    if found is None or found.words is None:
        return refuse("NOTHING_TO_ANNOUNCE")
    clause = ground_of(state, found)
    return (VoidAnnounced(state.round, found.code, found.words, clause, actor.person),)


@applies
def void_announced(state: TableState, _: VoidAnnounced) -> None:
    state.to_announce = None
