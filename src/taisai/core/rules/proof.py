"""The proof of a rulebook: the checks that a file must pass before it is used.

Each check yields the faults it finds as sentences that name the place. The shape is checked before
this: every key is known and every value has its type.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from taisai.core.rules.boxes import BOX_NAMES, EVEN_CHANCES, Kind
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import BettingBox, PayTable, read_pays, row_of
from taisai.core.rules.reason import printable
from taisai.core.rules.schema import (
    AreaContent,
    BetsContent,
    CaptionContent,
    KindContent,
    LayoutContent,
    LimitsContent,
    PayTableContent,
    PrintedContent,
    RowContent,
    RulebookContent,
)

#: A finer layout cannot be printed, and would only make drawing slow.
GRID_MAX = 1000

_KEY = re.compile(r"[a-z][a-z0-9-]{0,30}", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?", re.ASCII)
_DECISION = re.compile(r"D[1-9][0-9]?", re.ASCII)
#: The fields that cite a clause, besides those whose names end so.
_CITING = ("clause", "loses", "loses_to_triple")

#: The two ways of the documents: a box shared by all players, or each player's own limits.
_SHARED = ("box", "pro-rata", "stands")
_REFUSED = ("player", "refused", "refused")
_SHARED_CLAUSES = (
    "rejected_clause",
    "pro_rata_clause",
    "exempt_clause",
    "advised_clause",
    "stands_clause",
)

#: The rulings that a table can carry out on each of these irregularities.
_RULINGS = {
    "bad-tumble": ("void-round",),
    "damaged-dice": ("void-affected-rounds", "shift-manager-rules"),
    "dice-exposed": ("void-round",),
    "die-not-flat": ("void-round",),
    "interrupted-with-outcome": ("conclude", "dice-prevail"),
    "interrupted-without-outcome": ("void-round", "dice-prevail"),
    "not-covered": ("shift-manager-rules",),
    "second-tumble": ("shift-manager-rules",),
    "terminal-lost-registered": ("settle",),
    "terminal-lost-unregistered": ("return-bets",),
    "tumbled-too-early": ("void-round",),
    "uncovered-tumble": ("shift-manager-rules",),
}

#: The kind of bet whose odds each caption prints.
_CAPTION_KINDS = {
    "any-triple-pays": Kind.ANY_TRIPLE,
    "each-domino": Kind.DOMINO,
    "each-double": Kind.DOUBLE,
    "each-pair": Kind.PAIR,
    "each-single": Kind.SINGLE,
    "each-three": Kind.THREE,
    "each-triple": Kind.TRIPLE,
    "pair-pays": Kind.PAIR,
    "triple-pays": Kind.TRIPLE,
}


class RulebookError(ValueError):
    """A rulebook refused, with a sentence for each fault that was found."""

    def __init__(self, source: str, faults: Iterable[str]) -> None:
        self.faults = [printable(f"{source}, {fault}") for fault in faults]
        super().__init__("\n".join(self.faults))


def content_faults(content: RulebookContent) -> Iterator[str]:
    """Find what is wrong with the content before any of it can be compiled."""
    yield from _identity_faults(content)
    yield from _citation_faults(content)
    yield from _grounds_faults(content)
    yield from _people_faults(content)
    yield from _agreement_faults(content)
    if not (content.approval.forms and content.approval.dice):
        yield "approval: a form of table and a source of dice are wanted, at least one each"
    yield from _limits_faults(content.limits)
    for name, kind in content.kinds.items():
        yield from (f"kind {name}: {fault}" for fault in _kind_faults(name, kind))
    for table in content.pay_tables:
        where = f"pay table {table.number}"
        yield from (f"{where}, {fault}" for fault in _bets_faults(content, table))


def pay_table_faults(
    content: RulebookContent, table: PayTable, *, allow_player_edge: bool
) -> Iterator[str]:
    """Find what is wrong with a compiled pay table: its edges, its triples and its layout.

    [ts6 3.10…; etg8 3.9…; div9 3.2]
    """
    where = f"pay table {table.number}"
    if not allow_player_edge:
        yield from (f"{where}, {fault}" for fault in _edge_faults(table))
    yield from (f"{where}, {fault}" for fault in _triple_faults(content, table))
    yield from (f"{where}, {fault}" for fault in _pair_faults(content.limits, table))
    yield from (f"{where}, {fault}" for fault in _layout_faults(table))


# --- the rulebook as a whole -------------------------------------------------------------------


def _identity_faults(content: RulebookContent) -> Iterator[str]:
    if not _KEY.fullmatch(content.key):
        yield f"key: {content.key!r} is no key; lower-case letters, digits and dashes make one"
    if content.effective is not None and content.effective.tzinfo is None:
        yield "effective: the time has no zone; write it like 2023-10-06T08:00:00+08:00"
    yield from (
        f"summary: {language!r} is no language; write it like 'en' or 'zh-Hans'"
        for language in content.summary
        if not _LANGUAGE.fullmatch(language)
    )
    if content.summary and "en" not in content.summary:
        yield "summary: there is none in English, which others fall back on; write summary.en"
    if not content.pay_tables:
        yield "pay_tables: there is none; a rulebook has at least one pay table"
    yield from _twice("clauses", "number", (clause.number for clause in content.clauses))
    yield from _twice("people", "role", (person.role for person in content.people))
    yield from _twice("irregularities", "code", (each.code for each in content.irregularities))
    yield from _twice("pay_tables", "number", (table.number for table in content.pay_tables))
    yield from (
        f"pay table {table.number}: the number must be 1 or more"
        for table in content.pay_tables
        if table.number < 1
    )
    yield from (
        f"triple_winners: there is no kind of bet {entry.kind!r}"
        for entry in content.triple_winners
        if entry.kind not in list(Kind)
    )


def _twice(where: str, what: str, values: Iterable[object]) -> Iterator[str]:
    for value, times in Counter(values).items():
        if times > 1:
            yield f"{where}: {what} {value!r} is given {times} times; once is right"


def _citation_faults(content: RulebookContent) -> Iterator[str]:
    """Check that each clause the rulebook cites, wherever it does, is in its own list."""
    known = {clause.number for clause in content.clauses}
    for where, field, value in _strings(content, ""):
        if (field in _CITING or field.endswith("_clause")) and value not in known:
            yield f"{where}: clause {value!r} is not in the rulebook's list of clauses"
        if field == "decision" and not _DECISION.fullmatch(value):
            yield f"{where}: {value!r} is no decision; write it like 'D6'"


def _strings(part: object, where: str) -> Iterator[tuple[str, str, str]]:
    """Walk every text in the content, with its place in words and the name of its field."""
    if isinstance(part, Struct):
        for field in part.__struct_fields__:
            value = getattr(part, field)
            if isinstance(value, str):
                yield f"{where}{field}", field, value
            else:
                yield from _strings(value, f"{where}{field} ")
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _strings(value, f"{where}{key} ")
    elif isinstance(part, tuple):
        for position, value in enumerate(part, start=1):
            yield from _strings(value, f"{where}{position} ")


def _grounds_faults(content: RulebookContent) -> Iterator[str]:
    """Check that every ruling is based on a clause or a decision."""
    for irregularity in content.irregularities:
        if irregularity.clause is None and irregularity.decision is None:
            yield f"irregularity {irregularity.code}: neither a clause nor a decision rules it"
    for person in content.people:
        if person.clause is None and person.decision is None:
            yield f"person {person.role}: neither a clause nor a decision names the role"


def _people_faults(content: RulebookContent) -> Iterator[str]:
    """Check that every part of the procedure has its people, and that they are listed [D29]."""
    procedure, listed = content.procedure, {person.role for person in content.people}
    parts = {
        "tumble": procedure.tumble.by,
        "betting": procedure.betting.by,
        "entry": procedure.entry.by,
        "amendment": procedure.amendment.by,
        "settlement": procedure.settlement.by,
    }
    if procedure.opening is not None:
        parts["opening"] = procedure.opening.by
    for name, roles in parts.items():
        if not roles:
            yield f"procedure {name} by: nobody is named; name at least one role"
        for role in roles:
            if role not in listed:
                yield f"procedure {name} by: role {role!r} is not among the rulebook's people"
    if procedure.entry.echo != (procedure.entry.echo_clause is not None):
        yield "procedure entry: echo and echo_clause go together"


def _agreement_faults(content: RulebookContent) -> Iterator[str]:
    """Check that a ruling agrees with the procedure and the limits on the same subject [D29]."""
    limits, amendment = content.limits, content.procedure.amendment
    amended = amendment.until == "any-time"
    shared = limits.over_maximum == "pro-rata", limits.below_minimum == "stands"
    clauses = {
        "wrong-entry": amendment.clause,
        "over-limit": limits.rejected_clause,
        "below-minimum": limits.advised_clause,
    }
    expected = {
        "wrong-entry": "dice-prevail" if amended else "amend-before-settlement",
        "wrong-result-settled": "reverse-and-settle-again" if amended else "shift-manager-rules",
        "over-limit": "reject-then-pro-rata" if shared[0] else "refuse",
        "below-minimum": "advise-then-stands" if shared[1] else "refuse",
    }
    for each in content.irregularities:
        where, ruling = f"irregularity {each.code}", expected.get(each.code, each.ruling)
        if each.ruling != ruling:
            yield f"{where}: procedure and limits make it {ruling!r}, not {each.ruling!r}"
        clause = clauses.get(each.code, each.clause)
        if each.clause != clause:
            yield f"{where}: procedure and limits cite {clause!r} for it, not {each.clause!r}"
        known = _RULINGS.get(each.code, (each.ruling,))
        if each.ruling not in known:
            yield f"{where}: it is ruled {' or '.join(known)}, not {each.ruling}"
    betting = content.procedure.betting
    if (betting.opens == "announcement") != (betting.opens_words is not None):
        yield "procedure betting: an announcement has opens_words, and a notice has none"


def _limits_faults(limits: LimitsContent) -> Iterator[str]:
    ways = (limits.scope, limits.over_maximum, limits.below_minimum)
    if ways not in (_SHARED, _REFUSED):
        yield f"limits: {list(ways)} do not go together; {list(_SHARED)} and {list(_REFUSED)} do"
    if ways == _REFUSED and limits.decision is None:
        yield "limits: a bet outside the limits is refused, and no decision says why"
    for field in _SHARED_CLAUSES if ways == _SHARED else ():
        if getattr(limits, field) is None:
            yield f"limits: {field} is missing; what plays outside the limits cites its clause"
    if limits.differential_pairs:
        yield from _differential_faults(limits, shared=ways == _SHARED)


def _differential_faults(limits: LimitsContent, *, shared: bool) -> Iterator[str]:
    if not shared:
        yield "limits: a Differential goes with boxes that all players share"
    if limits.differential_clause is None:
        yield "limits: differential_clause is missing; the Differential cites its clause"
    for pair in limits.differential_pairs:
        if not set(pair) <= set(EVEN_CHANCES) or pair[0] == pair[1]:
            yield f"limits: {list(pair)} is no pair for the Differential; ['big', 'small'] is"
    sides = Counter(side for pair in limits.differential_pairs for side in pair)
    for side, times in sides.items():
        if times > 1:
            yield f"limits: {side!r} is in {times} pairs of the Differential; one is right"


def _kind_faults(name: str, kind: KindContent) -> Iterator[str]:
    if name not in list(Kind):
        yield f"there is no such kind of bet; the kinds are {', '.join(Kind)}"
        return
    if (name in EVEN_CHANCES) != bool(kind.totals):
        yield "totals are listed for small, big, odd and even, and for no other kind"
    if not set(kind.totals) <= set(range(3, 19)) or len(set(kind.totals)) < len(kind.totals):
        yield f"totals {list(kind.totals)} must be different numbers from 3 to 18"
    if (name in EVEN_CHANCES) != (kind.loses_to_triple is not None):
        yield "loses_to_triple is a clause for small, big, odd and even, and for no other kind"


# --- the bets of one pay table ------------------------------------------------------------------


def _bets_faults(content: RulebookContent, table: PayTableContent) -> Iterator[str]:
    yield from _twice("bets", "kind", (bets.kind for bets in table.bets))
    for box, times in Counter(box for bets in table.bets for box in bets.boxes).items():
        if times > 1:
            yield f"box {box}: it is listed {times} times; once is right"
    for bets in table.bets:
        if bets.kind not in content.kinds:
            yield f"kind {bets.kind}: it is not among the rulebook's kinds"
            continue
        yield from _boxes_faults(bets)
        for row in bets.rows:
            yield from _row_faults(bets, row)


def _boxes_faults(bets: BetsContent) -> Iterator[str]:
    if not bets.boxes:
        yield f"kind {bets.kind}: it lists no box"
    for box in bets.boxes:
        if box not in BOX_NAMES:
            yield f"box {box}: there is no such box"
        elif BOX_NAMES[box].kind != bets.kind:
            yield f"box {box}: it is of kind {BOX_NAMES[box].kind}, not {bets.kind}"
        priced = len(row_of(bets, box))
        if priced != 1:
            yield f"box {box}: {priced} rows of the pay table price it; one is right"


def _row_faults(bets: BetsContent, row: RowContent) -> Iterator[str]:
    for box in row.boxes:
        if box not in bets.boxes:
            yield f"box {box}: row {row.name!r} prices it, but it is not listed"
    where = f"box {(row.boxes or bets.boxes or ('?',))[0]}"
    per_dice = bets.kind == Kind.SINGLE
    if per_dice != isinstance(row.pays, dict):
        wanted = "a price each for 1, 2 and 3 dice" if per_dice else "one price"
        yield f"{where}: pays must be {wanted}"
        return
    if isinstance(row.pays, dict) and set(row.pays) != {"1", "2", "3"}:
        yield f"{where}: pays names {sorted(row.pays)} dice; 1, 2 and 3 are right"
        return
    try:
        odds = read_pays(row.pays)
    except ValueError as error:
        yield f"{where}: {error}"
        return
    if min(odds) <= 0:
        yield f"{where}: odds of 0 to 1 pay nothing; odds are above zero"


# --- a compiled pay table -----------------------------------------------------------------------


def _edge_faults(table: PayTable) -> Iterator[str]:
    for box in table.boxes.values():
        if box.house_edge <= 0:
            odds = ", ".join(map(write_odds, box.odds))
            yield (
                f"box {box.key}: odds of {odds} to 1 leave a house edge of "
                f"{write_fraction(box.house_edge)}; it must be above zero"
            )


def _triple_faults(content: RulebookContent, table: PayTable) -> Iterator[str]:
    """Compare the document's own list of triple winners with the computed winners."""
    if not content.triple_winners:
        return
    listed = _listed_triple_winners(content, table)
    computed = {key for result in RESULTS if result.is_triple for key in table.winners(result)}
    for box in sorted(listed - computed):
        yield f"box {box}: the list of triple winners has it, but no triple wins it"
    for box in sorted(computed - listed):
        yield f"box {box}: a triple wins it, but the list of triple winners lacks it"


def _listed_triple_winners(content: RulebookContent, table: PayTable) -> set[str]:
    listed: set[str] = set()
    for entry in content.triple_winners:
        of_kind = {key for key, box in table.boxes.items() if box.kind == entry.kind}
        listed |= set(entry.boxes) if entry.boxes and of_kind else of_kind
    return listed


def _pair_faults(limits: LimitsContent, table: PayTable) -> Iterator[str]:
    for pair in limits.differential_pairs:
        sides = [box for box in pair if box in table.boxes]
        if len(sides) == 1:
            yield f"box {sides[0]}: the other side of its Differential is not on the table"


# --- the layout -----------------------------------------------------------------------------------


def _layout_faults(table: PayTable) -> Iterator[str]:
    layout = table.layout
    if not (1 <= layout.columns <= GRID_MAX and 1 <= layout.rows <= GRID_MAX):
        size = f"{layout.columns} by {layout.rows}"
        yield f"layout: a grid of {size} must be 1 to {GRID_MAX} each way"
        return
    printed = {area.box for area in layout.areas}
    for box in sorted(printed - set(table.boxes)):
        yield f"box {box}: an area of the layout points at it, but the pay table has no such box"
    for box in table.boxes:
        if box not in printed:
            yield f"box {box}: no area of the layout points at it"
    for area in layout.areas:
        if area.prints and area.box in table.boxes:
            yield from _print_faults(table.boxes[area.box], area)
    for caption in layout.captions:
        yield from _caption_faults(table, caption)
    yield from _grid_faults(layout)


def _print_faults(box: BettingBox, area: AreaContent) -> Iterator[str]:
    """Check that what an area prints about its box is true, and printed once [D31]."""
    if len(set(area.prints)) < len(area.prints):
        yield f"box {box.key}: an area of the layout prints something twice"
    if box.kind not in EVEN_CHANCES:
        yield f"box {box.key}: only small, big, odd and even print totals or triples"
    elif "totals" in area.prints and max(box.totals) - min(box.totals) >= len(box.totals):
        yield f"box {box.key}: its totals do not follow one another, so no range is printed"


def _caption_faults(table: PayTable, caption: CaptionContent) -> Iterator[str]:
    """Check that a caption prints what every box of its kind pays [D10]."""
    kind = _CAPTION_KINDS[caption.code]
    box = table.boxes.get(caption.pays_of)
    if box is None or box.kind != kind:
        yield f"box {caption.pays_of}: caption {caption.code} needs a box of kind {kind}"
    elif any(each.odds != box.odds for each in table.boxes.values() if each.kind == kind):
        yield f"box {box.key}: caption {caption.code} prints odds that not every {kind} box pays"


def _grid_faults(layout: LayoutContent) -> Iterator[str]:
    """Check that everything printed is on the grid and nothing overlaps."""
    before: list[tuple[str, int, int, int, int]] = []
    for name, part in _printed(layout):
        left, top, right, bottom = part.x, part.y, part.x + part.w, part.y + part.h
        if part.w < 1 or part.h < 1:
            yield f"{name}: an area needs a size of at least 1 by 1"
        elif right > layout.columns or bottom > layout.rows:
            yield f"{name}: the area leaves the grid of {layout.columns} by {layout.rows}"
        else:
            for other, its_left, its_top, its_right, its_bottom in before:
                if left < its_right and its_left < right and top < its_bottom and its_top < bottom:
                    yield f"{name}: the area lies over {other}"
                    break
            before.append((name, left, top, right, bottom))


def _printed(layout: LayoutContent) -> Iterator[tuple[str, PrintedContent]]:
    yield from ((f"box {area.box}", area) for area in layout.areas)
    yield from ((f"caption {caption.code}", caption) for caption in layout.captions)
