"""Sessions that staff end over HTTP: previewed, ended once, and paid by a code for staff alone."""

from typing import Any

from taisai.core.cage.state import session_code
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.kernel.messages import Actor
from taisai.core.table.betting import PlaceBets
from taisai.core.table.round import OpenBets
from taisai.core.table.service import MarkTerminalFailed
from taisai.runtime.streams import CAGE, table_stream
from tests.kit.desk import Desk
from tests.kit.people import CASHIER, DEALER, SUPERVISOR
from tests.kit.tables import stakes
from tests.server.http.test_recall import headers_of
from tests.server.http.test_tables import set_up

NOBODY = ("visitor", "terminal", "dealer", "cage", "technician", "auditor")


def end(desk: Desk, table: str, id_: str, role: str = "supervisor", note: str = "gone") -> Any:
    body = {"id": id_, "terminal": f"{table}-1", "note": note}
    answer = desk.post(role, f"/api/tables/{table}/sessions/end", body)
    return answer.status_code, answer.json()


def preview(desk: Desk, table: str, command: dict[str, Any], role: str = "supervisor") -> Any:
    answer = desk.post(role, f"/api/tables/{table}/preview", {"command": command})
    return answer.status_code, answer.json()


def test_d21_a_session_is_ended_once_and_paid_against_the_code_that_staff_are_shown(
    desk: Desk,
) -> None:
    """A win of 5.00 at 1 to 1 leaves terminal 1 with its credits and 5.00."""
    desk.do(set_up(desk, "E1", rounds=1))
    held = desk.look(lambda: desk.venue.table("E1").ledger.balance("terminal:E1-1"))
    for role in NOBODY:
        assert end(desk, "E1", desk.new_id(), role)[0] in (401, 403)
    ending = {"type": "EndSession", "terminal": "E1-1", "note": "gone"}
    status, shown = preview(desk, "E1", ending)
    assert (status, shown["voids"], shown["seconds"], shown["netted"]) == (200, False, [], [])
    assert {
        (each["account"], each["of"], each["before"], each["after"]) for each in shown["accounts"]
    } == {
        ("credits", "E1-1", held, 0),
        ("unclaimed", "E1-1@1", 0, held),
    }
    assert desk.look(lambda: desk.venue.table("E1").ledger.balance("terminal:E1-1")) == held
    first = desk.new_id()
    status, told = end(desk, "E1", first)
    code = session_code(desk.venue.cage.key, "E1", "E1-1@1")
    assert (status, told["session"], told["amount"]) == (200, code, held)
    assert end(desk, "E1", first) == (200, told)
    status, problem = end(desk, "E1", desk.new_id())
    assert (status, problem["code"]) == (409, "NO_SESSION")
    own = headers_of(desk, "E1", "E1-1")
    recalled = desk.client.get("/api/terminal/recall", headers=own).json()
    assert (recalled["rounds"], recalled["session"]) == ([], None)

    async def pay() -> None:
        await desk.floor.both(CAGE, CASHIER, PayUnclaimed(code, "E1", "E1-1@1", held), SUPERVISOR)
        await desk.venue.transfers.settled()

    desk.do(pay())
    assert desk.look(lambda: desk.venue.table("E1").unclaimed) == {}


def test_etg8_5_2_what_a_failed_terminal_may_and_may_not_is_said_over_http(desk: Desk) -> None:
    desk.do(set_up(desk, "E2"))
    stream, terminal = table_stream("E2"), Actor("E2-1", "terminal")

    async def fail() -> Any:
        await desk.floor.do(stream, DEALER, OpenBets())
        await desk.floor.bet("E2", "E2-1", "small", 300)
        await desk.floor.do(stream, SUPERVISOR, MarkTerminalFailed("E2-1", "dark"))
        bet = PlaceBets("E2-1", stakes({"small": 300}))
        return await desk.floor.send(stream, terminal, bet)

    assert desk.do(fail()).code == "TERMINAL_FAILED"
    report = desk.get("supervisor", "/api/reports/terminals/E2").json()["terminals"]
    assert {each["terminal"]: (each["failed"], each["session"]) for each in report} == {
        "E2-1": (True, True),
        "E2-2": (False, True),
    }
    status, problem = preview(desk, "E2", {"type": "EndSession", "terminal": "E2-1", "note": "x"})
    assert (status, problem["code"], problem["clause"]) == (409, "SESSION_HAS_BETS", "5.2.1")
    alerts = desk.get("supervisor", "/api/pit").json()["alerts"]
    assert "PIT_TERMINALS_FAILED" in {each["code"] for each in alerts if each["table"] == "E2"}
    back = {"type": "ReturnTerminal", "terminal": "E2-1", "note": "a new screen"}
    status, shown = preview(desk, "E2", back)
    assert (status, shown["accounts"]) == (200, [])
    assert [each["sentence"] for each in shown["will"]] == [
        "terminal E2-1 is in service again: a new screen"
    ]


def test_a_preview_of_nonsense_says_what_would_be_right(desk: Desk) -> None:
    desk.do(set_up(desk, "E3"))
    for command in ({"type": "PlaceBets"}, {"type": "EndSession"}, {}, {"type": 7}):
        status, problem = preview(desk, "E3", command)
        assert status == 400, problem
        assert problem["detail"]
    for role in NOBODY:
        rule = {"type": "Rule", "note": "x"}
        assert preview(desk, "E3", rule, role)[0] in (401, 403)
    answer = desk.get("supervisor", f"/api/tables/E3/preview/{'0' * 64}")
    assert (answer.status_code, answer.json()["code"]) == (409, "NOTHING_PENDING")
