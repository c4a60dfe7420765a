"""What a run counts: latencies in buckets, books that add up, and the faults it finds."""

from random import Random
from typing import Any

import msgspec
import pytest

from taisai.bots.books import Books
from taisai.bots.tally import WRONG_KEPT, Latencies, Tally
from taisai.core.kernel.messages import BoxStake
from taisai.protocol import private as p
from taisai.protocol.server_messages import Private, TerminalSnapshot
from taisai.protocol.views import Line, PositionView, RoundOutcome

BETS = (BoxStake("small", 500), BoxStake("big", 200))
LINES = (Line("small", 500, 500, 1_000), Line("big", 200))


def counted(values: list[int]) -> Latencies:
    latencies = Latencies()
    for value in values:
        latencies.add(value)
    return latencies


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.95, 0.99, 1.0])
def test_a_share_is_found_to_a_thirty_second(share: float) -> None:
    chance = Random(5)  # noqa: S311 - nothing is secret
    values = sorted(int(chance.lognormvariate(8, 2)) for _ in range(5_000))
    exact = values[max(0, min(len(values) - 1, -int(-share * len(values) // 1) - 1))]
    found = counted(values).at(share)
    assert exact <= found <= exact * (1 + 1 / 32) + 1


@pytest.mark.parametrize("value", [0, 1, 31, 32, 63, 64, 65, 127, 128, 1_000_000, 2**40])
def test_one_value_is_every_share(value: int) -> None:
    latencies = counted([value])
    assert {latencies.at(share) for share in (0.01, 0.5, 1.0)} == {value}


def test_what_several_counted_adds_up() -> None:
    one, other = counted([1, 50, 3_000]), counted([7, 900_000])
    one.merge(other)
    whole = counted([1, 50, 3_000, 7, 900_000])
    assert one == whole
    empty = Latencies()
    empty.merge(whole)
    assert empty == whole
    assert Latencies().at(0.5) == 0


def test_a_tally_goes_over_the_wire_and_adds_up() -> None:
    tally = Tally(terminals=2, connected=2, asked=3, registered=2, lines=4)
    tally.refuse("BETS_CLOSED")
    tally.latencies.add(1_500)
    read = msgspec.json.decode(msgspec.json.encode(tally), type=Tally)
    assert read == tally
    read.merge(tally)
    assert (read.registered, read.refused, read.answered) == (4, {"BETS_CLOSED": 2}, 6)
    assert read.faults() == []


def test_what_is_not_as_it_should_be_is_said() -> None:
    tally = Tally(terminals=3, connected=2, lost=1, unanswered=1)
    tally.refuse("BETS_CLOSED")
    tally.refuse("OFF_STEP")
    for number in range(WRONG_KEPT + 5):
        tally.complain(f"wrong {number}")
    faults = tally.faults()
    assert faults[:5] == [
        "2 of 3 terminals were connected",
        "1 terminals lost their connection for good",
        "1 bets were not answered",
        "1 refused as OFF_STEP, which nobody earned",
        "wrong 0",
    ]
    assert faults[-1] == "and 5 more"


# --- books --------------------------------------------------------------------------------------


def begun(credits_: int = 10_000) -> Books:
    books = Books()
    view = PositionView("T1", "T1-1", "a place", credits_, 0)
    assert list(books.begin(TerminalSnapshot(1, 0, view))) == []
    return books


def told(
    books: Books, credits_: int, bets: dict[str, int], event: p.AnyPrivateEvent, **more: Any
) -> list[str]:
    """Announce an event, with the venue's view after it."""
    shown = {"credits": credits_, "staked": sum(bets.values()), **more}
    emptied = dict.fromkeys({"small", "big"} - bets.keys())
    changes = {**shown, "bets": {**bets, **emptied}}
    return list(books.take(Private("T1", 2, 1, 0, (event,), changes)))


BOTH = {"small": 500, "big": 200}


def test_books_follow_a_round() -> None:
    books = begun()
    books.registered(700)
    assert told(books, 9_300, BOTH, p.BetsRegistered(BETS)) == []
    last = RoundOutcome(1, LINES, 1_000, 500, (1, 2, 3))
    assert told(books, 10_300, {}, p.RoundSettled(1), last=last) == []
    assert told(books, 10_800, {}, p.CreditsReceived("t", 500)) == []
    assert told(books, 10_700, {}, p.RoundsCorrected((1,), 100, 200, "7")) == []
    assert told(books, 0, {}, p.CashedOut("t", 10_700)) == []
    assert (books.rounds, books.lines) == (1, 2)
    assert list(books.close("T1-1")) == []


def test_bets_taken_back_rejected_or_void_come_back() -> None:
    books = begun()
    assert told(books, 9_300, BOTH, p.BetsRegistered(BETS)) == []
    assert told(books, 9_500, {"small": 500}, p.BetsWithdrawn((BoxStake("big", 200),))) == []
    assert told(books, 9_600, {"small": 400}, p.BetsRejected((BoxStake("small", 100),))) == []
    last = RoundOutcome(1, (Line("small", 400, back=400),), 400, clause="5")
    assert told(books, 10_000, {}, p.RoundVoided(1, "spilt", "5"), last=last) == []


def test_money_that_does_not_add_up_is_found() -> None:
    books = begun()
    (wrong,) = told(books, 9_301, BOTH, p.BetsRegistered(BETS))
    assert wrong.startswith("at version 2 of T1: shown credits 9301 and stakes 700 on")
    assert "which come to 9300 and 700" in wrong
    # A fault is reported once, and not again with every later message.
    assert told(books, 9_801, BOTH, p.CreditsReceived("t", 500)) == []


def test_bets_on_another_box_are_found() -> None:
    (wrong,) = told(begun(), 9_300, {"big": 700}, p.BetsRegistered(BETS))
    assert "on {'big': 700}" in wrong


def test_lines_that_are_not_of_the_bets_are_found() -> None:
    books = begun()
    assert told(books, 9_300, BOTH, p.BetsRegistered(BETS)) == []
    settled = p.RoundSettled(1)
    last = RoundOutcome(1, LINES[:1], 1_000, 500, (1, 2, 3))
    wrong = told(books, 10_300, {"big": 200}, settled, last=last)
    assert "the lines are of {'small': 500}" in wrong[0]


def test_a_bet_that_is_there_twice_is_found() -> None:
    books = begun()
    books.registered(700)
    assert told(books, 9_300, BOTH, p.BetsRegistered(BETS)) == []
    assert told(books, 8_600, {"small": 1_000, "big": 400}, p.BetsRegistered(BETS)) == []
    assert list(books.close("T1-1")) == ["T1-1: bets of 700 were registered, 1400 announced"]


def test_after_a_second_snapshot_the_sums_begin_anew() -> None:
    books = begun()
    books.registered(700)
    view = PositionView("T1", "T1-1", "a place", 9_300, 700, {"small": 500, "big": 200})
    assert list(books.begin(TerminalSnapshot(5, 0, view))) == []
    assert list(books.close("T1-1")) == []
    wrong = PositionView("T1", "T1-1", "a place", 9_300, 700, {"small": 500})
    assert "700 is staked" in next(books.begin(TerminalSnapshot(6, 0, wrong)))


def test_what_a_ruling_moved_is_taken_as_shown() -> None:
    books = begun()
    assert told(books, 12_345, {}, p.RulingRecorded("9")) == []
    assert told(books, 12_445, {}, p.CreditsReceived("t", 100)) == []
