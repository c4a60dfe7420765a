"""The cage in the browser, and a chip table on every screen that only looks at it.

The demo seats five guests at a chip table: seats 2, 3 and 6 play red, blue and green.
"""

import re
from typing import Self

from playwright.sync_api import Locator, expect

from tests.browser.chip_windows import ChipDealer
from tests.browser.conftest import Opener
from tests.browser.windows import Auditor, PitStaff, Player, Watcher, Window, money
from tests.kit.processes import RunningVenue

TABLE = "chips-cage"


class CageStaff(PitStaff):
    """Somebody who looks at the cage: a cashier, or the pit."""

    def look_at_cage(self) -> Self:
        """Go to the cage, which is all that a cashier sees of the pit."""
        self.page.goto(f"{self.venue.address}/pit?view=cage")
        self.log_in()
        expect(self.drawer).to_be_visible()
        return self

    @property
    def drawer(self) -> Locator:
        """Find whose the drawer is."""
        return self.page.get_by_role("region", name="The drawer", exact=True)

    @property
    def ways(self) -> Locator:
        """Find what is on its way between the cage and the tables."""
        return self.page.get_by_role("region", name="Chips between cage and tables", exact=True)

    def asks(self, opens: str | re.Pattern[str], gives: str, **written: str) -> None:
        """Open a form of the cage, fill it in and ask for it."""
        self.page.get_by_role("button", name=opens).click()
        form = self.page.get_by_role("dialog")
        for label, text in written.items():
            form.get_by_label(label.replace("_", " "), exact=True).fill(text)
        form.get_by_role("button", name=gives, exact=True).click()

    def looks_up(self, code: str) -> Locator:
        """Write the code of a session into the form that is open, and have it looked up."""
        form = self.dialog("Pay unclaimed money")
        form.get_by_label("Code of the session", exact=True).fill(code)
        form.get_by_role("button", name="Look it up", exact=True).click()
        return form

    def counts(self, form: Locator, counts: dict[str, str]) -> None:
        """Fill in a count sheet."""
        for value, count in counts.items():
            form.get_by_label(value, exact=True).fill(count)


def test_a_shift_from_count_to_reconciliation_with_a_fill_and_a_credit(window: Opener) -> None:
    cashier: CageStaff = window(CageStaff, "cashier").look_at_cage()
    manager: CageStaff = window(CageStaff, "pit manager").look_at_cage()
    dealer: ChipDealer = window(ChipDealer, "dealer")
    dealer.stand_at(TABLE)
    begin_anew(cashier, manager)

    cashier.asks("Open a shift…", "Open a shift", Cash_in_the_drawer="1000")
    manager.grant("open a shift with $1,000.00")
    expect(cashier.drawer).to_contain_text("Counted at the beginning")
    expect(manager.drawer).to_contain_text("Counted at the beginning")
    # A count is blind: neither who counts nor who agrees to it is told what should be there.
    for each in (cashier, manager):
        expect(each.drawer).not_to_contain_text("Should be there")

    fill_is_sent(cashier, manager)
    fill_is_received(dealer, manager)
    expect(cashier.ways).to_contain_text("No fill is on its way.")
    credit_is_sent(dealer, manager)
    credit_is_received(cashier, manager)

    cashier.asks("Close the shift…", "Close the shift", Cash_in_the_drawer="998")
    manager.grant("close the shift with $998.00")
    for each in (cashier, manager):
        expect(each.drawer).to_contain_text("2.00 short")
        expect(each.page.get_by_role("region", name="Past shifts")).to_contain_text("2.00 short")


def begin_anew(cashier: CageStaff, manager: CageStaff) -> None:
    """Close the shift of the demo's own cashier, where there is one."""
    close = cashier.page.get_by_role("button", name="Close the shift…")
    expect(close.or_(cashier.page.get_by_role("button", name="Open a shift…"))).to_be_visible()
    if close.is_visible():
        # What the other cashier left is not known; that it is counted is enough to begin anew.
        cashier.asks("Close the shift…", "Close the shift", Cash_in_the_drawer="1")
        manager.grant("close the shift")
        expect(cashier.drawer).to_contain_text(re.compile("agrees|short|over"))


def fill_is_sent(cashier: CageStaff, manager: CageStaff) -> None:
    cashier.press("Send a fill…")
    form = cashier.dialog("Send a fill")
    form.get_by_label("Table").select_option(TABLE)
    form.get_by_role("button", name="Send a fill", exact=True).click()
    expect(form).to_contain_text("Write how many of each chip")
    cashier.counts(form, {"100.00": "5", "25.00": "8"})
    expect(form).to_contain_text(f"Total {money(70_000)}")
    form.get_by_role("button", name="Send a fill", exact=True).click()
    expect(form).to_be_hidden()
    manager.grant(f"send table {TABLE} a fill of {money(70_000)}")
    for each in (cashier, manager):
        expect(each.ways).to_contain_text(TABLE)
        expect(each.ways).to_contain_text("5 × 100")


def fill_is_received(dealer: ChipDealer, manager: CageStaff) -> None:
    expect(dealer.till()).to_contain_text(money(70_000))
    form = dealer.asked("Receive…")
    dealer.counts(form, {100: 5, 25: 8})
    dealer.gives(form, "Receive the fill")
    manager.grant("receive the fill")


def credit_is_sent(dealer: ChipDealer, manager: CageStaff) -> None:
    form = dealer.asked("Send a credit…")
    dealer.counts(form, {100: 3, 5: 10})
    dealer.gives(form, "Send a credit to the cage")
    manager.grant(f"send a credit of {money(35_000)}")


def credit_is_received(cashier: CageStaff, manager: CageStaff) -> None:
    cashier.press(re.compile("^Receive the credit"))
    form = cashier.page.get_by_role("dialog")
    cashier.counts(form, {"100.00": "2", "5.00": "10"})
    form.get_by_role("button", name="Receive", exact=True).click()
    expect(form).to_contain_text("was sent as 350.00 and is counted as 250.00: count again")
    cashier.counts(form, {"100.00": "3"})
    form.get_by_role("button", name="Receive", exact=True).click()
    expect(form).to_be_hidden()
    manager.grant(f"{money(35_000)} counted")
    expect(cashier.ways).to_contain_text("No credit is on its way.")


def test_what_a_player_walked_away_from_is_paid_once_against_their_code(window: Opener) -> None:
    """Seat 1 bets 10.00 on Big, goes, and wins: 20.00 in chips are theirs [D21]."""
    dealer: ChipDealer = window(ChipDealer, "dealer")
    dealer.stand_at("chips-owed")
    dealer.goes("Open the bets")
    dealer.records("1.b 10")
    code = walks_away(dealer, "1")
    deal(dealer)
    dealer.goes("Winning bets paid: say so")
    expect(dealer.till()).to_contain_text(f"Seat 1, session 1 {money(2_000)}")

    cashier: CageStaff = window(CageStaff, "cashier").look_at_cage()
    cashier.may_be_refused = ("/api/cage/unclaimed",)
    cashier.press("Pay unclaimed money…")
    form = cashier.looks_up(code[:-1] + str((int(code[-1]) + 1) % 10))
    expect(form).to_contain_text("That is no code of a session: sixteen digits")
    # The last digit checks the others: this one is well made, and nobody's.
    expect(cashier.looks_up("0" * 16)).to_contain_text("No session of this venue has this code")
    expect(cashier.looks_up(code)).to_contain_text(
        "Set aside for who played at seat 1 of table chips-owed, session 1"
    )
    expect(form).to_contain_text(money(2_000))
    expect(form).to_contain_text("Hand over the chips that the table set aside")
    form.get_by_role("button", name="Pay unclaimed money", exact=True).click()
    expect(form).to_be_hidden()
    expect(cashier.waiting).to_contain_text("Somebody else grants this, on their own screen.")
    expect(dealer.till()).to_contain_text(f"Seat 1, session 1 {money(2_000)}")

    manager: CageStaff = window(CageStaff, "pit manager").look_at_cage()
    manager.grant(f"pay {money(2_000)} set aside at seat 1 of chips-owed, session 1")
    expect(cashier.waiting).to_contain_text("Nothing waits.")
    expect(dealer.till()).to_contain_text("Nothing is kept.")

    cashier.press("Pay unclaimed money…")
    paid = "What was set aside for the session 1@1 has been paid"
    expect(cashier.looks_up(code)).to_contain_text(paid)
    expect(form.get_by_role("button", name="Pay unclaimed money", exact=True)).to_be_hidden()


def walks_away(dealer: ChipDealer, seat: str) -> str:
    """Let a player walk away from bets, and read the code that the dealer hands on to them."""
    dealer.choose(seat)
    form = dealer.asked("Leave…")
    given = re.search(r"code of their session: ([\d ]+)", form.inner_text())
    assert given is not None, form.inner_text()
    dealer.gives(form, "The player walks away")
    return given[1].replace(" ", "")


def test_a_cashier_sees_the_cage_alone(window: Opener) -> None:
    cashier: CageStaff = window(CageStaff, "cashier").look_at_cage()
    views = cashier.page.get_by_role("navigation", name="Views of the pit").get_by_role("link")
    expect(views).to_have_text(["Cage"])
    cashier.go_to(TABLE)
    expect(cashier.drawer).to_be_visible()


def test_a_chip_table_is_watched_on_the_display_and_not_played_on_a_terminal(
    window: Opener, watcher: Watcher, player: Player, venue: RunningVenue
) -> None:
    dealer: ChipDealer = window(ChipDealer, "dealer")
    dealer.stand_at("chips-shown")
    watcher.go_to("chips-shown")
    rack = watcher.page.get_by_role("region", name="Display rack")
    expect(rack.get_by_role("listitem")).to_have_text(
        [re.compile("Red.*Seat 2"), re.compile("Blue.*Seat 3"), re.compile("Green.*Seat 6")]
    )
    play(dealer)
    watcher.sees("Winners are being paid: no bets yet")
    dealer.goes("Winning bets paid: say so")
    wall = watcher.page.get_by_role("article")
    expect(wall).not_to_contain_text("Winners are being paid")
    player.go_to("chips-shown")
    expect(player.page.get_by_role("main")).to_contain_text("nothing to play on this screen")
    expect(player.page.get_by_role("link", name="Watch chips-shown")).to_be_visible()
    lobby: Window = window(Window)
    lobby.page.goto(venue.address)
    card = lobby.page.get_by_role("article", name="chips-shown")
    expect(card.get_by_role("link")).to_have_text(["Watch", "Deal"])
    replayed(window(Auditor, "auditor"))
    reported(window(CageStaff, "shift manager"))


def play(dealer: ChipDealer) -> None:
    """Play a round: seat 2 wins 5.00 with five pieces on Big, and seat 1 loses 10.00 on Small."""
    dealer.goes("Open the bets")
    dealer.records("2.b 5")
    dealer.records("1.s 10")
    deal(dealer)
    dealer.goes("Losing bets collected: say so")


def deal(dealer: ChipDealer) -> None:
    """Throw 4, 5 and 6 with what lies on the layout."""
    dealer.goes("Close the bets")
    dealer.tumble()
    dealer.goes("Lift the cover")
    dealer.see_flat()
    dealer.enter(4, 5, 6)
    dealer.goes("Confirm and call the result")


def replayed(auditor: Auditor) -> None:
    """Step through the round: the chips by seat, and what was collected and paid."""
    auditor.page.goto(f"{auditor.venue.address}/audit?view=rounds&table=chips-shown&round=1")
    auditor.log_in()
    page = auditor.page
    expect(page.get_by_text("Step 1 of")).to_be_visible()
    # A key is taken only once the replay listens for it; a button is there when it is seen.
    page.get_by_role("button", name="To the end").click()
    # The fewest chips: one of 5.00, and two of them on Small.
    expect(page.get_by_role("list", name="Paid out of the rack")).to_contain_text("1 × 5")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("list", name="Taken from Small")).to_contain_text("2 × 5")
    expect(page.locator(".replay-stakes")).to_contain_text("seat 2")


def reported(manager: CageStaff) -> None:
    """Find the gaming day in the list, with its report to print."""
    manager.page.goto(f"{manager.venue.address}/pit?view=days")
    manager.log_in()
    rows = manager.page.get_by_role("region", name="Counted at chip tables")
    expect(rows).to_contain_text("chips-shown")
    with manager.page.expect_popup() as opened:
        manager.page.get_by_role("button", name=re.compile("^Page to print")).first.click()
    tab = opened.value
    expect(tab.locator("tfoot").first).to_be_visible()
    # The totals end their table once, however many pages it goes over.
    shown = "getComputedStyle(document.querySelector('tfoot')).display"
    assert tab.evaluate(shown) == "table-row-group"
    tab.close()
