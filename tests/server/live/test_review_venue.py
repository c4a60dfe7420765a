"""The venue around the sockets: replaced keys, dealers that failed, and sudden ends."""

import asyncio
from pathlib import Path

import httpx
import pytest

from taisai.core.table.state import Phase
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.streams import table_stream
from taisai.server.application import Application
from taisai.server.dealing import dealers as dealing
from taisai.server.floor_plan import TablePlan
from taisai.server.process import serve
from taisai.server.settings import Settings
from tests.kit.floor import run, until
from tests.kit.servers import Live, begin, opened

T1, STREAM = "T1", table_stream("T1")


async def _table(live: Live) -> TerminalKey:
    await live.floor.add_table(T1, terminals=1)
    return live.key(T1, "T1-1")


def test_a_replaced_key_ends_a_terminal_that_has_no_seat_yet(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as live:
            key = await _table(live)
            live.venue.writer(STREAM).suspend("for the sake of this test")
            async with live.sit(key) as wire:
                await wire.until("Suspended")
                live.key(T1, key.terminal)
                live.application.hub.close_terminal(T1, key.terminal)
                assert (await wire.until("Fault"))["code"] == "KEY_REPLACED"
            assert await live.venue.resume(STREAM) is None

    run(play())


def test_a_voucher_is_shown_again_to_who_asks_again_after_a_restart(tmp_path: Path) -> None:
    cash_out = {"type": "CashOut", "terminal": "T1-1"}

    async def play() -> None:
        async with opened(tmp_path) as live:
            key, id_ = await _table(live), live.floor.new_id()
            async with live.sit(key) as wire:
                answer = await wire.ask(T1, id_, cash_out)
                printed = await wire.until("VoucherPrinted")
        async with opened(tmp_path) as live:
            async with live.sit(key) as wire:
                assert await wire.ask(T1, id_, cash_out) == answer
                assert await wire.until("VoucherPrinted") == printed
            begun = live.application.accounts.sessions.begin(
                "pat", "pit-manager", "here", live.venue.clock.now()
            )
            assert begun is not None
            async with live.visit(session=begun[0]) as staff:
                # Another player asks with the same words: the number is not for them.
                refused = await staff.ask(T1, id_, cash_out)
                assert refused["code"] == "NO_CREDITS"

    run(play())


def test_a_dealer_that_failed_deals_again_when_it_is_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trip(*_: object, **__: object) -> None:
        raise RuntimeError("for the sake of this test")

    async def play() -> None:
        async with opened(tmp_path) as live:
            await _table(live)
            dealers = live.application.dealers
            plan = TablePlan(
                name=T1,
                pay_table="ts6/2",
                dealer="automatic",
                pause_seconds=0.0,
                minimum=100,
                maximum=1_000_000,
            )
            with monkeypatch.context() as failing:
                failing.setattr(dealing, "next_step", trip)
                dealers.add(T1, plan)
                await until(lambda: not dealers.automatic(T1))
            await dealers.hand_over(T1, True)
            await until(lambda: live.venue.table(T1).phase is Phase.BETTING)

    run(play())


def test_a_request_at_the_very_end_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, statuses = Application.finish, list[int]()

    async def play() -> None:
        async with opened(tmp_path) as live:
            address = f"{live.address}api/staff/sue/credentials"
            body = {"code": "none", "password": "three dice under a bell", "pin": "271845"}

            async def finish_and_ask(application: Application) -> None:
                await finish(application)
                async with httpx.AsyncClient() as http:
                    statuses.append((await http.post(address, json=body)).status_code)

            monkeypatch.setattr(Application, "finish", finish_and_ask)

    run(play())
    assert statuses == [403]


def test_a_venue_whose_address_cannot_be_told_is_stopped_politely(tmp_path: Path) -> None:
    async def play() -> None:
        if not (tmp_path / KEYS_DIRECTORY).exists():
            await begin(tmp_path)

        def ready(*_: object) -> None:
            raise BrokenPipeError("for the sake of this test")

        with pytest.raises(BrokenPipeError):
            await serve(Settings(tmp_path, port=0), ready, asyncio.Event())
        # Nothing of it is left: another venue may open the data.
        async with opened(tmp_path):
            pass

    run(play())
