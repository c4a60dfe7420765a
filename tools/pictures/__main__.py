"""Takes pictures of every screen at every size, in both rooms and three languages.

    python -m tools.pictures INTO [--scenes play audit] [--languages en] [--rooms dark]
                                  [--sizes 390x844 1280x720]

A demo venue and a real house are started, and people bring them into every situation with something
to see. Faults that a program can find are printed, and written to `faults.txt`; words in Latin
letters on Chinese screens are in `latin.txt`. Contact sheets are in `sheets/`.
"""

import argparse
import base64
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.browser.test_viewports import LOW, ROOMY, SIDEWAYS, STANDING
from tests.browser.windows import DESK, Window
from tests.chromium import launch
from tools.pictures.faults import contrasts, faults, latin
from tools.pictures.sheets import write_sheet
from tools.pictures.story import scenes

SIZES = (*STANDING, *SIDEWAYS, (768, 1024), *LOW, *ROOMY[1:])
ROOMS = ("dark", "bright")
LANGUAGES = ("en", "zh-Hans", "zh-Hant")
LANGUAGE_MS = 700
#: The sizes at which axe runs too: its rules do not depend on the size.
CLOSELY = ((390, 844), (1440, 900))
#: Chooses a language and a room even under an open dialog, where no user could.
_SPEAK = """
(language) => {
  const choice = document.querySelector("header select");
  choice.value = language;
  choice.dispatchEvent(new Event("change", { bubbles: true }));
}
"""
#: Scrolls everything back to its position when it opened.
_SCROLLED_BACK = """
() => {
  for (const each of document.querySelectorAll("*"))
    if (each.scrollTop !== 0 || each.scrollLeft !== 0) each.scrollTo(0, 0);
}
"""
_ROOM = "(room) => { document.documentElement.dataset.theme = room; }"
_DRAWN = "new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))"


class Camera:
    """Takes pictures of scenes, and records their faults."""

    def __init__(
        self,
        into: Path,
        languages: Sequence[str],
        rooms: Sequence[str],
        sizes: Sequence[tuple[int, int]],
    ) -> None:
        self._into = into
        self._sizes = sizes
        self._languages = languages
        self._rooms = rooms
        self.taken = 0
        self.faults: list[str] = []
        self.latin: list[str] = []
        (into / "sheets").mkdir(parents=True, exist_ok=True)

    def scene(self, name: str, window: Window) -> None:
        """Take pictures of a scene in every language and room, at every size."""
        page = window.page
        page.locator("header select").wait_for(state="attached")
        for language in self._languages:
            page.evaluate(_SPEAK, language)
            page.wait_for_function("(code) => document.documentElement.lang === code", arg=language)
            # The venue's texts are requested again in the language.
            page.wait_for_timeout(LANGUAGE_MS)
            if language != "en":
                self.latin += [f"{name} {language}: {each}" for each in latin(page)]
            for room in self._rooms:
                page.evaluate(_ROOM, room)
                self._at_every_size(page, f"{name}-{room}-{language}", room == self._rooms[0])
        page.evaluate(_SPEAK, "en")
        page.evaluate(_ROOM, "dark")
        page.set_viewport_size(DESK)
        page.evaluate(_DRAWN)

    def write_down(self) -> None:
        """Write the findings so far to files."""
        for name, found in (("faults", self.faults), ("latin", self.latin)):
            (self._into / f"{name}.txt").write_text("".join(f"{each}\n" for each in found), "utf-8")

    def _at_every_size(self, page: Page, name: str, first: bool) -> None:
        pictures = []
        for width, height in self._sizes:
            page.set_viewport_size(ViewportSize(width=width, height=height))
            page.evaluate(_SCROLLED_BACK)
            # The pointer is kept away: the display shows its bar when the pointer is near.
            page.mouse.move(1, height - 1)
            page.evaluate(_DRAWN)
            pictures.append(self._into / f"{name}-{width}x{height}.jpeg")
            _photograph(page, pictures[-1], 0.5 if width > 2_000 else 1)
            found = faults(page, closely=first)
            if (width, height) in CLOSELY:
                found += contrasts(page)
            self.faults += [f"{name} {width}x{height}: {each}" for each in found]
        self.taken += len(pictures)
        write_sheet(pictures, self._into / "sheets" / f"{name}.png")


def _photograph(page: Page, path: Path, scale: float) -> None:
    size = page.viewport_size
    assert size is not None
    clip = {"x": 0, "y": 0, **size, "scale": scale}
    session = page.context.new_cdp_session(page)
    shot = session.send("Page.captureScreenshot", {"format": "jpeg", "quality": 85, "clip": clip})
    session.detach()
    path.write_bytes(base64.b64decode(shot["data"]))


def _size(written: str) -> tuple[int, int]:
    width, height = written.split("x")
    return int(width), int(height)


def main(arguments: Sequence[str]) -> int:
    """Take the requested pictures, and report faults."""
    options = argparse.ArgumentParser(prog="python -m tools.pictures", description=__doc__)
    options.add_argument("into", type=Path)
    options.add_argument("--scenes", nargs="+", default=[""], help="how their names begin")
    options.add_argument("--languages", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    options.add_argument("--rooms", nargs="+", choices=ROOMS, default=ROOMS)
    options.add_argument("--sizes", nargs="+", type=_size, default=SIZES, help="such as 1280x720")
    asked = options.parse_args(arguments)
    camera = Camera(asked.into, asked.languages, asked.rooms, asked.sizes)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = launch(playwright)
        for name, window in scenes(browser, Path(scratch)):
            if name.startswith(tuple(asked.scenes)):
                camera.scene(name, window)
                camera.write_down()
                print(
                    f"{name:24} {camera.taken:5} pictures {len(camera.faults):5} faults",
                    flush=True,
                )
        browser.close()
    return bool(camera.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
