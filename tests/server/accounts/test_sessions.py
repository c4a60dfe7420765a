"""Sessions: how long one lasts, how many there may be, and who is notified when one ends."""

import asyncio
import logging
from pathlib import Path

import pytest

from taisai.server.accounts.sessions import Session, Sessions, id_of
from taisai.server.settings import Settings
from tests.kit.accounts import household
from tests.kit.floor import run

MINUTE = 60_000


def made() -> Sessions:
    """Make sessions that end after 15 idle minutes, or after an hour."""
    return Sessions(idle_ms=15 * MINUTE, most_ms=60 * MINUTE)


def begun(sessions: Sessions, person: str = "Dan", now: int = 0) -> tuple[str, Session]:
    """Begin a session, for which there is room."""
    found = sessions.begin(person, "dealer", "here", now)
    assert found is not None
    return found


def test_a_session_that_is_used_lasts_and_one_that_is_not_ends() -> None:
    sessions = made()
    used, session = begun(sessions)
    idle, _ = begun(sessions)
    assert sessions.find(used, 14 * MINUTE) is session
    assert sessions.find(used, 28 * MINUTE) is session
    assert sessions.find(idle, 15 * MINUTE) is None
    assert sessions.find(idle, 0) is None


def test_no_session_outlasts_a_shift_however_busy() -> None:
    sessions = made()
    token, session = begun(sessions)
    for minute in range(10, 60, 10):
        assert sessions.find(token, minute * MINUTE) is session
    assert session.idle_at == session.expires == 60 * MINUTE
    assert sessions.find(token, 60 * MINUTE - 1) is session
    assert sessions.find(token, 60 * MINUTE) is None


def test_only_a_hash_of_the_token_is_kept() -> None:
    sessions = made()
    token, session = begun(sessions)
    assert token not in str(vars(sessions))
    assert sessions.find(session.id, 0) is None
    assert len(token) == 43
    assert len({begun(sessions, f"person {each}")[0] for each in range(100)}) == 100


@pytest.mark.parametrize("token", ["", "x", "x" * 1_000_000, "\ud800", "\0", "é" * 43])
def test_what_is_no_token_finds_nothing(token: str) -> None:
    sessions = made()
    begun(sessions)
    assert sessions.find(token, 0) is None


def test_a_person_with_too_many_sessions_loses_the_oldest() -> None:
    sessions = made()
    tokens = [begun(sessions)[0] for _ in range(9)]
    others, _ = begun(sessions, "Cat")
    found = [sessions.find(token, 0) is not None for token in tokens]
    assert found == [False] + [True] * 8
    assert sessions.find(others, 0) is not None


def test_there_is_an_end_to_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.server.accounts.sessions.SESSIONS_MAX", 2)
    sessions = made()
    first, _ = begun(sessions, "Dan")
    begun(sessions, "Cat")
    assert sessions.begin("Ann", "auditor", "here", 0) is None
    assert sessions._by_person.keys() == {"Dan", "Cat"}
    assert sessions.find(first, 0) is not None


def test_everybody_is_told_of_an_end_once_whatever_one_of_them_does(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sessions, told = made(), list[Session]()

    def trip(_: Session) -> None:
        raise ValueError("a listener's own trouble")

    sessions.ended += [trip, told.append]
    token, session = begun(sessions)
    with caplog.at_level(logging.ERROR):
        sessions.end(session)
        sessions.end(session)
    assert told == [session]
    assert caplog.messages == ["the end of a session could not be passed on"]
    assert token not in caplog.text


def test_sweeping_ends_what_is_idle_and_tells_when_the_next_is() -> None:
    sessions = made()
    assert sessions.next_end() is None
    begun(sessions, "Dan", now=0)
    _, later = begun(sessions, "Cat", now=MINUTE)
    assert sessions.next_end() == 15 * MINUTE
    sessions.sweep(15 * MINUTE)
    assert sessions.all() == [later]


def test_a_session_that_nobody_asks_for_ends_by_itself(tmp_path: Path) -> None:
    async def work() -> None:
        settings = Settings(tmp_path, session_idle_seconds=0, session_seconds=0)
        async with household(tmp_path, equipped=("Dan",), settings=settings) as home:
            over = asyncio.Event()
            home.accounts.sessions.ended.append(lambda _: over.set())
            token, session = await home.log_in("Dan")
            assert session.id == id_of(token)
            async with asyncio.timeout(10):
                await over.wait()
            assert len(home.accounts.sessions) == 0

    run(work())
