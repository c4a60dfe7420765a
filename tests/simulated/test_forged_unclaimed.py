"""Forged: unclaimed money paid at the cage, and limits of a player's own that end [D21]."""

import pytest

from taisai.core.cage.unclaimed import ClaimClosed, UnclaimedPaid
from taisai.core.kernel.messages import Posting, Role
from taisai.core.streams import TableCommand
from taisai.core.table import corrections
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.positions import (
    CashedOut,
    CashOut,
    OwnLimitsEnded,
    ReceiveCredits,
    SetOwnLimits,
    UnclaimedReleased,
)
from taisai.core.table.service import (
    SessionEndedByStaff,
    TerminalFailed,
    TerminalReturned,
    WinSetAside,
)
from taisai.core.table.setup import RegisterDice
from taisai.runtime.auditor import AuditError, Auditor
from taisai.runtime.auditor.books import Transit
from tests.kit.tables import CREDITS
from tests.simulated.forging import Forgery, caught, edit, find, forge, try_forgery
from tests.simulated.recorded import RecordedTable

FORGERIES: dict[str, Forgery] = {
    "more is paid than was agreed to": (
        UnclaimedPaid,
        lambda _: True,
        lambda s: edit(s, amount=s.amount + 100),
        r"was paid for .*, and nobody agreed to it",
    ),
    "another session is paid": (
        UnclaimedPaid,
        lambda _: True,
        lambda s: edit(s, session="1@999"),
        "was paid for 1@999, and nobody agreed to it",
    ),
    "cash is paid for chips, or chips for cash": (
        UnclaimedPaid,
        lambda _: True,
        lambda s: edit(s, in_chips=not s.in_chips),
        r"was paid for .*, and nobody agreed to it",
    ),
    "a table lets go of less than was paid": (
        UnclaimedReleased,
        lambda s: s.amount > 100,
        lambda s: edit(s, amount=s.amount - 100),
        r"was released as|brought",
    ),
    "a table calls a part of it lost": (
        UnclaimedReleased,
        lambda s: s.amount > 100,
        lambda s: edit(s, amount=s.amount - 100, shortfall=s.shortfall + 100),
        "was released as",
    ),
    "a table lets go of what nobody paid": (
        UnclaimedReleased,
        lambda _: True,
        lambda s: edit(s, transit="cage-T1-999999"),
        "transit cage-T1-999999 arrived and was never sent",
    ),
    "a claim is closed for another amount": (
        ClaimClosed,
        lambda _: True,
        lambda s: edit(s, amount=s.amount + 100),
        r"was closed as",
    ),
    "a cash-out is said to be of another session": (
        CashedOut,
        lambda _: True,
        lambda s: edit(s, session=f"{s.terminal}@999"),
        r"cashed out as .*@999",
    ),
    "less is set aside than a session held": (
        SessionEndedByStaff,
        lambda s: s.amount > 100,
        lambda s: edit(s, amount=s.amount - 100),
        "was set aside as",
    ),
    "what a session held is set aside for another": (
        SessionEndedByStaff,
        lambda _: True,
        lambda s: edit(s, session=f"{s.terminal}@999"),
        "was set aside as .*@999",
    ),
    "a session is ended and nobody says why": (
        SessionEndedByStaff,
        lambda _: True,
        lambda s: edit(s, note=" "),
        "too early, or without why",
    ),
    "less of a locked win is set aside than was won": (
        WinSetAside,
        lambda s: s.amount > 100,
        lambda s: edit(s, amount=s.amount - 100),
        "of .* was set aside as",
    ),
    "a locked win is set aside for another session": (
        WinSetAside,
        lambda _: True,
        lambda s: edit(s, session=f"{s.terminal}@999"),
        "was set aside as .*@999",
    ),
    "a terminal fails by another clause": (
        TerminalFailed,
        lambda _: True,
        lambda s: edit(s, clause="9.9"),
        "failed by 9.9",
    ),
    "a terminal is put back and nobody says why": (
        TerminalReturned,
        lambda _: True,
        lambda s: edit(s, note=""),
        "nobody said why",
    ),
    "limits end by themselves under their player": (
        OwnLimitsEnded,
        lambda s: s.by is not None,
        lambda s: edit(s, by=None),
        "ended under its player|should have followed",
    ),
    "staff end limits and do not say why": (
        OwnLimitsEnded,
        lambda s: s.by is not None,
        lambda s: edit(s, note=" "),
        "and did not say why",
    ),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_forged_unclaimed_money_is_caught(what: str) -> None:
    try_forgery(FORGERIES[what])


def test_a_payment_made_twice_is_caught() -> None:
    place = find(UnclaimedPaid)
    caught(forge(place, [place.event, place.event]), r"transit cage-\w+-\d+ was sent, not cage-")


class AuditedTerminals(RecordedTable):
    """A table of terminals that records its decisions as an auditor sees them."""

    def __init__(self) -> None:
        super().__init__("etg8/2")
        self.created().adopted().opened()

    def audit(self) -> None:
        """Show all decisions to a new auditor, who knows the credits that the cage has sent."""
        auditor = Auditor()
        auditor.venue.currency = "SGD"
        for transit, terminal in (("cage-T1-1", "7"), ("cage-T1-2", "8"), ("cage-T1-3", "7")):
            auditor.transits.send(transit, Transit("cage", "T1", terminal, CREDITS))
        for decided in self.seen:
            auditor.observe(*decided)


@pytest.mark.parametrize(
    ("role", "takes_all"),
    [
        ("supervisor", VoidSettledRounds(1, "a chipped die", "D1")),
        ("supervisor", CorrectSettledRound(1, (5, 6, 6), "misread")),
        ("shift-manager", Rule("x", (Posting("terminal:7", "house:bank", CREDITS),))),
    ],
)
def test_limits_that_outlast_a_session_ended_by_putting_right_are_caught(
    role: Role, takes_all: TableCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The 100,000 that 7 has left are taken; ten minutes later the next player has no limits."""
    for broken in (False, True):
        if broken:
            monkeypatch.setattr(corrections, "end_if_lost", lambda *_: None)
        table = AuditedTerminals()
        table.does("terminal", SetOwnLimits("7", None, 3_600), "7")
        table.betting(t7={"small": CREDITS}).settled(1, 2, 3)
        table.does("supervisor", RegisterDice("D2", "S2"))
        table.betting(t7={"big": CREDITS}).settled(1, 2, 3)
        table.agrees(role, takes_all)
        assert table.credits() == 0
        table.at += 600_000
        table.does("system", ReceiveCredits("cage-T1-3", "7", CREDITS))
        if broken:
            with pytest.raises(AuditError, match="the limits of who left terminal 7 bind"):
                table.audit()
        else:
            table.audit()


def test_a_ruling_gives_credits_to_several_terminals_whose_players_left_long_ago() -> None:
    """The limits of both end before the ruling, and the auditor has nothing to say."""
    table = AuditedTerminals()
    for terminal in ("7", "8"):
        table.does("terminal", SetOwnLimits(terminal, None, 3_600), terminal)
        table.does("terminal", CashOut(terminal), terminal)
    table.at += 600_000
    given = tuple(Posting("house:bank", f"terminal:{each}", 500) for each in ("7", "8"))
    table.agrees("shift-manager", Rule("goodwill", given))
    assert [table.seat(each).is_bound for each in ("7", "8")] == [False, False]
    table.audit()
