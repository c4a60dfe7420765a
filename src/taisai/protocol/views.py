"""A table and a terminal as they are shown, and the changes that bring a view up to date.

`changes` is an object of view fields with their new values. For a field that is a map it holds the
entries to set; an entry of null is removed. Null for a whole map empties it, and sets any other
field to null. Nothing nests deeper: the value of a field or of an entry is always complete.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, TypedDict, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct

from taisai.core.kernel.messages import Instant, LimitsAsked
from taisai.core.rules.dice import Faces
from taisai.core.table.chips.pieces import Form
from taisai.protocol.roads import Parity, Size

#: Who deals at a table.
Dealer = Literal["automatic", "person"]
#: New values of some fields of a view; exactly which is said by `changes_of` a view.
Changes = dict[str, Any]

_View = TypeVar("_View", bound=Struct)


def view_from(kind: type[_View], source: object, **given: Any) -> _View:
    """Make a view of what has fields of the same names; what differs is given."""
    same = (name for name in kind.__struct_fields__ if name not in given)
    return kind(**{name: getattr(source, name) for name in same}, **given)


class MarkedColour(Struct, frozen=True, gc=False):
    """A colour on the display rack: whose it is, and what the marker button says a piece is."""

    colour: str
    seat: str
    value: int


class RoundSummary(Struct, frozen=True):
    """A finished round, for the roads; without faces it was void before any were entered."""

    round: int
    faces: Faces | None
    void: bool = False
    total: int | None = None
    size: Size | None = None
    parity: Parity | None = None


class RulebookName(Struct, frozen=True):
    """Which rules a table plays by; the rest of them is at `/api/rulebooks`."""

    key: str
    title: str
    version: str | None
    sha256: str
    pay_table: str


class SignLine(Struct, frozen=True, gc=False):
    """A line of the limit sign: the limits of one box, or of each box of a kind without a line."""

    name: str
    minimum: int
    maximum: int


class Apart(Struct, frozen=True, gc=False):
    """Something that a rulebook is not approved for and is played all the same [D30].

    A real house has a written departure for it; a demo has nobody's.
    """

    aspect: str
    approved_by: str | None = None
    reference: str | None = None


class TableView(Struct):
    """A table as everybody may see it."""

    table: str
    currency: str
    phase: str
    round: int
    tumbler: str
    rulebook: RulebookName | None = None
    #: Who operates the house; nobody does a demo.
    operator: str | None = None
    apart: tuple[Apart, ...] = ()
    limits: LimitsAsked | None = None
    #: The whole limit sign where limits differ; where it is empty they are the same on every box.
    sign: tuple[SignLine, ...] = ()
    totals: dict[str, int] = {}
    terminals: int = 0
    #: Whether the dice of the round are tumbled, and whether they can be seen.
    tumbled: bool = False
    uncovered: bool = False
    faces: Faces | None = None
    call: str | None = None
    winners: tuple[str, ...] = ()
    #: The faces of a test run on the closed table, and the boxes that it lights.
    tested: Faces | None = None
    lit: tuple[str, ...] = ()
    #: Sets of dice that are damaged and put away, the newest last.
    put_away: tuple[str, ...] = ()
    notice_given: bool = False
    stopped: str | None = None
    #: What was reported of the dice, until a supervisor has answered it: the bets are closed.
    doubts: tuple[str, ...] = ()
    waiting: bool = False
    commitment: str | None = None
    rounds: dict[int, RoundSummary] = {}
    form: Form = "terminals"
    seats: int = 0
    taken: tuple[str, ...] = ()
    marked: tuple[MarkedColour, ...] = ()
    paying: bool = False
    interrupted: bool = False


class Line(Struct, frozen=True, omit_defaults=True, gc=False):
    """One box settled: what it won, everything that came back, and by which clause."""

    box: str
    stake: int
    won: int = 0
    back: int = 0
    odds: str | None = None
    clause: str | None = None
    sentence: str | None = None


class RoundOutcome(Struct, frozen=True, omit_defaults=True, gc=False):
    """How a round came out for a terminal; a void one has no faces, and says by which clause."""

    round: int
    lines: tuple[Line, ...]
    back: int
    won: int = 0
    faces: Faces | None = None
    clause: str | None = None


class PositionView(Struct, gc=False):
    """A terminal as it is: its money, and its bets on the table."""

    table: str
    terminal: str
    place: str
    credits: int = 0
    staked: int = 0
    bets: dict[str, int] = {}
    locked: bool = False
    barred: bool = False
    #: Whether staff have taken it out of service.
    failed: bool = False
    loss_limit: int | None = None
    session_seconds: int | None = None
    session_began: Instant | None = None
    #: The last round it had bets in; after a restart of the venue null until the next.
    last: RoundOutcome | None = None


@cache
def maps_of(view: type[Struct]) -> frozenset[str]:
    """Name the fields of a view that are maps."""
    hints = get_type_hints(view)
    return frozenset(name for name, hint in hints.items() if get_origin(hint) is dict)


def changes_of(view: type[Struct]) -> Any:
    """Make the type of a view's changes, for whoever reads or describes messages."""
    fields = {}
    for name, hint in get_type_hints(view).items():
        if name in maps_of(view):
            key, value = get_args(hint)
            fields[name] = dict.__class_getitem__((key, value | None)) | None
        else:
            fields[name] = hint
    name = view.__name__.removesuffix("View") + "Changes"
    made: Any = TypedDict(name, fields, total=False)  # type: ignore[misc]
    made.__doc__ = f"New values of some fields of a `{view.__name__}`; of maps, the entries to set."
    return made


def apply_changes(view: Struct, changes: Mapping[str, Any]) -> None:
    """Bring a view up to date; fields that it does not have are left out."""
    maps, fields = maps_of(type(view)), view.__struct_fields__
    for name, value in changes.items():
        if name in maps:
            held: dict[Any, Any] = getattr(view, name)
            if value is None:
                held.clear()
                continue
            for key, entry in value.items():
                if entry is None:
                    held.pop(key, None)
                else:
                    held[key] = entry
        elif name in fields:
            setattr(view, name, value)


def merge_changes(view: type[Struct], changes: Changes, more: Changes) -> None:
    """Add changes that follow at once, as one message holds both."""
    maps = maps_of(view)
    for name, value in more.items():
        if name in maps and value is not None and name in changes:
            assert changes[name] is not None, f"{name} is emptied and filled by one decision"
            changes[name] = {**changes[name], **value}
        else:
            changes[name] = value


class RecalledLine(Struct, frozen=True):
    """One box of a terminal's round: what became of the stake, by which clause, and why in words.

    `odds` is null where it lost, `clause` where the table plays by other rules by now.
    """

    box: str
    name: str
    stake: int
    odds: str | None
    won: int
    back: int
    clause: str | None
    reason: str


class RecalledRound(Struct, frozen=True):
    """A round that a terminal had bets in, or that was void for everybody.

    `void` says that its bets were returned, or its settlement reversed later. A round that was void
    from the start has no dice; its lines say what came back, `sentence` why, and `clause` by what.
    `lit` are all boxes that won; none where the table plays by other rules by now.
    """

    round: int
    void: bool
    faces: Faces | None
    call: str | None
    lines: list[RecalledLine]
    lit: list[str]
    clause: str | None = None
    sentence: str | None = None


class FinishedRound(RoundSummary, frozen=True):
    """A finished round as the roads show it, with the dealer's call."""

    call: str | None = None


class TableEntry(Struct, frozen=True):
    """A table in a list of tables: what somebody wants to know who chooses one."""

    table: str
    phase: str
    round: int
    suspended: bool
    dealer: Dealer
    title: str | None = None
    pay_table: str | None = None
    #: Who publishes the rulebook, and in which version.
    publisher: str | None = None
    version: str | None = None
    layout: str | None = None
    #: Betting boxes of the pay table.
    boxes: int = 0
    limits: LimitsAsked | None = None
    tumbler: str | None = None
    #: Player Terminals of the table, and those that are connected
    terminals: int = 0
    connected: int = 0
    #: The last round with a result.
    last: FinishedRound | None = None
    #: Played from Player Terminals, or with chips on a chip table.
    form: Form = "terminals"
