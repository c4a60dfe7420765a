"""Where and when a rulebook may be played: a real house refuses the rest [D30]."""

import pytest

import taisai
from taisai.core.kernel.messages import Equipment
from taisai.core.table.approval import (
    ASPECTS,
    AdoptDepartures,
    DeparturesAdopted,
    DeparturesSet,
    SetDepartures,
)
from taisai.core.table.setup import AdoptRulebook, CreateTable, OpenTable, RulebookAdopted
from taisai.core.table.state import Departure
from taisai.projections.table_view import view_of
from taisai.protocol.views import Apart
from tests.kit.chip_tables import CHIPS
from tests.kit.tables import Table

RWS = "Resorts World at Sentosa"
#: 2023-10-06 08:00 in Singapore is midnight by UTC: 19,636 days after 1970 began.
IN_FORCE = 19_636 * 86_400_000
KEYED = Equipment()


def house(operator: str | None, *, chips: bool = True, dice: Equipment = KEYED) -> Table:
    """Create a table of a house that names its operator, or of a demo."""
    table = Table("ts6/2")
    command = CreateTable(
        "T1",
        "SGD",
        dice,
        chips=CHIPS if chips else None,
        operator=operator,
    )
    table.does("system", command)
    return table


def adopt(key: str) -> AdoptRulebook:
    return AdoptRulebook(taisai.rulebook(key).canonical.decode(), 2)


def adopts(table: Table, key: str) -> RulebookAdopted:
    """Let two persons adopt a rulebook."""
    return next(
        event
        for event in table.agrees("pit-manager", adopt(key), "supervisor")
        if isinstance(event, RulebookAdopted)
    )


@pytest.mark.parametrize("key", ["ts6", "tso5"])
def test_d30_singapores_table_games_are_for_chips_real_dice_and_one_operator(key: str) -> None:
    assert adopts(house(RWS), key).departures == ()
    other = house("Another House")
    assert other.refuses("pit-manager", adopt(key)) == ("NOT_FOR_OPERATOR", None)
    terminals = house(RWS, chips=False)
    assert terminals.refuses("pit-manager", adopt(key)) == ("NOT_FOR_FORM", "2.1.1")
    drawn = house(RWS, dice=Equipment("simulated"))
    assert drawn.refuses("pit-manager", adopt(key)) == ("NOT_FOR_DICE", "2.2.1")
    assert adopts(house(RWS, dice=Equipment("reader")), key).departures == ()


def test_d30_the_electronic_game_is_for_terminals() -> None:
    assert adopts(house(RWS, chips=False), "etg8").departures == ()
    assert house(RWS).refuses("pit-manager", adopt("etg8")) == ("NOT_FOR_FORM", "3.4")
    drawn = house(RWS, chips=False, dice=Equipment("verifiable"))
    assert drawn.refuses("pit-manager", adopt("etg8")) == ("NOT_FOR_DICE", "2.2.1")
    read = house(RWS, chips=False, dice=Equipment("reader"))
    assert adopts(read, "etg8").departures == ()


def test_d30_division_9_is_for_chips_and_keyed_dice_and_names_no_operator() -> None:
    assert adopts(house("Another House"), "div9").departures == ()
    terminals = house(RWS, chips=False)
    assert terminals.refuses("pit-manager", adopt("div9")) == ("NOT_FOR_FORM", "4.3")
    read = house(RWS, dice=Equipment("reader"))
    assert read.refuses("pit-manager", adopt("div9")) == ("NOT_FOR_DICE", "3.3")


def test_d30_nothing_is_played_before_it_is_in_force() -> None:
    table = house(RWS)
    # Every order takes a second: this one comes a second too early, the next in time.
    table.at = IN_FORCE - 2_000
    assert table.refuses("pit-manager", adopt("ts6")) == ("NOT_YET_IN_FORCE", None)
    assert adopts(table, "ts6").key == "ts6"


def test_d30_a_written_departure_lets_it_and_is_journaled() -> None:
    table = house("Another House", chips=False, dice=Equipment("simulated"))
    written = tuple(
        Departure("ts6", aspect, "The Authority", f"letter {number}")
        for number, aspect in enumerate(ASPECTS, start=1)
    )
    for count, code in enumerate(["NOT_FOR_OPERATOR", "NOT_FOR_FORM", "NOT_FOR_DICE"]):
        table.does("system", SetDepartures(written[:count]))
        assert table.refuses("pit-manager", adopt("ts6"))[0] == code
    assert table.does("system", SetDepartures(written)) == (DeparturesSet(written),)
    # It is in force by now, so the fourth is not relied on.
    assert adopts(table, "ts6").departures == written[:3]
    # A departure is from one rulebook, and stands as long as the plan has it.
    assert table.refuses("pit-manager", adopt("tso5"))[0] == "NOT_FOR_OPERATOR"
    table.does("system", SetDepartures(()))
    assert table.refuses("supervisor", OpenTable())[0] == "NOT_FOR_OPERATOR"


def test_d30_two_persons_adopt_departures_besides_those_of_the_plan() -> None:
    table = house("Another House", chips=False)
    planned = (Departure("ts6", "operator", "The Authority", "letter 1"),)
    adopted = (Departure("ts6", "form", "The Authority", "letter 2"),)
    table.does("system", SetDepartures(planned))
    for role in ("dealer", "supervisor", "technician", "system"):
        assert table.refuses(role, AdoptDepartures(adopted)) == ("NOT_ALLOWED", None)
    unnamed = Departure("ts6", "form", " ", "letter 2")
    assert table.refuses("pit-manager", AdoptDepartures((unnamed,))) == ("NAME_MISSING", None)
    table.does("pit-manager", AdoptDepartures(adopted))
    assert table.refuses("pit-manager", adopt("ts6"))[0] == "NOT_FOR_FORM", "one person asked"
    told = table.agrees("pit-manager", AdoptDepartures(adopted), "supervisor")
    assert told[-1] == DeparturesAdopted(adopted, "pat", "vic")
    assert adopts(table, "ts6").departures == planned + adopted
    # A new plan keeps what two persons adopted, and their adoption keeps what is in the plan.
    table.does("system", SetDepartures(()))
    assert table.refuses("supervisor", OpenTable())[0] == "NOT_FOR_OPERATOR"
    table.does("system", SetDepartures(planned))
    table.agrees("shift-manager", AdoptDepartures(()), "supervisor")
    assert table.refuses("supervisor", OpenTable())[0] == "NOT_FOR_FORM"


def test_d30_what_is_outside_the_approval_is_shown_with_its_paper() -> None:
    table = house("Another House", chips=False)
    written = (
        Departure("ts6", "operator", "The Authority", "letter 1"),
        Departure("ts6", "form", "The Authority", "letter 2"),
        Departure("tso5", "form", "The Authority", "letter 3"),
    )
    table.does("system", SetDepartures(written))
    assert view_of(table.state).apart == ()
    adopts(table, "ts6")
    view = view_of(table.state)
    assert view.operator == "Another House"
    assert view.apart == (
        Apart("operator", "The Authority", "letter 1"),
        Apart("form", "The Authority", "letter 2"),
    )


def test_d30_a_demo_shows_that_it_plays_outside_the_approval() -> None:
    """Terminals and drawn dice are outside Tai Sai's approval, and a demo has no operator."""
    table = house(None, chips=False, dice=Equipment("simulated"))
    adopts(table, "ts6")
    view = view_of(table.state)
    assert view.operator is None
    assert view.apart == (Apart("operator"), Apart("form"), Apart("dice"))


def test_d30_a_departure_has_a_name_to_it_and_a_paper() -> None:
    table = house(RWS)
    for blank in (Departure("ts6", "form", " ", "letter 1"), Departure("ts6", "form", "Ann", "")):
        assert table.refuses("system", SetDepartures((blank,))) == ("NAME_MISSING", None)
    one = Departure("ts6", "form", "Ann", "letter 1")
    assert table.refuses("system", SetDepartures((one,) * 101)) == ("BATCH_SIZE", None)


def test_d30_a_demo_may_do_as_it_likes() -> None:
    table = house(None, chips=False, dice=Equipment("simulated"))
    table.at = IN_FORCE - 1_000_000
    assert adopts(table, "div9").departures == ()
