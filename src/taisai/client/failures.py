"""The failures between a client and a venue: exceptions whose text is a sentence.

And the delays before the next attempt: they grow, and are partly random.
"""

import random
from dataclasses import dataclass

from taisai.core.errors import SentenceError


@dataclass(frozen=True, slots=True)
class Backoff:
    """Delays before each attempt to reconnect; after the last of them the client gives up.

    Each is partly random, so that a hall full of clients does not reconnect all at once.
    """

    first_seconds: float = 0.2
    most_seconds: float = 10.0
    attempts: int = 30
    #: After a connection that lasted so long, the next delay is the first again.
    good_seconds: float = 5.0

    def delay(self, attempt: int) -> float:
        """Give the seconds to wait before an attempt; the first attempt is number 0."""
        whole = min(self.most_seconds, self.first_seconds * (1 << min(attempt, 30)))
        return whole * random.uniform(0.5, 1.0)  # noqa: S311 - nothing is secret about a delay


class ClientError(SentenceError):
    """A failure of a client; its text is a sentence for a person."""


class NotConnected(ClientError):  # noqa: N818 - it is a condition, as a refusal is
    """No server answers at the address, or the connection was lost for good."""


class NotAllowed(ClientError):  # noqa: N818 - it is a condition, as a refusal is
    """The venue did not understand or allow a message; nothing was changed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class NotWelcome(NotAllowed):
    """The venue does not accept the credentials."""


class NotAnswered(ClientError, TimeoutError):  # noqa: N818 - it is a condition, as a refusal is
    """No answer came in time; a command sent again with the same `id` gets the same answer."""

    def __init__(self, id_: str, seconds: float) -> None:
        super().__init__(
            f"no answer to {id_} within {seconds:g} seconds; it may be registered or not:"
            f" ask again with the same id to know"
        )
        self.id = id_


class NotReceived(ClientError, TimeoutError):  # noqa: N818 - it is a condition, as a refusal is
    """An awaited message or condition did not come in time."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what} did not come within {seconds:g} seconds")


class HttpProblem(ClientError):  # noqa: N818 - the name of what the venue answers with
    """The venue answered a request with problem details."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
