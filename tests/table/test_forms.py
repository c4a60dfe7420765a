"""The two forms of table: terminals, or seats around a layout for chips."""

from taisai.core.table.chips.seats import set_aside_unclaimed
from tests.kit.chip_tables import chips_walked_from_void, closed_chip_table, open_chip_table
from tests.kit.tables import open_table


def test_a_table_with_terminals_has_those_that_were_enrolled() -> None:
    state = open_table().state
    assert state.form == "terminals"
    assert state.terminals
    assert state.terminals is state.positions


def test_the_seats_of_a_chip_table_are_no_terminals() -> None:
    state = open_chip_table().state
    assert state.form == closed_chip_table().state.form == "chips"
    assert {"1", "2"} <= state.positions.keys()
    assert state.terminals == {}


def test_only_at_a_chip_table_is_there_something_to_set_aside() -> None:
    assert set_aside_unclaimed(open_table().state) == ()
    assert len(set_aside_unclaimed(chips_walked_from_void().state)) == 1
