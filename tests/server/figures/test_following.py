"""Figures of a running venue: caught up, kept up, and nothing counted twice or lost."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from taisai.core.rules.reason import Refusal
from taisai.core.table.round import BetsOpened, ConfirmResult, OpenBets, Settle
from taisai.projections.figures.days import Dates, GamingDays
from taisai.projections.figures.tally import Tally
from taisai.runtime.answers import Registered
from taisai.runtime.journal import group_commit as committing
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.server.figures import follower as following
from taisai.server.figures.follower import Figures, Fold, Followed, begin_fold, read_fold
from taisai.server.http.audit.journal_workers import JournalWorkers, reading_by
from taisai.server.settings import Settings
from tests.kit.floor import Floor, keys, run, until
from tests.kit.people import DEALER
from tests.runtime.failing_journals import FailingJournal
from tests.server.figures.playing import (
    assert_meters,
    correct,
    play,
    read_tally,
    reverse,
    void_round,
)

STREAM = "table/T1"


async def nobody(*_: object) -> Tally:
    raise AssertionError("a short journal is read in the venue")


async def opened(where: Path | Journal, venue_keys: object) -> Floor:
    floor = await Floor.open(where, venue_keys)  # type: ignore[arg-type]
    if not floor.venue.tables():
        await floor.found()
        await floor.add_table("T1", "etg8/2", credit=10_000_000)
    return floor


async def caught_up(floor: Floor, figures: Figures) -> Tally:
    """Give the tally, and check that it equals one read from the beginning of the journal."""
    async with asyncio.timeout(20):
        await figures.caught_up()
    tally = figures.of(STREAM)
    assert tally is not None
    version = floor.venue.committer.heads[STREAM].version
    whole = await read_tally(floor, STREAM, version)
    assert tally.pack() == whole.pack()
    assert_meters(floor, "T1", tally)
    return tally


def test_what_happens_is_counted_once_over_starts_and_stops(tmp_path: Path) -> None:
    async def story() -> None:
        venue_keys, rounds = keys(), 0
        for start in range(3):
            floor = await opened(tmp_path / "journal", venue_keys)
            figures = Figures(floor.venue, nobody)
            # Rounds are played before, during and after the reading of earlier ones.
            await play(floor, "T1", start, 2)
            figures.begin()
            await play(floor, "T1", start + 10, 2)
            await caught_up(floor, figures)
            await play(floor, "T1", start + 20, 2)
            await void_round(floor, "T1")
            rounds += 6
            tally = await caught_up(floor, figures)
            assert (tally.state.sums.rounds, tally.state.sums.void) == (rounds, start + 1)
            await figures.close()
            await floor.venue.stop()

    run(story())


def test_corrections_are_followed(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await opened(tmp_path / "journal", keys())
        figures = Figures(floor.venue, nobody)
        figures.begin()
        await play(floor, "T1", 1, 5)
        await correct(floor, "T1", 2, (5, 5, 5))
        await reverse(floor, "T1", 4)
        tally = await caught_up(floor, figures)
        assert (tally.state.sums.rounds, tally.state.sums.reversed) == (3, 2)
        await figures.close()
        await floor.venue.stop()

    run(story())


def is_behind(figures: Figures) -> bool:
    """Say whether the figures are behind, in which case they must show nothing."""
    assert (figures.progress is None) == (figures.of(STREAM) is not None)
    return figures.progress is not None


def test_a_long_journal_is_read_by_a_worker_while_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "SHORT", 0)

    async def story() -> None:
        floor = await opened(tmp_path / JOURNAL_FILE, keys())
        await play(floor, "T1", 1, 4)
        figures = Figures(floor.venue, reading_by(JournalWorkers(Settings(tmp_path))))
        figures.begin()
        await play(floor, "T1", 2, 2)
        assert is_behind(figures), "half a tally is told to nobody"
        await caught_up(floor, figures)
        assert not is_behind(figures)
        await play(floor, "T1", 3, 2)
        await caught_up(floor, figures)
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_a_reading_that_fails_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "SHORT", 0)
    monkeypatch.setattr(following, "AGAIN_SECONDS", 0.01)

    async def story() -> None:
        floor = await opened(tmp_path / JOURNAL_FILE, keys())
        tried = 0

        async def read(
            stream: str, upto: int, told: following.OnProgress, wanted: Dates | None = None
        ) -> Fold:
            nonlocal tried
            tried += stream == STREAM
            if tried < 3:
                raise RuntimeError("no worker is free")
            fold = begin_fold(stream, GamingDays(), wanted)
            await read_fold(floor.venue.journal, stream, upto, told, fold)
            return fold

        figures = Figures(floor.venue, read)
        figures.begin()
        await caught_up(floor, figures)
        assert tried == 3
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_what_was_never_heard_is_read_from_the_journal(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await opened(tmp_path / "journal", keys())
        figures = Figures(floor.venue, nobody)
        figures.begin()
        await caught_up(floor, figures)
        # As after a suspension: the event is in the journal, and was not published.
        floor.venue.publisher.followers.remove(figures)
        await play(floor, "T1", 1, 1)
        floor.venue.publisher.followers.append(figures)
        await play(floor, "T1", 2, 1)
        tally = await caught_up(floor, figures)
        assert tally.state.sums.rounds == 2
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_figures_that_are_in_doubt_are_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        floor = await opened(tmp_path / "journal", keys())
        figures = Figures(floor.venue, nobody)
        figures.begin()
        await play(floor, "T1", 1, 1)
        await caught_up(floor, figures)
        tally, failed = figures.of(STREAM), []
        assert tally is not None
        added = tally._add

        def fails(*what: Any) -> None:
            added(*what)
            failed.append(what)
            raise AssertionError("half of it is in the sums")

        monkeypatch.setattr(tally, "_add", fails)
        await play(floor, "T1", 2, 1)
        assert failed
        again = await caught_up(floor, figures)
        assert again is not tally
        assert again.state.sums.rounds == 2
        assert "could not be passed on" in caplog.text
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_a_suspended_table_is_read_when_it_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await opened(tmp_path / "journal", keys())
        await play(floor, "T1", 1, 1)
        floor.venue.writer(STREAM).suspend("a plug was pulled")
        figures = Figures(floor.venue, nobody)
        figures.begin()
        async with asyncio.timeout(10):
            await figures.caught_up()
        assert (figures.of(STREAM), figures.progress) == (None, None)
        assert await floor.venue.resume(STREAM) is None
        await until(lambda: figures.of(STREAM) is not None)
        await caught_up(floor, figures)
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_what_was_written_and_never_told_counts_when_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committing, "READ_BACK_SECONDS", 0.001)

    async def story() -> None:
        journal = FailingJournal(await SqliteJournal.open(tmp_path / "journal"))
        floor = await opened(journal, keys())
        figures = Figures(floor.venue, nobody)
        figures.begin()
        await play(floor, "T1", 1, 1)
        await caught_up(floor, figures)
        await floor.do(STREAM, DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "small", 500)
        await floor.close_and_enter("T1", (1, 2, 3))
        await floor.do(STREAM, DEALER, ConfirmResult())
        # The settlement reaches the disk, and the answer is lost.
        journal.lose_answer = True
        journal.reopen_failures = committing.READ_BACK_TRIES
        assert isinstance(await floor.send(STREAM, DEALER, Settle()), Refusal)
        assert STREAM in floor.venue.suspended()
        assert await floor.venue.resume(STREAM) is None
        assert floor.venue.table("T1").history[2].faces == (1, 2, 3)
        tally = await caught_up(floor, figures)
        assert tally.state.sums.rounds == 2
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_a_table_that_is_new_is_followed(tmp_path: Path) -> None:
    async def story() -> None:
        floor = await opened(tmp_path / "journal", keys())
        figures = Figures(floor.venue, nobody)
        figures.begin()
        await floor.add_table("T2", "etg8/2")
        await floor.do("table/T2", DEALER, OpenBets())
        await floor.bet("T2", "T2-1", "big", 500)
        await floor.close_and_enter("T2", (6, 5, 6))
        await floor.settle("T2")
        await figures.caught_up()
        tally = figures.of("table/T2")
        assert tally is not None
        assert (tally.state.sums.rounds, tally.state.sums.win) == (1, -500)
        await figures.close()
        await floor.venue.stop()

    run(story())


def registered(first: int, *events: object) -> Registered:
    return Registered(first, first + len(events) - 1, 1_000, events)  # type: ignore[arg-type]


def test_what_waits_is_limited_and_then_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "WAITING_MAX", 3)

    async def story() -> None:
        floor = await opened(tmp_path / "journal", keys())
        figures = Figures(floor.venue, nobody)
        await play(floor, "T1", 1, 5)
        figures.begin()
        tally = await caught_up(floor, figures)
        assert tally.state.sums.rounds == 5
        await figures.close()
        await floor.venue.stop()

    run(story())


def test_a_reading_that_ends_before_what_was_heard_is_not_enough() -> None:
    opened_ = BetsOpened("Place your bets", "5", "dan")
    followed = Followed(STREAM)
    followed.receive(registered(10, opened_))
    assert followed.catch_up(Tally(), 8) is False
    assert followed.behind
    # A gap in the published events: only those after it wait.
    followed.receive(registered(15, opened_))
    assert followed.catch_up(Tally(), 10) is False
    assert followed.catch_up(Tally(), 14) is True
    assert followed.version == 15
    assert isinstance(followed.fold, Tally)
    assert followed.fold.state.dealing == "dan"
    assert followed.receive(registered(15, opened_)), "known already"
    assert followed.receive(registered(17, opened_)) is False
    assert followed.behind
