"""One venue and one browser for all browser tests of a worker; each test has a table of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from taisai.server.http.site.pages import PAGE, built_files
from tests.browser.floors import FLOOR
from tests.browser.machines import Machines
from tests.browser.windows import TIMEOUT_MS, Dealer, Player, Watcher, Window
from tests.chromium import launch
from tests.kit.processes import RunningVenue, running

Opener = Callable[..., Any]

expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start Playwright."""
    if PAGE not in built_files():
        pytest.fail("the screens are not built, so there is nothing to test: run 'make web' first")
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Start a real Chromium."""
    browser = launch(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningVenue]:
    """Start a venue with all tables."""
    with running(tmp_path_factory.mktemp("venue"), FLOOR) as venue:
        yield venue


@pytest.fixture(scope="session")
def machines(browser: Browser) -> Machines:
    """Give machines, as many as are used at a time."""
    return Machines(browser)


@contextmanager
def _opening(machines: Machines, venue: RunningVenue) -> Iterator[Opener]:
    opened: list[Window] = []

    def open_one(
        kind: type[Window], *more: Any, at: RunningVenue = venue, **settings: Any
    ) -> Window:
        made = kind(machines, at, *more, **settings)
        # A machine stores data of another venue, and is therefore not used again.
        made.is_used_up = at is not venue
        opened.append(made)
        return made

    yield open_one
    for each in opened:
        machines.take_back(each)


@pytest.fixture
def window(machines: Machines, venue: RunningVenue) -> Iterator[Opener]:
    """Open windows; each is left at the end, and must have reported no errors."""
    with _opening(machines, venue) as opener:
        yield opener


@pytest.fixture(scope="module")
def lasting_window(machines: Machines, venue: RunningVenue) -> Iterator[Opener]:
    """Open windows that stay open for all tests of a module."""
    with _opening(machines, venue) as opener:
        yield opener


@pytest.fixture
def player(window: Opener) -> Player:
    """Open a player's window."""
    made: Player = window(Player)
    return made


@pytest.fixture
def other(window: Opener) -> Player:
    """Open a second player's window."""
    made: Player = window(Player)
    return made


@pytest.fixture
def dealer(window: Opener) -> Dealer:
    """Open a dealer's window."""
    made: Dealer = window(Dealer, "dealer")
    return made


@pytest.fixture
def supervisor(window: Opener) -> Dealer:
    """Open a supervisor's window."""
    made: Dealer = window(Dealer, "supervisor")
    return made


@pytest.fixture
def watcher(window: Opener) -> Watcher:
    """Open the window of a wall screen."""
    made: Watcher = window(Watcher)
    return made
