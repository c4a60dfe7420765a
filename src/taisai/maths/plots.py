"""Pictures of answers, written as .png or .svg: the same input gives the same bytes.

They are drawn in greys, and nothing is shown by a shade alone: hatching, markers, line styles and
labels keep them readable on a black-and-white printer. Amounts are minor units. matplotlib is an
extra, needed only for pictures.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from taisai.core.rules.boxes import EVEN_CHANCES
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.paytable import PayTable
from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError, missing_extra
from taisai.wording import per_cent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# --- one picture ---------------------------------------------------------------------------------


SUFFIXES = (".png", ".svg")
INK, GREY, PALE, RULE = "#111111", "#8c8c8c", "#d9d9d9", "#cccccc"
STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.labelsize": 10,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlepad": 22,
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.7,
    "svg.fonttype": "path",
    # The ids in an SVG are derived from this, and are not random.
    "svg.hashsalt": "taisai",
}

#: The place of a picture: a file whose suffix gives the format, or a stream, which gets SVG.
Place = str | Path | BinaryIO


def check_place(place: Place) -> None:
    """Refuse a file that no picture can be written to, before any long computation."""
    if isinstance(place, str | Path) and Path(place).suffix.lower() not in SUFFIXES:
        raise MathsError(f"{Path(place).name} is no picture; name a .png or .svg file")
    try:
        import matplotlib  # noqa: F401, PLC0415 - an extra, loaded for a picture alone
    except ImportError:
        raise missing_extra("a picture", "plots") from None


@contextmanager
def figure_at(
    place: Place, inches: tuple[float, float], style: dict[str, Any]
) -> Iterator["Figure"]:
    """Give a figure in the house style, with some changes, and write it at the end."""
    check_place(place)
    from matplotlib import rc_context  # noqa: PLC0415 - an extra, as above
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context(STYLE | style):
        figure = Figure(figsize=inches, layout="constrained", facecolor="white")
        yield figure
        _write(figure, place)


@contextmanager
def picture(place: Place, inches: tuple[float, float]) -> Iterator["Axes"]:
    """Give one set of axes in the house style, and write the picture at the end."""
    with figure_at(place, inches, {}) as figure:
        yield figure.add_subplot()


def _write(figure: "Figure", place: Place) -> None:
    """Write a picture without the time and the program's name, so that its bytes are comparable."""
    to_file = isinstance(place, str | Path)
    suffix = Path(place).suffix.lower() if isinstance(place, str | Path) else ".svg"
    silent = {"Software": None} if suffix == ".png" else {"Date": None, "Creator": None}
    target = Path(place) if isinstance(place, str | Path) else place
    try:
        figure.savefig(target, format=suffix.removeprefix("."), dpi=150, metadata=silent)
    except OSError as error:
        if not to_file:
            raise
        raise MathsError(f"{place} cannot be written: {error.strerror or error}") from None


def write_amounts(axis: Any) -> None:
    """Label an axis with whole amounts."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: PLC0415 - an extra

    axis.set_major_locator(MaxNLocator(nbins=9, integer=True, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: amount_text(value)))


def write_shares(axis: Any) -> None:
    """Label an axis with shares in per cent."""
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415 - an extra

    axis.set_major_formatter(PercentFormatter(xmax=1, decimals=0, symbol=" %"))


def amount_text(value: float, decimals: int = 0) -> str:
    """Write an amount as people read it."""
    written = f"{value:,.{decimals}f}"
    # A tiny loss must not be shown as a loss of zero.
    minus = "\N{MINUS SIGN}" if written.strip("-0.,") else ""
    return written.replace("-", minus)


# --- what of an answer is shown ------------------------------------------------------------------


#: A distribution with more values than this is shown in so many bins of equal width.
BARS_MAX = 90
#: The tails beyond these chances are not drawn, and the picture says so.
_TAIL = Fraction(1, 20_000)


class Bar(NamedTuple):
    """A bar of a distribution: its middle, and its chance."""

    middle: float
    chance: float


class View(NamedTuple):
    """The part of a distribution that is drawn, and figures of the whole."""

    bars: list[Bar]
    width: float
    #: How many minor units a bar covers; None if each bar is one value.
    gathered: int | None
    mean: float
    behind: float
    even: float
    ahead: float
    hidden: float


#: Boxes of one kind with the same edges, and the edge on each pay table; None if absent.
EdgeRow = tuple[str, tuple[Fraction | None, ...]]


def view_of(distribution: Distribution) -> View:
    """Choose the visible part of a distribution."""
    total = distribution.total
    inner = _within_tails(list(distribution.pairs()), total)
    values = [value for value, _ in inner]
    lattice = math.gcd(*(value - values[0] for value in values)) or 1
    shape = _single_bars if len(inner) <= BARS_MAX else _binned_bars
    bars, width, gathered = shape(inner, total, lattice)
    return View(
        bars=bars,
        width=width,
        gathered=gathered,
        mean=float(distribution.mean),
        behind=float(distribution.below(0)),
        even=float(distribution.probability(0)),
        ahead=float(distribution.above(0)),
        hidden=(total - sum(weight for _, weight in inner)) / total,
    )


def edge_rows(tables: Sequence[PayTable]) -> list[EdgeRow]:
    """Put boxes of one kind with the same edges on one row, in the order of the documents.

    Small, Big, Odd and Even count as one kind.
    """
    keys = list(dict.fromkeys(key for table in tables for key in table.boxes))
    rows: dict[tuple[str, tuple[Fraction | None, ...]], list[str]] = {}
    for key in keys:
        boxes = [table.boxes.get(key) for table in tables]
        edges = tuple(None if box is None else box.house_edge for box in boxes)
        kind = next(box.kind for box in boxes if box is not None)
        alike = "" if kind in EVEN_CHANCES else kind.value
        rows.setdefault((alike, edges), []).append(key)
    return [(boxes_text(members), edges) for (_, edges), members in rows.items()]


def boxes_text(keys: Sequence[str]) -> str:
    """Name boxes that share a row: up to four by name, more by the first, the last and a count."""
    if len(keys) > 4:
        return f"{keys[0]} … {keys[-1]} ({len(keys)} boxes)"
    word = f"{keys[0].partition('-')[0]}-"
    return ", ".join([keys[0], *(key.removeprefix(word) for key in keys[1:])])


def kept_apart(ends: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """Place names beside the ends of curves, given from low to high, with a gap between."""
    places: list[float] = []
    for end in ends:
        floor = low if not places else places[-1] + gap
        places.append(max(end, floor))
    ceiling = high
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], ceiling)
        ceiling = places[number] - gap
    return places


def _within_tails(pairs: list[tuple[int, int]], total: int) -> list[tuple[int, int]]:
    """Leave out values too rare to be seen, if there are too many values."""
    if len(pairs) <= BARS_MAX:
        return pairs
    least = int(total * _TAIL)
    before, inner = 0, []
    for value, weight in pairs:
        if before + weight > least and total - before > least:
            inner.append((value, weight))
        before += weight
    return inner


_Bars = tuple[list[Bar], float, int | None]


def _single_bars(inner: list[tuple[int, int]], total: int, lattice: int) -> _Bars:
    span = inner[-1][0] - inner[0][0]
    # Very distant values would make the bars too thin to show their hatching.
    width = max(lattice * 0.8, span / BARS_MAX * 0.9, 0.5)
    return [Bar(value, weight / total) for value, weight in inner], width, None


def _binned_bars(inner: list[tuple[int, int]], total: int, lattice: int) -> _Bars:
    """Put values in bins of whole lattice steps, split at zero, so that no bin is partly a win."""
    span = inner[-1][0] - inner[0][0]
    width = lattice * max(1, -(-span // (lattice * BARS_MAX)))
    gathered: dict[int, int] = {}
    for value, weight in inner:
        place = -(-value // width)
        gathered[place] = gathered.get(place, 0) + weight
    bars = [Bar((place - 0.5) * width, weight / total) for place, weight in gathered.items()]
    return bars, float(width), width


#: The most lines on one picture that can be distinguished.
CURVES_MAX = 8
POINTS_MAX = 1_000_000
_LABELLED_MAX = 8

_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 3)), (0, (3, 3)))
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
_EDGED: dict[str, Any] = {"edgecolor": INK, "linewidth": 0.6}
_PLAIN: dict[str, Any] = {"facecolor": PALE, **_EDGED}
_DARK: dict[str, Any] = {"facecolor": "#555555", **_EDGED}
_HATCHED: dict[str, Any] = {"facecolor": "white", "hatch": "////", **_EDGED}
#: Open marks without a line, to be seen on top of another curve.
_OPEN: dict[str, Any] = {
    "linestyle": "none",
    "markeredgecolor": INK,
    "markerfacecolor": "white",
}


# --- the five pictures ---------------------------------------------------------------------------


def plot_distribution(distribution: Distribution, place: Place, title: str = "Net result") -> None:
    """Draw the chance of each net result: losses plain, wins hatched."""
    if len(distribution) > POINTS_MAX:
        raise MathsError(f"at most {POINTS_MAX:,} values are drawn, not {len(distribution):,}")
    shown = view_of(distribution)
    with picture(place, (9.0, 4.8)) as axes:
        for ahead, style in ((False, _PLAIN), (True, _HATCHED)):
            bars = [bar for bar in shown.bars if (bar.middle > 0) is ahead]
            axes.bar(
                [bar.middle for bar in bars],
                [bar.chance for bar in bars],
                width=shown.width * 0.94,
                **style,
            )
        axes.set_title(title)
        axes.set_xlabel("net result of the player (minor units)")
        axes.set_ylabel(_counted(shown))
        axes.set_ylim(0, 1.22 * max(bar.chance for bar in shown.bars))
        axes.margins(x=0.03)
        write_amounts(axes.xaxis)
        _label_bars(axes, shown)
        _label_mean(axes, shown.mean)
        _share_out(axes, shown)


def plot_fan(
    rounds: Sequence[int],
    quantiles: Mapping[float, Sequence[float]],
    place: Place,
    title: str = "Bankroll over rounds",
    expected: Sequence[float] | None = None,
) -> None:
    """Draw how a bankroll spreads: for each share of players, the amount they are at or below."""
    _check_curves(rounds, quantiles)
    levels = sorted(quantiles)
    with picture(place, (9.0, 5.2)) as axes:
        for depth, (low, high) in enumerate(zip(levels, reversed(levels), strict=True)):
            if low < high:
                shade = str(max(0.6, 0.93 - 0.13 * depth))
                axes.fill_between(rounds, quantiles[low], quantiles[high], color=shade, linewidth=0)
        ends = []
        for place_, level in enumerate(levels):
            depth = min(place_, len(levels) - 1 - place_)
            line = "-" if level == 0.5 else _LINES[1 + depth % 3]
            axes.plot(rounds, quantiles[level], color=INK, linestyle=line, linewidth=1.3)
            share = "half" if level == 0.5 else f"{100 * level:g} %"
            ends.append((float(quantiles[level][-1]), f"{share} are below"))
        if expected is not None:
            axes.plot(rounds, expected, marker="o", markevery=0.08, ms=5, **_OPEN)
            ends.append((float(expected[-1]), "expected"))
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_title(title)
        axes.set_xlabel("rounds played")
        axes.set_ylabel("net result of the player (minor units)")
        axes.set_xlim(min(rounds), max(rounds))
        write_amounts(axes.xaxis)
        write_amounts(axes.yaxis)
        _open_up(axes)
        _label_ends(axes, ends)


def plot_ruin(
    banks: Sequence[int],
    curves: Mapping[str, Sequence[float]],
    place: Place,
    title: str = "Ruin against bank",
) -> None:
    """Draw the chance that a bank is lost, one named curve for each question asked of it."""
    _check_curves(banks, curves)
    with picture(place, (9.0, 5.0)) as axes:
        for number, chances in enumerate(curves.values()):
            axes.plot(
                banks,
                chances,
                color=INK,
                linestyle=_LINES[number],
                linewidth=1.4,
                marker=_MARKS[number],
                markerfacecolor="white" if number % 2 else INK,
                markersize=5,
                markevery=max(1, len(banks) // 12),
            )
        axes.set_title(title)
        axes.set_xlabel("bank at the start (minor units)")
        axes.set_ylabel("chance that it is lost")
        axes.set_ylim(0, 1.02)
        axes.set_xlim(min(banks), max(banks))
        write_amounts(axes.xaxis)
        write_shares(axes.yaxis)
        _label_ends(axes, [(float(chances[-1]), name) for name, chances in curves.items()])


def plot_edges(
    tables: PayTable | Sequence[PayTable], place: Place, title: str = "House edge by box"
) -> None:
    """Draw the house edge of every box of a pay table, or of two or three beside one another."""
    shown = [tables] if isinstance(tables, PayTable) else list(tables)
    if not 1 <= len(shown) <= 3:
        raise MathsError(f"edges of one to three pay tables can be drawn, not of {len(shown)}")
    rows = edge_rows(shown)
    with picture(place, (9.0, 1.4 + (0.22 + 0.06 * len(shown)) * len(rows))) as axes:
        for number, table in enumerate(shown):
            # Equal edges must not hide one another: each pay table has a height of its own.
            lift = 0.3 * (number - (len(shown) - 1) / 2)
            points = [(row + lift, edge[number]) for row, (_, edge) in enumerate(rows)]
            there = [(row, 100 * float(edge)) for row, edge in points if edge is not None]
            axes.plot(
                [edge for _, edge in there],
                [row for row, _ in there],
                linestyle="none",
                marker=_MARKS[number],
                markersize=6.5,
                markeredgecolor=INK,
                markerfacecolor=("white" if number else INK),
                label=table.address,
                zorder=3,
            )
        _lay_edge_rows(axes, rows)
        axes.set_title(title)
        axes.set_xlabel("what the house keeps of a unit staked, on average (%)")
        if len(shown) > 1:
            _legend_above(axes)


def plot_exposure(
    pays: Sequence[int],
    place: Place,
    title: str = "Exposure by result",
    limit: int | None = None,
) -> None:
    """Draw what the house pays, net, on each of the 56 results, and the worst of them."""
    if len(pays) != len(RESULTS):
        raise MathsError(f"exposure is drawn over {len(RESULTS)} results, not {len(pays)}")
    worst = max(pays)
    with picture(place, (12.0, 5.2)) as axes:
        for sign, style in ((1, _DARK), (-1, _HATCHED)):
            there = [(place_, pay) for place_, pay in enumerate(pays) if pay * sign > 0]
            axes.bar(
                [place_ for place_, _ in there],
                [pay for _, pay in there],
                width=0.74,
                label="the house pays" if sign > 0 else "the house gains",
                **style,
            )
        axes.axhline(0, color=INK, linewidth=0.8)
        _mark_worst(axes, pays, worst, limit)
        faces = ["-".join(map(str, result.faces)) for result in RESULTS]
        axes.set_xticks(range(len(RESULTS)), faces, rotation=90, fontsize=8)
        axes.set_xlim(-0.8, len(RESULTS) - 0.2)
        axes.grid(axis="x", visible=False)
        axes.set_title(title)
        axes.set_xlabel("result, faces from low to high")
        axes.set_ylabel("what the house pays, net (minor units)")
        write_amounts(axes.yaxis)
        _legend_above(axes)


def _check_curves(along: Sequence[int], curves: Mapping[Any, Sequence[float]]) -> None:
    if not 1 <= len(curves) <= CURVES_MAX:
        raise MathsError(f"one to {CURVES_MAX} curves can be told apart, not {len(curves)}")
    if not 2 <= len(along) <= POINTS_MAX:
        raise MathsError(f"a curve is drawn through 2 to {POINTS_MAX:,} points, not {len(along)}")
    for name, points in curves.items():
        if len(points) != len(along):
            raise MathsError(f"the curve {name} has {len(points)} points where {len(along)} are")


# --- texts in a picture --------------------------------------------------------------------------


def _note(axes: "Axes", text: str, at: Any, offset: tuple[int, int], **more: Any) -> None:
    """Write beside a point, so many points of type away from it, on white."""
    white = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    axes.annotate(text, at, xytext=offset, textcoords="offset points", bbox=white, **more)


def _label_mean(axes: "Axes", mean: float) -> None:
    axes.axvline(mean, color=INK, linestyle="--", linewidth=1.3)
    text = f"mean {amount_text(mean, decimals=0 if abs(mean) >= 100 else 2)}"
    _note(axes, text, (mean, 0.985), (5, 0), xycoords=("data", "axes fraction"), va="top")


def _share_out(axes: "Axes", shown: View) -> None:
    """Write above the bars the shares of the whole that are behind, even and ahead."""
    shares = (("behind", shown.behind), ("even", shown.even), ("ahead (hatched)", shown.ahead))
    shares_text = [f"{name} {per_cent(share)}" for name, share in shares if share > 0]
    if shown.hidden > 0:
        shares_text.append(f"tails of {100 * shown.hidden:.1g} % beyond the picture")
    text = "     ".join(shares_text)
    _note(axes, text, (0, 1), (0, 6), xycoords="axes fraction", va="bottom")


def _counted(shown: View) -> str:
    if shown.gathered is None:
        return "chance"
    return f"chance of each {amount_text(shown.gathered)} minor units"


def _label_bars(axes: "Axes", shown: View) -> None:
    """Write its chance over each bar, if they are few enough to be read."""
    for bar in shown.bars if len(shown.bars) <= _LABELLED_MAX else ():
        _note(axes, per_cent(bar.chance), bar, (0, 3), ha="center", fontsize=8.5)


def _open_up(axes: "Axes") -> None:
    """Widen an axis on which all amounts are the same by one unit on each side."""
    low, high = axes.get_ylim()
    if high - low < 1:
        axes.set_ylim(low - 1, high + 1)


def _label_ends(axes: "Axes", ends: list[tuple[float, str]]) -> None:
    """Name each curve beside its end, names kept apart, each joined to its curve by a thin line."""
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    gap, margin = 0.055 * (high - low), 0.03 * (high - low)
    ordered = sorted(ends)
    places = kept_apart([end for end, _ in ordered], low + margin, high - margin, gap)
    for (end, name), at in zip(ordered, places, strict=True):
        axes.annotate(
            name,
            (1, end),
            xycoords=("axes fraction", "data"),
            xytext=(1.025, at),
            textcoords=("axes fraction", "data"),
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "linewidth": 0.6, "color": INK, "shrinkB": 0},
        )


def _lay_edge_rows(axes: "Axes", rows: list[EdgeRow]) -> None:
    for row, (_, edges) in enumerate(rows):
        there = [100 * float(edge) for edge in edges if edge is not None]
        axes.plot([min(0.0, *there), max(there)], [row, row], color=GREY, linewidth=0.9, zorder=1)
        text = " | ".join("not there" if e is None else f"{100 * float(e):.2f}" for e in edges)
        _note(axes, text, (max(there), row), (9, 0), va="center", fontsize=8.5)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=8.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.axvline(0, color=INK, linewidth=0.8)
    low, high = axes.get_xlim()
    lowest = min((edge for _, edges in rows for edge in edges if edge is not None), default=0)
    axes.set_xlim(low if lowest < 0 else 0, high + 0.14 * (high - low))


def _legend_above(axes: "Axes") -> None:
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1.0), ncols=3, frameon=False, borderaxespad=0.2
    )


def _mark_worst(axes: "Axes", pays: Sequence[int], worst: int, limit: int | None) -> None:
    expected = sum(pay * result.throws for pay, result in zip(pays, RESULTS, strict=True)) / 216
    axes.axhline(expected, color=INK, linestyle=":", linewidth=1.4)
    ends = [(expected, f"expected\n{amount_text(expected)}")]
    if limit is not None:
        axes.axhline(limit, color=INK, linestyle="--", linewidth=1.4)
        ends.append((float(limit), f"limit\n{amount_text(limit)}"))
    at = pays.index(worst)
    side = "center" if 3 < at < 52 else ("left" if at <= 3 else "right")
    text = f"worst {amount_text(worst)}"
    _note(axes, text, (at, max(worst, 0)), (0, 4), ha=side, fontweight="bold")
    axes.margins(y=0.1)
    _open_up(axes)
    _label_ends(axes, ends)
