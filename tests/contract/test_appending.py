"""Events are written whole, in order and once, and read as they were, on every backend."""

import asyncio
from collections.abc import Sequence

import pytest

from taisai.runtime.journal.contract import (
    PAGE,
    PAGE_BYTES,
    Append,
    Head,
    Outcome,
    Record,
    RowJournal,
    genesis,
    link_of,
)
from tests.contract.journals import (
    NOON,
    Place,
    adding,
    answered,
    beginning,
    chain_holds,
    everything,
    following,
    head_after,
    snapshot_of,
)

DURABLE, CONFLICT = Outcome.DURABLE, Outcome.CONFLICT
#: A record as long as that of a settled round may be.
LARGE = 1024 * 1024


async def test_what_is_appended_is_read_back_in_order(place: Place) -> None:
    first = adding("table/1", b"one", b"two")
    second = adding("table/1", b"three", after=head_after(first))
    async with place.journal() as journal:
        assert await journal.write([first]) == [DURABLE]
        assert await journal.write([second]) == [DURABLE]
        assert await everything(journal, "table/1") == [*first.records, *second.records]
    async with place.journal(read_only=True) as journal:
        assert await everything(journal, "table/1") == [*first.records, *second.records]


async def test_the_chain_read_back_is_the_chain_that_was_described(place: Place) -> None:
    async with place.journal() as journal:
        head = beginning("table/1")
        for batch in range(5):
            append = adding("table/1", *(b"%d.%d" % (batch, n) for n in range(7)), after=head)
            await journal.write([append])
            head = head_after(append)
        records = await everything(journal, "table/1")
    assert len(records) == 35
    assert chain_holds("table/1", records)
    before = genesis("table/1").hash
    for record in records:
        assert link_of(before, record) == record.hash
        before = record.hash


async def test_streams_are_read_apart_though_written_together(place: Place) -> None:
    appends = [adding(stream, b"in " + stream.encode()) for stream in ("cage", "venue", "table/1")]
    async with place.journal() as journal:
        assert await journal.write(appends) == [DURABLE] * 3
        for append in appends:
            assert await everything(journal, append.stream) == append.records
        assert await everything(journal, "table/2") == []


async def test_batches_of_every_size_are_written_whole(place: Place) -> None:
    async with place.journal() as journal:
        head = beginning("table/1")
        for size in (1, 2, 15, 16, 17, 31, 33, 255, 256, 257, 290, 530):
            ids = [answered("table/1", f"{NOON}-{size}-{n}") for n in range(size)]
            data = [b"%d of %d" % (n, size) for n in range(size)]
            append = adding("table/1", *data, after=head, commands=ids)
            assert await journal.write([append]) == [DURABLE]
            assert await everything(journal, "table/1", after=head.version) == append.records
            asked = [(each.sender, each.id) for each in ids]
            found = await journal.answered_among("table/1", asked)
            assert sorted(found.values()) == sorted(ids)
            head = head_after(append)


async def test_an_empty_batch_is_durable_at_once(place: Place) -> None:
    async with place.journal() as journal:
        assert await journal.write([]) == []
        assert await journal.heads() == {}


async def test_reading_begins_after_a_version_and_ends_at_another(place: Place) -> None:
    append = adding("cage", *(b"%d" % n for n in range(1, 11)))
    async with place.journal() as journal:
        await journal.write([append])
        assert await everything(journal, "cage", after=7) == append.records[7:]
        assert await everything(journal, "cage", after=10) == []
        pages = [page async for page in journal.read("cage", 2, 5)]
        assert [record.version for page in pages for record in page] == [3, 4, 5]


async def test_nothing_is_looked_for_behind_the_version_that_reading_ends_at(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = adding("table/1", *(b"%d" % n for n in range(PAGE + 1)))
    async with place.journal() as journal:
        await journal.write([append])
        assert isinstance(journal, RowJournal)
        page, asked = journal._page, []

        async def note(stream: str, after: int, upto: int) -> Sequence[Record]:
            asked.append(after)
            return await page(stream, after, upto)

        monkeypatch.setattr(journal, "_page", note)
        # This many to a page: all are read in two pages, and a single one if there are fewer.
        assert [len(found) async for found in journal.read("table/1", upto=PAGE + 1)] == [PAGE, 1]
        assert [len(found) async for found in journal.read("table/1", 1, upto=3)] == [2]
        assert [found async for found in journal.read("table/1", 3, upto=3)] == []
        assert asked == [0, PAGE, 1]


async def test_single_records_are_given_in_the_order_asked_for(place: Place) -> None:
    append = adding("cage", *(b"%d" % n for n in range(1, 11)))
    async with place.journal() as journal:
        await journal.write([append, adding("venue", b"another")])
        found = await journal.records("cage", [9, 2, 4])
        assert found == [append.records[8], append.records[1], append.records[3]]
        assert await journal.records("cage", [3, 11]) == [append.records[2]]
        assert await journal.records("cage", []) == []


async def test_a_page_holds_no_more_records_than_is_stated(place: Place) -> None:
    append = adding("table/1", *(b"%d" % n for n in range(2 * PAGE + 1)))
    async with place.journal() as journal:
        await journal.write([append])
        pages = [page async for page in journal.read("table/1")]
    assert [len(page) for page in pages] == [PAGE, PAGE, 1]
    assert [record for page in pages for record in page] == append.records


async def test_a_page_of_large_records_ends_with_the_one_that_fills_it(place: Place) -> None:
    large = [bytes([n]) * LARGE for n in range(10)]
    append = adding("table/1", *large, b"small")
    async with place.journal() as journal:
        await journal.write([append])
        pages = [page async for page in journal.read("table/1")]
    sizes = [[len(record.data) for record in page] for page in pages]
    assert all(sum(size[:-1]) <= PAGE_BYTES for size in sizes)
    assert len(pages) > 1
    assert [record for page in pages for record in page] == append.records


async def test_heads_are_of_the_streams_named_or_of_all(place: Place) -> None:
    appends = [
        adding("cage", b"a"),
        adding("venue", b"b", b"c"),
        *(adding(f"table/{n}", *[b"x"] * n) for n in range(1, 5)),
    ]
    expected = {append.stream: head_after(append) for append in appends}
    async with place.journal() as journal:
        assert await journal.heads() == {}
        await journal.write(appends)
        assert await journal.heads() == expected
        named = await journal.heads(["table/3", "no such stream", "cage"])
        assert named == {"table/3": expected["table/3"], "cage": expected["cage"]}
        assert await journal.heads([]) == {}


async def test_every_byte_comes_back_and_no_cause_is_not_an_empty_one(place: Place) -> None:
    every = bytes(range(256))
    stream = "table/大小 1"
    head = beginning(stream)
    caused = following(head, stream, every, cause=every)
    empty = following(Head(1, caused[-1].hash), stream, b"", cause=b"")
    without = following(Head(2, empty[-1].hash), stream, every * 2)
    records = [*caused, *empty, *without]
    async with place.journal() as journal:
        assert await journal.write([Append(stream, head, records)]) == [DURABLE]
        found = await everything(journal, stream)
    assert found == records
    assert [record.cause for record in found] == [every, b"", None]
    assert all(type(record.data) is bytes for record in found)


async def test_the_largest_numbers_come_back(place: Place) -> None:
    record = Record("cage", 1, 65_535, -(2**53), None, b"", b"\xff" * 32)
    async with place.journal() as journal:
        await journal.write([Append("cage", beginning("cage"), [record])])
        assert await everything(journal, "cage") == [record]


async def test_ten_thousand_events_and_commands_are_one_batch(place: Place) -> None:
    commands = [answered("table/1", f"bet-{n}", version=n) for n in range(1, 10_001)]
    append = adding("table/1", *(b"%d" % n for n in range(10_000)), commands=commands)
    async with place.journal() as journal:
        assert await journal.write([append]) == [DURABLE]
        assert await journal.heads() == {"table/1": head_after(append)}
        assert await journal.answered("table/1", "terminal/7", "bet-10000") == commands[-1]


# --- conflicts -------------------------------------------------------------------------------


async def test_a_version_is_written_once(place: Place) -> None:
    first = adding("table/1", b"first")
    async with place.journal() as journal:
        await journal.write([first])
        assert await journal.write([adding("table/1", b"again")]) == [CONFLICT]
        assert await everything(journal, "table/1") == first.records


async def test_a_second_writer_conflicts_and_writes_nothing(place: Place) -> None:
    ours = adding("table/1", b"ours")
    theirs = adding(
        "table/1",
        b"theirs",
        b"more of theirs",
        commands=[answered("table/1", "theirs")],
        snapshot=snapshot_of("table/1", 2),
    )
    async with place.journal() as first, place.journal() as second:
        assert await first.write([ours]) == [DURABLE]
        assert await second.write([theirs]) == [CONFLICT]
        assert await second.answered("table/1", "terminal/7", "theirs") is None
        assert await second.snapshots("table/1") == []
        assert await everything(second, "table/1") == ours.records
        # It may go on from the real head.
        third = adding("table/1", b"third", after=head_after(ours))
        assert await second.write([third]) == [DURABLE]
        assert await everything(first, "table/1") == [*ours.records, *third.records]


async def test_two_writers_at_once_are_put_in_one_order(place: Place) -> None:
    async with place.journal() as first, place.journal() as second:
        outcomes = await asyncio.gather(
            first.write([adding("table/1", b"first"), adding("venue", b"first's")]),
            second.write([adding("table/1", b"second"), adding("cage", b"second's")]),
        )
        assert sorted(each[0] for each in outcomes) == [CONFLICT, DURABLE]
        assert [each[1] for each in outcomes] == [DURABLE, DURABLE]
        [winner] = await everything(first, "table/1")
        assert winner.data == (b"first" if outcomes[0][0] is DURABLE else b"second")


async def test_a_conflict_on_one_stream_leaves_the_others_alone(place: Place) -> None:
    async with place.journal() as journal:
        await journal.write([adding("table/2", b"was first")])
        outcomes = await journal.write(
            [
                adding("table/1", b"one", commands=[answered("table/1", "a")]),
                adding("table/2", b"two", commands=[answered("table/2", "b")]),
                adding("table/3", b"three", commands=[answered("table/3", "c")]),
            ]
        )
        assert outcomes == [DURABLE, CONFLICT, DURABLE]
        assert [record.data for record in await everything(journal, "table/1")] == [b"one"]
        assert [record.data for record in await everything(journal, "table/2")] == [b"was first"]
        assert [record.data for record in await everything(journal, "table/3")] == [b"three"]
        assert await journal.answered("table/1", "terminal/7", "a") is not None
        assert await journal.answered("table/2", "terminal/7", "b") is None
        assert await journal.answered("table/3", "terminal/7", "c") is not None


async def test_an_answered_command_is_not_answered_again(place: Place) -> None:
    first = adding("table/1", b"bet", commands=[answered("table/1", "press-1")])
    again = adding(
        "table/1",
        b"the same bet",
        after=head_after(first),
        commands=[answered("table/1", "press-0"), answered("table/1", "press-1", version=2)],
    )
    other = adding("table/2", b"bet", commands=[answered("table/2", "press-1")])
    async with place.journal() as journal:
        await journal.write([first])
        assert await journal.write([again, other]) == [CONFLICT, DURABLE]
        assert await everything(journal, "table/1") == first.records
        assert await journal.answered("table/1", "terminal/7", "press-0") is None
        assert await journal.answered("table/1", "terminal/7", "press-1") == first.commands[0]
        assert await everything(journal, "table/2") == other.records


@pytest.mark.parametrize(
    "after", [Head(7, b"\x07" * 32), Head(1, b"\x01" * 32)], ids=["a gap", "a fork"]
)
async def test_records_follow_on_the_head_that_is_there(place: Place, after: Head) -> None:
    first = adding("table/1", b"first")
    astray = adding("table/1", b"astray", after=after)
    async with place.journal() as journal:
        await journal.write([first])
        assert await journal.write([astray, adding("cage", b"in order")]) == [CONFLICT, DURABLE]
        assert await everything(journal, "table/1") == first.records


async def test_answers_from_an_old_head_are_a_conflict_too(place: Place) -> None:
    refusal = adding("table/1", commands=[answered("table/1", "too late")])
    async with place.journal() as journal:
        await journal.write([adding("table/1", b"no more bets")])
        assert await journal.write([refusal]) == [CONFLICT]
        assert await journal.answered("table/1", "terminal/7", "too late") is None


async def test_one_stream_may_have_several_parts_in_a_batch(place: Place) -> None:
    first = adding("table/1", b"one")
    second = adding("table/1", b"two", after=head_after(first))
    third = adding("table/1", b"not two", after=head_after(first))
    async with place.journal() as journal:
        assert await journal.write([first, second, third]) == [DURABLE, DURABLE, CONFLICT]
        assert await everything(journal, "table/1") == [*first.records, *second.records]


# --- at the same time ------------------------------------------------------------------------


async def test_readers_see_whole_batches_while_a_writer_writes(place: Place) -> None:
    async with place.journal() as journal:
        done = asyncio.Event()
        looks = 0

        async def look() -> None:
            nonlocal looks
            while not done.is_set():
                records = await everything(journal, "table/1")
                assert chain_holds("table/1", records)
                assert len(records) % 3 == 0
                looks += 1

        looking = asyncio.create_task(look())
        head = beginning("table/1")
        for _ in range(40):
            append = adding("table/1", b"a", b"b", b"c", after=head)
            assert await journal.write([append]) == [DURABLE]
            head = head_after(append)
            # A durable batch is there for the next reader.
            assert await journal.heads(["table/1"]) == {"table/1": head}
        done.set()
        await looking
        assert looks > 0


async def test_batches_handed_over_at_once_are_all_written(place: Place) -> None:
    async with place.journal() as journal:
        appends = [adding(f"table/{n}", b"%d" % n) for n in range(20)]
        outcomes = await asyncio.gather(*(journal.write([append]) for append in appends))
        assert outcomes == [[DURABLE]] * 20
        assert await journal.heads() == {append.stream: head_after(append) for append in appends}
