"""Bets: which player staked how much on which box, and whether such a bet is possible at all."""

from collections.abc import Sequence

from msgspec import Struct

from taisai.core.rules.boxes import BOX_NAMES, nearest_key
from taisai.core.rules.money import AMOUNT_MAX, is_amount
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, because, printable, shown


class Bet(Struct, frozen=True):
    """One placement: a player, a box and a stake in minor units [ts6 1.6; etg8 1.6]."""

    player: str
    box: str
    stake: int


def sum_by_player_and_box(bets: Sequence[Bet]) -> Sequence[Bet]:
    """Add up each player's bets on each box, in the order of their first appearance.

    [ts6 1.6; etg8 1.6]
    """
    stakes: dict[tuple[str, str], int] = {}
    for bet in bets:
        where = (bet.player, bet.box)
        stakes[where] = stakes.get(where, 0) + bet.stake
    if len(stakes) == len(bets):
        # Nothing to add up: each bet is on another box.
        return bets
    return [Bet(player, box, stake) for (player, box), stake in stakes.items()]


def bet_refusal(table: PayTable, box: str, stake: object) -> Refusal | None:
    """Refuse an impossible bet: a box that does not exist, or a stake that is no amount."""
    # This runs for every bet, so `is_amount` is not called.
    if box in table.boxes and type(stake) is int and 0 < stake <= AMOUNT_MAX:
        return None
    return box_refusal(table, box) or stake_refusal(box, stake)


def box_refusal(table: PayTable, box: str) -> Refusal | None:
    """Refuse a box that is on no layout, or not on this one [div9 4.1]."""
    if box in table.boxes:
        return None
    if box in BOX_NAMES:
        reason = because("BOX_NOT_ON_TABLE", box=box, pay_table=table.address)
        return Refusal("BOX_NOT_ON_TABLE", reason)
    nearest, key = nearest_key(box), printable(box[:40])
    if nearest is None:
        return Refusal("UNKNOWN_BOX", because("UNKNOWN_BOX", key=key))
    reason = because("UNKNOWN_BOX_NEAR", key=key, nearest=nearest)
    return Refusal("UNKNOWN_BOX", reason)


def stake_refusal(box: str, stake: object) -> Refusal | None:
    """Refuse a stake that is no positive whole number of minor units."""
    if is_amount(stake) and stake != 0:
        return None
    return Refusal("BAD_STAKE", because("BAD_STAKE", box=box, stake=shown(stake)))
