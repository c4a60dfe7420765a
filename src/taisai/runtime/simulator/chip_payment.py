"""What a simulated dealer does by the lists of a chip table: collect, then pay; or amiss."""

from taisai.core.kernel.messages import Command
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.pieces import Chips
from taisai.core.table.round import Settle
from taisai.core.table.state import TableState


def payment_step(state: TableState, *, errs: bool) -> tuple[Command, Chips]:
    """Give what the lists say is next, or the other where somebody errs; and the fill it wants."""
    guide = payout_guide(state)
    collects = bool(guide.collect or guide.put_back) is not errs
    return (CollectLosers() if collects else Settle()), guide.wanted
