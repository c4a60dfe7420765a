"""Last rounds recall: the outcomes of a terminal's own last bets, and why.

It only reads a table's state, which keeps the last rounds. Of a void round that keeps no lines:
they are in the event that ended it, which the caller has to supply.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from taisai.core.kernel.messages import SettledLine
from taisai.core.rules.boxes import BOX_NAMES
from taisai.core.rules.dice import Faces, Result, call_of, result_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.outcome import losing_reason, winning_reason
from taisai.core.rules.paytable import BettingBox
from taisai.core.rules.reason import Reason, because
from taisai.core.table.betting import RoundVoided
from taisai.core.table.state import RoundRecord, TableState, rules_of
from taisai.projections.sentences import voided_for_all
from taisai.protocol.views import RecalledLine, RecalledRound
from taisai.wording import name_box, say

ROUNDS_RECALLED = 10


def void_rounds(state: TableState, since: int, rounds: int = ROUNDS_RECALLED) -> list[int]:
    """Name the versions of the events that ended the last void rounds, the newest first."""
    recent = (each for each in reversed(state.history.values()) if each.number >= since)
    return [each.version for each in recent if each.faces is None][:rounds]


def recall(
    state: TableState,
    terminal: str,
    since: int,
    voided: Mapping[int, RoundVoided],
    rounds: int = ROUNDS_RECALLED,
    language: str = "en",
) -> list[RecalledRound]:
    """Recall a terminal's last rounds, the newest first, in words of a language.

    Those before the session's first are another player's [D21]. Void rounds are recalled by the
    events that ended them, by version; one without its event is left out.
    """
    found: list[RecalledRound] = []
    for record in reversed(state.history.values()):
        if len(found) >= rounds or record.number < since:
            break
        if record.faces is None:
            if record.version in voided:
                found.append(_returned(voided[record.version], terminal, language))
            continue
        lines = tuple(line for line in record.lines if line.position == terminal)
        if lines:
            found.append(_recalled(state, record, record.faces, lines, language))
    return found


def _returned(event: RoundVoided, terminal: str, language: str) -> RecalledRound:
    """Recall a void round: every stake came back, by the clause that made it void."""
    lines = [
        RecalledLine(
            box=line.box,
            name=name_box(line.box, language),
            stake=line.stake,
            odds=None,
            won=0,
            back=line.back,
            clause=event.clause,
            reason=say(because("RETURNED_BY_VOID", box=line.box), language),
        )
        for line in event.returned
        if line.position == terminal
    ]
    sentence = say(voided_for_all(event), language)
    return RecalledRound(event.round, True, None, None, lines, [], event.clause, sentence)


def _recalled(
    state: TableState,
    record: RoundRecord,
    faces: Faces,
    lines: tuple[SettledLine, ...],
    language: str,
) -> RecalledRound:
    result = result_of(faces)
    call = say(call_of(result), language)
    boxes = _boxes_of(state, record)
    lit = [key for key, box in boxes.items() if box.odds_on(result) is not None]
    shown = [*_lines(boxes, result, lines, language)]
    return RecalledRound(record.number, record.void, faces, call, shown, lit)


def _boxes_of(state: TableState, record: RoundRecord) -> Mapping[str, BettingBox]:
    """Find the boxes that a round was played on; none if the table has other rules by now."""
    if state.pay_table is None or rules_of(state) != record.rules:
        return {}
    return state.pay_table.boxes


def _lines(
    boxes: Mapping[str, BettingBox],
    result: Result,
    lines: tuple[SettledLine, ...],
    language: str,
) -> Iterator[RecalledLine]:
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
    """Say why a line won or lost; the odds follow from its win, which is always whole."""
    name = BOX_NAMES[line.box]
    if not line.won:
        return losing_reason(name, result)
    return winning_reason(name, Fraction(line.won, line.stake), result)
