"""The phrases at a chip table, as commands: chips are written like 2x100.00+3xpink."""

import re
from collections.abc import Callable

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import FillSent, ReceiveCredit, SendFill
from taisai.core.cage.state import session_code
from taisai.core.cage.unclaimed import CloseClaim, PayUnclaimed, UnclaimedPaid
from taisai.core.kernel.transits import CloseTransit
from taisai.core.streams import CageCommand, TableCommand
from taisai.core.table.chips.by_hand import EnterRoundByHand, SeatPaid, SeatStack
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.colours import AssignColour, BuyColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    FloatCredited,
    OpenDay,
    ReceiveFill,
    SendCredit,
)
from taisai.core.table.chips.layout_bets import (
    AdvisePlayer,
    CorrectRecord,
    PutBetRight,
    RecordBets,
    RejectExcess,
    TakeBackBets,
)
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import BoxChips, Chips
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.rulings import RefuseLateBet, RuleOnBet, SeparateStack, Verdict
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, TakeSeat
from taisai.core.table.positions import ReleaseUnclaimed
from tests.scenarios.reading import AMOUNT, UnreadableError, read_amount, read_chips
from tests.scenarios.venue import Venue

_SEAT = r"(?P<seat>\d+)"
_CHIPS = r"(?P<chips>nothing|\d+x[^ :,]+)"
_NOTE = r"(?:: (?P<note>.*))?"

#: A command, and whether it is for the cage.
Said = tuple[TableCommand | CageCommand, bool]
ChipTablePhrase = Callable[[re.Match[str], Venue], Said]


def said_at_chip_table(does: str, venue: Venue) -> Said | None:
    """Read a phrase at a chip table, or at the cage for one."""
    for pattern, phrase in _PHRASES:
        found = pattern.fullmatch(does)
        if found is not None:
            return phrase(found, venue)
    return None


def _bets(text: str) -> tuple[BoxChips, ...]:
    bets = []
    for part in text.split(", "):
        box, _, chips = part.partition(" ")
        bets.append(BoxChips(box, read_chips(chips)))
    return tuple(bets)


def _record(found: re.Match[str], _: Venue) -> Said:
    how = found["how"] or ""
    command = RecordBets(
        found["seat"],
        _bets(found["bets"]),
        oral="spoken" in how,
        on_behalf="behalf" in how,
        note=found["note"] or "",
    )
    return command, False


def _by_hand(found: re.Match[str], _: Venue) -> Said:
    """Read a round dealt by hand: `enter by hand 1 2 6, 1 small 2x5.00, 2 big 1xpink; paid 1=5.00`.

    Without bets it has `nothing` for its stacks.
    """
    stacks = None
    if found["stacks"] is not None:
        stacks = tuple(
            SeatStack(seat, box, read_chips(chips))
            for seat, box, chips in (
                part.split() for part in found["stacks"].split(",") if part.strip() != "nothing"
            )
        )
    paid = tuple(
        SeatPaid(seat, read_amount(amount))
        for seat, _, amount in (part.partition("=") for part in (found["paid"] or "").split())
    )
    faces = tuple(int(face) for face in found["faces"].split())
    return EnterRoundByHand(faces, paid, stacks, found["note"] or ""), False


def _rule_on_bet(found: re.Match[str], _: Venue) -> Said:
    plays = None if found["plays"] is None else read_amount(found["plays"])
    verdict: Verdict = "stands" if found["verdict"] == "stands" else "returned"
    verdict = verdict if plays is None else "plays"
    note = found["note"] or ""
    return RuleOnBet(found["seat"], found["box"], verdict, note, plays), False


def _sell(found: re.Match[str], _: Venue) -> Said:
    cash = read_amount(found["cash"]) if found["cash"] else 0
    dropped = read_amount(found["dropped"]) if found["dropped"] else 0
    return BuyChips(found["seat"], read_chips(found["chips"]), cash, dropped), False


def _colour(found: re.Match[str], _: Venue) -> Said:
    cash = read_amount(found["cash"]) if found["cash"] else 0
    given = read_chips(found["given"]) if found["given"] else ()
    return BuyColour(found["seat"], int(found["count"]), cash, given), False


def _fill(venue: Venue, name: str) -> FillSent:
    """Find the fills that were sent, by letters in their order."""
    sent = [event for event in venue.cage_journal if isinstance(event, FillSent)]
    position = ord(name) - ord("A") + venue.fills_before
    if position >= len(sent):
        raise UnreadableError(f"there is no fill {name} yet")
    return sent[position]


def _credit(venue: Venue) -> FloatCredited:
    for event in reversed(venue.table_journal):
        if isinstance(event, FloatCredited):
            return event
    raise UnreadableError("no credit was sent")


def _receive_fill(found: re.Match[str], venue: Venue) -> Said:
    fill = _fill(venue, found["fill"])
    chips = fill.chips if found["chips"] is None else read_chips(found["chips"])
    return ReceiveFill(fill.transit, chips), False


def _receive_credit(_: re.Match[str], venue: Venue) -> Said:
    sent = _credit(venue)
    return ReceiveCredit(sent.transit, venue.table.table, sent.chips), True


def _pay_kept(found: re.Match[str], venue: Venue) -> Said:
    """Request a session's unclaimed money, with its own code unless another is named."""
    session, table = found["kept"], venue.table
    code = found["code"] or session_code(venue.cage.key, table.table, found["of"] or session)
    amount = read_amount(found["as"]) if found["as"] else table.unclaimed.get(session, 1)
    return PayUnclaimed(code, table.table, session, amount, table.chips is not None), True


def _paid(venue: Venue, session: str) -> UnclaimedPaid:
    for event in reversed(venue.cage_journal):
        if isinstance(event, UnclaimedPaid) and event.session == session:
            return event
    raise UnreadableError(f"nothing was paid for {session}")


def _release(found: re.Match[str], venue: Venue) -> Said:
    paid = _paid(venue, found["kept"])
    return ReleaseUnclaimed(paid.transit, paid.session, paid.amount), False


def _at_table(make: Callable[[re.Match[str]], TableCommand]) -> ChipTablePhrase:
    return lambda found, _: (make(found), False)


def _in_cage(make: Callable[[re.Match[str]], CageCommand]) -> ChipTablePhrase:
    return lambda found, _: (make(found), True)


def _chips(found: re.Match[str], name: str = "chips") -> Chips:
    return read_chips(found[name])


_CHIP_TABLE: dict[str, ChipTablePhrase] = {
    rf"seat {_SEAT}": _at_table(lambda f: TakeSeat(f["seat"])),
    rf"leave {_SEAT}(?P<converts> converting)?": _at_table(
        lambda f: LeaveSeat(f["seat"], converts=f["converts"] is not None)
    ),
    rf"sell {_SEAT} {_CHIPS} for(?: (?P<cash>{AMOUNT}) cash)?(?: and)?"
    rf"(?: (?P<dropped>{AMOUNT}) in chips)?": _sell,
    rf"change {_CHIPS} of {_SEAT} into (?P<taken>[^ ]+)": _at_table(
        lambda f: ExchangeChips(f["seat"], _chips(f), _chips(f, "taken"))
    ),
    rf"give {_SEAT} (?P<colour>\w+) at (?P<value>{AMOUNT})": _at_table(
        lambda f: AssignColour(f["seat"], f["colour"], read_amount(f["value"]))
    ),
    rf"sell {_SEAT} (?P<count>\d+) coloured for(?: (?P<cash>{AMOUNT}) cash)?(?: and)?"
    r"(?: (?P<given>\d+x[^ ]+))?": _colour,
    rf"convert (?P<count>\d+) of {_SEAT}": _at_table(
        lambda f: ConvertColour(f["seat"], int(f["count"]))
    ),
    rf"release the colour of {_SEAT}": _at_table(lambda f: ReleaseColour(f["seat"])),
    rf"record {_SEAT}(?P<how> spoken| on behalf)?: (?P<bets>[^:]+){_NOTE}": _record,
    rf"correct {_SEAT} (?P<box>[a-z0-9-]+) to {_CHIPS}{_NOTE}": _at_table(
        lambda f: CorrectRecord(f["seat"], f["box"], _chips(f), f["note"] or "")
    ),
    rf"take back of {_SEAT}: (?P<bets>.+)": _at_table(
        lambda f: TakeBackBets(f["seat"], _bets(f["bets"]))
    ),
    rf"reject {_CHIPS} of {_SEAT} on (?P<box>[a-z0-9-]+)": _at_table(
        lambda f: RejectExcess(f["seat"], f["box"], _chips(f))
    ),
    rf"advise {_SEAT} on (?P<box>[a-z0-9-]+)": _at_table(
        lambda f: AdvisePlayer(f["seat"], f["box"])
    ),
    rf"refuse late {_CHIPS} of {_SEAT} on (?P<box>[a-z0-9-]+){_NOTE}": _at_table(
        lambda f: RefuseLateBet(f["seat"], f["box"], _chips(f), f["note"] or "")
    ),
    rf"separate the stack of {_SEAT} on (?P<box>[a-z0-9-]+)": _at_table(
        lambda f: SeparateStack(f["seat"], f["box"])
    ),
    rf"find that the bet of {_SEAT} on (?P<box>[a-z0-9-]+)"
    rf" (?P<verdict>stands|is returned|plays (?P<plays>{AMOUNT})){_NOTE}": _rule_on_bet,
    rf"put right {_CHIPS} of {_SEAT} from (?P<box>[a-z0-9-]+) to (?P<to>[a-z0-9-]+)"
    rf" as (?P<why>touching-line|moved-by-dealer|moved-by-patron){_NOTE}": _at_table(
        lambda f: PutBetRight(
            f["seat"],
            f["box"],
            f["to"],
            _chips(f),
            f["why"],  # type: ignore[arg-type]
            f["note"] or "",
        )
    ),
    r"enter by hand (?P<faces>[\d ]+),(?: as recorded|(?P<stacks> [^;]+))"
    r"(?:; paid (?P<paid>[^:]+))?" + _NOTE: _by_hand,
    r"collect losers": _at_table(lambda _: CollectLosers()),
    rf"pay kept (?P<kept>\S+)(?: as (?P<as>{AMOUNT}))?(?: with the code of (?P<of>\S+))?"
    r"(?: with the code (?P<code>\d+))?": _pay_kept,
    r"release kept (?P<kept>\S+)": _release,
    r"close the claim of (?P<kept>\S+)": lambda f, venue: (
        CloseClaim(_paid(venue, f["kept"]).transit),
        True,
    ),
    rf"miss (?P<missing>{AMOUNT}) of {_SEAT}{_NOTE}": _at_table(
        lambda f: RecordRecovery(f["seat"], read_amount(f["missing"]), f["note"] or "")
    ),
    rf"open day (?P<date>\S+) counting {_CHIPS}": _at_table(
        lambda f: OpenDay(f["date"], _chips(f))
    ),
    rf"close day counting {_CHIPS}": _at_table(lambda f: CloseDay(_chips(f))),
    rf"count the drop, (?P<cash>{AMOUNT}) cash(?:, (?P<in>{AMOUNT}) in chips)?": _at_table(
        lambda f: CountDrop(read_amount(f["cash"]), read_amount(f["in"] or "0.00"))
    ),
    rf"receive fill (?P<fill>[A-Z])(?: as {_CHIPS})?": _receive_fill,
    rf"send credit of {_CHIPS}": _at_table(lambda f: SendCredit(_chips(f))),
    rf"send fill of {_CHIPS}": lambda f, venue: (
        SendFill(venue.table.table, read_chips(f["chips"])),
        True,
    ),
    r"receive the credit": _receive_credit,
    r"close the transit of fill (?P<fill>[A-Z])": lambda f, venue: (
        CloseTransit(_fill(venue, f["fill"]).transit),
        True,
    ),
    r"close the transit of the credit": lambda _, venue: (
        CloseTransit(_credit(venue).transit),
        False,
    ),
    rf"open shift counting (?P<count>{AMOUNT})": _in_cage(
        lambda f: OpenShift(read_amount(f["count"]))
    ),
    rf"close shift counting (?P<count>{AMOUNT})": _in_cage(
        lambda f: CloseShift(read_amount(f["count"]))
    ),
}

_PHRASES = [(re.compile(pattern), phrase) for pattern, phrase in _CHIP_TABLE.items()]
