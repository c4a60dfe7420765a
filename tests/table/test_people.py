"""Who may do what, as a table of data."""

from typing import get_args

import pytest

from taisai.core.cage.vouchers import PayVoucher
from taisai.core.cage.vouchers import SellVoucher
from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.approvals import Decline
from taisai.core.kernel.messages import Command
from taisai.core.streams import CageCommand
from taisai.core.streams import TableCommand
from taisai.core.streams import VenueCommand
from taisai.core.table.betting import ClearBets
from taisai.core.table.betting import PlaceBets
from taisai.core.table.betting import WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound
from taisai.core.table.corrections import Rule
from taisai.core.table.corrections import VoidSettledRounds
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import CashOut
from taisai.core.table.positions import SetOwnLimits
from taisai.core.table.round import AmendResult
from taisai.core.table.round import DeclareOutcome
from taisai.core.table.round import Settle
from taisai.core.table.setup import AdoptRulebook
from taisai.core.table.setup import DeclareSafeProcedure
from taisai.core.table.setup import EnrolTerminal
from taisai.core.table.setup import SetLimits
from taisai.core.venue.staff import AppointStaff
from taisai.core.venue.staff import ChangeRoles
from taisai.core.venue.staff import DismissStaff
from taisai.core.venue.terminal_keys import IssueTerminalKey
from taisai.core.kernel.registry import COMMANDS
from taisai.core.people import SOMETIMES
from taisai.core.kernel.registry import may
from taisai.core.kernel.registry import always_waits

PIT = {"supervisor", "pit-manager", "shift-manager"}


def test_every_command_says_who_may_give_it() -> None:
    known = {
        *get_args(TableCommand),
        *get_args(CageCommand),
        *get_args(VenueCommand),
    }
    assert set(COMMANDS) == known
    assert set(COMMANDS) <= known
    assert set(COMMANDS) >= SOMETIMES


def test_an_auditor_looks_and_gives_no_command() -> None:
    assert not any(may("auditor", command) for command in COMMANDS)


def test_a_terminal_has_its_own_six_commands() -> None:
    own = {command for command in COMMANDS if may("terminal", command)}
    assert own == {
        *(PlaceBets, WithdrawBets, ClearBets),
        *(CashOut, SetOwnLimits, TakeVoucher),
    }


def test_nobody_alone_may_approve_and_no_machine_may() -> None:
    for roles in COMMANDS.values():
        assert roles <= {"dealer", "cage", "technician", *PIT}
        assert roles <= COMMANDS[Approve].by == COMMANDS[Decline].by


@pytest.mark.parametrize(
    "command",
    [
        *(AmendResult, DeclareOutcome, VoidSettledRounds, CorrectSettledRound),
        *(DeclareSafeProcedure, SetLimits, AdoptRulebook, EnrolTerminal),
        *(AppointStaff, ChangeRoles),
    ],
)
def test_these_always_take_two_persons(command: type[Command]) -> None:
    assert always_waits(command)


@pytest.mark.parametrize(
    "command",
    [
        *(PlaceBets, Settle, Rule, ReportIrregularity, SellVoucher, PayVoucher),
        *(IssueTerminalKey, DismissStaff),
    ],
)
def test_these_take_one_or_two_as_the_case_may_be(command: type[Command]) -> None:
    assert not always_waits(command)


def test_a_ruling_is_the_shift_managers_alone() -> None:
    assert COMMANDS[Rule].by == {"shift-manager"}


def test_only_the_cage_sells_and_pays() -> None:
    assert COMMANDS[SellVoucher].by == COMMANDS[PayVoucher].by == {"cage"}
