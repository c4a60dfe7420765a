"""A picture of throws: how often each result, total and face came, and the e-value's course.

Counts are shown as shares of their expectation, each with an error bar: if the bar does not reach
1, that cell alone would be unusual at the requested confidence. Drawn in black and white.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from taisai.core.rules.dice import FACES, RESULTS
from taisai.maths.errors import MathsError
from taisai.maths.fairness.bulk_monitor import follow
from taisai.maths.fairness.examination import Group, Report
from taisai.maths.fairness.tails import normal_quantile
from taisai.maths.fairness.throws import FACE_WEIGHTS, RESULT_WEIGHTS, TOTAL_WEIGHTS, Counts, Floats
from taisai.maths.plots import GREY, INK, figure_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: More groups than this make the picture unreadable.
PICTURED_MAX: Final = 6
#: The type is smaller if several charts share a figure.
_STYLE: Final[dict[str, Any]] = {
    "axes.labelsize": "medium",
    "axes.titlepad": 6,
    "axes.titlesize": 11,
    "font.size": 9,
}
_LEAST_LOG10: Final = -1.0


#: Counts as shares of their expectation, and the range of each by chance alone.
Shares = tuple[Floats, Floats]


def shares_of(counts: Counts, weights: Sequence[int], reach: float) -> Shares:
    """Divide counts by their expectation; bars are `reach` standard deviations of a fair count."""
    chances = np.array(weights) / sum(weights)
    expected = int(counts.sum()) * chances
    return counts / expected, reach * np.sqrt((1 - chances) / expected)


def plot_fairness(groups: Sequence[Group], report: Report, place: str | Path) -> None:
    """Draw counts against expectation and the e-value over time, for each group."""
    if len(groups) > PICTURED_MAX:
        raise MathsError(
            f"a picture of {len(groups)} groups cannot be read; at most {PICTURED_MAX} are drawn"
        )
    with figure_at(place, (11.0, 6.8 * len(groups)), _STYLE) as figure:
        parts = figure.subfigures(len(groups), 1, squeeze=False)[:, 0]
        for part, group in zip(parts, groups, strict=True):
            _draw_group(part, group, report)


def _draw_group(part: Any, group: Group, report: Report) -> None:
    reach = normal_quantile(1 - report.alpha / 2)
    axes = part.subplot_mosaic([["results", "results"], ["totals", "faces"], ["watch", "watch"]])
    throws = group.throws
    named = f"{group.name}: " if group.name else ""
    bars = f"bars: what chance does to one of them, in {100 * report.confidence:.6g} % of cases"
    part.suptitle(f"{named}{len(throws):,} throws; {bars}", x=0.01, ha="left", fontsize=10)
    results = ["".join(map(str, result.faces)) for result in RESULTS]
    totals = [str(total) for total in range(3, 19)]
    _draw_shares(
        axes["results"], shares_of(throws.result_counts, RESULT_WEIGHTS, reach), results, "results"
    )
    axes["results"].tick_params(axis="x", rotation=90, labelsize=7.5)
    _draw_shares(
        axes["totals"], shares_of(throws.total_counts, TOTAL_WEIGHTS, reach), totals, "totals"
    )
    faces = [str(face) for face in FACES]
    if throws.dice_known:
        _draw_dice(axes["faces"], group, faces, reach)
    else:
        shares = shares_of(throws.face_counts, FACE_WEIGHTS, reach)
        _draw_shares(axes["faces"], shares, faces, "faces, all dice")
    _draw_watch(axes["watch"], group, report)


def _draw_shares(axes: "Axes", shares: Shares, names: Sequence[str], title: str) -> None:
    places = np.arange(len(names))
    _draw_points(axes, places, shares, "o")
    _frame(axes, places, names, title)


def _draw_dice(axes: "Axes", group: Group, names: Sequence[str], reach: float) -> None:
    places = np.arange(len(names))
    for die, mark in enumerate("os^"):
        shares = shares_of(group.throws.die_counts(die), FACE_WEIGHTS, reach)
        _draw_points(axes, places + 0.22 * (die - 1), shares, mark, label=f"die {die + 1}")
    _frame(axes, places, names, "faces of each die")
    axes.legend(ncols=3, frameon=False, loc="lower right", bbox_to_anchor=(1, 1), fontsize=8)


def _draw_points(axes: "Axes", places: Any, shares: Shares, mark: str, label: str = "") -> None:
    axes.errorbar(
        places,
        shares[0],
        yerr=shares[1],
        fmt=mark,
        color=INK,
        ecolor=GREY,
        markerfacecolor="white",
        markersize=4.5,
        elinewidth=1,
        capsize=2,
        label=label or None,
    )


def _frame(axes: "Axes", places: Counts, names: Sequence[str], title: str) -> None:
    axes.axhline(1, color=INK, linewidth=1)
    axes.set_xticks(places, names)
    axes.set_xlim(-0.8, len(names) - 0.2)
    axes.set_ylim(bottom=0 if axes.get_ylim()[0] < 0 else None)
    axes.set_ylabel("came / expected")
    axes.set_title(title)


def _draw_watch(axes: "Axes", group: Group, report: Report) -> None:
    followed = follow(group.throws, report.alpha)
    logs = followed.logs / math.log(10)
    alarm = -math.log10(report.alpha)
    axes.plot(followed.throws, logs, color=INK, linewidth=1.2)
    axes.axhline(alarm, color=INK, linestyle="--", linewidth=1)
    axes.text(
        0.995,
        alarm,
        f"alarm at {1 / report.alpha:,.6g}",
        transform=axes.get_yaxis_transform(),
        ha="right",
        va="bottom",
    )
    if followed.alarmed_at is not None:
        axes.plot([followed.alarmed_at], [alarm], marker="D", color=INK, markersize=6)
    axes.set_xlim(0, len(group.throws))
    axes.set_ylim(min(_LEAST_LOG10, float(logs.min())), max(alarm * 1.3, float(logs.max()) * 1.05))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("throws")
    axes.set_ylabel("log₁₀ of the e-value")
    axes.set_title("evidence against fair dice, watched throw by throw")
