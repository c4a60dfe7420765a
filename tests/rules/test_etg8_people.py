"""The Electronic Table Game: any Pit Employee deals who is assigned to it [D29]."""

import pytest

from taisai.core.kernel.messages import Role
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
from tests.kit.tables import open_table


@pytest.mark.parametrize("role", ["dealer", "supervisor", "pit-manager"])
def test_1_5_any_pit_employee_assigned_to_it_deals(role: Role) -> None:
    table = open_table("etg8/2")
    commands = (OpenBets(), CloseBets(), RecordTumble(3), EnterResult((1, 2, 3)))
    for command in (*commands, ConfirmResult(), Settle()):
        table.does(role, command)
    assert isinstance(table.told[-1], RoundSettled)


@pytest.mark.parametrize("role", ["supervisor", "pit-manager", "shift-manager"])
def test_5_5_anybody_of_the_pit_above_the_dealer_agrees_to_an_amendment(role: Role) -> None:
    table = open_table("etg8/2").betting().closed().tumbled().entered(1, 2, 3)
    events = table.agrees("dealer", AmendResult((1, 2, 4)), role)
    assert ResultAmended((1, 2, 4), (1, 2, 3), "5.5") in events
