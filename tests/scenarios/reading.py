"""Reads scenarios: the set-up of the table, rows of actions and expected answers, the end.

It knows the shape of the text and nothing of the game. A part that it cannot read is an error with
the file and the line; nothing is ignored.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from taisai.core.kernel.messages import Equipment, LimitsAsked
from taisai.core.table.chips.pieces import Chips, ChipSet, Pieces

AMOUNT = r"\d+\.\d\d"
COLUMNS = ("who", "does", "expected")
BEFORE_ROWS = (
    *("clauses", "irregularity", "table", "boxes", "cage", "credits"),
    *("chips", "rack", "seats"),
)
AFTER_ROWS = ("end", "journal", "meter")
#: These may take several lines.
LISTS = ("clauses", "journal")

_KEYED = re.compile(r"(?P<key>[a-z]+):(?: (?P<value>.*))?")
_TITLE = re.compile(r"(?P<title>.*\S) \[(?P<clauses>[^\[\]]+)\]")
_PAIR = re.compile(rf"(?P<name>[\w:-]+)=(?P<amount>-?{AMOUNT})")
_ADDRESS = re.compile(r"(?P<key>[a-z]+\d)/(?P<number>\d)")
_BOX_LIMITS = re.compile(
    rf"(?P<box>[a-z0-9-]+)(?= )(?: min=(?P<min>{AMOUNT}))?(?: max=(?P<max>{AMOUNT}))?"
)

BoxLimits = dict[str, tuple[int | None, int | None]]

_Value = TypeVar("_Value")


class UnreadableError(ValueError):
    """A part of a scenario that cannot be read, without its place yet."""


class ScenarioError(Exception):
    """A scenario that cannot be read, or has another outcome than expected, with its place."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


class Row(Struct, frozen=True):
    """One row: the actor, the action, and the expected answer."""

    line: int
    who: str
    does: str
    expected: str


class TableLine(Struct, frozen=True, kw_only=True):
    """The set-up of the table at the beginning of the scenario."""

    key: str
    number: int
    limits: LimitsAsked | None = None
    equipment: Equipment = Equipment()
    handpay_threshold: int | None = None
    begins: Literal["open", "closed", "bare"] = "open"
    #: The operator of the house; without one it is a demo's table.
    operator: str | None = None
    chips: ChipSet | None = None

    @property
    def address(self) -> str:
        """Give the address of the pay table."""
        return f"{self.key}/{self.number}"


class CageLine(Struct, frozen=True, kw_only=True):
    """The opening of the cage."""

    voucher_days: int = 30
    approve_above: int | None = None


class MeterLine(Struct, frozen=True):
    """The expected value of a meter."""

    line: int
    name: str
    amounts: Mapping[str, int]


class Scenario(Struct, frozen=True, kw_only=True):
    """A scenario, as it was read."""

    path: Path
    line: int
    title: str
    clauses: tuple[str, ...]
    irregularities: tuple[str, ...]
    table: TableLine
    cage: CageLine
    credits: Mapping[str, int]
    rack: Chips
    seats: Mapping[str, int]
    rows: tuple[Row, ...]
    end: Mapping[str, int]
    end_line: int
    journal: tuple[str, ...] | None
    journal_line: int
    meters: tuple[MeterLine, ...]

    @property
    def name(self) -> str:
        """Give the scenario's name for a list of tests."""
        return f"{self.path.stem}: {self.title}"


class _Text(Struct):
    """The lines of one scenario, sorted by kind."""

    title: tuple[int, str]
    keyed: dict[str, tuple[int, str]] = {}
    meters: list[tuple[int, str]] = []
    columns: tuple[int, int] | None = None
    rows: list[Row] = []


def read_amount(text: str) -> int:
    """Read dollars with two decimals as cents."""
    if re.fullmatch(rf"-?{AMOUNT}", text) is None:
        raise UnreadableError(f"{text!r} is no amount; write it like 10.00")
    return int(text.replace(".", ""))


def read_amounts(text: str) -> dict[str, int]:
    """Read amounts by name, `7=500.00 venue=-50.00`."""
    amounts: dict[str, int] = {}
    for word in text.split():
        found = _PAIR.fullmatch(word)
        if found is None:
            raise UnreadableError(f"{word!r} is no amount of something; write it like 7=500.00")
        if found["name"] in amounts:
            raise UnreadableError(f"{found['name']} has two amounts")
        amounts[found["name"]] = read_amount(found["amount"])
    return amounts


def read_limits(text: str, boxes: BoxLimits | None = None) -> LimitsAsked:
    """Read limits, `min=10.00 max=1000.00`, and those of single boxes or kinds of them."""
    amounts = read_amounts(text)
    unknown = set(amounts) - {"min", "max", "step", "differential"}
    if unknown or not {"min", "max"} <= set(amounts):
        raise UnreadableError(f"limits are min, max, and if need be step and differential: {text}")
    return LimitsAsked(
        minimum=amounts["min"],
        maximum=amounts["max"],
        step=amounts.get("step"),
        differential=amounts.get("differential"),
        boxes=boxes or {},
    )


def read_chips(text: str) -> Chips:
    """Read a stack, `2x100.00+3xpink`; `nothing` is an empty one."""
    if text in ("", "nothing"):
        return ()
    pieces = []
    for part in text.split("+"):
        found = re.fullmatch(rf"(\d+)x({AMOUNT}|[a-z]+)", part)
        if found is None:
            raise UnreadableError(f"{part!r} is no chips; write them like 2x100.00+3xpink")
        chip = found[2] if found[2].isalpha() else read_amount(found[2])
        pieces.append(Pieces(chip, int(found[1])))
    return tuple(pieces)


def _chip_set(text: str) -> ChipSet | None:
    """Read the chips of a chip table: `1.00 5.00 25.00  7 seats  pink blue of 200`."""
    if not text:
        return None
    found = re.fullmatch(rf"((?:{AMOUNT} ?)+)  (\d+) seats(?:  ([a-z ]+) of (\d+))?", text)
    if found is None:
        raise UnreadableError(f"{text!r}: write chips like 1.00 5.00  7 seats  pink of 200")
    values = tuple(map(read_amount, found[1].split()))
    colours = tuple(found[3].split()) if found[3] else ()
    return ChipSet(values, int(found[2]), colours, int(found[4] or 0))


def _boxes(text: str) -> BoxLimits:
    return dict(map(_box_limits, text.split(", "))) if text else {}


def _box_limits(text: str) -> tuple[str, tuple[int | None, int | None]]:
    found = _BOX_LIMITS.fullmatch(text)
    if found is None:
        raise UnreadableError(f"{text!r}: write limits of a box like triple max=50.00")
    low, high = (None if text is None else read_amount(text) for text in found.group("min", "max"))
    return found["box"], (low, high)


# --- a file --------------------------------------------------------------------------------------


def read_scenarios(path: Path, shown: Path | None = None) -> list[Scenario]:
    """Read every scenario of a file; errors name it as `shown`."""
    return read_text(path.read_text("utf-8"), shown or path)


def read_text(text: str, path: Path) -> list[Scenario]:
    """Read the scenarios of a text that stands in a file."""
    texts: list[_Text] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.rstrip()
        if not line or line.startswith("#"):
            continue
        with _placed(path, number):
            _sort_in(texts, line, number)
    if not texts:
        raise ScenarioError(path, 1, "there is no scenario here")
    return [_scenario(path, each) for each in texts]


@contextmanager
def _placed(path: Path, line: int) -> Iterator[None]:
    """Add the file and line to an error in reading."""
    try:
        yield
    except UnreadableError as error:
        raise ScenarioError(path, line, str(error)) from error


def _sort_in(texts: list[_Text], line: str, number: int) -> None:
    found = _KEYED.fullmatch(line)
    if found is not None and found["key"] == "scenario":
        texts.append(_Text((number, found["value"] or "")))
    elif not texts:
        raise UnreadableError("a file begins with 'scenario: …'")
    elif found is not None:
        _sort_keyed(texts[-1], number, found["key"], found["value"] or "")
    elif tuple(line.split()) == COLUMNS:
        if texts[-1].columns is not None:
            raise UnreadableError("the columns are named twice")
        texts[-1].columns = (line.index("does"), line.index("expected"))
    else:
        texts[-1].rows.append(_row(texts[-1], line, number))


def _sort_keyed(text: _Text, number: int, key: str, value: str) -> None:
    allowed = AFTER_ROWS if text.rows else BEFORE_ROWS
    if key not in allowed:
        raise UnreadableError(f"{key!r} does not belong here; {', '.join(allowed)} do")
    if not value:
        raise UnreadableError(f"{key!r} says nothing")
    if key == "meter":
        text.meters.append((number, value))
    elif key in text.keyed and key in LISTS:
        first, said = text.keyed[key]
        text.keyed[key] = (first, f"{said}, {value}")
    elif key in text.keyed:
        raise UnreadableError(f"{key!r} is said twice")
    else:
        text.keyed[key] = (number, value)


def _row(text: _Text, line: str, number: int) -> Row:
    """Read a row; one without an actor continues the row above it."""
    if text.columns is None:
        raise UnreadableError("a row comes after 'who  does  expected'")
    if "end" in text.keyed:
        raise UnreadableError("there are no rows after the end")
    who, does, expected = _cells(line, *text.columns)
    if who and does and expected:
        return Row(number, who, does, expected)
    if who or not text.rows:
        raise UnreadableError("the row does not say who does what, and what is expected")
    above = text.rows.pop()
    # A list that ends with a comma continues; otherwise another particular begins.
    gap = " " if above.expected.endswith(",") else "  "
    return Row(
        above.line,
        above.who,
        f"{above.does} {does}" if does else above.does,
        f"{above.expected}{gap}{expected}" if expected else above.expected,
    )


def _cells(line: str, does: int, expected: int) -> tuple[str, str, str]:
    """Split a row at its columns; no text may cross from one into the next."""
    cells = (line[:does], line[does:expected], line[expected:])
    gaps = (line[does - 2 : does], line[expected - 2 : expected])
    if any(gap.strip() for gap in gaps) or any(cell[:1] == " " and cell.strip() for cell in cells):
        raise UnreadableError("the row does not stand under 'who', 'does' and 'expected'")
    if any("  " in cell.strip() for cell in cells[:2]):
        raise UnreadableError("the row has a gap in 'who' or 'does'")
    who, what, answer = (cell.strip() for cell in cells)
    return who, what, answer


# --- a scenario ----------------------------------------------------------------------------------


def _scenario(path: Path, text: _Text) -> Scenario:
    line, title = text.title
    for key in ("table", "credits", "end"):
        if key not in text.keyed and not (key == "credits" and "chips" in text.keyed):
            raise ScenarioError(path, line, f"the scenario has no '{key}:'")
    found = _TITLE.fullmatch(title)
    if found is None:
        raise ScenarioError(path, line, "a title ends with its clauses, like [5.2, D4]")

    def value(key: str, read: Callable[[str], _Value]) -> _Value:
        number, said = text.keyed.get(key, (line, ""))
        with _placed(path, number):
            return read(said)

    boxes = value("boxes", _boxes)
    return Scenario(
        path=path,
        line=line,
        title=found["title"],
        clauses=(*found["clauses"].split(", "), *value("clauses", _names)),
        irregularities=value("irregularity", _names),
        table=replace(
            value("table", lambda said: _table_line(said, boxes)), chips=value("chips", _chip_set)
        ),
        cage=value("cage", _cage_line),
        credits=value("credits", _credits),
        rack=value("rack", read_chips),
        seats=value("seats", _credits),
        rows=tuple(text.rows),
        end=value("end", read_amounts),
        end_line=text.keyed["end"][0],
        journal=value("journal", _journal),
        journal_line=text.keyed.get("journal", (line, ""))[0],
        meters=tuple(_meter(path, *each) for each in text.meters),
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(", ")) if text else ()


def _credits(text: str) -> dict[str, int]:
    amounts = read_amounts(text)
    for terminal, amount in amounts.items():
        if not terminal.isdigit() or amount < 0:
            raise UnreadableError(f"{terminal}: a terminal is a number, with nothing owed")
    return amounts


def _table_line(text: str, boxes: BoxLimits) -> TableLine:
    first, *parts = re.split(r"  +", text)
    address = _ADDRESS.fullmatch(first)
    if address is None:
        raise UnreadableError(f"{first!r} is no pay table; write it like ts6/2")
    line = TableLine(key=address["key"], number=int(address["number"]))
    for part in parts:
        line = _table_part(line, part, boxes)
    if line.limits is None and (boxes or line.begins == "open"):
        raise UnreadableError("an open table, or one with limits of boxes, has limits")
    return line


def _table_part(line: TableLine, part: str, boxes: BoxLimits) -> TableLine:
    """Add one property of a table."""
    word, _, rest = part.partition(" ")
    match word:
        case "limits":
            return replace(line, limits=read_limits(rest, boxes))
        case "tumbler":
            return replace(line, equipment=_equipment(rest))
        case "locks" if rest.startswith("above "):
            return replace(line, handpay_threshold=read_amount(rest.removeprefix("above ")))
        case "operator" if rest:
            return replace(line, operator=rest)
        case "closed" | "bare" if not rest:
            return replace(line, begins=word)
        case _:
            raise UnreadableError(f"{part!r} says nothing about a table")


def _equipment(text: str) -> Equipment:
    kind, _, rest = text.partition(" ")
    if rest not in ("", "and dealer"):
        raise UnreadableError(f"{text!r}: a tumbler is read by itself, or 'and dealer'")
    match kind:
        case "keyed" | "simulated" | "verifiable" | "reader":
            return Equipment(kind, read_by_dealer_too=bool(rest))
        case _:
            raise UnreadableError(f"there is no {kind!r} tumbler")


def _cage_line(text: str) -> CageLine:
    cage = CageLine()
    for part in filter(None, re.split(r"  +", text)):
        if days := re.fullmatch(r"vouchers good for (\d+) days", part):
            cage = CageLine(voucher_days=int(days[1]), approve_above=cage.approve_above)
        elif above := re.fullmatch(rf"two persons above ({AMOUNT})", part):
            cage = CageLine(voucher_days=cage.voucher_days, approve_above=read_amount(above[1]))
        else:
            raise UnreadableError(f"{part!r} says nothing about the cage")
    return cage


def _journal(text: str) -> tuple[str, ...] | None:
    """Expand `BetsOpened, BetsRegistered x2`; without it, any journal is accepted."""
    if not text:
        return None
    kinds: list[str] = []
    for part in text.split(", "):
        found = re.fullmatch(r"(?P<kind>[A-Z]\w+)(?: x(?P<times>\d+))?", part)
        if found is None:
            raise UnreadableError(f"{part!r} is no kind of event")
        kinds += [found["kind"]] * int(found["times"] or 1)
    return tuple(kinds)


def _meter(path: Path, line: int, text: str) -> MeterLine:
    name, _, amounts = text.partition(" ")
    with _placed(path, line):
        return MeterLine(line, name, read_amounts(amounts))
