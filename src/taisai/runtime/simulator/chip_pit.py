"""The pit of a chip table in a simulated venue, and the cage that fills it."""

from collections.abc import Sequence

from taisai.core.cage.fills import ReceiveCredit, ReturnFill, SendFill
from taisai.core.kernel.messages import Command, LimitsAsked
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.chips.colours import ConvertColour
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    OpenDay,
    ReceiveFill,
    ReturnCredit,
    SendCredit,
    gaming_date,
)
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import Chips, ChipSet, Pieces, plain_chips
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.setup import CreateTable, SetLimits
from taisai.runtime.answers import HOST
from taisai.runtime.simulator.chip_payment import payment_step, rulings_due
from taisai.runtime.simulator.crowd import SLIP, Chance
from taisai.runtime.simulator.pit import Pit
from taisai.runtime.simulator.transfers import Router
from taisai.runtime.simulator.venue import CURRENCY, SimulatedVenue
from taisai.runtime.streams import CAGE

TABLE = "F1"
CHIPS = ChipSet((50, 100, 500, 2_500, 10_000, 50_000), 5, ("pink", "blue", "gold"), 200)
FLOAT = tuple(Pieces(value, 60) for value in CHIPS.values)
SEATS = tuple(str(number) for number in range(1, CHIPS.seats + 1))
#: People agree on anything within so many tries.
TRIES = 400


class ChipPit(Pit):
    """Dealer, supervisors and managers of a chip table."""

    def __init__(
        self, venue: SimulatedVenue, router: Router, chance: Chance, rulebooks: Sequence[Rulebook]
    ) -> None:
        venue.add_table(TABLE)
        venue.send(TABLE, HOST, CreateTable(f"cage-{TABLE}", CURRENCY))
        venue.send(TABLE, HOST, CreateTable(TABLE, CURRENCY, chips=ChipSet((), 0)))
        created = CreateTable(TABLE, CURRENCY, chips=CHIPS, operator=venue.operator)
        venue.send(TABLE, HOST, created)
        super().__init__(venue, router, chance, TABLE, rulebooks)
        self.terminals = list(SEATS)
        self.begun_at = 0
        self._days = 0

    @property
    def chip_table(self) -> ChipTable:
        """Give the chip table's own part of the state."""
        chip_table = self.state.chips
        assert chip_table is not None, "a chip table was created"
        return chip_table

    def work(self) -> None:
        """First record what a reversal recovered, unless somebody forgets."""
        if self.chip_table.recovering and not self._chance.happens(SLIP * 10):
            self.say_what_was_had()
        else:
            super().work()

    def say_what_was_had(self) -> None:
        """Record for each player how much of a reversal could not be recovered."""
        for seat, owed in [*self.chip_table.recovering.items()]:
            if self._chance.happens(0.9):
                self.say("dealer", LeaveSeat(seat))
            asked = RecordRecovery(seat, self._chance.pick([0, 50, owed]), "gone")
            self.ask(self._chance.who_may(RecordRecovery), asked)

    def _settle(self) -> None:
        """Collect, then pay; or find in between that the entry was wrong."""
        if self._amend():
            return
        step, wanted = payment_step(self.state, errs=self._chance.happens(SLIP * 4))
        answer = self.say("dealer", step)
        if isinstance(answer, Refusal) and answer.code == "RACK_SHORT":
            self.fill(wanted)
        elif isinstance(answer, Refusal) and answer.code == "BETS_TO_RULE":
            self.rule_on_bets()

    def rule_on_bets(self) -> None:
        """Rule on the bets that await it, one after the other; or on one that awaits none."""
        for each in rulings_due(self._chance, self.state):
            self.ask(self._chance.actor("shift-manager"), each)

    def _limits_for(self, table: PayTable) -> LimitsAsked:
        """Set limits that can be paid in chips, or now and then cannot."""
        chance = self._chance
        step = CHIPS.smallest * table.step * chance.pick([1, 2, 10])
        if chance.happens(0.1):
            step = table.step * chance.pick([1, 30])
        minimum = step * chance.between(1, 10)
        differential = self._differential_of(table, [0, *[minimum, 2 * minimum, 5 * minimum] * 3])
        return LimitsAsked(minimum, minimum * chance.pick([4, 10, 40]), step, differential)

    def set_limits(self) -> None:
        """Set limits; at first with a step that no chips can pay."""
        table = self.state.pay_table
        if table is not None and self.state.limits is None:
            step = 30 * table.step
            self.say("supervisor", SetLimits(LimitsAsked(step, 100 * step, step)))
        super().set_limits()

    # --- the gaming day ----------------------------------------------------------------------

    def _open_table(self) -> None:
        if self.chip_table.day is not None and self._chance.happens(0.1):
            self.say("supervisor", OpenDay("2099-01-01", ()))
        if self.chip_table.day is None:
            self.say("supervisor", CountDrop(0, 0))
            self.say("supervisor", OpenDay("2026-13-01", ()))
            self.say("supervisor", OpenDay("2099-01-01", ()))
            self.open_day()
        elif self.state.round > self.begun_at:
            self._end_day()
        elif not self.chip_table.rack and self._chance.happens(0.7):
            self.fill(FLOAT)
        else:
            super()._open_table()

    def open_day(self) -> None:
        """Open the next day with a count; now and then with the date of the last."""
        self._days += not self._chance.happens(0.1)
        begins = 1_760_000_000_000 + self._days * 86_400_000
        # A day is opened on its date, not long before.
        self._venue.now = max(self._venue.now, begins)
        date = gaming_date(begins, 6, 480)
        self.ask(self._chance.who_may(OpenDay), OpenDay(date, self._count()))
        self.begun_at = self.state.round

    def _count(self) -> Chips:
        """Count the rack; now and then one chip too few, or one that does not exist."""
        chips = [Pieces(chip, count) for chip, count in self.chip_table.rack.items() if count > 0]
        if any(count < 0 for count in self.chip_table.rack.values()):
            chips = list(plain_chips(max(0, self.chip_table.rack_value), CHIPS.values))
        if self._chance.happens(0.2):
            chips = chips[1:] if self._chance.happens(0.5) else [Pieces(50, 7)]
        return tuple(chips)

    def _end_day(self) -> None:
        """Have everybody leave, count the box and the rack."""
        chance, chip_table = self._chance, self.chip_table
        for seat in [*chip_table.seated]:
            self.convert_and_leave(seat)
        self.say("supervisor", CloseDay(()))
        if chance.happens(0.8):
            held = self.state.ledger.balance("drop:box")
            counted = held + (chance.pick([0, 0, 0, 500, -500]) if held > 500 else 0)
            self.ask(chance.who_may(CountDrop), CountDrop(counted, 0))
            if chance.happens(0.7):
                self.say("supervisor", CountDrop(500, 0))
        self.ask(chance.who_may(CloseDay), CloseDay(self._count()))

    def convert_and_leave(self, seat: str) -> None:
        """Convert a player's colour into value chips, and let them go: in one step, or in two."""
        colour = self.chip_table.colour_of(seat)
        pieces = 0 if colour is None else self.chip_table.in_front(colour)
        # Every other seat does it in one step.
        at_once = seat in SEATS[1::2]
        if pieces > 0 and not at_once:
            answer = self.say("dealer", ConvertColour(seat, pieces))
            if isinstance(answer, Refusal) and answer.code == "RACK_SHORT":
                self.fill()
        self.say("dealer", LeaveSeat(seat, converts=at_once))

    def leave(self, seat: str) -> None:
        """Let a player go with whatever is in front of them, or try to."""
        self.say("dealer", LeaveSeat(seat))

    def fill(self, chips: Chips = FLOAT[:5]) -> None:
        """Have the cage send chips, and receive them once two persons have counted them."""
        self.ask_cage(SendFill(TABLE, chips))
        self.deliver()

    def credit(self) -> None:
        """Send chips to the cage, of a value with enough of them."""
        many = [chip for chip, count in self.chip_table.rack.items() if count > 20]
        chips = (Pieces(self._chance.pick(many), 10),) if many else (Pieces(50, 9_999),)
        self.ask(self._chance.who_may(SendCredit), SendCredit(chips))
        self.deliver()

    def ask_cage(self, command: Command) -> None:
        """Send the cage a command that takes two persons."""
        venue, chance = self._venue, self._chance
        if not isinstance(venue.send(CAGE, chance.actor("cage"), command), Refusal):
            venue.answer_pending(CAGE, chance)

    def deliver(self) -> None:
        """Deliver chips in transit between rack and cage, as far as people agree."""
        venue, state = self._venue, self.state
        for transit, sent in [*venue.cage.fills_open.items()]:
            if transit not in state.transits_received:
                if self._chance.happens(0.25):
                    self.ask_cage(ReturnFill(transit, self._come_back(sent.amount)))
                    continue
                chips = plain_chips(sent.amount, CHIPS.values)
                self.ask(self._chance.who_may(ReceiveFill), ReceiveFill(transit, chips))
            if transit in state.transits_received:
                venue.send(CAGE, HOST, CloseTransit(transit))
        for transit, sent in [*self.chip_table.credits_open.items()]:
            if transit not in venue.cage.transits_received:
                if self._chance.happens(0.25):
                    back = ReturnCredit(transit, self._come_back(sent.amount))
                    self.ask(self._chance.who_may(ReturnCredit), back)
                    continue
                chips = plain_chips(sent.amount, CHIPS.values)
                self.ask_cage(ReceiveCredit(transit, TABLE, chips))
            if transit in venue.cage.transits_received:
                self.send(HOST, CloseTransit(transit))

    def _come_back(self, sent: int) -> Chips:
        """Count chips that come back from a transit: all, now and then too few, or too many."""
        amount = self._chance.pick([sent, sent, sent, sent - 50, 0, sent + 50])
        return plain_chips(amount, CHIPS.values) if amount > 0 else ()
