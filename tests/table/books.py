"""The books, added up a second way: from the bets on the table, not by the core's own checks."""

from taisai.core.cage.state import CageState
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.state import IN_ROUND, TableState

MAY_BE_NEGATIVE = ("house:", "cash:", "transit:", "floor:", "count:", "vault:")


def assert_balanced(balances: dict[str, int]) -> None:
    """Check that all accounts sum to zero, and that only those of the venue may be below it."""
    assert sum(balances.values()) == 0
    for account, held in balances.items():
        assert held >= 0 or account.startswith(MAY_BE_NEGATIVE), (account, held)


def assert_table_books(state: TableState) -> None:
    """Compare a table's books with its bets, its terminals and its meters."""
    balances = state.ledger.balances
    assert_balanced(balances)
    totals: dict[str, int] = {}
    for name, seat in state.positions.items():
        for box, stake in seat.bets.items():
            assert stake > 0
            totals[box] = totals.get(box, 0) + stake
        assert balances.get(f"stake:{name}", 0) == sum(seat.bets.values())
        came = seat.brought + seat.drop - seat.out + seat.won - seat.collected
        owed = came + seat.corrections - sum(seat.bets.values())
        assert balances.get(f"terminal:{name}", 0) == owed
    assert state.box_totals == totals
    assert state.live == sum(totals.values())
    assert state.phase in IN_ROUND or not totals
    open_transits = sum(delivery.amount for delivery in state.transits_open.values())
    if state.chips is not None:
        assert_chip_table_books(state, state.chips)
        open_transits += sum(delivery.amount for delivery in state.chips.credits_open.values())
    in_transit = {
        name: held
        for name, held in balances.items()
        if name.startswith("transit:") and name != "transit:settled"
    }
    assert sum(in_transit.values()) == open_transits
    assert state.history_lines == sum(len(record.lines) for record in state.history.values())


def assert_chip_table_books(state: TableState, chip_table: ChipTable) -> None:
    """Compare the rack of a chip table with the books, and the stacks with the bets."""
    balances = state.ledger.balances
    rack = sum(chip * count for chip, count in chip_table.rack.items())
    out = sum(each.value * each.out for each in chip_table.colours.values())
    bank = balances.get("house:bank", 0) + balances.get("house:void-shortfall", 0)
    assert rack == bank + out + sum(line.amount for line in chip_table.collected)
    assert all(0 <= each.out <= chip_table.chip_set.pieces for each in chip_table.colours.values())
    stacks: dict[tuple[str, str], int] = {}
    for stack in chip_table.stacks:
        where = (stack.seat, stack.box)
        stacks[where] = stacks.get(where, 0) + stack.amount
    assert stacks == {
        (name, box): stake
        for name, seat in state.positions.items()
        for box, stake in seat.bets.items()
    }


def assert_cage_books(state: CageState) -> None:
    """Compare the cage's books with the outstanding vouchers."""
    balances = state.ledger.balances
    assert_balanced(balances)
    worth = sum(voucher.value for voucher in state.outstanding.values())
    assert balances.get("vouchers:outstanding", 0) == worth == state.worth
    assert sorted(state.by_number.values()) == sorted(state.outstanding)
    for transit, delivery in (*state.transits_open.items(), *state.fills_open.items()):
        assert balances[f"transit:{transit}"] == delivery.amount
