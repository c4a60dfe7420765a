"""People over HTTP: logging in and out, the staff, and how they get a password and a PIN.

No password, PIN, code or token is in any address, any log or any error.
"""

from http import HTTPStatus
from typing import Annotated, Any

from litestar import Request, Response, delete, get, post, put
from litestar.datastructures import Cookie
from litestar.params import JSONBody, Parameter
from msgspec import Meta, Struct, convert

from taisai.core.kernel.messages import Instant, Role
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    MakeCode,
    ReinstateStaff,
    SuspendStaff,
)
from taisai.core.venue.state import find_person
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.server.accounts.credentials import PASSWORD_MAX, PASSWORD_MIN, PIN_MAX, PIN_MIN
from taisai.server.accounts.sessions import SESSION_COOKIE, Session
from taisai.server.http.frame.access import EVERYBODY, STAFF, TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    Carried,
    CommandId,
    QueryId,
    TheApplication,
    Waiting,
    answered,
    durably,
    order,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.frame.requests import Secret
from taisai.server.roles import SEE_VENUE

STAFFING = tuple(sorted(COMMANDS[AppointStaff].by))
#: The roles that may suspend a person at once.
SUSPENDING = tuple(sorted(COMMANDS[SuspendStaff].by))
#: The roles that may ask for a code, or approve one.
HALVES = tuple(sorted(COMMANDS[MakeCode].by | COMMANDS[MakeCode].second))
#: The path to which browsers send the cookie of a session; no page outside needs it.
_COOKIE_PATH = "/api"

Name = Annotated[str, Meta(max_length=NAME_MAX, examples=["Sue Lim"])]
Person = Annotated[str, Parameter(max_length=NAME_MAX, description="a person, by their name")]
Password = Annotated[
    str,
    Meta(
        max_length=PASSWORD_MAX,
        description=f"{PASSWORD_MIN} to {PASSWORD_MAX} characters, and not one's name",
        examples=["three dice under a bell"],
    ),
]
Roles = Annotated[
    tuple[Annotated[str, Meta(max_length=NAME_MAX)], ...],
    Meta(max_length=16, description="the roles they may take", examples=[["dealer"]]),
]


class LogIn(Secret, frozen=True, forbid_unknown_fields=True):
    """Who logs in, and in which of their roles."""

    person: Name
    password: Annotated[str, Meta(max_length=PASSWORD_MAX, examples=["three dice under a bell"])]
    role: Annotated[str, Meta(max_length=NAME_MAX, examples=["supervisor"])]


class NewCredentials(Secret, frozen=True, forbid_unknown_fields=True):
    """A person's new password and PIN, set with a one-time code."""

    code: Annotated[str, Meta(max_length=64, examples=["K7QPM-2XWRB-9DHTC-J4VNE-6GZSA"])]
    password: Password
    pin: Annotated[
        str,
        Meta(max_length=PIN_MAX, description=f"{PIN_MIN} to {PIN_MAX} digits", examples=["271845"]),
    ]


class SessionView(Struct, frozen=True):
    """Who is logged in, and until when: at the latest, and if nothing is done."""

    person: str
    role: Role
    began: Instant
    expires: Instant
    idle_at: Instant


class LoggedIn(Secret, frozen=True):
    """A session that has begun; a program gets its token, a page of the venue a cookie instead."""

    session: SessionView
    token: str | None = None
    #: In a demo alone: the PIN with which its people approve what somebody else asked for.
    pin: str | None = None


class StaffMember(Struct, frozen=True):
    """A person on the staff; `ready` when they have set a password and a PIN."""

    person: str
    roles: tuple[str, ...]
    ready: bool
    #: The roles in which they are logged in now.
    logged_in: tuple[str, ...] = ()
    #: Whether a code was made for them that is not used yet, and whether half of it waits to be
    #: shown to whoever asks.
    coded: bool = False
    half: bool = False
    #: Whether they are kept out until two persons decide about them.
    suspended: bool = False


class Appointment(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody new on the staff."""

    id: CommandId
    person: Name
    roles: Roles


class RolesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The roles that a person has from now on, in place of those they had."""

    id: CommandId
    roles: Roles


class OfStaff(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked for about the person whom the address names."""

    id: CommandId


class HalfACode(Secret, frozen=True):
    """Half of a code with which a person sets password and PIN; it is shown here and never again.

    The other of the two who had it made is shown the other half; who asked has the first.
    """

    person: str
    half: str


# --- sessions -------------------------------------------------------------------------------------


@post(
    "/api/sessions",
    **route("people", "Log in", EVERYBODY, (HTTPStatus.UNAUTHORIZED, *PROBLEMS), status=201),
)
async def log_in(
    application: TheApplication,
    caller: TheCaller,
    request: Request[Any, Any, Any],
    data: JSONBody[LogIn],
) -> Response[LoggedIn]:
    """Log a person in, in one role. A page of the venue gets a cookie, a program gets a token.

    After wrong tries each further one has to wait longer.
    """
    begun = await application.accounts.log_in(data.person, data.password, data.role, caller.place)
    if isinstance(begun, Refusal):
        raise RefusedError(begun)
    return answer_log_in(application, caller, request, begun)


@get("/api/sessions/current", **route("people", "Who is logged in", STAFF))
async def current_session(caller: TheCaller) -> SessionView:
    """Show whose session this is, and until when it lasts; asking counts as doing something."""
    return session_view(caller.logged_in)


@delete("/api/sessions/current", **route("people", "Log out", STAFF, status=204))
async def log_out(application: TheApplication, caller: TheCaller) -> Response[None]:
    """End this session; whatever is connected by it is cut off."""
    if caller.token is not None:
        application.accounts.log_out(caller.token)
    cookie = session_cookie("", secure=application.settings.secure, seconds=0)
    return Response(None, cookies=[cookie] if caller.by_cookie else [])


def answer_log_in(
    application: TheApplication,
    caller: TheCaller,
    request: Request[Any, Any, Any],
    begun: tuple[str, Session],
) -> Response[LoggedIn]:
    """Answer a log-in: a page gets a cookie, and its earlier session ends; a program a token."""
    token, session = begun
    if caller.by_cookie and caller.token is not None:
        application.accounts.log_out(caller.token)
    if "origin" not in request.headers:
        return Response(LoggedIn(session_view(session), token))
    cookie = session_cookie(token, secure=application.settings.secure)
    return Response(LoggedIn(session_view(session)), cookies=[cookie])


def session_cookie(token: str, *, secure: bool, seconds: int | None = None) -> Cookie:
    """Make the cookie of a session: no script reads it, and no other site's page sends it."""
    return Cookie(
        key=SESSION_COOKIE,
        value=token,
        path=_COOKIE_PATH,
        max_age=seconds,
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def session_view(session: Session) -> SessionView:
    return convert(session, SessionView, from_attributes=True)


# --- staff ----------------------------------------------------------------------------------------


@get("/api/staff", **route("people", "The staff", SEE_VENUE, (HTTPStatus.SERVICE_UNAVAILABLE,)))
async def staff(application: TheApplication, caller: TheCaller) -> list[StaffMember]:
    """List everybody on the staff with their roles, and who is logged in."""
    runtime, accounts = application.runtime, application.accounts
    async with durably(runtime, VENUE):
        there, coded = [*runtime.state.staff.items()], {*runtime.state.codes}
        suspended = {*runtime.state.suspended}
    now: dict[str, list[str]] = {}
    for session in accounts.sessions.all():
        now.setdefault(session.person, []).append(session.role)
    ready = accounts.ready()
    return [
        StaffMember(
            person,
            roles,
            person in ready,
            tuple(sorted({*now.get(person, ())})),
            person in coded,
            accounts.has_half(person, caller.person),
            person in suspended,
        )
        for person, roles in sorted(there)
    ]


@post("/api/staff", **route("people", "Appoint somebody", STAFFING, PROBLEMS, status=202))
async def appoint(
    application: TheApplication, caller: TheCaller, data: JSONBody[Appointment]
) -> Response[Waiting]:
    """Ask for somebody to be put on the staff; a second person has a minute to approve it."""
    command = AppointStaff(data.person, data.roles)
    return answered(await order(application.runtime, VENUE, caller.actor, data.id, command))


@put(
    "/api/staff/{person:str}/roles",
    **route("people", "Change somebody's roles", STAFFING, PROBLEMS, status=202),
)
async def change_roles(
    application: TheApplication, caller: TheCaller, person: Person, data: JSONBody[RolesAsked]
) -> Response[Waiting]:
    """Ask for somebody to have other roles; a second person has a minute to approve it.

    Sessions in a role that they lose end at once.
    """
    command = ChangeRoles(person, data.roles)
    return answered(await order(application.runtime, VENUE, caller.actor, data.id, command))


@delete(
    "/api/staff/{person:str}", **route("people", "Dismiss somebody", STAFFING, PROBLEMS, status=202)
)
async def dismiss(
    application: TheApplication, caller: TheCaller, person: Person, command_id: QueryId
) -> Response[Waiting]:
    """Ask for somebody to be taken off the staff; a second person has a minute to approve it.

    Then their sessions end at once, and their password is forgotten.
    """
    command = DismissStaff(person)
    return answered(await order(application.runtime, VENUE, caller.actor, command_id, command))


@put(
    "/api/staff/{person:str}/suspension",
    **route("people", "Suspend somebody", SUSPENDING, PROBLEMS, status=200),
)
async def suspend(
    application: TheApplication, caller: TheCaller, person: Person, data: JSONBody[OfStaff]
) -> Response[Carried]:
    """Keep somebody out: their sessions end at once, until two persons decide about them [D14]."""
    command = SuspendStaff(person)
    return answered(await order(application.runtime, VENUE, caller.actor, data.id, command))


@delete(
    "/api/staff/{person:str}/suspension",
    **route("people", "Reinstate somebody", STAFFING, PROBLEMS, status=202),
)
async def reinstate(
    application: TheApplication, caller: TheCaller, person: Person, command_id: QueryId
) -> Response[Waiting]:
    """Ask for somebody who is suspended to be let in; a second person has a minute to approve."""
    command = ReinstateStaff(person)
    return answered(await order(application.runtime, VENUE, caller.actor, command_id, command))


@post(
    "/api/staff/{person:str}/code",
    **route("people", "A code to set a password with", STAFFING, PROBLEMS, status=202),
)
async def make_code(
    application: TheApplication, caller: TheCaller, person: Person, data: JSONBody[OfStaff]
) -> Response[Waiting]:
    """Ask for a one-time code for somebody else, who has no password yet or has forgotten theirs.

    A second person approves it; then each of the two is shown one half. It is good for a day, and
    an earlier one is good no more. A password that the person has is good until they use it [D14].
    """
    runtime = application.runtime
    # A person is on the staff only once that is durable.
    async with durably(runtime, VENUE):
        name = _on_staff(runtime, person)
    return answered(await order(runtime, VENUE, caller.actor, data.id, MakeCode(name)))


@post(
    "/api/staff/{person:str}/code/half",
    **route("people", "One's own half of a code", HALVES, (404,), status=200),
)
async def half_a_code(application: TheApplication, caller: TheCaller, person: Person) -> HalfACode:
    """Show one of the two who had a code made their half of it, once."""
    name = _on_staff(application.runtime, person)
    half = application.accounts.half(name, caller.person)
    if half is None:
        raise RefusedError(refuse("NO_HALF", person=name))
    return HalfACode(name, half)


@post(
    "/api/staff/{person:str}/credentials",
    **route("people", "Set password and PIN", EVERYBODY, PROBLEMS, status=204),
)
async def set_credentials(
    application: TheApplication, person: Person, data: JSONBody[NewCredentials]
) -> None:
    """Set one's own password and PIN with the code one was given, which is used up by it."""
    refusal = await application.accounts.set_credentials(person, data.code, data.password, data.pin)
    if refusal is not None:
        raise RefusedError(refusal)


def _on_staff(runtime: Runtime, person: str) -> str:
    name = find_person(runtime.state, person)
    if name is None:
        raise RefusedError(refuse("UNKNOWN_PERSON", person=person[:NAME_MAX]))
    return name
