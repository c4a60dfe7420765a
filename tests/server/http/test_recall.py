"""Recall: a terminal's own last rounds, with reasons in words, and no others."""

import msgspec

from taisai.core.cage.state import session_code
from taisai.core.kernel.messages import Actor
from taisai.core.table.positions import CashedOut, CashOut
from taisai.core.table.round import OpenBets
from taisai.protocol.receipts import Receipt
from taisai.runtime.journal.receipts import check_receipt
from taisai.runtime.streams import table_stream
from tests.kit.desk import Desk
from tests.kit.people import DEALER
from tests.server.http.test_tables import play, set_up


def headers_of(desk: Desk, table: str, terminal: str) -> dict[str, str]:
    """Make a terminal's key, and give the headers of its requests."""
    key = desk.look(lambda: desk.application.accounts.issue_key(table, terminal))
    return desk.seated(table, terminal, key)


def test_a_terminal_recalls_its_own_rounds_with_reasons(desk: Desk) -> None:
    desk.do(set_up(desk, "R1", rounds=1))

    async def lose() -> None:
        await desk.floor.do(table_stream("R1"), DEALER, OpenBets())
        await desk.floor.bet("R1", "R1-1", "small", 300)
        await desk.floor.bet("R1", "R1-2", "total-9", 200)
        await desk.floor.close_and_enter("R1", (2, 2, 2))
        await desk.floor.settle("R1")

    desk.do(lose())
    own = headers_of(desk, "R1", "R1-1")
    told = desk.client.get("/api/terminal/recall", headers=own).json()
    assert [each["round"] for each in told["rounds"]] == [2, 1]
    lost, won = (each["lines"][0] for each in told["rounds"])
    assert (lost["won"], lost["back"], lost["odds"]) == (0, 0, None)
    assert lost["reason"] == "Small loses: triple 2 takes every Small and Big bet"
    assert lost["clause"]
    assert (won["won"], won["back"], won["odds"]) == (500, 1_000, "1")
    other = headers_of(desk, "R1", "R1-2")
    theirs = desk.client.get("/api/terminal/recall?language=zh-Hans", headers=other).json()
    assert [each["box"] for each in theirs["rounds"][0]["lines"]] == ["total-9"]
    assert len(theirs["rounds"]) == 1
    assert theirs["rounds"][0]["lines"][0]["name"] != "Total 9"


def test_ten_rounds_are_recalled_and_none_that_is_not_on_disk(desk: Desk) -> None:
    desk.do(set_up(desk, "R2", rounds=11))
    own = headers_of(desk, "R2", "R2-1")

    def rounds() -> list[int]:
        told = desk.client.get("/api/terminal/recall", headers=own).json()
        return [each["round"] for each in told["rounds"]]

    assert rounds() == [*range(11, 1, -1)]
    record = desk.venue.table("R2").history[11]
    version = record.version
    record.version = version + 1_000
    assert rounds() == [*range(10, 0, -1)]
    record.version = version
    desk.do(play(desk, "R2", 1))
    assert rounds()[0] == 12


def test_d21_whoever_sits_down_next_recalls_nothing_of_the_last(desk: Desk) -> None:
    """Round 1 is the first player's, with a code; the next has another code, and no rounds."""
    desk.do(set_up(desk, "R3", rounds=1))
    own = headers_of(desk, "R3", "R3-1")

    def told() -> tuple[list[int], str | None]:
        answer = desk.client.get("/api/terminal/recall", headers=own).json()
        return [each["round"] for each in answer["rounds"]], answer["session"]

    def code(number: int) -> str:
        return session_code(desk.venue.cage.key, "R3", f"R3-1@{number}")

    async def cash_out() -> str:
        stream, player = table_stream("R3"), Actor("R3-1", "terminal")
        (event,) = (await desk.floor.do(stream, player, CashOut("R3-1"))).events
        await desk.venue.transfers.settled()
        assert isinstance(event, CashedOut)
        return event.transit

    assert told() == ([1], code(1))
    transit = desk.do(cash_out())
    assert told() == ([], None)
    voucher = desk.client.get(f"/api/terminal/vouchers/{transit}", headers=own).json()
    assert voucher["session"] == code(1)
    desk.do(desk.floor.buy_in("R3", "R3-1", 10_000))
    assert told() == ([], code(2))


def test_a_terminal_is_given_a_receipt_of_its_own_table(desk: Desk) -> None:
    desk.do(set_up(desk, "R9", rounds=1))
    own = headers_of(desk, "R9", "R9-1")
    given = desk.client.get("/api/terminal/receipt", headers=own)
    assert given.status_code == 200
    receipt = msgspec.json.decode(given.content, type=Receipt)
    head = desk.venue.committer.heads[table_stream("R9")]
    assert (receipt.stream, receipt.version) == ("table/R9", head.version)
    assert receipt.hash == head.hash.hex()
    check_receipt(receipt, desk.venue._keys.public)
    assert desk.client.get("/api/terminal/receipt").status_code == 401
