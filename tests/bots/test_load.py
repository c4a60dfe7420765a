"""Many terminals at a real venue: every command is answered, and the money adds up."""

import asyncio
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from taisai.bots import keep_lively
from taisai.bots.load import LoadRun, LoadSeat, Share
from taisai.bots.processes import shares
from taisai.client.http import demo_terminals
from taisai.core.kernel.ledger import credits_of
from taisai.core.table.state import TableState
from taisai.protocol.client_messages import TerminalKey
from tests.cli.command import taisai
from tests.client.staged import run
from tests.kit.floor import until
from tests.kit.servers import demo_settings, served
from tests.kit.timeouts import TIMEOUT_SECONDS


async def terminals(address: str, count: int) -> list[TerminalKey]:
    """Take seats in a demo venue."""
    return [key async for some in demo_terminals(address, count) for key in some]


def has_the_books(state: TableState, seat: LoadSeat) -> bool:
    """Say whether a terminal was sent the money that it has."""
    return seat._books.credits == state.ledger.balance(credits_of(seat.key.terminal))


def has_registered(load: LoadRun, least: int) -> bool:
    return load.tally.registered > least


def was_bet_at(table: TableState) -> bool:
    return "table" in table.meters and table.meters["table"].turnover > 0


def test_a_load_is_answered_and_adds_up_though_connections_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        settings = demo_settings(tmp_path / "data", "ts6/2", "etg8/2")
        async with served(settings) as (address, application):
            keys = await terminals(address, 30)
            assert {key.table for key in keys} == {"T1", "T2"}
            share = Share(address, keys, seconds=TIMEOUT_SECONDS, rate=8.0)
            load = LoadRun(share, seed=1)
            end = load._end

            def agree() -> bool:
                return all(
                    has_the_books(application.runtime.table(s.key.table), s) for s in load._seats
                )

            async def end_between_rounds() -> None:
                # No round is settled any more while the terminals leave.
                await application.dealers.stop()
                await until(agree)
                await end()

            monkeypatch.setattr(load, "_end", end_between_rounds)
            running = asyncio.ensure_future(load.run())
            for number in range(10):
                await until(partial(has_registered, load, 20 * number))
                for seat in load._seats[number::10]:
                    seat.link.drop()
            await until(lambda: load.tally.lines > 0)
            await until(lambda: all(seat.link.connected for seat in load._seats))
            # Each of these has happened: that is enough, however fast the machine was.
            monkeypatch.setattr(load, "_share", structs.replace(share, seconds=0.0))
            tally = await running
            assert tally.faults() == []
            assert (tally.connected, tally.unanswered) == (30, 0)
            assert tally.reconnections >= 10
            assert tally.registered > 100
            assert tally.answered == tally.asked
            assert tally.lines > 0
            assert agree()

    run(story())


def test_bots_keep_every_table_lively_until_they_are_told(tmp_path: Path) -> None:
    async def story() -> None:
        settings = demo_settings(tmp_path / "data", "ts6/2", "div9/2", seconds=1.0)
        async with served(settings) as (address, application):
            stop = asyncio.Event()
            playing = asyncio.ensure_future(keep_lively(address, 7, stop))
            venue = application.runtime
            for table in ("T1", "T2"):
                await until(partial(was_bet_at, venue.table(table)))
            stop.set()
            await playing
            await until(lambda: len(application.hub.everybody) == 0)

    run(story())


_LAYOUT = """
[[tables]]
name = "A-chips"
pay_table = "ts6/2"
minimum = 500
maximum = 50_000
differential = 50_000
step = 500
form = "chips"
chips = { values = [100, 500], seats = 7 }
"""


def test_no_bot_sits_down_at_a_layout(tmp_path: Path) -> None:
    async def story() -> None:
        settings = demo_settings(tmp_path / "data", "ts6/2", seconds=1.0)
        assert settings.tables is not None
        settings.tables.write_text(_LAYOUT + settings.tables.read_text())
        async with served(settings) as (address, application):
            stop = asyncio.Event()
            playing = asyncio.ensure_future(keep_lively(address, 2, stop))
            # If it were a table like any other, one of the two would be sent to the layout.
            await until(lambda: len(application.runtime.table("T1").positions) == 2)
            stop.set()
            await playing

    run(story())


async def command(*arguments: str) -> tuple[int, str, str]:
    """Run `taisai bots` in a process of its own, while the venue goes on in this one."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "taisai", "bots", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert b"Traceback" not in err, err.decode()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def test_the_command_tells_programs_what_came_of_it_in_two_processes(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(demo_settings(tmp_path / "data", "ts6/2", seconds=5.0)) as (address, _):
            status, out, err = await command(
                *("--address", address, "--terminals", "12", "--seconds", "1", "--rate", "5"),
                *("--processes", "2", "--json"),
            )
            told: dict[str, Any] = json.loads(out)
            assert (status, err, told["faults"]) == (0, "", [])
            assert (told["connected"], told["unanswered"]) == (12, 0)
            assert told["registered"] > 10
            assert told["latency_microseconds"]["p50"] <= told["latency_microseconds"]["max"]

    run(story())


def test_the_command_reads_keys_and_sums_up_for_people_in_one_process(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(demo_settings(tmp_path / "data", "ts6/2", seconds=5.0)) as (address, _):
            keys = tmp_path / "keys"
            own = await terminals(address, 3)
            wrong = TerminalKey("T1", own[2].terminal, "not its key")
            lines = [
                {"table": k.table, "terminal": k.terminal, "key": k.key} for k in [*own[:2], wrong]
            ]
            keys.write_text("\n\n".join(map(json.dumps, lines)))
            ask = ("--address", address, "--keys", str(keys), "--seconds", "0.5", "--rate", "10")
            status, out, err = await command(*ask, "--terminals", "2")
            assert status == 0, err
            assert "terminals connected" in out
            assert "2 of 2" in out
            status, out, err = await command(*ask, "--terminals", "3")
            assert status == 1
            assert "taisai: 2 of 3 terminals were connected" in err
            assert not any(key.key in out + err for key in [*own, wrong])

    run(story())


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["--terminals", "0"], 1, "--terminals is 0; a number from 1 to 100,000 is right"),
        (["--seconds", "0"], 1, "--seconds is 0; more than 0"),
        (["--rate", "-1"], 1, "--rate is -1; more than 0"),
        (["--terminals", "2", "--processes", "3"], 1, "--processes is 3; a number from 1 to 2 is"),
        (["--address", "nowhere"], 1, "'nowhere' is no address of a venue"),
        (["--keys", "no-such-file"], 1, "no-such-file could not be read"),
    ],
)
def test_a_wrong_use_is_told_in_a_sentence(
    arguments: list[str], status: int, told: str, tmp_path: Path
) -> None:
    answer = taisai("bots", *arguments, cwd=tmp_path)
    assert answer.status == status
    assert told in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_line_that_is_no_key_is_told_by_its_number_and_not_shown(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(
        '{"table": "T1", "terminal": "1", "key": "secret"}\n{"k": "secret"}'
    )
    answer = taisai("bots", "--keys", "keys", "--terminals", "5", cwd=tmp_path)
    assert answer.status == 1
    assert "keys, line 2: it is no key of a terminal" in answer.err
    assert "secret" not in answer.err
    (tmp_path / "keys").write_text('{"table": "T1", "terminal": "1", "key": "secret"}\n')
    answer = taisai("bots", "--keys", "keys", "--terminals", "5", cwd=tmp_path)
    assert "keys has 1 keys of terminals, and 5 are asked for" in answer.err


def test_every_process_gets_terminals_of_every_table() -> None:
    keys = [TerminalKey(f"T{number % 2}", str(number), "k") for number in range(7)]
    divided = shares(Share("http://venue", keys, 1.0, 1.0), 3)
    assert sorted(key.terminal for each in divided for key in each.keys) == list("0123456")
    assert [len(each.keys) for each in divided] == [3, 2, 2]
