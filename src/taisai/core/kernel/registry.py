"""The registry: every command and event declares once where it belongs, by whom, what it does.

A subject module declares its messages with `@command` and `@event`, and beside them the functions
that decide, apply and post them. Everything else that must know all of them asks here: decoders,
roles, dispatch, what keeps a pending approval, what is significant.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from msgspec import Struct

from taisai.core.kernel.messages import Command, Decision, Event, Posting, Role, Sender
from taisai.core.kernel.roles import Roles

CommandClass = TypeVar("CommandClass", bound=type[Command])
EventClass = TypeVar("EventClass", bound=type[Event])
Function = TypeVar("Function", bound=Callable[..., Any])


class People(NamedTuple):
    """Whom a rulebook names for a part of its procedure, and the clause that does."""

    roles: Roles
    clause: str | None


class Place:
    """One kind of state that commands are given to: a table of one form, the cage, the venue.

    `closed` is the refusal before the place was created, `only` the one of a command that belongs
    to another form of table.
    """

    def __init__(self, stream: str, closed: str, only: str = "NOT_ALLOWED") -> None:
        self.stream = stream
        self.closed = closed
        self.only = only
        self.decides: dict[type[Command], Callable[..., Decision]] = {}
        #: Commands of which nothing is asked but by whom they are: how each is decided, by whom.
        self.plain: dict[type[Command], tuple[Callable[..., Decision], frozenset[Role]]] = {}
        self.applies: dict[type[Event], Callable[[Any, Any], None]] = {}
        self.check: Callable[[Any], None] | None = None
        self.people: Callable[[Any, str], People | None] | None = None


def _nothing(*_: object) -> None:
    """Leave everything as it is: the event is for the record."""


At = tuple[Place, ...]

TERMINALS: At = (Place("table", "NO_TABLE", only="ONLY_AT_TERMINALS"),)
CHIP_TABLE: At = (Place("table", "NO_TABLE", only="ONLY_AT_CHIP_TABLES"),)
TABLE: At = TERMINALS + CHIP_TABLE
CAGE: At = (Place("cage", "CAGE_CLOSED"),)
VENUE: At = (Place("venue", "VENUE_CLOSED"),)
EVERYWHERE: At = TABLE + CAGE + VENUE


class Dated(Enum):
    """How a command depends on the date; while that is in doubt it may have to wait [D35]."""

    #: The date is written down: a day or a shift begins or ends, a voucher has a last day.
    WRITTEN = 1
    #: A date is compared: it is decided where all times that it may be decide alike.
    COMPARED = 2


class CommandSpec(Struct, frozen=True):
    """What a command declares: where, by whom, by which second person, and what is special."""

    at: At
    streams: frozenset[str]
    by: frozenset[Role]
    second: frozenset[Role]
    #: The part of the rulebook's procedure that says whose it is among those who may [D29].
    part: str | None
    #: Whether it creates the place it is given to.
    opens: bool
    #: Whether it waits until a second person answers it, however long that takes: declining it is
    #: a finding, which takes a reason and is not its sender's to make.
    lasts: bool
    #: Whether terminals and staff may give it over the socket.
    wire: bool
    #: Whether a person says why with it.
    noted: bool
    #: Whether nothing of that is to be asked: no note, nobody named, no second person.
    plain: bool


#: An event lets something arrive that another stream sent, or closes what has arrived at another.
Transit = Literal["arrives", "closes"]


class EventSpec(Struct, frozen=True):
    """What an event declares.

    A routine event leaves a pending approval pending. An event with `applies=False` is for the
    record alone; one with `posts=False` moves no money. After one with `shown=True` a pit is shown
    something else of its table, though nobody wants to see it apart. An `irregular` one is of
    something that went wrong at a table, or puts it right: it is found by what went wrong.
    """

    at: At
    routine: bool
    significant: bool | Callable[[Any], bool]
    applies: bool
    posts: bool
    shown: bool
    irregular: bool
    #: What it means for a transit that another stream knows of too.
    transit: Transit | None


COMMANDS: dict[type[Command], CommandSpec] = {}
EVENTS: dict[type[Event], EventSpec] = {}
#: Commands that wait for a second person only in some cases, and how to find out.
WAITS: dict[type[Command], Callable[[Any, Any], bool]] = {}
#: How a command is written while it waits, where it holds something that must not be journaled.
WAITS_AS: dict[type[Command], Callable[[Any, Any], Command]] = {}
#: What follows when a second person declines a command that lasts.
DECLINED: dict[type[Command], Callable[[Any, Any, Sender, str], tuple[Event, ...]]] = {}
#: Commands that are decided by rounds of long ago too: which rounds they are about [D24].
WANTS: dict[type[Command], Callable[[Any, Any], list[tuple[int, int]]]] = {}
#: Commands that depend on the date, and how [D35].
DATED: dict[type[Command], Dated] = {}
#: Commands that are decided by the id of their order or by the second person, too.
SENT: set[type[Command]] = set()
#: Commands that what other streams hold may stand in the way of: what moves between them is held
#: against both sides once it is decided. Nothing else is, and no bet.
CROSSING: set[type[Command]] = set()
POSTINGS: dict[type[Event], Callable[[Any], Iterable[Posting]]] = {}
ROUTINE: set[type[Event]] = set()


def command(  # noqa: PLR0913 - what a command is stands in one place
    *,
    at: At,
    by: Roles,
    second: Roles = (),
    part: str | None = None,
    opens: bool = False,
    lasts: bool = False,
    wire: bool = True,
    dated: Dated | None = None,
    crosses: bool = False,
) -> Callable[[CommandClass], CommandClass]:
    """Declare a command: at which places, by which roles, with which second person if any.

    With a `part`, the rulebook in force narrows that to the people it names for this part of its
    procedure [D29]. One with `wire=False` is given over HTTP alone, where a PIN comes with it or a
    secret is the answer. What only the system does is never on the wire. One that `lasts` waits
    until somebody answers it [D20]. One that is `dated` waits while the time is in doubt [D35].
    One that `crosses` moves chips or money between streams, which the other side may stand against.
    """

    def register(kind: CommandClass) -> CommandClass:
        streams = frozenset(place.stream for place in at)
        wired = wire and frozenset(by) != {"system"}
        noted = "note" in kind.__struct_fields__
        COMMANDS[kind] = CommandSpec(
            at=at,
            streams=streams,
            by=frozenset(by),
            second=frozenset(second),
            part=part,
            opens=opens,
            lasts=lasts,
            wire=wired,
            noted=noted,
            plain=not (noted or part or second),
        )
        if dated is not None:
            DATED[kind] = dated
        if crosses:
            CROSSING.add(kind)
        return kind

    return register


def event(  # noqa: PLR0913 - what an event is stands in one place
    *,
    at: At,
    routine: bool = False,
    significant: bool | Callable[[Any], bool] = True,
    applies: bool = True,
    posts: bool = True,
    shown: bool = False,
    irregular: bool = False,
    transit: Transit | None = None,
) -> Callable[[EventClass], EventClass]:
    """Declare an event: where, and what it is to those who must know of all; `EventSpec` says."""

    def register(kind: EventClass) -> EventClass:
        EVENTS[kind] = EventSpec(
            at, routine, significant, applies, posts, shown, irregular, transit
        )
        if routine:
            ROUTINE.add(kind)
        if not applies:
            for place in at:
                place.applies[kind] = _nothing
        return kind

    return register


def decides(function: Function) -> Function:
    """Register how a command is decided: `(state, command, actor, at) -> Decision`."""
    state, kinds = _annotated(function)
    for kind in kinds:
        spec, sent = COMMANDS[kind], Sender in function.__annotations__.values()
        for place in _shared(spec.at, state):
            place.decides[kind] = function
            if spec.plain and not sent:
                place.plain[kind] = function, spec.by
        if sent:
            SENT.add(kind)
    return function


def waits(function: Function) -> Function:
    """Register when a command waits for a second person: `(state, command) -> bool`."""
    _, kinds = _annotated(function)
    WAITS.update(dict.fromkeys(kinds, function))
    return function


def wants(function: Function) -> Function:
    """Register which rounds a command is about: `(state, command) -> runs of them`.

    How it is decided takes a fifth parameter: what was read of them in the journal.
    """
    _, kinds = _annotated(function)
    WANTS.update(dict.fromkeys(kinds, function))
    return function


def waits_as(function: Function) -> Function:
    """Register what is journaled of a command that waits: `(state, command) -> Command`."""
    _, kinds = _annotated(function)
    WAITS_AS.update(dict.fromkeys(kinds, function))
    return function


def declines(function: Function) -> Function:
    """Register what follows when a command is declined: `(state, command, sender, why)`."""
    _, kinds = _annotated(function)
    DECLINED.update(dict.fromkeys(kinds, function))
    return function


def applies(function: Function) -> Function:
    """Register what an event does to a state: `(state, event) -> None`."""
    state, kinds = _annotated(function)
    for kind in kinds:
        for place in _shared(EVENTS[kind].at, state):
            place.applies[kind] = function
    return function


def posts(function: Function) -> Function:
    """Register the postings of an event: `(event) -> Iterable[Posting]`."""
    kind = next(iter(function.__annotations__.values()))
    POSTINGS.update(dict.fromkeys(get_args(kind) or (kind,), function))
    return function


def checks(at: At) -> Callable[[Function], Function]:
    """Register what must hold at a place after every event: `(state) -> None`, by assertion."""

    def register(function: Function) -> Function:
        for place in at:
            place.check = function
        return function

    return register


def names_people(at: At) -> Callable[[Function], Function]:
    """Register whom the rules of a place name: `(state, part) -> People | None`."""

    def register(function: Function) -> Function:
        for place in at:
            place.people = function
        return function

    return register


def _annotated(function: Callable[..., Any]) -> tuple[Any, tuple[Any, ...]]:
    """Read the types of a function's first two parameters; the second may be a union."""
    state, kind, *_ = function.__annotations__.values()
    return state, get_args(kind) or (kind,)


def _shared(at: At, state: Any) -> list[Place]:
    """Find the places of a message that a state is of; what is for any state is for all."""
    return [place for place in at if place in getattr(state, "places", at)]


def may(role: Role, kind: type[Command]) -> bool:
    """Say whether a role may give a command [ts6 1.5; etg8 1.5; div9 6.6]."""
    return role in COMMANDS[kind].by


def always_waits(kind: type[Command]) -> bool:
    """Say whether a command always takes two persons."""
    return bool(COMMANDS[kind].second) and kind not in WAITS


def is_significant(event: Event) -> bool:
    """Say whether an event is one that a regulator, a pit or an auditor wants to see apart."""
    significant = EVENTS[type(event)].significant
    return significant if isinstance(significant, bool) else significant(event)


def commands_of(stream: str) -> tuple[type[Command], ...]:
    """List the commands that a stream takes, by module, in the order of their declaration."""
    found = (kind for kind, spec in COMMANDS.items() if stream in spec.streams)
    return tuple(sorted(found, key=lambda kind: kind.__module__))


def events_of(stream: str) -> tuple[type[Event], ...]:
    """List the events that a stream can hold, by module, in the order of their declaration."""
    found = (
        kind for kind, spec in EVENTS.items() if any(place.stream == stream for place in spec.at)
    )
    return tuple(sorted(found, key=lambda kind: kind.__module__))
