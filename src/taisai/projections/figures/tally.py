"""The tally of a table: its figures, folded from its events one by one.

It holds what the meters of the table hold, and beside each the exact expectation for the same bets,
with its variance. Each set of dice is monitored for fairness.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
from msgspec import Struct, field

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.transits import TransitClosed
from taisai.core.rules.dice import result_of
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.gaming_day import (
    CreditReturned,
    DayClosed,
    DayOpened,
    DropCounted,
    FloatCredited,
    FloatFilled,
)
from taisai.core.table.chips.pieces import Chips
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.round import BetsClosed, BetsOpened, ResultAmended, RoundStarted
from taisai.core.table.setup import (
    DiceRegistered,
    RulebookAdopted,
    TableCreated,
    journaled_rulebook,
)
from taisai.core.table.state import HISTORY_ROUNDS
from taisai.maths import FairnessMonitor, MonitorState
from taisai.projections.figures.days import Count, Dates, Days, DaySums, GamingDays
from taisai.projections.figures.digests import Moved, Noted, PutRight, Resettled, Reversed, Settled
from taisai.projections.figures.sums import (
    KindSums,
    Pricing,
    RoundSums,
    Sums,
    pricing_of,
    read_exact,
    write_exact,
)

#: Corrections of older rounds are in the money of their day, and not in the expectation [D24].
ROUNDS_KEPT = HISTORY_ROUNDS + 2
#: The newest dealers of a table, and sets of dice, whose figures are kept.
DEALERS_KEPT = 500
DICE_SETS_KEPT = 20
#: The confidence of an alarm about dice: fair dice ever raise one with a chance of 1 in 100.
CONFIDENCE = 0.99
#: The name for dice that were not registered.
UNREGISTERED = ""
#: The date for events at a chip table between two gaming days.
NO_DATE = ""


#: The most marked rounds that are kept of a table.
MARKS_KEPT = 1_000
_MARKS: dict[type, str] = {
    RoundVoided: "void",
    ResultAmended: "amended",
    IrregularityReported: "irregular",
}


class Sent(Struct, array_like=True, frozen=True):
    """Chips in transit between a chip table and the cage, as they were counted out."""

    table: str
    chips: Chips
    amount: int
    by: str
    at: Instant


class TallyState(Struct):
    """A tally as one process sends it to another."""

    table: str = ""
    chip_table: bool = False
    canonical: str | None = None
    pay_table: int = 0
    #: The earlier rulebooks, each with the last round that was played under it.
    earlier: list[tuple[int, str, int]] = []
    dice_set: str = UNREGISTERED
    #: Who opened the bets of the newest round.
    dealing: str | None = None
    drop: int = 0
    out: int = 0
    sums: Sums = field(default_factory=Sums)
    dealers: dict[str, Sums] = {}
    kinds: dict[str, KindSums] = {}
    rounds: dict[int, RoundSums] = {}
    dice: dict[str, MonitorState] = {}
    days: dict[str, DaySums] = {}
    forgotten: str | None = None
    #: The date of the gaming day that is open at a chip table.
    open_date: str | None = None
    #: Given to players less taken from them since a chip table's last day was closed.
    between: int = 0
    #: The round under way, and the marks of unusual rounds, those marked last.
    round: int = 0
    marks: dict[int, list[str]] = {}
    #: Credits of a chip table that the cage has not received yet.
    credits_sent: dict[str, Sent] = {}


class Tally:
    """The figures of one table; of its gaming days the newest, or only the requested ones."""

    def __init__(
        self,
        gaming_days: GamingDays | None = None,
        state: TallyState | None = None,
        wanted: Dates | None = None,
    ) -> None:
        self.state = TallyState() if state is None else state
        self.days = Days(self.state.days, self.state.forgotten, wanted)
        self._gaming_days = gaming_days or GamingDays()
        self.dice = {
            name: FairnessMonitor.from_state(state) for name, state in self.state.dice.items()
        }
        self._pricing = self._priced()

    def note(self, event: Noted, at: Instant) -> None:
        """Fold an event."""
        self.APPLY[type(event)](self, event, at)

    def pack(self) -> bytes:
        """Pack everything for another process."""
        self.state.dice = {name: monitor.state() for name, monitor in self.dice.items()}
        self.state.forgotten = self.days.forgotten
        return msgspec.json.encode(self.state, enc_hook=write_exact)

    @classmethod
    def unpack(cls, data: bytes | msgspec.Raw, gaming_days: GamingDays | None = None) -> "Tally":
        """Make a tally from the packed state of another process."""
        return cls(gaming_days, msgspec.json.decode(data, type=TallyState, dec_hook=read_exact))

    @property
    def watched(self) -> FairnessMonitor:
        """The fairness monitor of the dice in use."""
        name = self.state.dice_set
        if name not in self.dice:
            if len(self.dice) >= DICE_SETS_KEPT:
                del self.dice[next(iter(self.dice))]
            self.dice[name] = FairnessMonitor(CONFIDENCE)
        return self.dice[name]

    def _priced(self) -> Pricing | None:
        if self.state.canonical is None:
            return None
        return pricing_of(journaled_rulebook(self.state.canonical), self.state.pay_table)

    def _day(self, at: Instant) -> DaySums:
        """Give the gaming day of a moment; a chip table has one only while it is open there."""
        if self.state.chip_table:
            date = self.state.open_date
            return DaySums(NO_DATE) if date is None else self.days.on(date)
        return self.days.on(self._gaming_days.gaming_date_at(at))

    # --- what each event does ----------------------------------------------------------------

    def _created(self, event: TableCreated, _: Instant) -> None:
        self.state.table, self.state.chip_table = event.table, event.chips is not None

    def _adopted(self, event: RulebookAdopted, _: Instant) -> None:
        state = self.state
        oldest, last = next(iter(state.rounds), 0), next(reversed(state.rounds), 0)
        if state.canonical is not None:
            kept = [each for each in state.earlier if each[0] >= oldest]
            state.earlier = [*kept, (last, state.canonical, state.pay_table)]
        state.canonical, state.pay_table = event.canonical, event.pay_table
        self._pricing = self._priced()

    def _pricing_of(self, number: int) -> Pricing | None:
        """Give the pricing of the rulebook that a round was played under [D24]."""
        for last, canonical, pay_table in self.state.earlier:
            if number <= last:
                return pricing_of(journaled_rulebook(canonical), pay_table)
        return self._pricing

    def _registered(self, event: DiceRegistered, _: Instant) -> None:
        self.state.dice_set = event.dice_set
        # A set that comes back into use is the newest again.
        if event.dice_set in self.dice:
            self.dice[event.dice_set] = self.dice.pop(event.dice_set)

    def _started(self, event: RoundStarted, _: Instant) -> None:
        self.state.round = event.round

    def _mark(self, number: int, mark: str) -> None:
        """Add a mark to a round, once."""
        marks = self.state.marks
        own = marks.pop(number, [])
        marks[number] = own if mark in own else [*own, mark]
        if len(marks) > MARKS_KEPT:
            del marks[next(iter(marks))]

    def _dealt(self, event: BetsOpened | BetsClosed, _: Instant) -> None:
        self.state.dealing = event.by

    def _settled(self, event: Settled, at: Instant) -> None:
        state, day = self.state, self._day(at)
        state.dealing = event.by
        each = self._round(event, day.date)
        won = event.collected - event.paid
        assert each.played.win == won, "what the boxes come to is what was collected less paid"
        state.rounds[each.number] = each
        while len(state.rounds) > ROUNDS_KEPT:
            del state.rounds[next(iter(state.rounds))]
        self._add(each)
        day.collected += event.collected
        day.paid += event.paid
        for sums in self._sums(each.by, day):
            sums.pace.note(at)
        self.watched.see(event.faces)

    def _round(self, event: Settled, date: str) -> RoundSums:
        pricing = self._pricing
        assert pricing is not None, "no round is settled without a rulebook"
        result = result_of(event.faces)
        return RoundSums(
            number=event.round,
            by=event.by,
            date=date,
            dice_set=self.state.dice_set,
            faces=event.faces,
            bets=event.bets,
            played=pricing.played(event.stakes, result),
            kinds=pricing.kinds(event.stakes, result),
            stakes=event.stakes,
        )

    def _add(self, each: RoundSums, sign: int = 1) -> None:
        for sums in self._sums(each.by):
            sums.add_round(each, sign)
        for kind, part in each.kinds.items():
            self.state.kinds.setdefault(kind, KindSums()).add(part, sign)
        self.days.on(each.date).add_round(each, sign)

    def _sums(self, dealer: str | None, day: DaySums | None = None) -> tuple[Sums, ...]:
        """Give the sums of the table, of a dealer, who becomes the newest, and of a day."""
        of_day = () if day is None else day.sums_of(dealer)
        if dealer is None:
            return self.state.sums, *of_day
        dealers = self.state.dealers
        sums = dealers.pop(dealer, None) or Sums()
        dealers[dealer] = sums
        if len(dealers) > DEALERS_KEPT:
            del dealers[next(iter(dealers))]
        return self.state.sums, sums, *of_day

    def _counted(self, event: RoundVoided | ResultAmended | IrregularityReported, at: int) -> None:
        """Count something for the table, for its dealer, and for the day."""
        for sums in self._sums(self.state.dealing, self._day(at)):
            sums.void += isinstance(event, RoundVoided)
            sums.amendments += isinstance(event, ResultAmended)
            sums.irregularities += isinstance(event, IrregularityReported)
        number = event.round if isinstance(event, RoundVoided) else self.state.round
        self._mark(number, _MARKS[type(event)])

    def _reversed(self, event: Reversed, at: Instant) -> None:
        for number in event.rounds:
            self._mark(number, "reversed")
            each = self.state.rounds.pop(number, None)
            if each is not None:
                self._add(each, -1)
                for sums in self._sums(each.by, self.days.on(each.date)):
                    sums.reversed += 1
        self._give(event.given, at)

    def _resettled(self, event: Resettled, at: Instant) -> None:
        self._mark(event.round, "resettled")
        self._give(event.given, at)
        before, pricing = self.state.rounds.get(event.round), self._pricing_of(event.round)
        if before is None or pricing is None:
            return
        result = result_of(event.faces)
        after = msgspec.structs.replace(
            before,
            faces=event.faces,
            played=pricing.played(before.stakes, result),
            kinds=pricing.kinds(before.stakes, result),
        )
        self._add(before, -1)
        self._add(after)
        self.state.rounds[event.round] = after
        watch = self.dice.get(before.dice_set or UNREGISTERED)
        # A forgotten set that comes back is monitored from then on.
        if watch is not None and watch.saw(before.faces):
            watch.put_right(before.faces, event.faces)

    # --- money -------------------------------------------------------------------------------

    def _put_right(self, event: PutRight, at: Instant) -> None:
        self._give(event.given, at)

    def _give(self, given: int, at: Instant) -> None:
        """Enter what a correction gave to players, on the day of the correction."""
        if self.state.chip_table and self.state.open_date is None:
            self.state.between += given
        else:
            self._day(at).corrections += given

    def _moved(self, event: Moved, at: Instant) -> None:
        for sums in (self.state, self._day(at)):
            sums.drop += event.drop
            sums.out += event.out

    # --- the gaming day of a chip table --------------------------------------------------------

    def _count(self, at: Instant) -> Count | None:
        """Give the counts of the day that is open; none of a day that is not tally."""
        return self._day(at).count

    def _day_opened(self, event: DayOpened, at: Instant) -> None:
        state = self.state
        state.open_date = event.date
        day = self.days.on(event.date)
        day.count = Count(at, event.by, event.amount, event.expected, state.between)
        state.between = 0

    def _filled(self, event: FloatFilled, at: Instant) -> None:
        count = self._count(at)
        if count is not None:
            count.fills += event.amount

    def _credited(self, event: FloatCredited, at: Instant) -> None:
        sent = Sent(self.state.table, event.chips, event.amount, event.by, at)
        self.state.credits_sent[event.transit] = sent
        count = self._count(at)
        if count is not None:
            count.credits += event.amount

    def _credit_returned(self, event: CreditReturned, at: Instant) -> None:
        self.state.credits_sent.pop(event.transit, None)
        count = self._count(at)
        if count is not None:
            count.credits -= event.amount + event.missing
            count.missing += event.missing

    def _arrived(self, event: TransitClosed, _: Instant) -> None:
        self.state.credits_sent.pop(event.transit, None)

    def _drop_counted(self, event: DropCounted, at: Instant) -> None:
        count = self._count(at)
        if count is not None:
            count.drop_cash += event.cash
            count.drop_chips += event.chips
            count.drop_expected += event.expected
            count.drop_counted_at = at

    def _day_closed(self, event: DayClosed, at: Instant) -> None:
        day, self.state.open_date = self._day(at), None
        if day.count is not None:
            count = day.count
            count.closed_at, count.closed_by = at, event.by
            count.closing, count.closing_expected = event.closing, event.expected
            assert count.win == event.win == day.win, "counts and books are one figure"

    #: The function for each event.
    APPLY: ClassVar[dict[type, Callable[[Any, Any, Instant], None]]] = {
        TableCreated: _created,
        RulebookAdopted: _adopted,
        DiceRegistered: _registered,
        RoundStarted: _started,
        BetsOpened: _dealt,
        BetsClosed: _dealt,
        Settled: _settled,
        Resettled: _resettled,
        Reversed: _reversed,
        PutRight: _put_right,
        Moved: _moved,
        RoundVoided: _counted,
        ResultAmended: _counted,
        IrregularityReported: _counted,
        DayOpened: _day_opened,
        FloatFilled: _filled,
        FloatCredited: _credited,
        CreditReturned: _credit_returned,
        TransitClosed: _arrived,
        DropCounted: _drop_counted,
        DayClosed: _day_closed,
    }
