"""Settling a layout and paying it: what plays, what is collected, what is paid in which chips.

The losing bets are collected first, then the winning ones are paid, both in the order of the layout
[div9 6.5]. No bet is placed until that is done, and the dealer says so [div9 4.4].
"""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from taisai.core.kernel.messages import (
    Actor,
    Command,
    Decision,
    Event,
    Instant,
    PlayedPart,
    SettledLine,
)
from taisai.core.kernel.registry import CHIP_TABLE, applies, command, decides, event
from taisai.core.kernel.roles import PLACING
from taisai.core.rules.apportionment import Apportionment, Playing, playing_stakes
from taisai.core.rules.bets import Bet, sum_by_player_and_box
from taisai.core.rules.dice import Result
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.schema import LimitsContent
from taisai.core.rules.settlement import Settled, settle_stakes
from taisai.core.table.chips.pieces import (
    Chips,
    Pieces,
    counted,
    fewest_chips,
    plain_chips,
    stacked,
    value_of,
)
from taisai.core.table.chips.seats import set_aside_unclaimed
from taisai.core.table.chips.state import ChipTable, day_of, put_in, take_out
from taisai.core.table.state import TableState, chip_table_of, limits_in_force, pay_table_in_force


class CollectedChips(Struct, frozen=True, array_like=True, gc=False):
    """Chips to take off a box; where a stack cannot be split, what goes back out of the rack."""

    box: str
    seat: str
    amount: int
    chips: Chips
    change: Chips = ()


class PaidChips(Struct, frozen=True, array_like=True, gc=False):
    """Chips to pay beside a bet, from the bottom up; null where the rack cannot make it up."""

    box: str
    seat: str
    amount: int
    chips: Chips | None


class Guide(Struct, frozen=True):
    """The collect list and the pay list of a round, and the fill that is wanted to pay it."""

    collect: tuple[CollectedChips, ...] = ()
    pay: tuple[PaidChips, ...] = ()
    wanted: Chips = ()


class _Lists:
    """The lists of a layout, worked out with what is in the rack and what a fill would add."""

    def __init__(
        self,
        chip_table: ChipTable,
        lines: list[SettledLine],
        stacks: dict[tuple[str, str], list[Pieces]],
        fill: Mapping[int | str, int] = MappingProxyType({}),
    ) -> None:
        self.chip_table = chip_table
        self.lines = lines
        self.stacks = stacks
        rack = _Rack(chip_table, fill)
        collect = [
            rack.collects(line, stacks[line.position, line.box])
            for line in lines
            if line.stake > line.back
        ]
        self.collect = [rack.changes(line) for line in collect]
        self.pay = [rack.pays(line) for line in lines if line.won]
        self.missing = rack.missing
        self.given = rack.given

    def with_fill(self, fill: Mapping[int | str, int]) -> "_Lists":
        """Work them out anew with a fill."""
        return _Lists(self.chip_table, self.lines, self.stacks, fill)


class _Rack:
    """The rack as it will be, chip by chip, while a layout is collected and paid."""

    def __init__(self, chip_table: ChipTable, fill: Mapping[int | str, int]) -> None:
        self.marked = chip_table.marked
        self.own = {each.seat: colour for colour, each in chip_table.colours.items()}
        self.held = counted(
            Pieces(chip, count)
            for held in (chip_table.value_chips, fill)
            for chip, count in held.items()
        )
        for colour, each in chip_table.colours.items():
            self.held[colour] = chip_table.chip_set.pieces - each.out
        #: What is handed out in all, and of that what the rack cannot make up.
        self.given = 0
        self.missing: list[int] = []

    def collects(self, line: SettledLine, stacks: list[Pieces]) -> CollectedChips:
        """Take a losing bet, or the part of it that played; a stack that cannot be split, whole."""
        lost, lay = line.stake - line.back, counted(stacks)
        chips = fewest_chips(lost, lay, self.marked)
        taken = stacked(lay, self.marked) if lost == line.stake or chips is None else chips
        for each in taken:
            self.held[each.chip] = self.held.get(each.chip, 0) + each.count
        return CollectedChips(line.box, line.position, lost, taken)

    def changes(self, line: CollectedChips) -> CollectedChips:
        """Give back what was collected beyond what was lost."""
        over = value_of(line.chips, self.marked) - line.amount
        if not over:
            return line
        change = self._give(line.seat, over)
        return CollectedChips(line.box, line.seat, line.amount, line.chips, change or ())

    def pays(self, line: SettledLine) -> PaidChips:
        """Pay a winning bet in the fewest chips, the player's own colour among them."""
        return PaidChips(line.box, line.position, line.won, self._give(line.position, line.won))

    def _give(self, seat: str, amount: int) -> Chips | None:
        self.given += amount
        own = self.own.get(seat)
        held = {
            chip: count for chip, count in self.held.items() if isinstance(chip, int) or chip == own
        }
        chips = fewest_chips(amount, held, self.marked)
        if chips is None:
            self.missing.append(amount)
            return None
        for each in chips:
            self.held[each.chip] -= each.count
        return chips


@command(at=CHIP_TABLE, by=PLACING)
class PayWinners(Command, frozen=True):
    """Say that the losing bets are collected and the winning ones paid."""


@event(at=CHIP_TABLE, significant=False, posts=False)
class WinnersPaid(Event, frozen=True):
    """The losing bets are collected and the winning ones paid, and the dealer says so."""

    round: int
    collected: Chips
    paid: Chips
    by: str


@decides
def pay_winners(state: TableState, _command: PayWinners, actor: Actor, _at: Instant) -> Decision:
    """Say that the layout is collected and paid; who walked away has their money set aside.

    [div9 6.5]
    """
    chip_table = chip_table_of(state)
    if not chip_table.paying:
        return refuse("NOTHING_TO_PAY")
    guide = payout_guide(state)
    refusal = short_refusal(guide)
    if refusal is not None:
        return refusal
    collected = counted(each for line in guide.collect for each in line.chips)
    paid = counted(
        each
        for chips in (
            *(line.change for line in guide.collect),
            *(line.chips or () for line in guide.pay),
        )
        for each in chips
    )
    event = WinnersPaid(
        round=state.round,
        collected=stacked(collected, chip_table.marked),
        paid=stacked(paid, chip_table.marked),
        by=actor.person,
    )
    return (event, *set_aside_unclaimed(state))


def payout_guide(state: TableState) -> Guide:
    """List what to collect and what to pay, in the order a dealer works the layout [div9 6.5]."""
    chip_table = chip_table_of(state)
    if not chip_table.paying:
        return Guide()
    table = pay_table_in_force(state)
    areas = [area.box for area in table.layout.areas]
    place = {box: position for position, box in reversed(list(enumerate(areas)))}
    lines = sorted(state.history[state.round].lines, key=lambda line: place[line.box])
    lists = _Lists(chip_table, lines, _stacks(chip_table))
    return Guide(tuple(lists.collect), tuple(lists.pay), _fill_wanted(lists))


def _stacks(chip_table: ChipTable) -> dict[tuple[str, str], list[Pieces]]:
    """Find what each player has on each box, all at once."""
    found: dict[tuple[str, str], list[Pieces]] = {}
    for stack in chip_table.stacks:
        found.setdefault((stack.seat, stack.box), []).extend(stack.chips)
    return found


def _fill_wanted(lists: _Lists) -> Chips:
    """Name the fill that lets everybody be paid: what is missing to each, in chips of its own."""
    if not lists.missing:
        return ()
    chips = lists.chip_table.chip_set
    fill = counted(each for amount in lists.missing for each in plain_chips(amount, chips.values))
    if lists.with_fill(fill).missing:
        # The large ones would go to somebody else. With all of it in the smallest there is change
        # for everybody.
        fill = {chips.smallest: lists.given // chips.smallest}
    return stacked(fill, {})


def short_refusal(guide: Guide) -> Refusal | None:
    """Refuse to pay out of a rack that cannot pay everybody."""
    if not guide.wanted:
        return None
    return refuse("RACK_SHORT", amount_cents=value_of(guide.wanted, {}))


@applies
def winners_paid(state: TableState, event: WinnersPaid) -> None:
    chip_table = chip_table_of(state)
    put_in(chip_table, event.collected)
    take_out(chip_table, event.paid)
    chip_table.paying = False
    chip_table.due = 0
    chip_table.stacks = []


def owe_payment(chip_table: ChipTable, collected: int, paid: int, *, unpaid: bool) -> None:
    """Have the layout collected and paid before anything else; the money has moved already."""
    chip_table.paying = unpaid
    chip_table.due = paid - collected
    day = day_of(chip_table)
    day.collected += collected
    day.paid += paid


def settle_stacks(state: TableState, result: Result) -> tuple[Settled, tuple[PlayedPart, ...]]:
    """Settle what is on the layout, and tell whose bets were outside the limits [D2, D3]."""
    both = _playing(state)
    stakes = ((bet.player, {bet.box: bet.stake}) for bet, _ in both)
    idle = {(bet.player, bet.box): bet.stake - part.stake for bet, part in both}
    return settle_stakes(pay_table_in_force(state), result, stakes, idle), _all_told(state, both)


def played_parts(state: TableState) -> tuple[PlayedPart, ...]:
    """Give whose bets on the layout are outside the limits, and what of each plays [D2, D3]."""
    return _all_told(state, _playing(state))


def _playing(state: TableState) -> list[tuple[Bet, Playing]]:
    """Find what plays of all that is on the layout, seat by seat."""
    chip_table = chip_table_of(state)
    bets = sum_by_player_and_box(
        Bet(stack.seat, stack.box, stack.amount) for stack in chip_table.stacks
    )
    playing = playing_stakes(pay_table_in_force(state), bets, limits_in_force(state))
    order = {seat: position for position, seat in enumerate(state.positions)}
    return sorted(zip(bets, playing, strict=True), key=lambda each: order[each[0].player])


def _all_told(state: TableState, both: list[tuple[Bet, Playing]]) -> tuple[PlayedPart, ...]:
    rules = pay_table_in_force(state).limit_rules
    return tuple(
        _told(bet, part, rules) for bet, part in both if part.by is not Apportionment.WHOLE
    )


def _told(bet: Bet, part: Playing, rules: LimitsContent) -> PlayedPart:
    clauses = {
        Apportionment.UNDER_MINIMUM: rules.stands_clause,
        Apportionment.EXEMPT: rules.exempt_clause,
    }
    clause = clauses.get(part.by, rules.pro_rata_clause)
    return PlayedPart(bet.player, bet.box, bet.stake, part.stake, part.by.value, clause)
