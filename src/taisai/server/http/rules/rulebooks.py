"""Rulebooks, odds and layouts: the pages show them and never compute them themselves."""

from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.params import PathParameter, QueryParameter
from msgspec import Struct

from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.schema import RulebookContent
from taisai.rulebooks import KEYS, rulebook
from taisai.rulebooks.answers import OddsView, Pays, RulebookList, entry_of, odds_of, pays_of
from taisai.runtime.runtime import Runtime
from taisai.server.http.frame.access import EVERYBODY, route
from taisai.server.http.frame.caching import FOR_A_DAY, FOR_GOOD, fixed
from taisai.server.http.frame.dependencies import WHOLE_MAX, InLanguage, TheApplication
from taisai.server.http.frame.problems import not_found
from taisai.wording import name_box, word_area, word_caption

RulebookKey = Annotated[str, PathParameter(max_length=64, description="a rulebook, by its key")]
Number = Annotated[
    int, PathParameter(ge=0, le=WHOLE_MAX, description="a pay table of the rulebook, by its number")
]
Fingerprint = Annotated[
    str,
    QueryParameter(
        pattern="^([0-9a-f]{64})?$",
        description="exactly this version, of the venue's or of a table's own",
    ),
]


class Area(Struct, frozen=True):
    """A printed area of the layout: its rectangle on the grid, its box, and what that pays."""

    box: str
    kind: str
    name: str
    #: What a dealer keys for the box.
    code: str
    pays: Pays
    #: What else is printed: the totals that win, and that a triple loses.
    prints: list[str]
    x: int
    y: int
    w: int
    h: int


class Caption(Struct, frozen=True):
    """Words printed on the layout outside any box."""

    code: str
    text: str
    x: int
    y: int
    w: int
    h: int


class LayoutView(Struct, frozen=True):
    """The layout of a pay table: a grid, the areas on it, the captions between them."""

    pay_table: str
    sha256: str
    name: str
    clause: str
    columns: int
    rows: int
    areas: list[Area]
    captions: list[Caption]


# --- finding -------------------------------------------------------------------------------------


def find_rulebook(runtime: Runtime, key: str, sha256: str) -> Rulebook:
    """Find a rulebook that comes with the venue, or the version that a table plays by."""
    found = rulebook(key) if key in KEYS else None
    if found is not None and sha256 in ("", found.sha256):
        return found
    for stream in runtime.tables():
        writer = runtime.writer(stream)
        own: Rulebook | None = None if writer.state is None else writer.state.rulebook
        if own is not None and own.key == key and sha256 in ("", own.sha256):
            return own
    raise not_found("UNKNOWN_RULEBOOK", there=", ".join(KEYS))


def find_pay_table(book: Rulebook, number: int) -> PayTable:
    if number not in book.pay_tables:
        there = ", ".join(table.address for table in book.pay_tables.values())
        raise not_found("NO_SUCH_PAY_TABLE", there=there)
    return book.pay_tables[number]


# --- telling -------------------------------------------------------------------------------------


def layout_of(book: Rulebook, table: PayTable, language: str) -> LayoutView:
    """Describe the layout, with names in a language."""
    layout, boxes = table.layout, table.boxes
    return LayoutView(
        pay_table=table.address,
        sha256=book.sha256,
        name=layout.name,
        clause=layout.clause,
        columns=layout.columns,
        rows=layout.rows,
        areas=[
            Area(
                area.box,
                boxes[area.box].kind.value,
                name_box(area.box, language),
                boxes[area.box].name.code,
                pays_of(boxes[area.box]),
                list(word_area(table, area, language)),
                *(area.x, area.y, area.w, area.h),
            )
            for area in layout.areas
        ],
        captions=[
            Caption(each.code, word_caption(table, each, language), each.x, each.y, each.w, each.h)
            for each in layout.captions
        ],
    )


# --- routes --------------------------------------------------------------------------------------

_rules = partial(route, "rules", roles=EVERYBODY, fixed=True)


@get("/api/rulebooks", **_rules("All rulebooks"))
async def all_rulebooks(request: Request[Any, Any, Any]) -> Response[RulebookList]:
    """List the rulebooks that come with the venue, each with its pay tables."""
    entries = RulebookList([entry_of(rulebook(key)) for key in KEYS])
    return fixed(request, msgspec.json.encode(entries))


@get(
    "/api/rulebooks/{key:str}", **route("rules", "A rulebook", EVERYBODY, fixed=True, example=False)
)
async def one_rulebook(
    request: Request[Any, Any, Any],
    application: TheApplication,
    key: RulebookKey,
    sha256: Fingerprint = "",
) -> Response[RulebookContent]:
    """Show a rulebook in its canonical form: the SHA-256 of the very bytes is its fingerprint."""
    book = find_rulebook(application.runtime, key, sha256)
    return fixed(request, book.canonical, FOR_GOOD if sha256 else FOR_A_DAY, book.sha256)


@get("/api/pay-tables/{key:str}/{number:int}/odds", **_rules("Odds"))
async def pay_table_odds(
    request: Request[Any, Any, Any],
    application: TheApplication,
    key: RulebookKey,
    number: Number,
    sha256: Fingerprint = "",
) -> Response[OddsView]:
    """Say what each box of a pay table pays, its exact chance and its house edge."""
    book = find_rulebook(application.runtime, key, sha256)
    odds = odds_of(book, find_pay_table(book, number))
    return fixed(request, msgspec.json.encode(odds), FOR_GOOD if sha256 else FOR_A_DAY)


@get("/api/pay-tables/{key:str}/{number:int}/layout", **_rules("Layout"))
async def pay_table_layout(
    request: Request[Any, Any, Any],
    application: TheApplication,
    key: RulebookKey,
    number: Number,
    sha256: Fingerprint = "",
    language: InLanguage = "en",
) -> Response[LayoutView]:
    """Say where every area of the layout is, which box it is, its name and what it pays."""
    book = find_rulebook(application.runtime, key, sha256)
    layout = layout_of(book, find_pay_table(book, number), language)
    return fixed(request, msgspec.json.encode(layout), FOR_GOOD if sha256 else FOR_A_DAY)
