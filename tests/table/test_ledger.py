"""Double entry: postings that follow from events, accounts that never go below zero, and meters."""

import pytest

from taisai.core.cage.vouchers import VoucherIssued, VoucherPaid, VoucherTaken, VoucherVoided
from taisai.core.kernel import once
from taisai.core.kernel.ledger import Ledger, credits_of, postings_of, stakes_of
from taisai.core.kernel.messages import CAGE_STREAM, BoxStake, Netted, Posting, SettledLine
from taisai.core.kernel.transits import TransitClosed, from_cage, sender_of
from taisai.core.streams import CageEvent, TableEvent
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    RulingRecorded,
)
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.positions import CashedOut, CashOut, CreditsReceived, TerminalLost
from taisai.core.table.round import BetsClosed, ResultEntered, RoundSettled, Settle
from taisai.core.table.service import WinSetAside
from taisai.core.table.state import Meter, every_meter
from tests.kit.tables import open_table
from tests.table.books import assert_table_books


def settled(*lines: SettledLine) -> RoundSettled:
    return RoundSettled(1, (1, 2, 3), lines, {}, {}, 0, 0, "dan", 0)


def test_the_names_of_accounts_are_the_same_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(once, "HELD_MAX", 3)
    for name in [f"T1-{number % 7}" for number in range(50)]:
        assert credits_of(name) == f"terminal:{name}"
        assert stakes_of(name) == f"stake:{name}"
    assert len(credits_of.__self__) <= 3 >= len(stakes_of.__self__)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("event", "postings"),
    [
        (
            BetsRegistered("7", (BoxStake("small", 300), BoxStake("big", 200))),
            [Posting("terminal:7", "stake:7", 500)],
        ),
        (
            BetsWithdrawn("7", (BoxStake("small", 300), BoxStake("big", 200))),
            [Posting("stake:7", "terminal:7", 500)],
        ),
        (
            BetsClosed(
                "", bell=False, clause="", by="", rejected=(("7", "big", 5), ("8", "big", 6))
            ),
            [Posting("stake:7", "terminal:7", 5), Posting("stake:8", "terminal:8", 6)],
        ),
        (
            RoundVoided(1, "x", "", (SettledLine("7", "small", 300, 0, 300),)),
            [Posting("stake:7", "terminal:7", 300)],
        ),
        (
            RoundsReversed(1, 1, (1,), (Netted("7", 5, 0, 0), Netted("8", 0, 6, 7)), "", "", 0),
            [
                Posting("house:bank", "terminal:7", 5),
                Posting("terminal:8", "house:bank", 6),
                Posting("house:void-shortfall", "house:bank", 7),
            ],
        ),
        (
            RoundResettled(1, (1, 1, 1), (2, 2, 2), (), (Netted("7", 5, 0, 0),), "", "", 0),
            [Posting("house:bank", "terminal:7", 5)],
        ),
        (
            RulingRecorded("", "", (Posting("house:bank", "terminal:7", 9),), "sam", 0),
            [Posting("house:bank", "terminal:7", 9)],
        ),
        (
            CreditsReceived("cage-1", "7", 50, 0),
            [
                Posting("transit:settled", "transit:cage-1", 50),
                Posting("transit:cage-1", "terminal:7", 50),
            ],
        ),
        (CashedOut("T1-9", "7", 50, "7@1", 0), [Posting("terminal:7", "transit:T1-9", 50)]),
        (TransitClosed("T1-9", 50), [Posting("transit:T1-9", "transit:settled", 50)]),
        (
            VoucherIssued(1, "0000", 50, "", 0, 0, ""),
            [Posting("cash:counter", "vouchers:outstanding", 50)],
        ),
        (
            VoucherIssued(1, "0000", 50, "", 0, 0, "", "T1-9"),
            [
                Posting("transit:settled", "transit:T1-9", 50),
                Posting("transit:T1-9", "vouchers:outstanding", 50),
            ],
        ),
        (
            VoucherTaken(1, "cage-1", "T1", "7", 50),
            [Posting("vouchers:outstanding", "transit:cage-1", 50)],
        ),
        (VoucherPaid(1, 50, "cat"), [Posting("vouchers:outstanding", "cash:counter", 50)]),
        (
            VoucherVoided(1, 50, "cat", "wrong"),
            [Posting("vouchers:outstanding", "cash:counter", 50)],
        ),
        (WinSetAside("7", "7@1", 50, "cat", 0), [Posting("terminal:7", "unclaimed:7@1", 50)]),
        (TerminalLost("7"), []),
        (ResultEntered((1, 2, 3), "keyed", "dan"), []),
    ],
)
def test_an_event_says_what_it_does_to_money(
    event: TableEvent | CageEvent, postings: list[Posting]
) -> None:
    assert list(postings_of(event)) == postings


def test_6_5_losing_bets_are_collected_first_then_winning_ones_paid() -> None:
    event = settled(
        SettledLine("7", "small", 100, 100, 200),
        SettledLine("7", "big", 30, 0, 0),
        SettledLine("7", "odd", 50, 50, 100),
        SettledLine("8", "big", 40, 0, 0),
    )
    assert list(postings_of(event)) == [
        Posting("stake:7", "house:bank", 30),
        Posting("stake:8", "house:bank", 40),
        Posting("stake:7", "terminal:7", 150),
        Posting("house:bank", "terminal:7", 150),
    ]


def test_money_moves_and_the_sum_stays_nothing() -> None:
    ledger = Ledger()
    ledger.post([Posting("house:bank", "terminal:7", 50), Posting("terminal:7", "stake:7", 20)])
    assert ledger.balances == {"house:bank": -50, "terminal:7": 30, "stake:7": 20}
    assert (ledger.balance("terminal:7"), ledger.balance("terminal:8")) == (30, 0)
    assert (ledger.total("terminal:"), ledger.total("house:"), ledger.total("")) == (30, -50, 0)


@pytest.mark.parametrize("account", ["terminal:7", "stake:7", "vouchers:outstanding"])
def test_nothing_of_a_players_ever_owes(account: str) -> None:
    with pytest.raises(AssertionError, match="overdrawn"):
        Ledger().post([Posting(account, "house:bank", 1)])


def test_nothing_moves_backwards() -> None:
    with pytest.raises(AssertionError, match="moves less than nothing"):
        Ledger().post([Posting("house:bank", "terminal:7", -1)])


def test_where_nothing_is_due_no_account_is_opened() -> None:
    ledger = Ledger()
    ledger.post([Posting("house:bank", "terminal:7", 0)])
    assert ledger.balances == {}


def test_a_transit_that_is_through_leaves_no_account_behind() -> None:
    ledger = Ledger()
    ledger.post(postings_of(CreditsReceived("cage-1", "7", 50, 0)))
    assert ledger.balances == {"transit:settled": -50, "terminal:7": 50}
    ledger.post(postings_of(CashedOut("T1-9", "7", 50, "7@1", 0)))
    assert ledger.balance("transit:T1-9") == 50
    ledger.post(postings_of(TransitClosed("T1-9", 50)))
    assert "transit:T1-9" not in ledger.balances


def test_every_meter_of_one_small_round() -> None:
    """On 2, 2, 5: Small 5,000 wins 5,000, Single 2 1,000 wins 2,000, Big 4,000 is collected."""
    table = open_table("div9/2")
    table.betting(t7={"small": 5_000, "single-2": 1_000}, t8={"big": 4_000}).settled(2, 5, 2)
    sums = Meter(turnover=10_000, collected=4_000, won=7_000)
    assert every_meter(table.state) == {
        "table": Meter(turnover=10_000, collected=4_000, won=7_000, drop=200_000),
        "dealer:dan": sums,
        "terminal:7": Meter(turnover=6_000, won=7_000, drop=100_000),
        "terminal:8": Meter(turnover=4_000, collected=4_000, drop=100_000),
        "kind:small": Meter(turnover=5_000, won=5_000),
        "kind:single": Meter(turnover=1_000, won=2_000),
        "kind:big": Meter(turnover=4_000, collected=4_000),
    }
    assert (sums.hold, table.balance("house:bank")) == (-3_000, -3_000)


def test_meters_of_voids_corrections_and_what_goes_out() -> None:
    table = open_table().betting(t7={"small": 3_000}, t8={"big": 2_000})
    table.does("system", RecordInterruption())
    table.betting(t7={"small": 1_000}, t8={"big": 2_000}).settled(1, 2, 3)
    table.agrees("supervisor", CorrectSettledRound(2, (5, 6, 6), "misread"))
    table.does("terminal", CashOut("8"), "8")
    gift = (Posting("house:bank", "terminal:7", 500),)
    table.agrees("shift-manager", Rule("goodwill", gift))
    meters = every_meter(table.state)
    assert meters["terminal:7"] == Meter(
        turnover=1_000, won=1_000, drop=100_000, voided=3_000, corrections=-2_000 + 500
    )
    assert meters["terminal:8"] == Meter(
        turnover=2_000, collected=2_000, drop=100_000, out=102_000, voided=2_000, corrections=4_000
    )
    assert meters["table"] == Meter(
        turnover=3_000,
        collected=2_000,
        won=1_000,
        drop=200_000,
        out=102_000,
        voided=5_000,
        corrections=2_500,
    )
    assert_table_books(table.state)


def test_the_dealer_who_settled_has_the_round_on_their_meter() -> None:
    table = open_table().betting(t7={"small": 1_000}).confirmed(1, 2, 3)
    table.does("supervisor", Settle())
    assert table.state.meters["dealer:sue"] == Meter(turnover=1_000, won=1_000)
    assert "dealer:dan" not in table.state.meters


def test_a_transit_says_who_sent_it() -> None:
    assert sender_of(from_cage("T-1", 12)) == CAGE_STREAM
    assert sender_of("T-1-12") == "T-1"
