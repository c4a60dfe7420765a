"""People and machines over HTTP: sessions, staff, codes, keys, and what takes two persons."""

import asyncio
import hashlib
import re
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest

import taisai
from taisai.core.kernel.approvals import CommandDeclined
from taisai.core.kernel.messages import Actor, Equipment
from taisai.core.table.setup import AdoptRulebook
from taisai.core.venue.staff import StaffAppointed
from taisai.core.venue.terminal_keys import TerminalKeyIssued
from taisai.runtime.installation import add_table
from taisai.runtime.streams import table_stream
from taisai.server.settings import Settings
from tests.kit.accounts import STAFF, password_of, pin_of
from tests.kit.floor import run, until
from tests.server.accounts.doorway import HERE, Doorway, doorway

COOKIE = "taisai-session"


# --- sessions -------------------------------------------------------------------------------------


def test_a_program_logs_in_and_out_with_a_token(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Dan") as door:
            response = await door.log_in("Dan")
            assert response.status_code == 201
            assert "set-cookie" not in response.headers
            begun = response.json()
            assert begun["session"]["person"] == "Dan"
            door.tokens["Dan"] = begun["token"]
            current = await door.told(200, "Dan", "GET", "/api/sessions/current")
            assert (current["person"], current["role"]) == ("Dan", "dealer")
            assert current["idle_at"] - current["began"] == 900_000
            await door.told(204, "Dan", "DELETE", "/api/sessions/current")
            refused = await door.told(401, "Dan", "GET", "/api/sessions/current")
            assert refused["code"] == "NOT_LOGGED_IN"

    run(work())


@pytest.mark.parametrize("secure", [False, True])
def test_a_page_gets_a_cookie_that_no_script_reads(tmp_path: Path, *, secure: bool) -> None:
    async def work() -> None:
        certificate = tmp_path / "certificate" if secure else None
        settings = Settings(tmp_path, certificate=certificate)
        async with doorway(tmp_path, "Dan", settings=settings) as door:
            body = {"person": "Dan", "password": password_of("Dan"), "role": "dealer"}
            async with door.client(origin=HERE) as client:
                response = await client.post("/api/sessions", json=body)
                assert response.json()["token"] is None
                cookie = SimpleCookie(response.headers["set-cookie"])[COOKIE]
                assert (cookie["httponly"], cookie["samesite"]) == (True, "strict")
                assert bool(cookie["secure"]) is secure
                assert len(cookie.value) == 43
                mine = {"cookie": f"{COOKIE}={cookie.value}"}
                response = await client.get("/api/sessions/current", headers=mine)
                assert response.json()["person"] == "Dan"
                response = await client.delete("/api/sessions/current", headers=mine)
                assert response.status_code == 204
                gone = SimpleCookie(response.headers["set-cookie"])[COOKIE]
                assert (gone.value, gone["max-age"]) == ("", "0")
                response = await client.get("/api/sessions/current", headers=mine)
                assert response.status_code == 401

    run(work())


@pytest.mark.parametrize(
    "origin", [None, "null", "http://127.0.0.2", "https://elsewhere.example", f"{HERE}:81", "x"]
)
def test_no_other_sites_page_changes_anything_with_a_cookie(
    tmp_path: Path, origin: str | None
) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Dan") as door:
            cookie = {"cookie": f"{COOKIE}={await door.token('Dan')}"}
            headers = cookie if origin is None else {**cookie, "origin": origin}
            async with door.client() as client:
                response = await client.delete("/api/sessions/current", headers=headers)
                assert response.status_code == 403
                assert response.json()["code"] == "OTHER_ORIGIN"
                # A GET is free, and the session is still there.
                response = await client.get("/api/sessions/current", headers=headers)
                assert response.status_code == 200

    run(work())


def test_logging_in_anew_in_a_browser_ends_the_session_it_had(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Sue Lim") as door:
            old = await door.token("Sue Lim")
            headers = {"cookie": f"{COOKIE}={old}", "origin": HERE}
            body = {"person": "Sue Lim", "password": password_of("Sue Lim"), "role": "dealer"}
            async with door.client() as client:
                response = await client.post("/api/sessions", json=body, headers=headers)
            assert response.status_code == 201
            assert door.home.accounts.session(old) is None
            assert len(door.home.accounts.sessions) == 1

    run(work())


def test_wrong_log_ins_are_one_answer_and_soon_have_to_wait(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Dan") as door:
            wrong = {"person": "Dan", "password": "not the password", "role": "dealer"}
            unknown = {**wrong, "person": "nobody"}
            first = await door.told(401, None, "POST", "/api/sessions", wrong)
            assert await door.told(401, None, "POST", "/api/sessions", unknown) == first
            for _ in range(4):
                await door.told(401, None, "POST", "/api/sessions", wrong)
            response = await door.ask(None, "POST", "/api/sessions", wrong)
            assert response.status_code == 429
            assert response.json()["code"] == "TOO_MANY_TRIES"
            assert response.headers["retry-after"] == "1"

    run(work())


def test_a_body_that_is_wrong_is_not_shown_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path) as door:
            for body in (
                {"person": "Dan", "password": 271828182845, "role": "dealer"},
                {"person": "Dan", "password": "271828182845" * 30, "role": "dealer"},
                {"person": "Dan", "password": "271828182845", "role": "dealer", "more": 1},
                {"person": "Dan", "password": "271828182845"},
                ["271828182845"],
            ):
                response = await door.ask(None, "POST", "/api/sessions", body)
                assert response.status_code == 400
                assert "271828182845" not in response.text

    run(work())


# --- the caller -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer",
        "Bearer ",
        "Bearer not-a-token",
        "Bearer " + "x" * 5000,
        "Basic RGFuOnBhc3N3b3Jk",
        "Terminal",
        "Terminal T1/T1-1",
        "Terminal T1/T1-1:wrong",
        "Terminal :::///",
        "x",
    ],
)
def test_what_proves_nothing_is_not_let_in(tmp_path: Path, authorization: str) -> None:
    async def work() -> None:
        async with doorway(tmp_path) as door, door.client(authorization=authorization) as client:
            response = await client.get("/api/sessions/current")
            assert response.status_code == 401
            assert response.json()["code"] == "NOT_LOGGED_IN"
            # Nor on public addresses: wrong credentials are refused there too.
            response = await client.post("/api/sessions", json={})
            assert response.status_code == 401

    run(work())


def test_each_caller_has_a_limit_of_their_own(tmp_path: Path) -> None:
    async def work() -> None:
        settings = Settings(tmp_path, commands_per_second=0.001, commands_burst=3)
        async with doorway(tmp_path, "Dan", "Cat", settings=settings) as door:
            for _ in range(3):
                await door.told(200, "Dan", "GET", "/api/sessions/current")
            response = await door.ask("Dan", "GET", "/api/sessions/current")
            assert response.status_code == 429
            assert response.json()["code"] == "TOO_FAST"
            assert 900 < int(response.headers["retry-after"]) <= 1000
            await door.told(200, "Cat", "GET", "/api/sessions/current")

    run(work())


def test_wrong_tokens_are_limited_by_where_they_come_from(tmp_path: Path) -> None:
    async def work() -> None:
        settings = Settings(tmp_path, commands_per_second=0.001, commands_burst=3)
        async with doorway(tmp_path, settings=settings) as door:
            statuses = []
            for number in range(5):
                async with door.client(authorization=f"Bearer {number}") as client:
                    statuses.append((await client.get("/api/staff")).status_code)
            assert statuses == [401, 401, 401, 429, 429]

    run(work())


#: Who may do what, written out a second time; everybody not named may not.
MATRIX = {
    "POST /api/sessions": "visitor terminal dealer supervisor pit-manager shift-manager cage"
    " technician auditor",
    "GET /api/sessions/current": "dealer supervisor pit-manager shift-manager cage technician"
    " auditor",
    "DELETE /api/sessions/current": "dealer supervisor pit-manager shift-manager cage technician"
    " auditor",
    "GET /api/staff": "pit-manager shift-manager technician auditor",
    "POST /api/staff": "shift-manager technician",
    "PUT /api/staff/Dan/roles": "shift-manager technician",
    "DELETE /api/staff/Dan": "shift-manager technician",
    "PUT /api/staff/Dan/suspension": "pit-manager shift-manager technician",
    "DELETE /api/staff/Dan/suspension": "shift-manager technician",
    "POST /api/staff/Dan/code": "shift-manager technician",
    "POST /api/staff/Dan/code/half": "pit-manager shift-manager technician",
    "POST /api/staff/Dan/credentials": "visitor terminal dealer supervisor pit-manager"
    " shift-manager cage technician auditor",
    "POST /api/tables/T1/terminals": "technician",
    "POST /api/tables/T1/terminals/T1-1/key": "technician",
    "POST /api/tables/T1/terminals/T1-1/machine": "technician",
    "POST /api/tables/T1/terminals/T1-1/withdrawal": "supervisor pit-manager shift-manager"
    " technician",
    "POST /api/enrolments": "visitor terminal dealer supervisor pit-manager shift-manager cage"
    " technician auditor",
    "POST /api/enrolments/key": "visitor terminal dealer supervisor pit-manager shift-manager cage"
    " technician auditor",
    "GET /api/approvals": "dealer supervisor pit-manager shift-manager cage technician auditor",
    "POST /api/approvals": "dealer supervisor pit-manager shift-manager cage technician",
    "POST /api/approvals/decline": "dealer supervisor pit-manager shift-manager cage technician",
}
CALLERS = "visitor terminal dealer supervisor pit-manager shift-manager cage technician auditor"


def test_each_route_is_for_those_it_is_for(tmp_path: Path) -> None:
    async def work() -> None:
        people = ("Dan", "Sue Lim", "Max", "Mei", "Cat", "Tom", "Ann")
        async with doorway(tmp_path, *people) as door:
            keys = await _callers(door)
            for address, allowed in MATRIX.items():
                method, path = address.split()
                for caller in CALLERS.split():
                    async with door.client(**keys[caller]) as client:
                        # A body that no route accepts: a caller who may ask is refused for that.
                        response = await client.request(method, path, content=b"[")
                    let_in = response.status_code not in (401, 403)
                    assert let_in == (caller in allowed.split()), (address, caller, response.text)
                    if address.startswith("DELETE"):
                        keys = await _callers(door)

    run(work())


async def _callers(door: Doorway) -> dict[str, dict[str, str]]:
    """Give the credentials of each kind of caller."""
    key = door.home.accounts.issue_key("T1", "T1-1")
    found = {"visitor": {}, "terminal": {"authorization": f"Terminal T1/T1-1:{key}"}}
    in_role = {"supervisor": "Sue Lim", "pit-manager": "Max", "shift-manager": "Mei"}
    others = {"dealer": "Dan", "cage": "Cat", "technician": "Tom", "auditor": "Ann"}
    for role, person in {**in_role, **others}.items():
        token, _ = await door.home.log_in(person, role)
        found[role] = {"authorization": f"Bearer {token}"}
    return found


def test_the_matrix_knows_every_route(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path) as door:
            there = {
                f"{method} {route.path_format}"
                for route in door.app.routes
                for method in route.methods - {"OPTIONS"}
            }
            patterns = {
                re.sub(r"T1-1", "{terminal}", re.sub(r"/T1\b(?!-)", "/{table}", address)).replace(
                    "/Dan", "/{person}"
                )
                for address in MATRIX
            }
            assert patterns == there

    run(work())


# --- staff ----------------------------------------------------------------------------------------


def test_two_persons_appoint_a_third_who_sets_a_password_and_logs_in(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Mei", "Max", "Ann") as door:
            body = {"id": door.id(), "person": "Zoe", "roles": ["dealer", "supervisor"]}
            waiting = await door.told(202, "Mei", "POST", "/api/staff", body)
            assert await door.told(202, "Mei", "POST", "/api/staff", body) == waiting
            (awaited,) = await door.told(200, "Ann", "GET", "/api/approvals")
            assert awaited == {
                "to": "venue",
                "pending": waiting["pending"],
                "version": waiting["version"],
                "person": "Mei",
                "role": "shift-manager",
                "sentence": "take on Zoe as dealer, supervisor",
                "command": {"type": "AppointStaff", "person": "Zoe", "roles": body["roles"]},
                "at": waiting["expires"] - 60_000,
                "expires": waiting["expires"],
                "approved_by": ["pit-manager", "shift-manager", "technician"],
            }
            await door.told(404, "Mei", "POST", "/api/staff/Zoe/code", {"id": door.id()})
            granted = await door.grant("Max", "venue", waiting)
            assert granted.status_code == 200, granted.text
            events = await door.home.events()
            assert StaffAppointed("Zoe", ("dealer", "supervisor"), "Mei", "Max") in events
            assert await door.told(200, "Ann", "GET", "/api/approvals") == []
            await _sets_a_password(door, "Zoe")
            response = await door.log_in("Zoe", "supervisor")
            assert response.status_code == 201
            staff = await door.told(200, "Ann", "GET", "/api/staff")
            assert {
                "person": "Zoe",
                "roles": ["dealer", "supervisor"],
                "ready": True,
                "logged_in": ["supervisor"],
                "coded": False,
                "half": False,
                "suspended": False,
            } in staff

    run(work())


async def _sets_a_password(door: Doorway, person: str) -> None:
    asked = {"id": door.id()}
    waiting = await door.told(202, "Mei", "POST", f"/api/staff/{person}/code", asked)
    # The person who asks sees nothing until another has agreed, and then one half.
    early = await door.told(404, "Mei", "POST", f"/api/staff/{person}/code/half")
    assert early["code"] == "NO_HALF"
    assert (await door.grant("Max", "venue", waiting)).status_code == 200
    halves = []
    for each in ("Mei", "Max"):
        shown = await door.told(200, each, "POST", f"/api/staff/{person}/code/half")
        assert shown["person"] == person
        halves.append(shown["half"])
        again = await door.told(404, each, "POST", f"/api/staff/{person}/code/half")
        assert again["code"] == "NO_HALF"
    path = f"/api/staff/{person}/credentials"
    known = {"password": password_of(person), "pin": pin_of(person)}
    for half in halves:
        alone = await door.told(403, None, "POST", path, {"code": half, **known})
        assert alone["code"] == "BAD_CODE"
    body = {"code": " ".join(halves), "password": password_of(person), "pin": pin_of(person)}
    weak = await door.told(409, None, "POST", path, {**body, "pin": "111111"})
    assert weak["code"] == "WEAK_PIN"
    await door.told(204, None, "POST", path, body)
    again = await door.told(403, None, "POST", path, body)
    assert again["code"] == "BAD_CODE"


def test_nobody_approves_their_own_or_without_their_pin(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Mei", "Max", "Dan") as door:
            body = {"id": door.id(), "person": "Zoe", "roles": ["dealer"]}
            waiting = await door.told(202, "Mei", "POST", "/api/staff", body)
            own = await door.grant("Mei", "venue", waiting)
            assert (own.status_code, own.json()["code"]) == (409, "SAME_PERSON")
            wrong = await door.grant("Max", "venue", waiting, pin="864209")
            assert (wrong.status_code, wrong.json()["code"]) == (403, "WRONG_PIN")
            may_not = await door.grant("Dan", "venue", waiting)
            assert (may_not.status_code, may_not.json()["code"]) == (403, "MAY_NOT_APPROVE")
            elsewhere = await door.grant("Max", "T9", waiting)
            assert elsewhere.status_code == 404
            other = await door.grant("Max", "venue", {**waiting, "pending": "0" * 64})
            assert (other.status_code, other.json()["code"]) == (409, "NOTHING_PENDING")
            assert "Zoe" not in door.home.venue.state.staff
            door.home.hands.pass_(61)
            assert await door.told(200, "Max", "GET", "/api/approvals") == []
            late = await door.grant("Max", "venue", waiting)
            assert (late.status_code, late.json()["code"]) == (409, "APPROVAL_EXPIRED")

    run(work())


def test_five_wrong_pins_lock_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Mei", "Max") as door:
            body = {"id": door.id(), "person": "Zoe", "roles": ["dealer"]}
            waiting = await door.told(202, "Mei", "POST", "/api/staff", body)
            for _ in range(5):
                wrong = await door.grant("Max", "venue", waiting, pin="864209")
                assert wrong.status_code == 403
            right = await door.grant("Max", "venue", waiting)
            assert (right.status_code, right.json()["code"]) == (429, "PIN_LOCKED")
            assert right.headers["retry-after"] == "300"

    run(work())


def test_the_second_person_declines(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Mei", "Max") as door:
            body = {"id": door.id(), "person": "Zoe", "roles": ["dealer"]}
            waiting = await door.told(202, "Mei", "POST", "/api/staff", body)
            declined = {"to": "venue", "id": door.id(), "pending": waiting["pending"]}
            await door.told(200, "Max", "POST", "/api/approvals/decline", declined)
            assert any(isinstance(each, CommandDeclined) for each in await door.home.events())
            gone = await door.grant("Max", "venue", waiting)
            assert gone.json()["code"] == "NOTHING_PENDING"

    run(work())


def test_one_person_suspends_at_once_and_two_reinstate(tmp_path: Path) -> None:
    """[D14] It takes one person to keep somebody out, without waiting for a second."""

    async def work() -> None:
        async with doorway(tmp_path, "Mei", "Max", "Dan") as door:
            path = "/api/staff/dan/suspension"
            await door.told(200, "Dan", "GET", "/api/sessions/current")
            own = await door.told(409, "Mei", "PUT", "/api/staff/Mei/suspension", {"id": door.id()})
            assert own["code"] == "OWN_ROLES"
            await door.told(200, "Mei", "PUT", path, {"id": door.id()})
            await door.told(401, "Dan", "GET", "/api/sessions/current")
            people = await door.told(200, "Mei", "GET", "/api/staff")
            assert [each["person"] for each in people if each["suspended"]] == ["Dan"]
            refused = await door.log_in("Dan")
            assert (refused.status_code, refused.json()["code"]) == (403, "PERSON_SUSPENDED")
            waiting = await door.told(202, "Mei", "DELETE", path, id=door.id())
            assert (await door.grant("Max", "venue", waiting)).status_code == 200
            assert (await door.log_in("Dan")).status_code == 201
            again = await door.told(409, "Mei", "DELETE", path, id=door.id())
            assert again["code"] == "NOT_SUSPENDED"

    run(work())


def test_roles_are_changed_and_people_dismissed_by_two(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Mei", "Max", "Dan") as door:
            body = {"id": door.id(), "roles": ["supervisor"]}
            waiting = await door.told(202, "Mei", "PUT", "/api/staff/dan/roles", body)
            await door.told(200, "Dan", "GET", "/api/sessions/current")
            assert (await door.grant("Max", "venue", waiting)).status_code == 200
            assert door.home.venue.state.staff["Dan"] == ("supervisor",)
            await door.told(401, "Dan", "GET", "/api/sessions/current")
            waiting = await door.told(202, "Mei", "DELETE", "/api/staff/Dan", id=door.id())
            assert (await door.grant("Mei", "venue", waiting)).json()["code"] == "SAME_PERSON"
            assert "Dan" in door.home.venue.state.staff
            assert (await door.grant("Max", "venue", waiting)).status_code == 200
            await until(lambda: not door.home.accounts.has_credentials("Dan"))
            unknown = await door.ask("Mei", "DELETE", "/api/staff/Dan", id=door.id())
            assert (unknown.status_code, unknown.json()["code"]) == (404, "UNKNOWN_PERSON")

    run(work())


def test_one_person_alone_takes_over_nobodys_account(tmp_path: Path) -> None:
    """A whole code in one person's hands would make that person two [D14]."""

    async def work() -> None:
        async with doorway(tmp_path, "Mei", "Max", "Dan") as door:
            own = await door.told(409, "Mei", "POST", "/api/staff/mei/code", {"id": door.id()})
            assert own["code"] == "OWN_ROLES"
            asked = {"id": door.id()}
            waiting = await door.told(202, "Mei", "POST", "/api/staff/Dan/code", asked)
            # A person who forgot a password still has it, until two others' code sets another.
            assert (await door.grant("Mei", "venue", waiting)).status_code == 409
            assert (await door.grant("Max", "venue", waiting)).status_code == 200
            mine = await door.told(200, "Mei", "POST", "/api/staff/Dan/code/half")
            body = {"code": mine["half"], "password": "another one of his", "pin": "161803"}
            await door.told(403, None, "POST", "/api/staff/Dan/credentials", body)
            await door.told(200, "Dan", "GET", "/api/sessions/current")
            other = await door.told(200, "Max", "POST", "/api/staff/Dan/code/half")
            body["code"] += other["half"]
            await door.told(204, None, "POST", "/api/staff/Dan/credentials", body)
            await door.told(401, "Dan", "GET", "/api/sessions/current")
            assert (await door.log_in("Dan")).status_code == 401

    run(work())


# --- terminals ------------------------------------------------------------------------------------


async def _enrolled(door: Doorway) -> None:
    await add_table(door.home.venue, "T1", Equipment())
    body = {"id": door.id(), "terminal": "T1-1", "place": "seat 1"}
    waiting = await door.told(202, "Tom", "POST", "/api/tables/T1/terminals", body)
    (awaited,) = await door.told(200, "Max", "GET", "/api/approvals")
    assert (awaited["to"], awaited["command"]["terminal"]) == ("T1", "T1-1")
    granted = await door.grant("Max", "T1", waiting)
    assert granted.status_code == 200, granted.text


KEY = "/api/tables/T1/terminals/T1-1/key"


def test_the_first_key_takes_one_person_and_is_shown_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max") as door:
            await _enrolled(door)
            body = {"id": door.id()}
            issued = await door.told(201, "Tom", "POST", KEY, body)
            assert door.home.accounts.knows("T1", "T1-1", issued["key"])
            again = await door.told(409, "Tom", "POST", KEY, body)
            assert again["code"] == "KEY_SHOWN"
            assert door.home.accounts.knows("T1", "T1-1", issued["key"])
            async with door.client(authorization=f"Terminal T1/T1-1:{issued['key']}") as client:
                response = await client.get("/api/staff")
                assert (response.status_code, response.json()["code"]) == (403, "NOT_ALLOWED")

    run(work())


def test_every_further_key_takes_two_and_ends_the_one_before(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max") as door:
            await _enrolled(door)
            first = await door.told(201, "Tom", "POST", KEY, {"id": door.id()})
            body = {"id": door.id()}
            waiting = await door.told(202, "Tom", "POST", KEY, body)
            assert await door.told(202, "Tom", "POST", KEY, body) == waiting
            assert door.home.accounts.knows("T1", "T1-1", first["key"])
            # Meanwhile others come and go.
            await door.home.log_in("Max")
            assert (await door.grant("Max", "venue", waiting)).status_code == 200
            second = await door.told(201, "Tom", "POST", KEY, body)
            assert second["key"] != first["key"]
            assert not door.home.accounts.knows("T1", "T1-1", first["key"])
            assert door.home.accounts.knows("T1", "T1-1", second["key"])
            assert door.sockets.cut_off[-1] == ("T1", "T1-1")
            assert (await door.told(409, "Tom", "POST", KEY, body))["code"] == "KEY_SHOWN"
            issued = [e for e in await door.home.events() if isinstance(e, TerminalKeyIssued)]
            assert issued == [TerminalKeyIssued("T1", "T1-1", "Tom")] * 2

    run(work())


def test_a_key_that_nobody_approved_is_not_given(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max") as door:
            await _enrolled(door)
            await door.told(201, "Tom", "POST", KEY, {"id": door.id()})
            late = {"id": door.id()}
            await door.told(202, "Tom", "POST", KEY, late)
            door.home.hands.pass_(61)
            refused = await door.told(409, "Tom", "POST", KEY, late)
            assert refused["code"] == "APPROVAL_EXPIRED"
            declined = {"id": door.id()}
            waiting = await door.told(202, "Tom", "POST", KEY, declined)
            body = {"to": "venue", "id": door.id(), "pending": waiting["pending"]}
            await door.told(200, "Max", "POST", "/api/approvals/decline", body)
            refused = await door.told(409, "Tom", "POST", KEY, declined)
            assert refused["code"] == "NOTHING_PENDING"

    run(work())


def test_a_key_asked_for_while_it_is_approved_waits_or_is_given(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max") as door:
            await _enrolled(door)
            await door.told(201, "Tom", "POST", KEY, {"id": door.id()})
            body = {"id": door.id()}
            waiting = await door.told(202, "Tom", "POST", KEY, body)
            granted = asyncio.create_task(door.grant("Max", "venue", waiting))
            told: list[tuple[int, str]] = []

            async def ask_always() -> None:
                while not granted.done():
                    answer = await door.ask("Tom", "POST", KEY, body)
                    told.append((answer.status_code, answer.json().get("code", "")))

            await asyncio.gather(granted, *(ask_always() for _ in range(5)))
            last = await door.ask("Tom", "POST", KEY, body)
            told.append((last.status_code, last.json().get("code", "")))
            # The key waits, and is then given, once.
            assert set(told) <= {(202, ""), (201, ""), (409, "KEY_SHOWN")}
            assert told.count((201, "")) == 1

    run(work())


@pytest.mark.parametrize("path", [KEY.replace("T1-1", "T1-9"), KEY.replace("/T1/", "/T9/")])
def test_a_key_is_for_a_terminal_that_is_enrolled(tmp_path: Path, path: str) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max") as door:
            await _enrolled(door)
            refused: dict[str, Any] = await door.told(404, "Tom", "POST", path, {"id": door.id()})
            assert refused["code"] in ("UNKNOWN_TERMINAL", "UNKNOWN_TABLE")
            assert door.home.venue.state.keyed == {}

    run(work())


def test_a_table_that_is_suspended_gives_no_keys(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Tom", "Max") as door:
            await _enrolled(door)
            door.home.venue.writer(table_stream("T1")).suspend("a test")
            refused = await door.told(503, "Tom", "POST", KEY, {"id": door.id()})
            assert refused["code"] == "TABLE_SUSPENDED"
            assert await door.told(200, "Max", "GET", "/api/approvals") == []

    run(work())


def test_what_waits_is_told_in_full_and_a_whole_rulebook_by_its_hash(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path, "Max") as door:
            await add_table(door.home.venue, "T1", Equipment())
            canonical = taisai.rulebook("ts6").canonical
            adopt = AdoptRulebook(canonical.decode(), 2)
            await door.home.floor.do(table_stream("T1"), Actor("Mei", "shift-manager"), adopt)
            (awaited,) = await door.told(200, "Max", "GET", "/api/approvals")
            assert awaited["command"] == {
                "type": "AdoptRulebook",
                "canonical": f"sha256:{hashlib.sha256(canonical).hexdigest()}",
                "pay_table": 2,
            }

    run(work())


def test_everybody_in_the_matrix_is_on_the_staff() -> None:
    held = {role for roles in STAFF.values() for role in roles}
    assert held | {"visitor", "terminal"} == set(CALLERS.split())
