"""Who may do what, as a matrix: every socket command and every HTTP route, for every role.

The routes and sockets must do what the venue's own tables of roles say: a caller who may is not
refused, and one who may not changes nothing.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import httpx
import msgspec
import pytest
import uvloop
from litestar import Litestar
from litestar.di import Provide
from litestar.routes import HTTPRoute
from msgspec import structs

from taisai.core.cage.vouchers import PayVoucher, SellVoucher, TakeVoucher, VoidVoucher
from taisai.core.kernel.approvals import Approve, Decline
from taisai.core.kernel.messages import Actor, Command, Role
from taisai.core.kernel.registry import COMMANDS
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.table.corrections import VoidSettledRounds
from taisai.core.table.positions import SetOwnLimits
from taisai.core.table.service import EndSession
from taisai.core.table.setup import CreateTable, EnrolTerminal
from taisai.core.venue.alerts import AcknowledgeAlert, AssignAlert
from taisai.core.venue.nodes import DrainNode, MoveStream
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    MakeCode,
    RecordLogIn,
    ReinstateStaff,
    SuspendStaff,
)
from taisai.core.venue.terminal_keys import IssueTerminalKey, WithdrawTerminal
from taisai.protocol.client_messages import WireCommand
from taisai.runtime.journal.contract import Record
from taisai.runtime.streams import table_stream
from taisai.server.http.frame.access import the_caller
from taisai.server.http.routes import describe, handlers
from taisai.server.roles import MAY_DEAL, SEE_CAGE, SEE_VENUE, WATCH_TABLES
from tests.kit.accounts import code_for
from tests.server.fuzz.hall import (
    MALLORY,
    NAMESAKE,
    OTHER,
    PIN,
    SYSTEM,
    TABLE,
    VICTIM,
    Hall,
    begin,
    hall,
    is_a_message,
)
from tests.server.fuzz.sockets import RawSocket, text
from tools.protocol.examples import EXAMPLES

WHO = (*STAFF_ROLES, "terminal", "visitor")
WIRE: tuple[type[Command], ...] = get_args(WireCommand)
#: Commands of people that are no `Ask`: the answer is a secret, it takes a PIN, or it is of
#: the venue itself. These go over HTTP; `Approve` is a `Grant` too.
NOT_ON_THE_WIRE = {
    *(SellVoucher, PayVoucher, VoidVoucher, Approve, CreateTable, EnrolTerminal, EndSession),
    *(IssueTerminalKey, WithdrawTerminal, AppointStaff, ChangeRoles, DismissStaff, MakeCode),
    *(SuspendStaff, ReinstateStaff, AcknowledgeAlert, AssignAlert, DrainNode, MoveStream),
}


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as running:
        yield running


@pytest.fixture(scope="module")
def place(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    opening = hall(tmp_path_factory.mktemp("hall"), commands_burst=100_000)
    found = runner.run(opening.__aenter__())
    yield found
    runner.run(opening.__aexit__(None, None, None))


def test_the_wire_carries_what_people_may_do() -> None:
    people = {command for command, spec in COMMANDS.items() if spec.by - {"system", "device"}}
    assert set(WIRE) == people - NOT_ON_THE_WIRE
    assert people >= NOT_ON_THE_WIRE


# --- over the socket -----------------------------------------------------------------------------


async def enter(hall_: Hall, who: str) -> RawSocket:
    """Connect in a role."""
    if who == "visitor":
        return await hall_.open('{"type":"Hello","protocol":1}')
    if who == "terminal":
        return await hall_.open(hall_.hello(TABLE, MALLORY))
    token(hall_, who)
    return await hall_.open(hall_.hello_staff(who))


def token(hall_: Hall, who: str) -> str:
    """Give the session of a member of the staff, begun anew if it was ended."""
    accounts = hall_.live.application.accounts
    if accounts.session(hall_.tokens[who]) is None:
        hall_.tokens[who] = begin(hall_, role_of(who))
    return hall_.tokens[who]


def role_of(who: str) -> Role:
    return next(role for role in STAFF_ROLES if role == who)


async def told(socket: RawSocket, message: dict[str, Any]) -> dict[str, Any]:
    """Send a message and give the answer to it."""
    socket.send(text(json.dumps(message)))
    while True:
        frame = await socket.receive()
        assert frame is not None, f"cut off with {socket.closed_with}"
        for line in frame[1].splitlines():
            answer = is_a_message(line)
            if answer.get("id") == message["id"]:
                return answer


def written(command: type[Command]) -> Any:
    """Give the example of a command; a terminal in it is the sender's own."""
    example = EXAMPLES[command]
    if "terminal" in {field.name for field in structs.fields(command)}:
        example = structs.replace(example, terminal=MALLORY)
    return msgspec.to_builtins(example)


@pytest.mark.parametrize("command", WIRE, ids=lambda command: command.__name__)
def test_a_command_is_for_those_who_may_give_it(
    runner: asyncio.Runner, place: Hall, command: type[Command]
) -> None:
    async def everybody() -> None:
        streams = COMMANDS[command].streams
        to = TABLE if "table" in streams else min(streams)
        for who in WHO:
            await place.look()
            socket = await enter(place, who)
            asked = {"type": "Ask", "to": to, "id": place.new_id(), "command": written(command)}
            answer = await told(socket, asked)
            await socket.close()
            # A terminal may use the cage only for its own voucher.
            refused = answer.get("code") in ("NOT_ALLOWED", "VISITORS_WATCH", "NOT_YOUR_TERMINAL")
            assert refused == (who not in COMMANDS[command].by), (who, answer)
            if refused:
                assert await only_presence(place)

    runner.run(everybody())


async def only_presence(hall_: Hall) -> bool:
    """Say whether only comings and goings of terminals were recorded."""
    return all(is_presence(record) for record in await hall_.happened())


def is_presence(record: Record) -> bool:
    return json.loads(record.data)["type"] in ("TerminalLost", "TerminalRestored")


def test_a_grant_is_for_those_who_may_approve(runner: asyncio.Runner, place: Hall) -> None:
    async def everybody() -> None:
        accounts = place.live.application.accounts
        for person in STAFF_ROLES:
            code = await code_for(accounts, person)
            refusal = await accounts.set_credentials(person, code, f"longer than {person}", PIN)
            assert refusal is None
        for who in WHO:
            await place.look()
            socket = await enter(place, who)
            grant = {"type": "Grant", "to": TABLE, "id": place.new_id(), "pending": "0" * 64}
            answer = await told(socket, {**grant, "version": 1, "pin": PIN})
            await socket.close()
            assert answer["type"] == "Refused"
            got_through = answer["code"] == "NOTHING_PENDING"
            assert got_through == (who in COMMANDS[Approve].by), (who, answer)
            assert await only_presence(place)

    runner.run(everybody())


def test_handing_a_table_over_is_for_those_who_deal(runner: asyncio.Runner, place: Hall) -> None:
    async def everybody() -> None:
        for who in WHO:
            socket = await enter(place, who)
            deal = {"type": "Deal", "table": TABLE, "id": place.new_id(), "automatic": False}
            answer = await told(socket, deal)
            await socket.close()
            assert (answer["type"] == "Done") == (who in MAY_DEAL), (who, answer)

    runner.run(everybody())


@pytest.mark.parametrize(
    ("channel", "who_may"), [(TABLE, WATCH_TABLES), ("cage", SEE_CAGE), ("venue", SEE_VENUE)]
)
def test_what_staff_are_told_is_for_staff(
    runner: asyncio.Runner, place: Hall, channel: str, who_may: frozenset[str]
) -> None:
    async def everybody() -> None:
        for who in WHO:
            socket = await enter(place, who)
            socket.send(text(json.dumps({"type": "Watch", "table": channel})))
            heard = await pong(socket, 1)
            await stir(place, channel)
            heard += await pong(socket, 2)
            await socket.close()
            assert ("Staff" in heard) == (who in who_may), (who, heard)

    runner.run(everybody())


async def pong(socket: RawSocket, number: int) -> list[str]:
    """Ping, and give the types of all messages up to the answer."""
    socket.send(text(json.dumps({"type": "Ping", "number": number})))
    heard: list[str] = []
    while "Pong" not in heard:
        frame = await socket.receive()
        assert frame is not None, f"cut off with {socket.closed_with}"
        heard += [is_a_message(line)["type"] for line in frame[1].splitlines()]
    return heard


def test_steps_and_exposure_are_for_those_who_watch_as_staff(
    runner: asyncio.Runner, place: Hall
) -> None:
    async def everybody() -> None:
        for who in WHO:
            socket, auditor = await enter(place, who), await enter(place, "auditor")
            for watching in (socket, auditor):
                watching.send(text(json.dumps({"type": "Watch", "table": TABLE})))
            heard = await receive_all(auditor, {"Steps", "Exposure"})
            assert heard >= {"Steps", "Exposure"}
            # Messages to this role, if there are any, have arrived by now.
            told_ = set(await pong(socket, 1))
            if who in WATCH_TABLES:
                told_ |= await receive_all(socket, {"Steps", "Exposure"} - told_)
            assert bool(told_ & {"Steps", "Exposure"}) == (who in WATCH_TABLES), who
            await socket.close()
            await auditor.close()

    runner.run(everybody())


async def receive_all(socket: RawSocket, types: set[str]) -> set[str]:
    """Receive until each of these types has come."""
    heard: set[str] = set()
    while not types <= heard:
        frame = await socket.receive()
        assert frame is not None, f"cut off with {socket.closed_with}"
        heard |= {is_a_message(line)["type"] for line in frame[1].splitlines()}
    return heard


async def stir(hall_: Hall, channel: str) -> None:
    """Make something happen that the staff who watch a channel are told."""
    floor = hall_.live.floor
    if channel == "cage":
        await floor.sell(5_000)
    elif channel == "venue":
        await floor.do(channel, SYSTEM, RecordLogIn("dealer", "dealer", "a place"))
    else:
        limits = SetOwnLimits(VICTIM, loss=10**9)
        await floor.do(table_stream(channel), Actor(VICTIM, "terminal"), limits)


# --- over HTTP -----------------------------------------------------------------------------------

#: Parts of addresses; most of them name something that does not exist, so that nothing happens.
NAMED = {"table": TABLE, "key": "ts6", "number": "2", "language": "en", "round": "1"}


class Route(NamedTuple):
    """One method of one address, with its declared roles."""

    method: str
    path: str
    roles: tuple[str, ...]


def routes() -> list[Route]:
    """Read every route from the application itself."""
    app = Litestar(
        route_handlers=handlers(demo=False),
        dependencies={
            "application": Provide(lambda: None, sync_to_thread=False),
            "caller": Provide(the_caller, sync_to_thread=False),
        },
        openapi_config=None,
        logging_config=None,
    )
    # Sorted: the methods of one handler have no order.
    return sorted(
        Route(method, route.path_format, tuple(handler.opt["roles"]))
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods - {"OPTIONS"}
    )


def body_of(hall_: Hall, route: Route) -> dict[str, Any] | None:
    """Give a request's body from the example in the OpenAPI document."""
    operation = describe(demo=False)["paths"].get(route.path, {}).get(route.method.lower(), {})
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    # Errors in a body are reported only to callers who may send one.
    body: dict[str, Any] = dict(content.get("example", {}))
    return body | ({"id": hall_.new_id()} if "id" in body else {})


def authorization(hall_: Hall, who: str) -> dict[str, str]:
    """Give a caller's header."""
    if who == "visitor":
        return {}
    if who == "terminal":
        return {"Authorization": f"Terminal {TABLE}/{MALLORY}:{hall_.keys[TABLE, MALLORY]}"}
    return {"Authorization": f"Bearer {token(hall_, who)}"}


PREVIEW = "/api/tables/{table}/preview"


@pytest.mark.parametrize("route", routes(), ids=lambda route: f"{route.method} {route.path}")
def test_a_route_is_for_those_it_says(runner: asyncio.Runner, place: Hall, route: Route) -> None:
    async def everybody(client: httpx.AsyncClient) -> None:
        path = re.sub(r"\{(\w+)\}", lambda found: NAMED.get(found[1], "nobody"), route.path)
        for who in WHO:
            await place.look()
            answer = await client.request(
                route.method, path, headers=authorization(place, who), json=body_of(place, route)
            )
            refused = code_of(answer) in ("NOT_LOGGED_IN", "NOT_ALLOWED")
            may = who in route.roles
            if may and route.path == PREVIEW:
                # A caller who may not give the example's command may not preview it.
                may = who in COMMANDS[VoidSettledRounds].by
            assert refused != may, (who, answer.status_code, answer.text[:300])
            if refused:
                assert answer.status_code == (401 if who == "visitor" else 403)
                assert await only_presence(place)

    async def asked() -> None:
        async with httpx.AsyncClient(base_url=place.address, timeout=30) as client:
            await everybody(client)

    runner.run(asked())


def code_of(answer: httpx.Response) -> str | None:
    """Read the code of a problem."""
    if answer.headers.get("content-type") != "application/problem+json":
        return None
    return str(answer.json()["code"])


def test_no_route_gives_more_than_the_command_behind_it() -> None:
    """The HTTP route of a command is for exactly the roles that may give it."""
    for_whom = {(route.method, route.path): set(route.roles) for route in routes()}
    for method, path, command in (
        ("POST", "/api/vouchers", SellVoucher),
        ("POST", "/api/vouchers/pay", PayVoucher),
        ("POST", "/api/vouchers/void", VoidVoucher),
        ("POST", "/api/approvals", Approve),
        ("POST", "/api/approvals/decline", Decline),
        ("POST", "/api/staff", AppointStaff),
        ("PUT", "/api/staff/{person}/roles", ChangeRoles),
        ("DELETE", "/api/staff/{person}", DismissStaff),
        ("PUT", "/api/staff/{person}/suspension", SuspendStaff),
        ("DELETE", "/api/staff/{person}/suspension", ReinstateStaff),
        ("POST", "/api/tables/{table}/terminals", EnrolTerminal),
        ("POST", "/api/tables/{table}/terminals/{terminal}/key", IssueTerminalKey),
        ("POST", "/api/tables/{table}/terminals/{terminal}/withdrawal", WithdrawTerminal),
        ("POST", "/api/terminal/vouchers", TakeVoucher),
    ):
        assert for_whom[method, path] == COMMANDS[command].by - {"system", "device"}, path


def test_the_console_is_for_those_who_stand_at_it() -> None:
    for_whom = {route.path: set(route.roles) for route in routes()}
    console = {"dealer", "supervisor", "pit-manager", "shift-manager"}
    for what in ("irregularities", "guide", "gauges"):
        assert for_whom[f"/api/tables/{{table}}/{what}"] == console
    assert for_whom["/api/tables/{table}/opening"] == console | {"technician", "auditor"}
    assert for_whom["/api/results"] == set(WHO)


def test_no_administration_from_a_terminal() -> None:
    """A terminal reads what everybody may, and asks for what is its own."""
    for route in routes():
        if "terminal" in route.roles:
            own = route.path.startswith("/api/terminal/")
            assert own or "visitor" in route.roles, route


def test_a_wrong_key_or_session_is_nobodys(runner: asyncio.Runner, place: Hall) -> None:
    async def asked() -> None:
        async with httpx.AsyncClient(base_url=place.address) as client:
            for given in (
                "Bearer x",
                "Bearer " + "x" * 5_000,
                f"Terminal {TABLE}/{VICTIM}:{place.keys[TABLE, MALLORY]}",
                f"Terminal {OTHER}/{NAMESAKE}:{place.keys[TABLE, NAMESAKE]}",
                f"Terminal {TABLE}/{MALLORY}",
                "Terminal",
                "Basic eDp5",
            ):
                headers = {"Authorization": given}
                answer = await client.get("/api/terminal/recall", headers=headers)
                assert (answer.status_code, code_of(answer)) == (401, "NOT_LOGGED_IN"), given
                place.holds_no_secret(answer.content)

    runner.run(asked())
