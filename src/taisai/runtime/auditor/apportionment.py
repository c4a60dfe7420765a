"""What plays of each bet on a layout, found a second way, by exact fractions [D2, D3].

Bets come as rows of seat, box and amount, in the order they were recorded.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from taisai.core.kernel.messages import LimitsAsked
from taisai.runtime.auditor.pay_tables import Rules
from taisai.runtime.auditor.table import AuditedTable

Where = tuple[str, str]


def playing(
    table: AuditedTable, rules: Rules, rows: Sequence[Where]
) -> dict[Where, tuple[int, str]]:
    """Tell of each player's bets on each box how much plays, and why."""
    limits = table.limits
    stakes: dict[str, dict[str, int]] = {}
    for seat, box in rows:
        stakes.setdefault(box, {})[seat] = table.bets[seat][box]
    shared: dict[str, dict[str, tuple[int, str]]] = {}
    for box, own in stakes.items():
        if limits is None or rules.limits["over_maximum"] != "pro-rata":
            shared[box] = {seat: (stake, "whole") for seat, stake in own.items()}
        else:
            shared[box] = _share(table, limits, box, own, table.limit_of(box)[1], "maximum")
    if limits is not None and limits.differential is not None:
        for pair in rules.limits.get("differential_pairs", ()):
            shared |= _differential(table, limits, tuple(pair), stakes, shared)
    return {(seat, box): part for box, own in shared.items() for seat, part in own.items()}


def _differential(
    table: AuditedTable,
    limits: LimitsAsked,
    pair: tuple[str, ...],
    stakes: Mapping[str, dict[str, int]],
    shared: Mapping[str, dict[str, tuple[int, str]]],
) -> dict[str, dict[str, tuple[int, str]]]:
    most = limits.differential or 0
    played = {box: sum(part for part, _ in shared.get(box, {}).values()) for box in pair}
    for box, other in (pair, pair[::-1]):
        if played[box] > played[other] + most:
            room = min(table.limit_of(box)[1], played[other] + most)
            return {box: _share(table, limits, box, stakes[box], room, "differential")}
    return {}


def _share(
    table: AuditedTable, limits: LimitsAsked, box: str, own: dict[str, int], room: int, why: str
) -> dict[str, tuple[int, str]]:
    """Share a box: small bets whole, the others in proportion and never below the minimum."""
    least, step = table.limit_of(box)[0], limits.step or 1
    full = sum(own.values()) > room
    small = "exempt" if full else "under-minimum"
    parts = {seat: (stake, small if stake < least else "whole") for seat, stake in own.items()}
    if not full:
        return parts
    sharing = {seat: stake for seat, stake in own.items() if stake >= least}
    left = max(0, room - sum(stake for stake in own.values() if stake < least)) // step * step
    for seat, part in _proportions(sharing, left, least, step).items():
        parts[seat] = (part, why if part < own[seat] else "whole")
    return parts


def _proportions(sharing: dict[str, int], room: int, least: int, step: int) -> dict[str, int]:
    if least * len(sharing) > room:
        return dict.fromkeys(sharing, least)
    held: set[str] = set()
    while True:
        free = {seat: stake for seat, stake in sharing.items() if seat not in held}
        rest = room - least * len(held)
        total = sum(free.values())
        exact = {seat: Fraction(stake * rest, total) for seat, stake in free.items()}
        short = {seat for seat, share in exact.items() if share < least}
        if not short:
            break
        held |= short
    down = {seat: int(share // step) * step for seat, share in exact.items()}
    spare = (rest - sum(down.values())) // step
    order = sorted(exact, key=lambda seat: down[seat] - exact[seat])
    for seat in order[:spare]:
        down[seat] += step
    return dict.fromkeys(held, least) | down
