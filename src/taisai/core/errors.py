"""The error for a request that cannot be carried out: its text is a sentence for the user."""


class SentenceError(Exception):
    """An error shown to a person: its text says what is wrong, where, and what would be right."""


def require_checks(*, are_on: bool = __debug__) -> None:
    """Refuse to work where Python leaves out assertions: the books are checked by them."""
    if not are_on:
        raise SentenceError(
            "the books are checked by assertions, which Python leaves out with -O and with"
            " PYTHONOPTIMIZE; run it without"
        )
