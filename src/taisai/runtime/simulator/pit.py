"""The staff of a simulated table: they see its state and do what is next, not always rightly."""

import random
from collections.abc import Callable, Sequence

from taisai.core.kernel.messages import Actor, Command, LimitsAsked, Role
from taisai.core.rules.limits import has_differential
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.damage import FindUndamaged, ReportDamage
from taisai.core.table.irregularities import AnnounceVoid, ReportIrregularity
from taisai.core.table.positions import ClearLock
from taisai.core.table.provably_fair import PublishChain, RetireChain, RevealSecret
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    Settle,
)
from taisai.core.table.service import SetWinAside
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    DeclareSafeProcedure,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import Phase, TableState, check_refusal
from taisai.core.table.tumble import LiftCover, RecordTumble
from taisai.runtime.simulator.crowd import SLIP, Chance
from taisai.runtime.simulator.openings import any_act, next_act, withdrawal, write_departures
from taisai.runtime.simulator.testimony import said_of, void_by_ruling
from taisai.runtime.simulator.transfers import Router
from taisai.runtime.simulator.venue import Answer, SimulatedVenue
from taisai.runtime.tumblers import Sealer, VerifiableTumbler

#: Commands given before two persons have said what happened.
_TOO_EARLY: tuple[Command, ...] = (
    *(ConfirmResult(), OpenBets(), CloseBets(bell=True), Settle(), CloseTable(), GiveNotice()),
    SetLimits(LimitsAsked(100, 10_000, 100)),
)


class Pit:
    """Dealer, supervisors and managers of one table."""

    def __init__(
        self,
        venue: SimulatedVenue,
        router: Router,
        chance: Chance,
        table: str,
        rulebooks: Sequence[Rulebook],
    ) -> None:
        self.table = table
        self.terminals: list[str] = []
        self.truth: dict[int, tuple[int, int, int]] = {}
        self._venue = venue
        self._router = router
        self._chance = chance
        self._rulebooks = rulebooks
        #: Who is on duty depends on the table alone.
        self._duty = Chance(random.Random(table))  # noqa: S311 - a seeded world, nothing secret
        self._moments = 0
        self._dice = 0
        seeded = chance.rng.randbytes
        self.tumbler = VerifiableTumbler(
            Sealer(seeded(32), chance=seeded), chance.pick([2, 5, 20, 60]), seeded
        )
        self._by_phase: dict[Phase, Callable[[], None]] = {
            Phase.CLOSED: self._open_table,
            Phase.READY: self._begin,
            Phase.TUMBLED: self._call_for_bets,
            Phase.BETTING: self._close_bets,
            Phase.NO_MORE_BETS: self._find_result,
            Phase.RESULT: self._confirm,
            Phase.CONFIRMED: self._settle,
        }

    @property
    def state(self) -> TableState:
        """Give the table's state."""
        return self._venue.tables[self.table]

    def say(self, role: Role, command: Command) -> Answer:
        """Give a command as somebody of a role."""
        return self.send(self._chance.actor(role, self.terminals), command)

    def send(self, actor: Actor, command: Command) -> Answer:
        """Give a command, and note money that leaves the table by it."""
        answer = self._venue.send(self.table, actor, command)
        self._router.note(self.table, answer)
        return answer

    def ask(self, actor: Actor, command: Command) -> None:
        """Give a command that may take a second person, and have one answer."""
        if not isinstance(self.send(actor, command), Refusal):
            self.answer_pending()

    def answer_pending(self) -> None:
        """Answer a command that waits for a second person, as people do."""
        answer = self._venue.answer_pending(self.table, self._chance)
        self._router.note(self.table, answer)

    def work(self) -> None:
        """Do what comes next at the table."""
        state, chance = self.state, self._chance
        if state.in_doubt is not None:
            self._resolve_doubt(state.in_doubt)
        elif state.to_announce is not None and self._chance.happens(0.7):
            self.say("dealer", AnnounceVoid())
        elif state.waiting:
            self._declare()
        elif state.stopped is not None and state.phase in (Phase.READY, Phase.TUMBLED):
            self._get_going()
        elif state.dice_set is None and state.phase is Phase.READY and chance.happens(0.9):
            self.register_dice()
        elif state.dice_set is None and state.phase is Phase.TUMBLED:
            # If the document is silent, a ruling says whether a spin of damaged dice stands.
            self.ask(chance.actor("shift-manager"), void_by_ruling("a chipped die"))
        elif state.pending is not None and chance.happens(0.5):
            self.answer_pending()
        elif not self._says_what_is_owed():
            self._by_phase[state.phase]()

    def _says_what_is_owed(self) -> bool:
        """Publish or reveal what is due before the next round, unless it is forgotten."""
        state, chance = self.state, self._chance
        owed = self.tumbler.owed(state)
        if owed is None:
            self._says_too_much()
            return False
        # A chain is rarely published before the table is open, or before the dealer waits for it.
        early = state.phase is Phase.CLOSED
        forgotten = 0.2 if isinstance(owed, RevealSecret) else 0.95 if early else 0.5
        if chance.happens(forgotten):
            return False
        slip = 0.5 if isinstance(owed, PublishChain) else SLIP * 3
        self.say("system", self._garbled(owed) if chance.happens(slip) else owed)
        return True

    def _says_too_much(self) -> None:
        """Publish another chain, retire one, or reveal a secret again, though nothing is due."""
        state, chance = self.state, self._chance
        if state.chain is not None and state.phase is Phase.READY and chance.happens(SLIP * 4):
            again = RevealSecret(state.round, state.chain.link)
            another = PublishChain(state.chain.commitment, 5, "sealed")
            self.say("system", chance.pick([again, another, RetireChain("not the newest")]))

    def _garbled(self, owed: PublishChain | RevealSecret | RetireChain) -> Command:
        if isinstance(owed, RetireChain):
            return RetireChain(" ")
        if isinstance(owed, RevealSecret):
            secret = self._chance.pick([owed.secret[::-1], owed.secret[1:]])
            return RevealSecret(owed.round, secret)
        return PublishChain(owed.commitment, self._chance.pick([0, -1]), owed.sealed)

    # --- setting up --------------------------------------------------------------------------

    def enrol(self, count: int) -> None:
        """Enrol terminals until they are all there."""
        while len(self.state.positions) < count:
            name = "1" if self._chance.happens(0.1) else str(len(self.state.positions) + 1)
            self.ask(self._chance.actor("technician"), EnrolTerminal(name, f"seat {name}"))
        self.terminals = list(self.state.positions)

    def _open_table(self) -> None:
        state, chance = self.state, self._chance
        rulebook = state.rulebook
        write_departures(self.state, self._rulebooks, self.send, self.ask)
        if chance.happens(0.15):
            self.say("supervisor", OpenTable())
        elif chance.happens(0.04):
            self.ask(chance.who_may(AdoptRulebook), AdoptRulebook("{}", 1))
        elif rulebook is None or (state.round and chance.happens(0.2)):
            chosen = chance.pick(self._rulebooks)
            number = 9 if chance.happens(0.1) else chance.pick(list(chosen.pay_tables))
            adopt = AdoptRulebook(chosen.canonical.decode(), number)
            self.ask(chance.who_may(AdoptRulebook), adopt)
        elif state.limits is None:
            self.set_limits()
        elif state.dice_set is None or chance.happens(0.1):
            self.register_dice()
        elif state.round and chance.happens(0.1):
            self.say("technician", withdrawal(state, chance))
        elif state.stopped is not None:
            self._get_going()
        else:
            self._check_and_open()

    def _check_and_open(self) -> None:
        if not self._does_what_is_wanted():
            self.ask(self._chance.who_may(OpenTable), OpenTable())

    def _does_what_is_wanted(self) -> bool:
        """Do the next act that an opening needs, unless it is forgotten; not always rightly."""
        act = next_act(self.state, self._chance)
        if act is not None:
            self.say("supervisor", act)
        return act is not None

    def made_up_act(self, throw: tuple[int, int, int]) -> Command:
        """Make up an act of an opening, at any phase of the table."""
        return any_act(self._chance, throw)

    def register_dice(self) -> None:
        """Register a new set of dice, an old one, or one that is damaged and may be whole."""
        state, chance = self.state, self._chance
        number = chance.between(1, self._dice) if self._dice and chance.happens(0.3) else 0
        if not number:
            self._dice += 1
            number = self._dice
        name = f"dice {number}"
        if name in state.quarantined and chance.happens(0.5):
            looks = FindUndamaged(name, chance.pick(["no chip in it", "no chip in it", " "]))
            self.ask(chance.who_may(FindUndamaged), looks)
        self.say("supervisor", RegisterDice(name, f"seal {number}"))

    def report_damage(self, note: str, name: str | None) -> None:
        """Report damaged dice, and now and then find some undamaged that are not in quarantine."""
        chance = self._chance
        self.ask(chance.who_may(ReportDamage), ReportDamage(note, name))
        if chance.happens(0.1):
            self.ask(chance.who_may(FindUndamaged), FindUndamaged("no such", note))

    def set_limits(self) -> None:
        """Set limits that suit the pay table, or now and then do not."""
        table = self.state.pay_table
        if table is not None:
            asked = self._limits_for(table)
            self.ask(self._chance.who_may(SetLimits), SetLimits(asked))

    def made_up_limits(self) -> LimitsAsked:
        """Make up limits for the pay table in force."""
        table = self.state.pay_table
        return LimitsAsked(100, 100_000) if table is None else self._limits_for(table)

    def _limits_for(self, table: PayTable) -> LimitsAsked:
        chance = self._chance
        step = table.step * chance.pick([25, 50, 100])
        minimum = step * chance.between(1, 20)
        maximum = minimum * chance.pick([10, 50, 200])
        boxes: dict[str, tuple[int | None, int | None]] = {}
        if chance.happens(0.5):
            boxes = {"big": (None, maximum * 2), "small": (None, maximum * 2)}
            boxes["triple"] = (minimum, minimum * 4)
        apart = [minimum, minimum * 5, maximum // 2 // step * step, maximum]
        differential = self._differential_of(table, apart)
        slip = chance.pick(["none"] * 20 + ["range", "step", "differential", "nothing"])
        if slip == "range":
            minimum = maximum + step
        elif slip == "step":
            step += 1
        elif slip == "differential":
            differential = minimum
        elif slip == "nothing":
            minimum = 0
        return LimitsAsked(minimum, maximum, step, differential, boxes)

    def _differential_of(self, table: PayTable, amounts: Sequence[int]) -> int | None:
        """Make up a Differential if the pay table has one, unless it is forgotten."""
        knows = has_differential(table) and self._chance.happens(0.9)
        return self._chance.pick(amounts) if knows else None

    def _get_going(self) -> None:
        """Try to play on, and then rectify a stopped table."""
        if self._chance.happens(0.3):
            self.say("dealer", self._chance.pick([OpenBets(), RecordTumble(3)]))
        elif self._chance.happens(0.5):
            note = self._chance.pick(["lamp changed", "lamp changed", " "])
            self.ask(self._chance.who_may(Rectify), Rectify(note))
        else:
            note = self._chance.pick(["dealer calls out", "dealer calls out", ""])
            self.ask(self._chance.who_may(DeclareSafeProcedure), DeclareSafeProcedure(note))

    # --- a round -----------------------------------------------------------------------------

    def _begin(self) -> None:
        state, chance = self.state, self._chance
        if state.notice_given:
            self.say("supervisor", CloseTable())
        elif chance.happens(0.008):
            if chance.happens(0.3):
                self.say("supervisor", CloseTable())
            self.say("dealer", GiveNotice())
        elif chance.happens(0.02):
            self.set_limits()
        elif chance.happens(0.006):
            self.register_dice()
        elif check_refusal(state) is not None and self._does_what_is_wanted():
            return
        elif self._order() == "before-bets" and not chance.happens(SLIP):
            self._tumble()
        else:
            self._open_bets()

    def _order(self) -> str:
        rulebook = self.state.rulebook
        return "" if rulebook is None else rulebook.content.procedure.tumble.order

    def _call_for_bets(self) -> None:
        if self._order() == "before-bets" and not self.state.tumbled:
            self._tumble()
        else:
            self._open_bets()

    def _open_bets(self) -> None:
        self._moments = self._chance.between(2, 12)
        self.say(self._who_deals(), OpenBets())

    def _who_deals(self) -> Role:
        """Give the role that deals now: the dealer, or one of the pit, under any rulebook."""
        return self._duty.weighted([(97, "dealer"), (2, "supervisor"), (1, "pit-manager")])

    def may_still_bet(self) -> bool:
        """Say whether players still have a moment before the bets are closed."""
        self._moments -= 1
        return self._moments >= 0

    def _close_bets(self) -> None:
        chance = self._chance
        if not self.state.tumbled and self._order() == "either" and chance.happens(0.4):
            self._tumble()
        if self.state.phase is Phase.BETTING and self._order() != "before-bets":
            early = SLIP if self._order() == "after-close" else SLIP / 4
            if chance.happens(early):
                self._tumble()
        if chance.happens(SLIP):
            self.say("dealer", EnterResult(chance.throw()))
        self.say(self._who_deals(), CloseBets(bell=chance.happens(0.95)))

    def _tumble(self) -> None:
        chance = self._chance
        times = 3 if chance.happens(0.97) else chance.pick([0, 1, 2, 7, -1])
        flat, concealed = chance.happens(0.99), chance.happens(0.98)
        by = self._who_deals() if self.state.equipment.tumbler == "keyed" else "device"
        answer = self.say(by, RecordTumble(times, flat, concealed))
        if by == "device" and not (flat and concealed) and chance.happens(0.5):
            # The reading of a device stands; a misreading is a malfunction.
            self.say("supervisor", ReportIrregularity("malfunction", "it misread"))
        if not isinstance(answer, Refusal):
            self.truth[self.state.round] = self._lie()
            self.truth.pop(self.state.round - 40, None)

    def _lie(self) -> tuple[int, int, int]:
        """Say how the dice of this round lie under the cover."""
        state = self.state
        if state.equipment.tumbler == "verifiable":
            self.tumbler.follow(state)
            return self.tumbler.drawn(state.table, state.round)
        low, middle, high = sorted(self._chance.throw())
        return low, middle, high

    def _find_result(self) -> None:
        state, chance = self.state, self._chance
        if not state.tumbled:
            if chance.happens(SLIP):
                self._key((1, 2, 3))
            if chance.happens(SLIP):
                self.say("dealer", ReportIrregularity("no-tumble"))
            self._tumble()
            return
        if chance.happens(SLIP):
            self._tumble()
        if state.equipment.tumbler != "keyed" and chance.happens(SLIP):
            found = chance.pick(["die-not-flat", "bad-tumble", "dice-exposed", "malfunction"])
            self.say("device", ReportIrregularity(found, "as read"))
        lifts = 0.1 if state.chips is None else 1 - SLIP
        if chance.happens(SLIP if state.uncovered else lifts):
            self.say("dealer", LiftCover())
        dice = self.truth.get(state.round) or chance.throw()
        device = state.equipment.tumbler != "keyed"
        if (device and "device" not in state.reported) or chance.happens(SLIP):
            self.say("device", EnterResult(self._misread(dice, SLIP / 4)))
        if not device or state.equipment.read_by_dealer_too or chance.happens(SLIP):
            self._key(self._misread(dice, SLIP * 3))

    def _misread(self, dice: tuple[int, int, int], share: float) -> tuple[int, int, int]:
        return self._chance.throw() if self._chance.happens(share) else dice

    def _key(self, dice: tuple[int, int, int]) -> None:
        """Press three buttons and enter, or name the faces at once."""
        chance, by = self._chance, self._who_deals()
        if chance.happens(0.7):
            pressed = dice if chance.happens(0.97) else dice[:2]
            for face in pressed:
                self.say(by, PressFace(face if chance.happens(0.995) else 7))
            self.say(by, EnterResult(None if self._duty.happens(0.9) else dice))
        else:
            self.say("dealer", EnterResult(dice if chance.happens(0.97) else (1, 2, 7)))

    def _confirm(self) -> None:
        if self._chance.happens(SLIP):
            self.say("dealer", Settle())
        if not self._amend():
            self.say(self._who_deals(), ConfirmResult())
            if self._chance.happens(SLIP):
                self.say("dealer", ConfirmResult())

    def _amend(self) -> bool:
        """Correct a wrong entry if somebody sees it in time."""
        state, chance = self.state, self._chance
        dice = self.truth.get(state.round)
        wrong = state.faces != dice
        if dice is None or not chance.happens(0.6 if wrong else SLIP / 2):
            return False
        self.ask(chance.who_may(AmendResult), AmendResult(dice))
        return self.state.phase is Phase.RESULT

    def _settle(self) -> None:
        if not self._amend():
            self.say(self._who_deals(), Settle())
            for terminal, seat in self.state.positions.items():
                if seat.locked and self._chance.happens(0.5):
                    self._attend(terminal)

    def _attend(self, terminal: str) -> None:
        """Clear a terminal that a large win locked, or have the win paid by hand."""
        if self._chance.happens(0.4):
            self.send(self._chance.who_may(SetWinAside), SetWinAside(terminal))
        else:
            self.say("dealer", ClearLock(terminal))

    # --- what waits for people ---------------------------------------------------------------

    def _resolve_doubt(self, code: str) -> None:
        state, chance = self.state, self._chance
        if chance.happens(0.1):
            self.say("dealer", chance.pick([CloseBets(bell=True), Settle(), OpenBets()]))
        if chance.happens(0.25):
            # A device may still be at work, and other people may report something too.
            by: Role = "dealer" if state.equipment.tumbler == "keyed" else "device"
            again = ReportIrregularity(chance.pick([code, "die-not-flat", "bad-tumble"]), "seen")
            self.say(by, chance.pick([RecordTumble(3), again]))
        if self.state.in_doubt is not None:
            self.answer_pending()

    def _declare(self) -> None:
        """Declare what the table waits for, or try to go on without it."""
        state, chance = self.state, self._chance
        if chance.happens(0.1):
            self.say("dealer", chance.pick(_TOO_EARLY))
        elif state.stopped is not None and state.phase is Phase.READY and chance.happens(0.3):
            self._get_going()
        else:
            said = said_of(state, chance, self.truth.get(state.round) if state.tumbled else None)
            self.ask(chance.who_may(type(said)), said)
