"""The answer to `taisai fairness`: a report for people, the verdict first, and one for programs."""

import math
from collections.abc import Sequence
from textwrap import fill
from typing import Any

from taisai.cli.tables import align
from taisai.core.rules.dice import FACES, RESULTS
from taisai.core.rules.reason import printable
from taisai.maths.fairness.detecting import POWERS, SMALL_EXCESS, Detectable
from taisai.maths.fairness.examining import Group, GroupReport, Report
from taisai.maths.fairness.outcome import Outcome
from taisai.maths.fairness.telling import (
    bias_of,
    meaning_of,
    method_of,
    order_of,
    smallest_of,
    title_of,
    verdict_of,
    write_p,
    write_statistic,
)
from taisai.maths.fairness.throws import Throws

Answer = dict[str, Any]

_HEADINGS = ("test", "statistic", "p", "adjusted", "", "found by")
_TOLD_POWER = POWERS[-1]


def report_text(report: Report, notes: Sequence[str]) -> str:
    """Tell a report: the verdict, what could have been found, then each test with its sentence."""
    parts = [verdict_of(report), smallest_of(report), *notes]
    parts += [text for group in report.groups for text in ("", _group_text(group, report))]
    parts += ["", _method_text(report)]
    return "\n".join(map(printable_lines, parts))


def printable_lines(text: str) -> str:
    """Make names that came from outside harmless, and keep the lines apart."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _group_text(group: GroupReport, report: Report) -> str:
    name = f"{group.name}: " if group.name else ""
    throws = "1 throw" if group.throws == 1 else f"{group.throws:,} throws"
    return "\n".join(
        [
            f"{name}{throws}, {order_of(group)}",
            "",
            _bias_text(group),
            "",
            _tests_text(group, report),
        ]
    )


def _bias_text(group: GroupReport) -> str:
    """Tell what could have been found."""
    rows = [
        (bias_of(found), _share(found.fair), _reached(found))
        for found in group.detectable
        if found.power == _TOLD_POWER
    ]
    table = align(("bias", "fair", "found with a chance of 90 % from"), rows, right=" rr")
    return (
        f"{table}\nA face of one die that comes in {100 * SMALL_EXCESS:g} % of throws too many"
        f" takes about {group.throws_needed:,} throws to find so."
    )


def _share(share: float) -> str:
    return f"{100 * share:.2f} %"


def _reached(found: Detectable) -> str:
    if found.excess is None:
        return "too few throws"
    # Two figures of the excess are told, however small it is.
    places = max(2, 1 - math.floor(math.log10(100 * found.excess)))
    return f"{100 * (found.fair + found.excess):.{places}f} % (+{100 * found.excess:.{places}f})"


def _tests_text(group: GroupReport, report: Report) -> str:
    lines = align(_HEADINGS, [_row(outcome) for outcome in group.outcomes], right="  rr").split(
        "\n"
    )
    told = [_indented(meaning_of(outcome, report)) for outcome in group.outcomes]
    rows = [line for pair in zip(lines[2:], told, strict=True) for line in pair]
    return "\n".join([*lines[:2], *rows])


def _indented(sentence: str) -> str:
    return fill(sentence, 100, initial_indent="    ", subsequent_indent="    ")


def _row(outcome: Outcome) -> tuple[str, ...]:
    return (
        title_of(outcome.key),
        write_statistic(outcome),
        write_p(outcome.p),
        write_p(outcome.adjusted),
        "REJECTED" if outcome.is_rejected else "",
        method_of(outcome),
    )


def _method_text(report: Report) -> str:
    return (
        f"p: the chance that fair dice look as bad. Adjusted: among all {report.tests} tests, by"
        f" Holm's rule; {report.alpha:g} or less\nspeaks against the dice."
        f" Draws are Monte Carlo with seed {report.seed}, given with their standard error."
    )


def report_answer(report: Report, groups: Sequence[Group], notes: Sequence[str]) -> Answer:
    """Tell a report for programs."""
    return {
        "verdict": "rejected" if report.is_rejected else "not rejected",
        "sentence": verdict_of(report),
        "confidence": report.confidence,
        "alpha": report.alpha,
        "throws": report.throws,
        "tests": report.tests,
        "seed": report.seed,
        "notes": list(notes),
        "groups": [
            _group_answer(told, group.throws, report)
            for told, group in zip(report.groups, groups, strict=True)
        ],
    }


def _group_answer(group: GroupReport, throws: Throws, report: Report) -> Answer:
    return {
        "name": group.name,
        "throws": group.throws,
        "dice_known": group.dice_known,
        "verdict": "rejected" if group.is_rejected else "not rejected",
        "tests": [_test_answer(outcome, report) for outcome in group.outcomes],
        "detectable": [
            {
                "what": found.what,
                "power": found.power,
                "fair": found.fair,
                "excess": found.excess,
            }
            for found in group.detectable
        ],
        "throws_needed": group.throws_needed,
        "counts": _counts_answer(throws),
    }


def _test_answer(outcome: Outcome, report: Report) -> Answer:
    return {
        "test": outcome.key,
        "title": title_of(outcome.key),
        "statistic": outcome.statistic,
        "degrees": outcome.degrees,
        "p": outcome.p,
        "adjusted": outcome.adjusted,
        "rejected": outcome.is_rejected,
        "method": outcome.method.value,
        "draws": outcome.draws,
        "error": outcome.error,
        "details": outcome.details,
        "meaning": meaning_of(outcome, report),
    }


def _counts_answer(throws: Throws) -> Answer:
    """Tell what was counted, by results like 226, totals and faces."""
    results = ["".join(map(str, result.faces)) for result in RESULTS]
    answer: Answer = {
        "results": dict(zip(results, throws.result_counts.tolist(), strict=True)),
        "totals": {str(n): c for n, c in enumerate(throws.total_counts.tolist(), start=3)},
        "faces": _face_counts(throws.face_counts.tolist()),
    }
    if throws.dice_known:
        answer["dice"] = [_face_counts(throws.die_counts(die).tolist()) for die in range(3)]
    return answer


def _face_counts(counts: Sequence[int]) -> dict[str, int]:
    return {str(face): count for face, count in zip(FACES, counts, strict=True)}
