"""A person's own plans: read as they are written, played as they say, refused if they are wrong."""

from pathlib import Path

import msgspec
import pytest

from taisai.core.kernel.messages import LimitsAsked
from taisai.maths.errors import MathsError
from taisai.maths.plans.plan import AtMaximum, Plan, plan_from_file, plan_from_text, plan_named
from taisai.maths.plans.play import play_plan
from taisai.maths.plans.sitting import Ending, Sitting
from taisai.rulebooks import pay_table

TS6 = pay_table("ts6/1")

MARTINGALE = b"""
name = "three steps"
first = "one"
at_maximum = "restart"

[states.one]
stake = 1
win = "one"
loss = "two"

[states.two]
stake = 2
win = "one"
loss = "four"

[states.four]
stake = 4
win = "one"
loss = "one"
"""


def plan(text: str, name: str = "mine.toml") -> Plan:
    return plan_from_text(text.encode(), name)


def test_a_plan_in_a_file_is_played_as_it_says() -> None:
    own = plan_from_text(MARTINGALE, "mine.toml")
    sitting = Sitting(100, 2_000, 12)
    mine = play_plan(TS6, "small", own, sitting)
    # A doubling that begins again past a maximum of four units is the same thing.
    limited = Sitting(100, 2_000, 12, LimitsAsked(100, 400))
    named = play_plan(TS6, "small", plan_with_restart(plan_named("martingale")), limited)
    assert mine.plan == "three steps"
    assert mine.final == named.final
    assert mine.turnover == named.turnover


def plan_with_restart(named: Plan) -> Plan:
    return msgspec.structs.replace(named, at_maximum=AtMaximum.RESTART)


def test_a_plan_in_json_is_the_same_plan(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(
        '{"name": "three steps", "first": "one", "at_maximum": "restart", "states": {'
        '"one": {"stake": 1, "win": "one", "loss": "two"},'
        '"two": {"stake": 2, "win": "one", "loss": "four"},'
        '"four": {"stake": 4, "win": "one", "loss": "one"}}}'
    )
    sitting = Sitting(100, 2_000, 12)
    in_json = play_plan(TS6, "small", plan_from_file(path), sitting)
    in_toml = play_plan(TS6, "small", plan_from_text(MARTINGALE, "mine.toml"), sitting)
    assert in_json.final == in_toml.final


def test_a_plan_may_have_the_player_leave() -> None:
    once = plan('first = "a"\n[states.a]\nstake = 1\nloss = "a"\n')
    played = play_plan(TS6, "small", once, Sitting(100, 10_000, 5))
    assert played.plan == "mine.toml"
    assert played.endings[Ending.LEFT].value == 1 - played.endings[Ending.PLAYING].value
    assert played.endings[Ending.PLAYING].value == (1 - TS6.boxes["small"].probability) ** 5


def test_a_state_may_sit_a_round_out() -> None:
    wait = plan(
        'first = "watch"\n'
        '[states.watch]\nstake = 0\nwin = "watch"\nloss = "bet"\n'
        '[states.bet]\nstake = 1\nwin = "watch"\nloss = "watch"\n'
    )
    played = play_plan(TS6, "small", wait, Sitting(100, 10_000, 2))
    # The second round is bet on only where the first was lost.
    lost = 1 - TS6.boxes["small"].probability
    assert played.betting.bets.value == lost
    assert played.turnover.value == 100 * lost


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "missing required field `first`"),
        ("first = ", "not a plan"),
        ('first = "a"\n[states]\n', "from 1 to 10000 states"),
        ('first = "b"\n[states.a]\nstake = 1\n', "first state 'b'"),
        ('first = "a"\n[states.a]\nstake = -1\n', "state 'a': the stake is from 0"),
        ('first = "a"\n[states.a]\nstake = 1.5\n', "not a plan"),
        ('first = "a"\n[states.a]\nstake = 1\nwin = "b"\n', "leads to 'b'"),
        ('first = "a"\n[states.a]\nstake = 1\nwon = "a"\n', "unknown field `won`"),
        ('first = "a"\nat_maximum = "run"\n[states.a]\nstake = 1\n', "at_maximum"),
    ],
)
def test_a_file_that_is_no_plan_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(MathsError, match=sentence) as refused:
        plan(text)
    assert str(refused.value).startswith("mine.toml")
    assert "\n" not in str(refused.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MathsError, match="cannot be read: No such file"):
        plan_from_file(tmp_path / "none.toml")
    with pytest.raises(MathsError, match="is over"):
        plan_from_text(b"#" * (1024 * 1024 + 1), "mine.toml")
    with pytest.raises(MathsError, match="not a plan"):
        plan_from_text(b"\xff\xfe", "mine.toml")


def test_a_plan_that_never_bets_is_refused() -> None:
    with pytest.raises(MathsError, match="never bets"):
        plan('first = "a"\n[states.a]\nstake = 0\nwin = "a"\nloss = "a"\n')
