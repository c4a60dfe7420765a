"""Command ids, snapshots and checkpoints are kept for as long as they must be, on every backend."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from taisai.runtime.journal.contract import Append, NothingWrittenError, Outcome, Seal
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.journal.sqlite import SqliteJournal
from tests.contract.journals import (
    NOON,
    Place,
    SqlitePlace,
    adding,
    answered,
    beginning,
    checkpoint_of,
    everything,
    head_after,
    refused,
    snapshot_of,
)

DURABLE, CONFLICT = Outcome.DURABLE, Outcome.CONFLICT
#: Stands in for a statement that must not be used.
NOTHING: Any = None


class Batch(NamedTuple):
    """Numbers a batch; the journal does not look inside its seal."""

    number: int

    def over(self, _: Sequence[Append]) -> Seal:
        """Seal it."""
        return Seal(self.number, b"sealed", None, b"mac")


class Interruption(BaseException):
    """Comes from outside, as when somebody presses Ctrl-C."""


class BadBatch(NamedTuple):
    """A batch that cannot be sealed."""

    number: int
    why: BaseException

    def over(self, _: Sequence[Append]) -> Seal:
        """Fail."""
        raise self.why


# --- commands --------------------------------------------------------------------------------


async def test_an_answered_command_is_found_by_sender_and_id(place: Place) -> None:
    ours = answered("table/1", "press-1")
    theirs = answered("table/1", "press-1", sender="terminal/8", version=2)
    elsewhere = answered("cage", "press-1")
    async with place.journal() as journal:
        await journal.write(
            [
                adding("table/1", b"one", b"two", commands=[ours, theirs]),
                adding("cage", b"one", commands=[elsewhere]),
            ]
        )
    async with place.journal() as journal:
        assert await journal.answered("table/1", "terminal/7", "press-1") == ours
        assert await journal.answered("table/1", "terminal/8", "press-1") == theirs
        assert await journal.answered("cage", "terminal/7", "press-1") == elsewhere
        assert await journal.answered("table/1", "terminal/7", "press-2") is None
        assert await journal.answered("table/2", "terminal/7", "press-1") is None
        asked = [("terminal/7", "press-1"), ("terminal/8", "press-1"), ("terminal/7", "press-2")]
        assert await journal.answered_among("table/1", [*asked, asked[0]]) == {
            asked[0]: ours,
            asked[1]: theirs,
        }
        # Another's answer to the same id is not given to who asks alone.
        assert await journal.answered_among("table/1", asked[:1]) == {asked[0]: ours}
        assert await journal.answered_among("table/2", asked) == {}
        assert await journal.answered_among("table/1", []) == {}


async def test_commands_come_back_in_their_order_whatever_each_came_to(place: Place) -> None:
    """Bets of one event each, at two tables; then one of two events, and a refusal among bets."""
    bets = [answered("table/1", f"bet-{n}", version=n) for n in (2, 1)]
    other = answered("table/2", "bet-1")
    one = adding("table/1", b"one", b"two", commands=[bets[1], bets[0]])
    two = adding("table/2", b"one", commands=[other])
    settled = answered("table/1", "settle", version=3)._replace(last=4)
    refusal, late = refused("table/2", "late", b"closed"), answered("table/2", "bet-2", version=2)
    third = adding("table/1", b"three", b"four", after=head_after(one), commands=[settled])
    fourth = adding("table/2", b"two", after=head_after(two), commands=[refusal, late])
    async with place.journal() as journal:
        assert await journal.write([one, two], sealing=Batch(1)) == [DURABLE, DURABLE]
        assert await journal.write([third, fourth], sealing=Batch(2)) == [DURABLE, DURABLE]
        kept = [command async for page in journal.commands() for _, command in page]
        assert kept == [bets[1], bets[0], other, settled, refusal, late]
        for stream, appends in (("table/1", (one, third)), ("table/2", (two, fourth))):
            written = [each for append in appends for each in append.records]
            assert await everything(journal, stream) == written
            asked = [each for append in appends for each in append.commands]
            found = await journal.answered_among(stream, [(c.sender, c.id) for c in asked])
            assert sorted(found.values()) == sorted(asked)


async def test_a_command_in_another_streams_part_is_kept_as_it_is(place: Place) -> None:
    stray = answered("cage", "stray")
    async with place.journal() as journal:
        assert await journal.write([adding("table/1", b"one", commands=[stray])]) == [DURABLE]
        assert await journal.answered("cage", "terminal/7", "stray") == stray
        assert await journal.answered("table/1", "terminal/7", "stray") is None


async def test_a_refusal_is_kept_with_its_answer_and_moves_no_head(place: Place) -> None:
    refusal = refused("table/1", "late", bytes(range(256)))
    silent = refused("table/1", "empty", b"")
    async with place.journal() as journal:
        first = adding("table/1", b"bets closed")
        await journal.write([first])
        append = adding("table/1", after=head_after(first), commands=[refusal, silent])
        assert await journal.write([append]) == [DURABLE]
        assert await journal.answered("table/1", "terminal/7", "late") == refusal
        assert await journal.answered("table/1", "terminal/7", "empty") == silent
        assert await journal.heads() == {"table/1": head_after(first)}


async def test_a_refusal_may_be_all_a_stream_has(place: Place) -> None:
    refusal = refused("table/9", "unknown", b"no such table")
    async with place.journal() as journal:
        assert await journal.write([adding("table/9", commands=[refusal])]) == [DURABLE]
        assert await journal.answered("table/9", "terminal/7", "unknown") == refusal
        assert await journal.heads() == {}


async def test_ids_issued_before_a_time_are_forgotten(place: Place) -> None:
    commands = [answered("cage", f"{n}", issued=NOON + n, version=n) for n in range(1, 11)]
    append = adding("cage", *[b"x"] * 10, commands=commands)
    async with place.journal() as journal:
        await journal.write([append])
        assert await journal.forget(NOON) == 0
        assert await journal.forget(NOON + 6) == 5
        assert await journal.answered("cage", "terminal/7", "5") is None
        assert await journal.answered("cage", "terminal/7", "6") == commands[5]
        # A forgotten id may come again; the events of its command stay for good.
        again = adding("cage", b"y", after=head_after(append), commands=commands[:1])
        assert await journal.write([again]) == [DURABLE]
        assert await everything(journal, "cage") == [*append.records, *again.records]


async def test_forgetting_comes_to_an_end_however_many_there_are(place: Place) -> None:
    commands = [answered("cage", f"{n}", issued=NOON + n // 4_500) for n in range(9_000)]
    async with place.journal() as journal:
        await journal.write([adding("cage", commands=commands)])
        forgotten = 0
        while some := await journal.forget(NOON + 1):
            forgotten += some
        assert forgotten == 4_500
        assert await journal.answered("cage", "terminal/7", "4499") is None
        assert await journal.answered("cage", "terminal/7", "4500") == commands[4_500]


async def test_ids_of_a_later_time_are_found_whatever_they_came_to(place: Place) -> None:
    """Bets, refusals and another's same id; not those of that time, or of the runtime itself."""
    then = answered("table/1", f"{NOON}-then", issued=NOON)
    bet = answered("table/1", f"{NOON + 1}-bet", issued=NOON + 1)
    theirs = bet._replace(sender="terminal/8")
    late = refused("table/1", f"{NOON + 3_000}-late", b"closed", issued=NOON + 3_000)
    # As texts these come later too: an old one by its time, the runtime's own by its sender.
    old = answered("table/1", "5-old", issued=5)
    own = answered("table/1", "print-7", sender="system/host", issued=NOON + 5)
    other = answered("cage", f"{NOON + 2}-sold", issued=NOON + 2)
    refusal = refused("table/2", f"{NOON + 2}-late", b"closed", issued=NOON + 2)
    ours = [then, late, old, theirs, own, bet]
    async with place.journal() as journal:
        await journal.write([adding("table/1", b"one", commands=ours)])
        await journal.write([adding("cage", b"one", commands=[other])])
        await journal.write([adding("table/2", commands=[refusal])])
    async with place.journal() as journal:
        assert sorted(await journal.issued_after(["table/1"], NOON)) == sorted([bet, theirs, late])
        assert await journal.issued_after(["table/1"], NOON + 1) == [late]
        assert await journal.issued_after(["table/1"], NOON + 3_000) == []
        several = await journal.issued_after(["cage", "table/2", "table/3"], NOON)
        assert sorted(several) == sorted([other, refusal])
        assert await journal.issued_after([], NOON) == []


async def test_later_ids_are_found_along_the_index(tmp_path: Path) -> None:
    async with SqlitePlace(tmp_path / "journal").journal() as journal:
        assert isinstance(journal, SqliteJournal)
        explain = f"EXPLAIN QUERY PLAN {journal._later_than(2)}"
        [(*_, plan)] = await journal._rows(explain, f"{NOON}", NOON, "cage", "table/1")
        assert plan.startswith("SEARCH main.commands USING INDEX")
        assert plan.endswith("(stream=? AND id>? AND id<?)")


# --- snapshots -------------------------------------------------------------------------------


async def test_the_two_newest_snapshots_are_kept_of_each_stream(place: Place) -> None:
    async with place.journal() as journal:
        for stream in ("cage", "table/1"):
            head = beginning(stream)
            for version in (1, 2, 3):
                snapshot = snapshot_of(stream, version, b"state %d" % version)
                append = adding(stream, b"event", after=head, snapshot=snapshot)
                assert await journal.write([append]) == [DURABLE]
                head = head_after(append)
        for stream in ("cage", "table/1"):
            assert await journal.snapshots(stream) == [
                snapshot_of(stream, 3, b"state 3"),
                snapshot_of(stream, 2, b"state 2"),
            ]
        assert await journal.snapshots("venue") == []


async def test_snapshots_of_several_streams_come_in_one_batch(place: Place) -> None:
    streams = ["cage", "venue", "table/1"]
    async with place.journal() as journal:
        await journal.write([adding(each, snapshot=snapshot_of(each, 0)) for each in streams])
        for each in streams:
            assert await journal.snapshots(each) == [snapshot_of(each, 0)]


async def test_bets_with_a_snapshot_and_a_checkpoint_come_whole_or_not_at_all(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = adding(
        "table/1", b"one", commands=[answered("table/1", "a")], snapshot=snapshot_of("table/1", 1)
    )
    other = adding("table/2", b"two", commands=[answered("table/2", "b")])
    late = adding(
        "table/1", b"three", commands=[answered("table/1", "c")], snapshot=snapshot_of("table/1", 3)
    )
    async with place.journal() as journal:
        if isinstance(journal, PostgresJournal):
            # They are sent by the statement for bets: one row each, with the rest beside them.
            assert journal._writer is not None
            without = journal._writer._replace(append=NOTHING, append_and_mark=NOTHING)
            monkeypatch.setattr(journal, "_writer", without)
        assert await journal.write([first, other], checkpoint_of(1)) == [DURABLE, DURABLE]
        assert await journal.write([late], checkpoint_of(2)) == [CONFLICT]
        for append in (first, other):
            assert await everything(journal, append.stream) == append.records
            (command,) = append.commands
            assert await journal.answered(*command[:3]) == command
        assert await journal.answered("table/1", "terminal/7", "c") is None
        assert await journal.snapshots("table/1") == [snapshot_of("table/1", 1)]
        assert await journal.checkpoints() == [checkpoint_of(1)]


async def test_a_snapshot_of_the_same_version_takes_the_place_of_the_former(place: Place) -> None:
    async with place.journal() as journal:
        for version, data in ((1, b"old"), (2, b"damaged"), (2, b"whole")):
            await journal.write([adding("cage", snapshot=snapshot_of("cage", version, data))])
        assert await journal.snapshots("cage") == [
            snapshot_of("cage", 2, b"whole"),
            snapshot_of("cage", 1, b"old"),
        ]


async def test_an_older_snapshot_does_not_push_out_a_newer(place: Place) -> None:
    async with place.journal() as journal:
        for version in (5, 3, 2):
            await journal.write([adding("cage", snapshot=snapshot_of("cage", version))])
        assert [each.version for each in await journal.snapshots("cage")] == [5, 3]


async def test_a_large_snapshot_comes_back_byte_for_byte(place: Place) -> None:
    data = bytes(range(256)) * 16 * 1024
    async with place.journal() as journal:
        await journal.write([adding("cage", snapshot=snapshot_of("cage", 1, data))])
        [snapshot] = await journal.snapshots("cage")
        assert snapshot.data == data


# --- checkpoints -----------------------------------------------------------------------------


async def test_checkpoints_are_read_oldest_first_or_only_the_newest(place: Place) -> None:
    numbers = [1, 2, 3, 9, 10, 11]
    async with place.journal() as journal:
        assert await journal.checkpoints() == []
        for number in numbers:
            assert await journal.write([], checkpoint_of(number)) == []
        assert await journal.checkpoints() == [checkpoint_of(number) for number in numbers]
        assert await journal.checkpoints(2) == [checkpoint_of(10), checkpoint_of(11)]
        assert await journal.checkpoints(1) == [checkpoint_of(11)]
        assert await journal.checkpoints(100) == [checkpoint_of(number) for number in numbers]


async def test_checkpoints_are_read_on_from_a_number(place: Place) -> None:
    async with place.journal() as journal:
        assert await journal.checkpoints_after(0) == []
        for number in (1, 2, 3, 9, 10):
            await journal.write([], checkpoint_of(number))
        assert await journal.checkpoints_after(0, 2) == [checkpoint_of(1), checkpoint_of(2)]
        assert await journal.checkpoints_after(2, 2) == [checkpoint_of(3), checkpoint_of(9)]
        assert await journal.checkpoints_after(4) == [checkpoint_of(9), checkpoint_of(10)]
        assert await journal.checkpoints_after(10) == []


async def test_a_checkpoint_is_written_with_the_events_it_comes_with(place: Place) -> None:
    append = adding("cage", b"one", snapshot=snapshot_of("cage", 1))
    async with place.journal() as journal:
        assert await journal.write([append], checkpoint_of(1)) == [DURABLE]
    async with place.journal(read_only=True) as journal:
        assert await everything(journal, "cage") == append.records
        assert await journal.checkpoints() == [checkpoint_of(1)]
        assert await journal.snapshots("cage") == [snapshot_of("cage", 1)]


async def test_no_checkpoint_is_written_where_a_stream_conflicts(place: Place) -> None:
    async with place.journal() as journal:
        await journal.write([adding("table/1", b"was first")])
        batch = [
            adding("table/1", b"second", snapshot=snapshot_of("table/1", 1)),
            adding("cage", b"one", snapshot=snapshot_of("cage", 1)),
        ]
        assert await journal.write(batch, checkpoint_of(1)) == [CONFLICT, DURABLE]
        assert await journal.checkpoints() == []
        assert await journal.snapshots("table/1") == []
        assert await journal.snapshots("cage") == [snapshot_of("cage", 1)]


async def test_a_checkpoint_number_used_twice_writes_nothing_at_all(place: Place) -> None:
    async with place.journal() as journal:
        await journal.write([], checkpoint_of(1))
        append = adding("cage", b"one")
        with pytest.raises(NothingWrittenError):
            await journal.write([append], checkpoint_of(1)._replace(data=b"another"))
        assert await journal.heads() == {}
        assert await journal.checkpoints() == [checkpoint_of(1)]
        # Nothing is left half done: the next batch is written.
        assert await journal.write([append], checkpoint_of(2)) == [DURABLE]


@pytest.mark.parametrize("why", [LookupError("not there"), Interruption()])
async def test_what_cannot_be_sealed_is_not_written_and_the_next_batch_is(
    place: Place, why: BaseException
) -> None:
    one = adding("table/1", b"one", commands=[answered("table/1", "bet-1")])
    async with place.journal() as journal:
        with pytest.raises(type(why)):
            await journal.write([one], sealing=BadBatch(1, why))
        assert await everything(journal, "table/1") == []
        assert await journal.write([one], sealing=Batch(1)) == [DURABLE]
        assert await everything(journal, "table/1") == one.records
