"""A table, the cage and the house: they get one command at a time, and every answer is checked.

Deciding must leave all states as they were; after each event the money in both is added up.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct, field

from taisai import say
from taisai.core.cage.state import CageState, voucher_number
from taisai.core.cage.unclaimed import PayUnclaimed, UnclaimedPaid
from taisai.core.cage.vouchers import VoucherIssued, VoucherTaken
from taisai.core.kernel.approvals import ApprovalRequested, Pending
from taisai.core.kernel.decider import decide, evolve, waiting_as
from taisai.core.kernel.ledger import (
    CASH,
    CASH_DIFFERENCE,
    COUNTED,
    DIFFERENCE,
    DROP,
    FLOOR,
    HOUSE,
    PATRONS,
    SHORTFALL,
    VAULT,
    VOUCHERS,
    Ledger,
    credits_of,
)
from taisai.core.kernel.messages import Actor, Order
from taisai.core.rules.reason import Refusal
from taisai.core.streams import (
    CageCommand,
    CageEvent,
    TableCommand,
    TableEvent,
    VenueCommand,
    VenueEvent,
)
from taisai.core.table.past import NOTHING_READ, Past, wanted
from taisai.core.table.positions import CashedOut
from taisai.core.table.state import TableState
from taisai.core.venue.state import VenueState
from taisai.runtime.past_rounds import find_past
from taisai.runtime.streams import CAGE, table_stream
from taisai.runtime.transfers import ChipChecks
from tests.scenarios.reading import UnreadableError

KEY = b"a key for scenarios alone"
BEGINS_MS = 1_794_795_200_000
ROW_MS = 1_000

TableAnswer = Refusal | tuple[TableEvent, ...]
CageAnswer = Refusal | tuple[CageEvent, ...]
HouseAnswer = Refusal | tuple[VenueEvent, ...]
Answer = TableAnswer | CageAnswer | HouseAnswer

_Event = TypeVar("_Event")

#: Accounts that may be below zero: the venue's, and those whose other half is elsewhere.
MAY_OWE = {
    *("house", "shortfall", "difference", "drawer"),
    *("counted", "floor", "patrons", "vault", "transit"),
}

_TABLE_EVENT = msgspec.json.Decoder(TableEvent)
_CAGE_EVENT = msgspec.json.Decoder(CageEvent)
_HOUSE_EVENT = msgspec.json.Decoder(VenueEvent)


class Venue(Struct):
    """A table, the cage, the house, the time, and all their journals."""

    table: TableState = field(default_factory=TableState)
    cage: CageState = field(default_factory=lambda: CageState(KEY))
    house: VenueState = field(default_factory=VenueState)
    at: int = BEGINS_MS
    orders: int = 0
    table_journal: list[TableEvent] = []
    cage_journal: list[CageEvent] = []
    house_journal: list[VenueEvent] = []
    #: The last command that waited for a second person, at each of the three.
    waited: dict[str, Pending] = {}
    #: The serials of vouchers by their names in the scenario.
    vouchers: dict[str, int] = {}
    #: The fills that came before the scenario began.
    fills_before: int = 0

    def ask_table(self, actor: Actor, command: TableCommand) -> TableAnswer:
        """Give the table a command, and apply its events."""
        order = self._order(actor, command)
        before = table_bytes(self.table)
        answer = decide(self.table, order, self.at, self._past_for(order))
        assert table_bytes(self.table) == before, "deciding changed the table"
        if isinstance(answer, Refusal):
            _assert_said(answer)
            return answer
        for event in answer:
            self.table_journal.append(event)
            evolve(self.table, event)
            self._assert_money()
            waits = waiting_as(self.table, getattr(event, "pending", ""))
            if isinstance(event, ApprovalRequested) and waits is not None:
                self.waited["table"] = waits
        return answer

    def _past_for(self, order: Order) -> Past:
        """Read the past events that an order needs, as the runtime does [D24]."""
        lacking = wanted(self.table, order, NOTHING_READ)
        journal, newest = self.table_journal, len(self.table_journal)
        return find_past(lambda each: journal[each - 1], lacking.rounds, lacking.versions, newest)

    def ask_cage(self, actor: Actor, command: CageCommand, voucher: str = "") -> CageAnswer:
        """Give the cage a command, apply its events, and keep a voucher's serial by its name."""
        order = self._order(actor, command)
        before = cage_bytes(self.cage)
        answer = self._looked_at(decide(self.cage, order, self.at))
        assert cage_bytes(self.cage) == before, "deciding changed the cage"
        if isinstance(answer, Refusal):
            _assert_said(answer)
            return answer
        for event in answer:
            self.cage_journal.append(event)
            evolve(self.cage, event)
            self._assert_money()
            if isinstance(event, VoucherIssued):
                self.vouchers[voucher] = event.serial
        if self.cage.pending is not None:
            self.waited["cage"] = self.cage.pending
        return answer

    def ask_house(self, actor: Actor, command: VenueCommand) -> HouseAnswer:
        """Give the house a command, and apply its events."""
        order = self._order(actor, command)
        before = msgspec.json.encode(self.house)
        answer = decide(self.house, order, self.at)
        assert msgspec.json.encode(self.house) == before, "deciding changed the house"
        if isinstance(answer, Refusal):
            _assert_said(answer)
            return answer
        for event in answer:
            self.house_journal.append(event)
            evolve(self.house, event)
        if self.house.pending is not None:
            self.waited["house"] = self.house.pending
        return answer

    def _looked_at(self, answer: CageAnswer) -> CageAnswer:
        """Check an unclaimed payment against the table's state, as the runtime does."""
        if isinstance(answer, Refusal):
            return answer
        orders = [event.order.command for event in answer if isinstance(event, ApprovalRequested)]
        if not any(isinstance(each, PayUnclaimed | UnclaimedPaid) for each in (*answer, *orders)):
            return answer
        checks = ChipChecks({}, self._state_of, lambda: self.house)
        return checks.refusal(CAGE, answer) or answer

    def _state_of(self, stream: str) -> TableState | CageState | None:
        if stream == CAGE:
            return self.cage
        return self.table if stream == table_stream(self.table.table) else None

    def begin_with(self, events: Sequence[TableEvent]) -> None:
        """Apply the events of an earlier table of the same kind."""
        for event in events:
            self.table_journal.append(event)
            evolve(self.table, event)

    def number_of(self, voucher: str) -> str:
        """Give the number printed on a voucher."""
        return voucher_number(KEY, self.vouchers[voucher])

    def taken(self, voucher: str) -> VoucherTaken:
        """Find the event by which a terminal took a voucher."""
        for event in self.cage_journal:
            if isinstance(event, VoucherTaken) and event.serial == self.vouchers.get(voucher):
                return event
        raise UnreadableError(f"voucher {voucher} was taken by no terminal")

    def printed(self, voucher: str) -> str:
        """Find the transit that a voucher was printed for."""
        for event in self.cage_journal:
            if isinstance(event, VoucherIssued) and event.serial == self.vouchers.get(voucher):
                return event.transit or ""
        raise UnreadableError(f"there is no voucher {voucher} yet")

    def cashed(self, terminal: str) -> CashedOut:
        """Find the last cash-out of a terminal."""
        for event in reversed(self.table_journal):
            if isinstance(event, CashedOut) and event.terminal == terminal:
                return event
        raise UnreadableError(f"terminal {terminal} has cashed nothing out")

    def balances(self) -> dict[str, int]:
        """Give everybody's money, in the words of a scenario's end; cash is the drawer's."""
        table, cage = self.table.ledger, self.cage.ledger
        found = {name: table.balance(credits_of(name)) for name in self.table.positions}
        found["house"] = table.balance(HOUSE)
        found["shortfall"] = table.balance(SHORTFALL)
        found["stakes"] = table.total("stake:")
        found["vouchers"] = cage.balance(VOUCHERS)
        found["transit"] = table.total("transit:") + cage.total("transit:")
        found["drop"] = table.balance(DROP)
        found["counted"] = table.balance(COUNTED)
        found["difference"] = table.balance(DIFFERENCE)
        found["floor"] = table.balance(FLOOR) + cage.balance(FLOOR)
        found["patrons"] = table.balance(PATRONS)
        found["kept"] = table.total("unclaimed:")
        found["vault"] = cage.balance(VAULT)
        found["drawer"] = cage.balance(CASH_DIFFERENCE)
        found["cash"] = -cage.balance(CASH)
        return found

    def _order(self, actor: Actor, command: TableCommand | CageCommand | VenueCommand) -> Order:
        self.orders += 1
        return Order(f"order {self.orders}", actor, command)

    def _assert_money(self) -> None:
        """Assert that money was neither made nor lost, and that no player owes any."""
        held = self.balances()
        cash = held.pop("cash")
        assert sum(held.values()) == cash, f"{held} is not the {cash} that came in"
        assert _sum(self.table.ledger) == _sum(self.cage.ledger) == 0
        owing = {name for name, amount in held.items() if amount < 0} - MAY_OWE
        assert not owing, f"{owing} went below zero"
        assert held["stakes"] == self.table.live, "the stakes are the live bets"


def _sum(ledger: Ledger) -> int:
    return sum(ledger.balances.values())


def _assert_said(refusal: Refusal) -> None:
    assert say(refusal.reason), f"{refusal.code} has no sentence"


def table_bytes(state: TableState) -> bytes:
    """Encode all of a table's state but its rules, which are known by identity."""
    kept = msgspec.structs.asdict(state)
    rules = (id(kept.pop("rulebook")), id(kept.pop("pay_table")))
    return msgspec.json.encode((rules, kept))


def cage_bytes(state: CageState) -> bytes:
    """Encode all of the cage's state."""
    return msgspec.json.encode(state)


def replayed(venue: Venue) -> tuple[TableState, CageState, VenueState]:
    """Replay the journals from the beginning, each event encoded as JSON and decoded."""
    table, cage, house = TableState(), CageState(KEY), VenueState()
    for event in _read_back(venue.table_journal, _TABLE_EVENT.decode):
        evolve(table, event)
    for told in _read_back(venue.cage_journal, _CAGE_EVENT.decode):
        evolve(cage, told)
    for happened in _read_back(venue.house_journal, _HOUSE_EVENT.decode):
        evolve(house, happened)
    return table, cage, house


def written(venue: Venue) -> str:
    """Give both journals as JSON."""
    return msgspec.json.encode((venue.table_journal, venue.cage_journal)).decode()


def _read_back(events: Sequence[_Event], decode: Callable[[bytes], _Event]) -> list[_Event]:
    return [decode(msgspec.json.encode(event)) for event in events]


def clock_forward(venue: Venue, milliseconds: int = ROW_MS) -> None:
    """Advance the time."""
    venue.at += milliseconds


def unchanged(venue: Venue) -> Callable[[], bool]:
    """Record all states, and give a function that says later whether they are unchanged."""

    def now() -> tuple[object, ...]:
        journals = (venue.table_journal, venue.cage_journal, venue.house_journal)
        states = (table_bytes(venue.table), cage_bytes(venue.cage))
        return (*states, msgspec.json.encode(venue.house), *map(len, journals))

    before = now()
    return lambda: now() == before
