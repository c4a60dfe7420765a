"""Tables, reports and resuming over HTTP, at tables of the tests' own with dice keyed by hand."""

import asyncio
from typing import Any

from taisai.core.table.round import OpenBets
from taisai.runtime.streams import table_stream
from taisai.server.http.frame.dependencies import wait_until_durable
from tests.kit.desk import Desk
from tests.kit.floor import until
from tests.kit.people import DEALER
from tests.server.http.test_problems import problem


async def play(desk: Desk, table: str, rounds: int) -> None:
    """Play rounds with a bet on Small in each: 1 2 3, which wins."""
    for _ in range(rounds):
        await desk.floor.do(table_stream(table), DEALER, OpenBets())
        await desk.floor.bet(table, f"{table}-1", "small", 500)
        await desk.floor.close_and_enter(table, (3, 1, 2))
        await desk.floor.settle(table)


async def set_up(desk: Desk, table: str, rounds: int = 0, pay_table: str = "etg8/2") -> None:
    """Set a table up, and play."""
    await desk.floor.add_table(table, pay_table, terminals=2)
    await play(desk, table, rounds)


def test_the_venue_tells_its_tables_and_its_time(desk: Desk) -> None:
    venue = desk.get("visitor", "/api/venue").json()
    assert (venue["name"], venue["currency"], venue["demo"]) == ("Tai Sai demo", "SGD", True)
    assert {"tai-sai", "sic-bo"} <= set(venue["tables"])
    assert abs(venue["at"] - desk.venue.clock.now()) < 60_000
    entries = {each["table"]: each for each in desk.get("visitor", "/api/tables").json()}
    assert entries["sic-bo"]["pay_table"] == "etg8/2"
    assert entries["sic-bo"]["dealer"] == "automatic"


def test_a_table_is_told_as_it_stands(desk: Desk) -> None:
    desk.do(set_up(desk, "V1"))

    async def bet() -> None:
        await desk.floor.do(table_stream("V1"), DEALER, OpenBets())
        await desk.floor.bet("V1", "V1-1", "small", 700)

    desk.do(bet())
    view = desk.get("visitor", "/api/tables/V1", language="zh-Hans").json()
    assert (view["phase"], view["round"], view["totals"]) == ("betting", 1, {"small": 700})
    assert view["terminals"] == 2
    assert "V1-1" not in str(view), "what is public names no terminal"


def test_finished_rounds_page_by_page(desk: Desk) -> None:
    desk.do(set_up(desk, "V2", rounds=5))
    first = desk.get("visitor", "/api/tables/V2/rounds", limit=2).json()
    assert [each["round"] for each in first["rounds"]] == [5, 4]
    assert first["rounds"][0]["call"] == "1, 2, 3, total 6"
    then = desk.get("visitor", "/api/tables/V2/rounds", limit=9, before=first["before"]).json()
    assert [each["round"] for each in then["rounds"]] == [3, 2, 1]
    assert then["before"] is None


def test_an_unknown_table_is_told_with_those_there_are(desk: Desk) -> None:
    for path in ("/api/tables/zz", "/api/tables/zz/rounds", "/api/tables/%00", "/api/tables/a%2Fb"):
        response = desk.get("visitor", path)
        assert response.status_code == 404
    assert (
        "sic-bo" in problem(desk.get("visitor", "/api/tables/zz"), 404, "UNKNOWN_TABLE")["detail"]
    )


def test_meters_add_up(desk: Desk) -> None:
    desk.do(set_up(desk, "V3", rounds=3))
    told = desk.get("auditor", "/api/reports/meters").json()
    meters = {
        (each["meter"], each["name"]): each for each in told["meters"] if each["table"] == "V3"
    }
    for name in (("table", None), ("dealer", "dan"), ("kind", "small")):
        assert (meters[name]["turnover"], meters[name]["won"]) == (1_500, 1_500)
        assert (meters[name]["collected"], meters[name]["hold"]) == (0, -1_500)
    assert meters["table", None]["drop"] == 200_000
    assert not any(kind == "terminal" for kind, _ in meters)


def test_terminals_are_reported_one_by_one(desk: Desk) -> None:
    desk.do(set_up(desk, "V4", rounds=2))
    told = desk.get("supervisor", "/api/reports/terminals/V4").json()
    one, two = told["terminals"]
    assert (one["terminal"], one["credits"], one["turnover"]) == ("V4-1", 101_000, 1_000)
    assert (two["credits"], two["turnover"], two["hold"]) == (100_000, 0, 0)


def test_a_suspended_table_is_told_so_and_resumed(desk: Desk) -> None:
    desk.do(set_up(desk, "V5"))
    writer = desk.venue.writer(table_stream("V5"))
    desk.look(lambda: writer.suspend("somebody pulled a plug"))
    try:
        ready = desk.get("visitor", "/readyz")
        assert ready.status_code == 503
        assert ready.json()["suspended"] == ["table/V5"]
        assert "plug" not in ready.text, "why is for the pit alone"
        entries = {each["table"]: each for each in desk.get("visitor", "/api/tables").json()}
        assert entries["V5"]["suspended"] is True
        for path in ("/api/tables/V5", "/api/tables/V5/rounds"):
            response = desk.get("visitor", path)
            problem(response, 503, "TABLE_SUSPENDED")
            assert response.headers["retry-after"]
        problem(desk.get("auditor", "/api/reports/terminals/V5"), 503, "TABLE_SUSPENDED")
        assert desk.post("dealer", "/api/tables/V5/resume").status_code == 403
    finally:
        resumed = desk.post("technician", "/api/tables/V5/resume")
    assert resumed.json() == {"stream": "table/V5", "version": writer.head.version}
    assert desk.get("visitor", "/readyz").json()["ready"] is True
    assert desk.post("pit-manager", "/api/cage/resume").json()["stream"] == "cage"
    assert desk.post("pit-manager", "/api/venue/resume").json()["stream"] == "venue"


def test_nothing_is_told_before_it_is_on_disk(desk: Desk) -> None:
    stream = table_stream("V6")
    desk.do(set_up(desk, "V6"))

    async def told_in_order() -> tuple[bool, bool]:
        """Hold up writing, wait for an event that is not durable yet, and let it be written."""
        journal: Any = desk.venue.journal
        written, gate = journal.write, asyncio.Event()

        async def slowly(*what: Any) -> Any:
            await gate.wait()
            return await written(*what)

        journal.write = slowly
        try:
            writer = desk.venue.writer(stream)
            version = writer.head.version + 1
            bets = asyncio.create_task(desk.floor.do(stream, DEALER, OpenBets()))
            await until(lambda: writer.head.version >= version)
            telling = asyncio.create_task(wait_until_durable(desk.venue, stream, version))
            for _ in range(20):
                await asyncio.sleep(0)
            before = telling.done()
            gate.set()
            await bets
            await telling
            return before, telling.done()
        finally:
            del journal.write

    assert desk.do(told_in_order()) == (False, True)
