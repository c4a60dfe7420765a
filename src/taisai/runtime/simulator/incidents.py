"""Trouble: failures, mistakes found too late, and commands by people who may not give them."""

from collections.abc import Callable

from taisai.core.cage.vouchers import (
    DAY_MS,
    OpenCage,
    PayVoucher,
    PrintVoucher,
    ReplaceVoucherKey,
    SellVoucher,
    SetVoucherTerms,
    SkipSerials,
    TakeVoucher,
)
from taisai.core.kernel.approvals import Approve, Decline
from taisai.core.kernel.messages import Actor, BoxStake, Command, Posting
from taisai.core.kernel.transits import CloseTransit
from taisai.core.streams import CageCommand, VenueCommand
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import (
    BarTerminal,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
)
from taisai.core.table.provably_fair import (
    AbandonChain,
    PublishChain,
    RetireChain,
    RevealSecret,
)
from taisai.core.table.state import IN_ROUND
from taisai.core.venue.setup import AdmitTable, OpenVenue, RestoreVenue, TakeOverVenue
from taisai.runtime.answers import HOST
from taisai.runtime.simulator.anything import CODES, any_command
from taisai.runtime.simulator.crowd import ROLES, Chance
from taisai.runtime.simulator.pit import Pit
from taisai.runtime.simulator.venue import CURRENCY, SimulatedVenue
from taisai.runtime.streams import CAGE, VENUE

#: Commands of the router alone, and only for money that is really in transit.
_ROUTERS_OWN = (ReceiveCredits, CloseTransit, PrintVoucher)
#: Commands of the venue alone: a chain made up by others could never be revealed.
_VENUES_OWN = (PublishChain, RevealSecret)


class Trouble:
    """The incidents that disturb a table."""

    def __init__(self, venue: SimulatedVenue, chance: Chance) -> None:
        self._venue = venue
        self._chance = chance
        self._kinds: list[tuple[int, Callable[[Pit], None]]] = [
            (10, self._irregularity),
            (6, self._interruption),
            (10, self._line),
            (6, self._bar),
            (6, self._damaged_dice),
            (9, self._wrong_result),
            (5, self._ruling),
            (6, self._on_behalf),
            (3, self._stray_answer),
            (2, self._secrets),
            (18, self._any_command),
            (3, self._cage_trouble),
            (1, self._venue_trouble),
            (4, self._time_passes),
        ]

    def strike(self, pit: Pit) -> None:
        """Let one thing go wrong."""
        self._chance.weighted(self._kinds)(pit)

    def _irregularity(self, pit: Pit) -> None:
        if pit.state.phase not in IN_ROUND and self._chance.happens(0.7):
            return
        report = ReportIrregularity(self._chance.pick(CODES), "as seen")
        pit.ask(self._chance.who_may(ReportIrregularity), report)

    def _interruption(self, pit: Pit) -> None:
        pit.send(self._chance.who_may(RecordInterruption), RecordInterruption("power cut"))

    def _line(self, pit: Pit) -> None:
        """Lose a terminal's connection, or restore it."""
        terminal = self._chance.pick([*pit.terminals, "no such"])
        kind = self._chance.pick([LoseTerminal, RestoreTerminal, RestoreTerminal])
        pit.say("system", kind(terminal))

    def _bar(self, pit: Pit) -> None:
        terminal = self._chance.pick(pit.terminals)
        barred = [name for name, seat in pit.state.positions.items() if seat.barred]
        if barred or self._chance.happens(0.3):
            terminal = self._chance.pick(barred or pit.terminals)
            pit.send(self._chance.who_may(LiftBar), LiftBar(terminal, "bar lifted"))
        else:
            note = self._chance.pick(["asked for it", "asked for it", ""])
            pit.send(self._chance.who_may(BarTerminal), BarTerminal(terminal, note))

    def _damaged_dice(self, pit: Pit) -> None:
        state, chance = pit.state, self._chance
        name = chance.pick([*state.dice_rounds, None, None, None, "no such"])
        if chance.happens(0.5):
            note = chance.pick(["a chipped die", "a chipped die", "a chipped die", " "])
            pit.report_damage(note, name)
            return
        used = state.dice_rounds.get(name or str(state.dice_set)) or [(1, None)]
        since, until = used[0][0], used[-1][1]
        first = (state.round if until is None else until) - chance.between(-1, 6)
        if chance.happens(0.4):
            first = since
        elif chance.happens(0.9):
            first = max(first, since)
        note = chance.pick(["a chipped die", "a chipped die", "a chipped die", " "])
        pit.ask(chance.who_may(VoidSettledRounds), VoidSettledRounds(first, note, name))

    def _wrong_result(self, pit: Pit) -> None:
        """Find a wrong result late: one that was mis-keyed, or one that was right."""
        state, chance = pit.state, self._chance
        wrong = [
            number
            for number, dice in pit.truth.items()
            if number in state.history and state.history[number].faces not in (None, dice)
        ]
        if wrong and chance.happens(0.7):
            number = chance.pick(wrong)
            dice = pit.truth[number]
        else:
            ago = chance.between(0, 3) if chance.happens(0.8) else chance.between(0, state.round)
            number, dice = state.round - ago, chance.throw()
        note = chance.pick(["seen on camera", "seen on camera", ""])
        command = CorrectSettledRound(number, dice, note)
        pit.ask(chance.who_may(CorrectSettledRound), command)

    def _ruling(self, pit: Pit) -> None:
        chance = self._chance
        accounts = [f"terminal:{name}" for name in pit.terminals]
        accounts += ["house:bank", "house:bank", "house:void-shortfall"]
        if chance.happens(0.1):
            accounts += ["stake:1", "terminal:none", "cash:counter"]
        count = chance.pick([0, 1, 1, 2])
        postings = tuple(
            Posting(chance.pick(accounts), chance.pick(accounts), chance.pick([100, 5_000, 10**9]))
            for _ in range(count)
        )
        if chance.happens(0.05):
            postings = (Posting("house:bank", accounts[0], chance.pick([0, -5])),)
        command = Rule(chance.pick(["goodwill", "goodwill", ""]), postings, chance.happens(0.25))
        pit.ask(chance.actor("shift-manager"), command)

    def _on_behalf(self, pit: Pit) -> None:
        """Have staff bet for a player, or clear the player's bets."""
        chance, limits, table = self._chance, pit.state.limits, pit.state.pay_table
        terminal = chance.pick(pit.terminals)
        if limits is None or table is None:
            return
        box = chance.pick(list(table.boxes))
        bets = (BoxStake(box, limits.of(box).minimum or limits.step),)
        kinds = [PlaceBets(terminal, bets), WithdrawBets(terminal, bets), ClearBets(terminal)]
        pit.say(chance.pick(["dealer", "supervisor"]), chance.pick(kinds))

    def _stray_answer(self, pit: Pit) -> None:
        """Approve or decline what nobody asked for."""
        actor = self._chance.who_may(Approve)
        pit.send(actor, self._chance.pick([Approve("0" * 64, 1), Decline("0" * 64)]))

    def _cage_trouble(self, _: Pit) -> None:
        chance = self._chance
        commands: list[CageCommand] = [
            OpenCage(CURRENCY),
            PayVoucher("", None),
            PayVoucher("000000000000000000", 1),
            SellVoucher(0, "counter"),
            ReplaceVoucherKey("0" * 64, "ann", chance.pick(["bob", "bob", "ANN "])),
            TakeVoucher("1" * 18, "T1", "1"),
            Decline("0" * 64),
            CloseTransit("never"),
            PrintVoucher("never", "T1", "1", 5_000),
            SetVoucherTerms(chance.pick([0, 7, 30]), chance.pick([None, 50_000])),
            SetVoucherTerms(45, 70_000),
        ]
        command = chance.pick(commands)
        actor = chance.who_may(type(command)) if chance.happens(0.7) else self._anybody(["1"])
        self._venue.send(CAGE, actor, command)
        if isinstance(command, SetVoucherTerms):
            self._venue.answer_pending(CAGE, chance)

    def _venue_trouble(self, pit: Pit) -> None:
        commands: list[VenueCommand] = [
            OpenVenue("another", "NZD"),
            AdmitTable("T1", CURRENCY),
            AdmitTable("T9", "NZD"),
            AdmitTable(" ", CURRENCY),
        ]
        command = self._chance.pick(commands)
        self._venue.send(VENUE, self._chance.actor("system"), command)
        if isinstance(command, OpenVenue):
            # A person who opens an open venue may as well report that it was restored.
            second = "bob" if self._venue.state.version % 2 else "Ann "
            self._restored(pit, second)

    def _restored(self, pit: Pit, second: str) -> None:
        """Record that the venue was restored, and what follows for dice and vouchers."""
        host, serial = HOST, self._venue.cage.serial
        self._venue.send(VENUE, host, RestoreVenue("ann", second, 1))
        for epoch in (1, 2):
            # In another database, and lost there twice.
            self._venue.send(VENUE, host, TakeOverVenue("ann", second, "lost:/venue", epoch))
        for note in (" ", "restored"):
            pit.send(host, AbandonChain("ann", second, note))
            pit.send(host, RetireChain(note))
            for upto in (serial, serial + 1_000):
                self._venue.send(CAGE, host, SkipSerials(upto, "ann", second, note))

    def _time_passes(self, _: Pit) -> None:
        """Let a minute pass, an hour, or more days than a voucher is good for."""
        self._venue.now += self._chance.pick([60_000] * 6 + [3_600_000] * 4 + [31 * DAY_MS])

    def _secrets(self, pit: Pit) -> None:
        """Try to reveal other secrets than those that are due."""
        state, chance = pit.state, self._chance
        if state.chain is not None and chance.happens(0.3):
            # Secrets may be known: the venue was restored from an older copy.
            self._restored(pit, "bob" if self._venue.state.version % 2 else "Ann ")
            return
        made_up = chance.rng.randbytes(32).hex()
        commands: list[Command] = [
            RevealSecret(state.round, made_up),
            RevealSecret(state.round + 1, made_up),
            PublishChain(made_up, 0, "sealed"),
        ]
        if state.chain is not None:
            commands += [PublishChain(state.chain.commitment[:-1], 5, "sealed")]
            commands += [RevealSecret(state.round, state.chain.link)]
        goes_on = state.chain is not None and not state.chain.used_up
        if goes_on or state.equipment.tumbler != "verifiable":
            # Always refused here, so that its secrets never have to be revealed.
            commands += [PublishChain(made_up, 5, "sealed")]
        pit.say("system", chance.pick(commands))

    def _any_command(self, pit: Pit) -> None:
        """Give a random command by a random actor at any time."""
        command = any_command(self._chance, pit)
        may = self._chance.happens(0.5)
        actor = (
            self._chance.who_may(type(command), pit.terminals)
            if may
            else self._anybody(pit.terminals)
        )
        if actor.role == "system" and isinstance(command, _ROUTERS_OWN + _VENUES_OWN):
            return
        pit.send(actor, command)

    def _anybody(self, terminals: list[str]) -> Actor:
        return self._chance.actor(self._chance.pick(ROLES), terminals)
