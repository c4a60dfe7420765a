"""Finds and runs the tests that cite a clause: each change is tried in a process of its own."""

import json
import os
import re
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol
from msgspec import Struct

from taisai.rulebooks import KEYS
from tools.clause_ledger import TESTS, clause_of, keys_of, transcribed_in

#: The time limit of the tests of a change; a change that makes them run longer is noticed.
TIMEOUT_SECONDS = 300
_DOCUMENT = re.compile(rf"\b({'|'.join(KEYS)})\b")
_DECISION = re.compile(r"test_d([0-9]+)_")
_QUIET = ("-q", "-s", "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:xdist")

#: A question: a name, and the citations of the tests to run.
Questions = Mapping[str, frozenset[str]]


class Answer(Struct, frozen=True):
    """How many tests were run, and which of them noticed first, if any."""

    asked: int
    noticed: str | None = None


def cited_by(item: pytest.Item) -> frozenset[str]:
    """Name the clauses and decisions that a test cites, each with its document."""
    scenario = _scenario_of(item)
    if scenario is not None:
        key = scenario.table.key
        codes = (f"#{code}" for code in scenario.irregularities)
        return frozenset(f"{key} {each}" for each in (*scenario.clauses, *codes))
    name, _, parameters = item.name.partition("[")
    named = set(_DOCUMENT.findall(parameters)) or set(KEYS)
    if decision := _DECISION.match(name):
        return frozenset(f"{key} D{int(decision[1])}" for key in named)
    found = {key: clause_of(name, _transcribed(key)) for key in keys_of(item.path.name)}
    return frozenset(
        f"{key} {number}" for key, number in found.items() if number is not None and key in named
    )


def _scenario_of(item: pytest.Item) -> Any:
    if not item.name.startswith("test_scenario["):
        return None
    return getattr(item, "callspec").params["scenario"]  # noqa: B009 - pytest does not declare it


@cache
def _transcribed(key: str) -> tuple[str, ...]:
    return tuple(transcribed_in((TESTS / "transcribed" / f"{key}.txt").read_text("utf-8")))


class _Loop:
    """Replaces pytest's own loop over the collected tests."""

    def __init__(self, run: Callable[[list[tuple[pytest.Item, frozenset[str]]]], None]) -> None:
        self._run = run
        self.faults: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record files that could not be imported."""
        if report.failed:
            self.faults.append(f"{report.nodeid}: {report.longreprtext[-500:]}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Collect the tests with citations, and do the work with them."""
        if not self.faults:
            cited = ((item, cited_by(item)) for item in session.items)
            self._run([(item, citations) for item, citations in cited if citations])
        return True


def with_tests(
    files: Iterable[Path], run: Callable[[list[tuple[pytest.Item, frozenset[str]]]], None]
) -> list[str]:
    """Collect tests and pass them on with their citations; return what could not be collected."""
    loop = _Loop(run)
    pytest.main([*_QUIET, *map(str, files)], plugins=[loop])
    return loop.faults


def ask(
    items: Iterable[tuple[pytest.Item, frozenset[str]]], questions: Questions, first: set[str]
) -> Any:
    """Run the tests for some questions, each test at most once, until every one is noticed.

    The tests in `first` are run first: they noticed before.
    """
    asked = dict.fromkeys(questions, 0)
    noticed: dict[str, str] = {}
    for item, citations in sorted(items, key=lambda each: each[0].nodeid not in first):
        open_ = [
            name
            for name, wanted in questions.items()
            if name not in noticed and not wanted.isdisjoint(citations)
        ]
        if not open_:
            continue
        failed = _fails(item)
        for name in open_:
            asked[name] += 1
            if failed:
                noticed[name] = item.nodeid
    return {name: [asked[name], noticed.get(name)] for name in questions}


def _fails(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def in_a_child(work: Callable[[], Any]) -> Any:
    """Do work in a process of its own, and return its answer; None if it did not end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, writing)
    os.close(writing)
    with os.fdopen(reading) as answers:
        text = answers.read()
    _, status = os.waitpid(child, 0)
    ended = os.waitstatus_to_exitcode(status)
    if ended == -signal.SIGALRM:
        return None
    if ended != 0:
        raise RuntimeError(f"a change could not be tried: {text or ended}")
    return json.loads(text)


def _work(work: Callable[[], Any], writing: int) -> NoReturn:
    """Work, write the answer or the error, and end, without going on as the parent would."""
    signal.alarm(TIMEOUT_SECONDS)
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    ended = 1
    with os.fdopen(writing, "w") as answers:
        try:
            json.dump(work(), answers)
            ended = 0
        except BaseException:  # noqa: BLE001 - whatever it is, the parent has to know
            answers.write(traceback.format_exc())
    os._exit(ended)


def answers_of(found: Any, questions: Questions) -> Iterator[tuple[str, Answer]]:
    """Read a child's answers; a child that did not end counts as noticed."""
    if found is None:
        found = {name: [0, "no end"] for name in questions}
    for name, (asked, noticed) in found.items():
        yield name, Answer(asked, noticed)
