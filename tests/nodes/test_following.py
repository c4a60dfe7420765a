"""A node applies the events of other nodes once, also where at first it cannot apply one."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from taisai.core.kernel.messages import Actor
from taisai.core.table.round import OpenBets
from taisai.runtime import node as nodes
from taisai.runtime import recovery
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.node import NodeRuntime
from taisai.runtime.streams import TABLES, kind_of
from tests.kit.floor import Floor, run, until
from tests.kit.people import DEALER
from tests.nodes.test_node_runtime import TABLE, Cluster, Watcher, hub_of, opened, owner

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


class Terminal(Watcher):
    """A terminal that has said hello here, as at an office, and has its seat elsewhere."""

    to, actor, there = "T1", Actor("T1-1", "terminal"), True


def test_a_followed_table_that_is_read_back_gives_no_seats_here(
    postgres_url: str, tmp_path: Path
) -> None:
    """Two nodes would hold a seat, and each record in its own way whether the terminal is lost."""

    async def play() -> None:
        async with opened(postgres_url) as (cluster, floor):
            office, _ = await bets_open(cluster, floor)
            hub, terminal = hub_of(office, tmp_path), cast(Any, Terminal())
            hub.everybody[terminal] = None
            office.writer(TABLE).suspend("a fault", passing=True)
            await until(lambda: office.writer(TABLE).suspended is None)
            channel = hub.table("T1")
            assert channel is not None
            assert not channel.suspended
            assert (channel.seats, terminal.shown) == ({}, [])
            hub.stopped = True

    run(play())
