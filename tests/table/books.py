"""The books, added up a second way: from what lies on the table, not from what the core asserts."""

from taisai.core.cage import CageState
from taisai.core.table_state import IN_ROUND, TableState

MAY_BE_NEGATIVE = ("house:", "cash:", "transit:")


def assert_balanced(balances: dict[str, int]) -> None:
    """Add up all accounts to nothing; nobody but the house, its cash and transits owes any."""
    assert sum(balances.values()) == 0
    for account, held in balances.items():
        assert held >= 0 or account.startswith(MAY_BE_NEGATIVE), (account, held)


def assert_table_books(state: TableState) -> None:
    """Hold a table's books against its bets, its terminals and its meters."""
    balances = state.ledger.balances
    assert_balanced(balances)
    lying: dict[str, int] = {}
    for name, seat in state.terminals.items():
        for box, stake in seat.bets.items():
            assert stake > 0
            lying[box] = lying.get(box, 0) + stake
        assert balances.get(f"stake:{name}", 0) == sum(seat.bets.values())
        owed = seat.bought - seat.cashed - seat.staked + seat.back + seat.corrections
        assert balances.get(f"terminal:{name}", 0) == owed
    assert state.lying == lying
    assert state.live == sum(lying.values())
    assert state.phase in IN_ROUND or not lying
    open_transits = sum(delivery.amount for delivery in state.transits_open.values())
    in_transit = {
        name: held
        for name, held in balances.items()
        if name.startswith("transit:") and name != "transit:settled"
    }
    assert sum(in_transit.values()) == open_transits
    assert state.history_lines == sum(len(record.lines) for record in state.history.values())


def assert_cage_books(state: CageState) -> None:
    """Hold the cage's books against the vouchers that are out."""
    balances = state.ledger.balances
    assert_balanced(balances)
    worth = sum(voucher.value for voucher in state.outstanding.values())
    assert balances.get("vouchers:outstanding", 0) == worth == state.worth
    assert sorted(state.by_number.values()) == sorted(state.outstanding)
    for transit, delivery in state.transits_open.items():
        assert balances[f"transit:{transit}"] == delivery.amount
