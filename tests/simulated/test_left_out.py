"""Journals with an event missing, or with one too many."""

from collections.abc import Callable
from typing import Any

import pytest

from taisai.core import events as e
from taisai.core.events import Event
from tests.simulated.forging import caught, find, forge

#: What cannot be left out of a journal, where it is first found, and what the auditor says.
OMISSIONS: dict[str, tuple[type[Event], Callable[[Any], Any], str]] = {
    "the house": (e.HouseOpened, lambda _: True, "StaffAppointed before it was opened"),
    "a check": (e.ChecksRecorded, lambda _: True, "it opened without"),
    "the dice": (e.DiceRegistered, lambda _: True, "it opened without limits or dice"),
    "the limits": (e.LimitsSet, lambda _: True, "without limits|not carried out"),
    "the call for bets": (e.BetsOpened, lambda _: True, "while the table is begun"),
    "the close": (e.BetsClosed, lambda _: True, "while the table is betting"),
    "the tumble": (e.TumbleRecorded, lambda s: s.times == 3, "never tumbled|before the tumble"),
    "the result": (
        e.ResultEntered,
        lambda _: True,
        "ResultConfirmed while the table is shut|ResultEntered should have followed",
    ),
    "the confirmation": (
        e.ResultConfirmed,
        lambda _: True,
        "RoundSettled while the table is shown",
    ),
    "a settlement": (e.RoundSettled, lambda _: True, "while the table is called"),
    "a void": (e.RoundVoided, lambda _: True, "RoundVoided should have followed|not carried out"),
    "a bet": (
        e.BetsRegistered,
        lambda _: True,
        "lay|too much|not given|stake|below zero",
    ),
    "credits": (e.CreditsReceived, lambda _: True, "was closed before it arrived|below zero"),
    "a lock": (e.TerminalLocked, lambda _: True, r"won \d+ and was not locked"),
    "a stop": (e.TableStopped, lambda _: True, "TableStopped should have followed"),
    "a disagreement": (e.ResultsDisagreed, lambda _: True, "ResultsDisagreed should have followed"),
    "a voucher": (
        e.VoucherIssued,
        lambda _: True,
        "never issued|not carried out|before it arrived",
    ),
    "an approval": (e.CommandApproved, lambda _: True, "without a second person"),
}


@pytest.mark.parametrize("name", OMISSIONS)
def test_an_event_left_out_is_caught(name: str) -> None:
    kind, suits, sentence = OMISSIONS[name]
    caught(forge(find(kind, suits), []), sentence)


def test_a_notice_left_out_is_caught() -> None:
    """Not every notice is followed by a close, and some are given twice: leave all of them out."""
    place = find(e.TableClosed)
    world = [
        decided._replace(events=())
        if decided.stream == place.decided.stream and type(decided.events[0]) is e.NoticeGiven
        else decided
        for decided in place.world
    ]
    caught(world, "it closed without notice")


#: What happens once must not happen twice.
REPETITIONS: dict[type[Event], str] = {
    e.HouseOpened: "it was opened twice",
    e.CageOpened: "it was opened twice",
    e.TableCreated: "created twice",
    e.TerminalEnrolled: "was enrolled twice",
    e.TableOpened: "TableOpened while the table is between",
    e.RoundStarted: "RoundStarted while the table is begun",
    e.BetsOpened: "BetsOpened while the table is betting",
    e.BetsClosed: "BetsClosed while the table is shut",
    e.ResultEntered: "ResultEntered while the table is shown",
    e.ResultConfirmed: "ResultConfirmed while the table is called",
    e.RoundSettled: "was settled twice",
    e.RoundVoided: "RoundVoided while the table is between",
    e.RoundsReversed: r"rounds .* were voided, not \[\]|netted",
    e.RoundResettled: "by dice nobody agreed on",
    e.CreditsReceived: "was received twice",
    e.CashedOut: "cashed out",
    e.TransitClosed: "is not open",
    e.VoucherIssued: "was issued twice|was received twice",
    e.VoucherTaken: "was redeemed twice",
    e.VoucherPaid: "was redeemed twice",
    e.TableClosed: "TableClosed while the table is closed",
    e.TableStopped: "it stopped .*, or twice",
    e.TableRectified: "was rectified and not stopped",
    e.SafeProcedureDeclared: "nothing was stopped",
    e.TerminalLost: "was lost twice",
    e.TerminalRestored: "was never lost",
    e.TerminalBarred: "was barred twice",
    e.BarLifted: "was not barred",
    e.TerminalLocked: "did not win",
    e.LockCleared: "was not locked",
    e.CommandApproved: "does not wait",
    e.CommandDeclined: "does not wait",
}


@pytest.mark.parametrize("kind", REPETITIONS)
def test_an_event_that_happens_twice_is_caught(kind: type[Event]) -> None:
    place = find(kind, lambda event: getattr(event, "rounds", True))
    caught(forge(place, [place.event, place.event]), REPETITIONS[kind])
