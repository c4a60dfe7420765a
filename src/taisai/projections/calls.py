"""The call of a result, in the reader's language."""

from taisai.core.rules.dice import Faces, call_of, result_of
from taisai.protocol.views import Changes
from taisai.wording import say


def worded(changes: Changes, language: str) -> Changes:
    """Add the call of the dice in a language."""
    if "faces" not in changes:
        return changes
    return {**changes, "call": call_in(changes["faces"], language)}


def call_in(faces: Faces | None, language: str) -> str | None:
    """Word the call of a result."""
    return None if faces is None else say(call_of(result_of(faces)), language)
