"""Putting settled rounds right: reversals, results found wrong, rulings. History is never edited.

Each terminal is netted over all that is put right; what it no longer has is the house's loss, and
neither live stakes nor vouchers are touched [D8].
"""

from taisai.core.commands import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.decision import (
    Decision,
    ground_of,
    pay_table_in_force,
    rules_of,
    ruling_on,
    sorted_faces,
)
from taisai.core.dice import result_of
from taisai.core.drawing import drawn_refusal
from taisai.core.events import (
    RoundResettled,
    RoundsReversed,
    RulingRecorded,
    TableEvent,
)
from taisai.core.felt.common import paying_refusal
from taisai.core.irregularities import voided
from taisai.core.ledger import HOUSE, SHORTFALL, credits_of, stakes_of
from taisai.core.messages import Actor, Netted, Posting, SettledLine
from taisai.core.money import is_amount
from taisai.core.reason import Refusal, refuse
from taisai.core.settling import Part, odds_on, playing_of, settle_parts
from taisai.core.table_state import IN_ROUND, TableState

#: A ruling that moves more at once is several rulings.
POSTINGS_MAX = 1000


def void_settled_rounds(state: TableState, command: VoidSettledRounds) -> Decision:
    """Void every round that damaged dice touched, the one under way too [ts6 5.6]."""
    if state.rulebook is None:
        return refuse("TABLE_CLOSED")
    found = ruling_on(state, "damaged-dice")
    clause = ground_of(state, found)
    if found is None or found.ruling != "void-affected-rounds":
        return refuse("SHIFT_MANAGER_RULES", clause)
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    refusal = _unpaid(state)
    if refusal is not None:
        return refusal
    name = command.dice_set or state.dice_set
    if name is None or name not in state.dice_rounds:
        return refuse("NO_DICE", clause)
    since, until = state.dice_rounds[name]
    last = state.round if until is None else until
    if not since <= command.first <= last:
        return refuse("ROUND_OUT_OF_RANGE", clause, first=since, last=last)
    current = until is None and state.phase in IN_ROUND
    affected = [number for number in range(command.first, last + 1) if _kept(state, number)]
    missing = _forgotten(state, command.first, last - 1 if current else last)
    if missing is not None:
        return refuse("ROUND_TOO_OLD", clause, round=missing)
    changed = [
        (number, line, line.stake - line.back)
        for number in affected
        for line in state.history[number].lines
    ]
    here, gone = _changes(state, changed)
    reversed_ = RoundsReversed(
        first=command.first,
        last=last,
        rounds=tuple(affected),
        netted=_net(state, here, with_stakes=current),
        clause=clause,
        note=command.note,
        gone=_net_gone(gone),
    )
    under_way: tuple[TableEvent, ...] = ()
    if current:
        under_way = (voided(state, "damaged-dice"),)
    return (*under_way, reversed_)


def _kept(state: TableState, number: int) -> bool:
    return number in state.history and not state.history[number].void


def _forgotten(state: TableState, first: int, last: int) -> int | None:
    """Find a round that is too old to be put right here."""
    return next((number for number in range(first, last + 1) if number not in state.history), None)


def _unpaid(state: TableState) -> Refusal | None:
    """Put nothing right at a felt table before its winners are paid."""
    return None if state.felt is None else paying_refusal(state)


def _changes(
    state: TableState, changed: list[tuple[int, SettledLine, int]]
) -> tuple[dict[str, int], dict[str, int]]:
    """Add up what each terminal is due; of seats left since, by the round, apart."""
    here: dict[str, int] = {}
    gone: dict[str, int] = {}
    for number, line, change in changed:
        if _has_left(state, line.terminal, number):
            name = f"{line.terminal}@{number}"
            gone[name] = gone.get(name, 0) + change
        else:
            here[line.terminal] = here.get(line.terminal, 0) + change
    return here, gone


def _has_left(state: TableState, terminal: str, number: int) -> bool:
    """Say whether who sat there in a round has left since: seats have more than one player."""
    return state.felt is not None and number <= state.felt.left.get(terminal, 0)


def _net_gone(changes: dict[str, int]) -> tuple[Netted, ...]:
    """Keep what players who left are due; what they owe cannot be had."""
    return tuple(
        Netted(name, change, 0, 0) if change > 0 else Netted(name, 0, 0, -change)
        for name, change in changes.items()
        if change
    )


def _net(
    state: TableState, changes: dict[str, int], *, with_stakes: bool = False
) -> tuple[Netted, ...]:
    """Give or take each terminal's net; a debit beyond its free credits is shortfall.

    Stakes count as free credits where the round under way is void too, and gives them back.
    """
    netted = []
    for terminal, change in changes.items():
        free = state.ledger.balance(credits_of(terminal))
        if with_stakes:
            free += state.ledger.balance(stakes_of(terminal))
        if change > 0:
            netted.append(Netted(terminal, change, 0, 0))
        elif change < 0:
            taken = min(-change, free)
            netted.append(Netted(terminal, 0, taken, -change - taken))
    return tuple(netted)


def correct_settled_round(state: TableState, command: CorrectSettledRound) -> Decision:
    """Settle a round again by what the dice showed; later rounds are left as they are [D11]."""
    if state.rulebook is None:
        return refuse("TABLE_CLOSED")
    found = ruling_on(state, "wrong-result-settled")
    clause = ground_of(state, found)
    if found is None or found.ruling != "reverse-and-settle-again":
        return refuse("SHIFT_MANAGER_RULES", clause)
    record = state.history.get(command.round)
    if record is None or record.void or record.rules != rules_of(state):
        return refuse("ROUND_TOO_OLD", clause, round=command.round)
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    if faces == record.faces:
        return refuse("NOTHING_TO_AMEND", clause)
    refusal = drawn_refusal(state, command.round, faces, clause) or _unpaid(state)
    if refusal is not None:
        return refusal
    assert record.faces is not None, "a settled round has a result"
    table = pay_table_in_force(state)
    odds = odds_on(table, result_of(record.faces))
    parts = [
        Part(line.terminal, line.box, line.stake, playing_of(line, odds)) for line in record.lines
    ]
    lines = settle_parts(table, result_of(faces), parts).lines
    changed = [
        (command.round, after, after.back - before.back)
        for before, after in zip(record.lines, lines, strict=True)
    ]
    here, gone = _changes(state, changed)
    return (
        RoundResettled(
            round=command.round,
            faces=faces,
            before=record.faces,
            lines=lines,
            netted=_net(state, here),
            clause=clause,
            note=command.note,
            gone=_net_gone(gone),
        ),
    )


def rule(state: TableState, command: Rule, actor: Actor) -> Decision:
    """Record a ruling for what no clause covers; it moves money and never makes any."""
    if state.rulebook is None:
        return refuse("TABLE_CLOSED")
    clause = ground_of(state, None)
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    if command.voids_round and state.phase not in IN_ROUND:
        return refuse("NO_ROUND", clause)
    refusal = _postings_refusal(state, command.postings, clause)
    if refusal is not None:
        return refusal
    recorded = RulingRecorded(command.note, clause, command.postings, actor.person)
    return (recorded, voided(state, "not-covered")) if command.voids_round else (recorded,)


def _postings_refusal(
    state: TableState, postings: tuple[Posting, ...], clause: str
) -> Refusal | None:
    """Refuse postings to accounts that are not a ruling's to touch, or that would overdraw one."""
    if len(postings) > POSTINGS_MAX:
        return refuse("BATCH_SIZE", clause, most=POSTINGS_MAX)
    present = state.terminals if state.felt is None else state.felt.seated
    accounts = {HOUSE, SHORTFALL} | {credits_of(terminal) for terminal in present}
    left: dict[str, int] = {}
    for posting in postings:
        for account in (posting.source, posting.destination):
            if account not in accounts:
                return refuse("UNKNOWN_ACCOUNT", clause, account=account[:64])
        if not is_amount(posting.amount) or posting.amount == 0 or _no_chips(state, posting):
            return refuse("BAD_AMOUNT", clause, amount=str(posting.amount)[:40])
        source, destination = posting.source, posting.destination
        left[source] = left.get(source, state.ledger.balance(source)) - posting.amount
        if source not in (HOUSE, SHORTFALL) and left[source] < 0:
            return refuse("OVERDRAWN", clause, account=source)
        left[destination] = left.get(destination, state.ledger.balance(destination))
        left[destination] += posting.amount
    return None


def _no_chips(state: TableState, posting: Posting) -> bool:
    """Say whether an amount cannot be handed over in the chips of a felt table."""
    return state.felt is not None and posting.amount % state.felt.chips.smallest != 0
