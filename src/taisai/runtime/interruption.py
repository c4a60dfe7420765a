"""Rounds that are under way when the runtime starts or stops: finished, or ruled on [D9].

A chip table is not stopped by the runtime: people may go on dealing, and record later what happened
[D27].
"""

from taisai.core.kernel.messages import Command, Order
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.round import CloseBets, ConfirmResult, Settle
from taisai.core.table.state import IN_ROUND, NOT_OPEN, Phase, TableState
from taisai.runtime.answers import AGAIN, HOST, Registered
from taisai.runtime.tumblers.device import Device
from taisai.runtime.writer import Writer
from taisai.wording import told


async def rule_on_interruption(writer: Writer) -> str | None:
    """Apply the documents' rule to a round that was cut short; give the ruling, if any."""
    if writer.suspended is not None or not _was_cut_short(writer.state):
        return None
    version = writer.head.version
    writer.only = f"interruption-{version}"
    command = RecordInterruption(f"the venue was stopped at version {version}")
    try:
        answer = await writer.submit(Order(writer.only, HOST, command))
    finally:
        writer.only = None
    if isinstance(answer, Registered):
        ruling = getattr(answer.events[0], "ruling", "none")
        if writer.state.chips is not None:
            return told("NOTICE_TESTIMONY")
        return told("NOTICE_INTERRUPTED", round=writer.state.round, ruling=ruling)
    if writer.suspended is None:
        # A round that was cut short must not go on before it has been ruled on.
        why = told("INTERRUPTION_UNRECORDED", code=answer.code)
        writer.suspend(why, passing=answer.code in AGAIN)
    return None


def _was_cut_short(state: TableState) -> bool:
    """Say whether something may have happened: in a round, or at a chip table that was open."""
    is_open = state.phase not in NOT_OPEN
    return state.phase in IN_ROUND or (state.chips is not None and is_open)


async def finish_round(writer: Writer, device: Device | None) -> None:
    """Close the bets, and finish the round as far as no person is needed; not at a chip table."""
    if writer.suspended is not None or writer.state.chips is not None:
        return
    steps: list[tuple[Phase, Command]] = [(Phase.BETTING, CloseBets(bell=True))]
    if device is not None:
        steps.append((Phase.RESULT, ConfirmResult()))
    steps.append((Phase.CONFIRMED, Settle()))
    for phase, command in steps:
        if writer.state.phase is phase:
            id_ = f"{type(command).__name__}-{writer.head.version}"
            await writer.submit(Order(id_, HOST, command))
        if device is not None:
            await device.settled()
