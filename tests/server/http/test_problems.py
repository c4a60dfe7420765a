"""Answers to wrong requests: one shape, one sentence, the right status, and nothing more."""

import asyncio
import json
import logging
import socket
from typing import Any

import httpx
import pytest
from litestar import Litestar, get

from taisai.core.cage.state import check_digit
from taisai.core.rules.reason import refuse
from taisai.runtime.answers import UnknownStreamError
from taisai.server.http.frame.problems import HANDLERS, PROBLEM, RefusedError
from taisai.server.http.frame.security import BODY_MAX, URL_MAX
from tests.kit.desk import Desk


def problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Read a problem, and check the shape that every problem has."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == PROBLEM
    told: dict[str, Any] = response.json()
    assert told["status"] == status
    assert told["code"] == code
    assert {"type", "title", "detail"} <= told.keys()
    assert "Traceback" not in response.text
    return told


def test_an_address_that_is_not_there(desk: Desk) -> None:
    assert (
        "openapi.json" in problem(desk.get("visitor", "/api/no"), 404, "NO_SUCH_ADDRESS")["detail"]
    )


def test_a_method_that_is_not_taken(desk: Desk) -> None:
    response = desk.post("visitor", "/api/venue")
    problem(response, 405, "NO_SUCH_METHOD")
    assert response.headers["allow"] == "GET, OPTIONS"


def test_options_name_every_method(desk: Desk) -> None:
    response = desk.client.options("/api/approvals")
    assert (response.status_code, response.headers["allow"]) == (204, "GET, OPTIONS, POST")


@pytest.mark.parametrize(
    "body",
    [
        b'{"count": 1, "count": 8}',
        b'{"count": 8, "\\u0063ount": 1}',
        b'{"count": 8e0}',
        b'{"count": 8.0}',
        b"[8]",
        b'[["count", 8]]',
        b'{"count": [8]}',
        b'{"count": "8"}',
        b'{"count": true}',
        b'{"count": 8, "\xff": 1}',
    ],
)
def test_a_body_that_could_be_misread_is_refused(desk: Desk, body: bytes) -> None:
    before = desk.look(lambda: _terminals(desk))
    json_ = {"content-type": "application/json"}
    response = desk.client.post("/api/demo/terminals/many", content=body, headers=json_)
    told = problem(response, 400, "BAD_REQUEST")
    assert told["errors"][0]["key"] in ("body", "count", "data"), told
    assert desk.look(lambda: _terminals(desk)) == before


def _terminals(desk: Desk) -> dict[str, set[str]]:
    """Give the terminals of every table: rounds go on at them meanwhile."""
    return {each: {*desk.venue.writer(each).state.positions} for each in desk.venue.tables()}


def test_a_key_that_is_there_twice_is_named(desk: Desk) -> None:
    body, headers = b'{"count": 1, "count": 8}', {"content-type": "application/json"}
    response = desk.client.post("/api/demo/terminals/many", content=body, headers=headers)
    (error,) = problem(response, 400, "BAD_REQUEST")["errors"]
    assert error["message"] == 'the key "count" is there twice'


def test_a_parameter_that_is_wrong(desk: Desk) -> None:
    response = desk.get("visitor", "/api/tables/tai-sai/rounds", limit=0)
    assert problem(response, 400, "BAD_REQUEST")["errors"][0]["key"] == "limit"


def test_a_parameter_that_nobody_takes(desk: Desk) -> None:
    response = desk.get("visitor", "/api/tables/tai-sai/rounds", limt=5)
    detail = problem(response, 400, "UNKNOWN_PARAMETER")["detail"]
    assert detail == 'there is no parameter "limt" here; there are: before, language, limit'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"null",
        b'{"id": "1-1"}',
        b'{"id": "1-1", "value": "5"}',
        b'{"id": "1-1", "value": 5, "more": 1}',
        b'{"id": "1-1", "value": 5.5}',
        b'{"id": "1-1", "value": 1' + b"0" * 400 + b"}",
        b"[" * 60_000,
        b'{"id":' * 9_000,
    ],
)
def test_a_body_that_is_wrong(desk: Desk, body: bytes) -> None:
    headers = {**desk.headers("cage"), "content-type": "application/json"}
    before = desk.venue.cage.version
    response = desk.client.post("/api/vouchers", content=body, headers=headers)
    problem(response, 400, "BAD_REQUEST")
    assert desk.venue.cage.version == before


def test_a_body_that_is_too_large(desk: Desk) -> None:
    body = {"id": "1-1", "value": 5, "place": "x" * BODY_MAX}
    problem(desk.post("cage", "/api/vouchers", body), 413, "BODY_TOO_LARGE")


def test_a_body_that_never_says_how_large_it_is(desk: Desk) -> None:
    def chunks() -> Any:
        yield b'{"id": "1-1", "place": "'
        for _ in range(20):
            yield b"x" * 8_192

    response = desk.client.post("/api/vouchers", content=chunks(), headers=desk.headers("cage"))
    problem(response, 413, "BODY_TOO_LARGE")


def test_an_address_that_is_too_long(desk: Desk) -> None:
    problem(desk.client.get("/api/venue?" + "x" * URL_MAX), 414, "ADDRESS_TOO_LONG")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil", ""])
def test_another_host_is_turned_away(desk: Desk, host: str) -> None:
    problem(desk.client.get("/api/venue", headers={"host": host}), 421, "UNKNOWN_HOST")


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "[::1]:8888", "LOCALHOST"])
def test_the_names_of_this_machine_are_its_own(desk: Desk, host: str) -> None:
    assert desk.client.get("/api/venue", headers={"host": host}).status_code == 200


def test_two_hosts_are_none(desk: Desk) -> None:
    host, port = desk.address.removeprefix("http://").strip("/").split(":")
    with socket.create_connection((host, int(port)), 10) as connection:
        connection.sendall(b"GET /api/venue HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil\r\n\r\n")
        assert connection.recv(64).startswith(b"HTTP/1.1 421 ")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://", "http://127.0.0.1:1"]
)
def test_another_sites_page_changes_nothing(desk: Desk, origin: str) -> None:
    headers = {**desk.headers("cage"), "origin": origin}
    before = desk.venue.cage.version
    response = desk.client.post(
        "/api/vouchers", json={"id": desk.new_id(), "value": 100}, headers=headers
    )
    problem(response, 403, "OTHER_ORIGIN")
    assert desk.venue.cage.version == before


def test_a_cookie_without_an_origin_changes_nothing(desk: Desk) -> None:
    token = desk.headers("cage")["authorization"].removeprefix("Bearer ")
    cookie = {"cookie": f"taisai-session={token}"}
    body = {"id": desk.new_id(), "value": 100}
    response = desk.client.post("/api/vouchers", json=body, headers=cookie)
    problem(response, 403, "OTHER_ORIGIN")
    own = {**cookie, "origin": desk.address.strip("/")}
    assert desk.client.post("/api/vouchers", json=body, headers=own).status_code == 201


def test_a_refusal_is_told_in_the_language_asked_for(desk: Desk) -> None:
    body = {"id": desk.new_id(), "number": "12345678901234567" + check_digit("12345678901234567")}
    headers = {**desk.headers("cage"), "accept-language": "fr, zh-TW;q=0.9, en;q=0.1"}
    response = desk.client.post("/api/vouchers/pay", json=body, headers=headers)
    told = problem(response, 409, "UNKNOWN_VOUCHER")
    assert told["type"] == "/api/words/zh-Hant#UNKNOWN_VOUCHER"
    words = desk.get("visitor", "/api/words/zh-Hant").json()
    assert told["detail"] == words["sentences"]["UNKNOWN_VOUCHER"]


def test_every_answer_has_the_headers_that_keep_browsers_safe(desk: Desk) -> None:
    for path in ("/", "/api/venue", "/api/no", "/pages/none.js"):
        headers = desk.get("visitor", path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "strict-transport-security" not in headers, "only under TLS"
    assert desk.get("cage", "/api/vouchers").headers["cache-control"] == "no-store"


def _app_that_breaks() -> Litestar:
    @get("/fault")
    async def fault() -> None:
        raise RuntimeError("a secret of ours")

    @get("/stream")
    async def stream() -> None:
        raise UnknownStreamError("this venue has no table/x")

    @get("/busy")
    async def busy() -> None:
        raise RefusedError(refuse("TOO_MANY_TRIES", seconds=30))

    handlers: Any = [fault, stream, busy]
    return Litestar(handlers, exception_handlers=HANDLERS, logging_config=None, openapi_config=None)


async def _ask(path: str) -> httpx.Response:
    app: Any = _app_that_breaks()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.get(path)


def test_a_fault_of_ours_is_told_by_its_number_alone(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        response = asyncio.run(_ask("/fault"))
    told = problem(response, 500, "FAULT")
    assert "secret" not in response.text
    assert told["incident"] in caplog.text
    assert "a secret of ours" in caplog.text


def test_a_table_that_the_venue_has_not(caplog: pytest.LogCaptureFixture) -> None:
    problem(asyncio.run(_ask("/stream")), 404, "UNKNOWN_TABLE")
    assert caplog.text == ""


def test_who_has_to_wait_is_told_how_long() -> None:
    response = asyncio.run(_ask("/busy"))
    problem(response, 429, "TOO_MANY_TRIES")
    assert response.headers["retry-after"] == "30"
    assert json.loads(response.content)["type"] == "/api/words/en#TOO_MANY_TRIES"
