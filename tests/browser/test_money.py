"""Money in and out of a terminal, and the recall of the last rounds."""

import re

from playwright.sync_api import expect

from tests.browser.windows import Dealer, Player, money
from tests.kit.processes import CREDITS, RunningVenue


def test_a_voucher_is_printed_and_taken_once(
    venue: RunningVenue, player: Player, other: Player
) -> None:
    player.sit("vouchers")
    other.sit("vouchers")
    player.open_window("Cash out").get_by_role("button", name="Print the voucher").click()
    voucher = player.dialog("Your voucher")
    expect(voucher).to_contain_text(money(CREDITS))
    slip = voucher.get_by_role("article", name="Voucher")
    expect(slip.get_by_role("img", name="QR code of the number")).to_be_visible()
    (number,) = re.findall(r"(?:\d{4} ){4}\d{2}", slip.inner_text())
    voucher.get_by_role("button", name="Hide the voucher").click()
    player.sees_balance(0)

    taking = other.open_window("Buy in")
    taking.get_by_label("Number of the voucher").fill(number)
    taking.get_by_role("button", name="Take the voucher").click()
    expect(taking).to_be_hidden()
    other.sees_balance(2 * CREDITS)
    assert venue.credits(other.key) == 2 * CREDITS

    taking = player.open_window("Buy in")
    taking.get_by_label("Number of the voucher").fill(number)
    taking.get_by_role("button", name="Take the voucher").click()
    expect(taking.get_by_role("alert").or_(taking.locator("[aria-invalid=true]"))).to_be_visible()
    player.sees_balance(0)


def test_the_last_rounds_are_told_bet_by_bet_and_bet_again(player: Player, dealer: Dealer) -> None:
    player.sit("again")
    dealer.stand_at("again").goes("Open the bets")
    player.bets({"small": 500, "total-11": 500})
    dealer.play(1, 2, 3)
    player.sees_balance(CREDITS)

    # The round's outcome links to its bets.
    player.status.get_by_role("button", name="Your stakes came back").click()
    told = player.dialog("Last rounds")
    round_ = told.get_by_role("region", name="Round 1")
    expect(round_).to_contain_text("1, 2, 3, total 6")
    # Small wins as much as was staked, Total 11 loses: nothing won or lost in all.
    bets = round_.get_by_role("row")
    expect(bets).to_have_count(4)
    for row, parts in enumerate(
        (
            ("Small: won", "1 to 1", "[clause 4.1.2]", "$5.00", "$10.00"),
            ("Total 11: lost", "[clause 3.8]", "$5.00", "$0.00"),
            ("Total", "$0.00", "$10.00", "$10.00"),
        ),
        start=1,
    ):
        for part in parts:
            expect(bets.nth(row)).to_contain_text(part)
    # All that 1, 2, 3 lights, though nobody bet on it.
    for name in ("Total 6", "Domino 1 and 2", "Single 3"):
        lit = round_.get_by_role("img", name=re.compile(f"^{name}, .*wins$"))
        expect(lit.first).to_be_attached()
    lost = round_.get_by_role("img", name=re.compile("^Total 11, .*lost 5.00"))
    expect(lost.first).to_be_visible()
    player.page.keyboard.press("Escape")

    dealer.goes("Open the bets")
    player.tool("Rebet").click()
    player.sees_on("small", "5.00 put down, not yet sent")
    player.tool("Undo").click()
    player.tool("Rebet ×2").click()
    player.sees_on("small", "10.00 put down, not yet sent")
    player.place()
    player.sees_on("total-11", "your bet 10.00")
    player.sees_balance(CREDITS - 2_000)
    player.tool("Double").click()
    player.place()
    player.sees_on("total-11", "your bet 20.00")
    player.press("Take all back")
    player.sees_balance(CREDITS)
