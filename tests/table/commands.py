"""Commands for a table and the cage: each one in its right form, and in strange ones.

Every command here could have come over a wire: a decoder accepts it.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import get_args

import msgspec
from msgspec import structs

from taisai.core.cage.state import session_code
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.cage.vouchers import (
    OpenCage,
    PayVoucher,
    PrintVoucher,
    SellVoucher,
    SkipSerials,
    TakeVoucher,
    VoidVoucher,
)
from taisai.core.kernel.approvals import Approve, Decline
from taisai.core.kernel.messages import BoxStake, Command, Equipment, LimitsAsked, Posting
from taisai.core.kernel.transits import CloseTransit
from taisai.core.streams import CageCommand, TableCommand
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome, RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.opening import (
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
)
from taisai.core.table.positions import (
    BarTerminal,
    CashOut,
    ClearLock,
    EndOwnLimits,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
    SetOwnLimits,
)
from taisai.core.table.provably_fair import (
    AbandonChain,
    PublishChain,
    RetireChain,
    RevealSecret,
)
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    Settle,
)
from taisai.core.table.service import (
    EndSession,
    MarkTerminalFailed,
    ReturnTerminal,
    SetWinAside,
)
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
from tests.kit.tables import SEALED, SECRETS, AnyCommand, Cage, Table, secret_chain
from tests.table.chip_table_commands import AT_CHIP_TABLE, FOR_CHIP_TABLE
from tools.protocol.examples import EXAMPLES

HUGE = 10**30
LONG = "x" * 5_000
STRANGE = ("", " ", "\x00", "terminal:7", "骰寶", LONG)
DICE = ((1, 3, 6), (6, 6, 6), (3, 1, 2))
NO_DICE = ((), (1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7), (-1, 2, 3), (HUGE, 1, 1), (1,) * 2_000)
AMOUNTS = (1_000, 0, 1, -1_000, 10**24, HUGE, -HUGE)
TERMINALS = ("7", "8", "9", *STRANGE)
IN_SERVICE = (MarkTerminalFailed, ReturnTerminal, EndSession)

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
    Rule("put right"),
    Rule("put right", voids_round=True),
    Rule("put right", (Posting("house:bank", "terminal:7", 1_000),)),
    Rule("put right", (Posting("terminal:7", "house:void-shortfall", 1_000),), voids_round=True),
    Rule("put right", (Posting("terminal:7", "terminal:7", 10**9),)),
    Rule("put right", (Posting("terminal:7", "terminal:8", 10**9),)),
    Rule("put right", (Posting("stake:7", "house:bank", 1),)),
    Rule("put right", (Posting("house:bank", "terminal:7", 1),) * 1_001),
    *(Rule("put right", (Posting("house:bank", "terminal:7", n),)) for n in AMOUNTS[1:]),
    *(Rule("put right", (Posting(name, name, 1),)) for name in STRANGE),
    *(Rule(note) for note in STRANGE),
)

OPENING: tuple[AnyCommand, ...] = (
    CreateTable("T2", "SGD"),
    CreateTable("T2", "SGD", Equipment("verifiable", read_by_dealer_too=True), 5_000),
    *(CreateTable("T2", "SGD", handpay_threshold=amount) for amount in AMOUNTS),
    *(CreateTable(name, name) for name in STRANGE),
    EnrolTerminal("9", "place 9"),
    *(EnrolTerminal(terminal, "") for terminal in TERMINALS),
    AdoptRulebook("{}", 1),
    AdoptRulebook("[" * 100_000, 1),
    *(AdoptRulebook(text, HUGE) for text in STRANGE),
    *(SetLimits(limits) for limits in LIMITS),
    RegisterDice("D2", "S2"),
    *(RegisterDice(name, name) for name in STRANGE),
    RegisterEquipment("bell", "B1"),
    RegisterEquipment("tumbler", "T2"),
    *(RegisterEquipment(name, name) for name in STRANGE),
    *(RegisterEquipment("bell", name) for name in STRANGE),
    SwitchOn("mains"),
    *(SwitchOn(name) for name in STRANGE),
    RunTest((2, 2, 6)),
    RunTest((1, 2)),
    RunTest((7,) * 1_000),
    VerifyTest(right=True),
    *(VerifyTest(right=False, note=note) for note in ("dark", *STRANGE)),
    *(TryTumbler(times) for times in (-1, 0, 3, HUGE)),
    ReadSeal("S1"),
    ReadSeal("S1", intact=False),
    *(ReadSeal(name) for name in STRANGE),
    OpenTable(),
    GiveNotice(),
    CloseTable(),
)

CHAIN = secret_chain()
SECRET_TEXTS = (*CHAIN, CHAIN[1].upper(), CHAIN[1][:-1], "é" * 64, *STRANGE)

DRAWING: tuple[AnyCommand, ...] = (
    *(PublishChain(text, SECRETS, SEALED) for text in SECRET_TEXTS),
    *(PublishChain(CHAIN[0], length, SEALED) for length in (1, 0, -1, HUGE, -HUGE)),
    *(PublishChain(CHAIN[0], SECRETS, sealed) for sealed in ("é", *STRANGE)),
    *(RevealSecret(1, text) for text in SECRET_TEXTS),
    *(RevealSecret(number, CHAIN[2]) for number in (2, 0, -1, HUGE, -HUGE)),
    AbandonChain("Ann", "Bob", "restored"),
    AbandonChain("Ann", "ANN ", "restored"),
    *(AbandonChain(name, "Bob", "restored") for name in STRANGE),
    *(AbandonChain("Ann", "Bob", note) for note in STRANGE),
    *(RetireChain(note) for note in ("not the newest", *STRANGE)),
)

PLAYING: tuple[AnyCommand, ...] = (
    OpenBets(),
    *(RecordTumble(times) for times in (3, 2, 0, 1_000, 1_001, -1, HUGE)),
    RecordTumble(3, flat=False),
    RecordTumble(3, concealed=False),
    CloseBets(),
    CloseBets(bell=True),
    *(PressFace(face) for face in (1, 6, 0, 7, -1, HUGE)),
    EnterResult(),
    *(EnterResult(faces) for faces in (*DICE, *NO_DICE)),
    ConfirmResult(),
    *(AmendResult(faces) for faces in (*DICE, *NO_DICE)),
    Settle(),
    *(PlaceBets("7", bets) for bets in BATCHES),
    *(PlaceBets(terminal, BATCHES[0]) for terminal in TERMINALS),
    *(WithdrawBets("7", bets) for bets in BATCHES),
    *(WithdrawBets(terminal, BATCHES[0]) for terminal in TERMINALS),
    *(ClearBets(terminal) for terminal in TERMINALS),
)

PUTTING_RIGHT: tuple[AnyCommand, ...] = (
    *(
        ReportIrregularity(code)
        for code in (
            *("bad-tumble", "no-tumble", "die-not-flat", "dice-exposed", "tumbled-too-early"),
            *("damaged-dice", "lights-fail", "malfunction", "walked-away", "wrong-entry"),
            *("wrong-result-settled", "interrupted-with-outcome", "terminal-lost-registered"),
            *STRANGE,
        )
    ),
    ReportIrregularity("die-not-flat", LONG),
    RecordInterruption(),
    RecordInterruption(LONG),
    DeclareOutcome(),
    *(DeclareOutcome(faces) for faces in (*DICE, *NO_DICE)),
    *(DeclareOutcome(DICE[0], facts) for facts in (("tumbled",), ("closed", "tumbled"))),
    *(VoidSettledRounds(first, "chipped") for first in (1, 2, 3, 0, -1, HUGE, -HUGE)),
    *(VoidSettledRounds(1, note) for note in STRANGE),
    *(CorrectSettledRound(number, (1, 1, 1), "misread") for number in (1, 2, 0, -1, HUGE)),
    *(CorrectSettledRound(1, faces, "misread") for faces in (*DICE, *NO_DICE)),
    *(CorrectSettledRound(1, (1, 1, 1), note) for note in STRANGE),
    *RULINGS,
    *(Rectify(note) for note in ("mended", *STRANGE)),
    *(DeclareSafeProcedure(note) for note in ("by hand", *STRANGE)),
)

AT_TERMINALS: tuple[AnyCommand, ...] = (
    *(ReceiveCredits("cage-99", "7", amount) for amount in AMOUNTS),
    *(ReceiveCredits("cage-99", terminal, 1_000) for terminal in TERMINALS),
    *(ReceiveCredits(transit, "7", 1_000) for transit in ("cage-T1-1", *STRANGE)),
    *(CashOut(terminal) for terminal in TERMINALS),
    *(CloseTransit(transit) for transit in ("cage-T1-1", *STRANGE)),
    *(LoseTerminal(terminal) for terminal in TERMINALS),
    *(RestoreTerminal(terminal) for terminal in TERMINALS),
    *(SetOwnLimits(terminal, 5_000, 3_600) for terminal in TERMINALS),
    *(SetOwnLimits("7", loss, None) for loss in AMOUNTS),
    *(SetOwnLimits("7", None, seconds) for seconds in AMOUNTS),
    SetOwnLimits("7"),
    *(EndOwnLimits(terminal, "asked") for terminal in TERMINALS),
    *(EndOwnLimits("7", note) for note in STRANGE),
    *(BarTerminal(terminal, "asked for it") for terminal in TERMINALS),
    *(BarTerminal("7", note) for note in STRANGE),
    *(kind(terminal, "it is dark") for kind in IN_SERVICE for terminal in TERMINALS),
    *(kind("7", note) for kind in IN_SERVICE for note in STRANGE),
    *(LiftBar(terminal, "over") for terminal in TERMINALS),
    *(LiftBar("7", note) for note in STRANGE),
    *(kind(terminal) for kind in (ClearLock, SetWinAside) for terminal in TERMINALS),
)

AT_THE_CAGE: tuple[AnyCommand, ...] = (
    OpenCage("SGD"),
    OpenCage("SGD", 30, 5_000),
    *(OpenCage("SGD", days) for days in (0, 1, 3_660, 3_661, -1, HUGE)),
    *(OpenCage("SGD", 30, above) for above in AMOUNTS),
    *(OpenCage(name) for name in STRANGE),
    *(SellVoucher(value, "counter") for value in (*AMOUNTS, 50_000)),
    *(SellVoucher(1_000, place) for place in STRANGE),
    *(PrintVoucher("T1-5", "T1", "7", value) for value in (*AMOUNTS, 50_000)),
    *(PrintVoucher(name, name, name, 1_000) for name in STRANGE),
    PrintVoucher("T1-9", "T1", "7", 1_000),
    *(TakeVoucher(number, "T1", "7") for number in ("0" * 18, "1" * 18, "१" * 18, *STRANGE)),
    *(PayVoucher(number) for number in ("0" * 18, "1" * 18, "१" * 18, *STRANGE)),
    *(PayVoucher("", serial) for serial in (1, 2, 0, -1, HUGE)),
    *(VoidVoucher(number, note) for number in ("0" * 18, "1" * 18) for note in STRANGE),
    *(VoidVoucher("", "wrong", serial) for serial in (1, 2, 0, -1, HUGE)),
    CloseTransit("cage-T1-1"),
    CloseTransit("cage-T1-2"),
    *(SkipSerials(n, "Ann", "Bob", "restored") for n in (1_000, 10**9, 0, -1, HUGE, -HUGE)),
    SkipSerials(1_000, "Ann", "ANN ", "restored"),
    *(SkipSerials(1_000, name, "Bob", "restored") for name in STRANGE),
    *(SkipSerials(1_000, "Ann", "Bob", note) for note in STRANGE),
)

BY_HAND: tuple[AnyCommand, ...] = (
    *(*OPENING, *DRAWING, *PLAYING, *PUTTING_RIGHT, *AT_TERMINALS, *AT_THE_CAGE),
    *(*AT_CHIP_TABLE, *FOR_CHIP_TABLE),
)


ANYTHING: tuple[object, ...] = (*STRANGE, *AMOUNTS, *DICE, *NO_DICE, {}, None, True)


def made_up(kind: type[Command]) -> Iterator[AnyCommand]:
    """Make commands of a kind without handmade ones: its example, with each field varied."""
    example = EXAMPLES[kind]
    assert isinstance(example, Command)
    yield example
    for field in structs.fields(kind):
        for value in ANYTHING:
            changed = msgspec.to_builtins(example) | {field.name: value}
            with suppress(msgspec.ValidationError):
                yield msgspec.convert(changed, kind)


EVERYTHING: tuple[AnyCommand, ...] = (
    *BY_HAND,
    *(
        each
        for kind in (*get_args(TableCommand), *get_args(CageCommand))
        if kind not in {Approve, Decline, *map(type, BY_HAND)}
        for each in made_up(kind)
    ),
)


def answering(of: Table | Cage) -> list[AnyCommand]:
    """Make approvals and refusals of pending commands, and of unknown ones."""
    short = of.state.pending
    asked: list[AnyCommand] = [Decline(name) for name in STRANGE]
    asked += [Approve(name, number) for name in STRANGE for number in (0, -1, HUGE)]
    for pending in (*of.state.lasting.values(), *(() if short is None else (short,))):
        asked += [Decline(pending.hash, note) for note in ("", "it did not happen", "x" * 501)]
        asked += [Approve(pending.hash, pending.version + off) for off in (0, 1, HUGE)]
    return asked


def asked_of_table(table: Table) -> list[AnyCommand]:
    """Give every command for a table; some fields come from the table's state."""
    rulebook = table.state.rulebook
    asked: list[AnyCommand] = [*EVERYTHING, *answering(table)]
    if table.state.chips is None:
        # One of each kind is enough to be refused at a table without a layout.
        once = {type(command): id(command) for command in AT_CHIP_TABLE}
        made = {id(command) for command in AT_CHIP_TABLE if type(command) is CreateTable}
        chip_table = {id(command) for command in AT_CHIP_TABLE} - {*once.values(), *made}
        asked = [command for command in asked if id(command) not in chip_table]
    asked += [CloseTransit(transit) for transit in table.state.transits_open]
    if table.state.chips is not None:
        asked += [CloseTransit(transit) for transit in table.state.chips.credits_open]
        # Seats have numbers there.
        asked += [Rule("put right", (Posting("house:bank", "terminal:1", 1_000),))]
        asked += [Rule("put right", (Posting("terminal:2", "terminal:1", 1_000),))]
    if rulebook is not None:
        canonical = rulebook.canonical.decode()
        asked += [AdoptRulebook(canonical, number) for number in (1, 0, HUGE)]
    return asked


def asked_of_cage(cage: Cage) -> list[AnyCommand]:
    """Give every command for a cage, with its outstanding numbers among them."""
    numbers = list(cage.state.by_number)
    asked: list[AnyCommand] = [*EVERYTHING, *answering(cage)]
    asked += [TakeVoucher(number, "T1", "7") for number in numbers]
    asked += [PayVoucher(number) for number in numbers]
    asked += [VoidVoucher(number, note) for number in numbers for note in ("wrong", " ")]
    code = session_code(cage.state.key, "T1", "7@1")
    asked += [PayUnclaimed(code, "T1", "7@1", amount) for amount in (5_000, 0, HUGE)]
    return [*asked, *(PayVoucher(number, 1) for number in numbers)]
