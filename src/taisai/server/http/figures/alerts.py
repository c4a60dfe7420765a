"""Alerts for the pit: what somebody should look at now, the most urgent first."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Literal

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import Reason, because
from taisai.core.table.state import TableState
from taisai.projections.figures.days import Count
from taisai.projections.figures.drawer import Drawer
from taisai.projections.figures.sums import band_of
from taisai.projections.figures.tally import Tally
from taisai.rulebooks import is_approved
from taisai.runtime.publisher import Announcement
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import CAGE, VENUE, table_of, table_stream
from taisai.server.accounts.wrong_vouchers import WITHIN_MS, WrongVouchers
from taisai.server.figures.follower import Figures
from taisai.server.http.accounts.approvals import waiting
from taisai.server.http.cage.drawer import on_the_way
from taisai.server.http.frame.dependencies import tables_of
from taisai.wording import say

#: The newest notices of the venue that are shown with the alerts.
NOTICES_SHOWN = 30
#: So many who tried wrong vouchers are shown.
TRYING_SHOWN = 20
#: A win is held against its band once there are so many rounds: before, it is not nearly normal.
ROUNDS_MIN = 100
#: A count that differs from the books is shown for a day; the reports keep it for good.
COUNTS_SHOWN_MS = 24 * 3_600 * 1_000
#: Notices of trouble; what is still so is an alert of its own, and the rest inform.
_TROUBLE = frozenset(
    {
        *("broken", "suspended", "interrupted", "journal", "stopping"),
        *("unverified", "clock", "copy", "snapshot-refused"),
    }
)
_ORDER = {"act": 0, "watch": 1, "info": 2}

Level = Literal["act", "watch", "info"]
#: An alert that is not worded yet: since when, at which table, how urgent, and what it is.
_Found = Iterator[tuple[Instant | None, str | None, Level, Reason]]


class Alert(Struct, frozen=True):
    """Something the pit should know of; `at` is null where it simply is so now."""

    at: Instant | None
    table: str | None
    code: str
    level: Level
    sentence: str


def alerts_of(
    runtime: Runtime, figures: Figures, wrong_vouchers: WrongVouchers, language: str
) -> list[Alert]:
    """List what wants attention, and the newest of what the venue announced."""
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
        _of_vouchers(wrong_vouchers, runtime.clock.now()),
        _approvals(runtime),
    )
    alerts = [
        Alert(at, table, reason.code, level, say(reason, language))
        for at, table, level, reason in found
    ]
    alerts += map(_notice, islice(reversed(runtime.announcements), NOTICES_SHOWN))
    return sorted(alerts, key=lambda each: _ORDER[each.level])


def _of_streams(runtime: Runtime) -> _Found:
    """Report the cage and of the venue's own stream, where they take nothing."""
    for stream, code in ((CAGE, "PIT_CAGE_SUSPENDED"), (VENUE, "PIT_VENUE_SUSPENDED")):
        why = runtime.writer(stream).suspended
        if why is not None:
            yield None, None, "act", because(code, why=why)


def _of_clock(runtime: Runtime) -> _Found:
    """Report clocks that do not agree: what depends on dates is put off [D35]."""
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
    """Report everything that was counted differently from the books in the last day."""
    since = runtime.clock.now() - COUNTS_SHOWN_MS
    for table, tally in tallies.items():
        first = next(iter(tally.state.days), None)
        for day in tally.state.days.values():
            if day.count is not None:
                for at, reason in _of_count(table, day.date, day.count):
                    # The first float of a table is new to the books: nothing is amiss with it.
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
    """Report terminals whose key was in two hands, until they get a new one or a day is over."""
    since = runtime.clock.now() - COUNTS_SHOWN_MS
    for keyed, at in runtime.state.doubled.items():
        if at > since:
            table, _, terminal = keyed.partition("/")
            yield at, table, "act", because("PIT_CONNECTED_TWICE", table=table, terminal=terminal)


def _of_vouchers(tries: WrongVouchers, now: Instant) -> _Found:
    minutes = WITHIN_MS // 60_000
    for who, count, last in islice(tries.many(now), TRYING_SHOWN):
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


def _notice(notice: Announcement) -> Alert:
    """Show an announcement of the venue in its own words."""
    level: Level = "watch" if notice.code in _TROUBLE else "info"
    return Alert(notice.at, table_of(notice.stream), notice.code, level, notice.text)
