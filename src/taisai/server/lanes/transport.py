"""What a lane asks of whatever carries it: whole messages of bytes, one way and the other.

A transport may lose messages, and may give them twice or out of order: a lane sees to that. Of each
message that it gives it gives all, or nothing.
"""

from typing import Protocol


class Transport(Protocol):
    """Carries messages to the other side."""

    @property
    def lossy(self) -> bool:
        """Say whether a message can be lost while both sides live."""

    def send(self, message: bytes) -> None:
        """Send one message; one that cannot be sent any more is lost."""

    def close(self) -> None:
        """Carry nothing more, either way."""


class Receiver(Protocol):
    """Takes what a transport carries to this side."""

    def connected(self, transport: Transport) -> None:
        """Take it that messages can be sent, now or again."""

    def received(self, message: bytes) -> None:
        """Take one message."""

    def lost(self) -> None:
        """Take it that nothing more will come."""
