"""The audit over HTTP: events found, rounds marked, a proof stopped, and how it is all attested."""

import asyncio
import time
from pathlib import Path
from typing import Any

from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import OpenBets
from taisai.runtime.keys.signing import read_public
from taisai.runtime.operations.witness import cosign, create_witness
from tests.kit.desk import Desk
from tests.kit.floor import until
from tests.kit.people import DEALER, SUPERVISOR
from tests.server.http.test_cage import sell
from tests.server.http.test_problems import problem
from tests.server.http.test_tables import set_up


def found(desk: Desk, **asked: Any) -> list[dict[str, Any]]:
    """Find all matching events, page by page."""
    events: list[dict[str, Any]] = []
    before = ""
    while True:
        answer = desk.get("auditor", "/api/audit/find", before=before, **asked)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        events += page["events"]
        if page["before"] is None:
            return events
        before = page["before"]


def test_events_are_found_by_what_they_are_about(desk: Desk) -> None:
    desk.do(set_up(desk, "Q1", rounds=2))
    stops = ReportIrregularity("malfunction", "dark")
    desk.do(desk.floor.do("table/Q1", SUPERVISOR, stops))
    of_terminal = found(desk, table="Q1", terminal="Q1-2", limit=2)
    assert len(of_terminal) > 2, "more than a page"
    assert {each["stream"] for each in of_terminal} == {"table/Q1"}
    times = [each["at"] for each in of_terminal]
    assert times == sorted(times, reverse=True)
    (reported,) = found(desk, table="Q1", irregularity="any")
    assert (reported["event"], reported["note"]) == ("IrregularityReported", "dark")
    assert found(desk, table="Q1", irregularity="dice-exposed") == []
    assert found(desk, table="Q1", person="sue", irregularity="malfunction") == [reported]
    first = min(each["at"] for each in found(desk, table="Q1"))
    assert found(desk, table="Q1", until=first) == []
    received = found(desk, table="Q1", least=100_000, most=100_000)
    assert {each["event"] for each in received} == {"CreditsReceived"}
    problem(desk.get("auditor", "/api/audit/find", table="zz"), 404, "UNKNOWN_TABLE")
    problem(desk.get("supervisor", "/api/audit/find"), 403, "NOT_ALLOWED")


def test_a_voucher_is_found_by_its_number_and_by_its_serial(desk: Desk) -> None:
    _, number = sell(desk)
    serial = desk.look(lambda: desk.venue.cage.by_number[number])
    by_number = found(desk, voucher=number)
    assert by_number == found(desk, voucher=str(serial))
    assert [each["event"] for each in by_number] == ["VoucherIssued"]
    assert number not in str(by_number), "a live number is shown to nobody"


def test_rounds_that_were_not_as_they_should_be_are_marked(desk: Desk) -> None:
    desk.do(set_up(desk, "Q2", rounds=1))

    async def expose() -> None:
        await desk.floor.do("table/Q2", DEALER, OpenBets())
        stops = ReportIrregularity("malfunction", "dark")
        await desk.floor.do("table/Q2", SUPERVISOR, stops)
        async with asyncio.timeout(20):
            await desk.app.state.figures.caught_up()

    desk.do(expose())
    told = desk.get("supervisor", "/api/tables/Q2/marks").json()
    assert (told["table"], told["incomplete"]) == ("Q2", False)
    assert "irregular" in told["marks"]["2"]
    assert "1" not in told["marks"]
    problem(desk.get("dealer", "/api/tables/Q2/marks"), 403, "NOT_ALLOWED")
    problem(desk.get("auditor", "/api/tables/zz/marks"), 404, "UNKNOWN_TABLE")


def test_a_verification_is_stopped_and_another_begun(desk: Desk) -> None:
    stop = "/api/audit/verifications/current"
    headers = desk.headers("auditor")
    problem(desk.client.delete(stop, headers=headers), 409, "NO_VERIFICATION_RUNS")
    begun = desk.post("auditor", "/api/audit/verifications").json()
    stopped = desk.client.delete(stop, headers=headers).json()
    assert (stopped["number"], stopped["state"]) == (begun["number"], "stopped")
    assert (stopped["stopped_by"], stopped["outcome"], stopped["failure"]) == ("Aroha", None, None)
    assert desk.get("auditor", stop).json() == stopped
    again = desk.post("auditor", "/api/audit/verifications")
    assert again.json()["number"] == begun["number"] + 1
    desk.do(desk.app.state.verifications.ended())
    assert desk.get("auditor", stop).json()["state"] == "done"


def test_how_the_journal_is_attested(desk: Desk, tmp_path_factory: Any) -> None:
    directory = tmp_path_factory.mktemp("witness") / "witness"

    async def signed() -> Any:
        await desk.venue.committer.checkpoint()
        (newest,) = await desk.venue.journal.checkpoints(newest=1)

        def remembered() -> bool:
            anchored = desk.venue.notary.anchored()
            return anchored is not None and anchored.number >= newest.number

        await until(remembered)
        return newest

    newest = desk.do(signed())
    told = desk.get("auditor", "/api/audit/standing").json()
    assert told["checkpoint"]["number"] >= newest.number
    assert told["anchor"]["number"] >= newest.number
    assert (told["anchor"]["fault"], told["anchor_fault"]) == (None, None)
    assert told["waiting"] == told["events"] - told["checkpoint"]["events"]
    problem(desk.get("pit-manager", "/api/audit/standing"), 403, "NOT_ALLOWED")

    public = create_witness(directory, read_public(Path(desk.app.state.workers.keys)))
    cosigned = cosign(directory, newest, [], time.time_ns() // 1_000_000)
    body = {name: getattr(cosigned, name) for name in cosigned.__struct_fields__}
    wrong = desk.post("auditor", "/api/audit/cosignatures", body | {"hash": "0" * 64})
    problem(wrong, 409, "NOT_COSIGNED")
    ahead = desk.post("auditor", "/api/audit/cosignatures", body | {"number": 10**9})
    problem(ahead, 409, "NOT_COSIGNED")
    assert desk.get("auditor", "/api/audit/standing").json()["witnesses"] == []
    taken = desk.post("auditor", "/api/audit/cosignatures", body).json()
    assert (taken["public"], taken["number"], taken["fault"]) == (public, newest.number, None)
    (witness,) = desk.get("auditor", "/api/audit/standing").json()["witnesses"]
    assert (witness["public"], witness["fault"]) == (public, None)
