"""`taisai settle`, in the ways that outside programs rely on."""

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from taisai.wording import LANGUAGES
from tests.cli.command import Answer, taisai

LINE_MAX = 1024 * 1024


def line(**changes: Any) -> str:
    """Give a line that can be settled, with these changes."""
    asked: dict[str, Any] = {
        "pay_table": "ts6/2",
        "dice": [2, 2, 6],
        "bets": [{"player": "a", "box": "double-2", "stake": 5000}],
    }
    asked.update(changes)
    return json.dumps(asked)


def bet(**changes: Any) -> list[dict[str, Any]]:
    return [{"player": "a", "box": "small", "stake": 1000, **changes}]


def limits(**changes: Any) -> dict[str, Any]:
    return {"min": 1000, "max": 100000, "step": 100, **changes}


def test_the_contracts_own_example() -> None:
    asked = {
        "pay_table": "ts6/2",
        "dice": [2, 2, 6],
        "limits": {"min": 1000, "max": 100000, "differential": 50000, "step": 100},
        "bets": [{"player": "a", "box": "double-2", "stake": 5000}],
    }
    answer = taisai("settle", "--json", stdin=json.dumps(asked) + "\n")
    assert answer.status == 0
    assert answer.err == ""
    assert answer.json == {
        "call": "double 2, 6, total 10",
        "total": 10,
        "winners": [
            "small",
            "even",
            "single-2",
            "single-6",
            "total-10",
            "domino-26",
            "double-2",
            "three-226",
        ],
        "bets": [
            {
                "player": "a",
                "box": "double-2",
                "stake": 5000,
                "playing": 5000,
                "outcome": "win",
                "odds": "11",
                "won": 55000,
                "back": 60000,
                "clause": "4.1.2",
                "reason": "Double 2 wins at 11 to 1: two dice show 2",
            }
        ],
        "collected": 0,
        "paid": 55000,
    }


def test_bets_of_one_player_on_one_box_are_one_line_in_order_of_appearance() -> None:
    bets = [
        {"player": "b", "box": "big", "stake": 100},
        {"player": "a", "box": "small", "stake": 200},
        {"player": "b", "box": "small", "stake": 300},
        {"player": "b", "box": "big", "stake": 400},
    ]
    (answer,) = taisai("settle", "--json", stdin=line(bets=bets)).lines
    assert [(each["player"], each["box"], each["stake"]) for each in answer["bets"]] == [
        ("b", "big", 500),
        ("a", "small", 200),
        ("b", "small", 300),
    ]
    assert (answer["collected"], answer["paid"]) == (500, 500)


def test_a_loser_has_no_odds_and_gets_nothing_back() -> None:
    (answer,) = taisai("settle", "--json", stdin=line(dice=[2, 2, 2], bets=bet())).lines
    assert answer["bets"][0] == {
        "player": "a",
        "box": "small",
        "stake": 1000,
        "playing": 1000,
        "outcome": "lose",
        "odds": None,
        "won": 0,
        "back": 0,
        "clause": "3.10",
        "reason": "Small loses: triple 2 takes every Small and Big bet",
    }


def test_what_does_not_play_comes_back() -> None:
    # 150,000 lies on Small, 100,000 may: two thirds of each plays, worked by hand.
    bets = [
        {"player": "a", "box": "small", "stake": 90000},
        {"player": "b", "box": "small", "stake": 60000},
    ]
    lines = [line(limits=limits(), bets=bets), line(limits=limits(), bets=bets, dice=[6, 6, 5])]
    won, lost = taisai("settle", "--json", stdin="\n".join(lines)).lines
    assert [(each["playing"], each["won"], each["back"]) for each in won["bets"]] == [
        (60000, 60000, 150000),
        (40000, 40000, 100000),
    ]
    assert [(each["playing"], each["won"], each["back"]) for each in lost["bets"]] == [
        (60000, 0, 30000),
        (40000, 0, 20000),
    ]
    assert (lost["collected"], won["paid"]) == (100000, 100000)


def test_a_bet_of_which_nothing_plays_is_returned() -> None:
    # The Differential of 0 lets Big play no more than Small, on which nothing lies.
    asked = line(limits=limits(min=0, differential=0), bets=bet(box="big"))
    (answer,) = taisai("settle", "--json", stdin=asked).lines
    (returned,) = answer["bets"]
    assert (returned["outcome"], returned["playing"], returned["back"]) == ("returned", 0, 1000)
    assert (returned["odds"], returned["won"], returned["clause"]) == (None, 0, "5.1.1")
    assert (answer["collected"], answer["paid"]) == (0, 0)


def test_limits_may_be_overridden_by_kind_and_by_box() -> None:
    boxes = {"three": {"max": 2000}, "pair": {"max": 3000}, "three-226": {"max": 4000}}
    bets = [
        {"player": "a", "box": "three-126", "stake": 9000},
        {"player": "a", "box": "three-221", "stake": 9000},
        {"player": "a", "box": "three-226", "stake": 9000},
        {"player": "a", "box": "small", "stake": 9000},
    ]
    (answer,) = taisai("settle", "--json", stdin=line(limits=limits(boxes=boxes), bets=bets)).lines
    assert [each["playing"] for each in answer["bets"]] == [2000, 3000, 4000, 9000]


def test_null_leaves_an_optional_limit_out() -> None:
    asked = line(limits=limits(differential=None, boxes=None, step=None), bets=bet(stake=70001))
    (answer,) = taisai("settle", "--json", stdin=asked).lines
    assert answer["bets"][0]["playing"] == 70001


def test_the_step_is_the_smallest_that_pays_whole_where_none_is_given() -> None:
    whole = {"min": 2, "max": 1000}
    bets = [bet(box="total-8", stake=stake) for stake in (102, 101)]
    lines = [line(pay_table="etg8/1", limits=whole, bets=each) for each in bets]
    settled, refused = taisai("settle", "--json", stdin="\n".join(lines)).lines
    assert settled["bets"][0]["stake"] == 102
    assert refused["error"]["code"] == "OFF_STEP"


def test_without_limits_only_a_part_of_a_cent_is_off_step() -> None:
    lines = [
        line(pay_table="etg8/1", bets=bet(box="small", stake=101)),
        line(pay_table="etg8/1", bets=bet(box="total-8", stake=101)),
        line(pay_table="etg8/1", bets=bet(box="total-8", stake=51) * 2),
    ]
    even, odd, summed = taisai("settle", "--json", stdin="\n".join(lines)).lines
    assert even["bets"][0]["won"] == 101
    assert odd["error"]["code"] == "OFF_STEP"
    assert summed["bets"][0]["stake"] == 102


REFUSED = [
    ("not json", "NOT_JSON"),
    ("[1, 2]", "NOT_JSON"),
    ('"text"', "NOT_JSON"),
    ("NaN", "NOT_JSON"),
    ("[" * 4000, "NOT_JSON"),
    (line()[:-1], "NOT_JSON"),
    (line().replace('"stake"', '"stake": 1, "stake"'), "NOT_JSON"),
    (line(limits=limits()).replace('"max"', '"max": 5, "max"'), "NOT_JSON"),
    (line(bets=bet(stake="@")).replace('"@"', "[" * 900 + "]" * 900), "BAD_STAKE"),
    (line(limits=limits(min="@")).replace('"@"', "[" * 900 + "]" * 900), "BAD_LIMITS"),
    (line(bets=bet(box="three-" + "1" * 900_000)), "UNKNOWN_BOX"),
    (line(dices=[1, 2, 3]), "UNKNOWN_KEY"),
    (line(bets=bet(colour="red")), "UNKNOWN_KEY"),
    (line(limits=limits(minimum=5)), "UNKNOWN_KEY"),
    (line(limits=limits(boxes={"small": {"least": 5}})), "UNKNOWN_KEY"),
    ('{"pay_table": "ts6/2", "dice": [1, 2, 3]}', "MISSING_KEY"),
    ('{"pay_table": "ts6/2", "bets": []}', "MISSING_KEY"),
    ('{"dice": [1, 2, 3], "bets": []}', "MISSING_KEY"),
    (line(bets=[{"player": "a", "box": "small"}]), "MISSING_KEY"),
    (line(bets=[{"box": "small", "stake": 1}]), "MISSING_KEY"),
    (line(bets=[{"player": "a", "stake": 1}]), "MISSING_KEY"),
    (line(bets=5), "MISSING_KEY"),
    (line(bets=[5]), "MISSING_KEY"),
    (line(bets=bet(player=5)), "MISSING_KEY"),
    (line(limits={"min": 100}), "MISSING_KEY"),
    (line(limits={"max": 100}), "MISSING_KEY"),
    (line(pay_table="ts6"), "UNKNOWN_PAY_TABLE"),
    (line(pay_table="ts6/4"), "UNKNOWN_PAY_TABLE"),
    (line(pay_table="ts7/1"), "UNKNOWN_PAY_TABLE"),
    (line(pay_table="ts6/02"), "UNKNOWN_PAY_TABLE"),
    (line(pay_table=6), "UNKNOWN_PAY_TABLE"),
    (line(pay_table="../ts6/1"), "UNKNOWN_PAY_TABLE"),
    (line(bets=bet(box="domino-21")), "UNKNOWN_BOX"),
    (line(bets=bet(box="total-3")), "UNKNOWN_BOX"),
    (line(bets=bet(box="Small")), "UNKNOWN_BOX"),
    (line(bets=bet(box="three-111")), "UNKNOWN_BOX"),
    (line(bets=bet(box="")), "UNKNOWN_BOX"),
    (line(bets=bet(box=["small"])), "UNKNOWN_BOX"),
    (line(limits=limits(boxes={"nonsense": {"max": 1000}})), "UNKNOWN_BOX"),
    (line(bets=bet(box="three-112")), "BOX_NOT_ON_TABLE"),
    (line(pay_table="ts6/1", bets=bet(box="odd")), "BOX_NOT_ON_TABLE"),
    (line(pay_table="ts6/3", bets=bet(box="double-1")), "BOX_NOT_ON_TABLE"),
    (line(pay_table="ts6/1", limits=limits(boxes={"four": {"max": 900}})), "BOX_NOT_ON_TABLE"),
    (line(pay_table="ts6/1", limits=limits(boxes={"odd": {"max": 900}})), "BOX_NOT_ON_TABLE"),
    (line(dice=[1, 2]), "BAD_DICE"),
    (line(dice=[1, 2, 3, 4]), "BAD_DICE"),
    (line(dice=[0, 2, 3]), "BAD_DICE"),
    (line(dice=[1, 2, 7]), "BAD_DICE"),
    (line(dice=[True, 2, 3]), "BAD_DICE"),
    (line(dice=[1.0, 2, 3]), "BAD_DICE"),
    (line(dice="123"), "BAD_DICE"),
    (line(dice=None), "BAD_DICE"),
    (line(bets=bet(stake=0)), "BAD_STAKE"),
    (line(bets=bet(stake=-5)), "BAD_STAKE"),
    (line(bets=bet(stake=True)), "BAD_STAKE"),
    (line(bets=bet(stake=10.0)), "BAD_STAKE"),
    (line(bets=bet(stake="10")), "BAD_STAKE"),
    (line(bets=bet(stake=None)), "BAD_STAKE"),
    (line(bets=bet(stake=10**25)), "BAD_STAKE"),
    (line(bets=bet(stake="@")).replace('"@"', "9" * 4_301), "BAD_STAKE"),
    (line(bets=bet(stake="@")).replace('"@"', "-" + "9" * 4_301), "BAD_STAKE"),
    (line(bets=bet(stake="@")).replace('"@"', "1e999"), "BAD_STAKE"),
    (line(bets=bet(stake="@")).replace('"@"', "1e99999999999999999999"), "BAD_STAKE"),
    (line(bets=bet(stake="@")).replace('"@"', "9" * 500 + ".5"), "BAD_STAKE"),
    (line(dice="@").replace('"@"', "[2, 2, 1e999]"), "BAD_DICE"),
    (line(limits=limits(max="@")).replace('"@"', "1e999"), "BAD_LIMITS"),
    (line(limits=limits(boxes={"small": {"max": "@"}})).replace('"@"', "1e999"), "BAD_LIMITS"),
    (line(bets=bet(stake="@")).replace('"@"', "1e999") + "}", "NOT_JSON"),
    (line(pay_table="etg8/1", bets=bet(box="total-8", stake=101)), "OFF_STEP"),
    (line(limits=limits(), bets=bet(stake=1050)), "OFF_STEP"),
    (line(limits=limits(), bets=bet(stake=1050) * 2), "OFF_STEP"),
    (line(limits=5), "BAD_LIMITS"),
    (line(limits=limits(min=None)), "BAD_LIMITS"),
    (line(limits=limits(min=True)), "BAD_LIMITS"),
    (line(limits=limits(min=-100)), "BAD_LIMITS"),
    (line(limits=limits(max="1")), "BAD_LIMITS"),
    (line(limits=limits(min=2000, max=1000)), "BAD_LIMITS"),
    (line(limits=limits(min=1050)), "BAD_LIMITS"),
    (line(limits=limits(max=1050)), "BAD_LIMITS"),
    (line(limits=limits(differential=50)), "BAD_LIMITS"),
    (line(limits=limits(differential=-100)), "BAD_LIMITS"),
    (line(limits=limits(step=0)), "BAD_LIMITS"),
    (line(limits=limits(step=1.5)), "BAD_LIMITS"),
    (line(limits=limits(step="100")), "BAD_LIMITS"),
    (line(limits=limits(boxes=[])), "BAD_LIMITS"),
    (line(limits=limits(boxes={"small": 5})), "BAD_LIMITS"),
    (line(limits=limits(boxes={"small": {"max": 950}})), "BAD_LIMITS"),
    (line(limits=limits(boxes={"small": {"max": 900}})), "BAD_LIMITS"),
    (line(limits=limits(boxes={"small": {"min": 1001}})), "BAD_LIMITS"),
    (line(pay_table="etg8/1", limits={"min": 5, "max": 100, "step": 5}, bets=[]), "BAD_LIMITS"),
    (line(pay_table="etg8/1", limits=limits(), bets=bet(stake=900)), "BELOW_MINIMUM"),
    (line(pay_table="etg8/1", limits=limits(), bets=bet(stake=100100)), "ABOVE_MAXIMUM"),
    (line(pay_table="div9/1", limits=limits(), bets=bet(stake=900)), "BELOW_MINIMUM"),
    (line(pay_table="div9/1", limits=limits(), bets=bet(stake=60000) * 2), "ABOVE_MAXIMUM"),
    (line().replace("}", " " * LINE_MAX + "}"), "LINE_TOO_LONG"),
]


@pytest.fixture(scope="module")
def refused() -> Answer:
    return taisai("settle", "--json", stdin="\n".join(text for text, _ in REFUSED))


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_a_wrong_line_is_answered_with_its_code(refused: Answer, number: int) -> None:
    text, code = REFUSED[number]
    answer = refused.lines[number]
    assert set(answer) == {"error"}, text[:200]
    assert answer["error"]["code"] == code, text[:200]
    assert answer["error"]["message"].startswith(f"line {number + 1}: ")
    assert "\n" not in answer["error"]["message"]


def test_every_code_of_the_contract_is_met_and_no_line_is_lost(refused: Answer) -> None:
    assert refused.status == 1
    assert len(refused.lines) == len(REFUSED)
    assert {code for _, code in REFUSED} == {
        "NOT_JSON",
        "UNKNOWN_KEY",
        "MISSING_KEY",
        "UNKNOWN_PAY_TABLE",
        "UNKNOWN_BOX",
        "BOX_NOT_ON_TABLE",
        "BAD_DICE",
        "BAD_STAKE",
        "OFF_STEP",
        "BAD_LIMITS",
        "BELOW_MINIMUM",
        "ABOVE_MAXIMUM",
        "LINE_TOO_LONG",
    }


def test_a_number_that_cannot_be_held_is_told_of_by_its_place_in_the_contract() -> None:
    texts = ["9" * 5_000, "1e999", "[1, 2, 1e999]"]
    asked = [line(bets=bet(stake="@")).replace('"@"', text) for text in texts[:2]]
    asked.append(line(dice="@").replace('"@"', texts[2]))
    told = [
        each["error"]["message"]
        for each in taisai("settle", "--json", stdin="\n".join(asked)).lines
    ]
    number = "a number of hundreds of digits"
    right = "; a positive whole number of minor units, at most 10^24, is right"
    assert told == [
        f"line 1: bet 1: the stake on Small is {number}{right}",
        f"line 2: bet 1: the stake on Small is {number}{right}",
        f"line 3: the dice are 1, 2, {number}; three whole numbers from 1 to 6 are right",
    ]


def test_a_text_that_looks_like_such_a_number_stays_a_text() -> None:
    asked = line(bets=[{"player": "1e999", "box": "1e999", "stake": "@"}]).replace('"@"', "1e999")
    (answer,) = taisai("settle", "--json", stdin=asked).lines
    assert answer["error"]["message"].startswith("line 1: bet 1: there is no betting box 1e999;")


FORGED = "small are fine\n\nline 2: double 2, 6, total 10\ncollected 0.00, paid 1,000.00\n\x1b[8m"


@pytest.mark.parametrize(
    "wrong",
    [
        line(limits=limits(boxes={FORGED: 5})),
        line(limits=limits(boxes={FORGED: {"x": 1}})),
        line(limits=limits(boxes={FORGED: {"min": 1}})),
        line(limits=limits(**{FORGED: 5})),
        line(**{FORGED: 5}),
        line(bets=bet(**{FORGED: 5})),
        line(bets=bet(box=FORGED)),
        line(bets=bet(stake=FORGED)),
        line(pay_table=FORGED),
        line(pay_table="ts6/" + FORGED),
        line(dice=FORGED),
        line(dice=[FORGED]),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_in_a_line_forges_an_answer(wrong: str, language: str) -> None:
    """Nor is it told at length: an answer is one line of some hundred characters."""
    for asked in (wrong, wrong.replace("small are", "small are" * 50_000)):
        answer = taisai("settle", "--lang", language, stdin=asked)
        (told,) = answer.out.removesuffix("\n\n").split("\n")
        assert told.isprintable()
        assert len(told) < 300
        assert FORGED not in taisai("settle", "--json", stdin=asked).json["error"]["message"]


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_every_refusal_of_a_line_is_in_the_language_asked(language: str) -> None:
    """No English word is left but the names that a program writes, and those that it wrote."""
    asked = "\n".join(text for text, _ in REFUSED)
    keys = "JSON UTF player box stake bets limits min max step differential boxes pay table dice"
    written = "null true small total domino three double four nonsense Small tso etg div"
    known = {*keys.split(), *written.split()}
    answer = taisai("settle", "--json", "--lang", language, stdin=asked)
    for number, each in enumerate(answer.lines):
        told = re.sub(r"\"[^\"]*\"|'taisai odds [^']*'", "", each["error"]["message"])
        words = set(re.findall(r"[a-zA-Z]{3,}", told))
        assert words <= known, (REFUSED[number][0][:200], told)
        assert told.startswith(f"第 {number + 1} 行：")


def test_a_refused_line_for_people_is_in_the_language_asked() -> None:
    told = taisai("settle", "--lang", "zh-Hant", stdin=line(bets=bet(stake=0))).out
    assert told == (
        "拒絕，BAD_STAKE：第 1 行：第 1 注：「小」的注碼為 0；"
        "應為以最小貨幣單位計的正整數，最多 10^24\n\n"
    )


def test_amounts_in_errors_are_written_as_they_were_given() -> None:
    asked = line(limits=limits(min=1050), bets=[])
    (answer,) = taisai("settle", "--json", stdin=asked).lines
    assert answer["error"]["message"] == (
        "line 1: the limits' min of 1050 is off the step; a multiple of 100 is right"
    )


def test_a_text_may_hold_what_looks_like_a_key() -> None:
    odd = 'a "b": \\ {"c":1}'
    (answer,) = taisai("settle", "--json", stdin=line(bets=bet(player=odd))).lines
    assert answer["bets"][0]["player"] == odd


def test_limits_of_one_player_are_judged_on_the_players_sum() -> None:
    bets = [
        {"player": "a", "box": "small", "stake": 500},
        {"player": "b", "box": "small", "stake": 100000},
        {"player": "a", "box": "small", "stake": 500},
    ]
    asked = line(pay_table="etg8/1", limits=limits(), bets=bets)
    (answer,) = taisai("settle", "--json", stdin=asked).lines
    assert [each["playing"] for each in answer["bets"]] == [1000, 100000]


def test_blank_lines_are_passed_over_and_windows_lines_read() -> None:
    text = f"\ufeff{line()}\r\n\r\n   \n\t\n{line()}"
    answer = taisai("settle", "--json", stdin=text)
    assert answer.status == 0
    assert len(answer.lines) == 2


def test_a_line_of_exactly_the_limit_is_read() -> None:
    full = line().replace("}]", "}" + " " * (LINE_MAX - len(line())) + "]")
    assert len(full) == LINE_MAX
    answer = taisai("settle", "--json", stdin=f"{full}\n{full} \n{line()}\n")
    assert [next(iter(each)) for each in answer.lines] == ["call", "error", "call"]


def test_lines_that_are_no_text_are_refused_and_the_next_is_read() -> None:
    answer = taisai(
        "settle", "--json", stdin=b"\xff\xfe\n" + b"\x00" * 10 + b"\n" + line().encode()
    )
    assert [next(iter(each)) for each in answer.lines] == ["error", "error", "call"]


def test_for_people_a_round_is_a_table() -> None:
    answer = taisai("settle", stdin=f"{line()}\nnot json\n")
    assert answer.status == 1
    assert "line 1: double 2, 6, total 10" in answer.out
    assert "a       Double 2  50.00  50.00  win" in answer.out
    assert "collected 0.00, paid 550.00" in answer.out
    assert "refused, NOT_JSON: line 2: the line is not JSON" in answer.out


def test_a_file_is_read_as_well_as_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(line() + "\n", "utf-8")
    assert taisai("settle", "--json", str(file)).json["total"] == 10
    missing = taisai("settle", "--json", str(tmp_path / "missing.jsonl"))
    assert missing.status == 1
    assert "missing.jsonl cannot be read: No such file or directory" in missing.err


def test_each_answer_comes_before_the_next_question() -> None:
    """A program that feeds a pipe line by line is answered line by line."""
    command = [sys.executable, "-m", "taisai", "settle", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for dice, total in (([1, 1, 2], 4), ([5, 6, 6], 17)):
            process.stdin.write(line(dice=dice).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["total"] == total
        process.stdin.close()
        assert process.wait(60) == 0


def test_several_processes_answer_as_one_does(tmp_path: Path) -> None:
    """Blocks of a file and of a pipe, lines that are blank, wrong or too long, no end of line."""
    rounds = [line(dice=[1 + n % 6, 1 + n // 6 % 6, 1], bets=bet()) for n in range(800)]
    odd = [*rounds[:400], "", "wrong", "x" * (LINE_MAX + 2), *rounds, " " * LINE_MAX, "{}"]
    text = "\n".join([*odd, "y" * (3 * LINE_MAX), *rounds, line(dice=[7, 7, 7])])
    file = tmp_path / "rounds.jsonl"
    file.write_text(text, "utf-8")
    one = taisai("settle", "--json", str(file))
    assert one.status == 1
    assert [each["error"]["code"] for each in one.lines if "error" in each] == [
        *("NOT_JSON", "LINE_TOO_LONG", "MISSING_KEY", "LINE_TOO_LONG", "BAD_DICE"),
    ]
    assert taisai("settle", "--json", "--jobs", "3", str(file)) == one
    assert taisai("settle", "--json", "--jobs", "2", stdin=text) == one
    for_people = taisai("settle", "--jobs", "2", str(file))
    assert for_people == taisai("settle", str(file))
    assert taisai("settle", "--json", "--jobs", "2") == Answer(0, "", "")


def test_several_processes_answer_whoever_waits_and_end_with_them() -> None:
    command = [sys.executable, "-m", "taisai", "settle", "--json", "--jobs", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for face in (2, 3, 4, 5):
            process.stdin.write(line(dice=[1, 1, face]).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["total"] == 2 + face
        process.stdout.close()
        process.stdin.write(line().encode() + b"\n")
        process.stdin.flush()
        assert process.wait(60) == 1
        assert process.stderr.read() == b""


@pytest.mark.parametrize("jobs", ["0", "65"])
def test_a_number_of_processes_is_a_reasonable_one(jobs: str) -> None:
    answer = taisai("settle", "--json", "--jobs", jobs, stdin=line())
    said = f"taisai: --jobs is {jobs}; a number from 1 to 64 is right\n"
    assert answer == Answer(1, "", said)


def test_a_long_file_does_not_grow_in_memory(tmp_path: Path) -> None:
    """Peak memory of 40,000 small rounds is that of 5,000, give or take two megabytes."""
    short, long = tmp_path / "short.jsonl", tmp_path / "long.jsonl"
    text = line(pay_table="ts6/1", bets=bet()) + "\n"
    short.write_text(text * 5_000, "utf-8")
    long.write_text(text * 39_999 + "wrong\n", "utf-8")
    peaks = []
    for file, rounds in ((short, 5_000), (long, 40_000)):
        out = tmp_path / "answers.jsonl"
        with out.open("wb") as answers:
            command = [sys.executable, "-m", "taisai", "settle", "--json", str(file)]
            process = subprocess.Popen(command, stdout=answers)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        peaks.append(usage.ru_maxrss)
        with out.open("rb") as answers:
            assert sum(1 for _ in answers) == rounds
        assert process.returncode == (1 if file == long else 0)
    assert peaks[1] - peaks[0] < 2048


def test_progress_is_told_while_a_person_is_watching(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text((line() + "\n") * 200 + "wrong\n", "utf-8")
    watching, watched = pty.openpty()
    command = [sys.executable, "-m", "taisai", "settle", "--json", str(file)]
    try:
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=watched, check=False, timeout=60
        )
    finally:
        os.close(watched)
    seen = b""
    # The end of a terminal that nobody writes to any more is an error of its own.
    with os.fdopen(watching, "rb", buffering=0) as terminal, contextlib.suppress(OSError):
        while part := terminal.read(65536):
            seen += part
    assert done.returncode == 1
    assert b"201 rounds, 1 refused, 100 % of the file" in seen


def test_nothing_is_told_when_nobody_is_watching() -> None:
    assert taisai("settle", "--json", stdin=line()).err == ""


def test_a_reader_that_leaves_ends_the_run_quietly(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text((line() + "\n") * 20_000, "utf-8")
    command = [sys.executable, "-m", "taisai", "settle", "--json", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1
