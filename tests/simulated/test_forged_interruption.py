"""Forged testimony about an interruption: changed, left out or made up."""

from collections.abc import Callable
from typing import Any

import pytest

from taisai.core.kernel.messages import Event
from taisai.core.table.chips.by_hand import (
    EnterRoundByHand,
    HandPaymentDiffered,
    RoundDealtByHand,
    SeatPaid,
    SeatStack,
)
from taisai.core.table.chips.layout_bets import BetsRecorded
from taisai.core.table.interruption import (
    DeclareOutcome,
    InterruptionRecorded,
    OutcomeTestified,
    PlayResumed,
    RecordInterruption,
    ResumePlay,
)
from taisai.core.table.round import BetsClosed, ResultEntered, RoundSettled
from taisai.runtime.auditor import AuditError
from tests.kit.chip_tables import HUNDRED
from tests.simulated.forging import edit
from tests.simulated.test_forged_chip_table import SMALL, AuditedChipTable


def by_hand() -> AuditedChipTable:
    """Enter a round that was dealt by hand, which paid 50.00 too much."""
    table = AuditedChipTable()
    table.bets()
    table.does("system", RecordInterruption("power"))
    table.agrees("supervisor", EnterRoundByHand(SMALL, (SeatPaid("1", 15_000),)))
    return table


def spoken_for() -> AuditedChipTable:
    """Declare an outcome, with testimony to the close and the tumble."""
    table = AuditedChipTable()
    table.bets()
    table.does("system", RecordInterruption("power"))
    table.agrees("supervisor", DeclareOutcome(SMALL, ("closed", "tumbled")))
    return table


def resumed() -> AuditedChipTable:
    """Resume play at a table."""
    table = AuditedChipTable()
    table.does("system", RecordInterruption("power"))
    table.agrees("supervisor", ResumePlay())
    return table


Made = Callable[[], AuditedChipTable]
FORGERIES: dict[str, tuple[Made, type[Event], Callable[[Any], Any], str]] = {
    "ruled by itself": (
        resumed,
        InterruptionRecorded,
        lambda event: edit(event, ruling="none"),
        "ruled none, not testify",
    ),
    "another clause": (
        resumed,
        InterruptionRecorded,
        lambda event: edit(event, clause="5.4.1"),
        "ruled by 5.4.1",
    ),
    "half of a testimony": (
        spoken_for,
        OutcomeTestified,
        lambda event: edit(event, facts=("tumbled",)),
        "is lacking",
    ),
    "no testimony": (spoken_for, OutcomeTestified, lambda _: None, "while the table is betting"),
    "an outcome and no word that play goes on": (
        spoken_for,
        PlayResumed,
        lambda _: None,
        "PlayResumed should have followed",
    ),
    "play that goes on unasked": (
        resumed,
        InterruptionRecorded,
        lambda _: None,
        "that was not interrupted",
    ),
    "a round that nobody says was dealt by hand": (
        by_hand,
        RoundDealtByHand,
        lambda _: None,
        "while the outcome waits|not carried out",
    ),
    "another round": (
        by_hand,
        RoundDealtByHand,
        lambda event: edit(event, round=7),
        "round 7 was entered as dealt by hand",
    ),
    "a round that is entered and not settled": (
        by_hand,
        RoundSettled,
        lambda _: None,
        "was entered and not settled|should have followed|is due",
    ),
    "other dice": (
        by_hand,
        ResultEntered,
        lambda event: edit(event, faces=(1, 2, 5)),
        r"\(1, 2, 6\) was confirmed",
    ),
    "a close that was never called": (by_hand, BetsClosed, lambda _: None, "while the table is"),
    "too much that is not named": (
        by_hand,
        HandPaymentDiffered,
        lambda _: None,
        "HandPaymentDiffered should have followed",
    ),
    "another amount": (
        by_hand,
        HandPaymentDiffered,
        lambda event: edit(event, paid=10_000),
        "was paid 10000, and is due 10000",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_testimony_is_caught(name: str) -> None:
    made, kind, change, sentence = FORGERIES[name]
    table = made()
    table.audit()
    table.forges(kind, change)
    with pytest.raises(AuditError, match=sentence):
        table.audit()


def test_a_layout_other_than_two_persons_spoke_of_is_caught() -> None:
    table = AuditedChipTable()
    table.does("system", RecordInterruption("power"))
    asked = EnterRoundByHand(SMALL, (SeatPaid("1", 10_000),), (SeatStack("1", "small", HUNDRED),))
    table.agrees("supervisor", asked)
    table.audit()
    table.forges(
        BetsRecorded,
        lambda event: edit(event, bets=(edit(event.bets[0], box="odd"),)),
    )
    with pytest.raises(AuditError, match="was said to lie there"):
        table.audit()
