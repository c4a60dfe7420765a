"""What the mathematics answers to a question that has no answer: one sentence."""

from taisai.core.errors import SentenceError
from taisai.core.rules.reason import Refusal, shown
from taisai.extras import needs


class MathsError(SentenceError, ValueError):
    """A question that cannot be answered as it was asked; its text says what would be right."""


def missing_extra(what: str, extra: str) -> MathsError:
    """Say which extra brings the package that an answer needs and this installation lacks."""
    return MathsError(needs(what, extra))


def check_whole(what: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number from the least to the most."""
    if type(value) is not int or not least <= value <= most:
        raise MathsError(f"{what} a whole number from {least:,} to {most:,}, not {shown(value)}")


def worded(refusal: Refusal) -> MathsError:
    """Turn a refusal of the core into a sentence."""
    # Not at the top: what is sound needs no words.
    from taisai.wording import say  # noqa: PLC0415

    return MathsError(say(refusal.reason, minor_units=True))
