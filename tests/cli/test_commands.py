"""`taisai rules`, `odds`, `explain` and `layout`: for people, for programs, and when misused."""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path

import pytest

from taisai.cli.command import Command, Parser
from taisai.cli.commands import COMMANDS, Entry, Group
from tests.cli.command import taisai

ZONE = 'zone = "Asia/Singapore"'


def own_rulebook(folder: Path, old: str, new: str, key: str = "mine") -> str:
    """Write a custom rulebook: one of ours, changed in one place."""
    text = (resources.files("taisai.rulebooks") / "ts6.toml").read_text("utf-8")
    assert old in text
    file = folder / "mine.toml"
    file.write_text(text.replace('key = "ts6"', f'key = "{key}"').replace(old, new, 1), "utf-8")
    return str(file)


def test_rules_lists_the_rulebooks() -> None:
    rulebooks = taisai("rules", "--json").json["rulebooks"]
    told = [(book["key"], book["title"], book["version"], book["effective"]) for book in rulebooks]
    assert told == [
        ("ts6", "Tai Sai", "6", "2023-10-06T08:00:00+08:00"),
        ("tso5", "Tai Sai (Open Cover)", "5", "2023-10-06T08:00:00+08:00"),
        ("etg8", "Sic Bo (also known as Tai Sai) (Electronic Table Game)", "8", None),
        ("div9", "Tai-Sai", None, None),
    ]
    assert all(len(book["sha256"]) == 64 for book in rulebooks)
    assert [table for book in rulebooks for table in book["pay_tables"]] == [
        {"address": "ts6/1", "layout": "Appendix A", "boxes": 50},
        {"address": "ts6/2", "layout": "Appendix C", "boxes": 104},
        {"address": "ts6/3", "layout": "Appendix E", "boxes": 107},
        {"address": "tso5/1", "layout": "Appendix A", "boxes": 50},
        {"address": "tso5/2", "layout": "Appendix C", "boxes": 104},
        {"address": "tso5/3", "layout": "Appendix E", "boxes": 107},
        {"address": "etg8/1", "layout": "Appendix A", "boxes": 56},
        {"address": "etg8/2", "layout": "Appendix B", "boxes": 104},
        {"address": "etg8/3", "layout": "Appendix C", "boxes": 104},
        {"address": "div9/1", "layout": "Appendix 1", "boxes": 50},
        {"address": "div9/2", "layout": "Appendix 2", "boxes": 106},
    ]


def test_rules_shows_one_rulebook_to_people() -> None:
    told = taisai("rules", "div9").out
    assert "opening check  dice-sealed, by the Casino Supervisor" in told
    assert "tumble order   before-bets" in told
    assert "bets close     No more bets, with the bell" in told
    assert "die-not-flat                 void-round               7.1(a), D12" in told
    assert taisai("rules").out.count("Appendix") == 11


def test_odds_answers_as_the_contract_says() -> None:
    answer = taisai("odds", "etg8/1", "--json").json
    assert list(answer) == ["pay_table", "rulebook", "layout", "boxes"]
    assert answer["pay_table"] == "etg8/1"
    assert list(answer["rulebook"]) == ["key", "title", "version", "effective", "sha256"]
    assert answer["layout"] == "Appendix A"
    boxes = {box["box"]: box for box in answer["boxes"]}
    assert boxes["total-8"] == {
        "box": "total-8",
        "kind": "total",
        "name": "Total Sum Combination (No 8 or 13) Bet",
        "pays": "8.5",
        "ways": 21,
        "probability": "7/72",
        "house_edge": "11/144",
        "clause": "4.1.1",
    }
    assert boxes["single-1"]["pays"] == {"1": "1", "2": "2", "3": "12"}
    assert boxes["single-1"]["ways"] == 91
    totals = [box for box in boxes if box.startswith("total-")]
    assert totals == [f"total-{total}" for total in range(4, 18)]


def test_the_kind_of_a_pair_with_a_single_is_pair() -> None:
    boxes = {box["box"]: box["kind"] for box in taisai("odds", "div9/2", "--json").json["boxes"]}
    assert (boxes["three-221"], boxes["three-126"]) == ("pair", "three")


def test_odds_for_people_line_up() -> None:
    lines = taisai("odds", "ts6/1").out.splitlines()
    assert lines[0] == "Tai Sai, version 6, in effect since 2023-10-06 08:00 Asia/Singapore"
    rows = lines[4:]
    assert len(rows) == 52
    assert len({row.index("%") for row in rows if "%" in row}) == 1


def test_explain_tells_the_story_of_a_bet() -> None:
    answer = taisai("explain", "ts6/2", "--dice", "2", "2", "2", "--bet", "small=1000")
    assert answer.status == 0
    assert answer.out.splitlines()[4:] == [
        "player, small",
        "  1. The bet: 10.00 on Small",
        "  2. It pays 1 to 1 and wins on 105 of 216 throws [ts6 4.1.2]",
        "  3. All of it plays: 10.00",
        "  4. The dice: triple 2, total 6",
        "  5. Small loses: triple 2 takes every Small and Big bet [ts6 3.10]",
        "  6. 10.00 collected, nothing back",
    ]


def test_explain_answers_programs_as_settle_does_with_stories() -> None:
    arguments = ["--dice", "1", "1", "3", "--min", "1000", "--max", "3000", "--bet"]
    bets = ["ann:small=2000", "bob:small=2000", "cat:single-1=500", "dan:big=1000"]
    explained = taisai("explain", "ts6/1", *arguments, *bets, "--json").json
    stories = [bet.pop("story") for bet in explained["bets"]]
    asked = {
        "pay_table": "ts6/1",
        "dice": [1, 1, 3],
        "limits": {"min": 1000, "max": 3000},
        "bets": [
            {"player": "ann", "box": "small", "stake": 2000},
            {"player": "bob", "box": "small", "stake": 2000},
            {"player": "cat", "box": "single-1", "stake": 500},
            {"player": "dan", "box": "big", "stake": 1000},
        ],
    }
    assert explained == taisai("settle", "--json", stdin=json.dumps(asked)).json
    assert stories[0][2] == (
        "15.00 of 20.00 plays: the box holds more than its maximum of 30.00, "
        "and is shared pro rata [ts6 5.1.1]"
    )
    assert stories[2][2] == (
        "All of it plays: 5.00 is under the minimum of 10.00, but nobody noticed, "
        "so it stands [ts6 5.2.1]"
    )
    assert stories[2][1] == (
        "It pays 1 to 1 on one die, 2 on two and 12 on three, and wins on 91 of 216 throws "
        "[ts6 4.1.1]"
    )
    assert stories[0][5] == "15.00 won, 35.00 back in all"
    assert stories[3][5] == "10.00 collected, nothing back"


def test_explain_tells_of_the_differential_and_of_what_goes_back() -> None:
    arguments = ["--dice", "6", "6", "5", "--min", "0", "--max", "9000", "--differential", "500"]
    bets = ["a:small=2000", "b:small=1", "b:big=100"]
    told = taisai("explain", "ts6/1", *arguments, "--step", "1", "--bet", *bets).out
    # Small may play 100 + 500 = 600 of 2001: b's exact share is 600/2001, rounded to nothing.
    assert "6.00 of 20.00 plays: its side is further ahead than the Differential of 5.00" in told
    assert "6.00 collected, 14.00 back" in told
    assert "Small is returned: the limits left no room for any of it to play [ts6 5.1.1]" in told
    assert "0.01 back, nothing collected" in told


def test_an_exempt_bet_in_an_over_full_box_cites_the_exemption() -> None:
    arguments = ["--dice", "1", "2", "3", "--min", "1000", "--max", "2000", "--bet"]
    bets = ["ann:small=500", "bob:small=3000"]
    story = taisai("explain", "ts6/1", *arguments, *bets, "--json").json["bets"][0]["story"]
    assert story[2] == (
        "All of it plays: the box is over-full, but 5.00 is under the minimum of 10.00 "
        "and is not cut [ts6 5.1.2]"
    )


def test_a_bet_that_only_the_differential_leaves_whole_cites_the_decision() -> None:
    """Small may play 0 + 20.00 of the 34.00 on it; its maximum of 50.00 is not passed."""
    limits = ["--min", "1000", "--max", "5000", "--differential", "2000"]
    bets = ["--bet", "ann:small=400", "bob:small=3000"]
    asked = taisai("explain", "ts6/1", "--dice", "1", "2", "3", *limits, *bets, "--json")
    assert asked.json["bets"][0]["story"][2] == (
        "All of it plays: its side is too far ahead, but 4.00 is under the minimum of 10.00 "
        "and is not cut [D3]"
    )
    assert asked.json["bets"][1]["playing"] == 1600


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the Differential that is named counts for nothing: etg8/1 is played without one"),
        ("zh-Hans", "所写的差额上限不起作用：etg8/1 不设差额上限"),
        ("zh-Hant", "所寫的差額上限不起作用：etg8/1 不設差額上限"),
    ],
)
def test_explain_says_that_a_differential_counts_for_nothing(language: str, said: str) -> None:
    """Settled without it, where the document defines none [D6]."""
    limits = ("--min", "100", "--max", "5000", "--differential", "1000")
    asked = ("--dice", "1", "2", "3", "--bet", "small=1000", *limits, "--lang", language)
    assert f"\n\n{said} [D6]\n\n" in taisai("explain", "etg8/1", *asked).out
    assert said.partition("etg8")[0] not in taisai("explain", "ts6/2", *asked).out


def test_explain_speaks_chinese() -> None:
    arguments = ["--dice", "2", "2", "2", "--bet", "small=1000", "--lang"]
    assert (
        "围骰 2 通吃所有大小投注 [ts6 3.10]"
        in taisai("explain", "ts6/2", *arguments, "zh-Hans").out
    )
    assert (
        "圍骰 2 通吃所有大小投注 [ts6 3.10]"
        in taisai("explain", "ts6/2", *arguments, "zh-Hant").out
    )


def test_layout_marks_every_area_of_every_winning_box() -> None:
    drawn = taisai("layout", "ts6/1", "--dice", "2", "2", "6", "--width", "132").out
    assert drawn.endswith("double 2, 6, total 10: 6 boxes win, 6 areas lit ◆\n")
    assert drawn.count("◆") == 7
    both_sides = taisai("layout", "ts6/3", "--dice", "2", "2", "6", "--json").json
    assert both_sides["call"] == "double 2, 6, total 10"
    lit = [area["box"] for area in both_sides["lit"]]
    assert sorted(lit) == sorted(
        ["small", "single-2", "single-6", "total-10", "domino-26"] * 2 + ["three-226"]
    )
    assert "◆" not in taisai("layout", "ts6/1").out


@pytest.mark.parametrize("address", ["ts6/1", "ts6/2", "ts6/3", "etg8/2", "div9/2"])
def test_layout_draws_in_every_language(address: str) -> None:
    for language in ("en", "zh-Hans", "zh-Hant"):
        assert "└" in taisai("layout", address, "--lang", language).out


def test_a_rulebook_of_ones_own_gets_the_same_proof(tmp_path: Path) -> None:
    file = own_rulebook(tmp_path, 'pays = "180"', 'pays = "200"')
    boxes = taisai("odds", "mine/1", "--rulebook", file, "--json").json["boxes"]
    # 1 - 201/216
    assert {box["house_edge"] for box in boxes if box["kind"] == "triple"} == {"5/72"}
    assert taisai("rules", "--rulebook", file, "--json").json["rulebooks"][0]["key"] == "mine"
    asked = '{"pay_table": "mine/1", "dice": [6, 6, 6], "bets": [%s]}'
    bet = '{"player": "a", "box": "triple-6", "stake": 1}'
    settled = taisai("settle", "--json", "--rulebook", file, stdin=asked % bet)
    assert settled.json["bets"][0]["won"] == 200


def test_odds_that_never_end_are_written_as_a_fraction(tmp_path: Path) -> None:
    file = own_rulebook(tmp_path, 'pays = "180"', 'pays = "500/3"')
    boxes = taisai("odds", "mine/1", "--rulebook", file, "--json").json["boxes"]
    assert {box["pays"] for box in boxes if box["kind"] == "triple"} == {"500/3"}


def test_a_players_edge_needs_to_be_asked_for(tmp_path: Path) -> None:
    file = own_rulebook(tmp_path, 'pays = "180"', 'pays = "216"')
    refused = taisai("odds", "mine/1", "--rulebook", file)
    assert refused.status == 1
    assert refused.err == (
        "taisai: mine.toml, pay table 1, box triple-1: odds of 216 to 1 leave a house edge of "
        "-1/216; it must be above zero (and 5 more, listed by 'taisai rules')\n"
    )
    assert taisai("rules", "--rulebook", file).out.count("it must be above zero\n") == 6
    allowed = taisai("odds", "mine/1", "--rulebook", file, "--allow-player-edge", "--json")
    assert allowed.json["boxes"][-1]["house_edge"] == "-1/216"
    assert taisai("settle", "--rulebook", file, "--allow-player-edge").status == 2
    assert taisai("explain", "mine/1", "--rulebook", file, "--allow-player-edge").status == 2


def test_the_key_of_an_approved_rulebook_is_taken_only_with_its_content(tmp_path: Path) -> None:
    file = own_rulebook(tmp_path, 'title = "Tai Sai"', 'title = "Our Tai Sai"', key="ts6")
    for asked in (("odds", "ts6/1"), ("par", "ts6/1"), ("rules",)):
        refused = taisai(*asked, "--rulebook", file)
        assert refused.status == 1
        assert refused.err == (
            "taisai: mine.toml, key: 'ts6' is the key of an approved rulebook, and the content is"
            " not its own; give yours a key of its own\n"
        )
    same = own_rulebook(tmp_path, 'title = "Tai Sai"', 'title = "Tai Sai"', key="ts6")
    assert taisai("odds", "ts6/1", "--rulebook", same).out == taisai("odds", "ts6/1").out


def test_only_the_rulebooks_that_come_with_the_project_are_called_approved(tmp_path: Path) -> None:
    file = own_rulebook(tmp_path, 'title = "Tai Sai"', 'title = "Our Tai Sai"')
    bet = ("--dice", "1", "2", "3", "--bet", "small=1000")
    for asked in (("odds", "{}/1"), ("explain", "{}/1", *bet)):
        ours = taisai(*(each.format("ts6") for each in asked)).out.splitlines()
        own = taisai(*(each.format("mine") for each in asked), "--rulebook", file).out.splitlines()
        assert re.fullmatch("sha256 [0-9a-f]{64}, approved", ours[1])
        assert re.fullmatch("sha256 [0-9a-f]{64}, not an approved rulebook", own[1])
        assert ours[0].startswith("Tai Sai, version 6")
    sheet = taisai("par", "mine/1", "--rulebook", file)
    assert "| Standing | NOT an approved rulebook: a file of somebody's own |" in sheet.out
    assert "| Standing | an approved rulebook, unchanged |" in taisai("par", "ts6/1").out
    assert taisai("par", "ts6/1", "--json").json["approved"] is True
    assert taisai("par", "mine/1", "--rulebook", file, "--json").json["approved"] is False


@pytest.mark.parametrize(
    ("new", "fault"),
    [
        (
            'zone = "Mars/Olympus"',
            "zone: 'Mars/Olympus' is no time zone; a name such as 'Asia/Singapore' is right",
        ),
        (
            'zone = "Asia/Tokyo"',
            "effective: 2023-10-06T08:00:00+08:00 is not how clocks were set in Asia/Tokyo",
        ),
    ],
)
def test_a_zone_that_is_none_or_another_is_refused(tmp_path: Path, new: str, fault: str) -> None:
    refused = taisai("odds", "mine/1", "--rulebook", own_rulebook(tmp_path, ZONE, new))
    assert (refused.status, refused.err) == (1, f"taisai: mine.toml, {fault}\n")


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"])
def test_a_date_at_an_end_of_the_calendar_is_refused(tmp_path: Path, moment: str) -> None:
    file = own_rulebook(tmp_path, "effective = 2023-10-06T08:00:00+08:00", f"effective = {moment}")
    refused = taisai("rules", "--rulebook", file)
    assert refused.status == 1
    assert f"effective: {moment} is not how clocks were set in" in refused.err


def test_a_rulebook_without_a_zone_is_taken(tmp_path: Path) -> None:
    assert taisai("odds", "mine/1", "--rulebook", own_rulebook(tmp_path, ZONE, "")).status == 0


def test_dice_that_are_none_and_dice_given_twice_are_told_so() -> None:
    bet = ("--bet", "small=1000")
    none = taisai("explain", "ts6/2", "--dice", "0", "2", "3", *bet)
    said = "the dice are 0, 2, 3; three whole numbers from 1 to 6 are right (BAD_DICE)"
    assert (none.status, none.err) == (1, f"taisai: {said}\n")
    dice = ("--dice", "1", "2", "3")
    twice = taisai("explain", "ts6/2", *dice, *dice, *bet)
    assert twice.status == 2
    assert twice.err.startswith("taisai: argument --dice: it is given twice; once is right")


@pytest.mark.parametrize("data", [b"\xff\xfe", b" " * (1024 * 1024 + 1), b"key = 5"])
def test_a_file_that_is_no_rulebook_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "wrong.toml"
    file.write_bytes(data)
    refused = taisai("rules", "--rulebook", str(file))
    assert refused.status == 1
    assert refused.err.startswith("taisai: wrong.toml, ")
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'pays = "180"',
            "pays = [180]",
            "pay table 1, kind triple, row Specific Straight Triple Bet, pays: a whole ",
        ),
        ("w = 12, h = 7", "w = 0x" + "f" * 40 + ", h = 7", "pay table 1, layout, box big, w: "),
        ("number = 1\n", "number = " + "9" * 5000 + "\n", "not TOML: "),
        (
            "effective = 2023-10-06T08:00:00+08:00",
            "effective = 2023-10-06",
            "effective: a date and a",
        ),
        ('title = "Tai Sai"', "", "not a rulebook: the key 'title' is missing"),
        (
            'title = "Tai Sai"',
            'tittle = "Tai Sai"',
            "not a rulebook: there is no key 'tittle'; the keys",
        ),
        ('code = "each-double"', 'code = "each-dobule"', "pay table 1, layout, captions each-dob"),
        ('title = "Tai Sai"', 'title = ""', "title: a text, at least 1 long, is right"),
    ],
)
def test_a_fault_of_shape_names_the_place(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    refused = taisai("layout", "mine/1", "--rulebook", own_rulebook(tmp_path, old, new))
    assert refused.status == 1
    assert refused.err.startswith(f"taisai: mine.toml, {sentence}")


@pytest.mark.parametrize(
    ("redirection", "status", "sentence"),
    [
        ("settle --json <&-", 2, "standard input is closed; there is nothing to settle"),
        ("odds ts6/1 >&-", 2, "standard output is closed; there is nowhere to answer to"),
        ("odds ts6/1 >/dev/full", 1, "the answer could not be read or written: No space left"),
        ("settle .", 1, "the file . cannot be read: Is a directory"),
        ("settle ''", 2, "argument FILE: it is blank, and names nothing"),
        ("explain ts6/1 --dice 1 2 3 --bet $'\\xff:small=100'", 2, "an argument is not UTF-8 text"),
        ("explain ts6/1 --dice 1 2 3 --bet small=100 --step 1", 2, "limits need both --min and"),
        ("rules ts6/1", 1, "there is no rulebook 'ts6/1'; there are ts6, tso5, etg8, div9"),
    ],
)
def test_streams_and_arguments_that_are_amiss(redirection: str, status: int, sentence: str) -> None:
    command = f"'{sys.executable}' -m taisai {redirection}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, check=False, text=True, timeout=60
    )
    assert done.returncode == status
    assert done.stderr.startswith(f"taisai: {sentence}")
    assert done.stderr.count("\n") == 1


def test_without_standard_error_the_answers_come_all_the_same() -> None:
    asked = '{"pay_table": "ts6/1", "dice": [1, 2, 3], "bets": []}'
    command = f"echo '{asked}' | '{sys.executable}' -m taisai settle --json 2>&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout)["total"] == 6


def test_answers_are_utf_8_whatever_the_terminal_says() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "taisai", "layout", "ts6/1"]
    done = subprocess.run(command, capture_output=True, check=True, env=environment, timeout=60)
    assert "┌" in done.stdout.decode("utf-8")


@pytest.mark.parametrize("how", ["-O", "PYTHONOPTIMIZE"])
def test_without_assertions_nothing_is_answered(how: str) -> None:
    environment = {**os.environ, "PYTHONOPTIMIZE": "1"} if how == "PYTHONOPTIMIZE" else None
    options = [how] if environment is None else []
    command = [sys.executable, *options, "-m", "taisai", "rules"]
    done = subprocess.run(
        command, capture_output=True, check=False, env=environment, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "taisai: the books are checked by assertions, which Python leaves out with -O and with"
        " PYTHONOPTIMIZE; run it without\n"
    )


def test_without_assertions_a_program_opens_no_venue_either() -> None:
    program = (
        "import asyncio; from taisai.runtime.recovery import read_back;"
        " asyncio.run(read_back(None, None))"
    )
    command = [sys.executable, "-O", "-c", program]
    done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=60)
    assert "SentenceError: the books are checked by assertions" in done.stderr


def test_control_characters_of_a_player_forge_no_line() -> None:
    arguments = ["--dice", "1", "2", "3", "--bet", "a\nb\x1b[2J:small=100"]
    told = taisai("explain", "ts6/1", *arguments).out
    assert "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[2J, small" in told


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["odds", "ts9/1"], 1, "there is no rulebook 'ts9'; there are ts6, tso5, etg8, div9"),
        (["odds", "ts6/9"], 1, "there is no pay table 'ts6/9'; there are ts6/1, ts6/2, ts6/3"),
        (["odds", "ts6"], 1, "'ts6' is no pay table; write rulebook and number, like 'ts6/2'"),
        (["rules", "ts9"], 1, "there is no rulebook 'ts9'; there are ts6, tso5, etg8, div9"),
        (
            ["layout", "ts6/1", "--dice", "1", "2", "7"],
            1,
            "the dice 1 2 7 are no throw; three faces from 1 to 6 are",
        ),
        (
            ["explain", "ts6/1", "--dice", "1", "2", "3", "--bet", "odd=5"],
            1,
            (
                "bet 1: ts6/1 has no betting box Odd; 'taisai odds ts6/1' lists those it has "
                "(BOX_NOT_ON_TABLE)"
            ),
        ),
        (
            ["explain", "ts6/1", "--dice", "1", "2", "3", "--bet", "small"],
            2,
            "'small' is no bet; write box and stake like 'small=1000'",
        ),
        (
            ["explain", "ts6/1", "--dice", "1", "2", "3", "--bet", "small=ten"],
            2,
            "'small=ten' is no bet; write box and stake like 'small=1000'",
        ),
        (
            ["odds"],
            2,
            "the following arguments are required: PAYTABLE; 'taisai odds --help' shows how",
        ),
        (
            ["odds", "ts6/1", "--rulebook", "nowhere.toml"],
            1,
            "the rulebook file nowhere.toml cannot be read: No such file or directory",
        ),
    ],
)
def test_a_mistake_is_answered_in_one_sentence(
    arguments: list[str], status: int, sentence: str
) -> None:
    answer = taisai(*arguments)
    assert (answer.status, answer.out, answer.err) == (status, "", f"taisai: {sentence}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        "settle {}",
        "exposure ts6/1 {}",
        "odds ts6/1 --rulebook {}",
        "fairness {}",
        "audit verify {}",
        "bots --keys {}",
        "keys create kk --passphrase-file {}",
        "serve --tables {} --data dd",
        "cluster status --cluster {}",
        "plan ts6/1 --plan {}.toml --box small --unit 10 --bank 100 --rounds 9",
        "restore {} dd --by Ann --second Bob",
    ],
)
@pytest.mark.parametrize("name", ["nowhere", "n" * 5_000])
def test_a_file_that_cannot_be_read_is_input_that_is_refused(
    arguments: str, name: str, tmp_path: Path
) -> None:
    answer = taisai(*arguments.format(name).split(), cwd=tmp_path)
    assert (answer.status, answer.out, answer.err.count("\n")) == (1, "", 1)


@pytest.mark.parametrize(
    "arguments",
    [
        "settle --jobs 0",
        "audit verify . --jobs 65",
        "simulate-venue --seed 1 --rounds 0",
        "bots --terminals 0",
        "bots --seconds 0",
        "serve --demo --port 65536",
        "session ts6/1 --bet small=10 --rounds 0",
        "session ts6/1 --bet small=10 --rounds 1 --at-least " + "9" * 5_000,
        "simulate ts6/1 --bet small=10 --seed 1 --rounds 0",
        "ruin ts6/1 --bet small=10 --bank " + "9" * 5_000,
        "fairness pyproject.toml --lags 0",
        "par ts6/1 --dated " + "x" * 101,
    ],
)
def test_a_number_out_of_its_range_is_input_that_is_refused(arguments: str) -> None:
    answer = taisai(*arguments.split())
    assert (answer.status, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert len(answer.err) < 300


def all_commands(among: Mapping[str, Entry | Group] = COMMANDS) -> Iterator[tuple[str, Command]]:
    for name, each in among.items():
        if isinstance(each, Entry):
            yield name, each.load()
        else:
            yield from ((f"{name} {one}", command) for one, command in all_commands(each.commands))


def test_every_option_collects_or_may_be_given_once() -> None:
    for name, command in all_commands():
        parser = Parser(prog=name)
        command.define(parser, "carry it out")
        # The only way that argparse has to list what a parser takes.
        for action in parser._actions:
            assert not isinstance(action, argparse._StoreAction) or not action.option_strings, (
                f"{name} {action.option_strings} would take the last of several"
            )


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("exposure ts6/2 --bet small=10 --min 20 --min 1 --max 50", "--min"),
        ("ruin ts6/2 --bet small=10 --bank 500 --bank 900", "--bank"),
        ("settle --lang en --lang en", "--lang"),
        ("settle --jobs 1 --jobs 1", "--jobs"),
        ("plan ts6/2 --line 1 2 --line 3", "--line"),
        ("odds ts6/2 --rulebook a --rulebook b", "--rulebook"),
    ],
)
def test_an_option_given_twice_is_wrong_usage(arguments: str, option: str) -> None:
    answer = taisai(*arguments.split())
    assert answer.status == 2
    assert answer.err.startswith(f"taisai: argument {option}: it is given twice; once is right")


def test_no_command_and_unknown_commands_are_wrong_usage() -> None:
    assert taisai().status == 2
    assert taisai("gamble").status == 2
    assert taisai("odds", "ts6/1", "--jsn").status == 2


def test_explain_refuses_as_json_for_programs() -> None:
    arguments = ["ts6/1", "--dice", "1", "2", "3", "--bet", "small=0", "--json"]
    answer = taisai("explain", *arguments)
    assert answer.status == 1
    assert answer.json["error"]["code"] == "BAD_STAKE"


@pytest.mark.parametrize("command", ["rules", "odds", "settle", "explain", "layout"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    told = taisai(command, "--help")
    assert told.status == 0
    assert "example:\n" in told.out
    assert f"taisai {command}" in told.out.split("example:")[1]
