"""How a hub checks who may be let in: by the accounts of a venue, or by grants at an owner."""

from typing import Protocol

from taisai.core.rules.reason import Refusal
from taisai.server.accounts.sessions import Session


class Doorkeeper(Protocol):
    """Checks sessions, keys and PINs."""

    def session(self, token: str) -> Session | None:
        """Find a session, and mark it as not idle."""

    def knows(self, table: str, terminal: str, key: str) -> bool:
        """Say whether a terminal has this key."""

    async def check_pin(self, session: Session, pin: str) -> Refusal | None:
        """Check the PIN of the person who is logged in."""
