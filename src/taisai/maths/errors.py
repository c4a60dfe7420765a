"""What the mathematics answers to a question that has no answer: one sentence."""

from taisai.core.errors import SentenceError
from taisai.core.rules.reason import Refusal


class MathsError(SentenceError, ValueError):
    """A question that cannot be answered as it was asked; its text says what would be right."""


def missing_extra(what: str, extra: str) -> MathsError:
    """Say which extra brings the package that an answer needs and this installation lacks."""
    return MathsError(f'{what} needs an extra: pip install "taisai[{extra}]"')


def worded(refusal: Refusal) -> MathsError:
    """Turn a refusal of the core into a sentence."""
    # Not at the top: what is sound needs no words.
    from taisai.wording import say  # noqa: PLC0415

    return MathsError(say(refusal.reason, minor_units=True))
