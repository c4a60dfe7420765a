"""Watching dice while they are thrown: a test of fairness that may be looked at after every throw.

Someone who thinks the dice are not fair bets one unit against them. Before each throw they spread
what they have over the faces, or over the 56 results, by what they have seen so far; what they
spread on the throw that comes is paid at fair odds. Against fair dice their capital, the *e-value*,
is a martingale, so by Ville's inequality it ever reaches 1/alpha with a chance of at most alpha,
however long and however often anyone looks [Ville 1939; Shafer and Vovk 2019]. Against dice that
are not fair it grows without end.

How they learn: as one who draws from an urn (a Dirichlet prior around the fair distribution), with
some capital on each of four beliefs about how far from fair the dice are. The capital is shared
between the faces of all dice, the 56 results, and each die where it is known which is which; a
mean of such capitals is one again. Nothing but a few counts is kept, and no package is needed.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from taisai.core.rules.dice import FACES, RESULTS, THROWS, result_of
from taisai.core.rules.reason import shown
from taisai.maths.errors import MathsError

CONFIDENCE_MIN: Final = 0.5
CONFIDENCE_MAX: Final = 0.9999
#: How many throws an urn's first content counts for: the more, the smaller the bias it looks for.
#: A face is believed off its sixth by about sqrt(5/36/strength): 0.067, 0.022, 0.007, 0.002.
FACE_STRENGTHS: Final = (30.0, 300.0, 3_000.0, 30_000.0)
#: A result of 1 in 36 is believed off by a factor of about sqrt(35/strength): 0.6, 0.2, 0.06, 0.02.
RESULT_STRENGTHS: Final = (100.0, 1_000.0, 10_000.0, 100_000.0)

RESULT_ODDS: Final = tuple(THROWS / result.throws for result in RESULTS)
FACE_ODDS: Final = (6.0,) * len(FACES)


class UrnState(Struct, frozen=True):
    """An urn as it is kept: what was drawn from it how often, and the logarithm of each capital."""

    counts: tuple[int, ...]
    logs: tuple[float, ...]


class MonitorState(Struct, frozen=True, kw_only=True):
    """A monitor as it is kept: msgspec writes it as JSON of about a kilobyte, and reads it back."""

    confidence: float
    dice_known: bool
    throws: int
    peak_log: float
    alarmed_at: int | None
    urns: tuple[UrnState, ...]


class _Urn:
    """One who bets against fair odds by what was drawn before, with several strengths of belief."""

    __slots__ = ("_odds", "_strengths", "counts", "drawn", "logs")

    def __init__(self, odds: Sequence[float], strengths: Sequence[float]) -> None:
        self._odds = odds
        self._strengths = tuple(enumerate(strengths))
        self.counts = [0] * len(odds)
        self.drawn = 0
        self.logs = [0.0] * len(strengths)

    def draw(self, cell: int) -> None:
        """Pay what was spread on a cell, and learn from it."""
        drawn, logs = self.drawn, self.logs
        counted = self.counts[cell] * self._odds[cell]
        for place, strength in self._strengths:
            logs[place] += math.log((strength + counted) / (strength + drawn))
        self.counts[cell] += 1
        self.drawn = drawn + 1

    def take_back(self, cell: int) -> None:
        """Undo a draw, whichever it was: the capital follows from the counts, not their order."""
        self.counts[cell] -= 1
        self.drawn -= 1
        counted = self.counts[cell] * self._odds[cell]
        for place, strength in self._strengths:
            self.logs[place] -= math.log((strength + counted) / (strength + self.drawn))

    @property
    def log_capital(self) -> float:
        """Give the logarithm of the mean capital over the strengths."""
        return log_mean(self.logs)

    def state(self) -> UrnState:
        """Give what is to be kept."""
        return UrnState(tuple(self.counts), tuple(self.logs))

    def restore(self, state: UrnState, drawn: int) -> None:
        """Take up what was kept."""
        if (
            len(state.counts) != len(self.counts)
            or len(state.logs) != len(self.logs)
            or min(state.counts) < 0
            or sum(state.counts) != drawn
            or not all(map(math.isfinite, state.logs))
        ):
            raise MathsError("this is no state of a monitor: an urn's counts do not fit its throws")
        self.counts, self.logs, self.drawn = list(state.counts), list(state.logs), drawn


class FairnessMonitor:
    """Watches throws one by one, and raises an alarm that fair dice raise with a chance of alpha.

    The chance holds for ever: it is that of *ever* raising an alarm, not that of one look. An alarm
    stays once it is raised. Without `dice_known` the faces of a throw may come in any order.
    """

    def __init__(self, confidence: float = 0.99, *, dice_known: bool = False) -> None:
        self.confidence = checked_confidence(confidence)
        self.dice_known = dice_known
        self.throws = 0
        self.alarmed_at: int | None = None
        self.peak_log = 0.0
        self._threshold = -math.log(1 - confidence)
        self._results = _Urn(RESULT_ODDS, RESULT_STRENGTHS)
        self._faces = _Urn(FACE_ODDS, FACE_STRENGTHS)
        self._dice = [_Urn(FACE_ODDS, FACE_STRENGTHS) for _ in range(3 if dice_known else 0)]

    def see(self, dice: Sequence[int]) -> bool:
        """Take in a throw, and say whether there is an alarm; the cost is the same for each."""
        self._results.draw(_index_of(dice))
        for face in dice:
            self._faces.draw(face - 1)
        for urn, face in zip(self._dice, dice, strict=False):
            urn.draw(face - 1)
        self.throws += 1
        self._look()
        return self.is_alarmed

    def _look(self) -> None:
        """Raise the alarm where there is evidence enough for it."""
        log = self.log_e_value
        self.peak_log = max(self.peak_log, log)
        if self.alarmed_at is None and log >= self._threshold:
            self.alarmed_at = self.throws

    def saw(self, dice: Sequence[int]) -> bool:
        """Say whether such a throw was among those taken in."""
        return self._results.counts[_index_of(dice)] > 0

    def put_right(self, seen: Sequence[int], shown: Sequence[int]) -> None:
        """Replace a throw that was read wrongly by what the dice had shown.

        The e-value is then what it would have been; an alarm that was raised meanwhile stays.
        """
        if self.dice_known:
            raise MathsError("a watch that knows the dice apart cannot put a throw right")
        if not self.saw(seen):
            raise MathsError(f"{tuple(seen)} was not seen, and cannot be put right")
        for before, after in zip(sorted(seen), sorted(shown), strict=True):
            self._faces.take_back(before - 1)
            self._faces.draw(after - 1)
        self._results.take_back(_index_of(seen))
        self._results.draw(_index_of(shown))
        self._look()

    def see_all(self, throws: Iterable[Sequence[int]]) -> bool:
        """Take in throws, and say whether there is an alarm."""
        for dice in throws:
            self.see(dice)
        return self.is_alarmed

    @property
    def is_alarmed(self) -> bool:
        return self.alarmed_at is not None

    @property
    def log_e_value(self) -> float:
        """Give the natural logarithm of the evidence against fair dice; it starts at 0."""
        return log_mean([urn.log_capital for urn in self._urns])

    @property
    def e_value(self) -> float:
        """Give the evidence against fair dice: what one unit bet against them has become."""
        log = self.log_e_value
        return math.exp(log) if log < 700 else math.inf

    @property
    def p_value(self) -> float:
        """Give a chance that fair dice ever get this far; it holds whenever it is looked at."""
        return min(1.0, math.exp(-self.peak_log))

    @property
    def alarm_at(self) -> float:
        """Give the e-value at which the alarm is raised: 1/alpha."""
        return math.exp(self._threshold)

    def state(self) -> MonitorState:
        """Give what is to be kept, so that the watch goes on after a stop as if there were none."""
        return MonitorState(
            confidence=self.confidence,
            dice_known=self.dice_known,
            throws=self.throws,
            peak_log=self.peak_log,
            alarmed_at=self.alarmed_at,
            urns=tuple(urn.state() for urn in self._urns),
        )

    @classmethod
    def from_state(cls, state: MonitorState) -> "FairnessMonitor":
        """Take up a watch where it was left."""
        monitor = cls(state.confidence, dice_known=state.dice_known)
        urns = monitor._urns
        if len(state.urns) != len(urns) or not math.isfinite(state.peak_log):
            raise MathsError("this is no state of a monitor: it has not the urns of one")
        for urn, kept in zip(urns, state.urns, strict=True):
            urn.restore(kept, state.throws * (3 if urn is monitor._faces else 1))
        monitor.throws = state.throws
        monitor.peak_log, monitor.alarmed_at = state.peak_log, state.alarmed_at
        return monitor

    @property
    def _urns(self) -> list[_Urn]:
        return [self._results, self._faces, *self._dice]


def checked_confidence(confidence: float) -> float:
    """Refuse a confidence that asks for nothing, or for more than can be had."""
    if not CONFIDENCE_MIN <= confidence <= CONFIDENCE_MAX:
        raise MathsError(
            f"a confidence of {confidence} cannot be asked for;"
            f" from {CONFIDENCE_MIN} to {CONFIDENCE_MAX} can, like 0.99"
        )
    return confidence


def log_mean(logs: Sequence[float]) -> float:
    """Give the logarithm of the mean of numbers known by their logarithms."""
    top = max(logs)
    return top + math.log(sum(math.exp(log - top) for log in logs) / len(logs))


_INDEX_OF: dict[tuple[int, ...], int] = {
    (a, b, c): result_of((a, b, c)).index for a in FACES for b in FACES for c in FACES
}


def _index_of(dice: Sequence[int]) -> int:
    index = _INDEX_OF.get(tuple(dice))
    if index is None or any(type(face) is not int for face in dice):
        raise MathsError(f"{shown(dice)} is no throw; three faces from 1 to 6 are")
    return index
