"""The two ways a command ends badly, each with a sentence for the person who asked."""


class Refused(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """Some input was refused."""


class Wrong(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The command was used wrongly."""
