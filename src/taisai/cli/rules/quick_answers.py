"""Fast answers to lines in the form that programs write: read by types, each text made once.

Only correct lines are answered here. Every other line is left to `round_input`: there is one place
that refuses.
"""

from itertools import product

import msgspec
from msgspec import Raw, Struct

from taisai.cli.rules.round_input import LineError, decode_line, read_limits
from taisai.core.rules.bets import Bet
from taisai.core.rules.dice import FACES, Faces, Result, call_of, result_of
from taisai.core.rules.limits import Limits
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal
from taisai.core.rules.settlement import odds_on, reckon, verdict_on
from taisai.rulebooks import Catalogue, UnknownPayTableError
from taisai.wording import say

#: The most limits that are remembered: a file has few, and one with many must not use more memory.
_LIMITS_KEPT = 256
_KEYS_OF_LINE, _KEYS_OF_BET = 3, 3

_RESULTS: dict[Faces, Result] = {
    (one, two, three): result_of((one, two, three)) for one, two, three in product(FACES, repeat=3)
}


class _Placed(Bet, frozen=True, forbid_unknown_fields=True):
    """A bet as written in a line."""


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A round as written in a line; its limits are not decoded."""

    pay_table: str
    dice: Faces
    bets: list[_Placed]
    limits: Raw = Raw()


class _BetAnswer(Struct, frozen=True, gc=False):
    """One player's bets on one box, answered."""

    player: str
    box: str
    stake: int
    playing: int
    outcome: str
    odds: str | None
    won: int
    back: int
    clause: str
    reason: str


class _RoundAnswer(Struct, frozen=True):
    """A round, answered."""

    call: str
    total: int
    winners: Raw
    bets: list[_BetAnswer]
    collected: int
    paid: int


#: The answer about a bet: outcome, odds, clause and reason.
_Said = tuple[str, str | None, str, str]

_read = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


class QuickAnswers:
    """Answers lines for programs, and remembers its results and texts."""

    def __init__(self, catalogue: Catalogue, language: str) -> None:
        self._catalogue = catalogue
        self._language = language
        self._tables: dict[str, PayTable] = {}
        self._limits: dict[tuple[str, bytes], Limits | None] = {}
        self._results: dict[tuple[str, int], _OnResult] = {}

    def answer(self, line: bytes) -> bytes | None:
        """Answer a line that can be settled; None for a line that perhaps cannot."""
        try:
            asked = _read(line)
            table = self._tables.get(asked.pay_table) or self._find(asked.pay_table)
            written = bytes(asked.limits)
            limits = self._limits_of(table, written) if written else None
        except (msgspec.DecodeError, UnicodeDecodeError, UnknownPayTableError, LineError):
            return None
        result = _RESULTS.get(asked.dice)
        # Every key has a colon: any more colons are in texts, or belong to a repeated key.
        colons = 1 + written.count(b":") if written else 0
        colons += _KEYS_OF_LINE + _KEYS_OF_BET * len(asked.bets)
        if result is None or line.count(b":") != colons:
            return None
        on = self._results.get((table.address, result.index)) or self._word(table, result)
        reckoned = reckon(table, on.odds, asked.bets, limits)
        if isinstance(reckoned, Refusal):
            return None
        settled, playing = reckoned
        bets = []
        for settled_line, part in zip(settled.lines, playing, strict=True):
            box = settled_line.box
            kept = on.playing if part.stake else on.returned
            outcome, odds, clause, reason = kept.get(box) or on.say(kept, box)
            bets.append(
                _BetAnswer(
                    settled_line.position,
                    box,
                    settled_line.stake,
                    part.stake,
                    outcome,
                    odds,
                    settled_line.won,
                    settled_line.back,
                    clause,
                    reason,
                )
            )
        answer = _RoundAnswer(
            on.call, result.total, on.winners, bets, settled.collected, settled.paid
        )
        return _encode(answer) + b"\n"

    def _find(self, address: str) -> PayTable:
        table = self._tables[address] = self._catalogue.pay_table(address)
        return table

    def _limits_of(self, table: PayTable, written: bytes) -> Limits | None:
        where = (table.address, written)
        if where not in self._limits:
            limits = decode_line(b'{"limits":%b}' % written)["limits"]
            if len(self._limits) == _LIMITS_KEPT:
                self._limits.clear()
            self._limits[where] = read_limits(table, limits)
        return self._limits[where]

    def _word(self, table: PayTable, result: Result) -> "_OnResult":
        on = self._results[table.address, result.index] = _OnResult(table, result, self._language)
        return on


class _OnResult:
    """The answers about a result at a pay table, for each box made when first needed."""

    def __init__(self, table: PayTable, result: Result, language: str) -> None:
        self.call = say(call_of(result))
        self.odds = odds_on(table, result)
        self.winners = Raw(_encode(table.winners(result)))
        self._table, self._result, self._language = table, result, language
        self.playing: dict[str, _Said] = {}
        self.returned: dict[str, _Said] = {}

    def say(self, kept: dict[str, _Said], box: str) -> _Said:
        """Word what becomes of a bet that plays, or of one that does not, and remember it."""
        plays = kept is self.playing
        found = verdict_on(self._table, box, self._result, plays=plays)
        odds = None if found.odds is None else write_odds(found.odds)
        sentence = say(found.reason, self._language)
        said = kept[box] = (found.outcome.value, odds, found.clause, sentence)
        return said
