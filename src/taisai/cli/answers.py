"""A settled round as an answer for programs, and why one could not be settled."""

from typing import Any

from taisai.core.rules.money import write_odds
from taisai.core.rules.settlement import SettledBet, Settlement
from taisai.wording import say

Answer = dict[str, Any]


def settlement_answer(settlement: Settlement, language: str) -> Answer:
    """Tell a settled round, each bet with its clause and reason."""
    return {
        "call": say(settlement.call),
        "total": settlement.result.total,
        "winners": settlement.winners,
        "bets": [settled_answer(bet, language) for bet in settlement.bets],
        "collected": settlement.collected,
        "paid": settlement.paid,
    }


def settled_answer(bet: SettledBet, language: str) -> Answer:
    """Tell one settled bet."""
    return {
        "player": bet.player,
        "box": bet.box,
        "stake": bet.stake,
        "playing": bet.playing,
        "outcome": bet.outcome.value,
        "odds": None if bet.odds is None else write_odds(bet.odds),
        "won": bet.won,
        "back": bet.back,
        "clause": bet.clause,
        "reason": say(bet.reason, language),
    }


def error_answer(code: str, message: str) -> Answer:
    """Tell why something could not be settled."""
    return {"error": {"code": code, "message": message}}
