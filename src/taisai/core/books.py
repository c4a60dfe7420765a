"""A table's running sums and the bets of its terminals, kept in step with the ledger."""

from taisai.core.decision import pay_table_in_force
from taisai.core.events import RoundSettled
from taisai.core.ledger import credits_of
from taisai.core.messages import SettledLine
from taisai.core.rules.dice import result_of
from taisai.core.table_state import Meter, TableState, Terminal


def meter_of(state: TableState, name: str) -> Meter:
    """Find a meter, begun when first asked for."""
    if name not in state.meters:
        state.meters[name] = Meter()
    return state.meters[name]


def add_to(meter: Meter, turnover: int, collected: int, won: int) -> None:
    """Add what was played to a meter."""
    meter.turnover += turnover
    meter.collected += collected
    meter.won += won


def meter_kinds(state: TableState, event: RoundSettled) -> None:
    """Add up by kind of bet: all that lies on a box, and plays, wins or loses alike."""
    boxes, result = pay_table_in_force(state).boxes, result_of(event.faces)
    idle: dict[str, int] = {}
    for part in event.playing:
        idle[part.box] = idle.get(part.box, 0) + part.stake - part.playing
    for key, lying in state.lying.items():
        stake = lying - idle.get(key, 0) if idle else lying
        box = boxes[key]
        odds = box.odds_on(result)
        won = 0 if odds is None else int(odds * stake)
        add_to(meter_of(state, f"kind:{box.kind.value}"), stake, 0 if won else stake, won)


def sums_by_terminal(lines: tuple[SettledLine, ...]) -> list[tuple[str, int, int, int]]:
    """Add up stake, won and back of each terminal, whose lines stand together."""
    sums: list[tuple[str, int, int, int]] = []
    terminal, stake, won, back = "", 0, 0, 0
    for line in lines:
        if line.terminal != terminal:
            sums.append((terminal, stake, won, back))
            terminal, stake, won, back = line.terminal, 0, 0, 0
        stake += line.stake
        won += line.won
        back += line.back
    sums.append((terminal, stake, won, back))
    return sums[1:]


def take_off(state: TableState, terminal: str, box: str, amount: int) -> None:
    """Take an amount off a box, from the newest placement back."""
    seat = state.terminals[terminal]
    seat.staked -= amount
    state.live -= amount
    _lower(state.lying, box, amount)
    _lower(seat.bets, box, amount)
    if box in state.sides:
        _take_newest(seat.placed, box, amount)


def _take_newest(placements: dict[str, list[tuple[int, int]]], box: str, amount: int) -> None:
    placed = placements[box]
    while amount:
        position, stake = placed.pop()
        kept = max(0, stake - amount)
        amount -= stake - kept
        if kept:
            placed.append((position, kept))
    if not placed:
        del placements[box]


def _lower(amounts: dict[str, int], box: str, amount: int) -> None:
    left = amounts[box] - amount
    assert left >= 0, f"no more lies on {box} than was taken off"
    if left:
        amounts[box] = left
    else:
        del amounts[box]


def assert_books(state: TableState, name: str, seat: Terminal) -> None:
    """Assert a terminal's audit identity: credits = in - out - staked + back + corrections."""
    held = state.ledger.balances.get(credits_of(name), 0)
    owed = seat.bought - seat.cashed - seat.staked + seat.back + seat.corrections
    assert held == owed, f"the books of terminal {name} do not agree"
