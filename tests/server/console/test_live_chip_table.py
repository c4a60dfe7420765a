"""A chip table live on its console, over a real socket: durable events only, as they are."""

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from taisai.core.cage.fills import ReturnFill
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.setup import EnrolTerminal, OpenTable
from taisai.runtime.streams import CAGE
from tests.kit.floor import FLOAT, hundreds, run
from tests.kit.people import CASHIER, DEALER, SUPERVISOR, TECHNICIAN
from tests.kit.servers import Live, Told, opened
from tests.server.console.test_live_console import Console, at_the_console

#: The float of the table, by hand: 10 × 100.00 + 20 × 25.00 + 80 × 5.00 + 100 × 1.00.
COUNTED = 200_000


async def asks(console: Console, **command: object) -> None:
    answer = await console.wire.ask(console.table, console.live.floor.new_id(), dict(command))
    assert answer["type"] == "Registered", answer


async def chip_table(console: Console) -> Told:
    return await console.wire.until("ChipTableView")


async def open_chip_table(live: Live) -> None:
    """Open a table whose gaming day has begun."""
    stream = await live.floor.add_chip_table()
    await live.floor.do(stream, SUPERVISOR, OpenTable())


def test_the_console_is_told_what_the_dealer_recorded(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await open_chip_table(live)
            async with at_the_console(live, "F1") as console:
                assert (await chip_table(console))["rack_value"] == COUNTED
                await asks(console, type="TakeSeat", seat="3")
                (seated,) = (await chip_table(console))["seats"]
                assert (seated["seat"], seated["credits"], seated["colour"]) == ("3", 0, None)
                await asks(console, type="BuyChips", seat="3", chips=[[2_500, 4]], cash=10_000)
                bought = await chip_table(console)
                assert [each["credits"] for each in bought["seats"]] == [10_000]
                assert (bought["rack_value"], bought["day"]["drop"]) == (COUNTED - 10_000, 0)
                await asks(console, type="OpenBets")
                stacks = [["small", [[2_500, 2]]], ["odd", [[500, 1]]]]
                await asks(console, type="RecordBets", seat="3", bets=stacks)
                told = await chip_table(console)
                while not told["stacks"]:
                    told = await chip_table(console)
                assert [(box, amount) for _, box, amount, *_ in told["stacks"]] == [
                    ("small", 5_000),
                    ("odd", 500),
                ]
                (notice,) = told["notices"]
                assert (notice["box"], notice["outside"], notice["clause"]) == (
                    *("odd", "minimum", "5.2"),
                )
                assert live.venue.table("F1").box_totals == {"small": 5_000, "odd": 500}

    run(play())


def test_exposure_is_of_what_plays_of_an_overfull_box(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await open_chip_table(live)
            async with at_the_console(live, "F1") as console:
                for seat in ("3", "4"):
                    await asks(console, type="TakeSeat", seat=seat)
                    await asks(
                        console, type="BuyChips", seat=seat, chips=[[10_000, 3]], cash=30_000
                    )
                await asks(console, type="OpenBets")
                for seat in ("3", "4"):
                    bets = [["small", [[10_000, 3]]]]
                    await asks(console, type="RecordBets", seat=seat, bets=bets)
                # 600.00 is on a box that takes 500.00: that much plays, and pays one to one.
                told = await console.wire.until("Exposure", staked=50_000)
                assert set(told["pays"]) == {50_000, -50_000}
                assert live.venue.table("F1").box_totals == {"small": 60_000}

    run(play())


def test_a_fill_is_told_when_it_leaves_the_cage_and_when_it_has_come(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await open_chip_table(live)
            async with at_the_console(live, "F1") as console:
                assert "fills" not in await chip_table(console), "nothing is on its way"
                transit = await live.floor.send_fill(hundreds(3))
                assert (await chip_table(console))["fills"] == [{"name": transit, "amount": 30_000}]
                await live.floor.receive_fill(transit, hundreds(3))
                told = await chip_table(console)
                while "fills" in told:
                    told = await chip_table(console)
                assert told["rack_value"] == COUNTED + 30_000
                assert told["rack"] == [
                    [10_000, 13],
                    *([each.chip, each.count] for each in FLOAT[1:]),
                ]

    run(play())


def test_a_fill_that_is_taken_back_is_on_its_way_no_more(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await live.floor.add_chip_table()
            transit = await live.floor.send_fill(hundreds(3))
            async with at_the_console(live, "F1") as console:
                assert (await chip_table(console))["fills"] == [{"name": transit, "amount": 30_000}]
                back = ReturnFill(transit, hundreds(2))
                await live.floor.both(CAGE, CASHIER, back, SUPERVISOR)
                assert "fills" not in await chip_table(console)

    run(play())


def test_the_fills_of_a_cage_that_goes_on_are_told_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await live.floor.add_chip_table()
            transit = await live.floor.send_fill(hundreds(3))
            live.venue.writer(CAGE).suspend("for a trial")
            # As after a start with the cage suspended.
            live.application.hub.fills.take_up(None)
            async with at_the_console(live, "F1") as console:
                assert "fills" not in await chip_table(console)
                assert await live.venue.resume(CAGE) is None
                assert (await chip_table(console))["fills"] == [{"name": transit, "amount": 30_000}]

    run(play())


def test_a_seat_of_a_chip_table_is_no_terminal(tmp_path: Path) -> None:
    """The holder of such a key would read the player's money."""

    async def play() -> None:
        async with opened(tmp_path) as live:
            await open_chip_table(live)
            await live.floor.do("table/F1", DEALER, TakeSeat("1"))
            enrol = EnrolTerminal("9", "seat 9")
            refused = await live.floor.send("table/F1", TECHNICIAN, enrol)
            assert isinstance(refused, Refusal)
            assert refused.code == "ONLY_AT_TERMINALS"
            # A key that was given all the same opens nothing.
            key = live.key("F1", "1")
            async with live.sit(key) as wire:
                with pytest.raises(ConnectionClosed) as closed:
                    await wire.until("TerminalSnapshot")
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.reason == "NOT_LET_IN"

    run(play())
