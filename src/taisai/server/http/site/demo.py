"""The demo over HTTP: staff of any role and Player Terminals with credits, in one click.

A venue that is no demo has none of these routes. A demo is on a loopback address alone, and its
pages are the only ones that may ask.
"""

from http import HTTPStatus
from typing import Annotated, Literal

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import Role
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.rules.reason import Refusal, refuse
from taisai.protocol.client_messages import TerminalKey
from taisai.server.accounts.accounts import DEMO_PIN
from taisai.server.demo.venue import Demo
from taisai.server.http.accounts.staff import LoggedIn, session_view
from taisai.server.http.frame.access import EVERYBODY, route
from taisai.server.http.frame.dependencies import PROBLEMS, TheApplication, find_table
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.frame.requests import Secret

#: The most terminals for one request.
TERMINALS_AT_ONCE = 1_000

DemoRole = Literal[
    "dealer", "supervisor", "pit-manager", "shift-manager", "cage", "technician", "auditor"
]
Table = (
    Annotated[
        str,
        Meta(
            max_length=NAME_MAX,
            description="a table; without one, the emptiest",
            examples=["sic-bo"],
        ),
    ]
    | None
)


class DemoStaff(Struct, frozen=True, forbid_unknown_fields=True):
    """In which role somebody wants to try the venue."""

    role: Annotated[DemoRole, Meta(examples=["dealer"])]


class DemoSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Where somebody wants to play."""

    table: Table = None


class DemoSeats(Struct, frozen=True, forbid_unknown_fields=True):
    """How many want to play, and where; without a table, at all of them in turn."""

    count: Annotated[int, Meta(ge=1, le=TERMINALS_AT_ONCE, examples=[6])]
    table: Table = None


class DemoTerminal(Secret, frozen=True):
    """A Player Terminal with its key and its credits, in minor units."""

    table: str
    terminal: str
    key: str
    credits: int


@post("/api/demo/staff", **route("demo", "Be on the staff", EVERYBODY, PROBLEMS, status=201))
async def demo_staff(application: TheApplication, data: JSONBody[DemoStaff]) -> LoggedIn:
    """Log in as whoever has a role in the demo, and be shown the PIN to approve with.

    A page gets the token too, and no cookie: each window of a browser may be somebody else.
    """
    role: Role = data.role
    try:
        token, session = application.accounts.demo_session(_demo(application).person(role), role)
    except OverflowError:
        raise RefusedError(refuse("BUSY", stream="log-in")) from None
    return LoggedIn(session_view(session), token, DEMO_PIN)


@post(
    "/api/demo/terminals",
    **route("demo", "Take a seat", EVERYBODY, (HTTPStatus.NOT_FOUND, *PROBLEMS), status=201),
)
async def demo_terminal(application: TheApplication, data: JSONBody[DemoSeat]) -> DemoTerminal:
    """Give a terminal with credits on it; its key is shown here and never again."""
    made = await _seats(application, 1, data.table)
    return _terminal(application, made[0])


@post(
    "/api/demo/terminals/many",
    **route("demo", "Take many seats", EVERYBODY, (HTTPStatus.NOT_FOUND, *PROBLEMS), status=201),
)
async def demo_terminals(
    application: TheApplication, data: JSONBody[DemoSeats]
) -> list[DemoTerminal]:
    """Give many terminals with credits, for bots; fewer than asked for where there is no room."""
    made = await _seats(application, data.count, data.table)
    return [_terminal(application, each) for each in made]


def _demo(application: TheApplication) -> Demo:
    demo = application.demo
    assert isinstance(demo, Demo), "only a demo venue has these routes"
    return demo


async def _seats(application: TheApplication, count: int, table: str | None) -> list[TerminalKey]:
    if table is not None:
        find_table(application.runtime, table)
    made = await _demo(application).terminals.new_terminals(count, table)
    if isinstance(made, Refusal):
        raise RefusedError(made)
    return made


def _terminal(application: TheApplication, made: TerminalKey) -> DemoTerminal:
    held = application.runtime.table(made.table).ledger.balance(credits_of(made.terminal))
    return DemoTerminal(made.table, made.terminal, made.key, held)
