"""Monitoring dice while they are thrown: a fairness test that may be read after every throw.

An imagined bettor who thinks the dice are unfair bets one unit against them. Before each throw the
bettor spreads the capital over the faces, or over the 56 results, by the throws so far; the part on
the outcome that comes is paid at fair odds. Against fair dice this capital, the *e-value*,
is a martingale, so by Ville's inequality it ever reaches 1/alpha with a chance of at most alpha,
however long and however often it is read [Ville 1939; Shafer and Vovk 2019]. Against dice that
are not fair it grows without end.

How the bettor learns: by drawing from an urn (a Dirichlet prior around the fair distribution), with
some capital on each of four beliefs about how unfair the dice are. The capital is shared between
the faces of all dice, the 56 results, and each die if the dice are distinguishable; a mean of such
capitals is again an e-value. Only a few counts are kept, and no package is needed.
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
#: How many throws an urn's prior counts for: the more, the smaller the bias it looks for.
#: A face is believed off its sixth by about sqrt(5/36/strength): 0.067, 0.022, 0.007, 0.002.
FACE_STRENGTHS: Final = (30.0, 300.0, 3_000.0, 30_000.0)
#: A result of 1 in 36 is believed off by a factor of about sqrt(35/strength): 0.6, 0.2, 0.06, 0.02.
RESULT_STRENGTHS: Final = (100.0, 1_000.0, 10_000.0, 100_000.0)

RESULT_ODDS: Final = tuple(THROWS / result.throws for result in RESULTS)
FACE_ODDS: Final = (6.0,) * len(FACES)


class UrnState(Struct, frozen=True):
    """A stored urn: how often each symbol was drawn, and the logarithm of each capital."""

    counts: tuple[int, ...]
    logs: tuple[float, ...]


class MonitorState(Struct, frozen=True, kw_only=True):
    """A stored monitor: msgspec writes it as JSON of about a kilobyte, and reads it back."""

    confidence: float
    dice_known: bool
    throws: int
    peak_log: float
    alarmed_at: int | None
    urns: tuple[UrnState, ...]


class _Urn:
    """A bettor who bets at fair odds by the earlier draws, with several strengths of belief."""

    __slots__ = ("_odds", "_strengths", "counts", "drawn", "logs")

    def __init__(self, odds: Sequence[float], strengths: Sequence[float]) -> None:
        self._odds = odds
        self._strengths = tuple(enumerate(strengths))
        self.counts = [0] * len(odds)
        self.drawn = 0
        self.logs = [0.0] * len(strengths)

    def draw(self, cell: int) -> None:
        """Pay the part of the capital on a cell, and count the draw."""
        drawn, logs = self.drawn, self.logs
        counted = self.counts[cell] * self._odds[cell]
        for place, strength in self._strengths:
            logs[place] += math.log((strength + counted) / (strength + drawn))
        self.counts[cell] += 1
        self.drawn = drawn + 1

    def take_back(self, cell: int) -> None:
        """Undo any earlier draw: the capital depends on the counts, not on their order."""
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
        """Give the state to store."""
        return UrnState(tuple(self.counts), tuple(self.logs))

    def restore(self, state: UrnState, drawn: int) -> None:
        """Restore a stored state."""
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
    """Monitors throws one by one; fair dice ever raise its alarm with a chance of alpha.

    The chance is that of *ever* raising an alarm, not that of one reading. An alarm stays once it
    is raised. Without `dice_known` the faces of a throw may come in any order.
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
        """Add a throw, and return whether there is an alarm; each throw costs the same."""
        self._results.draw(_index_of(dice))
        for face in dice:
            self._faces.draw(face - 1)
        for urn, face in zip(self._dice, dice, strict=False):
            urn.draw(face - 1)
        self.throws += 1
        self._look()
        return self.is_alarmed

    def _look(self) -> None:
        """Raise the alarm if there is enough evidence."""
        log = self.log_e_value
        self.peak_log = max(self.peak_log, log)
        if self.alarmed_at is None and log >= self._threshold:
            self.alarmed_at = self.throws

    def saw(self, dice: Sequence[int]) -> bool:
        """Say whether such a throw was added."""
        return self._results.counts[_index_of(dice)] > 0

    def put_right(self, seen: Sequence[int], shown: Sequence[int]) -> None:
        """Replace a wrongly read throw by the right one.

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
        """Add throws, and return whether there is an alarm."""
        for dice in throws:
            self.see(dice)
        return self.is_alarmed

    @property
    def is_alarmed(self) -> bool:
        return self.alarmed_at is not None

    @property
    def log_e_value(self) -> float:
        """The natural logarithm of the evidence against fair dice; it starts at 0."""
        return log_mean([urn.log_capital for urn in self._urns])

    @property
    def e_value(self) -> float:
        """The evidence against fair dice: what one unit bet against them has become."""
        log = self.log_e_value
        return math.exp(log) if log < 700 else math.inf

    @property
    def p_value(self) -> float:
        """A bound on the chance that fair dice ever get this far; valid whenever it is read."""
        return min(1.0, math.exp(-self.peak_log))

    @property
    def alarm_at(self) -> float:
        """Give the e-value at which the alarm is raised: 1/alpha."""
        return math.exp(self._threshold)

    def state(self) -> MonitorState:
        """Give the state to store, so that monitoring continues exactly after a restart."""
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
        """Continue from a stored state."""
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
    """Refuse an impossible confidence."""
    if not CONFIDENCE_MIN <= confidence <= CONFIDENCE_MAX:
        raise MathsError(
            f"a confidence of {confidence} cannot be asked for;"
            f" from {CONFIDENCE_MIN} to {CONFIDENCE_MAX} can, like 0.99"
        )
    return confidence


def log_mean(logs: Sequence[float]) -> float:
    """Give the logarithm of the mean of numbers that are given as logarithms."""
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
