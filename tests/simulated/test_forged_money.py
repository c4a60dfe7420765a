"""Forged money: corrections, rulings, transits and vouchers that do not add up."""

import msgspec
import pytest

from taisai.core.cage.vouchers import (
    CageOpened,
    SerialsSkipped,
    SetVoucherTerms,
    VoucherIssued,
    VoucherKeyReplaced,
    VoucherPaid,
    VoucherTaken,
    VoucherTermsSet,
    VoucherVoided,
)
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.messages import Actor, Event, Netted, Order
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.positions import CashedOut, CreditsReceived, TerminalLost
from taisai.core.table.setup import LimitsSet, RulebookAdopted, TableStopped
from taisai.core.venue.setup import VenueOpened, VenueRestored, VenueTakenOver
from taisai.runtime.auditor import AuditError, Auditor
from tests.simulated.forging import Forgery, caught, edit, find, try_forgery
from tests.simulated.recorded import Decided


def came_back(transit: str | None) -> bool:
    """Say whether a voucher is for money that the cage had sent."""
    return transit is not None and transit.startswith("cage-")


#: The event, a condition, the forgery, and the auditor's complaint.
FORGERIES: dict[str, Forgery] = {
    "a reversal that gives more": (
        RoundsReversed,
        lambda s: s.netted,
        lambda s: edit(s, netted=(edit(s.netted[0], given=s.netted[0].given + 7), *s.netted[1:])),
        "terminals were netted as",
    ),
    "a reversal that forgets a terminal": (
        RoundsReversed,
        lambda s: s.netted,
        lambda s: edit(s, netted=s.netted[1:]),
        "terminals were netted as",
    ),
    "a reversal that adds a terminal": (
        RoundsReversed,
        lambda _: True,
        lambda s: edit(s, netted=(*s.netted, Netted("99", 5, 0, 0))),
        "terminals were netted as",
    ),
    "a round left out of a reversal": (
        RoundsReversed,
        lambda s: s.rounds,
        lambda s: edit(s, rounds=s.rounds[1:]),
        r"rounds .* were voided, not \{",
    ),
    "a reversal from earlier on": (
        RoundsReversed,
        lambda s: s.rounds,
        lambda s: edit(s, first=s.first - 1),
        "before the dice came or unasked",
    ),
    "a correction paid by other dice": (
        RoundResettled,
        lambda s: s.faces != (1, 1, 1),
        lambda s: edit(s, faces=(1, 1, 1)),
        "by dice nobody agreed on",
    ),
    "a correction that pays more": (
        RoundResettled,
        lambda s: s.netted,
        lambda s: edit(s, netted=(edit(s.netted[0], given=s.netted[0].given + 7), *s.netted[1:])),
        "terminals were netted as",
    ),
    "a correction of another round": (
        RoundResettled,
        lambda _: True,
        lambda s: edit(s, round=100_000),
        "nobody can say how it was",
    ),
    "a ruling that moves more": (
        RulingRecorded,
        lambda s: s.postings,
        lambda s: edit(s, postings=(edit(s.postings[0], amount=10**6), *s.postings[1:])),
        "moved other money than was agreed",
    ),
    "a ruling by another clause": (
        RulingRecorded,
        lambda _: True,
        lambda s: edit(s, clause="0.0"),
        "a ruling cites 0.0",
    ),
    "a reversal at another time": (
        RoundsReversed,
        lambda _: True,
        lambda s: edit(s, at=s.at + 1),
        "money was put right at",
    ),
    "a correction at another time": (
        RoundResettled,
        lambda _: True,
        lambda s: edit(s, at=s.at + 1),
        "money was put right at",
    ),
    "a ruling at another time": (
        RulingRecorded,
        lambda _: True,
        lambda s: edit(s, at=s.at + 1),
        "money was put right at",
    ),
    "credits to another terminal": (
        CreditsReceived,
        lambda s: s.terminal != "1",
        lambda s: edit(s, terminal="1"),
        r"transit .* brought \d+ to 1, not",
    ),
    "more credits than were sent": (
        CreditsReceived,
        lambda _: True,
        lambda s: edit(s, amount=s.amount + 1),
        "transit .* brought",
    ),
    "credits out of nothing": (
        CreditsReceived,
        lambda _: True,
        lambda s: edit(s, transit="cage-999999"),
        "arrived and was never sent",
    ),
    "more cashed out than there was": (
        CashedOut,
        lambda _: True,
        lambda s: edit(s, amount=s.amount + 1),
        r"cashed out \d+, and held",
    ),
    "money on its way under another number": (
        VoucherTaken,
        lambda _: True,
        lambda s: edit(s, transit=f"{s.transit}0"),
        r"transit cage-(T\d+-\d+)0 was sent, not cage-\1$",
    ),
    "money on its way under the name of what another table is sent": (
        VoucherTaken,
        lambda s: s.table != "T9",
        lambda s: edit(s, transit="cage-T9-1"),
        r"transit cage-T9-1 was sent, not cage-T\d+-\d+",
    ),
    "money on its way under another table's name": (
        CashedOut,
        lambda _: True,
        lambda s: edit(s, transit="T9-1"),
        r"transit T9-1 was sent, not T\d+-\d+",
    ),
    "money on its way under a name without a number": (
        CashedOut,
        lambda _: True,
        lambda s: edit(s, transit=f"{s.transit}x"),
        r"transit (T\d+-\d+)x was sent, not \1$",
    ),
    "money on its way under a name used before": (
        CashedOut,
        lambda _: True,
        lambda s: edit(s, transit=f"{s.transit.rpartition('-')[0]}-0"),
        r"transit (T\d+)-0 was sent, not \1-\d+",
    ),
    "a transit closed as more": (
        TransitClosed,
        lambda _: True,
        lambda s: edit(s, amount=s.amount + 1),
        "was closed as",
    ),
    "a transit closed that never was": (
        TransitClosed,
        lambda _: True,
        lambda s: edit(s, transit="nowhere-1"),
        "was closed and is not open",
    ),
    "a voucher worth more": (
        VoucherTaken,
        lambda _: True,
        lambda s: edit(s, value=s.value + 100),
        r"voucher \d+ of \d+ was redeemed for",
    ),
    "a voucher never issued": (
        VoucherTaken,
        lambda _: True,
        lambda s: edit(s, serial=999_999),
        "was redeemed and never issued",
    ),
    "a voucher printed for more": (
        VoucherIssued,
        lambda s: s.transit and not came_back(s.transit),
        lambda s: edit(s, value=s.value + 100),
        "transit .* brought",
    ),
    "a voucher that comes back as more": (
        VoucherIssued,
        lambda s: came_back(s.transit),
        lambda s: edit(s, value=s.value + 100),
        "transit .* came back with",
    ),
    "a voucher that comes back from elsewhere": (
        VoucherIssued,
        lambda s: came_back(s.transit) and s.place != "T1/1",
        lambda s: edit(s, place="T1/1"),
        "transit .* came back with .* from T1/1, not with",
    ),
    "a voucher good for ever": (
        VoucherIssued,
        lambda _: True,
        lambda s: edit(s, expires=s.expires + 1),
        "is dated wrongly",
    ),
    "a whole number shown": (
        VoucherIssued,
        lambda _: True,
        lambda s: edit(s, last_four="123456789012345678"),
        "shows 123456789012345678",
    ),
    "a voucher paid short": (
        VoucherPaid,
        lambda _: True,
        lambda s: edit(s, value=s.value - 1),
        "was redeemed for",
    ),
    "a voucher voided for less": (
        VoucherVoided,
        lambda _: True,
        lambda s: edit(s, value=s.value - 1),
        "was redeemed for",
    ),
    "a voucher voided without a reason": (
        VoucherVoided,
        lambda _: True,
        lambda s: edit(s, note=" "),
        "nobody agreed to that, or why",
    ),
    "another rulebook than said": (
        RulebookAdopted,
        lambda _: True,
        lambda s: edit(s, sha256="0" * 64),
        "is not the one it is said to be",
    ),
    "other limits than agreed": (
        LimitsSet,
        lambda _: True,
        lambda s: edit(s, limits=edit(s.limits, minimum=0)),
        "not those agreed to",
    ),
    "a stop by another clause": (
        TableStopped,
        lambda _: True,
        lambda s: edit(s, clause="0.0"),
        "it stopped by 0.0",
    ),
    "a loss by another clause": (
        TerminalLost,
        lambda _: True,
        lambda s: edit(s, clause="0.0"),
        "was lost by 0.0",
    ),
    "another currency": (
        CageOpened,
        lambda _: True,
        lambda s: edit(s, currency="NZD"),
        "it deals in NZD, and the venue in SGD",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_event_is_caught(name: str) -> None:
    try_forgery(FORGERIES[name])


def test_money_that_came_back_and_is_still_on_its_way_is_caught() -> None:
    """If it were not closed at once, a table could be sent it again."""
    place = find(VoucherIssued, lambda s: came_back(s.transit))
    stream, events, at, role = place.decided
    world = list(place.world)
    world[place.position] = Decided(stream, events[: place.within + 1], at, role)
    caught(world, "cage: transit cage-.* came back and was not closed")


def test_money_that_came_back_and_is_received_all_the_same_is_caught() -> None:
    place = find(VoucherIssued, lambda s: came_back(s.transit))
    at = place.decided.at
    received = CreditsReceived(place.event.transit, "1", place.event.value, at)
    world = [*place.world[: place.position + 1], Decided("T1", (received,), at)]
    caught(world, "T1: transit cage-.* arrived and was never sent, or is closed")


def test_a_venue_that_one_person_restored_is_caught() -> None:
    auditor = Auditor()
    auditor.observe("venue", [VenueOpened("Harbour", "SGD")], 0)
    auditor.observe("venue", [VenueRestored("Ann", "Bob", 7)], 0)
    with pytest.raises(AuditError, match="Ann alone restored it"):
        auditor.observe("venue", [VenueRestored("Ann", "Ann", 7)], 0)
    auditor.observe("venue", [VenueTakenOver("Ann", "Bob", "lost", 2)], 0)
    with pytest.raises(AuditError, match="Ann alone took it over"):
        auditor.observe("venue", [VenueTakenOver("Ann", "ann", "lost", 3)], 0)
    with pytest.raises(AuditError, match="as of epoch 2, after 2"):
        auditor.observe("venue", [VenueTakenOver("Ann", "Bob", "lost", 2)], 0)


SKIPPED = SerialsSkipped(1_000, "Ann", "Bob", "restored")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (SerialsSkipped(1_000, "Ann", "Ann", "restored"), "Ann alone left serials out"),
        (SerialsSkipped(1_000, "Ann", "ANN ", "restored"), "Ann alone left serials out"),
        (SerialsSkipped(1_000, "Ann", "Bob", " "), "or nobody said why"),
        (SerialsSkipped(0, "Ann", "Bob", "restored"), "left out up to 0, after 0"),
        (SerialsSkipped(10**9 + 1, "Ann", "Bob", "restored"), "left out up to 1000000001"),
    ],
)
def test_serials_left_out_wrongly_are_caught(event: SerialsSkipped, said: str) -> None:
    auditor = Auditor()
    with pytest.raises(AuditError, match="left out up to 1000, after 0"):
        auditor.observe("cage", [SKIPPED], 0)
    auditor.observe("venue", [VenueOpened("Harbour", "SGD")], 0)
    auditor.observe("cage", [CageOpened("SGD", 30, None)], 0)
    with pytest.raises(AuditError, match=said):
        auditor.observe("cage", [event], 0)
    auditor.observe("cage", [SKIPPED], 0)
    with pytest.raises(AuditError, match="left out up to 1000, after 1000"):
        auditor.observe("cage", [SKIPPED], 0)


def test_a_voucher_sold_while_nobody_had_the_drawer_is_caught() -> None:
    """[D37] A terminal's cash-out is printed at any hour; a sale needs a drawer."""
    auditor = Auditor()
    auditor.observe("venue", [VenueOpened("Harbour", "SGD")], 0)
    auditor.observe("cage", [CageOpened("SGD", 30, None)], 0)
    sold = VoucherIssued(1, "1234", 500, "counter", 0, 30 * 86_400_000, "an order")
    with pytest.raises(AuditError, match="voucher 1 was sold while nobody had the drawer"):
        auditor.observe("cage", [sold], 0)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (VoucherKeyReplaced("0", 0, 30 * 86_400_000, "Ann", "ann"), "Ann alone replaced the key"),
        (VoucherKeyReplaced("0", 1, 30 * 86_400_000, "Ann", "Bob"), "in force after 1, not 0"),
        (VoucherKeyReplaced("0", 0, 0, "Ann", "Bob"), "in force after 0"),
    ],
)
def test_a_key_of_vouchers_replaced_wrongly_is_caught(event: VoucherKeyReplaced, said: str) -> None:
    auditor = Auditor()
    auditor.observe("venue", [VenueOpened("Harbour", "SGD")], 0)
    auditor.observe("cage", [CageOpened("SGD", 30, None)], 0)
    with pytest.raises(AuditError, match=said):
        auditor.observe("cage", [event], 0)
    right = msgspec.structs.replace(event, after=0, until=30 * 86_400_000, second="Bob")
    auditor.observe("cage", [right], 0)


MAY, CAT = Actor("may", "shift-manager"), Actor("cat", "cage")
TERMS = SetVoucherTerms(7, 50_000)


@pytest.mark.parametrize(
    ("asked", "event", "said"),
    [
        (None, VoucherTermsSet(7, 50_000, "may", "cat"), "changed without a second person"),
        (MAY, VoucherTermsSet(7, 60_000, "may", "cat"), "not those agreed to"),
        (MAY, VoucherTermsSet(7, 50_000, "may", "dan"), "laid to others than those who agreed"),
        (Actor("sue", "supervisor"), VoucherTermsSet(7, 50_000, "sue", "cat"), "a supervisor"),
    ],
)
def test_terms_of_vouchers_that_two_did_not_agree_to_are_caught(
    asked: Actor | None, event: VoucherTermsSet, said: str
) -> None:
    auditor = Auditor()
    auditor.observe("venue", [VenueOpened("Harbour", "SGD")], 0)
    auditor.observe("cage", [CageOpened("SGD", 30, None)], 0)
    events: list[Event] = [event]
    if asked is not None:
        auditor.observe("cage", [ApprovalRequested("0", Order("1", asked, TERMS), 0)], 0)
        events = [CommandApproved("0", CAT), event]
    with pytest.raises(AuditError, match=said):
        auditor.observe("cage", events, 0)


def test_a_voucher_is_dated_by_the_terms_of_its_time() -> None:
    auditor = Auditor()
    auditor.observe("venue", [VenueOpened("Harbour", "SGD")], 0)
    auditor.observe("cage", [CageOpened("SGD", 30, None)], 0)
    auditor.observe("cage", [ApprovalRequested("0", Order("1", MAY, TERMS), 0)], 0)
    changed = VoucherTermsSet(7, 50_000, "may", "cat")
    auditor.observe("cage", [CommandApproved("0", CAT), changed], 0)
    sold = VoucherIssued(1, "1234", 500, "counter", 0, 30 * 86_400_000, "an order")
    with pytest.raises(AuditError, match="voucher 1 is dated wrongly"):
        auditor.observe("cage", [sold], 0)
