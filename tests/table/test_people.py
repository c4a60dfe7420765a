"""The rights of each role, as a table of data."""

from typing import get_args

import pytest

from taisai.core.cage.vouchers import PayVoucher, SellVoucher, TakeVoucher, VoidVoucher
from taisai.core.kernel.approvals import Approve, Decline
from taisai.core.kernel.messages import Actor, Command, Order
from taisai.core.kernel.people import roles_for, seconds_for
from taisai.core.kernel.registry import COMMANDS, WAITS, always_waits, may
from taisai.core.streams import CageCommand, TableCommand, VenueCommand
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import CashOut, SetOwnLimits
from taisai.core.table.round import AmendResult, CloseBets, Settle
from taisai.core.table.setup import AdoptRulebook, DeclareSafeProcedure, EnrolTerminal, SetLimits
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    ReinstateStaff,
    SuspendStaff,
)
from taisai.core.venue.terminal_keys import IssueTerminalKey
from tests.kit.tables import open_table

PIT = {"supervisor", "pit-manager", "shift-manager"}


def test_every_command_says_who_may_give_it() -> None:
    known = {
        *get_args(TableCommand),
        *get_args(CageCommand),
        *get_args(VenueCommand),
    }
    assert set(COMMANDS) == known
    assert all(spec.by for spec in COMMANDS.values())
    assert all(COMMANDS[kind].second for kind in WAITS)


def test_an_auditor_looks_and_gives_no_command() -> None:
    assert not any(may("auditor", command) for command in COMMANDS)


def test_a_terminal_has_its_own_six_commands() -> None:
    own = {command for command in COMMANDS if may("terminal", command)}
    assert own == {
        *(PlaceBets, WithdrawBets, ClearBets),
        *(CashOut, SetOwnLimits, TakeVoucher),
    }


def test_nobody_alone_may_approve_and_no_machine_may() -> None:
    for spec in COMMANDS.values():
        assert spec.second <= {"dealer", "cage", "technician", *PIT}
        assert spec.second <= COMMANDS[Approve].by == COMMANDS[Decline].by


@pytest.mark.parametrize(
    "command",
    [
        *(AmendResult, DeclareOutcome, VoidSettledRounds, CorrectSettledRound),
        *(DeclareSafeProcedure, SetLimits, AdoptRulebook, EnrolTerminal),
        *(AppointStaff, ChangeRoles, DismissStaff, ReinstateStaff, VoidVoucher),
    ],
)
def test_these_always_take_two_persons(command: type[Command]) -> None:
    assert always_waits(command)


@pytest.mark.parametrize(
    "command",
    [
        *(PlaceBets, Settle, Rule, ReportIrregularity, SellVoucher, PayVoucher),
        *(IssueTerminalKey, SuspendStaff),
    ],
)
def test_these_take_one_or_two_as_the_case_may_be(command: type[Command]) -> None:
    assert not always_waits(command)


def test_a_ruling_is_the_shift_managers_alone() -> None:
    assert COMMANDS[Rule].by == {"shift-manager"}


def test_only_the_cage_sells_and_pays() -> None:
    assert COMMANDS[SellVoucher].by == COMMANDS[PayVoucher].by == {"cage"}


def test_registry_and_rulebook_together_say_who_may_call_the_close() -> None:
    """Division 9 has the dealer call, or a machine; ts6 anybody who acts as one [D29]."""
    strict, wide = (open_table(each).state for each in ("div9/1", "ts6/1"))
    assert roles_for(strict.place, strict, CloseBets) == {"dealer", "system"}
    assert roles_for(wide.place, wide, CloseBets) == COMMANDS[CloseBets].by
    assert roles_for(strict.place, strict, AmendResult) == COMMANDS[AmendResult].by


def test_one_of_two_is_named_by_the_rulebook() -> None:
    """Division 9 amends a result under the game supervisor: one of the two persons must be one."""
    state = open_table("div9/1").state
    by_dealer = Order("", Actor("ann", "dealer"), AmendResult((1, 2, 3)))
    assert seconds_for(state.place, state, by_dealer) == {"supervisor"}
    by_supervisor = Order("", Actor("sue", "supervisor"), AmendResult((1, 2, 3)))
    assert seconds_for(state.place, state, by_supervisor) == PIT
