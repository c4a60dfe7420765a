"""A chip table whose server was killed in mid-round: the round dealt by hand is entered [D27]."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.chip_windows import ChipDealer
from tests.browser.conftest import Opener
from tests.browser.floors import CHIPS, Floor, Table
from tests.kit.processes import running


def test_a_round_is_entered_as_it_was_dealt_by_hand_while_the_server_was_away(
    window: Opener, tmp_path: Path
) -> None:
    """Seat 5 has 50.00 on Big, recorded; seat 1 put 25.00 on Odd when nothing recorded it.

    On 1, 2, 6 Big loses and Odd wins 25.00, which was paid by hand: 50.00 in, 25.00 out.
    """
    floor = Floor((Table("hand", "ts6/2", 500, 10_000, CHIPS),))
    with running(tmp_path, floor) as venue:
        dealer: ChipDealer = window(ChipDealer, "dealer", at=venue)
        supervisor: ChipDealer = window(ChipDealer, "supervisor", at=venue)
        dealer.stand_at("hand")
        dealer.goes("Open the bets")
        dealer.records("5.b 50")
        expect(dealer.layout()).to_contain_text("1 stack")
        dealer.may_lose_the_venue()
        supervisor.may_lose_the_venue()
        # The staff who were logged in log in again.
        dealer.may_be_refused = ("/api/venue", "/api/sessions/current")
        venue.kill()
        venue.start()
        dealer.stand_at("hand")
        supervisor.stand_at("hand")
        expect(supervisor.page.get_by_text("The system was away: two persons")).to_be_visible()
        supervisor.step("Enter a round dealt by hand").click()
        form = supervisor.dialog("A round dealt by hand")
        for face in (1, 2, 6):
            form.get_by_role("button", name=f"Face {face}").click()
        form.get_by_label("Otherwise: keyed here").click()
        form.get_by_label("Keyed bets").fill("o 25")
        form.get_by_label("Keyed bets").press("Enter")
        form.get_by_label("Seat 1", exact=True).fill("25")
        expect(form).to_contain_text("settled on 1 2 6: 50.00 collected, 25.00 paid")
        form.get_by_role("button", name="Enter the round").click()
        # The second person is shown the same.
        expect(dealer.waiting).to_contain_text("50.00 collected, 25.00 paid")
        dealer.grant("enter a round dealt by hand: 1 2 6")
        supervisor.goes("Go on from where it stood")
        dealer.grant("go on")
        expect(dealer.next_step.get_by_role("button")).to_contain_text("Open the bets")
        totals = venue.get("/api/tables/hand")
        assert (totals["round"], totals["phase"]) == (1, "ready")
