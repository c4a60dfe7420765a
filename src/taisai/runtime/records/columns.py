"""What is exported: each view with its columns, their types and what they mean.

`docs/records.md` has the same tables for people; a test holds the two together.
"""

from enum import StrEnum
from typing import NamedTuple

Cell = int | str | bool | None
Row = tuple[Cell, ...]


class Type(StrEnum):
    """How a column is written in each format."""

    TEXT = "text"
    WHOLE = "whole number"
    AMOUNT = "amount"
    TIME = "time"
    FLAG = "yes or no"


class Column(NamedTuple):
    """A column: its name, its type, whether a cell may be empty, and what it says."""

    name: str
    type: Type
    may_be_empty: bool
    meaning: str


class View(NamedTuple):
    """A view of the journal: its name, what a row is, and its columns."""

    name: str
    row: str
    columns: tuple[Column, ...]


_T, _N, _A, _M, _F = Type.TEXT, Type.WHOLE, Type.AMOUNT, Type.TIME, Type.FLAG


def _must(name: str, type_: Type, meaning: str) -> Column:
    return Column(name, type_, may_be_empty=False, meaning=meaning)


def _may(name: str, type_: Type, meaning: str) -> Column:
    return Column(name, type_, may_be_empty=True, meaning=meaning)


_TABLE = _must("table", _T, "the table")
_VERSION = _must("version", _N, "version of the event in the table's stream")
_STREAM_VERSION = _must("version", _N, "version of the event in its stream")
_STANDING = _must("standing", _F, "no: it was reversed or settled again later in the period")

ROUNDS = View(
    "rounds",
    "a round's end: settled, void, or settled again",
    (
        _TABLE,
        _must("round", _N, "number of the round at its table, from 1"),
        _VERSION,
        _must("end", _T, "`settled`, `void` or `resettled`"),
        _may("started_at", _M, "when the round began; empty where it is settled again"),
        _may("opened_at", _M, "when bets were called for"),
        _may("closed_at", _M, "when bets were closed"),
        _must("ended_at", _M, "when it was settled, voided or settled again"),
        _must("rulebook", _T, "key of the rulebook"),
        _must("rulebook_sha256", _T, "fingerprint of the rulebook's content"),
        _must("pay_table", _N, "number of the pay table"),
        _may("dealer", _T, "who settled it; empty unless `settled`"),
        _may("dice", _T, "the faces from low to high, with blanks between; empty if void"),
        _may("total", _N, "what the dice add up to"),
        _may("call", _T, "the dealer's call"),
        _may("code", _T, "why it is void"),
        _may("clause", _T, "the clause it is void or settled again by"),
        _must("terminals", _N, "terminals with bets in it"),
        _must("bets", _N, "boxes bet on, counted for each terminal"),
        _must("stakes", _A, "all stakes"),
        _must("collected", _A, "stakes that lost"),
        _must("paid", _A, "paid to those that won, without their stakes"),
        _must("returned", _A, "stakes given back, of a void round"),
        _STANDING,
        _may("correction", _T, "`reversed` or `resettled`, where it does not stand"),
        _may("corrected_at", _M, "when that was"),
    ),
)

BETS = View(
    "bets",
    "what one terminal had on one box when a round ended",
    (
        _TABLE,
        _must("round", _N, "the round"),
        _VERSION,
        _must("line", _N, "position in the event, from 1"),
        _must("at", _M, "when the round ended, or was settled again"),
        _must("end", _T, "`settled`, `void` or `resettled`"),
        _must("terminal", _T, "the Player Terminal"),
        _must("box", _T, "the betting box, as `taisai odds` names it"),
        _must("kind", _T, "its kind"),
        _must("stake", _A, "the stake"),
        _must("outcome", _T, "`win`, `lose` or `void`"),
        _may("odds", _T, "odds to 1 at which it won, as `8.5`"),
        _must("won", _A, "paid on it, without the stake"),
        _must("back", _A, "back in all, stake included"),
        _must("clause", _T, "the clause that decided it"),
        _may("dice", _T, "the faces from low to high; empty if void"),
        _STANDING,
    ),
)

PLACEMENTS = View(
    "placements",
    "an amount placed on a box, withdrawn from it, or rejected at the close",
    (
        _must("at", _M, "when it was registered"),
        _TABLE,
        _may("round", _N, "the round"),
        _VERSION,
        _must("line", _N, "position in the event, from 1"),
        _must("terminal", _T, "the Player Terminal"),
        _must("box", _T, "the betting box"),
        _must("action", _T, "`placed`, `withdrawn` or `rejected`"),
        _must("amount", _A, "how much"),
        _may("on_behalf_by", _T, "who of the staff did it for the player"),
        _may("role", _T, "role of who asked"),
        _may("person", _T, "who asked: a terminal, or a person by name"),
        _may("order", _T, "the id the sender gave the command"),
    ),
)

POSTINGS = View(
    "postings",
    "money moved from one account to another",
    (
        _must("at", _M, "when"),
        _must("stream", _T, "whose books: `cage` or `table/…`"),
        _STREAM_VERSION,
        _must("line", _N, "position in the event, from 1"),
        _must("event", _T, "type of the event that moved it"),
        _may("round", _N, "the round under way"),
        _must("source", _T, "account it came from"),
        _must("destination", _T, "account it went to"),
        _must("amount", _A, "how much; never zero or less"),
    ),
)

METERS = View(
    "meters",
    "what one meter of a table counted in the period",
    (
        _TABLE,
        _must("meter", _T, "`table`, `terminal`, `dealer` or `kind`"),
        _may("name", _T, "which terminal, dealer or kind of bet; empty for the table"),
        _must("currency", _T, "currency of the table"),
        _must("turnover", _A, "stakes of settled rounds"),
        _must("collected", _A, "stakes that lost"),
        _must("won", _A, "paid to those that won, without their stakes"),
        _must("hold", _A, "collected less won"),
        _must("drop", _A, "credits that came to the terminals"),
        _must("out", _A, "credits cashed out"),
        _must("voided", _A, "stakes of rounds void before they were settled"),
        _must("corrections", _A, "given to terminals later, less what was taken from them"),
    ),
)

SIGNIFICANT = View(
    "significant",
    "a significant event",
    (
        _must("at", _M, "when"),
        _must("stream", _T, "where: `venue`, `cage` or `table/…`"),
        _STREAM_VERSION,
        _must("event", _T, "type of the event"),
        _may("round", _N, "the round it concerns, or that was under way"),
        _may("terminal", _T, "the terminal it concerns"),
        _may("role", _T, "role of who asked"),
        _may("person", _T, "who asked"),
        _may("second", _T, "the second person, where it took two"),
        _may("clause", _T, "the clause or decision it cites"),
        _may("note", _T, "what was noted with it"),
        _must("summary", _T, "what happened, as a sentence"),
        _must("details", _T, "the event's own fields as JSON, long lists left out"),
    ),
)

VIEWS: dict[str, View] = {
    view.name: view for view in (ROUNDS, BETS, PLACEMENTS, POSTINGS, METERS, SIGNIFICANT)
}
