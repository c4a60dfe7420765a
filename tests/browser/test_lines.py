"""Lost connections and a killed house: shown while they last, and everything right afterwards."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.floors import Floor, Table
from tests.browser.held_lines import HeldLine
from tests.browser.windows import Dealer, Player, Watcher, Window
from tests.kit.processes import CREDITS, RunningVenue, running

LOST = "The line is lost; trying again… What is registered is safe."


@pytest.fixture
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningVenue]:
    """Start a venue of the test's own, to be killed."""
    floor = Floor((Table("lines", "etg8/2"),))
    with running(tmp_path_factory.mktemp("mortal"), floor) as venue:
        yield venue


def _sees_the_line_lost(window: Window) -> None:
    expect(window.page.get_by_role("alert").filter(has_text=LOST)).to_be_visible()


def test_what_was_not_answered_is_asked_again_and_done_once(
    player: Player, dealer: Dealer, venue: RunningVenue
) -> None:
    """The venue has registered a bet, and its answer is lost with the connection."""
    line = HeldLine(player)
    player.sit("words")
    dealer.stand_at("words").call_for_bets()
    player.hears("Place your bets")
    line.lose_answers()
    player.tap("small", 500, 500)
    player.place()
    player.sees_on("small", "10.00 on its way")
    expect(dealer.panel("Bets and limits")).to_contain_text("Small")
    line.cut()
    player.sees_on("small", "your bet 10.00")
    player.sees_balance(CREDITS - 1_000)
    assert venue.credits(player.key) == CREDITS - 1_000


def test_a_bet_that_never_arrived_is_sent_again(
    player: Player, dealer: Dealer, venue: RunningVenue
) -> None:
    line = HeldLine(player)
    player.sit("words")
    dealer.stand_at("words").call_for_bets()
    player.hears("Place your bets")
    line.hold_asked("PlaceBets")
    player.tap("odd", 500)
    player.place()
    player.sees_on("odd", "5.00 on its way")
    assert line.holds == 1
    line.cut()
    player.sees_on("odd", "your bet 5.00")
    assert venue.credits(player.key) == CREDITS - 500


def test_a_killed_venue_comes_back_with_everything(window: Opener, mortal: RunningVenue) -> None:
    player: Player = window(Player, at=mortal)
    dealer: Dealer = window(Dealer, "dealer", at=mortal)
    watcher: Watcher = window(Watcher, at=mortal)
    line = HeldLine(player)
    player.sit("lines")
    watcher.go_to("lines")
    dealer.stand_at("lines").goes("Open the bets")
    watcher.sees("Place your bets")
    player.bets({"big": 1_000})
    line.hold_asked("PlaceBets")
    player.tap("small", 500)
    player.place()
    player.sees_on("small", "5.00 on its way")

    for each in (player, dealer, watcher):
        each.may_lose_the_venue()
    mortal.kill()
    line.lose()
    _sees_the_line_lost(player)
    _sees_the_line_lost(dealer)
    expect(watcher.page.get_by_role("alert").first).to_contain_text("line")
    # Staff must log in again: sessions are gone with the venue's process, money is not.
    dealer.may_be_refused = ("/api/",)
    mortal.start()
    player.hears("void")
    # The venue has forgotten the round; the terminal reads it again, and shows what came back.
    player.hears("Round 1: $10.00 came back")
    player.sees_balance(CREDITS)
    assert mortal.credits(player.key) == CREDITS
    expect(dealer.button("Be the dealer")).to_be_visible()
    dealer.log_in()
    # The pending bet came after the end of its round: it is on the slip again.
    expect(player.slip).to_contain_text("To be placed $5.00")
    dealer.goes("Open the bets")
    player.place()
    player.sees_on("small", "your bet 5.00")
    dealer.play(1, 2, 3)
    player.sees_balance(CREDITS + 500)
    assert mortal.credits(player.key) == CREDITS + 500


def test_an_offline_window_says_so_and_comes_back(player: Player, dealer: Dealer) -> None:
    player.sit("keys")
    dealer.stand_at("keys")
    player.may_lose_the_venue()
    player.is_used_up = True
    player.context.set_offline(True)
    _sees_the_line_lost(player)
    dealer.call_for_bets()
    player.context.set_offline(False)
    player.hears("Place your bets")
    player.bets({"small": 500})
