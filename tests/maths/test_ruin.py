"""Ruin against published figures, brute force over all sequences, closed forms and bare loops."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError
from taisai.maths.ruin import RuinWithin, ruin_within
from taisai.maths.ruin.ever import expected_rounds, ruin_ever, target_first, target_first_and_rounds
from taisai.maths.ruin.within import ROUNDS_MAX
from taisai.maths.simulation.sessions import RepeatedSession, simulate_sessions
from taisai.maths.slates import Slate
from taisai.rulebooks import pay_table

UNIT = 100
TS6 = pay_table("ts6/1")
SMALL = Slate.of(TS6, {"small": UNIT})
SINGLE = Slate.of(TS6, {"single-3": UNIT})
TOTAL_4 = Slate.of(TS6, {"total-4": UNIT})
MIXED = Slate.of(TS6, {"small": 200, "single-3": 100, "total-4": 50})
#: A half-point of odds: a loss is two levels, a win seventeen.
HALVES = Slate.of(pay_table("etg8/1"), {"total-8": 2})

small_nets = st.dictionaries(st.integers(-4, 5), st.integers(1, 6), min_size=2, max_size=4).filter(
    lambda weights: min(weights) < 0 < max(weights)
)


def by_brute_force(
    net: Distribution, bank: int, stake: int, rounds: int, target: int | None = None
) -> tuple[Fraction, Fraction, list[Fraction]]:
    """Try every sequence of results: the chances of ruin and target, and of ruin in each round."""
    ruined, reached, in_round = Fraction(0), Fraction(0), [Fraction(0)] * rounds
    for results in product(net, repeat=rounds):
        chance, has = Fraction(1), bank
        for _, one in results:
            chance *= one
        for played, (value, _) in enumerate(results):
            has += value
            if target is not None and has >= target:
                reached += chance
                break
            if has < stake:
                ruined += chance
                in_round[played] += chance
                break
    return ruined, reached, in_round


@pytest.mark.parametrize(
    ("slate", "published"), [(SMALL, "0.3534"), (SINGLE, "0.5449"), (TOTAL_4, "0.9169")]
)
def test_a_bank_of_fifty_units_within_a_thousand_rounds(slate: Slate, published: str) -> None:
    found = ruin_within(slate, 50 * UNIT, 1_000)
    assert found.exact
    assert f"{float(found.ruined):.4f}" == published
    assert found.ruined.value + found.playing.value == 1


@given(small_nets, st.integers(0, 6), st.integers(1, 4))
def test_within_is_what_all_sequences_come_to(
    weights: dict[int, int], above: int, rounds: int
) -> None:
    net = Distribution.from_mapping(weights)
    stake = -net.values[0]
    ruined, _, in_round = by_brute_force(net, stake + above, stake, rounds)
    found = ruin_within(net, stake + above, rounds)
    assert found.exact
    assert found.ruined.value == ruined
    assert list(found.by_round) == pytest.approx([float(chance) for chance in in_round])


@given(small_nets, st.integers(0, 6), st.integers(1, 6), st.integers(1, 4))
def test_within_with_a_target_is_what_all_sequences_come_to(
    weights: dict[int, int], above: int, further: int, rounds: int
) -> None:
    net = Distribution.from_mapping(weights)
    stake = -net.values[0]
    bank = stake + above
    ruined, reached, _ = by_brute_force(net, bank, stake, rounds, bank + further)
    found = ruin_within(net, bank, rounds, target=bank + further)
    assert (found.ruined.value, found.reached.value) == (ruined, reached)
    assert found.playing.value == 1 - ruined - reached


def test_within_of_a_slate_counts_what_lies_on_the_table_as_its_stake() -> None:
    # Small and Big together lose 200 on a triple only, but the bank must have 200 to bet them.
    slate = Slate.of(TS6, {"small": 100, "big": 100})
    found = ruin_within(slate, 399, 2)
    assert found.ruined.value == 1 - Fraction(35, 36) ** 2
    assert ruin_within(slate, 400, 1).ruined.value == 0


def first_passage(levels: int, rounds: int) -> Fraction:
    """Count Small's ruin by the hitting-time theorem: levels / n of the ways to be there at n."""
    ruined = Fraction(0)
    for played in range(levels, rounds + 1, 2):
        wins = (played - levels) // 2
        ways = Fraction(comb(played, wins) * 35**wins * 37 ** (played - wins), 72**played)
        ruined += Fraction(levels, played) * ways
    return ruined


def test_small_agrees_with_the_hitting_time_theorem() -> None:
    assert ruin_within(SMALL, 20 * UNIT, 200).ruined.value == first_passage(20, 200)


def test_simulated_sessions_are_ruined_as_often_as_they_should_be() -> None:
    played = simulate_sessions(RepeatedSession(MIXED, 150, 6_000), 20_000, seed=11, threads=1)
    chance = float(ruin_within(MIXED, 6_000, 150).ruined)
    assert played.ruined is not None
    error = (chance * (1 - chance) / 20_000) ** 0.5
    assert 0.1 < chance < 0.9
    assert abs(played.ruined.count / 20_000 - chance) < 4 * error


def test_the_round_of_ruin_has_the_quantiles_of_its_chances() -> None:
    found = ruin_within(SMALL, 5 * UNIT, 200)
    cumulative = 0.0
    rounds: dict[float, int] = {}
    for played, chance in enumerate(found.by_round, start=1):
        cumulative += chance
        for share in (0.1, 0.25, 0.5):
            if cumulative >= share:
                rounds.setdefault(share, played)
    assert {share: found.quantile(share) for share in (0.1, 0.25, 0.5)} == rounds
    assert found.quantile("0.999") is None
    with pytest.raises(MathsError, match="above 0"):
        found.quantile(0)
    with pytest.raises(MathsError, match="no share"):
        found.quantile("half")


@pytest.mark.parametrize(("bank", "target"), [(50, 100), (10, 30), (3, 4)])
def test_small_reaches_a_target_as_the_gamblers_ruin_says(bank: int, target: int) -> None:
    ratio = Fraction(37, 35)
    expected = (ratio**bank - 1) / (ratio**target - 1)
    first, rounds = target_first_and_rounds(SMALL, bank * UNIT, target * UNIT)
    assert first.exact
    assert first.value == expected
    # The average win, over the average win of a round, is the average duration.
    assert rounds.value == (target * expected - bank) / Fraction(-1, 36)
    assert target_first(SMALL, bank * UNIT, target * UNIT) == first
    assert expected_rounds(SMALL, bank * UNIT, target=target * UNIT) == rounds


def dense(steps: Distribution, ceiling: int, outside: Sequence[int], each: int) -> list[Fraction]:
    """Solve the equations of leaving by plain elimination of fractions, for every level."""
    ruin, top = outside
    rows = []
    for level in range(ceiling):
        row = [Fraction(int(level == other)) for other in range(ceiling)]
        right = Fraction(each)
        for value, chance in steps:
            if 0 <= level + value < ceiling:
                row[level + value] -= chance
            else:
                right += chance * (ruin if level + value < 0 else top)
        rows.append([*row, right])
    for place in range(ceiling):
        pivot = rows[place][place]
        rows[place] = [part / pivot for part in rows[place]]
        for other in range(ceiling):
            if other != place and rows[other][place]:
                factor = rows[other][place]
                rows[other] = [
                    mine - factor * theirs
                    for mine, theirs in zip(rows[other], rows[place], strict=True)
                ]
    return [row[-1] for row in rows]


@given(small_nets, st.integers(0, 8), st.integers(1, 8))
def test_leaving_is_what_plain_elimination_gives(
    weights: dict[int, int], above: int, further: int
) -> None:
    net = Distribution.from_mapping(weights)
    stake = -net.values[0]
    bank, target = stake + above, stake + above + further
    first, rounds = target_first_and_rounds(net, bank, target)
    assert first.exact
    assert first.value == dense(net, above + further, (0, 1), 0)[above]
    assert rounds.value == dense(net, above + further, (0, 0), 1)[above]


def test_every_bank_is_ruined_where_the_venue_has_an_edge() -> None:
    for slate in (SMALL, SINGLE, TOTAL_4, MIXED, HALVES):
        assert ruin_ever(slate, 10_000).value == 1


def test_a_fair_walk_is_ruined_and_takes_for_ever() -> None:
    fair = Distribution.from_mapping({-1: 1, 1: 1})
    assert ruin_ever(fair, 10).value == 1
    assert expected_rounds(fair, 10) is None


def test_a_walk_that_cannot_lose_is_never_ruined() -> None:
    gift = Distribution.from_mapping({0: 1, 3: 1})
    assert ruin_ever(gift, 5).value == 0
    assert ruin_within(gift, 5, 100).ruined.value == 0
    assert expected_rounds(gift, 5) is None
    assert target_first(gift, 5, 11).value == 1
    rounds = expected_rounds(gift, 5, target=11)
    assert rounds is not None
    assert rounds.value == 4


def test_a_walk_that_only_loses_is_ruined_on_time() -> None:
    fall = Distribution.from_mapping({-2: 1, -1: 1})
    assert target_first(fall, 5, 11).value == 0
    rounds = expected_rounds(fall, 3)
    # From 3: to 1 at once, or to 2 and then below it for certain.
    assert rounds is not None
    assert rounds.value == Fraction(3, 2)


def test_flat_bets_last_as_long_as_the_edge_eats_the_bank() -> None:
    for slate, levels in ((SMALL, 50), (SINGLE, 50), (TOTAL_4, 50)):
        rounds = expected_rounds(slate, levels * UNIT)
        assert rounds is not None
        assert rounds.value == levels / slate.house_edge


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: ruin_within(SMALL, 5_000, 0), "from 1 to"),
        (lambda: ruin_within(SMALL, 5_000, 10**18), str(ROUNDS_MAX)),
        (lambda: ruin_within(SMALL, 99, 10), "cannot pay the first slate of 100"),
        (lambda: ruin_within(SMALL, -5, 10), "the bank is a whole number"),
        (lambda: ruin_within(SMALL, 10**30, 10), "the bank is a whole number"),
        (lambda: ruin_within(SMALL, 5_000, 10, stake=100), "leave the stake out"),
        (lambda: target_first(SMALL, 5_000, 5_000), "reached already"),
        (lambda: target_first(SMALL, 5_000, 10**30), "the target is a whole number"),
        (lambda: ruin_ever(Distribution.from_mapping({0: 1}), 5), "neither wins nor loses"),
        (lambda: ruin_ever(Distribution.from_mapping({-5: 1, 9: 1}), 9, stake=3), "cannot lose 5"),
        (lambda: target_first(SMALL, 5_000, 10**20), "too many levels"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(ask: object, sentence: str) -> None:
    assert callable(ask)
    with pytest.raises(MathsError, match=sentence):
        ask()


def test_a_stake_above_the_largest_loss_is_kept_in_hand() -> None:
    net = Distribution.from_mapping({-1: 1, 1: 1})
    assert ruin_within(net, 3, 1, stake=3).ruined.value == Fraction(1, 2)


def test_by_round_has_a_chance_for_every_round() -> None:
    found: RuinWithin = ruin_within(TOTAL_4, 3 * UNIT, 5)
    assert len(found.by_round) == 5
    assert found.by_round[:2] == (0.0, 0.0)
