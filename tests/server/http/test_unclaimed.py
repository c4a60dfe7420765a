"""Unclaimed money over HTTP: the cage alone can look it up, by its code."""

from taisai.core.cage.state import session_code
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.kernel.messages import Actor
from taisai.core.table.corrections import VoidSettledRounds
from taisai.core.table.positions import CashOut
from taisai.core.table.round import OpenBets
from taisai.runtime.streams import CAGE, table_stream
from tests.kit.desk import Desk
from tests.kit.people import CASHIER, DEALER, PIT, SUPERVISOR
from tests.server.http.test_tables import set_up

WHERE = "/api/cage/unclaimed"


def look(desk: Desk, code: object, role: str = "cage") -> tuple[int, dict[str, object]]:
    answer = desk.post(role, WHERE, {"code": code})
    return answer.status_code, answer.json()


def lost_and_left(desk: Desk, table: str) -> str:
    """Let a player lose 300 on Small and leave, and the round be void; give their code."""
    desk.do(set_up(desk, table))
    stream, terminal = table_stream(table), f"{table}-1"

    async def play() -> None:
        await desk.floor.do(stream, DEALER, OpenBets())
        await desk.floor.bet(table, terminal, "small", 300)
        await desk.floor.close_and_enter(table, (2, 2, 2))
        await desk.floor.settle(table)
        await desk.floor.do(stream, Actor(terminal, "terminal"), CashOut(terminal))
        await desk.venue.transfers.settled()
        await desk.floor.both(stream, SUPERVISOR, VoidSettledRounds(1, "chipped"), PIT)

    desk.do(play())
    return session_code(desk.venue.cage.key, table, f"{terminal}@1")


def test_the_cage_is_shown_what_a_code_is_owed_and_pays_it(desk: Desk) -> None:
    code = lost_and_left(desk, "U1")
    found = {"table": "U1", "session": "U1-1@1", "amount": 300, "in_chips": False}
    assert look(desk, code) == (200, found)

    async def pay() -> None:
        command = PayUnclaimed(code, "U1", "U1-1@1", 300)
        await desk.floor.both(CAGE, CASHIER, command, SUPERVISOR)
        await desk.venue.transfers.settled()

    desk.do(pay())
    status, problem = look(desk, code)
    assert (status, problem["code"]) == (409, "UNCLAIMED_IS_PAID")
    said = "what was set aside for the session U1-1@1 has been paid"
    assert str(problem["detail"]).lower() == said.lower()


def test_who_has_no_code_is_told_so(desk: Desk) -> None:
    code = lost_and_left(desk, "U2")
    other = session_code(desk.venue.cage.key, "U2", "U2-2@1")
    for asked, why in (
        (other, "NOTHING_UNCLAIMED"),
        ("0" * 16, "UNKNOWN_UNCLAIMED"),
        (code[:-1], "NO_SESSION_CODE"),
        ("", "NO_SESSION_CODE"),
    ):
        status, problem = look(desk, asked)
        assert (status, problem["code"]) == (409, why)
    for wrong in (None, 7, "0" * 65, [code]):
        assert look(desk, wrong)[0] == 400
    for role in ("dealer", "supervisor", "auditor"):
        assert look(desk, code, role)[0] == 403
    assert desk.client.post(WHERE, json={"code": code}).status_code == 401


def test_a_table_that_is_suspended_is_named(desk: Desk) -> None:
    code = lost_and_left(desk, "U3")
    stream = table_stream("U3")
    desk.look(lambda: desk.venue.writer(stream).suspend("for a trial"))
    try:
        status, problem = look(desk, code)
        assert (status, problem["code"]) == (503, "TABLE_SUSPENDED")
    finally:
        desk.do(desk.venue.resume(stream))
    assert look(desk, code)[0] == 200
