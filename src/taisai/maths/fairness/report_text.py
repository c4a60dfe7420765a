"""A report in words: the verdict, the meaning of each test, the bias that could be found."""

from collections.abc import Callable
from typing import Any, Final

from taisai.core.rules.dice import FACES, RESULTS
from taisai.maths.fairness.detection import What
from taisai.maths.fairness.examination import GroupReport, Report
from taisai.maths.fairness.monte_carlo import Method, Outcome

#: The bias that could have been found.
BIASES: Final[dict[What, str]] = {
    "face-of-one-die": "a face of one die",
    "face-of-all-dice": "a face of all three dice alike",
    "triple": "one triple, like 4 4 4",
    "pair": "one result with a pair, like 2 2 6",
    "three-faces": "one result of three faces, like 1 3 6",
}
#: A smaller p-value is written with an exponent.
_WRITTEN_MIN: Final = 0.0001


def title_of(key: str) -> str:
    """Name a test."""
    head, *rest = key.split("-")
    match head, rest:
        case "die", [die]:
            return f"faces of die {die}"
        case "dice", [first, second]:
            return f"dice {first} and {second} together"
        case "echo", ["die", die]:
            return f"echo of die {die}"
        case _:
            return _TITLES[key]


_TITLES: Final = {
    "results": "the 56 results",
    "furthest": "the result furthest off",
    "totals": "the 16 totals",
    "faces": "faces of all dice",
    "patterns": "pairs and triples",
    "runs": "runs of low and high totals",
    "echo-totals": "echo of totals",
    "echo-faces": "echo of faces",
    "watched": "watched throw by throw",
}


def verdict_of(report: Report) -> str:
    """Say the outcome of all tests in a sentence."""
    confidence = f"{100 * report.confidence:.6g} % confidence"
    if not report.is_rejected:
        return f"Nothing speaks against fair dice at {confidence}."
    found = [
        title_of(outcome.key) + (f" ({group.name})" if len(report.groups) > 1 else "")
        for group in report.groups
        for outcome in group.outcomes
        if outcome.is_rejected
    ]
    more = f" and {len(found) - 4} more" if len(found) > 4 else ""
    return f"These are not the throws of fair dice, at {confidence}: {', '.join(found[:4])}{more}."


def smallest_of(report: Report) -> str:
    """Say what the smallest p-value means among so many."""
    every = [outcome for group in report.groups for outcome in group.outcomes]
    least = min(every, key=lambda outcome: outcome.p)
    return (
        f"The smallest of {len(every)} p-values is {write_p(least.p)} ({title_of(least.key)});"
        f" among so many it counts as {write_p(least.adjusted)}."
    )


def order_of(group: GroupReport) -> str:
    """Say whether the dice can be distinguished."""
    if group.dice_known:
        return "each die known from the others"
    return "faces from low to high or in no order, so that no die can be tested by itself"


def meaning_of(outcome: Outcome, report: Report) -> str:
    """Say in a sentence what a test found."""
    found = _found(outcome)
    if outcome.is_rejected or outcome.p > report.alpha:
        return found
    return f"{found[:-1]}; rare by itself, but not among {report.tests} tests."


def _found(outcome: Outcome) -> str:
    details, off = outcome.details, outcome.is_rejected
    if outcome.key.startswith("dice-"):
        return "What one shows " + ("goes with" if off else "does not tell") + " the other's face."
    if outcome.key.startswith("echo-"):
        return _echo(outcome)
    if outcome.key == "runs":
        return (
            f"{details['runs']:,} runs of totals up to 10 and from 11 on,"
            f" where {details['expected']:,.1f} are expected in any order of them."
        )
    if outcome.key == "watched":
        return _watched(details)
    return _counted(outcome)


def _counted(outcome: Outcome) -> str:
    details = outcome.details
    name = _CELL_NAMES.get(outcome.key, _CELL_NAMES["faces"])(details["cell"])
    times = "once" if details["count"] == 1 else f"{details['count']:,} times"
    far = f"{name} came {times} where {details['expected']:,.1f} are expected"
    if outcome.key == "furthest":
        return f"Of all results {far}."
    how = "do not come as often as they should" if outcome.is_rejected else "come as they should"
    return f"They {how}; furthest off, {far}."


_CELL_NAMES: Final[dict[str, Callable[[int], str]]] = {
    "results": lambda cell: " ".join(map(str, RESULTS[cell].faces)),
    "furthest": lambda cell: " ".join(map(str, RESULTS[cell].faces)),
    "faces": lambda cell: f"face {FACES[cell]}",
    "totals": lambda cell: f"total {cell + 3}",
    "patterns": ("three different faces", "a pair", "a triple").__getitem__,
}


def _echo(outcome: Outcome) -> str:
    lag, correlations = outcome.details["lag"], outcome.details["correlations"]
    back = "the one before" if lag == 1 else f"the one {lag} before"
    how = "Throws echo earlier ones" if outcome.is_rejected else "Throws do not echo earlier ones"
    return f"{how}; the correlation is strongest with {back}, {correlations[lag - 1]:+.3f}."


def _watched(details: dict[str, Any]) -> str:
    if details["alarmed_at"] is not None:
        return f"The alarm would have been raised after throw {details['alarmed_at']:,}."
    peak = f"{10 ** details['log10_peak']:.3g}"
    return f"The evidence against fair dice never passed {peak}; no alarm would have been raised."


def method_of(outcome: Outcome) -> str:
    """Say in a few words how a p-value was found, and how accurate it is."""
    if outcome.method is not Method.MONTE_CARLO:
        return str(outcome.method)
    assert outcome.draws is not None
    assert outcome.error is not None
    return f"{outcome.draws:,} draws, ±{outcome.error:.1g}"


def write_p(p: float) -> str:
    """Write a p-value, a small one with an exponent."""
    if p <= 1e-12:
        return "< 1e-12"
    return f"{p:.4f}" if p >= _WRITTEN_MIN else f"{p:.1e}"


def write_statistic(outcome: Outcome) -> str:
    """Write a statistic with its name and degrees."""
    if outcome.degrees is not None:
        return f"χ²({outcome.degrees}) = {outcome.statistic:.2f}"
    if outcome.key == "watched":
        return f"e = {outcome.statistic:.3g}"
    return f"{outcome.statistic:,.0f} {'runs' if outcome.key == 'runs' else 'times'}"
