"""Forged events about rounds that the auditor no longer holds: it is shown them again [D24]."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from taisai.core.kernel.messages import Event, Netted
from taisai.core.table import corrections
from taisai.core.table import state as table_state
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    VoidSettledRounds,
)
from taisai.core.table.round import RoundSettled
from taisai.runtime.auditor import AuditError, Auditor
from taisai.runtime.auditor import table as auditor_table
from taisai.runtime.auditor.books import Transit
from taisai.runtime.past_rounds import find_past
from tests.kit.tables import CREDITS
from tests.simulated.forging import edit
from tests.simulated.recorded import Decided, RecordedTable

Forge = Callable[[Any], Event]


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the table and the auditor hold one round each, and events two rounds."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)
    monkeypatch.setattr(auditor_table, "ROUNDS_KEPT", 1)
    monkeypatch.setattr(corrections, "IN_ONE_EVENT", 2)


def new_auditor() -> Auditor:
    """Make an auditor who has seen the cage send two terminals their credits."""
    auditor = Auditor()
    auditor.venue.currency = "SGD"
    for number, terminal in enumerate(("7", "8"), start=1):
        sent = Transit("cage", "T1", terminal, CREDITS)
        auditor.transits.send(f"cage-T1-{number}", sent)
    return auditor


def audit(decisions: Sequence[Decided]) -> Auditor:
    """Show decisions to a new auditor, with the past events it asks for."""
    auditor = new_auditor()
    told: list[Event] = []

    def at(version: int) -> Event:
        return told[version - 1]

    for decided in decisions:
        rounds, versions = auditor.asks("T1", decided.events)
        if rounds:
            found = find_past(at, rounds, versions, len(told))
            auditor.recall("T1", found.ends, found.drawn, found.events)
        auditor.observe(*decided)
        told.extend(decided.events)
    return auditor


def evening() -> RecordedTable:
    """Lose five rounds on Big; settle the second again as won, then void all."""
    table = RecordedTable("ts6/2")
    table.created().adopted().opened()
    for _ in range(5):
        table.betting(t7={"big": 1_000}, t8={"big": 2_000}).settled(1, 2, 3)
    table.agrees("supervisor", CorrectSettledRound(2, (4, 5, 6), "seen on camera"))
    table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    return table


def changed(kind: type[Event], part: int, forge: Forge) -> list[Decided]:
    """Forge an event of a kind; of a large reversal, the given part."""
    decisions = []
    for stream, events, at, role in evening().seen:
        forged = tuple(
            forge(each) if isinstance(each, kind) and getattr(each, "part", 1) == part else each
            for each in events
        )
        decisions.append(Decided(stream, forged, at, role))
    return decisions


def test_what_was_put_right_long_ago_is_sound() -> None:
    """7 has lost five times 10.00 and won 20.00 by the correction; void, it has what it brought."""
    table = evening()
    auditor = audit(table.seen)
    assert (table.credits("7"), table.credits("8")) == (100_000, 100_000)
    auditor.compare("T1", table.state.ledger.balances)
    parts = [each for each in table.told if isinstance(each, RoundsReversed)]
    assert [each.rounds for each in parts] == [(1, 2), (3, 4), (5,)]


MORE = (Netted("7", 9_999_999, 0, 0), Netted("8", 0, 0, 0))
FORGED: dict[str, tuple[type[Event], int, Forge, str]] = {
    "more given for old rounds": (
        RoundsReversed,
        1,
        lambda s: edit(s, netted=MORE),
        "terminals were netted as",
    ),
    "netting as if the correction had not been": (
        RoundsReversed,
        1,
        lambda s: edit(s, netted=(Netted("7", 5_000, 0, 0), Netted("8", 10_000, 0, 0))),
        "terminals were netted as",
    ),
    "an old round left out": (
        RoundsReversed,
        1,
        lambda s: edit(s, rounds=(1,)),
        "were voided, not",
    ),
    "an old round twice": (
        RoundsReversed,
        2,
        lambda s: edit(s, rounds=(2, 3, 4)),
        "were voided, not",
    ),
    "another clause": (RoundsReversed, 3, lambda s: edit(s, clause="5.5"), "were voided, not"),
    "a part that is not the next": (
        RoundsReversed,
        2,
        lambda s: edit(s, part=3),
        "of a reversal is not the next",
    ),
    "a reversal that never ends": (
        RoundsReversed,
        3,
        lambda s: edit(s, parts=4),
        "of a reversal is not the next",
    ),
    "an event that is too long": (
        RoundsReversed,
        1,
        lambda s: edit(s, rounds=tuple(range(1, 1_002))),
        "too long",
    ),
    "another end than was asked for": (
        RoundsReversed,
        3,
        lambda s: edit(s, last=4),
        "rounds up to 4 were voided, not up to 5",
    ),
    "an old round settled again for somebody else": (
        RoundResettled,
        1,
        lambda s: edit(s, sessions={"7": 2, "8": 1}),
        "for others",
    ),
    "an old round settled again by another clause": (
        RoundResettled,
        1,
        lambda s: edit(s, clause="5.5"),
        "or by 5.5",
    ),
    "an old round settled again for more": (
        RoundResettled,
        1,
        lambda s: edit(s, netted=MORE),
        "terminals were netted as",
    ),
    "a round of players who did not bet": (
        RoundSettled,
        1,
        lambda s: edit(s, sessions={"7": 1}),
        "is of players",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_event_about_old_rounds_is_caught(name: str) -> None:
    kind, part, forge, sentence = FORGED[name]
    with pytest.raises(AuditError, match=sentence):
        audit(changed(kind, part, forge))


def test_an_old_round_that_is_not_shown_again_is_not_taken_on_trust() -> None:
    auditor = new_auditor()
    *before, corrected, _asked, _voided = evening().seen
    for decided in before:
        auditor.observe(*decided)
    with pytest.raises(AuditError, match="nobody can say how it was"):
        auditor.observe(*corrected)


def test_a_reversal_of_which_a_part_is_missing_is_caught() -> None:
    decisions = evening().seen
    stream, events, at, role = decisions[-1]
    decisions[-1] = Decided(stream, events[:-1], at, role)
    with pytest.raises(AuditError, match="RoundsReversed should have followed, and nothing did"):
        audit(decisions)
