"""Settling live bets by terminal and box: each box judged once, then every stake on it alike.

Bets that came through terminals were judged against the limits as they came, so all of it plays.
Of what a dealer recorded, a part may play [D2].
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from taisai.core.kernel.messages import SettledLine
from taisai.core.rules.dice import Result
from taisai.core.rules.paytable import PayTable


class Settled(Struct, frozen=True):
    """Settled lines, what the house collected and paid, and what each terminal won."""

    lines: tuple[SettledLine, ...]
    collected: int
    paid: int
    won: dict[str, int]


class Part(Struct, frozen=True):
    """One player's stake on a box, and how much of it plays."""

    position: str
    box: str
    stake: int
    playing: int


def odds_on(table: PayTable, result: Result) -> dict[str, tuple[int, int]]:
    """Tell what each box pays on a result, as numerator and denominator; a losing one nothing."""
    return {
        key: (0, 1) if (each := box.odds_on(result)) is None else each.as_integer_ratio()
        for key, box in table.boxes.items()
    }


def playing_of(line: SettledLine, odds: Mapping[str, tuple[int, int]]) -> int:
    """Tell what of a settled line played: it is what was lost, or what the winnings were for."""
    if not line.won:
        return line.stake - line.back
    numerator, denominator = odds[line.box]
    return line.won * denominator // numerator


def settle_parts(table: PayTable, result: Result, parts: Sequence[Part]) -> Settled:
    """Settle stakes of which only a part may play; the rest goes back whatever the dice show."""
    odds = odds_on(table, result)
    lines: list[SettledLine] = []
    won_by: dict[str, int] = {}
    for part in parts:
        numerator, denominator = odds[part.box]
        won, left = divmod(part.playing * numerator, denominator)
        assert left == 0, "the stake step keeps every payment whole"
        kept = part.stake if numerator else part.stake - part.playing
        lines.append(SettledLine(part.position, part.box, part.stake, won, kept + won))
        if won:
            won_by[part.position] = won_by.get(part.position, 0) + won
    paid = sum(won_by.values())
    staked, back = sum(line.stake for line in lines), sum(line.back for line in lines)
    collected = sum(part.playing for part in parts if not odds[part.box][0])
    assert back == staked - collected + paid, "money is conserved"
    return Settled(tuple(lines), collected, paid, won_by)


def settle_lines(table: PayTable, result: Result, bets: Mapping[str, Mapping[str, int]]) -> Settled:
    """Settle every terminal's stakes on every box, and assert that no money came or went.

    [ts6 5.9; etg8 5.2.1, 5.7]
    """
    odds = odds_on(table, result)
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
