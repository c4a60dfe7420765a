"""`taisai settle`: rounds in, answers out, a line each, in order, whatever their number.

Also settled rounds as answers: data for programs, a table for people, the story of each bet.
"""

import argparse
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

import msgspec

from taisai.cli.catalogue import catalogue_of
from taisai.cli.command import LANGUAGE, RULEBOOK, Answer, Wrong, argument, command
from taisai.cli.progress import ProgressLine
from taisai.cli.rules.round_input import LineError, read_lines, read_round, settle_round
from taisai.cli.text import align
from taisai.core.rules.apportionment import Apportionment, clause_of
from taisai.core.rules.limits import Limits
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Reason, because, printable
from taisai.core.rules.settlement import Outcome, SettledBet, Settlement
from taisai.rulebooks import Catalogue
from taisai.wording import name_box, say, write_amount

_HEADINGS = ("player", "box", "stake", "plays", "outcome", "pays", "won", "back", "clause", "why")
_RIGHT = "  rr rrr"


def settlement_answer(settlement: Settlement, language: str) -> Answer:
    """Give a settled round as data, each bet with its clause and reason."""
    return {
        "call": say(settlement.call),
        "total": settlement.result.total,
        "winners": settlement.winners,
        "bets": [_bet_answer(bet, language) for bet in settlement.bets],
        "collected": settlement.collected,
        "paid": settlement.paid,
    }


def _bet_answer(bet: SettledBet, language: str) -> Answer:
    """Give one settled bet as data."""
    return {
        "player": bet.player,
        "box": bet.box,
        "stake": bet.stake,
        "playing": bet.playing,
        "outcome": bet.outcome.value,
        "odds": None if bet.odds is None else write_odds(bet.odds),
        "won": bet.won,
        "back": bet.back,
        "clause": bet.clause,
        "reason": say(bet.reason, language),
    }


def error_answer(code: str, message: str) -> Answer:
    """Say as data why something could not be settled."""
    return {"error": {"code": code, "message": message}}


def settlement_text(settlement: Settlement, language: str) -> str:
    """Write a settled round as the call, a table of bets and the sums."""
    rows = [_row(bet, language) for bet in settlement.bets]
    sums = f"collected {write_amount(settlement.collected)}, paid {write_amount(settlement.paid)}"
    return "\n".join([say(settlement.call, language), align(_HEADINGS, rows, _RIGHT), sums])


def _row(bet: SettledBet, language: str) -> tuple[str, ...]:
    return (
        printable(bet.player),
        name_box(bet.box, language),
        write_amount(bet.stake),
        write_amount(bet.playing),
        bet.outcome.value,
        "-" if bet.odds is None else write_odds(bet.odds),
        write_amount(bet.won),
        write_amount(bet.back),
        bet.clause,
        say(bet.reason, language),
    )


def story_of(
    table: PayTable, limits: Limits | None, bet: SettledBet, call: str
) -> Iterator[tuple[Reason, str | None]]:
    """Describe one bet from placing to paying: each step a reason, some with their clause."""
    box = table.boxes[bet.box]
    yield because("STORY_BET", stake_cents=bet.stake, box=bet.box), None
    odds = [write_odds(each) for each in box.odds]
    if len(odds) == 1:
        yield because("STORY_PAYS", odds=odds[0], ways=box.ways), box.wins_clause
    else:
        one, two, three = odds
        pays = because("STORY_PAYS_SINGLE", one=one, two=two, three=three, ways=box.ways)
        yield pays, box.wins_clause
    yield _how_much_plays(table, limits, bet)
    yield because("STORY_DICE", call=call), None
    yield bet.reason, bet.clause
    yield _in_the_end(bet), None


#: How a bet under the minimum is put, that plays whole.
_SMALL = {
    Apportionment.UNDER_MINIMUM: "PLAYS_UNDER_MINIMUM",
    Apportionment.EXEMPT: "PLAYS_EXEMPT",
    Apportionment.EXEMPT_DIFFERENTIAL: "PLAYS_EXEMPT_DIFFERENTIAL",
}


def _how_much_plays(
    table: PayTable, limits: Limits | None, bet: SettledBet
) -> tuple[Reason, str | None]:
    playing = {"playing_cents": bet.playing}
    clause = clause_of(table.limit_rules, bet.by)
    if limits is None or bet.by is Apportionment.WHOLE:
        return because("PLAYS_WHOLE", **playing), clause
    box = limits.of(bet.box)
    if bet.by in _SMALL:
        return because(_SMALL[bet.by], minimum_cents=box.minimum, **playing), clause
    playing["stake_cents"] = bet.stake
    if bet.by is Apportionment.MAXIMUM:
        return because("PLAYS_BY_MAXIMUM", maximum_cents=box.maximum, **playing), clause
    differential = limits.differential or 0
    return because("PLAYS_BY_DIFFERENTIAL", differential_cents=differential, **playing), clause


def _in_the_end(bet: SettledBet) -> Reason:
    match bet.outcome:
        case Outcome.WIN:
            return because("STORY_WON", won_cents=bet.won, back_cents=bet.back)
        case Outcome.RETURNED:
            return because("STORY_RETURNED", back_cents=bet.back)
        case Outcome.LOSE if bet.back:
            return because("STORY_LOST_PART", playing_cents=bet.playing, back_cents=bet.back)
        case _:
            return because("STORY_LOST", playing_cents=bet.playing)


_encode = msgspec.json.Encoder().encode
#: Looking at the clock costs as much as a small round; so look at every sixteenth only.
_EVERY_LINES = 16


@command(
    """echo '{"pay_table": "ts6/2", "dice": [2, 2, 6],"""
    """ "bets": [{"player": "a", "box": "double-2", "stake": 5000}]}' | taisai settle --json""",
    RULEBOOK,
    argument("file FILE", "the rounds; - or nothing: standard input", nargs="?", default="-"),
    LANGUAGE,
    detail="Each line holds pay_table, dice, bets and, if wanted, limits. A line that cannot be\n"
    "settled is answered with an error, and the next one is read.",
)
def settle_rounds(arguments: argparse.Namespace) -> int:
    catalogue = catalogue_of(arguments)
    answer = _answer_json if arguments.json else _answer_text
    wrong = 0
    with _opened(arguments.file) as file:
        details = os.fstat(file.fileno())
        size = details.st_size if stat.S_ISREG(details.st_mode) else 0
        with _Progress(file, size) as progress:
            for number, line in read_lines(file):
                settled = _settle_line(number, line, catalogue, arguments.lang)
                wrong += isinstance(settled, LineError)
                sys.stdout.buffer.write(answer(number, settled, arguments.lang))
                if not stat.S_ISREG(details.st_mode):
                    # Whoever feeds a pipe may wait for this answer before asking again.
                    sys.stdout.buffer.flush()
                progress.step(wrong)
    return 1 if wrong else 0


class _Progress(ProgressLine):
    """Rounds settled, refused, the share of the file read; the last line stays."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        super().__init__()
        self._watched = self._watched and not sys.stdout.isatty()
        self._file, self._size = file, size
        self._rounds = self._refused = 0

    def __exit__(self, *_: object) -> None:
        if self._watched:
            self._shown_at = 0.0
            self.show(self._text)
            print(file=sys.stderr)

    def step(self, refused: int) -> None:
        """Count a round."""
        self._rounds += 1
        self._refused = refused
        if self._rounds % _EVERY_LINES == 0:
            self.show(self._text)

    def _text(self, seconds: float) -> str:
        share = f", {100 * self._file.tell() // self._size} % of the file" if self._size else ""
        counts = f"{self._rounds:,} rounds, {self._refused:,} refused"
        return f"{counts}{share}, {self._rounds / seconds:,.0f} a second"


def _settle_line(
    number: int, line: bytes | None, catalogue: Catalogue, language: str
) -> Settlement | LineError:
    try:
        return settle_round(read_round(line, catalogue, language), language)
    except LineError as error:
        return LineError(error.code, f"line {number}: {error}")


def _answer_json(_number: int, settled: Settlement | LineError, language: str) -> bytes:
    if isinstance(settled, LineError):
        return _encode(error_answer(settled.code, str(settled))) + b"\n"
    return _encode(settlement_answer(settled, language)) + b"\n"


def _answer_text(number: int, settled: Settlement | LineError, language: str) -> bytes:
    if isinstance(settled, LineError):
        return f"refused, {settled.code}: {settled}\n\n".encode()
    return f"line {number}: {settlement_text(settled, language)}\n\n".encode()


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        if sys.stdin is None:
            raise Wrong("standard input is closed; there is nothing to settle")
        return nullcontext(sys.stdin.buffer)
    if Path(name).is_dir() or not name:
        raise Wrong(f"{name or 'a blank name'} is no file of rounds")
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise Wrong(f"the file {name} cannot be read: {error.strerror}") from None
