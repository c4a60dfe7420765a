"""What a hub asks about who is let in: of the accounts of a venue, or of grants at an owner."""

from typing import Protocol

from taisai.core.rules.reason import Refusal
from taisai.server.accounts.sessions import Session


class Doorkeeper(Protocol):
    """Knows who is let in."""

    def session(self, token: str) -> Session | None:
        """Find a session, which is no longer idle then."""

    def knows(self, table: str, terminal: str, key: str) -> bool:
        """Say whether a terminal has this key."""

    async def check_pin(self, session: Session, pin: str) -> Refusal | None:
        """Check that whoever is logged in is the person."""
