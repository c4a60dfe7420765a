"""`taisai exposure`: bets as arguments or in a file, for people, for programs, and misused."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import taisai as library
from taisai.cli import main
from taisai.cli.maths import exposure as exposure_command
from taisai.maths.exposure import exposure_of
from tests.cli.command import Answer, taisai

Ask = Callable[..., Answer]


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str]) -> Ask:
    """Run the command in this process, which is faster than a new one for every question."""

    def run(*arguments: str) -> Answer:
        status = main(arguments)
        printed = capfd.readouterr()
        return Answer(status, printed.out, printed.err)

    return run


STAKES = {"small": 50_000, "triple-1": 2_000, "double-1": 3_000}
BETS = [f"{box}={stake}" for box, stake in STAKES.items()]


def test_people_are_told_the_worst_the_expected_and_the_drivers() -> None:
    told = taisai("exposure", "ts6/2", "--bet", *BETS)
    assert told.status == 0
    lines = told.out.splitlines()
    assert "playing      55,000 minor units on 3 boxes" in lines
    assert "worst case   the house pays 343,000 on 1-1-1 (1 of 216 throws, 0.46 %)" in lines
    assert lines.index("What drives the worst case, 1-1-1") > 0
    assert "triple-1          2,000   180  360,000" in lines
    assert "all others lose  50,000        -50,000" in lines
    listed = told.out.partition("What the house pays, net")[2]
    assert len(set(re.findall(r"\b[1-6]-[1-6]-[1-6]\b", listed))) == 56
    assert listed.count("343,000") == 1


def test_programs_get_all_56_results() -> None:
    answer = taisai("exposure", "ts6/2", "--bet", *BETS, "--limit", "500000", "--json").json
    exposure = exposure_of(library.pay_table("ts6/2"), STAKES)
    assert [each["pays"] for each in answer["results"]] == list(exposure.pays)
    assert sum(each["throws"] for each in answer["results"]) == 216
    assert answer["worst"] == {"pays": 343_000, "dice": [[1, 1, 1]], "probability": "1/216"}
    assert answer["expected"] == str(exposure.expected)
    assert answer["boxes"] == STAKES
    assert (answer["registered"], answer["playing"]) == (55_000, 55_000)
    assert [driver["box"] for driver in answer["drivers"]] == ["triple-1", "double-1"]
    assert answer["limit"]["passed"] == []
    rooms = {each["box"]: each for each in answer["limit"]["room"]}
    assert len(rooms) == 104
    # 500,000 less 343,000 at 180 to 1.
    assert rooms["triple-1"] == {
        "box": "triple-1",
        "room": 872,
        "ended_by": "exposure",
        "dice": [1, 1, 1],
    }


def test_room_is_told_of_the_boxes_asked_for(ask: Ask) -> None:
    limits = ("--min", "100", "--max", "60000", "--step", "100")
    told = ask(
        *("exposure", "ts6/2", "--bet", *BETS, *limits),
        *("--limit", "300000", "--box", "small", "triple-1"),
    ).out
    tail = told.partition("Room before")[2].splitlines()
    assert tail[0] == " the house pays more than 300,000 on a win; it already does on 1 result"
    assert tail[3:] == ["small     50,000  10,000  maximum", "triple-1   2,000       0  1-1-1"]


def test_over_full_boxes_play_pro_rata(ask: Ask) -> None:
    told = ask(
        *("exposure", "ts6/2", "--bet", "a:small=50000", "b:big=1000"),
        *("--min", "100", "--max", "40000", "--differential", "20000"),
    ).out
    assert (
        "22,000 minor units on 2 boxes; 51,000 are registered, and the rest does not play" in told
    )


def test_bets_can_be_piped_in() -> None:
    piped = taisai("exposure", "ts6/2", "-", "--json", stdin=json.dumps(STAKES))
    assert piped.json["worst"]["pays"] == 343_000


FILES = [
    ("bets.csv", "box,stake\nsmall,50000\ntriple-1,2000\ndouble-1,3000\n"),
    (
        "bets.csv",
        "\ufeffplayer, stake, box\n\na,49000,small\nb,1000,small\nb,2000,triple-1\nb,3000,double-1",
    ),
    ("totals.json", json.dumps(STAKES)),
    ("bets.json", json.dumps([{"box": box, "stake": stake} for box, stake in STAKES.items()])),
    (
        "round.json",
        json.dumps(
            {
                "limits": {"min": 0, "max": 10**6},
                "bets": [
                    {"player": "a", "box": box, "stake": stake} for box, stake in STAKES.items()
                ],
            }
        ),
    ),
]


@pytest.mark.parametrize(("name", "text"), FILES)
def test_a_file_of_any_shape_says_the_same(name: str, text: str, tmp_path: Path, ask: Ask) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    asked = ask("exposure", "ts6/2", str(file), "--json")
    assert asked.json["boxes"] == STAKES
    assert asked.json["worst"]["pays"] == 343_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no heading 'box,stake'"),
        ("box,amount\nsmall,1\n", "no heading 'box,stake'"),
        ("box,stake\nsmall,1.5\n", 'line 2: the stake "1.5" is no whole number'),
        ("box,stake\nsmall\n", "line 2: 1 cells where 2 are right"),
        ("box,stake\nsmal,100\n", "smal"),
        ('{"small": 1e999}', "the stake on Small is a number of hundreds of digits"),
        ('{"small": %s}' % ("9" * 5_000), "the stake on Small is a number of hundreds of digits"),
        (
            '{"bets": [], "limits": {"min": 1, "max": 2, "boxes": {"a\\nb": 5}}}',
            'of "a\ufffdb" are 5',
        ),
        ("[1]", "bet 1 is 1"),
        ("{", "is not JSON"),
        ('{"bets": 1}', "a list of bets is right"),
        ('{"bets": [], "limit": 1}', 'the key "limit"'),
        ('{"small": true}', "true"),
        ('{"small": 100, "small": 200}', "a key is given twice"),
        ('{"pay_table": "ts6/2", "bets": []}', "another pay table than etg8/1"),
        ("[" * 100_000, "is not JSON"),
        ('box,stake\n"small,100\n', "line 2: unexpected end of data"),
        ('{"total-8": 1}', "2"),
    ],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(
    text: str, said: str, tmp_path: Path, ask: Ask
) -> None:
    file = tmp_path / "bets"
    file.write_text(text, "utf-8")
    asked = ask("exposure", "etg8/1", str(file))
    assert (asked.status, asked.out) == (1, "")
    assert said in asked.err
    assert asked.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("ts6/2",), 2, "either in a file or with --bet"),
        (("ts6/2", "file", "--bet", "small=1"), 2, "either in a file or with --bet"),
        (("ts6/2", "--bet", "small"), 2, "'small' is no bet"),
        (("ts6/2", "--bet", "small=1", "--box", "small"), 2, "needs --limit"),
        (("ts6/2", "--bet", "small=1", "--min", "1"), 2, "both --min and --max"),
        (("ts6/2", "nowhere.csv"), 1, "nowhere.csv cannot be read"),
        (("ts6/9", "--bet", "small=1"), 1, "there is no pay table 'ts6/9'"),
        (("ts6/2", "--bet", "small=0"), 1, "0"),
        (("ts6/2", "--bet", "small=1", "--limit", "9", "--box", "smal"), 1, "smal"),
        (("ts6/2", "--bet", "small=1", "--plot", "a.gif"), 1, "a.gif is no picture"),
        (("etg8/1", "--bet", "small=100", "--min", "2", "--max", "50"), 1, "maximum"),
    ],
)
def test_misuse_is_answered_in_a_sentence(
    arguments: tuple[str, ...], status: int, said: str, ask: Ask
) -> None:
    asked = ask("exposure", *arguments)
    assert (asked.status, asked.out) == (status, "")
    assert said in asked.err
    assert asked.err.count("\n") == 1


def test_limits_are_given_in_one_place(tmp_path: Path, ask: Ask) -> None:
    file = tmp_path / "bets.json"
    file.write_text('{"bets": [], "limits": {"min": 5, "max": 10}}', "utf-8")
    asked = ask("exposure", "ts6/2", str(file), "--min", "1", "--max", "20")
    assert (asked.status, asked.out) == (1, "")
    assert "has limits, and so has the command line; give them in one place" in asked.err
    file.write_text('{"bets": [], "limits": null}', "utf-8")
    assert ask("exposure", "ts6/2", str(file), "--min", "1", "--max", "20").status == 0


def test_a_differential_that_counts_for_nothing_is_told_of(ask: Ask) -> None:
    limits = ("--min", "100", "--max", "5000", "--differential", "1000")
    said = "the Differential that is named counts for nothing: etg8/1 is played without one [D6]"
    assert said in ask("exposure", "etg8/1", "--bet", "small=1000", *limits).out
    assert "counts for nothing" not in ask("exposure", "ts6/1", "--bet", "small=1000", *limits).out


def test_it_can_be_drawn(tmp_path: Path, ask: Ask) -> None:
    picture = tmp_path / "exposure.svg"
    assert ask("exposure", "ts6/2", "--bet", *BETS, "--plot", str(picture)).status == 0
    assert b"</svg>" in picture.read_bytes()


def test_a_file_that_is_no_text_or_too_large_is_refused(
    tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bets.csv"
    file.write_bytes(b"box,stake\nsm\xe4ll,100\n")
    assert "is not UTF-8 text" in ask("exposure", "ts6/2", str(file)).err
    monkeypatch.setattr(exposure_command, "FILE_MAX", 10)
    assert "is over 10 bytes" in ask("exposure", "ts6/2", str(file)).err


def test_a_layout_without_bets_pays_nothing(tmp_path: Path, ask: Ask) -> None:
    file = tmp_path / "bets.json"
    file.write_text("[]", "utf-8")
    told = ask("exposure", "ts6/2", str(file))
    assert (told.status, told.err) == (0, "")
    assert "playing      0 minor units on 0 boxes" in told.out
    assert "What drives" not in told.out
