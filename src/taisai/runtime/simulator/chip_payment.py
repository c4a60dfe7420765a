"""Payment at a simulated chip table by its lists: rule, collect, then pay; or a mistake."""

from taisai.core.kernel.messages import Command
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.pieces import Chips
from taisai.core.table.chips.rulings import AwaitsRuling, RuleOnBet, Verdict, bets_to_rule
from taisai.core.table.round import Settle
from taisai.core.table.state import TableState
from taisai.runtime.simulator.crowd import Chance


def payment_step(state: TableState, *, errs: bool) -> tuple[Command, Chips]:
    """Give the next step by the lists, or the wrong one if `errs`; and the fill that it needs."""
    guide = payout_guide(state)
    collects = bool(guide.collect or guide.put_back) is not errs
    return (CollectLosers() if collects else Settle()), guide.wanted


def rulings_due(chance: Chance, state: TableState) -> list[RuleOnBet]:
    """Give a ruling on each bet that awaits one."""
    return [_ruling(chance, each) for each in bets_to_rule(state)]


def _ruling(chance: Chance, bet: AwaitsRuling) -> RuleOnBet:
    """Rule on a bet in one of the possible ways; now and then without a reason, or for nothing."""
    verdicts: list[Verdict] = ["stands", "plays", "returned"]
    verdict = chance.pick(verdicts)
    box = bet.box if chance.happens(0.95) else "small"
    note = chance.pick(["the player could not know", "seen on camera", "seen on camera", " "])
    parts = [bet.amount // 2 // 100 * 100, bet.amount - 100, 100, bet.amount]
    plays = chance.pick(parts) if verdict == "plays" else None
    return RuleOnBet(bet.seat, box, verdict, note, plays)
