"""Every event has a sentence in every language, and each variant is tested."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import taisai
from taisai.core.cage.vouchers import VoucherTermsSet
from taisai.core.kernel.messages import Actor, BoxStake, Event, Netted, PlayedPart, Posting
from taisai.core.rules.reason import because
from taisai.core.table.approval import DeparturesAdopted
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.core.table.chips.layout_bets import BetsRecorded
from taisai.core.table.chips.pieces import RecordedBet
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.interruption import InterruptionRecorded, OutcomeTestified
from taisai.core.table.irregularities import IrregularityReported, ReportDeclined
from taisai.core.table.opening import (
    EquipmentWithdrawn,
    LayoutTested,
    LightsVerified,
    SealRead,
    TumblerTried,
)
from taisai.core.table.positions import OwnLimitsSet
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    ResultEntered,
    ResultReported,
    RoundSettled,
)
from taisai.core.table.tumble import TumbleRecorded
from taisai.core.venue.alerts import AlertAssigned
from taisai.core.venue.setup import DealerChanged, TablePlaced, VenueOpened
from taisai.projections.sentences import sentences_of
from taisai.wording import LANGUAGES, name, say, words
from tests.kit.chip_tables import cage_with_shifts_closed, everything_at_a_chip_table
from tests.kit.journals import played
from tools.protocol.examples import EXAMPLES

SOURCE = Path(taisai.__file__).parent

#: Reasons why a bet outside the limits plays as it does.
OUTSIDE = (
    "maximum",
    "differential",
    "under-minimum",
    "exempt",
    "exempt-differential",
    "whole-chips",
)
SUE = Actor("sue", "supervisor")
#: Variants of events that are rare in simulated worlds, and that no example has.
SELDOM: tuple[Event, ...] = (
    DeparturesAdopted((), "may", "sue"),
    EquipmentWithdrawn("dice", "D7", "tom"),
    VoucherTermsSet(30, None, "may", "sue"),
    DealerChanged("table/T1", automatic=False, by="dan"),
    TablePlaced("table/T1", None, "dan"),
    BetsRegistered("7", (BoxStake("small", 100),), "dan"),
    BetsWithdrawn("7", (BoxStake("small", 100),), "dan"),
    BetsClosed("no more", bell=True, clause="3", by="dan", rejected=(("7", "big", 100),)),
    BetsClosed("no more", bell=False, clause="3", by="dan"),
    BetsOpened(None, "3.2", "dan"),
    BetsClosed("No More Bets", bell=False, clause="3.5", by="dan", displayed=True),
    BetsClosed("No More Bets", bell=True, clause="3.5", by="dan", displayed=True),
    BetsClosed("No More Bets", False, "3.5", "dan", report="bad-tumble", displayed=True),
    TumbleRecorded(2, flat=False, concealed=False, by="dan"),
    ResultEntered((1, 2, 3), "declared", "sue"),
    SecretRevealed(1, "00", (1, 2, 3), agrees=False),
    SecretRevealed(1, "00", (1, 2, 3), agrees=True),
    ResultReported("device", (1, 2, 3)),
    RulingRecorded("so be it", "5.14", (), "sam", 0),
    *(
        event
        for netted in ((), (Netted("7", 0, 0, 0, 100),))
        for event in (
            RoundsReversed(1, 2, (1, 2), netted, "5.6", "", 0),
            RoundResettled(1, (1, 2, 3), (1, 2, 4), (), netted, "3.8", "", 0),
        )
    ),
    RulingRecorded("so be it", "5.14", (Posting("house:bank", "terminal:7", 100),), "sam", 0),
    OwnLimitsSet("7", 100, 60),
    OwnLimitsSet("7", None, None),
    *(
        InterruptionRecorded(ruling, None, "")
        for ruling in ("conclude", "wait", "void-round", "testify", "none")
    ),
    OutcomeTestified(("closed", "tumbled"), "sue"),
    IrregularityReported("bad-tumble", "void-round", "5.5", "dan", ""),
    IrregularityReported("bad-tumble", "void-round", "5.5", "dan", "", in_doubt=True),
    IrregularityReported("bad-tumble", "void-round", "5.5", "tumbler", "", device=True),
    *(
        ReportDeclined(
            1, "bad-tumble", "5.5", "dan", Actor("sue", "supervisor"), "thrice", tumbles_again=again
        )
        for again in (False, True)
    ),
    BetsClosed("No more Bets", bell=False, clause="3.6", by="dan", report="bad-tumble"),
    LightsVerified((1, 2, 3), right=False, note="Big is dark", clause="5.0(b)", by="sue"),
    TumblerTried(2, works=False, clause="5.0(c)", by="sue"),
    SealRead("D1", "S1", intact=False, agrees=False, clause="5.0(d)", by="sue"),
    SealRead("D1", "S2", intact=True, agrees=False, clause="5.0(d)", by="sue"),
    VenueOpened("Harbour", "SGD"),
    VenueOpened("Harbour", "SGD", demo=True),
    AlertAssigned("7c19", because("PIT_STOPPED", table="1", clause="7.4"), "1", "t", "t", "", 0),
    RoundSettled(
        round=1,
        faces=(1, 2, 3),
        lines=(),
        odds={},
        clauses={},
        collected=0,
        paid=0,
        by="dan",
        at=1,
        playing=tuple(PlayedPart("1", "small", 200, 100, by, "5.1.1") for by in OUTSIDE),
    ),
    BetsRecorded("1", (RecordedBet("small", 100, ()),), 0, "dan", oral=True),
    BetsRecorded("1", (RecordedBet("small", 100, ()),), 0, "dan", on_behalf=True),
    BetsRecorded("1", (), 0, "dan", lay_at="close", late=True, note="unread"),
    BetsRecorded("1", (), 0, "dan", lay_at="result", late=True, note="unread"),
)


def told_events() -> Iterator[Event]:
    """Give every event there is, and all variants of those with several sentences."""
    yield from (event for event in EXAMPLES.values() if isinstance(event, Event))
    yield from SELDOM
    yield from everything_at_a_chip_table().told
    yield from cage_with_shifts_closed().told
    for seed in (36, 38):
        for decided in played(seed, 80):
            yield from decided.events


def test_every_sentence_is_used_and_fills_its_blanks() -> None:
    reasons = {reason.code: reason for event in told_events() for reason in sentences_of(event)}
    # An alert's sentence is told with the steps about it, and a request's with its sender.
    others = {code for code in reasons if code.startswith("REQUEST_")} | {"PIT_STOPPED"}
    assert set(reasons) - others == {
        code for code in words("en")["sentences"] if code.startswith(("EVENT_", "PART_"))
    }
    for reason in reasons.values():
        for language in LANGUAGES:
            said = say(reason, language)
            assert said == said.strip()
            assert "{" not in said


def test_no_sentence_holds_a_code() -> None:
    """Boxes, equipment, rulings and reasons have names; a code has a dash in it: `double-2`."""
    for event in (*EXAMPLES.values(), *SELDOM):
        if not isinstance(event, Event):
            continue
        for language in LANGUAGES:
            told = " ".join(say(reason, language) for reason in sentences_of(event))
            assert not re.search("[a-z]-[a-z0-9]", told), told
    tested = EXAMPLES[LayoutTested]
    assert isinstance(tested, LayoutTested)
    (reason,) = sentences_of(tested)
    lit = "Small, Double 2, Total 10, Domino 2 and 6"
    assert say(reason) == f"test run by sue: 2 2 6 entered, lit were {lit}"


@pytest.mark.parametrize("event", [OwnLimitsSet("7", 100, 60)])
def test_an_event_may_be_several_sentences(event: Event) -> None:
    assert [say(reason) for reason in sentences_of(event)] == [
        "the player at terminal 7 sets a loss limit of 1.00",
        "the player at terminal 7 sets a time limit of 60 seconds",
    ]


def test_no_label_is_left_over() -> None:
    pages = (SOURCE / "cli" / "records").glob("*.py")
    used = {
        node.value
        for page in pages
        for node in ast.walk(ast.parse(page.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    # The outcomes of a bet, and the changes of a terminal's credits, have the data's names.
    used |= {"win", "lose", "void", "taken-back", "put-right"}
    assert set(words("en")["records"]) <= used
    assert name("records", "moment", time="now", version=7) == "now, version 7"
