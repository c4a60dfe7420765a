"""A round re-created from the journal: every number is known from another source."""

import hashlib
import hmac
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from taisai.core.kernel.messages import Equipment, PlayedPart, Posting
from taisai.core.table.corrections import Rule
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import CashOut, ReceiveCredits
from taisai.core.table.round import (
    ConfirmResult,
    EnterResult,
    RoundSettled,
    RoundStarted,
    Settle,
)
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.records.entries import RecordsError, Source
from taisai.runtime.records.round_report import tell_round
from taisai.runtime.records.round_story import RoundStory, story_view
from taisai.runtime.streams import table_stream
from tests.kit.journals import played
from tests.kit.tables import secret_chain
from tests.records.recorded import answered, evening, looking, opened, written


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("evening"), evening().decided)


def told(path: Path, number: int, table: str = "T1") -> RoundStory:
    async def look(source: Source) -> RoundStory:
        return await tell_round(source, table, number)

    return looking(path, look)


@cache
def answer(path: Path, number: int) -> Any:
    """Give the answer for programs, computed once."""
    return answered("audit", "round", str(path), "T1", str(number), "--json").json


def test_a_settled_round_with_every_number(journal: Path) -> None:
    round_ = answer(journal, 1)
    assert round_["rulebook"]["key"] == "ts6"
    assert round_["pay_table"] == "ts6/2"
    assert round_["limits"]["general"] == {"minimum": 1_000, "maximum": 100_000}
    assert round_["limits"]["differential"] == 50_000
    assert round_["dice_set"] == "D1"
    assert round_["result"]["dice"] == [2, 2, 6]
    assert round_["result"]["call"] == "double 2, 6, total 10"
    assert (round_["result"]["collected"], round_["result"]["paid"]) == (3_000, 28_000)
    bets = [
        [bet[name] for name in ("terminal", "box", "stake", "outcome", "odds", "won", "back")]
        for bet in round_["bets"]
    ]
    # Small pays 1 to 1 and Double 11 to 1 on pay table 2; 2 2 6 is a total of 10.
    assert bets == [
        ["7", "small", 5_000, "win", "1", 5_000, 10_000],
        ["7", "double-2", 2_000, "win", "11", 22_000, 24_000],
        ["8", "big", 3_000, "lose", None, 0, 0],
        ["8", "even", 1_000, "win", "1", 1_000, 2_000],
    ]
    assert [bet["clause"] for bet in round_["bets"]] == ["4.1.2", "4.1.2", "3.9", "4.1.2"]
    assert round_["bets"][2]["reason"] == "Big loses: total 10 is not big"


def test_a_bet_that_played_in_part_has_the_odds_of_what_played(journal: Path) -> None:
    """Of 50.00 on Small 30.00 played and won 30.00: at 1 to 1, not at 3 to 5 [D3]."""
    story = told(journal, 1)
    end = story.end
    assert isinstance(end, RoundSettled)
    lines = (replace(end.lines[0], won=3_000, back=8_000), *end.lines[1:3])
    lines += (replace(end.lines[3], won=0, back=1_000),)
    playing = (
        PlayedPart("7", "small", 5_000, 3_000, "differential", "5.3"),
        PlayedPart("8", "even", 1_000, 0, "differential", "5.3"),
    )
    shown = story_view(story._replace(end=replace(end, lines=lines, playing=playing)), "en").bets
    assert shown[0].reason is not None
    assert shown[0].reason.startswith("Small wins at 1 to 1")
    assert (
        "of 50.00 on Small, 30.00 plays: this side lies beyond the Differential" in shown[0].reason
    )
    # Nothing of it played: it neither won nor lost.
    assert shown[3].reason is not None
    assert shown[3].reason.startswith("seat 8: of 10.00 on Even, 0.00 plays")


def test_credits_before_and_after_and_what_changed_them(journal: Path) -> None:
    assert answer(journal, 1)["balances"] == [
        {
            "terminal": "7",
            "before": 100_000,
            "after": 127_000,
            "received": 0,
            "cashed": 0,
            "staked": -8_000,
            "taken_back": 1_000,
            "back": 34_000,
            "put_right": 0,
        },
        {
            "terminal": "8",
            "before": 100_000,
            "after": 98_000,
            "received": 0,
            "cashed": 0,
            "staked": -4_000,
            "taken_back": 0,
            "back": 2_000,
            "put_right": 0,
        },
    ]


def test_who_did_what_and_on_whose_behalf(journal: Path) -> None:
    events = answer(journal, 1)["events"]
    bets = [
        (event["role"], event["person"], event["summary"])
        for event in events
        if event["event"] in ("BetsRegistered", "BetsWithdrawn")
    ]
    assert bets == [
        ("terminal", "7", "terminal 7 bets 50.00 on Small; terminal 7 bets 20.00 on Double 2"),
        ("terminal", "8", "terminal 8 bets 30.00 on Big"),
        ("terminal", "7", "terminal 7 bets 10.00 on Single 6"),
        ("terminal", "7", "terminal 7 withdraws 10.00 from Single 6"),
        ("dealer", "dan", "dan bets 10.00 on Even for terminal 8"),
    ]
    assert all(event["order"].startswith("order-") for event in events)


def test_what_each_event_put_on_a_box_or_took_off_it(journal: Path) -> None:
    round_ = answer(journal, 1)
    names = {each["version"]: each["event"] for each in round_["events"]}
    assert round_["form"] == "terminals"
    assert [
        (names[each["version"]], each["terminal"], each["box"], each["amount"], each["chips"])
        for each in round_["moves"]
    ] == [
        ("BetsRegistered", "7", "small", 5_000, []),
        ("BetsRegistered", "7", "double-2", 2_000, []),
        ("BetsRegistered", "8", "big", 3_000, []),
        ("BetsRegistered", "7", "single-6", 1_000, []),
        ("BetsWithdrawn", "7", "single-6", -1_000, []),
        ("BetsRegistered", "8", "even", 1_000, []),
    ]


def netted(correction: Any) -> list[tuple[Any, ...]]:
    """Give the amounts of a correction, terminal by terminal."""
    return [tuple(each.values()) for each in correction["netted"]]


def test_a_result_found_wrong_is_named_with_its_time_and_both_persons(journal: Path) -> None:
    (correction,) = answer(journal, 1)["corrections"]
    assert correction["event"]["event"] == "RoundResettled"
    assert (correction["event"]["person"], correction["event"]["second"]) == ("sue", "vic")
    assert (correction["event"]["clause"], correction["event"]["note"]) == ("3.8", "seen on camera")
    # On 2 3 6 terminal 7 loses all that it was given, and Big wins 30.00 for terminal 8, whose
    # Even loses the 20.00 it got back.
    assert netted(correction) == [("7", 0, 34_000, 0, 0), ("8", 4_000, 0, 0, 0)]
    assert [bet["back"] for bet in correction["bets"]] == [0, 0, 6_000, 0]
    assert [bet["clause"] for bet in correction["bets"]] == ["3.9", "3.9", "4.1.2", "3.9"]


def test_a_void_round_takes_two_and_gives_everything_back(journal: Path) -> None:
    round_ = answer(journal, 2)
    result = round_["result"]
    assert (result["end"], result["code"], result["clause"]) == ("void", "die-not-flat", "5.5.2")
    assert (result["dice"], result["winners"]) == (None, [])
    (bet,) = round_["bets"]
    assert (bet["outcome"], bet["stake"], bet["back"], bet["reason"]) == (
        "void",
        4_000,
        4_000,
        None,
    )
    end = round_["events"][-1]
    assert (end["person"], end["second"]) == ("dan", "sue")
    assert [each["before"] - each["after"] for each in round_["balances"]] == [0]


def test_reversed_rounds_name_their_reversal_and_others_do_not(journal: Path) -> None:
    for number in (3, 4):
        (correction,) = answer(journal, number)["corrections"]
        assert correction["event"]["event"] == "RoundsReversed"
        assert correction["event"]["details"]["rounds"] == [3, 4]
        # Round 3 paid 7 to 1 on 10.00; round 4 collected 25.00.
        assert netted(correction) == [("7", 0, 7_000, 0, 0), ("8", 2_500, 0, 0, 0)]
    assert answer(journal, 2)["corrections"] == []


def test_the_page_for_people_holds_the_same(journal: Path) -> None:
    page = answered("audit", "round", str(journal.parent), "T1", "1").out
    for told_there in (
        "Round 1 of table T1",
        "Tai Sai (ts6), version 6",
        "minimum 10.00, maximum 1,000.00, step 1.00; Differential 500.00",
        "called: “Place your Bets, please” [3.2]",
        "collected 30.00, paid 280.00",
        "-80.00      +10.00  +340.00          -  1,270.00",
        "sue (supervisor); second person: vic (pit-manager)",
        "Big wins at 1 to 1: total 11 is big, and the dice are no triple",
        "The chain of hashes is unbroken",
    ):
        assert told_there in page
    for language, title in (("zh-Hans", "赌桌 T1 第 1 局"), ("zh-Hant", "賭桌 T1 第 1 局")):
        page = answered("audit", "round", str(journal), "T1", "1", "--lang", language).out
        assert title in page
        assert "terminal 7 bets" not in page


@pytest.mark.parametrize("seed", [5, 7])
def test_in_a_simulated_world_every_round_adds_up(tmp_path: Path, seed: int) -> None:
    decided = played(seed, 12)
    path = written(tmp_path, decided)
    tables = {each.stream for each in decided if each.stream.startswith("table/")}
    for stream in tables:
        table = stream.removeprefix("table/")
        last = max(
            event.round
            for each in decided
            if each.stream == stream
            for event in each.events
            if isinstance(event, RoundStarted)
        )
        for number in range(1, last + 1):
            story = told(path, number, table)
            for balance in story.balances:
                changes = (
                    *(balance.received, balance.cashed, balance.staked),
                    *(balance.taken_back, balance.back, balance.put_right),
                )
                assert balance.before + sum(changes) == balance.after
                assert balance.after >= 0


def test_everything_that_changes_credits_in_a_round_is_counted_apart(tmp_path: Path) -> None:
    table = opened()
    table.betting(t7={"small": 5_000})
    table.does("system", ReceiveCredits("cage-9", "7", 30_000))
    table.does("terminal", CashOut("8"), "8")
    goodwill = Rule("goodwill", (Posting("house:bank", "terminal:7", 1_500),))
    table.agrees("shift-manager", goodwill)
    table.settled(1, 2, 4)
    balances = answer(written(tmp_path, table.decided), 1)["balances"]
    names = ("terminal", "before", "received", "cashed", "staked", "back", "put_right", "after")
    assert [[balance[name] for name in names] for balance in balances] == [
        ["7", 100_000, 30_000, 0, -5_000, 10_000, 1_500, 136_500],
        ["8", 100_000, 0, -100_000, 0, 0, 0, 0],
    ]


def drawn_by_recipe(secret: str, round_: int) -> list[int]:
    """Draw dice as docs/tumblers.md says."""
    faces: list[int] = []
    counter = 0
    while len(faces) < 3:
        message = f"T1:{round_}:{counter}".encode()
        block = hmac.new(bytes.fromhex(secret), message, hashlib.sha256).digest()
        faces += [byte % 6 + 1 for byte in block if byte < 252]
        counter += 1
    return sorted(faces[:3])


def test_a_verifiable_round_shows_the_secret_and_checks_it(tmp_path: Path) -> None:
    table = opened("etg8/2", Equipment("verifiable"))
    chain = secret_chain()
    dice = drawn_by_recipe(chain[1], 1)
    table.betting(t7={"small": 5_000}).closed()
    table.does("device", RecordTumble(3))
    table.does("device", EnterResult(tuple(dice)))
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    before = written(tmp_path, table.decided, "before.sqlite")
    assert answer(before, 1)["secret"] == {
        "commitment": chain[0],
        "before": chain[0],
        "secret": None,
        "drawn": None,
        "links": None,
        "agrees": None,
    }
    assert "the secret of the round is not revealed yet" in page_of(before, 1)
    table.reveals()
    table.betting().closed()
    table.does("dealer", ReportIrregularity("bad-tumble"))
    table.reveals()
    path = written(tmp_path, table.decided)
    assert answer(path, 1)["secret"] == {
        "commitment": chain[0],
        "before": chain[0],
        "secret": chain[1],
        "drawn": dice,
        "links": True,
        "agrees": True,
    }
    void = answer(path, 2)["secret"]
    assert (void["before"], void["secret"], void["agrees"]) == (chain[1], chain[2], None)
    assert void["drawn"] == drawn_by_recipe(chain[2], 2)
    shown = " ".join(map(str, dice))
    assert f"the secret gives {shown}; the round shows these dice: yes" in page_of(path, 1)
    assert "the round is void, and has no result to compare" in page_of(path, 2)


def page_of(path: Path, number: int) -> str:
    return answered("audit", "round", str(path), "T1", str(number)).out


def test_a_round_under_way_is_told_as_far_as_it_is(tmp_path: Path) -> None:
    table = opened()
    table.betting(t7={"small": 5_000})
    path = written(tmp_path, table.decided)
    round_ = answer(path, 1)
    assert (round_["result"], round_["ended_at"], round_["bets"]) == (None, None, [])
    assert [each["after"] for each in round_["balances"]] == [95_000]
    assert "result: not ended yet" in page_of(path, 1)


def test_what_is_not_there_is_answered_with_what_is(journal: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="table T1 has no round 9; it has rounds 1 to 4"):
        told(journal, 9)
    with pytest.raises(RecordsError, match="table T1 has no round 0; it has rounds 1 to 4"):
        told(journal, 0)
    with pytest.raises(RecordsError, match="there is no table T2; the journal holds T1"):
        told(journal, 1, "T2")
    new = written(tmp_path, opened().decided)
    with pytest.raises(RecordsError, match="table T1 has no round 1: none was played yet"):
        told(new, 1)
    refused = answered("audit", "round", str(journal), "T1", "99")
    assert (refused.status, refused.err) == (
        1,
        "taisai: table T1 has no round 99; it has rounds 1 to 4\n",
    )


def test_a_damaged_journal_is_not_told_as_if_it_were_whole(tmp_path: Path) -> None:
    path = written(tmp_path, evening().decided)
    database = sqlite3.connect(path)
    with database:
        database.execute(
            "UPDATE events SET data = CAST(replace(CAST(data AS TEXT), '5000', '6000') AS BLOB)"
            " WHERE stream = ? AND version = 20",
            [table_stream("T1")],
        )
    database.close()
    with pytest.raises(RecordsError, match=r"table/T1 breaks at version 20: .*audit verify"):
        told(path, 2)
