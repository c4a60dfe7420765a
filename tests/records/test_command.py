"""`taisai audit events` and `taisai export` as people and programs use them, and misuse them."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from tests.cli.command import taisai
from tests.records.recorded import answered, evening, written


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    written(folder, evening().decided)
    return folder


def test_events_for_people(data: Path) -> None:
    told = answered("audit", "events", str(data)).out
    assert "2026-11-16T02:13:21.000Z  table/T1 1  venue (system)\n    table T1 is created" in told
    assert "round 2 is void (a die does not lie flat): 40.00 is returned [5.5.2]" in told
    assert (
        "3 to 4 are reversed, 2 in all: 25.00 given to players, 0.00 set aside for players who"
        in told
    )
    assert "not recovered [5.6] “a chipped die”" in told
    assert "sue (supervisor); second person: vic (pit-manager)" in told
    chinese = answered("audit", "events", str(data), "--lang", "zh-Hant").out
    assert "第 2 局作廢（骰子沒有平放）：退回 40.00 [5.5.2]" in chinese


def test_events_for_programs_one_object_a_line(data: Path) -> None:
    lines = answered("audit", "events", str(data), "--json").lines
    assert len(lines) == answered("audit", "events", str(data)).out.count("\n") // 2
    (limits,) = [line for line in lines if line["event"] == "LimitsSet"]
    assert limits["details"]["limits"]["maximum"] == 100_000
    assert (limits["person"], limits["second"]) == ("sue", "vic")
    asked = [line for line in lines if line["event"] == "ApprovalRequested"]
    assert "AdoptRulebook" in [line["details"]["order"]["command"]["type"] for line in asked]
    assert max(len(json.dumps(line)) for line in lines) < 2_000


def test_events_of_a_period_and_of_none(data: Path) -> None:
    moment = "2026-11-16T02:13:49Z"
    before = answered("audit", "events", str(data), "--until", moment, "--json").lines
    after = answered("audit", "events", str(data), "--from", moment, "--json").lines
    assert before + after == answered("audit", "events", str(data), "--json").lines
    assert after[0]["event"] == "CommandApproved"
    nothing = answered("audit", "events", str(data), "--from", "2027-01-01")
    assert (nothing.status, nothing.out) == (0, "No significant event is recorded there.\n")
    assert answered("audit", "events", str(data), "--from", "2027-01-01", "--json").out == ""


def test_a_time_may_carry_its_zone(data: Path) -> None:
    here = answered("audit", "events", str(data), "--from", "2026-11-16T10:13:50+08:00").out
    assert here == answered("audit", "events", str(data), "--from", "2026-11-16T02:13:50").out


def test_all_views_go_into_a_directory(data: Path, tmp_path: Path) -> None:
    done = answered(
        *("export", str(data), "all", "--to", str(tmp_path / "new"), "--format", "jsonl", "--json")
    )
    rows = {each["view"]: each["rows"] for each in done.json["written"]}
    assert (rows["rounds"], rows["bets"], rows["placements"]) == (5, 11, 9)
    for view, count in rows.items():
        text = (tmp_path / "new" / f"{view}.jsonl").read_text("utf-8")
        assert text.count("\n") == count
    again = answered("export", str(data), "all", "--to", str(tmp_path / "new"), "--format", "jsonl")
    assert (again.status, again.out) == (1, "")
    assert "rounds.jsonl exists, and is left as it is; --overwrite replaces it" in again.err


def test_one_view_goes_to_standard_output_of_a_real_process(data: Path) -> None:
    done = taisai("export", str(data), "rounds", "--to", "-", "--format", "csv")
    assert done.status == 0
    assert done.out.count("\n") == 6
    assert done.out.startswith("table,round,version,end,")


def test_a_terminal_and_a_table_are_asked_for_by_name(data: Path, tmp_path: Path) -> None:
    to = tmp_path / "bets.jsonl"
    done = answered(
        *("export", str(data), "bets", "--to", str(to), "--table", "T1", "--terminal", "8")
    )
    assert done.out.startswith(f"{to}: 5 rows, each what one terminal had")
    assert {json.loads(line)["terminal"] for line in to.read_text().splitlines()} == {"8"}


def test_the_sentences_of_an_export_are_in_the_language_asked_for(data: Path) -> None:
    done = answered(
        *("export", str(data), "rounds", "--to", "-", "--format", "jsonl", "--lang", "zh-Hans")
    )
    assert done.lines[0]["call"] == "对 2、6，总点数 10"


WRONG = [
    (["events", "{data}", "--from", "yesterday"], "'yesterday' is no time; write it like"),
    (["events", "{data}", "--from", "2024-01-02", "--until", "2024-01-01"], "nothing lies between"),
]


@pytest.mark.parametrize(("arguments", "sentence"), WRONG)
def test_wrong_usage_of_audit(data: Path, arguments: list[str], sentence: str) -> None:
    done = answered("audit", *(each.format(data=data) for each in arguments))
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["money", "--to", "x.csv"], "there is nothing called money to export; rounds, bets,"),
        (["bets", "--to", "x"], "say which --format to write: csv, jsonl, parquet"),
        (["all", "--to", "x"], "say which --format to write"),
        (["bets", "--to", "-", "--format", "parquet"], "standard output takes one view"),
        (["all", "--to", "-", "--format", "csv"], "standard output takes one view"),
        (["bets"], "--to"),
    ],
)
def test_wrong_usage_of_export(data: Path, arguments: list[str], sentence: str) -> None:
    done = answered("export", str(data), *arguments)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_what_is_refused_is_a_sentence(data: Path, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a journal, and long enough to be looked at: " * 20)
    sqlite3.connect(tmp_path / "other.sqlite").close()
    other = sqlite3.connect(tmp_path / "another.sqlite")
    other.execute("CREATE TABLE events (stream TEXT)")
    other.close()
    for where, sentence in (
        (str(tmp_path / "none"), "there is no journal"),
        (str(tmp_path), "it holds no journal.sqlite"),
        (str(text), "is no journal"),
        (str(tmp_path / "another.sqlite"), "is no journal"),
        ("mysql://somewhere", "mysql:// is neither"),
    ):
        done = answered("audit", "events", where)
        assert (done.status, done.out) == (1, ""), done
        assert sentence in done.err
        assert done.err.count("\n") == 1
    done = answered("export", str(data), "bets", "--to", str(tmp_path / "no" / "x.csv"))
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "x.csv cannot be written: No such file or directory" in done.err
    done = answered("export", str(data), "bets", "--to", str(tmp_path / "x.csv"), "--table", "T9")
    assert (done.status, done.err) == (
        1,
        "taisai: there is no table T9; the journal holds T1\n",
    )
    assert not (tmp_path / "x.csv").exists()
    done = answered("export", str(data), "all", "--to", str(text), "--format", "csv")
    assert "is no directory; all views are written into one" in done.err


def test_a_record_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, evening().decided)
    for version, data in ((21, b'{"type":"BetsRegistered"}'), (21, b"\xff"), (30, b"[]")):
        database = sqlite3.connect(path)
        with database:
            database.execute("UPDATE events SET data = ? WHERE version = ?", (data, version))
        database.close()
        done = answered("export", str(path), "placements", "--to", "-", "--format", "csv")
        assert done.status == 1
        assert f"table/T1 cannot be read at version {min(version, 21)}" in done.err
        assert "'taisai audit verify' tells what is wrong" in done.err
    done = answered("export", str(path), "meters", "--to", "-", "--format", "csv")
    assert (done.status, done.err.count("\n")) == (1, 1)


def test_only_a_regular_file_is_ever_replaced(data: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    (tmp_path / "link.csv").symlink_to(pipe)
    for name in ("pipe.csv", "link.csv"):
        to = tmp_path / name
        done = answered("export", str(data), "bets", "--to", str(to), "--overwrite")
        assert (done.status, done.out) == (1, "")
        assert done.err == f"taisai: {to} is no regular file, and is never replaced; name another\n"
        assert to.is_fifo()
    (tmp_path / "rounds.csv").symlink_to(pipe)
    all_views = ("all", "--to", str(tmp_path), "--format", "csv", "--overwrite")
    assert "rounds.csv is no regular file" in answered("export", str(data), *all_views).err
    file = tmp_path / "bets.csv"
    file.write_text("old")
    assert answered("export", str(data), "bets", "--to", str(file), "--overwrite").status == 0
    assert file.read_text().startswith("table,round,")


def test_a_place_that_cannot_be_written_is_named(data: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    inside = blocked / "new"
    done = answered("export", str(data), "bets", "--to", str(inside / "x.csv"))
    assert (done.status, f"{inside / 'x.csv'} cannot be written" in done.err) == (1, True)
    done = answered("export", str(data), "all", "--to", str(inside), "--format", "csv")
    assert (done.status, f"{inside} cannot be made: " in done.err) == (1, True)


@pytest.mark.parametrize("at", [-1, 253_402_300_800_000, 2**62])
def test_a_time_without_a_date_is_told_with_its_event(tmp_path: Path, at: int) -> None:
    path = written(tmp_path, evening().decided)
    database = sqlite3.connect(path)
    with database:
        database.execute("UPDATE events SET at = ? WHERE version = 1", (at,))
    database.close()
    for command in (
        ("audit", "events", str(path)),
        ("audit", "events", str(path), "--json"),
        ("export", str(path), "significant", "--to", "-", "--format", "csv"),
    ):
        done = answered(*command)
        assert done.status == 1
        assert f"table/T1 cannot be read at version 1: its time, {at}, is in no year" in done.err
        assert done.err.count("\n") == 1


def test_a_name_that_is_no_text_is_the_journals_fault(tmp_path: Path) -> None:
    path = written(tmp_path, evening().decided)
    database = sqlite3.connect(path)
    with database:
        database.execute("UPDATE events SET stream = CAST(x'7461ff' AS TEXT) WHERE version = 1")
    database.close()
    for command in (
        ("audit", "events", str(path)),
        ("audit", "round", str(path), "T1", "1"),
        ("export", str(path), "bets", "--to", "-", "--format", "csv"),
    ):
        done = answered(*command)
        assert (done.status, done.out) == (1, "")
        assert f"the journal {path} holds a name that is no text; 'taisai audit ver" in done.err


@pytest.mark.parametrize("command", [("audit", "events"), ("export",)])
def test_help_says_that_the_chain_is_not_checked(command: tuple[str, ...]) -> None:
    told = " ".join(taisai(*command, "--help").out.split())
    assert "The chain of hashes is not checked here: run 'taisai audit verify' first." in told
