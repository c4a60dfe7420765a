"""Accounts in trouble: threads that are busy, a disk that is full, a venue that stops."""

import asyncio
import logging
from pathlib import Path

import apsw
import pytest

from taisai.core.rules.reason import refuse
from taisai.core.venue.staff import RecordLogIn
from taisai.runtime.streams import VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import (
    Credentials,
    CredentialsError,
    code_while_stopped,
    credentials_key,
)
from taisai.server.accounts.hashing import Hashing, HashingBusyError
from taisai.server.settings import Settings
from tests.kit.accounts import CHEAP, PLACE, code_for, household, password_of, pin_of
from tests.kit.floor import run, until

BUSY = refuse("BUSY", stream="log-in")


async def _busy(*_: object, **__: object) -> bool:
    raise HashingBusyError


def test_busy_threads_are_told_and_cost_nobody_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            _, session = await home.log_in("Dan")
            code = await code_for(home.accounts, "Cat")
            given = ("Cat", code, password_of("Cat"), pin_of("Cat"))
            with monkeypatch.context() as busy:
                busy.setattr(Hashing, "verify", _busy)
                busy.setattr(Hashing, "make", _busy)
                for _ in range(20):
                    assert await home.accounts.check_pin(session, pin_of("Dan")) == BUSY
                assert await home.accounts.set_credentials(*given) == BUSY
            assert await home.accounts.check_pin(session, pin_of("Dan")) is None
            assert await home.accounts.set_credentials(*given) is None

    run(work())


def test_a_verifier_that_cannot_be_made_anew_now_is_another_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            before = home.accounts._credentials.verifiers("Dan")
            monkeypatch.setattr(Hashing, "outdated", lambda *_: True)
            monkeypatch.setattr(Hashing, "make", _busy)
            await home.log_in("Dan")
            assert home.accounts._credentials.verifiers("Dan") == before

    run(work())


def test_a_code_used_by_two_at_once_is_used_by_one(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path) as home:
            code = await code_for(home.accounts, "Dan")
            answers = await asyncio.gather(
                *(
                    home.accounts.set_credentials("Dan", code, f"a long password {each}", "271845")
                    for each in range(5)
                )
            )
            assert answers.count(None) == 1
            assert answers.count(refuse("BAD_CODE")) == 4

    run(work())


def test_somebody_dismissed_while_they_log_in_is_not_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            submit = Accounts._submit

            async def late(accounts: Accounts, command: RecordLogIn) -> object:
                answer = await submit(accounts, command)
                await home.dismiss("Dan")
                return answer

            with monkeypatch.context() as slow:
                slow.setattr(Accounts, "_submit", late)
                answer = await home.accounts.log_in("Dan", password_of("Dan"), "dealer", PLACE)
            assert answer == refuse("LOG_IN_REFUSED")
            assert len(home.accounts.sessions) == 0

    run(work())


def test_a_venue_with_no_room_for_sessions_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",), demo=True) as home:
            monkeypatch.setattr("taisai.server.accounts.sessions.SESSIONS_MAX", 0)
            answer = await home.accounts.log_in("Dan", password_of("Dan"), "dealer", PLACE)
            assert answer == BUSY
            with pytest.raises(OverflowError):
                home.accounts.demo_session("Dan", "dealer")

    run(work())


def test_who_leaves_is_out_even_if_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan", "Cat")) as home:
            token, _ = await home.log_in("Dan")
            cats, _ = await home.log_in("Cat")
            with monkeypatch.context() as full:
                full.setattr(Credentials, "forget", _full)
                await home.dismiss("Dan")
                await until(lambda: "could not be forgotten" in caplog.text)
            assert home.accounts.session(token) is None
            # The venue goes on listening.
            await home.dismiss("Cat")
            await until(lambda: not home.accounts.has_credentials("Cat"))
            assert home.accounts.session(cats) is None

    run(work())


def _full(*_: object) -> None:
    raise CredentialsError("the disk is full")


def test_what_cannot_be_written_down_is_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            (first, _), (second, _) = await home.log_in("Dan"), await home.log_in("Dan")
            with monkeypatch.context() as none:
                none.setattr("taisai.server.accounts.accounts.RECORDING_MAX", 0)
                home.accounts.log_out(first)
            home.venue.writer(VENUE).suspend("a test")
            home.accounts.log_out(second)
            await home.accounts.settled()
            assert len(home.accounts.sessions) == 0

    with caplog.at_level(logging.WARNING):
        run(work())
    assert "RecordLogOut is not written down: too many wait" in caplog.text
    assert "RecordLogOut is not written down: TABLE_SUSPENDED" in caplog.text


def test_a_code_made_while_the_venue_is_stopped_is_for_somebody_on_the_staff(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with household(tmp_path) as home:
            home.accounts.close()
            file = tmp_path / "credentials.db"
            key = credentials_key(home.venue.sealing)
            version = home.venue.state.codes["Dan"]
            halves, expires = code_while_stopped(file, key, "Dan", home.now(), version)
            dans = "".join(halves)
            assert expires == home.now() + 24 * 3_600_000
            zoes, _ = code_while_stopped(file, key, "Zoe", home.now(), version + 1)
            strangers = "".join(zoes)
            home.accounts = Accounts.open(file, home.venue, Settings(tmp_path), cost=CHEAP)
            try:
                await home.engage("Zoe", ("dealer",))
                given = ("a long password", "271845")
                # Credentials of a person not on the staff when the venue opened are deleted.
                refused = await home.accounts.set_credentials("Zoe", strangers, *given)
                assert refused == refuse("BAD_CODE")
                assert await home.accounts.set_credentials("Dan", dans, *given) is None
            finally:
                home.accounts.close()

    run(work())


def test_a_log_that_cannot_be_carried_back_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    credentials = Credentials.open(tmp_path / "credentials.db", b"key")

    class Broken:
        def __init__(self, connection: apsw.Connection) -> None:
            self._connection = connection

        def __getattr__(self, name: str) -> object:
            return getattr(self._connection, name)

        def wal_checkpoint(self, *_: object, **__: object) -> None:
            raise apsw.IOError("the disk is gone")

    connection = credentials._connection
    monkeypatch.setattr(credentials, "_connection", Broken(connection))
    try:
        with pytest.raises(CredentialsError, match="the disk is gone"):
            credentials._overwrite()
    finally:
        connection.close()
