"""What a rulebook file says: the shape of the data, before anything of it is proved.

One file per approved document version. The same shape, written as canonical JSON, travels in the
journal, so that a round can be replayed under the rules it was played by.
"""

from datetime import datetime
from typing import Literal

from msgspec import Struct

Pays = str | int | dict[str, str | int]
Role = Literal["dealer", "supervisor", "pit-manager", "shift-manager"]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a rulebook file; a key it does not know is a mistake, not an extension."""


class ClauseContent(Part, frozen=True, kw_only=True):
    """A numbered or lettered item of the document and its gist in our words."""

    number: str
    gist: str


class PersonContent(Part, frozen=True, kw_only=True):
    """A role of the software with the title the document gives to it."""

    role: Role
    title: str
    clause: str | None = None
    decision: str | None = None


class KindContent(Part, frozen=True, kw_only=True):
    """What a kind of bet wins on beyond its printed numbers, and which clause a loss cites."""

    loses: str
    totals: tuple[int, ...] = ()
    on_triple: bool = True
    loses_to_triple: str | None = None


class TripleWinnersContent(Part, frozen=True, kw_only=True):
    """One entry of the document's own list of bets that win when all three dice are alike."""

    clause: str
    kind: str
    boxes: tuple[str, ...] = ()


class OpeningCheckContent(Part, frozen=True, kw_only=True):
    """Something a supervisor makes sure of before the table opens."""

    code: Literal["equipment-on", "test-runs-light", "tumbler-works", "dice-sealed"]
    clause: str


class TumbleContent(Part, frozen=True, kw_only=True):
    """How the dice are tumbled, and when, counted from the announcements [D5]."""

    cover: Literal["covered", "open"]
    at_least: int
    order: Literal["before-bets", "after-close", "either"]
    by: tuple[Role, ...]
    clause: str
    order_clause: str


class BettingContent(Part, frozen=True, kw_only=True):
    """When bets are taken, by which words, and what a late one is told."""

    opens: Literal["announcement", "terminal-notice"]
    opens_words: str | None = None
    opens_clause: str
    closes_words: str
    closes_clause: str
    bell: bool
    late_clause: str
    after_payment_clause: str | None = None
    on_behalf_clause: str | None = None
    oral_clause: str | None = None


class EntryContent(Part, frozen=True, kw_only=True):
    """How the dice become a result: who reads, who enters, whether it is echoed and called."""

    dice_clause: str
    by: tuple[Role, ...]
    echo: bool
    clause: str | None = None
    call_clause: str | None = None
    lights_clause: str | None = None


class AmendmentContent(Part, frozen=True, kw_only=True):
    """Who may put a wrong entry right and until when [D11]."""

    by: tuple[Role, ...]
    until: Literal["settlement", "any-time"]
    clause: str
    decision: str | None = None


class SettlementContent(Part, frozen=True, kw_only=True):
    """Which position of a bet counts, and the order in which the dealer works."""

    basis: Literal["close", "result"]
    basis_clause: str
    order: Literal["collect-then-pay"]
    order_clause: str
    void_clause: str
    corrections_clause: str | None = None


class ProcedureContent(Part, frozen=True, kw_only=True):
    """The round as the document tells it."""

    tumble: TumbleContent
    betting: BettingContent
    entry: EntryContent
    amendment: AmendmentContent
    settlement: SettlementContent
    opening_checks: tuple[OpeningCheckContent, ...] = ()


class LimitsContent(Part, frozen=True, kw_only=True):
    """Whose bets a limit counts, and what becomes of a bet outside it.

    `scope` "box" counts all players' bets on a box together, "player" each player's own [D6].
    """

    scope: Literal["box", "player"]
    over_maximum: Literal["pro-rata", "refused"]
    below_minimum: Literal["stands", "refused"]
    displayed_clause: str | None = None
    balance_clause: str | None = None
    rejected_clause: str | None = None
    pro_rata_clause: str | None = None
    exempt_clause: str | None = None
    advised_clause: str | None = None
    stands_clause: str | None = None
    differential_clause: str | None = None
    differential_pairs: tuple[tuple[str, str], ...] = ()
    decision: str | None = None


class IrregularityContent(Part, frozen=True, kw_only=True):
    """Something that goes wrong, what is ruled, and the clause or decision that rules it."""

    code: Literal[
        "bad-tumble",
        "bet-in-error",
        "bet-moved",
        "below-minimum",
        "damaged-dice",
        "dice-exposed",
        "die-not-flat",
        "display-wrong",
        "interrupted-with-outcome",
        "interrupted-without-outcome",
        "late-error",
        "lights-fail",
        "malfunction",
        "no-tumble",
        "not-covered",
        "over-limit",
        "terminal-lost-registered",
        "terminal-lost-unregistered",
        "touching-line",
        "tumbled-too-early",
        "walked-away",
        "wrong-entry",
        "wrong-result-settled",
    ]
    ruling: Literal[
        "advise-then-stands",
        "amend-before-settlement",
        "conclude",
        "dice-prevail",
        "no-effect-on-later-rounds",
        "operator-may-correct",
        "operator-may-pay",
        "player-answers",
        "refuse",
        "reject-then-pro-rata",
        "return-bets",
        "reverse-and-settle-again",
        "settle",
        "shift-manager-rules",
        "stop-until-rectified",
        "void-affected-rounds",
        "void-round",
    ]
    clause: str | None = None
    decision: str | None = None
    stops_table: bool = False
    stops_clause: str | None = None


class PrintedContent(Part, frozen=True, kw_only=True):
    """Something printed on the felt, and the rectangle of the grid that it covers."""

    x: int
    y: int
    w: int
    h: int


class AreaContent(PrintedContent, frozen=True, kw_only=True):
    """A printed area: the box it belongs to."""

    box: str


class CaptionContent(PrintedContent, frozen=True, kw_only=True):
    """Words printed outside any box, by code; the odds come from the box named."""

    code: str
    pays_of: str | None = None


class LayoutContent(Part, frozen=True, kw_only=True):
    """A felt as its appendix prints it: a grid, areas on it, captions between them [D10]."""

    name: str
    clause: str
    columns: int
    rows: int
    areas: tuple[AreaContent, ...]
    captions: tuple[CaptionContent, ...] = ()
    examples_clause: str | None = None
    decision: str | None = None


class RowContent(Part, frozen=True, kw_only=True):
    """A row of the pay table: the document's name for the bet and what it pays.

    Without `boxes` the row prices every box of its kind.
    """

    name: str
    pays: Pays
    boxes: tuple[str, ...] = ()


class BetsContent(Part, frozen=True, kw_only=True):
    """The boxes of one kind, in the document's order, and the rows that price them."""

    kind: str
    boxes: tuple[str, ...]
    rows: tuple[RowContent, ...]


class PayTableContent(Part, frozen=True, kw_only=True):
    """One pay table: the clause that sets it, its bets and its felt."""

    number: int
    clause: str
    bets: tuple[BetsContent, ...]
    layout: LayoutContent


class RulebookContent(Part, frozen=True, kw_only=True):
    """A whole approved document version as data."""

    key: str
    title: str
    publisher: str
    version: str | None = None
    effective: datetime | None = None
    zone: str | None = None
    clauses: tuple[ClauseContent, ...]
    people: tuple[PersonContent, ...]
    kinds: dict[str, KindContent]
    triple_winners: tuple[TripleWinnersContent, ...]
    procedure: ProcedureContent
    limits: LimitsContent
    irregularities: tuple[IrregularityContent, ...]
    pay_tables: tuple[PayTableContent, ...]
