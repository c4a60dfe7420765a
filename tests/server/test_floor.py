"""Tables and machines of a house over HTTP: created, shown, enrolled by the code on the machine."""

from pathlib import Path
from typing import Any

import httpx
import msgspec

from taisai.core.kernel.messages import Actor, Equipment
from taisai.core.table.approval import AdoptDepartures, SetDepartures
from taisai.core.table.setup import EnrolTerminal
from taisai.core.table.state import Departure
from taisai.core.venue.setup import PlaceTable
from taisai.core.venue.staff import EngageStaff
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import HOST
from taisai.runtime.installation import add_table
from taisai.runtime.streams import VENUE, table_stream
from taisai.server.accounts import enrolments
from taisai.server.accounts.enrolments import Enrolments
from tests.kit.floor import run
from tests.kit.servers import Live, opened
from tests.server.accounts.doorway import Doorway, doorway

TOM = Actor("Tom", "technician")
SUE = Actor("sue", "supervisor")
MACHINE = "/api/tables/T1/terminals/T1-1/machine"


async def _begun(door: Doorway) -> dict[str, Any]:
    """Let a machine wait for its key."""
    begun = await door.told(201, None, "POST", "/api/enrolments", {})
    assert await door.told(200, None, "POST", "/api/enrolments/key", begun) == {"terminal": None}
    return dict(begun)


async def _enrolled(door: Doorway) -> None:
    await add_table(door.home.venue, "T1", Equipment())
    body = {"id": door.id(), "terminal": "T1-1", "place": "seat 1"}
    waiting = await door.told(202, "Tom", "POST", "/api/tables/T1/terminals", body)
    assert (await door.grant("Max", "T1", waiting)).status_code == 200


def test_a_machine_is_given_its_key_by_the_code_it_shows(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max", "Mei") as door:
            await _enrolled(door)
            begun = await _begun(door)
            asked = {"id": door.id(), "code": begun["code"].lower().replace("-", "")}
            told = await door.told(200, "Tom", "POST", MACHINE, asked)
            assert "key" not in told, "nobody is shown it"
            given = await door.told(200, None, "POST", "/api/enrolments/key", begun)
            key = given["terminal"]
            assert door.home.accounts.knows("T1", "T1-1", key["key"])
            # A stranger who has read the code off the screen gets nothing with it.
            guessed = {"code": begun["code"], "secret": "a guess"}
            wrong = await door.told(409, None, "POST", "/api/enrolments/key", guessed)
            assert wrong["code"] == "NO_SUCH_TERMINAL_CODE"
            # The machine has its key, so its code makes no other.
            other = {"id": door.id(), "code": begun["code"]}
            used = await door.told(409, "Tom", "POST", MACHINE, other)
            assert used["code"] == "NO_SUCH_TERMINAL_CODE"

    run(work())


def test_another_key_takes_two_and_ends_the_one_before(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max", "Mei") as door:
            await _enrolled(door)
            first, second = await _begun(door), await _begun(door)
            await door.told(200, "Tom", "POST", MACHINE, {"id": door.id(), "code": first["code"]})
            had = await door.told(200, None, "POST", "/api/enrolments/key", first)
            asked = {"id": door.id(), "code": second["code"]}
            waiting = await door.told(202, "Tom", "POST", MACHINE, asked)
            still = await door.told(200, None, "POST", "/api/enrolments/key", second)
            assert still == {"terminal": None}
            assert (await door.grant("Max", "venue", waiting)).status_code == 200
            await door.told(200, "Tom", "POST", MACHINE, asked)
            has = await door.told(200, None, "POST", "/api/enrolments/key", second)
            knows = door.home.accounts.knows
            assert knows("T1", "T1-1", has["terminal"]["key"])
            assert not knows("T1", "T1-1", had["terminal"]["key"])
            assert ("T1", "T1-1") in door.sockets.cut_off

    run(work())


def test_a_code_ends_when_its_machine_is_silent_or_too_many_wait() -> None:
    waiting = Enrolments()
    code, secret = waiting.begin(0)
    assert waiting.ask(code, secret, enrolments.SILENT_MS - 1) == (True, None)
    assert waiting.waits(code, 2 * enrolments.SILENT_MS - 2)
    assert not waiting.waits(code, 2 * enrolments.SILENT_MS - 1)
    assert waiting.ask(code, secret, 2 * enrolments.SILENT_MS) == (False, None)
    assert not waiting.give(code, TerminalKey("T1", "T1-1", "key")), "it left before it had its key"
    codes = [waiting.begin(0)[0] for _ in range(enrolments.WAITING_MAX + 1)]
    assert len({*codes}) == len(codes)
    assert [waiting.waits(each, 0) for each in (codes[0], codes[1], codes[-1])] == [
        *(False, True, True)
    ]


async def _tom(live: Live) -> dict[str, str]:
    """Log in Tom, who looks after the machines."""
    await live.floor.do(VENUE, HOST, EngageStaff("Tom", ("technician",), "ann", "bob"))
    now = live.venue.clock.now()
    begun = live.application.accounts.sessions.begin("Tom", "technician", "here", now)
    assert begun is not None
    return {"authorization": f"Bearer {begun[0]}"}


CHIPS = {"values": [100, 500], "seats": 7, "colours": ["red"], "pieces": 300}


def test_a_technician_creates_tables_and_sees_the_floor(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            headers = await _tom(live)
            async with httpx.AsyncClient(base_url=live.address, headers=headers) as tom:

                async def asks(**asked: Any) -> Any:
                    body = {"id": live.floor.new_id(), **asked}
                    return (await tom.post("/api/tables", json=body)).json()

                before = {*live.venue.state.streams}
                for asked, code in (
                    ({"table": "cage"}, "CAGES_NAME"),
                    ({"table": "venue"}, "CAGES_NAME"),
                    ({"table": "a/b"}, "NAME_CHARACTER"),
                    ({"table": " "}, "NAME_MISSING"),
                    ({"table": "C1", "chips": {**CHIPS, "values": [300, 500]}}, "BAD_CHIP_SET"),
                ):
                    assert (await asks(**asked))["code"] == code, asked
                assert live.venue.state.streams == before, "a table that is refused is nowhere"
                assert "last" in await asks(table="T1", handpay_threshold=5_000)
                assert (await asks(table="T1"))["code"] == "TABLE_EXISTS"
                assert "last" in await asks(table="C1", tumbler="reader", chips=CHIPS)
                floor = (await tom.get("/api/floor")).json()
                assert {each["table"]: each["form"] for each in floor["tables"]} == {
                    "T1": "terminals",
                    "C1": "chips",
                }
                (first,) = [each for each in floor["tables"] if each["table"] == "T1"]
                assert (first["phase"], first["handpay_threshold"]) == ("closed", 5_000)
                async with live.visit() as anybody:
                    await anybody.say({"type": "Watch", "table": "T1"})
                    await anybody.until("TableSnapshot")

    run(work())


async def _floor_of(http: httpx.AsyncClient) -> dict[str, Any]:
    """Give the first table of the floor."""
    table: dict[str, Any] = (await http.get("/api/floor")).json()["tables"][0]
    return table


def test_a_machine_is_seen_and_withdrawn_and_its_table_keeps_its_dealer(tmp_path: Path) -> None:
    """Its state is known while the house runs; its table's dealer also after a restart."""
    path = "/api/tables/S1/terminals/S1-1"

    async def before() -> None:
        async with opened(tmp_path) as live:
            headers = await _tom(live)
            async with httpx.AsyncClient(base_url=live.address, headers=headers) as tom:
                asked = {"id": live.floor.new_id(), "table": "S1", "tumbler": "simulated"}
                assert (await tom.post("/api/tables", json=asked)).status_code == 200
                enrol = EnrolTerminal("S1-1", "seat 1")
                await live.floor.both(table_stream("S1"), TOM, enrol, SUE)
                (machine,) = (await _floor_of(tom))["terminals"]
                assert (machine["seen"], machine["client"]) == (None, "")
                told = await tom.post(f"{path}/key", json={"id": live.floor.new_id()})
                key = msgspec.convert(told.json(), TerminalKey)
                began = live.venue.clock.now()
                async with live.sit(key, client="index-0ld.js\n") as wire:
                    await wire.until("TerminalSnapshot")
                    (machine,) = (await _floor_of(tom))["terminals"]
                    assert (machine["client"], machine["current"]) == ("index-0ld.js", False)
                    assert machine["address"] == "127.0.0.1"
                    assert began <= machine["since"] <= machine["seen"] <= live.venue.clock.now()
                    gone = await tom.post(f"{path}/withdrawal", json={"id": live.floor.new_id()})
                    assert gone.status_code == 200, gone.text
                    assert (await wire.until("Fault"))["code"] == "WITHDRAWN"
                async with live.sit(key) as wire:
                    assert (await wire.until("Fault"))["code"] == "NOT_LET_IN"
                (machine,) = (await _floor_of(tom))["terminals"]
                assert machine["withdrawn"]
                assert machine["since"] <= machine["seen"], "when it left"
                again = await tom.post(f"{path}/withdrawal", json={"id": live.floor.new_id()})
                assert again.json()["code"] == "ALREADY_SO"
                waits = await tom.post(f"{path}/key", json={"id": live.floor.new_id()})
                assert waits.status_code == 202, "two persons bring it back"
            dealers = live.application.dealers
            assert await dealers.hand_over("S1", automatic=True, by="pat") is None
            assert dealers.automatic("S1")

    async def after() -> None:
        async with opened(tmp_path) as live:
            dealers = live.application.dealers
            assert dealers.automatic("S1")
            await dealers.hand_over("S1", automatic=False, by="pat")
        async with opened(tmp_path) as live:
            assert not live.application.dealers.automatic("S1")

    run(before())
    run(after())


def test_a_table_is_where_it_was_put_else_where_the_plan_has_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            for name in ("S3", "S4"):
                await add_table(live.venue, name, Equipment())
            application = live.application
            application._planned = {"S3": (1, 1), "S4": (2, 1)}
            assert application.place_of("S4") == (2, 1)
            pat = Actor("pat", "pit-manager")
            await live.floor.do(VENUE, pat, PlaceTable(table_stream("S3"), (2, 1)))
            # The table placed by hand has the place; the other stands with those that have none.
            assert (application.place_of("S3"), application.place_of("S4")) == ((2, 1), None)
            headers = await _tom(live)
            async with httpx.AsyncClient(base_url=live.address, headers=headers) as tom:
                table = await _floor_of(tom)
            assert (table["table"], table["place"], table["limits"]) == ("S3", [2, 1], None)
            await live.floor.do(VENUE, pat, PlaceTable(table_stream("S3")))
            assert application.place_of("S3") == (1, 1)

    run(work())


def test_departures_are_shown_with_what_they_are_wanted_for(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            await add_table(live.venue, "S2", Equipment("simulated"), operator="Another House")
            planned = (Departure("ts6", "dice", "The Authority", "L-1"),)
            adopted = (Departure("ts6", "form", "The Authority", "L-2"),)
            await live.floor.do(table_stream("S2"), HOST, SetDepartures(planned))
            pat = Actor("pat", "pit-manager")
            await live.floor.both(table_stream("S2"), pat, AdoptDepartures(adopted), SUE)
            headers = await _tom(live)
            async with httpx.AsyncClient(base_url=live.address, headers=headers) as tom:
                table = await _floor_of(tom)
            assert table["planned_departures"] == [["ts6", "dice", "The Authority", "L-1"]]
            assert table["adopted_departures"] == [["ts6", "form", "The Authority", "L-2"]]
            outside = [each for each in table["outside"] if each["rulebook"] == "ts6"]
            assert [each["aspect"] for each in outside] == ["operator", "form", "dice"]
            assert outside[1] == {
                "rulebook": "ts6",
                "aspect": "form",
                "approved": "chips",
                "here": "terminals",
            }

    run(work())
