"""The audit: a round found and replayed on the layout, its postings, the proof, an export."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.windows import Auditor, Dealer, Player


@pytest.fixture
def auditor(window: Opener) -> Auditor:
    """Open an auditor's window."""
    made: Auditor = window(Auditor, "auditor")
    return made


def test_a_round_is_found_and_replayed_on_the_layout(
    auditor: Auditor, player: Player, dealer: Dealer
) -> None:
    player.sit("audit")
    dealer.stand_at("audit").goes("Open the bets")
    player.bets({"small": 500, "total-11": 500})
    dealer.play(1, 2, 3)
    player.hears("Round over")

    auditor.arrive()
    auditor.page.get_by_label("Table", exact=True).select_option("audit")
    auditor.page.get_by_label("Number of the round").fill("1")
    auditor.press("Show the round")
    replay = auditor.page.get_by_role("region", name="Replay")
    expect(replay).to_contain_text(re.compile(r"Step 1 of \d+"))
    expect(replay).to_contain_text("There is nothing on the layout.")
    steps = int(re.findall(r"Step 1 of (\d+)", replay.inner_text())[0])
    for step in range(2, steps + 1):
        auditor.press("One step on")
        expect(replay).to_contain_text(f"Step {step} of {steps}")
    expect(replay.get_by_text("◆ Small")).to_be_visible()
    expect(replay.locator(".layout-lit[data-box=small]").first).to_be_visible()
    expect(replay.get_by_role("listitem").filter(has_text="10.00 back in all")).to_be_visible()
    auditor.press("To the beginning")
    expect(replay).to_contain_text(f"Step 1 of {steps}")
    replay.get_by_role("button", name=re.compile(r"bets 5\.00 on Small")).click()
    expect(replay).to_contain_text(re.compile(f"credits of {player.key['terminal']}"))

    bets = auditor.page.get_by_role("region", name="How each bet was settled")
    expect(bets.get_by_role("row", name=re.compile("Small .* 4.1.2"))).to_be_visible()
    expect(bets.get_by_role("row", name=re.compile("Total 11 .* 3.8"))).to_be_visible()
    moved = auditor.page.get_by_role("region", name="Money moved")
    expect(moved).to_contain_text("the house")
    # The game is approved for an operator, and a demo has none: the page says so.
    expect(auditor.page.get_by_role("main")).to_contain_text("played outside its approval")
    _finds_events(auditor, player.key["terminal"])


def _finds_events(auditor: Auditor, terminal: str) -> None:
    """Look for events by every kind of filter, one after the other."""
    auditor.page.get_by_role("link", name="Find", exact=True).click()
    articles = auditor.page.get_by_role("article")
    bet = articles.filter(has_text=re.compile(r"bets 5\.00 on Small"))

    def find(looks: str, **given: str) -> None:
        for label in ("Terminal or seat", "Person", "Voucher: serial or number", "Amount from"):
            auditor.page.get_by_label(label).fill(given.get(label.split()[0].rstrip(":"), ""))
        auditor.page.get_by_label("From", exact=True).fill(given.get("From", ""))
        auditor.page.get_by_label("Until", exact=True).fill(given.get("Until", ""))
        auditor.page.get_by_label("Irregularity").select_option(given.get("Irregularity", ""))
        auditor.press("Find")
        expect(auditor.page.get_by_role("status").filter(has_text=looks)).to_be_visible()

    find("all there are", Terminal=terminal)
    expect(bet).to_have_count(1)
    find("all there are", Terminal=terminal, Amount="5")
    expect(bet).to_have_count(1)
    find("all there are", Terminal=terminal, Amount="5000000")
    expect(articles).to_have_count(0)
    find("all there are", Terminal=terminal, Irregularity="any")
    expect(articles).to_have_count(0)
    find("were looked at", Terminal=terminal, From="2125-01-01T00:00")
    expect(articles).to_have_count(0)
    find("were looked at", Terminal=terminal, Until="2125-01-01T00:00")
    expect(bet).to_have_count(1)
    find("were looked at", Person="Dana")
    expect(articles.filter(has_text="Dana").first).to_be_visible()
    find("were looked at", Voucher="1")
    expect(articles.filter(has_text="voucher").first).to_be_visible()


def test_the_journal_is_proved_to_its_end(auditor: Auditor) -> None:
    # Until somebody has requested one, there is no verification to report.
    auditor.may_be_refused = ("/api/audit/verifications/current",)
    auditor.arrive()
    auditor.page.get_by_role("link", name="Prove the journal").click()
    auditor.press("Verify now")
    expect(auditor.page.get_by_role("main")).to_contain_text(
        "The journal is whole", timeout=120_000
    )
    expect(auditor.page.get_by_role("main")).to_contain_text("Decisions judged")
    attested = auditor.page.get_by_role("region", name="How the journal is attested")
    expect(attested).to_contain_text("The journal still holds it.")


def test_an_export_is_saved_as_a_file(auditor: Auditor, player: Player) -> None:
    player.sit("audit")
    auditor.arrive()
    auditor.page.get_by_role("link", name="Exports").click()
    auditor.page.get_by_label("View").select_option("postings")
    auditor.page.get_by_label("Format").select_option("csv")
    with auditor.page.expect_download() as saved:
        auditor.press("Export")
    text = saved.value.path().read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert any(player.key["terminal"] in row["destination"] for row in rows)

    auditor.page.get_by_role("link", name="Find", exact=True).click()
    auditor.page.get_by_label("Terminal or seat").fill(player.key["terminal"])
    auditor.press("Find")
    expect(auditor.page.get_by_text("all there are")).to_be_visible()
    found = auditor.page.get_by_role("article").count()
    with auditor.page.expect_download() as saved:
        auditor.press("CSV")
    text = saved.value.path().read_text(encoding="utf-8")
    assert len(list(csv.DictReader(io.StringIO(text)))) == found > 0
