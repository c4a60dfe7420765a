"""The tally of a table: its figures, folded from its events one by one.

It holds what the meters of the table hold, and beside each the exact amount to be expected of the
very bets that were made, and by how much that varies. The dice are watched set by set.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct, field

from taisai.core import events as e
from taisai.core.dice import Result, result_of
from taisai.core.evolving import journaled_rulebook
from taisai.core.messages import Instant
from taisai.core.table_state import HISTORY_ROUNDS
from taisai.maths.watching import FairnessMonitor, MonitorState
from taisai.server.figures.noting import Noted, Resettled, Reversed, Settled
from taisai.server.figures.pricing import Pricing, pricing_of, theory_216ths, variance
from taisai.server.figures.sums import KindSums, RoundSums, Sums, read_exact, write_exact

#: A table puts right no round that is older; one more may be void in the same moment.
ROUNDS_KEPT = HISTORY_ROUNDS + 2
#: Dealers of a table, and sets of dice, of which figures are kept: those of the newest.
DEALERS_KEPT = 500
DICE_SETS_KEPT = 20
#: How sure an alarm about dice is: fair ones ever raise one with a chance of one in a hundred.
CONFIDENCE = 0.99
#: What dice are called that nobody registered.
UNREGISTERED = ""


class Kept(Struct):
    """A tally as one process hands it to another."""

    canonical: str | None = None
    pay_table: int = 0
    dice_set: str = UNREGISTERED
    #: Who opened the bets of the newest round.
    dealing: str | None = None
    drop: int = 0
    out: int = 0
    #: What corrections took off the sums: the meters do not forget it.
    taken_off: KindSums = field(default_factory=KindSums)
    sums: Sums = field(default_factory=Sums)
    dealers: dict[str, Sums] = {}
    kinds: dict[str, KindSums] = {}
    rounds: dict[int, RoundSums] = {}
    dice: dict[str, MonitorState] = {}


class Tally:
    """The figures of one table."""

    def __init__(self, kept: Kept | None = None) -> None:
        self.kept = Kept() if kept is None else kept
        self.dice = {
            name: FairnessMonitor.from_state(state) for name, state in self.kept.dice.items()
        }
        self._pricing = self._priced()
        self._apply: dict[type, Callable[[Any, Instant], None]] = {
            e.RulebookAdopted: self._adopted,
            e.DiceRegistered: self._registered,
            e.BetsOpened: self._dealt,
            e.BetsClosed: self._dealt,
            Settled: self._settled,
            Resettled: self._resettled,
            Reversed: self._reversed,
            e.RoundVoided: self._voided,
            e.ResultAmended: self._amended,
            e.IrregularityReported: self._irregular,
            e.CreditsReceived: self._received,
            e.CashedOut: self._cashed,
        }

    def note(self, event: Noted, at: Instant) -> None:
        """Take in what happened."""
        self._apply[type(event)](event, at)

    def pack(self) -> bytes:
        """Write everything down, for another process."""
        self.kept.dice = {name: monitor.state() for name, monitor in self.dice.items()}
        return msgspec.json.encode(self.kept, enc_hook=write_exact)

    @classmethod
    def unpack(cls, data: bytes | msgspec.Raw) -> "Tally":
        """Take up a tally that another process has made."""
        return cls(msgspec.json.decode(data, type=Kept, dec_hook=read_exact))

    @property
    def watched(self) -> FairnessMonitor:
        """The watch over the dice in use."""
        name = self.kept.dice_set
        if name not in self.dice:
            if len(self.dice) >= DICE_SETS_KEPT:
                del self.dice[next(iter(self.dice))]
            self.dice[name] = FairnessMonitor(CONFIDENCE)
        return self.dice[name]

    def _priced(self) -> Pricing | None:
        if self.kept.canonical is None:
            return None
        return pricing_of(journaled_rulebook(self.kept.canonical), self.kept.pay_table)

    # --- what each event does ----------------------------------------------------------------

    def _adopted(self, event: e.RulebookAdopted, _: Instant) -> None:
        self.kept.canonical, self.kept.pay_table = event.canonical, event.pay_table
        self._pricing = self._priced()

    def _registered(self, event: e.DiceRegistered, _: Instant) -> None:
        self.kept.dice_set = event.dice_set
        # A set that is back in use is the newest again.
        if event.dice_set in self.dice:
            self.dice[event.dice_set] = self.dice.pop(event.dice_set)

    def _dealt(self, event: e.BetsOpened | e.BetsClosed, _: Instant) -> None:
        self.kept.dealing = event.by

    def _settled(self, event: Settled, at: Instant) -> None:
        kept = self.kept
        kept.dealing = event.by
        each = self._round(event)
        assert each.win == event.win, "what the boxes come to is what was collected less paid"
        kept.rounds[each.number] = each
        while len(kept.rounds) > ROUNDS_KEPT:
            del kept.rounds[next(iter(kept.rounds))]
        self._add(each)
        for sums in self._sums(each.by):
            sums.pace.note(at)
        self.watched.see(event.faces)

    def _round(self, event: Settled) -> RoundSums:
        pricing = self._pricing
        assert pricing is not None, "no round is settled without a rulebook"
        wins, result = pricing.wins(event.stakes), result_of(event.faces)
        return RoundSums(
            number=event.round,
            by=event.by,
            dice_set=self.kept.dice_set,
            faces=event.faces,
            bets=event.bets,
            turnover=sum(event.stakes.values()),
            win=wins[result.index],
            theory_216ths=theory_216ths(wins),
            variance=variance(wins),
            kinds=_kinds(pricing, event.stakes, result),
        )

    def _add(self, each: RoundSums, sign: int = 1) -> None:
        for sums in self._sums(each.by):
            sums.add_round(each, sign)
        for kind, part in each.kinds.items():
            self.kept.kinds.setdefault(kind, KindSums()).add(part, sign)

    def _sums(self, dealer: str | None) -> tuple[Sums, ...]:
        """Give the sums of the table, and those of a dealer, who is the newest then."""
        if dealer is None:
            return (self.kept.sums,)
        dealers = self.kept.dealers
        sums = dealers.pop(dealer, None) or Sums()
        dealers[dealer] = sums
        if len(dealers) > DEALERS_KEPT:
            del dealers[next(iter(dealers))]
        return self.kept.sums, sums

    def _voided(self, _: e.RoundVoided, __: Instant) -> None:
        for sums in self._sums(self.kept.dealing):
            sums.void += 1

    def _reversed(self, event: Reversed, _: Instant) -> None:
        for number in event.rounds:
            each = self.kept.rounds.pop(number, None)
            if each is not None:
                self._take_off(each)
                for sums in self._sums(each.by):
                    sums.reversed += 1

    def _take_off(self, each: RoundSums) -> None:
        self._add(each, -1)
        self.kept.taken_off.add(KindSums(each.turnover, each.win, each.theory_216ths))

    def _resettled(self, event: Resettled, _: Instant) -> None:
        before = self.kept.rounds.get(event.round)
        if before is None or self._pricing is None:
            return
        kinds = _kinds(self._pricing, event.stakes, result_of(event.faces))
        win = sum(part.win for part in kinds.values())
        after = msgspec.structs.replace(before, faces=event.faces, win=win, kinds=kinds)
        self._take_off(before)
        self._add(after)
        self.kept.taken_off.add(KindSums(after.turnover, after.win, after.theory_216ths), -1)
        self.kept.rounds[event.round] = after
        watch = self.dice.get(before.dice_set or UNREGISTERED)
        # A set that was forgotten and came back is watched from then on.
        if watch is not None and watch.saw(before.faces):
            watch.put_right(before.faces, event.faces)

    def _amended(self, _: e.ResultAmended, __: Instant) -> None:
        for sums in self._sums(self.kept.dealing):
            sums.amendments += 1

    def _irregular(self, _: e.IrregularityReported, __: Instant) -> None:
        for sums in self._sums(self.kept.dealing):
            sums.irregularities += 1

    def _received(self, event: e.CreditsReceived, _: Instant) -> None:
        self.kept.drop += event.amount

    def _cashed(self, event: e.CashedOut, _: Instant) -> None:
        self.kept.out += event.amount


def _kinds(pricing: Pricing, stakes: dict[str, int], result: Result) -> dict[str, KindSums]:
    return {kind: KindSums(*played) for kind, played in pricing.kinds(stakes, result).items()}
