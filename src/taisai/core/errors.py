"""What cannot be done as it was asked: an error whose text is a sentence for whoever asked."""


class SentenceError(Exception):
    """Says in its text what is wrong, where, and what would be right; a person is shown it."""
