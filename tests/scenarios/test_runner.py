"""The runner of scenarios can fail: a difference is reported with its file and line."""

from pathlib import Path

import msgspec
import pytest

from taisai.core.kernel.decider import decide
from taisai.core.kernel.messages import Instant, Order
from taisai.core.table.past import Past
from taisai.core.table.state import TableState
from tests.scenarios import venue as venue_module
from tests.scenarios.reading import Scenario, ScenarioError, read_text
from tests.scenarios.runner import all_scenarios, play
from tests.scenarios.venue import TableAnswer, Venue, replayed

SAMPLE = Path("sample.txt")
TEXT = """\
# A comment, and the sample that everything below spoils in one place.
scenario: a Bet wins and a late one is refused [3.9, 5.7]
table: ts6/2  limits min=10.00 max=1000.00 differential=500.00 step=1.00  tumbler keyed
boxes: triple max=50.00
cage: vouchers good for 30 days  two persons above 500.00
credits: 7=100.00 8=0.00

who                     does                          expected
dealer                  open bets                     ok  "Place your Bets, please"  [3.2]
7                       bet small 10.00, odd 10.00    ok  stakes=20.00
dealer                  close bets                    ok
7                       bet small 10.00               refused BETS_CLOSED 5.7
dealer                  tumble 3                      ok
dealer                  press 2 2 6                   ok  echo 2 2 6
dealer                  enter                         ok
clock                   wait 5 s                      ok
dealer                  amend to 1 2 6                waits
supervisor              approve                       ok  2 2 6 becomes 1 2 6
dealer                  confirm                       ok  1, 2, 6, total 9  dark big  lit small,
                                                      odd
dealer                  settle                        ok  paid 20.00  7 gets 40.00
supervisor+pit-manager  void rounds from 1: chipped   ok  7 taken 20.00
supervisor              register dice D2 under        ok
                        seal S2
dealer                  open bets                     ok
7                       bet small 10.00               ok
dealer                  tumble 2                      void 5.5.1
end: 7=100.00
meter: terminal:7 turnover=20.00 won=20.00 voided=10.00
"""


def played(text: str) -> None:
    """Read and play the scenarios of a text."""
    for scenario in read_text(text, SAMPLE):
        play(scenario)


def spoilt(old: str, new: str) -> tuple[str, int]:
    """Replace one text in the sample, and give its line."""
    return TEXT.replace(old, new, 1), TEXT[: TEXT.index(old)].count("\n") + 1


def test_the_sample_itself_is_played() -> None:
    played(TEXT)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'ok  "Place your Bets, please"',
            "refused BUSY",
            "expected 'refused BUSY', but it is 'ok'",
        ),
        ('"Place your Bets, please"', '"Bets, please"', "Bets, please"),
        ("[3.2]", "[3.3]", "expected '[3.3]'"),
        ("stakes=20.00", "stakes=20.01", "stakes=20.00"),
        ("refused BETS_CLOSED 5.7", "refused BETS_CLOSED 5.8", "'refused BETS_CLOSED 5.7'"),
        ("refused BETS_CLOSED 5.7", "refused BETS_CLOSED", "'refused BETS_CLOSED 5.7'"),
        ("refused BETS_CLOSED 5.7", "ok", "expected 'ok'"),
        ("echo 2 2 6", "echo 2 6 2", "echo 2 2 6"),
        ("waits", "ok", "expected 'ok', but it is 'waits'"),
        ("becomes 1 2 6", "becomes 1 2 5", "2 2 6 becomes 1 2 6"),
        ("1, 2, 6, total 9", "double 2, 6, total 10", "1, 2, 6, total 9"),
        ("lit small", "lit big", "lit are"),
        ("dark big", "dark small", "lit are"),
        ("lit small", "lights small", "lit are"),
        ("paid 20.00", "paid 19.00", "paid 20.00"),
        ("7 gets 40.00", "7 gets 20.00", "7 gets 40.00"),
        ("7 taken 20.00", "7 short 20.00", "7 short 0.00"),
        ("void 5.5.1", "void 5.5.2", "'void 5.5.1'"),
        ("void 5.5.1", "ok", "'void 5.5.1'"),
        ("end: 7=100.00", "end: 7=100.01", "10001 expected, 10000 found"),
        ("end: 7=100.00", "end: 7=100.00 house=5.00", "house"),
        ("end: 7=100.00", "end: 7=100.00 9=0.00", "'9'"),
        ("end: 7=100.00", "end: 7=100.00\njournal: BetsOpened x2, BetsClosed", "the journal says"),
        ("turnover=20.00 won=20.00", "turnover=20.00 won=21.00", "won is 2000 cents, not 2100"),
        ("terminal:7 turnover", "terminal:9 turnover", "turnover is None"),
        ("wait 5 s                      ok", "wait 5 s                      waits", "time passes"),
    ],
)
def test_a_wrong_expectation_is_told_with_file_and_line(old: str, new: str, said: str) -> None:
    text, line = spoilt(old, new)
    line += new.startswith("end") and "journal" in new
    with pytest.raises(ScenarioError, match=rf"^sample\.txt:{line}: ") as error:
        played(text)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("scenario: ", "scenery: ", "begins with 'scenario"),
        (" [3.9, 5.7]", "", "a title ends with its clauses"),
        ("table: ts6/2", "table: ts6", "is no pay table"),
        ("tumbler keyed", "tumbler thrown", "there is no 'thrown' tumbler"),
        ("tumbler keyed", "tumbler keyed and everyone", "is read by itself"),
        ("tumbler keyed", "lamp green", "says nothing about a table"),
        ("limits min=10.00", "limits least=10.00", "limits are min, max"),
        ("limits min=10.00 max=1000.00 differential=500.00 step=1.00  ", "", "an open table"),
        ("min=10.00", "min=10", "is no amount of something"),
        ("triple max=50.00", "triple most=50.00", "write limits of a box"),
        ("vouchers good for 30 days", "vouchers never spoil", "says nothing about the cage"),
        ("credits: 7=100.00", "credits: 7=100.00 7=50.00", "7 has two amounts"),
        ("credits: 7=100.00", "credits: seven=100.00", "a terminal is a number"),
        ("credits: ", "pockets: ", "'pockets' does not belong here"),
        ("boxes: triple max=50.00", "boxes:", "'boxes' says nothing"),
        ("credits: 7=100.00", "boxes: single max=9.00\ncredits: 7=100.00", "'boxes' is said twice"),
        ("who  ", "whom ", "a row comes after"),
        ("dealer                  settle", "dealer settle", "does not stand under"),
        ("dealer                  settle", "dealer                     settle", "does not stand"),
        ("settle                        ok", "settle   now                  ok", "has a gap"),
        ("enter                         ok", "enter", "does not say who does what"),
        ("dealer                  open", " " * 24 + "open", "does not say who does what"),
        ("settle      ", "settle down ", "'settle down' is nothing that anyone can do"),
        ("bet small 10.00,", "bet small seven,", "is no bet"),
        ("7                       bet", "seven                   bet", "nobody is called 'seven'"),
        ("dealer                  confirm", "terminal                confirm", "nobody is called"),
        ("wait 5 s", "wait a s", "the clock can"),
        ("dealer                  enter", "dealer+supervisor       enter", "nothing waits for"),
        ("end: 7=100.00", "end: 7=1e2", "is no amount of something"),
        ("meter: terminal:7 turnover=20.00", "meter: terminal:7 turnover", "is no amount of"),
        ("meter: ", "metre: ", "'metre' does not belong here; end, journal, meter do"),
        ("meter: ", "dealer  settle  ok\nmeter: ", "there are no rows after the end"),
        ("meter: ", "journal: betsOpened\nmeter: ", "is no kind of event"),
        ("press 2 2 6 ", "press 2 7 6 ", "expected 'ok', but it is 'refused BAD_DICE'"),
    ],
)
def test_what_cannot_be_read_is_told_with_file_and_line(old: str, new: str, said: str) -> None:
    text, line = spoilt(old, new)
    with pytest.raises(ScenarioError, match=rf"^sample\.txt:{line}: ") as error:
        played(text)
    assert said in str(error.value)


@pytest.mark.parametrize("key", ["table", "credits", "end"])
def test_a_scenario_lacks_nothing_it_needs(key: str) -> None:
    text = "\n".join(line for line in TEXT.splitlines() if not line.startswith(key))
    with pytest.raises(ScenarioError, match=rf"^sample\.txt:2: the scenario has no '{key}:'"):
        played(text)


@pytest.mark.parametrize("text", ["", "# nothing but a comment\n"])
def test_a_file_without_scenarios_is_no_file_of_scenarios(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"^sample\.txt:1: there is no scenario here"):
        read_text(text, SAMPLE)


def test_columns_are_named_once() -> None:
    header = next(line for line in TEXT.splitlines() if line.startswith("who"))
    text = TEXT.replace(header, f"{header}\n{header}")
    with pytest.raises(ScenarioError, match="the columns are named twice"):
        read_text(text, SAMPLE)


def test_a_table_that_cannot_be_set_up_is_told_of() -> None:
    text, _ = spoilt("max=1000.00", "max=1.00")
    with pytest.raises(ScenarioError, match=r"^sample\.txt:2: it cannot begin: .* BAD_LIMITS"):
        played(text)


def test_a_row_refused_halfway_through_left_its_mark() -> None:
    text, line = spoilt("press 2 2 6                   ok  echo 2 2 6", "press 2 7 " + " " * 20)
    text = text.replace("press 2 7 " + " " * 20, "press 2 7" + " " * 21 + "refused BAD_DICE")
    with pytest.raises(ScenarioError, match=rf"^sample\.txt:{line}: .*left its mark"):
        played(text)


def test_deciding_that_changes_the_table_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def meddling(state: TableState, order: Order, at: Instant, past: Past) -> TableAnswer:
        state.placements += 1
        return decide(state, order, at, past)

    (scenario,) = read_text(TEXT, SAMPLE)
    play(scenario)
    monkeypatch.setattr(venue_module, "decide", meddling)
    with pytest.raises(AssertionError, match="deciding changed the table"):
        play(scenario)


def test_money_from_nowhere_is_told_of() -> None:
    (scenario,) = read_text(TEXT, SAMPLE)
    venue = play(scenario)
    venue._assert_money()
    venue.table.ledger.balances["terminal:7"] += 1
    with pytest.raises(AssertionError, match="is not the 10000 that came in"):
        venue._assert_money()


def test_a_journal_that_lacks_an_event_does_not_replay_to_the_same() -> None:
    (scenario,) = read_text(TEXT, SAMPLE)
    venue = play(scenario)
    assert replayed(venue) == (venue.table, venue.cage, venue.house)
    forgetful = msgspec.structs.replace(venue, table_journal=venue.table_journal[:-1])
    assert replayed(forgetful) != (venue.table, venue.cage, venue.house)
    assert replayed(Venue()) == (Venue().table, Venue().cage, Venue().house)


def test_a_vouchers_number_in_a_journal_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = next(each for each in all_scenarios() if "is bought, taken" in each.title)
    play(scenario)
    monkeypatch.setattr(Venue, "number_of", lambda *_: '"VoucherIssued"')
    end = {"vouchers": 20_000, "cash": 20_000}
    sold = msgspec.structs.replace(scenario, rows=scenario.rows[:2], end=end, meters=())
    with pytest.raises(ScenarioError, match="a journal holds the number of voucher A"):
        play(sold)


@pytest.mark.parametrize(
    "scenario",
    list({each.table.key: each for each in all_scenarios() if len(each.rows) < 18}.values()),
    ids=lambda scenario: scenario.name,
)
def test_every_row_of_a_scenario_is_compared(scenario: Scenario) -> None:
    for index, row in enumerate(scenario.rows):
        rows = list(scenario.rows)
        rows[index] = msgspec.structs.replace(row, expected="refused NOTHING_OF_THE_KIND")
        wrong = msgspec.structs.replace(scenario, rows=tuple(rows))
        with pytest.raises(ScenarioError, match=rf":{row.line}: "):
            play(wrong)
