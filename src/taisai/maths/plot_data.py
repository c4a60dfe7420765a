"""What of an answer a picture shows: bars of a distribution, rows of edges, names kept apart.

Arithmetic only: nothing here knows how a picture is drawn.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

from taisai.core.rules.boxes import EVEN_CHANCES
from taisai.core.rules.paytable import PayTable

#: A distribution with more values than this is shown in so many bins of equal width.
BARS_MAX = 90
#: What lies beyond these chances on either side is left out of view, and the picture says so.
_TAIL = Fraction(1, 20_000)


class Weighted(Protocol):
    """A distribution as far as a picture needs it: values in order, and how much each weighs."""

    @property
    def values(self) -> Sequence[int]: ...

    @property
    def weights(self) -> Sequence[int]: ...

    @property
    def total(self) -> int: ...


class Bar(NamedTuple):
    """A bar of a distribution: where its middle stands, and its chance."""

    middle: float
    chance: float


class View(NamedTuple):
    """The part of a distribution that is drawn, and what is told of the whole of it."""

    bars: list[Bar]
    width: float
    #: How many minor units a bar gathers; None where each bar is one value.
    gathered: int | None
    mean: float
    behind: float
    even: float
    ahead: float
    hidden: float


#: Boxes of one kind with the same edges, and the edge on each pay table; None: not there.
EdgeRow = tuple[str, tuple[Fraction | None, ...]]


def view_of(distribution: Weighted) -> View:
    """Choose what of a distribution can be seen."""
    total = distribution.total
    pairs = list(zip(distribution.values, distribution.weights, strict=True))
    inner = _within_tails(pairs, total)
    values = [value for value, _ in inner]
    lattice = math.gcd(*(value - values[0] for value in values)) or 1
    shape = _single_bars if len(inner) <= BARS_MAX else _binned_bars
    bars, width, gathered = shape(inner, total, lattice)
    return View(
        bars=bars,
        width=width,
        gathered=gathered,
        mean=float(Fraction(sum(value * weight for value, weight in pairs), total)),
        behind=sum(weight for value, weight in pairs if value < 0) / total,
        even=sum(weight for value, weight in pairs if value == 0) / total,
        ahead=sum(weight for value, weight in pairs if value > 0) / total,
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
    """Find places for names beside the ends of curves, given from low to high, a gap apart."""
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
    """Leave out what is too rare to be seen, where there is so much to show that it matters."""
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
    # Far values beside near ones would leave bars too thin to see their hatching.
    width = max(lattice * 0.8, span / BARS_MAX * 0.9, 0.5)
    return [Bar(value, weight / total) for value, weight in inner], width, None


def _binned_bars(inner: list[tuple[int, int]], total: int, lattice: int) -> _Bars:
    """Gather values in bins of whole lattice steps that part at zero, so none is half won."""
    span = inner[-1][0] - inner[0][0]
    width = lattice * max(1, -(-span // (lattice * BARS_MAX)))
    gathered: dict[int, int] = {}
    for value, weight in inner:
        place = -(-value // width)
        gathered[place] = gathered.get(place, 0) + weight
    bars = [Bar((place - 0.5) * width, weight / total) for place, weight in gathered.items()]
    return bars, float(width), width
