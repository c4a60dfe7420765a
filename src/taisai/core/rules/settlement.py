"""Settlement of a round: every bet with what it won, what goes back, the clause and the reason."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from taisai.core.rules.apportionment import Apportionment, Playing, playing_stakes
from taisai.core.rules.bets import Bet, box_refusal, stake_refusal, sum_by_player_and_box
from taisai.core.rules.dice import Result, call_of
from taisai.core.rules.limit_checks import player_refusal
from taisai.core.rules.limits import Limits, off_step, step_not_whole
from taisai.core.rules.outcome import losing_reason, winning_reason
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.core.rules.reason import Reason, Refusal, because


class Outcome(StrEnum):
    """What became of a bet; a returned one had nothing that played."""

    WIN = "win"
    LOSE = "lose"
    RETURNED = "returned"


class SettledBet(Struct, frozen=True):
    """One player's bets on one box, settled."""

    player: str
    box: str
    stake: int
    playing: int
    outcome: Outcome
    odds: Fraction | None
    won: int
    back: int
    clause: str
    reason: Reason
    by: Apportionment


class Settlement(Struct, frozen=True):
    """A round settled: the call, the winning boxes, each bet, and what the house took and paid."""

    result: Result
    call: Reason
    winners: Sequence[str]
    bets: Sequence[SettledBet]
    collected: int
    paid: int


def settle(
    table: PayTable, result: Result, bets: Sequence[Bet], limits: Limits | None = None
) -> Settlement | Refusal:
    """Settle a round's bets on a result: the losing ones collected, then the winning ones paid.

    Without limits everything plays. Nothing is settled where one bet is refused.

    [ts6 3.9, 4.1.1, 4.1.2, 4.1.3, 5.10; etg8 3.8, 4.1.3; div9 4.10, 6.5, 6.5(a), 6.5(b), 7.3]
    """
    refusal = next(_refusals(table, bets, limits), None)
    if refusal is not None:
        return refusal
    summed = sum_by_player_and_box(bets)
    playing = playing_stakes(table, summed, limits)
    settled = [
        _settle_bet(table, bet, part, result) for bet, part in zip(summed, playing, strict=True)
    ]
    settlement = Settlement(
        result=result,
        call=call_of(result),
        winners=table.winners(result),
        bets=settled,
        collected=sum(bet.playing for bet in settled if bet.outcome is Outcome.LOSE),
        paid=sum(bet.won for bet in settled),
    )
    _assert_conserved(settlement)
    return settlement


def _refusals(
    table: PayTable, bets: Sequence[Bet], limits: Limits | None
) -> Iterator[Refusal | None]:
    """Find why a round's bets cannot be settled: unknown boxes first, then stakes, then limits."""
    yield from filter(None, (box_refusal(table, bet.box) for bet in bets))
    yield from filter(None, (stake_refusal(bet.box, bet.stake) for bet in bets))
    if limits is None:
        yield from _parts_of_a_unit(table, bets)
        return
    if limits.step % table.step:
        yield step_not_whole(limits.step, table.step)
    for bet in bets:
        if bet.stake % limits.step:
            yield off_step(bet.box, bet.stake, limits.step)
    if table.limit_rules.scope == "player":
        yield player_refusal(table, limits, bets)


def _parts_of_a_unit(table: PayTable, bets: Sequence[Bet]) -> Iterator[Refusal]:
    for bet in sum_by_player_and_box(bets):
        step = table.boxes[bet.box].step
        if bet.stake % step:
            yield off_step(bet.box, bet.stake, step)


def _settle_bet(table: PayTable, bet: Bet, part: Playing, result: Result) -> SettledBet:
    box = table.boxes[bet.box]
    odds = box.odds_on(result) if part.stake else None
    won = 0 if odds is None else _whole(odds * part.stake)
    kept = part.stake if odds is None else 0
    outcome = _outcome(part, odds)
    return SettledBet(
        player=bet.player,
        box=bet.box,
        stake=bet.stake,
        playing=part.stake,
        outcome=outcome,
        odds=odds,
        won=won,
        back=bet.stake - kept + won,
        clause=_clause(table, box, outcome, result),
        reason=_reason(box, outcome, odds, result),
        by=part.by,
    )


def _outcome(part: Playing, odds: Fraction | None) -> Outcome:
    if part.stake == 0:
        return Outcome.RETURNED
    return Outcome.LOSE if odds is None else Outcome.WIN


def _clause(table: PayTable, box: BettingBox, outcome: Outcome, result: Result) -> str:
    if outcome is Outcome.RETURNED:
        clause = table.limit_rules.pro_rata_clause
        assert clause is not None, "only a rulebook with a clause for it shares a box pro rata"
        return clause
    return box.clause_on(result)


def _reason(box: BettingBox, outcome: Outcome, odds: Fraction | None, result: Result) -> Reason:
    if outcome is Outcome.RETURNED:
        return because("RETURNED", box=box.key)
    if odds is None:
        return losing_reason(box.name, result)
    return winning_reason(box.name, odds, result)


def _whole(amount: Fraction) -> int:
    assert amount.denominator == 1, "the stake step keeps every payment whole"
    return amount.numerator


def _assert_conserved(settlement: Settlement) -> None:
    """Assert that what goes back is what was staked, less what is collected, plus what is paid."""
    staked = sum(bet.stake for bet in settlement.bets)
    back = sum(bet.back for bet in settlement.bets)
    assert back == staked - settlement.collected + settlement.paid, "money is conserved"
