"""The staff of a demo venue: who works there, and how they give orders, by two where needed.

As people would, they try an order again if it conflicts with another.
"""

import asyncio
import itertools

from taisai.core.cage.drawer import OpenShift
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Actor, Command, Order, Role
from taisai.core.rules.reason import Refusal, refuse
from taisai.runtime.answers import AGAIN, Answer, Registered
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE
from taisai.wording import say

#: How often a command that conflicts with another is tried, each time a little later.
TRIES = 40
AGAIN_SECONDS = 0.01
#: What is in the drawer when the demo's cashier takes it, in minor units: 5,000.00.
FLOAT = 500_000

#: Who works in a demo venue, each in one role.
STAFF: dict[Role, str] = {
    "dealer": "Dana",
    "supervisor": "Sunil",
    "pit-manager": "Petra",
    "shift-manager": "Shirin",
    "cage": "Chao",
    "technician": "Tomas",
    "auditor": "Aroha",
}

#: Approvals that failed since another event happened in between: they are asked for again.
_ONCE_MORE = frozenset({"NOTHING_PENDING", "PENDING_CHANGED", "APPROVAL_EXPIRED"})


def staff(role: Role) -> Actor:
    """Give the person who has a role in the demo."""
    return Actor(STAFF[role], role)


class DemoStaff:
    """Gives orders in a demo venue, each with an id of its own."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._ids = itertools.count(1)
        #: Only one task at a time opens the shift.
        self._opening = asyncio.Lock()

    def order(self, actor: Actor, command: Command) -> Order:
        """Make an order."""
        id_ = f"{self._runtime.clock.now()}-demo-{next(self._ids)}"
        return Order(id_, actor, command)

    async def ask(self, stream: str, actor: Actor, command: Command) -> Answer:
        """Give an order; it is tried again if the venue asks for that."""
        return await self.send(stream, self.order(actor, command))

    async def send(self, stream: str, order: Order) -> Answer:
        """Give an order, and again if the venue asks for that."""
        answer: Answer = refuse("RETRY")
        for tried in range(TRIES):
            answer = await self._runtime.submit(stream, order)
            if isinstance(answer, Registered) or answer.code not in AGAIN:
                break
            await asyncio.sleep(AGAIN_SECONDS * tried)
        return answer

    async def two(self, stream: str, first: Actor, command: Command, second: Actor) -> Answer:
        """Give an order that takes two persons; begin again if another event came between."""
        answer: Answer = refuse("RETRY")
        for tried in range(TRIES):
            answer = await self.ask(stream, first, command)
            if isinstance(answer, Refusal):
                return answer
            requested = answer.events[-1]
            assert isinstance(requested, ApprovalRequested), "it takes two persons"
            approve = Approve(requested.pending, answer.last)
            answer = await self.ask(stream, second, approve)
            if isinstance(answer, Registered) or answer.code not in _ONCE_MORE:
                return answer
            await asyncio.sleep(AGAIN_SECONDS * tried)
        return answer

    async def must(self, stream: str, actor: Actor, command: Command) -> Registered:
        """Give an order without which the demo cannot be set up."""
        return _or_raise(stream, command, await self.ask(stream, actor, command))

    async def both(self, stream: str, first: Actor, command: Command, second: Actor) -> Registered:
        """Give an order of two persons without which the demo cannot be set up."""
        return _or_raise(stream, command, await self.two(stream, first, command, second))

    async def open_shift(self) -> Refusal | None:
        """Have the cashier open a shift, unless one is open: without it nothing is sold."""
        async with self._opening:
            if self._runtime.cage.shift is not None:
                return None
            cashier, supervisor = staff("cage"), staff("supervisor")
            answer = await self.two(CAGE, cashier, OpenShift(FLOAT), supervisor)
        if isinstance(answer, Registered) or self._runtime.cage.shift is not None:
            # A visitor who works at the counter may have been faster.
            return None
        return answer


def _or_raise(stream: str, command: Command, answer: Answer) -> Registered:
    if isinstance(answer, Refusal):
        name, why = type(command).__name__, say(answer.reason)
        raise StartupError(f"the demo venue could not be set up: {stream} refused {name}: {why}")
    return answer
