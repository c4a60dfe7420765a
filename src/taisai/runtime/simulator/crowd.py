"""The staff of a simulated venue, and the chance by which people decide."""

import random
from collections.abc import Sequence
from typing import TypeVar

from taisai.core.kernel.approvals import Approve, Decline, Pending
from taisai.core.kernel.messages import Actor, Command, Role
from taisai.core.kernel.registry import COMMANDS

#: Two people can have one role, and one person can have two accounts.
STAFF: dict[Role, tuple[str, ...]] = {
    "dealer": ("dora", "dan"),
    "supervisor": ("sue", "sam"),
    "pit-manager": ("pia", "sue"),
    "shift-manager": ("max", "pia"),
    "technician": ("tim", "tara"),
    "cage": ("cas", "cid"),
    "auditor": ("ada",),
    "device": ("tumbler",),
    "system": ("host",),
}
ROLES: tuple[Role, ...] = (*STAFF, "terminal")

_T = TypeVar("_T")

#: How often a mistake of one kind happens.
SLIP = 0.02


class Chance:
    """A seeded source of all that people decide by chance."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.pick = rng.choice
        self.between = rng.randint

    def happens(self, share: float) -> bool:
        """Say whether something happens, with this share of cases."""
        return self.rng.random() < share

    def weighted(self, things: Sequence[tuple[int, _T]]) -> _T:
        """Pick one of some things, each given with its weight."""
        ((_, thing),) = self.rng.choices(things, [weight for weight, _ in things])
        return thing

    def throw(self) -> tuple[int, int, int]:
        """Throw three dice."""
        pick = self.rng.randint
        return pick(1, 6), pick(1, 6), pick(1, 6)

    def some(self, things: Sequence[_T], most: int) -> list[_T]:
        """Pick a few of some things."""
        return [self.rng.choice(things) for _ in range(self.rng.randint(1, most))]

    def actor(self, role: Role, terminals: Sequence[str] = ("1",)) -> Actor:
        """Give an actor with a role."""
        people = tuple(terminals) if role == "terminal" else STAFF[role]
        return Actor(self.rng.choice(people), role)

    def who_may(self, command: type[Command], terminals: Sequence[str] = ("1",)) -> Actor:
        """Give an actor who may give a command."""
        return self.actor(
            self.pick([role for role in ROLES if role in COMMANDS[command].by]), terminals
        )

    def second_for(self, pending: Pending) -> Actor:
        """Give another person who may approve a pending command."""
        roles = COMMANDS[type(pending.order.command)].second
        people = [
            Actor(person, role)
            for role in ROLES
            if role in roles
            for person in STAFF[role]
            if person != pending.order.actor.person
        ]
        return self.pick(people)

    def answer_to(self, pending: Pending) -> tuple[Actor, Command, int] | None:
        """Answer a pending command as people do: mostly rightly, with the time that it takes."""
        if pending.lasts:
            return self._finding_on(pending)
        second, right = self.second_for(pending), Approve(pending.hash, pending.version)
        way = self.rng.random()
        if way < 0.8:
            return second, right, self.between(1, 9_000)
        if way < 0.84:
            return Actor(pending.order.actor.person, second.role), right, 500
        if way < 0.87:
            return self.who_may(Approve), right, 700
        if way < 0.9:
            return second, right, 60_001
        if way < 0.95:
            return self.who_may(Decline), Decline(pending.hash), 4_000
        if way < 0.97:
            return second, Approve("0" * 64, pending.version), 100
        if way < 0.98:
            return second, Approve(pending.hash, pending.version - 1), 100
        return None

    def _finding_on(self, pending: Pending) -> tuple[Actor, Command, int] | None:
        """Answer whether a reported fact happened; or try an answer that is not allowed [D20]."""
        second, agree = self.second_for(pending), Approve(pending.hash, pending.version)
        decline = Decline(pending.hash, "the camera shows another thing")
        takes = self.pick([900, 9_000, 60_001, 3_600_000])
        way = self.rng.random()
        if way < 0.4:
            return second, agree, takes
        if way < 0.68:
            return second, decline, takes
        if way < 0.8:
            return second, Decline(pending.hash, self.pick(["", " ", "x" * 501])), 800
        reporter = Actor(pending.order.actor.person, second.role)
        if way < 0.86:
            return reporter, self.pick([agree, decline]), 500
        if way < 0.94:
            return self.actor("dealer"), self.pick([agree, decline]), 500
        return None
