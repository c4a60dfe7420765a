"""The two ways a command ends badly, each with a sentence for the person who asked."""

from collections.abc import Sequence


class Refused(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """Some input was refused; `details` is the whole list where the sentence has the first."""

    def __init__(self, sentence: str, details: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.details = details


class Wrong(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The command was used wrongly."""
