"""Play round by round: the dice of the simulation, settled as the core settles."""

import subprocess
import sys
from typing import Any

import pytest

import taisai
from taisai.core.rules.bets import Bet
from taisai.core.rules.settlement import Settlement, settle
from taisai.maths.errors import MathsError
from taisai.maths.simulation.play import Play
from taisai.maths.simulation.rounds import simulate, throw
from taisai.maths.slates import Slate

BETS = {"small": 1000, "single-3": 500, "total-8": 200}


def test_rounds_are_settled_as_the_core_settles_them() -> None:
    table = taisai.pay_table("etg8/2")
    play = Play(table, seed=3)
    bets = [Bet("a", box, stake) for box, stake in BETS.items()]
    for number in range(1, 301):
        outcome = play.round(BETS)
        expected = settle(table, taisai.result_of(outcome.faces), bets)
        assert isinstance(expected, Settlement)
        assert (outcome.number, outcome.result) == (number, expected.result)
        assert outcome.staked == 1700
        assert outcome.back == sum(bet.back for bet in expected.bets)
        assert outcome.net == expected.paid - expected.collected
        assert outcome.won == {bet.box: bet.won for bet in expected.bets if bet.won}


def test_the_dice_are_those_of_the_simulation() -> None:
    table = taisai.pay_table("ts6/2")
    play = Play(table, seed=9)
    # Beyond the throws made in plain Python, and beyond the first batch.
    outcomes = [play.round({"small": 10}) for _ in range(20_000)]
    assert [outcome.result.index for outcome in outcomes] == throw(9, 20_000)
    played = simulate(Slate.of(table, {"small": 10}), 20_000, 9)
    assert (play.staked, play.net, play.rounds) == (played.tally.staked, played.tally.net, 20_000)
    assert len({outcome.faces for outcome in outcomes}) == 216


def test_a_play_begins_again_with_the_same_or_other_dice() -> None:
    play = Play(taisai.pay_table("ts6/1"), seed=1)
    first = [play.round({"big": 5}).faces for _ in range(50)]
    play.reset()
    assert (play.rounds, play.staked, play.back, play.net) == (0, 0, 0, 0)
    assert [play.round({"big": 5}).faces for _ in range(50)] == first
    play.reset(seed=2)
    assert [play.round({"big": 5}).faces for _ in range(50)] != first


@pytest.mark.parametrize(
    ("bets", "sentence"),
    [
        ({}, "an empty slate"),
        ({"small": 0}, "Small"),
        ({"small": True}, "Small"),
        ({"small": 2.0}, "Small"),
        ({"smal": 1}, "smal"),
        ({"four-6543": -1}, "Four Numbers 6543"),
        ({"small": 10**24 + 1}, "Small"),
        ({"small": 10, "total-8": 3}, "3"),
    ],
)
def test_bad_bets_are_refused_and_use_no_throw_up(bets: Any, sentence: str) -> None:
    play, other = (Play(taisai.pay_table("etg8/2"), seed=1) for _ in range(2))
    with pytest.raises(MathsError, match=sentence):
        play.round(bets)
    assert play.rounds == 0
    for _ in range(20):
        assert play.round(BETS) == other.round(BETS)


def test_bad_seeds_are_refused() -> None:
    for seed in (-1, 2**64, "7"):
        with pytest.raises(MathsError, match="a seed is a whole number"):
            Play(taisai.pay_table("ts6/1"), seed)  # type: ignore[arg-type]


def test_a_play_needs_no_extra_and_has_the_same_dice_without() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; import taisai; "
        "from taisai.maths.engines import choice; choice.is_installed = lambda _: False; "
        "from taisai.maths.simulation import play; play.is_installed = lambda _: False; "
        "table = play.Play(taisai.pay_table('ts6/1'), 4); "
        "print([table.round({'big': 5}).result.index for _ in range(600)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    assert done.stdout.strip() == str(throw(4, 600))
