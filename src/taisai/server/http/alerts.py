"""Alerts for the pit: what somebody should look at now, the most urgent first."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Literal

from msgspec import Struct

from taisai.core.messages import Instant
from taisai.core.reason import Reason, because
from taisai.core.table_state import TableState
from taisai.runtime.house import House
from taisai.runtime.publishing import Notice
from taisai.runtime.streams import table_of, table_stream
from taisai.server.figures.bands import band_of
from taisai.server.figures.tally import Tally
from taisai.server.http.approving import waiting
from taisai.server.http.given import tables_of
from taisai.wording import say

#: The newest notices of the house that are told with the alerts.
NOTICES_TOLD = 30
#: A win is held against its band once there are so many rounds: before, it is not nearly normal.
ROUNDS_MIN = 100
#: Notices of trouble; what is still so is an alert of its own, and the rest inform.
_TROUBLE = frozenset(
    {
        *("broken", "suspended", "interrupted", "journal", "stopping"),
        *("unverified", "clock", "copy", "snapshot-refused"),
    }
)
_ORDER = {"act": 0, "watch": 1, "info": 2}

Level = Literal["act", "watch", "info"]


class Alert(Struct, frozen=True):
    """Something the pit should know of; `at` is null where it simply is so now."""

    at: Instant | None
    table: str | None
    code: str
    level: Level
    sentence: str


def alerts_of(house: House, tallies: Mapping[str, Tally], language: str) -> list[Alert]:
    """List what wants attention, and the newest of what the house told its pit."""
    found = [*_of_tables(house, tallies, language), *_approvals(house, language)]
    notices = islice(reversed(house.notices), NOTICES_TOLD)
    found += [_notice(each) for each in notices]
    return sorted(found, key=lambda each: _ORDER[each.level])


def _of_tables(house: House, tallies: Mapping[str, Tally], language: str) -> Iterator[Alert]:
    for table in tables_of(house):
        why = house.writer(table_stream(table)).suspended
        found = [] if why is not None else [*_of_state(house.table(table))]
        if why is not None:
            found.append(("act", because("PIT_SUSPENDED", table=table, why=why)))
        if table in tallies:
            found += _of_figures(table, tallies[table])
        for level, reason in found:
            yield Alert(None, table, reason.code, level, say(reason, language))


def _of_state(state: TableState) -> Iterator[tuple[Level, Reason]]:
    table, number = state.table, state.round
    if state.stopped is not None:
        yield "act", because("PIT_STOPPED", table=table, clause=state.stopped)
    if state.in_doubt is not None:
        yield "act", because("PIT_IN_DOUBT", table=table, round=number)
    if state.waiting:
        yield "act", because("PIT_WAITING", table=table, round=number)
    locked = sum(seat.locked for seat in state.terminals.values())
    if locked:
        yield "act", because("PIT_TERMINALS_LOCKED", table=table, count=locked)


def _of_figures(table: str, tally: Tally) -> Iterator[tuple[Level, Reason]]:
    sums = tally.kept.sums
    band = band_of(sums)
    if band.standing == "outside" and sums.rounds >= ROUNDS_MIN:
        far = f"{band.deviation:+.1f}"
        yield "watch", because("PIT_HOLD_OUTSIDE", table=table, rounds=sums.rounds, deviation=far)
    for dice_set, monitor in tally.dice.items():
        if monitor.alarmed_at is not None:
            yield (
                "act",
                because(
                    "PIT_DICE_ALARM",
                    table=table,
                    dice_set=dice_set,
                    throw=monitor.alarmed_at,
                    chance=round(monitor.alarm_at),
                ),
            )


def _approvals(house: House, language: str) -> Iterator[Alert]:
    for stream, pending in waiting(house):
        order, to = pending.order, table_of(stream) or stream
        reason = because(
            "PIT_APPROVAL_WAITS",
            person=order.actor.person,
            to=to,
            command=type(order.command).__name__,
        )
        yield Alert(pending.at, table_of(stream), reason.code, "act", say(reason, language))


def _notice(notice: Notice) -> Alert:
    """Tell what the house told its pit, in its own words."""
    level: Level = "watch" if notice.code in _TROUBLE else "info"
    return Alert(notice.at, table_of(notice.stream), notice.code, level, notice.text)
