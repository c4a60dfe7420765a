"""Simulation: reproducible, the same from every engine, and near the exact answer."""

from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

import taisai
from taisai.core.rules.bets import Bet
from taisai.core.rules.dice import FACES, RESULTS
from taisai.core.rules.settlement import Settlement, settle
from taisai.maths.engines import philox
from taisai.maths.engines.choice import ENGINES
from taisai.maths.errors import MathsError
from taisai.maths.ruin import ruin_within
from taisai.maths.sessions.exact import session
from taisai.maths.simulation.columns import BETS_MAX, DrawnBets, ListedBets
from taisai.maths.simulation.rounds import ROUNDS_MAX, SlatesInTurn, Tally, simulate, throw
from taisai.maths.simulation.sessions import RepeatedSession, Share, simulate_sessions
from taisai.maths.slates import Slate

#: A right simulation is this many standard errors off once in fifteen thousand times.
FAR = 4.0

SEED = 20_260_301


def slate_of(stakes: dict[str, int], address: str = "etg8/2") -> Slate:
    return Slate.of(taisai.pay_table(address), stakes)


SMALL = slate_of({"small": 1000})
MIXED = slate_of({"single-3": 500, "total-8": 200, "triple-6": 100, "big": 700})


def settled_net(slate: Slate, faces: tuple[int, int, int]) -> int:
    """Give the net of a round as the core settles it."""
    bets = [Bet("a", box, stake) for box, stake in slate.stakes.items()]
    settlement = settle(slate.pay_table, taisai.result_of(faces), bets)
    assert isinstance(settlement, Settlement)
    return settlement.paid - settlement.collected


@pytest.mark.parametrize("engine", ENGINES)
def test_every_round_is_settled_as_the_core_does(engine: str) -> None:
    slates = [SMALL, MIXED, slate_of({"any-triple": 10})]
    nets, results = [], [0] * 56
    for number in range(300):
        first, rest = divmod(philox.draw(SEED, philox.DICE, number, 216), 36)
        faces = (FACES[first], FACES[rest // 6], FACES[rest % 6])
        nets.append(settled_net(slates[number % 3], faces))
        results[taisai.result_of(faces).index] += 1
    played = simulate(slates, 300, SEED, engine=engine)
    assert played.tally == Tally(
        staked=sum(slates[number % 3].staked for number in range(300)),
        net=sum(nets),
        squares=sum(net**2 for net in nets),
        results=tuple(results),
    )
    spread = Fraction(sum(net**2 for net in nets)) - Fraction(sum(nets) ** 2, 300)
    assert played.standard_error == pytest.approx(sqrt(spread / 299 / 300))


def bettings() -> list[Any]:
    table = taisai.pay_table("etg8/2")
    drawn = DrawnBets(table, 50, 100, 10_000)
    laid = drawn.lay(1, 0, 40_000)
    listed = ListedBets(table, laid.boxes, laid.stakes)
    return [SMALL, [SMALL, MIXED], drawn, listed]


@pytest.mark.parametrize("number", range(4))
def test_a_seed_gives_the_same_whatever_plays_it(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    betting = bettings()[number]
    rounds = 40_000
    first = simulate(betting, rounds, SEED, engine="numpy", threads=1)
    for engine, threads in (("numpy", 3), ("numba", 1), ("numba", 3)):
        assert simulate(betting, rounds, SEED, engine=engine, threads=threads).tally == first.tally
    for part in (1_001, 39_999):
        for kind in (SlatesInTurn, DrawnBets, ListedBets):
            monkeypatch.setattr(kind, "part", Fixed(part), raising=False)
        assert simulate(bettings()[number], rounds, SEED).tally == first.tally
    assert simulate(betting, rounds, SEED + 1).tally != first.tally


class Fixed:
    """A part of the test's own size, whatever a bet sets."""

    def __init__(self, part: int) -> None:
        self.part = part

    def __get__(self, betting: object, kind: type) -> int:
        return self.part

    def __set__(self, betting: object, value: int) -> None:
        """Keep the test's size."""


@pytest.mark.parametrize("number", range(4))
def test_the_mean_is_near_the_exact_one(number: int) -> None:
    betting = bettings()[number]
    played = simulate(betting, 40_000, SEED)
    assert abs(played.deviation) < FAR
    assert played.standard_error == pytest.approx(played.exact_standard_error, rel=0.05)
    apart = float(played.mean - played.exact_mean)
    assert played.deviation == pytest.approx(apart / played.exact_standard_error)
    assert sum(played.tally.results) == 40_000


def test_a_wrong_payout_is_found_by_its_distance() -> None:
    # The check above can fail: Total 4 paid at 64 to 1 in place of 62 is far off.
    rounds = 8_000_000
    played = simulate(slate_of({"total-4": 100}, "ts6/2"), rounds, SEED)
    won = sum(played.tally.results[result.index] for result in RESULTS if result.total == 4)
    assert abs(played.deviation) < FAR
    too_much = Tally(played.tally.staked, played.tally.net + 200 * won, 0, ())
    assert msgspec.structs.replace(played, tally=too_much).deviation > FAR


def test_exact_moments_are_those_of_every_round_by_itself() -> None:
    table = taisai.pay_table("etg8/1")
    slates = [
        slate_of({"small": 100, "total-8": 20}, "etg8/1"),
        slate_of({"triple-1": 6}, "etg8/1"),
    ]
    mean, variance = SlatesInTurn(slates).exactly(5)
    assert mean == 3 * slates[0].net.mean + 2 * slates[1].net.mean
    assert variance == 3 * slates[0].net.variance + 2 * slates[1].net.variance
    keys = list(table.boxes)
    boxes = [[keys.index("small"), keys.index("total-8")], [keys.index("triple-1")] * 2]
    listed = ListedBets(table, boxes, [[100, 20], [4, 2]])
    listed_mean, listed_variance = listed.exactly(2)
    assert listed_mean == slates[0].net.mean + slates[1].net.mean
    exact = slates[0].net.variance + slates[1].net.variance
    assert listed_variance == pytest.approx(float(exact), rel=1e-12)


def test_exact_moments_of_drawn_bets_are_those_of_all_that_can_be_drawn() -> None:
    # Two bets among 50 boxes with two stakes: all 10,000 pairs over 56 results.
    table = taisai.pay_table("ts6/1")
    mean, variance = DrawnBets(table, 2, 3, 5, 2).exactly(1)
    singles = [slate_of({key: stake}, "ts6/1").rows for key in table.boxes for stake in (3, 5)]
    weighed = [Fraction(result.throws, 216 * len(singles) ** 2) for result in RESULTS]
    first = second = Fraction(0)
    for index, weight in enumerate(weighed):
        column = np.array([row[index] for row in singles])
        sums = column[:, np.newaxis] + column
        first += weight * int(sums.sum())
        second += weight * int((sums**2).sum())
    assert (mean, variance) == (first, second - first**2)


def test_bets_are_drawn_within_their_bounds_and_evenly() -> None:
    table = taisai.pay_table("etg8/2")
    laid = DrawnBets(table, 20, 100, 108, 4).lay(SEED, 0, 10_000)
    assert sorted(set(laid.stakes.ravel().tolist())) == [100, 104, 108]
    counts = np.bincount(laid.boxes.ravel(), minlength=104)
    assert (abs(counts - 200_000 / 104) < 5 * sqrt(200_000 / 104)).all()
    later = DrawnBets(table, 20, 100, 108, 4).lay(SEED, 400, 7)
    assert later.boxes.tolist() == laid.boxes[400:407].tolist()
    assert later.stakes.tolist() == laid.stakes[400:407].tolist()


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    held = 0
    for seed in range(400):
        low, high = simulate(MIXED, 2_000, seed, threads=1).interval(0.9) or (0.0, 0.0)
        held += low <= float(MIXED.net.mean) <= high
    # Of 400 such intervals 360 hold it, give or take six; four times that is far.
    assert 336 <= held <= 384


def test_one_round_tells_nothing_of_its_error() -> None:
    played = simulate(SMALL, 1, SEED)
    assert (played.standard_error, played.interval()) == (None, None)
    assert played.house_edge in (1, -1)
    with pytest.raises(MathsError, match="a confidence lies between 0 and 1"):
        simulate(SMALL, 2, SEED).interval(1.0)


def test_progress_is_told_to_the_end() -> None:
    told: list[int] = []
    simulate(SMALL, 3_000_000, SEED, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 3_000_000
    assert len(told) > 1


def test_throws_are_the_dice_of_the_simulation() -> None:
    results = throw(SEED, 5000)
    seen = simulate(SMALL, 5000, SEED).tally.results
    assert tuple(results.count(index) for index in range(56)) == seen
    assert throw(SEED, 100, start=4900, engine="numpy") == results[4900:]


def test_sessions_end_ahead_as_often_as_arithmetic_says() -> None:
    # Published to five places for a thousand flat bets on Small: 0.18130.
    single = slate_of({"single-1": 1}, "ts6/2")
    for slate in (slate_of({"small": 1}, "ts6/2"), single):
        played = simulate_sessions(RepeatedSession(slate, 1000), 4000, SEED)
        exact = session(slate, 1000)
        assert abs(played.ahead.deviation(float(exact.ahead))) < FAR
        assert abs(played.behind.deviation(float(exact.behind))) < FAR
        assert played.ahead.count + played.even.count + played.behind.count == 4000
        assert played.ruined is None
        error = sqrt(1000 * 4000 * slate.net.variance)
        assert abs(played.net - 4_000_000 * slate.net.mean) < FAR * error


@pytest.mark.parametrize(
    ("box", "published"), [("small", 0.3534), ("single-4", 0.5449), ("total-4", 0.9169)]
)
def test_banks_are_lost_as_often_as_published(box: str, published: float) -> None:
    slate = slate_of({box: 1}, "ts6/2")
    exact = float(ruin_within(slate, 50, 1000).ruined)
    assert exact == pytest.approx(published, abs=5e-5)
    played = simulate_sessions(RepeatedSession(slate, 1000, 50), 4000, SEED)
    assert played.ruined is not None
    assert abs(played.ruined.deviation(exact)) < FAR


def test_sessions_are_the_same_from_every_engine_and_as_played_one_by_one() -> None:
    slate, rounds, sessions, bank = MIXED, 37, 60, 9_000
    answers = [
        simulate_sessions(
            RepeatedSession(slate, rounds, bank), sessions, 5, engine=engine, threads=threads
        )
        for engine in ENGINES
        for threads in (1, 2)
    ]
    results = throw(5, rounds * sessions)
    net = ruined = 0
    for number in range(sessions):
        left = bank
        for result in results[number * rounds : (number + 1) * rounds]:
            if left < slate.staked:
                break
            left += slate.rows[result]
        ruined += left < slate.staked
        net += left - bank
    for answer in answers:
        assert answer.ruined == Share(ruined, sessions)
        assert answer.net == net
    assert 0 < ruined < sessions


@pytest.mark.parametrize(("count", "of"), [(15, 100), (0, 10), (10, 10), (1, 3), (999, 4000)])
def test_a_share_has_the_interval_that_wilson_gives(count: int, of: int) -> None:
    for confidence in (0.9, 0.95, 0.999):
        reference = stats.binomtest(count, of).proportion_ci(confidence, method="wilson")
        found = Share(count, of).interval(confidence)
        assert found == pytest.approx((reference.low, reference.high), abs=1e-12)
    with pytest.raises(MathsError, match="a confidence lies between 0 and 1"):
        Share(count, of).interval(0.0)


@pytest.mark.parametrize(
    ("rounds", "seed", "sentence"),
    [
        (0, 1, "from 1 to 1,000,000,000,000, not 0"),
        (10**18, 1, "the rounds are a whole number from"),
        (True, 1, "not true"),
        (10, -1, f"a seed is a whole number from 0 to {2**64 - 1:,}, not -1"),
        (10, 2**64, "a seed is a whole number"),
    ],
)
def test_rounds_and_seeds_are_refused(rounds: Any, seed: Any, sentence: str) -> None:
    for ask in (simulate, throw_backwards):
        with pytest.raises(MathsError, match=sentence):
            ask(SMALL, rounds, seed)


def throw_backwards(_: Slate, rounds: int, seed: int) -> list[int]:
    return throw(seed, rounds)


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        ((0, 100, 200), "that a round draws are a whole number from 1 to 1,000, not 0"),
        ((BETS_MAX + 1, 100, 200), "that a round draws are a whole number from 1 to 1,000"),
        ((5, 0, 200), "whole numbers of one or more, not 0"),
        ((5, 101, 201), "multiples of 2, so that every payment of etg8/2 is whole"),
        ((5, 100, 201), "201 is not reached from 100"),
        ((5, 300, 200), "200 is not reached from 300"),
        ((5, 100, 200, 3), "multiples of 2"),
        ((5, 2, 2**40), "stakes are drawn among at most 4,294,967,296"),
        ((1000, 2**40, 2**40), "could bring more than a simulated round may"),
    ],
)
def test_bets_that_cannot_be_drawn_are_refused(drawn: Any, sentence: str) -> None:
    with pytest.raises(MathsError, match=sentence):
        DrawnBets(taisai.pay_table("etg8/2"), *drawn)


def test_other_odd_questions_are_refused() -> None:
    with pytest.raises(MathsError, match="between 1 and 100,000 slates"):
        simulate([], 5, 1)
    with pytest.raises(MathsError, match="lie on one pay table"):
        simulate([SMALL, slate_of({"small": 1}, "ts6/1")], 5, 1)
    table = taisai.pay_table("ts6/2")
    with pytest.raises(MathsError, match="bets are listed for 2 rounds, not 3"):
        simulate(ListedBets(table, [[0], [1]], [[1], [1]]), 3, 1)
    with pytest.raises(MathsError, match="could bring more than a simulated round may"):
        ListedBets(table, [[0]], [[2**46]])


@pytest.mark.parametrize(
    ("repeated", "sessions", "sentence"),
    [
        (RepeatedSession(SMALL, 0), 5, "the rounds are a whole number"),
        (RepeatedSession(SMALL, 10_000_001), 5, "at most 10,000,000 rounds"),
        (RepeatedSession(SMALL, 10), 0, "the sessions are a whole number from 1 to"),
        (RepeatedSession(SMALL, 10_000_000), 10**9, f"together have at most {ROUNDS_MAX:,} rounds"),
        (
            RepeatedSession(SMALL, 10, 999),
            5,
            "covers the stakes of a round: .* from 1,000 to .*, not 999",
        ),
        (RepeatedSession(slate_of({"small": 2**50}), 10), 5, "could pass 64 bits"),
    ],
)
def test_sessions_are_refused_in_a_sentence(
    repeated: RepeatedSession, sessions: int, sentence: str
) -> None:
    with pytest.raises(MathsError, match=sentence):
        simulate_sessions(repeated, sessions, 1)
