"""Checks of how a screen looks: text cut off, a page wider than its window, small targets.

The accessibility rules are those of axe, from the packages of `web/`; it is run through the
debugger, since the venue's own policy allows no foreign script.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: Experimental rules of axe: the first wants all of an area's print in its name at once, odds too;
#: the second has smaller targets than the venue's, which are measured here in a tenth of the time.
LEFT_OUT = {"label-content-name-mismatch": {"enabled": False}, "target-size": {"enabled": False}}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
Rules = dict[str, Any]
ALL_RULES: Rules = {"runOnly": {"type": "tag", "values": TAGS}, "rules": LEFT_OUT}
#: The rules that a view which passed all of them may break in another size, or in another theme.
#: All others concern the content, which changes with the language alone; to check them again takes
#: long.
BY_SIZE: Rules = {"runOnly": {"type": "rule", "values": ["scrollable-region-focusable"]}}
BY_SIZE_AND_THEME: Rules = {
    "runOnly": {"type": "rule", "values": ["scrollable-region-focusable", "color-contrast"]}
}
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
#: A control for the mouse alone, where a finger holds a box, need not be as large as a finger.
_SMALL = """
(least) => [...document.querySelectorAll("button, select, input, a.button, summary, [role=tab]")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".unseen"))
  .map((each) => [each, (each.closest("label") ?? each).getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && Math.min(box.width, box.height) < least - 0.5)
  .filter(([each]) => !each.matches(SKIPPED) && !each.matches(".layout-about"))
  .map(([each, box]) => `${each.outerHTML.slice(0, 140)}: ${box.width} by ${box.height}`)
"""


def complaints_of_axe(page: Page, rules: Rules = ALL_RULES) -> list[str]:
    """Give what axe finds, in the words of its rules."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(
        # Passed rules and selectors are not reported: that would take its time.
        "(asked) => axe.run({ ...asked, resultTypes: ['violations'], selectors: false })"
        ".then((run) => run.violations)",
        rules,
    )
    return [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


def cut_off(page: Page) -> list[str]:
    """Name areas, buttons and headings whose text is wider than they are."""
    return list(page.evaluate(_CUT_OFF))


#: Texts that reach out of the cell they are in, where neither scrolls.
_SPILT = """
(cells) => [...document.querySelectorAll(cells)].flatMap((cell) => {
  const { left, right, top, bottom } = cell.getBoundingClientRect();
  const isText = (each) => each.children.length === 0 && each.textContent.trim() !== "";
  return [...cell.querySelectorAll("*")]
    .filter((each) => isText(each) && each.checkVisibility() && !each.closest(".unseen"))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.left < left - 1 || box.right > right + 1
      || box.top < top - 1 || box.bottom > bottom + 1)
    .map(([each]) => `${each.textContent} in ${cell.outerHTML.slice(0, 120)}`);
})
"""


def spilt(page: Page, cells: str) -> list[str]:
    """Name texts that are not whole in their cell, by a selector of cells."""
    return list(page.evaluate(_SPILT, cells))


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


def faults_of(page: Page, but: str = ".none", rules: Rules = ALL_RULES) -> list[str]:
    """Give every fault in how a screen looks."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    faults = [f"the page is {wide} px wider than its window"] if wide > 0 else []
    return [*faults, *cut_off(page), *too_small(page, but), *complaints_of_axe(page, rules)]


#: The lines of a slip that are wholly visible: nothing cuts off or covers their edges.
_LINES = """
() => [...document.querySelectorAll(".slip-row")].filter((row) => {
  const { left, right, top, bottom, height } = row.getBoundingClientRect();
  const isSeen = (y) => row.contains(document.elementFromPoint((left + right) / 2, y));
  return height > 0 && isSeen(top + 2) && isSeen(bottom - 2);
}).length
"""


def lines_seen(page: Page) -> int:
    """Count the lines of the slip that are visible without scrolling."""
    return int(page.evaluate(_LINES))


#: Brings a box into the middle, as a reader can: only elements with a scroll bar are scrolled.
_BRING = """
  const scrolls = (each) => /auto|scroll/.test(getComputedStyle(each).overflow);
  const bring = (box) => {
    for (let each = box.parentElement; each !== null; each = each.parentElement) {
      const isPage = each === document.documentElement;
      if (!isPage && !scrolls(each)) continue;
      const seen = isPage
        ? { left: 0, top: 0, width: innerWidth, height: innerHeight }
        : each.getBoundingClientRect();
      const at = box.getBoundingClientRect();
      each.scrollLeft += at.left + at.width / 2 - seen.left - seen.width / 2;
      each.scrollTop += at.top + at.height / 2 - seen.top - seen.height / 2;
    }
  };
"""

_MIDDLE = """
  const box = document.querySelector(selector);
  bring(box);
  const { x, y, width, height } = box.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
"""

_PRESSES = (
    """
(boxes) => {
"""
    + _BRING
    + """  const met = (area) => {
    const { x, y, width, height } = area.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2);
  };
  return boxes.filter((box) => {
    const area = document.querySelector(`.play-layout button[data-box="${box}"]`);
    if (!area.contains(met(area))) bring(area);
    const found = met(area);
    if (!area.contains(found)) return true;
    found.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return false;
  });
}
"""
)
_COVERED = """
() => [...document.querySelectorAll(".play-layout .layout-line")].filter((line) => {
  const words = document.createRange();
  words.selectNodeContents(line);
  const chips = [...line.closest("[data-box]").querySelectorAll(".chip-place")];
  return [...words.getClientRects()].some((text) => chips.some((chip) => {
    const { left, right, top, bottom } = chip.getBoundingClientRect();
    return text.left < right - 1 && text.right > left + 1
      && text.top < bottom - 1 && text.bottom > top + 1;
  }));
}).map((line) => line.closest("[data-box]").dataset.box)
"""

_HITS = (
    """
(selector) => {
"""
    + _BRING
    + """  const hit = (box) => {
    const { x, y, width, height } = box.getBoundingClientRect();
    return box.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  const areas = [...document.querySelectorAll(selector)];
  const atOnce = areas.filter(hit);
  const missed = areas.filter((area) => {
    if (hit(area)) return false;
    bring(area);
    return !hit(area);
  });
  scrollTo(0, 0);
  const sides = areas.flatMap((each) => {
    const { width, height } = each.getBoundingClientRect();
    return [width, height];
  });
  return {
    boxes: new Set(areas.map((each) => each.dataset.box)).size,
    missed: missed.map((each) => each.dataset.box),
    smallest: Math.min(...sides),
    in_view: atOnce.length === areas.length,
    hinted: document.querySelector(".layout-beyond") !== null,
  };
}
"""
)
_STRIP = """
() => {
  const high = (selector) => document.querySelector(selector).getBoundingClientRect();
  const rows = [".tray", ".tools", ".place"].map(high);
  const lowest = Math.min(...rows.map(({ bottom }) => bottom));
  return {
    strip: high(".play-status").height,
    layout: high(".play-layout .layout").height / innerHeight,
    one_row: rows.every(({ top }) => top < lowest),
    beside: high(".play-hand").left >= high(".play-layout").right,
  };
}
"""


@dataclass(frozen=True)
class Reach:
    """The part of a layout that a pointer reaches, after scrolling as a reader can."""

    boxes: int
    missed: list[str]
    smallest: float
    in_view: bool
    hinted: bool


@dataclass(frozen=True)
class Strip:
    """How a low window is divided: the strip of the round, the layout, and the hand."""

    strip: float
    layout: float
    one_row: bool
    beside: bool


def reach(page: Page) -> Reach:
    """Check for each area of the layout that a pointer in its middle hits it."""
    _drawn(page)
    return Reach(**page.evaluate(_HITS, ".play-layout button[data-box]"))


def bring(page: Page, selector: str) -> tuple[float, float]:
    """Bring the first matching element into view, and give its middle."""
    x, y = page.evaluate(f"(selector) => {{{_BRING}{_MIDDLE}}}", selector)
    return x, y


def press_all(page: Page, boxes: Sequence[str]) -> list[str]:
    """Press the element in the middle of each box; name the boxes that are covered."""
    _drawn(page)
    return list(page.evaluate(_PRESSES, list(boxes)))


def with_chips(page: Page) -> set[str]:
    """Name the boxes whose label says that chips are put down on them."""
    _drawn(page)
    return set(
        page.evaluate(
            "[...document.querySelectorAll(`.play-layout [data-box][aria-label*='put down']`)]"
            ".map((each) => each.dataset.box)"
        )
    )


def covered_lines(page: Page) -> list[str]:
    """Name the boxes on which a chip covers the lines about winning and losing."""
    _drawn(page)
    return list(page.evaluate(_COVERED))


def strip(page: Page) -> Strip:
    """Measure how the terminal divides its height."""
    _drawn(page)
    return Strip(**page.evaluate(_STRIP))


def _drawn(page: Page) -> None:
    """Wait until a new size is measured and drawn."""
    page.evaluate("new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))")
