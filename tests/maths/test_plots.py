"""Plots: they are drawn, in greys, with the same bytes each time; their figures are arithmetic."""

import io
import sys
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
from matplotlib.image import imread

import taisai
from taisai.core.rules.dice import RESULTS
from taisai.maths import plots
from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError
from taisai.maths.exposure import exposure_of
from taisai.maths.plots import BARS_MAX, Place, boxes_text, edge_rows, kept_apart, view_of

SINGLE = Distribution((-1000, 1000, 2000, 12000), (125, 75, 15, 1), 216)
ROUNDS = 2_000
SMALL_AFTER_ROUNDS = Distribution(
    tuple(1000 * (2 * won - ROUNDS) for won in range(ROUNDS + 1)),
    tuple(comb(ROUNDS, won) * 105**won * 111 ** (ROUNDS - won) for won in range(ROUNDS + 1)),
    216**ROUNDS,
)


def draw(name: str, place: Place) -> None:
    """Draw one plot of each kind."""
    table = taisai.pay_table("ts6/2")
    along = list(range(0, 1001, 100))
    match name:
        case "single":
            plots.plot_distribution(SINGLE, place, "Single 3, one round")
        case "session":
            plots.plot_distribution(SMALL_AFTER_ROUNDS, place)
        case "fan":
            curves = {share: [(share - 0.6) * at for at in along] for share in (0.05, 0.5, 0.95)}
            plots.plot_fan(along, curves, place, expected=[-0.1 * at for at in along])
        case "ruin":
            curves_of_ruin = {
                "within 100 rounds": [1 / (1 + at) for at in along],
                "ever": [1 - at / 4000 for at in along],
            }
            plots.plot_ruin(along, curves_of_ruin, place)
        case "edges":
            plots.plot_edges(table, place)
        case "two edges":
            plots.plot_edges([table, taisai.pay_table("etg8/1")], place)
        case _:
            pays = exposure_of(table, {"small": 50_000, "triple-1": 900}).pays
            plots.plot_exposure(pays, place, limit=100_000)


PICTURES = ("single", "session", "fan", "ruin", "edges", "two edges", "exposure")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_no_colour_to_be_missed(name: str, tmp_path: Path) -> None:
    draw(name, tmp_path / "a.png")
    colours = np.asarray(imread(tmp_path / "a.png"))[..., :3]
    assert min(colours.shape[:2]) > 400
    assert np.ptp(colours, axis=2).max() == 0, "legible in black and white: there is nothing else"
    assert colours.min() < 0.2
    assert colours.max() == 1


def test_a_picture_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    draw("fan", first)
    draw("fan", second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("name", ["session", "exposure"])
def test_a_vector_picture_is_the_same_bytes_each_time_too(name: str, tmp_path: Path) -> None:
    stream = io.BytesIO()
    draw(name, tmp_path / "a.SVG")
    draw(name, stream)
    written = (tmp_path / "a.SVG").read_bytes()
    assert written == stream.getvalue()
    assert b"<svg" in written
    assert b"<dc:date>" not in written
    assert b"Matplotlib" not in written


def test_nothing_at_stake_can_be_drawn_as_well() -> None:
    flat: list[Callable[[BinaryIO], None]] = [
        lambda place: plots.plot_exposure([0] * len(RESULTS), place),
        lambda place: plots.plot_fan([0, 10], {0.5: [0, 0]}, place),
        lambda place: plots.plot_distribution(Distribution((0,), (216,), 216), place),
        lambda place: plots.plot_ruin([0, 10], {"ever": [1.0, 1.0]}, place),
    ]
    for draw_flat in flat:
        stream = io.BytesIO()
        draw_flat(stream)
        assert b"</svg>" in stream.getvalue()


def test_a_distribution_of_few_values_is_shown_value_by_value() -> None:
    shown = view_of(SINGLE)
    assert [bar.middle for bar in shown.bars] == list(SINGLE.values)
    assert [bar.chance for bar in shown.bars] == [weight / 216 for weight in SINGLE.weights]
    assert (shown.gathered, shown.hidden, shown.even) == (None, 0, 0)
    assert shown.mean == pytest.approx(float(SINGLE.mean))


def test_a_long_distribution_is_shown_in_bins_that_part_at_zero() -> None:
    shown = view_of(SMALL_AFTER_ROUNDS)
    assert shown.gathered is not None
    assert shown.gathered % 2000 == 0
    assert len(shown.bars) <= BARS_MAX + 1
    assert shown.hidden < 1e-4
    drawn_ahead = sum(bar.chance for bar in shown.bars if bar.middle > 0)
    assert drawn_ahead == pytest.approx(float(SMALL_AFTER_ROUNDS.above(0)), abs=1e-4)
    assert sum(bar.chance for bar in shown.bars) + shown.hidden == pytest.approx(1)
    assert shown.ahead == pytest.approx(float(SMALL_AFTER_ROUNDS.above(0)))
    assert shown.behind + shown.even + shown.ahead == pytest.approx(1)


def test_boxes_of_a_kind_with_the_same_edge_share_a_row() -> None:
    table = taisai.pay_table("etg8/1")
    rows = dict(edge_rows([table]))
    assert rows["small, big, even, odd"] == (Fraction(1, 36),)
    assert rows["total-4, 7, 14, 17"] == (Fraction(7, 72),)
    assert rows["single-1 … single-6 (6 boxes)"] == (Fraction(1, 27),)
    beside = dict(edge_rows([table, taisai.pay_table("ts6/3")]))
    assert beside["double-1 … double-6 (6 boxes)"] == (Fraction(2, 27), None)


def test_boxes_are_told_by_name_while_they_are_few() -> None:
    assert boxes_text(["any-triple"]) == "any-triple"
    assert boxes_text(["four-6543", "four-6532"]) == "four-6543, 6532"


@pytest.mark.parametrize(
    ("ends", "places"),
    [
        ([], []),
        ([5.0], [5.0]),
        ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]),
        ([9.5, 9.8, 10.0], [8.0, 9.0, 10.0]),
        ([-3.0, 4.0], [0.0, 4.0]),
    ],
)
def test_names_beside_curves_are_kept_apart(ends: list[float], places: list[float]) -> None:
    assert kept_apart(ends, 0.0, 10.0, 1.0) == places


def test_what_cannot_be_drawn_is_refused_in_a_sentence(tmp_path: Path) -> None:
    place = tmp_path / "a.svg"
    table = taisai.pay_table("ts6/2")
    with pytest.raises(MathsError, match=r"a\.gif is no picture; name a \.png or \.svg file"):
        plots.check_place(tmp_path / "a.gif")
    with pytest.raises(MathsError, match="one to 8 curves"):
        plots.plot_ruin([1, 2], {}, place)
    with pytest.raises(MathsError, match="2 to"):
        plots.plot_ruin([1], {"ever": [1.0]}, place)
    with pytest.raises(MathsError, match="the curve ever has 1 points where 2 are"):
        plots.plot_ruin([1, 2], {"ever": [1.0]}, place)
    with pytest.raises(MathsError, match="over 56 results, not 3"):
        plots.plot_exposure([1, 2, 3], place)
    with pytest.raises(MathsError, match="one to three pay tables"):
        plots.plot_edges([table] * 4, place)
    many = tuple(range(plots.POINTS_MAX + 1))
    with pytest.raises(MathsError, match="at most 1,000,000 values are drawn, not 1,000,001"):
        plots.plot_distribution(Distribution(many, many, 1), place)
    with pytest.raises(MathsError, match="cannot be written"):
        plots.plot_exposure([0] * len(RESULTS), tmp_path / "nowhere" / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MathsError, match=r"taisai\[plots\]"):
        plots.plot_edges(taisai.pay_table("ts6/1"), "edges.svg")
