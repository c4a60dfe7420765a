"""Receipts for players over HTTP, and wins paid by hand: against the code of a session alone."""

import httpx
import msgspec
import pytest

from taisai.core.cage.state import session_code
from taisai.core.table.round import OpenBets
from taisai.protocol.receipts import RoundReceipt
from taisai.runtime.journal.receipts import ReceiptError, check_receipt
from taisai.runtime.records.receipts import hold_round_against
from taisai.runtime.streams import table_stream
from tests.kit.desk import Desk
from tests.kit.people import DEALER
from tests.server.http.test_problems import problem
from tests.server.http.test_recall import headers_of
from tests.server.http.test_tables import play, set_up


def code_of(desk: Desk, session: str) -> str:
    return session_code(desk.venue.cage.key, session.partition("-")[0], session)


def lost_and_won(desk: Desk, table: str) -> None:
    """Play two rounds: 5.00 on Small wins as much, then 3.00 on it and 2.00 on Total 6 lose."""
    desk.do(set_up(desk, table, rounds=1))

    async def lose() -> None:
        await desk.floor.do(table_stream(table), DEALER, OpenBets())
        await desk.floor.bet(table, f"{table}-1", "small", 300)
        await desk.floor.bet(table, f"{table}-1", "total-9", 200)
        await desk.floor.close_and_enter(table, (2, 2, 2))
        await desk.floor.settle(table)

    desk.do(lose())


def test_a_round_is_signed_for_who_has_the_code_of_its_session(desk: Desk) -> None:
    lost_and_won(desk, "RC1")
    code = code_of(desk, "RC1-1@1")
    rounds = desk.post("cage", "/api/cage/rounds", {"code": code}).json()
    assert (rounds["table"], rounds["session"]) == ("RC1", "RC1-1@1")
    told = [(each["round"], each["staked"], each["back"]) for each in rounds["rounds"]]
    assert told == [(2, 500, 0), (1, 500, 1_000)]
    answer = desk.post("cage", "/api/cage/receipts", {"code": code, "round": 2})
    receipt = msgspec.json.decode(answer.content, type=RoundReceipt)
    check_receipt(receipt, desk.venue._keys.public)
    assert (receipt.faces, receipt.void, receipt.session) == ((2, 2, 2), False, "RC1-1@1")
    assert {bet.box: (bet.stake, bet.back) for bet in receipt.bets} == {
        "small": (300, 0),
        "total-9": (200, 0),
    }
    desk.do(hold_round_against(receipt, desk.venue.journal))
    # Signed by the house, and still not what happened: the journal says so.
    won = msgspec.structs.replace(receipt.bets[0], won=300, back=600)
    for other in ({"bets": (won, receipt.bets[1])}, {"round": 1}, {"session": "RC1-1@2"}):
        false = msgspec.structs.replace(receipt, **other)
        with pytest.raises(ReceiptError, match="did not come to what the receipt says"):
            desk.do(hold_round_against(false, desk.venue.journal))
        with pytest.raises(ReceiptError, match="is not signed"):
            check_receipt(false, desk.venue._keys.public)


def test_a_terminal_is_given_a_receipt_of_its_players_rounds_alone(desk: Desk) -> None:
    lost_and_won(desk, "RC2")
    own, other = headers_of(desk, "RC2", "RC2-1"), headers_of(desk, "RC2", "RC2-2")
    path = "/api/terminal/receipts/2"
    receipt = desk.client.get(path, headers=own).json()
    assert (receipt["round"], receipt["session"], len(receipt["bets"])) == (2, "RC2-1@1", 2)
    problem(desk.client.get(path, headers=other), 404, "NO_RECEIPT")
    problem(desk.client.get("/api/terminal/receipts/99", headers=own), 404, "NO_RECEIPT")
    assert desk.get("cage", path).status_code == 403


def test_d24_of_a_round_that_is_held_no_more_it_is_said_that_it_is_too_old(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as held:
        # A table that holds one round stands for one that has played 501.
        held.setattr("taisai.core.table.state.HISTORY_ROUNDS", 1)
        lost_and_won(desk, "RC5")
    own = headers_of(desk, "RC5", "RC5-1")
    assert desk.client.get("/api/terminal/receipts/2", headers=own).status_code == 200
    told = problem(
        desk.client.get("/api/terminal/receipts/1?language=zh-Hans", headers=own),
        404,
        "ROUND_NOT_HELD",
    )
    assert "500" in told["detail"]
    assert told["detail"].startswith("第 1 局太旧")
    asked = {"code": code_of(desk, "RC5-1@1"), "round": 1}
    problem(desk.post("cage", "/api/cage/receipts", asked), 404, "ROUND_NOT_HELD")


def test_without_a_code_nothing_of_a_session_is_shown(desk: Desk) -> None:
    lost_and_won(desk, "RC3")
    for where, more in (("rounds", {}), ("receipts", {"round": 1})):
        for code, why in (("0" * 16, "UNKNOWN_UNCLAIMED"), ("12", "NO_SESSION_CODE")):
            asked = {"code": code, **more}
            problem(desk.post("cage", f"/api/cage/{where}", asked), 409, why)
        asked = {"code": code_of(desk, "RC3-1@1"), **more}
        assert desk.post("auditor", f"/api/cage/{where}", asked).status_code == 403


def test_d42_a_locked_win_is_set_aside_against_the_code_of_who_won_it(desk: Desk) -> None:
    """5.00 on Small wins 5.00, which is above the 1.00 that locks; 995.00 + 10.00 are there."""

    async def win() -> None:
        await desk.floor.add_table("RC4", "etg8/2", terminals=2, handpay_threshold=100)
        await play(desk, "RC4", 1)

    desk.do(win())
    locked = {"table": "RC4", "terminal": "RC4-1", "amount": 500}
    assert desk.get("cage", "/api/cage/drawer").json()["locked"] == [locked]
    code, id_ = code_of(desk, "RC4-1@1"), desk.new_id()

    def pay(**other: str) -> httpx.Response:
        asked = {"id": id_, "table": "RC4", "terminal": "RC4-1", "code": code, **other}
        return desk.post("cage", "/api/cage/hand-pays", asked)

    problem(pay(code="0" * 16), 409, "UNKNOWN_UNCLAIMED")
    problem(pay(code="12"), 409, "NO_SESSION_CODE")
    problem(pay(id=desk.new_id(), terminal="RC4-9"), 404, "UNKNOWN_TERMINAL")
    problem(pay(table="nowhere"), 404, "UNKNOWN_TABLE")
    aside = {"table": "RC4", "session": "RC4-1@1", "amount": 500, "in_chips": False}
    assert pay().json() == aside
    assert pay().json() == aside, "asked again, it is the same"
    assert desk.get("cage", "/api/cage/drawer").json()["locked"] == []
    problem(pay(id=desk.new_id()), 409, "TERMINAL_NOT_LOCKED")
    asked = desk.post("cage", "/api/cage/unclaimed", {"code": code})
    assert asked.json() == aside
