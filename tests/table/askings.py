"""What can be asked of a table and of the cage: each command, as it should be and as it may come.

Whatever is asked here could have come over a wire: a decoder takes every one of these.
"""

from taisai.core import commands as c
from taisai.core.messages import BoxStake, Equipment, LimitsAsked, Posting
from tests.kit.tables import SEALED, SECRETS, AnyCommand, Cage, Table, secret_chain
from tests.table.felt_askings import AT_FELT, FOR_FELT

HUGE = 10**30
LONG = "x" * 5_000
STRANGE = ("", " ", "\x00", "terminal:7", "骰寶", LONG)
DICE = ((1, 3, 6), (6, 6, 6), (3, 1, 2))
NO_DICE = ((), (1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7), (-1, 2, 3), (HUGE, 1, 1), (1,) * 2_000)
AMOUNTS = (1_000, 0, 1, -1_000, 10**24, HUGE, -HUGE)
TERMINALS = ("7", "8", "9", *STRANGE)

BATCHES: tuple[tuple[BoxStake, ...], ...] = (
    (BoxStake("small", 1_000),),
    (BoxStake("small", 3_000), BoxStake("total-9", 2_000)),
    (BoxStake("big", 60_000),),
    (BoxStake("big", 500),),
    (BoxStake("total-9", 200_000),),
    (BoxStake("single-2", 1_000), BoxStake("single-2", 1_000)),
    *((BoxStake("small", amount),) for amount in AMOUNTS[1:]),
    *((BoxStake(box, 1_000),) for box in (*STRANGE, "domino-21", "four-6541", "Small")),
    (),
    (BoxStake("small", 1_000),) * 200,
    (BoxStake("small", 1_000),) * 201,
)

LIMITS = (
    LimitsAsked(500, 50_000, 100, 20_000),
    LimitsAsked(0, 0),
    LimitsAsked(-1, HUGE, 0, -HUGE),
    LimitsAsked(100, 50, 1),
    LimitsAsked(1_000, 9_000, HUGE),
    LimitsAsked(1_000, 9_000, 100, None, {"small": (None, 5_000), "total": (2_000, None)}),
    LimitsAsked(1_000, 9_000, 100, None, {"small": (9_000, 1_000)}),
    LimitsAsked(1_000, 9_000, 100, None, dict.fromkeys(STRANGE, (None, HUGE))),
)

RULINGS = (
    c.Rule("put right"),
    c.Rule("put right", voids_round=True),
    c.Rule("put right", (Posting("house:bank", "terminal:7", 1_000),)),
    c.Rule("put right", (Posting("terminal:7", "house:void-shortfall", 1_000),), voids_round=True),
    c.Rule("put right", (Posting("terminal:7", "terminal:7", 10**9),)),
    c.Rule("put right", (Posting("terminal:7", "terminal:8", 10**9),)),
    c.Rule("put right", (Posting("stake:7", "house:bank", 1),)),
    c.Rule("put right", (Posting("house:bank", "terminal:7", 1),) * 1_001),
    *(c.Rule("put right", (Posting("house:bank", "terminal:7", n),)) for n in AMOUNTS[1:]),
    *(c.Rule("put right", (Posting(name, name, 1),)) for name in STRANGE),
    *(c.Rule(note) for note in STRANGE),
)

OPENING: tuple[AnyCommand, ...] = (
    c.CreateTable("T2", "SGD"),
    c.CreateTable("T2", "SGD", Equipment("verifiable", read_by_dealer_too=True), 5_000),
    *(c.CreateTable("T2", "SGD", lock_above=amount) for amount in AMOUNTS),
    *(c.CreateTable(name, name) for name in STRANGE),
    c.EnrolTerminal("9", "place 9"),
    *(c.EnrolTerminal(terminal, "") for terminal in TERMINALS),
    c.AdoptRulebook("{}", 1),
    c.AdoptRulebook("[" * 100_000, 1),
    *(c.AdoptRulebook(text, HUGE) for text in STRANGE),
    *(c.SetLimits(limits) for limits in LIMITS),
    c.RegisterDice("D2", "S2"),
    *(c.RegisterDice(name, name) for name in STRANGE),
    c.RecordChecks(("equipment-on", "test-runs-light", "tumbler-works", "dice-sealed")),
    c.RecordChecks(()),
    c.RecordChecks(("dice-sealed",) * 1_000),
    *(c.RecordChecks((name,)) for name in STRANGE),
    c.OpenTable(),
    c.GiveNotice(),
    c.CloseTable(),
)

CHAIN = secret_chain()
SECRET_TEXTS = (*CHAIN, CHAIN[1].upper(), CHAIN[1][:-1], "é" * 64, *STRANGE)

DRAWING: tuple[AnyCommand, ...] = (
    *(c.PublishChain(text, SECRETS, SEALED) for text in SECRET_TEXTS),
    *(c.PublishChain(CHAIN[0], length, SEALED) for length in (1, 0, -1, HUGE, -HUGE)),
    *(c.PublishChain(CHAIN[0], SECRETS, sealed) for sealed in ("é", *STRANGE)),
    *(c.RevealSecret(1, text) for text in SECRET_TEXTS),
    *(c.RevealSecret(number, CHAIN[2]) for number in (2, 0, -1, HUGE, -HUGE)),
    c.AbandonChain("Ann", "Bob", "restored"),
    c.AbandonChain("Ann", "ANN ", "restored"),
    *(c.AbandonChain(name, "Bob", "restored") for name in STRANGE),
    *(c.AbandonChain("Ann", "Bob", note) for note in STRANGE),
)

PLAYING: tuple[AnyCommand, ...] = (
    c.OpenBets(),
    *(c.RecordTumble(times) for times in (3, 2, 0, 1_000, 1_001, -1, HUGE)),
    c.RecordTumble(3, flat=False),
    c.RecordTumble(3, concealed=False),
    c.CloseBets(),
    c.CloseBets(bell=True),
    *(c.PressFace(face) for face in (1, 6, 0, 7, -1, HUGE)),
    c.EnterResult(),
    *(c.EnterResult(faces) for faces in (*DICE, *NO_DICE)),
    c.ConfirmResult(),
    *(c.AmendResult(faces) for faces in (*DICE, *NO_DICE)),
    c.Settle(),
    *(c.PlaceBets("7", bets) for bets in BATCHES),
    *(c.PlaceBets(terminal, BATCHES[0]) for terminal in TERMINALS),
    *(c.WithdrawBets("7", bets) for bets in BATCHES),
    *(c.WithdrawBets(terminal, BATCHES[0]) for terminal in TERMINALS),
    *(c.ClearBets(terminal) for terminal in TERMINALS),
)

PUTTING_RIGHT: tuple[AnyCommand, ...] = (
    *(
        c.ReportIrregularity(code)
        for code in (
            *("bad-tumble", "no-tumble", "die-not-flat", "dice-exposed", "tumbled-too-early"),
            *("damaged-dice", "lights-fail", "malfunction", "walked-away", "wrong-entry"),
            *("wrong-result-settled", "interrupted-with-outcome", "terminal-lost-registered"),
            *STRANGE,
        )
    ),
    c.ReportIrregularity("die-not-flat", LONG),
    c.RecordInterruption(),
    c.RecordInterruption(LONG),
    c.DeclareOutcome(),
    *(c.DeclareOutcome(faces) for faces in (*DICE, *NO_DICE)),
    *(c.VoidSettledRounds(first, "chipped") for first in (1, 2, 3, 0, -1, HUGE, -HUGE)),
    *(c.VoidSettledRounds(1, note) for note in STRANGE),
    *(c.CorrectSettledRound(number, (1, 1, 1), "misread") for number in (1, 2, 0, -1, HUGE)),
    *(c.CorrectSettledRound(1, faces, "misread") for faces in (*DICE, *NO_DICE)),
    *(c.CorrectSettledRound(1, (1, 1, 1), note) for note in STRANGE),
    *RULINGS,
    *(c.Rectify(note) for note in ("mended", *STRANGE)),
    *(c.DeclareSafeProcedure(note) for note in ("by hand", *STRANGE)),
)

AT_TERMINALS: tuple[AnyCommand, ...] = (
    *(c.ReceiveCredits("cage-99", "7", amount) for amount in AMOUNTS),
    *(c.ReceiveCredits("cage-99", terminal, 1_000) for terminal in TERMINALS),
    *(c.ReceiveCredits(transit, "7", 1_000) for transit in ("cage-7", *STRANGE)),
    *(c.CashOut(terminal) for terminal in TERMINALS),
    *(c.CloseTransit(transit) for transit in ("cage-7", *STRANGE)),
    *(c.LoseTerminal(terminal) for terminal in TERMINALS),
    *(c.RestoreTerminal(terminal) for terminal in TERMINALS),
    *(c.SetOwnLimits(terminal, 5_000, 3_600) for terminal in TERMINALS),
    *(c.SetOwnLimits("7", loss, None) for loss in AMOUNTS),
    *(c.SetOwnLimits("7", None, seconds) for seconds in AMOUNTS),
    c.SetOwnLimits("7"),
    *(c.BarTerminal(terminal, "asked for it") for terminal in TERMINALS),
    *(c.BarTerminal("7", note) for note in STRANGE),
    *(c.LiftBar(terminal, "over") for terminal in TERMINALS),
    *(c.LiftBar("7", note) for note in STRANGE),
    *(c.ClearLock(terminal) for terminal in TERMINALS),
)

AT_THE_CAGE: tuple[AnyCommand, ...] = (
    c.OpenCage("SGD"),
    c.OpenCage("SGD", 30, 5_000),
    *(c.OpenCage("SGD", days) for days in (0, 1, 3_660, 3_661, -1, HUGE)),
    *(c.OpenCage("SGD", 30, above) for above in AMOUNTS),
    *(c.OpenCage(name) for name in STRANGE),
    *(c.SellVoucher(value, "counter") for value in (*AMOUNTS, 50_000)),
    *(c.SellVoucher(1_000, place) for place in STRANGE),
    *(c.PrintVoucher("T1-5", "T1", "7", value) for value in (*AMOUNTS, 50_000)),
    *(c.PrintVoucher(name, name, name, 1_000) for name in STRANGE),
    c.PrintVoucher("T1-9", "T1", "7", 1_000),
    *(c.TakeVoucher(number, "T1", "7") for number in ("0" * 18, "1" * 18, "१" * 18, *STRANGE)),
    *(c.PayVoucher(number) for number in ("0" * 18, "1" * 18, "१" * 18, *STRANGE)),
    *(c.PayVoucher("", serial) for serial in (1, 2, 0, -1, HUGE)),
    c.CloseTransit("cage-1"),
    c.CloseTransit("cage-2"),
    *(c.SkipSerials(n, "Ann", "Bob", "restored") for n in (1_000, 10**9, 0, -1, HUGE, -HUGE)),
    c.SkipSerials(1_000, "Ann", "ANN ", "restored"),
    *(c.SkipSerials(1_000, name, "Bob", "restored") for name in STRANGE),
    *(c.SkipSerials(1_000, "Ann", "Bob", note) for note in STRANGE),
)

EVERYTHING: tuple[AnyCommand, ...] = (
    *(*OPENING, *DRAWING, *PLAYING, *PUTTING_RIGHT, *AT_TERMINALS, *AT_THE_CAGE),
    *(*AT_FELT, *FOR_FELT),
)


def answering(of: Table | Cage) -> list[AnyCommand]:
    """Write approvals and refusals of what is pending, and of what is not."""
    pending = of.state.pending
    asked: list[AnyCommand] = [c.Decline(name) for name in STRANGE]
    asked += [c.Approve(name, number) for name in STRANGE for number in (0, -1, HUGE)]
    if pending is not None:
        asked += [c.Decline(pending.hash)]
        asked += [c.Approve(pending.hash, pending.version + off) for off in (0, 1, HUGE)]
    return asked


def asked_of_table(table: Table) -> list[AnyCommand]:
    """Ask everything of a table; what it wants to know is taken from it."""
    rulebook = table.state.rulebook
    asked: list[AnyCommand] = [*EVERYTHING, *answering(table)]
    if table.state.felt is None:
        # One of each kind will do to hear that it is no felt.
        once = {type(command): id(command) for command in AT_FELT}
        made = {id(command) for command in AT_FELT if type(command) is c.CreateTable}
        felt = {id(command) for command in AT_FELT} - {*once.values(), *made}
        asked = [command for command in asked if id(command) not in felt]
    asked += [c.CloseTransit(transit) for transit in table.state.transits_open]
    if table.state.felt is not None:
        asked += [c.CloseTransit(transit) for transit in table.state.felt.credits_open]
        # Seats bear numbers there.
        asked += [c.Rule("put right", (Posting("house:bank", "terminal:1", 1_000),))]
        asked += [c.Rule("put right", (Posting("terminal:2", "terminal:1", 1_000),))]
    if rulebook is not None:
        canonical = rulebook.canonical.decode()
        asked += [c.AdoptRulebook(canonical, number) for number in (1, 0, HUGE)]
    return asked


def asked_of_cage(cage: Cage) -> list[AnyCommand]:
    """Ask everything of a cage, its live numbers among it."""
    numbers = list(cage.state.by_number)
    asked: list[AnyCommand] = [*EVERYTHING, *answering(cage)]
    asked += [c.TakeVoucher(number, "T1", "7") for number in numbers]
    asked += [c.PayVoucher(number) for number in numbers]
    return [*asked, *(c.PayVoucher(number, 1) for number in numbers)]
