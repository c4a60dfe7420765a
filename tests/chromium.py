"""A real Chromium for the browser tests: the machine's own, or the one from Playwright."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

#: The headless shell comes first: it draws the same in two thirds of the time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
#: With windows, the pointer is nowhere until it is moved: pictures are taken with this one.
WINDOWED = _NAMES[1:]


def find(playwright: Playwright, names: tuple[str, ...] = _NAMES) -> str:
    """Find a Chromium; without one the test is skipped, or fails where `CI` is set."""
    for found in (*map(shutil.which, names), playwright.chromium.executable_path):
        if found is not None and Path(found).exists():
            return found
    sentence = (
        "there is no Chromium here, and the browser tests need one:"
        " install the package chromium-headless-shell or chromium,"
        " or run 'playwright install chromium'"
    )
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


def launch(playwright: Playwright, names: tuple[str, ...] = _NAMES) -> Browser:
    """Start a Chromium that makes no network requests of its own, and draws without a GPU."""
    return playwright.chromium.launch(
        executable_path=find(playwright, names),
        args=[
            "--no-sandbox",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-gpu",
        ],
    )
