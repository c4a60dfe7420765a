"""The cage's drawer: its cashier, a blind count, chips in transit, and the results of shifts."""

from collections.abc import Iterator
from typing import Any

import pytest

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import ReturnFill
from taisai.core.cage.vouchers import SellVoucher
from taisai.core.kernel.messages import Actor
from taisai.core.table.chips.gaming_day import ReturnCredit
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.setup import OpenTable
from taisai.projections.figures.drawer import ClosedShift, Drawer
from taisai.projections.figures.tally import Sent
from taisai.runtime.streams import CAGE
from taisai.server.http.cage.drawer import is_late
from tests.kit.desk import Desk, opened
from tests.kit.people import CASHIER, DEALER, SUPERVISOR
from tests.server.figures.chip_table_days import ChipTable
from tests.server.http.test_pit import pit
from tests.server.http.test_problems import problem

CHIPS = (Pieces(10_000, 2), Pieces(2_500, 4))


@pytest.fixture
def venue(tmp_path: Any) -> Iterator[Desk]:
    """Give a venue of its own: there is one drawer in each."""
    with opened(tmp_path / "data") as desk:
        shift = desk.venue.cage.shift
        if shift is not None:
            # The demo's own cashier has the drawer.
            close_shift(
                desk, Actor(shift.cashier, "cage"), drawer(desk, "auditor")["shift"]["expected"]
            )
        yield desk


def drawer(desk: Desk, caller: str, **params: Any) -> dict[str, Any]:
    pit(desk)
    answer = desk.get(caller, "/api/cage/drawer", **params)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def open_shift(desk: Desk, cashier: Actor, count: int) -> None:
    desk.do(desk.floor.both(CAGE, cashier, OpenShift(count), SUPERVISOR))


def close_shift(desk: Desk, cashier: Actor, count: int) -> None:
    desk.do(desk.floor.both(CAGE, cashier, CloseShift(count), SUPERVISOR))


def test_it_is_for_the_cage_and_the_pit(venue: Desk) -> None:
    for caller in ("cage", "supervisor", "pit-manager", "shift-manager", "auditor"):
        assert venue.get(caller, "/api/cage/drawer").status_code == 200
    for caller in ("visitor", "terminal", "dealer", "technician"):
        assert venue.get(caller, "/api/cage/drawer").status_code in (401, 403)


def test_a_shift_is_counted_blind_and_reconciled(venue: Desk) -> None:
    before = len(drawer(venue, "auditor")["shifts"])
    assert drawer(venue, "cage")["shift"] is None
    open_shift(venue, CASHIER, 500_000)
    sell = SellVoucher(12_300, "counter")
    venue.do(venue.floor.do(CAGE, CASHIER, sell))
    shift = drawer(venue, "auditor")["shift"]
    assert (shift["cashier"], shift["count"], shift["expected"]) == ("cat", 500_000, 512_300)
    assert shift["opened_at"] > 0
    for counts in ("cage", "supervisor", "pit-manager", "shift-manager"):
        blind = drawer(venue, counts)["shift"]
        assert (blind["count"], blind["expected"]) == (500_000, None)
    close_shift(venue, CASHIER, 512_200)
    told = drawer(venue, "cage")
    assert told["shift"] is None
    assert len(told["shifts"]) == before + 1
    newest = told["shifts"][0]
    assert (newest["cashier"], newest["opening"]) == ("cat", 500_000)
    assert (newest["count"], newest["expected"], newest["difference"]) == (512_200, 512_300, -100)
    assert newest["closed_at"] >= newest["opened_at"]
    (alert,) = (each for each in pit(venue)["alerts"] if each["code"] == "PIT_SHIFT_DIFFERS")
    assert (alert["level"], alert["table"]) == ("watch", None)
    assert alert["sentence"] == (
        "the drawer of cat was counted at 5,122.00 when the shift closed; the books say 5,123.00"
    )


def test_a_shift_that_comes_out_even_is_no_alert(venue: Desk) -> None:
    open_shift(venue, CASHIER, 1_000)
    close_shift(venue, CASHIER, 1_000)
    open_shift(venue, CASHIER, 2_000)
    close_shift(venue, CASHIER, 2_000)
    told = drawer(venue, "auditor", limit=1)["shifts"]
    assert [(each["opening"], each["difference"]) for each in told] == [(2_000, 0)]
    codes = {each["code"] for each in pit(venue)["alerts"]}
    assert "PIT_SHIFT_DIFFERS" not in codes


def test_chips_on_their_way_are_listed_until_they_are_there(venue: Desk) -> None:
    chip_table = ChipTable(venue.floor, "F1")
    today = venue.application.gaming_days.gaming_date_at(venue.venue.clock.now())

    async def send() -> str:
        await chip_table.set_up()
        await chip_table.open_day(today)
        return await chip_table.send_fill(*CHIPS)

    transit = venue.do(send())
    (fill,) = (each for each in drawer(venue, "cage")["fills"] if each["table"] == "F1")
    assert (fill["transit"], fill["amount"], fill["by"]) == (transit, 30_000, "cat")
    assert fill["chips"] == [[10_000, 2], [2_500, 4]]
    assert (fill["late"], fill["sent_at"] > 0) == (False, True)
    venue.do(chip_table.receive_fill(transit, *CHIPS))
    back = venue.do(chip_table.send_credit(*CHIPS[:1]))
    told = drawer(venue, "cage")
    assert not [each for each in told["fills"] if each["table"] == "F1"]
    (credit,) = (each for each in told["credits"] if each["table"] == "F1")
    assert (credit["transit"], credit["amount"]) == (back, 20_000)
    assert credit["by"] == "dan"
    venue.do(chip_table.receive_credit(back, *CHIPS[:1]))
    assert drawer(venue, "cage")["credits"] == []


def test_chip_tables_are_named_with_their_chips_and_whether_a_day_is_open(venue: Desk) -> None:
    chip_table = ChipTable(venue.floor, "F1")

    def named() -> list[dict[str, Any]]:
        return [each for each in drawer(venue, "cage")["tables"] if each["table"] == "F1"]

    assert named() == []
    venue.do(chip_table.set_up())
    values = [100, 500, 2_500, 10_000]
    assert named() == [{"table": "F1", "values": values, "date": None}]
    today = venue.application.gaming_days.gaming_date_at(venue.venue.clock.now())
    venue.do(chip_table.open_day(today))
    assert named() == [{"table": "F1", "values": values, "date": today}]
    assert "T1" not in {each["table"] for each in drawer(venue, "cage")["tables"]}


def test_a_drawer_is_there_again_after_a_stop(tmp_path: Any) -> None:
    with opened(tmp_path) as desk:
        if desk.venue.cage.shift is None:
            open_shift(desk, CASHIER, 700)
        before = drawer(desk, "auditor")
    with opened(tmp_path) as desk:
        after = drawer(desk, "auditor")
        assert after["shift"] == before["shift"]
        assert after["shifts"] == before["shifts"]


def test_a_drawer_is_handed_over_whole() -> None:
    first = Drawer()
    first.state.shifts.append(ClosedShift("cat", 1, 500, 2, 600, 610))
    first.state.fills_sent["cage-T1-1"] = Sent("F1", CHIPS, 30_000, "cat", 3)
    copy = Drawer.unpack(first.pack())
    assert copy.state == first.state
    assert copy.state.shifts[0].difference == -10


@pytest.mark.parametrize(("minutes_ms", "late"), [(15 * 60_000, False), (15 * 60_000 + 1, True)])
def test_a_quarter_of_an_hour_is_not_too_long(minutes_ms: int, late: bool) -> None:
    sent = Sent("F1", CHIPS, 30_000, "cat", 1_000)
    assert is_late(sent, 1_000 + minutes_ms) is late
    assert not is_late(None, 10**15)


def test_a_suspended_cage_tells_nothing_and_holds_nobody_up(venue: Desk) -> None:
    pit(venue)
    writer = venue.venue.writer(CAGE)
    venue.look(lambda: writer.suspend("somebody pulled a plug"))
    try:
        assert venue.get("pit-manager", "/api/pit").status_code == 200
        problem(venue.get("cage", "/api/cage/drawer"), 503, "TABLE_SUSPENDED")
    finally:
        venue.do(venue.venue.resume(CAGE))
    assert drawer(venue, "cage")["shift"] is None


def test_a_fill_that_was_taken_back_is_listed_no_more(venue: Desk) -> None:
    chip_table = ChipTable(venue.floor, "F1")
    today = venue.application.gaming_days.gaming_date_at(venue.venue.clock.now())

    async def send() -> None:
        await chip_table.set_up()
        await chip_table.open_day(today, *CHIPS)
        fill = await chip_table.send_fill(*CHIPS)
        await venue.floor.both(CAGE, CASHIER, ReturnFill(fill, CHIPS[:1]), SUPERVISOR)
        credit = await chip_table.send_credit(*CHIPS[:1])
        back = ReturnCredit(credit, CHIPS[:1])
        await venue.floor.both("table/F1", DEALER, back, SUPERVISOR)

    venue.do(send())
    told = drawer(venue, "cage")
    assert not [each for each in told["fills"] + told["credits"] if each["table"] == "F1"]


def test_a_seat_of_a_chip_table_is_given_no_key(venue: Desk) -> None:
    """A technician alone would see a player's money: it takes two persons to enrol a terminal."""
    chip_table = ChipTable(venue.floor, "F1")
    today = venue.application.gaming_days.gaming_date_at(venue.venue.clock.now())

    async def sit() -> None:
        await chip_table.set_up()
        await chip_table.open_day(today)
        await venue.floor.do("table/F1", SUPERVISOR, OpenTable())
        await venue.floor.do("table/F1", DEALER, TakeSeat("1"))

    venue.do(sit())
    path = "/api/tables/F1/terminals/1/key"
    answer = venue.post("technician", path, {"id": venue.new_id()})
    assert (answer.status_code, answer.json()["code"]) == (409, "ONLY_AT_TERMINALS")
