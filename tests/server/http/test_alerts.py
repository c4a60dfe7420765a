"""Alerts of the pit over HTTP: acknowledged, taken and assigned; every step is recorded."""

from functools import partial
from typing import Any

from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import Rectify
from tests.kit.desk import Desk
from tests.kit.floor import until
from tests.kit.people import DEALER, SUPERVISOR
from tests.server.http.test_pit import alerts_in, pit
from tests.server.http.test_problems import problem


def stop(desk: Desk, table: str) -> dict[str, Any]:
    """Stop a table; give the alert of it."""
    stops = ReportIrregularity("malfunction", "dark")
    desk.do(desk.floor.do(f"table/{table}", SUPERVISOR, stops))
    return alerts_in(pit(desk), table)["PIT_STOPPED"]


def done(desk: Desk, caller: str, alert: str, what: str, **body: str) -> Any:
    return desk.post(caller, f"/api/pit/alerts/{alert}/{what}", {"id": desk.new_id(), **body})


def test_an_alert_is_acknowledged_taken_given_and_remembered(desk: Desk) -> None:
    desk.do(desk.floor.add_table("K1", "div9/2", terminals=1))
    alert = stop(desk, "K1")
    assert alert["care"] is None
    assert alert["at"] is None, "it simply is so"
    name = alert["alert"]
    assert alerts_in(pit(desk), "K1")["PIT_STOPPED"]["alert"] == name, "it keeps its name"
    for caller in ("auditor", "dealer", "cage", "technician", "visitor"):
        assert done(desk, caller, name, "acknowledge").status_code in (401, 403)
    assert done(desk, "supervisor", name, "acknowledge", note=" a dark tube ").status_code == 200
    problem(done(desk, "pit-manager", name, "acknowledge"), 409, "ALERT_ACKNOWLEDGED")
    problem(done(desk, "supervisor", name, "assign", person="Tomas"), 409, "MANAGERS_ASSIGN")
    assert done(desk, "supervisor", name, "assign", person="Sunil").status_code == 200
    assert done(desk, "pit-manager", name, "assign", person="Tomas").status_code == 200
    care = alerts_in(pit(desk), "K1")["PIT_STOPPED"]["care"]
    assert (care["acknowledged"]["by"], care["acknowledged"]["note"]) == ("Sunil", "a dark tube")
    assert care["person"] == "Tomas"
    assert [each["person"] for each in care["steps"]] == [None, "Sunil", "Tomas"]

    # It is put right, and happens again: that is a new alert, acknowledged by nobody.
    desk.do(desk.floor.do("table/K1", SUPERVISOR, Rectify("a new tube")))
    assert "PIT_STOPPED" not in alerts_in(pit(desk), "K1")
    problem(done(desk, "supervisor", "0" * 16, "acknowledge"), 409, "ALERT_OVER")
    history = desk.get("auditor", "/api/pit/alerts", language="zh-Hans").json()
    (past,) = (each for each in history["alerts"] if each["alert"] == name)
    assert (past["over"], past["table"], past["person"]) == (True, "K1", "Tomas")
    assert "赌桌 K1" in past["sentence"]
    again = stop(desk, "K1")
    assert again["alert"] != name
    assert again["care"] is None
    assert again["since"] > alert["since"]

    # All of it is in the journal, with the sentences of the alert.
    events = desk.get("auditor", "/api/audit/events", limit=20).json()["events"]
    told = [each["summary"] for each in events if each["event"].startswith("Alert")]
    assert told[0].startswith("an alert is given to Tomas by Petra; table K1 is stopped by clause")
    assert told[1].startswith("Sunil takes an alert in hand; table K1")
    assert told[2].startswith("an alert is acknowledged by Sunil; table K1")


def test_a_round_is_in_doubt_since_its_report_whenever_somebody_looks(desk: Desk) -> None:
    desk.do(desk.floor.add_table("K2", "ts6/2", terminals=1))

    async def report() -> None:
        await desk.floor.do("table/K2", DEALER, OpenBets())
        await desk.floor.send("table/K2", DEALER, ReportIrregularity("die-not-flat", "it leans"))

    desk.do(report())
    awaited = desk.get("supervisor", "/api/approvals").json()
    (waits,) = (each for each in awaited if each["to"] == "K2")
    assert waits["sentence"] == "reported: a die does not lie flat. “it leans”"
    chinese = desk.get("supervisor", "/api/approvals", language="zh-Hant").json()
    assert "報告" in next(each["sentence"] for each in chinese if each["to"] == "K2")
    # Read later, the alert is still as old as the report.
    desk.do(until(lambda: desk.venue.clock.now() > waits["at"]))
    assert alerts_in(pit(desk), "K2")["PIT_IN_DOUBT"]["since"] == waits["at"]


def test_a_notice_of_the_venue_is_an_alert_too(desk: Desk) -> None:
    desk.look(lambda: desk.venue.announce("venue", "copy", "the copy is late"))
    (alert,) = (each for each in pit(desk)["alerts"] if each["sentence"] == "the copy is late")
    assert (alert["code"], alert["level"]) == ("copy", "watch")
    assert done(desk, "shift-manager", alert["alert"], "acknowledge").status_code == 200
    history = desk.get("supervisor", "/api/pit/alerts", limit=1).json()
    assert history["alerts"][0]["sentence"] == "the copy is late"
    assert history["alerts"][0]["acknowledged"]["by"] == "Shirin"


def test_the_past_is_read_page_by_page(desk: Desk) -> None:
    for said in ("turn 1", "turn 2", "turn 3"):
        desk.look(partial(desk.venue.announce, "venue", "copy", said))
    for alert in pit(desk)["alerts"]:
        if alert["sentence"].startswith("turn "):
            assert done(desk, "supervisor", alert["alert"], "acknowledge").status_code == 200
    whole = desk.get("auditor", "/api/pit/alerts", limit=100).json()
    assert whole["before"] is None
    first = desk.get("auditor", "/api/pit/alerts", limit=2).json()
    rest = desk.get("auditor", "/api/pit/alerts", limit=100, before=first["before"]).json()
    assert first["alerts"] + rest["alerts"] == whole["alerts"]
    assert desk.get("auditor", "/api/pit/alerts", before="forgotten").json()["alerts"] == []
