"""Quick answers equal the full answers byte for byte, or are not given at all."""

import json
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.cli.rules.quick_answers import QuickAnswers
from taisai.cli.rules.round_input import LineError, read_round, settle_round
from taisai.cli.rules.settlements import settlement_answer
from taisai.core.rules.boxes import BOX_NAMES
from taisai.rulebooks import Catalogue

CATALOGUE = Catalogue()
ADDRESSES = ["ts6/1", "ts6/2", "tso5/3", "etg8/2", "etg8/3", "div9/1"]
LANGUAGES = ["en", "zh-Hans"]


@cache
def quick(language: str) -> QuickAnswers:
    """Give one for a whole run, so that its memory of one line affects the next."""
    return QuickAnswers(CATALOGUE, language)


def at_length(line: bytes, language: str) -> bytes | None:
    """Give the full answer to a line; None if the line is wrong."""
    try:
        settled = settle_round(read_round(line, CATALOGUE))
    except LineError:
        return None
    return msgspec.json.encode(settlement_answer(settled, language)) + b"\n"


amounts = st.integers(0, 900).map(lambda steps: steps * 100)
odd_values: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 1.0, "5", -1, 10**24, 10**24 + 1, [], {}, "甲", "a:b"]
)


@st.composite
def limits(draw: st.DrawFn) -> dict[str, Any] | None:
    low, high = sorted((draw(amounts), draw(amounts)))
    asked: dict[str, Any] = {"min": low, "max": high}
    if draw(st.booleans()):
        asked["differential"] = draw(amounts)
    if draw(st.booleans()):
        asked["step"] = draw(st.sampled_from([100, 10, 3, None]))
    if draw(st.booleans()):
        boxes = draw(st.sampled_from(["small", "total", "any-triple", "single-4"]))
        asked["boxes"] = {boxes: {"min": low, "max": draw(st.sampled_from([high, None]))}}
    return asked if draw(st.integers(0, 3)) else None


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a round that is nearly always right, concentrated on a few boxes."""
    address = draw(st.sampled_from(ADDRESSES))
    boxes = list(taisai.pay_table(address).boxes)
    crowded = draw(st.lists(st.sampled_from(boxes), min_size=1, max_size=3))
    bet = st.fixed_dictionaries(
        {
            "player": st.sampled_from(["a", "b", "甲", "", "a:b", '"']),
            "box": st.sampled_from(["small", "big", *crowded]),
            "stake": st.integers(1, 600).map(lambda steps: steps * 100),
        }
    )
    asked: dict[str, Any] = {
        "pay_table": address,
        "dice": draw(st.tuples(*[st.integers(1, 6)] * 3)),
        "bets": draw(st.lists(bet, max_size=8)),
    }
    if draw(st.booleans()):
        asked["limits"] = draw(limits())
    return asked


@st.composite
def wrong_rounds(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a round with one thing about it that may be wrong."""
    asked = draw(rounds())
    parts = [asked, *asked["bets"], *filter(None, [asked.get("limits")])]
    part = draw(st.sampled_from(parts))
    key = draw(st.sampled_from([*part, "more"]))
    if draw(st.booleans()):
        part.pop(key, None)
    else:
        part[key] = draw(odd_values | st.sampled_from([*BOX_NAMES, "domino-21"]))
    return asked


@given(rounds() | wrong_rounds(), st.sampled_from(LANGUAGES), st.booleans())
def test_a_quick_answer_is_the_long_one(
    asked: dict[str, Any], language: str, ascii_only: bool
) -> None:
    line = json.dumps(asked, ensure_ascii=ascii_only).encode()
    answer = quick(language).answer(line)
    assert answer in (None, at_length(line, language))
    # Only a colon in a text makes a line that can be settled one that may have a key twice.
    if answer is None and b":" not in b"".join(line.split(b'": ')):
        assert at_length(line, language) is None


def written(**changes: Any) -> str:
    bets = [{"player": "a", "box": "small", "stake": 1000}]
    return json.dumps({"pay_table": "ts6/2", "dice": [1, 2, 5], "bets": bets, **changes})


USUAL = {"min": 100, "max": 1000, "step": 100}


@pytest.mark.parametrize(
    "line",
    [
        written()[:-1] + ', "dice": [1, 1, 1]}',
        written()[:-1] + ', "limits": null, "limits": null}',
        written(limits=USUAL).replace('"min"', '"min": 0, "min"'),
        written().replace('"box"', '"box": "big", "box"'),
        written() + " x",
        "\ufeff" + written(),
        written(dice=[1, 2, 5.0]),
        written(dice=[True, 2, 5]),
        written(limits={**USUAL, "boxes": {"small": {"mni": 1}}}),
        written(bets=[{"player": "a", "box": "small", "stake": 10**24 + 1}]),
    ],
)
def test_what_may_be_wrong_is_left_to_whoever_says_what_is(line: str) -> None:
    assert quick("en").answer(line.encode()) is None


def test_limits_that_differ_on_every_line_are_not_all_remembered() -> None:
    fresh = QuickAnswers(CATALOGUE, "en")
    for maximum in range(1000, 1600):
        asked = written(limits={"min": 0, "max": maximum * 100, "step": 100}).encode()
        assert fresh.answer(asked) == at_length(asked, "en")
    assert len(fresh._limits) <= 256
