"""A chip table in a simulated venue, with its pit and its players."""

from collections.abc import Callable, Sequence

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.kernel.messages import Command
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.chips.colours import AssignColour, BuyColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.layout_bets import (
    AdvisePlayer,
    CorrectRecord,
    PutBetRight,
    RecordBets,
    RejectExcess,
    TakeBackBets,
)
from taisai.core.table.chips.pieces import BoxChips, Chips, Pieces, plain_chips
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.rulings import RefuseLateBet, SeparateStack
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, TakeSeat
from taisai.core.table.chips.state import Stack
from taisai.core.table.corrections import VoidSettledRounds
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.state import AFTER_CLOSE, IN_ROUND, Phase
from taisai.runtime.simulator.chip_mistakes import (
    close_anothers_shift,
    dealers_mistakes,
    pits_mistakes,
)
from taisai.runtime.simulator.chip_pit import CHIPS, SEATS, TRIES, ChipPit
from taisai.runtime.simulator.crowd import SLIP, Chance
from taisai.runtime.simulator.incidents import Trouble
from taisai.runtime.simulator.transfers import Router
from taisai.runtime.simulator.venue import SimulatedVenue
from taisai.runtime.streams import CAGE

CHIP: Chips = (Pieces(100, 1),)
#: Seats that somebody names by mistake.
_NO_SEATS = ("0", "9", "none")


class ChipFloor:
    """A chip table with its pit and its players."""

    def __init__(
        self, venue: SimulatedVenue, router: Router, chance: Chance, rulebooks: Sequence[Rulebook]
    ) -> None:
        self._chance = chance
        self._venue = venue
        self.pit = ChipPit(venue, router, chance, rulebooks)
        self._trouble = Trouble(venue, chance)
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

    def has_its_turn(self) -> bool:
        """Say whether it is the chip table's turn."""
        return self._chance.happens(0.4)

    def step(self) -> None:
        """Let somebody do one thing at the layout."""
        chance, pit = self._chance, self.pit
        self._venue.now += chance.between(50, 2_500)
        if chance.happens(0.05):
            self._trouble.strike(pit)
        elif chance.happens(0.006):
            # The server stops, and the table does not.
            pit.say("system", RecordInterruption("the server was away"))
        elif chance.happens(0.08):
            self._pit_has_an_idea()
        elif pit.state.phase in AFTER_CLOSE and chance.happens(0.2):
            chance.pick([self._puts_right, self._reads_on])()
        elif (pit.state.phase is Phase.BETTING and pit.may_still_bet()) or chance.happens(0.1):
            habit = chance.weighted(self._habits)
            habit(chance.pick([*SEATS, *SEATS, *pit.chip_table.seated, chance.pick(_NO_SEATS)]))
        else:
            pit.work()

    def deliver_all(self) -> None:
        """Carry everything that is still on its way."""
        pit = self.pit
        for _ in range(TRIES):
            if not (self._venue.cage.fills_open or pit.chip_table.credits_open):
                return
            if pit.chip_table.day is None:
                pit.open_day()
            pit.deliver()

    def _pit_has_an_idea(self) -> None:
        """Do what a pit does between rounds and after a close."""
        chance, pit, chip_table = self._chance, self.pit, self.pit.chip_table
        way = 5 if chip_table.recovering and chance.happens(0.5) else chance.between(1, 9)
        if way == 1:
            pit.credit()
        elif way == 2:
            pit.fill()
        elif way == 3:
            pit.deliver()
        elif way == 5 and chip_table.recovering:
            seat = chance.pick([*chip_table.recovering])
            missing = chance.pick([0, 50, chip_table.recovering[seat], 10**9])
            asked = RecordRecovery(seat, missing, chance.pick(["gone", "gone", " "]))
            pit.ask(chance.who_may(RecordRecovery), asked)
        elif way in (4, 6):
            count = chance.between(0, 100_000)
            shift = self._venue.cage.shift
            pit.ask_cage(OpenShift(count) if shift is None else CloseShift(count))
        elif way == 7:
            self._finds_damaged_dice()
        else:
            self._puts_right()

    def _finds_damaged_dice(self) -> None:
        """Void the last rounds, or those of hours, and say how much could be recovered."""
        chance, pit = self._chance, self.pit
        first = max(1, pit.state.round - chance.pick([0, 0, 1, 1, 3, 3, 30]))
        voiding = VoidSettledRounds(first, "a chipped die")
        pit.ask(chance.who_may(VoidSettledRounds), voiding)
        if chance.happens(0.7):
            pit.say_what_was_had()

    def _puts_right(self) -> None:
        """Correct a bet that somebody moved, or only claims was moved."""
        chance, pit = self._chance, self.pit
        table, lying = pit.state.pay_table, pit.chip_table.stacks
        if table is None or not lying or pit.state.phase not in IN_ROUND:
            return
        called = [stack for stack in lying if stack.called]
        for stack in [chance.pick(stacks) for stacks in (called, called, called, lying) if stacks]:
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

    def _reads_on(self) -> None:
        """Read a stack after the close, read one again, or refuse one that came late."""
        chance, pit, table = self._chance, self.pit, self.pit.state.pay_table
        if table is None:
            return
        seat = chance.pick([*pit.chip_table.seated, chance.pick(_NO_SEATS)])
        box, note = chance.pick([*table.boxes]), chance.pick(["behind the rail", "unread", ""])
        stacks = (BoxChips(box, self._stack(seat, 1_050)), BoxChips("small", CHIP))
        own = self._own(seat)
        asked: list[Command] = [
            *(RecordBets(seat, each, note=note) for each in (stacks, stacks[:1], stacks[:1])),
            CorrectRecord(seat, box if own is None else own.box, chance.pick([CHIP, ()]), note),
            RefuseLateBet(seat, box, CHIP, note),
        ]
        pit.ask(chance.who_may(RecordBets), chance.pick(asked))

    # --- guests ------------------------------------------------------------------------------

    def _say(self, command: Command) -> None:
        self.pit.say("dealer", command)

    def _sits_down(self, seat: str) -> None:
        self._say(TakeSeat(seat))

    def _leaves(self, seat: str) -> None:
        """Leave with the chips in hand, or walk away and leave chips there."""
        if self._chance.happens(0.3):
            self.pit.convert_and_leave(seat)
        else:
            self.pit.leave(seat)

    def _buys(self, seat: str) -> None:
        chance = self._chance
        if seat not in self.pit.chip_table.seated:
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
        chance, state, chip_table = self._chance, self.pit.state, self.pit.chip_table
        step = state.limits.step if state.limits else 100
        if chip_table.colour_of(seat) is None:
            value = step * chance.pick([1, 1, 2, 5, 0])
            self._say(AssignColour(seat, chance.pick([*CHIPS.colours, "green"]), value))
        colour = chip_table.colour_of(seat)
        if colour is not None:
            count = chance.pick([1, 10, 40, 300])
            amount = chip_table.colours[colour].value * count
            given = plain_chips(amount, CHIPS.values) if chance.happens(0.3) else ()
            self._say(BuyColour(seat, count, 0 if given else amount, given))

    def _turns_a_colour_back(self, seat: str) -> None:
        colour = self.pit.chip_table.colour_of(seat)
        held = 1 if colour is None else max(1, self.pit.chip_table.in_front(colour))
        self._say(ConvertColour(seat, self._chance.pick([1, 10, held, held])))
        if self._chance.happens(0.7):
            self._say(ReleaseColour(seat))

    def _stack(self, seat: str, amount: int) -> Chips:
        """Make up a stack: of the player's own colour, of value chips, or of both."""
        chance, chip_table = self._chance, self.pit.chip_table
        colour = chip_table.colour_of(seat)
        if colour is not None and chance.happens(0.15) and chip_table.in_front(colour):
            return (Pieces(colour, 1), *plain_chips(amount, CHIPS.values))
        if colour is not None and chance.happens(0.7):
            value = chip_table.colours[colour].value
            count = max(1, amount // value)
            held = chip_table.in_front(colour)
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
            if chance.happens(0.1):
                amount += CHIPS.smallest
            bets.append(BoxChips(box, self._stack(seat, max(step, amount))))
        oral, on_behalf = chance.happens(0.2), chance.happens(0.05)
        if oral and chance.happens(0.3):
            # A bet called without putting chips down.
            self._say(RecordBets(seat, (BoxChips("small", ()),), oral=True))
        self._say(RecordBets(seat, tuple(bets), oral=oral, on_behalf=on_behalf))
        for whose, box in self.pit.chip_table.mixed if chance.happens(0.4) else ():
            self._say(SeparateStack(whose, box))

    def _own(self, seat: str) -> Stack | None:
        own = [stack for stack in self.pit.chip_table.stacks if stack.seat == seat]
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
        """Have the dealer look at a bet: too much is rejected, too little is pointed out."""
        stack = self._own(seat)
        if stack is not None:
            first = stack.chips[0]
            self._say(RejectExcess(seat, stack.box, (Pieces(first.chip, 1),)))
            self._say(AdvisePlayer(seat, stack.box))
            self._say(SeparateStack(seat, stack.box))

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
        """Give a command that a chip table does not take, or not at this time."""
        chance = self._chance
        for mistake in chance.some(dealers_mistakes(seat, self.pit.chip_table.seated), 4):
            self._say(mistake)
        self.pit.say("supervisor", chance.pick(pits_mistakes(seat)))
        self._venue.send("T1", chance.actor("dealer"), TakeSeat(seat))
        cashier = chance.actor("cage")
        self._venue.send(CAGE, cashier, chance.pick([OpenShift(0), CloseShift(-1)]))
        self.pit.ask_cage(CloseShift(0))
        close_anothers_shift(self._venue)
