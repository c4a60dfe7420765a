"""Steps as they are tried: a command, and the fields that a person still has to fill in.

Also the tries outside a round's main line: what people declare after an interruption, and the
counts of a gaming day.
"""

from collections.abc import Iterator
from typing import NamedTuple

from taisai.core.kernel.ledger import DROP
from taisai.core.kernel.messages import Instant
from taisai.core.rules.dice import RESULTS
from taisai.core.table.chips.by_hand import EnterRoundByHand
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop, OpenDay, last_date_at
from taisai.core.table.interruption import DeclareOutcome, Fact, ResumePlay
from taisai.core.table.state import Phase, TableState, ruling_on
from taisai.protocol.client_messages import WireCommand


class Try(NamedTuple):
    """A step: the command that is tried, and the fields that a person still has to fill in."""

    command: WireCommand
    fields: tuple[str, ...] = ()


#: With an amount in the drop box: a box that was counted already is empty.
COUNT_DROP = Try(CountDrop(1, 0), ("cash", "chips"))
CLOSE_DAY = Try(CloseDay(()), ("count",))


def open_day(at: Instant) -> Try:
    """Try to open a gaming day with the last date allowed now: a person enters the right one."""
    return Try(OpenDay(last_date_at(at), ()), ("date", "count"))


def day_tries(state: TableState, at: Instant) -> Iterator[Try]:
    """List the counts of a chip table."""
    if state.chips is not None:
        yield from (open_day(at), COUNT_DROP, CLOSE_DAY)


def closing_line(state: TableState) -> tuple[WireCommand, ...]:
    """List the steps left of a gaming day that was played; none if it has not begun."""
    if state.chips is None or state.chips.day is None or not state.chips.day.played:
        return ()
    drop = (COUNT_DROP.command,) if state.ledger.balance(DROP) else ()
    return (CLOSE_DAY.command, *drop)


def testimony_tries(state: TableState) -> Iterator[Try]:
    """List what people may declare when a table waits for them [D27]."""
    if state.chips is not None:
        yield Try(ResumePlay())
        faces = state.faces or RESULTS[0].faces
        yield Try(EnterRoundByHand(faces, ()), ("faces", "stacks", "paid", "note"))
    yield _declaration(state)


def _declaration(state: TableState) -> Try:
    """Try to declare an outcome: void, or if the rules do not allow that, some dice.

    The facts that both persons would have to testify to are among the fields.
    """
    facts: tuple[Fact, ...] = ()
    if state.phase is Phase.BETTING and state.chips is not None:
        facts += ("closed",)
    if state.phase in (Phase.BETTING, Phase.NO_MORE_BETS) and not state.tumbled:
        facts += ("tumbled",)
    fields = ("faces", *(f"testified-{fact}" for fact in facts))
    found = None if state.rulebook is None else ruling_on(state, "interrupted-without-outcome")
    if found is None or found.ruling == "void-round":
        return Try(DeclareOutcome(None), fields)
    return Try(DeclareOutcome(RESULTS[0].faces, facts), fields)
