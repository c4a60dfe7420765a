"""The registry: the one place where every command and event is declared.

A subject module declares its messages with `@command` and `@event`, and beside them the functions
that decide, apply and post them. Every other part that needs the full list reads it here: decoders,
roles, dispatch, which events keep a pending approval, which are significant.
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
    """The roles that a rulebook names for a part of its procedure, and the clause for it."""

    roles: Roles
    clause: str | None


class Place:
    """One kind of state that commands are given to: a table of one form, the cage, the venue.

    `closed` is the refusal before the place is created, `only` the refusal of a command that
    belongs to another form of table.
    """

    def __init__(self, stream: str, closed: str, only: str = "NOT_ALLOWED") -> None:
        self.stream = stream
        self.closed = closed
        self.only = only
        self.decides: dict[type[Command], Callable[..., Decision]] = {}
        #: Commands that need no check but the sender's role: the deciding function and the roles.
        self.plain: dict[type[Command], tuple[Callable[..., Decision], frozenset[Role]]] = {}
        self.applies: dict[type[Event], Callable[[Any, Any], None]] = {}
        self.check: Callable[[Any], None] | None = None
        self.people: Callable[[Any, str], People | None] | None = None


def _nothing(*_: object) -> None:
    """Change nothing: the event is only for the record."""


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
    #: A date is compared: the command is decided if all possible times give the same decision.
    COMPARED = 2


class CommandSpec(Struct, frozen=True):
    """What a command declares: its places, its roles, its second person's roles, its options."""

    at: At
    streams: frozenset[str]
    by: frozenset[Role]
    second: frozenset[Role]
    #: The part of the rulebook's procedure that says which of these roles give it [D29].
    part: str | None
    #: Whether it creates the place it is given to.
    opens: bool
    #: Whether it waits without an end until a second person answers it: declining it is a finding,
    #: which needs a reason and may not be made by its sender.
    lasts: bool
    #: Whether terminals and staff may give it over the socket.
    wire: bool
    #: Whether it carries a note that says why.
    noted: bool
    #: Whether none of this has to be checked: no note, no part of the procedure, no second person.
    plain: bool


#: An event receives a transit from another stream, or closes one that another stream received.
Transit = Literal["arrives", "closes"]


class EventSpec(Struct, frozen=True):
    """What an event declares.

    A routine event leaves a pending approval pending. An event with `applies=False` is only for the
    record; one with `posts=False` moves no money. One with `shown=True` changes what the pit shows
    of its table, though it is not significant. An `irregular` one says that something went wrong at
    a table, or puts it right: a search for irregularities finds it.
    """

    at: At
    routine: bool
    significant: bool | Callable[[Any], bool]
    applies: bool
    posts: bool
    shown: bool
    irregular: bool
    #: What it does to a transit between two streams.
    transit: Transit | None


COMMANDS: dict[type[Command], CommandSpec] = {}
EVENTS: dict[type[Event], EventSpec] = {}
#: Commands that wait for a second person only in some cases, and the function that says so.
WAITS: dict[type[Command], Callable[[Any, Any], bool]] = {}
#: How a waiting command is journaled, if it holds a secret that must not be in the journal.
WAITS_AS: dict[type[Command], Callable[[Any, Any], Command]] = {}
#: What follows when a second person declines a command that lasts.
DECLINED: dict[type[Command], Callable[[Any, Any, Sender, str], tuple[Event, ...]]] = {}
#: Commands that may be about old rounds, and the function that says which rounds [D24].
WANTS: dict[type[Command], Callable[[Any, Any], list[tuple[int, int]]]] = {}
#: Commands that depend on the date, and how [D35].
DATED: dict[type[Command], Dated] = {}
#: Commands whose deciding function also needs the order's id or the second person.
SENT: set[type[Command]] = set()
#: Commands that move something between streams, and that the other stream's state may prevent:
#: once decided they are checked against both. No other command is, and no bet.
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

    With a `part`, the rulebook in force narrows the roles to the people it names for this part of
    its procedure [D29]. One with `wire=False` is given over HTTP alone, since it needs a PIN or its
    answer is a secret. A command of the system alone is never on the wire. One that `lasts` waits
    until it is answered [D20]. One that is `dated` waits while the time is in doubt [D35]. One that
    `crosses` moves chips or money between streams, and the other stream may prevent it.
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
    """Declare an event: its places, and its options as `EventSpec` explains them."""

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

    The deciding function then takes a fifth parameter: what was read of them in the journal.
    """
    _, kinds = _annotated(function)
    WANTS.update(dict.fromkeys(kinds, function))
    return function


def waits_as(function: Function) -> Function:
    """Register how a waiting command is journaled: `(state, command) -> Command`."""
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
    """Register which people the rules of a place name: `(state, part) -> People | None`."""

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
    """Find the places of a message that a state belongs to; all of them for any state."""
    return [place for place in at if place in getattr(state, "places", at)]


def may(role: Role, kind: type[Command]) -> bool:
    """Say whether a role may give a command [ts6 1.5; etg8 1.5; div9 6.6]."""
    return role in COMMANDS[kind].by


def always_waits(kind: type[Command]) -> bool:
    """Say whether a command always takes two persons."""
    return bool(COMMANDS[kind].second) and kind not in WAITS


def is_significant(event: Event) -> bool:
    """Say whether an event is one that a regulator, a pit or an auditor wants to see on its own."""
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
