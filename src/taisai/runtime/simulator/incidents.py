"""Trouble: what fails, what is found out too late, and who does what is not theirs to do."""

from collections.abc import Callable

from taisai.core import commands as c
from taisai.core.cage import DAY_MS
from taisai.core.commands import CageCommand, Command, HouseCommand
from taisai.core.messages import Actor, BoxStake, Posting
from taisai.core.table_state import IN_ROUND
from taisai.runtime.simulator.crowd import ROLES, Chance
from taisai.runtime.simulator.pit import Pit
from taisai.runtime.simulator.venue import CAGE, CURRENCY, HOUSE, SimulatedVenue

_CODES = (
    *("bad-tumble", "die-not-flat", "dice-exposed", "tumbled-too-early", "no-tumble"),
    *("lights-fail", "malfunction", "walked-away", "late-error", "bet-in-error", "bet-moved"),
    *("display-wrong", "wrong-entry", "touching-line", "over-limit", "below-minimum"),
    *("lights-fail", "malfunction", "lights-fail", "malfunction"),
    *("damaged-dice", "wrong-result-settled", "interrupted-with-outcome", "cat on the table"),
)
#: What only the router may say, and only of money that is really on its way.
_ROUTERS_OWN = (c.ReceiveCredits, c.CloseTransit, c.PrintVoucher)
#: What only the house may say of its secrets: a chain made up by others could never be revealed.
_HOUSES_OWN = (c.PublishChain, c.RevealSecret)


class Trouble:
    """Whatever keeps a table from a quiet evening."""

    def __init__(self, house: SimulatedVenue, chance: Chance) -> None:
        self._house = house
        self._chance = chance
        self._kinds: list[tuple[int, Callable[[Pit], None]]] = [
            (10, self._irregularity),
            (6, self._interruption),
            (10, self._line),
            (6, self._bar),
            (2, self._damaged_dice),
            (9, self._wrong_result),
            (5, self._ruling),
            (6, self._on_behalf),
            (3, self._stray_answer),
            (2, self._secrets),
            (18, self._any_command),
            (3, self._cage_trouble),
            (1, self._house_trouble),
            (4, self._time_passes),
        ]
        self._weights = [weight for weight, _ in self._kinds]

    def strike(self, pit: Pit) -> None:
        """Let one thing go wrong."""
        ((_, kind),) = self._chance.rng.choices(self._kinds, self._weights)
        kind(pit)

    def _irregularity(self, pit: Pit) -> None:
        if pit.state.phase not in IN_ROUND and self._chance.happens(0.7):
            return
        report = c.ReportIrregularity(self._chance.pick(_CODES), "as seen")
        pit.ask(self._chance.who_may(c.ReportIrregularity), report)

    def _interruption(self, pit: Pit) -> None:
        pit.send(self._chance.who_may(c.RecordInterruption), c.RecordInterruption("power cut"))

    def _line(self, pit: Pit) -> None:
        """Lose a terminal's line, or get it back."""
        terminal = self._chance.pick([*pit.terminals, "no such"])
        kind = self._chance.pick([c.LoseTerminal, c.RestoreTerminal, c.RestoreTerminal])
        pit.say("system", kind(terminal))

    def _bar(self, pit: Pit) -> None:
        terminal = self._chance.pick(pit.terminals)
        barred = [name for name, seat in pit.state.terminals.items() if seat.barred]
        if barred or self._chance.happens(0.3):
            terminal = self._chance.pick(barred or pit.terminals)
            pit.send(self._chance.who_may(c.LiftBar), c.LiftBar(terminal, "bar lifted"))
        else:
            note = self._chance.pick(["asked for it", "asked for it", ""])
            pit.send(self._chance.who_may(c.BarTerminal), c.BarTerminal(terminal, note))

    def _damaged_dice(self, pit: Pit) -> None:
        state, chance = pit.state, self._chance
        name = chance.pick([*state.dice_rounds, None, None, None, "no such"])
        since, until = state.dice_rounds.get(name or str(state.dice_set), (1, None))
        first = (state.round if until is None else until) - chance.between(-1, 6)
        if chance.happens(0.15):
            first = since
        elif chance.happens(0.9):
            first = max(first, since)
        note = chance.pick(["a chipped die", "a chipped die", "a chipped die", " "])
        pit.ask(chance.who_may(c.VoidSettledRounds), c.VoidSettledRounds(first, note, name))

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
            number, dice = state.round - chance.between(0, 3), chance.throw()
        note = chance.pick(["seen on camera", "seen on camera", ""])
        command = c.CorrectSettledRound(number, dice, note)
        pit.ask(chance.who_may(c.CorrectSettledRound), command)

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
        command = c.Rule(chance.pick(["goodwill", "goodwill", ""]), postings, chance.happens(0.25))
        pit.ask(chance.actor("shift-manager"), command)

    def _on_behalf(self, pit: Pit) -> None:
        """Let staff bet for a player, or clear what they bet."""
        chance, limits, table = self._chance, pit.state.limits, pit.state.pay_table
        terminal = chance.pick(pit.terminals)
        if limits is None or table is None:
            return
        box = chance.pick(list(table.boxes))
        bets = (BoxStake(box, limits.of(box).minimum or limits.step),)
        kinds = [c.PlaceBets(terminal, bets), c.WithdrawBets(terminal, bets), c.ClearBets(terminal)]
        pit.say(chance.pick(["dealer", "supervisor"]), chance.pick(kinds))

    def _stray_answer(self, pit: Pit) -> None:
        """Answer what nobody asked, or ask twice."""
        actor = self._chance.who_may(c.Approve)
        pit.send(actor, self._chance.pick([c.Approve("0" * 64, 1), c.Decline("0" * 64)]))

    def _cage_trouble(self, _: Pit) -> None:
        chance = self._chance
        commands: list[CageCommand] = [
            c.OpenCage(CURRENCY),
            c.PayVoucher("", None),
            c.PayVoucher("000000000000000000", 1),
            c.SellVoucher(0, "counter"),
            c.TakeVoucher("1" * 18, "T1", "1"),
            c.Decline("0" * 64),
            c.CloseTransit("never"),
        ]
        command = chance.pick(commands)
        actor = chance.who_may(type(command)) if chance.happens(0.7) else self._anybody(["1"])
        self._house.send(CAGE, actor, command)

    def _house_trouble(self, pit: Pit) -> None:
        commands: list[HouseCommand] = [
            c.OpenHouse("another", "NZD"),
            c.AdmitTable("T1", CURRENCY),
            c.AdmitTable("T9", "NZD"),
            c.AdmitTable(" ", CURRENCY),
        ]
        command = self._chance.pick(commands)
        self._house.send(HOUSE, self._chance.actor("system"), command)
        if isinstance(command, c.OpenHouse):
            # Somebody who opens a house that is open may as well say that it was restored.
            second = "bob" if self._house.state.version % 2 else "Ann "
            self._restored(pit, second)

    def _restored(self, pit: Pit, second: str) -> None:
        """Say that the house was restored, and what follows from it for dice and vouchers."""
        host, serial = Actor("host", "system"), self._house.cage.serial
        self._house.send(HOUSE, host, c.RestoreHouse("ann", second, 1))
        for note in (" ", "restored"):
            pit.send(host, c.AbandonChain("ann", second, note))
            for upto in (serial, serial + 1_000):
                self._house.send(CAGE, host, c.SkipSerials(upto, "ann", second, note))

    def _time_passes(self, _: Pit) -> None:
        """Let a minute pass, an hour, or more days than a voucher is good for."""
        self._house.now += self._chance.pick([60_000] * 6 + [3_600_000] * 4 + [31 * DAY_MS])

    def _secrets(self, pit: Pit) -> None:
        """Try to pass off other secrets than those that are due."""
        state, chance = pit.state, self._chance
        made_up = chance.rng.randbytes(32).hex()
        commands: list[Command] = [
            c.RevealSecret(state.round, made_up),
            c.RevealSecret(state.round + 1, made_up),
            c.PublishChain(made_up, 0, "sealed"),
        ]
        if state.chain is not None:
            commands += [c.PublishChain(state.chain.commitment[:-1], 5, "sealed")]
            commands += [c.RevealSecret(state.round, state.chain.link)]
        goes_on = state.chain is not None and not state.chain.used_up
        if goes_on or state.equipment.tumbler != "verifiable":
            # It is refused whatever it says, so that nobody has to keep what it promises.
            commands += [c.PublishChain(made_up, 5, "sealed")]
        pit.say("system", chance.pick(commands))

    def _any_command(self, pit: Pit) -> None:
        """Give any command at all, as anybody at all, whatever the table is doing."""
        command = any_command(self._chance, pit)
        may = self._chance.happens(0.5)
        actor = (
            self._chance.who_may(type(command), pit.terminals)
            if may
            else self._anybody(pit.terminals)
        )
        if actor.role == "system" and isinstance(command, _ROUTERS_OWN + _HOUSES_OWN):
            return
        pit.send(actor, command)

    def _anybody(self, terminals: list[str]) -> Actor:
        return self._chance.actor(self._chance.pick(ROLES), terminals)


def any_command(chance: Chance, pit: Pit) -> Command:
    """Make up a command of any kind, with contents that make sense or nearly so."""
    terminal = chance.pick([*pit.terminals, "none"])
    throw = chance.throw()
    stakes = (BoxStake(chance.pick(["small", "big", "triple-1", "double-2"]), 5_000),)
    number = chance.between(0, pit.state.round + 1)
    makers: list[Callable[[], Command]] = [
        lambda: c.CreateTable(chance.pick(["T1", " "]), CURRENCY),
        lambda: c.EnrolTerminal(chance.pick([terminal, " ", "a:b"]), "nowhere"),
        lambda: c.AdoptRulebook("{}", 1),
        lambda: c.SetLimits(pit.made_up_limits()),
        lambda: c.RegisterDice(chance.pick(["new", ""]), "seal"),
        lambda: c.RecordChecks(("equipment-on",)),
        c.OpenTable,
        c.GiveNotice,
        c.CloseTable,
        c.OpenBets,
        lambda: c.RecordTumble(chance.pick([3, 3, 3, 0, 5_000])),
        lambda: c.CloseBets(bell=chance.happens(0.5)),
        lambda: c.PressFace(chance.between(0, 7)),
        lambda: c.EnterResult(chance.pick([None, throw, throw[:2]])),
        c.ConfirmResult,
        lambda: c.AmendResult(chance.pick([throw, (0, 1, 2)])),
        c.Settle,
        lambda: c.PublishChain("0" * 64, 5, "sealed"),
        lambda: c.RevealSecret(number, "0" * 64),
        lambda: c.PlaceBets(terminal, stakes),
        lambda: c.WithdrawBets(terminal, stakes),
        lambda: c.ClearBets(terminal),
        lambda: c.ReportIrregularity(chance.pick(_CODES)),
        c.RecordInterruption,
        lambda: c.DeclareOutcome(chance.pick([None, throw, (9, 9, 9)])),
        lambda: c.VoidSettledRounds(number, "as said"),
        lambda: c.CorrectSettledRound(number, chance.pick([throw, (1, 1, 7)]), "as said"),
        lambda: c.Rule("as said", (), chance.happens(0.3)),
        lambda: c.Rectify("as said"),
        lambda: c.DeclareSafeProcedure("as said"),
        lambda: c.ReceiveCredits("made-up", terminal, 1_000_000),
        lambda: c.CashOut(terminal),
        lambda: c.CloseTransit("made-up"),
        lambda: c.LoseTerminal(terminal),
        lambda: c.RestoreTerminal(terminal),
        lambda: c.SetOwnLimits(terminal, chance.pick([None, 10_000, -1])),
        lambda: c.BarTerminal(terminal, chance.pick(["as said", " "])),
        lambda: c.LiftBar(terminal, chance.pick(["as said", " "])),
        lambda: c.ClearLock(terminal),
    ]
    return chance.pick(makers)()
