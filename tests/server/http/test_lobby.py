"""The lobby in a real browser, at a real venue: what a newcomer sees, and can reach."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from taisai.server.demo.venue import demo_plan
from tests.browser.looking import faults_of
from tests.chromium import launch
from tests.kit.desk import Desk

#: Bets are called for a few seconds after the last round; nothing here takes longer.
TIMEOUT_MS = 60_000
#: Besides the sizes at which all screens are tested, one of them with another venue's lobby.
SIZES = {
    "upright": ViewportSize(width=768, height=1024),
    "desk": ViewportSize(width=1440, height=900),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start one browser for all tests of this file."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, desk: Desk) -> Iterator[Page]:
    """Open the lobby, and check that the browser reports no errors."""
    complaints: list[str] = []
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(desk.address)
    yield page
    context.close()
    assert complaints == []


def test_every_table_is_there_and_live(page: Page) -> None:
    for plan in demo_plan().tables:
        table = plan.name
        card = page.get_by_role("article", name=table, exact=True)
        if plan.dealer == "automatic":
            expect(card).to_contain_text("Place your bets", timeout=TIMEOUT_MS)
        expect(card).to_contain_text(re.compile(rf"{plan.minimum // 100} to [\d,]+"))
        for link in ("Play at", "Watch", "Deal at"):
            door = card.get_by_role("link", name=f"{link} {table}", exact=True)
            # A chip table has no terminals to play at.
            there = link != "Play at" or plan.form == "terminals"
            expect(door).to_have_count(1 if there else 0)
    expect(page.get_by_text("Demo: play money")).to_be_visible()
    expect(page).to_have_title("The floor · Tai Sai demo")


def test_it_speaks_another_language_at_once_and_remembers_it(page: Page) -> None:
    page.get_by_label("Language").select_option("zh-Hant")
    expect(page.get_by_role("heading", level=1)).to_have_text("三粒骰子，猜猜開出什麼")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    page.reload()
    expect(page.get_by_role("heading", name="賭桌", exact=True)).to_be_visible()


def test_the_theme_is_changed_by_keyboard_and_remembered(page: Page) -> None:
    theme = page.get_by_role("button", name="Bright theme")
    expect(theme).to_have_attribute("aria-pressed", "false")
    theme.focus()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "bright")
    page.reload()
    expect(page.get_by_role("button", name="Bright theme")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_a_keyboard_reaches_everything_and_skips_the_bar(page: Page) -> None:
    expect(page.get_by_role("article").first).to_be_visible()
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="To the content")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("main :focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/(play|display)\?table="))
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_it_looks_well(page: Page, size: str) -> None:
    page.set_viewport_size(SIZES[size])
    # The cards have their final form once the chip table's offers no terminal.
    chip_table = page.get_by_role("article", name="chips", exact=True)
    expect(chip_table.get_by_role("link", name="Play at chips")).to_have_count(0)
    expect(chip_table).to_contain_text(re.compile(r"10 to 500"))
    for theme in ("dark", "bright"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert faults_of(page) == [], theme


def test_the_venue_s_name_leads_back_to_the_floor(page: Page, desk: Desk) -> None:
    page.goto(f"{desk.address}pit")
    expect(page).to_have_title("Pit · Tai Sai demo")
    page.get_by_role("link", name="Tai Sai demo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Three dice, and where you think they will fall"
    )
