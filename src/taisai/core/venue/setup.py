"""Setting a venue up: opened with its one currency, tables and cage admitted, backups restored.

Also records that the journal of a lost venue was taken over.
"""

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Sender
from taisai.core.kernel.name_profile import NAME_MAX, is_name
from taisai.core.kernel.names import two_persons_refusal
from taisai.core.kernel.registry import VENUE, applies, command, decides, event
from taisai.core.kernel.roles import MANAGERS, PIT
from taisai.core.rules.reason import refuse
from taisai.core.venue.state import DAY_STARTS, HOURS, TIME_ZONE, VenueState

STREAMS_MAX = 10_000
#: The most columns and rows of the map of a floor.
MAP_MAX = 40
#: The longest name of a machine, and of a directory on it.
NODE_MAX = 400
EPOCH_MAX = 2**53 - 1
#: A hundred years.
JUMP_MS_MAX = 3_155_760_000_000


@command(at=VENUE, by=("system",), opens=True)
class OpenVenue(Command, frozen=True):
    """Open a venue: its one currency, and whether it is a demo, is settled by its first event."""

    name: str
    currency: str
    demo: bool = False
    #: Who operates a real house [D30].
    operator: str = ""
    #: The hour at which its gaming days start, and by which clocks.
    day_starts: int = DAY_STARTS
    time_zone: str = TIME_ZONE


@event(at=VENUE, routine=True, posts=False)
class VenueOpened(Event, frozen=True):
    """The first event of a venue: its currency is pinned for good, and whether it is a demo."""

    name: str
    currency: str
    demo: bool = False
    #: Who operates a real house [D30].
    operator: str = ""
    #: The hour at which its gaming days start, and by which clocks.
    day_starts: int = DAY_STARTS
    time_zone: str = TIME_ZONE


@decides
def open_venue(state: VenueState, command: OpenVenue, _actor: Actor, _at: Instant) -> Decision:
    """Open a venue, once."""
    if state.currency:
        return refuse("VENUE_IS_OPEN")
    if not (command.name and command.currency and is_name(command.time_zone)):
        return refuse("NAME_MISSING")
    if command.day_starts not in HOURS:
        return refuse("BAD_AMOUNT", amount=str(command.day_starts)[:40])
    return (
        VenueOpened(
            command.name,
            command.currency,
            command.demo,
            command.operator,
            command.day_starts,
            command.time_zone,
        ),
    )


@applies
def venue_opened(state: VenueState, event: VenueOpened) -> None:
    state.name, state.currency, state.demo = event.name, event.currency, event.demo
    state.operator = event.operator
    state.day_starts, state.time_zone = event.day_starts, event.time_zone


@command(at=VENUE, by=MANAGERS, second=PIT)
class RenameVenue(Command, frozen=True):
    """Call the house by another name; its currency and its operator stay."""

    name: str


@event(at=VENUE, posts=False)
class VenueRenamed(Event, frozen=True):
    """The house has another name from now on, as two persons agreed."""

    name: str
    by: str
    second: str


@decides
def rename_venue(state: VenueState, command: RenameVenue, actor: Sender, _at: Instant) -> Decision:
    """Rename the house, by two persons [D14]."""
    name = command.name.strip()
    if not is_name(name):
        return refuse("NAME_MISSING")
    if name == state.name:
        return refuse("SETTING_IS_SO")
    return (VenueRenamed(name, actor.person, actor.second_person),)


@applies
def venue_renamed(state: VenueState, event: VenueRenamed) -> None:
    state.name = event.name


@command(at=VENUE, by=("system",))
class RecordDealer(Command, frozen=True):
    """Say that a person handed a table over to the automatic dealer, or took it back."""

    stream: str
    automatic: bool
    by: str


@event(at=VENUE, routine=True, posts=False)
class DealerChanged(Event, frozen=True):
    """The automatic dealer deals at a table from now on, or a person does."""

    stream: str
    automatic: bool
    by: str


@decides
def record_dealer(
    state: VenueState, command: RecordDealer, _actor: Actor, _at: Instant
) -> Decision:
    """Record who deals at a table, so that the next start restores it."""
    if command.stream not in state.streams:
        return refuse("NO_TABLE")
    if not command.by.strip() or len(command.by) > NAME_MAX:
        return refuse("NAME_MISSING")
    return (DealerChanged(command.stream, command.automatic, command.by),)


@applies
def dealer_changed(state: VenueState, event: DealerChanged) -> None:
    (state.automatic.add if event.automatic else state.automatic.discard)(event.stream)


@command(at=VENUE, by=("technician", *MANAGERS))
class PlaceTable(Command, frozen=True):
    """Say where a table stands on the map of the floor: column and row, from 1 on.

    Without a place it stands where the floor plan has it, or in the rows of the others.
    """

    stream: str
    place: tuple[int, int] | None = None


@event(at=VENUE, routine=True, posts=False)
class TablePlaced(Event, frozen=True):
    """A table stands somewhere else on the map of the floor."""

    stream: str
    place: tuple[int, int] | None
    by: str


@decides
def place_table(state: VenueState, command: PlaceTable, actor: Actor, _at: Instant) -> Decision:
    """Put a table at a free place on the map."""
    stream, place = command.stream, command.place
    if stream not in state.streams:
        return refuse("NO_TABLE")
    if place is not None and not all(1 <= each <= MAP_MAX for each in place):
        return refuse("NO_SUCH_PLACE", most=MAP_MAX)
    if state.on_map.get(stream) == place:
        return refuse("SETTING_IS_SO")
    there = next((each for each, own in state.on_map.items() if own == place), None)
    if there is not None:
        return refuse("PLACE_TAKEN", stream=there)
    return (TablePlaced(stream, place, actor.person),)


@applies
def table_placed(state: VenueState, event: TablePlaced) -> None:
    if event.place is None:
        del state.on_map[event.stream]
    else:
        state.on_map[event.stream] = event.place


@command(at=VENUE, by=("system",))
class AdmitTable(Command, frozen=True):
    """Take a table, or the cage, into the venue; it must have the venue's currency."""

    stream: str
    currency: str


@event(at=VENUE, routine=True, posts=False)
class TableAdmitted(Event, frozen=True):
    stream: str


@decides
def admit_table(state: VenueState, command: AdmitTable, _actor: Actor, _at: Instant) -> Decision:
    """Admit a table or the cage of the same currency, once."""
    if not command.stream.strip():
        return refuse("NAME_MISSING")
    if command.currency != state.currency:
        return refuse("OTHER_CURRENCY", currency=state.currency)
    if command.stream in state.streams:
        return refuse("STREAM_EXISTS", stream=command.stream)
    if len(state.streams) >= STREAMS_MAX:
        return refuse("BATCH_SIZE", most=STREAMS_MAX)
    return (TableAdmitted(command.stream),)


@applies
def table_admitted(state: VenueState, event: TableAdmitted) -> None:
    state.streams.add(event.stream)


@command(at=VENUE, by=("system",))
class ReplaceSealingKey(Command, frozen=True):
    """Seal with a new key from now on; two persons put it in its place."""

    mark: str
    by: str
    second: str


@event(at=VENUE, routine=True, posts=False)
class SealingKeyReplaced(Event, frozen=True):
    """Secrets are sealed by a new key; what earlier ones sealed is still opened by them."""

    mark: str
    by: str
    second: str


@decides
def replace_sealing_key(
    _state: VenueState, command: ReplaceSealingKey, _actor: Actor, _at: Instant
) -> Decision:
    """Use a new sealing key from now on; the journal gets only a mark of it [D39]."""
    refusal = two_persons_refusal(command.by, command.second, command.mark)
    if refusal is not None:
        return refusal
    return (SealingKeyReplaced(command.mark, command.by, command.second),)


@applies
def sealing_key_replaced(state: VenueState, _: SealingKeyReplaced) -> None:
    state.sealing_key_changes += 1


@command(at=VENUE, by=MANAGERS, second=PIT)
class AcceptClock(Command, frozen=True):
    """Accept that the machine's clock is right, so far ahead of the venue's time [D35].

    `database_ms` is how far the database's clock is ahead of the machine's, where that is in doubt.
    """

    ahead_ms: int
    database_ms: int = 0


@event(at=VENUE, applies=False, posts=False)
class ClockAccepted(Event, frozen=True):
    """Two persons say that the machine's clock is right; until then it was not believed."""

    ahead_ms: int
    by: str
    second: str
    database_ms: int = 0


@decides
def accept_clock(_state: VenueState, command: AcceptClock, actor: Sender, _at: Instant) -> Decision:
    """Accept the time of the machine's clock, by two persons [D35]."""
    ahead, database = command.ahead_ms, command.database_ms
    if not (0 <= ahead <= JUMP_MS_MAX and abs(database) <= JUMP_MS_MAX and (ahead or database)):
        return refuse("BAD_AMOUNT", amount=str(ahead or database)[:40])
    return (ClockAccepted(ahead, actor.person, actor.second_person, database),)


@command(at=VENUE, by=("system",))
class RestoreVenue(Command, frozen=True):
    """Say by whom a venue was restored from a backup, whose newest checkpoint is named."""

    by: str
    second: str
    checkpoint: int


@event(at=VENUE, routine=True, applies=False, posts=False)
class VenueRestored(Event, frozen=True):
    """From here on the venue goes on from a backup; what came after that was made is not here."""

    by: str
    second: str
    checkpoint: int


@decides
def restore_venue(
    _state: VenueState, command: RestoreVenue, _actor: Actor, _at: Instant
) -> Decision:
    """Record that two persons restored the venue [D14]."""
    refusal = two_persons_refusal(command.by, command.second)
    return refusal or (VenueRestored(command.by, command.second, command.checkpoint),)


@command(at=VENUE, by=("system",))
class TakeOverVenue(Command, frozen=True):
    """Say by whom the journal was taken from a venue that is lost: which that was, as of when.

    `epoch` counts the venues that have had it: what is sent as of an earlier one is not written.
    """

    by: str
    second: str
    node: str
    epoch: int


@event(at=VENUE, routine=True, applies=False, posts=False)
class VenueTakenOver(Event, frozen=True):
    """From here on another venue may go on; nothing that the former still sends is written."""

    by: str
    second: str
    node: str
    epoch: int


@decides
def take_over_venue(
    _state: VenueState, command: TakeOverVenue, _actor: Actor, _at: Instant
) -> Decision:
    """Record that two persons took over the journal [D14]."""
    refusal = two_persons_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    if not command.node.strip():
        return refuse("NAME_MISSING")
    if not 0 < command.epoch <= EPOCH_MAX:
        return refuse("BAD_AMOUNT", amount=str(command.epoch)[:40])
    taken = VenueTakenOver(command.by, command.second, command.node[:NODE_MAX], command.epoch)
    return (taken,)
