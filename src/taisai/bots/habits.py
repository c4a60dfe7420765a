"""Habits: when somebody bets while bets are open, and on what.

A habit is asked once a round for the moments at which it acts, as fractions of the time there is,
and then at each of them for what it does. Whatever it wishes, it stays within limits and credits.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Literal, NamedTuple

from taisai.bots.sight import EVEN_CHANCES, Sight

#: What is done, and with which bets; everything is taken back without naming any.
Move = tuple[Literal["place", "withdraw", "clear"], dict[str, int]]


class Habit(NamedTuple):
    """How one player bets."""

    #: When to act, as fractions of the time that bets are open.
    moments: Callable[[], list[float]]
    #: What to do now, if anything.
    move: Callable[[Sight], Move | None]


def cautious(chance: Random) -> Habit:
    """Bet the minimum on even chances, early, and not in every round."""

    def move(sight: Sight) -> Move | None:
        return _placed(sight, _some(sight.layout.among(EVEN_CHANCES), 1, chance), sight.minimum)

    return Habit(lambda: [] if chance.random() < 0.2 else [chance.uniform(0.1, 0.6)], move)


def scatter(chance: Random) -> Habit:
    """Put a few chips here and there, again and again."""

    def move(sight: Sight) -> Move | None:
        boxes = _some(list(sight.layout.kinds), chance.randint(1, 4), chance)
        return _placed(sight, boxes, lambda box: sight.minimum(box) * chance.randint(1, 3))

    return Habit(lambda: _spread(chance.randint(2, 5), 0.05, 0.9, chance), move)


def one_number(chance: Random) -> Habit:
    """Bet on a lucky number, its double and its triple, as the layout has them."""
    number = chance.randint(1, 6)
    boxes = [f"single-{number}", f"double-{number}", f"triple-{number}"]

    def move(sight: Sight) -> Move | None:
        return _placed(sight, sight.layout.among(boxes), sight.minimum)

    return Habit(lambda: [chance.uniform(0.1, 0.8)], move)


def doubler(chance: Random) -> Habit:
    """Bet on an even chance, twice as much after every loss, as far as the maximum goes."""
    favourite, times = chance.choice(EVEN_CHANCES), 1

    def move(sight: Sight) -> Move | None:
        nonlocal times
        times = times * 2 if (sight.last_result or 0) < 0 else 1
        box = favourite if favourite in sight.layout.kinds else EVEN_CHANCES[0]
        if sight.minimum(box) * times > sight.maximum(box):
            times = 1
        wished = sight.minimum(box) * times
        return _placed(sight, sight.layout.among([box]), lambda _: wished)

    return Habit(lambda: [chance.uniform(0.1, 0.7)], move)


def late(chance: Random) -> Habit:
    """Wait until the last seconds, then bet in a hurry on even chances or totals."""

    def move(sight: Sight) -> Move | None:
        boxes = [*sight.layout.among(EVEN_CHANCES), *sight.layout.of_kind("total")]
        some = _some(boxes, 2, chance)
        return _placed(sight, some, lambda box: sight.minimum(box) * chance.randint(1, 5))

    return Habit(lambda: _spread(2, 0.85, 0.97, chance), move)


def fickle(chance: Random) -> Habit:
    """Place bets, take some or all of them back, and think again."""

    def move(sight: Sight) -> Move | None:
        if sight.bets and chance.random() < 0.15:
            return "clear", {}
        if sight.bets and chance.random() < 0.4:
            box = chance.choice(list(sight.bets))
            return "withdraw", {box: sight.bets[box]}
        return _placed(sight, _some(list(sight.layout.kinds), 1, chance), sight.minimum)

    return Habit(lambda: _spread(chance.randint(3, 7), 0.05, 0.95, chance), move)


def whale(chance: Random) -> Habit:
    """Bet in one round out of three, but then as much of a tenth of the purse as is taken."""

    def move(sight: Sight) -> Move | None:
        boxes = [*sight.layout.among(EVEN_CHANCES), *sight.layout.of_kind("any-triple")]
        return _placed(sight, _some(boxes, 1, chance), lambda _: sight.credits // 10)

    return Habit(lambda: [chance.uniform(0.2, 0.8)] if chance.random() < 0.35 else [], move)


HABITS: dict[str, Callable[[Random], Habit]] = {
    habit.__name__.replace("_", "-"): habit
    for habit in (cautious, scatter, one_number, doubler, late, fickle, whale)
}


def _some(boxes: list[str], count: int, chance: Random) -> list[str]:
    """Pick some boxes, as many as there are."""
    return chance.sample(boxes, min(count, len(boxes)))


def _spread(count: int, first: float, last: float, chance: Random) -> list[float]:
    """Pick moments between two."""
    return sorted(chance.uniform(first, last) for _ in range(count))


def _placed(sight: Sight, boxes: Iterable[str], wished: Callable[[str], int]) -> Move | None:
    """Place what of the wishes is possible."""
    bets = {box: stake for box in boxes if (stake := sight.plan(box, wished(box)))}
    return ("place", bets) if bets else None
