"""Who may do what, as a table of data, and what takes two persons [D14].

The software knows one role `supervisor`; each rulebook gives it the title its document uses.
"""

from taisai.core import commands
from taisai.core.commands import Command
from taisai.core.messages import Role

_DEALING = "dealer supervisor pit-manager system"
_PLACING = "dealer supervisor pit-manager"
_PIT = "supervisor pit-manager shift-manager"
_STAFFING = "shift-manager technician"

#: The roles that a person on the staff may have.
STAFF_ROLES: tuple[Role, ...] = (
    *("dealer", "supervisor", "pit-manager", "shift-manager"),
    *("cage", "technician", "auditor"),
)

#: Each command with the roles that may give it; a terminal may act for itself alone.
_TABLE = {
    "CreateTable": "technician system",
    "EnrolTerminal": "technician",
    "AdoptRulebook": "pit-manager shift-manager",
    "SetLimits": _PIT,
    "RegisterDice": _PIT,
    "RecordChecks": _PIT,
    "OpenTable": _PIT,
    "GiveNotice": f"dealer {_PIT}",
    "CloseTable": _PIT,
    "OpenBets": _DEALING,
    "RecordTumble": f"{_DEALING} device",
    "CloseBets": _DEALING,
    "PressFace": "dealer supervisor pit-manager",
    "EnterResult": "dealer supervisor pit-manager device",
    "ConfirmResult": _DEALING,
    "AmendResult": f"dealer {_PIT}",
    "Settle": _DEALING,
    "PublishChain": "system",
    "RevealSecret": "system",
    "AbandonChain": "system",
    "PlaceBets": "terminal dealer supervisor pit-manager",
    "WithdrawBets": "terminal dealer supervisor pit-manager",
    "ClearBets": "terminal dealer supervisor pit-manager",
    "ReportIrregularity": f"dealer system device {_PIT}",
    "RecordInterruption": f"system {_PIT}",
    "DeclareOutcome": _PIT,
    "VoidSettledRounds": _PIT,
    "CorrectSettledRound": _PIT,
    "Rule": "shift-manager",
    "Rectify": f"technician {_PIT}",
    "DeclareSafeProcedure": _PIT,
    "ReceiveCredits": "system",
    "CashOut": f"terminal {_PIT}",
    "CloseTransit": "system",
    "LoseTerminal": "system",
    "RestoreTerminal": "system",
    "SetOwnLimits": "terminal",
    "BarTerminal": f"cage {_PIT}",
    "LiftBar": "pit-manager shift-manager",
    "ClearLock": f"dealer {_PIT}",
    "TakeSeat": _PLACING,
    "LeaveSeat": _PLACING,
    "BuyChips": _PLACING,
    "ExchangeChips": _PLACING,
    "AssignColour": _PLACING,
    "BuyColour": _PLACING,
    "ConvertColour": _PLACING,
    "ReleaseColour": _PLACING,
    "RecordBets": _PLACING,
    "CorrectRecord": _PLACING,
    "TakeBackBets": _PLACING,
    "RejectExcess": _PLACING,
    "AdvisePlayer": _PLACING,
    "PayWinners": _PLACING,
    "PutBetRight": _PIT,
    "PayKept": f"dealer {_PIT}",
    "RecordRecovery": f"dealer {_PIT}",
    "OpenDay": _PIT,
    "ReceiveFill": f"dealer {_PIT}",
    "SendCredit": f"dealer {_PIT}",
    "ReturnCredit": f"dealer {_PIT}",
    "CountDrop": f"cage {_PIT}",
    "CloseDay": _PIT,
    "SendFill": "cage",
    "ReceiveCredit": "cage",
    "ReturnFill": "cage",
    "OpenShift": "cage",
    "CloseShift": "cage",
    "OpenHouse": "system",
    "AdmitTable": "system",
    "RestoreHouse": "system",
    "EngageStaff": "system",
    "AppointStaff": _STAFFING,
    "ChangeRoles": _STAFFING,
    "DismissStaff": _STAFFING,
    "IssueTerminalKey": "technician",
    "RecordLogIn": "system",
    "RecordLogOut": "system",
    "RecordLockOut": "system",
    "OpenCage": "system",
    "SellVoucher": "cage",
    "PrintVoucher": "system",
    "TakeVoucher": "terminal system",
    "PayVoucher": "cage",
    "SkipSerials": "system",
    "Approve": f"dealer cage technician {_PIT}",
    "Decline": f"dealer cage technician {_PIT}",
}

#: Each command that always takes a second person, with the roles the second person may have.
_SECOND = {
    "EnrolTerminal": f"technician {_PIT}",
    "AdoptRulebook": _PIT,
    "SetLimits": _PIT,
    "AmendResult": _PIT,
    "DeclareOutcome": f"dealer {_PIT}",
    "VoidSettledRounds": _PIT,
    "CorrectSettledRound": _PIT,
    "DeclareSafeProcedure": _PIT,
    "ReportIrregularity": f"dealer {_PIT}",
    "Rule": _PIT,
    "SellVoucher": f"cage {_PIT}",
    "PayVoucher": f"cage {_PIT}",
    "PutBetRight": f"dealer {_PIT}",
    "PayKept": _PIT,
    "RecordRecovery": _PIT,
    "OpenDay": f"dealer {_PIT}",
    "ReceiveFill": f"dealer {_PIT}",
    "SendCredit": f"dealer {_PIT}",
    "ReturnCredit": f"dealer {_PIT}",
    "CountDrop": f"cage dealer {_PIT}",
    "CloseDay": f"dealer {_PIT}",
    "SendFill": f"cage {_PIT}",
    "ReceiveCredit": f"cage {_PIT}",
    "ReturnFill": f"cage {_PIT}",
    "OpenShift": f"cage {_PIT}",
    "CloseShift": f"cage {_PIT}",
    "AppointStaff": f"pit-manager {_STAFFING}",
    "ChangeRoles": f"pit-manager {_STAFFING}",
    "IssueTerminalKey": f"technician {_PIT}",
}

#: These take a second person only in some cases, which their own decision finds out.
SOMETIMES = frozenset(
    {
        *(commands.ReportIrregularity, commands.Rule),
        *(commands.SellVoucher, commands.PayVoucher),
        commands.IssueTerminalKey,
    }
)


def _roles(text: str) -> frozenset[str]:
    return frozenset(text.split())


MAY: dict[type[Command], frozenset[str]] = {
    getattr(commands, name): _roles(text) for name, text in _TABLE.items()
}
MAY_APPROVE: dict[type[Command], frozenset[str]] = {
    getattr(commands, name): _roles(text) for name, text in _SECOND.items()
}


def may(role: Role, command: type[Command]) -> bool:
    """Say whether a role may give a command."""
    return role in MAY[command]


def takes_two(command: type[Command]) -> bool:
    """Say whether a command always takes two persons."""
    return command in MAY_APPROVE and command not in SOMETIMES
