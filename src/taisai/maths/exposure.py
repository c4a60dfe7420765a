"""Exposure, what a table can lose: the house's net payment on each of the 56 results.

On a result the house pays the winners and keeps the losers' stakes; the difference is its exposure
there, below zero if it gains. With limits, exposure is about what plays, as a round would be
settled: if an over-full box plays pro rata, that is less than what is registered, and not always
the lower risk, since returned stakes cannot be lost to the house either.

All amounts are whole minor units. A change of one bet touches the results its box wins on and no
other bet, so that it costs the same with 100,000 bets on the layout as with ten.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from taisai.core.rules.bets import Bet, bet_refusal, box_refusal
from taisai.core.rules.dice import RESULTS, THROWS, Result
from taisai.core.rules.limits import Limits, off_step
from taisai.core.rules.money import AMOUNT_MAX
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.reason import Refusal, shown
from taisai.core.rules.settlement import settle
from taisai.maths.errors import MathsError, check_whole, worded
from taisai.maths.slates import backs

#: The most bets that are settled at once; add more one by one in a LiveExposure.
BETS_MAX = 1_000_000


class Driver(NamedTuple):
    """A box that wins on a result: its stakes, its odds, and its payment."""

    box: str
    stake: int
    odds: Fraction
    pays: int


class Room(NamedTuple):
    """How much more a box can take, and what stops it: a result, the limits, or nothing (None)."""

    box: str
    amount: int | None
    result: Result | None
    by: str


class Exposure:
    """The exposure of stakes on boxes: the 56 net payments, with figures derived from them."""

    def __init__(self, table: PayTable, stakes: Mapping[str, int], pays: Iterable[int]) -> None:
        self.table = table
        self.stakes = {box: stake for box, stake in stakes.items() if stake}
        self.pays = tuple(pays)

    @property
    def staked(self) -> int:
        """The sum of the stakes on all boxes."""
        return sum(self.stakes.values())

    @cached_property
    def worst(self) -> int:
        """Give the most the house can pay, net, in this round; below zero it gains in any case."""
        return max(self.pays)

    @property
    def worst_results(self) -> tuple[Result, ...]:
        """List the results on which the house pays the most."""
        return tuple(result for result in RESULTS if self.pays[result.index] == self.worst)

    @property
    def worst_probability(self) -> Fraction:
        """The chance of a worst result."""
        return Fraction(sum(result.throws for result in self.worst_results), THROWS)

    @cached_property
    def expected(self) -> Fraction:
        """What the house pays on average, exactly; below zero it expects to gain."""
        weighed = sum(self.pays[result.index] * result.throws for result in RESULTS)
        return Fraction(weighed, THROWS)

    @property
    def losing_probability(self) -> Fraction:
        """Give the chance that the house pays more than it collects."""
        throws = sum(result.throws for result in RESULTS if self.pays[result.index] > 0)
        return Fraction(throws, THROWS)

    def drivers(self, result: Result | None = None) -> list[Driver]:
        """List the boxes that cause the exposure on a result, by default on the worst one."""
        on = self.worst_results[0] if result is None else result
        found = []
        for key, stake in self.stakes.items():
            odds = self.table.boxes[key].odds_on(on)
            if odds is not None:
                found.append(Driver(key, stake, odds, int(odds * stake)))
        return sorted(found, key=lambda driver: -driver.pays)

    def collected(self, result: Result) -> int:
        """Add up the stakes that lose on a result."""
        return self.staked - sum(driver.stake for driver in self.drivers(result))

    def room(self, box: str, most: int, limits: Limits | None = None) -> Room:
        """Find how much more a box can take until the house pays more than `most` if it wins.

        The amount is a whole number of stake steps. With limits it also stays within the box's
        maximum and the Differential if those count all players together.
        """
        _raise_any(box_refusal(self.table, box))
        check_whole("the most to be paid is", most, -AMOUNT_MAX, AMOUNT_MAX)
        step = self.table.boxes[box].step if limits is None else limits.step
        room = _exposure_room(self.table.boxes[box], self.pays, most)
        if limits is not None:
            room = _within_limits(self, room, limits)
        amount = None if room.amount is None else max(0, room.amount // step * step)
        return room._replace(amount=amount)


def exposure_of(table: PayTable, stakes: Mapping[str, int]) -> Exposure:
    """Compute the exposure of registered stakes on boxes, all players together."""
    live = LiveExposure(table)
    for box, stake in stakes.items():
        _raise_any(bet_refusal(table, box, stake))
        live.change(box, stake)
    return live.snapshot()


def exposure_of_bets(
    table: PayTable, bets: Iterable[Bet], limits: Limits | None = None
) -> Exposure:
    """Compute the exposure of players' bets; with limits, of the parts that play."""
    laid = list(bets)
    if len(laid) > BETS_MAX:
        raise MathsError(f"{len(laid):,} bets are more than the {BETS_MAX:,} of one layout")
    # The settlement itself checks the bets; the result makes no difference to that.
    settled = settle(table, RESULTS[0], laid, limits)
    if isinstance(settled, Refusal):
        raise worded(settled)
    totals: dict[str, int] = {}
    for bet in settled.bets:
        totals[bet.box] = totals.get(bet.box, 0) + bet.playing
    return exposure_of(table, {box: stake for box, stake in totals.items() if stake})


class LiveExposure:
    """The exposure of a layout, updated as bets come and go.

    It stores the sum of all stakes and, for each result, what goes back to its winners, stakes
    included: a bet changes the first, and the second on the results its box wins on.
    """

    def __init__(self, table: PayTable) -> None:
        self.table = table
        self._staked = 0
        self._back = [0] * len(RESULTS)
        self._stakes = dict.fromkeys(table.boxes, 0)
        self._wins = {key: returns_of(box) for key, box in table.boxes.items()}

    def change(self, box: str, amount: int) -> None:
        """Add an amount to the stakes on a box; a negative amount is taken away."""
        if box not in self._stakes:
            _raise_any(box_refusal(self.table, box))
        step, returns = self._wins[box]
        stake = self._stakes[box] + amount
        if type(amount) is not int or amount % step or not 0 <= stake <= AMOUNT_MAX:
            raise _no_change(box, amount, self._stakes[box], step)
        self._stakes[box] = stake
        self._staked += amount
        back, steps = self._back, amount // step
        for result, returned in returns:
            back[result] += returned * steps

    @property
    def pays(self) -> tuple[int, ...]:
        """Give what the house pays, net, on each of the 56 results."""
        staked = self._staked
        return tuple([back - staked for back in self._back])

    @property
    def worst(self) -> int:
        """Give the most the house can pay, net, in this round."""
        return max(self._back) - self._staked

    def on(self, result: Result) -> int:
        """Give what the house pays, net, on one result."""
        return self._back[result.index] - self._staked

    def snapshot(self) -> Exposure:
        """Give the current exposure as a copy that later bets do not change."""
        return Exposure(self.table, self._stakes, self.pays)


def returns_of(box: BettingBox) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Give the results on which one step on the box comes back, each with the amount."""
    returned = enumerate(backs(box, box.step))
    return box.step, tuple((result, back) for result, back in returned if back)


def _exposure_room(box: BettingBox, pays: tuple[int, ...], most: int) -> Room:
    """Find the winning result on which the house reaches its limit first."""
    room = Room(box.key, None, None, "nothing")
    for result in RESULTS:
        odds = box.odds_on(result)
        if odds:
            amount = int(max(most - pays[result.index], 0) // odds)
            if room.amount is None or amount < room.amount:
                room = Room(box.key, amount, result, "exposure")
    return room


def _within_limits(exposure: Exposure, room: Room, limits: Limits) -> Room:
    rules = exposure.table.limit_rules
    if rules.scope != "box":
        return room
    lies = exposure.stakes.get(room.box, 0)
    ends = [("maximum", limits.of(room.box).maximum - lies)]
    for pair in rules.differential_pairs if limits.differential is not None else ():
        if room.box in pair and limits.differential is not None:
            (other,) = (box for box in pair if box != room.box)
            ahead = lies - exposure.stakes.get(other, 0)
            ends.append(("differential", limits.differential - ahead))
    by, amount = min(ends, key=lambda end: end[1])
    if room.amount is not None and room.amount <= amount:
        return room
    return Room(room.box, amount, None, by)


def _no_change(box: str, amount: int, lies: int, step: int) -> MathsError:
    if type(amount) is not int:
        return MathsError(f"{shown(amount)} on {box} is no whole number of minor units")
    if amount % step:
        return worded(off_step(box, abs(amount), step))
    if lies + amount > AMOUNT_MAX:
        return MathsError(f"{amount} more on {box} is more money than there is")
    return MathsError(f"{-amount} cannot be taken from {box}, on which {lies} lies")


def _raise_any(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise worded(refusal)
