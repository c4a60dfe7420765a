"""A felt table in a simulated house: its dealer, its pit, its guests, and a cage that fills it."""

from collections.abc import Callable, Sequence

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import ReceiveCredit, ReturnFill, SendFill
from taisai.core.kernel.messages import Actor, Command, LimitsAsked
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.betting import PlaceBets
from taisai.core.table.chips.colours import AssignColour, BuyColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    OpenDay,
    ReceiveFill,
    ReturnCredit,
    SendCredit,
    gaming_date,
)
from taisai.core.table.chips.layout_bets import (
    AdvisePlayer,
    CorrectRecord,
    PutBetRight,
    RecordBets,
    RejectExcess,
    TakeBackBets,
)
from taisai.core.table.chips.payout import PayWinners, payout_guide
from taisai.core.table.chips.pieces import BoxChips, Chips, ChipSet, Pieces, plain_chips
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, LeaveSeat, TakeSeat
from taisai.core.table.chips.state import ChipTable, Stack
from taisai.core.table.corrections import VoidSettledRounds
from taisai.core.table.positions import PayUnclaimed
from taisai.core.table.setup import CreateTable, EnrolTerminal, OpenTable, SetLimits
from taisai.core.table.state import IN_ROUND, Phase
from taisai.core.venue.setup import AdmitTable
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.incidents import Trouble
from taisai.runtime.simulator.pit import SLIP, Pit
from taisai.runtime.simulator.transfers import Router
from taisai.runtime.simulator.venue import CAGE, CURRENCY, HOUSE, SimulatedVenue

TABLE = "F1"
CHIPS = ChipSet((50, 100, 500, 2_500, 10_000, 50_000), 5, ("pink", "blue", "gold"), 200)
FLOAT = tuple(Pieces(value, 60) for value in CHIPS.values)
SEATS = tuple(str(number) for number in range(1, CHIPS.seats + 1))
#: Seats that somebody names by mistake.
_NO_SEATS = ("0", "9", "none")
#: So many tries are enough for people to agree on anything.
_TRIES = 400

_SYSTEM = Actor("host", "system")


class FeltPit(Pit):
    """Dealer, supervisors and managers of a felt table."""

    def __init__(
        self, house: SimulatedVenue, router: Router, chance: Chance, rulebooks: Sequence[Rulebook]
    ) -> None:
        super().__init__(house, router, chance, TABLE, rulebooks)
        self.terminals = list(SEATS)
        self.chance = chance
        self.house = house
        self.begun_at = 0
        self._days = 0

    @property
    def felt(self) -> ChipTable:
        """Look at what a felt table has."""
        felt = self.state.chips
        assert felt is not None, "a felt table was created"
        return felt

    def work(self) -> None:
        """Collect and pay before anything else, unless somebody forgets."""
        if self.felt.paying and not self.chance.happens(SLIP * 4):
            self._pay()
        elif self.felt.recovering and not self.chance.happens(SLIP * 4):
            self.say_what_was_had()
        else:
            super().work()

    def say_what_was_had(self) -> None:
        """Say of each player how much of what a reversal took could not be had."""
        for seat, owed in [*self.felt.recovering.items()]:
            if self.chance.happens(0.3):
                self.say("dealer", LeaveSeat(seat))
            asked = RecordRecovery(seat, self.chance.pick([0, 50, owed]), "gone")
            self.ask(self.chance.who_may(RecordRecovery), asked)

    def _pay(self) -> None:
        answer = self.say("dealer", PayWinners())
        if isinstance(answer, Refusal) and answer.code == "RACK_SHORT":
            self.fill(payout_guide(self.state).wanted)

    def _limits_for(self, table: PayTable) -> LimitsAsked:
        """Set limits that can be paid in chips, or now and then cannot."""
        chance = self.chance
        step = CHIPS.smallest * table.step * chance.pick([1, 2, 10])
        if chance.happens(0.1):
            step = table.step * chance.pick([1, 30])
        minimum = step * chance.between(1, 10)
        pairs = table.limit_rules.differential_pairs
        differential = None
        if any(pair[0] in table.boxes for pair in pairs) and chance.happens(0.8):
            differential = minimum * chance.pick([0, 1, 5])
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
        if self.felt.day is not None and self.chance.happens(0.1):
            self.say("supervisor", OpenDay("2099-01-01", ()))
        if self.felt.day is None:
            self.say("supervisor", CountDrop(0, 0))
            self.say("supervisor", OpenDay("2026-13-01", ()))
            self.say("supervisor", OpenDay("2099-01-01", ()))
            self.open_day()
        elif self.state.round > self.begun_at:
            self._end_day()
        elif not self.felt.rack and self.chance.happens(0.7):
            self.fill(FLOAT)
        else:
            super()._open_table()

    def open_day(self) -> None:
        """Open the next day with a count; now and then with the date of the last."""
        self._days += not self.chance.happens(0.1)
        begins = 1_760_000_000_000 + self._days * 86_400_000
        # A day is opened when it comes, and no date is opened long before.
        self.house.now = max(self.house.now, begins)
        date = gaming_date(begins, 6, 480)
        self.ask(self.chance.who_may(OpenDay), OpenDay(date, self._count()))
        self.begun_at = self.state.round

    def _count(self) -> Chips:
        """Count the rack; now and then a chip too few, or one that nobody knows of."""
        chips = [Pieces(chip, count) for chip, count in self.felt.rack.items() if count > 0]
        if any(count < 0 for count in self.felt.rack.values()):
            chips = list(plain_chips(max(0, self.felt.rack_value), CHIPS.values))
        if self.chance.happens(0.2):
            chips = chips[1:] if self.chance.happens(0.5) else [Pieces(50, 7)]
        return tuple(chips)

    def _end_day(self) -> None:
        """Have everybody leave, count the box and the rack."""
        chance, felt = self.chance, self.felt
        for seat in [*felt.seated]:
            self.convert_and_leave(seat)
        self.say("supervisor", CloseDay(()))
        if chance.happens(0.8):
            held = self.state.ledger.balance("drop:box")
            counted = held + (chance.pick([0, 0, 0, 500, -500]) if held > 500 else 0)
            self.ask(chance.who_may(CountDrop), CountDrop(counted, 0))
            if chance.happens(0.2):
                self.say("supervisor", CountDrop(500, 0))
        self.ask(chance.who_may(CloseDay), CloseDay(self._count()))

    def convert_and_leave(self, seat: str) -> None:
        """Turn a player's colour back into value chips, and let them go."""
        colour = self.felt.colour_of(seat)
        if colour is not None and self.felt.in_front(colour) > 0:
            answer = self.say("dealer", ConvertColour(seat, self.felt.in_front(colour)))
            if isinstance(answer, Refusal) and answer.code == "RACK_SHORT":
                self.fill()
        self.say("dealer", LeaveSeat(seat))

    def fill(self, chips: Chips = FLOAT[:5]) -> None:
        """Have the cage send chips, and take them once two persons have counted them."""
        self.ask_cage(SendFill(TABLE, chips))
        self.deliver()

    def credit(self) -> None:
        """Send chips to the cage, of which there are enough."""
        many = [chip for chip, count in self.felt.rack.items() if count > 20]
        chips = (Pieces(self.chance.pick(many), 10),) if many else (Pieces(50, 9_999),)
        self.ask(self.chance.who_may(SendCredit), SendCredit(chips))
        self.deliver()

    def ask_cage(self, command: Command) -> None:
        """Ask the cage for something that takes two persons."""
        house, chance = self.house, self.chance
        if isinstance(house.send(CAGE, chance.actor("cage"), command), Refusal):
            return
        pending = house.cage.pending
        answer = None if pending is None else chance.answer_to(pending)
        if answer is not None:
            actor, answering, takes = answer
            house.now += takes
            house.send(CAGE, actor, answering)

    def deliver(self) -> None:
        """Carry what is on its way between rack and cage, as far as people agree."""
        house, state = self.house, self.state
        for transit, sent in [*house.cage.fills_open.items()]:
            if transit not in state.transits_received:
                if self.chance.happens(0.25):
                    self.ask_cage(ReturnFill(transit, self._come_back(sent.amount)))
                    continue
                chips = plain_chips(sent.amount, CHIPS.values)
                self.ask(self.chance.who_may(ReceiveFill), ReceiveFill(transit, chips))
            if transit in state.transits_received:
                house.send(CAGE, _SYSTEM, CloseTransit(transit))
        for transit, sent in [*self.felt.credits_open.items()]:
            if transit not in house.cage.transits_received:
                if self.chance.happens(0.25):
                    back = ReturnCredit(transit, self._come_back(sent.amount))
                    self.ask(self.chance.who_may(ReturnCredit), back)
                    continue
                chips = plain_chips(sent.amount, CHIPS.values)
                self.ask_cage(ReceiveCredit(transit, TABLE, chips))
            if transit in house.cage.transits_received:
                self.send(_SYSTEM, CloseTransit(transit))

    def _come_back(self, sent: int) -> Chips:
        """Count what comes back of what was sent: all of it, now and then less, or too much."""
        amount = self.chance.pick([sent, sent, sent, sent - 50, 0, sent + 50])
        return plain_chips(amount, CHIPS.values) if amount > 0 else ()


class FeltFloor:
    """A felt table with its pit and its guests."""

    def __init__(
        self, house: SimulatedVenue, router: Router, chance: Chance, rulebooks: Sequence[Rulebook]
    ) -> None:
        self._chance = chance
        self._house = house
        house.add_table(TABLE)
        house.send(HOUSE, _SYSTEM, AdmitTable(TABLE, CURRENCY))
        house.send(TABLE, _SYSTEM, CreateTable(TABLE, CURRENCY, form="chips"))
        house.send(TABLE, _SYSTEM, CreateTable(TABLE, CURRENCY, form="chips", chips=CHIPS))
        self.pit = FeltPit(house, router, chance, rulebooks)
        self._trouble = Trouble(house, chance)
        self._habits: list[tuple[int, Callable[[str], None]]] = [
            (4, self._sits_down),
            (6, self._buys),
            (3, self._changes),
            (3, self._takes_a_colour),
            (3, self._turns_a_colour_back),
            (30, self._bets),
            (5, self._is_read_again),
            (5, self._takes_back),
            (6, self._is_noticed),
            (4, self._bets_too_much),
            (4, self._leaves),
            (5, self._errs),
        ]
        self._weights = [weight for weight, _ in self._habits]

    def has_its_turn(self) -> bool:
        """Say whether it is the felt's turn."""
        return self._chance.happens(0.4)

    def step(self) -> None:
        """Let somebody do one thing at the felt."""
        chance, pit = self._chance, self.pit
        self._house.now += chance.between(50, 2_500)
        if chance.happens(0.05):
            self._trouble.strike(pit)
        elif chance.happens(0.08):
            self._pit_has_an_idea()
        elif (pit.state.phase is Phase.BETTING and pit.patience()) or chance.happens(0.1):
            ((_, habit),) = chance.rng.choices(self._habits, self._weights)
            habit(chance.pick([*SEATS, *SEATS, *pit.felt.seated, chance.pick(_NO_SEATS)]))
        else:
            pit.work()

    def deliver_all(self) -> None:
        """Carry everything that is still on its way."""
        pit = self.pit
        for _ in range(_TRIES):
            if not (self._house.cage.fills_open or pit.felt.credits_open):
                return
            if pit.felt.day is None:
                pit.open_day()
            pit.deliver()

    def _pit_has_an_idea(self) -> None:
        """Do what a pit does between rounds and after a close."""
        chance, pit, felt = self._chance, self.pit, self.pit.felt
        way = 5 if felt.recovering and chance.happens(0.5) else chance.between(1, 9)
        if way == 1:
            pit.credit()
        elif way == 2:
            pit.fill()
        elif way == 3:
            pit.deliver()
        elif way == 4 and pit.state.unclaimed:
            kept = chance.pick([*pit.state.unclaimed, "nobody's"])
            pit.ask(chance.who_may(PayUnclaimed), PayUnclaimed(kept))
        elif way == 5 and felt.recovering:
            seat = chance.pick([*felt.recovering])
            missing = chance.pick([0, 50, felt.recovering[seat], 10**9])
            asked = RecordRecovery(seat, missing, chance.pick(["gone", "gone", " "]))
            pit.ask(chance.who_may(RecordRecovery), asked)
        elif way == 6:
            count = chance.between(0, 100_000)
            shift = self._house.cage.shift
            pit.ask_cage(OpenShift(count) if shift is None else CloseShift(count))
        elif way == 7:
            self._finds_damaged_dice()
        else:
            self._puts_right()

    def _finds_damaged_dice(self) -> None:
        """Void the last rounds, and say how much of them could be had back."""
        chance, pit = self._chance, self.pit
        first = max(1, pit.state.round - chance.pick([0, 0, 1, 3]))
        voiding = VoidSettledRounds(first, "a chipped die")
        pit.ask(chance.who_may(VoidSettledRounds), voiding)
        if chance.happens(0.7):
            pit.say_what_was_had()

    def _puts_right(self) -> None:
        """Put a bet right that somebody moved, or only says so."""
        chance, pit = self._chance, self.pit
        table, lying = pit.state.pay_table, pit.felt.stacks
        if table is None or not lying or pit.state.phase not in IN_ROUND:
            return
        called = [stack for stack in lying if stack.called]
        for stack in [chance.pick(stacks) for stacks in (called, lying) if stacks]:
            to_box = stack.box if chance.happens(0.3) else chance.pick([*table.boxes])
            reason = chance.pick(["touching-line", "moved-by-dealer", "moved-by-patron"])
            note = chance.pick(["a sleeve", "a sleeve", "a sleeve", "", "sleeve " * 100])
            asked = PutBetRight(
                stack.seat,
                stack.box,
                to_box,
                stack.chips,
                reason,  # type: ignore[arg-type]
                note,
            )
            pit.ask(chance.who_may(PutBetRight), asked)

    # --- guests ------------------------------------------------------------------------------

    def _say(self, command: Command) -> None:
        self.pit.say("dealer", command)

    def _sits_down(self, seat: str) -> None:
        self._say(TakeSeat(seat))

    def _leaves(self, seat: str) -> None:
        """Leave with the chips in hand, or walk away from what lies there."""
        if self._chance.happens(0.3):
            self.pit.convert_and_leave(seat)
        else:
            self._say(LeaveSeat(seat))

    def _buys(self, seat: str) -> None:
        chance = self._chance
        if seat not in self.pit.felt.seated:
            self._say(TakeSeat(seat))
        amount = chance.pick([5_000, 20_000, 100_000])
        dropped = chance.pick([0, 0, 0, 2_500])
        wrong = chance.pick([0] * 19 + [50])
        chips = plain_chips(amount, CHIPS.values)
        self._say(BuyChips(seat, chips, amount - dropped + wrong, dropped))

    def _changes(self, seat: str) -> None:
        amount = self._chance.pick([500, 2_500, 10_000])
        given = (Pieces(amount, 1),)
        small = tuple(value for value in CHIPS.values if value < amount)
        self._say(ExchangeChips(seat, given, plain_chips(amount, small)))

    def _takes_a_colour(self, seat: str) -> None:
        chance, state, felt = self._chance, self.pit.state, self.pit.felt
        step = state.limits.step if state.limits else 100
        if felt.colour_of(seat) is None:
            value = step * chance.pick([1, 1, 2, 5, 0])
            self._say(AssignColour(seat, chance.pick([*CHIPS.colours, "green"]), value))
        colour = felt.colour_of(seat)
        if colour is not None:
            count = chance.pick([1, 10, 40, 300])
            amount = felt.colours[colour].value * count
            given = plain_chips(amount, CHIPS.values) if chance.happens(0.3) else ()
            self._say(BuyColour(seat, count, 0 if given else amount, given))

    def _turns_a_colour_back(self, seat: str) -> None:
        colour = self.pit.felt.colour_of(seat)
        held = 1 if colour is None else max(1, self.pit.felt.in_front(colour))
        self._say(ConvertColour(seat, self._chance.pick([1, 10, held, held])))
        if self._chance.happens(0.7):
            self._say(ReleaseColour(seat))

    def _stack(self, seat: str, amount: int) -> Chips:
        """Make up a stack: of the own colour, of value chips, or of both."""
        chance, felt = self._chance, self.pit.felt
        colour = felt.colour_of(seat)
        if colour is not None and chance.happens(0.7):
            value = felt.colours[colour].value
            count = max(1, amount // value)
            held = felt.in_front(colour)
            if held and chance.happens(0.95):
                count = min(count, held)
            return (Pieces(colour, count),)
        if chance.happens(SLIP):
            wrong: list[int | str] = ["pink", "blue", 75]
            return (Pieces(chance.pick(wrong), 1),)
        return plain_chips(amount, CHIPS.values)

    def _bets(self, seat: str) -> None:
        chance, state = self._chance, self.pit.state
        if state.pay_table is None or state.limits is None:
            return
        step = state.limits.step
        bets = []
        for box in chance.some(["small", "big", *state.pay_table.boxes], 4):
            own = state.limits.of(box)
            most = own.maximum * 2 if chance.happens(0.15) else own.minimum * 4
            least = own.minimum // 2 if chance.happens(0.1) else own.minimum
            amount = chance.between(least, max(least, most)) // step * step
            bets.append(BoxChips(box, self._stack(seat, max(step, amount))))
        oral, on_behalf = chance.happens(0.1), chance.happens(0.05)
        self._say(RecordBets(seat, tuple(bets), oral=oral, on_behalf=on_behalf))

    def _own(self, seat: str) -> Stack | None:
        own = [stack for stack in self.pit.felt.stacks if stack.seat == seat]
        return self._chance.pick(own) if own else None

    def _is_read_again(self, seat: str) -> None:
        stack, chance = self._own(seat), self._chance
        if stack is not None:
            chips = chance.pick([self._stack(seat, stack.amount * 2), stack.chips, ()])
            note = chance.pick(["miscounted", "miscounted", "miscounted", ""])
            self._say(CorrectRecord(seat, stack.box, chips, note))

    def _takes_back(self, seat: str) -> None:
        stack = self._own(seat)
        if stack is not None:
            chips = stack.chips if self._chance.happens(0.7) else stack.chips[:1]
            self._say(TakeBackBets(seat, (BoxChips(stack.box, chips),)))

    def _is_noticed(self, seat: str) -> None:
        """Have the dealer look at a bet: too much is rejected, too little is told of."""
        stack = self._own(seat)
        if stack is not None:
            first = stack.chips[0]
            self._say(RejectExcess(seat, stack.box, (Pieces(first.chip, 1),)))
            self._say(AdvisePlayer(seat, stack.box))

    def _bets_too_much(self, seat: str) -> None:
        """Bet more than a box takes, or too little, which the dealer sees at once."""
        limits = self.pit.state.limits
        if limits is not None and self.pit.state.phase is Phase.BETTING:
            step = limits.step
            over = (limits.of("small").maximum // step + 1) * step
            chips = plain_chips(over, CHIPS.values)
            self._say(RecordBets(seat, (BoxChips("small", chips),)))
            for part in (chips, plain_chips(step, CHIPS.values)):
                self._say(RejectExcess(seat, "small", part))
            # And on another box less than it must be.
            box = self._chance.pick(["triple-1", "triple-2"])
            stake = BoxChips(box, plain_chips(step, CHIPS.values))
            self._say(RecordBets(seat, (stake,)))
            self._say(AdvisePlayer(seat, box))

    def _errs(self, seat: str) -> None:
        """Ask a felt for what it does not do, or at the wrong time."""
        chance, chips = self._chance, (Pieces(10_000, 1),)
        asked: list[Command] = [
            *(PayWinners(), PlaceBets(seat, ()), EnrolTerminal(seat, "nowhere")),
            *(RecordBets(seat, ()), ExchangeChips(seat, (), ()), BuyColour(seat, -1)),
            ExchangeChips(seat, chips, (Pieces(50, 3),)),
            BuyChips(seat, (Pieces(50_000, 900_000),), 50_000 * 900_000),
            RecordBets(seat, (BoxChips("small", ()),), oral=True),
            *(AdvisePlayer(seat, "small"), AssignColour(seat, "gold", 10_000)),
            *(AssignColour(other, "gold", 10_000) for other in self.pit.felt.seated),
            RejectExcess(seat, "small", (Pieces(50, 999),)),
            CountDrop(-1, 0),
            CloseDay(()),
        ]
        self._say(chance.pick(asked))
        by_pit: list[Command] = [
            *(OpenDay("2026-13-01", ()), OpenDay("2099-01-01", ()), CountDrop(0, 0)),
            *(CloseDay(()), PayUnclaimed("nobody's"), RecordRecovery(seat, 50, "x")),
            *(SetLimits(LimitsAsked(1_000, 9_000, 10)), OpenTable()),
        ]
        self.pit.say("supervisor", chance.pick(by_pit))
        self._house.send("T1", chance.actor("dealer"), TakeSeat(seat))
        cashier = chance.actor("cage")
        self._house.send(CAGE, cashier, chance.pick([OpenShift(0), CloseShift(-1)]))
        self._house.send(CAGE, cashier, CloseShift(0))
