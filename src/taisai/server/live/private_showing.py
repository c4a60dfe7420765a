"""What one terminal is shown of an event, and what the event does to its money.

The sums follow from the same events as the ledger's postings; the ledger is the record, this only
carries its figures on from a snapshot of it.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import BoxStake, Event, Netted, Posting, SettledLine
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
)
from taisai.core.table.round import BetsClosed, RoundSettled
from taisai.protocol import private as p


class Shown(NamedTuple):
    """An event as one terminal is shown it: with what it adds to its credits and its stakes."""

    event: p.AnyPrivateEvent
    credits: int = 0
    staked: int = 0


class Sharing(NamedTuple):
    """An event that concerns many terminals, divided among them once for all."""

    shown: dict[str, Shown]


#: One event's part for one terminal, or the parts of all.
Part = tuple[str, Shown] | Sharing


def part_of(event: Event) -> Part | None:
    """Find the terminal that an event concerns, or divide it among all it concerns."""
    show = _SHOW.get(type(event))
    return None if show is None else show(event)


def registered(event: BetsRegistered) -> Shown:
    """Show bets that are on the table now."""
    total = 0
    for bet in event.bets:
        total += bet.stake
    shown = p.BetsRegistered(event.bets, event.on_behalf_by is not None)
    return Shown(shown, -total, total)


def _withdrawn(event: BetsWithdrawn) -> Part:
    total = sum(bet.stake for bet in event.bets)
    shown = p.BetsWithdrawn(event.bets, event.on_behalf_by is not None)
    return event.terminal, Shown(shown, total, -total)


def _closed(event: BetsClosed) -> Part:
    mine: dict[str, list[BoxStake]] = {}
    for terminal, box, amount in event.rejected:
        mine.setdefault(terminal, []).append(BoxStake(box, amount))
    shown = {}
    for terminal, bets in mine.items():
        total = sum(bet.stake for bet in bets)
        rejected = p.BetsRejected(tuple(bets), event.rejected_clause)
        shown[terminal] = Shown(rejected, total, -total)
    return Sharing(shown)


def _by_terminal(lines: Sequence[SettledLine]) -> dict[str, list[SettledLine]]:
    found: dict[str, list[SettledLine]] = {}
    for line in lines:
        mine = found.get(line.position)
        if mine is None:
            found[line.position] = [line]
        else:
            mine.append(line)
    return found


def _settled(event: RoundSettled) -> Part:
    """Divide a settled round; thousands of terminals have few different lines among them."""
    number, faces, odds, clauses = event.round, event.faces, event.odds, event.clauses
    alike: dict[tuple[str, int, int, int], p.Line] = {}
    shown = {}
    for terminal, lines in _by_terminal(event.lines).items():
        stake = won = back = 0
        mine = []
        for each in lines:
            key = box, staked, won_, back_ = each.box, each.stake, each.won, each.back
            line = alike.get(key)
            if line is None:
                paid = odds[box] if won_ else None
                line = alike[key] = p.Line(box, staked, won_, back_, paid, clauses[box])
            mine.append(line)
            stake += staked
            won += won_
            back += back_
        settled = p.RoundSettled(number, faces, tuple(mine), won, back)
        shown[terminal] = Shown(settled, back, -stake)
    return Sharing(shown)


def _voided(event: RoundVoided) -> Part:
    shown = {}
    for terminal, lines in _by_terminal(event.returned).items():
        stake = sum(line.stake for line in lines)
        mine = tuple(p.Line(line.box, line.stake, back=line.stake) for line in lines)
        voided = p.RoundVoided(event.round, event.code, event.clause, mine, stake)
        shown[terminal] = Shown(voided, stake, -stake)
    return Sharing(shown)


def _put_right(rounds: tuple[int, ...], netted: Sequence[Netted], clause: str) -> Part:
    shown = {}
    for each in netted:
        corrected = p.RoundsCorrected(rounds, each.given, each.taken, clause)
        shown[each.position] = Shown(corrected, each.given - each.taken)
    return Sharing(shown)


def _ruled(event: RulingRecorded) -> Part:
    moved: dict[str, list[int]] = {}
    for posting in event.postings:
        _add(moved, posting)
    ruled = p.RulingRecorded(event.clause)
    return Sharing({terminal: Shown(ruled, *sums) for terminal, sums in moved.items()})


def _add(moved: dict[str, list[int]], posting: Posting) -> None:
    for account, sign in ((posting.source, -1), (posting.destination, 1)):
        for column, prefix in enumerate((credits_of(""), stakes_of(""))):
            if account.startswith(prefix):
                sums = moved.setdefault(account.removeprefix(prefix), [0, 0])
                sums[column] += sign * posting.amount


def _own(
    show: Callable[[Any], p.AnyPrivateEvent], credits_: Callable[[Any], int] = lambda _: 0
) -> Callable[[Any], Part]:
    return lambda event: (event.terminal, Shown(show(event), credits_(event)))


_SHOW: dict[type[Event], Callable[[Any], Part]] = {
    BetsRegistered: lambda event: (event.terminal, registered(event)),
    BetsWithdrawn: _withdrawn,
    BetsClosed: _closed,
    RoundSettled: _settled,
    RoundVoided: _voided,
    RoundsReversed: lambda event: _put_right(event.rounds, event.netted, event.clause),
    RoundResettled: lambda event: _put_right((event.round,), event.netted, event.clause),
    RulingRecorded: _ruled,
    CreditsReceived: _own(
        lambda event: p.CreditsReceived(event.transit, event.amount), lambda event: event.amount
    ),
    CashedOut: _own(
        lambda event: p.CashedOut(event.transit, event.amount), lambda event: -event.amount
    ),
    SessionEnded: _own(lambda _: p.SessionEnded()),
    OwnLimitsSet: _own(lambda event: p.OwnLimitsSet(event.loss, event.session_seconds)),
    TerminalLost: _own(lambda event: p.TerminalLost(event.clause)),
    TerminalRestored: _own(lambda _: p.TerminalRestored()),
    TerminalBarred: _own(lambda _: p.TerminalBarred()),
    BarLifted: _own(lambda _: p.BarLifted()),
    TerminalLocked: _own(lambda event: p.TerminalLocked(event.won)),
    LockCleared: _own(lambda _: p.LockCleared()),
}
