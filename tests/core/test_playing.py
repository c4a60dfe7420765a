"""How a player is told how much of a bet outside the limits plays."""

import pytest

import taisai
from taisai.core.kernel.messages import PlayedPart
from taisai.core.rules.apportionment import Apportionment, clause_of, why_part


@pytest.mark.parametrize(
    ("by", "playing", "told"),
    [
        ("maximum", 5_000, "of 60.00 on Big, 50.00 plays: the box lies above its maximum"),
        ("differential", 4_000, "of 60.00 on Big, 40.00 plays: this side lies beyond"),
        ("under-minimum", 6_000, "60.00 on Big is below the minimum; nobody noticed in time"),
        ("exempt", 6_000, "60.00 on Big is below the minimum; the box is over its limit"),
        ("exempt-differential", 6_000, "60.00 on Big is below the minimum; this side lies beyond"),
    ],
)
def test_each_player_is_told_how_much_plays_and_why(by: str, playing: int, told: str) -> None:
    part = PlayedPart("7", "big", 6_000, playing, by, "5.1.1")
    assert taisai.say(why_part(part)).startswith(f"seat 7: {told}")


def test_a_bet_that_plays_whole_has_no_clause_and_the_differential_cites_the_decision() -> None:
    rules = taisai.rulebook("ts6").content.limits
    cited = {by.name: clause_of(rules, by) for by in Apportionment}
    assert cited == {
        "WHOLE": None,
        "RULED": None,
        "UNDER_MINIMUM": "5.2.1",
        "EXEMPT": "5.1.2",
        "EXEMPT_DIFFERENTIAL": "D3",
        "MAXIMUM": "5.1.1",
        "DIFFERENTIAL": "5.1.1",
        "WHOLE_CHIPS": "D22",
    }
