"""A node applies the events of other nodes once, also where it cannot apply one of them at first."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from taisai.core.table.round import OpenBets
from taisai.runtime import node as nodes
from taisai.runtime import recovery
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.node import NodeRuntime
from taisai.runtime.streams import TABLES, kind_of
from tests.kit.floor import Floor, run, until
from tests.kit.people import DEALER
from tests.nodes.test_node_runtime import TABLE, Cluster, opened, owner

SOON_SECONDS = 0.005


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a node look again soon after a fault."""
    monkeypatch.setattr(nodes, "SIGN_SECONDS", SOON_SECONDS)


async def bets_open(cluster: Cluster, floor: Floor) -> tuple[NodeRuntime, NodeRuntime]:
    """Open bets; give the office, which has followed that, and the owner of the table."""
    office, there = cluster.nodes["office"], cluster.nodes[owner(cluster)]
    await floor.do(TABLE, DEALER, OpenBets())
    await until(lambda: office.table("T1").version == there.table("T1").version)
    return office, there


def told_of_table(office: NodeRuntime) -> list[str]:
    return [each.code for each in office.announcements if each.stream == TABLE]


def test_events_that_a_fault_interrupts_are_applied_once(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """They were applied again from the first: money was there twice, and could be cashed out."""

    async def play() -> None:
        async with opened(postgres_url) as (cluster, floor):
            office, there = await bets_open(cluster, floor)
            writer, here = office.writer(TABLE), Floor(there)
            applied, before = 0, len(told_of_table(office))

            def trip(state: Any, event: Any) -> Any:
                nonlocal applied
                applied += 1
                if applied == 3:
                    raise MemoryError("once")
                return TABLES.evolve(state, event)

            async with office._one_at_a_time:
                for _ in range(4):
                    assert isinstance(await here.bet("T1", "T1-1", "small", 100), Registered)
                writer.kind = replace(writer.kind, evolve=trip)
            await until(lambda: writer.head == there.writer(TABLE).head)
            assert writer.suspended is None
            assert told_of_table(office)[before:] == ["suspended", "resumed"]
            assert office.table("T1").version == there.table("T1").version
            assert office.table("T1").live == 400
            assert office.table("T1").ledger == there.table("T1").ledger
            # From here on they are followed as before.
            await floor.bet("T1", "T1-1", "small", 100)
            assert office.table("T1").live == 500
        assert await cluster.faults() == []

    run(play())
    assert "is suspended by a fault of ours" in caplog.text


def test_an_event_that_an_older_program_cannot_read_shuts_its_stream_and_no_other(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def older(data: bytes) -> Any:
        if b'"BetsClosed"' in data:
            raise msgspec.ValidationError("Invalid value 'BetsClosed'")
        return TABLES.decode(data)

    known = replace(TABLES, decode=older)

    async def play() -> None:
        async with opened(postgres_url) as (cluster, floor):
            await floor.add_table("T2")
            office, there = await bets_open(cluster, floor)
            await until(lambda: not office._unknown.get(TABLE))
            office.writer(TABLE).kind = known
            monkeypatch.setattr(
                recovery, "kind_of", lambda each: known if each == TABLE else kind_of(each)
            )
            here = Floor(there)
            await here.bet("T1", "T1-1", "small", 500)
            await here.close_and_enter("T1", (1, 2, 3))
            await until(lambda: TABLE in office.suspended() and not office.writer(TABLE).passing)
            version = office.table("T1").version
            await floor.do("table/T2", DEALER, OpenBets())
            assert isinstance(await floor.bet("T2", "T2-1", "small", 500), Registered)
            # Nothing is applied to the table that is shut, though its owner goes on with it.
            assert isinstance(await here.settle("T1"), Registered)
            await office.catch_up()
            assert office.table("T1").version == version
            assert {*office.suspended()} == {TABLE}

    run(play())



def test_an_answer_that_cannot_be_given_holds_back_none_that_waits_for_the_same_events(
    postgres_url: str,
) -> None:
    async def play() -> None:
        async with opened(postgres_url) as (cluster, floor):
            office, there = await bets_open(cluster, floor)

            def trip(_: Answer) -> None:
                raise RuntimeError("nobody is there")

            answers: list[Answer] = []
            async with office._one_at_a_time:
                bet = await Floor(there).bet("T1", "T1-1", "small", 100)
                for on_answer in (trip, answers.append):
                    office._answered(TABLE, on_answer, bet)
                assert not answers
            await until(lambda: answers == [bet])
        assert await cluster.faults() == []

    run(play())
