"""Browser windows and the people at them: players, dealers, supervisors, watchers.

Each person has a window of their own, isolated from all others as on another machine. They act as
people do: controls are found by their role and their name.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, Self

from playwright.sync_api import (
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Response,
    ViewportSize,
    expect,
)
from playwright.sync_api import TimeoutError as WaitedTooLong

from tests.kit.processes import RunningVenue

TIMEOUT_MS = 60_000
#: How often a voucher is scanned at most.
SCANS = 10
WORDS = Path(__file__).parents[2] / "web" / "src" / "words"
DESK = ViewportSize(width=1440, height=900)
#: A browser that draws motion has less time for everything else: only some windows have motion.
STILL = {"viewport": DESK, "locale": "en-SG", "reduced_motion": "reduce"}
MOVING = "no-preference"
#: The browser's own text when it cannot reach a venue.
_UNREACHED = re.compile(r"net::ERR_|WebSocket connection to")
_REFUSED = "Failed to load resource: the server responded with a status of"


def money(cents: int) -> str:
    """Write an amount as the screens do in English."""
    return f"${cents / 100:,.2f}"


def words(language: str, area: str, key: str) -> str:
    """Give a message in the screens' words."""
    told = json.loads((WORDS / language / f"{area}.json").read_text(encoding="utf-8"))
    return str(told[key])


#: Words of three letters and more that are shown, or name a control, except known ones.
LATIN_WORDS = """(known) => {
  const words = [];
  const take = (text) => words.push(...(text.match(/[A-Za-z]{3,}/g) ?? []));
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) take(node.data);
    if (!(node instanceof Element) || !node.checkVisibility()) return;
    if (node.matches("[lang=en], script, style, code, .receipt-text")) return;
    const names = ["aria-label", "title", "alt", "placeholder"];
    for (const name of names) take(node.getAttribute(name) ?? "");
    for (const each of node.childNodes) walk(each);
  };
  walk(document.body);
  return words.filter((word) => !known.includes(word));
}"""


class Pages(Protocol):
    """Gives pages, each on a machine of its own: a browser."""

    @property
    def new_page(self) -> Callable[..., Page]:
        """Give a page that nobody else has, by its settings."""


class Window:
    """A window of a browser, in a context of its own, in which no error may be reported."""

    screen = ""

    def __init__(self, browser: Pages, venue: RunningVenue, **settings: Any) -> None:
        self.venue = venue
        self.settings = STILL | settings
        self.page = browser.new_page(**self.settings)
        self.context = self.page.context
        self.context.set_default_timeout(TIMEOUT_MS)
        self.complaints: list[str] = []
        #: Parts of addresses that the venue may refuse, because the test makes it.
        self.may_be_refused: tuple[str, ...] = ()
        #: Whether the machine has a lasting change, whatever page it shows next.
        self.is_used_up = False
        self._may_be_unreached = False
        self.page.on("console", self._heard)
        self.page.on("pageerror", self._failed)
        self.page.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        # A refused request is recorded below, with its address; this message adds nothing.
        told = message.type in ("error", "warning") and not message.text.startswith(_REFUSED)
        if told and not (self._may_be_unreached and _UNREACHED.search(message.text)):
            self.complaints.append(message.text)

    def _failed(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _answered(self, response: Response) -> None:
        expected = any(address in response.url for address in self.may_be_refused)
        if response.status >= 400 and not expected:
            self.complaints.append(f"{response.status} {response.request.method} {response.url}")

    def may_lose_the_venue(self) -> None:
        """Allow the browser to report that it cannot reach the venue, and nothing else."""
        self._may_be_unreached = True

    def runs_first(self, script: str) -> None:
        """Run a script before those of every page."""
        self.is_used_up = True
        self.page.add_init_script(script)

    def close(self) -> None:
        """Close the window, and check that no error was reported."""
        self.context.close()
        self.has_no_complaints()

    def leave(self) -> Page:
        """Stop listening to the page, and give it to others."""
        # Messages arrive during calls only: this call receives the last ones.
        self.page.evaluate("0")
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("response", self._answered)
        return self.page

    def has_no_complaints(self) -> None:
        """Check that no error was reported."""
        assert not self.complaints, self.complaints

    def go_to(self, table: str | None = None, screen: str | None = None) -> Self:
        """Go to a screen, at a table if one is named."""
        path = self.screen if screen is None else screen
        self.page.goto(f"{self.venue.address}/{path}" + (f"?table={table}" if table else ""))
        return self

    # --- finding -----------------------------------------------------------------------------

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Find a button by its whole name."""
        exact = isinstance(name, str)
        return self.page.get_by_role("button", name=name, exact=exact)

    def dialog(self, name: str) -> Locator:
        """Find the dialog of this name."""
        return self.page.get_by_role("dialog", name=name)

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button by its name."""
        self.button(name).click()

    def scan(self, digits: str, shows: Locator | None = None) -> Locator:
        """Scan a voucher, wherever the focus is; give the element that then shows it.

        A scanner types faster than a busy machine takes the keys: then it is scanned again.
        """
        found = shows or self.page.get_by_role("article", name=re.compile("^Voucher no"))
        for _ in range(SCANS):
            self.page.keyboard.type(digits)
            self.page.keyboard.press("Enter")
            try:
                found.wait_for(timeout=TIMEOUT_MS / SCANS)
            except WaitedTooLong:
                continue
            break
        return found

    def speak(self, language: str) -> None:
        """Choose a language; the choice comes first in the bar in every language."""
        self.page.locator("header select").select_option(language)

    def sees_no_latin_words(self, *names: str) -> None:
        """Expect no words in Latin letters, shown or read out, except names and marked English.

        The venue has a name, and each language its own.
        """
        known = ["Tai", "Sai", "The", "Lantern", "English", *names]
        try:
            self.page.wait_for_function(
                f"(known) => ({LATIN_WORDS})(known).length === 0", arg=known
            )
        except WaitedTooLong as waited:
            left = self.page.evaluate(LATIN_WORDS, known)
            raise AssertionError(f"words left: {left}; complaints: {self.complaints}") from waited


class Watcher(Window):
    """A person who watches the wall screen of a table."""

    screen = "display"

    def sees(self, words: str) -> None:
        """Expect a text on the wall screen."""
        expect(self.page.get_by_role("article")).to_contain_text(words)


class Player(Window):
    """A person at a Player Terminal."""

    screen = "play"

    def sit(self, table: str) -> Self:
        """Take a seat at a table, and see its layout."""
        self.go_to(table)
        expect(self.layout).to_be_visible()
        return self

    @property
    def key(self) -> dict[str, str]:
        """Give the key of the terminal, which the window stores."""
        kept = self.page.evaluate("sessionStorage.getItem('taisai.terminal')")
        table, _, rest = str(kept).partition("/")
        terminal, _, key = rest.partition(":")
        return {"table": table, "terminal": terminal, "key": key}

    # --- what the player sees ------------------------------------------------------------------

    @property
    def layout(self) -> Locator:
        """Find the layout."""
        return self.page.locator(".play-layout [role=group].layout")

    def area(self, box: str) -> Locator:
        """Find a box on the layout: its first area, whose name the caller must check."""
        return self.layout.locator(f"button[data-box='{box}']").first

    @property
    def balance(self) -> Locator:
        """Find the balance."""
        return self.page.locator(".purse-balance dd")

    @property
    def slip(self) -> Locator:
        """Find the slip."""
        return self.page.get_by_role("region", name="Your slip")

    @property
    def status(self) -> Locator:
        """Find the status of the round."""
        return self.page.get_by_role("region", name="The round")

    def sees_on(self, box: str, words: str) -> None:
        """Expect a text about the player's own bet on a box, which has the venue's name."""
        name = f"^{re.escape(self.venue.name_of(box))}, (.*, )?pays .*{re.escape(words)}"
        expect(self.area(box)).to_have_accessible_name(re.compile(name))

    def sees_balance(self, cents: int) -> None:
        """Expect a balance."""
        expect(self.balance).to_have_text(money(cents))

    def hears(self, words: str | re.Pattern[str]) -> None:
        """Expect a text in the status of the round."""
        expect(self.status).to_contain_text(words)

    # --- what the player does ------------------------------------------------------------------

    def chip(self, cents: int) -> Locator:
        """Find a chip of the tray."""
        return self.button(f"Chip of {money(cents)}")

    def tap(self, box: str, *chips: int) -> None:
        """Put chips on a box by taps: choose each, then press the box."""
        for cents in chips:
            self.chip(cents).click()
            self.area(box).click()

    def drag(self, box: str, cents: int) -> None:
        """Drag a chip from the tray onto a box."""
        start, end = self.chip(cents).bounding_box(), self.area(box).bounding_box()
        assert start is not None
        assert end is not None
        mouse = self.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
        mouse.up()

    def type_in(self, box: str, key: str) -> None:
        """Put a chip on a box by keys: a digit chooses the chip, Enter puts it."""
        self.area(box).focus()
        self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")

    def place(self) -> None:
        """Press the large button that places the bets."""
        self.press(re.compile("^Place bets"))

    def bets(self, stakes: dict[str, int], chip: int = 500) -> None:
        """Bet amounts by taps of one chip, and wait until each is registered."""
        for box, cents in stakes.items():
            self.tap(box, *[chip] * (cents // chip))
        self.place()
        for box, cents in stakes.items():
            self.sees_on(box, f"your bet {cents / 100:,.2f}")

    def says(self, words: str | re.Pattern[str]) -> None:
        """Expect a text under the button that places the bets."""
        expect(self.page.locator("#place-more")).to_contain_text(words)

    def sees_beside(self, box: str, words: str) -> None:
        """Expect a reason next to a box, which names the box for screen readers."""
        reasons = self.layout.get_by_role("status", name="Refused bets")
        name = self.venue.name_of(box)
        expect(reasons.get_by_text(words).filter(visible=True)).to_have_count(1)
        expect(reasons).to_contain_text(name)

    def tool(self, name: str) -> Locator:
        """Find a tool of the slip: Undo, Redo, Clear, Double, Rebet, Rebet ×2."""
        slip = self.page.get_by_role("group", name="The slip")
        return slip.get_by_role("button", name=name, exact=True)

    def open_window(self, button: str | re.Pattern[str], title: str | None = None) -> Locator:
        """Open a window from the menu, and give it; its title is the button's, or another."""
        self.press(button)
        opened = self.dialog(title or str(button))
        expect(opened).to_be_visible()
        return opened


class Staff(Window):
    """A member of the staff, in a role, with a window for their screen."""

    screen = "console"

    def __init__(self, browser: Pages, venue: RunningVenue, role: str, **settings: Any) -> None:
        super().__init__(browser, venue, **settings)
        self.role = role

    def log_in(self) -> Self:
        """Log in as a person of the demo, unless somebody is logged in."""
        be, out = self.button(f"Be the {self.role}"), self.button("Log out")
        expect(be.or_(out)).to_be_visible()
        if be.is_visible():
            be.click()
        expect(out).to_be_visible()
        return self

    def arrive(self) -> Self:
        """Go to the screen, and log in."""
        return self.go_to().log_in()

    @property
    def pin(self) -> str:
        """Give the PIN that the demo gave this person."""
        return str(self.page.evaluate("sessionStorage.getItem('taisai.pin')"))

    # --- second persons -----------------------------------------------------------------------

    @property
    def waiting(self) -> Locator:
        """Find the commands that wait for a second person."""
        return self.page.get_by_role("region", name="Waiting for a second person", exact=True)

    def asked_to_grant(self, words: str) -> Locator:
        """Open the command to be granted as the second person."""
        expect(self.waiting).to_contain_text(words)
        self.waiting.get_by_role("button", name="Grant…").click()
        asked = self.dialog("Grant as the second person")
        expect(asked).to_contain_text(words, ignore_case=True)
        return asked

    def grant(self, words: str) -> None:
        """Grant another person's command, with one's own PIN."""
        asked = self.asked_to_grant(words)
        asked.get_by_label(re.compile("^PIN of")).fill(self.pin)
        asked.get_by_role("button", name="Grant", exact=True).click()
        expect(asked).to_be_hidden()

    def agree(self, words: str) -> None:
        """Agree that a reported irregularity of the dice happened, with one's own PIN."""
        expect(self.waiting).to_contain_text(words)
        self.waiting.get_by_role("button", name="Agree: void…").click()
        asked = self.dialog("Agree that it happened: the round is void")
        asked.get_by_label(re.compile("^PIN of")).fill(self.pin)
        asked.get_by_role("button", name="Agree", exact=True).click()
        expect(asked).to_be_hidden()

    def find_otherwise(self, words: str, reason: str) -> None:
        """Find that a reported irregularity of the dice did not happen, and give the reason."""
        expect(self.waiting).to_contain_text(words)
        self.waiting.get_by_role("button", name="Decline…").click()
        asked = self.dialog("Find that it did not happen")
        expect(asked.get_by_role("button", name="It did not happen")).to_be_disabled()
        asked.get_by_label("Why it did not happen").fill(reason)
        asked.get_by_role("button", name="It did not happen").click()
        expect(asked).to_be_hidden()

    def decline(self, words: str) -> None:
        """Decline another person's command."""
        expect(self.waiting).to_contain_text(words)
        self.waiting.get_by_role("button", name="Decline").click()


class PitStaff(Staff):
    """A person who supervises all tables from the pit."""

    screen = "pit"

    def look_after(self, table: str) -> Self:
        """Go to the page of a table in the pit."""
        self.go_to(table).log_in()
        expect(self.page.get_by_role("heading", name=table, exact=True)).to_be_visible()
        return self


class Auditor(Staff):
    """A person at the audit."""

    screen = "audit"


class Dealer(Staff):
    """A person at the Game Console of a table: a dealer, or a supervisor."""

    def stand_at(self, table: str) -> Self:
        """Go to the console of a table."""
        self.go_to(table).log_in()
        expect(self.next_step).to_be_visible()
        expect(self.page.get_by_role("definition").filter(has_text=table)).to_be_visible()
        return self

    # --- what the dealer sees ------------------------------------------------------------------

    @property
    def next_step(self) -> Locator:
        """Find the panel of the next step."""
        return self.page.get_by_role("region", name="The next step")

    @property
    def entry(self) -> Locator:
        """Find the entry terminal."""
        return self.page.get_by_role("region", name="Entry terminal")

    @property
    def led(self) -> Locator:
        """Find the light of the entry terminal."""
        return self.entry.get_by_role("status")

    def step(self, label: str) -> Locator:
        """Find a step in the list of all steps, even if it is hidden because it cannot be taken."""
        steps = self.page.get_by_role("navigation", name="Steps")
        return steps.get_by_role("button", name=label, include_hidden=True)

    def panel(self, tab: str) -> Locator:
        """Open a panel beside the game."""
        self.page.get_by_role("tab", name=tab).click()
        return self.page.get_by_role("tabpanel", name=tab)

    # --- what the dealer does ------------------------------------------------------------------

    def goes(self, label: str) -> None:
        """Press the large button, which must be for this step."""
        self.next_step.get_by_role("button", name=re.compile(f"^{re.escape(label)}")).click()

    def tumble(self, times: int = 3) -> None:
        """Tumble, count, and record that all is well with the dice."""
        for counted in range(times):
            expect(self.next_step).to_contain_text(f"{counted} of {times}")
            self.goes("Tumble")
        self.goes(f"Tumbled {times} times")

    def see_flat(self) -> None:
        """Report that the dice lie flat, where the cover was lifted only now."""
        self.goes("All three dice lie flat")

    def key_in(self, *faces: int) -> None:
        """Press the faces on the six buttons; the light echoes the last three."""
        for count, face in enumerate(faces, 1):
            self.entry.get_by_role("button", name=f"Face {face}").click()
            pressed = ", ".join(map(str, faces[max(0, count - 3) : count]))
            expect(self.led).to_have_accessible_name(f"Pressed: {pressed}")

    def enter(self, *faces: int) -> None:
        """Key in the faces, and press the entry button."""
        self.key_in(*faces)
        self.entry.get_by_role("button", name="Entry").click()

    def call_for_bets(self) -> None:
        """Open the bets, unless they are open."""
        call = self.next_step.get_by_role("button", name=re.compile("^Open the bets"))
        opened = self.page.get_by_text("Bets are open", exact=True)
        expect(call.or_(opened)).to_be_visible()
        if call.is_visible():
            call.click()
        expect(opened).to_be_visible()

    def play(self, *faces: int) -> None:
        """Deal an open round to its end, in the order of Singapore's documents."""
        self.goes("Close the bets")
        self.tumble()
        self.see_flat()
        self.enter(*faces)
        self.goes("Confirm and call the result")
        self.goes("Collect and pay")
