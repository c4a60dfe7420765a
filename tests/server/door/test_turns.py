"""Strangers have their turns: a little at a time, in order, and only so much waits."""

import asyncio
from functools import partial

import pytest

from taisai.server.door import turns as turns_module
from taisai.server.door.guests import Guest
from taisai.server.door.turns import TURN_MOST, Turns
from tests.kit.floor import run, until


class Way:
    """A way that notes that it was cut."""

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
