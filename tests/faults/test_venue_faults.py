"""The venue on a failing disk at every kind of step of both flows: no answer is ever untrue.

The steps are first counted on a sound disk; the soak tries every one of them.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import apsw
import pytest

from taisai.core.rules.reason import Refusal
from taisai.core.table.round import OpenBets
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import Journal, JournalError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.runtime import Runtime
from tests.faults.disk import Act, Kind, Step
from tests.faults.flows.campaign import FLOWS, Case, Report, campaign, count, quickened, sound
from tests.faults.flows.guests import FILE, Begun, Guests, begin, copy_of
from tests.faults.flows.troubles import Counted, FloorDisk, Plan, Trouble, every_step, some_steps
from tests.faults.killing.crowd import PromiseBrokenError
from tests.faults.killing.watched import ForgetfulJournal, SilentJournal
from tests.faults.platter import Loss
from tests.kit.people import DEALER

#: Steps tried with each trouble, besides one of every kind.
EACH = 1
#: How often at most a trouble that missed is tried again.
TRIES = 8
#: About as many steps as the flow of a press has.
STEPS = 120


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """Give a venue that is set up and stopped."""
    return begin(tmp_path_factory.mktemp("begun") / "disk")


@pytest.mark.parametrize("flow", FLOWS)
def test_whatever_the_disk_does_in_a_flow_nothing_told_is_untrue(
    begun: Begun, tmp_path: Path, flow: str
) -> None:
    chance = Random(flow)
    plans = [*some_steps(flow, count(begun, flow, tmp_path), chance, EACH)]
    report = campaign(begun, plans, tmp_path)
    assert report.cases == len(plans)
    assert report.missed <= report.cases / 5
    # Every image is of a disk cut off in the middle, or when everything had been answered.
    assert report.images > report.cases
    said = {"suspended", "others went on", "RETRY", "resumed", "resumed too early"}
    said |= {"cannot be opened"} | ({"TABLE_SUSPENDED"} if flow == "press" else set())
    missed, unsaid = _lacking(report, said)
    for _ in range(TRIES):
        # On a busy machine a flow has other steps than were counted, and a trouble misses its own:
        # they are counted again, and others tried.
        if missed or unsaid:
            others = some_steps(flow, count(begun, flow, tmp_path), chance, EACH)
            again = [plan for plan in others if plan.trouble in missed or unsaid]
            report.join(campaign(begun, again, tmp_path))
            missed, unsaid = _lacking(report, said)
    assert not missed
    assert not unsaid


def _lacking(report: Report, said: set[str]) -> tuple[set[Trouble], set[str]]:
    """Give the troubles that struck nowhere, and the expected reports that were not made."""
    missed = {*Trouble} - {trouble for _, trouble, _, _ in report.struck}
    return missed, said - {what for what, times in report.said.items() if times}


def test_every_step_of_a_flow_is_planned_with_every_trouble(begun: Begun, tmp_path: Path) -> None:
    counted = count(begun, "dice", tmp_path)
    plans = {*every_step("dice", counted)}
    steps = len(counted.steps)
    assert {Plan("dice", Trouble.POWER, nth) for nth in range(1, steps + 1)} <= plans
    assert {Plan("dice", Trouble.FAULT, nth) for nth in range(1, steps + 1)} <= plans
    writes = [nth for nth, step in enumerate(counted.steps, 1) if step.act is Act.WRITE]
    assert {Plan("dice", Trouble.FULL, nth) for nth in writes} <= plans
    # Both the log and the database it is copied into are written and synced in a flow.
    both = [Step(act, file) for act in (Act.WRITE, Act.SYNC) for file in (Kind.WAL, Kind.DATABASE)]
    assert {*both} <= {*counted.steps}


def test_some_steps_are_of_every_kind() -> None:
    made = Counted([Step(act, file) for act in Act for file in Kind if act is not Act.READ], 9)
    plans = [*some_steps("press", made, Random(1), 2)]
    power = {made.steps[plan.nth - 1] for plan in plans if plan.trouble is Trouble.POWER}
    assert power == {*made.steps}
    assert {plan.trouble for plan in plans} == {*Trouble}


# --- one by one --------------------------------------------------------------------------------


def test_a_table_whose_batch_fails_is_suspended_and_the_other_goes_on(
    begun: Begun, tmp_path: Path
) -> None:
    async def work(disk: FloorDisk) -> None:
        journal = await SqliteJournal.open(disk.directory / FILE, vfs=disk.name)
        guests = Guests(await Runtime.open(journal, begun.keys), copy_of(begun.memory))
        for table in ("keyed", "simulated"):
            assert await guests.open_bets(table)
        disk.room = 0
        bet = await guests.bet("keyed", "keyed-1", "small", 500)
        assert isinstance(bet, Refusal)
        assert bet.code == "RETRY"
        disk.mend()
        assert [*guests.venue.suspended()] == ["table/keyed"]
        assert "full" in guests.venue.suspended()["table/keyed"]
        assert isinstance(await guests.bet("simulated", "simulated-1", "small", 500), Registered)
        assert await guests.venue.resume("table/keyed") is None
        # Bets were open at the stop: that round is void, and the bet is taken in the next.
        await guests.do("table/keyed", DEALER, OpenBets())
        assert await guests.give_again("table/keyed", bets=True)
        assert guests.state("keyed").live == 500
        assert guests.state("simulated").live == 500
        await guests.venue.stop()

    begun.lay(tmp_path / "disk")
    with quickened(), FloorDisk(tmp_path / "disk") as disk:
        asyncio.run(work(disk))


# --- the campaign can fail ---------------------------------------------------------------------


CONNECT = SqliteJournal._connection


def unsynced(journal: SqliteJournal, *, writes: bool) -> apsw.Connection:
    """Connect without waiting for the disk."""
    connection = CONNECT(journal, writes=writes)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def find(
    begun: Begun, directory: Path, trouble: Trouble, sabotage: Callable[[Journal], Journal] = sound
) -> None:
    """Look for a broken venue, in cases all along the flow of a press."""
    plans = [Plan("press", trouble, nth) for nth in range(10, STEPS, 5)]
    campaign(begun, plans, directory, [Loss.EVERYTHING], sabotage)


def test_a_journal_that_does_not_sync_is_found(
    begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteJournal, "_connection", unsynced)
    # Commits are lost, of one stream or of both, or torn so that the file cannot even be read.
    found = r"is lost|told version|malformed|was never sent|it is missing"
    with pytest.raises((PromiseBrokenError, JournalError), match=found):
        find(begun, tmp_path, Trouble.POWER)


def test_a_journal_that_answers_before_it_has_written_is_found(
    begun: Begun, tmp_path: Path
) -> None:
    with pytest.raises(PromiseBrokenError, match=r"is lost|was told version|was answered"):
        find(begun, tmp_path, Trouble.POWER, SilentJournal)


def test_a_journal_that_forgets_ids_is_found(begun: Begun, tmp_path: Path) -> None:
    with pytest.raises(PromiseBrokenError, match=r"twice|was answered|was told version"):
        find(begun, tmp_path, Trouble.FULL, ForgetfulJournal)


def test_a_finding_names_its_plan(begun: Begun, tmp_path: Path) -> None:
    plan = Plan("press", Trouble.FAULT, 3, seed=5)
    case = Case(begun, plan, tmp_path / "case", sabotage=ForgetfulJournal)
    with pytest.raises(PromiseBrokenError) as found:
        case.play()
    assert str(plan) in found.value.__notes__[0]
