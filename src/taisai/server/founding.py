"""Founding a venue from its screens: two persons, who prove with half a code each to be here.

A real house with nobody on its staff has nobody who could log in. Until two persons are, it is
asked for nothing else: the code is printed where the venue was started, new at every start, and is
good for nothing once both can log in [D14]. A founding that was broken off is gone on with by the
same two, unless somebody has logged in since.
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
    """One of the first two persons of a venue: who they are, and what they prove it with later."""

    person: str
    roles: tuple[str, ...]
    half: str
    password: str
    pin: str

    def __repr__(self) -> str:
        """Say who it is; what they prove it with is never shown."""
        return f"Founder({self.person!r})"


def awaits_founders(runtime: Runtime, accounts: Accounts) -> bool:
    """Say whether a venue has nobody, or was left by its founders before both could log in.

    Once somebody has logged in, there are no founders any more: whoever forgot a password then,
    or lost the file of them, is helped by two of the staff.
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
        """Say what the venue is called, where a floor plan has said so."""
        return self._runtime.state.name or None

    @property
    def currency(self) -> str:
        """Say what it deals in, where that is settled."""
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
        """Refuse whoever has not both halves, and whoever comes after somebody was engaged."""
        right = [
            hmac.compare_digest(plain_code(given.half), plain_code(half))
            for given, half in zip((first, second), self.halves, strict=True)
        ]
        if self.done.is_set():
            return refuse("HOUSE_FOUNDED")
        return None if all(right) else refuse("BAD_CODE")

    def _begun_refusal(self, first: Founder, second: Founder) -> Refusal | None:
        """Refuse others than those who were engaged before a founding was broken off."""
        for person, roles in self._runtime.state.staff.items():
            same = [each for each in (first, second) if same_person(each.person, person)]
            if not any({*each.roles} == {*roles} for each in same):
                return refuse("FOUNDING_BEGUN", person=person, roles=", ".join(roles))
        return None

    async def _engage(self, founder: Founder, by: str, second: str) -> Refusal | None:
        """Put a founder on the staff, and have them set password and PIN by their code."""
        person = founder.person
        there = find_person(self._runtime.state, person) is not None
        # Asked again where it was broken off in between: who is on the staff only wants a code.
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
    """Refuse persons who could not be engaged, before anything is written down."""
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
