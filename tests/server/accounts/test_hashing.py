"""Verifiers: what they cost, how a flood of log-ins is bounded, and how they are renewed."""

import asyncio
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from taisai.core.rules.reason import Refusal, refuse
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.hashing import (
    COST,
    KNOWN_MAX,
    STRANGERS_MAX,
    WORKERS,
    Cost,
    Hashing,
    HashingBusyError,
)
from tests.kit.accounts import (
    CHEAP,
    PLACE,
    household,
    password_of,
    pin_of,
)
from tests.kit.floor import run


def test_the_cost_is_not_below_what_owasp_asks_for() -> None:
    at_this_memory = {47_104: 1, 19_456: 2, 12_288: 3, 9_216: 4, 7_168: 5}
    assert COST.passes >= at_this_memory[COST.memory_kib]
    assert COST.lanes == 1


def test_a_verifier_says_its_cost_and_nobodys_looks_the_same() -> None:
    async def work() -> None:
        hashing = Hashing(CHEAP)
        try:
            made = await hashing.make("a secret")
            shape = r"\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}"
            assert re.fullmatch(shape, made)
            assert re.fullmatch(shape, hashing._nobodys)
            assert await hashing.verify(made, "a secret", stranger=True)
            assert not await hashing.verify(made, "another", stranger=True)
            assert not await hashing.verify(None, "a secret", stranger=True)
            assert not hashing.outdated(made)
        finally:
            hashing.close()

    run(work())


def test_a_password_is_the_same_on_every_keyboard() -> None:
    async def work() -> None:
        hashing = Hashing(CHEAP)
        try:
            made = await hashing.make("caf\u00e9 \u9ab0\u5b50 \ufb01ve")
            assert await hashing.verify(made, "cafe\u0301 \u9ab0\u5b50 five", stranger=True)
        finally:
            hashing.close()

    run(work())


def test_a_verifier_that_cannot_be_read_matches_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        hashing = Hashing(CHEAP)
        try:
            assert not await hashing.verify("$argon2id$nonsense", "a secret", stranger=True)
        finally:
            hashing.close()

    run(work())
    assert "a verifier cannot be read" in caplog.text
    assert "a secret" not in caplog.text


class Held:
    """Holds the threads of a hashing until it is released, and counts how many work at once."""

    def __init__(self, hashing: Hashing) -> None:
        self.go = threading.Event()
        self.began = threading.Semaphore(0)
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()
        self._hasher = hashing._hasher
        hashing._hasher = self  # type: ignore[assignment]

    def verify(self, hash_: str | bytes, password: str | bytes) -> bool:
        """Verify after the release."""
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        self.began.release()
        assert self.go.wait(10)
        with self._lock:
            self._now -= 1
        return self._hasher.verify(hash_, password)

    def check_needs_rehash(self, hash_: str | bytes) -> bool:
        """Check without waiting."""
        return self._hasher.check_needs_rehash(hash_)


def test_a_flood_of_log_ins_is_bounded_and_pins_still_get_through(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            _, session = await home.log_in("Dan")
            held = Held(home.accounts.hashing)
            flood = [
                asyncio.ensure_future(
                    home.accounts.log_in(f"name {each}", "wrong", "dealer", f"198.51.100.{each}")
                )
                for each in range(200)
            ]
            busy = [task for task in flood if await _soon(task)]
            assert len(busy) == 200 - STRANGERS_MAX
            assert {str(task.result()) for task in busy} == {str(refuse("BUSY", stream="log-in"))}
            pin = asyncio.ensure_future(home.accounts.check_pin(session, pin_of("Dan")))
            await asyncio.sleep(0)
            held.go.set()
            assert await pin is None
            answers = await asyncio.gather(*flood)
            assert answers.count(refuse("LOG_IN_REFUSED")) == STRANGERS_MAX
            assert held.most <= WORKERS

    run(work())


def test_who_is_turned_away_for_want_of_time_has_not_tried(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            held = Held(home.accounts.hashing)
            others = [
                asyncio.ensure_future(home.accounts.log_in(f"{each}", "x", "dealer", f"{each}"))
                for each in range(STRANGERS_MAX)
            ]
            await asyncio.sleep(0)
            for _ in range(100):
                answer = await home.accounts.log_in("Dan", "wrong", "dealer", PLACE)
                assert answer == refuse("BUSY", stream="log-in")
            held.go.set()
            await asyncio.gather(*others)
            for _ in range(4):
                answer = await home.accounts.log_in("Dan", "wrong", "dealer", PLACE)
                assert answer == refuse("LOG_IN_REFUSED")
            await home.log_in("Dan")

    run(work())


async def _soon(task: "asyncio.Future[Any]") -> bool:
    """Say whether a task ends without waiting for a thread."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task.done()


def test_the_known_too_have_an_end() -> None:
    async def work() -> None:
        hashing = Hashing(CHEAP)
        held = Held(hashing)
        try:
            tasks = [
                asyncio.ensure_future(hashing.verify(None, "x", stranger=False))
                for _ in range(STRANGERS_MAX + KNOWN_MAX)
            ]
            await asyncio.sleep(0)
            with pytest.raises(HashingBusyError):
                await hashing.verify(None, "x", stranger=False)
            held.go.set()
            assert await asyncio.gather(*tasks) == [False] * len(tasks)
            assert not await hashing.verify(None, "x", stranger=True)
        finally:
            held.go.set()
            hashing.close()

    run(work())


def test_who_hangs_up_does_not_make_room_before_the_work_is_done() -> None:
    async def work() -> None:
        hashing = Hashing(CHEAP)
        held = Held(hashing)
        try:
            tasks = [
                asyncio.ensure_future(hashing.verify(None, "x", stranger=True))
                for _ in range(STRANGERS_MAX)
            ]
            await asyncio.sleep(0)
            for _ in range(WORKERS):
                assert await asyncio.to_thread(held.began.acquire, timeout=10)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            # The waiting ones are gone; those at work are still there.
            assert hashing._strangers == WORKERS
            held.go.set()
        finally:
            held.go.set()
            hashing.close()
        assert hashing._strangers == 0

    run(work())


def test_verifiers_made_at_another_cost_are_made_anew_when_they_are_used(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",), cost=CHEAP) as home:
            dearer = Cost(memory_kib=16, passes=2)
            before = home.accounts._credentials.verifiers("Dan")
            home.accounts.hashing.close()
            home.accounts.hashing = Hashing(dearer)
            wrong = await home.accounts.log_in("Dan", "wrong", "dealer", PLACE)
            assert wrong == refuse("LOG_IN_REFUSED")
            assert home.accounts._credentials.verifiers("Dan") == before
            _, session = await home.log_in("Dan")
            assert await home.accounts.check_pin(session, pin_of("Dan")) is None
            after = home.accounts._credentials.verifiers("Dan")
            assert after is not None
            assert "m=16,t=2" in after.password
            assert "m=16,t=2" in after.pin
            again = await home.accounts.log_in("Dan", password_of("Dan"), "dealer", PLACE)
            assert not isinstance(again, Refusal)

    run(work())


def test_closed_accounts_turn_everybody_away(tmp_path: Path) -> None:
    async def work() -> Accounts:
        async with household(tmp_path, equipped=("Dan",)) as home:
            home.accounts.hashing.close()
            answer = await home.accounts.log_in("Dan", password_of("Dan"), "dealer", PLACE)
            assert answer == refuse("BUSY", stream="log-in")
            return home.accounts

    run(work())
