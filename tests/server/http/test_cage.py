"""Vouchers over HTTP: sold once, paid once, and the number shown only to the person it is for."""

from pathlib import Path

import pytest

from taisai.core.cage.state import voucher_number
from taisai.core.cage.vouchers import SellVoucher
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.messages import Actor, Order
from taisai.core.table.positions import CashOut
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.streams import table_stream
from taisai.server.accounts.wrong_vouchers import MANY, WrongVouchers
from taisai.server.demo.staff import STAFF
from taisai.server.live.shown_numbers import AGAIN_MS, ShownNumbers
from tests.kit.desk import Desk, opened
from tests.kit.servers import Live
from tests.server.http.test_problems import problem


def sell(desk: Desk, value: int = 5_000) -> tuple[str, str]:
    """Sell a voucher; give the id and the number."""
    id_ = desk.new_id()
    response = desk.post("cage", "/api/vouchers", {"id": id_, "value": value})
    assert response.status_code == 201, response.text
    return id_, response.json()["number"]


def test_a_voucher_is_sold_once_however_often_it_is_asked_for(desk: Desk) -> None:
    id_, number = sell(desk)
    worth = desk.venue.cage.worth
    again = desk.post("cage", "/api/vouchers", {"id": id_, "value": 5_000})
    assert again.json()["number"] == number
    assert desk.venue.cage.worth == worth
    other = desk.post("cage", "/api/vouchers", {"id": id_, "value": 6_000})
    problem(other, 409, "ID_REUSED")


def test_a_voucher_is_paid_once(desk: Desk) -> None:
    _, number = sell(desk, 700)
    id_ = desk.new_id()
    paid = desk.post("cage", "/api/vouchers/pay", {"id": id_, "number": number}).json()
    assert paid["value"] == 700
    again = desk.post("cage", "/api/vouchers/pay", {"id": id_, "number": number}).json()
    assert again == paid
    other = desk.post("cage", "/api/vouchers/pay", {"id": desk.new_id(), "number": number})
    problem(other, 409, "UNKNOWN_VOUCHER")


def test_a_number_is_told_again_to_its_cashier_while_the_voucher_is_out(desk: Desk) -> None:
    id_, number = sell(desk)
    path = f"/api/vouchers/orders/{id_}"
    assert desk.get("cage", path).json()["number"] == number
    problem(desk.get("auditor", path), 403, "NOT_ALLOWED")
    problem(desk.get("cage", "/api/vouchers/orders/1-1"), 404, "NUMBER_NOT_SHOWN")
    other = desk.look(lambda: desk.application.accounts.demo_session("Somebody else", "cage"))
    headers = {"authorization": f"Bearer {other[0]}"}
    problem(desk.client.get(path, headers=headers), 404, "NUMBER_NOT_SHOWN")
    desk.post("cage", "/api/vouchers/pay", {"id": desk.new_id(), "number": number})
    problem(desk.get("cage", path), 404, "NUMBER_NOT_SHOWN")


def test_a_number_is_shown_for_ten_minutes_and_then_no_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_, number = sell(desk)
    sale, path = {"id": id_, "value": 5_000}, f"/api/vouchers/orders/{id_}"
    clock = desk.venue.clock
    began = clock.now()
    monkeypatch.setattr(clock, "now", lambda: began + 9 * 60_000)
    assert desk.post("cage", "/api/vouchers", sale).json()["number"] == number
    assert desk.get("cage", path).json()["number"] == number
    monkeypatch.setattr(clock, "now", lambda: began + 11 * 60_000)
    problem(desk.post("cage", "/api/vouchers", sale), 404, "NUMBER_NOT_SHOWN")
    problem(desk.get("cage", path), 404, "NUMBER_NOT_SHOWN")
    assert number in desk.venue.cage.by_number


def test_a_number_that_nobody_has_seen_yet_waits_to_be_shown(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_, number = sell(desk)
    clock, numbers = desk.venue.clock, ShownNumbers(desk.venue)
    order = Order(id_, Actor(STAFF["cage"], "cage"), SellVoucher(5_000, ""))
    began = clock.now()
    monkeypatch.setattr(clock, "now", lambda: began + 3_600_000)
    shown = numbers.show(order)
    assert shown is not None
    assert shown[0] == number
    assert numbers.show(order, "another place") is None
    monkeypatch.setattr(clock, "now", lambda: began + 3_600_000 + AGAIN_MS + 1)
    assert numbers.show(order) is None


def test_vouchers_that_are_out_are_listed_without_their_numbers(desk: Desk) -> None:
    numbers = [sell(desk)[1] for _ in range(3)]
    first = desk.get("auditor", "/api/vouchers", limit=2).json()
    assert first["count"] == len(desk.venue.cage.outstanding)
    assert first["worth"] == desk.venue.cage.worth
    told, after = [*first["vouchers"]], first["after"]
    while after is not None:
        page = desk.get("auditor", "/api/vouchers", limit=2, after=after).json()
        told += page["vouchers"]
        after = page["after"]
    assert [each["serial"] for each in told] == [*desk.venue.cage.outstanding]
    assert {number[-4:] for number in numbers} <= {each["last_four"] for each in told}
    assert not any(number in str(told) for number in numbers)


def test_a_terminal_takes_a_voucher_and_gets_one_for_what_it_cashes_out(desk: Desk) -> None:
    table, terminal, key = desk.new_seat("sic-bo")
    headers = desk.seated(table, terminal, key)
    _, number = sell(desk, 2_500)
    body = {"id": desk.new_id(), "number": number}
    taken = desk.client.post("/api/terminal/vouchers", json=body, headers=headers).json()
    assert taken["value"] == 2_500
    desk.do(desk.venue.transfers.settled())

    cash = CashOut(terminal)
    desk.do(desk.floor.do(table_stream(table), Actor(terminal, "terminal"), cash))
    desk.do(desk.venue.transfers.settled())
    (transit,) = (
        key.split('"print-')[1].split('"')[0]
        for key, serial in desk.venue.cage.issued_by_order.items()
        if serial in desk.venue.cage.outstanding
        and desk.venue.cage.outstanding[serial].place == f"{table}/{terminal}"
    )
    path = f"/api/terminal/vouchers/{transit}"
    own = desk.client.get(path, headers=headers).json()
    assert own["value"] == 102_500
    assert own["number"] in desk.venue.cage.by_number
    other = desk.seated(*desk.new_seat("sic-bo"))
    problem(desk.client.get(path, headers=other), 404, "NUMBER_NOT_SHOWN")
    problem(desk.get("cage", path), 403, "NOT_ALLOWED")


def test_a_sale_above_the_threshold_waits_for_a_second_person(tmp_path: Path) -> None:
    plan = tmp_path / "floor.toml"
    plan.write_text("[venue]\napprove_above = 10_000\n", encoding="utf-8")
    with opened(tmp_path / "data", tables=plan) as desk:
        id_ = desk.new_id()
        asked = desk.post("cage", "/api/vouchers", {"id": id_, "value": 20_000})
        assert asked.status_code == 202
        waiting = asked.json()
        assert waiting["expires"] > desk.venue.clock.now()
        problem(desk.get("cage", f"/api/vouchers/orders/{id_}"), 404, "NUMBER_NOT_SHOWN")
        approve = Approve(waiting["pending"], waiting["version"])
        desk.do(desk.floor.do("cage", Actor("Petra", "pit-manager"), approve))
        sold = desk.get("cage", f"/api/vouchers/orders/{id_}").json()
        assert sold["value"] == 20_000
        paying = {"id": desk.new_id(), "number": sold["number"]}
        assert desk.post("cage", "/api/vouchers/pay", paying).status_code == 202


def test_wrong_vouchers_are_counted_and_told_to_the_pit(desk: Desk) -> None:
    """[D38] At the counter, at a terminal over HTTP, and over its socket."""
    table, terminal, key = desk.new_seat("sic-bo")
    seated, number = desk.seated(table, terminal, key), voucher_number(b"another venue", 1)
    cage = f"cage/{STAFF['cage']}"
    # Other tests have tried wrong numbers here before.
    desk.application.hub.questions.wrong_vouchers = WrongVouchers()

    def alerts() -> dict[str, str]:
        told = desk.get("supervisor", "/api/pit", language="en").json()["alerts"]
        return {each["sentence"]: each["level"] for each in told if "TRIED" in each["code"]}

    for _ in range(MANY):
        assert alerts() == {}
        pay = desk.post("cage", "/api/vouchers/pay", {"id": desk.new_id(), "number": number})
        problem(pay, 409, "UNKNOWN_VOUCHER")
    paid = f"{MANY} wrong vouchers were tried by {cage} within 10 minutes"
    assert alerts() == {paid: "act"}
    for _ in range(MANY - 1):
        body = {"id": desk.new_id(), "number": number[:-1] + ("1" if number[-1] == "0" else "0")}
        take = desk.client.post("/api/terminal/vouchers", json=body, headers=seated)
        problem(take, 409, "NO_VOUCHER_NUMBER")

    id_ = desk.new_id()

    async def over_the_socket() -> None:
        live = Live(desk.address, desk.application)
        async with live.sit(TerminalKey(table, terminal, key)) as wire:
            take = {"type": "TakeVoucher", "number": number, "table": table, "terminal": terminal}
            assert (await wire.ask("cage", id_, take))["code"] == "UNKNOWN_VOUCHER"

    assert alerts() == {paid: "act"}
    desk.do(over_the_socket())
    taken = f"{MANY} wrong vouchers were tried by {table}/{terminal} within 10 minutes"
    assert alerts() == {paid: "act", taken: "act"}
    metrics = desk.get("technician", "/metrics").text
    assert f'taisai_wrong_vouchers_total{{who="{cage}"}} {MANY}.0' in metrics
    assert f'taisai_wrong_vouchers_total{{who="{table}/{terminal}"}} {MANY}.0' in metrics
    assert number not in metrics


def test_a_voucher_is_looked_at_before_it_is_paid(desk: Desk) -> None:
    _, number = sell(desk, 700)
    found = desk.post("cage", "/api/vouchers/find", {"number": number}).json()
    assert (found["value"], found["place"], found["sold"], found["takes_two"]) == (
        *(700, "counter"),
        *(True, False),
    )
    assert number not in str(found)
    assert number in desk.venue.cage.by_number, "nothing is paid by it"
    tries = desk.application.hub.questions.wrong_vouchers.counts
    before = sum(tries.values())
    problem(desk.post("cage", "/api/vouchers/find", {"number": "0" * 18}), 409, "UNKNOWN_VOUCHER")
    assert sum(tries.values()) == before + 1
    for role in ("dealer", "pit-manager", "auditor"):
        assert desk.post(role, "/api/vouchers/find", {"number": number}).status_code == 403


def test_d41_a_sale_is_taken_back_once_a_second_person_agrees(desk: Desk) -> None:
    _, number = sell(desk, 700)
    body = {"id": desk.new_id(), "number": number, "note": "for 800"}
    asked = desk.post("cage", "/api/vouchers/void", body)
    assert asked.status_code == 202
    waiting = asked.json()
    listed = desk.get("cage", "/api/approvals").json()
    (ours,) = (each for each in listed if each["pending"] == waiting["pending"])
    assert (ours["command"]["note"], ours["command"]["number"]) == ("for 800", "")
    approve = Approve(waiting["pending"], waiting["version"])
    desk.do(desk.floor.do("cage", Actor("Petra", "pit-manager"), approve))
    problem(desk.post("cage", "/api/vouchers/find", {"number": number}), 409, "UNKNOWN_VOUCHER")
