"""Chips between the cage and chip tables: fills sent, credits received, fills that came back.

Two persons count the chips on each side [D14].
"""

from collections.abc import Iterator

from taisai.core.cage.state import CageState, next_transit, sent_to
from taisai.core.kernel.ledger import DIFFERENCE, VAULT, in_transit
from taisai.core.kernel.messages import (
    Actor,
    Command,
    Decision,
    Delivery,
    Event,
    Instant,
    Posting,
)
from taisai.core.kernel.name_profile import is_name
from taisai.core.kernel.registry import CAGE, applies, command, decides, event, posts
from taisai.core.kernel.roles import PIT_AND_CAGE
from taisai.core.kernel.transits import TRANSIT_MAX, arrival, is_the_cages, other_amount
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.chips.pieces import Chips, are_pieces, value_of


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, crosses=True)
class SendFill(Command, frozen=True):
    """Send chips from the cage to a table."""

    table: str
    chips: Chips


@event(at=CAGE, routine=True)
class FillSent(Event, frozen=True):
    transit: str
    table: str
    chips: Chips
    amount: int
    by: str


@decides
def send_fill(state: CageState, command: SendFill, actor: Actor, _at: Instant) -> Decision:
    """Send chips to a chip table."""
    amount = _amount(command)
    if isinstance(amount, Refusal):
        return amount
    transit = next_transit(state, command.table)
    return (FillSent(transit, command.table, command.chips, amount, actor.person),)


@applies
def fill_sent(state: CageState, event: FillSent) -> None:
    sent_to(state, event.table)
    state.fills_open[event.transit] = Delivery(event.table, "", event.amount)


@posts
def _post_sent(event: FillSent) -> Iterator[Posting]:
    yield Posting(VAULT, in_transit(event.transit), event.amount)


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, crosses=True)
class ReceiveCredit(Command, frozen=True):
    """Take chips that a table sent into the cage."""

    transit: str
    table: str
    chips: Chips


@event(at=CAGE, routine=True, transit="arrives")
class CreditReceived(Event, frozen=True):
    transit: str
    table: str
    chips: Chips
    amount: int
    by: str


@decides
def receive_credit(
    state: CageState, command: ReceiveCredit, actor: Actor, _at: Instant
) -> Decision:
    """Take the chips that a table sent, once."""
    amount, transit = _amount(command), command.transit
    if isinstance(amount, Refusal):
        return amount
    refusal = state.transits_received.refusal(transit)
    if refusal is not None:
        return refusal
    if is_the_cages(transit):
        return refuse("TRANSIT_CLOSED", transit=transit)
    return (CreditReceived(transit, command.table, command.chips, amount, actor.person),)


def _amount(command: SendFill | ReceiveCredit) -> int | Refusal:
    """Add up the chips to be moved, and check that the chips and the table's name are possible."""
    if not command.chips or not _are_value_chips(command.chips):
        return refuse("BAD_CHIPS")
    if not is_name(command.table):
        return refuse("NAME_MISSING")
    amount = value_of(command.chips, {})
    return amount if is_amount(amount) else refuse("BAD_AMOUNT", amount=str(amount)[:40])


def _are_value_chips(chips: Chips) -> bool:
    values = [each.chip for each in chips if isinstance(each.chip, int)]
    known = len(values) == len(chips) and all(value > 0 for value in values)
    return known and are_pieces(chips)


@applies
def credit_received(state: CageState, event: CreditReceived) -> None:
    state.transits_received.add(event.transit)


@posts
def _post_received(event: CreditReceived) -> Iterator[Posting]:
    yield from arrival(event.transit, VAULT, event.amount)


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, crosses=True)
class ReturnFill(Command, frozen=True):
    """Put chips back into the cage that were sent to a table and not received there."""

    transit: str
    chips: Chips


@event(at=CAGE, routine=True)
class FillReturned(Event, frozen=True):
    """Chips on their way to a table are in the cage again, but for what is missing of them."""

    transit: str
    table: str
    chips: Chips
    amount: int
    missing: int
    by: str


@decides
def return_fill(state: CageState, command: ReturnFill, actor: Actor, _at: Instant) -> Decision:
    """Put back a fill that the table has not received; missing chips are posted as a difference."""
    if not _are_value_chips(command.chips):
        return refuse("BAD_CHIPS")
    transit, sent = command.transit, state.fills_open.get(command.transit)
    if sent is None:
        return refuse("TRANSIT_CLOSED", transit=printable(transit[:TRANSIT_MAX]))
    amount = value_of(command.chips, {})
    if amount > sent.amount:
        return other_amount(transit, sent.amount, amount)
    missing = sent.amount - amount
    return (FillReturned(transit, sent.table, command.chips, amount, missing, actor.person),)


@applies
def fill_returned(state: CageState, event: FillReturned) -> None:
    del state.fills_open[event.transit]


@posts
def _post_returned(event: FillReturned) -> Iterator[Posting]:
    way = in_transit(event.transit)
    yield Posting(way, VAULT, event.amount)
    yield Posting(way, DIFFERENCE, event.missing)
