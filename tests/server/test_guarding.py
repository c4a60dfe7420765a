"""The guard before every route: how a caller is identified, from where, and what nobody may ask."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from litestar import Litestar, get
from litestar.datastructures import State
from litestar.di import Provide

from taisai.core.kernel.messages import Actor
from taisai.runtime.keys.directory import load_keys, rotate_keys
from taisai.runtime.keys.files import KeysError
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.server.http.frame.access import (
    EVERYBODY,
    Caller,
    TheCaller,
    guard,
    place_of,
    the_caller,
)
from taisai.server.http.frame.problems import HANDLERS, RefusedError
from tests.kit.accounts import Household, household
from tests.kit.floor import run
from tests.kit.servers import opened
from tests.server.accounts.doorway import Doorway


@get("/who", opt={"roles": EVERYBODY})
async def who(caller: TheCaller) -> dict[str, Any]:
    """Give the caller."""
    if caller.role == "visitor":
        return {"role": "visitor", "place": caller.place}
    return {"role": caller.role, "name": caller.actor.person, "table": caller.table}


@get("/undeclared")
async def undeclared() -> None:
    """Declare no roles."""


def _door(home: Household) -> Doorway:
    application = SimpleNamespace(accounts=home.accounts)
    app = Litestar(
        [who, undeclared],
        guards=[guard],
        dependencies={"caller": Provide(the_caller, sync_to_thread=False)},
        exception_handlers=HANDLERS,
        logging_config=None,
        openapi_config=None,
        state=State({"application": application}),
    )
    return Doorway(home, app, SimpleNamespace())  # type: ignore[arg-type]


def test_who_asks_is_found_by_what_they_show(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan", "Cat")) as home:
            door = _door(home)
            token, cats = (await home.log_in("Dan"))[0], (await home.log_in("Cat"))[0]
            key = home.accounts.issue_key("T1", "T1 - no. 1/a")
            shown = [
                ({}, {"role": "visitor", "place": "192.0.2.7"}),
                ({"cookie": "taisai-session=old"}, {"role": "visitor", "place": "192.0.2.7"}),
                ({"cookie": f"taisai-session={token}"}, _staff("dealer", "Dan")),
                ({"authorization": f"bearer  {token}"}, _staff("dealer", "Dan")),
                (
                    # The header that a program sends counts, not the cookie that a browser adds.
                    {"authorization": f"Bearer {cats}", "cookie": f"taisai-session={token}"},
                    _staff("cage", "Cat"),
                ),
                (
                    {"authorization": f"Terminal T1/T1 - no. 1/a:{key}"},
                    {"role": "terminal", "name": "T1 - no. 1/a", "table": "T1"},
                ),
            ]
            for headers, expected in shown:
                async with door.client(**headers) as client:
                    assert (await client.get("/who")).json() == expected

    run(work())


def _staff(role: str, person: str) -> dict[str, str | None]:
    return {"role": role, "name": person, "table": None}


def test_a_key_of_another_terminal_is_no_key(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path) as home:
            key = home.accounts.issue_key("T1", "T1-1")
            for shown in ("T1/T1-2", "T2/T1-1", "/T1-1", "T1/", "T1"):
                async with _door(home).client(authorization=f"Terminal {shown}:{key}") as client:
                    assert (await client.get("/who")).status_code == 401

    run(work())


def test_a_route_that_declares_nothing_is_for_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Mei",)) as home:
            token, _ = await home.log_in("Mei")
            async with _door(home).client(authorization=f"Bearer {token}") as client:
                assert (await client.get("/undeclared")).status_code == 500
                assert (await client.options("/undeclared")).status_code == 204

    run(work())
    assert "declares no roles" in caplog.text


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::1", "::1"),
        ("testclient", "testclient"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_a_place_is_an_address_or_its_network(host: str | None, place: str) -> None:
    client = None if host is None else SimpleNamespace(host=host)
    assert place_of(SimpleNamespace(client=client)) == place  # type: ignore[arg-type]


def test_a_visitor_gives_no_commands() -> None:
    visitor = Caller("visitor", "here")
    for ask in (lambda: visitor.actor, lambda: visitor.logged_in, lambda: visitor.person):
        with pytest.raises(RefusedError):
            ask()
    assert Caller("terminal", "here", table="T1", terminal="T1-1").actor == Actor(
        "T1-1", "terminal"
    )


def test_keys_of_a_running_venue_are_not_rotated(tmp_path: Path) -> None:
    keys = tmp_path / "data" / KEYS_DIRECTORY

    async def rotate() -> None:
        async with opened(tmp_path / "data"):
            with pytest.raises(KeysError, match="a venue is at work with the keys"):
                rotate_keys(keys, "Ann", "Bob")
        rotate_keys(keys, "Ann", "Bob")
        async with opened(tmp_path / "data"):
            assert load_keys(keys).public.newest.number == 2

    run(rotate())
