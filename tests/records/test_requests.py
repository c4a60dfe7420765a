"""Every command that takes a second person is requested in a sentence, in every language."""

from collections.abc import Iterator
from typing import get_args

import pytest

from taisai.core.cage.drawer import CloseShift
from taisai.core.cage.fills import SendFill
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.cage.vouchers import SellVoucher, SetVoucherTerms
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Command
from taisai.core.kernel.registry import COMMANDS
from taisai.core.table.approval import AdoptDepartures
from taisai.core.table.chips.gaming_day import CountDrop, OpenDay, ReturnCredit
from taisai.core.table.chips.layout_bets import PutBetRight, RecordBets
from taisai.core.table.chips.pieces import BoxChips, Pieces
from taisai.core.table.chips.rulings import RuleOnBet
from taisai.core.table.damage import FindUndamaged
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.state import Aspect, Departure
from taisai.core.venue.nodes import MoveStream
from taisai.core.venue.setup import AcceptClock
from taisai.projections.requests import requests_of
from taisai.wording import LANGUAGES, say, say_all, words
from tests.kit.chip_tables import everything_at_a_chip_table
from tests.kit.journals import played
from tools.protocol.examples import EXAMPLES

#: A second after noon of 18 November 2026, UTC.
AT = 1_795_003_201_000
#: Chips of 15.00 and 5.00, and a coloured piece, whose worth is not in the command.
CHIPS = (Pieces(500, 3), Pieces(100, 5), Pieces("red", 1))

SAID: tuple[tuple[Command, str], ...] = (
    (FindUndamaged("D1", "weighed"), "find that the dice D1 are not damaged: weighed"),
    (
        OpenDay("2026-11-18", CHIPS),
        "open the gaming day 2026-11-18 with 20.00 counted in the rack",
    ),
    (
        CountDrop(30_000, 500),
        "the drop box counted: 300.00 in cash, 5.00 in chips for value",
    ),
    (ReturnCredit("T-1", ()), "take the credit T-1 back: 0.00 counted"),
    (
        PutBetRight("2", "small", "domino-12", CHIPS, "moved-by-dealer", "a sleeve"),
        "move chips of seat 2, 9 in number, from Small to Domino 1 and 2: a sleeve",
    ),
    (
        RuleOnBet("2", "big", "stands", "so be it"),
        "ruling: the bet of seat 2 on Big stands as it lies. so be it",
    ),
    (
        RuleOnBet("2", "big", "plays", "so be it", 500),
        "ruling: 5.00 of the bet of seat 2 on Big plays. so be it",
    ),
    (
        RuleOnBet("2", "big", "returned", "so be it"),
        "ruling: the bet of seat 2 on Big is returned. so be it",
    ),
    (
        RecordBets("2", (BoxChips("big", CHIPS),), note="under a sleeve"),
        "a stack of seat 2 on Big, read late: under a sleeve",
    ),
    (
        ReportIrregularity("die-not-flat", "it leans"),
        "reported: a die does not lie flat. “it leans”",
    ),
    (ReportIrregularity("die-not-flat"), "reported: a die does not lie flat"),
    (DeclareOutcome(), "declare that the dice showed no result"),
    (
        DeclareOutcome((2, 3, 5), ("closed", "tumbled")),
        (
            "declare that the dice showed 2 3 5; testify that the bets were closed; "
            "testify that the dice were tumbled after that, as the rules ask"
        ),
    ),
    (AdoptDepartures(()), "end the written departures that were adopted"),
    (
        AdoptDepartures((Departure("ts6", "dice", "the regulator", "paper 7"),)),
        "have these written departures stand; ts6, source of dice: the regulator, paper 7",
    ),
    (CloseShift(12_345), "close the shift with 123.45 counted in the drawer"),
    (SendFill("T1", CHIPS[:2]), "send table T1 a fill of 20.00"),
    (
        PayUnclaimed("0", "T1", "3@12", 700, in_chips=False),
        "pay 7.00 set aside at terminal 3 of T1, session 12",
    ),
    (
        PayUnclaimed("0", "T1", "3@12", 700, in_chips=True),
        "pay 7.00 set aside at seat 3 of T1, session 12",
    ),
    (SellVoucher(123_400, "counter"), "sell a voucher of 1,234.00 at counter"),
    (SetVoucherTerms(30), "vouchers good for 30 days from now on, each by one person"),
    (
        SetVoucherTerms(30, 50_000),
        "vouchers good for 30 days from now on, and two persons above 500.00",
    ),
    (MoveStream("table/T1", "n2"), "move the table T1 to the node n2"),
    (MoveStream("cage", "n2"), "move the cage to the node n2"),
    (MoveStream("venue", "n2"), "move what is the venue's own to the node n2"),
    (AcceptClock(59_000), "believe the machine's clock, which says 2026-11-18 12:01:00 UTC"),
    (
        AcceptClock(59_000, -7),
        "believe the machine's clock, which says 2026-11-18 12:01:00 UTC, and not the database's",
    ),
    (AcceptClock(10**15), f"believe the machine's clock, which says {AT + 10**15} ms"),
)


BY_TWO = [kind for kind, spec in COMMANDS.items() if spec.second]


def example(kind: type[Command]) -> Command:
    command = EXAMPLES[kind]
    assert isinstance(command, Command)
    return command


def asked() -> Iterator[tuple[Command, int]]:
    """Give every command that takes a second person, and those that waited in simulated worlds."""
    yield from ((example(kind), AT) for kind in BY_TWO)
    told = everything_at_a_chip_table().told
    for events in (told, *(decided.events for seed in (36, 38) for decided in played(seed, 80))):
        for event in events:
            if isinstance(event, ApprovalRequested):
                yield event.order.command, event.at
    yield from ((command, AT) for command, _ in SAID)


@pytest.mark.parametrize("kind", BY_TWO, ids=lambda kind: kind.__name__)
def test_whatever_takes_a_second_person_is_asked_for_in_a_sentence(kind: type[Command]) -> None:
    for reason in requests_of(example(kind), AT):
        there = [reason.code in words(language)["sentences"] for language in LANGUAGES]
        assert all(there), f"{reason.code} is written in every language"


def test_every_request_is_used_and_fills_its_blanks() -> None:
    reasons = {reason.code: reason for asking in asked() for reason in requests_of(*asking)}
    assert set(reasons) == {
        code for code in words("en")["sentences"] if code.startswith("REQUEST_")
    }
    for reason in reasons.values():
        for language in LANGUAGES:
            said = say(reason, language)
            assert said == said.strip()
            assert "{" not in said


@pytest.mark.parametrize(("command", "said"), SAID)
def test_a_second_person_reads_what_was_asked_for(command: Command, said: str) -> None:
    assert say_all(requests_of(command, AT)) == said


def test_each_aspect_of_a_departure_has_a_name() -> None:
    assert set(words("en")["aspects"]) == set(get_args(Aspect))
