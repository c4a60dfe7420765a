"""Journals with one event too few, or one too many."""

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import pytest

from taisai.core.cage.vouchers import (
    CageOpened,
    VoucherIssued,
    VoucherPaid,
    VoucherTaken,
    VoucherVoided,
)
from taisai.core.kernel.approvals import CommandApproved, CommandDeclined
from taisai.core.kernel.messages import Event
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.betting import BetsRegistered, RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.opening import EquipmentRegistered, EquipmentSwitchedOn, SealRead
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
)
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    ResultConfirmed,
    ResultEntered,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
)
from taisai.core.table.service import (
    SessionEndedByStaff,
    TerminalFailed,
    TerminalReturned,
    WinSetAside,
)
from taisai.core.table.setup import (
    DiceRegistered,
    LimitsSet,
    NoticeGiven,
    SafeProcedureDeclared,
    TableClosed,
    TableCreated,
    TableOpened,
    TableRectified,
    TableStopped,
    TerminalEnrolled,
)
from taisai.core.table.tumble import TumbleRecorded
from taisai.core.venue.setup import VenueOpened
from taisai.runtime.auditor import AuditError
from tests.simulated.forging import audit, caught, find, find_all, forge
from tests.simulated.recorded import Decided

#: Events that cannot be left out of a journal, where that is found, and the auditor's complaint.
OMISSIONS: dict[str, tuple[type[Event], Callable[[Any], Any], str]] = {
    "the venue": (VenueOpened, lambda _: True, "StaffAppointed before it was opened"),
    "the power": (EquipmentSwitchedOn, lambda _: True, "it opened without equipment-on"),
    "a seal": (SealRead, lambda event: event.agrees, "without dice-sealed"),
    "a bell": (
        EquipmentRegistered,
        lambda event: event.equipment == "bell",
        "it opened without its bell",
    ),
    "the dice": (DiceRegistered, lambda _: True, "it opened without limits or dice"),
    "the limits": (LimitsSet, lambda _: True, "without limits|not carried out"),
    "the call for bets": (
        BetsOpened,
        lambda _: True,
        "while the table is begun|RoundVoided should have followed",
    ),
    "the close": (
        BetsClosed,
        lambda _: True,
        "while the table is betting|BetsClosed should have followed",
    ),
    "the tumble": (
        TumbleRecorded,
        lambda s: s.times == 3,
        "never tumbled|before the tumble|not on tumbled dice",
    ),
    "the result": (
        ResultEntered,
        lambda _: True,
        "ResultConfirmed while the table is shut|ResultEntered should have followed",
    ),
    "the confirmation": (
        ResultConfirmed,
        lambda _: True,
        "RoundSettled while the table is shown",
    ),
    "a settlement": (RoundSettled, lambda _: True, "while the table is called"),
    "a void": (
        RoundVoided,
        lambda s: s.code != "damaged-dice",
        "RoundVoided should have followed|not carried out",
    ),
    "a bet": (
        BetsRegistered,
        lambda _: True,
        "lay|too much|not given|stake|below zero|and held",
    ),
    "credits": (CreditsReceived, lambda _: True, "was closed before it arrived|below zero"),
    "a lock": (TerminalLocked, lambda _: True, r"won \d+ and was not locked"),
    "a stop": (TableStopped, lambda _: True, "TableStopped should have followed"),
    "a disagreement": (ResultsDisagreed, lambda _: True, "ResultsDisagreed should have followed"),
    "a voucher": (
        VoucherIssued,
        lambda _: True,
        "never issued|not carried out|before it arrived",
    ),
    "an approval": (CommandApproved, lambda _: True, "without a second person"),
}


@pytest.mark.parametrize("name", OMISSIONS)
def test_an_event_left_out_is_caught(name: str) -> None:
    kind, suits, sentence = OMISSIONS[name]
    # If the round was void before anybody used the permission, there is nothing to find.
    said = (complaint(forge(place, [])) for place in islice(find_all(kind, suits), 5))
    assert re.search(sentence, next(filter(None, said), "nobody said so"))


def complaint(decisions: Sequence[Decided]) -> str | None:
    try:
        audit(decisions)
    except AuditError as error:
        return str(error)
    return None


def test_a_notice_left_out_is_caught() -> None:
    """Not every notice is followed by a close, and some are given twice: leave all of them out."""
    place = find(TableClosed)
    world = [
        decided._replace(events=())
        if decided.stream == place.decided.stream and type(decided.events[0]) is NoticeGiven
        else decided
        for decided in place.world
    ]
    caught(world, "it closed without notice")


#: Events that must not happen twice.
REPETITIONS: dict[type[Event], str] = {
    VenueOpened: "it was opened twice",
    CageOpened: "it was opened twice",
    TableCreated: "created twice",
    TerminalEnrolled: "was enrolled twice",
    TableOpened: "TableOpened while the table is between",
    RoundStarted: "RoundStarted while the table is begun",
    BetsOpened: "BetsOpened while the table is betting",
    BetsClosed: "BetsClosed while the table is shut|RoundVoided should have followed",
    ResultEntered: "ResultEntered while the table is shown",
    ResultConfirmed: "ResultConfirmed while the table is called",
    RoundSettled: "was settled twice",
    RoundVoided: "RoundVoided while the table is between",
    RoundsReversed: r"rounds .* were voided, not \{\}|netted",
    RoundResettled: "by dice nobody agreed on",
    CreditsReceived: "was received twice",
    CashedOut: "cashed out",
    TransitClosed: "is not open",
    VoucherIssued: "was issued twice|was received twice",
    VoucherTaken: "was redeemed twice",
    VoucherPaid: "was redeemed twice",
    VoucherVoided: "was redeemed twice",
    TableClosed: "TableClosed while the table is closed",
    TableStopped: "it stopped .*, or twice",
    TableRectified: "was rectified and not stopped",
    SafeProcedureDeclared: "nothing was stopped",
    TerminalLost: "was lost twice",
    TerminalRestored: "was never lost",
    TerminalFailed: "failed twice",
    TerminalReturned: "never out of service",
    SessionEndedByStaff: "was over already",
    TerminalBarred: "was barred twice",
    BarLifted: "was not barred",
    TerminalLocked: "did not win",
    LockCleared: "was not locked",
    WinSetAside: "was not locked, and its win",
    CommandApproved: "does not wait|ReportDeclined should have followed",
    CommandDeclined: "does not wait|ReportDeclined should have followed",
}


@pytest.mark.parametrize("kind", REPETITIONS)
def test_an_event_that_happens_twice_is_caught(kind: type[Event]) -> None:
    place = find(kind, lambda event: getattr(event, "rounds", True))
    caught(forge(place, [place.event, place.event]), REPETITIONS[kind])
