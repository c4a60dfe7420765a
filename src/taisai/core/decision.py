"""What deciding a command comes to, and what every decision needs to look up."""

from collections.abc import Sequence
from unicodedata import normalize

from taisai.core.events import TableEvent
from taisai.core.messages import Actor, LimitsAsked
from taisai.core.rules.dice import FACES, Faces, are_dice
from taisai.core.rules.limits import Limits, LimitsSetting, set_limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.schema import IrregularityContent
from taisai.core.table_state import TableState

NAME_MAX = 64
#: A transit has the name of its table, a dash and a number.
TRANSIT_MAX = NAME_MAX + 32
#: A note says why; what is longer is a report, and lies elsewhere.
NOTE_MAX = 500

Decision = tuple[TableEvent, ...] | Refusal


def in_force(state: TableState) -> Rulebook:
    """Give the rulebook in force; a table that was opened has one."""
    assert state.rulebook is not None, "a table is opened on a rulebook"
    return state.rulebook


def pay_table_in_force(state: TableState) -> PayTable:
    """Give the pay table in force."""
    assert state.pay_table is not None, "a table is opened on a pay table"
    return state.pay_table


def rules_of(state: TableState) -> str:
    """Name exactly the rules in force, so that a round is put right by those it was played by."""
    return f"{in_force(state).sha256}/{pay_table_in_force(state).number}"


def limits_in_force(state: TableState) -> Limits:
    """Give the limits in force."""
    assert state.limits is not None, "a table is opened with limits"
    return state.limits


def limits_from(table: PayTable, asked: LimitsAsked) -> Limits | Refusal:
    """Check limits as they were asked for."""
    setting = LimitsSetting(
        minimum=asked.minimum,
        maximum=asked.maximum,
        step=asked.step,
        differential=asked.differential,
        boxes=asked.boxes,
    )
    return set_limits(table, setting)


def note_refusal(command: object) -> Refusal | None:
    """Refuse a command whose note is too long to be told to anybody."""
    note: str = getattr(command, "note", "")
    return refuse("NOTE_LONG", most=NOTE_MAX) if len(note) > NOTE_MAX else None


def ruling_on(state: TableState, code: str) -> IrregularityContent | None:
    """Find what the rulebook rules on an irregularity."""
    irregularities = in_force(state).content.irregularities
    return next((each for each in irregularities if each.code == code), None)


def ground_of(state: TableState, irregularity: IrregularityContent | None) -> str:
    """Name the clause or decision behind a ruling; where nothing covers it, who rules then."""
    found = irregularity or ruling_on(state, "not-covered")
    ground = None if found is None else found.clause or found.decision
    return ground or "D6"


def clause_for(state: TableState, code: str) -> str | None:
    """Name the clause of an irregularity, where there is a rulebook and it has one."""
    if state.rulebook is None:
        return None
    found = ruling_on(state, code)
    return None if found is None else found.clause


def sorted_faces(faces: Sequence[int]) -> Faces | Refusal:
    """Read three faces, from low to high, as a result is kept."""
    if not are_dice(tuple(faces)):
        return refuse("BAD_DICE", dice=" ".join(str(face) for face in faces)[:40])
    low, middle, high = sorted(faces)
    return low, middle, high


def is_name(text: str) -> bool:
    """Say whether a text can name something: not blank, not long, and no part of an account."""
    return bool(text.strip()) and len(text) <= NAME_MAX and ":" not in text


def is_transit(text: str) -> bool:
    """Say whether a text can name what is on its way: as a name, with room for a table's own."""
    return bool(text.strip()) and len(text) <= TRANSIT_MAX and ":" not in text


def compared(name: str) -> str:
    """Write a name as it is compared: case, spaces and ways of writing a letter do not count."""
    return " ".join(normalize("NFKC", name).casefold().split())


def same_person(one: str, other: str) -> bool:
    """Say whether two names are one person's."""
    return compared(one) == compared(other)


def is_face(face: object) -> bool:
    """Say whether a button of the entry terminal could have been pressed."""
    return type(face) is int and face in FACES


def acts_for_itself(actor: Actor, terminal: str) -> bool:
    """Say whether a terminal acts for itself, or staff for it."""
    return actor.role != "terminal" or actor.person == terminal
