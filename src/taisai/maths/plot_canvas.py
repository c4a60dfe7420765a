"""One picture in the house style, written as .png or .svg: the same drawing gives the same bytes.

It is drawn in greys. matplotlib is an extra, asked for when a picture is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from taisai.maths.errors import MathsError, missing_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
INK, GREY, PALE, RULE = "#111111", "#8c8c8c", "#d9d9d9", "#cccccc"
_STYLE: Any = {
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
    # The names of parts of an SVG come from this and not from chance.
    "svg.hashsalt": "taisai",
}

#: Where a picture goes: a file whose suffix tells the format, or a stream, which gets SVG.
Place = str | Path | BinaryIO


def check_place(place: Place) -> None:
    """Refuse a file that no picture can be written to, before anything long is worked out."""
    if isinstance(place, str | Path) and Path(place).suffix.lower() not in SUFFIXES:
        raise MathsError(f"{Path(place).name} is no picture; name a .png or .svg file")
    try:
        import matplotlib  # noqa: F401, PLC0415 - an extra, loaded for a picture alone
    except ImportError:
        raise missing_extra("a picture", "plots") from None


@contextmanager
def picture(place: Place, inches: tuple[float, float]) -> Iterator["Axes"]:
    """Give one set of axes in the house style, and write them out when they are done."""
    check_place(place)
    from matplotlib import rc_context  # noqa: PLC0415 - an extra, as above
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context(_STYLE):
        figure = Figure(figsize=inches, layout="constrained", facecolor="white")
        yield figure.add_subplot()
        _write(figure, place)


def _write(figure: "Figure", place: Place) -> None:
    """Write a picture without the hour and the program in it, so that its bytes can be compared."""
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
    """Let an axis tell whole amounts."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: PLC0415 - an extra

    axis.set_major_locator(MaxNLocator(nbins=9, integer=True, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: amount_text(value)))


def write_shares(axis: Any) -> None:
    """Let an axis tell shares in per cent."""
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415 - an extra

    axis.set_major_formatter(PercentFormatter(xmax=1, decimals=0, symbol=" %"))


def amount_text(value: float, decimals: int = 0) -> str:
    """Write an amount as people read it."""
    written = f"{value:,.{decimals}f}"
    # A tiny loss is no loss of zero.
    minus = "\N{MINUS SIGN}" if written.strip("-0.,") else ""
    return written.replace("-", minus)
