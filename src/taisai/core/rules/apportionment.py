"""What of each bet plays once the bets are closed: maxima first, then the Differential [D2, D3].

All arithmetic is in whole numbers: a stake times a capacity can pass 64 bits, and no share is
rounded before the last step.
"""

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
    """Why a bet plays as a whole, or why only a part of it plays."""

    WHOLE = "whole"
    UNDER_MINIMUM = "under-minimum"
    EXEMPT = "exempt"
    #: Not cut where only the Differential is exceeded: the clause speaks of the maximum alone [D3].
    EXEMPT_DIFFERENTIAL = "exempt-differential"
    #: Cut to what can be paid in whole chips, at odds that are no whole number [D22].
    WHOLE_CHIPS = "whole-chips"
    #: By the shift manager's ruling, where the rules leave the bet to one [D22].
    RULED = "ruled"
    MAXIMUM = "maximum"
    DIFFERENTIAL = "differential"


#: Bound to names here, since looking a member up in its class takes longer than using it.
_WHOLE, _UNDER_MINIMUM = Apportionment.WHOLE, Apportionment.UNDER_MINIMUM
_EXEMPT, _EXEMPT_DIFFERENTIAL = Apportionment.EXEMPT, Apportionment.EXEMPT_DIFFERENTIAL
_MAXIMUM, _DIFFERENTIAL = Apportionment.MAXIMUM, Apportionment.DIFFERENTIAL


class Playing(Struct, frozen=True, gc=False):
    """How much of a bet plays, and what limited it."""

    stake: int
    by: Apportionment


#: The code of the sentence that the player is shown for each.
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
    """Name the clause or decision that limits how much of a bet plays.

    [ts6 5.1.1, 5.1.2, 5.2.1] [D3]
    """
    match by:
        case Apportionment.WHOLE | Apportionment.RULED:
            # No rule of the limits applies: a ruling names its own clause.
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
    """Find how much of each bet plays; the bets are already summed by player and box.

    Where limits are per player, a bet outside them is refused before this [D6].

    [ts6 5.1.1, 5.2.1]
    """
    if limits is None or table.limit_rules.over_maximum != "pro-rata":
        return [Playing(bet.stake, _WHOLE) for bet in bets]
    totals: dict[str, int] = {}
    for bet in bets:
        totals[bet.box] = totals.get(bet.box, 0) + bet.stake
    own, general = limits.boxes, limits.general
    shared: dict[str, list[Playing]] = {}
    for box, total in totals.items():
        maximum = own.get(box, general).maximum
        if total > maximum:
            shared[box] = _share(box, bets, limits, maximum, _MAXIMUM)
    if limits.differential is not None:
        for pair in table.limit_rules.differential_pairs:
            if pair[0] in totals or pair[1] in totals:
                allowed = limits.differential
                shared |= _hold_differential(pair, bets, totals, shared, limits, allowed)
    parts = {box: iter(shares) for box, shares in shared.items()}
    return [
        next(parts[bet.box])
        if bet.box in parts
        else Playing(
            bet.stake, _UNDER_MINIMUM if bet.stake < own.get(bet.box, general).minimum else _WHOLE
        )
        for bet in bets
    ]


def _hold_differential(
    pair: tuple[str, str],
    bets: Sequence[Bet],
    totals: Mapping[str, int],
    shared: Mapping[str, list[Playing]],
    limits: Limits,
    differential: int,
) -> dict[str, list[Playing]]:
    """Cut the larger side, once, to what the smaller side and the Differential allow [D3]."""
    one, other = _played(pair[0], totals, shared), _played(pair[1], totals, shared)
    if abs(one - other) <= differential:
        return {}
    larger = pair[0] if one > other else pair[1]
    capacity = min(limits.of(larger).maximum, min(one, other) + differential)
    return {larger: _share(larger, bets, limits, capacity, _DIFFERENTIAL)}


def _played(box: str, totals: Mapping[str, int], shared: Mapping[str, list[Playing]]) -> int:
    """Add up what plays on a box: all that is on it, unless it is shared."""
    return sum([part.stake for part in shared[box]]) if box in shared else totals.get(box, 0)


def _share(
    box: str, bets: Sequence[Bet], limits: Limits, capacity: int, by: Apportionment
) -> list[Playing]:
    """Share a capacity among the bets of a box whose total exceeds it."""
    stakes = [bet.stake for bet in bets if bet.box == box]
    bounds = limits.of(box)
    minimum = bounds.minimum
    shares = share_pro_rata(stakes, minimum, capacity, limits.step)
    # A bet under the minimum is left whole, whether the maximum or the Differential is exceeded.
    passed = sum(stakes) > bounds.maximum
    short = _EXEMPT if passed else _EXEMPT_DIFFERENTIAL
    return [
        Playing(share, by if share < stake else short if stake < minimum else _WHOLE)
        for stake, share in zip(stakes, shares, strict=True)
    ]


def share_pro_rata(stakes: Sequence[int], minimum: int, maximum: int, step: int) -> list[int]:
    """Share a box's capacity among its players, oldest bet first.

    A player's bet under the minimum is left whole [ts6 5.1.2]; no other share falls under the
    minimum [ts6 5.1.1], even where the minimums together exceed the maximum, or exceeds its bet.
    """
    total = sum(stakes)
    if total <= maximum:
        return list(stakes)
    least, capacity = min(stakes), maximum // step * step
    if least >= minimum and least * capacity >= minimum * total:
        # The usual case: one player alone, or no share that falls under the minimum.
        alone = len(stakes) == 1
        return [min(total, capacity)] if alone else _round_to_steps(stakes, capacity, step)
    sharing = [player for player, stake in enumerate(stakes) if stake >= minimum]
    exempt = sum(stake for stake in stakes if stake < minimum)
    capacity = max(0, maximum - exempt) // step * step
    shares = list(stakes)
    for player in sharing:
        shares[player] = minimum
    if minimum * len(sharing) <= capacity:
        free, left = _hold_at_minimum(stakes, sharing, minimum, capacity)
        rounded = _round_to_steps([stakes[player] for player in free], left, step)
        for player, share in zip(free, rounded, strict=True):
            shares[player] = share
    return shares


def _hold_at_minimum(
    stakes: Sequence[int], sharing: list[int], minimum: int, capacity: int
) -> tuple[list[int], int]:
    """Raise each exact share that falls below the minimum to it, until none falls below.

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


def _round_to_steps(stakes: Sequence[int], capacity: int, step: int) -> list[int]:
    """Round exact shares down to the step; the steps left over go to the largest remainders.

    Where a whole step would exceed a bet that is off the step, only the rest of the bet plays [D2].
    """
    scale = sum(stakes) * step
    whole = [stake * capacity // scale for stake in stakes]
    left_over = capacity // step - sum(whole)
    if left_over:
        rest = [-(stake * capacity % scale) for stake in stakes]
        # A stable sort keeps equal remainders in the order of the players' oldest bets.
        for position in sorted(range(len(stakes)), key=rest.__getitem__)[:left_over]:
            whole[position] += 1
    return [min(stake, steps * step) for stake, steps in zip(stakes, whole, strict=True)]
