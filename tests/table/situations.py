"""Every situation a table or a cage can be in: each phase, and each thing that can block it."""

from collections.abc import Callable
from functools import cache

import taisai
from taisai.core.cage.vouchers import (
    PayVoucher,
    PrintVoucher,
    SellVoucher,
    SkipSerials,
    TakeVoucher,
)
from taisai.core.kernel.messages import Equipment, LimitsAsked
from taisai.core.streams import TableCommand
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome, RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import BarTerminal, CashOut, LoseTerminal, SetOwnLimits
from taisai.core.table.provably_fair import AbandonChain
from taisai.core.table.round import AmendResult, ConfirmResult, EnterResult, Settle
from taisai.core.table.service import MarkTerminalFailed
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    DeclareSafeProcedure,
    EnrolTerminal,
    GiveNotice,
    SetLimits,
)
from taisai.core.table.tumble import RecordTumble
from tests.kit.chip_tables import (
    CHIPS_INTERRUPTED,
    cage_with_fills,
    cage_with_shifts_closed,
    chips_betting,
    chips_closed,
    chips_confirmed,
    chips_counted,
    chips_credited,
    chips_emptied,
    chips_paid,
    chips_paying,
    chips_pending,
    chips_reversed,
    chips_uncovered,
    chips_walked_from_void,
    closed_chip_table,
    open_chip_table,
)
from tests.kit.tables import (
    ADDRESSES,
    Cage,
    Table,
    displayed,
    limits_on,
    open_cage,
    open_table,
)

SIMULATED = Equipment("simulated")
VERIFIABLE = Equipment("verifiable")
READER = Equipment("reader")
TWO_SOURCES = Equipment("reader", read_by_dealer_too=True)
#: The dice of round 1 by its secret: openssl makes 227, 185 and 76 of its first three bytes.
FIRST_DRAWN = (5, 6, 6)

Situation = Callable[[str], Table]


def played(address: str) -> Table:
    """Play one round to its end and begin none."""
    table = open_table(address).betting(t7={"small": 5_000, "single-2": 1_000}, t8={"big": 4_000})
    table.settled(2, 2, 5)
    return table


def betting(address: str) -> Table:
    """Put bets on the table from both terminals, in the second round."""
    return played(address).betting(t7={"small": 3_000, "total-9": 2_000}, t8={"big": 2_000})


def closed(address: str) -> Table:
    """Close the bets; the dice are tumbled only where that comes first."""
    return betting(address).closed()


def tumbled(address: str) -> Table:
    """Close the bets and tumble the dice."""
    return closed(address).tumbled()


def result(address: str) -> Table:
    """Enter a result."""
    return tumbled(address).entered(1, 3, 6)


def confirmed(address: str) -> Table:
    """Confirm a result."""
    return betting(address).confirmed(1, 3, 6)


def with_equipment(equipment: Equipment, address: str) -> Table:
    """Close the bets at a table with a device, the dice tumbled."""
    table = open_table(address, equipment=equipment).betting(t7={"small": 3_000})
    return table.closed().tumbled()


def drawn(address: str, *faces: int) -> Table:
    """Settle the first round of a verifiable table, its secret not revealed yet."""
    table = with_equipment(VERIFIABLE, address)
    table.does("device", EnterResult(faces))
    table.does("system", ConfirmResult())
    table.does("system", Settle())
    return table


def abandoned(address: str) -> Table:
    """Abandon the chain of a round under way: it is void, and its secret is owed."""
    table = with_equipment(VERIFIABLE, address)
    table.does("system", AbandonChain("Ann", "Bob", "restored"))
    return table


def revealed(address: str, *faces: int) -> Table:
    """Reveal the secret of a round that was played with these faces."""
    table = drawn(address, *faces)
    table.reveals()
    return table


def without_limits(address: str) -> Table:
    """Adopt a rulebook, without limits yet."""
    key, _, number = address.partition("/")
    table = Table(address).created()
    canonical = taisai.rulebook(key).canonical.decode()
    table.agrees("pit-manager", AdoptRulebook(canonical, int(number)), "supervisor")
    return table


def noticed(address: str) -> Table:
    """Play, and give notice of the close."""
    table = played(address)
    table.does("dealer", GiveNotice())
    return table


def closed_again(address: str) -> Table:
    """Open a table, play, and close it after notice."""
    table = noticed(address)
    table.does("supervisor", CloseTable())
    return table


def before_bets(address: str) -> Table:
    """Tumble before the call for bets."""
    table = played(address)
    table.does("dealer", RecordTumble(3))
    return table


def tumbled_early(address: str) -> Table:
    """Tumble under the cover while bets are open."""
    table = betting(address)
    table.does("dealer", RecordTumble(3))
    return table


def stopped(address: str) -> Table:
    """Stop a table between rounds."""
    table = played(address)
    table.does("dealer", ReportIrregularity("malfunction", "the tumbler stalls"))
    return table


def stopped_in_round(address: str) -> Table:
    """Stop a table while a result is lit."""
    table = confirmed(address)
    table.does("dealer", ReportIrregularity("lights-fail", "half the layout is dark"))
    return table


def doubted(start: Situation, address: str) -> Table:
    """Put a round in doubt, with its void waiting for the second person."""
    table = start(address)
    table.does("dealer", ReportIrregularity("die-not-flat"))
    return table


def doubted_alone(address: str) -> Table:
    """Put a round in doubt, with nothing pending any more."""
    table = doubted(tumbled, address)
    table.does("dealer", GiveNotice())
    return table


def waiting(address: str) -> Table:
    """Interrupt a round, which waits for its outcome to be declared."""
    table = tumbled(address)
    table.does("system", RecordInterruption("power"))
    return table


def waiting_in_doubt(address: str) -> Table:
    """Interrupt a round, and put it in doubt."""
    table = waiting(address)
    table.does("dealer", ReportIrregularity("die-not-flat"))
    return table


def reported(address: str) -> Table:
    """Let one of two sources report."""
    table = with_equipment(TWO_SOURCES, address)
    table.does("device", EnterResult((1, 3, 6)))
    return table


def disagreed(address: str) -> Table:
    """Let two sources disagree."""
    return reported(address).entered(1, 3, 5)


def pending(start: Situation, command: TableCommand, address: str) -> Table:
    """Let a command of the pit wait for its second person."""
    table = start(address)
    table.does("shift-manager" if isinstance(command, Rule) else "supervisor", command)
    return table


def pending_limits(address: str) -> Table:
    """Let new limits wait for their second person."""
    return pending(played, SetLimits(limits_on(address)), address)


def pending_terminal(address: str) -> Table:
    """Let a third terminal wait for its second person."""
    table = played(address)
    table.does("technician", EnrolTerminal("9", "place 9"))
    return table


def pending_rulebook(address: str) -> Table:
    """Let a rulebook wait for its second person."""
    table = closed_again(address)
    assert table.state.rulebook is not None
    table.does("pit-manager", AdoptRulebook(table.state.rulebook.canonical.decode(), 1))
    return table


def pending_safe_procedure(address: str) -> Table:
    """Let a safe procedure wait for its second person."""
    return pending(stopped, DeclareSafeProcedure("by hand"), address)


def pending_too_long(address: str) -> Table:
    """Let limits wait longer than a minute."""
    table = pending_limits(address)
    table.at += 60_000
    return table


def pending_ruling(address: str) -> Table:
    """Let a ruling that voids the round wait for its second person."""
    return pending(betting, Rule("a stray bet", voids_round=True), address)


def pending_amendment(address: str) -> Table:
    """Let an amendment wait for its second person."""
    return pending(result, AmendResult((1, 1, 1)), address)


def pending_declaration(address: str) -> Table:
    """Let a declared outcome wait for its second person."""
    return pending(waiting, DeclareOutcome((1, 3, 6)), address)


def pending_reversal(address: str) -> Table:
    """Let a reversal wait for its second person."""
    return pending(betting, VoidSettledRounds(1, "a chipped die"), address)


def pending_correction(address: str) -> Table:
    """Let a correction wait for its second person."""
    return pending(betting, CorrectSettledRound(1, (6, 6, 6), "misread"), address)


def locked(address: str) -> Table:
    """Lock a terminal by a win."""
    table = open_table(address, handpay_threshold=1_000).betting(t7={"small": 5_000})
    table.settled(1, 2, 3)
    return table.betting(t8={"small": 1_000})


def about_to_lock(address: str) -> Table:
    """Confirm a result whose win will lock its terminal."""
    return (
        open_table(address, handpay_threshold=1_000).betting(t7={"small": 5_000}).confirmed(1, 2, 3)
    )


def lost_all(address: str) -> Table:
    """Let a player lose everything."""
    table = open_table(address, displayed(address, LimitsAsked(1_000, 200_000, 100)))
    table.betting(t7={"triple-6": 100_000}).settled(1, 2, 3)
    return table


def hindered(address: str) -> Table:
    """Bar one terminal, and disconnect the other."""
    table = betting(address)
    table.does("pit-manager", BarTerminal("7", "asked for it"))
    table.does("system", LoseTerminal("8"))
    return table


def out_of_service(address: str) -> Table:
    """Take one terminal that has bets out of service, and one that has none."""
    table = betting(address)
    for terminal in ("7", "8"):
        table.does("supervisor", MarkTerminalFailed(terminal, "the screen is dark"))
    return table


def bound(address: str) -> Table:
    """Bring one player to a limit of their own, another to the end of their time."""
    table = betting(address)
    table.does("terminal", SetOwnLimits("7", 5_000, 3_600), "7")
    table.does("terminal", SetOwnLimits("8", None, 0), "8")
    return table


def cashed_out(address: str) -> Table:
    """Let a player cash out mid-round."""
    table = betting(address)
    table.does("terminal", CashOut("7"), "7")
    return table


def voided(address: str) -> Table:
    """Void a round after one was settled."""
    table = betting(address)
    table.agrees("shift-manager", Rule("a fire alarm", voids_round=True))
    return table


def _order_of(address: str) -> str:
    return taisai.rulebook(address.partition("/")[0]).content.procedure.tumble.order


def _stops(address: str) -> bool:
    rulings = taisai.rulebook(address.partition("/")[0]).content.irregularities
    return any(ruling.stops_table for ruling in rulings)


def _reverses(address: str) -> bool:
    rulings = taisai.rulebook(address.partition("/")[0]).content.irregularities
    return any(ruling.ruling == "void-affected-rounds" for ruling in rulings)


def _anywhere(_: str) -> bool:
    return True


#: Each situation by name, with the documents in which it can happen.
SITUATIONS: dict[str, tuple[Situation, Callable[[str], bool]]] = {
    "new": (Table, _anywhere),
    "created": (lambda address: Table(address).created(), _anywhere),
    "without limits": (without_limits, _anywhere),
    "adopted": (lambda address: Table(address).created().adopted(), _anywhere),
    "noticed": (noticed, _anywhere),
    "closed": (closed_again, _anywhere),
    "ready": (open_table, _anywhere),
    "played": (played, _anywhere),
    "voided": (voided, _anywhere),
    "tumbled": (before_bets, lambda address: _order_of(address) == "before-bets"),
    "betting": (betting, _anywhere),
    "betting, tumbled": (tumbled_early, lambda address: _order_of(address) == "either"),
    "no more bets": (closed, _anywhere),
    "no more bets, tumbled": (tumbled, _anywhere),
    "result": (result, _anywhere),
    "confirmed": (confirmed, _anywhere),
    "stopped": (stopped, _stops),
    "stopped in a round": (stopped_in_round, _stops),
    "in doubt, betting": (lambda address: doubted(betting, address), _anywhere),
    "in doubt, tumbled": (lambda address: doubted(tumbled, address), _anywhere),
    "in doubt, result": (lambda address: doubted(result, address), _anywhere),
    "in doubt, nothing pending": (doubted_alone, _anywhere),
    "waiting": (waiting, _anywhere),
    "waiting in doubt": (waiting_in_doubt, _anywhere),
    "one source": (reported, _anywhere),
    "two sources disagree": (disagreed, _anywhere),
    "pending limits": (pending_limits, _anywhere),
    "pending terminal": (pending_terminal, _anywhere),
    "pending rulebook": (pending_rulebook, _anywhere),
    "pending safe procedure": (pending_safe_procedure, _stops),
    "pending too long": (pending_too_long, _anywhere),
    "pending ruling": (pending_ruling, _anywhere),
    "pending amendment": (pending_amendment, _anywhere),
    "pending declaration": (pending_declaration, _anywhere),
    "pending reversal": (pending_reversal, _reverses),
    "pending correction": (pending_correction, _reverses),
    "about to lock": (about_to_lock, _anywhere),
    "lost all": (lost_all, _anywhere),
    "locked": (locked, _anywhere),
    "barred and lost": (hindered, _anywhere),
    "out of service": (out_of_service, _anywhere),
    "own limits": (bound, _anywhere),
    "cashed out": (cashed_out, _anywhere),
    "simulated": (lambda address: with_equipment(SIMULATED, address), _anywhere),
    "verifiable": (lambda address: with_equipment(VERIFIABLE, address), _anywhere),
    "chain abandoned": (abandoned, _anywhere),
    "secret to reveal": (lambda address: drawn(address, *FIRST_DRAWN), _anywhere),
    "secret revealed": (lambda address: revealed(address, *FIRST_DRAWN), _anywhere),
    "drawn otherwise": (lambda address: revealed(address, 1, 3, 6), _anywhere),
    "reader": (lambda address: with_equipment(READER, address), _anywhere),
}

#: Every situation of every document that can happen.
SITUATIONS |= {
    f"chips {name}": (situation, _anywhere)
    for name, situation in {
        "closed": closed_chip_table,
        "ready": open_chip_table,
        "betting": chips_betting,
        "shut": chips_closed,
        "uncovered": chips_uncovered,
        "confirmed": chips_confirmed,
        "paying": chips_paying,
        "paid": chips_paid,
        "walked from void": chips_walked_from_void,
        "reversed": chips_reversed,
        "credited": chips_credited,
        "emptied": chips_emptied,
        "counted": chips_counted,
        "pending": chips_pending,
        **{f"interrupted {name}": each for name, each in CHIPS_INTERRUPTED.items()},
    }.items()
}

CASES = [
    (address, name)
    for address in ADDRESSES
    for name, (_, arises) in SITUATIONS.items()
    if arises(address)
]


def in_situation(address: str, name: str) -> Table:
    """Bring a table into a situation."""
    return _brought(address, name).copy()


@cache
def _brought(address: str, name: str) -> Table:
    return SITUATIONS[name][0](address)


def _holding() -> Cage:
    cage = open_cage()
    cage.does("cage", SellVoucher(5_000, "counter"))
    return cage


def _on_its_way() -> Cage:
    cage = _holding()
    (number,) = cage.state.by_number
    cage.does("terminal", TakeVoucher(number, "T1", "7"))
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 3_000))
    return cage


def _skipped() -> Cage:
    cage = _holding()
    cage.does("system", SkipSerials(2_000, "Ann", "Bob", "restored"))
    return cage


def _pending_sale() -> Cage:
    cage = open_cage(approve_above=1_000)
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 3_000))
    cage.does("cage", SellVoucher(5_000, "counter"))
    return cage


def _pending_payment() -> Cage:
    cage = open_cage(approve_above=1_000)
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 3_000))
    (number,) = cage.state.by_number
    cage.does("cage", PayVoucher(number))
    return cage


def _expired() -> Cage:
    cage = _holding()
    cage.at += 31 * 24 * 3600 * 1000
    return cage


CAGES: dict[str, Callable[[], Cage]] = {
    "closed": Cage,
    "open": open_cage,
    "a voucher out": _holding,
    "vouchers on their way": _on_its_way,
    "pending sale": _pending_sale,
    "pending payment": _pending_payment,
    "expired": _expired,
    "serials skipped": _skipped,
    "fill sent": cage_with_fills,
    "shift closed": cage_with_shifts_closed,
}
