"""A felt table as its staff see it: seats, stacks, what is outside the limits, rack and lists."""

from collections.abc import Iterable, Mapping

from taisai.core.accounts import DROP, credits_of
from taisai.core.chips import Chips, counted, stacked
from taisai.core.dice import result_of
from taisai.core.felt.paying import payout_guide, settle_felt
from taisai.core.felt.recording import felt_notices
from taisai.core.felt_state import Day, Felt, Lying
from taisai.core.messages import PlayedPart
from taisai.core.noticing import Notice
from taisai.core.playing import why_part
from taisai.core.table_state import Phase, TableState
from taisai.protocol import felt as f
from taisai.protocol.telling import Felt as FeltTold
from taisai.wording import say

_OUTSIDE: dict[str, f.Outside] = {
    "ABOVE_MAXIMUM_OF_BOX": "maximum",
    "ABOVE_MAXIMUM_OF_PLAYER": "maximum",
    "ABOVE_DIFFERENTIAL": "differential",
    "BELOW_MINIMUM": "minimum",
}


def felt_told(
    state: TableState, felt: Felt, language: str, date: str, fills: Mapping[str, int]
) -> FeltTold:
    """Tell a felt table; `date` is today's gaming day, `fills` are on their way from the cage."""
    return FeltTold(
        table=state.table,
        chip_set=felt.chips,
        seats=tuple(_seat(state, felt, seat) for seat in felt.seated),
        stacks=_stacks(felt),
        notices=_notices(state, language),
        rack=stacked(felt.value_chips, {}),
        rack_value=felt.rack_value,
        colours=_colours_in_rack(felt),
        paying=felt.paying,
        next_date=date,
        guide=_guide(state, felt, language),
        day=None if felt.day is None else _day(state, felt.day),
        kept=_money(felt.kept.items()),
        recovering=_money(felt.recovering.items()),
        fills=_money(fills.items()),
        credits=_money((transit, sent.amount) for transit, sent in felt.credits_open.items()),
    )


def _money(amounts: Iterable[tuple[str, int]]) -> tuple[f.FeltMoney, ...]:
    return tuple(f.FeltMoney(name, amount) for name, amount in amounts)


def _seat(state: TableState, felt: Felt, seat: str) -> f.FeltSeat:
    colour = felt.colour_of(seat)
    return f.FeltSeat(
        seat=seat,
        away=felt.seated[seat],
        colour=colour,
        value=None if colour is None else felt.colours[colour].value,
        pieces=0 if colour is None else felt.in_front(colour),
        credits=state.ledger.balance(credits_of(seat)),
        staked=sum(state.terminals[seat].bets.values()),
    )


def _stacks(felt: Felt) -> tuple[f.FeltStack, ...]:
    """Put together what each player has on each box, as the dealer sees it."""
    together: dict[tuple[str, str], list[Lying]] = {}
    for stack in felt.lying:
        together.setdefault((stack.seat, stack.box), []).append(stack)
    return tuple(
        f.FeltStack(
            seat=seat,
            box=box,
            amount=sum(each.amount for each in stacks),
            chips=_all_of(stacks, felt),
            oral=any(each.oral for each in stacks),
        )
        for (seat, box), stacks in together.items()
    )


def _all_of(stacks: list[Lying], felt: Felt) -> Chips:
    return stacked(counted(each for stack in stacks for each in stack.chips), felt.marked)


def _notices(state: TableState, language: str) -> tuple[f.FeltNotice, ...]:
    """Tell what the dealer may still reject or advise of; after the close it plays as it lies."""
    if state.phase is not Phase.BETTING:
        return ()
    return tuple(_notice(each, language) for each in felt_notices(state))


def _notice(notice: Notice, language: str) -> f.FeltNotice:
    return f.FeltNotice(
        box=notice.box,
        seat=notice.player,
        outside=_OUTSIDE[notice.reason.code],
        amount=notice.amount,
        sentence=say(notice.reason, language),
        clause=notice.clause,
    )


def _colours_in_rack(felt: Felt) -> dict[str, int]:
    out = {colour: each.out for colour, each in felt.colours.items()}
    return {colour: felt.chips.pieces - out.get(colour, 0) for colour in felt.chips.colours}


def _day(state: TableState, day: Day) -> f.FeltDay:
    in_box = state.ledger.balance(DROP)
    return f.FeltDay(day.date, day.opening, day.fills, day.credits, day.drop, in_box)


def _guide(state: TableState, felt: Felt, language: str) -> f.FeltGuide | None:
    if not felt.paying:
        return None
    guide = payout_guide(state)
    return f.FeltGuide(
        round=state.round,
        collect=tuple(
            f.FeltCollect(each.box, each.seat, each.amount, each.chips, each.change)
            for each in guide.collect
        ),
        collected=sum(each.amount for each in guide.collect),
        pay=tuple(f.FeltPay(each.box, each.seat, each.amount, each.chips) for each in guide.pay),
        paid=sum(each.amount for each in guide.pay),
        wanted=guide.wanted,
        parts=_parts(state, language),
    )


def _parts(state: TableState, language: str) -> tuple[f.FeltPart, ...]:
    """Tell each player whose bet was outside the limits how much of it played [D2, D3]."""
    faces = state.history[state.round].faces
    assert faces is not None, "what is paid has been thrown"
    _, told = settle_felt(state, result_of(faces))
    return tuple(_part(each, language) for each in told)


def _part(part: PlayedPart, language: str) -> f.FeltPart:
    sentence = say(why_part(part), language)
    return f.FeltPart(part.terminal, part.box, part.stake, part.playing, sentence, part.clause)
