"""Transits: money and chips between a table and the cage, sent, received once, then closed.

A transit's name is its sender, for the cage's transits also the table that receives it, then a dash
and a number. A sender numbers its transits to one receiver without a gap, so that the receiver
remembers runs of numbers, and not each of them.
"""

from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from taisai.core.kernel.ledger import SETTLED_TRANSITS, in_transit
from taisai.core.kernel.messages import CAGE_STREAM, Command, Event, Posting
from taisai.core.kernel.name_profile import NAME_MAX, is_name
from taisai.core.kernel.registry import CAGE, TABLE, command, event, posts
from taisai.core.rules.reason import Refusal, printable, refuse

#: A transit has the name of the cage, of its table, and a number.
TRANSIT_MAX = NAME_MAX + 32


@command(at=TABLE + CAGE, by=("system",))
class CloseTransit(Command, frozen=True):
    transit: str


@event(at=TABLE + CAGE, routine=True, significant=False, transit="closes")
class TransitClosed(Event, frozen=True):
    transit: str
    amount: int


@posts
def _post_closed(event: TransitClosed) -> Iterator[Posting]:
    yield Posting(in_transit(event.transit), SETTLED_TRANSITS, event.amount)


def arrival(transit: str, account: str, amount: int) -> Iterator[Posting]:
    """Post money that arrives: the other half is in the sender's books, and is closed there."""
    way = in_transit(transit)
    yield Posting(SETTLED_TRANSITS, way, amount)
    yield Posting(way, account, amount)


class Received(Struct):
    """The transits received from each sender, for good: runs of numbers, each from first to last.

    A number that never arrives, because its transit went back to the sender, ends a run.
    """

    runs: dict[str, list[tuple[int, int]]] = {}

    def __contains__(self, transit: str) -> bool:
        """Say whether a transit was received."""
        sender, number = _parts(transit)
        runs = self.runs.get(sender, [])
        place = bisect_right(runs, (number, number))
        # Only these two runs can hold the number.
        return any(first <= number <= last for first, last in runs[max(0, place - 1) : place + 1])

    def add(self, transit: str) -> None:
        """Remember a received transit, so that it is not received again."""
        sender, number = _parts(transit)
        runs = self.runs.setdefault(sender, [])
        place = bisect_right(runs, (number, number))
        first = last = number
        if place < len(runs) and runs[place][0] == number + 1:
            last = runs.pop(place)[1]
        if place and runs[place - 1][1] == number - 1:
            place -= 1
            first = runs.pop(place)[0]
        runs.insert(place, (first, last))

    def refusal(self, transit: str) -> Refusal | None:
        """Refuse a name that is no transit's, and a transit that was received before."""
        if not is_transit(transit):
            return refuse("NO_TRANSIT", transit=printable(transit[:TRANSIT_MAX]))
        return refuse("TRANSIT_CLOSED", transit=transit) if transit in self else None


def _parts(transit: str) -> tuple[str, int]:
    """Split a transit's name into the part before the number and the number; 0 if it has none."""
    sender, _, number = transit.rpartition("-")
    known = number.isascii() and number.isdecimal() and not number.startswith("0")
    return sender, int(number) if known else 0


def from_cage(table: str, number: int) -> str:
    """Name the cage's transit of that number to a table."""
    return f"{CAGE_STREAM}-{table}-{number}"


def sender_of(transit: str) -> str:
    """Say who sent a transit: the cage, or the table of that name."""
    return CAGE_STREAM if is_the_cages(transit) else _parts(transit)[0]


def is_the_cages(name: str) -> bool:
    """Say whether a name begins as the cage's transits do; no table's name begins so."""
    return name.startswith(f"{CAGE_STREAM}-")


def is_transit(text: str) -> bool:
    """Say whether a text can be a transit's name: as any name, but longer."""
    sender, number = _parts(text) if len(text) <= TRANSIT_MAX else ("", 0)
    return number > 0 and bool(sender) and is_name(text, TRANSIT_MAX)


def other_amount(transit: str, sent: int, counted: int) -> Refusal:
    """Refuse a count of received chips whose worth is not the amount that was sent."""
    return refuse("CHIPS_ARRIVED", transit=transit, sent_cents=sent, counted_cents=counted)
