"""Money on its way between tables and cage: sent once, received once, closed once."""

from msgspec import Struct

from taisai.runtime.auditor.finding import AuditError


class Transit(Struct):
    """Money that left one stream and belongs to a place in another."""

    source: str
    destination: str
    place: str
    amount: int
    received: bool = False
    closed: bool = False


class Transits:
    """Every transit of the house, across its streams."""

    def __init__(self) -> None:
        self._known: dict[str, Transit] = {}

    def send(self, name: str, transit: Transit) -> None:
        """Record that money left."""
        if name in self._known:
            raise AuditError(f"{transit.source}: transit {name} was sent before")
        self._known[name] = transit

    def receive(self, name: str, stream: str, place: str, amount: int) -> None:
        """Check that money arrives where it was sent to, all of it, once."""
        transit = self._known.get(name)
        if transit is None:
            raise AuditError(f"{stream}: transit {name} arrived and was never sent")
        if transit.received:
            raise AuditError(f"{stream}: transit {name} was received twice")
        if (transit.destination, transit.place, transit.amount) != (stream, place, amount):
            raise AuditError(
                f"{stream}: transit {name} brought {amount} to {place}, not {transit.amount}"
                f" to {transit.place} of {transit.destination}"
            )
        transit.received = True

    def close(self, name: str, stream: str, amount: int) -> None:
        """Check that the sender closes what has arrived, once."""
        transit = self._known.get(name)
        if transit is None or transit.source != stream or transit.closed:
            raise AuditError(f"{stream}: transit {name} was closed and is not open")
        if not transit.received:
            raise AuditError(f"{stream}: transit {name} was closed before it arrived")
        if transit.amount != amount:
            raise AuditError(f"{stream}: transit {name} of {transit.amount} was closed as {amount}")
        transit.closed = True

    def open_count(self) -> int:
        """Count the transits that are not closed yet."""
        return sum(not transit.closed for transit in self._known.values())
