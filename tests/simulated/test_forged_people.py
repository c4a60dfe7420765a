"""Forged persons: the auditor checks each role against the rulebook in force [D29]."""

from collections.abc import Callable
from typing import Any

import pytest

from taisai.core.kernel.approvals import CommandApproved
from taisai.core.kernel.messages import Actor, Event, Role
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.corrections import CorrectSettledRound
from taisai.core.table.opening import LayoutTested, SealRead
from taisai.core.table.positions import CreditsReceived
from taisai.core.table.round import (
    AmendResult,
    BetsClosed,
    BetsOpened,
    ConfirmResult,
    FacePressed,
    ResultConfirmed,
    ResultEntered,
    RoundSettled,
    Settle,
)
from taisai.core.table.setup import (
    RulebookAdopted,
)
from taisai.core.table.tumble import TumbleRecorded
from taisai.runtime.auditor import AuditError, Auditor
from tests.kit.chip_tables import HUNDRED, bets, created, opened
from tests.simulated.forging import edit
from tests.simulated.recorded import Decided, RecordedTable

DIV9 = "div9/2"
Change = Callable[[Any], Any]


def audit(decisions: list[Decided]) -> None:
    """Show decisions to a new auditor of a venue in Singapore dollars."""
    auditor = Auditor()
    auditor.venue.currency = "SGD"
    for decided in decisions:
        auditor.observe(*decided)


def played(address: str = DIV9) -> RecordedTable:
    """Play a round in which the result was amended by dealer and supervisor."""
    table = RecordedTable(address)
    table.created().adopted().opened()
    # The cage that sent the credits is not shown, and nobody bets.
    table.seen = [each for each in table.seen if CreditsReceived not in map(type, each.events)]
    table.betting().closed().tumbled().entered(1, 2, 3)
    table.agrees("dealer", AmendResult((1, 2, 4)), "supervisor")
    table.does("dealer", ConfirmResult())
    table.paid()
    return table


def by(seen: list[Decided], kind: type[Event], role: Role) -> list[Decided]:
    """Let another role give the command of the first decision with an event of a kind."""
    place = next(i for i, each in enumerate(seen) if kind in map(type, each.events))
    return [*seen[:place], seen[place]._replace(role=role), *seen[place + 1 :]]


def changed(seen: list[Decided], kind: type[Event], change: Change) -> list[Decided]:
    """Change every event of a kind."""
    return [
        each._replace(events=tuple(change(e) if type(e) is kind else e for e in each.events))
        for each in seen
    ]


def caught(decisions: list[Decided], sentence: str) -> None:
    with pytest.raises(AuditError, match=sentence):
        audit(decisions)


@pytest.mark.parametrize("address", [DIV9, "ts6/2", "tso5/2", "etg8/2"])
def test_a_round_by_those_who_are_named_is_sound(address: str) -> None:
    audit(played(address).seen)


def test_who_is_not_known_is_not_judged() -> None:
    audit([each._replace(role=None) for each in played().seen])


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        (SealRead, "shift-manager"),
        (LayoutTested, "pit-manager"),
        (TumbleRecorded, "pit-manager"),
        (BetsOpened, "supervisor"),
        (BetsClosed, "supervisor"),
        (FacePressed, "pit-manager"),
        (ResultEntered, "pit-manager"),
        (ResultConfirmed, "pit-manager"),
        (RoundSettled, "supervisor"),
    ],
)
def test_an_act_of_somebody_else_is_caught(kind: type[Event], role: Role) -> None:
    caught(by(played().seen, kind, role), f"{kind.__name__} by a {role}, and .* is named")


@pytest.mark.parametrize("kind", [TumbleRecorded, BetsOpened, BetsClosed, RoundSettled])
def test_any_pit_employee_of_singapore_may_do_it(kind: type[Event]) -> None:
    audit(by(played("ts6/2").seen, kind, "pit-manager"))


def test_a_result_amended_without_the_supervisor_is_caught() -> None:
    forged = changed(
        played().seen,
        CommandApproved,
        lambda event: edit(event, by=Actor(event.by.person, "pit-manager")),
    )
    caught(forged, "a result was put right without a supervisor")


def test_a_result_other_than_the_led_showed_is_caught() -> None:
    forged = changed(played().seen, ResultEntered, lambda event: edit(event, faces=(1, 1, 1)))
    caught(forged, r"\(1, 1, 1\) was keyed, and the LED showed \[1, 2, 3\]")


def audit_by(decisions: list[Decided], part: str, **said: str) -> None:
    """Show decisions to an auditor with a changed rulebook."""
    auditor = Auditor()
    auditor.venue.currency = "SGD"
    for decided in decisions:
        auditor.observe(*decided)
        if any(isinstance(event, RulebookAdopted) for event in decided.events):
            rules = auditor.table("T1").rules_in_force()
            procedure = {**rules.procedure, part: {**rules.procedure[part], **said}}
            other = edit(rules, procedure=procedure)
            auditor.table("T1").rules = other
            auditor.table("T1").adopted = [(1, other)]


def test_a_result_corrected_after_amending_has_ended_is_caught() -> None:
    table = played("ts6/2")
    table.agrees("supervisor", CorrectSettledRound(1, (4, 5, 6), "the camera shows it"))
    audit(table.seen)
    with pytest.raises(AuditError, match="was settled again, after results may be amended"):
        audit_by(table.seen, "amendment", until="settlement")


def test_winners_paid_in_one_act_with_collecting_are_caught_where_there_is_an_order() -> None:
    table = opened(created(RecordedTable("ts6/2")))
    table.does("dealer", TakeSeat("1"))
    table.does("dealer", BuyChips("1", HUNDRED, 10_000))
    table.betting().does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.confirmed(6, 5, 5).does("dealer", Settle())
    audit(table.seen)
    with pytest.raises(AuditError, match="winners were paid in one act with collecting"):
        audit_by(table.seen, "settlement", order="collect-then-pay")
