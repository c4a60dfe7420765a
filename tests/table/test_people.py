"""Who may do what, as a table of data."""

from typing import get_args

import pytest

from taisai.core import commands as c
from taisai.core.people import MAY, MAY_APPROVE, SOMETIMES, may, takes_two

PIT = {"supervisor", "pit-manager", "shift-manager"}


def test_every_command_says_who_may_give_it() -> None:
    known = {
        *get_args(c.TableCommand),
        *get_args(c.CageCommand),
        *get_args(c.HouseCommand),
    }
    assert set(MAY) == known
    assert set(MAY_APPROVE) <= known
    assert set(MAY_APPROVE) >= SOMETIMES


def test_an_auditor_looks_and_gives_no_command() -> None:
    assert not any(may("auditor", command) for command in MAY)


def test_a_terminal_has_its_own_six_commands() -> None:
    own = {command for command in MAY if may("terminal", command)}
    assert own == {
        *(c.PlaceBets, c.WithdrawBets, c.ClearBets),
        *(c.CashOut, c.SetOwnLimits, c.TakeVoucher),
    }


def test_nobody_alone_may_approve_and_no_machine_may() -> None:
    for roles in MAY_APPROVE.values():
        assert roles <= {"dealer", "cage", "technician", *PIT}
        assert roles <= MAY[c.Approve] == MAY[c.Decline]


@pytest.mark.parametrize(
    "command",
    [
        *(c.AmendResult, c.DeclareOutcome, c.VoidSettledRounds, c.CorrectSettledRound),
        *(c.DeclareSafeProcedure, c.SetLimits, c.AdoptRulebook, c.EnrolTerminal),
        *(c.AppointStaff, c.ChangeRoles),
    ],
)
def test_these_always_take_two_persons(command: type[c.Command]) -> None:
    assert takes_two(command)


@pytest.mark.parametrize(
    "command",
    [
        *(c.PlaceBets, c.Settle, c.Rule, c.ReportIrregularity, c.SellVoucher, c.PayVoucher),
        *(c.IssueTerminalKey, c.DismissStaff),
    ],
)
def test_these_take_one_or_two_as_the_case_may_be(command: type[c.Command]) -> None:
    assert not takes_two(command)


def test_a_ruling_is_the_shift_managers_alone() -> None:
    assert MAY[c.Rule] == {"shift-manager"}


def test_only_the_cage_sells_and_pays() -> None:
    assert MAY[c.SellVoucher] == MAY[c.PayVoucher] == {"cage"}
