"""Logging in and out: who gets a session, in which role, and what the journal records of it."""

from pathlib import Path

import pytest

from taisai.core.kernel.messages import Actor, Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.staff import ChangeRoles, GiveCode, LoggedIn, LoggedOut
from taisai.runtime.answers import HOST
from taisai.runtime.streams import VENUE
from taisai.server.accounts.credentials import Verifiers
from taisai.server.accounts.sessions import Session, id_of
from tests.kit.accounts import (
    PLACE,
    Household,
    code_for,
    household,
    password_of,
    pin_of,
)
from tests.kit.floor import run, until


def test_a_person_logs_in_in_a_role_of_theirs_and_it_is_written_down(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Sue Lim",)) as home:
            token, session = await home.log_in("Sue Lim", "dealer")
            assert (session.person, session.role, session.place) == ("Sue Lim", "dealer", PLACE)
            assert home.accounts.session(token) is session
            assert session.id == id_of(token)
            assert token not in repr(session)
            assert (await home.events())[-1] == LoggedIn("Sue Lim", "dealer", PLACE)

    run(work())


def test_a_name_is_found_however_it_is_typed(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Sue Lim",)) as home:
            begun = await home.accounts.log_in(
                "  sue   LIM ", password_of("Sue Lim"), "dealer", PLACE
            )
            assert not isinstance(begun, Refusal)
            assert begun[1].person == "Sue Lim"

    run(work())


@pytest.mark.parametrize(
    ("person", "password"),
    [
        ("Dan", "not the password"),
        ("Dan", password_of("Dan") + " "),
        ("Dan", password_of("Dan").upper()),
        ("Dan", ""),
        ("Dan", "x" * 100_000),
        ("Dan", "\ud800"),
        ("Cat", password_of("Cat")),
        ("nobody", "not the password"),
        ("", ""),
        ("n" * 100_000, "not the password"),
    ],
)
def test_a_wrong_name_and_a_wrong_password_get_the_same_answer_after_the_same_work(
    tmp_path: Path, person: str, password: str
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            before, written = home.accounts.hashing.verified, len(await home.events())
            answer = await home.accounts.log_in(person, password, "dealer", PLACE)
            assert answer == refuse("LOG_IN_REFUSED")
            assert home.accounts.hashing.verified - before == 1
            assert len(await home.events()) == written
            assert len(home.accounts.sessions) == 0

    run(work())


@pytest.mark.parametrize("role", ["shift-manager", "system", "terminal", "device", "", "nothing"])
def test_nobody_takes_a_role_that_is_not_theirs(tmp_path: Path, role: str) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            answer = await home.accounts.log_in("Dan", password_of("Dan"), role, PLACE)
            assert answer == refuse("ROLE_NOT_HELD", person="Dan", role=role)
            assert len(home.accounts.sessions) == 0

    run(work())


def test_logging_out_ends_the_session_and_is_written_down(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            token, _ = await home.log_in("Dan")
            home.accounts.log_out(token)
            assert home.accounts.session(token) is None
            home.accounts.log_out(token)
            assert [e for e in await home.events() if isinstance(e, LoggedOut)] == [
                LoggedOut("Dan")
            ]

    run(work())


def test_a_dismissed_person_is_out_at_once_and_nothing_is_kept(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan", "Cat")) as home:
            ended: list[Session] = []
            home.accounts.sessions.ended.append(ended.append)
            (first, _), (second, _) = await home.log_in("Dan"), await home.log_in("Dan")
            others, _ = await home.log_in("Cat")
            await home.dismiss("Dan")
            assert home.accounts.session(first) is None
            # The second session ends by itself, without a request.
            await until(lambda: len(ended) == 2)
            assert home.accounts.session(second) is None
            assert home.accounts.session(others) is not None
            await until(lambda: not home.accounts.has_credentials("Dan"))
            await home.engage("Dan", ("dealer",))
            again = await home.accounts.log_in("Dan", password_of("Dan"), "dealer", PLACE)
            assert again == refuse("LOG_IN_REFUSED")

    run(work())


def test_who_loses_a_role_loses_the_sessions_in_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Sue Lim",)) as home:
            ended: list[Session] = []
            home.accounts.sessions.ended.append(ended.append)
            dealing, _ = await home.log_in("Sue Lim", "dealer")
            _, supervising = await home.log_in("Sue Lim", "supervisor")
            await home.floor.both(
                VENUE,
                Actor("Mei", "shift-manager"),
                ChangeRoles("Sue Lim", ("dealer",)),
                Actor("Max", "pit-manager"),
            )
            await until(lambda: ended == [supervising])
            assert home.accounts.session(dealing) is not None

    run(work())


def test_people_who_left_while_the_accounts_were_closed_are_forgotten(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            home.accounts._credentials.set_verifiers("Gone", Verifiers("one", "two", 1))
            home.accounts._forget_strangers()
            assert home.accounts._credentials.persons() == ["Dan"]

    run(work())


def test_a_venue_that_stops_lets_nobody_in(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            home.venue.writer(VENUE).suspend("a test")
            answer = await home.accounts.log_in("Dan", password_of("Dan"), "dealer", PLACE)
            assert isinstance(answer, Refusal)
            assert answer.code == "TABLE_SUSPENDED"
            assert len(home.accounts.sessions) == 0

    run(work())


# --- codes ----------------------------------------------------------------------------------------


async def _set(home: Household, person: str, code: str) -> Refusal | None:
    return await home.accounts.set_credentials(person, code, password_of("Dan"), pin_of("Dan"))


def test_a_code_is_good_once_for_one_person_and_a_day(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path) as home:
            code = await code_for(home.accounts, "Dan")
            bad = refuse("BAD_CODE")
            assert await _set(home, "Cat", code) == bad
            assert await _set(home, "nobody", code) == bad
            assert await _set(home, "Dan", "") == bad
            assert await _set(home, "Dan", code[:-1]) == bad
            assert await _set(home, "Dan", code.lower().replace("-", " ")) is None
            assert await _set(home, "Dan", code) == bad
            late = await code_for(home.accounts, "Cat")
            home.hands.pass_(24 * 3600)
            assert await _set(home, "Cat", late) == bad
            replaced = await code_for(home.accounts, "Ann")
            newest = await code_for(home.accounts, "Ann")
            assert await _set(home, "Ann", replaced) == bad
            assert await _set(home, "Ann", newest) is None

    run(work())


def test_a_weak_password_or_pin_does_not_use_the_code_up(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path) as home:
            code = await code_for(home.accounts, "Dan")
            weak = await home.accounts.set_credentials("Dan", code, "short", pin_of("Dan"))
            assert weak == refuse("WEAK_PASSWORD", least=12, most=256)
            weak = await home.accounts.set_credentials("Dan", code, password_of("Dan"), "123456")
            assert weak == refuse("WEAK_PIN", least=6, most=12)
            assert await _set(home, "Dan", code) is None

    run(work())


def test_a_code_is_for_somebody_on_the_staff(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path) as home:
            order = Order(home.floor.new_id(), HOST, GiveCode("nobody", "Mei", "Max"))
            refused = await home.venue.submit(VENUE, order)
            assert refused == refuse("UNKNOWN_PERSON", person="nobody")
            assert home.accounts.half("nobody", "Mei") is None

    run(work())


def test_new_credentials_end_the_sessions_of_the_old(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            token, _ = await home.log_in("Dan")
            await home.equip("Dan")
            assert home.accounts.session(token) is None

    run(work())


# --- demo -----------------------------------------------------------------------------------------


def test_one_click_is_for_a_demo_venue_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path) as home:
            with pytest.raises(PermissionError):
                home.accounts.demo_session("Dan", "dealer")

    run(work())


def test_one_click_in_a_demo_venue(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, demo=True) as home:
            token, session = home.accounts.demo_session("Dan", "dealer")
            assert session.demo
            assert home.accounts.session(token) is session
            assert await home.accounts.check_pin(session, "135246") is None
            assert await home.accounts.check_pin(session, "135247") == refuse("WRONG_PIN")

    run(work())
