"""The contract of every transport of a lane: one suite, over Unix sockets, NATS and a lossy one."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from taisai.server.lanes import lane as lane_module
from taisai.server.lanes.lane import Entry
from taisai.server.lanes.nats import Nats, NatsOptions
from taisai.server.lanes.unix import connect
from tests.kit.carriers import Carrier
from tests.kit.floor import run, until
from tests.kit.lanes import Side
from tests.kit.nats_server import nats_server

Joined = Callable[[Side, Side], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def by_unix(one: Side, other: Side) -> AsyncIterator[None]:
    for side, end in zip((one, other), socket.socketpair(), strict=True):
        await connect(end, side.lane)
    yield


@asynccontextmanager
async def by_losing(one: Side, other: Side) -> AsyncIterator[None]:
    careless = random.Random(7)  # noqa: S311 - nothing secret
    there, back = Carrier(careless), Carrier(careless)
    there.to, back.to = other.lane, one.lane
    one.lane.connected(there)
    other.lane.connected(back)
    yield


def by_nats(url: str) -> Joined:
    """Join two sides by a connection each to one server."""

    @asynccontextmanager
    async def joined(one: Side, other: Side) -> AsyncIterator[None]:
        options = NatsOptions((url,))
        connections = [await Nats.connect(options, name) for name in ("one", "other")]
        await connections[0].carry(one.lane, "lane.back", "lane.there")
        await connections[1].carry(other.lane, "lane.there", "lane.back")
        try:
            yield
        finally:
            for each in connections:
                await each.close()

    return joined


@pytest.fixture(scope="module")
def nats_url() -> Iterator[str]:
    """Give the address of a server that accepts short messages only."""
    with nats_server(max_payload=64 * 1024) as server:
        yield server.url


@pytest.fixture(params=["unix", "nats", "losing"])
def joined(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Joined:
    """Give the function that joins two sides of a lane, for each transport in turn."""
    if request.param == "nats":
        return by_nats(request.getfixturevalue("nats_url"))
    if request.param == "losing":
        monkeypatch.setattr(lane_module, "AGAIN_SECONDS", 0.001)
        return by_losing
    return by_unix


def test_everything_comes_once_and_in_order_both_ways(joined: Joined) -> None:
    async def story() -> None:
        one, other = Side(), Side()
        async with joined(one, other):
            for number in range(300):
                one.lane.put(1, number, b"%d" % number)
                other.lane.put(2, number)
                if number % 3:
                    await asyncio.sleep(0)
            await until(lambda: len(other.taken) == 300 and len(one.taken) == 300)
            await until(lambda: one.lane.held == other.lane.held == 0)
            assert other.taken == [(1, number, b"%d" % number) for number in range(300)]
            assert one.taken == [(2, number, b"") for number in range(300)]
            one.lane.close()
            other.lane.close()

    run(story())


def test_messages_come_whole_however_long(joined: Joined) -> None:
    async def story() -> None:
        one, other = Side(), Side()
        # Longer than one read, and than a server accepts, beside short ones.
        long = bytes(range(256)) * 8_000
        sent: list[Entry] = [(1, 2, data) for data in (b"", long, b"short", long[:65_535])]
        async with joined(one, other):
            for each in sent:
                one.lane.put(*each)
                one.lane.flush()
            await until(lambda: len(other.taken) == len(sent))
            assert other.taken == sent
            one.lane.close()
            other.lane.close()

    run(story())


def test_a_long_turn_is_several_messages_each_short(joined: Joined) -> None:
    async def story() -> None:
        one, other = Side(), Side()
        async with joined(one, other):
            for number in range(64):
                one.lane.put(1, number, bytes(20_000))
            await until(lambda: len(other.taken) == 64)
            assert [number for _, number, _ in other.taken] == [*range(64)]
            assert max(len(turn) for turn in other.turns) * 20_000 <= lane_module.MESSAGE_BYTES
            one.lane.close()
            other.lane.close()

    run(story())


def test_the_last_of_all_arrives_though_its_sender_hangs_up(joined: Joined) -> None:
    async def story() -> None:
        one, other = Side(), Side()
        async with joined(one, other):
            one.lane.put(3, 4, b"the last")
            one.lane.close()
            await until(lambda: other.taken == [(3, 4, b"the last")])
            assert not one.lost
            other.lane.close()

    run(story())
