"""A clock that jumps while a venue runs: what waits, and how two persons accept it."""

import time
from pathlib import Path
from typing import Any

import httpx

from taisai.core.venue.setup import ClockAccepted
from taisai.core.venue.staff import EngageStaff
from taisai.runtime.answers import HOST
from taisai.runtime.streams import VENUE, kind_of
from tests.kit.accounts import code_for, password_of, pin_of
from tests.kit.floor import run
from tests.kit.servers import Live, opened

YEARS_MS = 5 * 365 * 86_400_000
PEOPLE = {"Cat": "cage", "Mei": "pit-manager", "Sue Lim": "supervisor"}


class Staff:
    """Three people who are logged in, with short methods for their requests."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.client = httpx.AsyncClient(base_url=live.address)
        self.tokens = dict[str, str]()

    async def log_in(self) -> None:
        """Put everybody on the staff, and log them in."""
        for person, role in PEOPLE.items():
            await self.live.floor.do(VENUE, HOST, EngageStaff(person, (role,), "ann", "bob"))
            code = await code_for(self.live.application.accounts, person)
            body = {"code": code, "password": password_of(person), "pin": pin_of(person)}
            await self.client.post(f"/api/staff/{person}/credentials", json=body)
            asked = {"person": person, "password": password_of(person), "role": role}
            said = await self.client.post("/api/sessions", json=asked)
            self.tokens[person] = said.json()["token"]

    async def asks(self, person: str, method: str, path: str, **body: Any) -> tuple[int, Any]:
        """Send a request over HTTP; give the status and the content."""
        headers = {"authorization": f"Bearer {self.tokens[person]}"}
        said = await self.client.request(method, path, json=body or None, headers=headers)
        return said.status_code, said.json()

    async def pays(self, number: str) -> tuple[int, str]:
        """Have the cashier pay a voucher."""
        body = {"id": self.live.floor.new_id(), "number": number}
        status, said = await self.asks("Cat", "POST", "/api/vouchers/pay", **body)
        return status, said.get("code", "")


async def _accept(staff: Staff, doubt: dict[str, Any]) -> None:
    """Accept the clock over the socket as the Pit does, and have a second person agree."""
    command = {"type": "AcceptClock", **{key: doubt[key] for key in ("ahead_ms", "database_ms")}}
    async with staff.live.visit(session=staff.tokens["Mei"]) as wire:
        asked = await wire.ask("venue", staff.live.floor.new_id(), command)
    assert asked["pending"], asked
    status, _ = await staff.asks(
        *("Sue Lim", "POST", "/api/approvals"),
        to="venue",
        id=staff.live.floor.new_id(),
        pending=asked["pending"],
        version=asked["last"],
        pin=pin_of("Sue Lim"),
    )
    assert status == 200


def test_a_jump_of_years_expires_no_voucher_and_two_persons_accept_one_that_is_right(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with opened(tmp_path) as live:
            staff = Staff(live)
            await staff.log_in()
            await live.floor.open_shift()
            sale = {"id": live.floor.new_id(), "value": 5_000}
            _, sold = await staff.asks("Cat", "POST", "/api/vouchers", **sale)
            assert (await staff.asks("Mei", "GET", "/api/pit"))[1]["clock"] is None
            # The machine's clock jumps.
            live.venue.clock._wall = lambda: time.time_ns() + YEARS_MS * 1_000_000
            assert await staff.pays(sold["number"]) == (409, "CLOCK_IN_DOUBT")
            _, pit = await staff.asks("Mei", "GET", "/api/pit")
            assert pit["clock"]["may_ask"]
            assert abs(pit["clock"]["ahead_ms"] - YEARS_MS) < 60_000
            (alert,) = (each for each in pit["alerts"] if each["code"].startswith("PIT_CLOCK"))
            assert (alert["code"], alert["level"]) == ("PIT_CLOCK_AHEAD", "act")
            _, seen = await staff.asks("Sue Lim", "GET", "/api/pit", language="zh-Hant")
            assert not seen["clock"]["may_ask"]
            # It is set right, and the voucher is as good as before.
            live.venue.clock._wall = time.time_ns
            live.venue.clock.now()
            assert await staff.pays(sold["number"]) == (200, "")
            # It jumps again, and this time it is right.
            live.venue.clock._wall = lambda: time.time_ns() + 7_200_000_000_000
            _, pit = await staff.asks("Mei", "GET", "/api/pit")
            await _accept(staff, pit["clock"])
            assert live.venue.clock.doubt() is None
            assert live.venue.clock.now() >= time.time_ns() // 1_000_000 + 7_199_000
            records = [each async for page in live.venue.journal.read(VENUE) for each in page]
            events = map(kind_of(VENUE).read, records)
            (accepted,) = (each for each in events if isinstance(each, ClockAccepted))
            assert (accepted.by, accepted.second) == ("Mei", "Sue Lim")
            await staff.client.aclose()

    run(work())
