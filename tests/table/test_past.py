"""Rounds that a table no longer holds: corrected all the same, from the journal's events [D24]."""

import pytest

import taisai
from taisai.core.kernel.decider import decide
from taisai.core.kernel.messages import Netted, Order
from taisai.core.rules.reason import Refusal
from taisai.core.streams import TableEvent
from taisai.core.table import corrections, past, setup
from taisai.core.table import state as table_state
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    VoidSettledRounds,
)
from taisai.core.table.damage import ReportDamage
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.past import NOTHING_READ, NOTHING_WANTED, Past, Wanted, wanted
from taisai.core.table.positions import CashOut, ReceiveCredits
from taisai.core.table.setup import (
    RegisterDice,
    TableStopped,
)
from taisai.core.table.state import TableState, is_reversed, note_reversed
from tests.kit.people import actor
from tests.kit.tables import Table, open_table

#: As few rounds as a table can hold.
HELD = 1


@pytest.fixture(params=[HELD, 500], ids=["held no more", "held"])
def held(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Make a table hold one round, or all: its decisions must be the same."""
    rounds: int = request.param
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", rounds)
    return rounds


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a table hold one round."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", HELD)


def void(first: int, dice_set: str | None = None) -> VoidSettledRounds:
    return VoidSettledRounds(first, "a chipped die", dice_set)


def correct(number: int, *faces: int) -> CorrectSettledRound:
    return CorrectSettledRound(number, faces, "misread")


def reversals(events: tuple[TableEvent, ...]) -> list[RoundsReversed]:
    return [each for each in events if isinstance(each, RoundsReversed)]


def evening(address: str = "ts6/2") -> Table:
    """Play five rounds of 7 on Big, each lost but the third, with two players at the terminal.

    The first player loses 10, wins 30 and has 20 more than they came with when they leave after the
    third; in between the second round is void. The other loses 40 and 50. All in hundreds.
    """
    table = open_table(address)
    table.betting(t7={"big": 1_000}).settled(1, 2, 3)
    table.betting(t7={"big": 2_000}).does("supervisor", ReportIrregularity("bad-tumble"))
    assert isinstance(table.told[-1], RoundVoided)
    table.betting(t7={"big": 3_000}).settled(4, 5, 6)
    table.does("terminal", CashOut("7"), "7")
    table.does("system", ReceiveCredits("cage-T1-9", "7", 20_000))
    table.betting(t7={"big": 4_000}).settled(1, 2, 3)
    table.betting(t7={"big": 5_000}).settled(1, 2, 3)
    return table


# --- the same, held or not -----------------------------------------------------------------------


def test_d24_all_rounds_are_reversed_held_or_not(held: int) -> None:
    """7's first player owes 2,000 of what they took with them; the other gets 9,000 back."""
    table = evening()
    assert len(table.state.history) == min(held, 5)
    (reversed_,) = reversals(table.agrees("supervisor", void(1)))
    assert reversed_.rounds == (1, 3, 4, 5)
    assert reversed_.netted == (Netted("7", 9_000, 0, 0),)
    assert reversed_.gone == (Netted("7@1", 0, 0, 2_000),)
    assert (table.credits("7"), table.balance("house:void-shortfall")) == (20_000, -2_000)


def test_d24_no_round_is_reversed_twice(held: int) -> None:
    table = evening()
    (first,) = reversals(table.agrees("supervisor", void(4)))
    assert first.rounds == (4, 5)
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting().settled(1, 1, 2)
    (second,) = reversals(table.agrees("supervisor", void(1, "D1")))
    assert (second.rounds, second.netted) == ((1, 3), ())
    (third,) = reversals(table.agrees("supervisor", void(1, "D1")))
    assert (third.rounds, third.netted, third.gone) == ((), (), ())
    assert held == 500 or table.state.reversed == [(1, 1), (3, 5)]
    assert table.refuses("supervisor", correct(3, 1, 1, 1)) == ("ROUND_IS_VOID", "3.8")
    assert table.refuses("supervisor", correct(2, 1, 1, 1)) == ("ROUND_IS_VOID", "3.8")


def test_d24_a_round_is_settled_again_as_it_stands_held_or_not(held: int) -> None:
    """Round 4 was lost on 1, 2, 3, won by 4, 5, 6, and is lost again by a triple; then void."""
    table = evening()
    (_, once) = table.agrees("supervisor", correct(4, 4, 5, 6))
    assert isinstance(once, RoundResettled)
    assert (once.before, once.netted) == ((1, 2, 3), (Netted("7", 8_000, 0, 0),))
    table.betting().settled(1, 1, 2)
    (_, twice) = table.agrees("supervisor", correct(4, 6, 6, 6))
    assert isinstance(twice, RoundResettled)
    assert (twice.before, twice.netted) == ((4, 5, 6), (Netted("7", 0, 8_000, 0),))
    assert table.refuses("supervisor", correct(4, 6, 6, 6)) == ("NOTHING_TO_AMEND", "3.8")
    assert held == 500 or list(table.state.resettled) == [4]
    (reversed_,) = reversals(table.agrees("supervisor", void(4)))
    assert (reversed_.rounds, reversed_.netted) == ((4, 5, 6), (Netted("7", 9_000, 0, 0),))
    assert table.state.resettled == {}


@pytest.mark.usefixtures("forgetful")
def test_d24_what_was_settled_again_while_it_was_held_is_known_when_it_is_not() -> None:
    table = evening()
    table.agrees("supervisor", correct(5, 4, 5, 6))
    version = table.state.version
    table.betting().settled(1, 1, 2)
    assert table.state.resettled == {5: version}
    (_, resettled) = table.agrees("supervisor", correct(5, 1, 2, 3))
    assert isinstance(resettled, RoundResettled)
    assert (resettled.before, resettled.netted) == ((4, 5, 6), (Netted("7", 0, 10_000, 0),))


def test_d24_a_session_that_ended_long_ago_is_corrected_apart(held: int) -> None:
    """The present player is not touched by what an earlier one won in round 3 [D21]."""
    table = evening()
    (_, resettled) = table.agrees("supervisor", correct(3, 1, 1, 2))
    assert isinstance(resettled, RoundResettled)
    assert (resettled.netted, resettled.gone) == ((), (Netted("7@1", 0, 0, 6_000),))
    assert resettled.sessions == {"7": 1}
    assert (table.credits("7"), held > 0) == (11_000, True)


# --- each by its own rulebook --------------------------------------------------------------------


def test_d24_a_round_is_settled_again_by_the_pay_table_it_was_played_by(held: int) -> None:
    """Total 8 pays 8.5 to 1 by etg8/1 and 8 to 1 by etg8/3: 1,000 on it are worth 9,500."""
    table = open_table("etg8/1").betting(t7={"total-8": 1_000})
    table.settled(1, 2, 4)
    table.reopened_by("etg8/3").betting().settled(1, 1, 2)
    (_, resettled) = table.agrees("supervisor", correct(1, 1, 2, 5))
    assert isinstance(resettled, RoundResettled)
    assert (resettled.netted, resettled.clause) == ((Netted("7", 9_500, 0, 0),), "5.5")
    assert len(table.state.history) == min(held, 2)


def test_d24_rounds_of_two_rulebooks_are_void_each_by_its_own_clause(held: int) -> None:
    table = open_table("ts6/2").betting(t7={"big": 1_000})
    table.settled(1, 2, 3)
    table.reopened_by("etg8/2").betting(t7={"big": 2_000}).settled(1, 2, 3)
    parts = reversals(table.agrees("supervisor", void(1)))
    assert [(each.rounds, each.clause, each.part, each.parts) for each in parts] == [
        ((1,), "5.6", 1, 2),
        ((2,), "5.4", 2, 2),
    ]
    assert [each.netted for each in parts] == [(Netted("7", 3_000, 0, 0),), ()]
    assert (table.credits("7"), held > 0) == (100_000, True)


def test_d24_division_9_leaves_its_rounds_to_a_ruling_whatever_is_in_force_now(held: int) -> None:
    table = open_table("div9/2").betting(t7={"big": 1_000})
    table.settled(1, 2, 3)
    table.reopened_by("ts6/2")
    assert table.refuses("supervisor", void(1)) == ("SHIFT_MANAGER_RULES", "D6")
    assert table.refuses("supervisor", correct(1, 4, 5, 6)) == ("SHIFT_MANAGER_RULES", "D11")
    table.betting(t7={"big": 2_000}).settled(1, 2, 3)
    (reversed_,) = reversals(table.agrees("supervisor", void(1)))
    assert (reversed_.rounds, reversed_.clause) == ((2,), "5.6")
    assert (table.credits("7"), held > 0) == (99_000, True)


def test_d24_rounds_of_singapore_are_void_though_division_9_is_in_force_now(held: int) -> None:
    """The round under way is left to a ruling; the game stops, since its dice are damaged [D25]."""
    table = open_table("ts6/2").betting(t7={"big": 1_000})
    table.settled(1, 2, 3)
    table.reopened_by("div9/2").betting(t7={"big": 2_000})
    *first, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(first[-1], TableStopped)
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.rounds, reversed_.clause) == ((1,), "5.6")
    assert (table.live("7"), table.credits("7"), held > 0) == (2_000, 98_000, True)
    assert table.refuses("supervisor", correct(1, 4, 5, 6)) == ("ROUND_IS_VOID", "3.8")


def test_dice_that_are_no_longer_in_use_stop_no_game_of_division_9() -> None:
    table = open_table("ts6/2").betting(t7={"big": 1_000})
    table.settled(1, 2, 3)
    table.does("supervisor", RegisterDice("D2", "S2"))
    events = table.reopened_by("div9/2").agrees("supervisor", void(1, "D1"))
    assert not [each for each in events if isinstance(each, TableStopped)]
    assert (reversals(events)[0].rounds, table.credits("7")) == ((1,), 100_000)


def test_a_rulebook_that_no_round_was_played_by_is_not_remembered() -> None:
    table = open_table("ts6/2").reopened_by("tso5/2").reopened_by("etg8/2")
    assert [each.first for each in table.state.adopted] == [1]
    assert table.state.adopted[0].rules.startswith(taisai.rulebook("etg8").sha256)


# --- a large reversal ----------------------------------------------------------------------------


def test_d24_a_large_reversal_is_several_bounded_events(
    monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    monkeypatch.setattr(corrections, "IN_ONE_EVENT", 2)
    table = evening()
    table.betting(t7={"big": 1_000}, t8={"big": 1_000}).settled(1, 2, 3)
    parts = reversals(table.agrees("supervisor", void(1)))
    assert [each.rounds for each in parts] == [(1, 3), (4, 5), (6,)]
    assert [(each.part, each.parts) for each in parts] == [(1, 3), (2, 3), (3, 3)]
    assert [[n.position for n in each.netted] for each in parts] == [["7", "8"], [], []]
    assert [[n.position for n in each.gone] for each in parts] == [[], ["7@1"], []]
    assert (table.credits("7"), table.credits("8"), held > 0) == (20_000, 100_000, True)


def test_more_lines_than_rounds_make_as_many_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrections, "IN_ONE_EVENT", 1)
    table = open_table().betting(t7={"big": 1_000}, t8={"big": 2_000})
    table.settled(1, 2, 3)
    parts = reversals(table.agrees("supervisor", void(1)))
    assert [(each.rounds, each.clause) for each in parts] == [((1,), "5.6"), ((), "5.6")]
    assert [each.netted[0].position for each in parts] == ["7", "8"]


@pytest.mark.usefixtures("forgetful")
def test_so_many_rounds_are_put_right_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "ROUNDS_AT_ONCE", 3)
    monkeypatch.setattr(corrections, "ROUNDS_AT_ONCE", 3)
    table = evening()
    assert table.refuses("supervisor", void(1)) == ("TOO_MANY_ROUNDS", None)
    table.agrees("supervisor", void(3))
    # Those that were reversed do not count any more.
    (reversed_,) = reversals(table.agrees("supervisor", void(1)))
    assert reversed_.rounds == (1,)


# --- what is read --------------------------------------------------------------------------------


def asked(table: Table, command: VoidSettledRounds | CorrectSettledRound, read: Past) -> Wanted:
    return wanted(table.state, Order("an id", actor("supervisor"), command), read)


@pytest.mark.usefixtures("forgetful")
def test_only_what_is_lacking_is_asked_for() -> None:
    table = evening().reopened_by("ts6/1").betting()
    table.settled(1, 2, 3)
    adopted = next(n for n, each in enumerate(table.told, 1) if "RulebookAdopted" in repr(each))
    everything = Wanted(((1, 5),), (adopted,))
    assert asked(table, void(1), NOTHING_READ) == everything
    assert bool(everything)
    order = Order("an id", actor("supervisor"), void(1))
    read = table.past_for(order)
    assert asked(table, void(1), read) == NOTHING_WANTED
    part = Past({2: read.ends[2], 5: read.ends[5]}, {}, read.events)
    assert asked(table, void(1), part) == Wanted(((1, 1), (3, 4)), ())
    table.agrees("supervisor", correct(4, 4, 5, 6))
    assert asked(table, correct(4, 1, 1, 1), read).versions == (len(table.told),)
    table.agrees("supervisor", void(3))
    assert asked(table, void(1), NOTHING_READ) == Wanted(((1, 2),), (adopted,))
    assert asked(table, correct(99, 1, 1, 1), NOTHING_READ) == NOTHING_WANTED
    terminal = Order("an id", actor("terminal"), void(1))
    assert wanted(table.state, terminal, NOTHING_READ) == NOTHING_WANTED


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("command", [void(1), correct(1, 1, 1, 1)])
def test_what_the_journal_does_not_give_is_not_made_up(
    command: VoidSettledRounds | CorrectSettledRound,
) -> None:
    """Without the round, without its rulebook, or without how it was settled last: refused."""
    table = evening()
    table.agrees("supervisor", correct(1, 4, 5, 6))
    table.reopened_by("ts6/1")
    order = Order("an id", actor("supervisor"), command)
    read = table.past_for(order)
    again, adopted = sorted(read.events, reverse=True)
    lacking = [
        None,
        NOTHING_READ,
        Past(read.ends, {}, {adopted: read.events[adopted]}),
        Past(read.ends, {}, {again: read.events[again]}),
    ]
    for each in lacking:
        decision = decide(table.state, order, table.at, each)
        assert isinstance(decision, Refusal)
        assert decision.code == "ROUND_UNREADABLE"
    assert not isinstance(decide(table.state, order, table.at, read), Refusal)


def test_without_a_rulebook_nothing_is_asked_for() -> None:
    table = Table().created()
    assert asked(table, void(1), NOTHING_READ) == NOTHING_WANTED


def test_runs_of_reversed_rounds_are_joined() -> None:
    state = TableState()
    for number in (5, 1, 9, 4, 2, 3, 7):
        note_reversed(state, number)
    assert state.reversed == [(1, 5), (7, 7), (9, 9)]
    found = [number for number in range(12) if is_reversed(state, number)]
    assert found == [1, 2, 3, 4, 5, 7, 9]


# --- how many sets of dice are remembered --------------------------------------------------------


def test_d24_so_many_sets_of_dice_are_remembered_and_others_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(setup, "DICE_SETS_MAX", 2)
    table = open_table("ts6/2")
    table.does("supervisor", RegisterDice("D2", "S2"))
    refusal = table.ask("supervisor", RegisterDice("D3", "S3"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, dict(refusal.reason.params)) == ("TOO_MANY_DICE", {"most": 2})
    # A known set may come back, and the number of sets ever put away is limited.
    table.does("supervisor", RegisterDice("D1", "S1"))
    for name in ("D1", "D2"):
        table.does("supervisor", ReportDamage("chipped", name))
    assert len(table.state.quarantined) == 2


def test_d24_a_set_comes_back_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "DICE_SPANS_MAX", 2)
    table = open_table("ts6/2")
    for name in ("D2", "D1", "D2"):
        table.betting().settled(1, 2, 3)
        table.does("supervisor", RegisterDice(name, f"S{name[1]}"))
    table.betting().settled(1, 2, 3)
    assert table.state.dice_rounds["D1"] == [(1, 1), (3, 3)]
    assert table.refuses("supervisor", RegisterDice("D1", "S1")) == ("DICE_TOO_OFTEN", None)
    table.does("supervisor", RegisterDice("D3", "S3"))
