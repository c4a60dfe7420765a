"""Settlement of a round: what every stake won and what goes back, by which clause and why.

All money is settled by `settle_stakes`, at a table and for the command line. `settle` also explains
each bet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from taisai.core.kernel.messages import SettledLine
from taisai.core.rules.apportionment import Apportionment, Playing, playing_stakes
from taisai.core.rules.bets import Bet, box_refusal, stake_refusal, sum_by_player_and_box
from taisai.core.rules.dice import Result, call_of
from taisai.core.rules.limit_checks import player_refusal
from taisai.core.rules.limits import Limits, off_step, step_not_whole
from taisai.core.rules.money import is_amount
from taisai.core.rules.outcome import losing_reason, winning_reason
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Reason, Refusal, because


class Outcome(StrEnum):
    """What became of a bet; of a returned one nothing played."""

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


class Verdict(Struct, frozen=True):
    """A box judged on a result: the outcome, the odds if it wins, the clause and the reason."""

    outcome: Outcome
    odds: Fraction | None
    clause: str
    reason: Reason


class Settled(Struct, frozen=True):
    """Settled lines, what the house collected and paid, and what each position won."""

    lines: tuple[SettledLine, ...]
    collected: int
    paid: int
    won: dict[str, int]


#: Stakes of positions by box. A position may come several times.
Stakes = Iterable[tuple[str, Mapping[str, int]]]
#: What boxes pay on a result, as numerator and denominator.
Odds = Mapping[str, tuple[int, int]]
#: What does not play, by position and box.
Idle = Mapping[tuple[str, str], int]
_NOTHING_IDLE: Idle = {}


def settle_stakes(
    table: PayTable, result: Result, stakes: Stakes, idle: Idle = _NOTHING_IDLE
) -> Settled:
    """Settle stakes, each box judged once, and assert that no money came or went.

    What does not play goes back whatever the dice show.

    [ts6 5.9; etg8 5.2.1, 5.7]
    """
    return settle_at(odds_on(table, result), stakes, idle)


def settle_at(odds: Odds, stakes: Stakes, idle: Idle = _NOTHING_IDLE) -> Settled:
    """Settle stakes at the odds of a result."""
    lines: list[SettledLine] = []
    won_by: dict[str, int] = {}
    staked = collected = back = 0
    for position, on_boxes in stakes:
        for box, stake in on_boxes.items():
            staked += stake
            resting = idle.get((position, box), 0) if idle else 0
            numerator, denominator = odds[box]
            if numerator:
                won, rest = divmod((stake - resting) * numerator, denominator)
                assert rest == 0, "the stake step keeps every payment whole"
                lines.append(SettledLine(position, box, stake, won, stake + won))
                won_by[position] = won_by.get(position, 0) + won
                back += stake + won
            else:
                lines.append(SettledLine(position, box, stake, 0, resting))
                collected += stake - resting
                back += resting
    paid = sum(won_by.values())
    assert back == staked - collected + paid, "money is conserved"
    return Settled(tuple(lines), collected, paid, won_by)


def odds_on(table: PayTable, result: Result) -> Odds:
    """Give what each box pays on a result, as numerator and denominator; a losing one nothing."""
    return _OddsOn(table, result)


class _OddsOn(dict[str, tuple[int, int]]):
    """The odds of boxes on a result, each computed when first needed: few boxes have bets."""

    def __init__(self, table: PayTable, result: Result) -> None:
        super().__init__()
        self._boxes, self._result = table.boxes, result

    def __missing__(self, key: str) -> tuple[int, int]:
        odds = self._boxes[key].odds_on(self._result)
        found = self[key] = (0, 1) if odds is None else odds.as_integer_ratio()
        return found


def idle_of(line: SettledLine, odds: Odds) -> int:
    """Find the part of a settled line that did not play: of a loser what was returned."""
    if not line.won:
        return line.back
    numerator, denominator = odds[line.box]
    return line.stake - line.won * denominator // numerator


def settle(
    table: PayTable, result: Result, bets: Sequence[Bet], limits: Limits | None = None
) -> Settlement | Refusal:
    """Settle a round's bets on a result: the losing ones collected, then the winning ones paid.

    Without limits everything plays. Nothing is settled where one bet is refused.

    [ts6 3.9, 4.1.1, 4.1.2, 4.1.3, 5.10; etg8 3.8, 4.1.3; div9 4.10, 6.5, 6.5(a), 6.5(b), 7.3]
    """
    reckoned = reckon(table, odds_on(table, result), bets, limits)
    if isinstance(reckoned, Refusal):
        return reckoned
    settled, playing = reckoned
    return Settlement(
        result=result,
        call=call_of(result),
        winners=table.winners(result),
        bets=[
            _explained(table, line, part, result)
            for line, part in zip(settled.lines, playing, strict=True)
        ],
        collected=settled.collected,
        paid=settled.paid,
    )


def reckon(
    table: PayTable, odds: Odds, bets: Sequence[Bet], limits: Limits | None
) -> tuple[Settled, list[Playing]] | Refusal:
    """Compute the money of a round at the odds of its result: lines, and how much of each plays."""
    refusal = next(_refusals(table, bets, limits), None)
    if refusal is not None:
        return refusal
    summed = sum_by_player_and_box(bets)
    playing = playing_stakes(table, summed, limits)
    stakes: list[tuple[str, dict[str, int]]] = []
    idle: dict[tuple[str, str], int] = {}
    for bet, part in zip(summed, playing, strict=True):
        stakes.append((bet.player, {bet.box: bet.stake}))
        if part.stake != bet.stake:
            idle[bet.player, bet.box] = bet.stake - part.stake
    return settle_at(odds, stakes, idle), playing


def _refusals(
    table: PayTable, bets: Sequence[Bet], limits: Limits | None
) -> Iterator[Refusal | None]:
    """Find why a round's bets cannot be settled: unknown boxes first, then stakes, then limits."""
    boxes = table.boxes
    for bet in bets:
        if bet.box not in boxes or not is_amount(bet.stake) or not bet.stake:
            yield from filter(None, (box_refusal(table, each.box) for each in bets))
            yield from filter(None, (stake_refusal(each.box, each.stake) for each in bets))
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


def _explained(table: PayTable, line: SettledLine, part: Playing, result: Result) -> SettledBet:
    found = verdict_on(table, line.box, result, plays=part.stake != 0)
    return SettledBet(
        player=line.position,
        box=line.box,
        stake=line.stake,
        playing=part.stake,
        outcome=found.outcome,
        odds=found.odds,
        won=line.won,
        back=line.back,
        clause=found.clause,
        reason=found.reason,
        by=part.by,
    )


def verdict_on(table: PayTable, key: str, result: Result, *, plays: bool) -> Verdict:
    """Judge a bet on a box by a result, also a bet of which nothing plays.

    [ts6 5.1.1] [D13]
    """
    box = table.boxes[key]
    if not plays:
        clause = table.limit_rules.pro_rata_clause
        assert clause is not None, "only a rulebook with a clause for it shares a box pro rata"
        return Verdict(Outcome.RETURNED, None, clause, because("RETURNED", box=key))
    odds, clause = box.odds_on(result), box.clause_on(result)
    if odds is None:
        return Verdict(Outcome.LOSE, None, clause, losing_reason(box.name, result))
    return Verdict(Outcome.WIN, odds, clause, winning_reason(box.name, odds, result))
