"""Damaged dice: quarantined at once, and back in play only if two persons find them undamaged.

[D25]
"""

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Sender
from taisai.core.kernel.registry import TABLE, applies, command, decides, event
from taisai.core.kernel.roles import PIT, PIT_AND_DEALER
from taisai.core.rules.reason import printable, refuse
from taisai.core.table.irregularities import established
from taisai.core.table.setup import TableStopped, end_of_use
from taisai.core.table.state import IN_ROUND, Phase, TableState, ground_of, ruling_on

DAMAGED = "damaged-dice"


@command(at=TABLE, by=PIT_AND_DEALER)
class ReportDamage(Command, frozen=True):
    """Say that dice are damaged; without a name, the set in use is meant."""

    note: str
    dice_set: str | None = None


@event(at=TABLE, posts=False)
class DiceQuarantined(Event, frozen=True):
    """A set of dice is damaged, and out of play."""

    dice_set: str
    seal: str
    clause: str
    by: str
    note: str


@decides
def report_damage(state: TableState, command: ReportDamage, actor: Actor, at: Instant) -> Decision:
    """Take damaged dice out of play, on a closed table too; their rounds are void or ruled on.

    [ts6 5.6; etg8 5.4; div9 7.4] [D25]
    """
    if state.rulebook is None:
        return refuse("NO_RULEBOOK")
    clause = ground_of(state, ruling_on(state, DAMAGED))
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    name = command.dice_set or state.dice_set
    if name is None or name not in state.dice_rounds:
        return refuse("NO_DICE", clause)
    if name in state.quarantined:
        return refuse("DICE_QUARANTINED", clause, dice_set=name)
    quarantined = put_away(state, name, actor, command.note)
    if name != state.dice_set:
        return (quarantined,)
    return (quarantined, *_in_use(state, actor, at, quarantined))


def put_away(state: TableState, name: str, actor: Actor, note: str) -> DiceQuarantined:
    """Put a set of dice into quarantine."""
    clause = ground_of(state, ruling_on(state, DAMAGED))
    return DiceQuarantined(name, state.dice_seals[name], clause, actor.person, note)


def _in_use(
    state: TableState, actor: Actor, at: Instant, quarantined: DiceQuarantined
) -> tuple[Event, ...]:
    """Void the round under way, or stop the game, as the rulebook says."""
    found, note = ruling_on(state, DAMAGED), quarantined.note
    if found is not None and found.stops_table:
        return stopped_by(state, quarantined)
    if found is None or state.phase not in IN_ROUND or found.ruling != "void-affected-rounds":
        return ()
    return established(state, DAMAGED, actor, at, note, started=(quarantined,))


def stopped_by(state: TableState, quarantined: DiceQuarantined) -> tuple[TableStopped, ...]:
    """Stop the game if dice in use are damaged and the rulebook says so [div9 7.4]."""
    found, in_use = ruling_on(state, DAMAGED), quarantined.dice_set == state.dice_set
    if found is None or not (found.stops_table and in_use) or state.stopped is not None:
        return ()
    return (TableStopped(found.stops_clause or quarantined.clause, quarantined.note),)


@applies
def dice_quarantined(state: TableState, event: DiceQuarantined) -> None:
    state.quarantined[event.dice_set] = event.seal
    if event.dice_set == state.dice_set:
        end_of_use(state, state.dice_set)
        state.dice_set = None


@command(at=TABLE, by=PIT, second=PIT)
class FindUndamaged(Command, frozen=True):
    """Say that dice in quarantine are not damaged after all."""

    dice_set: str
    note: str


@event(at=TABLE, posts=False)
class DiceFoundUndamaged(Event, frozen=True):
    """Two persons looked at a set of dice and found it whole: it may be registered again."""

    dice_set: str
    by: str
    second: str
    note: str


@decides
def find_undamaged(
    state: TableState, command: FindUndamaged, actor: Sender, _at: Instant
) -> Decision:
    """Let two persons find a set undamaged; it is registered again by its seal [D25]."""
    if state.phase is Phase.NEW or command.dice_set not in state.quarantined:
        return refuse("NOT_QUARANTINED", dice_set=printable(command.dice_set[:64]))
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    by, second = actor.person, actor.second_person
    return (DiceFoundUndamaged(command.dice_set, by, second, command.note),)


@applies
def dice_found_undamaged(state: TableState, event: DiceFoundUndamaged) -> None:
    del state.quarantined[event.dice_set]
