"""A story of a venue that shows everything there is to see: one scene of a screen after another.

Each scene is a name and a window that shows it until the next scene is requested. People work in
English, at desk size; the camera must put a scene's window back to that.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.chip_windows import ChipDealer
from tests.browser.floors import CHIPS, Floor, Table
from tests.browser.house_windows import Founders, RealStaff, Terminal
from tests.browser.test_cage import READS_CODES, CageStaff
from tests.browser.test_founding import ANN, BOB, founding
from tests.browser.test_viewports import SIDEWAYS
from tests.browser.windows import DESK, Auditor, Dealer, PitStaff, Player, Watcher, Window
from tests.kit.processes import RealHouse, RunningVenue, running

Scene = tuple[str, Window]
#: The table of the main story, the one that locks a terminal, one whose dice are in doubt.
TABLE, LOCKS, DOUBT = "Lantern", "Jade", "Crane"
CHIP_TABLE = "Willow"
#: The guests' bets on the layout of the chip table: more than the maximum on Big.
CHIP_LINES = ("1.b 60 s 25 t9 5", "2.b 20 o 5 666 5", "5.b 25 t15 5 56 5")
FLOOR = Floor(
    (
        Table(TABLE, "ts6/2", maximum=500_000),
        Table(LOCKS, "etg8/2", more="handpay_threshold = 400\n"),
        Table(DOUBT, "etg8/1"),
        Table("Fern", "div9/2", maximum=500_000),
        Table(CHIP_TABLE, "ts6/2", 500, 10_000, CHIPS),
    ),
    name="Tai Sai demo",
)
PIT_VIEWS = (
    "tables",
    "map",
    "rulings",
    "dealers",
    "bets",
    "dice",
    "days",
    "alerts",
    "cage",
    "nodes",
)
AUDIT_VIEWS = ("rounds", "find", "events", "journal", "exports", "meters")
HOUSE_VIEWS = ("people", "tables", "machines", "settings")


def scenes(browser: Browser, folder: Path) -> Iterator[Scene]:
    """Give every scene: of a demo venue, and of a real house on the day of its founding."""
    (folder / "demo").mkdir()
    (folder / "house").mkdir()
    with running(folder / "demo", FLOOR) as venue:
        yield from Demo(browser, venue).scenes()
    house = RealHouse(folder / "house")
    try:
        house.start()
        yield from of_a_real_house(browser, house)
    finally:
        house.stop()


class Demo:
    """The people of a demo venue, and their scenes."""

    def __init__(self, browser: Browser, venue: RunningVenue) -> None:
        self._browser = browser
        self._venue = venue
        self._open = ExitStack()

    def scenes(self) -> Iterator[Scene]:
        """Yield the scenes, and close all windows at the end."""
        with self._open:
            yield from self._at_a_table()
            yield from self._of_chips()
            self._lock_a_terminal()
            yield from self._doubt_the_dice()
            yield from self._of_the_pit()
            yield from self._void_the_round()
            yield from self._of_the_cage()
            yield from self._of_the_audit()

    def _window(self, kind: type[Any], *more: Any) -> Any:
        made = kind(self._browser, self._venue, *more)
        self._open.callback(made.context.close)
        return made

    def _at_a_table(self) -> Iterator[Scene]:
        """Play a round, from the lobby to its recall; console and wall show it too."""
        dealer = self._window(Dealer, "dealer").stand_at(TABLE)
        player = self._window(Player).sit(TABLE)
        wall = self._window(Watcher).go_to(TABLE)
        lobby = self._window(Window).go_to()
        expect(lobby.page.get_by_role("article")).to_have_count(len(FLOOR.tables))
        yield "console-before", dealer
        dealer.goes("Open the bets")
        player.bets({"small": 1_000, "total-9": 500})
        player.tap("big", 500)
        wall.sees("Place your bets")
        yield "lobby", lobby
        yield "play-betting", player
        yield "console-betting", dealer
        yield "display-betting", wall
        yield from self._windows_of_a_terminal(player)
        dealer.panel("Irregularities")
        yield "console-irregularities", dealer
        dealer.goes("Close the bets")
        yield "play-closed", player
        for _ in range(3):
            dealer.goes("Tumble")
        yield "console-tumbled", dealer
        dealer.goes("Tumbled 3 times")
        yield "console-lifted", dealer
        dealer.see_flat()
        dealer.key_in(1, 3, 5)
        yield "console-entry", dealer
        dealer.entry.get_by_role("button", name="Entry").click()
        yield "console-entered", dealer
        dealer.goes("Confirm and call the result")
        wall.sees("total 9")
        yield "console-paying", dealer
        dealer.step("Amend the result").click()
        yield "console-amending", dealer
        dealer.step("Amend the result").click()
        yield "display-result", wall
        dealer.goes("Collect and pay")
        player.hears("Round over")
        yield "play-paid", player
        yield from self._papers_of(player)
        self._window_of_all_tables = self._window(Watcher).go_to()
        expect(self._window_of_all_tables.page.get_by_role("article").first).to_be_visible()
        yield "display-all", self._window_of_all_tables
        lost = self._window(Window).go_to(screen="nowhere")
        yield "unknown", lost
        visitor = self._window(Window).go_to(TABLE, screen="console")
        expect(visitor.page.get_by_role("main")).to_contain_text("Be the dealer")
        yield "console-log-in", visitor

    def _windows_of_a_terminal(self, player: Player) -> Iterator[Scene]:
        """Open a player's windows, one after the other."""
        for name, button, title in (
            ("buy", "Buy in", "Buy in"),
            ("cash", "Cash out", "Cash out"),
            ("view", "View", "How it is shown"),
            ("keys", "Keys", "Keys"),
            ("limits", re.compile("^My limits"), "My limits"),
            ("sign", re.compile("^Limits of this table"), "Limits of this table"),
        ):
            player.open_window(button, title)
            yield f"play-{name}", player
            player.page.keyboard.press("Escape")
        favourites = player.open_window("☆ Favourites", "Favourites")
        favourites.get_by_label("Name").fill("Lucky Big")
        favourites.get_by_role("button", name=re.compile("^Save")).click()
        yield "play-favourites", player
        player.page.keyboard.press("Escape")
        yield from self._menu_over_the_layout(player)
        player.area("total-9").focus()
        player.page.keyboard.press("i")
        expect(player.page.get_by_role("dialog")).to_be_visible()
        yield "play-box", player
        player.page.keyboard.press("Escape")

    def _papers_of(self, player: Player) -> Iterator[Scene]:
        """Show the last rounds, and the printed slips: a receipt, and a voucher."""
        player.open_window("Last rounds")
        yield "play-recall", player
        player.press("Receipt of round 1")
        receipt = player.dialog("Receipt")
        expect(receipt).to_be_visible()
        yield "play-receipt", player
        receipt.get_by_role("button", name="Done").click()
        player.page.keyboard.press("Escape")
        player.open_window("Cash out").get_by_role("button", name="Print the voucher").click()
        expect(player.dialog("Your voucher").get_by_role("article")).to_be_visible()
        yield "play-voucher", player

    def _menu_over_the_layout(self, player: Player) -> Iterator[Scene]:
        """Open menu, slip and roads, which cover the felt on a phone in landscape."""
        width, height = SIDEWAYS[0]
        for is_opened in (True, False):
            player.page.set_viewport_size({"width": width, "height": height})
            player.press("Menu, slip and roads")
            if is_opened:
                yield "play-menu", player
        player.page.set_viewport_size(DESK)

    def _of_chips(self) -> Iterator[Scene]:
        """Record chips, count money, collect and pay."""
        dealer = self._window(ChipDealer, "dealer").stand_at(CHIP_TABLE)
        wall = self._window(Watcher).go_to(CHIP_TABLE)
        dealer.goes("Open the bets")
        for line in CHIP_LINES:
            dealer.records(line)
        expect(dealer.layout()).to_contain_text("9 stacks")
        yield "chips-layout", dealer
        dealer.choose("2")
        yield "chips-money", dealer
        yield "display-rack", wall
        dealer.goes("Close the bets")
        for _ in range(3):
            dealer.goes("Tumble")
        yield "chips-tumbled", dealer
        dealer.goes("Tumbled 3 times")
        dealer.goes("Lift the cover")
        yield "chips-lifted", dealer
        dealer.see_flat()
        dealer.key_in(4, 5, 6)
        yield "chips-entry", dealer
        dealer.entry.get_by_role("button", name="Entry").click()
        yield "chips-entered", dealer
        dealer.goes("Confirm and call the result")
        expect(dealer.panel("Collect and pay")).to_contain_text("Then pay")
        yield "chips-paying", dealer
        # Lines that are not ticked off are named before the next step.
        dealer.next_step.get_by_role("button", name=re.compile("^Losing bets collected")).click()
        expect(dealer.next_step).to_contain_text("not ticked off")
        yield "chips-unticked", dealer
        dealer.goes("Losing bets collected: say so")
        dealer.goes("Winning bets paid: say so")
        dealer.till()
        dealer.asked("All leave…")
        yield "chips-all-leave", dealer

    def _lock_a_terminal(self) -> None:
        """Lock a terminal by a win, which is paid by hand."""
        dealer = self._window(Dealer, "dealer").stand_at(LOCKS)
        self._player = self._window(Player).sit(LOCKS)
        dealer.goes("Open the bets")
        self._player.bets({"small": 500})
        dealer.play(1, 2, 3)
        self._player.hears("Round over")

    def _doubt_the_dice(self) -> Iterator[Scene]:
        """Put a round in doubt, so that the pit has an alert and a ruling."""
        dealer = self._window(Dealer, "dealer").stand_at(DOUBT)
        self._waiting = self._window(Player).sit(DOUBT)
        dealer.goes("Open the bets")
        self._waiting.bets({"small": 500})
        dealer.goes("Close the bets")
        dealer.tumble()
        dealer.see_flat()
        dealer.enter(1, 2, 3)
        panel = dealer.panel("Irregularities")
        panel.get_by_role("button", name=re.compile("^A die does not lie flat")).click()
        panel.get_by_role("button", name=re.compile("^Confirm")).click()
        expect(dealer.waiting).to_be_visible()
        yield "console-doubt", dealer
        yield "play-doubt", self._waiting

    def _of_the_pit(self) -> Iterator[Scene]:
        """Show every view of the pit, and the page of a table of each form."""
        yield "play-locked", self._player
        pit = self._window(PitStaff, "pit manager").arrive()
        alert = pit.page.get_by_role("list", name=re.compile("^Alerts")).get_by_role("listitem")
        alert.first.get_by_role("button", name=re.compile("^Acknowledge")).click()
        expect(alert.first).to_contain_text("Seen by")
        for view in PIT_VIEWS:
            pit.page.goto(f"{self._venue.address}/pit?view={view}")
            yield f"pit-{view}", pit
        yield "pit-table", pit.look_after(TABLE)
        yield "pit-chip-table", pit.look_after(CHIP_TABLE)
        pit.page.goto(f"{self._venue.address}/pit")
        alert.first.get_by_role("button", name=re.compile("^See to it")).click()
        expect(pit.page.get_by_role("dialog")).to_be_visible()
        yield "pit-alert", pit

    def _void_the_round(self) -> Iterator[Scene]:
        """Approve the report in doubt as a second person, which makes the round void."""
        wall = self._window(Watcher).go_to(DOUBT)
        supervisor = self._window(Dealer, "supervisor").stand_at(DOUBT)
        supervisor.waiting.get_by_role("button", name="Agree: void…").click()
        expect(supervisor.page.get_by_role("dialog")).to_be_visible()
        yield "console-agree", supervisor
        supervisor.page.keyboard.press("Escape")
        supervisor.agree("a die does not lie flat")
        self._waiting.hears("Void round")
        yield "play-void", self._waiting
        expect(wall.page.get_by_role("article")).to_contain_text(re.compile("void", re.IGNORECASE))
        yield "display-void", wall

    def _of_the_cage(self) -> Iterator[Scene]:
        """Show a cashier's counter, slip and camera, and a form with a keypad."""
        cashier = self._window(CageStaff, "cashier").look_at_cage()
        cashier.sells("75.50")
        expect(cashier.dialog("The voucher is sold")).to_be_visible()
        yield "cage-slip", cashier
        number = cashier.takes_slip()
        cashier.scan(number)
        yield "cage", cashier
        cashier.press("Find rounds…")
        cashier.page.get_by_role("dialog").get_by_role("button", name="Show the keypad").click()
        yield "cage-keypad", cashier
        cashier.page.keyboard.press("Escape")
        cashier.press("Close the shift…")
        yield "cage-count", cashier
        with_camera = self._window(CageStaff, "cashier")
        with_camera.runs_first(READS_CODES)
        with_camera.look_at_cage().press("Scan with the camera")
        expect(with_camera.dialog("Hold the QR code before the camera")).to_be_visible()
        yield "cage-camera", with_camera

    def _of_the_audit(self) -> Iterator[Scene]:
        """Show every part of the audit, and a round to its end."""
        auditor = self._window(Auditor, "auditor").arrive()
        for view in AUDIT_VIEWS:
            auditor.page.goto(f"{self._venue.address}/audit?view={view}")
            match view:
                case "find":
                    auditor.press("Find")
                    expect(auditor.page.get_by_role("article").first).to_be_visible()
                case "journal":
                    auditor.press("Verify now")
                    main = auditor.page.get_by_role("main")
                    expect(main).to_contain_text("The journal is whole", timeout=120_000)
            yield f"audit-{view}", auditor
        auditor.page.goto(f"{self._venue.address}/audit?view=rounds&table={TABLE}&round=1")
        replay = auditor.page.get_by_role("region", name="Replay")
        replay.wait_for()
        auditor.press("To the end")
        expect(replay).to_contain_text("back in all")
        yield "audit-round", auditor


def of_a_real_house(browser: Browser, house: RealHouse) -> Iterator[Scene]:
    """Found a house, create a table, and show every part of it."""
    founders = Founders(browser, house)
    for step in founding(founders):
        yield step, founders
    technician = RealStaff(browser, house, "technician", BOB).arrive()
    manager = RealStaff(browser, house, "shift manager", ANN).arrive()
    technician.opens("Appoint somebody…")
    yield "house-appoint", technician
    technician.page.keyboard.press("Escape")
    technician.view("Tables")
    technician.opens("Create a table…")
    yield "house-create", technician
    technician.page.keyboard.press("Escape")
    technician.asks("Create a table…", "Create the table", Name_of_the_table="SB-1")
    expect(technician.page.get_by_role("region", name="SB-1")).to_contain_text("no rulebook yet")
    machine = Terminal(browser, house).go_to()
    assert machine.code
    yield "house-machine", machine
    technician.view("Machines")
    technician.asks(
        "Enrol a terminal…",
        "Enrol a terminal",
        Code_on_the_machine=machine.code,
        Table="SB-1",
        Terminal="SB-1-1",
        Where_it_stands="by the door",
    )
    expect(manager.waiting).to_contain_text("SB-1-1")
    yield "house-waiting", manager
    manager.asked_to_grant("SB-1-1")
    yield "house-grant", manager
    manager.page.keyboard.press("Escape")
    manager.grant("SB-1-1")
    for view in HOUSE_VIEWS:
        manager.page.goto(f"{house.address}/house?view={view}")
        expect(manager.page.get_by_role("heading", level=2).first).to_be_visible()
        yield f"house-{view}", manager
    for each in (founders, technician, manager, machine):
        each.context.close()
