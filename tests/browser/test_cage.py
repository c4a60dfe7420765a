"""The cage in the browser, and a chip table on every screen that only shows it.

The demo seats five guests at a chip table: seats 2, 3 and 6 play red, blue and green.
"""

import re
from pathlib import Path
from typing import Self

from playwright.sync_api import Locator, expect

from tests.browser.chip_windows import ChipDealer
from tests.browser.conftest import Opener
from tests.browser.looking import complaints_of_axe
from tests.browser.windows import Auditor, Dealer, PitStaff, Player, Watcher, Window, money
from tests.cli.command import taisai
from tests.kit.processes import CREDITS, RunningVenue

TABLE = "chips-cage"


#: The browser's own code reader, and a camera, as their interfaces are documented.
READS_CODES = """
globalThis.codes = { seen: [], looked: 0, formats: null, track: null };
globalThis.BarcodeDetector = class {
  constructor({ formats }) { codes.formats = formats; }
  async detect() {
    codes.looked += 1;
    return codes.seen.map((rawValue) => ({ rawValue, format: "qr_code" }));
  }
};
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement("canvas");
  canvas.getContext("2d").fillRect(0, 0, 9, 9);
  const stream = canvas.captureStream(5);
  [codes.track] = stream.getTracks();
  return stream;
};
"""


class CageStaff(PitStaff):
    """A person at the cage: a cashier at the counter, or the pit at the drawer."""

    def look_at_cage(self) -> Self:
        """Go to the cage: a cashier has a screen of their own."""
        path = "cage" if self.role == "cashier" else "pit?view=cage"
        self.page.goto(f"{self.venue.address}/{path}")
        self.log_in()
        expect(self.drawer).to_be_visible()
        return self

    @property
    def drawer(self) -> Locator:
        """Find the panel of the drawer."""
        return self.page.get_by_role("region", name="The drawer", exact=True)

    @property
    def ways(self) -> Locator:
        """Find the panel of chips in transit between the cage and the tables."""
        return self.page.get_by_role("region", name="Chips between cage and tables", exact=True)

    def asks(self, opens: str | re.Pattern[str], gives: str, **written: str) -> None:
        """Open a form of the cage, fill it in and submit it."""
        self.page.get_by_role("button", name=opens).click()
        form = self.page.get_by_role("dialog")
        for label, text in written.items():
            form.get_by_label(label.replace("_", " "), exact=True).fill(text)
        form.get_by_role("button", name=gives, exact=True).click()

    def sells(self, amount: str) -> None:
        """Submit the sale of a voucher."""
        self.page.get_by_label("Amount", exact=True).fill(amount)
        self.button("Sell").click()

    def takes_slip(self) -> str:
        """Read the number on the slip, and close it."""
        slip = self.dialog("The voucher is sold")
        found = re.search(r"(?:\d{4} ){4}\d{2}", slip.inner_text())
        assert found is not None, slip.inner_text()
        slip.get_by_role("button", name="Done").click()
        expect(slip).to_be_hidden()
        return found[0].replace(" ", "")

    def looks_up(self, code: str) -> Locator:
        """Enter the code of a session into the open form, and look it up."""
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
    manager.asked_to_grant("open a shift with 1,000.00")
    assert complaints_of_axe(manager.page) == []
    manager.page.keyboard.press("Escape")
    manager.grant("open a shift with 1,000.00")
    expect(cashier.drawer).to_contain_text("Counted at the beginning")
    expect(manager.drawer).to_contain_text("Counted at the beginning")
    # A count is blind: neither person is told the expected amount.
    for each in (cashier, manager):
        expect(each.drawer).not_to_contain_text("Should be there")

    vouchers_are_sold_paid_and_voided(cashier, manager)
    fill_is_sent(cashier, manager)
    fill_is_received(dealer, manager)
    expect(cashier.ways).to_contain_text("No fill is on its way.")
    credit_is_sent(dealer, manager)
    credit_is_received(cashier, manager)

    # The voucher sold above the threshold is outstanding: its cash is in the drawer.
    cashier.asks("Close the shift…", "Close the shift", Cash_in_the_drawer="20998")
    manager.grant("close the shift with 20,998.00")
    for each in (cashier, manager):
        expect(each.drawer).to_contain_text("2.00 short")
        expect(each.page.get_by_role("region", name="Past shifts")).to_contain_text("2.00 short")


def vouchers_are_sold_paid_and_voided(cashier: CageStaff, manager: CageStaff) -> None:
    """Sell and pay one; take one back with a second person; sell one that takes a second person."""
    page = cashier.page
    cashier.sells("75.50")
    slip = cashier.dialog("The voucher is sold")
    expect(slip.get_by_role("img", name="QR code of the number")).to_be_visible()
    assert complaints_of_axe(page) == []
    is_printed_alone(cashier, money(7_550))
    number = cashier.takes_slip()
    found = cashier.scan(number)
    expect(found).to_contain_text(money(7_550))
    expect(page.get_by_label("Amount", exact=True)).to_have_value("")
    found.get_by_role("button", name="Pay $75.50", exact=True).click()
    expect(page.get_by_label("Notice", exact=True)).to_contain_text("is paid: $75.50")
    cashier.may_be_refused = ("/api/vouchers/find",)
    counter = page.get_by_role("region", name="Vouchers", exact=True)
    gone = counter.get_by_text("There is no such voucher, or it has been redeemed")
    expect(cashier.scan(number, gone)).to_be_visible()

    expect(counter).to_contain_text("This browser cannot read a QR code with a camera")

    cashier.sells("20")
    number = cashier.takes_slip()
    # On a screen without a keyboard the digits are pressed.
    counter.get_by_role("button", name="Show the keypad").click()
    for digit in number:
        counter.get_by_role("group", name="Keypad").get_by_role("button", name=digit).click()
    counter.get_by_role("button", name="Look it up").click()
    found.get_by_role("button", name="Void…").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Why").fill("the player wanted 200")
    form.get_by_role("button", name="Void it, hand $20.00 back").click()
    expect(form).to_be_hidden()
    manager.grant("hand its cash back: the player wanted 200")
    expect(page.get_by_label("Notice", exact=True)).to_contain_text("is void: $20.00 handed back")

    cashier.sells("20000")
    expect(cashier.waiting).to_contain_text("Somebody else grants this, on their own screen.")
    manager.grant("sell a voucher of 20,000.00")
    assert len(cashier.takes_slip()) == 18
    out = page.get_by_role("region", name="Vouchers that are out")
    expect(out).to_contain_text("20,000.00")


def test_a_voucher_is_scanned_with_the_camera_where_the_browser_can_read_it(window: Opener) -> None:
    cashier: CageStaff = window(CageStaff, "cashier")
    # The tests' browser reads no codes, and has no camera: these stand in for both.
    cashier.runs_first(READS_CODES)
    cashier.look_at_cage()
    cashier.may_be_refused = ("/api/vouchers/find",)
    counter = cashier.page.get_by_role("region", name="Vouchers", exact=True)
    expect(counter).not_to_contain_text("This browser cannot read a QR code")
    counter.get_by_role("button", name="Scan with the camera").click()
    camera = cashier.dialog("Hold the QR code before the camera")
    cashier.page.wait_for_function("() => codes.looked > 2")
    expect(camera).to_be_visible()
    cashier.page.evaluate("codes.seen = ['https://nothing.of.ours', '123456789012345678']")
    expect(camera).to_be_hidden()
    # It was looked up: the last digit of a voucher's number checks the others.
    expect(counter).to_contain_text("That is no voucher number")
    assert cashier.page.evaluate("codes.formats") == ["qr_code"]
    assert cashier.page.evaluate("codes.track.readyState") == "ended", "the camera is let go"


def is_printed_alone(cashier: CageStaff, words: str) -> None:
    """Check the printout: it has the slip, and nothing else of the screen."""
    page = cashier.page
    page.emulate_media(media="print")
    sheet = page.locator("body > .sheet")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text(words)
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.emulate_media(media="screen")
    expect(sheet).to_be_hidden()


def begin_anew(cashier: CageStaff, manager: CageStaff) -> None:
    """Close the shift of the demo's own cashier, if there is one."""
    close = cashier.page.get_by_role("button", name="Close the shift…")
    expect(close.or_(cashier.page.get_by_role("button", name="Open a shift…"))).to_be_visible()
    if close.is_visible():
        # The other cashier's cash is not known; to count it is enough to open a new shift.
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
    assert complaints_of_axe(cashier.page) == []
    form.get_by_role("button", name="Send a fill", exact=True).click()
    expect(form).to_be_hidden()
    manager.grant(f"send table {TABLE} a fill of 700.00")
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
    manager.grant("send a credit of 350.00")


def credit_is_received(cashier: CageStaff, manager: CageStaff) -> None:
    cashier.press(re.compile("^Receive the credit"))
    form = cashier.page.get_by_role("dialog")
    cashier.counts(form, {"100.00": "2", "5.00": "10"})
    form.get_by_role("button", name="Receive", exact=True).click()
    expect(form).to_contain_text("was sent as 350.00 and is counted as 250.00: count again")
    cashier.counts(form, {"100.00": "3"})
    form.get_by_role("button", name="Receive", exact=True).click()
    expect(form).to_be_hidden()
    manager.grant("350.00 counted")
    expect(cashier.ways).to_contain_text("No credit is on its way.")


def test_what_a_player_walked_away_from_is_paid_once_against_their_code(window: Opener) -> None:
    """Seat 1 bets 10.00 on Big, leaves, and wins: 20.00 in chips are theirs [D21]."""
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
    # The last digit checks the others: this code is well formed, and no session has it.
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
    manager.grant("pay 20.00 set aside at seat 1 of chips-owed, session 1")
    expect(cashier.waiting).to_contain_text("Nothing waits.")
    expect(dealer.till()).to_contain_text("Nothing is kept.")

    cashier.press("Pay unclaimed money…")
    paid = "What was set aside for the session 1@1 has been paid"
    expect(cashier.looks_up(code)).to_contain_text(paid)
    expect(form.get_by_role("button", name="Pay unclaimed money", exact=True)).to_be_hidden()


def walks_away(dealer: ChipDealer, seat: str) -> str:
    """Let a player leave with bets, and read the code that the dealer gives them."""
    dealer.choose(seat)
    # The preview may be requested at the same moment.
    dealer.may_be_refused = (*dealer.may_be_refused, "/preview")
    form = dealer.asked("Leave…")
    given = re.search(r"code of their session: ([\d ]+)", form.inner_text())
    assert given is not None, form.inner_text()
    dealer.gives(form, "The player walks away")
    return given[1].replace(" ", "")


def test_a_locked_win_is_paid_by_hand_and_a_round_signed_for(
    window: Opener, player: Player, dealer: Dealer, venue: RunningVenue, tmp_path: Path
) -> None:
    """5.00 on Small wins 5.00, which locks the terminal; the win leaves it, the rest stays."""
    player.sit("locks")
    dealer.stand_at("locks").goes("Open the bets")
    player.bets({"small": 500})
    dealer.play(1, 2, 3)
    player.sees_balance(CREDITS + 500)
    told = player.open_window("Last rounds")
    expect(told).to_contain_text(re.compile(r"Code of your session: (\d{4} ){3}\d{4}"))
    found = re.search(r"(?:\d{4} ){3}\d{4}", told.inner_text())
    assert found is not None, told.inner_text()
    code = found[0].replace(" ", "")

    cashier: CageStaff = window(CageStaff, "cashier").look_at_cage()
    manager: CageStaff = window(CageStaff, "pit manager").look_at_cage()
    cashier.may_be_refused = ("/api/cage/hand-pays",)
    win = f"Pay the win of {player.key['terminal']} at locks by hand"
    cashier.asks(win, "Pay by hand", Code_of_the_session="0" * 16)
    form = cashier.dialog(win)
    expect(form).to_contain_text("No session of this venue has this code")
    form.get_by_label("Code of the session").fill(code)
    form.get_by_role("button", name="Pay by hand", exact=True).click()
    expect(form).to_be_hidden()
    manager.grant("pay 5.00 set aside at terminal")
    expect(cashier.page.get_by_text("No terminal is locked by a win.")).to_be_visible()
    player.sees_balance(CREDITS)

    cashier.asks("Find rounds…", "Find rounds", Code_of_the_session=code)
    cashier.page.get_by_role("button", name="Receipt of round 1").click()
    receipt = cashier.dialog("Receipt")
    expect(receipt.get_by_role("row", name="Small 5.00 5.00 10.00")).to_be_visible()
    assert complaints_of_axe(cashier.page) == []
    is_printed_alone(cashier, "Round 1")
    (tmp_path / "receipt.json").write_text(receipt.locator(".receipt-text").text_content() or "")
    held = taisai("audit", "receipt", str(tmp_path / "receipt.json"), str(venue.data))
    assert "Round 1 on 1, 2, 3" in held.out, held.err
    assert "staked 5.00, and 10.00 went back" in held.out
    # A cashier has nothing else: the pit is not for them.
    receipt.get_by_role("button", name="Done").click()
    cashier.page.goto(f"{venue.address}/pit")
    expect(cashier.page.get_by_role("main")).to_contain_text("this screen is not for that role")


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
    """Throw 4, 5 and 6 with the bets on the layout."""
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
    # A key works only once the replay listens for it; a button is there when it is seen.
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
