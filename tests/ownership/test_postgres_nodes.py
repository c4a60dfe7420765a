"""Real nodes on a real PostgreSQL, killed, stopped and continued: nothing is lost or done twice."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import asyncpg
import msgspec
import pytest

from taisai.runtime.journal.contract import FencedError
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.ownership.rows import HOLD_FORMERS, Rows
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.ownership.tenure import OwnerRow, Taking, Tenure, Terms
from tests.kit.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).resolve().parents[2]
STREAMS = ["table/A", "table/B", "table/C"]
TERMS = Terms()
WAITS = """
SELECT count(*) FROM pg_stat_activity WHERE application_name = 'taisai-leases'
  AND datname = current_database() AND wait_event_type = 'Lock'
"""
WHO_WAITS = WAITS.replace("count(*)", "max(pid)")
DOES = "SELECT state FROM pg_stat_activity WHERE pid = $1"


# --- the rows -----------------------------------------------------------------------------------


async def rows_of(url: str, name: str) -> tuple[Rows, PostgresJournal, NodeLeases]:
    """Give the rows as a node sees them."""
    leases = NodeLeases(name, ["owner"])
    journal = await PostgresJournal.open(url, node=leases)
    return Rows(url, leases, TERMS), journal, leases


async def check_wanted(here: Rows, there: Rows) -> None:
    """Check that a stream stays wanted at a node, whoever takes it meanwhile."""
    for who, wanted in ((here, "there"), (there, None)):
        (row,) = [each for each in (await here.beat()).owners if each.stream == "table/A"]
        nodes = {each.node: each for each in (await here.beat()).nodes}
        beat = None if row.node is None else nodes[row.node].beat
        taken = await who.take([Taking("table/A", row.epoch, row.node, beat, None)])
        assert taken == {"table/A": row.epoch + 1}
        (row,) = [each for each in (await there.beat()).owners if each.stream == "table/A"]
        assert row.wanted == wanted


async def check_rows(url: str) -> None:
    here, one, leases = await rows_of(url, "here")
    there, two, others = await rows_of(url, "there")
    await here.add(STREAMS)
    await here.add(STREAMS)
    seen = await here.beat()
    assert {(each.node, tuple(each.roles)) for each in seen.nodes} == {
        ("here", ("owner",)),
        ("there", ("owner",)),
    }
    assert [(each.stream, each.epoch, each.node) for each in sorted(seen.owners)] == [
        (stream, 0, None) for stream in STREAMS
    ]
    # The same row is taken once, by either node.
    asked = [Taking("table/A", 0, None, None, None)]
    assert sorted([await here.take(asked), await there.take(asked)], key=len) == [
        {},
        {"table/A": 1},
    ]
    # From a node that beats it is taken only if that has not beaten since it was seen.
    (before,) = [each for each in seen.nodes if each.node == "here"]
    await here.beat()
    assert await there.take([Taking("table/A", 1, "here", before.beat, before.fence)]) == {}
    (now,) = [each for each in (await there.beat()).nodes if each.node == "here"]
    assert now.beat > before.beat
    assert await there.take([Taking("table/A", 1, "here", now.beat, now.fence)]) == {"table/A": 2}
    # A probe of the journal is no beat: only the loop that decides keeps a node alive.
    await one.probe()
    assert now in (await there.beat()).nodes
    # The former owner's session ends once its statements have ended.
    assert one._writer is not None
    assert not one._writer.connection.is_closed()
    await there.settle([leases.fence])
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
        await one._writer.connection.execute("SELECT 1")
    # A node cannot release another's stream.
    await here.release("table/A", 1)
    assert "there" in {each.node for each in (await here.beat()).owners}
    await there.release("table/A", 2)
    assert {each.node for each in (await here.beat()).owners} == {None}
    assert await here.want("table/A", "there")
    assert not await here.want("table/X", "there")
    await check_wanted(here, there)
    # A stream cannot be wanted where it is: after a take-over it would always go back there.
    assert await here.want("table/A", "there")
    assert {each.wanted for each in (await here.beat()).owners} == {None}
    assert await here.want("table/A", "here")
    assert await here.drain("there")
    assert not await here.drain("nowhere")
    seen = await here.beat()
    assert {each.wanted for each in seen.owners if each.stream == "table/A"} == {"here"}
    assert {each.node for each in seen.nodes if each.draining} == {"there"}
    # The time is the database's.
    assert abs((await there.beat()).at - seen.at) < TIMEOUT_SECONDS * 1_000
    others.fence += 1
    with pytest.raises(FencedError):
        await there.beat()
    for each in (here, there, one, two):
        await each.close()


def test_rows_are_compared_and_set(postgres_url: str) -> None:
    asyncio.run(check_rows(postgres_url))


#: Statements that anybody may run on the rows, each of which changes something.
CHANGES = (
    "UPDATE taisai.owners SET wanted = 'there' WHERE stream = 'table/A'",
    "UPDATE taisai.owners SET wanted = NULL WHERE stream = 'table/A'",
    "UPDATE taisai.owners SET role = 'office' WHERE stream = 'table/A'",
    "UPDATE taisai.owners SET node = 'there' WHERE stream = 'table/B'",
    "UPDATE taisai.owners SET epoch = 2 WHERE stream = 'table/B'",
    # Two rows swap their epochs, and swap back: their sum stays the same.
    "UPDATE taisai.owners SET epoch = 2 - epoch WHERE stream IN ('table/B', 'table/C')",
    "UPDATE taisai.owners SET epoch = 2 - epoch WHERE stream IN ('table/B', 'table/C')",
    "DELETE FROM taisai.owners WHERE stream = 'table/C'",
    "INSERT INTO taisai.owners (stream) VALUES ('table/D')",
    # As a restoration does: all rows are written anew, as they were at another time.
    "TRUNCATE taisai.owners; INSERT INTO taisai.owners (stream) VALUES ('*'), ('table/A')",
    "DELETE FROM taisai.owners WHERE stream <> '*'",
)
OWNERS = "SELECT stream, epoch, node, role, wanted FROM taisai.owners WHERE stream <> '*'"


async def check_changes_are_seen(url: str) -> None:
    here, one, _ = await rows_of(url, "here")
    there, two, _ = await rows_of(url, "there")
    await here.add(STREAMS)
    looking = await asyncpg.connect(url)

    async def seen_by_both() -> list[OwnerRow]:
        kept = sorted(OwnerRow(*row) for row in await looking.fetch(OWNERS))
        seen = [(await each.beat()).owners for each in (here, there)]
        assert [sorted(each) for each in seen] == [kept, kept]
        # Unchanged rows are not sent again.
        again = [(await each.beat()).owners for each in (here, there)]
        assert [*map(id, again)] == [*map(id, seen)]
        return kept

    before = await seen_by_both()
    assert await Standing(url).move("table/A", "there") is None
    wanted = await seen_by_both()
    assert {row.stream: row.wanted for row in wanted} == {
        **dict.fromkeys(STREAMS),
        "table/A": "there",
    }
    await here.want("table/A", None)
    assert await seen_by_both() == before
    for change in CHANGES:
        await looking.execute(change)
        after = await seen_by_both()
        assert after != before
        before = after
    # After a connection was lost, all rows are read again, whatever server answers.
    assert here._beating is not None
    here._beating.terminate()
    await seen_by_both()
    await looking.close()
    for each in (here, there, one, two):
        await each.close()


def test_whose_streams_are_is_sent_when_anybody_has_changed_it(postgres_url: str) -> None:
    asyncio.run(check_changes_are_seen(postgres_url))


async def check_beat_behind_a_taking(url: str) -> None:
    here, journal, leases = await rows_of(url, "here")
    await here.add(STREAMS)
    epochs = await here.take([Taking(stream, 0, None, None, None) for stream in STREAMS])
    assert epochs == dict.fromkeys(STREAMS, 1)
    taking, looking = await asyncpg.connect(url), await asyncpg.connect(url)
    transaction = taking.transaction()
    await transaction.start()
    await taking.execute(HOLD_FORMERS, ["here"])
    await taking.execute("UPDATE taisai.owners SET epoch = 2, node = 'there' WHERE stream <> '*'")
    # As from a node that continues while its streams are being taken.
    beating = asyncio.create_task(here.beat())
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not await looking.fetchval(WAITS) and not beating.done():
            pass
    assert not beating.done()
    await transaction.commit()
    seen = await beating
    assert {(each.epoch, each.node) for each in seen.owners} == {(2, "there")}
    tenure = Tenure("here", TERMS, leases.epochs)
    leases.epochs.update(epochs)
    assert sorted(tenure.note(seen, 1.0, 1.0).lost) == STREAMS
    await taking.close()
    await looking.close()
    await here.close()
    await journal.close()


def test_who_beats_while_its_streams_are_taken_sees_that_they_are(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long it takes here until the beat is seen to wait.
    monkeypatch.setattr(f"{__name__}.TERMS", TERMS._replace(suspend=TIMEOUT_SECONDS))
    asyncio.run(check_beat_behind_a_taking(postgres_url))


# --- processes ----------------------------------------------------------------------------------


class Nodes:
    """Processes of nodes, and their reports."""

    def __init__(self, url: str) -> None:
        self.processes: dict[str, Process] = {}
        self.told: list[tuple[str, str, int]] = []
        self.untold: set[str] = set()
        self._url = url
        #: Which node opened a stream last, and with which epoch.
        self.open_at: dict[str, tuple[str, int]] = {}
        self._listening: list[asyncio.Task[None]] = []
        self._changed = asyncio.Condition()

    async def start(self, name: str) -> None:
        """Start a node."""
        self.processes[name] = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.ownership.program", self._url, name),
            stdin=PIPE,
            stdout=PIPE,
            cwd=ROOT,
        )
        self._listening.append(asyncio.create_task(self._listen(name)))

    async def _listen(self, name: str) -> None:
        out = self.processes[name].stdout
        assert out is not None
        while line := await out.readline():
            async with self._changed:
                self._receive(name, *msgspec.json.decode(line))
                self._changed.notify_all()

    def _receive(self, name: str, what: str, *said: object) -> None:
        match what, said:
            case "opened", (str(stream), int(epoch), int()):
                assert epoch >= self.open_at.get(stream, ("", 0))[1], "an epoch went back"
                self.open_at[stream] = name, epoch
            case "shut", (str(stream), str()):
                if self.open_at.get(stream, ("", 0))[0] == name:
                    del self.open_at[stream]
            case "told", (str(stream), str(id_), int(version)):
                self.told.append((stream, id_, version))
            case "told", (str(), str(id_), None):
                self.untold.add(id_)

    async def until_open(self, *, not_at: str = "") -> None:
        """Wait until every stream is open, at other nodes than this."""

        def is_so() -> bool:
            return {*STREAMS} == {*self.open_at} and all(
                name != not_at for name, _ in self.open_at.values()
            )

        async with asyncio.timeout(TIMEOUT_SECONDS), self._changed:
            await self._changed.wait_for(is_so)

    async def ask(self, id_: str, *, wait: bool = True) -> None:
        """Send a command to every table until it is answered; or once, without waiting."""
        for stream in STREAMS:
            while not any(each[:2] == (stream, f"{id_}{stream}") for each in self.told):
                self.untold.discard(f"{id_}{stream}")
                self._send(stream, f"{id_}{stream}")
                if not wait:
                    break
                async with asyncio.timeout(TIMEOUT_SECONDS), self._changed:
                    await self._changed.wait()

    def _send(self, stream: str, id_: str) -> None:
        if stream in self.open_at:
            to = self.processes[self.open_at[stream][0]].stdin
            assert to is not None
            to.write(f"{stream} {id_}\n".encode())

    def signal(self, name: str, number: int) -> None:
        """Send a node's process a signal."""
        self.processes[name].send_signal(number)

    async def end(self) -> None:
        """Leave no process behind."""
        for process in self.processes.values():
            if process.returncode is None:
                process.kill()
            await process.wait()
        await asyncio.gather(*self._listening)


async def check_nodes(url: str) -> None:
    # The first node to come creates the database tables.
    rows, journal, _ = await rows_of(url, "elsewhere")
    await rows.add(STREAMS)
    await rows.drain("elsewhere")
    nodes = Nodes(url)
    try:
        for name in ("one", "two"):
            await nodes.start(name)
        await nodes.until_open()
        await nodes.ask("first")
        first, _ = nodes.open_at["table/A"]
        second = "two" if first == "one" else "one"
        await nodes.ask("stopped", wait=False)
        await stop_at_a_beat(url, nodes, first)
        await nodes.until_open(not_at=first)
        await nodes.ask("second")
        # Continued, it finds that it owns nothing, and reports nothing of what it had.
        nodes.signal(first, signal.SIGCONT)
        await nodes.ask("third")
        nodes.signal(second, signal.SIGKILL)
        await nodes.until_open(not_at=second)
        await nodes.ask("fourth")
        await check_journal(url, nodes)
    finally:
        await nodes.end()
        await rows.close()
        await journal.close()


async def stop_at_a_beat(url: str, nodes: Nodes, name: str) -> None:
    """Stop a node while its beat is under way: it must hold no lock that others wait for."""
    holding, looking = await asyncpg.connect(url), await asyncpg.connect(url)
    async with holding.transaction():
        await holding.execute(HOLD_FORMERS, [name])
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while (waits := await looking.fetchval(WHO_WAITS)) is None:
                pass
        nodes.signal(name, signal.SIGSTOP)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while (does := await looking.fetchval(DOES, waits)) == "active":
            pass
    assert does == "idle"
    await holding.close()
    await looking.close()


async def check_journal(url: str, nodes: Nodes) -> None:
    """Compare the answers with the journal, in plain SQL."""
    connection = await asyncpg.connect(url)
    found = await connection.fetch(
        "SELECT stream, convert_from(data, 'UTF8'), version, cause FROM taisai.events"
    )
    await connection.close()
    there = {(stream, id_, version) for stream, id_, version, _ in found}
    assert {*nodes.told} <= there
    assert len({(stream, id_) for stream, id_, _ in there}) == len(found)
    for stream in STREAMS:
        rows = sorted((row[2], int(row[3].split()[0])) for row in found if row[0] == stream)
        assert [version for version, _ in rows] == [*range(1, len(rows) + 1)]
        epochs = [epoch for _, epoch in rows]
        assert epochs == sorted(epochs)
    # Each stream was taken over at least once, from a node that was stopped or killed.
    assert min(epoch for _, epoch in nodes.open_at.values()) >= 2


def test_a_node_that_is_stopped_or_killed_is_taken_over(postgres_url: str) -> None:
    asyncio.run(check_nodes(postgres_url))
