"""The steps of the console in every situation of a table: found by the rules, not guessed."""

from typing import get_args

import pytest

import taisai
from taisai.core.kernel.decider import decide
from taisai.core.kernel.messages import Actor, Command, Equipment, Order, Role
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.reason import Refusal, because
from taisai.core.table.chips.by_hand import EnterRoundByHand
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop, OpenDay, ReceiveFill
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.opening import (
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
)
from taisai.core.table.round import AmendResult, CloseBets, EnterResult, PressFace
from taisai.core.table.setup import (
    CloseTable,
    DeclareSafeProcedure,
    GiveNotice,
    Rectify,
    RegisterDice,
)
from taisai.core.table.tumble import RecordTumble
from taisai.protocol.client_messages import WireCommand
from taisai.protocol.console import Step
from taisai.protocol.server_messages import Steps
from taisai.runtime.opening import acts_wanted
from taisai.server.console.steps import steps_for
from taisai.wording import LANGUAGES, words
from tests.kit.chip_tables import (
    FLOAT,
    HUNDRED,
    bets,
    chips_confirmed,
    chips_paying,
    closed_chip_table,
    open_chip_table,
)
from tests.kit.tables import ADDRESSES, Table, open_table, picture
from tests.table.situations import (
    CASES,
    READER,
    SIMULATED,
    TWO_SOURCES,
    VERIFIABLE,
    in_situation,
    pending_amendment,
    played,
)

ROLES: tuple[Role, ...] = ("dealer", "supervisor", "shift-manager", "technician", "auditor")
WIRE: dict[str, type[Command]] = {each.__name__: each for each in get_args(WireCommand)}
#: What a person might enter, for commands with fields.
FILLED: dict[str, WireCommand] = {
    "PressFace": PressFace(6),
    "DeclareOutcome": DeclareOutcome(None),
    "Rectify": Rectify("mended"),
    "DeclareSafeProcedure": DeclareSafeProcedure("by hand"),
    "RegisterDice": RegisterDice("D9", "S9"),
    "RegisterEquipment": RegisterEquipment("bell", "B9"),
    "SwitchOn": SwitchOn("mains"),
    "RunTest": RunTest((2, 2, 6)),
    "VerifyTest": VerifyTest(right=True),
    "TryTumbler": TryTumbler(3),
    "ReadSeal": ReadSeal("S1"),
    "OpenDay": OpenDay("2026-11-18", ()),
    "CountDrop": CountDrop(100, 0),
    "CloseDay": CloseDay(()),
    "EnterRoundByHand": EnterRoundByHand((1, 1, 1), ()),
}
#: Sentences of the console itself: the rules would record an early tumble as having happened.
OWN_WORDS = (
    *("not now: a tumble", "press three faces first", "the dice have been tumbled"),
    "the round is in doubt",
)


def told(table: Table, role: Role = "dealer", *, automatic: bool = False) -> Steps:
    return steps_for(table.state, role, "en", table.at, automatic=automatic)


def next_of(steps: Steps) -> str | None:
    found = [each.command for each in steps.steps if each.standing == "next"]
    assert len(found) <= 1, "one step at the most comes next"
    return found[0] if found else None


def step(steps: Steps, command: str) -> Step:
    return next(each for each in steps.steps if each.command == command)


def written(table: Table, found: Step) -> WireCommand:
    """Make the command of a step as a person would send it."""
    if found.give is not None:
        assert not found.fields
        return found.give
    assert found.fields
    if found.command == "EnterRoundByHand" and table.state.faces is not None:
        return EnterRoundByHand(table.state.faces, ())
    if found.command == "AmendResult":
        return AmendResult((6, 6, 6) if table.state.faces == (1, 1, 1) else (1, 1, 1))
    if (
        found.command == "DeclareOutcome"
        and table.state.rulebook is not None
        and table.state.rulebook.key == "div9"
    ):
        # In a document by which the dice prevail, faces must be named.
        facts = [each.removeprefix("testified-") for each in found.fields[1:]]
        return DeclareOutcome((1, 1, 1), tuple(facts))  # type: ignore[arg-type]
    return FILLED[found.command]


@pytest.mark.parametrize(("address", "name"), CASES)
def test_a_step_stands_as_the_rules_would_answer_it(address: str, name: str) -> None:
    table = in_situation(address, name)
    before = picture(table.state)
    for role in ROLES:
        steps = told(table, role)
        assert picture(table.state) == before, "nothing is changed by asking"
        assert next_of(steps) in (None, steps.due)
        for found in steps.steps:
            order = Order("1-1", Actor("dan", role), written(table, found))
            answer = decide(table.state, order, table.at)
            if found.sentence is not None and found.sentence.startswith(OWN_WORDS):
                assert found.standing == "refused"
                continue
            assert isinstance(answer, Refusal) == (found.standing == "refused"), (role, found)
            if isinstance(answer, Refusal):
                assert (found.sentence, found.clause) == (taisai.say(answer.reason), answer.clause)
            else:
                assert found.sentence is None
                waits = type(answer[-1]).__name__ == "ApprovalRequested"
                assert found.second == waits


@pytest.mark.parametrize(("address", "name"), CASES)
def test_the_automatic_dealer_and_devices_leave_a_person_nothing_to_do(
    address: str, name: str
) -> None:
    steps = told(in_situation(address, name), automatic=True)
    following = next_of(steps)
    if following is not None:
        assert step(steps, following).by in ("dealer", "pit")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_step_has_a_name(address: str, language: str) -> None:
    table = played(address)
    steps = steps_for(table.state, "dealer", language, table.at, automatic=False)
    assert all(each.label == words(language)["steps"][each.command] for each in steps.steps)
    # Division 9 alone has equipment to be registered, and a void spin to be announced.
    many = 21 if address.startswith("div9") else 19
    assert len({each.label for each in steps.steps}) == len(steps.steps) == many


#: The dealer's steps in a round until the entry, in each document's order.
BEFORE_ENTRY = {
    "ts6": ("OpenBets", "CloseBets", "RecordTumble"),
    "tso5": ("OpenBets", "CloseBets", "RecordTumble"),
    "etg8": ("OpenBets", "CloseBets", "RecordTumble"),
    "div9": ("RecordTumble", "OpenBets", "CloseBets"),
}
ENTRY = ("PressFace", "PressFace", "PressFace", "EnterResult", "ConfirmResult", "Settle")


@pytest.mark.parametrize("address", ADDRESSES)
def test_taking_the_next_step_each_time_plays_rounds_as_the_document_orders_them(
    address: str,
) -> None:
    table = open_table(address)
    taken: list[str] = []
    pressed: list[tuple[int, ...]] = []
    key = address.partition("/")[0]
    while len(taken) < 2 * (len(BEFORE_ENTRY[key]) + len(ENTRY)):
        steps = told(table)
        following = next_of(steps)
        assert following is not None
        taken.append(following)
        pressed.append(steps.pressed)
        table.does("dealer", written(table, step(steps, following)))
    assert tuple(taken) == 2 * (BEFORE_ENTRY[key] + ENTRY)
    assert table.state.round == 2
    assert pressed[3:8] == [(), (6,), (6, 6), (6, 6, 6), (6, 6, 6)]
    assert told(table).pressed == (), "the light goes out with the round"


class Obedient:
    """A person who always takes the next step, and nothing else."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._dates = iter(("2026-11-16", "2026-11-17"))

    def goes_on(self, role: Role, times: int) -> list[str]:
        """Take this many steps, with a second person where one is needed; give their names."""
        return [self._takes(role) for _ in range(times)]

    def _takes(self, role: Role) -> str:
        steps = told(self.table, role)
        following = next_of(steps)
        assert following is not None
        does = self.table.agrees if step(steps, following).second else self.table.does
        does(role, self._filled(step(steps, following)))
        return following

    def _filled(self, found: Step) -> WireCommand:
        match found.command:
            case "OpenDay":
                return OpenDay(next(self._dates), ())
            case "RegisterEquipment":
                wanted, *_ = acts_wanted(self.table.state)
                assert isinstance(wanted, RegisterEquipment)
                return wanted
            case _:
                return written(self.table, found)


def test_taking_the_next_step_each_time_takes_a_chip_table_from_count_to_count() -> None:
    """The pit opens and closes the day; the dealer pays before the next bets."""
    table = closed_chip_table("div9/1")
    table.does("supervisor", RegisterDice("D1", "S1"))
    obedient = Obedient(table)
    acts = ["SwitchOn", "RunTest", "VerifyTest", "TryTumbler", "ReadSeal"]
    opening = [*["RegisterEquipment"] * 5, *acts, "OpenDay", "OpenTable"]
    assert obedient.goes_on("supervisor", len(opening)) == opening
    table.does("dealer", TakeSeat("1"))
    table.agrees("supervisor", ReceiveFill("cage-T1-1", FLOAT))
    table.does("dealer", BuyChips("1", HUNDRED, 10_000))
    assert obedient.goes_on("dealer", 2) == ["RecordTumble", "OpenBets"]
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    played = ["CloseBets", "LiftCover", *ENTRY[:-1], "CollectLosers", "Settle"]
    assert obedient.goes_on("dealer", len(played)) == played
    assert next_of(told(table)) == "RecordTumble", "the next round"
    table.does("dealer", GiveNotice())
    table.does("dealer", LeaveSeat("1"))
    assert obedient.goes_on("supervisor", 3) == ["CloseTable", "CountDrop", "CloseDay"]
    again = [*acts, "OpenDay", "OpenTable"]
    assert obedient.goes_on("supervisor", len(again)) == again, "another day"


def test_a_box_that_was_counted_is_not_what_comes_next() -> None:
    """A player still sits there: the day does not close, and the box is not counted again."""
    table = open_chip_table()
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    assert told(table, "supervisor").due == "CountDrop"
    table.agrees("supervisor", CountDrop(60_000, 0))
    steps = told(table, "supervisor")
    assert (steps.due, next_of(steps)) == (None, None)
    assert step(steps, "CountDrop").standing == "refused"
    assert step(steps, "CloseDay").sentence == taisai.say(because("SEAT_TAKEN", seat="1"))


def test_whether_a_day_can_be_opened_is_asked_with_a_date_of_that_time() -> None:
    table = closed_chip_table()
    assert step(told(table, "supervisor"), "OpenDay").standing == "open"
    table.agrees("supervisor", OpenDay("2026-11-18", ()))
    table.agrees("supervisor", CloseDay(()))
    assert step(told(table, "supervisor"), "OpenDay").standing == "refused"
    table.at += 86_400_000
    assert step(told(table, "supervisor"), "OpenDay").standing == "open"


def test_nothing_comes_before_the_winners_are_paid() -> None:
    steps = told(chips_paying("div9/2"))
    assert (steps.due, next_of(steps)) == ("Settle", "Settle")
    pay = step(steps, "Settle")
    assert (pay.label, pay.clause) == ("Winning bets paid: say so", "6.5")
    assert step(steps, "CollectLosers").standing == "refused", "nothing is left to collect"
    assert (step(steps, "OpenBets").standing, step(steps, "OpenBets").clause) == ("refused", "4.4")
    confirmed = told(chips_confirmed("div9/2").ruled())
    collect = step(confirmed, "CollectLosers")
    assert (collect.label, collect.clause) == ("Losing bets collected: say so", "6.5")
    assert (collect.standing, step(confirmed, "Settle").standing) == ("next", "refused")


def test_a_refused_step_cites_its_clause() -> None:
    ready = told(open_table("div9/1"))
    call = step(ready, "OpenBets")
    assert (call.standing, call.clause) == ("refused", "6.1"), "tumbled before the bets"
    open_cover = told(open_table("tso5/2").betting())
    tumble = step(open_cover, "RecordTumble")
    assert (tumble.standing, tumble.clause) == ("refused", "5.5.3"), "never before the close"
    covered = told(open_table("ts6/2").betting())
    assert step(covered, "RecordTumble").standing == "open", "under the cover it may come early"
    assert step(told(open_table("div9/1").betting()), "OpenBets").clause == "4.4"


def test_a_step_says_what_the_dealer_says() -> None:
    table = open_table("div9/1")
    assert step(told(table), "RecordTumble").times == 3
    assert step(told(table), "OpenBets").words == "Place your bets"
    table.betting()
    close = step(told(table), "CloseBets")
    assert (close.words, close.give) == ("No more bets", CloseBets(bell=True))
    table.closed().tumbled().entered(1, 3, 6)
    assert step(told(table), "ConfirmResult").words == "1, 3, 6, total 10"
    assert step(told(open_table("etg8/1")), "OpenBets").words is None, "the terminals show it"


@pytest.mark.parametrize("equipment", [SIMULATED, VERIFIABLE, READER])
def test_what_a_device_does_is_nobodys_step(equipment: Equipment) -> None:
    table = open_table("etg8/2", equipment=equipment).betting().closed()
    steps = told(table)
    assert (steps.due, step(steps, "RecordTumble").by) == ("RecordTumble", "device")
    assert next_of(steps) is None
    table.does("device", RecordTumble(3))
    steps = told(table)
    assert (steps.due, step(steps, "EnterResult").by) == ("EnterResult", "device")
    assert next_of(steps) is None
    assert step(steps, "EnterResult").standing == "refused"
    table.does("device", EnterResult((1, 2, 3)))
    assert next_of(told(table)) == "ConfirmResult"
    automatic = told(table, automatic=True)
    assert (automatic.due, next_of(automatic)) == ("ConfirmResult", None)
    assert step(automatic, "ConfirmResult").by == "automatic-dealer"


def test_where_two_read_the_dice_the_dealer_presses_too() -> None:
    table = open_table("ts6/2", equipment=TWO_SOURCES).betting().closed().tumbled()
    assert next_of(told(table)) == "PressFace"
    table.does("dealer", EnterResult((1, 2, 3)))
    assert told(table).due is None, "the device is still to read"
    table.does("device", EnterResult((1, 2, 4)))
    assert next_of(told(table, "supervisor")) == "DeclareOutcome"
    assert (told(table).due, next_of(told(table))) == ("DeclareOutcome", None)


def test_an_amendment_holds_the_round_for_a_minute() -> None:
    table = pending_amendment("div9/1")
    steps = told(table)
    assert (steps.due, step(steps, "ConfirmResult").clause) == (None, "7.2")
    table.at += 60_001
    assert next_of(told(table)) == "ConfirmResult"


def test_a_closed_table_is_opened_and_a_noticed_one_closed() -> None:
    table = in_situation("div9/1", "closed")
    assert next_of(told(table, "supervisor")) == "SwitchOn"
    table.prepared()
    assert next_of(told(table, "supervisor")) == "OpenTable"
    assert next_of(told(table, "dealer")) is None
    noticed = in_situation("ts6/2", "noticed")
    assert next_of(told(noticed, "supervisor")) == "CloseTable"
    assert step(told(noticed, "dealer"), "OpenBets").standing == "open"
    stopped = in_situation("div9/1", "stopped")
    assert next_of(told(stopped, "technician")) == "Rectify"


def test_every_step_is_a_command_that_goes_over_the_socket() -> None:
    steps = told(played("ts6/2"))
    assert {each.command for each in steps.steps} <= set(WIRE)
    for found in steps.steps:
        dealers = "dealer" in COMMANDS[WIRE[found.command]].by
        assert (found.by == "dealer") == dealers
