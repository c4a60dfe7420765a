"""The machines of people's windows: one that was left is cleaned, and used again."""

from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.windows import Window

#: A page of the venue that loads fast, and makes no further requests.
_NOTHING = "/api/venue"


class Machines:
    """Machines of one browser, each isolated from all others, with one page.

    To start a machine, and to read all scripts in it, takes half as long as most tests do.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    def new_page(self, **settings: Any) -> Page:
        """Give the page of a machine that is new, or cleaned."""
        free = self._free.get(_kind(settings))
        if not free:
            return self._browser.new_page(**settings)
        page = free.pop()
        page.set_viewport_size(settings["viewport"])
        return page

    def take_back(self, window: Window) -> None:
        """Leave a window, and free its machine for others; after a lasting change, close it."""
        if window.is_used_up:
            window.close()
            return
        page = window.leave()
        page.unroute_all()
        page.emulate_media(media="null")
        page.goto(window.venue.address + _NOTHING)
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.context.clear_cookies()
        self._free.setdefault(_kind(window.settings), []).append(page)
        window.has_no_complaints()


def _kind(settings: dict[str, Any]) -> str:
    """Give a key of the settings that cannot be changed later: all but the size."""
    return repr(sorted(each for each in settings.items() if each[0] != "viewport"))
