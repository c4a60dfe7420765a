"""The Game Console of a chip table and a person at it: chips, seats, counts and the layout."""

import re
from collections.abc import Mapping
from typing import Self

from playwright.sync_api import Locator, expect

from tests.browser.windows import Dealer, money

#: How many of each chip, by its value in whole units.
Counts = Mapping[int, int]


class ChipDealer(Dealer):
    """A dealer or a supervisor at a chip table."""

    # --- chips and money -----------------------------------------------------------------------

    def till(self) -> Locator:
        """Open the panel of chips and money."""
        return self.panel("Chips and money")

    def choose(self, seat: str) -> Locator:
        """Choose a seat, and give its panel."""
        till = self.till()
        till.get_by_role("radio", name=re.compile(f"^Seat {seat},")).click()
        return till.get_by_role("article", name=f"Seat {seat}")

    def seats(self, seat: str) -> None:
        """Let a player sit down."""
        self.till().get_by_role("radio", name=re.compile(f"^Seat {seat},")).click()
        self.press(f"Take seat {seat}")
        expect(self.till().get_by_role("article", name=f"Seat {seat}")).to_be_visible()

    def asked(self, button: str, **fields: str) -> Locator:
        """Open a form of the seat or of the table, and fill it in."""
        self.page.get_by_role("button", name=button, exact=True).click()
        form = self.page.get_by_role("dialog")
        for label, text in fields.items():
            form.get_by_label(label.replace("_", " "), exact=True).fill(text)
        return form

    def gives(self, form: Locator, button: str) -> None:
        """Submit a form, which closes it."""
        form.get_by_role("button", name=button, exact=True).click()
        expect(form).to_be_hidden()

    def buys(self, seat: str, cash: str) -> None:
        """Sell value chips for cash, in as few chips as possible."""
        self.choose(seat)
        self.gives(self.asked("Buy chips…", Cash=cash), "Hand out the chips")

    def colours(self, seat: str, colour: str, worth: str, cash: str) -> None:
        """Give a player a colour, and sell pieces of it."""
        self.choose(seat)
        form = self.asked("Give a colour…", A_piece_is_worth=worth)
        form.get_by_label("Colour", exact=True).select_option(label=colour)
        self.gives(form, "Give the colour")
        self.gives(self.asked("Buy pieces…", Cash=cash), "Hand out the pieces")

    def converts(self, seat: str) -> None:
        """Convert all pieces in front of a player, and take the colour back."""
        self.choose(seat)
        self.gives(self.asked("Convert…"), "Convert")
        self.gives(self.asked("Give the colour back…"), "Take the colour back")

    def leaves(self, seat: str) -> None:
        """Let a player leave with the chips in front of them."""
        self.choose(seat)
        # The preview is not read here: the player may be gone before it is answered.
        self.may_be_refused = (*self.may_be_refused, "/preview")
        self.gives(self.asked("Leave…"), "The player leaves")
        seats = self.till().get_by_role("radio", name=f"Seat {seat}, Free")
        expect(seats).to_be_visible()

    # --- the lists -----------------------------------------------------------------------------

    def goes(self, label: str) -> None:
        """Press the large button, after ticking off the lists of bets to collect or pay."""
        if label.startswith(("Losing bets collected", "Winning bets paid")):
            named = re.compile(f"^{re.escape(label)}")
            expect(self.next_step.get_by_role("button", name=named)).to_be_visible()
            lines = self.panel("Collect and pay").locator(".rec-paying-tick:enabled")
            if lines.count() > 0:
                lines.last.click()
        super().goes(label)

    # --- counting ------------------------------------------------------------------------------

    def counts(self, form: Locator, counts: Counts) -> None:
        """Fill in a count sheet."""
        for value, count in counts.items():
            form.get_by_label(f"{value:,}.00", exact=True).fill(str(count))
        total = sum(value * count for value, count in counts.items())
        expect(form).to_contain_text(f"Total {money(total * 100)}")

    def agrees_with(self, other: "ChipDealer", words: str) -> Self:
        """Be the second person for another's command."""
        self.grant(words)
        expect(other.waiting).to_be_hidden()
        return self

    # --- the layout ----------------------------------------------------------------------------

    def layout(self) -> Locator:
        """Open the layout."""
        return self.panel("Layout")

    @property
    def line(self) -> Locator:
        """Find the line that bets are keyed into; one for a reason may follow it."""
        return self.layout().get_by_role("textbox").first

    def records(self, line: str) -> None:
        """Key bets into the line, and record them."""
        field = self.line
        field.press_sequentially(line)
        field.press("Enter")
        expect(field).to_have_value("")
