"""Founding a venue over HTTP: its first two persons, its name and its currency.

While a venue waits for them it has only these addresses and its pages. Once it is founded the
address stays, and answers that it is.
"""

from typing import Annotated, Any

from litestar import Request, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.rules.reason import refuse
from taisai.core.venue.state import DAY_STARTS, HOURS, TIME_ZONE
from taisai.server.accounts.credentials import PIN_MAX
from taisai.server.floor_plan import VenuePlan
from taisai.server.founding import Founder, Founding
from taisai.server.http.accounts.staff import Name, Password, Roles
from taisai.server.http.frame.access import EVERYBODY, route
from taisai.server.http.frame.dependencies import PROBLEMS, WHOLE_MAX
from taisai.server.http.frame.problems import RefusedError
from taisai.server.http.frame.requests import Secret

#: The longest that a voucher may be valid.
VOUCHER_DAYS_MAX = 3_650


class VenueAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What a venue is founded with; its currency is settled for good."""

    name: Annotated[str, Meta(max_length=NAME_MAX, examples=["The Golden Bell"])]
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$", examples=["SGD"])]
    #: Who operates it, as the approvals of rulebooks name them; empty: nobody.
    operator: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    voucher_days: Annotated[int, Meta(ge=1, le=VOUCHER_DAYS_MAX)] = 30
    #: A voucher sold or paid above this takes two persons.
    approve_above: Annotated[int, Meta(ge=0, le=WHOLE_MAX)] | None = None
    day_starts: Annotated[int, Meta(ge=HOURS[0], le=HOURS[-1])] = DAY_STARTS
    time_zone: Annotated[str, Meta(max_length=NAME_MAX, examples=["Asia/Singapore"])] = TIME_ZONE


class FounderAsked(Secret, frozen=True, forbid_unknown_fields=True):
    """One of the first two persons: their half of the printed code, and their password and PIN."""

    person: Name
    roles: Roles
    half: Annotated[str, Meta(max_length=64, examples=["K7QPM-2XWRB-9DHTC"])]
    password: Password
    pin: Annotated[str, Meta(max_length=PIN_MAX, examples=["271845"])]


class FoundingAsked(Secret, frozen=True, forbid_unknown_fields=True):
    """A venue and its first two persons: the first has the first half of the code."""

    venue: VenueAsked
    first: FounderAsked
    second: FounderAsked


@post("/api/founding", **route("venue", "Found the venue", EVERYBODY, (*PROBLEMS, 403), status=204))
async def found_venue(request: Request[Any, Any, Any], data: JSONBody[FoundingAsked]) -> None:
    """Found a real house that has nobody on its staff, by two persons with half of the code each.

    The code is printed where the venue was started. Afterwards the two log in like everybody.
    """
    founding: Founding | None = request.app.state.get("founding")
    if founding is None:
        raise RefusedError(refuse("HOUSE_FOUNDED"))
    refusal = await founding.found(_plan(data.venue), _founder(data.first), _founder(data.second))
    if refusal is not None:
        raise RefusedError(refusal)


def _plan(asked: VenueAsked) -> VenuePlan:
    return VenuePlan(**{name: getattr(asked, name) for name in asked.__struct_fields__})


def _founder(asked: FounderAsked) -> Founder:
    return Founder(asked.person, asked.roles, asked.half, asked.password, asked.pin)
