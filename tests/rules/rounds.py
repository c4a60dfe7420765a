"""Rounds, limits and pay rows for the clause tests, with the type of each answer checked.

Nothing is expected here: the expected results are in the tests, as literals.
"""

from collections.abc import Mapping, Sequence

import taisai
from taisai.core.rules.limits import Limits
from taisai.core.rules.money import write_odds
from taisai.core.rules.schema import IrregularityContent, LayoutContent
from taisai.core.rules.settlement import SettledBet, Settlement
from taisai.wording import word_area

Placed = Sequence[tuple[str, str, int]]


def bets(placed: Placed) -> list[taisai.Bet]:
    """Make bets from rows of player, box and stake."""
    return [taisai.Bet(player, box, stake) for player, box, stake in placed]


def limits_on(
    address: str,
    minimum: int,
    maximum: int,
    *,
    step: int = 100,
    differential: int | None = None,
    boxes: Mapping[str, tuple[int | None, int | None]] | None = None,
) -> Limits:
    """Put limits in force on a pay table; they must be accepted."""
    setting = taisai.LimitsAsked(minimum, maximum, step, differential, dict(boxes or {}))
    limits = taisai.set_limits(taisai.pay_table(address), setting)
    assert isinstance(limits, Limits)
    return limits


def settled(
    address: str, dice: Sequence[int], placed: Placed, limits: Limits | None = None
) -> Settlement:
    """Settle a round that must not be refused."""
    table = taisai.pay_table(address)
    settlement = taisai.settle(table, taisai.result_of(dice), bets(placed), limits)
    assert isinstance(settlement, Settlement)
    return settlement


def refused(
    address: str, dice: Sequence[int], placed: Placed, limits: Limits | None = None
) -> taisai.Refusal:
    """Settle a round that must be refused."""
    table = taisai.pay_table(address)
    refusal = taisai.settle(table, taisai.result_of(dice), bets(placed), limits)
    assert isinstance(refusal, taisai.Refusal)
    return refusal


def settled_bet(address: str, dice: Sequence[int], box: str, stake: int = 1000) -> SettledBet:
    """Settle one player's one bet, without limits."""
    (bet,) = settled(address, dice, [("ann", box, stake)]).bets
    return bet


def outcome(address: str, dice: Sequence[int], box: str) -> tuple[str, str | None, str, str]:
    """Give the outcome of a bet: outcome, odds, clause and the code of its reason."""
    bet = settled_bet(address, dice, box)
    odds = None if bet.odds is None else write_odds(bet.odds)
    return bet.outcome.value, odds, bet.clause, bet.reason.code


def playing(settlement: Settlement) -> list[tuple[str, int, str]]:
    """List how much of each player's bet plays, and what limited it."""
    return [(bet.player, bet.playing, bet.by.value) for bet in settlement.bets]


def ruling(key: str, code: str) -> IrregularityContent:
    """Find the one ruling a rulebook holds on an irregularity."""
    (found,) = (each for each in taisai.rulebook(key).content.irregularities if each.code == code)
    return found


def irregularities(key: str) -> set[str]:
    """Give the irregularities that a rulebook rules on."""
    return {each.code for each in taisai.rulebook(key).content.irregularities}


def priced(text: str) -> dict[str, tuple[str, str]]:
    """Read rows `name | odds | word: labels` into the name and odds of each box."""
    rows = [line.split(" | ") for line in text.splitlines() if line]
    return {
        f"{word}-{label}".rstrip("-"): (name, odds)
        for name, odds, boxes in rows
        for word, _, labels in [boxes.partition(":")]
        for label in labels.split() or [""]
    }


def in_force(address: str) -> dict[str, tuple[str, str]]:
    """Give the name and odds of each box of a pay table, a Single's three odds in one text."""
    return {
        key: (box.bet_name, " ".join(write_odds(odds) for odds in box.odds))
        for key, box in taisai.pay_table(address).boxes.items()
    }


def printed_rows(layout: LayoutContent, word: str) -> list[str]:
    """List what a layout prints of one kind of box: a text for each row, labels left to right."""
    areas = [area for area in layout.areas if area.box.startswith(f"{word}-")]
    return [
        " ".join(
            area.box.removeprefix(f"{word}-")
            for area in sorted(areas, key=lambda each: each.x)
            if area.y == row
        )
        for row in sorted({area.y for area in areas})
    ]


def printed_words(address: str, language: str = "en") -> list[tuple[str, ...]]:
    """List each area that prints more than name and odds, from the top left: box and lines."""
    table = taisai.pay_table(address)
    areas = sorted(table.layout.areas, key=lambda area: (area.y, area.x))
    return [(area.box, *word_area(table, area, language)) for area in areas if area.prints]


def printed_times(layout: LayoutContent, box: str) -> int:
    """Count the areas that a layout prints for a box."""
    return sum(area.box == box for area in layout.areas)
