"""What becomes of a round that is under way when the runtime starts or stops [D9]."""

from taisai.core.kernel.messages import Command, Order
from taisai.core.table.irregularities import RecordInterruption
from taisai.core.table.round import CloseBets, ConfirmResult, Settle
from taisai.core.table.state import IN_ROUND, Phase
from taisai.runtime.answers import HOST, Registered
from taisai.runtime.tumblers.device import Device
from taisai.runtime.writer import Writer


async def rule_on_interruption(writer: Writer) -> str | None:
    """Apply the documents' rule to a round that was cut short; say what was ruled, if anything."""
    if writer.suspended is not None or writer.state.phase not in IN_ROUND:
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
        return f"round {writer.state.round} was under way: {ruling}"
    if writer.suspended is None:
        # Nothing goes on in a round that was cut short before it has been ruled on.
        writer.suspend(f"the interruption could not be recorded: {answer.code}")
    return None


async def finish_round(writer: Writer, device: Device | None) -> None:
    """Close the bets, and finish the round as far as it takes no person."""
    if writer.suspended is not None:
        return
    steps: list[tuple[Phase, Command]] = [(Phase.BETTING, CloseBets(bell=True))]
    if device is not None:
        steps.append((Phase.RESULT, ConfirmResult()))
    if writer.state.chips is None:
        # Chips are paid by people, who say so.
        steps.append((Phase.CONFIRMED, Settle()))
    for phase, command in steps:
        if writer.state.phase is phase:
            id_ = f"{type(command).__name__}-{writer.head.version}"
            await writer.submit(Order(id_, HOST, command))
        if device is not None:
            await device.settled()
