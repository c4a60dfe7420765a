"""Auditing bets: taken in time, within every limit, from credits that are there."""

from typing import Any

from taisai.core.kernel.messages import Instant
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.core.table.round import BetsClosed
from taisai.runtime.auditor.pay_tables import Rules
from taisai.runtime.auditor.table import Watched


def registered(table: Watched, event: BetsRegistered, at: Instant) -> None:
    """A bet is taken while bets are open, from a terminal that may bet, within the limits."""
    table.expect("betting")
    table.expect_playing()
    terminal, rules = event.terminal, table.rules_in_force()
    _check_seat(table, event, rules)
    own = table.bets.get(terminal)
    if own is None:
        own = table.bets[terminal] = {}
    lying, placed, total = table.lying, table.placed, 0
    for bet in event.bets:
        box, stake = bet.box, bet.stake
        if box not in rules.pays or stake <= 0:
            raise table.wrong(f"{stake} was taken on {box}, which is no bet here")
        own[box] = own.get(box, 0) + stake
        lying[box] = lying.get(box, 0) + stake
        placed.append([terminal, box, stake])
        total += stake
    table.books.stake(terminal, total)
    by_player = rules.limits["scope"] == "player"
    for bet in event.bets:
        box = bet.box
        _check_limits(table, terminal, box, own[box], own[box] if by_player else lying[box])
        if box in rules.paired:
            _check_differential(table, rules, box)
    seat = table.seats[terminal]
    if seat.loss is not None or seat.session_seconds is not None:
        _check_own_limits(table, terminal, at)


def _check_seat(table: Watched, event: BetsRegistered, rules: Rules) -> None:
    seat, on_behalf = table.seat(event.terminal), event.on_behalf_by is not None
    if seat.barred or seat.locked:
        name = event.terminal
        raise table.wrong(f"a bet was taken from terminal {name}, which is barred or locked")
    if not on_behalf and not seat.connected:
        raise table.wrong(f"a bet came from terminal {event.terminal}, which is lost")
    if on_behalf and not rules.procedure["betting"].get("on_behalf_clause"):
        raise table.wrong("a bet was taken on behalf of a player, which no clause provides for")


def _check_limits(table: Watched, terminal: str, box: str, own: int, counted: int) -> None:
    """Check a bet by the table's limits; what counts is all that lies there, or the player's."""
    low, high = table.limit_of(box)
    if not low <= own or counted > high:
        raise table.wrong(f"{own} of terminal {terminal} on {box} is outside the limits")
    step = table.limits and table.limits.step
    if step and own % step:
        raise table.wrong(f"{own} of terminal {terminal} on {box} is off the step")


def _check_differential(table: Watched, rules: Rules, box: str) -> None:
    """A bet may not drive its own side further ahead than the Differential."""
    most = None if table.limits is None else table.limits.differential
    if most is None:
        return
    for first, second in rules.limits.get("differential_pairs", ()):
        ahead = table.lying.get(first, 0) - table.lying.get(second, 0)
        if (ahead > most and first == box) or (-ahead > most and second == box):
            raise table.wrong(f"a bet drove {first} and {second} apart by {abs(ahead)}")


def _check_own_limits(table: Watched, terminal: str, at: Instant) -> None:
    seat = table.seats[terminal]
    began, seconds = seat.session_began, seat.session_seconds
    if began is not None and seconds is not None and at >= began + seconds * 1000:
        raise table.wrong(f"terminal {terminal} bet after the time its player set")
    at_risk = seat.session_in - table.books.holds(f"terminal:{terminal}")
    if seat.loss is not None and at_risk > seat.loss:
        raise table.wrong(f"terminal {terminal} risks {at_risk}, more than its player set")


def withdrawn(table: Watched, event: BetsWithdrawn, _: Instant) -> None:
    """A bet is taken back while bets are open, whole or down to the minimum."""
    table.expect("betting")
    table.expect_playing()
    table.seat(event.terminal)
    for bet in event.bets:
        take_off(table, event.terminal, bet.box, bet.stake)
        left = table.bets[event.terminal].get(bet.box, 0)
        if 0 < left < table.limit_of(bet.box)[0]:
            raise table.wrong(f"{left} of terminal {event.terminal} was left on {bet.box}")


def take_off(table: Watched, terminal: str, box: str, amount: int) -> None:
    """Take an amount off a box, the newest placement first."""
    own = table.bets.get(terminal, {})
    left = own.get(box, 0) - amount
    if left < 0 or amount <= 0:
        raise table.wrong(f"{amount} of terminal {terminal} was taken off {box}, {-left} too much")
    if left:
        own[box] = left
    else:
        del own[box]
    table.lying[box] -= amount
    table.books.enter(f"stake:{terminal}", -amount)
    table.books.enter(f"terminal:{terminal}", amount)
    for placement in reversed(table.placed):
        if placement[:2] == [terminal, box]:
            cut = min(placement[2], amount)
            placement[2] -= cut
            amount -= cut


def bets_closed(table: Watched, event: BetsClosed, _: Instant) -> None:
    """Bets close with the bell where one is rung; exactly the excess left behind goes back [D4]."""
    table.expect("betting")
    table.expect_playing()
    betting = table.rules_in_force().procedure["betting"]
    if betting["bell"] and not event.bell:
        raise table.wrong("bets were closed without the bell")
    if (event.words, event.clause) != (betting["closes_words"], betting["closes_clause"]):
        raise table.wrong(f"bets were closed by {event.clause}")
    rejected: dict[tuple[str, str], int] = {}
    for terminal, box, amount in event.rejected:
        rejected[terminal, box] = rejected.get((terminal, box), 0) + amount
    # What a dealer left on a felt plays pro rata.
    excess = {} if table.felt is not None else _excess(table)
    if rejected != excess:
        raise table.wrong(f"the close gave back {rejected}, not {excess}")
    clause = table.rules_in_force().limits.get("rejected_clause") if rejected else None
    if event.rejected_clause != clause:
        raise table.wrong(f"the close gave bets back by {event.rejected_clause}, not {clause}")
    for (terminal, box), amount in rejected.items():
        take_off(table, terminal, box, amount)
    table.phase = "shut"


def _excess(table: Watched) -> dict[tuple[str, str], int]:
    """Find what the close gives back: newest first, and the rest of a bet left too small."""
    most = None if table.limits is None else table.limits.differential
    pairs = table.rules_in_force().limits.get("differential_pairs", ())
    apart = [abs(table.lying.get(one, 0) - table.lying.get(other, 0)) for one, other in pairs]
    if most is None or max(apart, default=0) <= most:
        return {}
    placed = [list(placement) for placement in table.placed]
    while _cut_one_side(table, placed, most):
        pass
    excess: dict[tuple[str, str], int] = {}
    for before, after in zip(table.placed, placed, strict=True):
        if before[2] > after[2]:
            where = (before[0], before[1])
            excess[where] = excess.get(where, 0) + before[2] - after[2]
    return excess


def _cut_one_side(table: Watched, placed: list[list[Any]], most: int) -> bool:
    for pair in table.rules_in_force().limits.get("differential_pairs", ()):
        for box, other in (pair, pair[::-1]):
            over = _sum_on(placed, box) - _sum_on(placed, other) - most
            if over > 0:
                _cut(table, placed, box, over)
                return True
    return False


def _sum_on(placed: list[list[Any]], box: str, terminal: str | None = None) -> int:
    return sum(each[2] for each in placed if each[1] == box and terminal in (None, each[0]))


def _cut(table: Watched, placed: list[list[Any]], box: str, over: int) -> None:
    cut_from: list[str] = []
    for placement in reversed(placed):
        if placement[1] == box and over and placement[2]:
            cut = min(placement[2], over)
            placement[2] -= cut
            over -= cut
            cut_from.append(placement[0])
    for terminal in cut_from:
        if _sum_on(placed, box, terminal) < table.limit_of(box)[0]:
            for placement in placed:
                if placement[:2] == [terminal, box]:
                    placement[2] = 0
