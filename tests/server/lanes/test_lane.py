"""Lanes: in order and once, one message a turn, a window, and an end if nothing is read."""

import asyncio
import random
import socket
from collections.abc import Callable

import msgspec
import pytest

from taisai.server.lanes import lane as lane_module
from taisai.server.lanes.lane import VERSION, Entry, Lane, Message
from taisai.server.lanes.unix import connect
from tests.kit.carriers import Carrier
from tests.kit.floor import run, until
from tests.kit.lanes import Side

_read = msgspec.msgpack.Decoder(Message).decode


def joined(
    one: Side, other: Side, careless: random.Random | None = None
) -> tuple[Carrier, Carrier]:
    """Connect two sides, with a carrier in each direction."""
    there, back = Carrier(careless), Carrier(careless)
    there.to, back.to = other.lane, one.lane
    one.lane.connected(there)
    other.lane.connected(back)
    return there, back


def test_everything_of_one_turn_is_one_message() -> None:
    async def story() -> None:
        one, other = Side(), Side()
        there, back = joined(one, other)
        for number in range(5):
            one.lane.put(1, number, b"bet")
        await until(lambda: len(other.taken) == 5)
        one.lane.put(2, 7)
        await until(lambda: len(other.taken) == 6)
        assert other.turns == [[(1, number, b"bet") for number in range(5)], [(2, 7, b"")]]
        assert len(there.sent) == 2
        # The acknowledgement is sent without a call, once for both.
        await until(lambda: one.lane.held == 0)
        assert [_read(each).taken for each in back.sent][-1] == 2
        assert len(back.sent) <= 2

    run(story())


def test_whatever_is_lost_doubled_or_late_all_of_it_comes_once_and_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lane_module, "AGAIN_SECONDS", 0.0)

    async def story() -> None:
        one, other = Side(), Side()
        there, back = joined(one, other, random.Random(19))  # noqa: S311 - nothing secret
        for number in range(300):
            one.lane.put(1, number, b"%d" % number)
            other.lane.put(2, number)
            await asyncio.sleep(0)
        # If the last message is lost, no gap shows: it is sent again until it is acknowledged.
        for _ in range(50):
            one.lane.resend()
            other.lane.resend()
            await asyncio.sleep(0.001)
        assert other.taken == [(1, number, b"%d" % number) for number in range(300)]
        assert one.taken == [(2, number, b"") for number in range(300)]
        assert any(_read(each).again for each in [*there.sent, *back.sent])
        assert not one.lost + other.lost

    run(story())


def test_a_lane_is_full_until_what_waits_is_taken_and_broken_beyond_its_limit() -> None:
    async def story() -> None:
        one, other = Side(window=100, held_max=300), Side()
        carrier = Carrier()
        one.lane.connected(carrier)
        for number, length in enumerate((60, 60)):
            assert not one.lane.full, number
            one.lane.put(1, number, bytes(length))
            one.lane.flush()
        assert one.lane.full
        assert one.lane.untaken_seconds() >= 0
        taken = Message(VERSION, 0, 2, again=False, entries=[])
        one.lane.received(msgspec.msgpack.encode(taken))
        assert (one.lane.full, one.lane.held) == (False, 0)
        one.lane.put(1, 3, bytes(400))
        one.lane.flush()
        assert one.lost == ["more waits for it than may"]
        assert carrier.closed
        one.lane.put(1, 4)
        one.lane.flush()
        assert len(carrier.sent) == 3
        # Nor does it store what it will never send.
        assert not one.lane._entries
        assert not other.taken

    run(story())


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (b"\xc1", "it sent what is no message of a lane"),
        (
            msgspec.msgpack.encode(Message(VERSION + 1, 1, 0, again=False, entries=[])),
            f"it speaks version {VERSION + 1} of lanes, and this is {VERSION}",
        ),
    ],
)
def test_who_speaks_another_version_is_not_spoken_to(message: bytes, why: str) -> None:
    async def story() -> None:
        one = Side()
        carrier = Carrier()
        one.lane.connected(carrier)
        one.lane.received(message)
        (said,) = one.lost
        assert said.startswith(why)
        assert carrier.closed
        assert one.lane.broken

    run(story())


def test_a_lane_is_broken_where_a_message_is_not_done_to_its_end() -> None:
    async def story() -> None:
        def trip(_: list[Entry]) -> None:
            raise ValueError("a fault of ours")

        one, lost = Side(), list[str]()
        other = Lane(trip, lost.append)
        carrier = Carrier()
        carrier.to = other
        one.lane.connected(carrier)
        one.lane.put(1, 1, b"bet")
        await until(lambda: other.broken)
        assert lost == ["what it sent could not be done"]

    run(story())


def test_over_a_unix_socket_messages_come_whole_and_an_end_is_noticed() -> None:
    async def story() -> None:
        ends = socket.socketpair()
        one, other = Side(), Side()
        for side, end in zip((one, other), ends, strict=True):
            await connect(end, side.lane)
        # Longer than one read, beside short ones.
        long = bytes(range(256)) * 8_000
        for data in (b"", long, b"short"):
            one.lane.put(1, 2, data)
            one.lane.flush()
        await until(lambda: len(other.taken) == 3)
        assert [data for _, _, data in other.taken] == [b"", long, b"short"]
        await until(lambda: one.lane.held == 0)
        other.lane.put(3, 4, b"the last")
        other.lane.close()
        await until(lambda: bool(one.lost))
        assert one.taken == [(3, 4, b"the last")]
        assert not other.lost

    run(story())


def test_who_hangs_up_stays_until_the_last_that_may_be_lost_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lane_module, "AGAIN_SECONDS", 0.001)

    async def story() -> None:
        one, other = Side(), Side()
        there, _ = joined(one, other, random.Random(7))  # noqa: S311 - nothing secret
        there.to = None  # the way loses what is sent first
        one.lane.put(3, 4, b"the last")
        one.lane.close()
        one.lane.put(3, 5, b"too late")
        other.lane.put(6, 7, b"to nobody")
        await until(lambda: len(there.sent) > 3)
        assert not there.closed
        there.to = other.lane
        await until(lambda: there.closed)
        assert other.taken == [(3, 4, b"the last")]
        assert one.taken == []
        assert one.lost == []

    run(story())


def test_who_hangs_up_does_not_stay_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_module, "LAST_SECONDS", 0.01)

    async def story() -> None:
        one, other = Side(), Side()
        there, _ = joined(one, other, random.Random(7))  # noqa: S311 - nothing secret
        there.to = None
        one.lane.put(3, 4, b"the last")
        one.lane.close()
        await until(lambda: there.closed)
        assert other.taken == []

    run(story())


def test_what_was_sent_before_there_was_a_way_goes_out_when_there_is() -> None:
    async def story() -> None:
        one, other = Side(), Side()
        send: list[Callable[[], None]] = [lambda: one.lane.put(1, 1), one.lane.flush]
        for each in send:
            each()
        joined(one, other)
        await until(lambda: other.taken == [(1, 1, b"")])

    run(story())
