"""Settled rounds as answers: data for programs, a table for people, the story of each bet."""

from collections.abc import Iterator

from taisai.cli.command import Answer
from taisai.cli.text import align
from taisai.core.rules.apportionment import Apportionment, clause_of
from taisai.core.rules.limits import Limits, has_differential
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Reason, because, printable
from taisai.core.rules.settlement import Outcome, SettledBet, Settlement
from taisai.wording import name_box, say, write_amount

_HEADINGS = ("player", "box", "stake", "plays", "outcome", "pays", "won", "back", "clause", "why")
_RIGHT = "  rr rrr"


def settlement_answer(settlement: Settlement, language: str) -> Answer:
    """Give a settled round as data, each bet with its clause and reason."""
    return {
        "call": say(settlement.call),
        "total": settlement.result.total,
        "winners": settlement.winners,
        "bets": [_bet_answer(bet, language) for bet in settlement.bets],
        "collected": settlement.collected,
        "paid": settlement.paid,
    }


def _bet_answer(bet: SettledBet, language: str) -> Answer:
    """Give one settled bet as data."""
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
    """Give as data why a round could not be settled."""
    return {"error": {"code": code, "message": message}}


def settlement_text(settlement: Settlement, language: str) -> str:
    """Write a settled round as the call, a table of bets and the sums."""
    rows = [_row(bet, language) for bet in settlement.bets]
    sums = f"collected {write_amount(settlement.collected)}, paid {write_amount(settlement.paid)}"
    return "\n".join([say(settlement.call, language), align(_HEADINGS, rows, _RIGHT), sums])


def _row(bet: SettledBet, language: str) -> tuple[str, ...]:
    return (
        printable(bet.player),
        name_box(bet.box, language),
        write_amount(bet.stake),
        write_amount(bet.playing),
        bet.outcome.value,
        "-" if bet.odds is None else write_odds(bet.odds),
        write_amount(bet.won),
        write_amount(bet.back),
        bet.clause,
        say(bet.reason, language),
    )


def counts_for_nothing(table: PayTable, limits: Limits | None) -> Reason | None:
    """Say that a Differential was named where the rulebook knows none [D6]."""
    if limits is None or limits.differential is None or has_differential(table):
        return None
    return because("DIFFERENTIAL_FOR_NOTHING", pay_table=table.address)


def story_of(
    table: PayTable, limits: Limits | None, bet: SettledBet, call: str
) -> Iterator[tuple[Reason, str | None]]:
    """Describe one bet from placing to payment: each step is a reason, some with a clause."""
    box = table.boxes[bet.box]
    yield because("STORY_BET", stake_cents=bet.stake, box=bet.box), None
    odds = [write_odds(each) for each in box.odds]
    if len(odds) == 1:
        yield because("STORY_PAYS", odds=odds[0], ways=box.ways), box.wins_clause
    else:
        one, two, three = odds
        pays = because("STORY_PAYS_SINGLE", one=one, two=two, three=three, ways=box.ways)
        yield pays, box.wins_clause
    yield _how_much_plays(table, limits, bet)
    yield because("STORY_DICE", call=call), None
    yield bet.reason, bet.clause
    yield _in_the_end(bet), None


#: The sentences for a bet under the minimum that plays whole.
_SMALL = {
    Apportionment.UNDER_MINIMUM: "PLAYS_UNDER_MINIMUM",
    Apportionment.EXEMPT: "PLAYS_EXEMPT",
    Apportionment.EXEMPT_DIFFERENTIAL: "PLAYS_EXEMPT_DIFFERENTIAL",
}


def _how_much_plays(
    table: PayTable, limits: Limits | None, bet: SettledBet
) -> tuple[Reason, str | None]:
    playing = {"playing_cents": bet.playing}
    clause = clause_of(table.limit_rules, bet.by)
    if limits is None or bet.by is Apportionment.WHOLE:
        return because("PLAYS_WHOLE", **playing), clause
    box = limits.of(bet.box)
    if bet.by in _SMALL:
        return because(_SMALL[bet.by], minimum_cents=box.minimum, **playing), clause
    playing["stake_cents"] = bet.stake
    if bet.by is Apportionment.MAXIMUM:
        return because("PLAYS_BY_MAXIMUM", maximum_cents=box.maximum, **playing), clause
    differential = limits.differential or 0
    return because("PLAYS_BY_DIFFERENTIAL", differential_cents=differential, **playing), clause


def _in_the_end(bet: SettledBet) -> Reason:
    match bet.outcome:
        case Outcome.WIN:
            return because("STORY_WON", won_cents=bet.won, back_cents=bet.back)
        case Outcome.RETURNED:
            return because("STORY_RETURNED", back_cents=bet.back)
        case Outcome.LOSE if bet.back:
            return because("STORY_LOST_PART", playing_cents=bet.playing, back_cents=bet.back)
        case _:
            return because("STORY_LOST", playing_cents=bet.playing)
