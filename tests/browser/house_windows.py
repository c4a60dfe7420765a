"""Windows at a real house: people who found it, and log in with a password of their own."""

import re
from typing import Any, NamedTuple, Self

from playwright.sync_api import Locator, expect

from tests.browser.windows import Dealer, Pages, PitStaff, Player, Staff, Window
from tests.kit.processes import RealHouse

#: Half of a one-time code: three groups of letters and digits.
HALF = re.compile(r"[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}")


class Person(NamedTuple):
    """A person of a real house: their name, password and PIN."""

    name: str
    password: str
    pin: str


class Founders(Window):
    """The page of a house that is not founded yet."""

    def __init__(self, browser: Pages, venue: RealHouse, **settings: Any) -> None:
        super().__init__(browser, venue, **settings)
        # Between the founding page and the house, nobody answers for a moment.
        self.may_lose_the_venue()
        self.may_be_refused = ("/api/sessions/current",)
        self.halves = venue.halves

    def step(self, name: str) -> None:
        """Expect to be at a step."""
        expect(self.page.get_by_role("heading", name=name, exact=True)).to_be_visible()

    def fill(self, **written: str) -> None:
        """Fill fields in, each by its label."""
        for label, text in written.items():
            self.page.get_by_label(label.replace("_", " "), exact=True).fill(text)

    def is_founder(self, person: Person, half: str, *roles: str) -> None:
        """Enter one of the first two persons, with their half of the code and their roles."""
        self.fill(Your_name=person.name, Your_half_of_the_code=half)
        for label in ("New password", "The password once more"):
            self.page.get_by_label(label, exact=True).fill(person.password)
        for label in ("PIN", "The PIN once more"):
            self.page.get_by_label(label, exact=True).fill(person.pin)
        for role in roles:
            self.page.get_by_role("checkbox", name=role, exact=True).check()


class RealStaff(Staff):
    """A member of the staff of a real house, in a role."""

    screen = "house"

    def __init__(
        self, browser: Pages, venue: RealHouse, role: str, person: Person, **settings: Any
    ) -> None:
        super().__init__(browser, venue, role, **settings)
        self.person = person
        # A page without a log-in asks who the person is.
        self.may_be_refused = ("/api/sessions/current",)

    @property
    def pin(self) -> str:
        """Give one's own PIN."""
        return self.person.pin

    def log_in(self) -> Self:
        """Log in with name, password and role, unless somebody is logged in."""
        enter, out = self.button("Log in"), self.button("Log out")
        expect(enter.or_(out)).to_be_visible()
        if enter.is_visible():
            self.page.get_by_label("Your name", exact=True).fill(self.person.name)
            self.page.get_by_label("Password", exact=True).fill(self.person.password)
            self.page.get_by_label("In the role of").select_option(label=self.role)
            enter.click()
        expect(out).to_be_visible()
        return self

    def fails_to_log_in(self) -> None:
        """Try a password that is no longer valid."""
        self.may_be_refused += ("/api/sessions",)
        self.page.get_by_label("Your name", exact=True).fill(self.person.name)
        self.page.get_by_label("Password", exact=True).fill(self.person.password)
        self.press("Log in")
        expect(self.page.get_by_role("main").get_by_role("alert")).not_to_be_empty()

    def sees_half(self, person: str) -> str:
        """Show one's half of a code, which is shown once."""
        show = self.button(f"Show my half of the code for {person}")
        show.click()
        shown = self.dialog(f"Half of the code for {person}")
        expect(shown).to_contain_text(HALF)
        found = HALF.search(shown.inner_text())
        assert found is not None
        self.page.keyboard.press("Escape")
        expect(shown).to_be_hidden()
        expect(show).to_be_hidden()
        return found[0]

    def sets_password(self, person: Person, code: str) -> None:
        """Set a password and a PIN with a one-time code, without being logged in."""
        self.go_to(screen="house").press(re.compile("^First time here"))
        form = self.page.get_by_role("form", name="Your first password")
        for label, text in (
            ("Your name", person.name),
            ("One-time code", code),
            ("New password", person.password),
            ("PIN", person.pin),
        ):
            form.get_by_label(label, exact=True).fill(text)
        form.get_by_role("button", name="Set password and PIN").click()
        expect(form).to_be_hidden()

    def view(self, name: str) -> None:
        """Go to a part of the house."""
        link = self.page.get_by_role("navigation").get_by_role("link", name=name, exact=True)
        link.click()
        expect(link).to_have_attribute("aria-current", "page")

    def opens(self, name: str) -> Locator:
        """Open a form; give it."""
        self.press(name)
        return self.page.get_by_role("dialog")

    def asks(self, opens: str, gives: str, **written: str) -> Locator:
        """Open a form, fill it in and submit it; give the form."""
        form = self.opens(opens)
        for label, text in written.items():
            field = form.get_by_label(label.replace("_", " "), exact=True)
            if field.evaluate("each => each.localName") == "select":
                field.select_option(text)
            else:
                field.fill(text)
        form.get_by_role("button", name=gives, exact=True).click()
        return form


class RealPit(RealStaff, PitStaff):
    """A person of a real house at the pit."""

    screen = "pit"

    def takes(self, part: Locator, opens: str) -> Locator:
        """Take a step of a list that needs a form; give the form."""
        part.get_by_role("button", name=opens).click()
        return self.page.get_by_role("dialog")


class RealDealer(RealStaff, Dealer):
    """A person of a real house at a Game Console."""

    screen = "console"


class RealCashier(RealStaff):
    """A person of a real house at the cage."""

    screen = "cage"

    def sells(self, amount: str) -> str:
        """Sell a voucher, and read its number off the slip."""
        self.page.get_by_label("Amount", exact=True).fill(amount)
        self.press("Sell")
        slip = self.dialog("The voucher is sold")
        found = re.search(r"(?:\d{4} ){4}\d{2}", slip.inner_text())
        assert found is not None, slip.inner_text()
        slip.get_by_role("button", name="Done").click()
        expect(slip).to_be_hidden()
        return found[0]

    def pays(self, number: str, amount: str) -> None:
        """Scan a player's voucher, and pay it."""
        found = self.scan("".join(number.split()))
        found.get_by_role("button", name=f"Pay {amount}", exact=True).click()
        notice = self.page.get_by_label("Notice", exact=True)
        expect(notice).to_contain_text(f"is paid: {amount}")


class Terminal(Player):
    """A machine that becomes a Player Terminal, and its player."""

    @property
    def code(self) -> str:
        """Read the code off its screen."""
        shown = self.page.get_by_role("status", name="Code of this machine")
        expect(shown).to_have_text(re.compile("^[A-Z2-9]{3}-[A-Z2-9]{3}$"))
        return shown.inner_text()

    def takes(self, number: str, cents: int) -> None:
        """Insert a voucher, and check its amount."""
        taking = self.open_window("Buy in")
        taking.get_by_label("Number of the voucher").fill(number)
        taking.get_by_role("button", name="Take the voucher").click()
        expect(taking).to_be_hidden()
        self.sees_balance(cents)

    def cashes_out(self) -> str:
        """Print all credits as a voucher, and read its number off the slip."""
        self.open_window("Cash out").get_by_role("button", name="Print the voucher").click()
        voucher = self.dialog("Your voucher")
        slip = voucher.get_by_role("article", name="Voucher").inner_text()
        found = re.search(r"(?:\d{4} ){4}\d{2}", slip)
        assert found is not None, slip
        voucher.get_by_role("button", name="Hide the voucher").click()
        self.sees_balance(0)
        return found[0]
