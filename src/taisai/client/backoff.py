"""How long to wait before the next try: delays that grow, with chance in them."""

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Delays before each attempt to come back; after the last of them the client gives up.

    Each has chance in it, so that a hall full of clients does not come back at once.
    """

    first_seconds: float = 0.2
    most_seconds: float = 10.0
    attempts: int = 30
    #: A connection that lasted so long was a good one: the next delay is the first again.
    good_seconds: float = 5.0

    def delay(self, attempt: int) -> float:
        """Say how long to wait before an attempt, of which the first is 0."""
        whole = min(self.most_seconds, self.first_seconds * (1 << min(attempt, 30)))
        return whole * random.uniform(0.5, 1.0)  # noqa: S311 - nothing is secret about a delay
