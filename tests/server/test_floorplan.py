"""The floor of a venue from a file: read, refused in one sentence, and set up."""

import re
from pathlib import Path

import msgspec
import pytest

from taisai.core.kernel.messages import Equipment, LimitsAsked
from taisai.core.table.chips.pieces import ChipSet
from taisai.core.table.setup import AdoptRulebook
from taisai.core.table.state import Departure, Phase
from taisai.runtime.installation import add_table
from taisai.runtime.runtime import Runtime
from taisai.server.floor import add_missing, found, plans_of
from taisai.server.floor_plan import (
    COUNTDOWN_MIN_SECONDS,
    FloorPlan,
    FloorPlanError,
    Pace,
    TablePlan,
    VenuePlan,
    floor_plan_from,
    read_floor_plan,
)
from tests.kit.floor import Floor, keys, run
from tests.kit.people import PIT, SUPERVISOR

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"
TABLE = """
[[tables]]
name = "T1"
pay_table = "ts6/2"
minimum = 100
maximum = 10_000
differential = 5_000
"""


def documented() -> str:
    """Give the whole file from the page about serving."""
    example = re.search(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    return example[1]


def test_the_file_of_the_page_is_read_as_the_page_tells_it() -> None:
    plan = floor_plan_from(documented().encode(), "floor.toml")
    assert plan.venue == VenuePlan(
        name="The Golden Bell",
        operator="Resorts World at Sentosa",
        currency="SGD",
        voucher_days=30,
        approve_above=1_000_000,
        day_starts=6,
        time_zone="Asia/Singapore",
    )
    first, second, third, fourth = plan.tables
    assert first.limits == LimitsAsked(
        500, 5_000_000, 100, 2_000_000, {"small": (1_000, None), "triple": (None, 200_000)}
    )
    assert (first.equipment, first.dealer, first.handpay_threshold) == (
        Equipment(),
        "person",
        5_000_000,
    )
    departure = Departure("ts6", "form", "the Authority", "letter of 3 March 2026")
    assert first.written == (departure,)
    assert pace_of(second) == Pace(25.0, 5.0, 5.0)
    assert (second.equipment, second.dealer) == (Equipment("verifiable"), "automatic")
    assert third.equipment == Equipment("reader", read_by_dealer_too=True)
    assert [each.chips for each in (first, second, third)] == [None, None, None]
    assert fourth.chips == ChipSet(
        (100, 500, 2_500, 10_000), 7, ("red", "blue", "green", "yellow"), 300
    )
    assert (fourth.form, fourth.dealer, fourth.equipment) == ("chips", "person", Equipment())


def pace_of(table: TablePlan) -> Pace:
    return Pace(table.countdown_seconds, table.result_seconds, table.pause_seconds)


def test_what_is_left_out_is_as_a_careful_venue_would_have_it() -> None:
    (table,) = floor_plan_from(TABLE.encode(), "floor.toml").tables
    assert (table.tumbler, table.dealer, pace_of(table)) == ("keyed", "person", Pace(20, 4, 4))
    assert floor_plan_from(b"", "floor.toml") == FloorPlan()


FAULTS = [
    ("[[tables]", "floor.toml is not TOML:"),
    ("tables = 3", "floor.toml: tables: a list is right, not a whole number"),
    ("tabels = []", "floor.toml: there is no key 'tabels'"),
    (TABLE + 'colour = "red"', "floor.toml: table T1: there is no key 'colour'"),
    (
        TABLE.replace("100\n", '"much"\n'),
        "floor.toml: table T1, minimum: a whole number is right, not a text",
    ),
    (TABLE.replace("minimum = 100\n", ""), "floor.toml: table T1: the key 'minimum' is missing"),
    (TABLE.replace('name = "T1"\n', ""), "floor.toml: table number 1: the key 'name' is missing"),
    (TABLE.replace("T1", "cage"), "floor.toml: table cage, name: 'cage' is what the cage itself"),
    (TABLE.replace("T1", "venue"), "floor.toml: table venue, name: 'venue' is what the venue"),
    (TABLE.replace("T1", "a/b"), "floor.toml: table a/b, name: up to 64 characters"),
    (TABLE.replace("T1", "a:b"), "floor.toml: table a:b, name: up to 64 characters"),
    (TABLE.replace("T1", " T1"), "floor.toml: table  T1, name: up to 64 characters"),
    (TABLE.replace("T1", ""), "floor.toml: table number 1, name: up to 64 characters"),
    (TABLE + TABLE, "floor.toml: table T1, name: two tables have it"),
    (TABLE + "place = [0, 1]", "floor.toml: table T1, place: 0; between 1 and 40 is right"),
    (TABLE + "place = [1, 41]", "floor.toml: table T1, place: 41; between 1 and 40 is right"),
    (TABLE + "place = [1]", "floor.toml: table T1, place: a list, exactly 2 long, is right, not 1"),
    (
        f"{TABLE}place = [2, 2]\n{TABLE.replace('T1', 'T2')}place = [2, 2]",
        "floor.toml: table T2, place: another table is there; each needs its own",
    ),
    (TABLE.replace("ts6/2", "ts6/9"), "floor.toml: table T1, pay_table: there is no pay table"),
    (TABLE.replace("ts6/2", "ts7/1"), "floor.toml: table T1, pay_table: there is no rulebook"),
    (TABLE.replace("ts6/2", "ts6"), "floor.toml: table T1, pay_table: 'ts6' is no pay table"),
    (
        TABLE + 'tumbler = "magic"',
        "floor.toml: table T1, tumbler: 'magic'; one of keyed, simulated",
    ),
    (TABLE + 'dealer = "robot"', "floor.toml: table T1, dealer: 'robot'; one of automatic, person"),
    (TABLE + "countdown_seconds = 4", "floor.toml: table T1, countdown_seconds: 4; between 5 and"),
    (TABLE + "countdown_seconds = nan", "floor.toml: table T1, countdown_seconds: nan; between"),
    (TABLE + "pause_seconds = -1", "floor.toml: table T1, pause_seconds: -1; between 0 and 3600"),
    (TABLE + "result_seconds = inf", "floor.toml: table T1, result_seconds: inf; between 0 and"),
    (
        TABLE + "handpay_threshold = -5",
        "floor.toml: table T1, handpay_threshold: -5; zero or more is right",
    ),
    (TABLE + "read_by_dealer_too = true", "floor.toml: table T1, read_by_dealer_too: with the"),
    (TABLE.replace("10_000", "50"), "floor.toml: table T1, limits: "),
    (TABLE + "step = 7", "floor.toml: table T1, limits: "),
    (TABLE + "boxes.nothing.min = 100", "floor.toml: table T1, limits: "),
    (TABLE + "boxes.small.least = 100", "floor.toml: table T1, boxes: there is no key 'least'"),
    (
        TABLE.replace("ts6/2", "etg8/2"),
        "floor.toml: table T1, differential: etg8/2 knows no Differential",
    ),
    (
        TABLE.replace("differential = 5_000\n", ""),
        "floor.toml: table T1, limits: this pay table is played with a Differential",
    ),
    (
        TABLE.replace("differential = 5_000", "differential = 0"),
        "floor.toml: table T1, limits: the limits' differential is nothing; at least one step",
    ),
    (
        TABLE.replace("minimum = 100", "minimum = 0"),
        "floor.toml: table T1, limits: the limits' min is nothing; at least one step, 0.01, is",
    ),
    (
        "[venue]\nday_starts = 24",
        "floor.toml: venue, day_starts: 24; an hour between 0 and 23 is right",
    ),
    ("[venue]\nday_starts = -1", "floor.toml: venue, day_starts: -1; an hour between 0 and 23"),
    (
        "[venue]\ntime_zone = 'Asia/Atlantis'",
        "floor.toml: venue, time_zone: 'Asia/Atlantis'; a name such as UTC or Asia/Singapore",
    ),
    ("[venue]\nname = ''", "floor.toml: venue, name: it is blank"),
    ("[venue]\ncurrency = 'S:D'", "floor.toml: venue, currency: it is blank, too long, or has"),
    ("[venue]\nvoucher_days = 0", "floor.toml: venue, voucher_days: 0; between 1 and 3650"),
    ("[venue]\napprove_above = -1", "floor.toml: venue, approve_above: -1; zero or more"),
]


CHIP_TABLE = (
    TABLE
    + """step = 100
form = "chips"
[tables.chips]
values = [100, 500, 2_500]
seats = 7
colours = ["red", "blue"]
pieces = 200
"""
)
CHIPS_FAULTS = [
    (CHIP_TABLE.replace('"chips"', '"paper"'), "form: 'paper'; one of terminals, chips is right"),
    (
        CHIP_TABLE.replace('form = "chips"\n', ""),
        "chips: only a chip table has them; leave them out, or write form = 'chips'",
    ),
    (
        TABLE + 'form = "chips"',
        "chips: a chip table needs a section [tables.chips] with its values and seats",
    ),
    (
        CHIP_TABLE.replace("form", 'dealer = "automatic"\nform'),
        "dealer: 'automatic'; a chip table is dealt by a person",
    ),
    (
        CHIP_TABLE.replace("form", 'tumbler = "simulated"\nform'),
        "tumbler: 'simulated'; at a chip table keyed or reader is right",
    ),
    (
        CHIP_TABLE.replace("form", "handpay_threshold = 100\nform"),
        "handpay_threshold: a chip table has no terminals to lock; leave it out",
    ),
    (CHIP_TABLE.replace("[100, 500, 2_500]", "[]"), "chips, values: 0 of them; between 1 and 24"),
    (CHIP_TABLE.replace("[100,", "[0,"), "chips, values: 0 is no value of a chip"),
    (CHIP_TABLE.replace("[100,", "[-5,"), "chips, values: -5 is no value of a chip"),
    (
        CHIP_TABLE.replace("500,", "550,"),
        "chips, values: 550 is not whole in chips of 100, the smallest",
    ),
    (
        CHIP_TABLE.replace("500,", "5_000,"),
        "chips, values: from the smallest to the largest, each once",
    ),
    (
        CHIP_TABLE.replace("500,", "100,"),
        "chips, values: from the smallest to the largest, each once",
    ),
    (
        CHIP_TABLE.replace("[100,", '["one",'),
        "chips.values[0]: a whole number is right, not a text",
    ),
    (CHIP_TABLE.replace("seats = 7", "seats = 0"), "chips, seats: 0; between 1 and 64 is right"),
    (CHIP_TABLE.replace("seats = 7", "seats = 65"), "chips, seats: 65; between 1 and 64 is right"),
    (CHIP_TABLE.replace("seats = 7\n", ""), "chips: the key 'seats' is missing"),
    (
        CHIP_TABLE.replace('"blue"', '""'),
        "chips, colours: one is blank, too long, or has a colon in it",
    ),
    (
        CHIP_TABLE.replace('"blue"', '"red"'),
        "chips, colours: 'red' is there twice; each is one player's",
    ),
    (
        CHIP_TABLE.replace('["red", "blue"]', str([f"c{n}" for n in range(65)])),
        "chips, colours: 65 of them; at most 64",
    ),
    (
        CHIP_TABLE.replace("pieces = 200", ""),
        "chips, pieces: 0; between 1 and 1000000 of each colour",
    ),
    (
        CHIP_TABLE.replace('colours = ["red", "blue"]\n', ""),
        "chips, pieces: there are no colours to have them; leave it out, or name colours",
    ),
    (CHIP_TABLE + "weight = 9", "chips: there is no key 'weight'"),
    # Every payment of a bet of 1.50 would need chips of 1.00.
    (
        CHIP_TABLE.replace("step = 100", "step = 150")
        .replace("100\n", "150\n")
        .replace("5_000", "4_500")
        .replace("0_0", "5_0"),
        "step: at a step of 1.50 some payment could not be made in chips; a multiple of 1.00",
    ),
    # Without a step of its own it is a cent: whole cents, and no whole chips.
    (
        CHIP_TABLE.replace("step = 100\n", ""),
        "step: at a step of 0.01 some payment could not be made in",
    ),
]


@pytest.mark.parametrize(("content", "fault"), CHIPS_FAULTS)
def test_a_chip_table_that_cannot_be_is_refused_in_one_sentence(content: str, fault: str) -> None:
    with pytest.raises(FloorPlanError) as refused:
        floor_plan_from(content.encode(), "floor.toml")
    assert str(refused.value).startswith(f"floor.toml: table T1, {fault}")


def test_a_chip_table_without_colours_is_played_with_value_chips_alone() -> None:
    content = CHIP_TABLE.replace('colours = ["red", "blue"]\npieces = 200\n', "")
    (table,) = floor_plan_from(content.encode(), "floor.toml").tables
    assert table.chips == ChipSet((100, 500, 2_500), 7)


@pytest.mark.parametrize(("content", "sentence"), FAULTS)
def test_a_wrong_file_is_refused_in_one_sentence_with_file_table_and_key(
    content: str, sentence: str
) -> None:
    with pytest.raises(FloorPlanError) as refused:
        floor_plan_from(content.encode(), "floor.toml")
    told = str(refused.value)
    assert told.startswith(sentence)
    assert "\n" not in told
    assert "`" not in told


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FloorPlanError, match=r"none.toml cannot be read: No such file"):
        read_floor_plan(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FloorPlanError, match=r"binary.toml is not UTF-8 text"):
        read_floor_plan(tmp_path / "binary.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(FloorPlanError, match=r"long.toml is longer than 1,000,000 bytes"):
        read_floor_plan(tmp_path / "long.toml")


def test_a_venue_may_have_a_minimum_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(TABLE + f"countdown_seconds = {COUNTDOWN_MIN_SECONDS}")
    assert read_floor_plan(file).tables[0].countdown_seconds == COUNTDOWN_MIN_SECONDS
    with pytest.raises(FloorPlanError, match="between 30 and 3600"):
        read_floor_plan(file, minimum_seconds=30.0)


# --- setting up -----------------------------------------------------------------------------------


def test_a_venue_is_founded_once_and_keeps_its_currency(tmp_path: Path) -> None:
    async def work() -> None:
        venue = (await Floor.open(tmp_path / "journal", keys())).venue
        await found(venue, VenuePlan(name="One", currency="SGD", approve_above=5))
        await found(venue, VenuePlan(name="Two", currency="NZD"))
        assert (venue.state.name, venue.state.currency) == ("One", "SGD")
        assert (venue.state.demo, venue.cage.approve_above) == (False, 5)
        await venue.stop()

    run(work())


KEYED, SIMULATED = "keyed by the dealer", "simulated by the server"


def told(venue: Runtime) -> list[tuple[str, str]]:
    return [(each.stream, each.text) for each in venue.announcements if each.code == "plan"]


def test_in_a_real_venue_missing_tables_are_created_and_nothing_more(tmp_path: Path) -> None:
    plan = floor_plan_from(documented().encode(), "floor.toml")

    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        venue = floor.venue
        await found(venue, plan.venue)
        await add_missing(venue, plan)
        for table in plan.tables:
            state = venue.table(table.name)
            assert (state.phase, state.equipment) == (Phase.CLOSED, table.equipment)
            assert (state.rulebook, state.limits, state.dice_set) == (None, None, None)
            assert (None if state.chips is None else state.chips.chip_set) == table.chips
        assert told(venue)[0] == ("table/TS-1", "it plays by no rulebook; the plan has ts6/2")
        versions = {stream: venue.writer(stream).head.version for stream in venue.tables()}
        await add_missing(venue, plan)
        assert versions == {each: venue.writer(each).head.version for each in venue.tables()}
        await venue.stop()

    run(work())


def test_the_pit_is_told_where_a_table_and_its_plan_differ(tmp_path: Path) -> None:
    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        stream = await floor.add_table("T1", "ts6/2", terminals=0)
        await add_table(floor.venue, "T2", Equipment())
        book = floor.venue.table("T1").rulebook
        assert book is not None
        adopt = AdoptRulebook(book.canonical.decode(), 2)
        await floor.both("table/T2", PIT, adopt, SUPERVISOR)
        same, other = plan_of("T1", "ts6/2"), plan_of("T1", "ts6/1", "simulated")
        await add_missing(floor.venue, FloorPlan(tables=(same,)))
        assert told(floor.venue) == []
        await add_missing(floor.venue, FloorPlan(tables=(other, plan_of("T2", "ts6/2"))))
        assert told(floor.venue) == [
            (stream, f"its dice are {KEYED} and stay so; by the plan they are {SIMULATED}"),
            (stream, "it plays by ts6/2; the plan has ts6/1"),
            ("table/T2", "it has no limits; the plan has some for two persons to set"),
        ]
        await floor.venue.stop()

    run(work())


def test_the_pit_is_told_where_a_chip_table_and_its_plan_differ(tmp_path: Path) -> None:
    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        for table in ("T1", "T2", "T3"):
            chips = None if table == "T1" else ChipSet((100, 500), 7)
            await add_table(floor.venue, table, Equipment(), chips=chips)
        chip_table = floor_plan_from(CHIP_TABLE.encode(), "floor.toml").tables[0]
        same = msgspec.structs.replace(
            chip_table, name="T3", chips=ChipSet(values=(100, 500), seats=7)
        )
        other = msgspec.structs.replace(chip_table, name="T2")
        await add_missing(floor.venue, FloorPlan(tables=(chip_table, other, same)))
        rulebook = "it plays by no rulebook; the plan has ts6/2"
        assert told(floor.venue) == [
            ("table/T1", "its form is terminals and stays so; the plan has chips"),
            ("table/T1", rulebook),
            ("table/T2", "its chips and seats are not those of the plan, and stay as they are"),
            ("table/T2", rulebook),
            ("table/T3", rulebook),
        ]
        await add_missing(floor.venue, FloorPlan(tables=(plan_of("T3", "ts6/2"),)))
        text = "its form is chips and stays so; the plan has terminals"
        assert told(floor.venue)[5:] == [("table/T3", text), ("table/T3", rulebook)]
        await floor.venue.stop()

    run(work())


def plan_of(name: str, pay_table: str, tumbler: str = "keyed") -> TablePlan:
    return TablePlan(name=name, pay_table=pay_table, minimum=100, maximum=1_000, tumbler=tumbler)


def test_a_table_that_is_in_no_plan_waits_for_a_person(tmp_path: Path) -> None:
    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await add_table(floor.venue, "T1", Equipment())
        await add_table(floor.venue, "T2", Equipment())
        planned = plan_of("T2", "ts6/2")
        plans = [*plans_of(floor.venue, FloorPlan(tables=(planned,)))]
        assert [(each.name, each.dealer) for each in plans] == [("T1", "person"), ("T2", "person")]
        assert plans[1] is planned
        await floor.venue.stop()

    run(work())


def test_a_table_that_does_not_verify_is_left_alone(tmp_path: Path) -> None:
    async def work() -> None:
        floor = await Floor.open(tmp_path / "journal", keys())
        await floor.found()
        await add_table(floor.venue, "T1", Equipment())
        floor.venue.writer("table/T1").suspend("it was altered")
        await add_missing(floor.venue, FloorPlan(tables=(plan_of("T1", "ts6/1"),)))
        assert told(floor.venue) == []
        await floor.venue.stop()

    run(work())
