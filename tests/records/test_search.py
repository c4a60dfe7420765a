"""Finding events: a search, page by page, finds the same as a look at every event."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from taisai.core.cage.vouchers import VoucherIssued
from taisai.core.kernel.messages import Event
from taisai.core.kernel.registry import EVENTS
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.round import RoundSettled
from taisai.runtime.records import search
from taisai.runtime.records.entries import Period, Source
from taisai.runtime.records.search import FoundPage, Sought, find, last_before, read_position
from tests.kit.journals import played
from tests.records.recorded import looking, written

SEED, ROUNDS = 3, 80
LIMIT = 9


class Happened(NamedTuple):
    """An event of the world, with its place in the journal and its actor."""

    at: int
    stream: str
    version: int
    event: Event
    person: str


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("world"), played(SEED, ROUNDS))


@pytest.fixture(scope="module")
def happened() -> list[Happened]:
    """Give every event of the world, the newest first."""
    versions: defaultdict[str, int] = defaultdict(int)
    found = []
    for decided in played(SEED, ROUNDS):
        for event in decided.events:
            versions[decided.stream] += 1
            place = (decided.at, decided.stream, versions[decided.stream])
            found.append(Happened(*place, event, decided.order.actor.person))
    return sorted(found, key=lambda each: each[:3], reverse=True)


def texts_in(value: Any) -> Iterator[Any]:
    """Give every value in an event."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)
    else:
        yield value


def names(event: Event, text: str) -> bool:
    return text in texts_in(msgspec.to_builtins(event))


def found_in(
    journal: Path, sought: Sought, period: Period | None = None, tables: tuple[str, ...] = ()
) -> list[tuple[str, int]]:
    """Search page by page, with few events to each, until all were looked at."""

    async def look(source: Source) -> list[FoundPage]:
        pages, before = [], None
        while True:
            page = await find(source, sought, LIMIT, before, "en")
            assert len(page.events) <= LIMIT
            assert page.examined <= search.EXAMINED_MAX + search.WINDOW + search.CONTEXT
            pages.append(page)
            if page.before is None:
                return pages
            assert before is None or read_position(page.before) < before, "it goes on"
            before = read_position(page.before)

    pages = looking(journal, look, period=period or Period(), tables=tables)
    return [(each.stream, each.version) for page in pages for each in page.events]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "WINDOW", 50)
    monkeypatch.setattr(search, "CONTEXT", 10)
    monkeypatch.setattr(search, "EXAMINED_MAX", 400)


def places(happened: list[Happened], wanted: Callable[[Happened], bool]) -> list[tuple[str, int]]:
    return [(each.stream, each.version) for each in happened if wanted(each)]


def test_a_terminal_a_person_and_a_table(world: Path, happened: list[Happened]) -> None:
    terminal = next(
        name for each in happened if isinstance(name := getattr(each.event, "terminal", None), str)
    )
    expected = places(happened, lambda each: names(each.event, terminal))
    assert len(expected) > LIMIT
    assert found_in(world, Sought(terminal=terminal)) == expected
    person = next(each.person for each in happened if each.person not in ("system", "host"))
    expected = places(happened, lambda each: each.person == person or names(each.event, person))
    assert found_in(world, Sought(person=person)) == expected
    table = next(each.stream for each in happened if each.stream.startswith("table/"))
    name = table.removeprefix("table/")
    both = Sought(person=person, irregularity="")
    expected = [each for each in expected if each[0] == table]
    assert found_in(world, both, tables=(name,)) == expected


def test_an_amount(world: Path, happened: list[Happened]) -> None:
    settled = next(
        each.event
        for each in happened
        if isinstance(each.event, RoundSettled) and any(line.won for line in each.event.lines)
    )
    assert isinstance(settled, RoundSettled)
    won = max(line.won for line in settled.lines)
    found = found_in(world, Sought(least=won, most=won))
    exact = places(
        happened,
        lambda each: (
            isinstance(each.event, RoundSettled)
            and any(won in (line.won, line.stake) for line in each.event.lines)
        ),
    )
    assert exact
    assert set(exact) <= set(found)
    for stream, version in found:
        (event,) = (each.event for each in happened if each[1:3] == (stream, version))
        assert won in texts_in(msgspec.to_builtins(event)) or won in search.amounts_of(event)
    assert found_in(world, Sought(least=10**15)) == []


def test_a_voucher_by_its_serial_and_by_its_last_digits(
    world: Path, happened: list[Happened]
) -> None:
    issued = next(each.event for each in happened if isinstance(each.event, VoucherIssued))
    assert isinstance(issued, VoucherIssued)
    expected = places(happened, lambda each: getattr(each.event, "serial", None) == issued.serial)
    assert found_in(world, Sought(serial=issued.serial)) == expected
    expected = places(
        happened, lambda each: getattr(each.event, "last_four", None) == issued.last_four
    )
    assert found_in(world, Sought(last_four=issued.last_four)) == expected


def test_irregularities(world: Path, happened: list[Happened]) -> None:
    reported = [each for each in happened if isinstance(each.event, IrregularityReported)]
    found = found_in(world, Sought(irregularity="any"))
    assert {(each.stream, each.version) for each in reported} <= set(found)
    assert found == places(happened, lambda each: EVENTS[type(each.event)].irregular)
    code = reported[0].event.code  # type: ignore[attr-defined]
    assert found_in(world, Sought(irregularity=code)) == places(
        happened,
        lambda each: EVENTS[type(each.event)].irregular and names(each.event, code),
    )


def test_a_time_and_nothing_else(world: Path, happened: list[Happened]) -> None:
    times = sorted({each.at for each in happened})
    since, until = times[len(times) // 3], times[len(times) // 2]
    expected = places(happened, lambda each: since <= each.at < until)
    assert len(expected) > LIMIT
    assert found_in(world, Sought(), Period(since, until)) == expected
    assert found_in(world, Sought(), Period(times[-1] + 1)) == []
    assert found_in(world, Sought(), Period(None, times[0])) == []


def test_a_time_is_found_by_halving(world: Path, happened: list[Happened]) -> None:
    own = sorted(each for each in happened if each.stream.startswith("table/"))
    stream = own[0].stream
    asked = [each for each in own if each.stream == stream]

    async def halve(source: Source) -> None:
        for each in asked[:: max(1, len(asked) // 7)]:
            expected = max((one.version for one in asked if one.at < each.at), default=0)
            assert await last_before(source.journal, stream, len(asked), each.at) == expected

    looking(world, halve)
