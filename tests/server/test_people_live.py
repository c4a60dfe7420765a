"""People and machines at a venue that runs: HTTP, sockets and restarts together."""

import asyncio
from contextlib import suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import websockets

from taisai.core.kernel.messages import Actor, Equipment
from taisai.core.venue.staff import (
    DismissStaff,
    EngageStaff,
    LoggedIn,
    LoggedOut,
    ReinstateStaff,
    StaffDismissed,
    SuspendStaff,
)
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import HOST
from taisai.runtime.installation import add_table
from taisai.runtime.streams import VENUE, kind_of, table_stream
from tests.kit.accounts import code_for, password_of, pin_of
from tests.kit.floor import run
from tests.kit.servers import Live, Wire, opened
from tests.kit.timeouts import TIMEOUT_SECONDS

MANAGER = Actor("mei", "shift-manager")
PIT_MANAGER = Actor("pia", "pit-manager")
NOT_LET_IN = 4002


async def _equip(live: Live, person: str, role: str) -> None:
    """Put a person on the staff, and set their password and PIN over HTTP."""
    await live.floor.do(VENUE, HOST, EngageStaff(person, (role,), "ann", "bob"))
    body = {
        "code": await code_for(live.application.accounts, person),
        "password": password_of(person),
        "pin": pin_of(person),
    }
    async with httpx.AsyncClient(base_url=live.address) as client:
        response = await client.post(f"/api/staff/{person}/credentials", json=body)
    assert response.status_code == 204, response.text


async def _log_in(live: Live, person: str, role: str, **headers: str) -> httpx.Response:
    body = {"person": person, "password": password_of(person), "role": role}
    async with httpx.AsyncClient(base_url=live.address, headers=headers) as client:
        response = await client.post("/api/sessions", json=body)
    assert response.status_code == 201, response.text
    return response


async def _closed(wire: Wire) -> tuple[int, str]:
    """Wait until the venue closes a socket; give the code, and the last message."""
    said = ""
    with suppress(websockets.ConnectionClosed):
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                said = str(await wire.socket.recv())
    assert wire.socket.close_code is not None
    return wire.socket.close_code, said


def test_who_logs_out_in_a_browser_is_cut_off_everywhere(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            await _equip(live, "mei", "shift-manager")
            origin = live.address.rstrip("/")
            response = await _log_in(live, "mei", "shift-manager", origin=origin)
            cookie = SimpleCookie(response.headers["set-cookie"])["taisai-session"]
            mine = {"cookie": f"taisai-session={cookie.value}"}
            async with live.visit(session=cookie.value) as wire:
                assert (await wire.until("Welcome"))["name"] == "mei"
                async with httpx.AsyncClient(base_url=live.address, headers=mine) as client:
                    foreign = {"origin": "http://elsewhere.example"}
                    path = "/api/sessions/current"
                    assert (await client.delete(path, headers=foreign)).status_code == 403
                    assert (await client.get(path)).status_code == 200
                    own = {"origin": origin}
                    assert (await client.delete(path, headers=own)).status_code == 204
                code, said = await _closed(wire)
                assert code == NOT_LET_IN, said
                assert "SESSION_ENDED" in said
            await live.application.accounts.settled()
            events = await _events(live)
            assert events[-2:] == [
                LoggedIn("mei", "shift-manager", "127.0.0.1"),
                LoggedOut("mei"),
            ]

    run(work())


def test_a_browser_with_the_cookie_of_a_session_that_is_over_is_a_visitor(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            over = {"cookie": "taisai-session=long-over"}
            hello = {"type": "Hello", "protocol": PROTOCOL}
            address = live.socket_address
            async with websockets.connect(address, additional_headers=over) as socket:
                wire = Wire(socket)
                await wire.say(hello)
                assert (await wire.until("Welcome"))["role"] == "visitor"
            # A client that names a session means it, and is told that there is none.
            async with live.visit(session="long-over") as wire:
                code, said = await _closed(wire)
                assert code == NOT_LET_IN
                assert "SESSION_ENDED" in said

    run(work())


def test_who_is_suspended_or_dismissed_is_cut_off_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            await _equip(live, "mei", "shift-manager")
            await _equip(live, "tom", "technician")
            token = (await _log_in(live, "tom", "technician")).json()["token"]
            async with live.visit(session=token) as wire:
                await wire.until("Welcome")
                await live.floor.do(VENUE, MANAGER, SuspendStaff("tom"))
                assert (await _closed(wire))[0] == NOT_LET_IN
            await live.floor.both(VENUE, MANAGER, ReinstateStaff("tom"), PIT_MANAGER)
            token = (await _log_in(live, "tom", "technician")).json()["token"]
            async with live.visit(session=token) as wire:
                await wire.until("Welcome")
                await live.floor.both(VENUE, MANAGER, DismissStaff("tom"), PIT_MANAGER)
                assert (await _closed(wire))[0] == NOT_LET_IN
            assert StaffDismissed("tom", "mei", PIT_MANAGER.person) in await _events(live)

    run(work())


def test_a_replaced_key_cuts_the_terminal_off_and_survives_a_restart(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            await _equip(live, "mei", "shift-manager")
            await _equip(live, "tom", "technician")
            await add_table(live.venue, "T1", Equipment())
            live.application.hub.add(table_stream("T1"))
            await live.floor.seat("T1", "T1-1", 0)
            first = await _key(live)
            async with live.sit(_shown(first)) as wire:
                await wire.until("Welcome")
                second = await _key(live, approved=True)
                assert (await _closed(wire))[0] == NOT_LET_IN
        async with opened(tmp_path) as live:
            accounts = live.application.accounts
            assert accounts.knows("T1", "T1-1", second["key"])
            assert not accounts.knows("T1", "T1-1", first["key"])
            # Sessions end with the process, passwords do not.
            assert len(accounts.sessions) == 0
            await _log_in(live, "tom", "technician")

    run(work())


async def _key(live: Live, *, approved: bool = False) -> dict[str, Any]:
    """Request the terminal's key, with the second person's approval if that is needed."""
    technician = (await _log_in(live, "tom", "technician")).json()["token"]
    manager = (await _log_in(live, "mei", "shift-manager")).json()["token"]
    path, body = "/api/tables/T1/terminals/T1-1/key", {"id": live.floor.new_id()}
    async with httpx.AsyncClient(base_url=live.address) as client:
        asked = {"authorization": f"Bearer {technician}"}
        response = await client.post(path, json=body, headers=asked)
        if approved:
            assert response.status_code == 202, response.text
            waiting = response.json()
            grant = {"to": "venue", "id": live.floor.new_id(), "pin": pin_of("mei")}
            grant |= {"pending": waiting["pending"], "version": waiting["version"]}
            granting = {"authorization": f"Bearer {manager}"}
            response = await client.post("/api/approvals", json=grant, headers=granting)
            assert response.status_code == 200, response.text
            response = await client.post(path, json=body, headers=asked)
    assert response.status_code == 201, response.text
    shown: dict[str, Any] = response.json()
    return shown


def _shown(key: dict[str, Any]) -> TerminalKey:
    return TerminalKey(key["table"], key["terminal"], key["key"])


async def _events(live: Live) -> list[object]:
    found: list[object] = []
    async for page in live.venue.journal.read(VENUE):
        found.extend(kind_of(VENUE).read(record) for record in page)
    return found
