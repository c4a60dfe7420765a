"""A player's slip: drafted, sent, and refused with the reason next to the box."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.held_lines import HeldLine
from tests.browser.looking import bring, lines_seen
from tests.browser.test_viewports import LOW, ROOMY, SIDEWAYS, STANDING
from tests.browser.windows import Dealer, Player, money, words
from tests.kit.processes import CREDITS


@pytest.fixture
def seated(player: Player, dealer: Dealer) -> Player:
    """Open a player's window at a table that takes bets: 5.00 to 50.00 a box, in steps of 1.00."""
    player.sit("slip")
    dealer.stand_at("slip").call_for_bets()
    player.hears("Place your bets")
    return player


def test_the_limit_sign_is_one_press_away_and_on_the_slip(seated: Player) -> None:
    player = seated
    player.tap("total-9", 500)
    expect(player.slip).to_contain_text(f"Limits {money(500)} to {money(5_000)}")
    player.press(re.compile("^Limits of this table"))
    sign = player.dialog("Limits of this table")
    expect(sign.get_by_role("row")).to_contain_text(["Box", f"Every box{money(500)}{money(5_000)}"])
    expect(sign).to_contain_text(f"Differential: {money(3_000)}")
    player.page.keyboard.press("Escape")
    # With bets on the table it shows the most, and still two lines wherever it is open.
    player.bets({"small": 500, "big": 500})
    player.tap("odd", 500)
    for size in (*LOW[1:], *ROOMY):
        assert _lines_at(player, size) >= (4 if size in ROOMY[1:] else 2), size
    assert _lines_at(player, LOW[0]) == 0, "it is asked for"
    player.press(words("en", "play", "slip_and_roads"))
    assert lines_seen(player.page) >= 2, LOW[0]
    # On a phone it is opened, or stands below the layout: it is scrolled to.
    for size in (*SIDEWAYS, *STANDING):
        _lines_at(player, size)
        bring(player.page, ".slip-rows")
        assert lines_seen(player.page) >= 2, size


def _lines_at(player: Player, size: tuple[int, int]) -> int:
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    return lines_seen(player.page)


def test_a_bet_above_the_maximum_is_refused_whole_and_given_back(seated: Player) -> None:
    player = seated
    player.tap("total-9", 500)
    player.tap("total-10", 2_500, 2_500, 500)
    player.sees_beside("total-10", "the most is 50.00")
    player.place()
    player.says(re.compile(r"over the maximum of 50.00.*\[clause"))
    # A refusal changes with the language; no old text stays.
    player.speak("zh-Hans")
    player.says(re.compile("超过.*最高限额 50.00.*［条款"))
    player.sees_no_latin_words("slip")
    player.speak("en")
    player.says("over the maximum of 50.00")
    player.sees_on("total-10", "55.00 refused")
    player.sees_on("total-9", "5.00 put down, not yet sent")
    player.sees_balance(CREDITS)
    player.tool("Clear").click()
    player.tap("total-10", 500)
    player.place()
    player.sees_on("total-10", "your bet 5.00")
    player.sees_balance(CREDITS - 500)


def test_a_bet_beyond_the_differential_is_refused_next_to_its_box(seated: Player) -> None:
    seated.tap("small", 2_500, 1_000)
    seated.place()
    seated.sees_on("small", "35.00 refused")
    seated.says("Differential")
    seated.sees_balance(CREDITS)


def test_small_units_add_up_to_the_minimum_before_they_are_sent(seated: Player) -> None:
    player = seated
    player.tap("domino-12", 100, 100, 100)
    player.sees_beside("domino-12", "needs 2.00 more")
    place = player.button(re.compile("^Place bets"))
    expect(place).to_be_disabled()
    player.tap("domino-12", 100, 100)
    expect(place).to_be_enabled()
    player.place()
    player.sees_on("domino-12", "your bet 5.00")


def test_every_step_is_undone_and_done_again(seated: Player) -> None:
    player = seated
    boxes = [f"total-{total}" for total in range(4, 16)]
    for box in boxes:
        player.tap(box, 500)
    for _ in boxes:
        player.tool("Undo").click()
    expect(player.tool("Undo")).to_be_disabled()
    expect(player.slip).to_contain_text("Choose a chip, then a box.")
    for _ in boxes:
        player.tool("Redo").click()
    expect(player.tool("Redo")).to_be_disabled()
    player.tool("Double").click()
    player.sees_on("total-4", "10.00 put down, not yet sent")
    player.tool("Undo").click()
    player.sees_on("total-4", "5.00 put down, not yet sent")
    player.tool("Clear").click()
    player.says("Put chips on the layout")
    player.sees_balance(CREDITS)


def test_favourites_are_kept_by_name_over_a_reload(seated: Player) -> None:
    player = seated
    player.tap("any-triple", 500)
    player.tap("single-3", 1_000)
    player.press(re.compile("Favourites"))
    kept = player.dialog("Favourites")
    kept.get_by_label("Name").fill("Lucky threes")
    kept.get_by_role("button", name=re.compile("^Save")).click()
    expect(kept.get_by_role("button", name=re.compile("^Lucky threes"))).to_be_visible()
    player.page.reload()
    player.press(re.compile("Favourites"))
    kept.get_by_role("button", name=re.compile("^Lucky threes")).click()
    player.sees_on("any-triple", "5.00 put down, not yet sent")
    player.sees_on("single-3", "10.00 put down, not yet sent")


def test_the_exact_remaining_balance_can_be_bet(player: Player, dealer: Dealer) -> None:
    player.sit("deep")
    dealer.stand_at("deep").goes("Open the bets")
    player.bets({"small": 1_500})
    player.tap("odd", 100_000)
    player.says("That takes $1,000.00, and $985.00 is left.")
    player.press(f"All that is left: {money(CREDITS - 1_500)}")
    player.area("big").click()
    player.tap("odd", 500)
    player.says("Nothing is left to bet with.")
    player.place()
    player.sees_on("big", "your bet 985.00")
    player.sees_balance(0)


def test_bets_that_close_while_they_are_sent_are_given_back_with_the_clause(
    player: Player, dealer: Dealer
) -> None:
    line = HeldLine(player)
    player.sit("late")
    dealer.stand_at("late").goes("Open the bets")
    player.hears("Place your bets")
    line.hold_asked("PlaceBets")
    player.tap("small", 500)
    player.tap("odd", 500)
    player.place()
    player.sees_on("small", "5.00 on its way")
    dealer.goes("Close the bets")
    player.hears("No More Bets")
    line.release()
    player.says("[clause 3.5]")
    player.sees_on("small", "5.00")
    expect(player.slip).to_contain_text("To be placed $10.00")
    player.sees_balance(CREDITS)


def test_the_bell_rings_at_no_more_bets(player: Player, dealer: Dealer) -> None:
    # A bell is made of tones: every one that is struck is counted, in the browser's own audio.
    player.runs_first(
        "const { start } = OscillatorNode.prototype; window.struck = 0;"
        "OscillatorNode.prototype.start = function (at) { struck += 1; start.call(this, at); };"
    )
    player.sit("bell")
    dealer.stand_at("bell")
    dealer.goes("Open the bets")
    player.tap("small", 500)
    player.page.wait_for_function("struck > 0")
    before = player.page.evaluate("struck")
    dealer.page.keyboard.press("b")
    player.hears("No More Bets")
    player.page.wait_for_function("before => struck > before + 4", arg=before)
