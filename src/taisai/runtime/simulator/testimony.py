"""Declarations for a table that waits for people: what the dice showed, a round dealt by hand."""

from taisai.core.kernel.messages import Actor, Command
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.by_hand import (
    EnterRoundByHand,
    HandPaymentDiffered,
    SeatPaid,
    SeatStack,
    enter_round_by_hand,
)
from taisai.core.table.chips.pieces import Pieces, plain_chips
from taisai.core.table.corrections import Rule
from taisai.core.table.interruption import DeclareOutcome, Fact, ResumePlay
from taisai.core.table.state import (
    IN_ROUND,
    Phase,
    TableState,
    chip_table_of,
    is_interrupted,
    limits_in_force,
    pay_table_in_force,
    ruling_on,
)
from taisai.runtime.simulator.crowd import SLIP, Chance


def said_of(state: TableState, chance: Chance, dice: tuple[int, int, int] | None) -> Command:
    """Give the command that a table waits for; `dice` are those that lay there, if known."""
    if not is_interrupted(state):
        return _declared(state, chance, dice)
    dice = state.faces or dice or chance.throw()
    way = chance.between(1, 12)
    if way <= 2:
        return ResumePlay(chance.pick(["", "nothing was dealt"]))
    if way <= 6 and state.phase in IN_ROUND:
        return DeclareOutcome(chance.pick([None, dice, dice]), _lacking(state, chance))
    return round_by_hand(state, chance, dice)


def void_by_ruling(note: str) -> Command:
    """Void the round by a ruling, without a clause that voids it."""
    return Rule(note, voids_round=True)


def _declared(state: TableState, chance: Chance, dice: tuple[int, int, int] | None) -> Command:
    """Declare an outcome or none; if the document has no void, the shift manager rules."""
    if not chance.happens(0.3):
        return DeclareOutcome(dice or chance.throw(), _lacking(state, chance))
    found = ruling_on(state, "interrupted-without-outcome")
    if found is not None and found.ruling != "void-round" and chance.happens(0.5):
        return void_by_ruling("nobody saw the dice")
    return DeclareOutcome()


def _lacking(state: TableState, chance: Chance) -> tuple[Fact, ...]:
    """Give the facts that the journal lacks of a round that went on, or now and then others."""
    facts: tuple[Fact, ...] = ("closed",) if state.phase is Phase.BETTING else ()
    if not state.tumbled:
        facts += ("tumbled",)
    other = chance.happens(SLIP * 6)
    return chance.pick([(), ("tumbled",), ("closed", "tumbled")]) if other else facts


def round_by_hand(
    state: TableState, chance: Chance, dice: tuple[int, int, int]
) -> EnterRoundByHand:
    """Enter a round as it was dealt, mostly paid rightly."""
    as_recorded = state.phase in IN_ROUND and chance.happens(0.4)
    stacks = None if as_recorded else _stacks(state, chance)
    if chance.happens(SLIP):
        dice = chance.pick([(0, 1, 2), chance.throw()])
    command = EnterRoundByHand(dice, (), stacks, chance.pick(["", "by hand"]))
    paid = [SeatPaid(seat, amount) for seat, amount in _due(state, command).items()]
    if paid and chance.happens(0.35):
        first = paid[0]
        wrong = chance.pick([0, first.amount + 100, first.amount + 30, max(0, first.amount - 50)])
        paid[0] = SeatPaid(first.seat, wrong)
    if chance.happens(SLIP * 4):
        paid += [SeatPaid(chance.pick(["9", *(each.seat for each in paid)]), 100)]
    return EnterRoundByHand(command.faces, tuple(paid), stacks, command.note)


def _stacks(state: TableState, chance: Chance) -> tuple[SeatStack, ...]:
    """Give the stacks remembered on the layout: of every player there, on a few boxes."""
    table, limits, chip_table = (
        pay_table_in_force(state),
        limits_in_force(state),
        chip_table_of(state),
    )
    stacks = []
    for seat, walked in chip_table.seated.items():
        colour = chip_table.colour_of(seat)
        for box in () if walked else chance.some(["small", "big", chance.pick([*table.boxes])], 3):
            amount = limits.of(box).minimum * chance.pick([1, 2, 60])
            chips = plain_chips(amount, chip_table.chip_set.values)
            if colour is not None and chance.happens(0.5):
                chips = (Pieces(colour, chance.between(1, 4)),)
            stacks.append(SeatStack(seat, box, chips))
    return tuple(stacks)


def _due(state: TableState, command: EnterRoundByHand) -> dict[str, int]:
    """Compute what each player had to be paid, as a dealer does."""
    events = enter_round_by_hand(state, command, Actor("dan", "dealer"), 0)
    if isinstance(events, Refusal):
        return {}
    return {each.seat: each.due for each in events if isinstance(each, HandPaymentDiffered)}
