"""Forged rounds: wrong bets, results, settlements and voids."""

from typing import Any

import pytest

from taisai.core.kernel.messages import BoxStake, SettledLine
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.interruption import InterruptionRecorded
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.positions import TerminalLocked
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    FacePressed,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    RoundSettled,
    RoundStarted,
)
from taisai.core.table.tumble import TumbleRecorded
from tests.simulated.forging import Change, Forgery, edit, try_forgery


def first_line(event: Any, change: Change) -> tuple[SettledLine, ...]:
    first, *rest = event.lines
    return (change(first), *rest)


def winners(event: Any) -> bool:
    return bool(event.lines and event.lines[0].back)


def losers(event: Any) -> bool:
    return bool(event.lines and not event.lines[0].back)


def last_box(event: Any) -> str:
    return str(next(reversed(event.odds)))


#: The event, a condition, the forgery, and the auditor's complaint.
FORGERIES: dict[str, Forgery] = {
    "a win paid too much": (
        RoundSettled,
        winners,
        lambda s: edit(
            s, lines=first_line(s, lambda line: edit(line, won=line.won + 1, back=line.back + 1))
        ),
        r"won \d+ and got \d+ for \d+ on [\w-]+; the dice",
    ),
    "a win without its stake": (
        RoundSettled,
        winners,
        lambda s: edit(s, lines=first_line(s, lambda line: edit(line, back=line.won))),
        "the dice .* say",
    ),
    "a loser paid": (
        RoundSettled,
        losers,
        lambda s: edit(
            s, lines=first_line(s, lambda line: edit(line, won=line.stake, back=2 * line.stake))
        ),
        "the dice .* say 0 and 0",
    ),
    "a line dropped": (
        RoundSettled,
        lambda s: s.lines,
        lambda s: edit(s, lines=s.lines[1:]),
        "was not settled",
    ),
    "a line twice": (
        RoundSettled,
        lambda s: s.lines,
        lambda s: edit(s, lines=(*s.lines, s.lines[0])),
        "is settled for",
    ),
    "a stake grown": (
        RoundSettled,
        losers,
        lambda s: edit(s, lines=first_line(s, lambda line: edit(line, stake=line.stake + 100))),
        r"is settled for \d+ on .*, where \d+ lay",
    ),
    "a line of nobody": (
        RoundSettled,
        lambda s: s.lines,
        lambda s: edit(s, lines=first_line(s, lambda line: edit(line, position="9"))),
        "where 0 lay",
    ),
    "more paid than said": (
        RoundSettled,
        lambda s: s.paid,
        lambda s: edit(s, paid=s.paid - 1),
        "1 appeared from nowhere",
    ),
    "more collected than lost": (
        RoundSettled,
        lambda s: s.collected,
        lambda s: edit(s, collected=s.collected - 5),
        "5 vanished",
    ),
    "odds misquoted": (
        RoundSettled,
        winners,
        lambda s: edit(s, odds={**s.odds, s.lines[0].box: "999"}),
        "is said to pay 999",
    ),
    "odds that take minutes to read": (
        RoundSettled,
        winners,
        lambda s: edit(s, odds={**s.odds, s.lines[0].box: "1e99999999"}),
        "is said to pay 1e99999999",
    ),
    "odds that are none": (
        RoundSettled,
        winners,
        lambda s: edit(s, odds={**s.odds, s.lines[0].box: "1/0"}),
        "is said to pay 1/0",
    ),
    "odds missing": (
        RoundSettled,
        lambda s: s.lines,
        lambda s: edit(s, odds={box: s.odds[box] for box in s.odds if box != last_box(s)}),
        "odds and clauses are not given",
    ),
    "a clause misquoted": (
        RoundSettled,
        lambda s: s.lines,
        lambda s: edit(s, clauses={**s.clauses, last_box(s): "9.9"}),
        "is decided by .*, not 9.9",
    ),
    "settled by other dice": (
        RoundSettled,
        lambda s: s.faces != (1, 1, 1),
        lambda s: edit(s, faces=(1, 1, 1)),
        r"was settled by \(1, 1, 1\)",
    ),
    "another round settled": (
        RoundSettled,
        lambda _: True,
        lambda s: edit(s, round=s.round + 1),
        r"round \d+ was settled by",
    ),
    "a round skipped": (
        RoundStarted,
        lambda _: True,
        lambda s: edit(s, round=s.round + 1),
        "is not the next",
    ),
    "other words for the bets": (
        BetsOpened,
        lambda _: True,
        lambda s: edit(s, clause="0.0"),
        "bets were called for by 0.0",
    ),
    "other words at the close": (
        BetsClosed,
        lambda _: True,
        lambda s: edit(s, clause="0.0"),
        "bets were closed by 0.0",
    ),
    "no bell": (
        BetsClosed,
        lambda s: s.words == "No more bets",
        lambda s: edit(s, bell=False),
        "without the bell",
    ),
    "an excess given back by another clause": (
        BetsClosed,
        lambda s: s.rejected,
        lambda s: edit(s, rejected_clause="0.0"),
        "the close gave bets back by 0.0, not 5.1",
    ),
    "an excess kept": (
        BetsClosed,
        lambda s: s.rejected,
        lambda s: edit(s, rejected=()),
        r"the close gave back \{\}",
    ),
    "too much given back": (
        BetsClosed,
        lambda s: s.rejected,
        lambda s: edit(s, rejected=(*s.rejected, s.rejected[0])),
        "the close gave back",
    ),
    "a bet above the maximum": (
        BetsRegistered,
        lambda _: True,
        lambda s: edit(s, bets=(edit(s.bets[0], stake=10**9),)),
        "below zero|outside the limits",
    ),
    "a bet below the minimum": (
        BetsRegistered,
        lambda s: len(s.bets) == 1 and s.bets[0].stake > 1,
        lambda s: edit(s, bets=(edit(s.bets[0], stake=1),)),
        "outside the limits|off the step",
    ),
    "a bet off the step": (
        BetsRegistered,
        lambda s: s.bets[0].stake > 100,
        lambda s: edit(s, bets=(edit(s.bets[0], stake=s.bets[0].stake + 1), *s.bets[1:])),
        "off the step|below zero|outside the limits|apart",
    ),
    "a bet on no box": (
        BetsRegistered,
        lambda _: True,
        lambda s: edit(s, bets=(BoxStake("total-3", 1000),)),
        "which is no bet here",
    ),
    "a bet of less than nothing": (
        BetsRegistered,
        lambda _: True,
        lambda s: edit(s, bets=(edit(s.bets[0], stake=-1000),)),
        "which is no bet here",
    ),
    "a bet of a terminal never enrolled": (
        BetsRegistered,
        lambda _: True,
        lambda s: edit(s, terminal="99"),
        "was never enrolled",
    ),
    "more taken back than lay": (
        BetsWithdrawn,
        lambda _: True,
        lambda s: edit(s, bets=(edit(s.bets[0], stake=s.bets[0].stake + 10**8),)),
        "too much",
    ),
    "a void that keeps a stake": (
        RoundVoided,
        lambda s: len(s.returned) > 1,
        lambda s: edit(s, returned=s.returned[1:]),
        "did not give every stake back",
    ),
    "a void that gives too little": (
        RoundVoided,
        lambda s: s.returned,
        lambda s: edit(s, returned=(edit(s.returned[0], back=1), *s.returned[1:])),
        "a void gave terminal",
    ),
    "a void by another clause": (
        RoundVoided,
        lambda _: True,
        lambda s: edit(s, clause="0.0"),
        "was voided by 0.0",
    ),
    "another round voided": (
        RoundVoided,
        lambda _: True,
        lambda s: edit(s, round=s.round + 3),
        "was voided",
    ),
    "a short tumble let pass": (
        TumbleRecorded,
        lambda s: s.times >= 3 and s.flat and s.concealed,
        lambda s: edit(s, times=2),
        "IrregularityReported should have followed",
    ),
    "a die on its edge let pass": (
        TumbleRecorded,
        lambda s: s.times >= 3 and s.flat and s.concealed,
        lambda s: edit(s, flat=False),
        "IrregularityReported should have followed",
    ),
    "a fault called by another name": (
        IrregularityReported,
        lambda s: s.code == "bad-tumble",
        lambda s: edit(s, clause="0.0"),
        "was ruled void-round by 0.0",
    ),
    "an interruption ruled otherwise": (
        InterruptionRecorded,
        lambda s: s.ruling == "conclude",
        lambda s: edit(s, ruling="void-round"),
        "was ruled void-round, not conclude",
    ),
    "the wrong lights": (
        ResultConfirmed,
        lambda s: s.winners,
        lambda s: edit(s, winners=s.winners[1:]),
        "the wrong boxes were lit",
    ),
    "another result confirmed": (
        ResultConfirmed,
        lambda s: s.faces != (6, 6, 6),
        lambda s: edit(s, faces=(6, 6, 6)),
        r"\(6, 6, 6\) was confirmed",
    ),
    "seven on a die": (
        ResultEntered,
        lambda s: s.source == "keyed",
        lambda s: edit(s, faces=(1, 2, 7)),
        "is no throw|did not agree on",
    ),
    "a button too many": (
        FacePressed,
        lambda _: True,
        lambda s: edit(s, face=7),
        "a button 7 was pressed",
    ),
    "a result from elsewhere": (
        ResultEntered,
        lambda s: s.source == "keyed",
        lambda s: edit(s, source="cloud"),
        "a result came from cloud|did not agree on",
    ),
    "results said to differ": (
        ResultReported,
        lambda _: True,
        lambda s: edit(s, source="cloud"),
        "a result came from cloud",
    ),
    "an amendment to other dice": (
        ResultAmended,
        lambda s: s.faces != (1, 1, 1),
        lambda s: edit(s, faces=(1, 1, 1)),
        "amended to what was not agreed",
    ),
    "a win for a lock that was none": (
        TerminalLocked,
        lambda _: True,
        lambda s: edit(s, won=s.won + 1),
        "was locked for",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_event_is_caught(name: str) -> None:
    try_forgery(FORGERIES[name])
