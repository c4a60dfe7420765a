"""The audit over HTTP: rounds in full, events, proof and exports, while the venue runs."""

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pyarrow import parquet  # type: ignore[import-untyped]

from taisai.server.http.audit import journal_workers
from taisai.server.http.audit.journal_worker import Export, Verify
from taisai.server.http.audit.journal_workers import JournalWorkers
from taisai.server.http.frame.problems import RefusedError
from taisai.server.settings import Settings
from taisai.wording import say, told
from tests.cli.command import taisai
from tests.kit.desk import Desk
from tests.kit.floor import until
from tests.server.http.test_problems import problem
from tests.server.http.test_tables import set_up


def test_a_round_is_told_in_full(desk: Desk) -> None:
    desk.do(set_up(desk, "A1", rounds=2))
    shown = desk.get("auditor", "/api/tables/A1/rounds/2").json()
    assert (shown["table"], shown["round"], shown["result"]["end"]) == ("A1", 2, "settled")
    assert shown["bets"][0]["reason"].startswith("Small wins at 1 to 1")
    problem(desk.get("auditor", "/api/tables/A1/rounds/3"), 404, "UNKNOWN_ROUND")
    problem(desk.get("dealer", "/api/tables/A1/rounds/2"), 403, "NOT_ALLOWED")


def test_significant_events_page_by_page_the_newest_first(desk: Desk) -> None:
    desk.do(set_up(desk, "A2"))
    whole = desk.get("auditor", "/api/audit/events", table="A2", limit=500).json()
    versions = [each["version"] for each in whole["events"]]
    assert versions == sorted(versions, reverse=True)
    assert whole["before"] is None
    first = desk.get("auditor", "/api/audit/events", table="A2", limit=4).json()
    then = desk.get(
        "auditor", "/api/audit/events", table="A2", limit=500, before=first["before"]
    ).json()
    assert first["events"] + then["events"] == whole["events"]


def test_notices_are_told_the_newest_first(desk: Desk) -> None:
    desk.look(lambda: desk.venue.announce("venue", "trial", "one"))
    desk.look(lambda: desk.venue.announce("venue", "trial", "two"))
    listed = desk.get("shift-manager", "/api/audit/notices", limit=2).json()
    assert [each["text"] for each in listed] == ["two", "one"]
    problem(desk.get("supervisor", "/api/audit/notices"), 403, "NOT_ALLOWED")


def test_notices_are_told_in_the_language_of_who_reads_them(desk: Desk) -> None:
    why = told("CLOCK_AHEAD", ms=90_000)
    desk.look(lambda: desk.venue.announce("venue", "clock", told("NOTICE_CLOCK_OTHER", why=why)))
    for language, said in (
        ("en", "it is not as accepted: the machine's clock is 90000 ms ahead of the venue's time"),
        ("zh-Hans", "与所确认的不符：机器时钟比本场时间快 90000 毫秒"),
    ):
        asked = {"limit": 1, "language": language}
        (notice,) = desk.get("auditor", "/api/audit/notices", **asked).json()
        assert notice["text"] == said
        alerts = desk.get("shift-manager", "/api/pit", language=language).json()["alerts"]
        assert said in [each["sentence"] for each in alerts]


def test_the_running_journal_is_proved_beside_the_venue(desk: Desk) -> None:
    desk.do(set_up(desk, "A3", rounds=1))
    none = desk.get("auditor", "/api/audit/verifications/current")
    assert (none.status_code, none.json()) == (200, None), "that none was asked for is no fault"
    begun = desk.post("auditor", "/api/audit/verifications")
    assert begun.status_code == 202
    assert begun.json()["state"] == "running"
    problem(desk.post("shift-manager", "/api/audit/verifications"), 409, "VERIFICATION_RUNS")
    # The venue goes on meanwhile.
    desk.do(set_up(desk, "A4", rounds=1))
    desk.do(desk.app.state.verifications.ended())
    shown = desk.get("auditor", "/api/audit/verifications/current").json()
    assert (shown["state"], shown["failure"], shown["number"]) == (
        "done",
        None,
        begun.json()["number"],
    )
    outcome = shown["outcome"]
    assert (outcome["verified"], outcome["faults"]) == (True, [])
    assert shown["seen"] == shown["total"] == outcome["events"] > 50
    assert outcome["money"]["currency"] == "SGD"
    (newer,) = outcome["notes"]
    assert newer.startswith("no signature vouches yet"), "the venue's keys are at hand"
    asked = {"language": "zh-Hant"}
    said = desk.get("auditor", "/api/audit/verifications/current", **asked).json()
    assert said["outcome"]["notes"][0].startswith("最新檢查點之後的內容尚無簽名為證")


@contextmanager
def streamed(desk: Desk, path: str) -> Iterator[httpx.Response]:
    """Request an answer that is sent in parts."""
    with desk.client.stream("GET", path, headers=desk.headers("auditor")) as response:
        yield response


def test_an_export_is_what_the_command_exports(desk: Desk) -> None:
    desk.do(set_up(desk, "A5", rounds=2))
    data = str(desk.application.settings.data)
    for format_, ending in (("csv", "csv"), ("json", "jsonl")):
        asked = desk.get("auditor", "/api/exports/bets", format=format_, table="A5")
        arguments = ("--format", ending, "--table", "A5", "--to", "-")
        by_command = taisai("export", data, "bets", *arguments)
        assert asked.text.splitlines() == by_command.out.splitlines()
        assert f"bets.{ending}" in asked.headers["content-disposition"]
    rows = [*csv.DictReader(io.StringIO(desk.get("auditor", "/api/exports/bets").text))]
    assert {"A5"} <= {row["table"] for row in rows}
    binary = desk.get("auditor", "/api/exports/bets", format="parquet", table="A5").content
    assert parquet.read_table(io.BytesIO(binary)).num_rows == 2
    one = desk.get("auditor", "/api/exports/postings", format="json", terminal="A5-2").text
    assert all("A5-2" in line for line in one.splitlines())
    assert json.loads(one.splitlines()[0])["amount"] == 100_000


def test_an_export_of_no_table_and_of_no_view(desk: Desk) -> None:
    problem(desk.get("auditor", "/api/exports/bets", table="zz"), 404, "UNKNOWN_TABLE")
    problem(desk.get("auditor", "/api/exports/secrets"), 400, "BAD_REQUEST")
    problem(desk.get("technician", "/api/exports/bets"), 403, "NOT_ALLOWED")


def test_an_export_that_nobody_waits_for_is_ended(desk: Desk) -> None:
    workers: JournalWorkers = desk.app.state.workers
    with streamed(desk, "/api/exports/postings?format=json"):
        pass

    async def ended() -> None:
        await until(lambda: not workers._passing_on)

    desk.do(ended())


async def no_journal(folder: Path) -> RefusedError:
    """Request an export where there is no journal."""
    workers = JournalWorkers(Settings(folder))
    with pytest.raises(RefusedError) as refused:
        await workers.answer(Export(workers.where, view="bets", format="csv"))
    await workers.close()
    return refused.value


def test_a_journal_that_cannot_be_read_is_told_as_a_sentence(tmp_path: Path) -> None:
    refused = asyncio.run(no_journal(tmp_path))
    assert refused.refusal.code == "JOURNAL_UNREADABLE"
    assert "journal.sqlite" in say(refused.refusal.reason)


def test_more_than_a_few_are_asked_to_come_back(tmp_path: Path) -> None:
    async def crowd() -> RefusedError:
        workers = JournalWorkers(Settings(tmp_path))
        workers._turn = asyncio.Semaphore(0)
        job = Verify("nowhere")
        waiting = [
            asyncio.create_task(workers.answer(job)) for _ in range(journal_workers.WAITING_MAX)
        ]
        await until(lambda: workers._waiting == journal_workers.WAITING_MAX)
        with pytest.raises(RefusedError) as refused:
            await workers.answer(job)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await workers.close()
        return refused.value

    refused = asyncio.run(crowd())
    assert refused.refusal.code == "WORKERS_BUSY"
    assert refused.seconds


def test_who_takes_nothing_for_long_loses_the_worker(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_workers, "STALLED_SECONDS", 0.05)
    monkeypatch.setattr(journal_workers, "CHUNK", 16)
    workers: JournalWorkers = desk.app.state.workers

    async def stalled() -> None:
        answer = await workers.answer(Export(workers.where, view="postings", format="csv"))
        await until(lambda: not workers._passing_on)
        assert workers._turn._value == journal_workers.AT_ONCE, "the next may have its turn"
        with pytest.raises(TimeoutError):
            # A part is never taken for the whole.
            _ = [part async for part in answer]

    desk.do(stalled())


def test_a_worker_that_breaks_is_in_the_log_and_told_to_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken_worker() -> None:
        workers = JournalWorkers(Settings(tmp_path))
        job: Any = {"type": "Nonsense"}
        with pytest.raises(journal_workers.JournalWorkerError):
            await workers.answer(job)
        await workers.close()

    asyncio.run(broken_worker())
    assert "Nonsense" in caplog.text
