"""A PAR sheet in a real browser: it loads clean, and prints with its headings on every page."""

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

import taisai
from taisai.maths.par.page import write_html
from taisai.maths.par.sheet import par_sheet
from tests.chromium import launch


def test_a_sheet_loads_clean_and_prints_across(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    file.write_text(
        write_html(par_sheet(taisai.rulebook("ts6"), taisai.pay_table("ts6/2"))), "utf-8"
    )
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        # On a telephone the tables scroll in themselves, and the page does not.
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.locator("tbody tr").count() == 104 + 2 * 16
        page.emulate_media(media="print")
        repeated = page.evaluate("getComputedStyle(document.querySelector('thead')).display")
        uncut = page.evaluate("getComputedStyle(document.querySelector('tbody tr')).breakInside")
        printed = page.pdf(prefer_css_page_size=True)
        browser.close()
    assert complaints == []
    assert asked == [file.as_uri()]
    assert (repeated, uncut) == ("table-header-group", "avoid")
    boxes = re.findall(rb"/MediaBox \[0 0 ([.\d]+) ([.\d]+)\]", printed)
    assert len(boxes) >= 5, "104 boxes and everything else take some pages"
    # A4 across, in points.
    assert {(round(float(wide)), round(float(high))) for wide, high in boxes} == {(842, 595)}
