"""The simulation of a plan: many players at once, each with dice of their own, from one seed."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import log, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError
from taisai.maths.figures import Figure
from taisai.maths.plans.plan import CannotPay
from taisai.maths.plans.result import Betting, How, Method, Played, played
from taisai.maths.plans.sitting import End, Ending, Machine, Play

#: The confidence of the intervals.
CONFIDENCE = 0.99
#: The most rounds of all players together, some seconds' work.
BETS_MAX = 100_000_000
PLAYERS_MAX = 100_000
PLAYERS_MIN = 1_000
#: The most states in a simulation; a line of Labouchère's has infinitely many.
STATES_MAX = 2_000_000
#: Amounts stay below this, so that a 64-bit integer holds any outcome of a round.
BANK_MAX = 2**53

Whole: TypeAlias = NDArray[np.int64]

_UNKNOWN = -9
_ENDINGS = list(Ending)


class Simulated(NamedTuple):
    """The outcome of each player: the bank, the ending, all stakes, the largest, bets held."""

    banks: Whole
    endings: NDArray[np.int8]
    turnover: Whole
    bets: Whole
    largest: Whole
    held: Whole

    def chance(self, happened: int) -> Figure:
        """Estimate a chance from a count of players, with an interval by Chernoff's bound."""
        many = len(self.banks)
        share = happened / many
        slack = log(2 / (1 - CONFIDENCE)) / many
        return _figure(share, _far(share, slack, 0.0), _far(share, slack, 1.0))

    def ends(self) -> dict[End, int]:
        """Count the players who came to each end."""
        pairs = Counter(zip(self.endings.tolist(), self.banks.tolist(), strict=True))
        return {End(_ENDINGS[ending], bank): players for (ending, bank), players in pairs.items()}


def played_in_simulation(play: Play, seed: int, players: int, why: str) -> Played:
    """Answer by simulation, each figure with its confidence interval."""
    found = simulate(play, seed, players)
    ends = found.ends()

    def chance(asked: Callable[[End], bool]) -> Figure:
        return found.chance(sum(players for end, players in ends.items() if asked(end)))

    largest = int(np.max(found.largest))
    stopped = found.endings == _ENDINGS.index(Ending.STOPPED)
    return played(
        play,
        How(Method.SIMULATED, why, CONFIDENCE, players, seed),
        chance,
        Distribution.from_mapping(Counter(found.banks.tolist())),
        mean(play.bank - found.banks),
        Betting(
            turnover=mean(found.turnover),
            bets=mean(found.bets),
            largest_stake=largest,
            largest_met=found.chance(int(np.count_nonzero(found.largest == largest))),
            held=mean(found.held),
            met_maximum=found.chance(int(np.count_nonzero((found.held > 0) | stopped))),
        ),
    )


def mean(values: Whole) -> Figure:
    """Estimate an average, with the interval of a normal distribution around it."""
    middle = float(np.mean(values))
    deviations = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    either_side = deviations * float(np.std(values, ddof=1)) / sqrt(len(values))
    return _figure(middle, middle - either_side, middle + either_side)


def players_for(rounds: int) -> int:
    """Choose how many players there are, so that they finish in some seconds."""
    return max(PLAYERS_MIN, min(PLAYERS_MAX, BETS_MAX // rounds))


def simulate(play: Play, seed: int, players: int) -> Simulated:
    """Play a plan with many players; the same seed gives the same banks."""
    table = _Table(play)
    table.check_size(play.bank)
    generator = np.random.Generator(np.random.PCG64(seed))
    result = Simulated(
        np.full(players, play.bank, dtype=np.int64),
        np.full(players, _ENDINGS.index(Ending.PLAYING), dtype=np.int8),
        *(np.zeros(players, dtype=np.int64) for _ in range(4)),
    )
    player = np.arange(players)
    state = np.zeros(players, dtype=np.int64)
    for _ in range(play.rounds):
        bank = result.banks[player]
        table.check_size(int(np.max(bank)))
        held = table.held[state]
        stake, state = table.bets(state, bank)
        way = table.way_of[generator.integers(len(table.way_of), size=len(player))]
        bank = bank + stake * table.numerators[way] // table.denominators[way]
        state = table.next(state, way > 0)
        ending = table.endings(state, bank)
        result.banks[player] = bank
        result.endings[player] = ending
        result.turnover[player] += stake
        result.bets[player] += stake > 0
        result.held[player] += held
        result.largest[player] = np.maximum(result.largest[player], stake)
        goes_on = ending == _ENDINGS.index(Ending.PLAYING)
        player, state = player[goes_on], state[goes_on]
        if not len(player):
            break
    return result


class _Table:
    """The states of a plan as arrays, which grow as players reach new ones."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.machine = Machine(play)
        ways = play.ways
        #: For each unit of the weights the number of its way; the losing way is number 0.
        self.way_of = np.repeat(np.arange(len(ways)), [way.weight for way in ways])
        odds = [Fraction(-1) if way.odds is None else way.odds for way in ways]
        self.numerators = np.array([each.numerator for each in odds], dtype=np.int64)
        self.denominators = np.array([each.denominator for each in odds], dtype=np.int64)
        self._largest = BANK_MAX // max(abs(each.numerator) for each in odds)
        self.stakes = np.zeros(0, dtype=np.int64)
        self.held = np.zeros(0, dtype=np.int64)
        self.after = np.zeros((0, 2), dtype=np.int64)
        self._lengthen()

    def check_size(self, bank: int) -> None:
        """Refuse banks so large that a 64-bit integer might not hold a bet's win."""
        if bank > self._largest:
            raise MathsError("the banks grow too large to simulate; set a maximum for the table")

    def _lengthen(self) -> None:
        machine, known = self.machine, len(self.stakes)
        if len(machine) > STATES_MAX:
            raise MathsError(
                f"the plan comes to more than {STATES_MAX} states; set a lower maximum, or play "
                "fewer rounds"
            )
        # No bank comes near, so a larger stake is never bet.
        stakes = [min(stake, 4 * BANK_MAX) for stake in machine.stakes[known:]]
        self.stakes = np.concatenate((self.stakes, np.array(stakes, dtype=np.int64)))
        held = np.array(machine.held[known:], dtype=np.int64)
        self.held = np.concatenate((self.held, held))
        unknown = np.full((len(stakes), 2), _UNKNOWN, dtype=np.int64)
        self.after = np.concatenate((self.after, unknown))

    def bets(self, state: Whole, bank: Whole) -> tuple[Whole, Whole]:
        """Give each player's bet, and the state of that bet."""
        play = self.play
        stake = self.stakes[state]
        short = bank < stake
        if play.plan.cannot_pay is CannotPay.REST:
            return np.where(short, bank // play.step * play.step, stake), state
        if play.plan.cannot_pay is CannotPay.RESTART:
            return np.where(short, self.stakes[0], stake), np.where(short, 0, state)
        return stake, state

    def next(self, state: Whole, won: NDArray[np.bool_]) -> Whole:
        """Give the next state of each player's plan."""
        fresh = np.unique(state[self.after[state, 0] == _UNKNOWN]).tolist()
        for number in fresh:
            self.after[number] = self.machine.after(number)
        if fresh:
            self._lengthen()
        following: Whole = np.where(won, self.after[state, 0], self.after[state, 1])
        return following

    def endings(self, state: Whole, bank: Whole) -> NDArray[np.int8]:
        """Give the ending of each player after a round."""
        play = self.play
        ending = np.full(len(state), _ENDINGS.index(Ending.PLAYING), dtype=np.int8)
        stake = self.stakes[np.maximum(state, 0)]
        ending[bank < np.minimum(stake, self._least(stake))] = _ENDINGS.index(Ending.RUINED)
        ending[state == Machine.STOPPED] = _ENDINGS.index(Ending.STOPPED)
        ending[state == Machine.LEFT] = _ENDINGS.index(Ending.LEFT)
        if play.target is not None:
            ending[bank >= play.target] = _ENDINGS.index(Ending.REACHED)
        return ending

    def _least(self, stake: Whole) -> Whole | int:
        """Give the least bank that still plays when it cannot pay its stake."""
        play = self.play
        if play.plan.cannot_pay is CannotPay.REST:
            return -(-play.minimum // play.step) * play.step
        if play.plan.cannot_pay is CannotPay.RESTART:
            return int(self.stakes[0])
        return stake


def _figure(value: float, low: float, high: float) -> Figure:
    return Figure(Fraction(value), Fraction(low), Fraction(high))


def _far(share: float, slack: float, end: float) -> float:
    """Find the most extreme chance, towards an end, for which the outcome is not too surprising."""
    near, far = share, end
    for _ in range(60):
        middle = (near + far) / 2
        if _surprise(share, middle) <= slack:
            near = middle
        else:
            far = middle
    return far


def _surprise(seen: float, true: float) -> float:
    """Measure how surprising a share is under another chance, per player."""
    parts = ((seen, true), (1 - seen, 1 - true))
    return sum(one * log(one / other) if other else float("inf") for one, other in parts if one)
