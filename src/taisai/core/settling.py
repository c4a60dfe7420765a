"""Settling live bets by terminal and box: each box judged once, then every stake on it alike.

Bets that came through terminals were judged against the limits as they came, so all of it plays.
"""

from collections.abc import Mapping

from msgspec import Struct

from taisai.core.dice import Result
from taisai.core.messages import SettledLine
from taisai.core.paytable import PayTable


class Settled(Struct, frozen=True):
    """Settled lines, what the house collected and paid, and what each terminal won."""

    lines: tuple[SettledLine, ...]
    collected: int
    paid: int
    won: dict[str, int]


def settle_lines(table: PayTable, result: Result, bets: Mapping[str, Mapping[str, int]]) -> Settled:
    """Settle every terminal's stakes on every box, and assert that no money came or went."""
    odds = {
        key: (0, 1) if (each := box.odds_on(result)) is None else each.as_integer_ratio()
        for key, box in table.boxes.items()
    }
    lines: list[SettledLine] = []
    won_by: dict[str, int] = {}
    staked = collected = paid = back = 0
    for terminal, stakes in bets.items():
        for box, stake in stakes.items():
            numerator, denominator = odds[box]
            staked += stake
            if numerator:
                won, part = divmod(stake * numerator, denominator)
                assert part == 0, "the stake step keeps every payment whole"
                lines.append(SettledLine(terminal, box, stake, won, stake + won))
                won_by[terminal] = won_by.get(terminal, 0) + won
                paid += won
                back += stake + won
            else:
                lines.append(SettledLine(terminal, box, stake, 0, 0))
                collected += stake
    assert back == staked - collected + paid, "money is conserved"
    return Settled(tuple(lines), collected, paid, won_by)
