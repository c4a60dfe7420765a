"""All tests of throws together: made, seen among one another, and told as one report.

So many tests are made that one of them is likely to look bad by chance. Holm's rule holds the
chance that any of them speaks against fair dice to alpha: the smallest p-value counts m times, the
next m - 1 times, and so on. The watch throw by throw is one of the tests. Groups are tested
together.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from taisai.maths.errors import MathsError
from taisai.maths.fairness.bulk_monitor import follow, watched
from taisai.maths.fairness.count_tests import furthest_result, goodness, pair_of_dice
from taisai.maths.fairness.detection import POWERS, Detectable, detectable, throws_needed
from taisai.maths.fairness.monitor import checked_confidence
from taisai.maths.fairness.monte_carlo import Chance, Outcome, draws_for
from taisai.maths.fairness.order_tests import ALL_FACES, DICE, LAGS_MAX, TOTALS, runs, serial
from taisai.maths.fairness.throws import (
    FACE_WEIGHTS,
    PATTERN_WEIGHTS,
    RESULT_WEIGHTS,
    TOTAL_WEIGHTS,
    Throws,
)

GROUPS_MAX: Final = 50
SEED_MAX: Final = 2**63 - 1
LAGS: Final = 5
_PAIRS: Final = ((0, 1), (0, 2), (1, 2))

#: Told what is done next, how many tests are done, and of how many.
Progress = Callable[[str, int, int], None]


class Group(NamedTuple):
    """Throws that belong together: of one file, one table, one set of dice."""

    name: str
    throws: Throws


class GroupReport(Struct, frozen=True, kw_only=True):
    """What the tests of one group of throws came to."""

    name: str
    throws: int
    dice_known: bool
    outcomes: tuple[Outcome, ...]
    detectable: tuple[Detectable, ...]
    #: Throws that find a face of one die at one in a hundred too many, with the greater power.
    throws_needed: int

    @property
    def is_rejected(self) -> bool:
        return any(outcome.is_rejected for outcome in self.outcomes)


class Report(Struct, frozen=True, kw_only=True):
    """What all tests came to: whether the throws are, at this confidence, not of fair dice."""

    confidence: float
    alpha: float
    seed: int
    draws_most: int
    tests: int
    groups: tuple[GroupReport, ...]

    @property
    def is_rejected(self) -> bool:
        return any(group.is_rejected for group in self.groups)

    @property
    def throws(self) -> int:
        return sum(group.throws for group in self.groups)


Making = Callable[[str, Chance], Outcome]
Test = tuple[str, Making]


class _Planned(NamedTuple):
    group: int
    key: str
    make: Making


def examine(throws: Throws, confidence: float = 0.99, **asked: Any) -> Report:
    """Test throws of one set of dice; `lags`, `seed` and `progress` as for groups."""
    return examine_groups([Group("", throws)], confidence, **asked)


def examine_groups(
    groups: Sequence[Group],
    confidence: float = 0.99,
    *,
    lags: int = LAGS,
    seed: int = 1,
    progress: Progress = lambda _, __, ___: None,
) -> Report:
    """Test groups of throws, with one confidence for all that is said of them."""
    alpha = round(1 - checked_confidence(confidence), 12)
    _check(groups, lags, seed)
    planned = [
        _Planned(number, *test)
        for number, group in enumerate(groups)
        for test in tests_of(group.throws, lags, alpha)
    ]
    chance = Chance(seed, draws_for(len(planned), alpha))
    made: list[Outcome] = []
    for test in planned:
        progress(test.key, len(made), len(planned))
        made.append(test.make(test.key, chance._replace(group=test.group)))
    progress("", len(planned), len(planned))
    judged = holm(made, alpha)
    return Report(
        confidence=confidence,
        alpha=alpha,
        seed=seed,
        draws_most=chance.most,
        tests=len(planned),
        groups=tuple(
            _report(group, _of_group(number, planned, judged), alpha, len(planned))
            for number, group in enumerate(groups)
        ),
    )


def _check(groups: Sequence[Group], lags: int, seed: int) -> None:
    if not groups:
        raise MathsError("there is no throw to test")
    if len(groups) > GROUPS_MAX:
        raise MathsError(
            f"there are {len(groups)} groups of throws; at most {GROUPS_MAX} are tested together"
        )
    if not 1 <= lags <= LAGS_MAX:
        raise MathsError(f"echoes over {lags} lags cannot be tested; 1 to {LAGS_MAX} can")
    if not 0 <= seed <= SEED_MAX:
        raise MathsError(f"{seed} is no seed; a whole number from 0 to {SEED_MAX} is")


def tests_of(throws: Throws, lags: int, alpha: float) -> list[Test]:
    """List the tests that such throws allow."""
    tests = _count_tests(throws) + (_order_tests(throws, lags) if len(throws) > 1 else [])
    return [*tests, ("watched", lambda key, _: watched(key, follow(throws, alpha)))]


def _count_tests(throws: Throws) -> list[Test]:
    tests: list[Test] = [
        ("results", lambda key, c: goodness(key, throws.result_counts, RESULT_WEIGHTS, c)),
        ("furthest", lambda key, _: furthest_result(key, throws.result_counts)),
        ("totals", lambda key, c: goodness(key, throws.total_counts, TOTAL_WEIGHTS, c)),
        ("faces", lambda key, c: goodness(key, throws.face_counts, FACE_WEIGHTS, c)),
        ("patterns", lambda key, c: goodness(key, throws.pattern_counts, PATTERN_WEIGHTS, c)),
    ]
    if throws.dice_known:
        tests += [_die_test(throws, die) for die in range(3)]
        tests += [_pair_test(throws, first, second) for first, second in _PAIRS]
    return tests


def _die_test(throws: Throws, die: int) -> Test:
    return f"die-{die + 1}", lambda key, c: goodness(key, throws.die_counts(die), FACE_WEIGHTS, c)


def _pair_test(throws: Throws, first: int, second: int) -> Test:
    name = f"dice-{first + 1}-{second + 1}"
    return name, lambda key, c: pair_of_dice(key, throws, first, second, c)


def _order_tests(throws: Throws, lags: int) -> list[Test]:
    tests: list[Test] = [
        ("runs", lambda key, _: runs(key, throws)),
        ("echo-totals", lambda key, c: serial(key, throws, TOTALS, lags, c)),
    ]
    if throws.dice_known:
        tests += [_echo_test(throws, die, lags) for die in range(3)]
    else:
        tests.append(("echo-faces", lambda key, c: serial(key, throws, ALL_FACES, lags, c)))
    return tests


def _echo_test(throws: Throws, die: int, lags: int) -> Test:
    return f"echo-die-{die + 1}", lambda key, c: serial(key, throws, DICE[die], lags, c)


def holm(outcomes: Sequence[Outcome], alpha: float) -> list[Outcome]:
    """See each p-value among the others, by Holm's rule."""
    order = sorted(range(len(outcomes)), key=lambda place: outcomes[place].p)
    judged, least = list(outcomes), 0.0
    for rank, place in enumerate(order):
        least = min(1.0, max(least, (len(outcomes) - rank) * outcomes[place].p))
        judged[place] = msgspec.structs.replace(
            outcomes[place], adjusted=least, is_rejected=least <= alpha
        )
    return judged


def _of_group(
    number: int, planned: Sequence[_Planned], judged: Sequence[Outcome]
) -> tuple[Outcome, ...]:
    pairs = zip(planned, judged, strict=True)
    return tuple(outcome for test, outcome in pairs if test.group == number)


def _report(group: Group, outcomes: tuple[Outcome, ...], alpha: float, tests: int) -> GroupReport:
    count, known = len(group.throws), group.throws.dice_known
    return GroupReport(
        name=group.name,
        throws=count,
        dice_known=known,
        outcomes=outcomes,
        detectable=tuple(detectable(count, alpha, tests, dice_known=known)),
        throws_needed=throws_needed(alpha, tests, POWERS[-1], dice_known=known),
    )
