"""Sessions in whole numbers: published figures, brute force, and what is refused."""

import random
from fractions import Fraction
from itertools import product

import pytest
from scipy import stats  # type: ignore[import-untyped]

import taisai
from taisai.core.rules.dice import RESULTS
from taisai.maths import Distribution, MathsError, Slate, session
from taisai.maths.distribution import power, sums_at_most
from taisai.maths.sessions.exact import exact_megabytes, is_quick

SMALL = {-1: 111, 1: 105}
SINGLE = {-1: 125, 1: 75, 2: 15, 12: 1}
TOTAL_4 = {-1: 213, 62: 3}


def convolved(weights: dict[int, int], rounds: int) -> dict[int, int]:
    """Add rounds one by one."""
    sums = {0: 1}
    for _ in range(rounds):
        further: dict[int, int] = {}
        for before, ways in sums.items():
            for value, weight in weights.items():
                further[before + value] = further.get(before + value, 0) + ways * weight
        sums = further
    return sums


@pytest.mark.parametrize(
    ("address", "box", "ahead"),
    [
        ("ts6/2", "small", "0.18130"),
        ("etg8/1", "big", "0.18130"),
        ("ts6/2", "single-3", "0.19117"),
        ("div9/2", "total-4", "0.31893"),
        ("etg8/3", "total-17", "0.31893"),
    ],
)
def test_published_chances_of_being_ahead_after_a_thousand_flat_bets(
    address: str, box: str, ahead: str
) -> None:
    slate = Slate.of(taisai.pay_table(address), {box: 1000})
    assert f"{float(session(slate, 1000).ahead):.5f}" == ahead


@pytest.mark.parametrize("weights", [SMALL, SINGLE, TOTAL_4, {5: 2}, {-3: 1, 0: 4, 4: 2, 100: 1}])
@pytest.mark.parametrize("rounds", [1, 2, 3, 17])
def test_the_bankroll_is_that_of_rounds_added_one_by_one(
    weights: dict[int, int], rounds: int
) -> None:
    net = Distribution.from_mapping(weights)
    played, slow = session(net, rounds), Distribution.from_mapping(convolved(weights, rounds))
    assert played.bankroll == slow
    assert (played.mean, played.variance) == (slow.mean, slow.variance)
    assert played.expected_loss == -slow.mean
    assert (played.behind, played.even, played.ahead) == (
        slow.below(0),
        slow.probability(0),
        slow.above(0),
    )
    for share in ("0", "0.05", "0.5", "0.99", "1"):
        assert played.quantile(share) == slow.quantile(share)


def test_two_rounds_of_a_slate_are_all_pairs_of_results() -> None:
    slate = Slate.of(taisai.pay_table("etg8/2"), {"small": 300, "double-2": 20, "total-9": 50})
    rows = list(zip(slate.rows, (result.throws for result in RESULTS), strict=True))
    counted: dict[int, int] = {}
    for (one, ways), (other, others) in product(rows, repeat=2):
        counted[one + other] = counted.get(one + other, 0) + ways * others
    assert session(slate, 2).bankroll == Distribution.from_mapping(counted)


@pytest.mark.parametrize("rounds", [1, 50, 1000, 4000])
def test_two_amounts_are_the_binomial_of_scipy(rounds: int) -> None:
    bankroll = session(Distribution.from_mapping(SMALL), rounds).bankroll
    assert len(bankroll) == rounds + 1
    binomial = stats.binom(rounds, 105 / 216)
    for wins in {0, 1, rounds // 2, rounds}:
        exact = float(bankroll.probability(2 * wins - rounds))
        assert exact == pytest.approx(binomial.pmf(wins), rel=1e-9, abs=1e-300)


def test_the_last_tail_is_as_exact_as_the_middle() -> None:
    bankroll = session(Distribution.from_mapping(SINGLE), 1000).bankroll
    assert bankroll.probability(12_000) == Fraction(1, 216) ** 1000
    assert bankroll.probability(11_990) == 1000 * Fraction(15, 216) * Fraction(1, 216) ** 999
    assert bankroll.probability(-1000) == Fraction(125, 216) ** 1000
    assert sum(bankroll.weights) == bankroll.total


def test_degrees_that_lie_far_apart_are_visited_alone() -> None:
    source = random.Random(5)  # noqa: S311 - seeded, nothing secret
    for _ in range(40):
        degrees = sorted(source.sample(range(1, source.choice([8, 40, 10**6])), 3))
        terms = [(0, 3), *((degree, source.randrange(1, 9)) for degree in degrees)]
        rounds = source.randrange(1, 8)
        found = power(terms, rounds)
        assert dict(found) == convolved(dict(terms), rounds)
        assert [degree for degree, _ in found] == sorted(dict(found))
        assert len(found) <= sums_at_most(terms, rounds)


def test_stakes_of_no_common_measure_are_played_exactly_all_the_same() -> None:
    table = taisai.pay_table("ts6/2")
    slate = Slate.of(table, {"small": 1_000_003, "any-triple": 77_777})
    played = session(slate, 100)
    assert played.bankroll.mean == -100 * slate.expected_loss
    assert played.bankroll.variance == 100 * slate.net.variance
    assert len(played.bankroll) == 101 * 102 // 2


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        (0, "from 1 to 10,000,000,000"),
        (-1, "from 1 to 10,000,000,000"),
        (1.5, "the rounds are a whole number"),
        (True, "the rounds are a whole number"),
        (10**18, "from 1 to 10,000,000,000"),
        (10**5, "15437 MB, over 1024 MB; play fewer, or ask for the float form"),
        (10**10, "more than a million MB"),
    ],
)
def test_numbers_of_rounds_that_cannot_be_played_are_refused(rounds: int, sentence: str) -> None:
    with pytest.raises(MathsError, match=sentence):
        session(Distribution.from_mapping(SMALL), rounds)


def test_the_estimate_of_memory_is_an_upper_bound() -> None:
    net = Distribution.from_mapping(SINGLE)
    bankroll = session(net, 1000).bankroll
    taken = sum(weight.bit_length() for weight in bankroll.weights) / 8 / 10**6
    assert 2 * taken <= exact_megabytes(net, 1000) <= 6 * taken
    assert is_quick(net, 1000)
    assert not is_quick(net, 10_000)


def test_what_is_no_slate_is_refused() -> None:
    with pytest.raises(MathsError, match="played with a Slate, or a Distribution"):
        session({"small": 100}, 5)  # type: ignore[arg-type]


def test_it_says_what_it_is() -> None:
    played = session(Distribution.from_mapping(SMALL), 3)
    assert repr(played) == "<Session of 3 rounds of <Distribution {-1: 37/72, 1: 35/72}>>"
