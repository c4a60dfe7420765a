"""What a lane needs of a transport: it carries whole messages of bytes in both directions.

A transport may lose messages, and may deliver them twice or out of order: the lane corrects that.
It delivers each message whole or not at all.
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
        """Note that messages can be sent, for the first time or again."""

    def received(self, message: bytes) -> None:
        """Take one message."""

    def lost(self) -> None:
        """Note that no more messages will come."""
