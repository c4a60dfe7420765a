"""The cashier's drawer: a shift opens with a count, and closes with another by two persons."""

from collections.abc import Iterator

from taisai.core.cage.state import CageState, Shift
from taisai.core.kernel.ledger import CASH, CASH_DIFFERENCE, difference
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Posting, Sender
from taisai.core.kernel.names import same_person
from taisai.core.kernel.registry import CAGE, Dated, applies, command, decides, event, posts
from taisai.core.kernel.roles import PIT_AND_CAGE
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import refuse


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, dated=Dated.WRITTEN)
class OpenShift(Command, frozen=True):
    """Open a cashier's shift with a count of the drawer."""

    count: int


@event(at=CAGE, routine=True, posts=False)
class ShiftOpened(Event, frozen=True):
    """A cashier's shift begins with what was counted in the drawer."""

    cashier: str
    count: int


@decides
def open_shift(state: CageState, command: OpenShift, actor: Actor, _at: Instant) -> Decision:
    """Open a shift with a count; there is one drawer."""
    if not is_amount(command.count):
        return refuse("BAD_AMOUNT", amount=str(command.count)[:40])
    if state.shift is not None:
        return refuse("SHIFT_IS_OPEN", cashier=state.shift.cashier)
    return (ShiftOpened(actor.person, command.count),)


@applies
def shift_opened(state: CageState, event: ShiftOpened) -> None:
    came_in = -state.ledger.balance(CASH)
    state.shift = Shift(event.cashier, event.count, came_in)


@command(at=CAGE, by=("cage",), second=PIT_AND_CAGE, dated=Dated.WRITTEN)
class CloseShift(Command, frozen=True):
    """Close a cashier's shift, one's own or another's, with a count of the drawer."""

    count: int


@event(at=CAGE, routine=True)
class ShiftClosed(Event, frozen=True):
    """A cashier's shift ends: what was counted, beside what should be there.

    `by` is who closed it where that was not the cashier.
    """

    cashier: str
    count: int
    expected: int
    by: str | None = None


@decides
def close_shift(state: CageState, command: CloseShift, actor: Sender, _at: Instant) -> Decision:
    """Close a shift with a count; the amount that should be there follows from the books.

    Another cashier may close it only if the second person is from the pit, not from the cage.
    """
    if not is_amount(command.count):
        return refuse("BAD_AMOUNT", amount=str(command.count)[:40])
    shift = state.shift
    if shift is None:
        return refuse("NO_SHIFT")
    came_in = -state.ledger.balance(CASH) - shift.began_with
    by = None if same_person(shift.cashier, actor.person) else actor.person
    if by is not None and actor.second is not None and actor.second.role == "cage":
        return refuse("NOT_YOUR_SHIFT", cashier=shift.cashier)
    return (ShiftClosed(shift.cashier, command.count, shift.count + came_in, by),)


@applies
def shift_closed(state: CageState, _: ShiftClosed) -> None:
    state.shift = None


@posts
def _post_closed(event: ShiftClosed) -> Iterator[Posting]:
    """Post the drawer's difference; the counter's account is minus what the drawer holds."""
    yield difference(event.expected, event.count, CASH, CASH_DIFFERENCE)
