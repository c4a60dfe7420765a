"""Money and chips on their way between a table and the cage: sent, received once, closed.

A transit has the name of who sent it, of the cage's also that of the table it is for, then a dash
and a number. Each numbers what it sends to one place without a gap, so that who receives remembers
where the numbers end, and not each of them.
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
    """Let money in transit arrive: the other half is in the books it left, and is closed there."""
    way = in_transit(transit)
    yield Posting(SETTLED_TRANSITS, way, amount)
    yield Posting(way, account, amount)


class Received(Struct):
    """What was received of each sender, for good: its numbers, from first to last of each run.

    A number that never comes, because what it named went back to who sent it, ends a run.
    """

    runs: dict[str, list[tuple[int, int]]] = {}

    def __contains__(self, transit: str) -> bool:
        """Say whether a transit was received."""
        sender, number = _parts(transit)
        runs = self.runs.get(sender, [])
        place = bisect_right(runs, (number, number))
        # Of the runs around the number only these two can hold it.
        return any(first <= number <= last for first, last in runs[max(0, place - 1) : place + 1])

    def add(self, transit: str) -> None:
        """Remember a transit that is received, so that it is not received again."""
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
        """Refuse what names nothing on its way, and what was received before."""
        if not is_transit(transit):
            return refuse("NO_TRANSIT", transit=printable(transit[:TRANSIT_MAX]))
        return refuse("TRANSIT_CLOSED", transit=transit) if transit in self else None


def _parts(transit: str) -> tuple[str, int]:
    """Take a transit's name apart: who sent it, to whom, and its number; none has the number 0."""
    sender, _, number = transit.rpartition("-")
    known = number.isascii() and number.isdecimal() and not number.startswith("0")
    return sender, int(number) if known else 0


def from_cage(table: str, number: int) -> str:
    """Name what the cage sends to a table: so many have been sent there by then."""
    return f"{CAGE_STREAM}-{table}-{number}"


def sender_of(transit: str) -> str:
    """Say who sent a transit: the cage, or the table of that name."""
    return CAGE_STREAM if is_the_cages(transit) else _parts(transit)[0]


def is_the_cages(name: str) -> bool:
    """Say whether a name begins as those of what the cage sends; no table has such a name."""
    return name.startswith(f"{CAGE_STREAM}-")


def is_transit(text: str) -> bool:
    """Say whether a text can name what is on its way: as a name, with room for a table's own."""
    sender, number = _parts(text) if len(text) <= TRANSIT_MAX else ("", 0)
    return number > 0 and bool(sender) and is_name(text, TRANSIT_MAX)


def other_amount(transit: str, sent: int, counted: int) -> Refusal:
    """Refuse chips that are said to be what was sent, and are worth something else."""
    return refuse("CHIPS_ARRIVED", transit=transit, sent_cents=sent, counted_cents=counted)
