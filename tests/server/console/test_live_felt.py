"""A felt table told live to its console, over a real socket: what is durable, as it stands."""

from pathlib import Path

from taisai.core import commands as c
from tests.house.felt_floor import FLOAT, add_felt, hundreds, receive_fill, send_fill
from tests.house.floor import SUPERVISOR, run
from tests.server.console.test_live_console import Console, at_the_console
from tests.server.live.premises import Live, Told, opened

#: The float of the table, by hand: 10 × 100.00 + 20 × 25.00 + 80 × 5.00 + 100 × 1.00.
COUNTED = 200_000


async def asks(console: Console, **command: object) -> None:
    answer = await console.wire.ask(console.table, console.live.floor.new_id(), dict(command))
    assert answer["type"] == "Registered", answer


async def felt(console: Console) -> Told:
    return await console.wire.until("Felt")


async def open_felt(live: Live) -> None:
    """Open the table whose day has begun."""
    stream = await add_felt(live.floor)
    await live.floor.do(stream, SUPERVISOR, c.OpenTable())


def test_the_console_is_told_what_the_dealer_recorded(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await open_felt(live)
            async with at_the_console(live, "F1") as console:
                assert (await felt(console))["rack_value"] == COUNTED
                await asks(console, type="TakeSeat", seat="3")
                (seated,) = (await felt(console))["seats"]
                assert (seated["seat"], seated["credits"], seated["colour"]) == ("3", 0, None)
                await asks(console, type="BuyChips", seat="3", chips=[[2_500, 4]], cash=10_000)
                bought = await felt(console)
                assert [each["credits"] for each in bought["seats"]] == [10_000]
                assert (bought["rack_value"], bought["day"]["in_box"]) == (COUNTED - 10_000, 10_000)
                await asks(console, type="OpenBets")
                stacks = [["small", [[2_500, 2]]], ["odd", [[500, 1]]]]
                await asks(console, type="RecordBets", seat="3", bets=stacks)
                told = await felt(console)
                while not told["stacks"]:
                    told = await felt(console)
                assert [(each["box"], each["amount"]) for each in told["stacks"]] == [
                    ("small", 5_000),
                    ("odd", 500),
                ]
                (notice,) = told["notices"]
                assert (notice["box"], notice["outside"], notice["clause"]) == (
                    *("odd", "minimum", "5.2"),
                )
                assert live.house.table("F1").lying == {"small": 5_000, "odd": 500}

    run(play())


def test_a_fill_is_told_when_it_leaves_the_cage_and_when_it_has_come(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            await add_felt(live.floor)
            async with at_the_console(live, "F1") as console:
                assert "fills" not in await felt(console), "nothing is on its way"
                transit = await send_fill(live.floor, hundreds(3))
                assert (await felt(console))["fills"] == [{"name": transit, "amount": 30_000}]
                await receive_fill(live.floor, transit, hundreds(3))
                told = await felt(console)
                while "fills" in told:
                    told = await felt(console)
                assert told["rack_value"] == COUNTED + 30_000
                assert told["rack"] == [
                    [10_000, 13],
                    *([each.chip, each.count] for each in FLOAT[1:]),
                ]

    run(play())
