"""The movements of bets reported for an event are those that the core applies."""

from collections import Counter
from collections.abc import Iterable

import pytest

from taisai.core.kernel.decider import evolve
from taisai.core.kernel.messages import Event
from taisai.core.kernel.registry import EVENTS
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.collecting import LosersCollected
from taisai.core.table.chips.pieces import CollectedChips, Pieces
from taisai.core.table.round import RoundSettled
from taisai.core.table.state import TableState
from taisai.projections.moved_bets import MOVES, MovedBet, on_the_layout
from taisai.rulebooks import KEYS
from tests.kit.reaching import names_reached
from tests.projections.replayed import decisions
from tests.records.chip_table_evenings import returned_evening

#: A position, its box, and a chip, or None for an amount.
Stakes = Counter[tuple[str, str, int | str | None]]


def test_every_event_that_puts_on_a_box_or_takes_off_it_says_what() -> None:
    moving = {
        kind
        for kind, spec in EVENTS.items()
        for place in spec.at
        if names_reached(place.applies[kind]) & {"put_on", "take_off"}
    }
    assert moving == set(MOVES)


def staked_by(state: TableState) -> Stakes:
    """Count the bets in the state of a table, with their chips."""
    found: Stakes = Counter()
    for name, position in state.positions.items():
        for box, amount in position.bets.items():
            found[name, box, None] += amount
    for stack in () if state.chips is None else state.chips.stacks:
        for each in stack.chips:
            found[stack.seat, stack.box, each.chip] += each.count
    return found


def add(found: Stakes, moves: Iterable[MovedBet]) -> None:
    for whose, box, amount, chips in moves:
        found[whose, box, None] += amount
        for each in chips:
            found[whose, box, each.chip] += each.count


def follow(events: Iterable[Event]) -> set[type[Event]]:
    """Add up the reported movements, compare them with each state, and give the moving events."""
    state, found, moved = TableState(), Stakes(), set()
    for event in events:
        evolve(state, event)
        if isinstance(event, RoundSettled | RoundVoided):
            found.clear()
        elif type(event) in MOVES:
            moves = list(MOVES[type(event)](event))
            add(found, moves)
            moved |= {type(event)} if moves else set()
        assert {key: held for key, held in found.items() if held} == staked_by(state), event
    return moved


@pytest.mark.parametrize("key", KEYS)
def test_what_events_move_comes_to_what_lies_there_in_simulated_worlds(key: str) -> None:
    for _, decided in decisions(key):
        follow(event for each in decided for event in each.events)


def test_what_was_advised_or_ruled_on_and_goes_back_is_moved() -> None:
    told = [event for each in returned_evening().decided for event in each.events]
    names = {kind.__name__ for kind in follow(told)}
    assert {"AdvisedBetReturned", "BetRuled"} <= names


def test_what_is_collected_is_seen_no_more_and_its_change_is() -> None:
    """A chip of 100.00 loses 40.00: it is removed, and the rack gives 60.00 back [D23]."""
    change = (Pieces(2_500, 2), Pieces(500, 2))
    taken = CollectedChips("small", "1", 4_000, (Pieces(10_000, 1),), change)
    back = CollectedChips("odd", "2", 2_000, (Pieces("pink", 4),))
    assert list(on_the_layout(LosersCollected(7, (taken,), "dan", (back,)))) == [
        MovedBet("2", "odd", 2_000, (Pieces("pink", 4),)),
        MovedBet("1", "small", -4_000, (Pieces(10_000, -1), *change)),
    ]
