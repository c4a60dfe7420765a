"""The plan of a venue's floor, a TOML file: its tables, their limits, dice, dealers and pace.

A plan says how tables are meant to be. The rules that a table plays by are in its journal, recorded
by two persons; in a venue that is no demo a plan only has missing tables created, and shows the pit
where a table and its plan differ.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, cast, get_args

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import CAGE_STREAM, Equipment, LimitsAsked
from taisai.core.kernel.name_profile import NAME_MAX, is_name, machine_refusal
from taisai.core.rules.limits import displayed_limits, has_differential
from taisai.core.rules.money import is_amount
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, printable, shown
from taisai.core.rules.shape import plainly
from taisai.core.table.chips.pieces import (
    COLOURS_MAX,
    DENOMINATIONS_MAX,
    PIECES_MAX,
    SEATS_MAX,
    ChipSet,
    Form,
    is_chip_set,
)
from taisai.core.table.setup import step_refusal
from taisai.core.table.state import Departure
from taisai.core.venue.setup import MAP_MAX
from taisai.projections.figures.days import DAY_STARTS, HOURS, TIME_ZONE, GamingDays, zone_of
from taisai.protocol.views import Dealer
from taisai.rulebooks import UnknownPayTableError, pay_table
from taisai.runtime.recovery import StartupError
from taisai.runtime.streams import VENUE
from taisai.wording import say

#: The least time to bet in any venue; none of the four documents has a minimum of its own.
COUNTDOWN_MIN_SECONDS = 5.0
#: The longest that any table keeps its players waiting.
SECONDS_MAX = 3_600.0
TABLES_MAX = 1_000
FILE_BYTES_MAX = 1_000_000

Tumbler = Literal["keyed", "simulated", "verifiable", "reader"]
#: The dice of a chip table lie in front of everybody: a person keys them, or a device reads them.
CHIP_TABLE_TUMBLERS = ("keyed", "reader")


class FloorPlanError(StartupError):
    """The plan cannot be used; the sentence names the file, the table and the key."""


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """How long the bets are open, the dice are shown, and a table rests between two rounds."""

    countdown_seconds: float = 20.0
    result_seconds: float = 4.0
    pause_seconds: float = 4.0


class _Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the file; an unknown key in it is a fault."""


class BoxPlan(_Part, frozen=True):
    """A box's own limits, or those of a kind of boxes."""

    min: int | None = None
    max: int | None = None


class VenuePlan(_Part, frozen=True):
    """What a venue is founded with; after that its journal has it, and the plan is not used.

    Only the start of gaming days is read from the plan at every start: each day's date is in the
    journal when the day is opened.
    """

    name: str = "Tai Sai"
    #: The operator of the house: rulebooks that name an operator are for that one only [D30].
    operator: str = ""
    currency: str = "SGD"
    voucher_days: int = 30
    approve_above: int | None = None
    day_starts: int = DAY_STARTS
    time_zone: str = TIME_ZONE

    @property
    def gaming_days(self) -> GamingDays:
        """Say which gaming day a moment belongs to in this venue."""
        return GamingDays(self.day_starts, self.time_zone)


class DeparturePlan(_Part, frozen=True):
    """A written departure from what a rulebook is approved for [D30]."""

    rulebook: str
    aspect: Literal["operator", "form", "dice", "date"]
    approved_by: str
    reference: str


class TablePlan(Pace, frozen=True, kw_only=True):
    """A table as it is meant to be, and how fast it is dealt; amounts are whole minor units."""

    name: str
    pay_table: str
    minimum: int
    maximum: int
    step: int | None = None
    differential: int | None = None
    boxes: dict[str, BoxPlan] = {}
    tumbler: str = "keyed"
    read_by_dealer_too: bool = False
    dealer: str = "person"
    handpay_threshold: int | None = None
    form: str = "terminals"
    chips: ChipSet | None = None
    departures: tuple[DeparturePlan, ...] = ()
    #: Where it is on the map of the floor: column and row, from 1 on.
    place: tuple[int, int] | None = None

    @property
    def written(self) -> tuple[Departure, ...]:
        """Give the written departures of the table."""
        return tuple(
            Departure(each.rulebook, each.aspect, each.approved_by, each.reference)
            for each in self.departures
        )

    @property
    def equipment(self) -> Equipment:
        """Say where the dice come from."""
        return Equipment(cast("Tumbler", self.tumbler), self.read_by_dealer_too)

    @property
    def limits(self) -> LimitsAsked:
        """Show the limits, as two persons set them."""
        return LimitsAsked(
            minimum=self.minimum,
            maximum=self.maximum,
            step=self.step,
            differential=self.differential,
            boxes={name: (each.min, each.max) for name, each in self.boxes.items()},
        )


class FloorPlan(_Part, frozen=True):
    """The venue and its tables."""

    venue: VenuePlan = VenuePlan()
    tables: tuple[TablePlan, ...] = ()


# --- reading ------------------------------------------------------------------------------------


def read_floor_plan(file: Path, minimum_seconds: float = COUNTDOWN_MIN_SECONDS) -> FloorPlan:
    """Read the plan of a floor, or refuse it with the first fault found."""
    try:
        with file.open("rb") as opened:
            content = opened.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise FloorPlanError(f"{file} cannot be read: {error.strerror or error}") from None
    if len(content) > FILE_BYTES_MAX:
        raise FloorPlanError(f"{file} is longer than {FILE_BYTES_MAX:,} bytes; no floor needs that")
    return floor_plan_from(content, str(file), minimum_seconds)


def floor_plan_from(
    content: bytes, source: str, minimum_seconds: float = COUNTDOWN_MIN_SECONDS
) -> FloorPlan:
    """Read a plan from the content of a file; `source` is how a fault names it."""
    try:
        data = tomllib.loads(content.decode())
    except UnicodeDecodeError:
        raise FloorPlanError(f"{source} is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise FloorPlanError(f"{source} is not TOML: {printable(str(error))}") from None
    try:
        plan = msgspec.convert(data, FloorPlan)
    except msgspec.ValidationError as error:
        raise FloorPlanError(f"{source}: {_shape_fault(str(error), data)}") from None
    for fault in _faults(plan, minimum_seconds):
        raise FloorPlanError(f"{source}: {printable(fault)}")
    return plan


_COMPLAINT = re.compile(r"(?P<what>.*?)(?: - at `(?:key in )?\$(?P<path>.*?)`)?", re.DOTALL)
_IN_TABLE = re.compile(r"\.tables\[(?P<index>\d+)\](?P<rest>.*)")


def _shape_fault(error: str, data: dict[str, Any]) -> str:
    """Word the decoder's complaint, with the table's name and the key instead of positions."""
    found = _COMPLAINT.fullmatch(error)
    assert found is not None, "the pattern takes any text"
    path = found["path"] or ""
    what = plainly(found["what"], path, FloorPlan)
    in_table = _IN_TABLE.fullmatch(path)
    place = []
    if in_table is not None:
        place.append(f"table {_called(data, int(in_table['index']))}")
        path = in_table["rest"]
    if path.strip("."):
        place.append(path.strip(".").replace("[...]", ""))
    return printable(": ".join([", ".join(place), what]) if place else what)


def _called(data: dict[str, Any], index: int) -> str:
    """Call a table by its name, or by its place in the file where it has none."""
    entry = data["tables"][index]
    name = entry.get("name") if isinstance(entry, dict) else None
    return name[:NAME_MAX] if isinstance(name, str) and name else f"number {index + 1}"


# --- checking -----------------------------------------------------------------------------------


def _faults(plan: FloorPlan, minimum_seconds: float) -> Iterator[str]:
    yield from _venue_faults(plan.venue)
    if len(plan.tables) > TABLES_MAX:
        yield f"{len(plan.tables)} tables; at most {TABLES_MAX}"
    names = [table.name for table in plan.tables]
    for index, table in enumerate(plan.tables):
        named = f"table {table.name or f'number {index + 1}'}"
        if table.name in names[:index]:
            yield f"{named}, name: two tables have it; each needs its own"
        if table.place is not None and table.place in [each.place for each in plan.tables[:index]]:
            yield f"{named}, place: another table is there; each needs its own"
        for fault in (*_name_faults(table.name), *_table_faults(table, minimum_seconds)):
            yield f"{named}, {fault}"


def _venue_faults(venue: VenuePlan) -> Iterator[str]:
    for key in ("name", "currency"):
        if not is_name(getattr(venue, key)):
            yield f"venue, {key}: it is blank, too long, or has a colon in it"
    yield from _outside("venue, voucher_days", venue.voucher_days, 1, 3_650)
    yield from _below_zero("venue, approve_above", venue.approve_above)
    if venue.day_starts not in HOURS:
        yield f"venue, day_starts: {venue.day_starts}; an hour between 0 and 23 is right"
    if zone_of(venue.time_zone) is None:
        named = venue.time_zone[:NAME_MAX]
        yield f"venue, time_zone: '{named}'; a name such as UTC or Asia/Singapore is right"


def _outside(key: str, value: float, least: float, most: float) -> Iterator[str]:
    if not least <= value <= most:
        yield f"{key}: {value:g}; between {least:g} and {most:g} is right"


def _below_zero(key: str, value: int | None) -> Iterator[str]:
    if value is not None and value < 0:
        yield f"{key}: {value}; zero or more is right"


def _name_faults(name: str) -> Iterator[str]:
    if name in (CAGE_STREAM, VENUE):
        yield f"name: '{name}' is what the {name} itself is called; choose another"
    elif not is_name(name) or not name.isprintable() or "/" in name or name != name.strip():
        yield f"name: up to {NAME_MAX} characters, with no colon, slash or blank at an end"
    elif (refusal := machine_refusal(name)) is not None:
        yield f"name: {say(refusal.reason)}"


def _table_faults(table: TablePlan, minimum_seconds: float) -> Iterator[str]:
    for key, value, kind in (
        ("tumbler", table.tumbler, Tumbler),
        ("dealer", table.dealer, Dealer),
        ("form", table.form, Form),
    ):
        if value not in get_args(kind):
            yield f"{key}: '{value}'; one of {', '.join(get_args(kind))} is right"
    yield from _outside("countdown_seconds", table.countdown_seconds, minimum_seconds, SECONDS_MAX)
    for key in ("result_seconds", "pause_seconds"):
        yield from _outside(key, getattr(table, key), 0, SECONDS_MAX)
    yield from _below_zero("handpay_threshold", table.handpay_threshold)
    for each in table.place or ():
        yield from _outside("place", each, 1, MAP_MAX)
    if table.read_by_dealer_too and table.tumbler != "reader":
        yield f"read_by_dealer_too: with the tumbler '{table.tumbler}' there is nothing to compare"
    yield from _form_faults(table)
    yield from _rules_faults(table)


def _form_faults(table: TablePlan) -> Iterator[str]:
    """A chip table has chips, and people who deal it; a terminal table has neither."""
    if table.form != "chips":
        if table.chips is not None:
            yield "chips: only a chip table has them; leave them out, or write form = 'chips'"
        return
    if table.chips is None:
        yield "chips: a chip table needs a section [tables.chips] with its values and seats"
    else:
        yield from _chips_faults(table.chips)
    if table.dealer != "person":
        yield f"dealer: '{table.dealer}'; a chip table is dealt by a person"
    if table.tumbler not in CHIP_TABLE_TUMBLERS:
        right = " or ".join(CHIP_TABLE_TUMBLERS)
        yield f"tumbler: '{table.tumbler}'; at a chip table {right} is right"
    if table.handpay_threshold is not None:
        yield "handpay_threshold: a chip table has no terminals to lock; leave it out"


def _chips_faults(chips: ChipSet) -> Iterator[str]:
    yield from _values_faults(chips.values)
    yield from _outside("chips, seats", chips.seats, 1, SEATS_MAX)
    if len(chips.colours) > COLOURS_MAX:
        yield f"chips, colours: {len(chips.colours)} of them; at most {COLOURS_MAX}"
    for colour in chips.colours:
        if not is_name(colour):
            yield "chips, colours: one is blank, too long, or has a colon in it"
        elif chips.colours.count(colour) > 1:
            yield f"chips, colours: '{colour}' is there twice; each is one player's alone"
    least = 1 if chips.colours else 0
    if not least <= chips.pieces <= PIECES_MAX:
        yield f"chips, pieces: {chips.pieces}; between {least} and {PIECES_MAX} of each colour"
    if not chips.colours and chips.pieces:
        yield "chips, pieces: there are no colours to have them; leave it out, or name colours"


def _values_faults(values: tuple[int, ...]) -> Iterator[str]:
    if not 1 <= len(values) <= DENOMINATIONS_MAX:
        yield f"chips, values: {len(values)} of them; between 1 and {DENOMINATIONS_MAX} are right"
    wrong = [value for value in values if not (is_amount(value) and value > 0)]
    if wrong:
        yield f"chips, values: {shown(wrong[0])} is no value of a chip"
        return
    for value in values:
        if value % values[0]:
            yield f"chips, values: {value} is not whole in chips of {values[0]}, the smallest"
    if list(values) != sorted(set(values)):
        yield "chips, values: from the smallest to the largest, each once, is right"


def _rules_faults(table: TablePlan) -> Iterator[str]:
    try:
        rules = pay_table(table.pay_table)
    except UnknownPayTableError as error:
        yield f"pay_table: {error}"
        return
    yield from _limits_faults(table, rules)


def _limits_faults(table: TablePlan, rules: PayTable) -> Iterator[str]:
    if table.differential is not None and not has_differential(rules):
        yield f"differential: {table.pay_table} knows no Differential; leave it out"
    limits = displayed_limits(rules, table.limits)
    if isinstance(limits, Refusal):
        yield f"limits: {say(limits.reason)}"
    elif table.chips is not None and is_chip_set(table.chips):
        refusal = step_refusal(table.chips, rules, limits.step)
        if refusal is not None:
            yield f"step: {say(refusal.reason)}"


# --- setting up ---------------------------------------------------------------------------------
