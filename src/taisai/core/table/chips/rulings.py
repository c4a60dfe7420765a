"""Chips that do not count as they are: placed after the close, mixed stacks, bets to be ruled on.

A bet that the rules leave to a ruling waits for it after the close, and the round is neither
collected nor paid before [D22]. Which bets wait is derived from the layout: a bet that is read
again, and is then in order, needs no ruling.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Posting
from taisai.core.kernel.registry import (
    CHIP_TABLE,
    applies,
    command,
    decides,
    event,
    posts,
    waits,
)
from taisai.core.kernel.roles import PIT, PLACING
from taisai.core.rules.bets import box_refusal
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import phase_refusal
from taisai.core.table.chips.layout_bets import (
    is_late,
    is_short,
    take_up,
    whole_bet,
)
from taisai.core.table.chips.pieces import Chips, RecordedBet
from taisai.core.table.chips.seats import chips_refusal, recorded, seat_refusal
from taisai.core.table.chips.state import RuledBet
from taisai.core.table.state import (
    AFTER_CLOSE,
    TableState,
    chip_table_of,
    ground_of,
    in_force,
    limits_in_force,
    not_playing,
    pay_table_in_force,
)

#: Why a bet awaits a ruling.
ToBeRuled = Literal["mixed-stack", "advised-bet", "below-minimum", "over-limit"]
Verdict = Literal["stands", "plays", "returned"]
#: A refusal names at most so many of the bets that await a ruling.
NAMED_MAX = 10


@command(at=CHIP_TABLE, by=PLACING)
class RefuseLateBet(Command, frozen=True):
    """Refuse chips that were placed after the close, and note it."""

    seat: str
    box: str
    chips: Chips
    note: str = ""


@event(at=CHIP_TABLE, routine=True, applies=False, posts=False, irregular=True)
class LateBetRefused(Event, frozen=True):
    """Chips placed after the close were refused: they are no bet."""

    seat: str
    bet: RecordedBet
    irregularity: str
    clause: str
    note: str
    by: str


@decides
def refuse_late_bet(
    state: TableState, command: RefuseLateBet, actor: Actor, _at: Instant
) -> Decision:
    """Refuse a bet that was placed, or added to, after the close [ts6 5.7; div9 4.7(a)] [D22]."""
    chip_table = chip_table_of(state)
    refusal = (
        not_playing(state)
        or _after_close_refusal(state)
        or seat_refusal(state, command.seat)
        or box_refusal(pay_table_in_force(state), command.box)
        or chips_refusal(chip_table, command.chips, command.seat)
    )
    if refusal is not None or not command.chips:
        return refusal or refuse("BAD_CHIPS")
    bet = recorded(chip_table, command.box, command.chips)
    late = in_force(state).content.procedure.betting.late_clause
    return (LateBetRefused(command.seat, bet, "late-bet", late, command.note, actor.person),)


def _after_close_refusal(state: TableState) -> Refusal | None:
    if state.phase in AFTER_CLOSE:
        return None
    return refuse("NOTHING_IS_LATE", in_force(state).content.procedure.betting.late_clause)


@command(at=CHIP_TABLE, by=PLACING)
class SeparateStack(Command, frozen=True):
    """Put a player's value chips and coloured ones on a box beside each other."""

    seat: str
    box: str


@event(at=CHIP_TABLE, routine=True, posts=False)
class StackSeparated(Event, frozen=True):
    """Value and coloured chips that were one stack are two."""

    seat: str
    box: str
    clause: str
    by: str


@decides
def separate_stack(
    state: TableState, command: SeparateStack, actor: Actor, _at: Instant
) -> Decision:
    """Put right, before the close, a stack of value and coloured chips [div9 4.3] [D22]."""
    refusal = seat_refusal(state, command.seat) or phase_refusal(state)
    if refusal is not None:
        return refusal
    if (command.seat, command.box) not in chip_table_of(state).mixed:
        return refuse("NOT_MIXED", seat=command.seat)
    clause = ground_of(state, None)
    return (StackSeparated(command.seat, command.box, clause, actor.person),)


@applies
def stack_separated(state: TableState, event: StackSeparated) -> None:
    chip_table, where = chip_table_of(state), (event.seat, event.box)
    chip_table.mixed = tuple(each for each in chip_table.mixed if each != where)


# --- rulings on single bets ----------------------------------------------------------------------


class AwaitsRuling(Struct, frozen=True, array_like=True, gc=False):
    """A bet that is neither lost nor paid before a ruling on it, and the reason."""

    seat: str
    box: str
    amount: int
    why: ToBeRuled


def bets_to_rule(state: TableState) -> Iterator[AwaitsRuling]:
    """List the bets that await a ruling, once the bets are closed [D22, D28] [div9 4.3]."""
    if state.phase not in AFTER_CLOSE:
        return
    chip_table = chip_table_of(state)
    ruled = {(each.seat, each.box) for each in chip_table.ruled}
    for seat in chip_table.seated:
        for box, amount in state.positions[seat].bets.items():
            why = None if (seat, box) in ruled else _to_be_ruled(state, seat, box)
            if why is not None:
                yield AwaitsRuling(seat, box, amount, why)


def _to_be_ruled(state: TableState, seat: str, box: str) -> ToBeRuled | None:
    """Say why a bet is left to a ruling, if it is.

    Where a document has no rule for a bet outside the limits, the dealer should not have taken it
    [D6]. An advised bet is returned automatically only until the dice can be seen [D28].
    """
    chip_table, rules = chip_table_of(state), pay_table_in_force(state).limit_rules
    if (seat, box) in chip_table.mixed:
        return "mixed-stack"
    short = is_short(state, seat, box)
    if short and (seat, box) in chip_table.advised:
        return "advised-bet" if is_late(state) else None
    if short and rules.below_minimum == "refused":
        return "below-minimum"
    over = state.positions[seat].bets[box] > limits_in_force(state).of(box).maximum
    return "over-limit" if over and rules.over_maximum == "refused" else None


def ruling_refusal(state: TableState) -> Refusal | None:
    """Refuse to collect and to pay while bets await a ruling, and name them [D22]."""
    waiting = list(bets_to_rule(state))
    if not waiting:
        return None
    named = " ".join(f"{each.seat}/{each.box}" for each in waiting[:NAMED_MAX])
    more = " …" if len(waiting) > NAMED_MAX else ""
    return refuse(
        "BETS_TO_RULE", ground_of(state, None), count=len(waiting), seat_bets=named + more
    )


@command(at=CHIP_TABLE, by=("shift-manager",), second=PIT)
class RuleOnBet(Command, frozen=True):
    """The shift manager's ruling on a bet: it stands, plays with less, or is returned."""

    seat: str
    box: str
    verdict: Verdict
    note: str
    plays: int | None = None


@event(at=CHIP_TABLE)
class BetRuled(Event, frozen=True):
    """A bet that awaited a ruling was ruled on; `plays` of it does, all, a part or nothing."""

    seat: str
    bet: RecordedBet
    why: ToBeRuled
    verdict: Verdict
    plays: int
    clause: str
    note: str
    by: str


@waits
def _ruling_waits(state: TableState, command: RuleOnBet) -> bool:
    """A ruling takes two persons if it moves money, or if the dice can be seen [D14, D22]."""
    return command.verdict != "stands" or is_late(state)


@decides
def rule_on_bet(state: TableState, command: RuleOnBet, actor: Actor, _at: Instant) -> Decision:
    """Rule on a bet that the rules leave to a ruling [ts6 5.14; div9 2.0, 4.3] [D22, D28]."""
    refusal = not_playing(state) or seat_refusal(state, command.seat)
    if refusal is not None:
        return refusal
    where, clause = (command.seat, command.box), ground_of(state, None)
    found = next((each for each in bets_to_rule(state) if (each.seat, each.box) == where), None)
    if found is None:
        unknown = box_refusal(pay_table_in_force(state), command.box)
        return unknown or refuse("NO_RULING_AWAITED", clause, seat=command.seat, box=command.box)
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    plays = _ruled_amount(state, command, found.amount)
    if isinstance(plays, Refusal):
        return plays
    return (
        BetRuled(
            seat=command.seat,
            bet=whole_bet(chip_table_of(state), command.seat, command.box),
            why=found.why,
            verdict=command.verdict,
            plays=plays,
            clause=clause,
            note=command.note,
            by=actor.person,
        ),
    )


def _ruled_amount(state: TableState, command: RuleOnBet, lies: int) -> int | Refusal:
    """Find how much of a bet plays; a part is less than the bet, and can be paid in chips."""
    box, plays = command.box, command.plays
    step = part_step(state, box)
    part = command.verdict == "plays"
    if part is (plays is None) or (plays is not None and not _is_part(plays, lies, step)):
        clause = ground_of(state, None)
        return refuse("NOT_A_PART", clause, box=box, lies_cents=lies, step_cents=step)
    if plays is not None:
        return plays
    return lies if command.verdict == "stands" else 0


def part_step(state: TableState, box: str) -> int:
    """Give the step in which a part of a bet on a box can be paid in whole chips."""
    return chip_table_of(state).chip_set.smallest * pay_table_in_force(state).boxes[box].step


def _is_part(plays: int, lies: int, step: int) -> bool:
    return is_amount(plays) and 0 < plays < lies and plays % step == 0


@applies
def bet_ruled(state: TableState, event: BetRuled) -> None:
    if event.verdict == "returned":
        take_up(state, event.seat, event.bet)
        return
    chip_table = chip_table_of(state)
    ruled = RuledBet(event.seat, event.bet.box, event.plays)
    chip_table.ruled = (*chip_table.ruled, ruled)


@posts
def _post_bet_ruled(event: BetRuled) -> Iterator[Posting]:
    if event.verdict == "returned":
        yield Posting(stakes_of(event.seat), credits_of(event.seat), event.bet.amount)
