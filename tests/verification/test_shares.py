"""A journal verified by several processes gives the same report as by one."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.runtime.auditor.books import AuditError, Transit
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.verification import shares
from taisai.runtime.verification.noted_transits import (
    Closed,
    DecisionEnded,
    Noted,
    Received,
    Sent,
    TakenBack,
    brought_together,
)
from taisai.runtime.verification.report import Report, plain_report
from taisai.runtime.verification.shares import verify_shared
from taisai.runtime.verification.verifier import Asked
from tests.cli.command import Answer, taisai
from tests.kit.journals import make_journal
from tests.verification.damage import Hand, rechained, row_key, verify_file


@pytest.fixture(autouse=True)
def _always_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "_WORTH_SHARING", 0)


def shared(file: Path, asked: Asked, seen: Callable[[int, int], None] = lambda _, __: None) -> Any:
    async def run() -> Report:
        journal = await SqliteJournal.open(file, read_only=True)
        try:
            return await verify_shared(journal, asked, seen, jobs=2)
        finally:
            await journal.close()

    return told(asyncio.run(run()))


def told(report: Report) -> Any:
    """Give the content of a report, without its duration."""
    return {**msgspec.to_builtins(plain_report(report)), "seconds": 0}


def test_what_several_find_right_is_what_one_finds(
    tmp_path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = make_journal(tmp_path / "journal.sqlite", seed=8, rounds=20)
    alone = told(verify_file(file, asked))
    assert alone["faults"] == []
    monkeypatch.delattr(shares, "verify")
    seen: list[int] = []
    assert shared(file, asked, lambda events, _: seen.append(events)) == alone
    assert seen[-1] == alone["events"]


def forge(hand: Hand, kind: str, **changes: Any) -> None:
    """Forge the first event of a kind and all hashes after it, and delete the signatures."""
    hand.do("DELETE FROM checkpoints")
    hand.do("DELETE FROM snapshots")
    for row in hand.rows("events"):
        event = msgspec.json.decode(row["data"])
        if event["type"] == kind:
            rechained(hand, *row_key(row), msgspec.json.encode({**event, **changes}))
            return
    raise AssertionError(f"there is no {kind} in this journal")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda hand: forge(hand, "CreditsReceived", transit="cage-T1-999"),
        lambda hand: forge(hand, "TableCreated", currency="XTS"),
        lambda hand: hand.do("DELETE FROM events WHERE stream LIKE 'table%' AND version = 9"),
        lambda hand: hand.do("DELETE FROM events WHERE stream = 'venue'"),
        lambda hand: hand.do("DELETE FROM checkpoints WHERE number = 2"),
        lambda hand: hand.do("UPDATE snapshots SET version = version + 1"),
    ],
    ids=["arrival", "currency", "gap", "venue gone", "checkpoint", "snapshot"],
)
def test_what_several_do_not_find_right_is_told_by_one(
    file: Path, asked: Asked, wrong: Callable[[Hand], None]
) -> None:
    hand = Hand(file)
    wrong(hand)
    hand.close()
    alone = told(verify_file(file, asked))
    assert alone["faults"]
    assert shared(file, asked) == alone


TO_TABLE = Transit("cage", "T1", "T1-1", 500)
TO_CAGE = Transit("T1", "cage", "T1-1", 300)
CAGE: list[Noted] = [
    Sent("cage-T1-1", TO_TABLE),
    Closed("cage-T1-1", "cage", 500),
    Received("T1-1", "cage", "T1-1", 300),
    Sent("cage-T1-2", TO_TABLE),
    Received("cage-T1-2", "cage", "T1/T1-1", 500),
    Closed("cage-T1-2", "cage", 500),
    DecisionEnded(),
    Sent("cage-T1-3", TO_TABLE),
    TakenBack("cage-T1-3", "cage"),
    Sent("cage-T1-4", TO_TABLE),
]
TABLE: list[Noted] = [
    Received("cage-T1-1", "T1", "T1-1", 500),
    Sent("T1-1", TO_CAGE),
    Closed("T1-1", "T1", 300),
]


@pytest.mark.parametrize("order", [[CAGE, TABLE], [TABLE, CAGE]])
def test_transits_of_streams_judged_apart_are_brought_together(order: list[list[Noted]]) -> None:
    transits = brought_together([{str(place): each} for place, each in enumerate(order)])
    assert transits.open_count() == 1
    assert transits.on_its_way() == 500


@pytest.mark.parametrize(
    ("stream", "place"), [*(("cage", n) for n in (0, 2, 3, 4, 5, 7)), ("T1", 0)]
)
def test_no_side_of_a_transit_may_be_missing(stream: str, place: int) -> None:
    streams = {"cage": [*CAGE], "T1": [*TABLE]}
    del streams[stream][place]
    with pytest.raises(AuditError):
        brought_together([streams])


@pytest.mark.parametrize(("stream", "place"), [("cage", 1), ("cage", 8), ("T1", 2)])
def test_a_transit_that_nobody_closes_stays_open(stream: str, place: int) -> None:
    streams = {"cage": [*CAGE], "T1": [*TABLE]}
    del streams[stream][place]
    assert brought_together([streams]).open_count() == 2


def test_a_number_of_processes_is_asked_for_at_the_command_line(made: Path) -> None:
    refused = taisai("audit", "verify", str(made), "--jobs", "0")
    assert refused == Answer(1, "", "taisai: --jobs is 0; a number from 1 to 64 is right\n")
    assert taisai("audit", "verify", str(made), "--jobs", "2").status == 0
