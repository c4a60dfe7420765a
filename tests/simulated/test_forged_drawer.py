"""Forged: the gaming day of a chip table, chips that come back, and cashiers' shifts."""

import pytest

from taisai.core.cage.drawer import ShiftClosed
from taisai.core.cage.fills import FillReturned
from taisai.core.kernel.approvals import CommandApproved
from taisai.core.table.chips.gaming_day import CreditReturned, DayOpened, DropCounted
from tests.simulated.forging import Forgery, caught, edit, find, forge, try_forgery

FORGERIES: dict[str, Forgery] = {
    "a day opened years before its time": (
        DayOpened,
        lambda _: True,
        lambda s: edit(s, date="2099-01-01"),
        "gaming day 2099-01-01 was opened before its time",
    ),
    "a fill of which more is missing than was sent": (
        FillReturned,
        lambda _: True,
        lambda s: edit(s, missing=s.missing + 100),
        r"of \d+ in cage-\w+-\d+ came back",
    ),
    "a fill of which less than nothing is missing": (
        FillReturned,
        lambda s: not s.missing,
        lambda s: edit(s, amount=s.amount + 100, missing=-100),
        r"of \d+ in cage-\w+-\d+ came back",
    ),
    "a fill taken back that nobody sent": (
        FillReturned,
        lambda _: True,
        lambda s: edit(s, transit="cage-T1-99"),
        "cage: transit cage-T1-99 was taken back and is not on its way",
    ),
    "a fill put back with other chips than it is said to be worth": (
        FillReturned,
        lambda s: s.amount,
        lambda s: edit(s, chips=()),
        "vanished",
    ),
    "a credit of which more is missing than was sent": (
        CreditReturned,
        lambda _: True,
        lambda s: edit(s, missing=s.missing + 100),
        r"of \d+ in .* came back",
    ),
    "a credit put back with other chips than it is said to be worth": (
        CreditReturned,
        lambda s: s.amount,
        lambda s: edit(s, chips=()),
        "the rack is worth",
    ),
    "a shift closed by somebody who is not named": (
        ShiftClosed,
        lambda s: s.by is not None,
        lambda s: edit(s, by=None),
        "was closed by .*, without the pit",
    ),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_drawer_is_caught(what: str) -> None:
    try_forgery(FORGERIES[what])


def test_anothers_shift_closed_by_the_cage_alone_is_caught() -> None:
    place = find(ShiftClosed, lambda event: event.by is not None)
    approved = place._replace(within=place.within - 1)
    assert isinstance(approved.event, CommandApproved)
    forged = edit(approved.event, by=edit(approved.event.by, role="cage"))
    caught(forge(approved, [forged]), "without the pit")


def test_a_drop_that_is_counted_twice_is_caught() -> None:
    """Two approved counts of one box in one decision: the second finds it again."""
    place = find(DropCounted, lambda event: event.cash)
    again = edit(place.event, expected=0)
    caught(forge(place, [place.event, again]), "counted in a drop box that had been counted")
