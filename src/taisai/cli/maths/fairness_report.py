"""The work behind `taisai fairness`: throws found in a file or a journal, tested and reported."""

import argparse
import io
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill, indent

from taisai.cli.command import Answer, Output, Refused, Wrong, pick
from taisai.cli.maths.journal_throws import Gathered, gathered_throws, groups_of
from taisai.cli.progress import ProgressLine
from taisai.cli.records.journals import read_records
from taisai.cli.text import align, printable_lines
from taisai.core.rules.dice import FACES, RESULTS
from taisai.core.rules.reason import printable
from taisai.maths import MathsError, Throws
from taisai.maths.fairness.detection import POWERS, SMALL_EXCESS, Detectable
from taisai.maths.fairness.examination import Group, GroupReport, Report, examine_groups
from taisai.maths.fairness.monitor import checked_confidence
from taisai.maths.fairness.monte_carlo import Outcome
from taisai.maths.fairness.plot import plot_fairness
from taisai.maths.fairness.report_text import (
    BIASES,
    meaning_of,
    method_of,
    order_of,
    smallest_of,
    title_of,
    verdict_of,
    write_p,
    write_statistic,
)
from taisai.maths.fairness.throw_files import read_throws
from taisai.maths.plots import check_place
from taisai.runtime.journal.location import is_address
from taisai.runtime.records.entries import Source
from taisai.wording import per_cent

_STANDARD_INPUT = "-"
_JOURNAL_MARK = b"SQLite format 3\0"
_DICE_KNOWN = {"auto": None, "kept": True, "lost": False}

_HEADINGS = ("test", "statistic", "p", "adjusted", "", "found by")
_SHOWN_POWER = POWERS[-1]


# --- finding throws ------------------------------------------------------------------------------


#: Groups of throws, and remarks on where they come from.
Found = tuple[list[Group], list[str]]


def fairness_output(arguments: argparse.Namespace) -> Output:
    """Find the throws, test them, and give the report."""
    checked_confidence(arguments.confidence)
    if arguments.plot is not None:
        check_place(arguments.plot)
    groups, notes = _found(arguments)
    with ProgressLine() as progress:

        def show(key: str, done: int, of: int) -> None:
            if done < of:
                progress.show(lambda _: f"test {done + 1} of {of}: {printable(key)}")

        report = examine_groups(
            groups,
            arguments.confidence,
            lags=arguments.lags,
            seed=arguments.seed,
            progress=show,
        )
    if arguments.plot is not None:
        plot_fairness(groups, report, arguments.plot)
    return Output(lambda: report_answer(report, groups, notes), lambda: report_text(report, notes))


def _found(arguments: argparse.Namespace) -> Found:
    if _is_journal(arguments.where):
        return _in_journal(arguments)
    if arguments.by or arguments.tables or arguments.since or arguments.until:
        raise Wrong("--by, --table, --from and --until choose from a journal, and FILE is none")
    if arguments.where == _STANDARD_INPUT:
        if sys.stdin is None:
            raise Wrong("standard input is closed; name a file of throws")
        with open(sys.stdin.fileno(), "rb", closefd=False) as file:
            return _in_file(file, "standard input", arguments.order)
    with Path(arguments.where).open("rb") as file:
        return _in_file(file, arguments.where, arguments.order)


def _is_journal(where: str) -> bool:
    if where == _STANDARD_INPUT:
        return False
    path = Path(where)
    if is_address(where) or path.is_dir():
        return True
    if not path.exists():
        raise Refused(
            f"there is no file {where}; name a file of throws, or a journal: its file,"
            " the data directory it is in, or a database as postgresql://…"
        )
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_JOURNAL_MARK)) == _JOURNAL_MARK


def _in_file(file: io.BufferedReader, name: str, order: str) -> Found:
    with ProgressLine() as progress:
        try:
            throws, passed_over = read_throws(
                file,
                dice_known=_DICE_KNOWN[order],
                progress=lambda count: progress.show(lambda _: f"{count:,} throws read"),
            )
        except MathsError as error:
            raise Refused(f"{name}: {error}") from None
    notes = []
    if passed_over:
        rows = "1 row tells" if passed_over == 1 else f"{passed_over:,} rows tell"
        notes.append(f"{rows} of no throw, or of one put right later, and are passed over.")
    return [Group("", throws)], notes


def _in_journal(arguments: argparse.Namespace) -> Found:
    if arguments.order == "kept":
        raise Refused("a journal keeps faces from low to high; which die showed which is not known")

    async def work(source: Source, _: ProgressLine) -> list[Gathered]:
        return await gathered_throws(source)

    gathered = read_records(arguments, work)
    if not gathered:
        raise Refused("no settled round is recorded there, and so no throw")
    note = "A journal keeps faces from low to high, so that no die can be tested by itself."
    return groups_of(gathered, arguments.by or "dice"), [note]


# --- the report ----------------------------------------------------------------------------------


def report_text(report: Report, notes: Sequence[str]) -> str:
    """Write a report: the verdict, the bias that could be found, each test with its sentence."""
    parts = [verdict_of(report), smallest_of(report), *notes]
    parts += [text for group in report.groups for text in ("", _group_text(group, report))]
    parts += ["", _method_text(report)]
    return printable_lines("\n".join(parts).split("\n"))


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
    """Write which bias could have been found."""
    rows = [
        (BIASES[found.what], per_cent(found.fair), _reached(found))
        for found in group.detectable
        if found.power == _SHOWN_POWER
    ]
    table = align(("bias", "fair", "found with a chance of 90 % from"), rows, right=" rr")
    return (
        f"{table}\nA face of one die that comes in {100 * SMALL_EXCESS:g} % of throws too many"
        f" takes about {group.throws_needed:,} throws to find so."
    )


def _reached(found: Detectable) -> str:
    if found.excess is None:
        return "too few throws"
    # Two digits of the excess are shown, however small it is.
    places = max(2, 1 - math.floor(math.log10(100 * found.excess)))
    return f"{100 * (found.fair + found.excess):.{places}f} % (+{100 * found.excess:.{places}f})"


def _tests_text(group: GroupReport, report: Report) -> str:
    lines = align(_HEADINGS, [_row(outcome) for outcome in group.outcomes], right="  rr").split(
        "\n"
    )
    meanings = [indent(fill(meaning_of(each, report), 96), "    ") for each in group.outcomes]
    rows = [line for pair in zip(lines[2:], meanings, strict=True) for line in pair]
    return "\n".join([*lines[:2], *rows])


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
    """Give a report as data, for programs."""
    return {
        "verdict": "rejected" if report.is_rejected else "not rejected",
        "sentence": verdict_of(report),
        **pick(report, "confidence", "alpha", "throws", "tests", "seed"),
        "notes": list(notes),
        "groups": [
            _group_answer(found, group.throws, report)
            for found, group in zip(report.groups, groups, strict=True)
        ],
    }


def _group_answer(group: GroupReport, throws: Throws, report: Report) -> Answer:
    return {
        **pick(group, "name", "throws", "dice_known", "throws_needed"),
        "verdict": "rejected" if group.is_rejected else "not rejected",
        "tests": [_test_answer(outcome, report) for outcome in group.outcomes],
        "detectable": [pick(each, "what", "power", "fair", "excess") for each in group.detectable],
        "counts": _counts_answer(throws),
    }


def _test_answer(outcome: Outcome, report: Report) -> Answer:
    return {
        "test": outcome.key,
        "title": title_of(outcome.key),
        **pick(
            outcome, "statistic", "degrees", "p", "adjusted", "method", "draws", "error", "details"
        ),
        "rejected": outcome.is_rejected,
        "meaning": meaning_of(outcome, report),
    }


def _counts_answer(throws: Throws) -> Answer:
    """Give what was counted, by results like 226, totals and faces."""
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
