"""Working out a layout: what plays, what is collected, what is paid in which chips.

The losing bets are collected first, then the winning ones are paid, both in the order of the layout
[div9 6.5]. The lists follow from the layout and the dice: a correction before the round is paid
changes them, and they then list which collected chips go back [D23].
"""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from taisai.core.kernel.messages import PlayedPart, SettledLine
from taisai.core.rules.apportionment import Apportionment, Playing, clause_of, playing_stakes
from taisai.core.rules.bets import Bet, sum_by_player_and_box
from taisai.core.rules.dice import Result, result_of
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.settlement import Settled, settle_stakes
from taisai.core.table.chips.pieces import (
    Chips,
    CollectedChips,
    Pieces,
    counted,
    fewest_chips,
    plain_chips,
    stacked,
    value_of,
)
from taisai.core.table.chips.rulings import part_step, ruling_refusal
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.state import (
    Phase,
    TableState,
    chip_table_of,
    ground_of,
    in_force,
    limits_in_force,
    pay_table_in_force,
)


class PaidChips(Struct, frozen=True, array_like=True, gc=False):
    """Chips to pay beside a bet, from the bottom up; null where the rack cannot make it up."""

    box: str
    seat: str
    amount: int
    chips: Chips | None


class Guide(Struct, frozen=True):
    """The lists of a round, and the fill that is wanted for them.

    Collected chips of bets that are not lost after all go back first; then the losing bets still on
    the layout are collected, then the winning ones are paid.
    """

    put_back: tuple[CollectedChips, ...] = ()
    collect: tuple[CollectedChips, ...] = ()
    pay: tuple[PaidChips, ...] = ()
    wanted: Chips = ()


class _Lists:
    """The lists of a layout, worked out with the chips in the rack and those of a fill."""

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
        lost = [
            self._lost(line, stacks[line.position, line.box])
            for line in lines
            if line.stake > line.back
        ]
        had, still_lost = {each.lost for each in chip_table.collected}, set(lost)
        self.put_back = [each for each in chip_table.collected if each.lost not in still_lost]
        for each in self.put_back:
            rack.give_back(each)
        collect = [each for each in lost if each not in had]
        for each in collect:
            rack.take(each.chips)
        self.collect = [rack.changes(each) for each in collect]
        self.pay = [rack.pays(line) for line in lines if line.won]
        for seat in chip_table.walked_away:
            rack.sets_aside(seat)
        self.missing = rack.missing
        self.given = rack.given

    def _lost(self, line: SettledLine, stacks: list[Pieces]) -> CollectedChips:
        """Find the chips of the lost part of a bet; all its chips, if they cannot be split."""
        marked = self.chip_table.marked
        lost, lay = line.stake - line.back, counted(stacks)
        chips = fewest_chips(lost, lay, marked)
        taken = stacked(lay, marked) if lost == line.stake or chips is None else chips
        return CollectedChips(line.box, line.position, lost, taken)

    def with_fill(self, fill: Mapping[int | str, int]) -> "_Lists":
        """Work out the lists again with a fill."""
        return _Lists(self.chip_table, self.lines, self.stacks, fill)


class _Rack:
    """A copy of the rack, chip by chip, while a layout is collected and paid."""

    def __init__(self, chip_table: ChipTable, fill: Mapping[int | str, int]) -> None:
        self.marked = chip_table.marked
        self.pieces = chip_table.chip_set.pieces
        self.own = {each.seat: colour for colour, each in chip_table.colours.items()}
        self.held = counted(
            Pieces(chip, count)
            for held in (chip_table.value_chips, fill)
            for chip, count in held.items()
        )
        for colour, each in chip_table.colours.items():
            self.held[colour] = self.pieces - each.out
        #: The total that is handed out, and the amounts that the rack does not have the chips for.
        self.given = 0
        self.missing: list[int] = []

    def take(self, chips: Chips) -> None:
        """Put chips into the rack."""
        for each in chips:
            self.held[each.chip] = self.held.get(each.chip, 0) + each.count

    def give_back(self, line: CollectedChips) -> None:
        """Put collected chips back on the layout, the same ones, and take their change back."""
        for each in line.chips:
            self.held[each.chip] -= each.count
        self.take(line.change)

    def changes(self, line: CollectedChips) -> CollectedChips:
        """Give change for chips that were worth more than what was lost."""
        over = value_of(line.chips, self.marked) - line.amount
        if not over:
            return line
        change = self._give(line.seat, over)
        return CollectedChips(line.box, line.seat, line.amount, line.chips, change or ())

    def pays(self, line: SettledLine) -> PaidChips:
        """Pay a winning bet in the fewest chips, the player's own colour among them."""
        return PaidChips(line.box, line.position, line.won, self._give(line.position, line.won))

    def sets_aside(self, seat: str) -> None:
        """Change the pieces of a player who walked away into value chips, which are set aside."""
        colour = self.own.pop(seat, None)
        if colour is not None:
            self._give(seat, (self.pieces - self.held[colour]) * self.marked[colour])

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


def payout_guide(state: TableState) -> Guide:
    """List what to collect and what to pay by the layout and the confirmed dice.

    After a void round, list the collected chips that go back.
    """
    if state.phase is not Phase.CONFIRMED or state.faces is None:
        return Guide(put_back=chip_table_of(state).put_back)
    return guide_to(state, settle_stacks(state, result_of(state.faces))[0].lines)


def guide_by_hand(state: TableState, settled: tuple[SettledLine, ...]) -> Guide:
    """List what was collected and paid by hand, as if the recorded rack had the chips [D27].

    The rack's worth is still right, and the next count corrects its denominations.
    """
    lists = _lists(state, settled)
    wanted = _fill_wanted(lists)
    return _guide(lists.with_fill(counted(wanted)) if wanted else lists)


def guide_to(state: TableState, settled: tuple[SettledLine, ...]) -> Guide:
    """List what to collect and what to pay, in the order a dealer works the layout [div9 6.5]."""
    return _guide(_lists(state, settled))


def _lists(state: TableState, settled: tuple[SettledLine, ...]) -> _Lists:
    chip_table = chip_table_of(state)
    areas = [area.box for area in pay_table_in_force(state).layout.areas]
    place = {box: position for position, box in reversed(list(enumerate(areas)))}
    lines = sorted(settled, key=lambda line: place[line.box])
    return _Lists(chip_table, lines, _stacks(chip_table))


def _guide(lists: _Lists) -> Guide:
    return Guide(tuple(lists.put_back), tuple(lists.collect), tuple(lists.pay), _fill_wanted(lists))


def _stacks(chip_table: ChipTable) -> dict[tuple[str, str], list[Pieces]]:
    """Find what each player has on each box, all at once."""
    found: dict[tuple[str, str], list[Pieces]] = {}
    for stack in chip_table.stacks:
        found.setdefault((stack.seat, stack.box), []).extend(stack.chips)
    return found


def _fill_wanted(lists: _Lists) -> Chips:
    """Find the fill with which everybody can be paid: each missing amount in its own chips."""
    if not lists.missing:
        return ()
    chips = lists.chip_table.chip_set
    fill = counted(each for amount in lists.missing for each in plain_chips(amount, chips.values))
    if lists.with_fill(fill).missing:
        # Large chips would be paid to another player. With all of it in the smallest there is
        # change for everybody.
        fill = {chips.smallest: lists.given // chips.smallest}
    return stacked(fill, {})


def collection_refusal(state: TableState, guide: Guide) -> Refusal | None:
    """Refuse to collect if a bet awaits a ruling, nothing is lost, or there is no change."""
    refusal = ruling_refusal(state)
    if refusal is not None:
        return refusal
    if not guide.collect and not guide.put_back:
        clause = in_force(state).content.procedure.settlement.clause
        return refuse("NOTHING_TO_COLLECT", clause)
    marked = chip_table_of(state).marked
    if all(
        value_of(line.chips, marked) - value_of(line.change, marked) == line.amount
        for line in guide.collect
    ):
        return None
    return _short_refusal(guide)


def payment_refusal(state: TableState, guide: Guide) -> Refusal | None:
    """Refuse to pay before the losing bets are collected, or from a rack without the chips [D23].

    Bets that await a ruling are ruled on before both [D22].

    The order holds only if the document has one: else paying also collects the losing bets [D29].
    """
    refusal = ruling_refusal(state)
    if refusal is not None:
        return refusal
    settlement = in_force(state).content.procedure.settlement
    if settlement.order is not None and (guide.put_back or guide.collect):
        return refuse("LOSERS_FIRST", settlement.clause)
    return _short_refusal(guide)


def _short_refusal(guide: Guide) -> Refusal | None:
    """Refuse if the rack needs a fill first."""
    return refuse("RACK_SHORT", amount_cents=value_of(guide.wanted, {})) if guide.wanted else None


def unclaimed_refusal(state: TableState) -> Refusal | None:
    """Refuse to set aside what a void round gave back, from a rack without the value chips."""
    if state.chips is None or not state.chips.walked_away or state.pay_table is None:
        return None
    return _short_refusal(guide_to(state, ()))


def chips_paid(guide: Guide, marked: Mapping[str, int]) -> Chips:
    """Add up the chips of the pay list."""
    return stacked(counted(each for line in guide.pay for each in line.chips or ()), marked)


def settle_stacks(state: TableState, result: Result) -> tuple[Settled, tuple[PlayedPart, ...]]:
    """Settle the bets on the layout, and list those that were outside the limits [D2, D3]."""
    both = playing_of(state)
    stakes = ((bet.player, {bet.box: bet.stake}) for bet, _ in both)
    idle = {(bet.player, bet.box): bet.stake - part.stake for bet, part in both}
    return settle_stakes(pay_table_in_force(state), result, stakes, idle), _all_told(state, both)


def played_parts(state: TableState) -> tuple[PlayedPart, ...]:
    """List the bets on the layout outside the limits, and how much of each plays [D2, D3]."""
    return _all_told(state, playing_of(state))


def playing_of(state: TableState) -> list[tuple[Bet, Playing]]:
    """Find how much of each bet on the layout plays, seat by seat."""
    chip_table = chip_table_of(state)
    bets = sum_by_player_and_box(
        [Bet(stack.seat, stack.box, stack.amount) for stack in chip_table.stacks]
    )
    payable = [_payable(state, bet) for bet in bets]
    shared = playing_stakes(pay_table_in_force(state), payable, limits_in_force(state))
    ruled = {(each.seat, each.box) for each in chip_table.ruled}
    playing = [
        _played(bet, able, part, ruled=(bet.player, bet.box) in ruled)
        for bet, able, part in zip(bets, payable, shared, strict=True)
    ]
    order = {seat: position for position, seat in enumerate(state.positions)}
    return sorted(zip(bets, playing, strict=True), key=lambda each: order[each[0].player])


def _played(bet: Bet, able: Bet, part: Playing, *, ruled: bool) -> Playing:
    """Say what decides how much of a bet plays: a limit, a ruling, whole chips, or its stake."""
    if part.stake < able.stake or (able == bet and not ruled):
        return part
    return Playing(able.stake, Apportionment.RULED if ruled else Apportionment.WHOLE_CHIPS)


def _payable(state: TableState, bet: Bet) -> Bet:
    """Give how much of a bet can be paid in whole chips whatever the dice show [D22].

    At whole odds that is all of it; of a bet that was ruled on, the part that may play.
    """
    for ruled in chip_table_of(state).ruled:
        if (ruled.seat, ruled.box) == (bet.player, bet.box):
            bet = Bet(bet.player, bet.box, ruled.plays)
    unit = part_step(state, bet.box)
    return Bet(bet.player, bet.box, bet.stake - bet.stake % unit)


def _all_told(state: TableState, both: list[tuple[Bet, Playing]]) -> tuple[PlayedPart, ...]:
    return tuple(
        _told(state, bet, part) for bet, part in both if part.by is not Apportionment.WHOLE
    )


def _told(state: TableState, bet: Bet, part: Playing) -> PlayedPart:
    clause = clause_of(pay_table_in_force(state).limit_rules, part.by)
    if part.by is Apportionment.RULED:
        clause = ground_of(state, None)
    return PlayedPart(bet.player, bet.box, bet.stake, part.stake, part.by.value, clause)
