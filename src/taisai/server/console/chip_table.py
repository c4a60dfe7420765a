"""A chip table as its staff see it: seats, stacks, what is outside the limits, rack and lists."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, islice
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from taisai.core.cage.state import session_code
from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import PlayedPart
from taisai.core.rules.apportionment import why_part
from taisai.core.rules.limit_checks import Notice
from taisai.core.table.chips.gaming_day import date_after
from taisai.core.table.chips.layout_bets import (
    is_late,
    is_short,
    limit_notices,
    reading_refusal,
)
from taisai.core.table.chips.payout import Guide, PaidChips, played_parts
from taisai.core.table.chips.pieces import Chips, CollectedChips, counted, stacked
from taisai.core.table.chips.rulings import AwaitsRuling, bets_to_rule, part_step
from taisai.core.table.chips.state import ChipTable, Day, Stack
from taisai.core.table.positions import newest_session
from taisai.core.table.state import NOT_OPEN, Phase, TableState, ground_of
from taisai.protocol import FRAME_MAX
from taisai.protocol import chip_table as f
from taisai.protocol.server_messages import ChipTableView
from taisai.protocol.views import view_from
from taisai.wording import name, say

#: A chip table takes three quarters of a frame at the most, and the sentences of a list a sixth.
ROOM = FRAME_MAX * 3 // 4
SENTENCES_ROOM = FRAME_MAX // 6
#: The most items shown of a kind: of unclaimed amounts the newest, of those on their way the
#: oldest; and of sentences, which are more work than all the rest.
SHOWN_MAX = 64

Reading = Literal["open", "closed", "late"]
_encode = msgspec.json.Encoder().encode
_Item = TypeVar(
    "_Item", f.ChipStack, f.LimitNotice, f.PartPlayed, f.BetToRule, PaidChips, CollectedChips
)

_OUTSIDE: dict[str, f.Outside] = {
    "ABOVE_MAXIMUM_OF_BOX": "maximum",
    "ABOVE_MAXIMUM_OF_PLAYER": "maximum",
    "ABOVE_DIFFERENTIAL": "differential",
    "BELOW_MINIMUM": "minimum",
}


class Surroundings(NamedTuple):
    """The venue around a chip table: today's gaming day, and the fills on their way."""

    date: str
    fills: Mapping[str, int]
    #: The key from which the codes of sessions are derived; None before the cage was read.
    key: bytes | None = None


def chip_table_views(
    state: TableState,
    chip_table: ChipTable,
    languages: Iterable[str],
    around: Surroundings,
    guide: Guide,
) -> dict[str, ChipTableView]:
    """Show a chip table in some languages; the parts without words are computed once."""
    view = _view(state, chip_table, around, guide)
    stacks = _stacks(chip_table)
    noticed = limit_notices(state) if state.phase is Phase.BETTING else []
    played = played_parts(state) if state.phase is Phase.CONFIRMED else ()
    waiting = list(bets_to_rule(state))
    found: dict[str, ChipTableView] = {}
    for language in languages:
        room = _Room(view)
        to_rule = room.take(
            [_to_rule(state, each, language) for each in waiting[:SHOWN_MAX]], SENTENCES_ROOM
        )
        notices = room.take(
            [_notice(each, language) for each in noticed[:SHOWN_MAX]], SENTENCES_ROOM
        )
        parts = room.take([_part(each, language) for each in played[:SHOWN_MAX]], SENTENCES_ROOM)
        guided = view.guide and _guided(view.guide, guide, parts, len(played), room)
        shown = room.take(stacks)
        found[language] = replace(
            view,
            notices=notices,
            more_notices=len(noticed) - len(notices),
            guide=guided,
            stacks=shown,
            more_stacks=len(stacks) - len(shown),
            to_rule=to_rule,
            more_to_rule=len(waiting) - len(to_rule),
        )
    return found


def _view(
    state: TableState, chip_table: ChipTable, around: Surroundings, guide: Guide
) -> ChipTableView:
    """Show everything but the lists that may be too long for a message."""
    return ChipTableView(
        table=state.table,
        chip_set=chip_table.chip_set,
        seats=tuple(_seat(state, chip_table, seat, around.key) for seat in chip_table.seated),
        stacks=(),
        notices=(),
        rack=None if is_counted_blind(state) else stacked(chip_table.value_chips, {}),
        rack_value=None if is_counted_blind(state) else chip_table.rack_value,
        colours=_colours_in_rack(chip_table),
        paying=chip_table.paying,
        reading=_reading(state),
        returning=_returning(state, chip_table),
        mixed=_mixed(state, chip_table),
        next_date=date_after(chip_table.last_date, around.date),
        guide=_sums(state, guide) if _has_lists(state, guide) else None,
        day=None if chip_table.day is None else day_shown(chip_table.day),
        unclaimed=_money(list(state.unclaimed.items())[-SHOWN_MAX:]),
        more_unclaimed=max(0, len(state.unclaimed) - SHOWN_MAX),
        recovering=_money(chip_table.recovering.items()),
        fills=_money(islice(around.fills.items(), SHOWN_MAX)),
        credits=_money(
            (transit, sent.amount)
            for transit, sent in islice(chip_table.credits_open.items(), SHOWN_MAX)
        ),
    )


def _reading(state: TableState) -> Reading | None:
    """Ask the rules whether stacks can be recorded now, and whether a supervisor agrees to them."""
    refusal = reading_refusal(state)
    if refusal is not None:
        return None
    if is_late(state):
        return "late"
    return "open" if state.phase is Phase.BETTING else "closed"


def _returning(state: TableState, chip_table: ChipTable) -> tuple[f.ChipStack, ...]:
    """Show stacks that were advised and are still short, as long as they will be given back."""
    if state.uncovered or state.phase not in (Phase.BETTING, Phase.NO_MORE_BETS):
        return ()
    return tuple(
        each
        for each in _stacks(chip_table)
        if (each.seat, each.box) in chip_table.advised and is_short(state, each.seat, each.box)
    )[:SHOWN_MAX]


def _mixed(state: TableState, chip_table: ChipTable) -> tuple[f.ChipStack, ...]:
    """Show the stacks that mix value and colour chips and can still be corrected."""
    if state.phase is not Phase.BETTING or not chip_table.mixed:
        return ()
    stacks = _stacks(chip_table)
    return tuple(each for each in stacks if (each.seat, each.box) in chip_table.mixed)[:SHOWN_MAX]


def _to_rule(state: TableState, bet: AwaitsRuling, language: str) -> f.BetToRule:
    sentence = name("irregularities", bet.why, language)
    step = part_step(state, bet.box)
    clause = ground_of(state, None)
    return view_from(f.BetToRule, bet, sentence=sentence, step=step, clause=clause)


class _Room:
    """The bytes of a message that are left for its lists, so that it always fits a frame."""

    def __init__(self, view: ChipTableView) -> None:
        self.left = ROOM - len(_encode(view))

    def take(self, items: Sequence[_Item], most: int = ROOM) -> tuple[_Item, ...]:
        """Take a list, or as many of its first items as there is room for."""
        most = min(most, self.left)
        if len(_encode(items)) > most:
            ends = list(accumulate(len(_encode(each)) + 1 for each in items))
            items = items[: bisect_right(ends, most)]
        self.left -= len(_encode(items))
        return tuple(items)


def _money(amounts: Iterable[tuple[str, int]]) -> tuple[f.SeatMoney, ...]:
    return tuple(f.SeatMoney(name, amount) for name, amount in amounts)


def _seat(state: TableState, chip_table: ChipTable, seat: str, key: bytes | None) -> f.ChipSeat:
    colour, position = chip_table.colour_of(seat), state.positions[seat]
    session = newest_session(position, seat)
    return f.ChipSeat(
        seat=seat,
        away=chip_table.seated[seat],
        colour=colour,
        value=None if colour is None else chip_table.colours[colour].value,
        pieces=0 if colour is None else chip_table.in_front(colour),
        credits=state.ledger.balance(credits_of(seat)),
        staked=sum(position.bets.values()),
        session="" if key is None else session_code(key, state.table, session),
    )


def _stacks(chip_table: ChipTable) -> list[f.ChipStack]:
    """Join the stacks that each player has on each box, as the dealer sees them."""
    together: dict[tuple[str, str], list[Stack]] = {}
    for stack in chip_table.stacks:
        together.setdefault((stack.seat, stack.box), []).append(stack)
    return [
        f.ChipStack(
            seat=seat,
            box=box,
            amount=sum(each.amount for each in stacks),
            chips=_all_of(stacks, chip_table),
            oral=any(each.oral for each in stacks),
        )
        for (seat, box), stacks in together.items()
    ]


def _all_of(stacks: list[Stack], chip_table: ChipTable) -> Chips:
    return stacked(counted(each for stack in stacks for each in stack.chips), chip_table.marked)


def _notice(notice: Notice, language: str) -> f.LimitNotice:
    sentence = say(notice.reason, language)
    outside = _OUTSIDE[notice.reason.code]
    return view_from(f.LimitNotice, notice, seat=notice.player, outside=outside, sentence=sentence)


def _colours_in_rack(chip_table: ChipTable) -> dict[str, int]:
    out = {colour: each.out for colour, each in chip_table.colours.items()}
    return {
        colour: chip_table.chip_set.pieces - out.get(colour, 0)
        for colour in chip_table.chip_set.colours
    }


def is_counted_blind(state: TableState) -> bool:
    """Say whether the rack is to be counted next: a closed table's is, before and after a day."""
    return state.phase in NOT_OPEN


def day_shown(day: Day) -> f.ChipDay:
    """Show the gaming day under way."""
    return f.ChipDay(day.date, day.opening, day.fills, day.credits, day.drop)


def _has_lists(state: TableState, guide: Guide) -> bool:
    """Say whether there are chips to collect, to pay or to put back, or were until now."""
    return bool(guide.put_back) or (state.phase is Phase.CONFIRMED and state.live > 0)


def _sums(state: TableState, guide: Guide) -> f.PayoutGuide:
    return f.PayoutGuide(
        round=state.round,
        put_back=guide.put_back,
        collect=(),
        collected=sum(each.amount for each in guide.collect),
        pay=(),
        paid=sum(each.amount for each in guide.pay),
        wanted=guide.wanted,
        parts=(),
    )


def _guided(
    sums: f.PayoutGuide, guide: Guide, parts: tuple[f.PartPlayed, ...], played: int, room: _Room
) -> f.PayoutGuide:
    """List what to pay and to collect, and which bets outside the limits played in part."""
    pay, collect = room.take(guide.pay), room.take(guide.collect)
    return replace(
        sums,
        collect=collect,
        more_collect=len(guide.collect) - len(collect),
        pay=pay,
        more_pay=len(guide.pay) - len(pay),
        parts=parts,
        more_parts=played - len(parts),
    )


def _part(part: PlayedPart, language: str) -> f.PartPlayed:
    sentence = say(why_part(part), language)
    return f.PartPlayed(part.position, part.box, part.stake, part.playing, sentence, part.clause)
