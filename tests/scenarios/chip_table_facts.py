"""Facts about an answer at a chip table: notices, lists to collect and pay, counts."""

from collections.abc import Iterable, Iterator

from taisai.core.cage.drawer import ShiftClosed
from taisai.core.cage.unclaimed import UnclaimedPaid
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.by_hand import HandPaymentDiffered, RoundDealtByHand
from taisai.core.table.chips.collecting import LosersCollected
from taisai.core.table.chips.colours import ColourBought, ColourConverted
from taisai.core.table.chips.gaming_day import DayClosed, DayOpened, DropCounted
from taisai.core.table.chips.layout_bets import (
    AdvisedBetReturned,
    BetsRecorded,
    RecordCorrected,
    limit_notices,
)
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.pieces import Chips, CollectedChips, counted, stacked
from taisai.core.table.chips.rulings import BetRuled
from taisai.core.table.chips.seats import (
    ChipsExchanged,
    PlayerWalkedAway,
    SeatLeft,
    UnclaimedSetAside,
)
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.positions import UnclaimedReleased
from taisai.core.table.round import ResultConfirmed, RoundSettled
from taisai.core.table.service import SessionEndedByStaff, WinSetAside
from taisai.core.table.state import Phase, TableState
from taisai.wording import write_amount


def chip_table_facts(event: object, table: TableState) -> Iterator[str]:
    """List the facts of an event at a chip table, in the words of a scenario's last column."""
    match event:
        case BetsRecorded(brought=brought) | RecordCorrected(brought=brought):
            yield f"brought {_write(brought)}"
            if event.late:
                yield f"read late, lay at the {event.lay_at}"
        case ChipsExchanged(brought=brought) | ColourBought(brought=brought):
            yield f"brought {_write(brought)}"
        case RoundSettled(playing=playing):
            for part in playing:
                plays = f"{_write(part.playing)} of {_write(part.stake)}"
                yield f"{part.position} {part.box} plays {plays}, {part.by} [{part.clause}]"
            if table.chips is not None:
                yield f"paid {chips_written(event.chips)}"
        case ResultConfirmed() if table.chips is not None:
            yield from _lists(table)
        case LosersCollected(collected=lines, put_back=put_back):
            assert table.chips is not None, "chips are collected at chip tables"
            yield f"collected {_together((line.chips for line in lines), table.chips)}"
            yield f"change {_together((line.change for line in lines), table.chips)}"
            yield from _put_back(put_back)
        case RoundVoided(put_back=put_back):
            yield from _put_back(put_back)
        case _:
            yield from _facts_of_players(event)


def _together(stacks: Iterable[Chips], chip_table: ChipTable) -> str:
    """Write all chips of several stacks as one."""
    return chips_written(
        stacked(counted(each for chips in stacks for each in chips), chip_table.marked)
    )


def _put_back(lines: Iterable[CollectedChips]) -> Iterator[str]:
    for line in lines:
        yield f"put back {line.box} {line.seat} {chips_written(line.chips)}"


def _facts_of_players(event: object) -> Iterator[str]:
    match event:
        case AdvisedBetReturned(seat=seat, bet=bet):
            yield f"returned {seat} {bet.box} {chips_written(bet.chips)} {event.decision}"
        case RoundDealtByHand(round=number):
            yield f"round {number} by hand"
        case HandPaymentDiffered(seat=seat, paid=paid, due=due):
            yield f"{seat} paid {_write(paid)}, due {_write(due)}"
        case (
            UnclaimedSetAside(session=kept, amount=amount)
            | UnclaimedPaid(session=kept, amount=amount)
            | SessionEndedByStaff(session=kept, amount=amount)
            | WinSetAside(session=kept, amount=amount)
        ):
            yield f"kept {kept} {_write(amount)}"
        case UnclaimedReleased(session=kept, amount=amount, shortfall=shortfall):
            yield f"released {kept} {_write(amount)}"
            yield f"short {_write(shortfall)}"
        case SeatLeft(taken=taken) | PlayerWalkedAway(taken=taken):
            yield f"takes {_write(taken)}"
        case ColourConverted(chips=chips):
            yield f"gets {chips_written(chips)}"
        case RoundsReversed(gone=gone) | RoundResettled(gone=gone):
            for each in gone:
                yield f"{each.position} gone, kept {_write(each.given)}"
                yield f"{each.position} gone, taken {_write(each.taken)}"
                yield f"{each.position} gone, short {_write(each.shortfall)}"
                yield f"{each.position} gone, had {_write(each.covered)}"
        case _:
            yield from _facts_of_staff(event)


def _facts_of_staff(event: object) -> Iterator[str]:
    match event:
        case BetRuled(seat=seat, bet=bet, plays=plays):
            yield f"{seat} {bet.box} {event.why} {event.verdict}, {_write(plays)} plays"
        case DayOpened(amount=amount, expected=expected):
            yield f"float {_write(amount)}"
            yield f"apart {_write(amount - expected)}"
        case DropCounted(cash=cash, chips=chips, expected=expected):
            yield f"apart {_write(cash + chips - expected)}"
        case DayClosed(win=win, closing=closing, expected=expected):
            yield f"win {_write(win)}"
            yield f"apart {_write(closing - expected)}"
        case ShiftClosed(count=count, expected=expected):
            yield f"apart {_write(count - expected)}"
        case _:
            yield from ()


def _lists(table: TableState) -> Iterator[str]:
    guide = payout_guide(table)
    yield from _put_back(guide.put_back)
    for line in guide.collect:
        yield f"collect {line.box} {line.seat} {chips_written(line.chips)}"
        if line.change:
            yield f"change {line.box} {line.seat} {chips_written(line.change)}"
    for each in guide.pay:
        chips = "none" if each.chips is None else chips_written(each.chips)
        yield f"pay {each.box} {each.seat} {chips}"
    if guide.wanted:
        yield f"fill wanted {chips_written(guide.wanted)}"
    order = [line.box for line in guide.collect], [line.box for line in guide.pay]
    yield f"order {' '.join(order[0])} then {' '.join(order[1])}"


def notices_shown(table: TableState) -> Iterator[str]:
    """List the notices shown to the dealer while bets are open."""
    if table.chips is None or table.phase is not Phase.BETTING:
        return
    for notice in limit_notices(table):
        who = "" if notice.player is None else f" {notice.player}"
        what = "short" if notice.reason.code == "BELOW_MINIMUM" else "over"
        yield f"notice{who} {notice.box} {what} {_write(notice.amount)} [{notice.clause}]"
    if not limit_notices(table):
        yield "no notice"


def chips_written(chips: Chips) -> str:
    """Write a stack from the bottom up."""
    return (
        "+".join(
            f"{each.count}x{each.chip if isinstance(each.chip, str) else _write(each.chip)}"
            for each in chips
        )
        or "nothing"
    )


def _write(cents: int) -> str:
    return write_amount(cents).replace(",", "")
