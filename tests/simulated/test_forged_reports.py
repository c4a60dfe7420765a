"""Forged reports of the dice: who answers them, why, what they close and what follows [D20]."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import Actor, Equipment, Event
from taisai.core.table.betting import PlaceBets, RoundVoided
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.irregularities import (
    AnnounceVoid,
    IrregularityReported,
    ReportDeclined,
    ReportIrregularity,
    VoidAnnounced,
)
from taisai.core.table.opening import RegisterEquipment, WithdrawEquipment
from taisai.core.table.positions import ReceiveCredits
from taisai.core.table.round import BetsClosed, OpenBets
from taisai.core.table.setup import CloseTable, GiveNotice, OpenTable, RegisterDice, TableOpened
from taisai.core.table.tumble import RecordTumble, TumbleRecorded
from taisai.core.venue.setup import VenueOpened
from taisai.runtime.auditor import AuditError
from tests.kit.tables import Table, stakes
from tests.simulated.forging import audit, edit
from tests.simulated.recorded import Decided, RecordedTable


class Observed(RecordedTable):
    """A table that records its decisions for an auditor."""

    def __init__(self, address: str, equipment: Equipment) -> None:
        super().__init__(address)
        self.seen = [Decided("venue", (VenueOpened("Harbour", "SGD"),), self.at)]
        self.created(equipment).adopted()
        self.does("supervisor", RegisterDice("D1", "S1"))
        self.prepared()
        self.does("supervisor", OpenTable())

    def opened(self) -> "Table":
        """Open the bets, after a tumble if the document has it first."""
        if self.before_bets:
            self.does("dealer", RecordTumble(3), "ann")
        self.does("dealer", OpenBets(), "ann")
        return self


def declined(address: str, equipment: Equipment | None = None) -> Observed:
    """Let ann report dice that were seen, and sue decline it."""
    table = Observed(address, equipment or Equipment())
    table.opened()
    table.does("dealer", ReportIrregularity("die-not-flat", "leans"), "ann")
    table.does("supervisor", table.declining("it lies flat"), "sue")
    return table


@cache
def worlds() -> dict[str, tuple[Decided, ...]]:
    """Play the worlds that are forged below."""
    agreed = Observed("ts6/2", Equipment())
    agreed.opened()
    agreed.does("dealer", ReportIrregularity("die-not-flat", "leans"), "ann")
    agreed.does("supervisor", agreed.approval(), "sue")
    early = Observed("tso5/2", Equipment())
    early.opened()
    early.does("dealer", RecordTumble(3), "ann")
    early.does("supervisor", early.declining("the button slipped"), "sue")
    before = Observed("div9/2", Equipment())
    before.does("dealer", RecordTumble(3, concealed=False), "ann")
    before.does("supervisor", before.declining("the dome was on"), "sue")
    twice = Observed("ts6/2", Equipment())
    twice.opened()
    twice.does("dealer", RecordTumble(3), "ann")
    twice.does("dealer", RecordTumble(3), "ann")
    twice.closed()
    twice.does("dealer", RecordTumble(3, concealed=False), "ann")
    spun = Observed("div9/2", Equipment())
    spun.does("dealer", RecordTumble(2), "ann")
    spun.does("dealer", AnnounceVoid(), "ann")
    device = Observed("ts6/2", Equipment("reader"))
    device.opened()
    device.does("device", RecordTumble(2))
    two = Observed("div9/2", Equipment())
    two.opened()
    two.closed()
    two.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    two.does("dealer", ReportIrregularity("dice-exposed"), "ann")
    two.does("supervisor", two.declining(), "sue")
    two.does("dealer", AnnounceVoid(), "ann")
    told = Observed("ts6/2", Equipment())
    told.opened().closed().tumbled()
    told.does("dealer", ReportIrregularity("uncovered-tumble"), "ann")
    told.entered(1, 2, 3)
    played = {
        "told": told,
        "agreed": agreed,
        "declined": declined("ts6/2"),
        "early": early,
        "before": before,
        "twice": twice,
        "spun": spun,
        "device": device,
        "two": two,
    }
    return {name: tuple(table.seen) for name, table in played.items()}


Change = Callable[[Any], Sequence[Event]]
BEA = Actor("bea", "dealer")
ANN = Actor("ann", "supervisor")

#: The world, the event, the forgery, and the auditor's complaint.
FORGERIES: dict[str, tuple[str, type[Event], Change, str]] = {
    "a dealer agreed": (
        *("agreed", CommandApproved),
        lambda event: [edit(event, by=BEA)],
        "a dealer answered a report of the dice",
    ),
    "who reported it agreed": (
        *("agreed", CommandApproved),
        lambda event: [edit(event, by=ANN)],
        "approved a command of their own",
    ),
    "somebody else is said to have asked": (
        *("agreed", IrregularityReported),
        lambda event: [edit(event, by="sue")],
        "voided for die-not-flat without ground",
    ),
    "a report of dice that were seen voids alone": (
        *("agreed", IrregularityReported),
        lambda event: [edit(event, in_doubt=False)],
        "die-not-flat, reported by ann, voids the round by itself",
    ),
    "a device is said to have read it": (
        *("agreed", IrregularityReported),
        lambda event: [edit(event, in_doubt=False, device=True)],
        "a device read die-not-flat at a table that has none",
    ),
    "what a device reads waits": (
        *("device", IrregularityReported),
        lambda event: [edit(event, in_doubt=True)],
        "bad-tumble, reported by tumbler, waits for a supervisor",
    ),
    "the bets stay open": (
        *("declined", BetsClosed),
        lambda _: [],
        "BetsClosed should have followed, and ApprovalRequested did",
    ),
    "the bets close for something else": (
        *("declined", BetsClosed),
        lambda event: [edit(event, report="bad-tumble")],
        "bets were closed for bad-tumble, which nobody reported",
    ),
    "the bets close in their turn": (
        *("declined", BetsClosed),
        lambda event: [edit(event, report=None)],
        "BetsClosed while the round is in doubt",
    ),
    "nobody is asked": (
        *("declined", ApprovalRequested),
        lambda _: [],
        "ApprovalRequested should have followed, and nothing did",
    ),
    "a dealer declined": (
        *("declined", CommandDeclined),
        lambda event: [edit(event, by=BEA)],
        "a dealer answered a report of the dice",
    ),
    "who reported it declined": (
        *("declined", CommandDeclined),
        lambda event: [edit(event, by=ANN)],
        "ann declined a report without ground",
    ),
    "no reason is given": (
        *("declined", CommandDeclined),
        lambda event: [edit(event, note=" ")],
        "sue declined a report without ground",
    ),
    "a finding is left out": (
        *("declined", ReportDeclined),
        lambda _: [],
        "ReportDeclined should have followed, and nothing did",
    ),
    "another reason is recorded": (
        *("declined", ReportDeclined),
        lambda event: [edit(event, note="nothing")],
        "found not to have happened, other than was declined",
    ),
    "another is said to have reported it": (
        *("declined", ReportDeclined),
        lambda event: [edit(event, reported_by="bea")],
        "found not to have happened, other than was declined",
    ),
    "a finding that nobody was asked for": (
        *("declined", ReportDeclined),
        lambda event: [event, event],
        "found not to have happened, and nobody was asked",
    ),
    "dice that count are tumbled anew": (
        *("declined", ReportDeclined),
        lambda event: [edit(event, tumbles_again=True)],
        "the dice are to be tumbled again|not to be",
    ),
    "a tumble before the close counts": (
        *("early", ReportDeclined),
        lambda event: [edit(event, tumbles_again=False)],
        "to be tumbled again",
    ),
    "bets open on dice that were reported": (
        *("before", ReportDeclined),
        lambda event: [edit(event, tumbles_again=False)],
        "to be tumbled again",
    ),
    "a second tumble is not told of": (
        *("twice", IrregularityReported),
        lambda _: [],
        "reported as uncovered-tumble, not second-tumble",
    ),
    "a second tumble is told of as another thing": (
        *("twice", IrregularityReported),
        lambda event: [edit(event, code="uncovered-tumble", clause="3.7")],
        "reported as uncovered-tumble, not second-tumble",
    ),
    "nobody tumbled, and it was only to be done": (
        *("agreed", IrregularityReported),
        lambda event: [edit(event, code="no-tumble", ruling="activate-tumbler", clause="3.7")],
        "no-tumble was reported, where the tumbler is simply activated",
    ),
    "other words for a void spin": (
        *("spun", VoidAnnounced),
        lambda event: [edit(event, words="No more bets")],
        "was announced, and was not to be",
    ),
    "a void spin announced twice": (
        *("spun", VoidAnnounced),
        lambda event: [event, event],
        "was announced, and was not to be",
    ),
    "a void spin announced for what did not happen": (
        *("two", VoidAnnounced),
        lambda event: [edit(event, code="dice-exposed", clause="7.1(c)")],
        "was announced, and was not to be",
    ),
    "a report made again while it waits": (
        *("two", IrregularityReported),
        lambda event: [event, edit(event)],
        "ApprovalRequested should have followed",
    ),
    "bets are void without a report": (
        *("device", RoundVoided),
        lambda event: [edit(event, code="die-not-flat", clause="5.5.2")],
        "the round was voided for die-not-flat without ground",
    ),
}


@pytest.mark.parametrize("name", worlds())
def test_what_is_forged_here_was_in_order(name: str) -> None:
    audit(worlds()[name])


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_report_is_caught(forgery: tuple[str, type[Event], Change, str]) -> None:
    name, kind, change, sentence = forgery
    world = list(worlds()[name])
    # The last decision with such an event is the one that matters.
    at = max(n for n, each in enumerate(world) if kind in map(type, each.events))
    events = world[at].events
    place = [type(event) for event in events].index(kind)
    after = (*events[:place], *change(events[place]), *events[place + 1 :])
    world[at] = Decided(world[at].stream, after, world[at].at)
    with pytest.raises(AuditError, match=sentence):
        audit(world)


def test_a_tumble_while_the_outcome_waits_is_caught() -> None:
    table = Observed("ts6/2", Equipment())
    table.opened().closed().tumbled()
    table.does("system", RecordInterruption("power"))
    tumbled = TumbleRecorded(3, flat=True, concealed=True, by="ann")
    world = [*table.seen, Decided("T1", (tumbled,), table.at)]
    with pytest.raises(AuditError, match="while the outcome waits to be declared"):
        audit(world)


def test_a_report_that_waits_is_not_made_again() -> None:
    table = Observed("ts6/2", Equipment())
    table.opened().closed().tumbled()
    table.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    world = [*table.seen, Decided("T1", table.seen[-1].events, table.at)]
    with pytest.raises(AuditError, match="die-not-flat was reported again while it waits"):
        audit(world)


def test_bets_that_go_on_beside_dice_in_sight_are_caught() -> None:
    table = Observed("ts6/2", Equipment())
    table.opened()
    left = IrregularityReported("uncovered-tumble", "shift-manager-rules", "3.7", "ann", "")
    world = [*table.seen, Decided("T1", (left,), table.at)]
    with pytest.raises(AuditError, match="dice in sight before the close were left to a ruling"):
        audit(world)


def test_a_void_spin_is_not_announced_at_a_closed_table() -> None:
    table = Observed("div9/2", Equipment())
    announced = VoidAnnounced(0, "bad-tumble", "No spin", "7.1(b)", "ann")
    unopened = [each for each in table.seen if type(each.events[0]) is not TableOpened]
    world = [*unopened, Decided("T1", (announced,), table.at)]
    with pytest.raises(AuditError, match="announced at a closed table"):
        audit(world)


def test_bets_after_a_report_that_was_declined_are_caught() -> None:
    table = declined("ts6/2")
    table.does("system", ReceiveCredits("cage-7", "7", 5_000))
    assert table.refuses("terminal", PlaceBets("7", stakes({"small": 1_000})), "7") == (
        "BETS_CLOSED",
        "5.7",
    )


def test_d32_a_table_that_opens_without_the_reader_that_was_taken_away_is_caught() -> None:
    table = Observed("etg8/1", Equipment("reader"))
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.does("technician", WithdrawEquipment("reader"))
    table.does("supervisor", RegisterEquipment("reader", "R-2"))
    table.does("supervisor", OpenTable())
    audit(table.seen)
    *before, replaced, opened = table.seen
    with pytest.raises(AuditError, match="it opened without its reader"):
        audit([*before, opened])
    asked = replaced._replace(events=(edit(replaced.events[0], clause="3.4(f)"),))
    with pytest.raises(AuditError, match="reader was registered, which nothing asks for"):
        audit([*before, asked])
