"""The preview of a command that moves money: it shows the accounts, and changes nothing."""

import pytest

from taisai.core.kernel.messages import Posting, Role
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.by_hand import EnterRoundByHand, SeatPaid, SeatStack
from taisai.core.table.chips.colours import AssignColour, BuyColour
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.rulings import RuleOnBet
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome, Fact
from taisai.server.console.preview import Asked, CommandPreview, Previewed, preview_of
from tests.kit.chip_tables import CHIPS_INTERRUPTED, HUNDRED, bets, open_chip_table
from tests.kit.tables import Table, open_table, picture


def shown(table: Table, command: Previewed, role: Role = "supervisor") -> CommandPreview | Refusal:
    before = picture(table.state)
    found = preview_of(table.state, Asked(role, command, "en", table.at))
    assert picture(table.state) == before, "nothing is changed by showing"
    return found


#: Before, after and the change; the table's own money is counted blind.
Figures = tuple[int | None, int | None, int]


def accounts(preview: CommandPreview | Refusal) -> dict[tuple[str, str | None], Figures]:
    assert isinstance(preview, CommandPreview), preview
    return {
        (each.account, each.of): (each.before, each.after, each.change) for each in preview.accounts
    }


def test_a_ruling_on_a_bet_shows_what_goes_back_and_who_is_to_agree() -> None:
    table = open_chip_table("div9/2").betting()
    table.does("dealer", RecordBets("1", bets(small=(Pieces(500, 1),))))
    table.closed()
    returned = shown(table, RuleOnBet("1", "small", "returned", "–"), "shift-manager")
    assert accounts(returned) == {
        ("credits", "1"): (39_500, 40_000, 500),
        ("stakes", "1"): (500, 0, -500),
    }
    assert isinstance(returned, CommandPreview)
    assert returned.seconds == ("pit-manager", "shift-manager", "supervisor")
    (told,) = returned.will
    assert told.sentence == "5.00 of seat 1 on Small is returned at once"
    stands = shown(table, RuleOnBet("1", "small", "stands", "–"), "shift-manager")
    assert isinstance(stands, CommandPreview)
    assert (stands.accounts, stands.seconds) == ((), ())
    refused = shown(table, RuleOnBet("1", "big", "stands", "–"), "shift-manager")
    assert isinstance(refused, Refusal)


def test_leaving_shows_what_is_converted_and_taken_or_what_is_walked_away_from() -> None:
    table = open_chip_table("div9/2").betting()
    table.does("dealer", TakeSeat("6"))
    table.does("dealer", AssignColour("6", "blue", 500))
    table.does("dealer", BuyColour("6", 7, 3_500))
    leaves = shown(table, LeaveSeat("6", converts=True), "dealer")
    assert isinstance(leaves, CommandPreview)
    assert len(leaves.will) == 2
    assert accounts(leaves)["credits", "6"] == (3_500, 0, -3_500)
    kept = shown(table, LeaveSeat("6"), "dealer")
    assert isinstance(kept, Refusal)
    table.does("dealer", RecordBets("1", bets(small=(Pieces(500, 1),))))
    walks = shown(table, LeaveSeat("1", converts=True), "dealer")
    assert accounts(walks)["credits", "1"] == (39_500, 0, -39_500)


def test_a_round_dealt_by_hand_shows_its_settlement_and_who_was_paid_otherwise() -> None:
    table = CHIPS_INTERRUPTED["ready"]("ts6/2")
    # Seat 1 has 400.00 recorded, bets 500.00 on Small, wins as much and was paid 400.00.
    stacks = (SeatStack("1", "small", (Pieces(10_000, 5),)),)
    entered = EnterRoundByHand((1, 2, 6), (SeatPaid("1", 40_000),), stacks, "dark")
    preview = shown(table, entered)
    assert accounts(preview) == {
        ("floor", None): (
            table.balance("floor:chips"),
            table.balance("floor:chips") - 10_000,
            -10_000,
        ),
        ("house", None): (None, None, -50_000),
        ("credits", "1"): (40_000, 100_000, 60_000),
    }
    assert isinstance(preview, CommandPreview)
    assert [each.sentence for each in preview.will] == [
        "round 1 was dealt by hand while the system was away, and is entered",
        "the outcome is declared: 1 2 6",
        "round 1 is settled on 1 2 6: 0.00 collected, 500.00 paid",
        "seat 1 was paid 400.00 by hand, and the dice give 500.00",
    ]
    assert (preview.more_will, preview.seconds) == (
        0,
        ("dealer", "pit-manager", "shift-manager", "supervisor"),
    )


@pytest.mark.parametrize("faces", [(1, 2, 6), None])
def test_an_outcome_that_is_declared_shows_what_comes_of_it(
    faces: tuple[int, ...] | None,
) -> None:
    table = CHIPS_INTERRUPTED["betting"]("ts6/2")
    facts: tuple[Fact, ...] = ("closed", "tumbled") if faces else ()
    preview = shown(table, DeclareOutcome(faces, facts))
    assert isinstance(preview, CommandPreview)
    assert preview.voids is (faces is None)


def test_what_cannot_be_entered_says_why() -> None:
    table = open_chip_table()
    refused = shown(table, EnterRoundByHand((1, 2, 6), (), (SeatStack("1", "small", HUNDRED),)))
    assert isinstance(refused, Refusal)
    assert refused.code == "NOTHING_TO_DECLARE"


def test_5_10_a_ruling_that_moves_money_shows_every_account_before_and_after() -> None:
    """7 has 960.00 and 40.00 on the table, which a void gives back; the house gives 25.00."""
    table = open_table("etg8/2").betting(t7={"small": 4_000})
    moved = (Posting("house:bank", "terminal:7", 2_500),)
    rule = Rule("a jammed button", moved, voids_round=True)
    ruled = shown(table, rule, "shift-manager")
    assert accounts(ruled) == {
        ("house", None): (0, -2_500, -2_500),
        ("credits", "7"): (96_000, 102_500, 6_500),
        ("stakes", "7"): (4_000, 0, -4_000),
    }
    assert isinstance(ruled, CommandPreview)
    assert (ruled.voids, ruled.seconds) == (True, ("pit-manager", "shift-manager", "supervisor"))
    assert {each.clause for each in ruled.will} >= {"5.10"}
    overdrawn = Rule("x", (Posting("terminal:7", "house:bank", 96_100),))
    refused = shown(table, overdrawn, "shift-manager")
    assert isinstance(refused, Refusal)
    assert refused.code == "OVERDRAWN"
    assert isinstance(shown(table, rule, "dealer"), Refusal)


def test_5_4_a_reversal_shows_who_gets_what_and_what_the_house_loses() -> None:
    """7 won 10.00 and spent all but 5.00 of it elsewhere; 8 lost 20.00 and is given them back."""
    table = open_table("etg8/2").betting(t7={"small": 1_000}, t8={"big": 2_000})
    table.settled(1, 2, 3)
    table.agrees("shift-manager", Rule("x", (Posting("terminal:7", "house:bank", 100_500),)))
    preview = shown(table, VoidSettledRounds(1, "a chipped die"))
    assert isinstance(preview, CommandPreview)
    assert {(each.of, each.given, each.taken, each.shortfall) for each in preview.netted} == {
        ("7", 0, 500, 500),
        ("8", 2_000, 0, 0),
    }
    assert preview.shortfall == 500
    assert accounts(preview)["credits", "7"] == (500, 0, -500)
    assert accounts(preview)["credits", "8"] == (98_000, 100_000, 2_000)


def test_5_5_a_correction_shows_what_each_player_gets_and_gives_back() -> None:
    table = open_table("etg8/2").betting(t7={"small": 1_000}, t8={"big": 2_000})
    table.settled(1, 2, 3)
    preview = shown(table, CorrectSettledRound(1, (4, 5, 6), "misread"))
    assert isinstance(preview, CommandPreview)
    # 7 gives back 20.00 that came back for Small; 8 is given 40.00 for Big.
    assert {(each.of, each.given, each.taken) for each in preview.netted} == {
        ("7", 0, 2_000),
        ("8", 4_000, 0),
    }
    assert (preview.shortfall, preview.voids) == (0, False)
