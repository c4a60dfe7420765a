"""A chip table as its staff see it: seats, stacks, what is outside the limits, rack and lists."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, islice
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from taisai.core.kernel.ledger import DROP, credits_of
from taisai.core.kernel.messages import PlayedPart
from taisai.core.rules.apportionment import why_part
from taisai.core.rules.limit_checks import Notice
from taisai.core.table.chips.gaming_day import date_after
from taisai.core.table.chips.layout_bets import limit_notices
from taisai.core.table.chips.payout import Guide, played_parts
from taisai.core.table.chips.pieces import Chips, counted, stacked
from taisai.core.table.chips.state import ChipTable, Day, Stack
from taisai.core.table.state import Phase, TableState
from taisai.protocol import FRAME_MAX
from taisai.protocol import chip_table as f
from taisai.protocol.server_messages import Felt as FeltTold
from taisai.wording import say

#: A chip table takes three quarters of a frame at the most, and the sentences of a list a sixth.
ROOM = FRAME_MAX * 3 // 4
SENTENCES_ROOM = FRAME_MAX // 6
#: So much of a kind is shown at the most: amounts that are kept, the newest, or on their way, the
#: oldest; and sentences, which are more work than all the rest.
SHOWN_MAX = 64

_encode = msgspec.json.Encoder().encode
_Item = TypeVar("_Item", f.FeltStack, f.FeltNotice, f.FeltPart, f.FeltPay, f.FeltCollect)

_OUTSIDE: dict[str, f.Outside] = {
    "ABOVE_MAXIMUM_OF_BOX": "maximum",
    "ABOVE_MAXIMUM_OF_PLAYER": "maximum",
    "ABOVE_DIFFERENTIAL": "differential",
    "BELOW_MINIMUM": "minimum",
}


class Surroundings(NamedTuple):
    """How the venue around a chip table stands: today's gaming day, fills on their way."""

    date: str
    fills: Mapping[str, int]


def felt_told(
    state: TableState,
    felt: ChipTable,
    languages: Iterable[str],
    around: Surroundings,
    guide: Guide,
) -> dict[str, FeltTold]:
    """Show a chip table in some languages; what hangs on none of them is worked out once."""
    told = _told(state, felt, around, guide)
    stacks, lists = _stacks(felt), _lists(guide)
    noticed = limit_notices(state) if state.phase is Phase.BETTING else []
    played = played_parts(state) if felt.paying else ()
    found: dict[str, FeltTold] = {}
    for language in languages:
        room = _Room(told)
        notices = room.take(
            [_notice(each, language) for each in noticed[:SHOWN_MAX]], SENTENCES_ROOM
        )
        parts = room.take([_part(each, language) for each in played[:SHOWN_MAX]], SENTENCES_ROOM)
        guided = told.guide and _guided(told.guide, lists, parts, len(played), room)
        shown = room.take(stacks)
        found[language] = replace(
            told,
            notices=notices,
            more_notices=len(noticed) - len(notices),
            guide=guided,
            stacks=shown,
            more_stacks=len(stacks) - len(shown),
        )
    return found


def _told(state: TableState, felt: ChipTable, around: Surroundings, guide: Guide) -> FeltTold:
    """Show everything but what may be too much for a message."""
    return FeltTold(
        table=state.table,
        chip_set=felt.chip_set,
        seats=tuple(_seat(state, felt, seat) for seat in felt.seated),
        stacks=(),
        notices=(),
        rack=stacked(felt.value_chips, {}),
        rack_value=felt.rack_value,
        colours=_colours_in_rack(felt),
        paying=felt.paying,
        next_date=date_after(felt.last_date, around.date),
        guide=_sums(state, guide) if felt.paying else None,
        day=None if felt.day is None else day_shown(state, felt.day),
        kept=_money(list(state.unclaimed.items())[-SHOWN_MAX:]),
        more_kept=max(0, len(state.unclaimed) - SHOWN_MAX),
        recovering=_money(felt.recovering.items()),
        fills=_money(islice(around.fills.items(), SHOWN_MAX)),
        credits=_money(
            (transit, sent.amount) for transit, sent in islice(felt.credits_open.items(), SHOWN_MAX)
        ),
    )


class _Room:
    """What is left of a message for its lists: what is on a table always fits into a frame."""

    def __init__(self, told: FeltTold) -> None:
        self.left = ROOM - len(_encode(told))

    def take(self, items: Sequence[_Item], most: int = ROOM) -> tuple[_Item, ...]:
        """Take a list, or as much of its beginning as there is room for."""
        most = min(most, self.left)
        if len(_encode(items)) > most:
            ends = list(accumulate(len(_encode(each)) + 1 for each in items))
            items = items[: bisect_right(ends, most)]
        self.left -= len(_encode(items))
        return tuple(items)


def _money(amounts: Iterable[tuple[str, int]]) -> tuple[f.FeltMoney, ...]:
    return tuple(f.FeltMoney(name, amount) for name, amount in amounts)


def _seat(state: TableState, felt: ChipTable, seat: str) -> f.FeltSeat:
    colour = felt.colour_of(seat)
    return f.FeltSeat(
        seat=seat,
        away=felt.seated[seat],
        colour=colour,
        value=None if colour is None else felt.colours[colour].value,
        pieces=0 if colour is None else felt.in_front(colour),
        credits=state.ledger.balance(credits_of(seat)),
        staked=sum(state.positions[seat].bets.values()),
    )


def _stacks(felt: ChipTable) -> list[f.FeltStack]:
    """Put together what each player has on each box, as the dealer sees it."""
    together: dict[tuple[str, str], list[Stack]] = {}
    for stack in felt.stacks:
        together.setdefault((stack.seat, stack.box), []).append(stack)
    return [
        f.FeltStack(
            seat=seat,
            box=box,
            amount=sum(each.amount for each in stacks),
            chips=_all_of(stacks, felt),
            oral=any(each.oral for each in stacks),
        )
        for (seat, box), stacks in together.items()
    ]


def _all_of(stacks: list[Stack], felt: ChipTable) -> Chips:
    return stacked(counted(each for stack in stacks for each in stack.chips), felt.marked)


def _notice(notice: Notice, language: str) -> f.FeltNotice:
    return f.FeltNotice(
        box=notice.box,
        seat=notice.player,
        outside=_OUTSIDE[notice.reason.code],
        amount=notice.amount,
        sentence=say(notice.reason, language),
        clause=notice.clause,
    )


def _colours_in_rack(felt: ChipTable) -> dict[str, int]:
    out = {colour: each.out for colour, each in felt.colours.items()}
    return {colour: felt.chip_set.pieces - out.get(colour, 0) for colour in felt.chip_set.colours}


def day_shown(state: TableState, day: Day) -> f.FeltDay:
    """Show the gaming day under way."""
    in_box = state.ledger.balance(DROP)
    return f.FeltDay(day.date, day.opening, day.fills, day.credits, day.drop, in_box)


_Lists = tuple[list[f.FeltPay], list[f.FeltCollect]]


def _sums(state: TableState, guide: Guide) -> f.FeltGuide:
    return f.FeltGuide(
        round=state.round,
        collect=(),
        collected=sum(each.amount for each in guide.collect),
        pay=(),
        paid=sum(each.amount for each in guide.pay),
        wanted=guide.wanted,
        parts=(),
    )


def _lists(guide: Guide) -> _Lists:
    pay = [f.FeltPay(each.box, each.seat, each.amount, each.chips) for each in guide.pay]
    collect = [
        f.FeltCollect(each.box, each.seat, each.amount, each.chips, each.change)
        for each in guide.collect
    ]
    return pay, collect


def _guided(
    sums: f.FeltGuide, lists: _Lists, parts: tuple[f.FeltPart, ...], played: int, room: _Room
) -> f.FeltGuide:
    """Say what to pay and to collect, and what played in part of the bets outside the limits."""
    pay, collect = room.take(lists[0]), room.take(lists[1])
    return replace(
        sums,
        collect=collect,
        more_collect=len(lists[1]) - len(collect),
        pay=pay,
        more_pay=len(lists[0]) - len(pay),
        parts=parts,
        more_parts=played - len(parts),
    )


def _part(part: PlayedPart, language: str) -> f.FeltPart:
    sentence = say(why_part(part), language)
    return f.FeltPart(part.position, part.box, part.stake, part.playing, sentence, part.clause)
