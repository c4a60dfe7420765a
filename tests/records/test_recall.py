"""Last rounds recall: a terminal's own lines with reasons, the newest round first."""

import taisai
from taisai.core.table.betting import RoundVoided
from taisai.core.table.setup import AdoptRulebook, CloseTable, GiveNotice
from taisai.protocol.views import RecalledRound
from taisai.runtime.records.recall import ROUNDS_RECALLED, recall, void_rounds
from tests.records.recorded import RecordedTable, evening, opened


def recalled(table: RecordedTable, terminal: str) -> list[RecalledRound]:
    """Recall a terminal's rounds, with the ends of void ones found among the decisions."""
    events = [event for decided in table.decided for event in decided.events]
    ends = {each: events[each - 1] for each in void_rounds(table.state, 1)}
    voided = {at: end for at, end in ends.items() if isinstance(end, RoundVoided)}
    assert len(voided) == len(ends)
    return recall(table.state, terminal, 1, voided)


def test_a_terminal_recalls_its_own_rounds_newest_first() -> None:
    table = evening()
    rounds = recalled(table, "7")
    assert [(each.round, each.void) for each in rounds] == [(3, True), (2, True), (1, False)]
    assert [each.round for each in recalled(table, "8")] == [4, 2, 1]
    # Void for everybody: a terminal without a bet is told so, and gets nothing back.
    (void,) = recalled(table, "nobody")
    assert (void.round, void.lines) == (2, [])
    # A round that was not read from the journal is not told, rightly or wrongly.
    assert recall(table.state, "nobody", 1, {}) == []


def test_lines_are_as_they_stand_with_odds_clause_and_reason() -> None:
    reversed_, void, settled_again = recalled(evening(), "7")
    assert (void.faces, void.call, void.lit) == (None, None, [])
    (returned,) = void.lines
    assert (returned.box, returned.stake, returned.odds, returned.won, returned.back) == (
        *("odd", 4_000, None, 0, 4_000),
    )
    assert (returned.clause, returned.reason) == ("5.5.2", "Odd is returned: the round is void")
    assert void.clause == "5.5.2"
    assert void.sentence == "Round 2 is void (a die does not lie flat): every bet is returned"
    # Round 3 was reversed: it is void, and its first outcome is still told. 9 pays 7 to 1.
    (line,) = reversed_.lines
    assert (line.box, line.stake, line.odds, line.won, line.back) == (
        *("total-9", 1_000, "7", 7_000, 8_000),
    )
    assert (line.clause, line.reason) == (
        *("4.1.2", "Total 9 wins at 7 to 1: the dice add up to 9"),
    )
    assert reversed_.call == "2, 3, 4, total 9"
    # Round 1 was settled again, on 2 3 6.
    assert settled_again.faces == (2, 3, 6)
    # All winning boxes are lit, not only the player's: 11, each die, each pair, all three.
    ones, pairs = ("single-2", "single-3", "single-6"), ("domino-23", "domino-26", "domino-36")
    all_three = ("three-236", "four-6532")
    assert {*settled_again.lit} == {"big", "odd", "total-11", *ones, *pairs, *all_three}
    assert [(line.box, line.odds, line.back, line.clause) for line in settled_again.lines] == [
        ("small", None, 0, "3.9"),
        ("double-2", None, 0, "3.9"),
    ]
    assert settled_again.lines[0].reason == "Small loses: total 11 is not small"


def test_no_more_rounds_than_asked_for() -> None:
    table = opened()
    for _ in range(ROUNDS_RECALLED + 2):
        table.betting(t7={"small": 1_000}).settled(1, 2, 4)
    assert [each.round for each in recall(table.state, "7", 1, {})] == list(range(12, 2, -1))
    assert [each.round for each in recall(table.state, "7", 1, {}, rounds=1)] == [12]
    assert recall(table.state, "7", 1, {}, rounds=0) == []
    assert recall(table.state, "8", 1, {}) == []


def test_rounds_before_the_session_are_not_recalled() -> None:
    table = opened()
    for _ in range(3):
        table.betting(t7={"small": 1_000}).settled(1, 2, 4)
    assert [each.round for each in recall(table.state, "7", 3, {})] == [3]
    assert recall(table.state, "7", 4, {}) == []


def test_after_a_change_of_rules_the_clause_is_left_out_and_the_reason_is_not() -> None:
    table = opened()
    table.betting(t7={"double-2": 1_000}).settled(2, 2, 5)
    table.does("supervisor", GiveNotice())
    table.does("supervisor", CloseTable())
    canonical = taisai.rulebook("etg8").canonical.decode()
    table.agrees("pit-manager", AdoptRulebook(canonical, 1), "supervisor")
    ((line,),) = [each.lines for each in recall(table.state, "7", 1, {})]
    assert (line.odds, line.won, line.clause) == ("11", 11_000, None)
    assert recall(table.state, "7", 1, {})[0].lit == []
    assert line.reason == "Double 2 wins at 11 to 1: two dice show 2"
