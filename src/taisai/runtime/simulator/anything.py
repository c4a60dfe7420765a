"""Commands of any kind, with contents that make sense or nearly so."""

from collections.abc import Callable

from taisai.core.kernel.messages import BoxStake, Command
from taisai.core.kernel.transits import CloseTransit
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome, Fact, RecordInterruption
from taisai.core.table.irregularities import AnnounceVoid, ReportIrregularity
from taisai.core.table.positions import (
    BarTerminal,
    CashOut,
    ClearLock,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
    SetOwnLimits,
)
from taisai.core.table.provably_fair import PublishChain, RevealSecret
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
    CreateTable,
    DeclareSafeProcedure,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.pit import Pit
from taisai.runtime.simulator.venue import CURRENCY

CODES = (
    *("bad-tumble", "die-not-flat", "dice-exposed", "tumbled-too-early", "no-tumble"),
    *("lights-fail", "malfunction", "walked-away", "late-error", "bet-in-error", "bet-moved"),
    *("display-wrong", "wrong-entry", "touching-line", "over-limit", "below-minimum"),
    *("lights-fail", "malfunction", "lights-fail", "malfunction"),
    *("second-tumble", "uncovered-tumble", "x" * 65),
    *("damaged-dice", "wrong-result-settled", "interrupted-with-outcome", "cat on the table"),
)
#: Facts that are testified to, rightly or not.
_FACTS: tuple[tuple[Fact, ...], ...] = ((), (), ("tumbled",), ("closed",), ("closed", "tumbled"))


def any_command(chance: Chance, pit: Pit) -> Command:
    """Make up a command of any kind, with contents that make sense or nearly so."""
    terminal = chance.pick([*pit.terminals, "none"])
    throw = chance.throw()
    stakes = (BoxStake(chance.pick(["small", "big", "triple-1", "double-2"]), 5_000),)
    number = chance.between(0, pit.state.round + 1)
    makers: list[Callable[[], Command]] = [
        lambda: CreateTable(chance.pick(["T1", " "]), CURRENCY),
        lambda: EnrolTerminal(chance.pick([terminal, " ", "a:b"]), "nowhere"),
        lambda: AdoptRulebook("{}", 1),
        lambda: SetLimits(pit.made_up_limits()),
        lambda: RegisterDice(chance.pick(["new", ""]), "seal"),
        lambda: pit.made_up_act(throw),
        OpenTable,
        GiveNotice,
        CloseTable,
        OpenBets,
        lambda: RecordTumble(chance.pick([3, 3, 3, 0, 5_000])),
        lambda: CloseBets(bell=chance.happens(0.5)),
        lambda: PressFace(chance.between(0, 7)),
        lambda: EnterResult(chance.pick([None, throw, throw[:2]])),
        ConfirmResult,
        lambda: AmendResult(chance.pick([throw, (0, 1, 2)])),
        Settle,
        lambda: PublishChain("0" * 64, 5, "sealed"),
        lambda: RevealSecret(number, "0" * 64),
        lambda: PlaceBets(terminal, stakes),
        lambda: WithdrawBets(terminal, stakes),
        lambda: ClearBets(terminal),
        lambda: ReportIrregularity(chance.pick(CODES)),
        AnnounceVoid,
        RecordInterruption,
        lambda: DeclareOutcome(chance.pick([None, throw, (9, 9, 9)]), chance.pick(_FACTS)),
        lambda: VoidSettledRounds(number, "as said"),
        lambda: CorrectSettledRound(number, chance.pick([throw, (1, 1, 7)]), "as said"),
        lambda: Rule("as said", (), chance.happens(0.3)),
        lambda: Rectify("as said"),
        lambda: DeclareSafeProcedure("as said"),
        lambda: ReceiveCredits("made-up", terminal, 1_000_000),
        lambda: CashOut(terminal),
        lambda: CloseTransit("made-up"),
        lambda: LoseTerminal(terminal),
        lambda: RestoreTerminal(terminal),
        lambda: SetOwnLimits(terminal, chance.pick([None, 10_000, -1])),
        lambda: BarTerminal(terminal, chance.pick(["as said", " "])),
        lambda: LiftBar(terminal, chance.pick(["as said", " "])),
        lambda: ClearLock(terminal),
        lambda: SetWinAside(terminal),
    ]
    return chance.pick(makers)()
