"""Simulated players: the money they bring, their bets, and their mistakes."""

from taisai.core.cage.vouchers import PayVoucher, SellVoucher, TakeVoucher, VoidVoucher
from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import Actor, BoxStake, Command, Order
from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.reason import Refusal
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.positions import CashOut, RestoreTerminal, SetOwnLimits
from taisai.core.table.state import Phase, TableState
from taisai.runtime.answers import HOST
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.transfers import Router
from taisai.runtime.simulator.venue import SimulatedVenue
from taisai.runtime.streams import CAGE

_EVEN_CHANCES = ("small", "big", "odd", "even")
#: Where a voucher may be put in by mistake: a terminal never enrolled, a table never admitted.
_NOWHERE = (("T1", "unplugged"), ("T9", "1"))
_NO_BOXES = ("domino-21", "total-3", "Small", "", "single-7", "no such box", "triple-66")


class Player:
    """A player at a terminal, with habits, a purse and a pocket for vouchers."""

    def __init__(
        self, venue: SimulatedVenue, router: Router, chance: Chance, table: str, terminal: str
    ) -> None:
        self.table = table
        self.terminal = terminal
        self._venue = venue
        self._router = router
        self._chance = chance
        self._actor = Actor(terminal, "terminal")
        self._favourites: list[str] = []
        self._rules = ""
        self._vouchers: list[str] = []
        self._spent: list[str] = []
        self._boldness = chance.rng.random()
        self._fickleness = chance.rng.random() * 0.3
        self._carelessness = chance.rng.random() * 0.15

    @property
    def _state(self) -> TableState:
        return self._venue.tables[self.table]

    @property
    def _credits(self) -> int:
        return self._state.ledger.balance(credits_of(self.terminal))

    def act(self) -> None:
        """Do one thing a player does."""
        for tray in ((self.table, self.terminal), *_NOWHERE):
            self._vouchers += self._router.trays.pop(tray, [])
        state, chance = self._state, self._chance
        if chance.happens(0.02):
            self._do_something_else()
        elif chance.happens(0.01):
            self._leave()
        elif state.positions[self.terminal].barred and chance.happens(0.8):
            return
        elif not state.positions[self.terminal].connected and chance.happens(0.5):
            self._venue.send(self.table, HOST, RestoreTerminal(self.terminal))
        elif self._credits < 20_000 and chance.happens(0.7):
            self._bring_money()
        elif state.phase is Phase.BETTING or chance.happens(0.3):
            self._bet_or_take_back()
        elif chance.happens(0.04):
            self._leave()

    def _do_something_else(self) -> None:
        chance = self._chance
        way = chance.pick([1, 1, 2, 3, 4, 5])
        if way == 1:
            for _ in range(2):
                loss = chance.pick([None, 0, 50_000, 400_000, 5_000_000, -1])
                seconds = chance.pick([None, 60, 3_600, 86_400])
                self._ask(SetOwnLimits(self.terminal, loss, seconds))
        elif way == 2:
            self._ask(CashOut(chance.pick([self.terminal, self.terminal, "1", "no such"])))
        elif way == 3:
            self._ask(ClearBets(chance.pick([self.terminal, "2"])))
        elif way == 4 and self._spent:
            self._insert(chance.pick(self._spent))
        else:
            self._insert(chance.pick(["", "123456789012345678", "0" * 18, "12345"]))

    def _bring_money(self) -> None:
        """Put a voucher in, or buy one at the cage first; or go home with nothing."""
        if self._chance.happens(0.08):
            self._leave()
        elif self._vouchers and self._chance.happens(0.1):
            self._change_into_cash()
        elif self._vouchers:
            number = self._vouchers.pop()
            if not self._insert(number):
                self._spent.append(number)
        else:
            self._buy()

    def _insert(self, number: str) -> bool:
        taken = TakeVoucher(number, self.table, self.terminal)
        actor = self._actor if self._chance.happens(0.99) else Actor("somebody", "terminal")
        if self._chance.happens(0.02):
            table, terminal = self._chance.pick(_NOWHERE)
            taken, actor = TakeVoucher(number, table, terminal), HOST
        answer = self._venue.send(CAGE, actor, taken)
        if isinstance(answer, Refusal):
            return False
        self._router.note(CAGE, answer)
        self._spent.append(number)
        return True

    def _buy(self) -> None:
        """Pay cash at the counter; a large voucher takes two persons there."""
        value = self._chance.pick([50_000, 200_000, 1_000_000, 5_000_000, 20_000_000, 0, -5])
        cashier = self._chance.actor("cage")
        order, command = f"sale-{self._venue.tally.commands}", SellVoucher(value, "counter")
        if isinstance(self._venue.send(CAGE, cashier, command, order), Refusal):
            return
        self._venue.answer_pending(CAGE, self._chance)
        number = self._venue.cage.number_for(Order(order, cashier, command))
        if number is not None:
            self._vouchers.append(number)

    def _change_into_cash(self) -> None:
        number = self._vouchers.pop()
        command: PayVoucher | VoidVoucher
        command = PayVoucher(number, self._chance.pick([None] * 9 + [1]))
        if self._chance.happens(0.3):
            command = VoidVoucher(number, self._chance.pick(["for another amount", " "]))
        self._venue.send(CAGE, self._chance.actor("cage"), command)
        self._venue.answer_pending(CAGE, self._chance)
        self._spent.append(number)

    def _leave(self) -> None:
        """Cash out, also in the middle of a round, or walk away and leave credits there."""
        self._ask(CashOut(self.terminal))

    def _bet_or_take_back(self) -> None:
        held = self._state.positions[self.terminal].bets
        if held and self._chance.happens(self._fickleness):
            self._take_back(held)
        else:
            self._place()

    def _take_back(self, held: dict[str, int]) -> None:
        chance = self._chance
        if chance.happens(0.3):
            self._ask(ClearBets(self.terminal))
            return
        boxes = chance.rng.sample(list(held), chance.between(1, min(2, len(held))))
        bets = [
            BoxStake(box, held[box] if chance.happens(0.6) else self._part_of(held[box]))
            for box in boxes
        ]
        self._ask(WithdrawBets(self.terminal, tuple(bets)))

    def _part_of(self, stake: int) -> int:
        step = self._state.limits.step if self._state.limits else 1
        part = max(step, stake // 2 // step * step)
        return part if self._chance.happens(0.9) else stake + part

    def _place(self) -> None:
        table = self._state.pay_table
        if table is None:
            return
        if self._rules != table.address:
            self._rules = table.address
            even = [box for box in _EVEN_CHANCES if box in table.boxes]
            self._favourites = [*even, *self._chance.some(list(table.boxes), 8)]
        boxes = self._chance.some(self._favourites, 1 + int(self._boldness * 5))
        bets = tuple(BoxStake(box, self._stake(box)) for box in boxes)
        self._ask(PlaceBets(self.terminal, self._careless(bets)))

    def _stake(self, box: str) -> int:
        """Stake within the limits, mostly within the purse too."""
        limits = self._state.limits
        if limits is None:
            return 1000
        own, step = limits.of(box), limits.step
        most = own.minimum * self._chance.between(1, 4)
        if self._chance.happens(self._boldness / 20):
            return min(own.maximum, max(own.minimum, step, self._credits // step * step))
        if self._chance.happens(self._boldness / 4):
            most = int(self._credits * self._boldness)
        stake = self._chance.between(own.minimum, max(own.minimum, min(own.maximum, most)))
        return max(own.minimum, step, stake // step * step)

    def _careless(self, bets: tuple[BoxStake, ...]) -> tuple[BoxStake, ...]:
        """Get a bet wrong now and then."""
        chance, (first, *rest) = self._chance, bets
        if not chance.happens(self._carelessness):
            return bets
        limits = self._state.limits
        most = limits.of(first.box).maximum if limits else 1000
        wrong = chance.pick(
            [
                BoxStake(first.box, first.stake + 1),
                BoxStake(first.box, 2),
                BoxStake(first.box, most + (limits.step if limits else 1)),
                BoxStake(first.box, 0),
                BoxStake(first.box, -first.stake),
                BoxStake(first.box, 10**25),
                BoxStake(chance.pick(_NO_BOXES), first.stake),
                BoxStake(chance.pick(list(BOX_NAMES)), first.stake),
            ]
        )
        if chance.happens(0.04):
            return ()
        return (wrong,) * 201 if chance.happens(0.02) else (*rest, wrong)

    def _ask(self, command: Command) -> None:
        answer = self._venue.send(self.table, self._actor, command)
        self._router.note(self.table, answer)
        if isinstance(answer, Refusal) and answer.code in ("SESSION_OVER", "LOSS_LIMIT"):
            # The next player at this terminal is somebody else.
            self._router.note(
                self.table, self._venue.send(self.table, self._actor, CashOut(self.terminal))
            )
