"""How much of each bet plays, against worked examples done by hand [D2, D3]."""

from pathlib import Path
from typing import NamedTuple

import pytest

import taisai
from taisai.core.rules.apportionment import playing_stakes
from taisai.core.rules.bets import sum_by_player_and_box
from taisai.core.rules.limits import Limits


class Case(NamedTuple):
    """One worked example."""

    name: str
    table: str
    limits: dict[str, int]
    bets: list[taisai.Bet]
    plays: list[tuple[str, str, int]]


#: What one playing unit returns when the dice show 6 6 6: the odds and the stake.
TIMES_BACK_ON_666 = {"any-triple": 32, "triple-6": 181, "double-6": 12, "single-6": 13}


def _read(block: str) -> Case:
    lines = [line for line in block.splitlines() if not line.startswith("#")]
    fields: dict[str, list[str]] = {}
    for line in lines:
        key, _, value = line.partition(": ")
        fields.setdefault(key, []).append(value.strip())
    split = [value.split() for value in fields["bet"]]
    played = [value.split() for value in fields["plays"]]
    pairs = (part.split("=") for part in fields["limits"][0].split())
    return Case(
        name=fields["case"][0],
        table=fields["table"][0],
        limits={name: int(amount) for name, amount in pairs},
        bets=[taisai.Bet(player, box, int(stake)) for player, box, stake in split],
        plays=[(player, box, int(stake)) for player, box, stake in played],
    )


BLOCKS = (Path(__file__).parent / "pro_rata.txt").read_text("utf-8").split("\n\n")
CASES = [_read(block) for block in BLOCKS if block.strip()]


def limits_of(case: Case) -> Limits:
    amounts = dict(case.limits)
    boxes: dict[str, tuple[int | None, int | None]] = {}
    for name in [name for name in amounts if "." in name]:
        box, _, which = name.partition(".")
        low, high = boxes.get(box, (None, None))
        amount = amounts.pop(name)
        boxes[box] = (amount, high) if which == "min" else (low, amount)
    setting = taisai.LimitsAsked(
        minimum=amounts["min"],
        maximum=amounts["max"],
        step=amounts.get("step"),
        differential=amounts.get("differential"),
        boxes=boxes,
    )
    limits = taisai.set_limits(taisai.pay_table(case.table), setting)
    assert isinstance(limits, Limits)
    return limits


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_plays_is_what_was_worked_out_by_hand(case: Case) -> None:
    summed = sum_by_player_and_box(case.bets)
    playing = playing_stakes(taisai.pay_table(case.table), summed, limits_of(case))
    plays = [(bet.player, bet.box, part.stake) for bet, part in zip(summed, playing, strict=True)]
    assert plays == case.plays


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_does_not_play_goes_back_whole(case: Case) -> None:
    """Settle each example on 6 6 6, where few boxes win."""
    table = taisai.pay_table(case.table)
    settlement = taisai.settle(table, taisai.result_of((6, 6, 6)), case.bets, limits_of(case))
    if any(bet.stake % case.limits["step"] for bet in case.bets):
        assert isinstance(settlement, taisai.Refusal)
        assert settlement.code == "OFF_STEP"
        return
    assert isinstance(settlement, taisai.Settlement)
    for bet, (player, box, stake) in zip(settlement.bets, case.plays, strict=True):
        assert (bet.player, bet.box, bet.playing) == (player, box, stake)
        times = TIMES_BACK_ON_666.get(box, 0)
        assert bet.back == bet.stake - stake + times * stake
        assert bet.outcome == ("returned" if stake == 0 else "win" if times else "lose")


def test_the_examples_cover_what_the_decisions_say() -> None:
    assert len(CASES) >= 40
    assert sum("differential" in case.limits for case in CASES) >= 15
