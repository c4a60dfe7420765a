"""Last rounds recall: what a terminal's own bets came to lately, and why.

A pure look at a table's state, which keeps its last rounds; nothing is read from the journal.
"""

from collections.abc import Iterator
from fractions import Fraction

from taisai.core.kernel.messages import SettledLine
from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.dice import Result, call_of, result_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.outcome import losing_reason, winning_reason
from taisai.core.rules.reason import Reason
from taisai.core.table.state import RoundRecord, TableState, rules_of
from taisai.protocol.views import RecalledLine, RecalledRound
from taisai.wording import name_box, say

ROUNDS_RECALLED = 10


def recall(
    state: TableState,
    terminal: str,
    since: int,
    rounds: int = ROUNDS_RECALLED,
    language: str = "en",
) -> list[RecalledRound]:
    """Recall a terminal's last rounds, the newest first, in words of a language.

    Those before the session's first are another player's [D21].
    """
    found: list[RecalledRound] = []
    for record in reversed(state.history.values()):
        if len(found) >= rounds or record.number < since:
            break
        lines = tuple(line for line in record.lines if line.position == terminal)
        if lines or record.faces is None:
            found.append(_recalled(state, record, lines, language))
    return found


def _recalled(
    state: TableState, record: RoundRecord, lines: tuple[SettledLine, ...], language: str
) -> RecalledRound:
    if record.faces is None:
        return RecalledRound(record.number, void=True, faces=None, call=None, lines=[])
    result = result_of(record.faces)
    call = say(call_of(result), language)
    shown = [*_lines(state, record, result, lines, language)]
    return RecalledRound(record.number, record.void, record.faces, call, shown)


def _lines(
    state: TableState,
    record: RoundRecord,
    result: Result,
    lines: tuple[SettledLine, ...],
    language: str,
) -> Iterator[RecalledLine]:
    same_rules = state.pay_table is not None and rules_of(state) == record.rules
    boxes = state.pay_table.boxes if state.pay_table is not None and same_rules else {}
    for line in lines:
        yield RecalledLine(
            box=line.box,
            name=name_box(line.box, language),
            stake=line.stake,
            odds=write_odds(Fraction(line.won, line.stake)) if line.won else None,
            won=line.won,
            back=line.back,
            clause=boxes[line.box].clause_on(result) if boxes else None,
            reason=say(why(line, result), language),
        )


def why(line: SettledLine, result: Result) -> Reason:
    """Say why a line won or lost; the odds follow from what it won, which is always whole."""
    name = BOX_NAMES[line.box]
    if not line.won:
        return losing_reason(name, result)
    return winning_reason(name, Fraction(line.won, line.stake), result)
