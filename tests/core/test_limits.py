"""Limits are checked when set, bets when settled: each refusal is a sentence."""

from typing import Any

import pytest

import taisai
from taisai.core.rules.limits import BoxLimits, Limits


def setting(**changes: Any) -> taisai.LimitsAsked:
    amounts: dict[str, Any] = {"minimum": 1000, "maximum": 100000, "step": 100}
    return taisai.LimitsAsked(**{**amounts, **changes})


def refusal(address: str, **changes: Any) -> tuple[str, str]:
    refused = taisai.set_limits(taisai.pay_table(address), setting(**changes))
    assert isinstance(refused, taisai.Refusal)
    return refused.code, taisai.say(refused.reason)


def in_force(address: str, **changes: Any) -> Limits:
    limits = taisai.set_limits(taisai.pay_table(address), setting(**changes))
    assert isinstance(limits, Limits)
    return limits


@pytest.mark.parametrize(
    ("address", "changes", "code", "sentence"),
    [
        (
            "ts6/2",
            {"step": 0},
            "BAD_LIMITS",
            "the limits' step is 0; a positive whole number of minor units is right",
        ),
        (
            "ts6/2",
            {"step": True},
            "BAD_LIMITS",
            "the limits' step is true; a positive whole number of minor units is right",
        ),
        (
            "etg8/1",
            {"minimum": 5, "maximum": 100, "step": 5},
            "BAD_LIMITS",
            "a step of 0.05 would leave parts of a cent to pay; a multiple of 0.02 is right",
        ),
        (
            "ts6/2",
            {"minimum": -100},
            "BAD_LIMITS",
            "the limits' min is -100; a whole number of minor units, from zero to 10^24, is right",
        ),
        (
            "ts6/2",
            {"maximum": 100050},
            "BAD_LIMITS",
            "the limits' max of 1,000.50 is off the step; a multiple of 1.00 is right",
        ),
        (
            "ts6/2",
            {"differential": 50},
            "BAD_LIMITS",
            "the limits' differential of 0.50 is off the step; a multiple of 1.00 is right",
        ),
        (
            "ts6/2",
            {"boxes": {"any-triple": (50, None)}},
            "BAD_LIMITS",
            "the limits' boxes.any-triple.min of 0.50 is off the step; a multiple of 1.00 is right",
        ),
        (
            "ts6/2",
            {"boxes": {"pair": (None, 50)}},
            "BAD_LIMITS",
            "the limits' boxes.pair.max of 0.50 is off the step; a multiple of 1.00 is right",
        ),
        (
            "ts6/2",
            {"minimum": 200000},
            "BAD_LIMITS",
            "the limits put the minimum, 2,000.00, above the maximum, 1,000.00",
        ),
        (
            "ts6/2",
            {"boxes": {"small": (None, 500)}},
            "BAD_LIMITS",
            "the limits put the minimum of Small, 10.00, above its maximum, 5.00",
        ),
        (
            "ts6/1",
            {"boxes": {"four": (None, 5000)}},
            "BOX_NOT_ON_TABLE",
            "ts6/1 takes no bets of kind four; 'taisai odds ts6/1' lists those it takes",
        ),
        (
            "ts6/1",
            {"boxes": {"odd": (None, 5000)}},
            "BOX_NOT_ON_TABLE",
            "ts6/1 has no betting box Odd; 'taisai odds ts6/1' lists those it has",
        ),
        (
            "ts6/1",
            {"boxes": {"trple-4": (None, 5000)}},
            "UNKNOWN_BOX",
            (
                "there is no betting box trple-4; boxes are named like small, total-8, "
                "domino-12 or three-221"
            ),
        ),
    ],
)
def test_limits_that_cannot_be_are_refused(
    address: str, changes: dict[str, Any], code: str, sentence: str
) -> None:
    assert refusal(address, **changes) == (code, sentence)


def test_a_box_goes_before_its_kind_and_a_kind_before_the_table() -> None:
    overrides = {"pair": (2000, 3000), "three-221": (None, 4000), "any-triple": (500, None)}
    limits = in_force("ts6/2", boxes=overrides)
    assert limits.of("three-223") == BoxLimits(2000, 3000)
    assert limits.of("three-221") == BoxLimits(2000, 4000)
    assert limits.of("any-triple") == BoxLimits(500, 100000)
    assert limits.of("three-126") == limits.of("small") == BoxLimits(1000, 100000)


@pytest.mark.parametrize(("address", "step"), [("ts6/3", 1), ("etg8/1", 2), ("div9/2", 1)])
def test_the_step_not_given_is_the_smallest_that_pays_whole(address: str, step: int) -> None:
    assert in_force(address, step=None).step == step


@pytest.mark.parametrize(
    ("box", "stake", "sentence"),
    [
        ("domino-21", 100, "there is no betting box domino-21; domino-12 is one"),
        ("DOMINO_1", 100, "there is no betting box DOMINO_1; boxes are named like small, total-8"),
        ("odd", 100, "ts6/1 has no betting box Odd"),
        (
            "small",
            0,
            "the stake on Small is 0; a positive whole number of minor units, at most 10^24",
        ),
        ("small", -1, "the stake on Small is -1; a positive whole number"),
        ("small", True, "the stake on Small is true; a positive whole number"),
    ],
)
def test_bets_that_cannot_be_are_refused(box: str, stake: int, sentence: str) -> None:
    bets = [taisai.Bet("ann", "big", 100), taisai.Bet("ann", box, stake)]
    refused = taisai.settle(taisai.pay_table("ts6/1"), taisai.result_of((1, 2, 3)), bets)
    assert isinstance(refused, taisai.Refusal)
    assert taisai.say(refused.reason).startswith(sentence)


def test_a_stake_off_the_step_is_refused_with_the_step() -> None:
    bets = [taisai.Bet("ann", "total-8", 101)]
    refused = taisai.settle(taisai.pay_table("etg8/1"), taisai.result_of((1, 2, 3)), bets)
    assert isinstance(refused, taisai.Refusal)
    assert taisai.say(refused.reason) == (
        "1.01 on Total 8 is off the step; a multiple of 0.02 is right"
    )


def test_limits_of_another_pay_table_whose_step_leaves_parts_of_a_cent_are_refused() -> None:
    limits = in_force("etg8/3", minimum=1, maximum=99, step=1)
    bets = [taisai.Bet("ann", "total-8", 5)]
    refused = taisai.settle(taisai.pay_table("etg8/1"), taisai.result_of((1, 2, 3)), bets, limits)
    assert isinstance(refused, taisai.Refusal)
    assert refused.code == "BAD_LIMITS"
