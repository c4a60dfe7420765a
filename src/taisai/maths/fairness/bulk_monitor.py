"""The monitor of `taisai.maths.fairness.monitor`, run over all throws of a file at once.

Each capital is a running product, which is a running sum of logarithms: the number of earlier draws
of a symbol is a rank, and ranks are computed for all throws of a chunk together.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from taisai.maths.fairness.monitor import FACE_ODDS, FACE_STRENGTHS, RESULT_ODDS, RESULT_STRENGTHS
from taisai.maths.fairness.monte_carlo import Method, Outcome
from taisai.maths.fairness.throws import FACE_OF, RESULT_OF, Codes, Floats, Throws

#: Throws in a chunk: memory stays small, however many there are in all.
STRETCH: Final = 250_000
#: How many points are kept of the e-value's course.
POINTS_MAX: Final = 2_000


class Followed(NamedTuple):
    """The course of an e-value: its natural logarithm after some throws, and its final value."""

    throws: npt.NDArray[np.int64]
    logs: Floats
    last_log: float
    peak_log: float
    peak_at: int
    alarmed_at: int | None


class _Urns:
    """The urns of one kind of symbol, one for each strength, in their current state."""

    def __init__(self, odds: Sequence[float], strengths: Sequence[float]) -> None:
        self._odds = np.array(odds)
        self._strengths = np.array(strengths)[:, None]
        self._counts = np.zeros(len(odds), dtype=np.int64)
        self._drawn = 0
        self._logs = np.zeros((len(strengths), 1))

    def draw(self, symbols: Codes) -> Floats:
        """Draw symbols, and give the logarithm of the mean capital after each."""
        counted = self._ranks(symbols) * self._odds[symbols]
        drawn = self._drawn + np.arange(len(symbols), dtype=np.float64)
        logs = np.log((self._strengths + counted) / (self._strengths + drawn))
        np.cumsum(logs, axis=1, out=logs)
        logs += self._logs
        self._logs = logs[:, -1:].copy()
        self._drawn += len(symbols)
        return log_means(logs)

    def _ranks(self, symbols: Codes) -> npt.NDArray[np.int64]:
        """Give for each symbol the number of its earlier draws."""
        ranks = np.empty(len(symbols), dtype=np.int64)
        for symbol in range(len(self._counts)):
            places = np.flatnonzero(symbols == symbol)
            ranks[places] = self._counts[symbol] + np.arange(len(places))
            self._counts[symbol] += len(places)
        return ranks


def log_means(logs: Floats) -> Floats:
    """Give the logarithms of the means of columns that are given as logarithms."""
    top = logs.max(axis=0)
    return np.asarray(top + np.log(np.exp(logs - top).mean(axis=0)))


def follow(throws: Throws, alpha: float) -> Followed:
    """Run the monitor over the throws from the first to the last."""
    results = _Urns(RESULT_ODDS, RESULT_STRENGTHS)
    faces = _Urns(FACE_ODDS, FACE_STRENGTHS)
    dice = [_Urns(FACE_ODDS, FACE_STRENGTHS) for _ in range(3 if throws.dice_known else 0)]
    shown = np.unique(np.linspace(1, len(throws), POINTS_MAX).astype(np.int64))
    kept: list[Floats] = []
    threshold, peak, peak_at, last = -math.log(alpha), 0.0, 0, 0.0
    alarmed_at: int | None = None
    for first in range(0, len(throws), STRETCH):
        codes = throws.codes[first : first + STRETCH]
        parts = [results.draw(RESULT_OF[codes]), faces.draw(FACE_OF[:, codes].T.ravel())[2::3]]
        parts += [urns.draw(FACE_OF[die][codes]) for die, urns in enumerate(dice)]
        logs = log_means(np.array(parts))
        within = shown[(shown > first) & (shown <= first + len(codes))]
        kept.append(logs[within - first - 1])
        highest = int(logs.argmax())
        if logs[highest] > peak:
            peak, peak_at = float(logs[highest]), first + highest + 1
        if alarmed_at is None and logs[highest] >= threshold:
            alarmed_at = first + int((logs >= threshold).argmax()) + 1
        last = float(logs[-1])
    return Followed(shown, np.concatenate(kept), last, peak, peak_at, alarmed_at)


def watched(key: str, followed: Followed) -> Outcome:
    """Judge throws by their highest e-value; fair dice reach it with a chance of p."""
    return Outcome(
        key=key,
        statistic=math.exp(min(followed.peak_log, 690.0)),
        p=min(1.0, math.exp(-followed.peak_log)),
        method=Method.ANYTIME,
        details={
            "peak_at": followed.peak_at,
            "alarmed_at": followed.alarmed_at,
            "log10_last": followed.last_log / math.log(10),
            "log10_peak": followed.peak_log / math.log(10),
        },
    )
