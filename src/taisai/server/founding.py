"""Founding a venue from its screens: two persons prove with half a code each that they may.

In a real house with nobody on its staff nobody could log in. Until there are two persons, it serves
nothing but its founding: the code is printed where the venue was started, new at every start, and
is not valid any more once both can log in [D14]. A founding that was interrupted is continued by
the same two, unless somebody has logged in since.
"""

import asyncio
import hmac
import secrets
from typing import NamedTuple

from taisai.core.kernel.messages import Command, Order
from taisai.core.kernel.name_profile import is_name, person_refusal
from taisai.core.kernel.names import same_person, two_persons_refusal
from taisai.core.kernel.registry import COMMANDS
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.staff import AppointStaff, EngageStaff, GiveCode
from taisai.core.venue.state import find_person
from taisai.projections.figures.days import zone_of
from taisai.runtime.answers import HOST
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import (
    Halves,
    new_half,
    password_refusal,
    pin_refusal,
    plain_code,
)
from taisai.server.floor import found
from taisai.server.floor_plan import VenuePlan

#: Between them the first two can appoint everybody else: one asks, the other agrees.
ASKS, AGREES = frozenset({"shift-manager"}), COMMANDS[AppointStaff].second


class Founder(NamedTuple):
    """One of the first two persons of a venue: name, roles, half a code, password and PIN."""

    person: str
    roles: tuple[str, ...]
    half: str
    password: str
    pin: str

    def __repr__(self) -> str:
        """Name the person; the secrets are never shown."""
        return f"Founder({self.person!r})"


def awaits_founders(runtime: Runtime, accounts: Accounts) -> bool:
    """Say whether a venue has no staff, or its founders stopped before both could log in.

    Once somebody has logged in, there are no founders any more: a person who has forgotten their
    password then, or lost the file of passwords, is helped by two of the staff.
    """
    staff, founders = runtime.state.staff, runtime.state.founders
    if not staff:
        return True
    return bool(founders) and not (len(founders) > 1 and founders <= accounts.ready())


class Founding:
    """A venue that waits for its first two persons; over when `done` is set."""

    def __init__(self, runtime: Runtime, accounts: Accounts) -> None:
        self.halves = Halves(new_half(), new_half())
        self.done = asyncio.Event()
        self._runtime = runtime
        self._accounts = accounts
        self._one_at_a_time = asyncio.Lock()

    @property
    def name(self) -> str | None:
        """Give the name of the venue, if a floor plan has set it."""
        return self._runtime.state.name or None

    @property
    def currency(self) -> str:
        """Give the currency of the venue, if it is set."""
        return self._runtime.state.currency

    def now(self) -> int:
        """Give the venue's time."""
        return self._runtime.clock.now()

    async def found(self, plan: VenuePlan, first: Founder, second: Founder) -> Refusal | None:
        """Found the venue by two persons who have a half each, all of it or nothing."""
        async with self._one_at_a_time:
            refusal = (
                self._code_refusal(first, second)
                or _venue_refusal(plan)
                or _founders_refusal(first, second)
                or self._begun_refusal(first, second)
            )
            if refusal is not None:
                return refusal
            await found(self._runtime, plan)
            for each in (first, second):
                refusal = await self._engage(each, first.person, second.person)
                if refusal is not None:
                    return refusal
            self.done.set()
            return None

    def _code_refusal(self, first: Founder, second: Founder) -> Refusal | None:
        """Refuse persons without both halves, or after the venue has been founded."""
        right = [
            hmac.compare_digest(plain_code(given.half), plain_code(half))
            for given, half in zip((first, second), self.halves, strict=True)
        ]
        if self.done.is_set():
            return refuse("HOUSE_FOUNDED")
        return None if all(right) else refuse("BAD_CODE")

    def _begun_refusal(self, first: Founder, second: Founder) -> Refusal | None:
        """Refuse persons other than those engaged before a founding was interrupted."""
        for person, roles in self._runtime.state.staff.items():
            same = [each for each in (first, second) if same_person(each.person, person)]
            if not any({*each.roles} == {*roles} for each in same):
                return refuse("FOUNDING_BEGUN", person=person, roles=", ".join(roles))
        return None

    async def _engage(self, founder: Founder, by: str, second: str) -> Refusal | None:
        """Put a founder on the staff, and have them set password and PIN by their code."""
        person = founder.person
        there = find_person(self._runtime.state, person) is not None
        # After an interruption: a founder who is on the staff already needs only a code.
        refusal = await self._order(
            GiveCode(person, by, second)
            if there
            else EngageStaff(person, founder.roles, by, second, founds=True)
        )
        if refusal is not None:
            return refusal
        code = self._accounts.whole_code(person)
        return await self._accounts.set_credentials(person, code, founder.password, founder.pin)

    async def _order(self, command: Command) -> Refusal | None:
        id_ = f"{self.now()}-{secrets.token_hex(8)}"
        answer = await self._runtime.submit(VENUE, Order(id_, HOST, command))
        return answer if isinstance(answer, Refusal) else None


def _venue_refusal(plan: VenuePlan) -> Refusal | None:
    if not all(map(is_name, (plan.name, plan.currency, *filter(None, [plan.operator])))):
        return refuse("NAME_MISSING")
    return None if zone_of(plan.time_zone) else refuse("UNKNOWN_TIME_ZONE", zone=plan.time_zone)


def _founders_refusal(first: Founder, second: Founder) -> Refusal | None:
    """Refuse persons who could not be engaged, before anything is recorded."""
    refusal = two_persons_refusal(first.person, second.person)
    for each in (first, second):
        refusal = (
            refusal
            or person_refusal(each.person)
            or _roles_refusal(each)
            or password_refusal(each.person, each.password)
            or pin_refusal(each.pin)
        )
    if refusal is not None:
        return refusal
    together = ASKS & {*first.roles} and AGREES & {*second.roles}
    return None if together else refuse("FOUNDERS_ROLES")


def _roles_refusal(founder: Founder) -> Refusal | None:
    roles = founder.roles
    right = roles and len({*roles}) == len(roles) and {*roles} <= {*STAFF_ROLES}
    return None if right else refuse("BAD_ROLES", codes=", ".join(STAFF_ROLES))
