"""Last rounds recall: what a terminal's own bets came to lately, and why.

A pure look at a table's state, which keeps its last rounds; nothing is read from the journal.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from taisai.core.kernel.messages import SettledLine
from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.dice import Faces, Result, call_of, result_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.outcome import losing_reason, winning_reason
from taisai.core.rules.reason import Reason
from taisai.core.table.state import RoundRecord, TableState, rules_of

ROUNDS_RECALLED = 10


class RecalledLine(NamedTuple):
    """One box a terminal bet on: stake, won, back, and why.

    `odds` is None where it lost. `clause` is None where the table plays by other rules by now.
    """

    box: str
    stake: int
    odds: str | None
    won: int
    back: int
    clause: str | None
    reason: Reason


class RecalledRound(NamedTuple):
    """A round a terminal had bets in, or that was void for everybody.

    `void` says that every bet of it was returned, or its settlement reversed later. Of a round that
    was void from the start there are no dice and no lines.
    """

    number: int
    void: bool
    faces: Faces | None
    call: Reason | None
    lines: tuple[RecalledLine, ...]


def recall(state: TableState, terminal: str, rounds: int = ROUNDS_RECALLED) -> list[RecalledRound]:
    """Recall a terminal's last rounds, the newest first."""
    found: list[RecalledRound] = []
    for record in reversed(state.history.values()):
        if len(found) >= rounds:
            break
        lines = tuple(line for line in record.lines if line.position == terminal)
        if lines or record.faces is None:
            found.append(_recalled(state, record, lines))
    return found


def _recalled(
    state: TableState, record: RoundRecord, lines: tuple[SettledLine, ...]
) -> RecalledRound:
    if record.faces is None:
        return RecalledRound(record.number, void=True, faces=None, call=None, lines=())
    result = result_of(record.faces)
    return RecalledRound(
        record.number,
        record.void,
        record.faces,
        call_of(result),
        tuple(_lines(state, record, result, lines)),
    )


def _lines(
    state: TableState, record: RoundRecord, result: Result, lines: tuple[SettledLine, ...]
) -> Iterator[RecalledLine]:
    same_rules = state.pay_table is not None and rules_of(state) == record.rules
    boxes = state.pay_table.boxes if state.pay_table is not None and same_rules else {}
    for line in lines:
        clause = boxes[line.box].clause_on(result) if boxes else None
        odds = write_odds(Fraction(line.won, line.stake)) if line.won else None
        yield RecalledLine(
            line.box, line.stake, odds, line.won, line.back, clause, why(line, result)
        )


def why(line: SettledLine, result: Result) -> Reason:
    """Say why a line won or lost; the odds follow from what it won, which is always whole."""
    name = BOX_NAMES[line.box]
    if not line.won:
        return losing_reason(name, result)
    return winning_reason(name, Fraction(line.won, line.stake), result)
