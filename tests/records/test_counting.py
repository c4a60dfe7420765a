"""How the story of a round classifies a change of credits, for every event that posts one."""

from collections import defaultdict

from msgspec.structs import replace

from taisai.core.kernel.ledger import postings_of
from taisai.core.kernel.messages import Event
from taisai.core.kernel.registry import POSTINGS
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.colours import ColourBought
from taisai.core.table.chips.layout_bets import (
    AdvisedBetReturned,
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    RecordCorrected,
)
from taisai.core.table.chips.recovery import RecoveryRecorded
from taisai.core.table.chips.rulings import BetRuled
from taisai.core.table.chips.seats import (
    ChipsBought,
    ChipsExchanged,
    PlayerWalkedAway,
    SeatLeft,
    UnclaimedSetAside,
)
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.positions import CashedOut, CreditsReceived
from taisai.core.table.round import BetsClosed, RoundSettled
from taisai.core.table.service import SessionEndedByStaff, WinSetAside
from taisai.projections.figures.digests import DIGESTS, Moved
from taisai.runtime.records.round_report import counted_as
from tests.kit.reaching import names_reached
from tests.table.test_messages import told
from tools.protocol.examples import EXAMPLES

#: What each event does to a player's credits, as a person would say it.
COUNTED: dict[type[Event], set[str]] = {
    CreditsReceived: {"received"},
    ChipsBought: {"received"},
    ChipsExchanged: {"received"},
    ColourBought: {"received"},
    CashedOut: {"cashed"},
    SeatLeft: {"cashed"},
    PlayerWalkedAway: {"cashed"},
    UnclaimedSetAside: {"cashed"},
    SessionEndedByStaff: {"cashed"},
    WinSetAside: {"cashed"},
    BetsRegistered: {"staked"},
    # Chips may be on the layout that were not recorded in front of a player.
    BetsRecorded: {"received", "staked"},
    RecordCorrected: {"received", "staked", "taken_back"},
    BetsWithdrawn: {"taken_back"},
    BetsTakenBack: {"taken_back"},
    BetsClosed: {"taken_back"},
    ExcessRejected: {"taken_back"},
    AdvisedBetReturned: {"taken_back"},
    BetRuled: {"taken_back"},
    RoundSettled: {"back"},
    RoundVoided: {"back"},
    RoundsReversed: {"put_right"},
    RoundResettled: {"put_right"},
    RulingRecorded: {"put_right"},
    RecoveryRecorded: {"put_right"},
}


def example(kind: type[Event]) -> Event:
    found = EXAMPLES[kind]
    assert isinstance(found, kind)
    return found


def posted() -> list[Event]:
    """Make every possible posting; rare events are made from an example."""
    return [
        *told(),
        *(example(kind) for kind in COUNTED),
        replace(example(BetsClosed), rejected=(("7", "small", 500),)),
        replace(example(ChipsExchanged), brought=500),
        replace(example(RecordCorrected), brought=500),
    ]


def test_every_change_of_credits_is_counted_as_what_it_is() -> None:
    found: dict[type[Event], set[str]] = defaultdict(set)
    for event in posted():
        kind = type(event)
        for posting in postings_of(event):
            source, destination = posting.source, posting.destination
            if source.startswith("terminal:"):
                found[kind].add(counted_as(kind, destination, -1))
            if destination.startswith("terminal:"):
                found[kind].add(counted_as(kind, source, 1))
    assert found == COUNTED


def test_no_event_that_posts_to_credits_is_left_out() -> None:
    # A ruling names its accounts itself.
    naming = {kind for kind, post in POSTINGS.items() if "credits_of" in names_reached(post)}
    assert naming | {RulingRecorded} == set(COUNTED)


def test_what_is_received_or_cashed_is_in_the_figures_unless_it_was_bought_before() -> None:
    received = {kind for kind, counted in COUNTED.items() if counted <= {"received", "cashed"}}
    moved = {kind for kind in DIGESTS if isinstance(DIGESTS[kind](example(kind)), Moved)}
    assert moved == received - {ChipsExchanged}
