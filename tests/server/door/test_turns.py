"""Strangers have turns: a few requests at a time, in order, and with a limit on what waits."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import cast

import pytest

from taisai.server.door import turns as turns_module
from taisai.server.door.guests import Guest
from taisai.server.door.turns import FIRST_THINGS, TURN_MOST, Turns
from tests.kit.floor import run, until


class Way:
    """A transport that records that it was cut."""

    was_cut = False

    def abort(self) -> None:
        self.was_cut = True


def guest(way: Way | None = None) -> Guest:
    made = Guest("10.0.0.1", way or Way())
    made.standing = "newcomer"
    return made


def test_others_have_their_turn_after_a_few() -> None:
    async def play() -> None:
        turns, order = Turns(asyncio.get_running_loop()), list[str]()
        for number in range(3 * TURN_MOST):
            assert turns.add(guest(), partial(order.append, f"stranger {number}"), 10)

        def bet() -> None:
            order.append("bet")
            if len(turns):
                asyncio.get_running_loop().call_soon(bet)

        asyncio.get_running_loop().call_soon(bet)
        await until(lambda: not len(turns))
        strangers = [each for each in order if each != "bet"]
        assert strangers == [f"stranger {each}" for each in range(3 * TURN_MOST)]
        runs = "".join("b" if each == "bet" else "s" for each in order).split("b")
        assert max(map(len, runs)) <= TURN_MOST
        assert turns.held == 0

    run(play())


def test_who_sends_much_holds_nobody_else_back() -> None:
    async def play() -> None:
        turns, order = Turns(asyncio.get_running_loop()), list[str]()
        chatty, brief = guest(), guest()
        for number in range(5):
            turns.add(chatty, partial(order.append, f"chatty {number}"), 1)
        for number in range(2):
            turns.add(brief, partial(order.append, f"brief {number}"), 1)
        assert (len(turns), turns.unheard) == (7, 2)
        await until(lambda: not len(turns))
        assert order == ["chatty 0", "brief 0", "chatty 1", "brief 1", *_chatty(2, 3, 4)]
        assert (turns.unheard, turns.held) == (0, 0)

    run(play())


def test_who_has_hardly_been_heard_comes_first_and_the_others_are_heard_too() -> None:
    loop = Steps()
    turns, order = Turns(cast("asyncio.AbstractEventLoop", loop)), list[str]()
    heard = guest()
    heard.heard = FIRST_THINGS
    for _ in range(5):
        turns.add(heard, partial(order.append, "heard"), 1)
    for _ in range(5):
        turns.add(guest(), partial(order.append, "new"), 1)
    loop.run()
    assert order == [*["new"] * 3, "heard", *["new"] * 2, *["heard"] * 4]


def _chatty(*numbers: int) -> list[str]:
    return [f"chatty {number}" for number in numbers]


class Steps:
    """A loop whose clock moves only when its work moves it."""

    def __init__(self) -> None:
        self.now = 100.0
        self.soon: list[Callable[[], object]] = []
        self.later: list[tuple[float, Callable[[], object]]] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, work: Callable[..., object], *given: object) -> None:
        self.soon.append(partial(work, *given))

    def call_later(self, seconds: float, work: Callable[..., object]) -> None:
        self.later.append((seconds, work))

    def run(self) -> None:
        """Run everything that is due now."""
        while self.soon:
            passing, self.soon = self.soon, []
            for work in passing:
                work()


@pytest.mark.parametrize(
    ("busy", "rest"),
    [
        # Half of the time: after 10 ms there are 10 ms for the others.
        (0.0, 0.002),
        (0.010, 0.010),
        (10.0, 0.050),
    ],
)
def test_strangers_have_half_of_the_time_with_what_their_turns_begin(
    busy: float, rest: float
) -> None:
    loop = Steps()
    turns, done = Turns(cast("asyncio.AbstractEventLoop", loop)), list[str]()

    def answer() -> None:
        loop.now += busy

    # A request is read in its turn, and answered in later passes of the loop.
    turns.add(guest(), partial(loop.call_soon, partial(loop.call_soon, answer)), 1)
    loop.run()
    turns.add(guest(), partial(done.append, "next"), 1)
    loop.run()
    assert done == []
    [(seconds, _)] = loop.later
    assert seconds == pytest.approx(rest)


def test_a_few_who_come_now_and_then_hardly_wait() -> None:
    loop = Steps()
    turns = Turns(cast("asyncio.AbstractEventLoop", loop))

    def answer() -> None:
        loop.now += 0.010

    loop.now += 1.0
    rests = []
    for _ in range(30):
        turns.add(guest(), answer, 1)
        loop.run()
        if loop.later:
            (rest, go_on), *_ = loop.later
            rests.append(rest)
            loop.later.clear()
            loop.now += rest
            loop.call_soon(go_on)
            loop.run()
    # The time saved while nobody came is used up first; after that strangers have their share.
    assert rests[0] == pytest.approx(0.002)
    assert rests[-1] == pytest.approx(0.010)


def test_who_arrives_is_taken_in_turn_too() -> None:
    loop = Steps()
    turns, done = Turns(cast("asyncio.AbstractEventLoop", loop)), list[str]()

    def arrive() -> None:
        done.append("arrived")
        turns.arrive(arrive)

    turns.arrive(arrive)
    turns.add(guest(), partial(done.append, "heard"), 1)
    for number in range(1, 4):
        loop.run()
        assert done.count("arrived") == number
        (rest, go_on), *_ = loop.later
        loop.later.clear()
        loop.now += rest
        loop.call_soon(go_on)
    assert done[:2] == ["arrived", "heard"]


def test_who_has_gone_takes_nobodys_turn() -> None:
    async def play() -> None:
        turns, done = Turns(asyncio.get_running_loop()), list[int]()
        for _ in range(1_000):
            gone = guest()
            turns.add(gone, lambda: done.append(0), 1)
            gone.standing = "gone"
        turns.add(guest(), lambda: done.append(1), 1)
        await until(lambda: not len(turns))
        assert done == [1]

    run(play())


def test_only_so_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "HELD_MAX", 100)

    async def play() -> None:
        turns = Turns(asyncio.get_running_loop())
        assert turns.add(guest(), lambda: None, 60)
        assert not turns.add(guest(), lambda: None, 41)
        assert turns.add(guest(), lambda: None, 40)
        await until(lambda: not len(turns))
        assert turns.add(guest(), lambda: None, 100)

    run(play())


def test_a_fault_of_ours_ends_that_line_and_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        turns, done = Turns(asyncio.get_running_loop()), list[int]()
        first, second = Way(), Way()

        def fail() -> None:
            raise RuntimeError("a fault")

        turns.add(guest(first), fail, 1)
        turns.add(guest(second), lambda: done.append(1), 1)
        await until(lambda: bool(done))
        assert (first.was_cut, second.was_cut) == (True, False)

    run(play())
    assert "could not be looked at" in caplog.text
