"""Habits: when somebody bets while bets are open, and on what.

A habit is asked once a round for the moments at which it acts, as fractions of the time there is,
and then at each of them for what it does. Whatever it wishes, it stays within limits and credits.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from taisai.bots.sight import EVEN_CHANCES, Sight


@dataclass(frozen=True, slots=True)
class Place:
    """Place bets."""

    bets: dict[str, int]


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take bets back, or parts of them."""

    bets: dict[str, int]


@dataclass(frozen=True, slots=True)
class Clear:
    """Take everything back."""


Move = Place | Withdraw | Clear


class Habit(ABC):
    """How one player bets."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    @abstractmethod
    def moments(self) -> list[float]:
        """Say when to act, as fractions of the time that bets are open."""

    @abstractmethod
    def move(self, sight: Sight) -> Move | None:
        """Say what to do now, if anything."""

    def _some(self, boxes: list[str], count: int) -> list[str]:
        """Pick some boxes, as many as there are."""
        return self._chance.sample(boxes, min(count, len(boxes)))

    def _spread(self, count: int, first: float, last: float) -> list[float]:
        """Pick moments between two."""
        return sorted(self._chance.uniform(first, last) for _ in range(count))


class Cautious(Habit):
    """Small bets on even chances, early, and not in every round."""

    def moments(self) -> list[float]:
        """Act once, or sit a round out."""
        return [] if self._chance.random() < 0.2 else [self._chance.uniform(0.1, 0.6)]

    def move(self, sight: Sight) -> Move | None:
        """Bet the minimum on an even chance."""
        boxes = self._some(sight.layout.among(EVEN_CHANCES), 1)
        return _placed(sight, boxes, sight.minimum)


class Scatter(Habit):
    """A few chips here and there, again and again."""

    def moments(self) -> list[float]:
        """Act a few times."""
        return self._spread(self._chance.randint(2, 5), 0.05, 0.9)

    def move(self, sight: Sight) -> Move | None:
        """Bet on a few boxes, whichever."""
        boxes = self._some(list(sight.layout.kinds), self._chance.randint(1, 4))
        return _placed(sight, boxes, lambda box: sight.minimum(box) * self._chance.randint(1, 3))


class OneNumber(Habit):
    """A lucky number, and every box that names it."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self._number = chance.randint(1, 6)

    def moments(self) -> list[float]:
        """Act once."""
        return [self._chance.uniform(0.1, 0.8)]

    def move(self, sight: Sight) -> Move | None:
        """Bet on the number, its double and its triple, as the layout has them."""
        number = self._number
        boxes = [f"single-{number}", f"double-{number}", f"triple-{number}"]
        return _placed(sight, sight.layout.among(boxes), sight.minimum)


class Doubler(Habit):
    """An even chance, doubled after every loss, as far as the maximum of the table goes."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self._box = chance.choice(EVEN_CHANCES)
        self._times = 1

    def moments(self) -> list[float]:
        """Act once, and take stock of the last round then."""
        return [self._chance.uniform(0.1, 0.7)]

    def move(self, sight: Sight) -> Move | None:
        """Bet twice as much as before if that was lost, else begin again."""
        self._times = self._times * 2 if (sight.last_result or 0) < 0 else 1
        box = self._box if self._box in sight.layout.kinds else EVEN_CHANCES[0]
        wished = sight.minimum(box) * self._times
        if wished > sight.maximum(box):
            self._times, wished = 1, sight.minimum(box)
        return _placed(sight, sight.layout.among([box]), lambda _: wished)


class Late(Habit):
    """Waits until the last seconds, then bets in a hurry."""

    def moments(self) -> list[float]:
        """Act near the end."""
        return self._spread(2, 0.85, 0.97)

    def move(self, sight: Sight) -> Move | None:
        """Bet on an even chance or a total."""
        boxes = [*sight.layout.among(EVEN_CHANCES), *sight.layout.of_kind("total")]
        return _placed(
            sight,
            self._some(boxes, 2),
            lambda box: sight.minimum(box) * self._chance.randint(1, 5),
        )


class Fickle(Habit):
    """Places bets, takes some of them back, and thinks again."""

    def moments(self) -> list[float]:
        """Act many times."""
        return self._spread(self._chance.randint(3, 7), 0.05, 0.95)

    def move(self, sight: Sight) -> Move | None:
        """Take back what is there, all or one bet, or place another."""
        if sight.bets and self._chance.random() < 0.15:
            return Clear()
        if sight.bets and self._chance.random() < 0.4:
            box = self._chance.choice(list(sight.bets))
            return Withdraw({box: sight.bets[box]})
        return _placed(sight, self._some(list(sight.layout.kinds), 1), sight.minimum)


class Whale(Habit):
    """Not often, but then a good part of the purse."""

    def moments(self) -> list[float]:
        """Act in one round out of three."""
        return [self._chance.uniform(0.2, 0.8)] if self._chance.random() < 0.35 else []

    def move(self, sight: Sight) -> Move | None:
        """Bet as much of a tenth of the purse as the table takes."""
        boxes = [*sight.layout.among(EVEN_CHANCES), *sight.layout.of_kind("any-triple")]
        return _placed(sight, self._some(boxes, 1), lambda _: sight.credits // 10)


HABITS: dict[str, Callable[[Random], Habit]] = {
    "cautious": Cautious,
    "scatter": Scatter,
    "one-number": OneNumber,
    "doubler": Doubler,
    "late": Late,
    "fickle": Fickle,
    "whale": Whale,
}


def _placed(sight: Sight, boxes: Iterable[str], wished: Callable[[str], int]) -> Place | None:
    """Place what of the wishes is possible."""
    bets = {box: stake for box in boxes if (stake := sight.plan(box, wished(box)))}
    return Place(bets) if bets else None
