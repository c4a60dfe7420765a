"""What of each bet plays once the bets are closed: maxima first, then the Differential [D2, D3].

Whole numbers throughout: a stake times a capacity can pass 64 bits, and no share is rounded before
the last step.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from taisai.core.kernel.messages import PlayedPart
from taisai.core.rules.bets import Bet
from taisai.core.rules.limits import Limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Reason, because
from taisai.core.rules.schema import LimitsContent


class Apportionment(StrEnum):
    """Why as much of a bet plays as does."""

    WHOLE = "whole"
    UNDER_MINIMUM = "under-minimum"
    EXEMPT = "exempt"
    #: Not cut where only the Differential is passed: a clause says so of the maximum alone [D3].
    EXEMPT_DIFFERENTIAL = "exempt-differential"
    #: Cut to what can be paid in whole chips, at odds that are no whole number [D22].
    WHOLE_CHIPS = "whole-chips"
    #: As the shift manager ruled on what the rules leave to a ruling [D22].
    RULED = "ruled"
    MAXIMUM = "maximum"
    DIFFERENTIAL = "differential"


class Playing(Struct, frozen=True):
    """How much of a bet plays, and what limited it."""

    stake: int
    by: Apportionment


#: How each is put to the player whose bet it was.
_SENTENCES = {
    Apportionment.UNDER_MINIMUM: "PART_UNDER_MINIMUM",
    Apportionment.EXEMPT: "PART_EXEMPT",
    Apportionment.EXEMPT_DIFFERENTIAL: "PART_EXEMPT_DIFFERENTIAL",
    Apportionment.WHOLE_CHIPS: "PART_WHOLE_CHIPS",
    Apportionment.RULED: "PART_RULED",
    Apportionment.MAXIMUM: "PART_MAXIMUM",
    Apportionment.DIFFERENTIAL: "PART_DIFFERENTIAL",
}


def clause_of(rules: LimitsContent, by: Apportionment) -> str | None:
    """Name the clause or decision by which as much of a bet plays as does.

    [ts6 5.1.1, 5.1.2, 5.2.1] [D3]
    """
    match by:
        case Apportionment.WHOLE | Apportionment.RULED:
            # No rule of the limits: a ruling names its own.
            return None
        case Apportionment.UNDER_MINIMUM:
            return rules.stands_clause
        case Apportionment.EXEMPT:
            return rules.exempt_clause
        case Apportionment.EXEMPT_DIFFERENTIAL:
            return "D3"
        case Apportionment.WHOLE_CHIPS:
            return "D22"
        case Apportionment.MAXIMUM | Apportionment.DIFFERENTIAL:
            return rules.pro_rata_clause
        case _:
            assert_never(by)


def why_part(part: PlayedPart) -> Reason:
    """Tell a player how much of a bet outside the limits plays, and why."""
    return because(
        _SENTENCES[Apportionment(part.by)],
        seat=part.position,
        box=part.box,
        stake_cents=part.stake,
        playing_cents=part.playing,
    )


def playing_stakes(table: PayTable, bets: Sequence[Bet], limits: Limits | None) -> list[Playing]:
    """Find what plays of each bet; the bets are summed by player and box already.

    Where the limits are each player's own, a bet outside them never gets this far [D6].

    [ts6 5.1.1, 5.2.1]
    """
    if limits is None or table.limit_rules.over_maximum != "pro-rata":
        return [Playing(bet.stake, Apportionment.WHOLE) for bet in bets]
    lines: dict[str, list[int]] = defaultdict(list)
    for line, bet in enumerate(bets):
        lines[bet.box].append(line)
    stakes = {box: [bets[line].stake for line in members] for box, members in lines.items()}
    shared = {
        box: _share(box, lying, limits, limits.of(box).maximum, Apportionment.MAXIMUM)
        for box, lying in stakes.items()
    }
    if limits.differential is not None:
        for pair in table.limit_rules.differential_pairs:
            shared |= _hold_differential(pair, stakes, shared, limits, limits.differential)
    by_line = {
        line: part
        for box, members in lines.items()
        for line, part in zip(members, shared[box], strict=True)
    }
    return [by_line[line] for line in range(len(bets))]


def _hold_differential(
    pair: tuple[str, str],
    stakes: Mapping[str, list[int]],
    shared: Mapping[str, list[Playing]],
    limits: Limits,
    differential: int,
) -> dict[str, list[Playing]]:
    """Cut the larger side, once, to what the smaller side and the Differential allow [D3]."""
    totals = {box: sum(part.stake for part in shared.get(box, [])) for box in pair}
    smaller, larger = sorted(pair, key=lambda box: totals[box])
    allowed = totals[smaller] + differential
    if totals[larger] <= allowed:
        return {}
    capacity = min(limits.of(larger).maximum, allowed)
    return {larger: _share(larger, stakes[larger], limits, capacity, Apportionment.DIFFERENTIAL)}


def _share(
    box: str, stakes: list[int], limits: Limits, capacity: int, by: Apportionment
) -> list[Playing]:
    """Share the bets of a box, as they lay, within a capacity."""
    minimum = limits.of(box).minimum
    shares = share_pro_rata(stakes, minimum, capacity, limits.step)
    short = _why_short(sum(stakes), limits.of(box).maximum, capacity)
    uncut = [short if stake < minimum else Apportionment.WHOLE for stake in stakes]
    return [
        Playing(share, by if share < stake else why)
        for stake, share, why in zip(stakes, shares, uncut, strict=True)
    ]


def _why_short(lying: int, maximum: int, capacity: int) -> Apportionment:
    """Say why a bet under the minimum is left whole on a box with so much on it."""
    if lying > maximum:
        return Apportionment.EXEMPT
    passed = lying > capacity
    return Apportionment.EXEMPT_DIFFERENTIAL if passed else Apportionment.UNDER_MINIMUM


def share_pro_rata(stakes: Sequence[int], minimum: int, maximum: int, step: int) -> list[int]:
    """Share a box among its players, oldest bet first, so that no more than it may take plays.

    A player under the minimum is left whole [ts6 5.1.2]; nobody else's share falls under the
    minimum [ts6 5.1.1], even where the minimums together pass the maximum, nor passes the bet.
    """
    if sum(stakes) <= maximum:
        return list(stakes)
    sharing = [player for player, stake in enumerate(stakes) if stake >= minimum]
    exempt = sum(stake for stake in stakes if stake < minimum)
    capacity = max(0, maximum - exempt) // step * step
    shares = list(stakes)
    for player in sharing:
        shares[player] = minimum
    if minimum * len(sharing) <= capacity:
        free, left = _hold_at_minimum(stakes, sharing, minimum, capacity)
        for player, share in _round_to_steps([stakes[player] for player in free], left, step, free):
            shares[player] = share
    return shares


def _hold_at_minimum(
    stakes: Sequence[int], sharing: list[int], minimum: int, capacity: int
) -> tuple[list[int], int]:
    """Hold at the minimum whoever's exact share falls below it, until nobody's does.

    Returns those still sharing and the capacity left to them.
    """
    free = sharing
    while True:
        left = capacity - minimum * (len(sharing) - len(free))
        total = sum(stakes[player] for player in free)
        above = [player for player in free if stakes[player] * left >= minimum * total]
        if len(above) == len(free):
            return free, left
        free = above


def _round_to_steps(
    stakes: list[int], capacity: int, step: int, players: list[int]
) -> list[tuple[int, int]]:
    """Round exact shares down to the step; the steps left over go to the largest remainders.

    Of a step that would pass a bet off the step, only what is missing to the bet plays [D2].
    """
    total = sum(stakes)
    whole = [stake * capacity // (total * step) for stake in stakes]
    rest = [stake * capacity % (total * step) for stake in stakes]
    left_over = capacity // step - sum(whole)
    # A stable sort keeps equal remainders in the order of the players' oldest bets.
    for position in sorted(range(len(stakes)), key=lambda each: -rest[each])[:left_over]:
        whole[position] += 1
    return [
        (player, min(stake, steps * step))
        for player, stake, steps in zip(players, stakes, whole, strict=True)
    ]
