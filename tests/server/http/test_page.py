"""The plain page in a real browser: a table live, a terminal in one click, a bet in words."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.chromium import launch
from tests.server.http.desk import Desk

#: Bets are called for seconds after the last round; nothing here takes longer than that.
PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def page(desk: Desk) -> Iterator[Page]:
    """Open the page, and hold it to have nothing to complain about."""
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(desk.address)
        yield page
        browser.close()
    assert complaints == []


def test_a_visitor_has_a_registered_bet_in_a_few_clicks(page: Page) -> None:
    expect(page.get_by_role("status")).to_have_text("connected", timeout=PATIENCE_MS)
    page.get_by_role("button", name="tai-sai", exact=True).click()
    page.get_by_role("button", name="Take a seat").click()
    answers = page.get_by_role("log", name="Answers to your bets")
    expect(answers).to_contain_text("You sit at terminal", timeout=PATIENCE_MS)
    expect(page.locator("#phase")).to_have_text("bets are open", timeout=PATIENCE_MS)
    expect(page.locator("#countdown")).to_have_text(re.compile(r"\d+ s"), timeout=PATIENCE_MS)
    page.get_by_label("Box").select_option("small")
    page.get_by_label("Stake").fill("2.00")
    page.get_by_role("button", name="Place the bet").click()
    expect(answers).to_contain_text("Registered: 2.00 on Small.", timeout=PATIENCE_MS)
    expect(page.locator("#credits")).to_have_text("998.00", timeout=PATIENCE_MS)
    expect(page.locator("#totals")).to_contain_text("Small", timeout=PATIENCE_MS)
    page.get_by_label("Stake").fill("0.50")
    page.get_by_label("Stake").press("Enter")
    expect(answers).to_contain_text("a multiple of 1.00 is right", timeout=PATIENCE_MS)


def test_names_come_in_the_language_chosen(page: Page) -> None:
    page.get_by_label("Language").select_option("zh-Hans")
    expect(page.locator("#box option[value=small]")).to_contain_text("小", timeout=PATIENCE_MS)
    expect(page.get_by_role("status")).to_have_text("connected", timeout=PATIENCE_MS)


def test_nothing_is_hidden_from_a_keyboard_or_a_screen_reader(page: Page) -> None:
    for each in page.locator("button, select, input").all():
        if each.is_visible():
            each.focus()
            expect(each).to_be_focused()
            expect(each).to_have_accessible_name(re.compile("."))
    assert page.locator("[style], [onclick], script:not([src])").count() == 0
    headings = [each.inner_text() for each in page.get_by_role("heading").all()]
    assert headings == [
        "⚂⚄⚅ Tai Sai demo",
        "Table tai-sai",
        "Your terminal",
        "On the table",
        "Last rounds",
        "What happened",
    ]
