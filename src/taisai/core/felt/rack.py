"""Chips into the rack and out of it: those that are named, and those that nobody wrote down."""

from taisai.core.chips import Chips, fewest_chips, plain_chips
from taisai.core.felt_state import Felt


def put_in(felt: Felt, chips: Chips) -> None:
    """Put chips into the rack, pieces of a colour where they belong."""
    for each in chips:
        if isinstance(each.chip, int):
            felt.rack[each.chip] = felt.rack.get(each.chip, 0) + each.count
        else:
            felt.colours[each.chip].out -= each.count


def take_out(felt: Felt, chips: Chips) -> None:
    """Take chips out of the rack."""
    for each in chips:
        if isinstance(each.chip, int):
            felt.rack[each.chip] = felt.rack.get(each.chip, 0) - each.count
        else:
            felt.colours[each.chip].out += each.count


def move(felt: Felt, amount: int) -> None:
    """Move an amount in or out in chips that nobody wrote down; a count sets them right."""
    if amount >= 0:
        put_in(felt, plain_chips(amount, felt.chips.values))
        return
    chips = fewest_chips(-amount, felt.value_chips, {})
    take_out(felt, plain_chips(-amount, felt.chips.values) if chips is None else chips)
