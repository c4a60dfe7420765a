"""Whether the venue is alive and ready, and its metrics for Prometheus."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from taisai.runtime.journal import watch
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.server import readiness
from taisai.server.door.names import Names, same_origin
from taisai.server.http.frame.security import Security
from taisai.server.http.site import health
from taisai.server.settings import Settings
from tests.kit.desk import Desk
from tests.server.http.test_problems import problem
from tests.server.http.test_tables import set_up


def samples(text: str) -> dict[tuple[str, ...], float]:
    """Read metrics by name and labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_alive_and_ready(desk: Desk) -> None:
    assert desk.get("visitor", "/healthz").json()["alive"] is True
    ready = desk.get("visitor", "/readyz")
    assert ready.status_code == 200
    assert ready.json() == {
        "ready": True,
        "stopping": False,
        "suspended": [],
        "journal": True,
        "room": True,
        "node": None,
        "roles": [],
        "heard": True,
        "unreached": [],
    }


def test_a_journal_that_complained_is_not_ready_until_something_is_durable(desk: Desk) -> None:
    desk.look(lambda: desk.venue.announce("venue", "journal", "the disk is full"))
    assert desk.get("visitor", "/readyz").json()["journal"] is False
    desk.do(set_up(desk, "H1"))
    assert desk.get("visitor", "/readyz").json()["journal"] is True


def test_a_journal_that_cannot_be_written_is_not_ready(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: SqliteJournal) -> None:
        raise JournalError("the disk does not answer")

    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(SqliteJournal, "probe", fail)
        ready = desk.get("visitor", "/readyz")
    assert (ready.status_code, ready.json()["journal"]) == (503, False)
    assert desk.get("visitor", "/readyz").json()["ready"] is True


def test_a_disk_without_room_is_not_ready(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "ROOM_MIN", 2**62)
    ready = desk.get("visitor", "/readyz")
    assert (ready.status_code, ready.json()["room"]) == (503, False)


def test_figures_tell_what_happened(desk: Desk) -> None:
    before = samples(desk.get("technician", "/metrics").text)
    desk.do(set_up(desk, "H2", rounds=1))
    problem(desk.get("dealer", "/api/vouchers"), 403, "NOT_ALLOWED")
    after = samples(desk.get("technician", "/metrics").text)
    assert after["taisai_commits_total",] > before["taisai_commits_total",]
    assert after["taisai_commit_records_count",] > before["taisai_commit_records_count",]
    assert after["taisai_commit_seconds_sum",] > before["taisai_commit_seconds_sum",]
    refused = "taisai_refusals_total", "NOT_ALLOWED"
    assert after[refused] == before.get(refused, 0) + 1
    assert after["taisai_events_total", "table/H2"] == desk.venue.writer("table/H2").head.version
    phases = {key[1:]: value for key, value in after.items() if key[0] == "taisai_table_phase"}
    assert sum(value for key, value in phases.items() if "H2" in key) == 1
    assert any("ready" in key and value for key, value in phases.items() if "H2" in key)
    assert after["taisai_suspended", "table/H2"] == 0


def test_figures_are_for_the_machine_itself_and_for_those_who_look_after_it(desk: Desk) -> None:
    assert desk.get("visitor", "/metrics").status_code == 200
    through_a_proxy = {"x-forwarded-for": "203.0.113.7"}
    response = desk.client.get("/metrics", headers=through_a_proxy)
    problem(response, 403, "NOT_ALLOWED")
    allowed = {**through_a_proxy, **desk.headers("auditor")}
    assert desk.client.get("/metrics", headers=allowed).status_code == 200


@pytest.mark.parametrize("host", ["203.0.113.7", "testclient", ""])
def test_another_machine_is_not_this_one(host: str) -> None:
    request: Any = SimpleNamespace(headers={}, client=SimpleNamespace(host=host))
    assert not health.on_this_machine(request)


def test_a_venue_on_every_address_is_known_by_the_one_that_was_used(tmp_path: Path) -> None:
    names = Names(Settings(tmp_path, host="0.0.0.0", hosts=("floor.example",)))  # noqa: S104
    assert names.admits("192.0.2.1:8888", "192.0.2.1")
    assert names.admits("FLOOR.example")
    assert not names.admits("192.0.2.2", "192.0.2.1")
    assert not Names(Settings(tmp_path)).admits("192.0.2.1", "192.0.2.1")


def test_an_origin_is_the_very_host_that_is_asked() -> None:
    assert same_origin("https://floor.example", "floor.example")
    assert not same_origin("https://floor.example:1", "floor.example")
    assert not same_origin("file://floor.example", "floor.example")
    assert not same_origin("https://[", "floor.example")
    assert not same_origin(None, "floor.example")


async def _ask_securely(settings: Settings) -> httpx.Headers:
    """Send a request to an application under TLS."""

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    secure: Any = Security(app, settings)
    transport = httpx.ASGITransport(secure)
    async with httpx.AsyncClient(transport=transport, base_url="https://127.0.0.1") as client:
        return (await client.get("/api/venue")).headers


def test_a_browser_that_was_here_under_tls_comes_back_under_tls(tmp_path: Path) -> None:
    headers = asyncio.run(_ask_securely(Settings(tmp_path, certificate=tmp_path / "cert.pem")))
    assert headers["strict-transport-security"] == "max-age=31536000"
