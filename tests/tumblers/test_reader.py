"""The contract of a device, tested with a small reader and the venue's tumblers."""

import asyncio

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.table.betting import RoundVoided
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.core.table.round import (
    EnterResult,
    ResultEntered,
)
from taisai.core.table.setup import TableStopped
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.tumblers import (
    Sealer,
    SimulatedTumbler,
    Tumble,
    Tumbler,
    TumblerFault,
    VerifiableTumbler,
    turn_of,
)
from tests.kit.tables import ADDRESSES, Table, open_table
from tests.tumblers.reader import TrayReader

#: Each of them is a tumbler, for the type checker too.
TUMBLERS: tuple[type[Tumbler], ...] = (TrayReader, SimulatedTumbler, VerifiableTumbler)


def lets_the_device_work(table: Table, tumbler: Tumbler) -> None:
    """Do what a venue does once the bets are closed: ask, record, and report a fault."""

    async def work() -> None:
        while (turn := turn_of(table.state)) is not None:
            name, number = table.state.table, table.state.round
            try:
                if turn == "tumble":
                    happened = await tumbler.tumble(name, number, 3)
                    tumbled = RecordTumble(happened.times, happened.flat, happened.concealed)
                    table.does("device", tumbled)
                else:
                    table.does("device", EnterResult(await tumbler.draw(name, number)))
            except TumblerFault as fault:
                table.does("device", ReportIrregularity(fault.code, fault.note))
                return

    asyncio.run(work())


def closed_table(address: str, kind: Equipment) -> Table:
    return open_table(address, equipment=kind).betting(t7={"small": 3_000}).closed()


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_reader_enters_what_lies_under_it(address: str) -> None:
    table, reader = closed_table(address, Equipment("reader")), TrayReader()
    reader.put(6, 1, 3)
    lets_the_device_work(table, reader)
    assert table.told[-1] == ResultEntered((1, 3, 6), "device", "tumbler")
    assert turn_of(table.state) is None


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_simulated_tumbler_plays_by_every_document(address: str) -> None:
    table = closed_table(address, Equipment("simulated"))
    lets_the_device_work(table, SimulatedTumbler(lambda count: bytes(range(count))))
    assert table.told[-1] == ResultEntered((1, 2, 3), "device", "tumbler")


def test_a_reader_waits_until_the_dice_lie_and_can_be_given_up_and_asked_again() -> None:
    async def work() -> None:
        reader = TrayReader()
        waiting = asyncio.create_task(reader.draw("T1", 1))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        again = asyncio.create_task(reader.draw("T1", 1))
        await asyncio.sleep(0)
        reader.put(2, 2, 5)
        assert await again == await reader.draw("T1", 1) == (2, 2, 5)

    asyncio.run(work())


def test_a_blind_reader_is_a_malfunction_and_div9_stops_the_table_for_it() -> None:
    table, reader = closed_table("div9/2", Equipment("reader")), TrayReader()
    reader.put(1, 1, 1)
    reader.blind = True
    lets_the_device_work(table, reader)
    reported, stopped = table.told[-2:]
    assert isinstance(reported, IrregularityReported)
    assert (reported.code, reported.by) == ("malfunction", "tumbler")
    assert reported.note == "the camera sees no dice in round 1"
    assert stopped == TableStopped("7.4", reported.note)


def test_a_die_that_leans_voids_the_round_whoever_says_otherwise() -> None:
    table, reader = closed_table("ts6/2", Equipment("reader")), TrayReader()
    reader.put(1, 0, 1)
    lets_the_device_work(table, reader)
    reported, voided = table.told[-2:]
    assert isinstance(reported, IrregularityReported)
    assert (reported.code, reported.device, reported.in_doubt) == ("die-not-flat", True, False)
    assert isinstance(voided, RoundVoided)
    assert (voided.clause, table.state.lasting) == ("5.5.2", {})


def test_a_device_waits_while_a_persons_report_does() -> None:
    table = closed_table("ts6/2", Equipment("reader"))
    table.does("dealer", ReportIrregularity("die-not-flat"))
    assert turn_of(table.state) is None
    table.does("supervisor", table.declining())
    assert turn_of(table.state) == "tumble"


def test_a_tumble_too_short_is_told_as_it_was_and_the_rulebook_rules() -> None:
    table, reader = closed_table("ts6/2", Equipment("reader")), TrayReader()
    reader.tumbled = Tumble(2)
    lets_the_device_work(table, reader)
    voided = table.told[-1]
    assert isinstance(voided, RoundVoided)
    assert (voided.code, voided.clause) == ("bad-tumble", "5.5.1")


def test_at_a_keyed_table_no_device_is_asked() -> None:
    table = closed_table("ts6/2", Equipment())
    assert turn_of(table.state) is None
    table.tumbled()
    assert turn_of(table.state) is None


def test_a_device_is_asked_after_the_close_and_when_nothing_waits_for_people() -> None:
    table = open_table("ts6/2", equipment=Equipment("reader", read_by_dealer_too=True))
    assert turn_of(table.state) is None
    table.betting(t7={"small": 3_000})
    assert turn_of(table.state) is None
    assert turn_of(table.closed().state) == "tumble"
    table.does("device", RecordTumble(3))
    assert turn_of(table.state) == "draw"
    table.does("device", EnterResult((1, 2, 3)))
    assert turn_of(table.state) is None
    table.does("dealer", EnterResult((1, 2, 4)))
    assert (turn_of(table.state), table.state.waiting) == (None, True)


def test_where_the_tumble_comes_first_a_round_without_one_has_nothing_to_draw() -> None:
    table = open_table("div9/2", equipment=Equipment("reader")).betting(t7={"small": 3_000})
    table.closed()
    assert turn_of(table.state) == "draw"
    table.state.tumbled = False
    assert turn_of(table.state) is None


def test_a_fault_says_what_and_by_which_word_of_the_rulebook() -> None:
    fault = TumblerFault("no light")
    assert (str(fault), fault.note, fault.code) == ("no light", "no light", "malfunction")


def test_drawn_dice_count_as_tumbled_as_often_as_the_document_asks() -> None:
    tumblers: list[Tumbler] = [SimulatedTumbler(), VerifiableTumbler(Sealer(bytes(32)))]
    for tumbler in tumblers:
        assert asyncio.run(tumbler.tumble("T1", 1, 5)) == Tumble(5, flat=True, concealed=True)
