"""What a table still wants before it opens: its rulebook, limits, dice and checks, in words."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from taisai.core.kernel.messages import Instant, LimitsAsked, Role
from taisai.core.table.setup import (
    AdoptRulebook,
    OpenTable,
    RecordChecks,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import Phase, TableState
from taisai.protocol.console import Step
from taisai.server.console.steps import Try, open_day, step_of
from taisai.wording import name

_SAID = "–"


class Wanted(Struct, frozen=True):
    """Something wanted before a table opens: whether it is there, and the step that brings it."""

    code: str
    name: str
    done: bool
    #: What is there: which rulebook, which set of dice.
    value: str | None
    clause: str | None
    step: Step


class Opening(Struct, frozen=True):
    """What is wanted before a table opens, in its order; the last is to open it."""

    table: str
    phase: str
    #: Whether it has been opened.
    open: bool
    #: Whether nothing is wanted any more but to open it.
    ready: bool
    #: Who makes the checks, as the document calls them.
    checked_by: str | None
    wanted: list[Wanted]


class _Item(NamedTuple):
    code: str
    done: bool
    tried: Try
    value: str | None = None
    clause: str | None = None


def opening_for(state: TableState, role: Role, language: str, at: Instant) -> Opening:
    """Show somebody in a role what a table wants; nothing is carried out."""
    items = [*_items(state, at)]
    lacking = [item for item in items if not item.done]
    wanted = [_wanted(state, each, role, language, at, now=each in lacking[:1]) for each in items]
    content = None if state.rulebook is None else state.rulebook.content
    return Opening(
        table=state.table,
        phase=state.phase.value,
        open=_is_open(state),
        ready=[item.code for item in lacking] == ["open"],
        checked_by=None if content is None else content.procedure.opening_by,
        wanted=wanted,
    )


def _is_open(state: TableState) -> bool:
    return state.phase not in (Phase.NEW, Phase.CLOSED)


def _items(state: TableState, at: Instant) -> Iterator[_Item]:
    content = None if state.rulebook is None else state.rulebook.content
    address = None if state.pay_table is None else state.pay_table.address
    book = None if content is None else f"{content.title}, {address}"
    adopt = Try(AdoptRulebook("", 0), ("canonical", "pay_table"))
    yield _Item("rulebook", content is not None, adopt, book)
    clause = None if content is None else content.limits.displayed_clause
    limits = Try(SetLimits(_smallest(state)), ("limits",))
    yield _Item("limits", state.limits is not None, limits, None, clause)
    dice = Try(RegisterDice(_SAID, _SAID), ("dice_set", "seal"))
    yield _Item("dice", state.dice_set is not None, dice, state.dice_set)
    for check in () if content is None else content.procedure.opening_checks:
        done = check.code in state.checks or _is_open(state)
        yield _Item(check.code, done, Try(RecordChecks((check.code,))), None, check.clause)
    if state.stopped is not None:
        yield _Item("in-order", False, Try(Rectify(_SAID), ("note",)), None, state.stopped)
    if state.chips is not None:
        day = state.chips.day
        value = None if day is None else day.date
        yield _Item("gaming-day", day is not None, open_day(at), value)
    yield _Item("open", _is_open(state), Try(OpenTable()))


def _smallest(state: TableState) -> LimitsAsked:
    """Ask for limits that are in order, whatever the pay table."""
    step = 1 if state.pay_table is None else state.pay_table.step
    if state.chips is not None:
        step *= state.chips.chip_set.smallest
    return LimitsAsked(step, step, step)


def _wanted(
    state: TableState, item: _Item, role: Role, language: str, at: Instant, *, now: bool
) -> Wanted:
    step = step_of(state, item.tried, role, language, at, now=now)
    called = name("opening", item.code, language)
    return Wanted(item.code, called, item.done, item.value, item.clause, step)
