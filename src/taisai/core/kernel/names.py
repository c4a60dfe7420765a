"""Names and notes: which texts are refused, how names are compared, who acts for a terminal."""

from unicodedata import normalize

from taisai.core.kernel.messages import Actor
from taisai.core.kernel.name_profile import is_name, looks, person_refusal
from taisai.core.rules.reason import Refusal, refuse

#: A note gives a reason; a longer text is a report, and belongs elsewhere.
NOTE_MAX = 500


def note_refusal(command: object) -> Refusal | None:
    """Refuse a command whose note is too long to be shown to anybody."""
    note: str = getattr(command, "note", "")
    return refuse("NOTE_LONG", most=NOTE_MAX) if len(note) > NOTE_MAX else None


def compared(name: str) -> str:
    """Write a name in the form used for comparing: case, spaces and variants of letters removed."""
    return "".join(normalize("NFKC", name).casefold().split())


def same_person(one: str, other: str) -> bool:
    """Say whether two names could be the same person's: they compare equal or look alike."""
    return compared(one) == compared(other) or looks(one) == looks(other)


def two_persons_refusal(by: str, second: str, *others: str) -> Refusal | None:
    """Check the two persons, and any other names, that a command of the system itself names."""
    if not all(map(is_name, (by, second, *others))):
        return refuse("NAME_MISSING")
    if same_person(by, second):
        return refuse("SAME_PERSON")
    return person_refusal(by) or person_refusal(second)


def acts_for_itself(actor: Actor, terminal: str) -> bool:
    """Say whether a terminal acts for itself, not for another; staff may act for any."""
    return actor.role != "terminal" or actor.person == terminal
