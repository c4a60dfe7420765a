"""`taisai compare`: two pay tables box by box, and the cheapest bets on each."""

import argparse
from math import sqrt

from taisai.cli.catalogue import catalogue_of
from taisai.cli.command import (
    PLAYER_EDGE,
    RULEBOOK,
    Answer,
    Output,
    argument,
    command,
    pick,
    plot,
    whole,
)
from taisai.cli.maths.slate import bets_answer
from taisai.cli.text import align, edge_text, stakes_text, title_of
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.comparison import BoxComparison, Cheapest, Comparison, compare
from taisai.maths.plots import boxes_text
from taisai.maths.slates import Slate
from taisai.rulebooks.answers import identity_of, pays_of
from taisai.wording import per_cent


@command(
    "taisai compare ts6/2 etg8/2",
    RULEBOOK,
    PLAYER_EDGE,
    argument("pay_table A", "a pay table, like ts6/2"),
    argument("other B", "another, like etg8/2"),
    whole(
        "--min AMOUNT",
        "the least that may be staked on a box (the smallest that pays whole)",
        default=1,
    ),
    plot("both tables' edges"),
    detail="Cheapest per unit staked, in a round at the least stake, for the same standard\n"
    "deviation, and among slates that win something on every result.",
)
def compare_tables(arguments: argparse.Namespace) -> Output:
    catalogue = catalogue_of(arguments)
    first, second = map(catalogue.pay_table, (arguments.pay_table, arguments.other))
    rulebooks = [catalogue.rulebook(table.rulebook_key) for table in (first, second)]
    comparison = compare(first, second, arguments.min)
    if arguments.plot is not None:
        from taisai.maths.plots import plot_edges  # noqa: PLC0415 - an extra, for pictures

        plot_edges([first, second], arguments.plot)
    return Output(lambda: _answer(rulebooks, comparison), lambda: _text(rulebooks, comparison))


# --- for programs --------------------------------------------------------------------------------


def _answer(rulebooks: list[Rulebook], comparison: Comparison) -> Answer:
    tables = (comparison.first, comparison.second)
    return {
        "pay_tables": [
            {
                "pay_table": table.address,
                "rulebook": identity_of(rulebook),
                "cheaper": comparison.cheaper_on(table),
                "cheapest": _cheapest_answer(cheapest),
            }
            for table, rulebook, cheapest in zip(
                tables, rulebooks, comparison.cheapest, strict=True
            )
        ],
        "boxes": [_box_answer(each, tables) for each in comparison.boxes],
    }


def _box_answer(compared: BoxComparison, tables: tuple[PayTable, PayTable]) -> Answer:
    return {
        "box": compared.box,
        "kind": compared.kind.value,
        "on": [
            None
            if priced is None
            else {
                "pays": pays_of(table.boxes[compared.box]),
                "ways": priced.ways,
                "house_edge": priced.house_edge,
            }
            for table, priced in zip(tables, (compared.first, compared.second), strict=True)
        ],
        "difference": compared.difference,
    }


def _cheapest_answer(cheapest: Cheapest) -> Answer:
    return {
        "per_unit": {"boxes": cheapest.per_unit, "house_edge": cheapest.house_edge},
        "at_minimum": [_slate_answer(slate) for slate in cheapest.at_minimum],
        "for_swing": {
            "boxes": cheapest.for_swing,
            "loss_per_deviation_squared": cheapest.swing_squared,
        },
        "covering": None if cheapest.covering is None else _slate_answer(cheapest.covering),
    }


def _slate_answer(slate: Slate) -> Answer:
    return {"bets": bets_answer(slate), **pick(slate, "staked", "expected_loss", "house_edge")}


# --- for people ----------------------------------------------------------------------------------


def _text(rulebooks: list[Rulebook], comparison: Comparison) -> str:
    tables = (comparison.first, comparison.second)
    parts = [
        "\n".join(
            title_of(rulebook, table) for rulebook, table in zip(rulebooks, tables, strict=True)
        ),
        _boxes(comparison),
        _counts(comparison),
        *(
            _cheapest_text(table, cheapest)
            for table, cheapest in zip(tables, comparison.cheapest, strict=True)
        ),
    ]
    return "\n\n".join(parts)


def _boxes(comparison: Comparison) -> str:
    """Lay the boxes side by side, those of a kind that both tables price alike in one row."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for each in comparison.boxes:
        difference = each.difference
        apart = "" if difference is None else f"{float(100 * difference):+.2f} %"
        key = (each.kind.value, *_cells(each.first), *_cells(each.second), apart)
        rows.setdefault(key, []).append(each.box)
    first, second = comparison.first.address, comparison.second.address
    headings = ("boxes", f"{first} pays", "edge", "", f"{second} pays", "edge", "", "difference")
    laid = [(boxes_text(boxes), *cells) for (_, *cells), boxes in rows.items()]
    return align(headings, laid, right=" rrrrrrr")


def _cells(priced: BettingBox | None) -> tuple[str, str, str]:
    if priced is None:
        return "-", "", ""
    pays = " / ".join(write_odds(odds) for odds in priced.odds)
    return pays, write_fraction(priced.house_edge), per_cent(priced.house_edge)


def _counts(comparison: Comparison) -> str:
    first, second = comparison.first, comparison.second
    both = [each for each in comparison.boxes if each.difference is not None]
    on_first, on_second = (len(comparison.cheaper_on(table)) for table in (first, second))
    alike = len(both) - on_first - on_second
    return (
        f"Of {len(both)} boxes on both, {on_first} are cheaper on {first.address}, "
        f"{on_second} on {second.address}, {alike} cost the same."
    )


def _cheapest_text(table: PayTable, cheapest: Cheapest) -> str:
    one = cheapest.at_minimum[0]
    ratio = cheapest.swing_squared
    per_deviation = 100 * sqrt(abs(ratio)) * (1 if ratio >= 0 else -1)
    at_minimum = tuple(next(iter(slate.stakes)) for slate in cheapest.at_minimum)
    measures = [
        ("per unit staked", edge_text(cheapest.house_edge), _grouped(cheapest.per_unit, table)),
        (
            "in a round",
            f"{float(one.expected_loss):,.4g} with {one.staked:,} on one box",
            _grouped(at_minimum, table),
        ),
        (
            "for the same swing",
            f"{per_deviation:.2f} % of a standard deviation",
            _grouped(cheapest.for_swing, table),
        ),
        ("winning something", "on every result", _covering(cheapest.covering)),
    ]
    lines = [f"  {name:18}  {cost}: {what}" for name, cost, what in measures]
    return "\n".join([f"Cheapest to play on {table.address}", *lines])


def _grouped(boxes: tuple[str, ...], table: PayTable) -> str:
    by_kind: dict[str, list[str]] = {}
    for box in boxes:
        by_kind.setdefault(table.boxes[box].kind.value, []).append(box)
    return "; ".join(map(boxes_text, by_kind.values()))


def _covering(slate: Slate | None) -> str:
    if slate is None:
        return "no slate was found"
    loss = f"{float(slate.expected_loss):,.4g} a round, {edge_text(slate.house_edge)}"
    return f"{loss}: {stakes_text(slate.stakes)}"
