"""Two persons found a house on its page: who may, what is refused, and what is there afterwards."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from taisai.runtime.keys.directory import create_keys
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.server.accounts.credentials import Credentials
from taisai.server.application import Application
from taisai.server.founding import Founding
from taisai.server.process import serve
from taisai.server.settings import Settings

ANN = {
    "person": "Ann Lee",
    "roles": ["shift-manager", "cage"],
    "password": "three dice under a bell",
    "pin": "271845",
}
BOB = {
    "person": "Bob Tan",
    "roles": ["technician"],
    "password": "a bell over three dice",
    "pin": "314159",
}
HOUSE = {
    "name": "The Golden Bell",
    "operator": "Resorts World at Sentosa",
    "currency": "SGD",
    "voucher_days": 7,
    "approve_above": 50_000,
    "day_starts": 5,
    "time_zone": "Asia/Singapore",
}


class _House:
    """A house served from an empty directory, or from where its founding was broken off."""

    def __init__(self, data: Path) -> None:
        if not (data / KEYS_DIRECTORY).exists():
            create_keys(data / KEYS_DIRECTORY)
        self._settings = Settings(data, port=0)
        self._stop = asyncio.Event()
        self.waits: asyncio.Future[tuple[str, Founding]] = asyncio.Future()
        self.opened: asyncio.Future[tuple[str, Application]] = asyncio.Future()
        self.serving = asyncio.ensure_future(
            serve(
                self._settings,
                lambda *found: self.opened.set_result(found),
                self._stop,
                lambda *found: self.waits.set_result(found),
            )
        )

    async def stop(self) -> None:
        """Stop it in order."""
        self._stop.set()
        await self.serving


def _asked(founding: Founding, **changes: Any) -> dict[str, Any]:
    """Give the founding of two persons who do everything right, except for these changes."""
    first, second = founding.halves
    told: dict[str, Any] = {
        "venue": HOUSE,
        "first": {**ANN, "half": first},
        "second": {**BOB, "half": second.lower().replace("-", " ")},
    }
    for name, change in changes.items():
        told[name] = {**told[name], **change}
    return told


def test_two_persons_found_a_house_and_log_in(tmp_path: Path) -> None:
    async def work() -> None:
        house = _House(tmp_path)
        address, founding = await house.waits
        async with httpx.AsyncClient(base_url=address) as page:
            waiting = (await page.get("/api/venue")).json()
            assert (waiting["founded"], waiting["currency"]) == (False, "")
            assert (await page.get("/api/staff")).status_code == 404
            answer = await page.post("/api/founding", json=_asked(founding))
            assert answer.status_code == 204, answer.text
        address, application = await house.opened
        state = application.runtime.state
        assert state.staff == {"Ann Lee": ("shift-manager", "cage"), "Bob Tan": ("technician",)}
        assert (state.name, state.operator) == (HOUSE["name"], HOUSE["operator"])
        days = application.gaming_days
        assert (days.day_starts, days.time_zone) == (5, "Asia/Singapore")
        cage = application.runtime.cage
        assert (cage.voucher_days, cage.approve_above) == (7, 50_000)
        async with httpx.AsyncClient(base_url=address) as program:
            assert (await program.get("/api/venue")).json()["founded"] is True
            for person, role in ((ANN, "cage"), (BOB, "technician")):
                told = {"person": person["person"], "password": person["password"], "role": role}
                assert (await program.post("/api/sessions", json=told)).status_code == 201
            again = await program.post("/api/founding", json=_asked(founding))
            assert (again.status_code, again.json()["code"]) == (409, "HOUSE_FOUNDED")
        await house.stop()

    asyncio.run(work())


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"first": {"half": "AAAAA-BBBBB-CCCCC"}}, "BAD_CODE"),
    ({"second": {"half": ""}}, "BAD_CODE"),
    ({"second": {"person": "ann  LEE"}}, "SAME_PERSON"),
    ({"second": {"person": "system"}}, "NAME_RESERVED"),
    ({"first": {"roles": ["pit-manager"]}}, "FOUNDERS_ROLES"),
    ({"second": {"roles": ["dealer", "cage"]}}, "FOUNDERS_ROLES"),
    ({"second": {"roles": ["technician", "technician"]}}, "BAD_ROLES"),
    ({"second": {"password": "too short"}}, "WEAK_PASSWORD"),
    ({"first": {"pin": "123456"}}, "WEAK_PIN"),
    ({"venue": {"name": " "}}, "NAME_MISSING"),
    ({"venue": {"time_zone": "Asia/Nowhere"}}, "UNKNOWN_TIME_ZONE"),
)


def test_what_is_not_right_founds_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        house = _House(tmp_path)
        address, founding = await house.waits
        async with httpx.AsyncClient(base_url=address) as page:
            for changes, code in WRONG:
                answer = await page.post("/api/founding", json=_asked(founding, **changes))
                assert answer.json()["code"] == code
            other = {"origin": "http://elsewhere.example"}
            asked = _asked(founding)
            assert (await page.post("/api/founding", json=asked, headers=other)).status_code == 403
            assert (await page.get("/api/venue")).json()["currency"] == ""
        await house.stop()
        assert not house.opened.done()

    asyncio.run(work())


def test_a_founding_that_was_broken_off_is_gone_on_with_by_the_same_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails as a password is written, and the house is started again."""

    def fails(*_: object) -> None:
        raise OSError("no space left")

    async def broken_off() -> None:
        house = _House(tmp_path)
        address, founding = await house.waits
        async with httpx.AsyncClient(base_url=address) as page:
            answer = await page.post("/api/founding", json=_asked(founding))
            assert answer.status_code == 500
        await house.stop()
        assert not house.opened.done()

    async def gone_on_with() -> None:
        house = _House(tmp_path)
        address, founding = await house.waits
        eve, less = {"person": "Eve Ho"}, {"roles": ["shift-manager"]}
        async with httpx.AsyncClient(base_url=address) as page:
            assert (await page.get("/api/venue")).json()["founded"] is False
            for first in (eve, less):
                refused = await page.post("/api/founding", json=_asked(founding, first=first))
                assert refused.json()["code"] == "FOUNDING_BEGUN"
                assert "Ann Lee" in refused.json()["detail"]
            assert (await page.post("/api/founding", json=_asked(founding))).status_code == 204
        address, application = await house.opened
        staff = application.runtime.state.staff
        assert staff == {"Ann Lee": ("shift-manager", "cage"), "Bob Tan": ("technician",)}
        await house.stop()

    async def opens_at_once() -> None:
        """# Both can log in now: no question is asked again, and no second founding is possible."""
        house = _House(tmp_path)
        address, application = await house.opened
        assert not house.waits.done()
        async with httpx.AsyncClient(base_url=address) as program:
            told = {"person": "Bob Tan", "password": BOB["password"], "role": "technician"}
            assert (await program.post("/api/sessions", json=told)).status_code == 201
        assert application.runtime.state.founders == set()
        await house.stop()
        # Once somebody has logged in, lost passwords do not bring the founding back.
        (tmp_path / "credentials.db").unlink()

    async def lost_passwords() -> None:
        house = _House(tmp_path)
        await house.opened
        assert not house.waits.done()
        await house.stop()

    with monkeypatch.context() as failing:
        failing.setattr(Credentials, "set_verifiers", fails)
        asyncio.run(broken_off())
    for each in (gone_on_with, opens_at_once, lost_passwords):
        asyncio.run(each())
