"""What goes wrong at a table, corrected by two persons in two windows, and seen by the players."""

import json
import re

from playwright.sync_api import expect

from tests.browser.windows import Dealer, Player
from tests.kit.processes import CREDITS, RunningVenue


def _ask_to_amend(dealer: Dealer, *faces: int) -> None:
    """Submit an amendment of the result, by the six buttons of the form."""
    # Until it is agreed the paying result is open, and the payout guide says so.
    dealer.may_be_refused = ("/guide",)
    dealer.step("Amend the result").click()
    form = dealer.page.get_by_role("form", name="Amend the result")
    for face in faces:
        form.get_by_role("button", name=f"Face {face}").click()
    form.get_by_role("button", name="Amend the result").click()
    expect(dealer.waiting).to_contain_text("Somebody else grants this, on their own screen.")


def test_a_wrong_result_is_amended_under_the_supervisor(
    venue: RunningVenue, dealer: Dealer, supervisor: Dealer, player: Player
) -> None:
    player.sit("amend")
    dealer.stand_at("amend").tumble()
    supervisor.stand_at("amend").may_be_refused = ("/guide",)
    dealer.goes("Open the bets")
    player.bets({"total-9": 500, "total-10": 500})
    dealer.goes("Close the bets")
    dealer.see_flat()
    dealer.enter(1, 3, 6)
    player.hears("1, 3, 6, total 10")

    _ask_to_amend(dealer, 1, 1, 1)
    supervisor.decline("Dana asks: amend the result to 1 1 1")
    expect(dealer.next_step).to_contain_text("Sunil declined it: it was not done")
    player.hears("1, 3, 6, total 10")

    _ask_to_amend(dealer, 1, 3, 5)
    supervisor.grant("amend the result to 1 3 5")
    player.hears("1, 3, 5, total 9")
    player.hears("The result was amended: it had been entered as 1, 3, 6. [clause 7.2]")
    for staff in (dealer, supervisor):
        expect(staff.led).to_have_accessible_name("Result: 1, 3, 5")
    dealer.goes("Confirm and call the result")
    dealer.goes("Collect and pay")
    player.sees_balance(CREDITS - 1_000 + 4_000)
    assert venue.credits(player.key) == CREDITS - 1_000 + 4_000
    _take_the_receipt(player)


def _take_the_receipt(player: Player) -> None:
    """Save the house's receipt of the round: 5.00 on Total 9 won 7 to 1, 5.00 on Total 10 lost."""
    recalled = player.open_window("Last rounds", "Last rounds")
    recalled.get_by_role("button", name="Receipt of round 1").click()
    receipt = player.dialog("Receipt")
    expect(receipt.get_by_role("img", name="QR code of the signed receipt")).to_be_visible()
    with player.page.expect_download() as saving:
        receipt.get_by_role("button", name="Save as a file").click()
    assert saving.value.suggested_filename == "receipt-amend-1.json"
    signed = json.loads(saving.value.path().read_text())
    assert {bet["box"]: bet["back"] for bet in signed["bets"]} == {"total-9": 4_000, "total-10": 0}
    receipt.get_by_role("button", name="Done").click()
    expect(receipt).to_be_hidden()
    expect(recalled).to_be_visible()
    player.page.keyboard.press("Escape")
    # It shows the code of a session, whose letters may look like a word.
    expect(recalled).to_be_hidden()
    player.speak("zh-Hans")
    expect(player.page.locator(".outcome-call")).to_have_text("1、3、5，总点数 9")
    player.sees_no_latin_words("amend")


def test_an_irregularity_says_what_will_happen_before_it_does(
    venue: RunningVenue, dealer: Dealer, supervisor: Dealer, player: Player, other: Player
) -> None:
    player.sit("void")
    other.sit("void")
    supervisor.stand_at("void")
    dealer.stand_at("void").tumble()
    dealer.goes("Open the bets")
    player.bets({"small": 500})
    other.bets({"odd": 500, "big": 1_000})
    dealer.goes("Close the bets")

    panel = dealer.panel("Irregularities")
    panel.get_by_role("button", name=re.compile("^A die does not lie flat")).click()
    for told in ("Round 1 is void", "clause 7.1(a)", "3 in number, 20.00 in all"):
        expect(panel).to_contain_text(told)
    panel.get_by_role("button", name=re.compile("^Confirm")).click()
    expect(dealer.waiting).to_contain_text("A supervisor or above who did not report it answers")
    supervisor.agree("Dana reported: a die does not lie flat")
    for each in (player, other):
        each.hears("Void round")
        each.hears("[clause 7.1(a)]")
        each.sees_balance(CREDITS)
        assert venue.credits(each.key) == CREDITS
    player.hears("Your bets came back: $5.00.")
    other.hears("Your bets came back: $15.00.")
    # The other players' bets must not be shown.
    expect(player.status).not_to_contain_text("20.00")
    player.status.get_by_role("button", name="Your bets came back").click()
    recalled = player.dialog("Last rounds")
    expect(recalled).to_contain_text("every bet is returned [clause 7.1(a)]")
    expect(recalled.get_by_role("row").nth(1)).to_contain_text("Small: returned")
    expect(recalled.get_by_role("row").nth(2)).to_contain_text("$5.00$5.00")
    # In another language no old text is left.
    player.page.keyboard.press("Escape")
    player.speak("zh-Hans")
    expect(player.page.locator(".outcome-call")).to_contain_text("所有投注退回")
    player.speak("en")
    for staff in (dealer, supervisor):
        expect(staff.page.get_by_role("region", name="Last rounds")).to_contain_text("void")
    # "No spin" is a call of Division 9, which the console prompts.
    dealer.goes("Announce: void")
    dealer.tumble()
    dealer.goes("Open the bets")
    player.hears("Round 2")
