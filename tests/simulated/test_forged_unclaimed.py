"""Forged: unclaimed money paid at the cage, and limits of a player's own that end [D21]."""

import pytest

from taisai.core.cage.unclaimed import ClaimClosed, UnclaimedPaid
from taisai.core.table.positions import CashedOut, OwnLimitsEnded, UnclaimedReleased
from tests.simulated.forging import Forgery, caught, edit, find, forge, try_forgery

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
        lambda s: edit(s, transit="cage-U999999"),
        "transit cage-U999999 arrived and was never sent",
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
    caught(forge(place, [place.event, place.event]), r"transit cage-U\d+ was sent before")
