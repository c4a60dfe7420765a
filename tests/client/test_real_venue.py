"""The client with a real venue: it shows what the venue would send a newcomer."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from taisai.client import (
    Backoff,
    HttpProblem,
    Live,
    NotAnswered,
    NotConnected,
    NotWelcome,
    connect,
)
from taisai.client.http import demo_staff, demo_terminal, log_in, odds, recall, tables
from taisai.core.cage.state import session_code
from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.table.betting import ClearBets
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.setup import SetLimits
from taisai.core.table.tumble import RecordTumble
from taisai.protocol.client_messages import TerminalKey
from taisai.protocol.server_messages import Done, Refused, Registered, Staff
from taisai.server.accounts.accounts import DEMO_PIN
from taisai.server.settings import Settings
from tests.client.staged import run
from tests.kit import certificates
from tests.kit.people import DEALER
from tests.kit.servers import Live as RealVenue
from tests.kit.servers import demo_settings, opened, served

QUICK = Backoff(first_seconds=0.001, most_seconds=0.01, attempts=200)


@asynccontextmanager
async def seated(
    data: Path, gateways: int = 0
) -> AsyncIterator[tuple[RealVenue, TerminalKey, Live]]:
    """Open a venue with a table dealt by hand, and connect a terminal with 1,000.00."""
    async with opened(data, gateways=gateways) as venue:
        await venue.floor.add_table("T1", terminals=2)
        key = venue.key("T1", "T1-1")
        async with connect(venue.address, terminal=key, backoff=QUICK) as live:
            await live.watch("T1")
            yield venue, key, live


async def same_as_told_to_a_newcomer(venue: RealVenue, live: Live) -> None:
    """Compare the client's view of a table with a newcomer's snapshot."""
    async with connect(venue.address) as newcomer:
        fresh = await newcomer.watch("T1")
        await live.until(lambda: live.tables["T1"] == fresh, 10)


async def have_played(venue: RealVenue, live: Live) -> AsyncIterator[str]:
    """Play a round with bets, step by step."""
    stream, floor = "table/T1", venue.floor
    await floor.do(stream, DEALER, OpenBets())
    yield "open"
    assert isinstance(await live.place({"small": 5_000, "total-10": 100}), Registered)
    yield "bets placed"
    assert isinstance(await live.withdraw({"small": 1_000}), Registered)
    yield "withdrawn"
    await floor.bet("T1", "T1-2", "big", 300)
    await floor.do(stream, DEALER, CloseBets(bell=True))
    yield "closed"
    await floor.do(stream, DEALER, RecordTumble(3))
    await floor.do(stream, DEALER, EnterResult((1, 4, 5)))
    yield "entered"
    await floor.do(stream, DEALER, ConfirmResult())
    yield "confirmed"
    await floor.do(stream, DEALER, Settle())
    yield "settled"


@pytest.mark.parametrize(
    ("lost_at_every_step", "gateways"), [(False, 0), (True, 0), (False, 1), (True, 1)]
)
def test_a_round_is_pictured_as_the_venue_has_it(
    tmp_path: Path, lost_at_every_step: bool, gateways: int
) -> None:
    async def story() -> None:
        async with seated(tmp_path, gateways) as (venue, key, live):
            async for _ in have_played(venue, live):
                if lost_at_every_step:
                    live.link.drop()
                await same_as_told_to_a_newcomer(venue, live)
            await live.until(lambda: live.terminal.last is not None, 10)
            # 4,000 on Small at 1 to 1 and 100 on 10 at 6 to 1, both won.
            assert live.terminal.credits == 100_000 + 4_000 + 600
            assert (live.terminal.bets, live.terminal.staked) == ({}, 0)
            told = await recall(venue.address, key)
            assert [line.won for line in told.rounds[0].lines] == [4_000, 600]
            code = session_code(venue.floor.venue.cage.key, "T1", f"{key.terminal}@1")
            assert told.session == code
            assert live.link.reconnections == (7 if lost_at_every_step else 0)

    run(story())


def test_a_bet_that_is_lost_on_its_way_back_is_there_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with seated(tmp_path) as (venue, _, live):
            await venue.floor.do("table/T1", DEALER, OpenBets())
            await live.until(lambda: live.tables["T1"].taking_bets)
            for number in range(1, 31):
                placing = asyncio.ensure_future(live.place({"small": 100}))
                for _ in range(number % 7):
                    await asyncio.sleep(0)
                live.link.drop()
                assert isinstance(await placing, Registered)
            await live.until(lambda: live.terminal.staked == 3_000, 10)
            assert live.terminal.bets == {"small": 3_000}
            state = venue.venue.table("T1")
            assert state.positions["T1-1"].bets == {"small": 3_000}
            assert state.ledger.balance(credits_of("T1-1")) == 97_000 == live.terminal.credits

    run(story())


def test_what_is_asked_again_by_hand_gets_the_same_answer(tmp_path: Path) -> None:
    async def story() -> None:
        async with seated(tmp_path) as (venue, _, live):
            await venue.floor.do("table/T1", DEALER, OpenBets())
            id_ = live.new_id()
            command = ClearBets("T1-1")
            with pytest.raises(NotAnswered):
                await live.ask("T1", command, id=id_, seconds=0)
            answers = [await live.ask("T1", command, id=id_) for _ in range(2)]
            assert answers[0] == answers[1]
            assert isinstance(answers[0], Refused)
            assert answers[0].code == "NO_BETS_PLACED"

    run(story())


def test_credits_go_out_as_a_voucher_and_come_in_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with seated(tmp_path) as (_, __, live):
            assert isinstance(await live.cash_out(), Registered)
            await live.until(lambda: live.voucher is not None and live.terminal.credits == 0, 10)
            assert live.voucher is not None
            assert live.voucher.value == 100_000
            assert isinstance(await live.take_voucher(live.voucher.number), Registered)
            await live.until(lambda: live.terminal.credits == 100_000, 10)

    run(story())


def test_only_the_newest_connection_of_a_terminal_counts(tmp_path: Path) -> None:
    async def story() -> None:
        async with seated(tmp_path) as (venue, key, live), connect(venue.address, terminal=key):
            with pytest.raises(NotWelcome, match="somewhere else") as caught:
                await live.until(lambda: False, 10)
            assert caught.value.code == "REPLACED"

    run(story())


def test_a_wrong_key_is_not_welcome(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as venue:
            await venue.floor.add_table("T1", terminals=1)
            wrong = TerminalKey("T1", "T1-1", "no such key")
            with pytest.raises(NotWelcome, match="not right"):
                async with connect(venue.address, terminal=wrong):
                    pass
            with pytest.raises(NotWelcome, match="log in again"):
                async with connect(venue.address, session="no such session"):
                    pass

    run(story())


def test_the_same_venue_is_come_back_to_after_it_was_stopped(tmp_path: Path) -> None:
    patient = Backoff(first_seconds=0.02, most_seconds=0.1, attempts=200)

    async def story() -> None:
        async with AsyncExitStack() as client:
            async with opened(tmp_path / "data") as venue:
                await venue.floor.add_table("T1", terminals=1)
                connecting = connect(
                    venue.address, terminal=venue.key("T1", "T1-1"), backoff=patient
                )
                live = await client.enter_async_context(connecting)
                await live.watch("T1")
                await venue.floor.do("table/T1", DEALER, OpenBets())
                assert isinstance(await live.place({"small": 100}), Registered)
                port = int(venue.address.rstrip("/").rpartition(":")[2])
            placing = asyncio.ensure_future(live.place({"big": 100}, seconds=20))
            async with served(Settings(tmp_path / "data", port=port)) as (_, application):
                # The bets were closed when the venue stopped: it is answered, and nothing is lost.
                answer = await placing
                assert isinstance(answer, Refused)
                await live.until(lambda: live.link.connected)
                state = application.runtime.table("T1")
                assert state.ledger.balance(credits_of("T1-1")) == live.terminal.credits == 99_900
                assert live.tables["T1"].phase == state.phase
                assert live.link.reconnections == 1

    run(story())


def test_staff_give_a_command_that_takes_two(tmp_path: Path) -> None:
    async def story() -> None:
        settings = demo_settings(tmp_path / "data", "ts6/2", dealer="person")
        async with served(settings) as (address, _):
            first = await demo_staff(address, "pit-manager")
            second = await demo_staff(address, "supervisor")
            async with (
                connect(address, session=first) as pit,
                connect(address, session=second) as supervisor,
                connect(address) as visitor,
            ):
                table = await visitor.watch("T1")
                await supervisor.watch("T1")
                asked = await pit.ask(
                    "T1", SetLimits(LimitsAsked(500, 50_000, differential=50_000))
                )
                assert isinstance(asked, Registered)
                assert asked.pending is not None
                granted = await supervisor.grant("T1", asked.pending, asked.last, DEMO_PIN)
                assert isinstance(granted, Registered)
                await visitor.until(lambda: table.minimum == 500, 10)
                told = [each async for each in _told_to_staff(supervisor, granted.last)]
                assert [each.sequence for each in told] == [asked.last, granted.last]
                assert isinstance(await supervisor.deal("T1", automatic=True), Done)
                await visitor.until(lambda: table.dealer == "automatic", 10)

    run(story())


async def _told_to_staff(live: Live, last: int) -> AsyncIterator[Staff]:
    async for told in live.messages():
        if isinstance(told, Staff):
            yield told
            if told.sequence >= last:
                return


def test_what_is_asked_over_http(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(demo_settings(tmp_path / "data", "etg8/2")) as (address, _):
            (table,) = await tables(address)
            assert (table.table, table.pay_table, table.dealer) == ("T1", "etg8/2", "automatic")
            boxes = {each.box: each for each in (await odds(address, "etg8/2")).boxes}
            assert boxes["small"].pays == "1"
            key = await demo_terminal(address, "T1")
            assert (await recall(address, key)).rounds == []
            with pytest.raises(HttpProblem, match="there are: T1") as caught:
                await demo_terminal(address, "T9")
            assert (caught.value.status, caught.value.code) == (404, "UNKNOWN_TABLE")
            with pytest.raises(HttpProblem) as caught:
                await log_in(address, "nobody", "no password", "dealer")
            assert caught.value.status == 401
        with pytest.raises(NotConnected, match="cannot connect"):
            await tables(address)

    run(story())


@pytest.mark.parametrize("gateways", [0, 1])
def test_a_venue_that_speaks_tls(tmp_path: Path, gateways: int) -> None:
    certificate, private_key = certificates.certificate(tmp_path)
    trust = ssl.create_default_context(cafile=str(certificate))

    async def story() -> None:
        async with opened(
            tmp_path / "data",
            certificate=certificate,
            private_key=private_key,
            gateways=gateways,
        ) as venue:
            await venue.floor.add_table("T1", terminals=1)
            assert venue.address.startswith("https://")
            assert [each.table for each in await tables(venue.address, trust)] == ["T1"]
            key = venue.key("T1", "T1-1")
            async with connect(venue.address, terminal=key, trust=trust) as live:
                assert live.terminal.credits == 100_000
            with pytest.raises(NotConnected, match="cannot connect"):
                async with connect(venue.address, terminal=key):
                    pass

    run(story())
