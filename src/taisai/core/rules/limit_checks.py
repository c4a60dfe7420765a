"""How bets outside the limits are found and handled before the bets close [D4].

Bets from terminals are checked as they come: a batch that would break a limit is refused. Where
the dealer records chips, excess and shortfall are shown to the dealer, who rejects or advises.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from taisai.core.rules.bets import Bet, sum_by_player_and_box
from taisai.core.rules.limits import (
    Limits,
    above_differential,
    above_maximum,
    below_minimum,
    off_step,
)
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Reason, Refusal, because


class Notice(Struct, frozen=True):
    """Something to tell the dealer about a box: how much, why, and by which clause."""

    box: str
    amount: int
    reason: Reason
    clause: str | None
    player: str | None = None


class Rejection(Struct, frozen=True):
    """An amount of one placement, named by its position, that is given back at the close."""

    position: int
    amount: int


# --- bets from terminals -------------------------------------------------------------------------


def change_refusal(
    table: PayTable,
    limits: Limits,
    totals: Mapping[str, int],
    held: Mapping[str, int],
    change: Mapping[str, int],
) -> Refusal | None:
    """Check a batch of placements and withdrawals by the state it would lead to.

    `totals` is the stakes of all players on each box, `held` those of this player, and `change`
    what the batch adds to a box or takes from it.

    [ts6 3.4, 3.5, 5.1, 5.2]
    """
    rules, step, boxes, general = table.limit_rules, limits.step, limits.boxes, limits.general
    for box, amount in change.items():
        bounds = boxes.get(box, general)
        own = amount + held.get(box, 0)
        if amount % step:
            return off_step(box, abs(amount), step)
        if own < bounds.minimum and own:
            return _too_little(table, limits, box, own, amount)
        if amount > 0:
            counted = own if rules.scope == "player" else totals.get(box, 0) + amount
            if counted > bounds.maximum:
                return above_maximum(table, limits, box, counted)
    if table.sides.isdisjoint(change):
        # Most boxes are on no side of a Differential.
        return None
    return _differential_refusal(table, limits, totals, change)


def _too_little(table: PayTable, limits: Limits, box: str, own: int, amount: int) -> Refusal:
    """Refuse what leaves a player less than nothing on a box, or less than the minimum."""
    if own >= 0:
        return below_minimum(table, limits, box, own)
    before = own - amount
    reason = because("MORE_THAN_STAKED", box=box, held_cents=before, amount_cents=-amount)
    return Refusal("MORE_THAN_STAKED", reason)


def _differential_refusal(
    table: PayTable, limits: Limits, totals: Mapping[str, int], change: Mapping[str, int]
) -> Refusal | None:
    """Refuse a bet that puts its side too far ahead; a withdrawal from the other side may do so."""
    for pair in table.limit_rules.differential_pairs:
        after = {box: totals.get(box, 0) + change.get(box, 0) for box in pair}
        found = above_differential(table, limits, pair, after)
        if found is not None and change.get(found[0], 0) > 0:
            return found[2]
    return None


def player_refusal(table: PayTable, limits: Limits, bets: Sequence[Bet]) -> Refusal | None:
    """Refuse a round's bets if limits are per player and a bet is outside them [D6]."""
    for bet in sum_by_player_and_box(bets):
        if bet.stake < limits.of(bet.box).minimum:
            return below_minimum(table, limits, bet.box, bet.stake)
        if bet.stake > limits.of(bet.box).maximum:
            return above_maximum(table, limits, bet.box, bet.stake)
    return None


def reject_at_close(table: PayTable, limits: Limits, placed: Sequence[Bet]) -> list[Rejection]:
    """Reject the excess that withdrawals caused: newest placements first, a part if that is enough.

    A player whose bet falls under the minimum by this gets the rest of it back too; if the other
    side is then too far ahead, it is checked again.

    [ts6 5.1]
    """
    left = [bet.stake for bet in placed]
    excess = list(_side_over(table, limits, placed, left))
    while excess:
        box, over = excess[0]
        _take_back(placed, left, box, over)
        _return_short(placed, left, box, limits.of(box).minimum)
        excess = list(_side_over(table, limits, placed, left))
    return [
        Rejection(position, bet.stake - stake)
        for position, (bet, stake) in enumerate(zip(placed, left, strict=True))
        if stake < bet.stake
    ]


def _side_over(
    table: PayTable, limits: Limits, placed: Sequence[Bet], left: list[int]
) -> Iterator[tuple[str, int]]:
    for pair in table.limit_rules.differential_pairs:
        totals = {
            box: sum(stake for bet, stake in zip(placed, left, strict=True) if bet.box == box)
            for box in pair
        }
        found = above_differential(table, limits, pair, totals)
        if found is not None:
            yield found[0], found[1]


def _take_back(placed: Sequence[Bet], left: list[int], box: str, over: int) -> None:
    for position in reversed(range(len(placed))):
        if placed[position].box == box:
            taken = min(left[position], over)
            left[position] -= taken
            over -= taken


def _return_short(placed: Sequence[Bet], left: list[int], box: str, minimum: int) -> None:
    """Give back the rest of a bet that a rejection left under the minimum."""
    before = _stakes_on(box, placed, [bet.stake for bet in placed])
    short = {
        player
        for player, stake in _stakes_on(box, placed, left).items()
        if stake < minimum and stake < before[player]
    }
    for position, bet in enumerate(placed):
        if bet.box == box and bet.player in short:
            left[position] = 0


def _stakes_on(box: str, placed: Sequence[Bet], left: list[int]) -> dict[str, int]:
    stakes: dict[str, int] = {}
    for bet, stake in zip(placed, left, strict=True):
        if bet.box == box:
            stakes[bet.player] = stakes.get(bet.player, 0) + stake
    return stakes


# --- bets that the dealer records ----------------------------------------------------------------


def notices(table: PayTable, limits: Limits, bets: Sequence[Bet]) -> list[Notice]:
    """List what the dealer has to act on before the close: excess to reject, players to advise.

    [ts6 5.1, 5.2]
    """
    summed = sum_by_player_and_box(bets)
    if table.limit_rules.scope == "player":
        own = [(bet.box, bet.stake, bet.player) for bet in summed]
        return [*_over_maximum(table, limits, own), *_under_minimum(table, limits, summed)]
    totals: dict[str, int] = {}
    for bet in bets:
        totals[bet.box] = totals.get(bet.box, 0) + bet.stake
    return [
        *_over_maximum(table, limits, [(box, total, None) for box, total in totals.items()]),
        *_differential_notices(table, limits, totals),
        *_under_minimum(table, limits, summed),
    ]


def _over_maximum(
    table: PayTable, limits: Limits, counted: Iterable[tuple[str, int, str | None]]
) -> Iterator[Notice]:
    """List what is over the maximum of a box, or of a player's bets where limits are per player."""
    for box, total, player in counted:
        over = total - limits.of(box).maximum
        if over > 0:
            refusal = above_maximum(table, limits, box, total)
            yield Notice(box, over, refusal.reason, refusal.clause, player)


def _differential_notices(
    table: PayTable, limits: Limits, totals: Mapping[str, int]
) -> Iterator[Notice]:
    for pair in table.limit_rules.differential_pairs:
        found = above_differential(table, limits, pair, totals)
        if found is not None:
            larger, over, refusal = found
            yield Notice(larger, over, refusal.reason, refusal.clause)


def _under_minimum(table: PayTable, limits: Limits, summed: Sequence[Bet]) -> Iterator[Notice]:
    for bet in summed:
        short = limits.of(bet.box).minimum - bet.stake
        if short > 0:
            refusal = below_minimum(table, limits, bet.box, bet.stake)
            yield Notice(bet.box, short, refusal.reason, refusal.clause, bet.player)
