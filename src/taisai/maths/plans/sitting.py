"""A plan at a table: one box, a unit, a bank, the limits, and a number of rounds.

The next bet depends only on the plan's state and the bank. If the plan's stake is more than the
maximum, or more than the bank can pay, the plan's own rules for that case decide.

A cell is a state and a bank from which another bet is made. Each outcome of a round leads from it
to another cell, or to an end with its bank.
"""

from collections.abc import Hashable
from enum import StrEnum
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from msgspec import Struct

from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.bets import box_refusal
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.limits import Limits, set_limits
from taisai.core.rules.money import AMOUNT_MAX
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.maths.errors import MathsError, check_whole, worded
from taisai.maths.plans.plan import AtMaximum, CannotPay, Plan

#: The most rounds of a plan.
ROUNDS_MAX = 100_000


class Ending(StrEnum):
    """How a plan ended: before its rounds were over, or still playing after them."""

    RUINED = "ruined"
    STOPPED = "stopped"
    LEFT = "left"
    REACHED = "reached"
    PLAYING = "playing"


class Wins(NamedTuple):
    """One way a round can go: the odds of the box's win, or None if it loses, and its weight."""

    odds: Fraction | None
    weight: int

    def net(self, stake: int) -> int:
        """Give the net of a stake."""
        return -stake if self.odds is None else stake * self.odds.numerator // self.odds.denominator


class Sitting(Struct, frozen=True):
    """A player's means: the unit, the bank, the rounds; limits and a target if any."""

    unit: int
    bank: int
    rounds: int
    limits: LimitsAsked | None = None
    target: int | None = None


class Play(NamedTuple):
    """A checked plan on a box of a table."""

    box: BettingBox
    plan: Plan
    unit: int
    bank: int
    rounds: int
    minimum: int
    maximum: int
    step: int
    target: int | None

    @property
    def ways(self) -> list[Wins]:
        """List the ways a round can go, losing first; their weights have no common divisor."""
        odds: list[Fraction | None] = [None, *self.box.odds]
        counts = [0] * len(odds)
        for times, result in zip(self.box.met, RESULTS, strict=True):
            counts[times] += result.throws
        common = gcd(*counts)
        pairs = zip(odds, counts, strict=True)
        return [Wins(each, count // common) for each, count in pairs if count]


def play_of(pay_table: PayTable, box: str, plan: Plan, sitting: Sitting) -> Play:
    """Put a plan on a table, or refuse with a sentence if it cannot be played there."""
    refusal = box_refusal(pay_table, box)
    if refusal is not None:
        raise worded(refusal)
    unit, bank, rounds, target = sitting.unit, sitting.bank, sitting.rounds, sitting.target
    check_whole("the rounds are", rounds, 1, ROUNDS_MAX)
    for what, amount in (("unit", unit), ("bank", bank), ("target", target)):
        if amount is not None:
            check_whole(f"the {what} is", amount, 1, AMOUNT_MAX)
    if target is not None and target <= bank:
        raise MathsError(f"the target {target} is reached already by a bank of {bank}")
    found = pay_table.boxes[box]
    minimum, maximum, step = _limits_of(pay_table, found, sitting.limits)
    play = Play(found, plan, unit, bank, rounds, minimum, maximum, step, target)
    _check_playable(play)
    return play


def _limits_of(
    pay_table: PayTable, box: BettingBox, setting: LimitsAsked | None
) -> tuple[int, int, int]:
    if setting is None:
        return box.step, AMOUNT_MAX // box.step * box.step, box.step
    limits = set_limits(pay_table, setting)
    if not isinstance(limits, Limits):
        raise worded(limits)
    own = limits.of(box.key)
    # With a minimum of 0, the least possible bet is still one step.
    return max(own.minimum, limits.step), own.maximum, limits.step


def _check_playable(play: Play) -> None:
    first = play.plan.stake(play.plan.first) * play.unit
    if play.unit % play.step:
        raise MathsError(
            f"a unit of {play.unit} cannot be bet on {play.box.key}: stakes are multiples of "
            f"{play.step}"
        )
    if play.unit < play.minimum:
        raise MathsError(f"a unit of {play.unit} is below the minimum of {play.minimum}")
    if max(first, play.unit) > play.maximum:
        raise MathsError(
            f"the plan cannot be played: its first stake of {first} passes the maximum of "
            f"{play.maximum}"
        )
    if first > play.bank:
        raise MathsError(f"a bank of {play.bank} cannot pay the first stake of {first}")


class Bet(NamedTuple):
    """The next bet: its stake, and the state whose win and loss lead on."""

    stake: int
    state: int


class Machine:
    """The states of a plan at a table, numbered in the order reached; number 0 is the first.

    A state has a second number for a bet that the maximum changed: `held` marks these numbers. A
    state beyond the maximum of a plan that then stops is no state: STOPPED.
    """

    #: The number that a state leads to if the plan goes no further.
    LEFT, STOPPED = -1, -2

    def __init__(self, play: Play) -> None:
        self.play = play
        self.stakes: list[int] = []
        self.held: list[bool] = []
        self._states: list[Hashable] = []
        self._numbers: dict[tuple[Hashable, bool], int] = {}
        self._after: list[tuple[int, int] | None] = []
        self.number_of(play.plan.first)

    def __len__(self) -> int:
        return len(self.stakes)

    def number_of(self, state: Hashable | None) -> int:
        """Number a state that the plan has reached, with regard to the table's maximum."""
        play = self.play
        if state is None:
            return self.LEFT
        stake = play.plan.stake(state) * play.unit
        if stake <= play.maximum:
            return self._number(state, stake, held=False)
        if play.plan.at_maximum is AtMaximum.STOP:
            return self.STOPPED
        if play.plan.at_maximum is AtMaximum.HOLD:
            return self._number(state, play.maximum // play.step * play.step, held=True)
        first = play.plan.first
        return self._number(first, play.plan.stake(first) * play.unit, held=True)

    def _number(self, state: Hashable, stake: int, *, held: bool) -> int:
        number = self._numbers.setdefault((state, held), len(self.stakes))
        if number == len(self.stakes):
            self.stakes.append(stake)
            self.held.append(held)
            self._states.append(state)
            self._after.append(None)
        return number

    def after(self, number: int) -> tuple[int, int]:
        """Give the states after a win and after a loss in a state."""
        found = self._after[number]
        if found is None:
            state, plan = self._states[number], self.play.plan
            stays = self.held[number] and plan.at_maximum is AtMaximum.HOLD
            lost = number if stays else self.number_of(plan.after(state, False))
            found = (self.number_of(plan.after(state, True)), lost)
            self._after[number] = found
        return found

    def bet(self, number: int, bank: int) -> Bet | None:
        """Give the bet in a state from a bank, or None if the bank is ruined."""
        stake = self.stakes[number]
        if bank >= stake:
            return Bet(stake, number)
        play = self.play
        if play.plan.cannot_pay is CannotPay.REST:
            rest = bank // play.step * play.step
            return Bet(rest, number) if rest >= play.minimum else None
        if play.plan.cannot_pay is CannotPay.RESTART and bank >= self.stakes[0]:
            return Bet(self.stakes[0], 0)
        return None

    def ending(self, number: int, bank: int) -> Ending:
        """Give the ending of a bank after a round that led to a state, or PLAYING."""
        target = self.play.target
        if target is not None and bank >= target:
            return Ending.REACHED
        if number == self.LEFT:
            return Ending.LEFT
        if number == self.STOPPED:
            return Ending.STOPPED
        return Ending.PLAYING if self.bet(number, bank) else Ending.RUINED


# --- every place a plan can reach ----------------------------------------------------------------


#: The most cells that are computed one by one; with more the plan is simulated instead.
CELLS_MAX = 250_000


class End(NamedTuple):
    """How a plan ended, and with what bank."""

    ending: Ending
    bank: int


class Cells:
    """The cells of a plan that can be reached in so many rounds, and the ends.

    `leads[way][cell]` is the next cell, or if it is below zero the end `ends[~number]`. Cells that
    only the last round reaches lead nowhere, and have no bet.
    """

    def __init__(self, play: Play) -> None:
        self.play = play
        self.ways = play.ways
        self.machine = Machine(play)
        self.places: list[tuple[int, int]] = [(0, play.bank)]
        self.stakes: list[int] = []
        self.held: list[bool] = []
        self.ends: list[End] = []
        self.leads: list[list[int]] = [[] for _ in self.ways]
        self._cell_of = {self.places[0]: 0}
        self._end_of: dict[End, int] = {}

    @property
    def total(self) -> int:
        """Give the sum of the weights of a round."""
        return sum(way.weight for way in self.ways)

    def _explore(self, cell: int) -> None:
        state, bank = self.places[cell]
        bet = self.machine.bet(state, bank)
        assert bet is not None, "a cell is a place from which a bet is made"
        won, lost = self.machine.after(bet.state)
        self.stakes.append(bet.stake)
        self.held.append(self.machine.held[state])
        for way, leads in zip(self.ways, self.leads, strict=True):
            leads.append(self._place(lost if way.odds is None else won, bank + way.net(bet.stake)))

    def _place(self, state: int, bank: int) -> int:
        found = self._cell_of.get((state, bank))
        if found is not None:
            return found
        ending = self.machine.ending(state, bank)
        if ending is not Ending.PLAYING:
            number = self._end_of.setdefault(End(ending, bank), len(self.ends))
            if number == len(self.ends):
                self.ends.append(End(ending, bank))
            return ~number
        self._cell_of[state, bank] = len(self.places)
        self.places.append((state, bank))
        return len(self.places) - 1

    def explore(self) -> bool:
        """Follow the plan for all its rounds; False if there are too many cells."""
        for _ in range(self.play.rounds):
            first, last = len(self.stakes), len(self.places)
            if first == last:
                return True
            for cell in range(first, last):
                self._explore(cell)
                if len(self.places) > CELLS_MAX:
                    return False
        return True


def cells_of(play: Play) -> Cells | None:
    """Find all cells of a plan, or None if they are too many."""
    cells = Cells(play)
    return cells if cells.explore() else None
