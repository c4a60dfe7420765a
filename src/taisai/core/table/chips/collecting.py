"""Collecting the losing bets: the dealer's first act after the result, before the winners are paid.

No money moves until the round is paid: what was collected goes back if the result is amended or the
round is voided [D23].
"""

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.registry import CHIP_TABLE, applies, command, decides, event
from taisai.core.kernel.roles import PLACING
from taisai.core.table.chips.payout import Guide, collection_refusal, payout_guide
from taisai.core.table.chips.pieces import CollectedChips
from taisai.core.table.chips.state import collect, uncollect
from taisai.core.table.state import TableState, chip_table_of, unconfirmed_refusal


@command(at=CHIP_TABLE, by=PLACING, part="settlement")
class CollectLosers(Command, frozen=True):
    """Say that the losing bets are collected, and that what was collected wrongly is back."""


@event(at=CHIP_TABLE, significant=False, posts=False, shown=True)
class LosersCollected(Event, frozen=True):
    """Losing bets taken off the layout; `put_back` are not lost after all, and lie there again."""

    round: int
    collected: tuple[CollectedChips, ...]
    by: str
    put_back: tuple[CollectedChips, ...] = ()


@decides
def collect_losers(
    state: TableState, _command: CollectLosers, actor: Actor, at: Instant
) -> Decision:
    """Collect the losing bets of the confirmed result [ts6 3.9; div9 6.5(a)]."""
    refusal = unconfirmed_refusal(state, at)
    if refusal is not None:
        return refusal
    guide = payout_guide(state)
    refusal = collection_refusal(state, guide)
    if refusal is not None:
        return refusal
    return collected_by(state, guide, actor)


def collected_by(state: TableState, guide: Guide, actor: Actor) -> tuple[Event, ...]:
    """Record the chips that are collected by the lists of a round, if there are any."""
    if not guide.collect and not guide.put_back:
        return ()
    return (LosersCollected(state.round, guide.collect, actor.person, guide.put_back),)


@applies
def losers_collected(state: TableState, event: LosersCollected) -> None:
    chip_table = chip_table_of(state)
    uncollect(chip_table, event.put_back)
    collect(chip_table, event.collected)
    stay = tuple(each for each in chip_table.collected if each not in event.put_back)
    chip_table.paying = True
    chip_table.collected = (*stay, *event.collected)
