"""The types that commands and events share: actors, orders, postings, stakes, equipment, limits.

Every message is a struct: JSON, its schema and the types of other languages follow from it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from taisai.core.rules.reason import Refusal
from taisai.core.rules.schema import Role as PitRole

#: The people of the documents, those of the venue, and three roles that are no people.
Role = PitRole | Literal["cage", "technician", "auditor", "terminal", "device", "system"]

#: Milliseconds since the epoch, as the shell read them.
Instant = int


#: The name of the cage among the streams of a venue; no table may have this name.
CAGE_STREAM = "cage"


class Command(Struct, frozen=True, tag=True, forbid_unknown_fields=True, gc=False):
    """Something a person, a terminal, a device or the system asks for."""


if TYPE_CHECKING:
    AnyCommand = Command
# At run time `core.streams` sets it to the union of every registered command.


class Event(Struct, frozen=True, tag=True, gc=False):
    """Something that happened, for good."""


#: The result of deciding a command: events or a refusal.
Decision = tuple[Event, ...] | Refusal


class Actor(Struct, frozen=True):
    """Who asks: a person in a role, a terminal, a device, or the system itself."""

    person: str
    role: Role


class Sender(Actor, frozen=True, gc=False):
    """Who asks, with the id of their order and the second person once that one has approved."""

    order_id: str = ""
    second: Actor | None = None

    @property
    def second_person(self) -> str:
        """Name the person who approved; empty while a command is only tried."""
        return "" if self.second is None else self.second.person


class Order(Struct, frozen=True, gc=False):
    """A command with the id its sender chose for it and who that is."""

    id: str
    actor: Actor
    command: "AnyCommand"


class BoxStake(Struct, frozen=True, array_like=True, gc=False):
    """An amount on a box."""

    box: str
    stake: int


class Posting(Struct, frozen=True, array_like=True, gc=False):
    """Money moved from one account to another; there is no other way to move it."""

    source: str
    destination: str
    amount: int


#: What accounts hold, by name.
Balances = Mapping[str, int]


class Delivery(Struct, frozen=True, array_like=True, gc=False):
    """Money on its way between a terminal of a table and the cage: enough to send it again."""

    table: str
    terminal: str
    amount: int
    #: The session whose credits a player cashes out.
    session: str = ""


class SettledLine(Struct, frozen=True, array_like=True, gc=False):
    """The bets of a position on one box, settled: what they won, and what went back in all."""

    position: str
    box: str
    stake: int
    won: int
    back: int


class PlayedPart(Struct, frozen=True, array_like=True, gc=False):
    """How much of one player's bets on one box plays, why, and by which clause."""

    position: str
    box: str
    stake: int
    playing: int
    by: str
    clause: str | None


class Netted(Struct, frozen=True, array_like=True, gc=False):
    """One position or session netted over what is put right.

    What is given to it, what is taken from it, what is not recovered, and what of an earlier
    shortfall is covered by what it is due now.
    """

    position: str
    given: int
    taken: int
    shortfall: int
    covered: int = 0


class Equipment(Struct, frozen=True):
    """What the dice come from, and whether a person's reading must agree with it."""

    tumbler: Literal["keyed", "simulated", "verifiable", "reader"] = "keyed"
    read_by_dealer_too: bool = False


class LimitsAsked(Struct, frozen=True):
    """Limits as a person sets them on a table; `boxes` overrides by box or kind."""

    minimum: int
    maximum: int
    step: int | None = None
    differential: int | None = None
    boxes: dict[str, tuple[int | None, int | None]] = {}
