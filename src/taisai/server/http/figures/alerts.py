"""Alerts for the pit: conditions that need attention now, the most urgent first.

Each alert has a name, so that a person can acknowledge it. A condition without a time of its own
begins when it is first found here; one that ends and comes back is another alert. After a restart
it is found again, and nobody has acknowledged it.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Reason, because
from taisai.core.table.state import TableState
from taisai.core.venue.alerts import BLANK_MAX
from taisai.core.venue.state import AlertCare, AlertStep
from taisai.projections.figures.days import Count
from taisai.projections.figures.drawer import Drawer
from taisai.projections.figures.sums import band_of
from taisai.projections.figures.tally import Tally
from taisai.rulebooks import is_approved
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_of, table_stream
from taisai.server.accounts.wrong_vouchers import WITHIN_MS, WrongVouchers
from taisai.server.figures.follower import Figures
from taisai.server.http.accounts.approvals import waiting
from taisai.server.http.cage.drawer import on_the_way
from taisai.server.http.frame.dependencies import tables_of
from taisai.wording import Told, plain, say

#: The newest notices of the venue that are shown with the alerts.
NOTICES_SHOWN = 30
#: How many clients that tried wrong vouchers are shown.
TRIES_SHOWN = 20
#: A win is compared with its band after so many rounds: before, it is not nearly normal.
ROUNDS_MIN = 100
#: A count that differs from the books is shown for a day; the reports keep it for ever.
COUNTS_SHOWN_MS = 24 * 3_600 * 1_000
#: Notices of trouble; trouble that lasts is an alert of its own, and other notices inform.
_TROUBLE = frozenset(
    {
        *("broken", "suspended", "interrupted", "journal", "stopping"),
        *("unverified", "clock", "copy", "snapshot-refused"),
    }
)
_ORDER = {"act": 0, "watch": 1, "info": 2}

#: How often alerts are checked for their end, besides whenever they are shown.
WATCH_SECONDS = 10.0
#: Parameters that may change while an alert lasts: it stays the same alert.
_CHANGING = {
    "PIT_HOLD_OUTSIDE": frozenset({"rounds", "deviation"}),
    "PIT_VOUCHERS_TRIED": frozenset({"count"}),
    "PIT_VOUCHERS_TRIED_HERE": frozenset({"count"}),
    "PIT_FILL_LATE": frozenset({"minutes"}),
    "PIT_CREDIT_LATE": frozenset({"minutes"}),
}
#: Alerts whose time is that of their last event, not of their first.
_GOING_ON = frozenset({"PIT_VOUCHERS_TRIED", "PIT_VOUCHERS_TRIED_HERE"})

Level = Literal["act", "watch", "info"]
#: Alerts that are not worded yet: since when, at which table, how urgent, and the reason.
_Found = Iterator[tuple[Instant | None, str | None, Level, Reason]]

_log = logging.getLogger(__name__)


class Care(Struct, frozen=True):
    """What people did about an alert."""

    #: Who acknowledged it; null where nobody has.
    acknowledged: AlertStep | None
    #: In whose hands it is; null where nobody took it.
    person: str | None
    #: Everything that was done, the oldest first.
    steps: tuple[AlertStep, ...]


class Alert(Struct, frozen=True):
    """Something the pit should know of; `at` is null where it simply is so now."""

    at: Instant | None
    table: str | None
    code: str
    level: Level
    sentence: str
    #: What it is known by, until it is over.
    alert: str
    #: When it began, or was first found since the venue was started.
    since: Instant
    #: Null where nobody has done anything about it.
    care: Care | None = None


class FoundAlert(NamedTuple):
    """An alert that is not worded yet."""

    alert: str
    since: Instant
    at: Instant | None
    table: str | None
    level: Level
    code: str
    reason: Reason


def care_shown(care: AlertCare | None) -> Care | None:
    """Show who acknowledged an alert and who has it; None if nobody."""
    return None if care is None else Care(care.acknowledged, care.person, care.steps)


def venue_if_open(runtime: Runtime) -> tuple[str, ...]:
    """Name the venue's own stream, unless it is suspended: then it is not waited for."""
    return (VENUE,) if runtime.writer(VENUE).suspended is None else ()


class Alerts:
    """The alerts of a venue, each with a name for as long as it lasts."""

    def __init__(
        self, runtime: Runtime, figures: Figures, wrong_vouchers: Callable[[], WrongVouchers]
    ) -> None:
        self._runtime = runtime
        self._figures = figures
        self._wrong_vouchers = wrong_vouchers
        #: When each alert without a time of its own began.
        self._since: dict[bytes, Instant] = {}
        self._due: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Check now and then, so that an alert's end is noticed even if nobody looks at it."""
        self._due = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._look)

    def close(self) -> None:
        """Stop checking."""
        if self._due is not None:
            self._due.cancel()

    def _look(self) -> None:
        try:
            self.found()
        except Exception:  # noqa: BLE001 - logged; whoever looks sees it too
            _log.exception("alerts could not be looked for")
        self.begin()

    def shown(self, language: str) -> list[Alert]:
        """List the alerts, and the newest notices of the venue."""
        cared = self._runtime.state.alerts
        return [
            Alert(
                at=each.at,
                table=each.table,
                code=each.code,
                level=each.level,
                sentence=say(each.reason, language),
                alert=each.alert,
                since=each.since,
                care=care_shown(cared.get(each.alert)),
            )
            for each in self.found()
        ]

    def found(self) -> list[FoundAlert]:
        """Find the present alerts, the most urgent first."""
        now, since, found = self._runtime.clock.now(), dict[bytes, Instant](), list[FoundAlert]()
        for at, table, level, code, reason in self._everything():
            what = _identity(code, table, reason)
            began = at
            if began is None or code in _GOING_ON:
                first = at if at is not None else _reported_at(self._runtime, code, table) or now
                began = since[what] = self._since.get(what, first)
            name = hashlib.sha256(what + str(began).encode()).hexdigest()[:16]
            found.append(FoundAlert(name, began, at, table, level, code, reason))
        self._since = since
        return sorted(found, key=lambda each: _ORDER[each.level])

    def _everything(self) -> Iterator[tuple[Instant | None, str | None, Level, str, Reason]]:
        runtime, figures = self._runtime, self._figures
        tallies = {
            name: tally for name in tables_of(runtime) if (tally := figures.of(table_stream(name)))
        }
        found = chain(
            _of_streams(runtime),
            _of_clock(runtime),
            _of_tables(runtime, tallies),
            _of_counts(runtime, tallies, figures.drawer),
            _of_transits(runtime, figures),
            _of_terminals(runtime),
            _of_vouchers(self._wrong_vouchers(), runtime.clock.now()),
            _approvals(runtime),
        )
        for at, table, level, reason in found:
            yield at, table, level, reason.code, reason
        for notice in islice(reversed(runtime.announcements), NOTICES_SHOWN):
            trouble: Level = "watch" if notice.code in _TROUBLE else "info"
            text = notice.text
            said = text.reason if isinstance(text, Told) else because("PIT_NOTICE", text=text)
            yield notice.at, table_of(notice.stream), trouble, notice.code, said


def _reported_at(runtime: Runtime, code: str, table: str | None) -> Instant | None:
    """Give the time at which a report put a round in doubt, as the journal has it."""
    if code != "PIT_IN_DOUBT" or table is None:
        return None
    reports = runtime.table(table).lasting.values()
    return min((each.at for each in reports), default=None)


def _identity(code: str, table: str | None, reason: Reason) -> bytes:
    """Give what identifies an alert, without the parameters that change while it lasts."""
    changing = _CHANGING.get(code, frozenset())
    params = plain(reason, BLANK_MAX).params.items()
    lasting = sorted((name, each) for name, each in params if name not in changing)
    return msgspec.json.encode((code, table, lasting))


def _of_streams(runtime: Runtime) -> _Found:
    """Report the cage and the venue's own stream if they are suspended."""
    for stream, code in ((CAGE, "PIT_CAGE_SUSPENDED"), (VENUE, "PIT_VENUE_SUSPENDED")):
        why = runtime.writer(stream).suspended
        if why is not None:
            yield None, None, "act", because(code, why=why)


def _of_clock(runtime: Runtime) -> _Found:
    """Report clocks that do not agree: commands that depend on dates are put off [D35]."""
    doubt = runtime.clock.doubt()
    if doubt is not None:
        code = "PIT_CLOCK_AHEAD" if doubt.ahead_ms else "PIT_CLOCK_DATABASE"
        yield None, None, "act", because(code)


def _of_tables(runtime: Runtime, tallies: Mapping[str, Tally]) -> _Found:
    for table in tables_of(runtime):
        why = runtime.writer(table_stream(table)).suspended
        if why is not None:
            yield None, table, "act", because("PIT_SUSPENDED", table=table, why=why)
        else:
            state = runtime.table(table)
            yield from ((None, table, "act", each) for each in _of_state(state))
            if state.rulebook is not None and not is_approved(state.rulebook):
                key = state.rulebook.key
                yield None, table, "watch", because("PIT_SUPERSEDED", table=table, rulebook=key)
        if table in tallies:
            yield from _of_figures(table, tallies[table])


def _of_state(state: TableState) -> Iterator[Reason]:
    table, number = state.table, state.round
    if state.stopped is not None:
        yield because("PIT_STOPPED", table=table, clause=state.stopped)
    if state.in_doubt is not None:
        yield because("PIT_IN_DOUBT", table=table, round=number, what=state.in_doubt)
    for code, ruled_in in state.unruled.items():
        yield because("PIT_UNRULED", table=table, round=ruled_in, what=code)
    if state.waiting:
        yield because("PIT_WAITING", table=table, round=number)
    locked = sum(seat.locked for seat in state.positions.values())
    if locked:
        yield because("PIT_TERMINALS_LOCKED", table=table, count=locked)
    failed = sum(seat.failed for seat in state.positions.values())
    if failed:
        yield because("PIT_TERMINALS_FAILED", table=table, count=failed)


def _of_figures(table: str, tally: Tally) -> _Found:
    sums = tally.state.sums
    band = band_of(sums)
    if band.standing == "outside" and sums.rounds >= ROUNDS_MIN:
        far = f"{band.deviation:+.1f}"
        reason = because("PIT_HOLD_OUTSIDE", table=table, rounds=sums.rounds, deviation=far)
        yield None, table, "watch", reason
    for dice_set, monitor in tally.dice.items():
        if monitor.alarmed_at is not None:
            alarm = {"throw": monitor.alarmed_at, "chance": round(monitor.alarm_at)}
            reason = because("PIT_DICE_ALARM", table=table, dice_set=dice_set, **alarm)
            yield None, table, "act", reason


def _of_counts(runtime: Runtime, tallies: Mapping[str, Tally], drawer: Drawer | None) -> _Found:
    """Report all counts of the last day that differ from the books."""
    since = runtime.clock.now() - COUNTS_SHOWN_MS
    for table, tally in tallies.items():
        first = next(iter(tally.state.days), None)
        for day in tally.state.days.values():
            if day.count is not None:
                for at, reason in _of_count(table, day.date, day.count):
                    # The first float of a table is new to the books: it is no difference.
                    new = reason.code == "PIT_OPENING_DIFFERS" and day.date == first
                    if at > since and not (new and day.count.opening_expected == 0):
                        yield at, table, "watch", reason
    for shift in [] if drawer is None else drawer.state.shifts:
        if shift.difference and shift.closed_at > since:
            reason = because(
                "PIT_SHIFT_DIFFERS",
                cashier=shift.cashier,
                count_cents=shift.count,
                expected_cents=shift.expected,
            )
            yield shift.closed_at, None, "watch", reason


def _of_count(table: str, date: str, count: Count) -> Iterator[tuple[Instant, Reason]]:
    for code, at, counted, expected in (
        ("PIT_OPENING_DIFFERS", count.opened_at, count.opening, count.opening_expected),
        ("PIT_DROP_DIFFERS", count.drop_counted_at, count.drop, count.drop_expected),
        ("PIT_CLOSING_DIFFERS", count.closed_at, count.closing, count.closing_expected),
    ):
        if at is not None and counted is not None and expected is not None and counted != expected:
            cents = {"count_cents": counted, "expected_cents": expected}
            yield at, because(code, table=table, date=date, **cents)


def _of_transits(runtime: Runtime, figures: Figures) -> _Found:
    """Report chips that have been between cage and table for too long."""
    if runtime.writer(CAGE).suspended is not None:
        return
    moving = on_the_way(runtime, figures)
    for code, several in (("PIT_FILL_LATE", moving.fills), ("PIT_CREDIT_LATE", moving.credits)):
        for each in several:
            if each.late and each.sent_at is not None:
                reason = because(
                    code,
                    table=each.table,
                    transit=each.transit,
                    amount_cents=each.amount,
                    minutes=(runtime.clock.now() - each.sent_at) // 60_000,
                )
                yield each.sent_at, each.table, "act", reason


def _of_terminals(runtime: Runtime) -> _Found:
    """Report terminals whose key was used twice at once, until a new key or for a day."""
    since = runtime.clock.now() - COUNTS_SHOWN_MS
    for keyed, at in runtime.state.doubled.items():
        if at > since:
            table, _, terminal = keyed.partition("/")
            yield at, table, "act", because("PIT_CONNECTED_TWICE", table=table, terminal=terminal)


def _of_vouchers(tries: WrongVouchers, now: Instant) -> _Found:
    minutes = WITHIN_MS // 60_000
    for who, count, last in islice(tries.many(now), TRIES_SHOWN):
        counted = {"count": count, "minutes": minutes}
        if who is None:
            yield last, None, "act", because("PIT_VOUCHERS_TRIED_HERE", **counted)
        else:
            yield last, None, "act", because("PIT_VOUCHERS_TRIED", who=who, **counted)


def _approvals(runtime: Runtime) -> _Found:
    for stream, pending in waiting(runtime):
        order, table = pending.order, table_of(stream)
        asked = {"person": order.actor.person, "command": type(order.command).__name__}
        reason = because("PIT_APPROVAL_WAITS", to=table or stream, **asked)
        yield pending.at, table, "act", reason
