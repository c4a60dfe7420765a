"""`taisai simulate`: for people, for programs, and when misused."""

import io
from fractions import Fraction
from typing import Any

import pytest

import taisai as package
from taisai.cli.maths.simulate import Bar
from taisai.maths.simulation.rounds import simulate
from taisai.maths.slates import Slate
from tests.cli.command import taisai


def asked(*arguments: str, table: str = "ts6/2") -> Any:
    answer = taisai("simulate", table, *arguments, "--json")
    assert (answer.status, answer.err) == (0, "")
    return answer.json


def test_a_simulation_for_programs_is_the_librarys() -> None:
    answer = asked("--bet", "small=1000", "single-3=500", "--rounds", "20000", "--seed", "7")
    table = package.pay_table("ts6/2")
    slate = Slate.of(table, {"small": 1000, "single-3": 500})
    played = simulate(slate, 20_000, 7, engine="numpy")
    assert answer["pay_table"] == "ts6/2"
    assert answer["rulebook"]["key"] == "ts6"
    assert answer["slates"] == [
        [{"box": "small", "stake": 1000}, {"box": "single-3", "stake": 500}]
    ]
    assert (answer["rounds"], answer["seed"]) == (20_000, 7)
    assert (answer["staked"], answer["net"]) == (20_000 * 1500, played.tally.net)
    assert Fraction(answer["mean"]) == Fraction(played.tally.net, 20_000)
    assert Fraction(answer["exact"]["mean"]) == -1500 * slate.house_edge
    assert Fraction(answer["house_edge"]) == Fraction(-played.tally.net, 20_000 * 1500)
    low, high = answer["interval"]
    assert low < float(Fraction(answer["mean"])) < high
    assert answer["deviation_in_standard_errors"] == played.deviation
    assert sum(result["seen"] for result in answer["results"]) == 20_000
    assert answer["results"][0]["faces"] == [1, 1, 1]


def test_every_engine_answers_a_seed_alike() -> None:
    rounds = ["--bet", "small=10", "--then", "big=20", "total-8=2", "--rounds", "9999"]
    answers = [
        asked(*rounds, "--seed", "3", "--engine", engine, "--threads", threads, table="etg8/1")
        for engine, threads in (("numpy", "1"), ("numpy", "3"), ("numba", "2"))
    ]
    assert [answer.pop("engine") for answer in answers] == ["numpy", "numpy", "numba"]
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0]["slates"]) == 2


def test_bets_are_drawn_for_each_round() -> None:
    answer = asked("--draw", "50", "--stakes", "100", "10000", "--rounds", "3000", "--seed", "5")
    assert answer["drawn"] == {"bets": 50, "lowest": 100, "highest": 10_000, "step": 1}
    assert abs(answer["deviation_in_standard_errors"]) < 4
    assert 3000 * 50 * 100 < answer["staked"] < 3000 * 50 * 10_000


def test_sessions_are_held_against_exact_chances() -> None:
    session = ["--bet", "small=1", "--rounds", "1000", "--sessions", "2000", "--seed", "7"]
    answer = asked(*session)
    assert round(answer["ahead"]["exact"], 5) == 0.18130
    assert abs(answer["ahead"]["deviation_in_standard_errors"]) < 4
    assert "ruined" not in answer
    banked = asked(*session, "--bank", "50")
    assert round(banked["ruined"]["exact"], 4) == 0.3534
    assert abs(banked["ruined"]["deviation_in_standard_errors"]) < 4
    assert banked["ahead"]["exact"] is None


def test_people_are_told_how_far_from_exact_it_is() -> None:
    answer = taisai("simulate", "ts6/2", "--bet", "small=1000", "--rounds", "50000", "--seed", "7")
    assert answer.status == 0
    assert "Pay table ts6/2" in answer.out
    assert "standard errors" in answer.out.splitlines()[-2]
    assert answer.out.splitlines()[-1].startswith("Seed 7, played by the numba engine")
    exact = next(line for line in answer.out.splitlines() if line.startswith("net of a round"))
    assert exact.endswith("-27.7778")
    sessions = ["--rounds", "100", "--sessions", "50", "--bank", "2000", "--seed", "1"]
    told = taisai("simulate", "ts6/2", "--bet", "small=1000", *sessions)
    assert "50 sessions of 100 rounds" in told.out


class Watched(io.StringIO):
    """A terminal that a person watches, or does not."""

    def __init__(self, *, watched: bool) -> None:
        super().__init__()
        self.watched = watched

    def isatty(self) -> bool:
        return self.watched


@pytest.mark.parametrize("watched", [True, False])
def test_a_bar_fills_for_whoever_watches(watched: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Watched(watched=watched)
    monkeypatch.setattr("sys.stderr", terminal)
    times = iter([100.0, 100.1, 102.0, 104.0])
    monkeypatch.setattr("time.monotonic", lambda: next(times))
    with Bar(1000) as bar:
        for done in (1, 500, 1000):
            bar.step(done)
    shown = terminal.getvalue().split("\r\x1b[K")
    expected = [
        "",
        f"[{'#' * 15}{'.' * 15}] 500 of 1,000 rounds, 250 a second, 2 s left",
        f"[{'#' * 30}] 1,000 of 1,000 rounds, 250 a second, 0 s left",
        "",
    ]
    assert shown == (expected if watched else [""])


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["--rounds", "5"], 2, "nothing is bet; give --bet BOX=STAKE, or --draw BETS"),
        (["--bet", "small=1", "--rounds", "0"], 1, "the rounds are a whole number from 1 to"),
        (["--bet", "small=1", "--rounds", f"{10**18}"], 1, "the rounds are a whole number"),
        (["--bet", "small=1", "--rounds", "5", "--seed", "-1"], 1, "a seed is a whole number"),
        (["--bet", "smal=1", "--rounds", "5"], 1, "smal"),
        (["--bet", "total-8=3", "--rounds", "5"], 1, "3"),
        (["--bet", "ann:small=1", "--rounds", "5"], 2, "a slate is one player's"),
        (["--bet", "small", "--rounds", "5"], 2, "is no bet"),
        (["--draw", "5", "--rounds", "5"], 2, "--draw needs the stakes"),
        (["--draw", "5", "--stakes", "1", "9", "--rounds", "5"], 1, "multiples of 2"),
        (["--draw", "5", "--bet", "small=1", "--rounds", "5"], 2, "given or drawn, not both"),
        (["--bet", "small=1", "--stakes", "1", "9", "--rounds", "5"], 2, "it needs --draw"),
        (["--bet", "small=1", "--bank", "9", "--rounds", "5"], 2, "it needs --sessions"),
        (
            ["--bet", "small=1", "--then", "big=1", "--sessions", "9", "--rounds", "5"],
            2,
            "sessions are of one slate",
        ),
        (["--bet", "small=1", "--sessions", "0", "--rounds", "5"], 1, "the sessions are a whole"),
        (["--bet", "small=1", "--rounds", "5", "--threads", "0"], 1, "the threads are a whole"),
    ],
)
def test_misuse_is_answered_in_a_sentence(arguments: list[str], status: int, sentence: str) -> None:
    seed = [] if "--seed" in arguments else ["--seed", "7"]
    answer = taisai("simulate", "etg8/2", *arguments, *seed)
    assert (answer.status, answer.out) == (status, "")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1
