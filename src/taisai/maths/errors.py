"""The error for a question without an answer: its text is one sentence."""

from taisai.core.errors import SentenceError
from taisai.core.rules.reason import Refusal, shown
from taisai.extras import needs


class MathsError(SentenceError, ValueError):
    """A question that cannot be answered; its text says what would be right."""


def missing_extra(what: str, extra: str) -> MathsError:
    """Make the error that names the extra with a missing package."""
    return MathsError(needs(what, extra))


def check_whole(what: str, value: object, least: int, most: int) -> None:
    """Refuse a value that is no whole number between the two bounds."""
    if type(value) is not int or not least <= value <= most:
        raise MathsError(f"{what} a whole number from {least:,} to {most:,}, not {shown(value)}")


def worded(refusal: Refusal) -> MathsError:
    """Turn a refusal of the core into a sentence."""
    # Not at the top: only a refusal needs the texts.
    from taisai.wording import say  # noqa: PLC0415

    return MathsError(say(refusal.reason, minor_units=True))
