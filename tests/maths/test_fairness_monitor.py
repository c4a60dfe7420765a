"""A monitor that may be read after every throw: a martingale, its alarms, its state."""

from collections.abc import Iterator
from itertools import product
from math import exp, isclose, lgamma, log

import msgspec
import numpy as np
import pytest

from taisai.core.rules.dice import FACES, RESULTS, result_of
from taisai.maths.errors import MathsError
from taisai.maths.fairness.bulk_monitor import STRETCH, follow, log_means, watched
from taisai.maths.fairness.monitor import (
    FACE_STRENGTHS,
    RESULT_STRENGTHS,
    FairnessMonitor,
    MonitorState,
    log_mean,
)
from taisai.maths.fairness.throws import Throws

ALL_THROWS = list(product(FACES, repeat=3))


def dice_of(throws: Throws) -> Iterator[tuple[int, int, int]]:
    for code in throws.codes.tolist():
        yield code // 36 + 1, code // 6 % 6 + 1, code % 6 + 1


def fair(generator: np.random.Generator, throws: int, *, dice_known: bool = True) -> Throws:
    return Throws(generator.integers(0, 216, throws, dtype=np.uint8), dice_known=dice_known)


def loaded(generator: np.random.Generator, throws: int, excess: float) -> Throws:
    """Throw dice whose second shows a six too often."""
    shares = np.full(6, 1 / 6 - excess / 5)
    shares[5] += 6 / 5 * excess
    first, third = generator.integers(0, 6, (2, throws))
    second = generator.choice(6, throws, p=shares)
    return Throws((36 * first + 6 * second + third).astype(np.uint8), dice_known=True)


@pytest.mark.parametrize("dice_known", [False, True])
def test_the_evidence_is_a_martingale_over_all_throws(dice_known: bool) -> None:
    """Whatever came before, the mean over the 216 next throws is the present value."""
    generator = np.random.default_rng(1)
    for before in (0, 1, 10, 200):
        monitor = FairnessMonitor(dice_known=dice_known)
        monitor.see_all(dice_of(fair(generator, before)) if before else [])
        state, now = monitor.state(), monitor.e_value
        after = []
        for dice in ALL_THROWS:
            monitor = FairnessMonitor.from_state(state)
            monitor.see(dice)
            after.append(monitor.e_value)
        assert isclose(sum(after) / 216, now, rel_tol=1e-12)


def test_the_evidence_is_the_one_of_urns_in_closed_form() -> None:
    throws = fair(np.random.default_rng(2), 300, dice_known=True)
    monitor = FairnessMonitor(dice_known=True)
    monitor.see_all(dice_of(throws))

    def closed(counts: list[int], chances: list[float], strength: float) -> float:
        drawn = sum(counts)
        total = lgamma(strength) - lgamma(strength + drawn)
        for count, chance in zip(counts, chances, strict=True):
            total += lgamma(strength * chance + count) - lgamma(strength * chance)
            total -= count * log(chance)
        return total

    results, sixths = [result.throws / 216 for result in RESULTS], [1 / 6] * 6
    parts = [
        log_mean([closed(throws.result_counts.tolist(), results, s) for s in RESULT_STRENGTHS])
    ]
    parts += [
        log_mean([closed(counts.tolist(), sixths, s) for s in FACE_STRENGTHS])
        for counts in (throws.face_counts, *(throws.die_counts(die) for die in range(3)))
    ]
    assert isclose(monitor.log_e_value, log_mean(parts), abs_tol=1e-9)


@pytest.mark.parametrize("dice_known", [False, True])
def test_a_file_watched_at_once_is_watched_throw_by_throw(
    dice_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisai.maths.fairness.bulk_monitor.STRETCH", 97)
    throws = loaded(np.random.default_rng(3), 900, 0.15)
    throws.dice_known = dice_known
    monitor = FairnessMonitor(0.9, dice_known=dice_known)
    logs = []
    for dice in dice_of(throws):
        monitor.see(dice)
        logs.append(monitor.log_e_value)
    followed = follow(throws, 0.1)
    assert np.allclose(followed.logs, logs, atol=1e-10)
    assert (followed.alarmed_at, monitor.is_alarmed) == (monitor.alarmed_at, True)
    assert isclose(followed.peak_log, monitor.peak_log, abs_tol=1e-10)
    assert isclose(watched("watched", followed).p, monitor.p_value, rel_tol=1e-9)
    assert STRETCH > 97


@pytest.mark.parametrize("dice_known", [False, True])
def test_fair_dice_raise_an_alarm_no_more_often_than_allowed(dice_known: bool) -> None:
    """2,000 sequences of 400 throws, read after every throw, at a tenth."""
    generator, alpha, sequences = np.random.default_rng(4), 0.1, 2_000
    alarms = sum(
        follow(fair(generator, 400, dice_known=dice_known), alpha).alarmed_at is not None
        for _ in range(sequences)
    )
    error = (alpha * (1 - alpha) / sequences) ** 0.5
    assert 0 < alarms / sequences <= alpha + 3 * error


def test_looking_again_and_again_at_a_plain_test_raises_false_alarms() -> None:
    """The reason for the monitor: chi-square at a tenth, read after every throw, alarms often."""
    generator, alarmed = np.random.default_rng(5), 0
    for _ in range(300):
        counts = np.cumsum(np.eye(6)[generator.integers(0, 6, 400)], axis=0)[29:]
        expected = np.arange(30, 401)[:, None] / 6
        alarmed += bool((((counts - expected) ** 2 / expected).sum(axis=1) > 9.236).any())
    assert alarmed / 300 > 0.3


def test_a_loaded_die_is_found() -> None:
    generator, found = np.random.default_rng(6), []
    for _ in range(100):
        followed = follow(loaded(generator, 3_000, 1 / 12), 0.01)
        found.append(followed.alarmed_at or 10**9)
    assert np.mean(np.array(found) <= 3_000) >= 0.98
    assert np.median(found) < 1_200


def test_a_result_that_comes_too_often_is_found_without_knowing_the_dice() -> None:
    generator = np.random.default_rng(7)
    codes = generator.integers(0, 216, 2_000, dtype=np.uint8)
    codes[generator.random(2_000) < 0.05] = 8
    monitor = FairnessMonitor()
    assert monitor.see_all(dice_of(Throws(codes, dice_known=False)))
    assert monitor.alarmed_at is not None
    assert monitor.alarmed_at < 2_000


def test_the_order_of_dice_matters_only_where_they_are_known() -> None:
    plain, turned = FairnessMonitor(), FairnessMonitor()
    known, turned_known = FairnessMonitor(dice_known=True), FairnessMonitor(dice_known=True)
    for dice in dice_of(fair(np.random.default_rng(8), 50)):
        plain.see(dice)
        known.see(dice)
        turned.see(sorted(dice))
        turned_known.see(sorted(dice))
    assert isclose(plain.log_e_value, turned.log_e_value, abs_tol=1e-12)
    assert not isclose(known.log_e_value, turned_known.log_e_value, abs_tol=1e-3)


def test_a_watch_goes_on_where_it_was_left() -> None:
    throws = list(dice_of(loaded(np.random.default_rng(9), 1_500, 0.12)))
    whole, parted = FairnessMonitor(dice_known=True), FairnessMonitor(dice_known=True)
    whole.see_all(throws)
    for part in (throws[:100], throws[100:101], throws[101:]):
        kept = msgspec.json.encode(parted.state())
        assert len(kept) < 2_000
        parted = FairnessMonitor.from_state(msgspec.json.decode(kept, type=MonitorState))
        parted.see_all(part)
    assert parted.state() == whole.state()
    assert whole.alarmed_at is not None


def test_an_alarm_stays_and_says_when_it_was() -> None:
    monitor = FairnessMonitor(0.99)
    assert isclose(monitor.alarm_at, 100)
    assert (monitor.e_value, monitor.p_value, monitor.is_alarmed) == (1.0, 1.0, False)
    while not monitor.see((6, 6, 6)):
        assert monitor.throws < 50
    at = monitor.alarmed_at
    assert at == monitor.throws
    assert monitor.e_value >= 100
    for _ in range(3_000):
        monitor.see((6, 6, 6))
    assert (monitor.alarmed_at, monitor.e_value) == (at, float("inf"))
    assert monitor.p_value < 1e-300


@pytest.mark.parametrize("dice", [(0, 1, 2), (1, 2), (1, 2, 7), (1, 2, 3, 4), (1.0, 2, 3)])
def test_what_is_no_throw_is_refused_and_changes_nothing(dice: tuple[int, ...]) -> None:
    monitor = FairnessMonitor()
    before = monitor.state()
    with pytest.raises(MathsError, match="is no throw; three faces from 1 to 6 are"):
        monitor.see(dice)
    assert monitor.state() == before


@pytest.mark.parametrize("confidence", [0.0, 0.49, 1.0, float("nan"), 99.0])
def test_a_confidence_out_of_reach_is_refused(confidence: float) -> None:
    with pytest.raises(MathsError, match="cannot be asked for; from"):
        FairnessMonitor(confidence)


def test_a_state_that_does_not_fit_is_refused() -> None:
    state = FairnessMonitor().state()
    with pytest.raises(MathsError, match="it has not the urns of one"):
        FairnessMonitor.from_state(msgspec.structs.replace(state, dice_known=True))
    with pytest.raises(MathsError, match="counts do not fit its throws"):
        FairnessMonitor.from_state(msgspec.structs.replace(state, throws=3))


def test_means_of_logarithms() -> None:
    assert isclose(exp(log_mean([log(1), log(3)])), 2)
    assert np.allclose(np.exp(log_means(np.log([[1.0, 4.0], [3.0, 2.0]]))), [2, 3])
    assert result_of((2, 2, 6)).throws == 3


def test_a_throw_that_was_read_wrongly_is_put_right() -> None:
    throws = [ALL_THROWS[37 * number % 216] for number in range(300)]
    right, corrected = FairnessMonitor(), FairnessMonitor()
    right.see_all(throws)
    corrected.see_all([*throws[:100], (1, 1, 1), *throws[101:200], (2, 6, 6), *throws[201:]])
    assert corrected.e_value != pytest.approx(right.e_value)
    corrected.put_right((1, 1, 1), throws[100])
    corrected.put_right((6, 2, 6), throws[200])
    assert corrected.log_e_value == pytest.approx(right.log_e_value)
    assert corrected.throws == 300
    kept, known = corrected.state().urns, right.state().urns
    assert [urn.counts for urn in kept] == [urn.counts for urn in known]
    unlike = FairnessMonitor()
    unlike.see_all(throws[:30])
    for seen in throws[:30]:
        unlike.put_right(seen, (6, 6, 6))
    assert unlike.is_alarmed, "what the dice had shown all along"
    with pytest.raises(MathsError, match="was not seen"):
        unlike.put_right((1, 1, 1), (1, 1, 2))
    with pytest.raises(MathsError, match="apart"):
        FairnessMonitor(dice_known=True).put_right((1, 1, 1), (1, 1, 2))
