"""What a ruling on a bet, or a round dealt by hand, would do: shown, and nothing is done."""

import pytest

from taisai.core.kernel.messages import Role
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.by_hand import EnterRoundByHand, SeatPaid, SeatStack
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.rulings import RuleOnBet
from taisai.core.table.interruption import DeclareOutcome, Fact
from taisai.server.console.preview import Asked, CommandPreview, Previewed, preview_of
from tests.kit.chip_tables import CHIPS_INTERRUPTED, HUNDRED, bets, open_chip_table
from tests.kit.tables import Table, picture


def shown(table: Table, command: Previewed, role: Role = "supervisor") -> CommandPreview | Refusal:
    before = picture(table.state)
    found = preview_of(table.state, Asked(role, command, "en", table.at))
    assert picture(table.state) == before, "nothing is changed by showing"
    return found


#: Before, after and the change between; what the table itself has is counted blind.
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


def test_a_round_dealt_by_hand_shows_its_settlement_and_who_was_paid_otherwise() -> None:
    table = CHIPS_INTERRUPTED["ready"]("ts6/2")
    # Seat 1 has 400.00 known in front, bets 500.00 on Small, wins as much and was paid 400.00.
    stacks = (SeatStack("1", "small", (Pieces(10_000, 5),)),)
    entered = EnterRoundByHand((1, 2, 6), (SeatPaid("1", 40_000),), stacks, "dark")
    preview = shown(table, entered)
    assert accounts(preview) == {
        ("floor", None): (None, None, -10_000),
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
