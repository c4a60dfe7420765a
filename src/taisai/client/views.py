"""What a client holds of a table: the view that the venue sends, and how it is being dealt."""

from typing import Literal

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.protocol.server_messages import Countdown, Dealer, Public, Suspended, TableSnapshot
from taisai.protocol.views import RoundSummary, TableView, apply_changes


class LiveTable(TableView):
    """A table as it is now: the fields of `TableView`, and how it is being dealt."""

    closes_at: Instant | None = None
    dealer: Literal["automatic", "person"] = "person"
    suspended: bool = False

    @property
    def taking_bets(self) -> bool:
        """Say whether a bet sent now would be in time."""
        return self.phase == "betting" and not (self.suspended or self.waiting or self.in_doubt)

    @property
    def minimum(self) -> int:
        """Give the least that may be bet on a box that has no minimum of its own."""
        return 0 if self.limits is None else self.limits.minimum

    @property
    def last_round(self) -> RoundSummary | None:
        """Give the last round that is over, if there was one."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    def begin(self, snapshot: TableSnapshot) -> None:
        """Forget what was known, and begin with a snapshot."""
        replace_fields(self, snapshot.view)
        self.closes_at = snapshot.closes_at
        self.dealer = snapshot.dealer
        self.suspended = snapshot.suspended

    def take(self, message: Public | Countdown | Dealer | Suspended) -> None:
        """Bring the view up to date."""
        match message:
            case Public():
                apply_changes(self, message.changes)
            case Countdown():
                self.closes_at = message.closes_at
            case Dealer():
                self.dealer = message.dealer
            case Suspended():
                self.suspended = message.suspended


def table_from(snapshot: TableSnapshot) -> LiveTable:
    """Begin with a snapshot."""
    view = snapshot.view
    table = LiveTable(view.table, view.currency, view.phase, view.round, view.tumbler)
    table.begin(snapshot)
    return table


def replace_fields(held: Struct, view: Struct) -> None:
    """Put a newer view in the place of one that somebody holds."""
    for name in view.__struct_fields__:
        setattr(held, name, getattr(view, name))
