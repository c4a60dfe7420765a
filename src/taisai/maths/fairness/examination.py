"""All tests of throws together, adjusted for their number, in one report.

With so many tests, one of them is likely to look bad by chance. Holm's rule limits to alpha the
chance that any of them rejects fair dice: the smallest p-value is multiplied by m, the next by
m - 1, and so on. The monitor throw by throw is one of the tests. Groups are tested together.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, islice
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from taisai.maths.errors import MathsError, check_whole
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

#: Called with what is done next, how many tests are done, and how many there are.
Progress = Callable[[str, int, int], None]


class Group(NamedTuple):
    """Throws that belong together: of one file, one table, one set of dice."""

    name: str
    throws: Throws


class GroupReport(Struct, frozen=True, kw_only=True):
    """The outcomes of the tests of one group of throws."""

    name: str
    throws: int
    dice_known: bool
    outcomes: tuple[Outcome, ...]
    detectable: tuple[Detectable, ...]
    #: How many throws find a face of one die at one in a hundred too many, with the greater power.
    throws_needed: int

    @property
    def is_rejected(self) -> bool:
        return any(outcome.is_rejected for outcome in self.outcomes)


class Report(Struct, frozen=True, kw_only=True):
    """The outcomes of all tests, and whether they reject fair dice at this confidence."""

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


#: A test as a function, to be called with its own draws.
Test = Callable[[Chance], Outcome]
Tests = dict[str, Test]


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
    """Test groups of throws, with one confidence for all tests together."""
    alpha = round(1 - checked_confidence(confidence), 12)
    _check(groups, lags, seed)
    planned = [tests_of(group.throws, lags, alpha) for group in groups]
    count = sum(map(len, planned))
    chance = Chance(seed, draws_for(count, alpha))
    made: list[Outcome] = []
    for number, tests in enumerate(planned):
        for key, test in tests.items():
            progress(key, len(made), count)
            made.append(test(chance._replace(group=number)))
    progress("", count, count)
    judged = iter(holm(made, alpha))
    return Report(
        confidence=confidence,
        alpha=alpha,
        seed=seed,
        draws_most=chance.most,
        tests=count,
        groups=tuple(
            _report(group, tuple(islice(judged, len(tests))), alpha, count)
            for group, tests in zip(groups, planned, strict=True)
        ),
    )


def _check(groups: Sequence[Group], lags: int, seed: int) -> None:
    if not groups:
        raise MathsError("there is no throw to test")
    if len(groups) > GROUPS_MAX:
        raise MathsError(
            f"there are {len(groups)} groups of throws; at most {GROUPS_MAX} are tested together"
        )
    check_whole("the lags of echoes are", lags, 1, LAGS_MAX)
    check_whole("a seed is", seed, 0, SEED_MAX)


def tests_of(throws: Throws, lags: int, alpha: float) -> Tests:
    """List the tests that are possible for these throws, by name."""
    tests = _count_tests(throws) | (_order_tests(throws, lags) if len(throws) > 1 else {})
    return tests | {"watched": lambda _: watched("watched", follow(throws, alpha))}


def _count_tests(throws: Throws) -> Tests:
    results = throws.result_counts
    tests: Tests = {
        "results": partial(goodness, "results", results, RESULT_WEIGHTS),
        "furthest": lambda _: furthest_result("furthest", results),
    }
    counted = [
        ("totals", throws.total_counts, TOTAL_WEIGHTS),
        ("faces", throws.face_counts, FACE_WEIGHTS),
        ("patterns", throws.pattern_counts, PATTERN_WEIGHTS),
    ]
    dice = range(3 if throws.dice_known else 0)
    counted += [(f"die-{die + 1}", throws.die_counts(die), FACE_WEIGHTS) for die in dice]
    tests |= {each[0]: partial(goodness, *each) for each in counted}
    for first, second in combinations(dice, 2):
        key = f"dice-{first + 1}-{second + 1}"
        tests[key] = partial(pair_of_dice, key, throws, first, second)
    return tests


def _order_tests(throws: Throws, lags: int) -> Tests:
    heard = {"echo-totals": TOTALS}
    if throws.dice_known:
        heard |= {f"echo-die-{die + 1}": echo for die, echo in enumerate(DICE)}
    else:
        heard["echo-faces"] = ALL_FACES
    echoes: Tests = {key: partial(serial, key, throws, echo, lags) for key, echo in heard.items()}
    return {"runs": lambda _: runs("runs", throws), **echoes}


def holm(outcomes: Sequence[Outcome], alpha: float) -> list[Outcome]:
    """Adjust each p-value for the number of tests, by Holm's rule."""
    order = sorted(range(len(outcomes)), key=lambda place: outcomes[place].p)
    judged, least = list(outcomes), 0.0
    for rank, place in enumerate(order):
        least = min(1.0, max(least, (len(outcomes) - rank) * outcomes[place].p))
        judged[place] = msgspec.structs.replace(
            outcomes[place], adjusted=least, is_rejected=least <= alpha
        )
    return judged


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
