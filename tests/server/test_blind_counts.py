"""Blind counts: staff who may count rack, drop box or drawer are sent the books' figure nowhere.

The rack was counted in at 2,000.00. Two players bought 100.00 and 37.00 of it for cash, and
one has left; a cashier began with 500.00 and sold a voucher of 123.40. So 1,863.00 should be in
the rack, 137.00 in the drop box and 623.40 in the drawer, and nothing else has these amounts.
"""

import asyncio
import re
from http import HTTPStatus
from pathlib import Path
from typing import Any

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.vouchers import SellVoucher
from taisai.core.kernel.messages import Actor, Role
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.setup import CloseTable, GiveNotice, OpenTable
from taisai.core.venue.staff import EngageStaff
from taisai.runtime.answers import HOST
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.http.routes import describe
from tests.kit.floor import run
from tests.kit.people import CASHIER, DEALER, SUPERVISOR, actor
from tests.kit.servers import Live, opened
from tests.server.console.test_live_console import Console, at_the_console

DATE = "2025-11-16"
RACK, DROP, DRAWER = 200_000 - 13_700, 13_700, 50_000 + 12_340
FIGURES = (RACK, DROP, DRAWER)
COUNTING: tuple[Role, ...] = ("dealer", "supervisor", "pit-manager", "shift-manager", "cage")
#: Records read from the journal itself, by other processes: for the staff who answer for them.
RECORDS = "/api/audit"
FILLED = {"{table}": "F1", "{date}": DATE}


async def before_the_counts(live: Live) -> None:
    """Leave a table closed with its day open, and a drawer in use."""
    floor = live.floor
    more: tuple[Role, ...] = ("shift-manager", "cage", "auditor")
    for role in more:
        engaged = EngageStaff(actor(role).person, (role,), "ann", "bob")
        await floor.do(VENUE, HOST, engaged)
    stream = await floor.add_chip_table()
    await floor.do(stream, SUPERVISOR, OpenTable())
    bought = {"3": (Pieces(2_500, 4),), "4": (Pieces(2_500, 1), Pieces(500, 2), Pieces(100, 2))}
    for seat, chips in bought.items():
        await floor.do(stream, DEALER, TakeSeat(seat))
        cash = sum(each.count * int(each.chip) for each in chips)
        await floor.do(stream, DEALER, BuyChips(seat, chips, cash))
    await floor.do(stream, DEALER, LeaveSeat("4"))
    await floor.do(stream, SUPERVISOR, GiveNotice())
    await floor.do(stream, SUPERVISOR, CloseTable())
    await floor.both(CAGE, CASHIER, OpenShift(50_000), SUPERVISOR)
    await floor.do(CAGE, CASHIER, SellVoucher(12_340, "counter"))


def numbers_in(told: Any) -> set[int]:
    """Find every number in decoded data, and the amounts in its texts."""
    match told:
        case bool() | None:
            return set()
        case int():
            return {told}
        case str():
            written = re.findall(r"\d[\d,]*\.\d\d\b|\b\d{4,6}\b", told)
            return {int(re.sub(r"[.,]", "", each)) for each in written}
        case dict():
            return set[int]().union(*(numbers_in(each) for each in told.values()))
        case list():
            return set[int]().union(*(numbers_in(each) for each in told))
        case _:
            return set()


async def heard(console: Console) -> set[int]:
    """Receive until nothing more is sent, and find every number in it."""
    found: set[int] = set()
    try:
        while True:
            found |= numbers_in(await asyncio.wait_for(console.wire.receive(), 0.5))
    except TimeoutError:
        return found


def addresses() -> list[str]:
    """List every address that can be requested with a table and a date, except records."""
    found = []
    for asked, methods in describe(demo=False)["paths"].items():
        path = asked
        for blank, value in FILLED.items():
            path = path.replace(blank, value)
        if "get" in methods and "{" not in path and not path.startswith(RECORDS):
            found.append(path)
    return found


async def answered(console: Console, path: str) -> set[int]:
    dated = {"from": DATE, "to": DATE} if path.startswith("/api/reports/days") else {}
    answer = await console.client.get(path, params=dated)
    assert answer.status_code in (200, 403, 409, 503), answer.text
    if answer.status_code != HTTPStatus.OK:
        return set()
    kind = answer.headers["content-type"]
    return numbers_in(answer.json() if "json" in kind else answer.text)


async def leaks(live: Live, who: Actor) -> dict[str, set[int]]:
    """Find the addresses, or the socket, at which a person is sent one of the figures."""
    found: dict[str, set[int]] = {}
    async with at_the_console(live, "F1", who) as console:
        await console.wire.say({"type": "Watch", "table": "cage"})
        found["the socket"] = await heard(console) & {*FIGURES}
        for path in addresses():
            found[path] = await answered(console, path) & {*FIGURES}
        rule = {
            "type": "Rule",
            "note": "x",
            "postings": [["house:bank", "house:void-shortfall", 50]],
        }
        asked = await console.client.post("/api/tables/F1/preview", json={"command": rule})
        found["a preview"] = numbers_in(asked.json()) & {*FIGURES}
    return {where: figures for where, figures in found.items() if figures}


def test_who_may_count_is_told_nowhere_what_to_find(tmp_path: Path) -> None:
    async def look() -> None:
        async with opened(tmp_path) as live:
            await before_the_counts(live)
            state = live.venue.table("F1")
            assert state.chips is not None
            assert (state.chips.rack_value, state.ledger.balance("drop:box")) == (RACK, DROP)
            assert len(addresses()) > 20
            for role in COUNTING:
                assert await leaks(live, actor(role)) == {}, role

    run(look())


def test_an_auditor_who_counts_nothing_is_told_and_everybody_once_it_is_counted(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with opened(tmp_path) as live:
            await before_the_counts(live)
            seen = await leaks(live, actor("auditor"))
            assert seen["/api/pit"] == {RACK, DROP}
            assert seen["/api/cage/drawer"] == {DRAWER}
            floor = live.floor
            await floor.do("table/F1", DEALER, LeaveSeat("3"))
            await floor.both("table/F1", SUPERVISOR, CountDrop(DROP, 0), DEALER)
            rest = (Pieces(10_000, 10), Pieces(2_500, 15), Pieces(500, 78), Pieces(100, 98))
            await floor.both("table/F1", SUPERVISOR, CloseDay(rest), DEALER)
            await floor.both(CAGE, CASHIER, CloseShift(DRAWER), SUPERVISOR)
            told = await leaks(live, SUPERVISOR)
            assert told["/api/reports/days"] == {RACK, DROP}
            assert told["/api/cage/drawer"] == {DRAWER}

    run(look())
