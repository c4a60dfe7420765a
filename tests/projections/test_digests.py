"""The amounts brought and taken in the figures' digests are those of the table's meters."""

from collections.abc import Iterable

from taisai.core.kernel.decider import evolve
from taisai.core.kernel.messages import Event
from taisai.core.table.chips.colours import ColourBought
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.seats import ChipsBought, PlayerWalkedAway, SeatLeft, UnclaimedSetAside
from taisai.core.table.positions import CashedOut, CreditsReceived
from taisai.core.table.service import SessionEndedByStaff, WinSetAside
from taisai.core.table.state import TableState
from taisai.projections.figures.digests import DIGESTS, Moved, Noted
from taisai.rulebooks import KEYS
from tests.projections.replayed import decisions
from tests.records.chip_table_evenings import left_evening

#: Events that the meters count, as their subjects declare them.
COUNTED = {
    *(CreditsReceived, CashedOut, SessionEndedByStaff, WinSetAside),
    *(ChipsBought, ColourBought, SeatLeft, PlayerWalkedAway, UnclaimedSetAside),
}


def digest(event: Event) -> Noted:
    return DIGESTS[type(event)](event) if type(event) in DIGESTS else event


def counted(events: Iterable[Event]) -> set[type[Event]]:
    """Compare each event's digest with the meters; give the events that the meters counted."""
    state, found = TableState(), set()
    for event in events:
        before = drop_and_out(state)
        evolve(state, event)
        after = drop_and_out(state)
        change = (after[0] - before[0], after[1] - before[1])
        noted = digest(event)
        told = (noted.drop, noted.out) if isinstance(noted, Moved) else (0, 0)
        assert told == change, event
        found |= {type(event)} if any(change) else set()
    return found


def drop_and_out(state: TableState) -> tuple[int, int]:
    meter = state.meters.get("table")
    return (0, 0) if meter is None else (meter.drop, meter.out)


def left() -> list[Event]:
    return [event for each in left_evening().decided for event in each.events]


def test_what_players_bought_is_drop_and_what_they_left_with_is_out() -> None:
    """They bought for 400.00 and 200.00; `left_evening` has their cash-outs and unclaimed money."""
    moved = [noted for noted in map(digest, left()) if isinstance(noted, Moved)]
    assert [(each.drop, each.out) for each in moved] == [
        (40_000, 0),
        (20_000, 0),
        (0, 30_000),
        (0, 20_000),
        (0, 20_000),
    ]


def test_chips_that_players_had_with_them_are_no_drop() -> None:
    """Of 40 pieces at 5.00 cash pays for 150.00, and two chips of 25.00 for the rest."""
    chips = (Pieces(2_500, 2),)
    bought = ColourBought("2", "pink", 40, 20_000, 15_000, chips, 5_000, "dan")
    assert digest(bought) == Moved(drop=15_000)


def test_what_is_brought_and_taken_is_what_the_meters_count() -> None:
    found = counted(left())
    for key in KEYS:
        for _, decided in decisions(key):
            found |= counted(event for each in decided for event in each.events)
    assert found == COUNTED
