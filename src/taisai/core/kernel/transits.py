"""Money and chips on their way between a table and the cage: sent, received once, closed."""

from collections.abc import Iterator

from taisai.core.kernel.ledger import SETTLED_TRANSITS, in_transit
from taisai.core.kernel.messages import Command, Event, Posting
from taisai.core.kernel.names import NAME_MAX, is_name
from taisai.core.kernel.registry import CAGE, TABLE, command, event, posts
from taisai.core.rules.reason import Refusal, refuse

#: A transit has the name of its table, a dash and a number.
TRANSIT_MAX = NAME_MAX + 32
TRANSITS_KEPT = 10_000


@command(at=TABLE + CAGE, by=("system",))
class CloseTransit(Command, frozen=True):
    transit: str


@event(at=TABLE + CAGE, routine=True, significant=False)
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


def is_transit(text: str) -> bool:
    """Say whether a text can name what is on its way: as a name, with room for a table's own."""
    return is_name(text, TRANSIT_MAX)


def remember(received: dict[str, None], transit: str) -> None:
    """Remember a transit that was received, so that it is not received again."""
    received[transit] = None
    if len(received) > TRANSITS_KEPT:
        del received[next(iter(received))]


def other_amount(transit: str, sent: int, counted: int) -> Refusal:
    """Refuse chips that are said to be what was sent, and are worth something else."""
    return refuse("CHIPS_ARRIVED", transit=transit, sent_cents=sent, counted_cents=counted)
