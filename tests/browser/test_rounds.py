"""Rounds on every layout, with a real venue: for each document one with everybody present.

On the other layouts one player has all the bets, and the dealer confirms. What each bet returns is
computed by hand from the documents' own odds.
"""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.windows import MOVING, Dealer, Player, Watcher, money
from tests.kit.processes import CREDITS, RunningVenue


@dataclass(frozen=True)
class Bet:
    """A bet, with the amount it returns, and the deciding clause."""

    box: str
    stake: int
    back: int
    clause: str


@dataclass(frozen=True)
class Round:
    """A round: the dice as they are keyed in and called, and the bets of two players."""

    pay_table: str
    faces: tuple[int, int, int]
    call: str
    first: tuple[Bet, Bet]
    second: tuple[Bet, Bet]

    @property
    def shown(self) -> str:
        """Give the dice as the roads show them, without a call."""
        return f"dice {', '.join(map(str, sorted(self.faces)))}, total {sum(self.faces)}"


ROUNDS = (
    Round(
        *("ts6/1", (1, 3, 6), "1, 3, 6, total 10"),
        (Bet("small", 1_000, 2_000, "4.1.1"), Bet("total-10", 500, 3_500, "4.1.1")),
        (Bet("big", 500, 0, "3.9"), Bet("single-6", 1_000, 2_000, "4.1.1")),
    ),
    Round(
        *("ts6/2", (2, 2, 2), "triple 2, total 6"),
        (Bet("small", 500, 0, "3.10"), Bet("any-triple", 500, 16_000, "4.1.2")),
        (Bet("double-2", 500, 6_000, "4.1.2"), Bet("three-221", 500, 0, "3.9")),
    ),
    Round(
        *("ts6/3", (6, 1, 3), "1, 3, 6, total 10"),
        (Bet("three-136", 500, 15_500, "4.1.3"), Bet("four-6531", 500, 4_000, "4.1.3")),
        (Bet("big", 500, 0, "3.9"), Bet("domino-16", 500, 3_500, "4.1.3")),
    ),
    Round(
        *("tso5/1", (5, 5, 5), "triple 5, total 15"),
        (Bet("triple-5", 500, 90_500, "4.1.1"), Bet("big", 500, 0, "3.10")),
        (Bet("single-5", 1_000, 13_000, "4.1.1"), Bet("total-15", 500, 9_500, "4.1.1")),
    ),
    Round(
        *("tso5/2", (3, 3, 1), "1, double 3, total 7"),
        (Bet("three-331", 500, 25_500, "4.1.2"), Bet("odd", 500, 1_000, "4.1.2")),
        (Bet("even", 500, 0, "3.9"), Bet("domino-13", 500, 3_500, "4.1.2")),
    ),
    Round(
        *("tso5/3", (6, 5, 6), "5, double 6, total 17"),
        (Bet("total-17", 500, 31_500, "4.1.3"), Bet("four-6543", 500, 0, "3.9")),
        (Bet("single-6", 500, 1_500, "4.1.3"), Bet("big", 500, 1_000, "4.1.3")),
    ),
    Round(
        *("etg8/1", (1, 3, 6), "1, 3, 6, total 10"),
        (Bet("total-10", 500, 3_750, "4.1.1"), Bet("double-3", 500, 0, "3.8")),
        (Bet("even", 500, 1_000, "4.1.1"), Bet("odd", 500, 0, "3.8")),
    ),
    Round(
        *("etg8/2", (3, 3, 3), "triple 3, total 9"),
        (Bet("double-3", 1_000, 12_500, "4.1.2"), Bet("odd", 500, 0, "3.9")),
        (Bet("any-triple", 500, 16_500, "4.1.2"), Bet("triple-3", 500, 98_000, "4.1.2")),
    ),
    Round(
        *("etg8/3", (1, 2, 2), "1, double 2, total 5"),
        (Bet("three-221", 500, 25_500, "4.1.3"), Bet("small", 500, 1_000, "4.1.3")),
        (Bet("single-2", 500, 1_500, "4.1.3"), Bet("big", 500, 0, "3.8")),
    ),
    Round(
        *("div9/1", (4, 1, 4), "1, double 4, total 9"),
        (Bet("total-9", 500, 4_000, "4.10"), Bet("small", 500, 1_000, "4.10")),
        (Bet("big", 500, 0, "4.1(b)"), Bet("triple-5", 500, 0, "4.1(c)")),
    ),
    Round(
        *("div9/2", (6, 6, 5), "5, double 6, total 17"),
        (Bet("three-665", 500, 30_500, "4.10"), Bet("odd", 500, 1_000, "4.10")),
        (Bet("even", 500, 0, "4.1(l)"), Bet("double-3", 500, 0, "4.1(d)")),
    ),
)


#: One layout of each document with everybody present; how they play together is always the same.
WHOLE = ("ts6/2", "tso5/1", "etg8/2", "div9/2")


class Room:
    """Everybody at a table: a dealer, a supervisor, two players, and a watcher of the wall."""

    def __init__(self, window: Opener) -> None:
        self.player: Player = window(Player)
        self.other: Player = window(Player)
        self.watcher: Watcher = window(Watcher)
        self.dealer: Dealer = window(Dealer, "dealer")
        self.supervisor: Dealer = window(Dealer, "supervisor")
        #: The players at the table of this round.
        self.players: list[Player] = []
        self.staff: list[Dealer] = []

    def meet_at(self, table: str, *, everybody: bool) -> None:
        """Go to a table together; players get a seat of their own there."""
        self.players = [self.player, self.other] if everybody else [self.player]
        self.staff = [self.dealer, self.supervisor] if everybody else [self.dealer]
        self.watcher.go_to(table)
        for player in self.players:
            player.sit(table)
        for staff in self.staff:
            staff.stand_at(table)

    def bets_of(self, round: Round) -> list[tuple[Player, tuple[Bet, ...]]]:
        """Give each player's bets: one player alone bets everything."""
        both = [round.first, round.second]
        shares = both if len(self.players) == len(both) else [(*round.first, *round.second)]
        return list(zip(self.players, shares, strict=True))


@pytest.fixture(scope="module")
def room(lasting_window: Opener) -> Room:
    """Open everybody's windows, for all rounds."""
    return Room(lasting_window)


@pytest.mark.parametrize("round", ROUNDS, ids=lambda round: round.pay_table)
def test_a_round(round: Round, venue: RunningVenue, room: Room) -> None:
    room.meet_at(round.pay_table.replace("/", "-"), everybody=round.pay_table in WHOLE)
    _open_bets(round, room)
    _bet(round, room)
    _close_and_enter(round, room)
    room.staff[-1].goes("Confirm and call the result")
    _see_what_is_lit(round, room)
    room.dealer.goes("Collect and pay")
    for player, bets in room.bets_of(round):
        _see_what_came_back(bets, venue, player)
    story = venue.get(f"/api/tables/{room.player.key['table']}/rounds/1", role="auditor")
    told = {(line["box"], line["back"], line["clause"]) for line in story["bets"]}
    assert told == {(bet.box, bet.back, bet.clause) for bet in (*round.first, *round.second)}
    for each in (*room.players, room.watcher):
        newest = each.page.get_by_role("list", name="The last rounds, the newest first")
        expect(newest.get_by_role("listitem").first).to_contain_text(f"Round 1: {round.shown}")


def _open_bets(round: Round, room: Room) -> None:
    """Open the bets: by Division 9 the dice are tumbled before [div9 6.1], elsewhere after."""
    if round.pay_table.startswith("div9"):
        expect(room.dealer.step("Open the bets")).to_be_disabled()
        room.dealer.tumble()
    room.dealer.goes("Open the bets")
    for each in room.staff:
        expect(each.page.get_by_text("Bets are open", exact=True)).to_be_visible()
    room.watcher.sees("Place your bets")


def _bet(round: Round, room: Room) -> None:
    """Bet by tap; then drag a chip, and type, as the other player if there is one."""
    room.player.bets({bet.box: bet.stake for bet in round.first})
    dragged, typed = round.second
    player = room.players[-1]
    for _ in range(dragged.stake // 500):
        player.drag(dragged.box, 500)
    for _ in range(typed.stake // 500):
        player.type_in(typed.box, "2")
    player.place()
    for bet in round.second:
        player.sees_on(bet.box, f"your bet {bet.stake / 100:,.2f}")
    for each, bets in room.bets_of(round):
        each.sees_balance(CREDITS - sum(bet.stake for bet in bets))


def _close_and_enter(round: Round, room: Room) -> None:
    """Close with the bell, tumble if the document has it now, and key in the dice."""
    room.dealer.goes("Close the bets")
    if not round.pay_table.startswith("div9"):
        room.dealer.tumble()
    if not round.pay_table.startswith("tso5"):
        room.dealer.see_flat()
    room.dealer.enter(*round.faces)
    for player in room.players:
        player.hears(round.call)
    room.watcher.sees(round.call)


def _see_what_is_lit(round: Round, room: Room) -> None:
    """Check that winning boxes are lit and named on layout and wall, and losing ones are not."""
    winning = room.watcher.page.get_by_role("list", name="Winning boxes")
    for bet in (*round.first, *round.second):
        name = re.compile(", wins$" if bet.back else "(?<!, wins)$")
        for player in room.players:
            expect(player.area(bet.box)).to_have_accessible_name(name)
        called = re.compile(f"^◆ {re.escape(room.player.venue.name_of(bet.box))}$")
        lit = winning.get_by_role("listitem").filter(has_text=called)
        expect(lit).to_have_count(1 if bet.back else 0)


def _see_what_came_back(bets: tuple[Bet, ...], venue: RunningVenue, player: Player) -> None:
    """Check that balance, ledger and recall agree with the amounts computed by hand."""
    stake, back = sum(bet.stake for bet in bets), sum(bet.back for bet in bets)
    player.sees_balance(CREDITS - stake + back)
    assert venue.credits(player.key) == CREDITS - stake + back
    (recalled,) = venue.recall(player.key)
    lines = {(line["box"], line["stake"], line["back"]) for line in recalled["lines"]}
    assert lines == {(bet.box, bet.stake, bet.back) for bet in bets}
    if back > stake:
        player.hears(f"You won {money(back - stake)}")


def test_a_round_that_deals_itself(window: Opener, venue: RunningVenue) -> None:
    """A simulated tumbler and the automatic dealer: seconds to bet, then any dice."""
    player: Player = window(Player, reduced_motion=MOVING)
    player.sit("wheel")
    seconds = player.status.get_by_role("timer")
    expect(seconds).to_have_accessible_name(re.compile(r"^[45] seconds to bet$"))
    player.bets({"small": 500, "big": 500})
    player.hears(re.compile(r"You won|Your stakes came back|No win this round"))
    (recalled,) = venue.recall(player.key)
    # Small or Big pays even money, a triple takes both [ts6 3.10].
    back = sum(line["back"] for line in recalled["lines"])
    assert back == (0 if len(set(recalled["faces"])) == 1 else 1_000)
    player.sees_balance(CREDITS - 1_000 + back)
    assert venue.credits(player.key) == CREDITS - 1_000 + back
