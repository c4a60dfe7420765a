"""The auditor's own books: pockets that money is put into and taken out of, one entry at a time.

Each side of a movement is entered from its own part of an event, so that an event whose parts do
not agree leaves the sum of all pockets off zero.
"""

from collections.abc import Mapping

from taisai.runtime.auditor.finding import AuditError

#: What belongs to players never goes below zero.
_PLAYERS_OWN = ("terminal:", "stake:", "vouchers:", "unclaimed:", "drop:")


class Books:
    """What the auditor believes each pocket of one stream to hold."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.pockets: dict[str, int] = {}
        self.afloat = 0

    def holds(self, pocket: str) -> int:
        """Tell what a pocket holds."""
        return self.pockets.get(pocket, 0)

    def enter(self, pocket: str, amount: int) -> None:
        """Put an amount into a pocket, or take it out."""
        held = self.pockets.get(pocket, 0) + amount
        if held < 0 and pocket.startswith(_PLAYERS_OWN):
            raise AuditError(f"{self.stream}: {pocket} would be {held}, below zero")
        self.pockets[pocket] = held
        self.afloat += amount
        if not held and pocket.startswith(("transit:", "unclaimed:")):
            # A transit comes and goes; a pocket with nothing in it for each would never end.
            del self.pockets[pocket]

    def stake(self, terminal: str, amount: int) -> None:
        """Move a terminal's credits to its stakes: the one movement there is for every bet."""
        pockets, credit, stake = self.pockets, f"terminal:{terminal}", f"stake:{terminal}"
        held = pockets.get(credit, 0) - amount
        if held < 0 or amount < 0:
            raise AuditError(f"{self.stream}: {credit} would be {held}, below zero")
        pockets[credit] = held
        pockets[stake] = pockets.get(stake, 0) + amount

    def close(self) -> None:
        """Check, after each decision, that no money came from nowhere or went there."""
        if self.afloat:
            appeared = "appeared from nowhere" if self.afloat > 0 else "vanished"
            raise AuditError(f"{self.stream}: {abs(self.afloat)} {appeared}")

    def compare(self, balances: Mapping[str, int]) -> None:
        """Check the ledger's balances against these books."""
        for account, balance in balances.items():
            if balance != self.pockets.get(account, 0):
                held = self.pockets.get(account, 0)
                raise AuditError(f"{self.stream}: {account} is {balance} in the ledger, not {held}")
        for pocket, held in self.pockets.items():
            if held and pocket not in balances:
                raise AuditError(f"{self.stream}: the ledger has no {pocket}, which holds {held}")
