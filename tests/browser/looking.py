"""What a careful eye finds on a screen: text cut off, a page wider than its window, small targets.

The accessibility rules are those of axe, as the packages of `web/` have it; it is run through the
debugger, since the venue's own policy lets no foreign script in.
"""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: An experiment of axe: it wants all that is printed on an area in one run in its name, odds too.
#: Its targets are smaller than the venue's own, which are measured here, in a tenth of the time.
LEFT_OUT = {"label-content-name-mismatch": {"enabled": False}, "target-size": {"enabled": False}}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: The touch target of the venue, at the size of a phone and of a desk.
TARGET_PX = 44

_CUT_OFF = """
() => [...document.querySelectorAll("button, select, a.button, .layout-area, h1, h2, h3")]
  .concat([...document.querySelectorAll("dt, dd, th")])
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.clientWidth > 0)
  .filter((each) => !each.closest(".unseen, [aria-hidden=true], .skip") && each.clientWidth > 1)
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.outerHTML.slice(0, 160)}: ${each.scrollWidth} > ${each.clientWidth}`)
"""
_SMALL = """
(least) => [...document.querySelectorAll("button, select, input, a.button, summary, [role=tab]")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".unseen"))
  .map((each) => [each, (each.closest("label") ?? each).getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && Math.min(box.width, box.height) < least - 0.5)
  .filter(([each]) => !each.matches(SKIPPED))
  .map(([each, box]) => `${each.outerHTML.slice(0, 140)}: ${box.width} by ${box.height}`)
"""


def complaints_of_axe(page: Page) -> list[str]:
    """Give what axe finds, in the words of its rules."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(
        # Nothing is asked about what is well, nor how to find a place again: that takes its time.
        "([values, rules]) => axe.run({ runOnly: { type: 'tag', values }, rules,"
        " resultTypes: ['violations'], selectors: false }).then((run) => run.violations)",
        [TAGS, LEFT_OUT],
    )
    return [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


def cut_off(page: Page) -> list[str]:
    """Name areas, buttons and headings whose text is wider than they are."""
    return list(page.evaluate(_CUT_OFF))


def too_small(page: Page, but: str = ".none") -> list[str]:
    """Name controls that a finger would miss; `but` some, by a selector."""
    return list(page.evaluate(_SMALL.replace("SKIPPED", repr(but)), TARGET_PX))


def smallest_area(page: Page) -> float:
    """Measure the shortest side of all areas of a printed layout."""
    return float(
        page.evaluate(
            "Math.min(...[...document.querySelectorAll('.layout-sheet .layout-area')]"
            ".map((each) => each.getBoundingClientRect())"
            ".flatMap(({ width, height }) => [width, height]))"
        )
    )


def faults_of(page: Page, but: str = ".none") -> list[str]:
    """Tell everything that is wrong with how a screen looks."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    faults = [f"the page is {wide} px wider than its window"] if wide > 0 else []
    return [*faults, *cut_off(page), *too_small(page, but), *complaints_of_axe(page)]
