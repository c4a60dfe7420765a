"""Wrong tries: how the wait grows, for whom, and that a hundred at once count as a hundred."""

import asyncio
from pathlib import Path

import pytest

from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.staff import LockedOut
from taisai.server.accounts.limiting import Bucket, Buckets, Tries, TryLimits
from tests.kit.accounts import (
    PLACE,
    Household,
    household,
    password_of,
    pin_of,
)
from tests.kit.floor import run

WRONG = refuse("LOG_IN_REFUSED")


async def _try(home: Household, person: str, place: str = PLACE, right: str = "") -> object:
    """Try to log in with a wrong password, or with a given one."""
    password = password_of(right) if right else "wrong"
    return await home.accounts.log_in(person, password, "dealer", place)


@pytest.mark.parametrize("person", ["Dan", "nobody"])
def test_after_five_wrong_passwords_the_wait_doubles(tmp_path: Path, person: str) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            for _ in range(5):
                assert await _try(home, person) == WRONG
            before = home.accounts.hashing.verified
            for seconds in (1, 2, 4, 8):
                refused = refuse("TOO_MANY_TRIES", seconds=seconds)
                assert await _try(home, person) == refused
                assert await _try(home, person, right="Dan") == refused
                home.hands.pass_(seconds)
                assert await _try(home, person) == WRONG
            assert home.accounts.hashing.verified - before == 4

    run(work())


def test_one_name_written_in_many_ways_is_one_name(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            for written in ("Dan", "dan", " DAN ", "\uff24\uff21\uff2e", "d\uff41n"):
                assert await _try(home, written) == WRONG
            assert await _try(home, "\uff24an") == refuse("TOO_MANY_TRIES", seconds=1)

    run(work())


def test_the_wait_ends_at_a_quarter_of_an_hour_and_is_forgotten_after_an_hour(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            for _ in range(30):
                home.hands.pass_(900)
                assert await _try(home, "Dan") == WRONG
            assert await _try(home, "Dan") == refuse("TOO_MANY_TRIES", seconds=900)
            home.hands.pass_(900 + 3600)
            for _ in range(5):
                assert await _try(home, "Dan") == WRONG

    run(work())


def test_a_right_password_starts_the_count_anew(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            for _ in range(3):
                for _ in range(4):
                    assert await _try(home, "Dan") == WRONG
                await home.log_in("Dan")

    run(work())


def test_a_lock_out_is_written_down_for_staff_and_never_what_a_stranger_typed(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            for _ in range(4):
                await _try(home, "Dan")
            assert not any(isinstance(each, LockedOut) for each in await home.events())
            await _try(home, "dan")
            for _ in range(10):
                await _try(home, "a password by mistake", "192.0.2.8")
            locked = [each for each in await home.events() if isinstance(each, LockedOut)]
            assert locked == [LockedOut("Dan", PLACE)]

    run(work())


def test_a_stranger_elsewhere_does_not_lock_a_person_out(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            for _ in range(10):
                await _try(home, "Dan", "198.51.100.9")
            await home.log_in("Dan")

    run(work())


def test_a_place_that_tries_many_names_has_to_wait(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan", "Cat")) as home:
            for number in range(20):
                assert await _try(home, f"name {number}") == WRONG
            assert await _try(home, "Dan") == refuse("TOO_MANY_TRIES", seconds=1)
            # Logging in to one's own account does not clear the tries with other names.
            home.hands.pass_(1)
            assert not isinstance(await home.log_in("Cat", "cage"), Refusal)
            assert await _try(home, "Dan") == WRONG
            assert await _try(home, "Dan") == refuse("TOO_MANY_TRIES", seconds=2)

    run(work())


def test_a_name_tried_from_many_places_has_to_wait(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            for number in range(50):
                assert await _try(home, "Dan", f"198.51.100.{number}") == WRONG
            assert await _try(home, "Dan", "203.0.113.1") == refuse("TOO_MANY_TRIES", seconds=1)

    run(work())


def test_a_hundred_tries_at_once_are_not_one(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            before = home.accounts.hashing.verified
            answers = await asyncio.gather(*(_try(home, "Dan") for _ in range(100)))
            assert answers.count(WRONG) == 5
            assert answers.count(refuse("TOO_MANY_TRIES", seconds=1)) == 95
            assert home.accounts.hashing.verified - before == 5

    run(work())


# --- PINs -----------------------------------------------------------------------------------------


def test_five_wrong_pins_lock_it_for_five_minutes_in_every_session(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            _, session = await home.log_in("Dan")
            for _ in range(4):
                assert await home.accounts.check_pin(session, "864209") == refuse("WRONG_PIN")
            assert await home.accounts.check_pin(session, pin_of("Dan")) is None
            for _ in range(5):
                assert await home.accounts.check_pin(session, "864209") == refuse("WRONG_PIN")
            locked = refuse("PIN_LOCKED", seconds=300)
            assert await home.accounts.check_pin(session, pin_of("Dan")) == locked
            _, other = await home.log_in("Dan")
            assert await home.accounts.check_pin(other, pin_of("Dan")) == locked
            assert LockedOut("Dan", PLACE) in await home.events()
            home.hands.pass_(300)
            assert await home.accounts.check_pin(session, "864209") == refuse("WRONG_PIN")
            assert await home.accounts.check_pin(session, "864209") == refuse(
                "PIN_LOCKED", seconds=600
            )
            home.hands.pass_(600)
            assert await home.accounts.check_pin(session, pin_of("Dan")) is None

    run(work())


def test_a_hundred_pins_at_once_are_not_one(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            _, session = await home.log_in("Dan")
            answers = await asyncio.gather(
                *(home.accounts.check_pin(session, f"{number:06d}") for number in range(100))
            )
            assert answers.count(refuse("WRONG_PIN")) == 5

    run(work())


# --- the tables -----------------------------------------------------------------------------------


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(per_second=2, burst=3)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait_seconds == 0.5
    assert not bucket.take(100.25)
    assert bucket.take(100.5)
    assert not bucket.take(100.75)
    assert [bucket.take(1000.0) for _ in range(4)] == [True, True, True, False]


def test_callers_who_are_quiet_longest_are_forgotten() -> None:
    buckets = Buckets(1, 1, most=2)
    first = buckets.of("a")
    buckets.of("b")
    assert buckets.of("a") is first
    buckets.of("c")
    assert len(buckets) == 2
    assert buckets.of("a") is first


def test_names_that_are_quiet_longest_are_forgotten() -> None:
    tries = Tries(TryLimits(free=1, first_ms=10, most_ms=100, forgotten_ms=1000), most=2)
    for name in ("a", "b", "a", "c"):
        tries.begin(name, 0)
    assert len(tries) == 2
    assert [tries.wait_ms(name, 0) for name in ("a", "b", "c")] == [20, 0, 10]


def test_a_try_that_was_right_is_taken_back() -> None:
    tries = Tries(TryLimits(free=2, first_ms=10, most_ms=100, forgotten_ms=1000))
    tries.begin("a", 0)
    tries.begin("a", 0)
    assert tries.wait_ms("a", 0) == 10
    tries.take_back("a")
    assert tries.wait_ms("a", 0) == 0
    tries.take_back("nobody")
    assert len(tries) == 1


def test_a_pin_of_somebody_who_left_meanwhile_is_good_for_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            token, session = await home.log_in("Dan")
            checking = asyncio.ensure_future(home.accounts.check_pin(session, pin_of("Dan")))
            await asyncio.sleep(0)
            home.accounts.log_out(token)
            assert await checking == refuse("NOT_LOGGED_IN")

    run(work())
