"""Sharing an over-full box: who plays how much when more lies on it than it may take [D2].

Whole numbers throughout: a stake times a capacity can pass 64 bits, and no share is ever rounded
before the last step.
"""

from collections.abc import Sequence


def share_pro_rata(stakes: Sequence[int], minimum: int, maximum: int, step: int) -> list[int]:
    """Share a box among its players, oldest bet first, so that no more than it may take plays.

    A player under the minimum is left whole [ts6 5.1.2]; nobody else's share falls under the
    minimum [ts6 5.1.1], even where the minimums together pass the maximum.
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
    """Round exact shares down to the step; the steps left over go to the largest remainders."""
    total = sum(stakes)
    whole = [stake * capacity // (total * step) for stake in stakes]
    rest = [stake * capacity % (total * step) for stake in stakes]
    left_over = capacity // step - sum(whole)
    # A stable sort keeps equal remainders in the order of the players' oldest bets.
    for position in sorted(range(len(stakes)), key=lambda each: -rest[each])[:left_over]:
        whole[position] += 1
    return [(player, steps * step) for player, steps in zip(players, whole, strict=True)]
