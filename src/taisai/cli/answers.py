"""The answers that outside programs rely on, as plain data ready to be written as JSON."""

from typing import Any

from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.settlement import SettledBet, Settlement
from taisai.wording import say

Answer = dict[str, Any]


def rulebook_answer(rulebook: Rulebook) -> Answer:
    """Identify a rulebook: which document, which version, and the fingerprint of its content."""
    content = rulebook.content
    effective = content.effective
    return {
        "key": content.key,
        "title": content.title,
        "version": content.version,
        "effective": None if effective is None else effective.isoformat(),
        "sha256": rulebook.sha256,
    }


def rules_answer(rulebooks: list[Rulebook]) -> Answer:
    """List rulebooks with their pay tables."""
    return {
        "rulebooks": [
            {
                **rulebook_answer(rulebook),
                "pay_tables": [
                    {
                        "address": table.address,
                        "layout": table.layout.name,
                        "boxes": len(table.boxes),
                    }
                    for table in rulebook.pay_tables.values()
                ],
            }
            for rulebook in rulebooks
        ]
    }


def odds_answer(rulebook: Rulebook, table: PayTable) -> Answer:
    """Tell what each box of a pay table pays, and its exact chance and house edge."""
    return {
        "pay_table": table.address,
        "rulebook": rulebook_answer(rulebook),
        "layout": table.layout.name,
        "boxes": [_box_answer(box) for box in table.boxes.values()],
    }


def _box_answer(box: BettingBox) -> Answer:
    return {
        "box": box.key,
        "kind": box.kind.value,
        "name": box.bet_name,
        "pays": pays_answer(box),
        "ways": box.ways,
        "probability": write_fraction(box.probability),
        "house_edge": write_fraction(box.house_edge),
        "clause": box.wins_clause,
    }


def pays_answer(box: BettingBox) -> str | dict[str, str]:
    """Write what a box pays: its odds, or those for one, two and three dice."""
    if len(box.odds) == 1:
        return write_odds(box.odds[0])
    return {str(times): write_odds(odds) for times, odds in enumerate(box.odds, start=1)}


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
