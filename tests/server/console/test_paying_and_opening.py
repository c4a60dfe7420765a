"""The payout guide, the gauges and the opening: what they show is what the rules then do."""

import pytest

from taisai.core.kernel.messages import BoxStake, LimitsAsked, Role
from taisai.core.rules.reason import Refusal
from taisai.core.table.betting import PlaceBets, WithdrawBets
from taisai.core.table.opening import RegisterEquipment
from taisai.core.table.round import BetsClosed, CloseBets, ConfirmResult, RoundSettled, Settle
from taisai.core.table.setup import OpenTable, RegisterDice
from taisai.runtime.opening import acts_wanted
from taisai.server.console.guide import TERMINALS_SHOWN, Gauges, PayoutGuide, gauges_for, guide_for
from taisai.server.console.steps import Opening, opening_for
from taisai.wording import LANGUAGES, words
from tests.kit.tables import ADDRESSES, Table, open_table, picture
from tests.table.situations import CASES, in_situation, played, without_limits


def guide(table: Table) -> PayoutGuide:
    before = picture(table.state)
    found = guide_for(table.state, "en", table.at)
    assert picture(table.state) == before, "nothing is changed by asking"
    assert isinstance(found, PayoutGuide), found
    return found


def gauges(table: Table) -> Gauges:
    before = picture(table.state)
    found = gauges_for(table.state, "en", table.at)
    assert picture(table.state) == before, "nothing is changed by asking"
    assert isinstance(found, Gauges), found
    return found


# --- what to collect and pay ---------------------------------------------------------------------

BETS = {"small": 5_000, "single-2": 2_000, "any-triple": 1_000, "total-9": 1_000}


@pytest.mark.parametrize("faces", [(2, 2, 5), (6, 6, 6), (2, 2, 2), (1, 3, 6)])
@pytest.mark.parametrize("address", ADDRESSES)
def test_the_guide_is_what_settling_then_does(address: str, faces: tuple[int, int, int]) -> None:
    table = open_table(address).betting(t7=BETS, t8={"small": 1_000, "big": 3_000})
    table.closed().tumbled().entered(*faces)
    entered = guide(table)
    table.does("dealer", ConfirmResult())
    assert guide(table) == entered, "confirming changes nothing of what is paid"
    settled = table.does("dealer", Settle())[0]
    assert isinstance(settled, RoundSettled)
    assert (entered.collected, entered.paid) == (settled.collected, settled.paid)
    assert entered.back == sum(line.back for line in settled.lines)
    for box in entered.collect:
        assert box.stake == sum(each.stake for each in settled.lines if each.box == box.box)
        assert settled.odds[box.box] is None
    for paid in entered.pay:
        lines = [each for each in settled.lines if each.box == paid.box]
        assert paid.odds == settled.odds[paid.box]
        assert (paid.won, paid.back) == (
            sum(each.won for each in lines),
            sum(each.back for each in lines),
        )
        assert [each.terminal for each in paid.terminals] == [each.position for each in lines]
    done = guide(table)
    assert done.settled
    assert (done.collect, done.pay, done.round) == (entered.collect, entered.pay, 1)


def test_the_guide_goes_over_the_chip_table_from_the_top_and_counts_what_it_leaves_out() -> None:
    table = open_table("ts6/2")
    for number in range(100, 130):
        table.enrols(str(number))
    table.betting(t7={"small": 5_000, "three-661": 1_000, "total-4": 1_000, "big": 1_000})
    for number in range(100, 130):
        table.places(str(number), {"small": 1_000})
    table.confirmed(6, 6, 6)
    found = guide(table)
    assert [each.box for each in found.collect] == ["big", "small", "total-4", "three-661"]
    assert found.clause == "3.9"
    table.does("dealer", Settle())
    table.betting(**{f"t{number}": {"small": 1_000} for number in range(100, 130)})
    table.confirmed(1, 2, 3)
    (small,) = guide(table).pay
    assert (len(small.terminals), small.more, small.bets) == (TERMINALS_SHOWN, 10, 30)


@pytest.mark.parametrize(("address", "name"), CASES)
def test_a_guide_or_the_reason_why_there_is_none(address: str, name: str) -> None:
    table = in_situation(address, name)
    before = picture(table.state)
    found = guide_for(table.state, "en", table.at)
    assert picture(table.state) == before
    settled = [each for each in table.state.history.values() if not each.void]
    if isinstance(found, Refusal):
        expected = (
            ("AMENDMENT_WAITS", "ROUND_IN_DOUBT", "TESTIMONY_FIRST")
            if table.state.faces
            else ("NO_GUIDE",)
        )
        assert found.code in expected
    else:
        assert found.settled == (table.state.faces is None)
        assert settled or table.state.faces


# --- limits and Differential ---------------------------------------------------------------------


def apart() -> Table:
    """Give a table with Big ahead of Small by more than the Differential: Small was withdrawn."""
    limits = LimitsAsked(1_000, 60_000, 100, 20_000)
    table = open_table("ts6/2", limits).betting(t7={"small": 20_000}, t8={"big": 35_000})
    table.places("7", {"big": 5_000, "small": 10_000})
    table.places("8", {"big": 5_000})
    table.does("terminal", WithdrawBets("7", (BoxStake("small", 29_000),)), "7")
    return table


def test_the_gauges_tell_what_goes_back_at_the_close() -> None:
    table = apart()
    found = gauges(table)
    assert (found.scope, found.rejects) == ("box", "CloseBets")
    pair = next(each for each in found.pairs if {side.box for side in each.sides} >= {"big"})
    assert {side.box: side.staked for side in pair.sides} == {"big": 45_000, "small": 1_000}
    assert (pair.apart, pair.limit, pair.ahead, pair.over) == (44_000, 20_000, "big", 24_000)
    (closed,) = table.does("dealer", CloseBets())
    assert isinstance(closed, BetsClosed)
    assert pair.rejected == sum(amount for _, _, amount in closed.rejected)
    assert (pair.bets, pair.clause) == (len(closed.rejected), "5.1")
    after = gauges(table)
    assert all(each.rejected == 0 == each.over for each in after.pairs)


def test_the_room_of_a_box_is_what_the_rules_still_take() -> None:
    limits = LimitsAsked(1_000, 60_000, 100, 20_000)
    table = open_table("ts6/2", limits).betting(t7={"small": 30_000, "big": 20_000, "odd": 15_000})
    for gauge in gauges(table).boxes:
        assert gauge.room is not None
        if gauge.room:
            assert not isinstance(place(table, gauge.box, gauge.room), Refusal), gauge
        over = place(table, gauge.box, gauge.room + 1_000)
        assert isinstance(over, Refusal)
        codes = {"maximum": "ABOVE_MAXIMUM", "differential": "ABOVE_DIFFERENTIAL"}
        assert over.code == codes[str(gauge.by)]


def place(table: Table, box: str, amount: int) -> object:
    return table.ask("terminal", PlaceBets("8", (BoxStake(box, amount),)), "8")


def test_where_a_maximum_is_each_players_a_box_has_no_room_of_its_own() -> None:
    found = gauges(open_table("etg8/2").betting(t7={"small": 3_000}))
    (small,) = found.boxes
    assert (found.scope, found.rejects, found.pairs) == ("player", None, [])
    assert (small.staked, small.room, small.by) == (3_000, None, None)
    assert small.sentence == "the maximum counts each player alone"


@pytest.mark.parametrize(("address", "name"), CASES)
def test_gauges_in_every_situation(address: str, name: str) -> None:
    table = in_situation(address, name)
    found = gauges_for(table.state, "en", table.at)
    if isinstance(found, Refusal):
        assert found.code in ("NO_RULEBOOK", "NO_LIMITS")
        assert table.state.limits is None
    else:
        lying = {box: stake for box, stake in table.state.box_totals.items() if stake}
        assert {each.box: each.staked for each in found.boxes} == lying


# --- what a table needs to open ------------------------------------------------------------------


def opening(table: Table, language: str = "en", role: Role = "pit-manager") -> Opening:
    before = picture(table.state)
    found = opening_for(table.state, role, language, table.at)
    assert picture(table.state) == before, "nothing is changed by asking"
    return found


def lacking(table: Table) -> list[str]:
    return [each.code for each in opening(table).wanted if not each.done]


#: At a table with terminals no chips are shown or changed.
EQUIPMENT = ["tumbler", "bell"]
CHECKS = ["equipment-on", "test-runs-light", "tumbler-works", "dice-sealed"]


def test_a_table_is_opened_by_what_it_wants_one_after_another() -> None:
    table = Table("div9/2").created()
    assert lacking(table) == ["rulebook", "limits", "dice", "open"]
    standing = {each.code: each.step.standing for each in opening(table).wanted}
    assert standing == {"rulebook": "next", "limits": "refused", "dice": "open", "open": "refused"}
    assert opening(table).wanted[0].step.second, "a rulebook takes two persons"
    table = without_limits("div9/2")
    assert lacking(table) == ["limits", "dice", *EQUIPMENT, *CHECKS, "open"]
    assert next_of(table) == "limits"
    table = Table("div9/2").created().adopted()
    assert lacking(table) == ["dice", *EQUIPMENT, *CHECKS, "open"]
    table.does("supervisor", RegisterDice("D7", "S7"))
    assert (next_of(table, "supervisor"), opening(table).wanted[2].value) == ("tumbler", "D7")
    for equipment in EQUIPMENT:
        table.does("supervisor", RegisterEquipment(equipment, f"{equipment} 4"))
    assert [each.value for each in opening(table).wanted[3:5]] == ["tumbler 4", "bell 4"]
    # Division 9 names a supervisor for the checks, and no pit manager.
    assert opening(table).wanted[5].step.standing == "refused"
    for act in acts_wanted(table.state):
        step = next(each.step for each in opening(table, role="supervisor").wanted if not each.done)
        assert (step.command, step.standing, step.give) == (type(act).__name__, "next", None)
        table.does("supervisor", act)
    assert opening(table).ready
    assert next_of(table) == "open"
    table.does("supervisor", OpenTable())
    assert opening(table).open
    assert lacking(table) == []


def next_of(table: Table, role: Role = "pit-manager") -> str:
    wanted = opening(table, role=role).wanted
    (code,) = (each.code for each in wanted if each.step.standing == "next")
    return code


def test_an_open_table_wants_nothing_and_a_stopped_one_order() -> None:
    assert lacking(played("div9/2")) == []
    stopped = in_situation("div9/2", "stopped")
    assert lacking(stopped) == ["in-order"]
    assert next_of(stopped) == "in-order"


@pytest.mark.parametrize(("address", "name"), CASES)
def test_a_table_that_is_ready_opens(address: str, name: str) -> None:
    table = in_situation(address, name)
    found = opening(table)
    assert found.ready == (not isinstance(table.ask("pit-manager", OpenTable()), Refusal))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_wanted_has_a_name(language: str) -> None:
    table = Table("div9/2").created().adopted()
    names = {each.code: each.name for each in opening(table, language).wanted}
    assert names.items() <= words(language)["opening"].items()
    assert len(set(names.values())) == len(names)
