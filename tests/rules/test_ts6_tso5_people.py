"""Singapore: any Pit Employee deals who is assigned to it; paying may come with collecting."""

import pytest

from taisai.core.kernel.messages import Role
from taisai.core.table.chips.collecting import CollectLosers, LosersCollected
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    ResultAmended,
    RoundSettled,
    Settle,
)
from taisai.core.table.tumble import RecordTumble
from tests.kit.chip_tables import chips_confirmed
from tests.kit.tables import open_table

BOTH = pytest.mark.parametrize("address", ["ts6/2", "tso5/2"])


@BOTH
@pytest.mark.parametrize("role", ["dealer", "supervisor", "pit-manager"])
def test_1_5_any_pit_employee_assigned_to_it_deals(address: str, role: Role) -> None:
    table = open_table(address)
    commands = (OpenBets(), CloseBets(), RecordTumble(3), EnterResult((1, 2, 3)))
    for command in (*commands, ConfirmResult(), Settle()):
        table.does(role, command)
    assert isinstance(table.told[-1], RoundSettled)


@BOTH
@pytest.mark.parametrize("role", ["supervisor", "pit-manager", "shift-manager"])
def test_5_10_anybody_of_the_pit_above_the_dealer_agrees_to_an_amendment(
    address: str, role: Role
) -> None:
    table = open_table(address).betting().closed().tumbled().entered(1, 2, 3)
    events = table.agrees("dealer", AmendResult((1, 2, 4)), role)
    assert ResultAmended((1, 2, 4), (1, 2, 3), "5.10") in events


@BOTH
def test_3_9_collecting_and_paying_have_no_order(address: str) -> None:
    first, at_once = chips_confirmed(address), chips_confirmed(address)
    first.does("dealer", CollectLosers())
    first.does("dealer", Settle())
    collected, settled, *_ = at_once.does("dealer", Settle())
    assert isinstance(collected, LosersCollected)
    assert isinstance(settled, RoundSettled)
    # Both are recorded, and the money is the same.
    assert [type(event) for event in first.told] == [type(event) for event in at_once.told]
    assert first.state.ledger.balances == at_once.state.ledger.balances
    assert first.state.chips == at_once.state.chips
