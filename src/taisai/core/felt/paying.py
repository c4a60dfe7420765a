"""Settling a felt and paying it: what plays, what is collected, what is paid and in which chips.

The losing bets are collected first, then the winning ones are paid, both in the order of the layout
[div9 6.5]. No bet is placed until that is done, and the dealer says so [div9 4.4].
"""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from taisai.core.chips import Chips, Pieces, counted, fewest_chips, plain_chips, stacked, value_of
from taisai.core.decision import Decision, limits_in_force, pay_table_in_force
from taisai.core.events import WinnersPaid
from taisai.core.felt.common import felt_of
from taisai.core.felt.seats import keep_money
from taisai.core.felt_state import Felt
from taisai.core.messages import Actor, PlayedPart, SettledLine
from taisai.core.rules.apportionment import Apportionment, Playing, playing_stakes
from taisai.core.rules.bets import Bet, sum_by_player_and_box
from taisai.core.rules.dice import Result
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.schema import LimitsContent
from taisai.core.settling import Part, Settled, settle_parts
from taisai.core.table_state import TableState


class CollectLine(Struct, frozen=True):
    """Chips to take off a box; where a stack cannot be split, what goes back out of the rack."""

    box: str
    seat: str
    amount: int
    chips: Chips
    change: Chips = ()


class PayLine(Struct, frozen=True):
    """Chips to pay beside a bet, from the bottom up; None where the rack cannot make it up."""

    box: str
    seat: str
    amount: int
    chips: Chips | None


class Guide(Struct, frozen=True):
    """The collect list and the pay list of a round, and the fill that is wanted to pay it."""

    collect: tuple[CollectLine, ...] = ()
    pay: tuple[PayLine, ...] = ()
    wanted: Chips = ()


def settle_felt(state: TableState, result: Result) -> tuple[Settled, tuple[PlayedPart, ...]]:
    """Settle what lies on the layout, and tell whose bets were outside the limits [D2, D3]."""
    both = _playing(state)
    parts = [Part(bet.player, bet.box, bet.stake, part.stake) for bet, part in both]
    return settle_parts(pay_table_in_force(state), result, parts), _all_told(state, both)


def played_parts(state: TableState) -> tuple[PlayedPart, ...]:
    """Tell whose bets on the layout are outside the limits, and what of each plays [D2, D3]."""
    return _all_told(state, _playing(state))


def _playing(state: TableState) -> list[tuple[Bet, Playing]]:
    """Find what plays of all that lies there, seat by seat."""
    felt = felt_of(state)
    bets = sum_by_player_and_box(Bet(stack.seat, stack.box, stack.amount) for stack in felt.lying)
    playing = playing_stakes(pay_table_in_force(state), bets, limits_in_force(state))
    order = {seat: position for position, seat in enumerate(state.terminals)}
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


def payout_guide(state: TableState) -> Guide:
    """List what to collect and what to pay, in the order a dealer works the layout."""
    felt = felt_of(state)
    if not felt.paying:
        return Guide()
    table = pay_table_in_force(state)
    areas = [area.box for area in table.layout.areas]
    place = {box: position for position, box in reversed(list(enumerate(areas)))}
    lines = sorted(state.history[state.round].lines, key=lambda line: place[line.box])
    lists = _Lists(felt, lines, _stacks(felt))
    return Guide(tuple(lists.collect), tuple(lists.pay), _fill_wanted(lists))


def _stacks(felt: Felt) -> dict[tuple[str, str], list[Pieces]]:
    """Find what each player has on each box, all at once."""
    found: dict[tuple[str, str], list[Pieces]] = {}
    for stack in felt.lying:
        found.setdefault((stack.seat, stack.box), []).extend(stack.chips)
    return found


class _Lists:
    """The lists of a layout, worked out with what is in the rack and what a fill would add."""

    def __init__(
        self,
        felt: Felt,
        lines: list[SettledLine],
        stacks: dict[tuple[str, str], list[Pieces]],
        fill: Mapping[int | str, int] = MappingProxyType({}),
    ) -> None:
        self.felt = felt
        self.lines = lines
        self.stacks = stacks
        rack = _Rack(felt, fill)
        collect = [
            rack.collects(line, stacks[line.terminal, line.box])
            for line in lines
            if line.stake > line.back
        ]
        self.collect = [rack.changes(line) for line in collect]
        self.pay = [rack.pays(line) for line in lines if line.won]
        self.missing = rack.missing
        self.given = rack.given

    def with_fill(self, fill: Mapping[int | str, int]) -> "_Lists":
        """Work them out anew with a fill."""
        return _Lists(self.felt, self.lines, self.stacks, fill)


def _fill_wanted(lists: _Lists) -> Chips:
    """Name the fill that lets everybody be paid: what is missing to each, in chips of its own."""
    if not lists.missing:
        return ()
    chips = lists.felt.chips
    fill = counted(each for amount in lists.missing for each in plain_chips(amount, chips.values))
    if lists.with_fill(fill).missing:
        # The large ones would go to somebody else. With all of it in the smallest there is change
        # for everybody.
        fill = {chips.smallest: lists.given // chips.smallest}
    return stacked(fill, {})


class _Rack:
    """The rack as it will be, chip by chip, while a layout is collected and paid."""

    def __init__(self, felt: Felt, fill: Mapping[int | str, int]) -> None:
        self.marked = felt.marked
        self.own = {each.seat: colour for colour, each in felt.colours.items()}
        self.held = counted(
            Pieces(chip, count) for held in (felt.value_chips, fill) for chip, count in held.items()
        )
        for colour, each in felt.colours.items():
            self.held[colour] = felt.chips.pieces - each.out
        #: What is handed out in all, and of that what the rack cannot make up.
        self.given = 0
        self.missing: list[int] = []

    def collects(self, line: SettledLine, stacks: list[Pieces]) -> CollectLine:
        """Take a losing bet, or the part of it that played; a stack that cannot be split, whole."""
        lost, lay = line.stake - line.back, counted(stacks)
        chips = fewest_chips(lost, lay, self.marked)
        taken = stacked(lay, self.marked) if lost == line.stake or chips is None else chips
        for each in taken:
            self.held[each.chip] = self.held.get(each.chip, 0) + each.count
        return CollectLine(line.box, line.terminal, lost, taken)

    def changes(self, line: CollectLine) -> CollectLine:
        """Give back what was collected beyond what was lost."""
        over = value_of(line.chips, self.marked) - line.amount
        if not over:
            return line
        change = self._give(line.seat, over)
        return CollectLine(line.box, line.seat, line.amount, line.chips, change or ())

    def pays(self, line: SettledLine) -> PayLine:
        """Pay a winning bet in the fewest chips, the player's own colour among them."""
        return PayLine(line.box, line.terminal, line.won, self._give(line.terminal, line.won))

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


def short_refusal(guide: Guide) -> Refusal | None:
    """Refuse to pay out of a rack that cannot pay everybody."""
    if not guide.wanted:
        return None
    return refuse("RACK_SHORT", amount_cents=value_of(guide.wanted, {}))


def pay_winners(state: TableState, actor: Actor) -> Decision:
    """Say that the layout is collected and paid; who walked away has their money kept."""
    felt = felt_of(state)
    if not felt.paying:
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
        collected=stacked(collected, felt.marked),
        paid=stacked(paid, felt.marked),
        by=actor.person,
    )
    return (event, *keep_money(state))
