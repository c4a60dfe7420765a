"""Rulebooks and odds as answers for programs: the same from the command line and over HTTP."""

import msgspec
from msgspec import Struct

from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.rulebook import Rulebook

#: What a box pays: its odds, or those for one, two and three dice.
Pays = str | dict[str, str]


class RulebookIdentity(Struct, frozen=True):
    """Which document, which version, and the fingerprint of its content."""

    key: str
    title: str
    version: str | None
    effective: str | None
    sha256: str


class PayTableEntry(Struct, frozen=True):
    """A pay table in the list of its rulebook."""

    address: str
    layout: str
    boxes: int


class RulebookEntry(RulebookIdentity, frozen=True):
    """A rulebook with its pay tables."""

    pay_tables: list[PayTableEntry]


class RulebookList(Struct, frozen=True):
    """The rulebooks at hand."""

    rulebooks: list[RulebookEntry]


class BoxOdds(Struct, frozen=True):
    """A betting box: what it pays, and its exact chance and house edge as fractions."""

    box: str
    kind: str
    name: str
    pays: Pays
    ways: int
    probability: str
    house_edge: str
    clause: str


class OddsView(Struct, frozen=True):
    """The odds of a pay table, its boxes in the order of the document."""

    pay_table: str
    rulebook: RulebookIdentity
    layout: str
    boxes: list[BoxOdds]


def identity_of(book: Rulebook) -> RulebookIdentity:
    """Say which rulebook it is."""
    content = book.content
    effective = None if content.effective is None else content.effective.isoformat()
    return RulebookIdentity(content.key, content.title, content.version, effective, book.sha256)


def entry_of(book: Rulebook) -> RulebookEntry:
    """List a rulebook with its pay tables."""
    tables = [
        PayTableEntry(table.address, table.layout.name, len(table.boxes))
        for table in book.pay_tables.values()
    ]
    return RulebookEntry(pay_tables=tables, **msgspec.structs.asdict(identity_of(book)))


def pays_of(box: BettingBox) -> Pays:
    """Write what a box pays."""
    if len(box.odds) == 1:
        return write_odds(box.odds[0])
    return {str(times): write_odds(odds) for times, odds in enumerate(box.odds, start=1)}


def odds_of(book: Rulebook, table: PayTable) -> OddsView:
    """Give what each box of a pay table pays, and its exact chance and house edge."""
    boxes = [
        BoxOdds(
            box=box.key,
            kind=box.kind.value,
            name=box.bet_name,
            pays=pays_of(box),
            ways=box.ways,
            probability=write_fraction(box.probability),
            house_edge=write_fraction(box.house_edge),
            clause=box.wins_clause,
        )
        for box in table.boxes.values()
    ]
    return OddsView(table.address, identity_of(book), table.layout.name, boxes)
