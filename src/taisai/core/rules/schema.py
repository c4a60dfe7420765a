"""What a rulebook file says: the shape of the data, before anything of it is proved.

One file per approved document version. The same shape, written as canonical JSON, travels in the
journal, so that a round can be replayed under the rules it was played by.
"""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

#: Nothing in a rulebook is blank or endless; a number stands for a place, a count or odds.
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Pays = Text | Number | dict[str, Text | Number]
Role = Literal["dealer", "supervisor", "pit-manager", "shift-manager"]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a rulebook file; a key it does not know is a mistake, not an extension."""


class ClauseContent(Part, frozen=True, kw_only=True):
    """A numbered or lettered item of the document and its gist in our words."""

    number: Text
    gist: Text


class PersonContent(Part, frozen=True, kw_only=True):
    """A role of the software with the title the document gives to it."""

    role: Role
    title: Text
    clause: Text | None = None
    decision: Text | None = None


class KindContent(Part, frozen=True, kw_only=True):
    """Which clause a loss cites; for Small, Big, Odd and Even also the totals that win.

    Those four lose to every triple, and name the clause that says so.
    """

    loses: Text
    totals: tuple[Number, ...] = ()
    loses_to_triple: Text | None = None


class TripleWinnersContent(Part, frozen=True, kw_only=True):
    """One entry of the document's own list of bets that win when all three dice are alike."""

    clause: Text
    kind: Text
    boxes: tuple[Text, ...] = ()


class OpeningCheckContent(Part, frozen=True, kw_only=True):
    """Something a supervisor makes sure of before the table opens."""

    code: Literal["equipment-on", "test-runs-light", "tumbler-works", "dice-sealed"]
    clause: Text


class EquipmentContent(Part, frozen=True, kw_only=True):
    """A piece of equipment that must be registered: always, with chips, or with coloured ones."""

    code: Literal["display-rack", "marker-buttons", "change-block", "tumbler", "bell"]
    clause: Text
    when: Literal["always", "chips", "colours"] = "always"


class OpeningContent(Part, frozen=True, kw_only=True):
    """What comes before the table opens: who checks it, and what the document calls them."""

    by: tuple[Role, ...]
    title: Text
    clause: Text
    checks: tuple[OpeningCheckContent, ...]


class TumbleContent(Part, frozen=True, kw_only=True):
    """How the dice are tumbled, and when, counted from the announcements [D5]."""

    cover: Literal["covered", "open"]
    at_least: Annotated[int, Meta(ge=1, le=1000)]
    order: Literal["before-bets", "after-close", "either"]
    by: tuple[Role, ...]
    clause: Text
    order_clause: Text


class BettingContent(Part, frozen=True, kw_only=True):
    """When bets are taken, by which call or notice, and what answers a late one."""

    opens: Literal["announcement", "terminal-notice"]
    opens_words: Text | None = None
    opens_clause: Text
    closes: Literal["announcement", "terminal-notice"]
    closes_words: Text
    closes_clause: Text
    bell: bool
    by: tuple[Role, ...]
    late_clause: Text
    after_payment_clause: Text | None = None
    on_behalf_clause: Text | None = None
    oral_clause: Text | None = None


class EntryContent(Part, frozen=True, kw_only=True):
    """How the dice become a result: who reads and enters them, whether an LED shows them first.

    With `echo`, what the LED shows is what is entered, and nothing else can be.
    """

    dice_clause: Text
    by: tuple[Role, ...]
    echo: bool
    echo_clause: Text | None = None
    clause: Text | None = None
    call_clause: Text | None = None
    lights_clause: Text | None = None


class AmendmentContent(Part, frozen=True, kw_only=True):
    """Under whom a wrong entry is put right, and until when [D11].

    Of the two persons that it takes, one is of these roles [D14].
    """

    by: tuple[Role, ...]
    until: Literal["settlement", "any-time"]
    clause: Text
    decision: Text | None = None


class SettlementContent(Part, frozen=True, kw_only=True):
    """Which position of a bet counts, who collects and pays, and in which order if in any."""

    basis: Literal["close", "result"]
    basis_clause: Text
    by: tuple[Role, ...]
    clause: Text
    order: Literal["collect-then-pay"] | None = None
    void_clause: Text
    corrections_clause: Text | None = None


class ProcedureContent(Part, frozen=True, kw_only=True):
    """The round as the document tells it."""

    tumble: TumbleContent
    betting: BettingContent
    entry: EntryContent
    amendment: AmendmentContent
    settlement: SettlementContent
    opening: OpeningContent | None = None
    equipment: tuple[EquipmentContent, ...] = ()

    @property
    def opening_checks(self) -> tuple[OpeningCheckContent, ...]:
        """Give what is checked before the table opens."""
        return () if self.opening is None else self.opening.checks

    @property
    def uncovering_clause(self) -> str:
        """Name the clause by which the cover is lifted: with the call, else as it is put on."""
        return self.entry.call_clause or self.tumble.clause


class LimitsContent(Part, frozen=True, kw_only=True):
    """Whose bets a limit counts, and what becomes of a bet outside it.

    With `scope` "box" the maximum counts all players' bets on a box together, with "player" each
    player's own [D6]. The minimum is each player's on each box in any case [D33].
    """

    scope: Literal["box", "player"]
    over_maximum: Literal["pro-rata", "refused"]
    below_minimum: Literal["stands", "refused"]
    displayed_clause: Text | None = None
    balance_clause: Text | None = None
    rejected_clause: Text | None = None
    pro_rata_clause: Text | None = None
    exempt_clause: Text | None = None
    advised_clause: Text | None = None
    stands_clause: Text | None = None
    differential_clause: Text | None = None
    differential_pairs: tuple[tuple[Text, Text], ...] = ()
    decision: Text | None = None


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
        "second-tumble",
        "terminal-lost-registered",
        "terminal-lost-unregistered",
        "touching-line",
        "tumbled-too-early",
        "uncovered-tumble",
        "walked-away",
        "wrong-entry",
        "wrong-result-settled",
    ]
    ruling: Literal[
        "activate-tumbler",
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
    clause: Text | None = None
    decision: Text | None = None
    stops_table: bool = False
    stops_clause: Text | None = None
    #: What the dealer announces of it.
    words: Text | None = None


class PrintedContent(Part, frozen=True, kw_only=True):
    """Something printed on the layout, and the rectangle of the grid that it covers."""

    x: Number
    y: Number
    w: Number
    h: Number


class AreaContent(PrintedContent, frozen=True, kw_only=True):
    """A printed area: the box it belongs to, and what it prints beside its name and odds [D31]."""

    box: Text
    prints: tuple[Literal["totals", "loses-to-triple"], ...] = ()


class CaptionContent(PrintedContent, frozen=True, kw_only=True):
    """Words printed outside any box, by code; the odds in them come from the box named."""

    code: Literal[
        "any-triple-pays",
        "each-domino",
        "each-double",
        "each-pair",
        "each-single",
        "each-three",
        "each-triple",
        "pair-pays",
        "triple-pays",
    ]
    pays_of: Text


class LayoutContent(Part, frozen=True, kw_only=True):
    """A layout as its appendix prints it: a grid, areas on it, captions between them [D10]."""

    name: Text
    clause: Text
    columns: Number
    rows: Number
    areas: Annotated[tuple[AreaContent, ...], Meta(max_length=1000)]
    captions: Annotated[tuple[CaptionContent, ...], Meta(max_length=100)] = ()
    examples_clause: Text | None = None
    decision: Text | None = None


class RowContent(Part, frozen=True, kw_only=True):
    """A row of the pay table: the document's name for the bet and what it pays.

    Without `boxes` the row prices every box of its kind.
    """

    name: Text
    pays: Pays
    boxes: tuple[Text, ...] = ()


class BetsContent(Part, frozen=True, kw_only=True):
    """The boxes of one kind, in the document's order, and the rows that price them."""

    kind: Text
    boxes: tuple[Text, ...]
    rows: tuple[RowContent, ...]


class PayTableContent(Part, frozen=True, kw_only=True):
    """One pay table: the clause that sets it, its bets and its layout."""

    number: Number
    clause: Text
    bets: tuple[BetsContent, ...]
    layout: LayoutContent


class ApprovalContent(Part, frozen=True, kw_only=True):
    """Which operator, forms of table and sources of dice a document is for [D30].

    Without an operator the document names none.
    """

    operator: Text | None = None
    forms: tuple[Literal["terminals", "chips"], ...]
    forms_clause: Text
    dice: tuple[Literal["keyed", "simulated", "verifiable", "reader"], ...]
    dice_clause: Text


class RulebookContent(Part, frozen=True, kw_only=True):
    """A whole approved document version as data, in force from when it says [D30]."""

    key: Text
    title: Text
    publisher: Text
    version: Text | None = None
    effective: datetime | None = None
    zone: Text | None = None
    approval: ApprovalContent
    #: What is different about this game in a sentence or two, by language.
    summary: dict[Text, Text] = {}
    clauses: tuple[ClauseContent, ...]
    people: tuple[PersonContent, ...]
    kinds: dict[Text, KindContent]
    triple_winners: tuple[TripleWinnersContent, ...]
    procedure: ProcedureContent
    limits: LimitsContent
    irregularities: tuple[IrregularityContent, ...]
    pay_tables: tuple[PayTableContent, ...]
