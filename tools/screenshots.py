"""Takes the pictures of every screen at every size for docs/screens/: `make screenshots`.

A demo venue is started with a few tables and bots, some rounds are dealt, and people at their
screens play a round from "Place your bets" to its payment; the picture of each screen is taken when
it has something to show. Pictures are WebP; those of 4K are taken at half their size.
"""

import argparse
import asyncio
import base64
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from taisai.client import connect
from taisai.client.http import demo_staff
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.tumble import RecordTumble
from taisai.protocol.client_messages import WireCommand
from taisai.protocol.server_messages import Refused
from tests.browser.chip_windows import ChipDealer
from tests.browser.crowds import Crowd, crowd
from tests.browser.floors import CHIPS, Floor, Table
from tests.browser.windows import Auditor, Dealer, PitStaff, Player, Watcher, Window, words
from tests.chromium import WINDOWED, launch
from tests.kit.processes import RunningVenue, running

SCREENS = Path(__file__).parents[1] / "docs" / "screens"
QUALITY = 80
BOTS = 18
SIZES = {
    "phone": ViewportSize(width=390, height=844),
    "tablet": ViewportSize(width=1024, height=768),
    "desktop": ViewportSize(width=1440, height=900),
    "4k": ViewportSize(width=3840, height=2160),
}
AUTOMATIC = (
    'tumbler = "simulated"\ndealer = "automatic"\ncountdown_seconds = 12\npause_seconds = 2\n'
)
#: The table that is dealt by hand, and is in most pictures.
TABLE = "Lantern"
#: The table with chips on a layout, whose dealer records them.
CHIP_TABLE = "Willow"
#: The guests' bets on its layout: more than the maximum on Big.
CHIP_LINES = (
    "1.b 60 s 25 t9 5 35 5",
    "2.b 20 o 5 666 5",
    "3.s 10 e 5 t15 3",
    "5.b 25 t15 5 56 5",
    "6.o 4 b 4 4 2",
)
FLOOR = Floor(
    (
        Table(TABLE, "ts6/2", maximum=2_000_000, more="differential = 500_000\n"),
        Table("Jade", "etg8/2", maximum=500_000, more=AUTOMATIC),
        Table("Crane", "tso5/3", maximum=2_000_000, more=AUTOMATIC),
        Table("Fern", "div9/2", maximum=500_000, more=AUTOMATIC),
        Table("Heron", "ts6/3", maximum=2_000_000, more=AUTOMATIC),
        Table("Pine", "etg8/1", maximum=500_000, more=AUTOMATIC),
        Table(CHIP_TABLE, "ts6/2", 500, 10_000, CHIPS),
    ),
    name="Tai Sai demo",
)
#: Throws of the rounds before, so that roads and figures have something to show.
THROWS = (
    *((1, 2, 4), (3, 5, 6), (2, 2, 6), (4, 5, 5), (1, 3, 3), (2, 6, 6), (4, 4, 4), (1, 5, 6)),
    *((1, 1, 5), (2, 3, 4), (3, 6, 6), (1, 4, 6), (2, 4, 5), (1, 2, 2), (5, 5, 6), (3, 4, 5)),
    *((1, 3, 5), (2, 2, 3), (4, 6, 6), (1, 1, 6), (3, 3, 5), (2, 5, 6), (1, 4, 4), (2, 3, 6)),
)
CROWD_BETS = {
    "small": 5_000,
    "big": 2_500,
    "odd": 1_000,
    "total-9": 500,
    "total-11": 1_000,
    "any-triple": 300,
    "domino-35": 500,
    "single-5": 1_000,
    "double-4": 400,
}
OWN_BETS = {"small": 1_000, "total-9": 500, "domino-35": 500, "single-6": 500}
#: The round of the pictures: total 9, small.
FACES = (1, 3, 5)
CALLS = {"en": "total 9", "zh-Hant": "總點數 9"}

_W = TypeVar("_W", bound=Window)


class Gallery:
    """Opens windows of each size, and stores pictures of them."""

    def __init__(self, browser: Browser, venue: RunningVenue, folder: Path) -> None:
        self.venue = venue
        self._browser = browser
        self._folder = folder
        self.taken: list[Path] = []

    def window(self, kind: type[_W], size: str, *more: Any, theme: str = "dark") -> _W:
        """Open a window of a size, in a theme."""
        made = kind(
            *(self._browser, self.venue, *more), viewport=SIZES[size], reduced_motion="reduce"
        )
        made.context.add_init_script(f"localStorage.setItem('taisai.theme', '{theme}')")
        return made

    def take(self, window: Window, name: str) -> None:
        """Take a picture of a window as it is."""
        scale = 0.5 if "-4k" in name else 1
        page = window.page
        page.evaluate("scrollTo(0, 0)")
        # After two frames all pending drawing is done.
        page.evaluate(
            "new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))"
        )
        size = page.viewport_size
        assert size is not None
        clip = {"x": 0, "y": 0, **size, "scale": scale}
        asked = {"format": "webp", "quality": QUALITY, "clip": clip, "fromSurface": True}
        shot = window.context.new_cdp_session(page).send("Page.captureScreenshot", asked)
        path = self._folder / f"{name}.webp"
        path.write_bytes(base64.b64decode(shot["data"]))
        self.taken.append(path)
        print(f"{path.name:40} {path.stat().st_size / 1_000:6.0f} KB", flush=True)


# --- the rounds before ----------------------------------------------------------------------------


async def deal_all(venue: RunningVenue, others: Crowd) -> None:
    """Deal the rounds before over the socket, as a dealer, with the crowd betting in each."""
    token = await demo_staff(venue.address, "dealer")
    async with connect(venue.address, session=token) as desk:
        for throw in THROWS:
            await _give(desk, OpenBets())
            await asyncio.to_thread(others.place, CROWD_BETS)
            closing = (CloseBets(bell=True), RecordTumble(3), EnterResult(throw))
            for command in (*closing, ConfirmResult(), Settle()):
                await _give(desk, command)


async def _give(desk: Any, command: WireCommand) -> None:
    answer = await desk.ask(TABLE, command)
    assert not isinstance(answer, Refused), answer.sentence


# --- the pictures ---------------------------------------------------------------------------------


def seat_players(gallery: Gallery) -> dict[str, Player]:
    """Seat a player at each size, each with bets of their own."""
    players = {
        "desktop-dark": gallery.window(Player, "desktop"),
        "desktop-bright": gallery.window(Player, "desktop", theme="bright"),
        "tablet-dark": gallery.window(Player, "tablet"),
        "phone-dark": gallery.window(Player, "phone"),
        "4k-dark": gallery.window(Player, "4k"),
    }
    for player in players.values():
        player.sit(TABLE)
    return players


def while_betting(gallery: Gallery, dealer: Dealer, players: dict[str, Player]) -> None:
    """Take the pictures that show bets coming in."""
    for name, player in players.items():
        player.hears("Place your bets")
        player.bets({box: OWN_BETS[box] for box in ("small", "total-9")})
        player.tap("single-6", 500)
        gallery.take(player, f"play-betting-{name}")
        player.place()
        player.sees_on("single-6", "your bet 5.00")
    gallery.take(dealer, "console-desktop-dark")
    for size, theme in (("phone", "dark"), ("4k", "dark")):
        beside = gallery.window(Dealer, size, "supervisor", theme=theme).stand_at(TABLE)
        expect(beside.page.get_by_text("Bets are open", exact=True)).to_be_visible()
        gallery.take(beside, f"console-{size}-{theme}")
        beside.close()
        wall = gallery.window(Watcher, size).go_to(TABLE)
        wall.sees("Place your bets")
        gallery.take(wall, f"display-{size}-{theme}")
        wall.close()
    full_layout_on_a_phone(gallery)
    other_languages(gallery)
    from_the_pit(gallery)


def full_layout_on_a_phone(gallery: Gallery) -> None:
    """Take a picture of the printed layout on a phone, where it is panned."""
    player = gallery.window(Player, "phone", theme="bright").sit(TABLE)
    player.press("Full layout")
    expect(player.page.locator(".layout-sheet")).to_be_visible()
    gallery.take(player, "play-full-phone-bright")
    player.close()


def other_languages(gallery: Gallery) -> None:
    """Take pictures of the terminal in Chinese."""
    for language, size, theme in (("zh-Hans", "desktop", "dark"), ("zh-Hant", "tablet", "bright")):
        player = gallery.window(Player, size, theme=theme).sit(TABLE)
        player.speak(language)
        placing = words(language, "play", "scene_betting")
        expect(player.page.locator(".phase-heading")).to_have_text(placing)
        gallery.take(player, f"play-betting-{size}-{theme}-{language}")
        player.close()


def from_the_pit(gallery: Gallery) -> None:
    """Take pictures of the pit, whose figures are of all rounds so far."""
    for size, theme in (
        ("desktop", "dark"),
        ("tablet", "bright"),
        ("phone", "dark"),
        ("4k", "dark"),
    ):
        pit = gallery.window(PitStaff, size, "pit manager", theme=theme).arrive()
        card = pit.page.get_by_role("article").filter(has_text=TABLE)
        expect(card.get_by_role("img", name="band")).to_be_visible()
        gallery.take(pit, f"pit-{size}-{theme}")
        if size == "desktop":
            card.get_by_role("link", name=TABLE).click()
            expect(pit.page.get_by_role("region", name="Win against theory")).to_be_visible()
            gallery.take(pit, f"pit-table-{size}-{theme}")
        pit.close()


def entering(gallery: Gallery, dealer: Dealer) -> None:
    """Play the round up to its dice; take pictures of the entry terminal on the way."""
    dealer.goes("Close the bets")
    dealer.tumble()
    dealer.see_flat()
    dealer.key_in(*FACES)
    beside = gallery.window(Dealer, "tablet", "supervisor", theme="bright").stand_at(TABLE)
    gallery.take(beside, "console-entry-tablet-bright")
    beside.close()
    dealer.entry.get_by_role("button", name="Entry").click()
    dealer.goes("Confirm and call the result")
    dealer.panel("Payout guide")
    expect(dealer.page.get_by_role("tabpanel")).to_contain_text("First collect")
    gallery.take(dealer, "console-paying-desktop-dark")
    for size, theme, language in (("desktop", "bright", "zh-Hant"), ("tablet", "dark", "en")):
        wall = gallery.window(Watcher, size, theme=theme).go_to(TABLE)
        wall.page.get_by_role("article").wait_for()
        wall.page.locator("main select").select_option(language)
        winning = words(language, "display", "winning")
        expect(wall.page.get_by_role("list", name=winning)).to_be_visible()
        # In another language the venue sends the dice again.
        expect(wall.page.get_by_role("article")).to_contain_text(CALLS[language])
        gallery.take(wall, f"display-result-{size}-{theme}" + (f"-{language}" * (language != "en")))
        wall.close()


def when_paid(gallery: Gallery, players: dict[str, Player]) -> None:
    """Take pictures of the players' screens when the round is over."""
    for name, player in players.items():
        player.hears("Round over")
        if name != "tablet-dark":
            gallery.take(player, f"play-paid-{name}")
    recalling = players["tablet-dark"]
    recalling.open_window("Last rounds")
    expect(recalling.page.get_by_role("region", name="Round 25")).to_be_visible()
    gallery.take(recalling, "play-recall-tablet-dark")


def looked_into(gallery: Gallery) -> None:
    """Take pictures of the audit: the round replayed, and the journal proved."""
    for size, theme in (
        ("desktop", "dark"),
        ("tablet", "bright"),
        ("phone", "dark"),
        ("4k", "dark"),
    ):
        auditor = gallery.window(Auditor, size, "auditor", theme=theme)
        auditor.page.goto(f"{gallery.venue.address}/audit?view=rounds&table={TABLE}&round=25")
        auditor.log_in()
        replay = auditor.page.get_by_role("region", name="Replay")
        replay.wait_for()
        auditor.press("To the end")
        expect(replay).to_contain_text("back in all")
        gallery.take(auditor, f"audit-{size}-{theme}")
        auditor.close()


def lobbies(gallery: Gallery) -> None:
    """Take pictures of the floor of the venue."""
    for size, theme in (
        ("desktop", "dark"),
        ("tablet", "bright"),
        ("phone", "dark"),
        ("4k", "dark"),
    ):
        lobby = gallery.window(Window, size, theme=theme).go_to()
        expect(lobby.page.get_by_role("article")).to_have_count(len(FLOOR.tables))
        gallery.take(lobby, f"lobby-{size}-{theme}")
        lobby.close()


def at_the_chip_table(gallery: Gallery) -> None:
    """Take pictures of a chip table: its layout, its chips and money, what to collect and pay."""
    dealer = gallery.window(ChipDealer, "desktop", "dealer").stand_at(CHIP_TABLE)
    beside = gallery.window(ChipDealer, "tablet", "supervisor", theme="bright").stand_at(CHIP_TABLE)
    wall = gallery.window(Watcher, "desktop").go_to(CHIP_TABLE)
    dealer.goes("Open the bets")
    for line in CHIP_LINES:
        dealer.records(line)
    expect(dealer.layout()).to_contain_text("16 stacks")
    gallery.take(dealer, "console-chips-desktop-dark")
    expect(beside.layout()).to_contain_text("16 stacks")
    gallery.take(beside, "console-chips-tablet-bright")
    beside.till()
    gallery.take(beside, "console-chips-money-tablet-bright")
    wall.sees("Place your bets")
    gallery.take(wall, "display-chips-desktop-dark")
    dealer.goes("Close the bets")
    dealer.tumble()
    dealer.goes("Lift the cover")
    dealer.see_flat()
    dealer.enter(4, 5, 6)
    dealer.goes("Confirm and call the result")
    expect(dealer.panel("Collect and pay")).to_contain_text("Then pay")
    gallery.take(dealer, "console-chips-paying-desktop-dark")
    dealer.goes("Losing bets collected: say so")
    dealer.goes("Winning bets paid: say so")
    for window in (dealer, beside, wall):
        window.close()


def take_all(gallery: Gallery, others: Crowd) -> None:
    """Take every picture, in the order of the venue's story."""
    lobbies(gallery)
    dealer = gallery.window(Dealer, "desktop", "dealer").stand_at(TABLE)
    players = seat_players(gallery)
    dealer.goes("Open the bets")
    others.place(CROWD_BETS)
    while_betting(gallery, dealer, players)
    entering(gallery, dealer)
    dealer.goes("Collect and pay")
    when_paid(gallery, players)
    looked_into(gallery)
    at_the_chip_table(gallery)
    for window in (dealer, *players.values()):
        window.close()


def main(arguments: Sequence[str]) -> int:
    """Take the pictures, and print their sizes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--into", type=Path, default=SCREENS)
    folder: Path = options.parse_args(arguments).into
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        running(Path(scratch), FLOOR, BOTS) as venue,
        crowd(venue.address, TABLE, 1) as others,
    ):
        asyncio.run(deal_all(venue, others))
        with sync_playwright() as playwright:
            browser = launch(playwright, WINDOWED)
            gallery = Gallery(browser, venue, folder)
            take_all(gallery, others)
            browser.close()
    for old in set(folder.glob("*.webp")) - set(gallery.taken):
        old.unlink()
    weight = sum(path.stat().st_size for path in gallery.taken)
    print(f"{len(gallery.taken)} pictures, {weight / 1_000_000:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
