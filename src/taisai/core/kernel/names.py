"""Names and notes: what can name something, how names are compared, who acts for whom."""

from unicodedata import normalize

from taisai.core.kernel.messages import Actor
from taisai.core.kernel.name_profile import is_name, looks, person_refusal
from taisai.core.rules.reason import Refusal, refuse

#: A note says why; what is longer is a report, and belongs elsewhere.
NOTE_MAX = 500


def note_refusal(command: object) -> Refusal | None:
    """Refuse a command whose note is too long to be shown to anybody."""
    note: str = getattr(command, "note", "")
    return refuse("NOTE_LONG", most=NOTE_MAX) if len(note) > NOTE_MAX else None


def compared(name: str) -> str:
    """Write a name as it is compared: case, spaces and ways of writing a letter do not count."""
    return "".join(normalize("NFKC", name).casefold().split())


def same_person(one: str, other: str) -> bool:
    """Say whether two names could be one person's, however they are written or look."""
    return compared(one) == compared(other) or looks(one) == looks(other)


def two_persons_refusal(by: str, second: str, *others: str) -> Refusal | None:
    """Check the two persons that a command of the system itself names, and what else it names."""
    if not all(map(is_name, (by, second, *others))):
        return refuse("NAME_MISSING")
    if same_person(by, second):
        return refuse("SAME_PERSON")
    return person_refusal(by) or person_refusal(second)


def acts_for_itself(actor: Actor, terminal: str) -> bool:
    """Say whether a terminal acts for itself, or staff for it."""
    return actor.role != "terminal" or actor.person == terminal
