"""The error for a request that cannot be carried out: its text is a sentence for the user."""


class SentenceError(Exception):
    """An error shown to a person: its text says what is wrong, where, and what would be right."""
