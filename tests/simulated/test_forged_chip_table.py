"""A forged chip table, or a broken core: departures, unclaimed money, and shortfalls."""

from collections.abc import Callable
from typing import Any

import pytest

from taisai.core.kernel.messages import Posting
from taisai.core.streams import TableCommand, TableEvent
from taisai.core.table import corrections
from taisai.core.table import round as core_round
from taisai.core.table.chips import leaving, seats
from taisai.core.table.chips.colours import AssignColour, BuyColour
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, TakeSeat, UnclaimedSetAside
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    VoidSettledRounds,
)
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import CloseTable, GiveNotice
from taisai.runtime.auditor import AuditError, Auditor
from tests.kit.chip_tables import HUNDRED, bets, created, opened
from tests.simulated.forging import edit
from tests.simulated.recorded import Decided, RecordedTable

SMALL, BIG = (1, 2, 6), (6, 5, 5)


class AuditedChipTable(RecordedTable):
    """A chip table that records its decisions as an auditor sees them."""

    def __init__(self) -> None:
        super().__init__()
        opened(created(self)).does("dealer", TakeSeat("1"))
        self.does("dealer", BuyChips("1", HUNDRED, 10_000))

    def bets(self) -> None:
        """Bet 100.00 on Small from seat 1."""
        self.betting()
        self.does("dealer", RecordBets("1", bets(small=HUNDRED)))

    def plays(self, *faces: int) -> None:
        """Play a round."""
        self.bets()
        self.settled(*faces)

    def corrects(self, *faces: int) -> None:
        """Settle round 1 again."""
        self.agrees("supervisor", CorrectSettledRound(1, faces, "the camera shows it"))

    def forges(self, kind: type[TableEvent], change: Callable[[Any], Any]) -> None:
        """Change the last event of a kind."""
        for position, (stream, events, at, role) in reversed([*enumerate(self.seen)]):
            if any(type(event) is kind for event in events):
                forged = [change(event) if type(event) is kind else event for event in events]
                whole = tuple(event for event in forged if event is not None)
                self.seen[position] = Decided(stream, whole, at, role)
                return
        raise LookupError(f"no {kind.__name__} happened")

    def audit(self) -> None:
        """Show all decisions to a new auditor."""
        auditor = Auditor()
        auditor.venue.currency = "SGD"
        for decided in self.seen:
            auditor.observe(*decided)
        auditor.compare("T1", self.state.ledger.balances)


def walked_away_and_won() -> AuditedChipTable:
    """Let seat 1 leave with winning bets, so that 200.00 are unclaimed."""
    table = AuditedChipTable()
    table.bets()
    table.does("dealer", LeaveSeat("1"))
    table.settled(*SMALL)
    return table


def test_who_is_gone_is_put_right_out_of_what_is_kept_and_not_otherwise() -> None:
    table = walked_away_and_won()
    table.corrects(*BIG)
    table.audit()
    table.forges(
        RoundResettled,
        lambda event: edit(event, gone=(edit(event.gone[0], taken=0, shortfall=20_000),)),
    )
    with pytest.raises(AuditError, match="those who left were netted"):
        table.audit()


def test_a_reversal_that_forgets_who_is_gone_is_caught() -> None:
    table = walked_away_and_won()
    table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    table.audit()
    table.forges(RoundsReversed, lambda event: edit(event, gone=()))
    with pytest.raises(AuditError, match="those who left were netted"):
        table.audit()


@pytest.mark.parametrize(
    ("module", "command"),
    [(core_round, OpenBets()), (leaving, LeaveSeat("1"))],
    ids=["bets are called for", "the player leaves"],
)
def test_a_recovery_that_nobody_spoke_of_is_caught(
    module: Any, command: TableCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = AuditedChipTable()
    table.plays(*SMALL)
    table.corrects(*BIG)
    table.audit()
    monkeypatch.setattr(module, "recovery_refusal", lambda *_: None)
    table.does("dealer", command)
    with pytest.raises(AuditError, match="before it was said what could be had back"):
        table.audit()


def test_money_left_on_the_table_when_a_round_begins_is_caught() -> None:
    table = AuditedChipTable()
    table.bets()
    table.does("dealer", LeaveSeat("1"))
    table.agrees("shift-manager", Rule("a fire alarm", voids_round=True))
    table.does("dealer", OpenBets())
    table.audit()
    table.forges(UnclaimedSetAside, lambda _: None)
    with pytest.raises(AuditError, match=r"before what is theirs was kept for \['1'\]"):
        table.audit()


def test_pieces_changed_into_chips_that_the_rack_does_not_have_are_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = AuditedChipTable()
    table.does("dealer", AssignColour("1", "pink", 50_000))
    table.does("dealer", BuyColour("1", 100, 5_000_000))
    table.does("dealer", OpenBets())
    table.does("dealer", RecordBets("1", bets(small=(Pieces("pink", 1),))))
    table.does("dealer", LeaveSeat("1"))
    table.agrees("shift-manager", Rule("a fire alarm", voids_round=True))
    assert table.refuses("dealer", OpenBets()) == ("RACK_SHORT", None)
    monkeypatch.setattr(core_round, "unclaimed_refusal", lambda _: None)
    table.does("dealer", OpenBets())
    with pytest.raises(AuditError, match="set aside in chips that the rack does not have"):
        table.audit()


@pytest.mark.parametrize("way", ["reversal", "ruling"])
def test_what_is_put_right_between_two_gaming_days_is_caught(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = AuditedChipTable()
    table.plays(*BIG)
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.does("dealer", LeaveSeat("1"))
    table.agrees("supervisor", CountDrop(10_000, 0))
    assert table.state.chips is not None
    rack = tuple(Pieces(chip, count) for chip, count in table.state.chips.rack.items() if count)
    table.agrees("supervisor", CloseDay(rack))
    table.audit()
    monkeypatch.setattr(corrections, "_no_day", lambda _: None)
    if way == "reversal":
        table.corrects(*SMALL)
    else:
        posting = Posting("house:bank", "house:void-shortfall", 100)
        table.agrees("shift-manager", Rule("goodwill", (posting,)))
    with pytest.raises(AuditError, match="while no gaming day was open"):
        table.audit()


@pytest.mark.parametrize(("missing", "out"), [(0, 4), (700, 5), (4_000, 12)])
def test_both_ways_leave_a_player_the_pieces_that_were_not_had(missing: int, out: int) -> None:
    table = AuditedChipTable()
    table.does("dealer", TakeSeat("2"))
    table.does("dealer", AssignColour("2", "pink", 500))
    table.does("dealer", BuyColour("2", 8, 4_000))
    table.betting()
    table.does("dealer", RecordBets("2", bets(small=(Pieces("pink", 4),))))
    table.settled(*SMALL)
    # Four of eight pieces won four more; all eight that Small returned are the venue's.
    table.corrects(*BIG)
    table.agrees("dealer", RecordRecovery("2", missing, "he will not"))
    table.audit()
    assert table.state.chips is not None
    assert table.state.chips.colours["pink"].out == out


def test_a_core_that_changes_chips_at_a_closed_table_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = AuditedChipTable()
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.audit()
    monkeypatch.setattr(seats, "closed_refusal", lambda _: None)
    table.does("dealer", ExchangeChips("1", HUNDRED, HUNDRED))
    with pytest.raises(AuditError, match="while the table is closed"):
        table.audit()
