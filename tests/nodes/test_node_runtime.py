"""Nodes that share a journal: each decides for its own streams, and follows those of others."""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from taisai.core.kernel.messages import Actor, Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import BetsRegistered
from taisai.core.table.interruption import InterruptionRecorded
from taisai.core.table.positions import CashOut
from taisai.core.table.round import OpenBets
from taisai.core.table.state import Phase
from taisai.projections.figures.days import GamingDays
from taisai.projections.table_view import TableProjection
from taisai.runtime import node as nodes
from taisai.runtime.answers import AHEAD_MS, Answer, Registered
from taisai.runtime.journal.checkpoints import read_checkpoint
from taisai.runtime.journal.contract import JournalError, Seal
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.journal.seals import chain_of
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.known_ids import key_of
from taisai.runtime.node import TAIL_EVENTS, NodeRuntime
from taisai.runtime.ownership.tenure import Terms
from taisai.runtime.streams import CAGE, VENUE
from taisai.runtime.verification.verifier import Asked, verify
from taisai.runtime.writer import OnAnswer
from taisai.server.accounts.grants import Grants
from taisai.server.live.fills import FillsUnderWay
from taisai.server.live.hub import Hub
from taisai.server.settings import Settings
from tests.faults.failing_over.pair import pair
from tests.kit.floor import Floor, keys, run, until
from tests.kit.people import DEALER
from tests.nodes.cluster import PATIENT

TABLE = "table/T1"


class Cluster:
    """Nodes in one process, each with its own connections; their messages are passed on here."""

    def __init__(self, url: str, terms: Terms) -> None:
        self.url = url
        self.terms = terms
        self.keys: VenueKeys = keys()
        self.nodes: dict[str, NodeRuntime] = {}

    async def join(self, name: str, *roles: str) -> NodeRuntime:
        """Start a node, which takes the streams that fall to it."""
        leases = NodeLeases(name, roles, signs_by=VENUE)
        node = self.nodes[name] = await NodeRuntime.join(self.url, leases, self.keys, self.terms)
        node.forward = self.forward
        node.stirred = self.look
        node.start()
        return node

    def forward(self, node: str, stream: str, order: Order, on_answer: OnAnswer) -> None:
        """Pass a command on to another node, as if by message."""
        there = self.nodes.get(node)
        if there is None or not there.owns(stream):
            on_answer(refuse("TABLE_SUSPENDED", stream=stream))
        else:
            asyncio.get_running_loop().call_soon(there.submit_then, stream, order, on_answer)

    def look(self) -> None:
        """Let every node look for new events."""
        for node in self.nodes.values():
            node.look()

    async def kill(self, name: str) -> None:
        """Kill a node, as far as that is possible in the same process."""
        node = self.nodes.pop(name)
        for task in node._background:
            task.cancel()
        await asyncio.gather(*node._background, return_exceptions=True)
        for writer in node._writers.values():
            writer.suspend("killed")
        await node.rows.close()
        assert isinstance(node.journal, PostgresJournal)
        await node.journal._let_go(0)

    async def stop(self) -> None:
        """Stop every node in order."""
        for node in [*self.nodes.values()]:
            await node.stop()

    async def faults(self) -> list[str]:
        """Verify the whole journal, with the keys of the venue."""
        journal = await PostgresJournal.open(self.url, read_only=True)
        asked = Asked(self.keys.public, sealing=self.keys.sealing)
        report = await verify(journal, asked)
        await journal.close()
        return [fault.sentence for fault in report.faults]


@asynccontextmanager
async def opened(
    url: str, terms: Terms = PATIENT, roles: Sequence[str] = ("office",)
) -> AsyncIterator[tuple[Cluster, Floor]]:
    """Run an office and two owners, with a table whose terminals have credits."""
    cluster = Cluster(url, terms)
    office = await cluster.join("office", *roles)
    await cluster.join("east", "owner")
    await cluster.join("west", "owner")
    await until(lambda: office.owns(VENUE) and office.owns(CAGE))
    floor = Floor(office)
    await floor.found()
    await floor.add_table("T1")
    try:
        yield cluster, floor
    finally:
        await cluster.stop()


def owner(cluster: Cluster) -> str:
    """Give the name of the node that decides for the table."""
    (name,) = [name for name, node in cluster.nodes.items() if node.owns(TABLE)]
    return name


def test_a_table_is_played_through_any_node(postgres_url: str) -> None:
    async def play() -> None:
        async with opened(postgres_url) as (cluster, floor):
            office, there = cluster.nodes["office"], cluster.nodes[owner(cluster)]
            (other,) = {*cluster.nodes.values()} - {office, there}
            assert not office.owns(TABLE)
            # The next owner has this much to read back, also in the middle of a round.
            assert there.writer(TABLE).tail_max == TAIL_EVENTS
            await floor.do(TABLE, DEALER, OpenBets())
            assert isinstance(await Floor(other).bet("T1", "T1-1", "small", 500), Registered)
            assert isinstance(await Floor(there).bet("T1", "T1-2", "big", 700), Registered)
            # As when the outcome of a batch was unknown until the journal gave up.
            assert isinstance(office.journal, PostgresJournal)
            await office.journal._let_go(0)
            # The office soon follows the table's events; another owner knows nothing of the table.
            await until(lambda: office.table("T1").version == there.table("T1").version)
            assert other.table("T1").version == 0
            assert TABLE not in other.suspended()
            assert office.table("T1").ledger == there.table("T1").ledger
            await office.signing.sign()
            newest = office.committer.newest
            assert newest is not None
            assert len(read_checkpoint(newest).chains) == 2
        assert await cluster.faults() == []

    run(play())


def test_an_office_has_all_streams_owned_by_a_statement_for_each_role(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def begin() -> None:
        async with opened(postgres_url) as (cluster, floor):
            await floor.add_table("T2")
            office, added = cluster.nodes["office"], []

            async def add(streams: Sequence[str], role: str = "owner") -> None:
                added.append((role, {*streams}))

            monkeypatch.setattr(office.rows, "add", add)
            await office._begin_office()
            assert sorted(added) == [("office", {CAGE}), ("owner", {TABLE, "table/T2"})]

    run(begin())


def test_an_owner_looks_at_the_seals_of_other_owners_when_it_opens_a_stream(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisai.runtime.node.ALL_FOLLOWED_SECONDS", math.inf)

    async def follow() -> None:
        async with opened(postgres_url) as (cluster, floor):
            there = cluster.nodes[owner(cluster)]
            (name,) = {"east", "west"} - {there.name}
            other = cluster.nodes[name]
            await other.catch_up()
            asked: list[int] = []
            seals_after = other.journal.seals_after

            async def note(number: int, most: int) -> list[Seal]:
                asked.append(chain_of(number))
                return await seals_after(number, most)

            monkeypatch.setattr(other.journal, "seals_after", note)
            known = other.committer.tail.heads.get(TABLE)
            await floor.do(TABLE, DEALER, OpenBets())
            here = Floor(there)
            await here.bet("T1", "T1-1", "small", 500)
            await here.close_and_enter("T1", (1, 2, 3))
            settled = await here.settle("T1")
            await floor.sell(500)
            office = cluster.nodes["office"]
            await until(lambda: other.writer(CAGE).head == office.writer(CAGE).head)
            assert {*asked} == {office.committer.tail.chain}
            assert other.committer.tail.heads.get(TABLE) == known
            await there.rows.want(TABLE, name)
            await until(lambda: other.owns(TABLE))
            assert there.committer.tail.chain in asked
            assert other.writer(TABLE).head.version == settled.last
        assert await cluster.faults() == []

    run(follow())


def test_nodes_that_write_nothing_find_the_server_that_was_promoted() -> None:
    async def fail_over() -> None:
        async with pair() as servers:
            both = [servers.first, servers.standby]
            named = ",".join(f"127.0.0.1:{each.to_standby.port}" for each in both)
            cluster = Cluster(f"postgresql://postgres@{named}/postgres", PATIENT)
            office, east = (
                await cluster.join("office", "office"),
                await cluster.join("east", "owner"),
            )
            await until(lambda: office.owns(VENUE) and office.owns(CAGE))
            floor = Floor(office)
            await floor.found()
            await floor.add_table("T1")
            await servers.fail_over()
            lost = time.monotonic()
            await until(lambda: min(office.followed_at, east.followed_at) > lost)
            await floor.do(TABLE, DEALER, OpenBets())
            await cluster.stop()
            assert await cluster.faults() == []

    run(fail_over())


class Watcher:
    """A member of the staff who watches a table, and keeps every message about it."""

    language = "en"

    def __init__(self) -> None:
        self.shown: list[dict[str, Any]] = []

    def crowd(self, _: str) -> None:
        """Watch at this process."""

    def send_later(self, data: bytes) -> None:
        """Keep a message."""
        self.shown.append(json.loads(data))

    send_now = send_along = send_later


def bets_folded(monkeypatch: pytest.MonkeyPatch) -> list[BetsRegistered]:
    """Record which bets are folded into the view of a table."""
    folded: list[BetsRegistered] = []
    fold = TableProjection.bets_registered

    def note(self: TableProjection, event: BetsRegistered) -> None:
        folded.append(event)
        fold(self, event)

    monkeypatch.setattr(TableProjection, "bets_registered", note)
    return folded


def hub_of(node: NodeRuntime, directory: Path) -> Hub:
    """Make the hub that shows the tables of a node."""
    fills = FillsUnderWay(GamingDays())
    return Hub(node, Grants(node), Settings(directory), fills)


def test_a_table_decided_elsewhere_is_shown_as_it_is_once_somebody_looks(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = bets_folded(monkeypatch)

    async def look() -> None:
        async with opened(postgres_url, roles=("office", "owner")) as (cluster, floor):
            office = cluster.nodes["office"]
            if office.owns(TABLE):
                await office.rows.want(TABLE, "east")
                await until(lambda: cluster.nodes["east"].owns(TABLE))
            hub, there = hub_of(office, tmp_path), Floor(cluster.nodes[owner(cluster)])
            channel = hub.table("T1")
            assert channel is not None

            async def bet(box: str, stake: int) -> None:
                registered = await there.bet("T1", "T1-1", box, stake)
                assert isinstance(registered, Registered)
                await until(lambda: channel.version == registered.last)

            await floor.do(TABLE, DEALER, OpenBets())
            await bet("small", 500)
            await bet("big", 700)
            assert folded == []
            # As a page of the table shows it.
            assert channel.view_in("en").totals == {"small": 500, "big": 700}
            await bet("small", 500)
            watcher: Any = Watcher()
            channel.staff[watcher] = None
            channel.join(watcher)
            hub.admission.show(watcher, channel)
            assert watcher.shown[0]["view"]["totals"] == {"small": 1_000, "big": 700}
            assert channel.terminals["T1-1"].staked == 1_700
            assert folded == []
            # From here on the watcher is sent the changes.
            await bet("big", 300)
            told = {"totals": {"big": 1_000}}
            await until(lambda: told in [each.get("changes") for each in watcher.shown])
            assert len(folded) == 1
            channel.forget(watcher)
            await bet("small", 100)
            await there.close_and_enter("T1", (1, 2, 3))
            settled = await there.settle("T1")
            await until(lambda: channel.version == settled.last)
            assert len(folded) == 1
            # A node shows by itself the tables that it decides for.
            await office.rows.want(TABLE, "office")
            await until(lambda: office.owns(TABLE))
            await floor.do(TABLE, DEALER, OpenBets())
            there = Floor(office)
            await bet("small", 900)
            assert channel.totals == {"small": 900}
            assert len(folded) == 2
            hub.stopped = True

    run(look())


def test_a_table_of_a_node_that_was_killed_goes_on_elsewhere(postgres_url: str) -> None:
    async def kill() -> None:
        async with opened(postgres_url, Terms()) as (cluster, floor):
            await floor.do(TABLE, DEALER, OpenBets())
            bet = await floor.bet("T1", "T1-1", "small", 500)
            assert isinstance(bet, Registered)
            gone = owner(cluster)
            await cluster.kill(gone)
            (heir,) = {"east", "west"} - {gone}
            node = cluster.nodes[heir]
            await until(lambda: node.owns(TABLE) and node.writer(TABLE).only is None)
            await until(lambda: node.table("T1").phase is not Phase.BETTING)
            found = [
                record.data
                async for page in node.journal.read(TABLE, after=bet.last)
                for record in page
            ]
            assert InterruptionRecorded.__name__.encode() in found[0]
            # The office, which ran all the time, follows the new owner.
            await until(
                lambda: cluster.nodes["office"].table("T1").version == node.table("T1").version
            )
        assert await cluster.faults() == []

    run(kill())


def test_an_id_that_is_ahead_is_answered_the_same_by_the_next_owner(postgres_url: str) -> None:
    """A bet refused before bets are open is not taken by another node once they are."""

    async def move() -> None:
        async with opened(postgres_url) as (cluster, floor):
            former = owner(cluster)
            (heir,) = {"east", "west"} - {former}
            node = cluster.nodes[heir]
            made = floor.venue.clock.now() + AHEAD_MS - 500
            refused = await floor.bet("T1", "T1-1", "small", 500, f"{made}-early")
            assert isinstance(refused, Refusal)
            await cluster.nodes["office"].rows.want(TABLE, heir)
            await until(lambda: node.owns(TABLE))
            known = node.writer(TABLE).known
            assert known.floor <= node.clock.now()
            assert known.get(key_of("terminal/T1-1", f"{made}-early")) == made
            await floor.do(TABLE, DEALER, OpenBets())
            assert await floor.bet("T1", "T1-1", "small", 500, f"{made}-early") == refused
            taken = await floor.bet("T1", "T1-1", "small", 500, f"{made}-later")
            assert isinstance(taken, Registered)
            assert node.table("T1").live == 500
        assert await cluster.faults() == []

    run(move())


def test_a_round_that_begins_as_its_table_passes_on_is_finished_first(postgres_url: str) -> None:
    async def leave() -> None:
        async with opened(postgres_url) as (cluster, _):
            node = cluster.nodes[owner(cluster)]
            assert not node.is_leaving(TABLE)
            leaving = asyncio.create_task(node.finish_stream(TABLE))
            # The command is taken before the table is seen at rest, and decided after it.
            begun = Order(Floor(node).new_id(), DEALER, OpenBets())
            node.submit_then(TABLE, begun, lambda _: None)
            await until(lambda: node.table("T1").phase is Phase.BETTING and node.owns(TABLE))
            assert not leaving.done()
            assert node.is_leaving(TABLE)
            there = Floor(node)
            assert isinstance(await there.bet("T1", "T1-1", "small", 500), Registered)
            await there.close_and_enter("T1", (1, 2, 3))
            settled = await there.settle("T1")
            await leaving
            assert not node.is_leaving(TABLE)
            heads = await node.journal.heads([TABLE])
            assert heads[TABLE].version == settled.last
            assert not node.owns(TABLE)

    run(leave())


def test_a_table_that_is_left_while_its_journal_is_away_is_not_owned(postgres_url: str) -> None:
    """A command that comes here is for the next owner, and not refused as suspended."""

    async def leave() -> None:
        async with opened(postgres_url) as (cluster, _):
            node = cluster.nodes[owner(cluster)]
            node.writer(TABLE).suspend("the journal was away", passing=True)
            assert node.owns(TABLE)
            await node.finish_stream(TABLE)
            assert not node.owns(TABLE)

    run(leave())


def test_a_venue_of_one_process_becomes_one_of_nodes_and_back(postgres_url: str) -> None:
    async def change() -> None:
        cluster = Cluster(postgres_url, PATIENT)
        alone = await PostgresJournal.open(postgres_url, node="alone")
        floor = await Floor.open(alone, cluster.keys)
        await floor.found()
        await floor.add_table("T1")
        await floor.venue.stop()
        office = await cluster.join("office", "office", "owner")
        await until(lambda: office.owns(VENUE) and office.owns(TABLE))
        await Floor(office).do(TABLE, DEALER, OpenBets())
        bet = await Floor(office).bet("T1", "T1-1", "small", 500)
        assert isinstance(bet, Registered)
        await cluster.stop()
        again = await Floor.open(
            await PostgresJournal.open(postgres_url, node="alone"), cluster.keys
        )
        assert again.venue.table("T1").version >= bet.last
        await again.venue.stop()
        assert await cluster.faults() == []

    run(change())


def test_a_round_that_could_not_be_ruled_on_is_opened_again(postgres_url: str) -> None:
    """The id of the ruling is looked up first, and just then the journal may be unreachable."""

    async def kill() -> None:
        async with opened(postgres_url, Terms()) as (cluster, floor):
            await floor.do(TABLE, DEALER, OpenBets())
            gone = owner(cluster)
            (heir,) = {"east", "west"} - {gone}
            node = cluster.nodes[heir]
            look_up, failures = node.journal.answered_among, 0

            async def away_at_first(stream: str, asked: Any) -> Any:
                nonlocal failures
                if stream == TABLE and failures < 2:
                    failures += 1
                    raise JournalError("away")
                return await look_up(stream, asked)

            node.journal.answered_among = away_at_first  # type: ignore[method-assign]
            await cluster.kill(gone)
            await until(lambda: node.ownership.holds(TABLE) and node.owns(TABLE))
            await until(lambda: node.table("T1").phase is Phase.READY)
            assert failures == 2
            assert node.suspended() == {}
        assert await cluster.faults() == []

    run(kill())


def test_nothing_is_decided_before_what_was_read_back_is_held_against_its_end(
    postgres_url: str,
) -> None:
    async def read_back() -> None:
        async with opened(postgres_url) as (cluster, _):
            node = cluster.nodes[owner(cluster)]
            there = Floor(node)
            heads = node.journal.heads
            asked: list[asyncio.Task[Answer]] = []

            async def meanwhile(streams: Any = None) -> Any:
                if not asked:
                    # A client that was answered to ask again does so at once.
                    sent = there.send(TABLE, DEALER, OpenBets())
                    asked.append(asyncio.create_task(sent))
                    await asyncio.sleep(0)
                    # If the command were decided too early, it would be decided here.
                    await until(lambda: node.writer(TABLE).is_idle)
                return await heads(streams)

            node.journal.heads = meanwhile  # type: ignore[method-assign]
            node.writer(TABLE).suspend("the journal was away", passing=True)
            await until(lambda: bool(asked) and node.ownership.holds(TABLE))
            assert node.suspended() == {}
            # The command is retried for a while, and carried out once the table is open.
            assert isinstance(await asked[0], Registered)
        assert await cluster.faults() == []

    run(read_back())


def test_nothing_is_decided_for_the_venue_before_its_office_can_begin(postgres_url: str) -> None:
    async def begin() -> None:
        cluster = Cluster(postgres_url, PATIENT)
        leases = NodeLeases("office", ["office"], signs_by=VENUE)
        node = await NodeRuntime.join(postgres_url, leases, cluster.keys, PATIENT)
        cluster.nodes["office"] = node
        sign = node.signing.begin
        decided: list[bool] = []

        async def away_at_first() -> None:
            decided.append(node.owns(VENUE))
            if len(decided) == 1:
                raise JournalError("away")
            await sign()

        node.signing.begin = away_at_first  # type: ignore[method-assign]
        node.start()
        await until(lambda: node.ownership.holds(VENUE))
        assert decided == [False, False]
        assert node.owns(VENUE)
        await Floor(node).found()
        await cluster.stop()
        assert await cluster.faults() == []

    run(begin())


def test_what_is_in_transit_is_carried_by_whoever_has_its_table_and_by_nobody_else(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def move() -> None:
        async with opened(postgres_url) as (cluster, _):
            monkeypatch.setattr(nodes, "ASKED_TIMES", 1)
            name = owner(cluster)
            node, (heir,) = cluster.nodes[name], {"east", "west"} - {name}
            asked: list[str] = []

            def put_off(_: str, stream: str, order: Order, on_answer: OnAnswer) -> None:
                asked.append(order.id)
                on_answer(refuse("TABLE_SUSPENDED", stream=stream))

            node.forward = put_off
            left = await Floor(node).send(TABLE, Actor("T1-1", "terminal"), CashOut("T1-1"))
            assert isinstance(left, Registered)
            await until(lambda: bool(asked))
            await node.rows.want(TABLE, heir)
            there = cluster.nodes[heir]
            await until(lambda: there.owns(TABLE) and not there.table("T1").transits_open)
            vouchers = cluster.nodes["office"].cage.outstanding.values()
            assert [each.value for each in vouchers] == [100_000]
            await node.transfers.settled()
            asked.clear()
            node.transfers.again()
            await node.transfers.settled()
            assert asked == []
        assert await cluster.faults() == []

    run(move())


def test_an_office_whose_credentials_cannot_be_read_is_asked_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the office waited for them without end, no other stream could be opened."""
    monkeypatch.setattr(nodes, "OFFICE_SECONDS", 0.01)

    async def begin() -> None:
        cluster = Cluster(postgres_url, PATIENT)
        leases = NodeLeases("office", ["office"], signs_by=VENUE)
        node = await NodeRuntime.join(postgres_url, leases, cluster.keys, PATIENT)
        cluster.nodes["office"] = node
        tries = 0

        async def away_at_first() -> None:
            nonlocal tries
            tries += 1
            if tries == 1:
                await asyncio.Event().wait()

        node.before_office = away_at_first
        node.start()
        await until(lambda: node.ownership.holds(VENUE) and node.ownership.holds(CAGE))
        assert tries == 2
        await cluster.stop()

    run(begin())


def test_a_node_that_followed_what_was_lost_does_not_go_on(postgres_url: str) -> None:
    """Other nodes take its tables, and its next start reads everything anew."""

    async def lose() -> None:
        async with opened(postgres_url) as (cluster, floor):
            office, there = cluster.nodes["office"], cluster.nodes[owner(cluster)]
            await floor.do(TABLE, DEALER, OpenBets())
            await until(lambda: office.table("T1").version == there.table("T1").version)
            # As after a failover to a standby that had not received the last batch.
            connection = await asyncpg.connect(postgres_url)
            last = there.committer.tail.at.number
            await connection.execute("DELETE FROM taisai.seals WHERE number = $1", last)
            await connection.close()
            office.look()
            await until(lambda: "is not there any more" in office.suspended().get(TABLE, ""))
            assert {*office.suspended()} == {VENUE, CAGE, TABLE}
            assert not office.ownership.holds(VENUE)
            # The owner that wrote the lost seal goes on: it does not follow its own.
            assert there.ownership.holds(TABLE)
            assert there.suspended() == {}

    run(lose())
