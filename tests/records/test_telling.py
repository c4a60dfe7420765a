"""Every event is told in every language, with each of its sentences tried."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import taisai
from taisai.core import events as e
from taisai.core.events import CageEvent, Event, HouseEvent, TableEvent
from taisai.core.felt_messages import RecordedBet
from taisai.core.messages import BoxStake, PlayedPart, Posting
from taisai.projections.sentences import _TELL, tell
from taisai.wording import LANGUAGES, label, say, words
from tests.kit.chip_tables import everything_at_a_felt, felt_cage_shut
from tests.kit.journals import played

SOURCE = Path(taisai.__file__).parent
EVERY = {*get_args(TableEvent), *get_args(CageEvent), *get_args(HouseEvent)}

#: Why a bet outside the limits plays as it does.
OUTSIDE = ("maximum", "differential", "under-minimum", "exempt")
#: What simulated worlds do not come to, or seldom.
SELDOM: tuple[Event, ...] = (
    e.BetsRegistered("7", (BoxStake("small", 100),), "dan"),
    e.BetsWithdrawn("7", (BoxStake("small", 100),), "dan"),
    e.BetsClosed("no more", bell=True, clause="3", by="dan", rejected=(("7", "big", 100),)),
    e.BetsClosed("no more", bell=False, clause="3", by="dan"),
    e.TumbleRecorded(2, flat=False, concealed=False, by="dan"),
    e.ResultEntered((1, 2, 3), "declared", "sue"),
    e.SecretRevealed(1, "00", (1, 2, 3), agrees=False),
    e.SecretRevealed(1, "00", (1, 2, 3), agrees=True),
    e.ChainPublished("00", 5, "sealed", 1),
    e.ResultsDisagreed(),
    e.ResultReported("device", (1, 2, 3)),
    e.SafeProcedureDeclared("sue", "by hand"),
    e.TableStopped("7.4", "a fault"),
    e.TableRectified("sue", "mended"),
    e.RulingRecorded("so be it", "5.14", (), "sam"),
    e.RulingRecorded("so be it", "5.14", (Posting("house:bank", "terminal:7", 100),), "sam"),
    e.OwnLimitsSet("7", 100, 60),
    e.OwnLimitsSet("7", None, None),
    *(
        e.InterruptionRecorded(ruling, None, "")
        for ruling in ("conclude", "wait", "void-round", "none")
    ),
    e.IrregularityReported("bad-tumble", "void-round", "5.5", "dan", ""),
    e.IrregularityReported("bad-tumble", "void-round", "5.5", "dan", "", in_doubt=True),
    e.TerminalLocked("7", 100),
    e.LockCleared("7", "dan"),
    e.NoticeGiven("dan"),
    e.SessionEnded("7"),
    e.HouseOpened("Harbour", "SGD"),
    e.HouseOpened("Harbour", "SGD", demo=True),
    e.HouseRestored("Ann Lee", "Bob Tan", 7),
    e.StaffAppointed("Ann Lee", ("dealer", "cage"), "Bob Tan", "Cyd Wu"),
    e.RolesChanged("Ann Lee", ("auditor",), "Bob Tan", "Cyd Wu"),
    e.StaffDismissed("Ann Lee", "Bob Tan"),
    e.TerminalKeyIssued("T1", "7", "Tim Goh"),
    e.LoggedIn("Ann Lee", "dealer", "127.0.0.1"),
    e.LoggedOut("Ann Lee"),
    e.LockedOut("Ann Lee", "127.0.0.1"),
    e.ChainAbandoned("Ann Lee", "Bob Tan", "restored"),
    e.SerialsSkipped(1_000, "Ann Lee", "Bob Tan", "restored"),
    e.RoundSettled(
        round=1,
        faces=(1, 2, 3),
        lines=(),
        odds={},
        clauses={},
        collected=0,
        paid=0,
        by="dan",
        playing=tuple(PlayedPart("1", "small", 200, 100, by, "5.1.1") for by in OUTSIDE),
    ),
    e.BetsRecorded("1", (RecordedBet("small", 100, ()),), 0, "dan", oral=True),
    e.BetsRecorded("1", (RecordedBet("small", 100, ()),), 0, "dan", on_behalf=True),
)


def told_events() -> Iterator[Event]:
    yield from SELDOM
    yield from everything_at_a_felt().told
    yield from felt_cage_shut().told
    for seed in (35, 38):
        for decided in played(seed, 80):
            yield from decided.events


def test_every_type_of_event_can_be_told() -> None:
    assert set(_TELL) == EVERY


def test_every_sentence_is_used_and_fills_its_blanks() -> None:
    reasons = {reason.code: reason for event in told_events() for reason in tell(event)}
    assert set(reasons) == {
        code for code in words("en")["sentences"] if code.startswith(("EVENT_", "PART_"))
    }
    for reason in reasons.values():
        for language in LANGUAGES:
            said = say(reason, language)
            assert said == said.strip()
            assert "{" not in said


def test_every_type_of_event_was_tried() -> None:
    assert {type(event) for event in told_events()} == EVERY


@pytest.mark.parametrize("event", [e.OwnLimitsSet("7", 100, 60)])
def test_an_event_may_be_several_sentences(event: Event) -> None:
    assert [say(reason) for reason in tell(event)] == [
        "the player at terminal 7 sets a loss limit of 1.00",
        "the player at terminal 7 sets a time limit of 60 seconds",
    ]


def test_no_label_is_left_over() -> None:
    pages = ("audit_round.py", "audit_events.py")
    used = {
        node.value
        for page in pages
        for node in ast.walk(ast.parse((SOURCE / "cli" / page).read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    # How a bet came out, and what changed a terminal's credits, are named as the data names them.
    used |= {"win", "lose", "void", "taken-back", "put-right"}
    assert set(words("en")["records"]) <= used
    assert label("moment", time="now", version=7) == "now, version 7"
