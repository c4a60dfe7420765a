"""The machines that people have their windows on: one that was left is used again, as if new."""

from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.windows import Window

#: Something of the venue that is quickly shown, and asks for nothing more.
_NOTHING = "/api/venue"


class Machines:
    """Machines of one browser, each apart from all others, with a page each.

    To start one, and to read all scripts in it, takes as long as half of what most tests do there.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    def new_page(self, **settings: Any) -> Page:
        """Give the page of a machine on which nobody has been yet, or nothing is left of them."""
        free = self._free.get(_kind(settings))
        if not free:
            return self._browser.new_page(**settings)
        page = free.pop()
        page.set_viewport_size(settings["viewport"])
        return page

    def take_back(self, window: Window) -> None:
        """Have a window left, and its machine free for others; what was done to stay, ends it."""
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
    """Tell machines apart by all that cannot be changed: their size can."""
    return repr(sorted(each for each in settings.items() if each[0] != "viewport"))
