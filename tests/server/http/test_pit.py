"""The pit over HTTP: every table, its win against theory, its dice, and its alerts."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

import taisai
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import LoseTerminal
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import AdoptRulebook, DeclareSafeProcedure, GiveNotice
from taisai.runtime.answers import HOST
from taisai.runtime.journal.contract import Append
from taisai.runtime.streams import CAGE, VENUE, table_stream
from taisai.server.http.figures import alerts
from tests.kit.desk import Desk, opened
from tests.kit.floor import until
from tests.kit.people import DEALER, PIT, SUPERVISOR
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.server.figures.playing import expected_of, play


def pit(desk: Desk, language: str = "en") -> dict[str, Any]:
    """Request the pit once its figures are complete."""

    async def complete() -> None:
        async with asyncio.timeout(20):
            await desk.app.state.figures.caught_up()

    desk.do(complete())
    response = desk.get("pit-manager", "/api/pit", language=language)
    assert response.status_code == 200, response.text
    told: dict[str, Any] = response.json()
    return told


def table_in(told: dict[str, Any], table: str) -> dict[str, Any]:
    (found,) = (each for each in told["tables"] if each["table"] == table)
    return dict(found)


def alerts_in(told: dict[str, Any], table: str) -> dict[str, dict[str, Any]]:
    return {each["code"]: each for each in told["alerts"] if each["table"] == table}


def test_it_is_for_the_pit_alone(desk: Desk) -> None:
    for caller in ("supervisor", "pit-manager", "shift-manager", "auditor"):
        assert desk.get(caller, "/api/pit").status_code == 200
    for caller in ("visitor", "terminal", "dealer", "cage", "technician"):
        assert desk.get(caller, "/api/pit").status_code in (401, 403)


def test_a_tables_win_is_held_against_the_bets_it_took(desk: Desk) -> None:
    desk.do(desk.floor.add_table("P1", "etg8/2", terminals=2, credit=10_000_000))
    played = desk.do(play(desk.floor, "P1", 4, 10))
    pay_table = desk.venue.table("P1").pay_table
    assert pay_table is not None
    turnover, win, theory, variance = expected_of(pay_table, played)
    told = pit(desk)
    assert told["catching_up"] is None
    assert told["currency"] == "SGD"
    table = table_in(told, "P1")
    figures = table["figures"]
    assert (figures["rounds"], figures["bets"], figures["turnover"]) == (10, 80, turnover)
    assert (figures["win"], figures["theory"]) == (win, round(theory))
    sigma = float(variance) ** 0.5
    assert figures["sigma"] == round(sigma)
    assert figures["deviation"] == round(float(win - theory) / sigma, 2)
    band = figures["band"]
    assert band["high"] - band["low"] == pytest.approx(2 * 1.96 * sigma, abs=2)
    assert band["highest"] - band["lowest"] == pytest.approx(2 * 2.58 * sigma, abs=2)
    assert figures["hold_percent"] == round(float(100 * win / turnover), 2)
    assert figures["rounds_per_hour"] > 0
    assert sum(each["turnover"] for each in table["kinds"]) == turnover
    assert sum(each["win"] for each in table["kinds"]) == win
    assert (table["drop"], table["out"], table["dealt_by"]) == (20_000_000, 0, "dan")
    assert (table["dealer"], table["terminals"], table["connected"]) == ("person", 2, 2)
    (dice,) = table["fairness"]
    assert (dice["dice_set"], dice["throws"], dice["in_use"]) == ("D1", 10, True)
    assert (dice["alarmed_at"], dice["alarm_at"], dice["confidence"]) == (None, 100.0, 0.99)
    (dan,) = (each for each in told["dealers"] if each["person"] == "dan")
    assert "P1" in dan["tables"]
    assert dan["figures"]["rounds"] >= 10
    assert {each["kind"]: each["name"] for each in told["kinds"]}["four"] == "Four Numbers"


def test_what_lies_on_a_table_and_the_worst_of_it(desk: Desk) -> None:
    desk.do(desk.floor.add_table("P2", "etg8/2", terminals=1))

    async def bet() -> None:
        await desk.floor.do("table/P2", DEALER, OpenBets())
        await desk.floor.bet("P2", "P2-1", "small", 1_000)
        await desk.floor.bet("P2", "P2-1", "triple-6", 100)

    desk.do(bet())
    table = table_in(pit(desk), "P2")
    assert (table["phase"], table["staked"]) == ("betting", 1_100)
    # Three sixes pay 195 to 1 and take Small: 19,500 less 1,000.
    assert table["worst"] == 18_500


def test_a_suspended_table_says_so_and_keeps_its_figures(desk: Desk) -> None:
    desk.do(desk.floor.add_table("P3", "etg8/2", terminals=2))
    desk.do(play(desk.floor, "P3", 1, 2))
    pit(desk)
    writer = desk.venue.writer(table_stream("P3"))
    desk.look(lambda: writer.suspend("somebody pulled a plug"))
    try:
        told = pit(desk)
        table = table_in(told, "P3")
        assert (table["suspended"], table["phase"]) == (True, "suspended")
        assert table["why"] == "somebody pulled a plug"
        assert table["figures"]["rounds"] == 2
        alert = alerts_in(told, "P3")["PIT_SUSPENDED"]
        assert (alert["level"], alert["at"]) == ("act", None)
        assert "somebody pulled a plug" in alert["sentence"]
        assert told["alerts"][0]["level"] == "act", "the most urgent stands first"
    finally:
        desk.post("technician", "/api/tables/P3/resume")
    assert "PIT_SUSPENDED" not in alerts_in(pit(desk), "P3")


@pytest.mark.parametrize(("stream", "name"), [(CAGE, "cage"), (VENUE, "venue")])
def test_a_suspended_cage_or_venue_says_so_until_it_is_resumed(
    desk: Desk, stream: str, name: str
) -> None:
    writer, code = desk.venue.writer(stream), f"PIT_{name.upper()}_SUSPENDED"
    desk.look(lambda: writer.suspend("somebody pulled a plug"))
    try:
        (alert,) = [each for each in pit(desk)["alerts"] if each["code"] == code]
        assert (alert["level"], alert["table"]) == ("act", None)
        assert "somebody pulled a plug" in alert["sentence"]
    finally:
        assert desk.post("pit-manager", f"/api/{name}/resume").status_code == 200
    assert code not in {each["code"] for each in pit(desk)["alerts"]}


def test_what_wants_attention_is_said_in_a_language(desk: Desk) -> None:
    desk.do(desk.floor.add_table("P4", "div9/2", terminals=1))

    async def stop() -> None:
        await desk.floor.do("table/P4", SUPERVISOR, ReportIrregularity("malfunction", "dark"))
        asked = await desk.floor.do("table/P4", PIT, DeclareSafeProcedure("by hand"))
        assert isinstance(asked.events[-1], ApprovalRequested)

    desk.do(stop())
    told = pit(desk, "zh-Hant")
    found = alerts_in(told, "P4")
    assert found["PIT_STOPPED"]["level"] == "act"
    assert "7.4" in found["PIT_STOPPED"]["sentence"]
    assert "賭桌 P4" in found["PIT_STOPPED"]["sentence"]
    waits = found["PIT_APPROVAL_WAITS"]
    assert "pat" in waits["sentence"]
    assert waits["at"] > 0
    table = table_in(told, "P4")
    assert (table["stopped"], table["pending"]) == ("7.4", True)


def test_a_superseded_rulebook_is_told_as_long_as_it_is_played(desk: Desk) -> None:
    """Another version of a rulebook is adopted while the venue runs: the pit is told at once."""
    stream = desk.do(desk.floor.set_up_table("P9", "etg8/2"))
    assert "PIT_SUPERSEDED" not in alerts_in(pit(desk), "P9")
    own = taisai.rulebook("etg8").canonical.decode()
    older = own.replace('"version":"8"', '"version":"7"')
    assert older != own

    def adopt(canonical: str) -> None:
        desk.do(desk.floor.both(stream, PIT, AdoptRulebook(canonical, 2), SUPERVISOR))

    adopt(older)
    alert = alerts_in(pit(desk), "P9")["PIT_SUPERSEDED"]
    assert alert["level"] == "watch"
    assert alert["sentence"].startswith("table P9 plays by etg8 as it was adopted")
    adopt(own)
    assert "PIT_SUPERSEDED" not in alerts_in(pit(desk), "P9")


def test_dice_that_are_not_fair_and_a_win_outside_its_band(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alerts, "ROUNDS_MIN", 5)
    desk.do(desk.floor.add_table("P5", "etg8/2", terminals=1, credit=10_000_000))

    async def always_the_same() -> None:
        for _ in range(8):
            await desk.floor.do("table/P5", DEALER, OpenBets())
            await desk.floor.bet("P5", "P5-1", "triple-6", 100)
            await desk.floor.close_and_enter("P5", (6, 6, 6))
            await desk.floor.settle("P5")

    desk.do(always_the_same())
    told = pit(desk)
    found = alerts_in(told, "P5")
    table = table_in(told, "P5")
    alarmed = table["fairness"][0]["alarmed_at"]
    assert 1 < alarmed <= 8
    assert f"at throw {alarmed}" in found["PIT_DICE_ALARM"]["sentence"]
    assert "1 in 100" in found["PIT_DICE_ALARM"]["sentence"]
    assert table["figures"]["standing"] == "outside"
    assert found["PIT_HOLD_OUTSIDE"]["level"] == "watch"
    assert "over 8 rounds" in found["PIT_HOLD_OUTSIDE"]["sentence"]
    monkeypatch.setattr(alerts, "ROUNDS_MIN", 9)
    assert "PIT_HOLD_OUTSIDE" not in alerts_in(pit(desk), "P5")


def test_no_alert_is_told_before_it_is_on_disk(desk: Desk) -> None:
    desk.do(desk.floor.add_table("P7", "div9/2", terminals=1))
    desk.do(desk.floor.add_table("P8", "div9/2", terminals=1))

    async def asked() -> list[str]:
        """Request the pit while one table waits for the disk, and another is stopped behind it."""
        journal: Any = desk.venue.journal
        written, gates = journal.write, {"table/P8": asyncio.Event(), "table/P7": asyncio.Event()}

        async def slowly(appends: Sequence[Append], *more: Any) -> Any:
            # Other streams' events, and signatures, are written without delay.
            for append in appends:
                if append.stream in gates:
                    await gates[append.stream].wait()
            return await written(appends, *more)

        journal.write = slowly
        stops = ReportIrregularity("malfunction", "dark")
        try:
            noticed = asyncio.create_task(desk.floor.do("table/P8", DEALER, GiveNotice()))
            await until(lambda: desk.venue.table("P8").notice_given)
            client = httpx.AsyncClient(base_url=desk.address, timeout=TIMEOUT_SECONDS)
            followers = len(desk.venue.publisher.followers)
            pit = asyncio.create_task(client.get("/api/pit", headers=headers))
            await until(lambda: len(desk.venue.publisher.followers) > followers)
            stopped = asyncio.create_task(desk.floor.do("table/P7", SUPERVISOR, stops))
            await until(lambda: desk.venue.table("P7").stopped is not None)
            gates["table/P8"].set()
            answer = await pit
            assert not stopped.done(), "what stops the table is not on disk"
            gates["table/P7"].set()
            await asyncio.gather(noticed, stopped)
            await client.aclose()
            return [*alerts_in(answer.json(), "P7")]
        finally:
            del journal.write

    headers = desk.headers("pit-manager")
    assert desk.do(asked()) == []
    assert "PIT_STOPPED" in alerts_in(pit(desk), "P7")


def test_the_figures_are_there_again_after_a_stop(tmp_path: Path) -> None:
    with opened(tmp_path) as desk:
        desk.do(desk.floor.add_table("P1", "etg8/2", terminals=2))
        desk.do(play(desk.floor, "P1", 1, 4))
        before = table_in(pit(desk), "P1")
    with opened(tmp_path) as desk:
        after = table_in(pit(desk), "P1")
        assert after["figures"] == before["figures"]
        assert after["fairness"] == before["fairness"]
        desk.do(play(desk.floor, "P1", 2, 1))
        assert table_in(pit(desk), "P1")["figures"]["rounds"] == 5


def test_a_lobby_is_told_what_it_shows(desk: Desk) -> None:
    desk.do(desk.floor.add_table("P6", "ts6/2", terminals=3))
    desk.do(play(desk.floor, "P6", 1, 1))
    desk.do(desk.floor.do("table/P6", HOST, LoseTerminal("P6-3")))
    entries = {each["table"]: each for each in desk.get("visitor", "/api/tables").json()}
    entry = entries["P6"]
    assert (entry["title"], entry["version"], entry["pay_table"]) == ("Tai Sai", "6", "ts6/2")
    assert entry["publisher"].startswith("Resorts World")
    assert (entry["layout"], entry["boxes"]) == ("Appendix C", 104)
    assert (entry["limits"]["minimum"], entry["limits"]["maximum"]) == (100, 1_000_000)
    assert (entry["tumbler"], entry["terminals"], entry["connected"]) == ("keyed", 3, 2)
    last = entry["last"]
    assert last["round"] == 1
    assert last["total"] == sum(last["faces"])
    assert last["call"].endswith(f"total {last['total']}")
    assert entries["sic-bo"]["tumbler"] == "simulated"
