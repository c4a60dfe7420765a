"""Plans compared with players who follow them by hand, over every sequence of results."""

import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

import msgspec
import pytest

from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.paytable import BettingBox
from taisai.maths.errors import MathsError
from taisai.maths.plans.plan import PLANS, AtMaximum, CannotPay, Plan, labouchere, plan_named
from taisai.maths.plans.play import play_plan
from taisai.maths.plans.result import Method, Played
from taisai.maths.plans.sitting import Ending, Sitting, cells_of, play_of
from taisai.maths.ruin import ruin_within
from taisai.maths.slates import Slate
from taisai.rulebooks import pay_table

TS6 = pay_table("ts6/1")
ETG8 = pay_table("etg8/1")


class Hand:
    """A player who follows a plan with pencil and paper, without the program's state machines."""

    def __init__(self, plan: str) -> None:
        self.plan = plan
        self.begin()

    def begin(self) -> None:
        self.units, self.streak, self.line = 1, 0, [1, 2, 3, 4]
        self.numbers = [1, 1]

    def asks(self) -> int:
        match self.plan:
            case "labouchere":
                return sum({0: self.line[0], len(self.line) - 1: self.line[-1]}.values())
            case "fibonacci":
                return self.numbers[-2]
            case _:
                return self.units

    def wins(self) -> None:
        match self.plan:
            case "martingale":
                self.units = 1
            case "dalembert":
                self.units -= self.units > 1
            case "fibonacci":
                self.numbers = self.numbers[:-2] if len(self.numbers) > 3 else [1, 1]
            case "labouchere":
                self.line = self.line[1:-1] or [1, 2, 3, 4]
            case "paroli":
                self.streak += 1
                self.units *= 2
                if self.streak == 3:
                    self.begin()

    def loses(self) -> None:
        match self.plan:
            case "martingale":
                self.units *= 2
            case "dalembert":
                self.units += 1
            case "fibonacci":
                self.numbers.append(self.numbers[-1] + self.numbers[-2])
            case "labouchere":
                self.line.append(self.asks())
            case "paroli":
                self.begin()


class Evening(NamedTuple):
    """The outcome of a player by hand."""

    bank: int
    ending: Ending
    stakes: tuple[int, ...]
    held: int


def by_hand(plan: Plan, results: tuple[Fraction | None, ...], sitting: Sitting) -> Evening:
    """Follow a plan through results, each given as the paid odds or None."""
    limits = sitting.limits
    assert limits is not None
    hand, bank, stakes, held = Hand(plan.name), sitting.bank, list[int](), 0
    ending = Ending.PLAYING
    for odds in results:
        asked = hand.asks() * sitting.unit
        over = asked > limits.maximum
        if over and plan.at_maximum is AtMaximum.RESTART:
            hand.begin()
        stake = min(hand.asks() * sitting.unit, limits.maximum)
        if stake > bank and plan.cannot_pay is CannotPay.REST:
            stake = bank
        elif stake > bank and plan.cannot_pay is CannotPay.RESTART:
            hand.begin()
            stake = hand.asks() * sitting.unit
            over_then, over = over, False
            held += over_then
        stakes.append(stake)
        held += over
        if odds is None:
            bank -= stake
            if not (over and plan.at_maximum is AtMaximum.HOLD):
                hand.loses()
        else:
            bank += int(stake * odds)
            hand.wins()
        ending = _ending(plan, hand, bank, sitting)
        if ending is not Ending.PLAYING:
            break
    return Evening(bank, ending, tuple(stakes), held)


def _ending(plan: Plan, hand: Hand, bank: int, sitting: Sitting) -> Ending:
    limits = sitting.limits
    assert limits is not None
    if sitting.target is not None and bank >= sitting.target:
        return Ending.REACHED
    asked = hand.asks() * sitting.unit
    over = asked > limits.maximum
    if over and plan.at_maximum is AtMaximum.STOP:
        return Ending.STOPPED
    first = Hand(plan.name).asks() * sitting.unit
    if over:
        asked = first if plan.at_maximum is AtMaximum.RESTART else limits.maximum
    least = {
        CannotPay.STOP: asked,
        CannotPay.REST: limits.minimum,
        CannotPay.RESTART: first,
    }[plan.cannot_pay]
    return Ending.RUINED if bank < min(asked, least) else Ending.PLAYING


def ways_of(box: BettingBox) -> list[tuple[Fraction | None, int]]:
    """List the odds of a box with their ways of 216 throws, straight from its row."""
    throws: dict[Fraction | None, int] = {}
    for result in RESULTS:
        odds = box.odds_on(result)
        throws[odds] = throws.get(odds, 0) + result.throws
    return list(throws.items())


def assert_as_by_hand(box: str, plan: Plan, sitting: Sitting, played: Played) -> None:
    """Compare an exact answer with every sequence played by hand."""
    ways = ways_of(TS6.boxes[box])
    largest = played.betting.largest_stake
    sums = dict.fromkeys(("turnover", "bets", "held", "met", "most"), 0)
    banks: dict[int, int] = {}
    endings = dict.fromkeys(Ending, 0)
    seen = 0
    for sequence in product(ways, repeat=sitting.rounds):
        throws = prod(one for _, one in sequence)
        evening = by_hand(plan, tuple(odds for odds, _ in sequence), sitting)
        banks[evening.bank] = banks.get(evening.bank, 0) + throws
        endings[evening.ending] += throws
        sums["turnover"] += throws * sum(evening.stakes)
        sums["bets"] += throws * len(evening.stakes)
        sums["held"] += throws * evening.held
        sums["met"] += throws * (evening.held > 0 or evening.ending is Ending.STOPPED)
        sums["most"] += throws * (max(evening.stakes) == largest)
        seen = max(seen, *evening.stakes)
    every = 216**sitting.rounds
    betting = played.betting
    assert dict(played.final) == {bank: Fraction(n, every) for bank, n in banks.items()}
    assert {ending: figure.value * every for ending, figure in played.endings.items()} == endings
    assert seen == largest
    assert (
        betting.turnover.value,
        betting.bets.value,
        betting.held.value,
        betting.met_maximum.value,
        betting.largest_met.value,
    ) == tuple(Fraction(each, every) for each in sums.values())
    ahead = sum(n for bank, n in banks.items() if bank > sitting.bank)
    assert played.ahead.value == Fraction(ahead, every)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("at_maximum", AtMaximum)
@pytest.mark.parametrize("cannot_pay", CannotPay)
@pytest.mark.parametrize("target", [None, 1_500])
def test_a_plan_is_what_all_sequences_come_to(
    name: str, at_maximum: AtMaximum, cannot_pay: CannotPay, target: int | None
) -> None:
    plan = msgspec.structs.replace(plan_named(name), at_maximum=at_maximum, cannot_pay=cannot_pay)
    # Tight enough that every plan comes to its maximum, its bank's end or its target.
    sitting = Sitting(100, 1_100, 7, LimitsAsked(100, 600, step=100), target)
    played = play_plan(TS6, "small", plan, sitting)
    assert played.how.method is Method.EXACT
    assert_as_by_hand("small", plan, sitting, played)


@pytest.mark.parametrize("name", PLANS)
def test_a_box_with_several_prices_is_followed_too(name: str) -> None:
    plan = plan_named(name)
    sitting = Sitting(100, 900, 4, LimitsAsked(100, 700, step=100))
    assert_as_by_hand("single-3", plan, sitting, play_plan(TS6, "single-3", plan, sitting))


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize(
    ("table", "box"),
    [(TS6, "small"), (TS6, "single-3"), (TS6, "any-triple"), (ETG8, "total-8"), (ETG8, "odd")],
)
def test_no_plan_changes_the_edge(name: str, table: Any, box: str) -> None:
    for at_maximum, cannot_pay in ((AtMaximum.HOLD, CannotPay.REST), (AtMaximum.STOP, "stop")):
        plan = msgspec.structs.replace(
            plan_named(name), at_maximum=at_maximum, cannot_pay=CannotPay(cannot_pay)
        )
        sitting = Sitting(200, 5_000, 14, LimitsAsked(200, 1_800), target=9_000)
        played = play_plan(table, box, plan, sitting, Method.EXACT)
        edge = table.boxes[box].house_edge
        assert played.expected_loss.value == edge * played.turnover.value
        assert played.turnover.value > 0


@pytest.mark.parametrize(
    ("box", "published"), [("small", "0.3534"), ("single-3", "0.5449"), ("total-4", "0.9169")]
)
def test_flat_bets_are_ruined_as_published(box: str, published: str) -> None:
    played = play_plan(TS6, box, plan_named("flat"), Sitting(1, 50, 1_000))
    assert f"{float(played.ruined):.4f}" == published


def test_flat_bets_end_ahead_as_published() -> None:
    played = play_plan(TS6, "small", plan_named("flat"), Sitting(1, 1_000, 1_000))
    assert f"{float(played.ahead):.5f}" == "0.18130"
    assert played.ruined.value == Fraction(37, 72) ** 1_000


def test_flat_bets_are_the_same_slate_every_round() -> None:
    played = play_plan(TS6, "single-3", plan_named("flat"), Sitting(100, 1_000, 60))
    assert played.ruined == ruin_within(Slate.of(TS6, {"single-3": 100}), 1_000, 60).ruined


@pytest.mark.parametrize("name", [name for name in PLANS if name != "labouchere"])
@pytest.mark.parametrize("box", ["small", "single-3"])
def test_floats_lie_around_the_integers(name: str, box: str) -> None:
    sitting = Sitting(100, 3_000, 24, LimitsAsked(100, 1_000))
    exact = play_plan(TS6, box, plan_named(name), sitting, Method.EXACT)
    floats = play_plan(TS6, box, plan_named(name), sitting, Method.BOUNDED)
    assert floats.how.method is Method.BOUNDED
    for pick in FIGURES:
        one, other = pick(exact), pick(floats)
        assert other.low <= one.value <= other.high
        assert other.error <= 1e-7
    assert [floats.final.quantile(share) for share in ("0.05", "0.5", "0.95")] == [
        exact.final.quantile(share) for share in ("0.05", "0.5", "0.95")
    ]


FIGURES: list[Callable[[Played], Any]] = [
    lambda played: played.ahead,
    lambda played: played.even,
    lambda played: played.behind,
    lambda played: played.ruined,
    lambda played: played.expected_loss,
    lambda played: played.turnover,
    lambda played: played.betting.bets,
    lambda played: played.betting.held,
    lambda played: played.betting.met_maximum,
    lambda played: played.betting.largest_met,
]


@pytest.mark.parametrize("cannot_pay", CannotPay)
@pytest.mark.parametrize("at_maximum", AtMaximum)
@pytest.mark.parametrize("name", ["martingale", "labouchere"])
def test_a_simulation_finds_what_is_exact(
    name: str, at_maximum: AtMaximum, cannot_pay: CannotPay
) -> None:
    plan = msgspec.structs.replace(plan_named(name), at_maximum=at_maximum, cannot_pay=cannot_pay)
    sitting = Sitting(100, 2_000, 14, LimitsAsked(100, 700), target=2_600)
    exact = play_plan(TS6, "single-3", plan, sitting, Method.EXACT)
    simulated = play_plan(TS6, "single-3", plan, sitting, Method.SIMULATED, seed=7)
    assert simulated.how.players == 100_000
    assert simulated.betting.largest_stake == exact.betting.largest_stake
    for pick in FIGURES:
        one, other = pick(exact), pick(simulated)
        # Twice the interval of 99 in 100: five standard errors, for about two hundred figures.
        slack = other.error
        assert other.low - slack <= one.value <= other.high + slack


def test_a_simulation_follows_from_its_seed() -> None:
    sitting = Sitting(100, 2_000, 6, LimitsAsked(100, 700))
    plan = plan_named("fibonacci")
    first, same, other = (
        play_plan(TS6, "single-3", plan, sitting, Method.SIMULATED, seed=seed) for seed in (1, 1, 2)
    )
    assert first.final == same.final
    assert first.final != other.final


def test_a_line_with_no_end_of_states_is_simulated_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("play", "sitting"):
        monkeypatch.setattr(f"taisai.maths.plans.{module}.CELLS_MAX", 25_000)
    sitting = Sitting(100, 10_000, 60, LimitsAsked(100, 5_000))
    played = play_plan(TS6, "small", labouchere(), sitting, seed=3)
    assert played.how.method is Method.SIMULATED
    assert "more than 25000 states" in played.how.why
    assert played.how.confidence == 0.99
    by_edge = played.turnover.value * played.house_edge
    assert played.expected_loss.low - played.expected_loss.error <= by_edge
    assert by_edge <= played.expected_loss.high + played.expected_loss.error


def test_long_integers_are_passed_over_for_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.maths.plans.exact.WORK_MAX", 1_000)
    sitting = Sitting(100, 2_000, 20, LimitsAsked(100, 700))
    played = play_plan(TS6, "small", plan_named("martingale"), sitting)
    assert played.how.method is Method.BOUNDED
    assert "too long" in played.how.why
    with pytest.raises(MathsError, match="cannot be counted exactly"):
        play_plan(TS6, "small", plan_named("martingale"), sitting, Method.EXACT)
    monkeypatch.setattr("taisai.maths.plans.float_bounds.WORK_MAX", 1_000)
    played = play_plan(TS6, "small", plan_named("martingale"), sitting)
    assert played.how.method is Method.SIMULATED
    with pytest.raises(MathsError, match="without simulation"):
        play_plan(TS6, "small", plan_named("martingale"), sitting, Method.BOUNDED)


def test_cells_that_only_the_last_round_comes_to_make_no_bet() -> None:
    play = play_of(TS6, "small", plan_named("flat"), Sitting(1, 10, 3))
    cells = cells_of(play)
    assert cells is not None
    assert {bank for _, bank in cells.places} == set(range(7, 14))
    assert len(cells.stakes) == 5


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"box": "total-3"}, "total-3"),
        ({"rounds": 0}, "the rounds are a whole number from 1 to"),
        ({"rounds": 10**18}, "the rounds are a whole number from 1 to"),
        ({"unit": 0}, "the unit is a whole number"),
        ({"bank": -5}, "the bank is a whole number"),
        ({"target": 1_000}, "reached already"),
        ({"unit": 50}, "below the minimum"),
        ({"unit": 150}, "multiples of 100"),
        ({"unit": 2_000, "bank": 10_000}, "passes the maximum"),
        ({"bank": 150, "unit": 200}, "cannot pay the first stake"),
        ({"limits": LimitsAsked(500, 100)}, "minimum"),
        ({"seed": -1}, "a seed is"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    changes: dict[str, Any], sentence: str
) -> None:
    asked: dict[str, Any] = {
        "box": "small",
        "unit": 100,
        "bank": 1_000,
        "rounds": 10,
        "limits": LimitsAsked(100, 1_000, step=50 if changes.get("unit") == 50 else 100),
        "seed": 0,
    } | changes
    box, seed = asked.pop("box"), asked.pop("seed")
    with pytest.raises(MathsError, match=sentence):
        play_plan(TS6, box, plan_named("martingale"), Sitting(**asked), seed=seed)


def test_a_plan_that_nobody_has_heard_of_is_refused() -> None:
    with pytest.raises(MathsError, match="there are flat, martingale"):
        plan_named("oscar")
    with pytest.raises(MathsError, match="a line has"):
        labouchere([])
    with pytest.raises(MathsError, match="a line has"):
        labouchere([1, 0])


def test_banks_past_64_bits_are_counted_but_not_simulated() -> None:
    huge = 10**20
    sitting = Sitting(huge, 4 * huge, 3)
    played = play_plan(TS6, "small", plan_named("flat"), sitting)
    assert played.expected_loss.value == played.turnover.value / 36
    with pytest.raises(MathsError, match="too large to simulate"):
        play_plan(TS6, "small", plan_named("flat"), sitting, Method.SIMULATED)


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "taisai.maths.plans.simulation", None)
    with pytest.raises(MathsError, match=r"taisai\[maths\]"):
        play_plan(TS6, "small", plan_named("flat"), Sitting(1, 9, 9), Method.SIMULATED)
    monkeypatch.setitem(sys.modules, "taisai.maths.plans.float_bounds", None)
    with pytest.raises(MathsError, match=r"taisai\[maths\]"):
        play_plan(TS6, "small", plan_named("flat"), Sitting(1, 9, 9), Method.BOUNDED)
