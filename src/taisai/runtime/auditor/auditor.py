"""The auditor of a venue: every stream's events, decision by decision, and the books of all."""

from collections.abc import Mapping, Sequence

from taisai.core.cage.vouchers import CageOpened
from taisai.core.kernel.messages import Event, Instant
from taisai.core.table.betting import BetsRegistered
from taisai.core.table.setup import TableCreated
from taisai.runtime.auditor import (
    betting,
    chips,
    corrections,
    interruption,
    irregularities,
    positions,
    provably_fair,
    rounds,
    setup,
)
from taisai.runtime.auditor.approvals import SecondPerson
from taisai.runtime.auditor.books import AuditError, Books, Transits
from taisai.runtime.auditor.cage import AuditedCage
from taisai.runtime.auditor.chips import check_rack
from taisai.runtime.auditor.corrections import NOTHING_ASKED, Asked
from taisai.runtime.auditor.pay_tables import Throw
from taisai.runtime.auditor.registry import ROUTINE, audit
from taisai.runtime.auditor.table import AFTER_CLOSE, AuditedTable
from taisai.runtime.auditor.venue import AuditedVenue

VENUE, CAGE = "venue", "cage"

#: The subjects of a table; each registers the events that it audits.
SUBJECTS = (
    betting,
    chips,
    corrections,
    interruption,
    irregularities,
    positions,
    provably_fair,
    rounds,
    setup,
)
_NO_TABLES = (VENUE, CAGE)


class Auditor:
    """Audits a venue from its events alone; raises an `AuditError` with a sentence."""

    def __init__(self, transits: Transits | None = None) -> None:
        self.venue = AuditedVenue(SecondPerson(VENUE))
        self.transits = Transits() if transits is None else transits
        self.cage = AuditedCage(Books(CAGE), SecondPerson(CAGE), self.transits)
        self.tables: dict[str, AuditedTable] = {}
        self.decisions = 0

    def observe(
        self, stream: str, events: Sequence[Event], at: Instant, role: str | None = None
    ) -> None:
        """Check the events of one decision, in the order of the venue's streams.

        `role` is the sender's; if it is not known, it is not judged.
        """
        if stream not in _NO_TABLES and len(events) == 1 and type(events[0]) is BetsRegistered:
            self.observe_bets(stream, (events[0],), (at,), role)
            return
        self.decisions += 1
        if stream == VENUE:
            self._observe_venue(events, at)
        elif stream == CAGE:
            self._observe_cage(events, at)
        else:
            table = self.table(stream)
            table.asked_by = role
            self._observe_table(table, events, at)

    def observe_bets(
        self,
        stream: str,
        events: Sequence[BetsRegistered],
        times: Sequence[Instant],
        role: str | None = None,
    ) -> None:
        """Check a run of decisions of bets at a table: there are more than of all else together.

        Each has its time; nothing came between them, and the sender's role is the same. The bet
        that is wrong is the event under audit.
        """
        table = self.tables.get(stream) or self.table(stream)
        table.asked_by, table.decision = role, [events[0]]
        if table.due or table.locks_due:
            table.check_due(BetsRegistered)
        if table.second.granted is not None:
            # A command approved before must not be the first of these bets.
            betting.registered(table, events[0], times[0])
            table.second.end_decision()
            events, times = events[1:], times[1:]
            table.version += 1
            self.decisions += 1
        betting.registered_in_turn(table, events, times)
        table.version += len(events)
        self.decisions += len(events)
        table.books.close()

    def under_audit(self, stream: str) -> Event:
        """Give the event that was audited last at a table, or that is wrong."""
        event: Event = self.tables[stream].decision[-1]
        return event

    def asks(self, stream: str, events: Sequence[Event]) -> Asked:
        """Give the old rounds of a decision that the auditor must be given again first [D24]."""
        table = self.tables.get(stream)
        return NOTHING_ASKED if table is None else corrections.asks(table, events)

    def recall(
        self,
        stream: str,
        ends: Mapping[int, Event],
        drawn: Mapping[int, Throw],
        events: Mapping[int, Event],
    ) -> None:
        """Take what `asks` named: how rounds ended, what their secrets gave, events by version."""
        corrections.recall(self.tables[stream], ends, drawn, events)

    def table(self, stream: str) -> AuditedTable:
        """Give a table under audit; a new one from its first event on."""
        if stream not in self.tables:
            second = SecondPerson(stream)
            self.tables[stream] = AuditedTable(stream, Books(stream), second, self.transits)
        return self.tables[stream]

    def compare(self, stream: str, balances: Mapping[str, int]) -> None:
        """Check a ledger's balances against the auditor's own, and the stakes against the bets."""
        if stream == CAGE:
            self.cage.books.compare(balances)
            return
        table = self.tables[stream]
        table.books.compare(balances)
        for terminal in table.positions:
            bets = sum(table.bets.get(terminal, {}).values())
            if balances.get(f"stake:{terminal}", 0) != bets:
                raise table.wrong(
                    "the stakes of terminal {terminal} are not its bets, {bets}",
                    terminal=terminal,
                    bets=bets,
                )

    def compare_meter(self, stream: str, turnover: int, collected: int, won: int) -> None:
        """Check a table's meter against all settled rounds."""
        table = self.tables[stream]
        if (turnover, collected, won) != (table.turnover, table.collected, table.won):
            raise table.wrong(
                "its meter shows a turnover of {turnover}, not {turnover_2}",
                turnover=turnover,
                turnover_2=table.turnover,
            )

    def _observe_venue(self, events: Sequence[Event], at: Instant) -> None:
        for event in events:
            self.venue.check_opened(event)
            audit(self.venue, event, at)
        self.venue.second.end_decision()

    def _observe_cage(self, events: Sequence[Event], at: Instant) -> None:
        cage = self.cage
        for event in events:
            if isinstance(event, CageOpened):
                self._check_currency(CAGE, event.currency)
            audit(cage, event, at)
        cage.second.end_decision()
        cage.transits.end_decision()
        cage.books.close()

    def _observe_table(self, table: AuditedTable, events: Sequence[Event], at: Instant) -> None:
        table.decision = []
        table.seen_before = bool(table.doubted) or (table.tumbled and table.phase in AFTER_CLOSE)
        for event in events:
            kind = type(event)
            if kind is TableCreated:
                self._check_currency(table.name, event.currency)  # type: ignore[attr-defined]
                self._check_operator(table.name, event.operator)  # type: ignore[attr-defined]
            if table.due or table.locks_due:
                table.check_due(kind)
            table.version += 1
            table.decision.append(event)
            if kind not in ROUTINE:
                table.second.lapse()
            audit(table, event, at)
        if table.due or table.locks_due:
            table.check_due(None)
        if table.chips is not None:
            check_rack(table)
        table.second.end_decision()
        table.books.close()
        if table.recalled:
            table.recalled = {}

    def _check_operator(self, stream: str, operator: str | None) -> None:
        """A real house that says who operates it says so of its tables too [D30]."""
        own = self.venue.operator
        if own and operator != own:
            raise AuditError(
                "{stream}: it is operated by {operator}, and the venue by {own}",
                stream=stream,
                operator=operator,
                own=own,
            )

    def _check_currency(self, stream: str, currency: str) -> None:
        own = self.venue.currency
        if currency != own:
            raise AuditError(
                "{stream}: it deals in {currency}, and the venue in {own}",
                stream=stream,
                currency=currency,
                own=own,
            )
