"""Putting settled rounds right: reversals, results found wrong, rulings. History is never edited.

Each session of a position is netted over all corrected rounds; money it no longer has is the loss
of the venue, and neither live stakes nor vouchers are touched [D8]. Money owed to an ended session
is set aside for it [D21]. Corrections add up: an amount that one could not recover from a session
is first covered by what a later one gives it.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from msgspec import field
from msgspec.structs import replace

from taisai.core.kernel.ledger import HOUSE, SHORTFALL, credits_of, stakes_of, unclaimed_by
from taisai.core.kernel.messages import (
    Actor,
    Command,
    Decision,
    Event,
    Instant,
    Netted,
    Posting,
    SettledLine,
)
from taisai.core.kernel.registry import TABLE, applies, command, decides, event, posts, waits, wants
from taisai.core.kernel.roles import PIT
from taisai.core.rules.dice import Faces, result_of
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.schema import IrregularityContent
from taisai.core.rules.settlement import idle_of, odds_on, settle_stakes
from taisai.core.table.betting import voided
from taisai.core.table.chips.recovery import put_right, ruled
from taisai.core.table.damage import DAMAGED, put_away, stopped_by
from taisai.core.table.past import (
    NOTHING_READ,
    ROUNDS_AT_ONCE,
    Past,
    Spans,
    old_round,
    rulebook_of,
    standing,
)
from taisai.core.table.positions import (
    TerminalLocked,
    assert_books,
    begin_with,
    end_if_lost,
    ended_session,
    falls_short,
    limits_ended,
    meters_with,
    newest_session,
)
from taisai.core.table.provably_fair import drawn_refusal
from taisai.core.table.state import (
    IN_ROUND,
    LockedWin,
    RoundRecord,
    TableState,
    ground_in,
    ground_of,
    in_force,
    newest_ended,
    note_reversed,
    rules_of,
    ruling_of,
    ruling_on,
    sorted_faces,
)

#: One event has at most so many rounds, and so many lines; more take several events.
IN_ONE_EVENT = 1_000
#: A ruling that moves more at once is several rulings.
POSTINGS_MAX = 1000


@command(at=TABLE, by=PIT, second=PIT)
class VoidSettledRounds(Command, frozen=True):
    """Void the rounds that damaged dice touched.

    Without a name the set in use is meant, or the last that was put away.
    """

    first: int
    note: str
    dice_set: str | None = None


@event(at=TABLE, irregular=True)
class RoundsReversed(Event, frozen=True):
    """Settled rounds are void; a large reversal is several such events of one decision [D24].

    Each session is netted once, over all the rounds of all of them.
    """

    first: int
    last: int
    rounds: tuple[int, ...]
    netted: tuple[Netted, ...]
    clause: str
    note: str
    at: Instant
    #: Sessions that have ended since, by their names: money given to them is unclaimed [D21].
    gone: tuple[Netted, ...] = ()
    part: int = 1
    parts: int = 1


@wants
def _rounds_of_dice(state: TableState, command: VoidSettledRounds) -> Spans:
    name = _damaged(state, command)
    return [] if name is None else _served(state, name, command.first)


def _damaged(state: TableState, command: VoidSettledRounds) -> str | None:
    return command.dice_set or state.dice_set or next(reversed(state.quarantined), None)


def _served(state: TableState, name: str, since: int) -> Spans:
    """List the ended rounds that a set of dice was used for, from a given round on."""
    newest = newest_ended(state)
    used = state.dice_rounds.get(name, ())
    spans = (
        (max(first, since), newest if last is None else min(last, newest)) for first, last in used
    )
    return [(first, last) for first, last in spans if first <= last]


def _newest_with(state: TableState, used: Sequence[tuple[int, int | None]]) -> int:
    """Give the newest round that a set was used for; its last period of use may have no round."""
    spans = ((first, state.round if last is None else last) for first, last in used)
    return max((last for first, last in spans if first <= last), default=state.round)


@decides
def void_settled_rounds(
    state: TableState, command: VoidSettledRounds, actor: Actor, at: Instant, past: Past | None
) -> Decision:
    """Void every round that damaged dice touched, the one under way too [ts6 5.6] [etg8 5.4].

    As far back as the journal goes, each round by the rulebook it was played under [D24].
    """
    if state.rulebook is None:
        return refuse("TABLE_CLOSED")
    found = ruling_on(state, DAMAGED)
    clause = ground_of(state, found)
    if not _voids(found) and _one_rulebook(state):
        return refuse("SHIFT_MANAGER_RULES", clause)
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    refusal = _no_day(state)
    if refusal is not None:
        return refusal
    name = _damaged(state, command)
    used = state.dice_rounds.get(name or "")
    if name is None or not used:
        return refuse("NO_DICE", clause)
    since, last = used[0][0], _newest_with(state, used)
    if not since <= command.first <= last:
        return refuse("ROUND_OUT_OF_RANGE", clause, first=since, last=last)
    touched = _touched(state, past or NOTHING_READ, _served(state, name, command.first))
    if isinstance(touched, Refusal):
        return touched
    current = last == state.round and state.phase in IN_ROUND and _voids(found)
    if touched.left is not None and not (touched.rounds or current):
        return refuse("SHIFT_MANAGER_RULES", touched.left)
    changed = [
        (record, line, line.stake - line.back)
        for record, _ in touched.rounds
        for line in record.lines
    ]
    here, gone = _changes(state, changed)
    whole = RoundsReversed(
        first=command.first,
        last=last,
        rounds=(),
        netted=_net(state, here, with_stakes=current),
        clause=clause,
        note=command.note,
        at=at,
        gone=_net_gone(state, gone),
    )
    away: tuple[Event, ...] = ()
    if name not in state.quarantined:
        quarantined = put_away(state, name, actor, command.note)
        away = (quarantined, *stopped_by(state, quarantined))
    under_way = (voided(state, DAMAGED),) if current else ()
    return (*away, *under_way, *_in_parts(whole, touched))


def _voids(found: IrregularityContent | None) -> bool:
    return found is not None and found.ruling == "void-affected-rounds"


def _one_rulebook(state: TableState) -> bool:
    """Say whether all rounds were played under the rulebook in force."""
    return all(each.rules == rules_of(state) for each in state.adopted)


class _Touched(NamedTuple):
    """The rounds that damaged dice touched and that their rulebooks void, each with the clause.

    `left` is the clause or decision by which other rounds are left to a ruling, if there are any.
    """

    rounds: list[tuple[RoundRecord, str]]
    left: str | None


def _touched(state: TableState, past: Past, spans: Spans) -> _Touched | Refusal:
    """Find the unreversed rounds of a set of dice, and the clauses of those that are to be void."""
    if standing(state, spans) > ROUNDS_AT_ONCE:
        return refuse("TOO_MANY_ROUNDS", most=ROUNDS_AT_ONCE)
    rounds: list[tuple[RoundRecord, str]] = []
    left = None
    for number in (each for first, last in spans for each in range(first, last + 1)):
        record = _record(state, past, number)
        if isinstance(record, Refusal):
            return record
        if record.void:
            continue
        rulebook = rulebook_of(state, past, record)
        if rulebook is None:
            return refuse("ROUND_UNREADABLE", round=number)
        found = ruling_of(rulebook, DAMAGED)
        clause = ground_in(rulebook, found)
        if _voids(found):
            rounds.append((record, clause))
        else:
            left = clause
    return _Touched(rounds, left)


def _record(state: TableState, past: Past, number: int) -> RoundRecord | Refusal:
    """Find a round as it is now, in the state's history or in what was read from the journal."""
    held = state.history.get(number)
    if held is not None:
        return held
    record = old_round(state, past, number)
    if record is None:
        return refuse("ROUND_UNREADABLE", round=number)
    version = state.resettled.get(number)
    if version is not None:
        again = past.events.get(version)
        if not isinstance(again, RoundResettled):
            return refuse("ROUND_UNREADABLE", round=number)
        record.faces, record.lines = again.faces, again.lines
    return record


def _in_parts(whole: RoundsReversed, touched: _Touched) -> tuple[RoundsReversed, ...]:
    """Write a reversal in events of a bounded size, each with the rounds of one clause [D24]."""
    numbers: dict[str, list[int]] = {}
    for record, clause in touched.rounds:
        numbers.setdefault(clause, []).append(record.number)
    rounds = [
        (clause, tuple(own[start : start + IN_ONE_EVENT]))
        for clause, own in numbers.items()
        for start in range(0, len(own), IN_ONE_EVENT)
    ] or [(whole.clause, ())]
    lines = [(True, each) for each in whole.netted] + [(False, each) for each in whole.gone]
    parts = max(len(rounds), -(-len(lines) // IN_ONE_EVENT))
    rounds += [(rounds[-1][0], ())] * (parts - len(rounds))
    return tuple(
        replace(
            whole,
            rounds=own,
            clause=clause,
            netted=tuple(each for here, each in lines[start : start + IN_ONE_EVENT] if here),
            gone=tuple(each for here, each in lines[start : start + IN_ONE_EVENT] if not here),
            part=start // IN_ONE_EVENT + 1,
            parts=parts,
        )
        for start, (clause, own) in zip(count(0, IN_ONE_EVENT), rounds, strict=False)
    )


def _no_day(state: TableState) -> Refusal | None:
    """Refuse to move chips while no gaming day is open: they would be missing from every win."""
    return refuse("NO_GAMING_DAY") if state.chips is not None and state.chips.day is None else None


def _changes(
    state: TableState, changed: list[tuple[RoundRecord, SettledLine, int]]
) -> tuple[dict[str, int], dict[str, int]]:
    """Add up what each session is due over all its rounds: of open sessions, and of ended ones.

    The next player at a position is never touched [D21].
    """
    here: dict[str, int] = {}
    gone: dict[str, int] = {}
    for record, line, change in changed:
        ended = ended_session(state, line.position, record.sessions[line.position])
        if ended is None:
            here[line.position] = here.get(line.position, 0) + change
        else:
            gone[ended] = gone.get(ended, 0) + change
    return here, gone


def _net_gone(state: TableState, changes: dict[str, int]) -> tuple[Netted, ...]:
    """Net ended sessions: money due is set aside; a debit is taken only from money set aside."""
    shortfalls = state.shortfalls
    return tuple(
        _netted(name, change, state.ledger.balance(unclaimed_by(name)), shortfalls.get(name, 0))
        for name, change in changes.items()
        if change
    )


def _netted(name: str, change: int, held: int, short: int) -> Netted:
    """Give what is due, or take a debit from what is held; the rest of a debit is shortfall.

    An earlier shortfall is covered first, out of what is due.
    """
    if change > 0:
        covered = min(change, short)
        return Netted(name, change - covered, 0, 0, covered)
    taken = min(-change, held)
    return Netted(name, 0, taken, -change - taken)


def _net(
    state: TableState, changes: dict[str, int], *, with_stakes: bool = False
) -> tuple[Netted, ...]:
    """Net each terminal: give or take; a debit beyond its free credits is shortfall.

    Stakes count as free credits if the round under way is void too, since it returns them.
    """
    netted = []
    for terminal, change in changes.items():
        free = state.ledger.balance(credits_of(terminal))
        if with_stakes:
            free += state.ledger.balance(stakes_of(terminal))
        if change:
            session = newest_session(state.positions[terminal], terminal)
            netted.append(_netted(terminal, change, free, state.shortfalls.get(session, 0)))
    return tuple(netted)


@applies
def rounds_reversed(state: TableState, event: RoundsReversed) -> None:
    for number in event.rounds:
        if number in state.history:
            state.history[number].void = True
        else:
            note_reversed(state, number)
    for position in state.positions.values():
        if position.locked_wins:
            kept = (win for win in position.locked_wins if win.round not in event.rounds)
            position.locked_wins = tuple(kept)
    _put_right(state, event)


@command(at=TABLE, by=PIT, second=PIT, part="correction")
class CorrectSettledRound(Command, frozen=True):
    round: int
    faces: tuple[int, ...]
    note: str


@event(at=TABLE, irregular=True)
class RoundResettled(Event, frozen=True):
    round: int
    faces: Faces
    before: Faces
    lines: tuple[SettledLine, ...]
    netted: tuple[Netted, ...]
    clause: str
    note: str
    at: Instant
    gone: tuple[Netted, ...] = ()
    #: The number of the session that bet at each position [D21].
    sessions: dict[str, int] = field(default_factory=dict)


@wants
def _round_found_wrong(_state: TableState, command: CorrectSettledRound) -> Spans:
    return [(command.round, command.round)]


@decides
def correct_settled_round(
    state: TableState, command: CorrectSettledRound, _actor: Actor, at: Instant, past: Past | None
) -> Decision:
    """Settle a round again by what the dice showed; later rounds are left as they are [D11].

    Any round of the journal, by the rulebook it was played under [D24].

    [ts6 3.8, 5.8; etg8 5.5, 5.6]
    """
    if state.rulebook is None:
        return refuse("TABLE_CLOSED")
    found = _round_to_correct(state, past or NOTHING_READ, command.round)
    if isinstance(found, Refusal):
        return found
    record, rulebook = found
    clause = _ground_of_wrong(rulebook)
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    if faces == record.faces:
        return refuse("NOTHING_TO_AMEND", clause)
    refusal = drawn_refusal(state, record, faces, clause) or _no_day(state)
    if refusal is not None:
        return refusal
    assert record.faces is not None, "a settled round has a result"
    lines = _settled_again(record, rulebook, record.faces, faces)
    changed = [
        (record, after, after.back - before.back)
        for before, after in zip(record.lines, lines, strict=True)
    ]
    here, gone = _changes(state, changed)
    resettled = RoundResettled(
        round=command.round,
        faces=faces,
        before=record.faces,
        lines=lines,
        netted=_net(state, here),
        clause=clause,
        note=command.note,
        at=at,
        gone=_net_gone(state, gone),
        sessions=record.sessions,
    )
    return (resettled, *_locks(state, record.lines, resettled))


def _locks(
    state: TableState, before: Sequence[SettledLine], event: RoundResettled
) -> Iterator[TerminalLocked]:
    """Lock each terminal that is given more than the threshold, as a win at once would [D42].

    If it is locked for this round already, what is due of that win changes with it.
    """
    above = state.handpay_threshold
    if above is None or state.chips is not None:
        return
    won, won_before = _won(event.lines), _won(before)
    for netted in event.netted:
        terminal = netted.position
        more = won[terminal] - won_before[terminal]
        is_locked = any(win.round == event.round for win in state.positions[terminal].locked_wins)
        if more > above and netted.given and not is_locked:
            due = min(more, netted.given)
            yield TerminalLocked(terminal, won[terminal], event.round, due)


def _won(lines: Sequence[SettledLine]) -> dict[str, int]:
    won: dict[str, int] = {}
    for line in lines:
        won[line.position] = won.get(line.position, 0) + line.won
    return won


def _round_to_correct(
    state: TableState, past: Past, number: int
) -> tuple[RoundRecord, Rulebook] | Refusal:
    """Find a round that may be settled again, and the rulebook it was played under."""
    if _is_final(in_force(state)) and _one_rulebook(state):
        return refuse("SHIFT_MANAGER_RULES", _ground_of_wrong(in_force(state)))
    if not 1 <= number <= newest_ended(state):
        return refuse("NO_SUCH_ROUND", round=number)
    record = _record(state, past, number)
    if isinstance(record, Refusal):
        return record
    rulebook = rulebook_of(state, past, record)
    if rulebook is None:
        return refuse("ROUND_UNREADABLE", round=number)
    clause = _ground_of_wrong(rulebook)
    if _is_final(rulebook):
        return refuse("SHIFT_MANAGER_RULES", clause)
    return refuse("ROUND_IS_VOID", clause, round=number) if record.void else (record, rulebook)


def _settled_again(
    record: RoundRecord, rulebook: Rulebook, before: Faces, faces: Faces
) -> tuple[SettledLine, ...]:
    """Settle the bets of a round by other dice; parts that did not play still do not play."""
    table = rulebook.pay_tables[int(record.rules.rpartition("/")[2])]
    odds = odds_on(table, result_of(before))
    stakes = [(line.position, {line.box: line.stake}) for line in record.lines]
    idle = {(line.position, line.box): idle_of(line, odds) for line in record.lines}
    return settle_stakes(table, result_of(faces), stakes, idle).lines


def _is_final(rulebook: Rulebook) -> bool:
    """Say whether a result is amended only until settlement, and ruled on after it [div9 7.2]."""
    return rulebook.content.procedure.amendment.until == "settlement"


def _ground_of_wrong(rulebook: Rulebook) -> str:
    return ground_in(rulebook, ruling_of(rulebook, "wrong-result-settled"))


@applies
def round_resettled(state: TableState, event: RoundResettled) -> None:
    record = state.history.get(event.round)
    if record is None:
        state.resettled[event.round] = state.version
    else:
        record.faces = event.faces
        record.lines = event.lines
        record.version = state.version
        record.again = True
    _put_right(state, event)
    _change_locked_wins(state, event)


def _change_locked_wins(state: TableState, event: RoundResettled) -> None:
    """Have the wins that locked terminals in this round be what it has come to [D42]."""
    won: dict[str, int] | None = None
    for netted in event.netted:
        position = state.positions[netted.position]
        if position.locked_wins:
            won = _won(event.lines) if won is None else won
            position.locked_wins = tuple(
                _changed(win, won[netted.position], netted) if win.round == event.round else win
                for win in position.locked_wins
            )


def _changed(win: LockedWin, won: int, netted: Netted) -> LockedWin:
    """Give a locked win that has come to another amount; more of it is due only if it was given."""
    more = min(won - win.won, netted.given)
    return LockedWin(win.round, won, max(0, win.due + more))


def _put_right(state: TableState, event: RoundsReversed | RoundResettled) -> None:
    if state.chips is not None:
        put_right(state, event.netted, event.gone)
    for each in event.netted:
        position = state.positions[each.position]
        session = newest_session(position, each.position)
        falls_short(state, session, each.shortfall - each.covered)
        for meter in meters_with(state, position):
            meter.corrections += each.given - each.taken
        assert_books(state, each.position, position)
        end_if_lost(state, each.position, event.at)
    for each in event.gone:
        falls_short(state, each.position, each.shortfall - each.covered)


@posts
def _post_put_right(event: RoundsReversed | RoundResettled) -> Iterator[Posting]:
    """Post each net amount; what is not recovered is the house's loss [D8].

    Money due to a player who left is set aside, and a debit of theirs is taken from it.
    """
    for netted in event.netted:
        yield from _post_netted(credits_of(netted.position), netted)
    for netted in event.gone:
        yield from _post_netted(unclaimed_by(netted.position), netted)


def _post_netted(account: str, netted: Netted) -> Iterator[Posting]:
    yield Posting(HOUSE, account, netted.given)
    yield Posting(account, HOUSE, netted.taken)
    yield Posting(SHORTFALL, HOUSE, netted.shortfall)
    yield Posting(HOUSE, SHORTFALL, netted.covered)


@command(at=TABLE, by=("shift-manager",), second=PIT)
class Rule(Command, frozen=True):
    """The shift manager's ruling where no clause covers what happened."""

    note: str
    postings: tuple[Posting, ...] = ()
    voids_round: bool = False


@event(at=TABLE, irregular=True)
class RulingRecorded(Event, frozen=True):
    note: str
    clause: str
    postings: tuple[Posting, ...]
    by: str
    at: Instant


@waits
def _moves_money(_state: TableState, command: Rule) -> bool:
    """A ruling takes two persons if it moves money [D14]."""
    return bool(command.postings) or command.voids_round


@decides
def rule(state: TableState, command: Rule, actor: Actor, at: Instant) -> Decision:
    """Record a ruling on a matter without a clause; it moves money and never creates any.

    [ts6 5.14, 5.14(a), 5.14(b); etg8 5.10, 5.10(a), 5.10(b); div9 2.0]
    """
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
    recorded = RulingRecorded(command.note, clause, command.postings, actor.person, at)
    void = (voided(state, "not-covered"),) if command.voids_round else ()
    return (*_limits_ended(state, command.postings, at), recorded, *void)


def _limits_ended(state: TableState, postings: tuple[Posting, ...], at: Instant) -> Iterator[Event]:
    """End the limits of a player who left long ago, if a ruling gives credits to another [D21]."""
    for account, amount in _received(postings).items():
        if amount > 0:
            yield from limits_ended(state, account.partition(":")[2], at)


def _postings_refusal(
    state: TableState, postings: tuple[Posting, ...], clause: str
) -> Refusal | None:
    """Refuse postings to accounts that a ruling may not touch, or that would overdraw one."""
    if len(postings) > POSTINGS_MAX:
        return refuse("BATCH_SIZE", clause, most=POSTINGS_MAX)
    refusal = _no_day(state) if postings else None
    if refusal is not None:
        return refusal
    present = state.positions if state.chips is None else state.chips.seated
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
    """Say whether an amount cannot be handed over in the chips of a chip table."""
    return state.chips is not None and posting.amount % state.chips.chip_set.smallest != 0


@applies
def ruling_recorded(state: TableState, event: RulingRecorded) -> None:
    state.unruled = {}
    for posting in event.postings:
        for account, amount in (
            (posting.source, -posting.amount),
            (posting.destination, posting.amount),
        ):
            branch, _, name = account.partition(":")
            if branch == "terminal":
                for meter in meters_with(state, state.positions[name]):
                    meter.corrections += amount
    for posting in event.postings:
        if posting.destination == SHORTFALL:
            _repaid(state, posting)
    if state.chips is not None:
        ruled(state, event.postings)
        return
    for account, amount in _received(event.postings).items():
        name = account.partition(":")[2]
        begin_with(state, name, amount, event.at)
        if amount < 0:
            end_if_lost(state, name, event.at)


def _repaid(state: TableState, posting: Posting) -> None:
    """Record that a player has given back what a correction could not recover from them."""
    branch, _, name = posting.source.partition(":")
    # A position without sessions has no shortfall.
    if branch == "terminal" and state.positions[name].sessions:
        session = newest_session(state.positions[name], name)
        falls_short(state, session, -min(posting.amount, state.shortfalls.get(session, 0)))


def _received(postings: tuple[Posting, ...]) -> dict[str, int]:
    """Add up what a ruling gave each terminal, less what it took."""
    received: dict[str, int] = {}
    for posting in postings:
        for account, amount in (
            (posting.source, -posting.amount),
            (posting.destination, posting.amount),
        ):
            if account.startswith("terminal:"):
                received[account] = received.get(account, 0) + amount
    return received


@posts
def _post_ruling(event: RulingRecorded) -> tuple[Posting, ...]:
    return event.postings
