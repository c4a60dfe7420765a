"""A chip table in the browser: recorded, collected and paid, from one count of its rack to another.

The demo opens the table with a rack of 11,700.00 and a fill of 3,000.00, and has five guests buy in
with 650.00: value chips at seats 1, 5 and 6, pieces at seats 2, 3 and 6.
"""

import re

from playwright.sync_api import expect

from tests.browser.chip_windows import ChipDealer, Counts
from tests.browser.conftest import Opener

#: Eight bets for each of five guests, as a dealer reads them off the layout.
FULL_TABLE = [
    "1.b 5 s 5 o 5 e 5 1 5 6 5 t9 5 35 5",
    "2.b 5 s 5 o 5 e 5 1 5 6 5 t9 5 35 5",
    "3.b 3 s 3 o 3 e 3 1 3 6 3 t9 3 35 3",
    "5.b 5 s 5 o 5 e 5 1 5 6 5 t9 5 35 5",
    "6.b 1 s 1 o 1 e 1 1 1 6 1 t9 1 35 1",
]
#: Keys that a person who types forty words a minute presses in a minute.
KEYS_A_MINUTE = 40 * 5


def test_a_full_table_of_forty_stacks_is_recorded_by_keyboard_alone(window: Opener) -> None:
    dealer: ChipDealer = window(ChipDealer, "dealer")
    dealer.stand_at("chips-full")
    expect(dealer.next_step.get_by_role("button")).to_contain_text("Open the bets")
    dealer.page.keyboard.press("Space")
    expect(dealer.page.get_by_text("Bets are open", exact=True)).to_be_visible()
    for line in FULL_TABLE:
        dealer.page.keyboard.type(line)
        dealer.page.keyboard.press("Enter")
    expect(dealer.layout()).to_contain_text("40 stacks")
    # Each line takes its letters and Enter; the table is read in less than a minute.
    assert sum(len(line) + 1 for line in FULL_TABLE) < KEYS_A_MINUTE
    totals = dealer.venue.get("/api/tables/chips-full")["totals"]
    # Seats 1 and 5 bet 5.00 a box, seat 2 five pieces at 1.00, 3 three at 2.00, 6 one at 5.00.
    assert totals == dict.fromkeys(
        ("big", "small", "odd", "even", "single-1", "single-6", "total-9", "domino-35"), 2_600
    )


def test_from_one_count_of_the_rack_to_another(window: Opener) -> None:
    """The demo's day is counted out, another counted in, a round played pro rata, and counted out.

    Seat 4 buys 100.00; seat 7 buys twenty yellow pieces at 5.00. Both put 60.00 on Big, which has
    room for 100.00: 50.00 of each plays. On 4, 5, 6 Big and Odd win, Small and Even lose: 6.00 is
    collected and 105.00 paid, so the table loses 99.00, and 1.00 more that is missing in the end.
    """
    dealer: ChipDealer = window(ChipDealer, "dealer")
    supervisor: ChipDealer = window(ChipDealer, "supervisor")
    dealer.stand_at("chips-day")
    supervisor.stand_at("chips-day")
    send_the_guests_home(dealer)
    # 14,250.00 lay in the rack, and 200.00 went out for the pieces that were converted.
    counted = {500: 10, 100: 59, 25: 106, 5: 80, 1: 100}
    shut(dealer, supervisor, drop="650")
    closes(dealer, supervisor, counted, "The books say $14,050.00 too.", win="0.00")

    opens_tomorrow(dealer, supervisor, counted)
    dealer.seats("4")
    dealer.buys("4", "100")
    dealer.seats("7")
    dealer.colours("7", "Yellow", "5", "100")
    play_pro_rata(dealer)

    dealer.converts("7")
    for seat in ("4", "7"):
        dealer.leaves(seat)
    shut(dealer, supervisor, drop="200")
    short = {500: 10, 100: 58, 25: 100, 5: 80, 1: 50}
    missing = "The books say $13,751.00: $1.00 is missing."
    closes(dealer, supervisor, short, missing, win="-100.00")


def send_the_guests_home(dealer: ChipDealer) -> None:
    """Let everybody leave by one form; chips with a colour are converted first."""
    dealer.till()
    form = dealer.asked("All leave…")
    # The rules were asked about each guest: the amounts are known before anybody is sent home.
    expect(form.locator(".leave-what").filter(has_text="takes")).to_have_count(5)
    expect(form.locator(".leave-what").filter(has_text="converted")).to_have_count(3)
    dealer.gives(form, "5 players leave")
    free = dealer.till().get_by_role("radio", name=re.compile("^Seat .*Free"))
    expect(free).to_have_count(8)


def shut(dealer: ChipDealer, supervisor: ChipDealer, drop: str) -> None:
    """Close the table after notice, and count its drop box."""
    dealer.step("Give notice of closing").click()
    supervisor.goes("Close the table")
    supervisor.till()
    box = {"Cash_in_the_box": drop, "Chips_for_value_in_the_box": "0"}
    form = supervisor.asked("Count the drop box…", **box)
    supervisor.gives(form, "Count the drop box")
    dealer.agrees_with(supervisor, f"the drop box counted: {drop}.00")


def closes(
    dealer: ChipDealer, supervisor: ChipDealer, counted: Counts, told: str, win: str
) -> None:
    """Count the rack blind, and read the books' figure afterwards."""
    form = supervisor.asked("Closing count…")
    expect(form).not_to_contain_text("books say $")
    supervisor.counts(form, counted)
    supervisor.gives(form, "Close the gaming day")
    dealer.agrees_with(supervisor, "gaming day")
    expect(supervisor.till()).to_contain_text(told)
    expect(supervisor.till()).to_contain_text(f"= Win{win}")


def opens_tomorrow(dealer: ChipDealer, supervisor: ChipDealer, counted: Counts) -> None:
    """Open the day that is offered: today's is closed, so it is tomorrow's."""
    form = supervisor.asked("Opening count…")
    supervisor.counts(form, counted)
    supervisor.gives(form, "Open the gaming day")
    dealer.agrees_with(supervisor, "gaming day")
    supervisor.goes("Open the table")


def play_pro_rata(dealer: ChipDealer) -> None:
    dealer.goes("Open the bets")
    dealer.records("4.b 60 s 5 e 1")
    dealer.records("7.b 12 o 1")
    layout = dealer.layout()
    expect(layout).to_contain_text("120.00 on Big")
    expect(layout).to_contain_text("1.00 on Even is under the minimum of 5.00")
    dealer.goes("Close the bets")
    dealer.tumble()
    dealer.goes("Lift the cover")
    dealer.see_flat()
    dealer.enter(4, 5, 6)
    dealer.goes("Confirm and call the result")
    lists = dealer.panel("Collect and pay")
    for told in ("$6.00", "$105.00", "60.00 on Big, 50.00 plays"):
        expect(lists).to_contain_text(told)
    dealer.goes("Losing bets collected: say so")
    dealer.goes("Winning bets paid: say so")
