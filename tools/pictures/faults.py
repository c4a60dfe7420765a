"""Finds the faults of a screen that a program can see: too wide, cut off, out of reach."""

from playwright.sync_api import Page

from tests.browser.looking import complaints_of_axe, cut_off
from tests.browser.test_consoles_fit import missed

#: Text beyond the edge of the element that cuts it off, unless a reader can scroll there.
_CLIPPED = """
() => {
  const open = document.querySelector("dialog[open]") ?? document.body;
  const found = [];
  const walk = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = walk.nextNode(); text !== null; text = walk.nextNode()) {
    const own = text.parentElement;
    if (own.closest(".unseen, .skip, svg, option, [aria-hidden=true]")) continue;
    if (text.data.trim() === "") continue;
    if (!own.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    range.selectNodeContents(text);
    const at = range.getBoundingClientRect();
    if (at.width === 0) continue;
    let free = { x: false, y: false };
    for (let each = own; each !== null; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.display === "inline") continue;
      const edge = each.getBoundingClientRect();
      // So small is what is said to those who listen alone: nobody sees where its letters end.
      if (edge.width <= 2 && edge.height <= 2 && style.overflow === "hidden") break;
      for (const [axis, from, to] of [["x", "left", "right"], ["y", "top", "bottom"]]) {
        const how = axis === "x" ? style.overflowX : style.overflowY;
        if (/auto|scroll/.test(how)) free[axis] = true;
        if (free[axis] || !/hidden|clip/.test(how)) continue;
        if (each === document.body || each === document.documentElement) continue;
        // Letters do not fill the height of their line.
        const slack = axis === "x" ? 2 : 2 + at.height / 5;
        if (at[from] < edge[from] - slack || at[to] > edge[to] + slack)
          found.push(`${text.data.trim().slice(0, 60)} is cut off by ${each.className}`);
      }
      if (style.position === "fixed") break;
    }
  }
  return [...new Set(found)];
}
"""
#: A console whose main line has to be scrolled although it has no form.
_BELOW = """
() => [...document.querySelectorAll(".console-line")]
  .filter((line) => !line.querySelector("form, details[open]"))
  .map((line) => line.scrollHeight - line.clientHeight)
  .filter((hidden) => hidden > 0)
  .map((hidden) => `the main line is ${hidden} px higher than its place`)
"""
#: Elements over controls that can be reached after closing them: dialogs, and a terminal's menu.
_OVER = "dialog[open], [role=dialog], .play-aside"
#: Words in Latin letters: a name is one, and so is a code or a sentence that nobody translated.
_LATIN = """
() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text !== null; text = walk.nextNode()) {
    const own = text.parentElement;
    if (own.closest("script, style, code, [lang=en]")) continue;
    const shown = own.closest("select") ?? own;
    if (!shown.checkVisibility({ visibilityProperty: true })) continue;
    if (/[A-Za-z]{3,}/.test(text.data)) found.add(text.data.trim().slice(0, 100));
  }
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"]) {
      const told = each.getAttribute(name);
      if (told !== null && /[A-Za-z]{3,}/.test(told)) found.add(`${name}: ${told.slice(0, 100)}`);
    }
  return [...found];
}
"""


def faults(page: Page, *, closely: bool) -> list[str]:
    """List the faults; with `closely` also check every control slowly, and run axe."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    found = [f"the page is {wide} px wider than its window"] if wide > 0 else []
    found += cut_off(page)
    found += page.evaluate(_CLIPPED)
    found += page.evaluate(_BELOW)
    if closely and not page.locator(_OVER).count():
        found += missed(page)
    return found


def contrasts(page: Page) -> list[str]:
    """List the findings of axe."""
    return complaints_of_axe(page)


def latin(page: Page) -> list[str]:
    """Give the texts in Latin letters, for a review."""
    return list(page.evaluate(_LATIN))
