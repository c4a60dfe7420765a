"""Receipts for players over HTTP, and handpaid wins: both only against a session's code."""

import asyncio

import httpx
import msgspec
import pytest

from taisai.core.cage.state import CageState, session_code
from taisai.core.kernel.messages import Actor
from taisai.core.table.corrections import CorrectSettledRound, VoidSettledRounds
from taisai.core.table.positions import CashOut
from taisai.core.table.round import OpenBets
from taisai.core.table.state import Position, TableState
from taisai.protocol.receipts import RoundReceipt
from taisai.runtime.journal.receipts import ReceiptError, check_receipt
from taisai.runtime.records.receipts import hold_round_against
from taisai.runtime.streams import table_stream
from taisai.runtime.unclaimed import find_session
from tests.kit.desk import Desk
from tests.kit.floor import run
from tests.kit.people import DEALER, PIT, SUPERVISOR
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
    # Signed by the house, and still not what happened, as the journal shows.
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


def test_d24_a_round_that_the_table_holds_no_more_is_signed_as_the_journal_has_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds 1 and 2 were another player's, and the table holds only round 3."""
    stream, terminal = table_stream("RC5"), Actor("RC5-1", "terminal")

    async def others_come() -> None:
        await desk.floor.do(stream, terminal, CashOut("RC5-1"))
        await desk.venue.transfers.settled()
        await desk.floor.buy_in("RC5", "RC5-1", 10_000)
        await play(desk, "RC5", 1)

    with monkeypatch.context() as held:
        # A table that holds one round stands for one that has played 501.
        held.setattr("taisai.core.table.state.HISTORY_ROUNDS", 1)
        lost_and_won(desk, "RC5")
        desk.do(others_come())
    assert [*desk.venue.table("RC5").history] == [3]
    first, second = code_of(desk, "RC5-1@1"), code_of(desk, "RC5-1@2")

    def signed(code: str, number: int) -> RoundReceipt:
        answer = desk.post("cage", "/api/cage/receipts", {"code": code, "round": number})
        receipt = msgspec.json.decode(answer.content, type=RoundReceipt)
        check_receipt(receipt, desk.venue._keys.public)
        desk.do(hold_round_against(receipt, desk.venue.journal))
        return receipt

    def came_to(receipt: RoundReceipt) -> list[tuple[str, int, int]]:
        return [(bet.box, bet.stake, bet.back) for bet in receipt.bets]

    before = signed(first, 2)
    assert came_to(before) == [("small", 300, 0), ("total-9", 200, 0)]
    assert came_to(signed(first, 1)) == [("small", 500, 1_000)]
    assert came_to(signed(second, 3)) == [("small", 500, 1_000)]
    own = headers_of(desk, "RC5", "RC5-1")
    for number in (1, 4):
        path = f"/api/terminal/receipts/{number}"
        problem(desk.client.get(path, headers=own), 404, "NO_RECEIPT")
        asked = {"code": second, "round": number}
        problem(desk.post("cage", "/api/cage/receipts", asked), 404, "NO_RECEIPT")
    # Found wrong: 1, 1, 2 pays Small even money [etg8 4.1.2]. Then damaged dice void all three.
    wrong = CorrectSettledRound(2, (1, 1, 2), "the camera says so")
    desk.do(desk.floor.both(stream, SUPERVISOR, wrong, PIT))
    again = signed(first, 2)
    assert (again.faces, came_to(again)) == ((1, 1, 2), [("small", 300, 600), ("total-9", 200, 0)])
    desk.do(desk.floor.both(stream, SUPERVISOR, VoidSettledRounds(1, "chipped"), PIT))
    for code, number in ((first, 1), (first, 2), (second, 3)):
        assert signed(code, number).void
    # The earlier receipt was right when it was signed.
    desk.do(hold_round_against(before, desk.venue.journal))
    desk.do(hold_round_against(again, desk.venue.journal))


def test_others_have_their_turn_while_a_code_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.runtime.unclaimed.SESSIONS_TRIED", 6)
    monkeypatch.setattr("taisai.runtime.unclaimed.TRIED_AT_ONCE", 2)
    cage = CageState(key=b"k" * 32)
    places = {"a": Position(sessions=((9, 4),)), "b": Position(sessions=((1, 1), (5, 2)))}
    tables = {"T": TableState(positions=places), "U": TableState(positions={"c": Position()})}
    turns = 0

    async def find(session: str) -> tuple[str, str] | None:
        nonlocal turns
        looking = asyncio.ensure_future(
            find_session(session_code(cage.key, "T", session), cage, tables, 0)
        )
        turns = 0
        while not looking.done():
            turns += 1
            await asyncio.sleep(0)
        return looking.result()

    for session in ("a@4", "a@1", "b@1", "b@2"):
        assert run(find(session)) == ("T", session)
    for session in ("a@5", "b@3", "c@1"):
        assert run(find(session)) is None
        assert turns > 2
    monkeypatch.setattr("taisai.runtime.unclaimed.SESSIONS_TRIED", 5)
    # In turn: a@4, b@2, a@3, b@1, a@2 and no more.
    assert run(find("a@1")) is None


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
