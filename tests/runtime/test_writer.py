"""One writer per stream: it answers only with durable events, each id once, and never in doubt."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.core.kernel.messages import Actor, Balances, BoxStake, Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.betting import ClearBets, PlaceBets
from taisai.core.table.round import CloseBets, OpenBets
from taisai.runtime import known_ids
from taisai.runtime import writer as writing
from taisai.runtime.answers import AHEAD_MS, IDS_KEPT_MS, Answer, Registered
from taisai.runtime.journal.contract import Append, NothingWrittenError, OutcomeUnknownError
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.writer import Writer
from taisai.wording import LANGUAGES, say
from tests.kit.floor import Floor, keys, run, until
from tests.kit.people import DEALER
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.runtime.failing_journals import FailingJournal


@asynccontextmanager
async def betting(path: Path, *tables: str) -> AsyncIterator[tuple[Floor, FailingJournal]]:
    """Open a venue whose tables take bets, on a journal that can be told to misbehave."""
    journal = FailingJournal(await SqliteJournal.open(path / "journal.sqlite"))
    floor = await Floor.open(journal, keys())
    await floor.found()
    for table in tables or ("T1",):
        await floor.do(await floor.add_table(table), DEALER, OpenBets())
    yield floor, journal
    journal.gate.set()
    await floor.venue.stop()


def nothing_is_looked_up(writer: Writer) -> None:
    """Have new commands decided at once, as when no id can have been answered before.

    In a stream that is new, an id made up to five seconds later is looked up in the journal first.
    """
    writer.known.begin(0)


def code_of(answer: Answer) -> str:
    assert isinstance(answer, Refusal), answer
    for language in LANGUAGES:
        assert say(answer.reason, language)
    return answer.code


async def stakes(path: Path, table: str = "T1") -> int:
    """Add up the bets that a second reader of the file finds."""
    reader = await SqliteJournal.open(path / "journal.sqlite", read_only=True)
    pages = [page async for page in reader.read(f"table/{table}")]
    await reader.close()
    return sum(b"BetsRegistered" in record.data for page in pages for record in page)


def test_a_bet_is_on_disk_before_anyone_is_told(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.gate.clear()
            journal.arrived.clear()
            asked = asyncio.create_task(floor.bet("T1", "T1-1", "small", 500))
            await journal.arrived.wait()
            assert not asked.done()
            assert await stakes(tmp_path) == 0
            journal.gate.set()
            assert isinstance(await asked, Registered)
            assert await stakes(tmp_path) == 1

    run(test())


def test_deciding_goes_on_while_a_batch_is_on_its_way(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path, "T1", "T2") as (floor, journal):
            journal.gate.clear()
            journal.arrived.clear()
            before = len(journal.batches)
            first = asyncio.create_task(floor.bet("T1", "T1-1", "small", 500))
            await journal.arrived.wait()
            more = [
                asyncio.create_task(floor.bet(table, f"{table}-2", "big", 200))
                for table in ("T1", "T2", "T1", "T2")
            ]
            await until(lambda: floor.venue.table("T2").live == 400)
            assert floor.venue.table("T1").live == 900
            assert not any(task.done() for task in (first, *more))
            journal.gate.set()
            answers = await asyncio.gather(first, *more)
            assert all(isinstance(answer, Registered) for answer in answers)
            # Two batches: the first bet alone, then all bets that came meanwhile, of both tables.
            assert [len(batch) for batch in journal.batches[before:]] == [1, 2]

    run(test())


async def sizes_in_turn(path: Path, in_flight: int, *, elsewhere: bool) -> list[int]:
    """Keep so many bets in flight for ten rounds of answers; give the batches they came to."""
    async with betting(path) as (floor, journal):
        journal.writes_elsewhere = elsewhere
        nothing_is_looked_up(floor.venue.writer("table/T1"))
        now, bet = floor.venue.clock.now(), PlaceBets("T1-1", (BoxStake("small", 100),))
        waiting = iter([order(f"{now}-{number}", bet) for number in range(10 * in_flight)])
        left, before, done = 10 * in_flight, len(journal.batches), asyncio.Event()

        def next_bet(answer: Answer | None = None) -> None:
            nonlocal left
            if answer is not None:
                assert isinstance(answer, Registered), answer
                left -= 1
                if not left:
                    done.set()
            following = next(waiting, None)
            if following is not None:
                floor.venue.submit_then("table/T1", following, next_bet)

        for _ in range(in_flight):
            next_bet()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await done.wait()
        return [sum(len(each.commands) for each in batch) for batch in journal.batches[before:]]


def test_what_waits_is_decided_in_halves_where_another_process_writes(tmp_path: Path) -> None:
    """While the database writes one half the other is decided, and then they take turns."""
    (tmp_path / "there").mkdir()
    there = run(sizes_in_turn(tmp_path / "there", 64, elsewhere=True))
    assert there[0] == 64
    assert set(there[1:]) == {32}
    (tmp_path / "few").mkdir()
    few = run(sizes_in_turn(tmp_path / "few", 31, elsewhere=True))
    assert set(few) == {31}
    (tmp_path / "here").mkdir()
    here = run(sizes_in_turn(tmp_path / "here", 64, elsewhere=False))
    assert set(here) == {64}


def test_the_same_id_gets_the_same_answer_and_bets_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            id_ = floor.new_id()
            both = [floor.bet("T1", "T1-1", "small", 500, id_) for _ in range(2)]
            first, second = await asyncio.gather(*both)
            again = await floor.bet("T1", "T1-1", "small", 500, id_)
            assert isinstance(first, Registered)
            assert first == second == again
            assert floor.venue.table("T1").live == 500
            other = await floor.bet("T1", "T1-1", "small", 600, id_)
            assert code_of(other) == "ID_REUSED"
            # An id belongs to its sender: another terminal may choose the same.
            assert isinstance(await floor.bet("T1", "T1-2", "small", 500, id_), Registered)

    run(test())


def test_an_id_is_answered_the_same_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        venue_keys = keys()
        floor = await Floor.open(tmp_path / "j", venue_keys)
        await floor.found()
        stream = await floor.add_table()
        await floor.do(stream, DEALER, OpenBets())
        taken, refused = floor.new_id(), floor.new_id()
        answers = [
            await floor.bet("T1", "T1-1", "small", 500, taken),
            await floor.bet("T1", "T1-1", "small", 550, refused),
        ]
        assert code_of(answers[1]) == "OFF_STEP"
        await floor.venue.stop()
        floor = await Floor.open(tmp_path / "j", venue_keys)
        assert [
            await floor.bet("T1", "T1-1", "small", 500, taken),
            await floor.bet("T1", "T1-1", "small", 550, refused),
        ] == answers
        assert code_of(await floor.bet("T1", "T1-1", "big", 500, taken)) == "ID_REUSED"
        await floor.venue.stop()

    run(test())


def test_an_old_answer_that_memory_let_go_is_found_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_ids, "IDS_KNOWN", known_ids.PARTS)

    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            id_ = floor.new_id()
            first = await floor.bet("T1", "T1-1", "small", 500, id_)
            for _ in range(4 * known_ids.PARTS):
                await floor.bet("T1", "T1-1", "small", 500)
            assert len(floor.venue.writer("table/T1").known) < 2 * known_ids.PARTS
            assert await floor.bet("T1", "T1-1", "small", 500, id_) == first
            assert floor.venue.table("T1").live == (4 * known_ids.PARTS + 1) * 500

    run(test())


def test_who_sends_more_when_answered_keeps_nobody_from_asking_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_ids, "IDS_KNOWN", known_ids.PARTS)

    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            now, bet = floor.venue.clock.now(), PlaceBets("T1-1", (BoxStake("small", 100),))
            # Each is made after the one before.
            first, second, *more = (
                order(f"{now + n}-bet", bet) for n in range(2 + 2 * known_ids.PARTS)
            )

            def send_more(_: Answer) -> None:
                # So much that memory lets go of the ids of the batch that is being answered.
                for each in more:
                    floor.venue.submit_then("table/T1", each, lambda _: None)

            nothing_is_looked_up(floor.venue.writer("table/T1"))
            before = len(journal.batches)
            floor.venue.submit_then("table/T1", first, send_more)
            answer = await floor.venue.submit("table/T1", second)
            assert [len(each.commands) for each in journal.batches[before]] == [2]
            async with asyncio.timeout(TIMEOUT_SECONDS):
                assert await floor.venue.submit("table/T1", second) == answer

    run(test())


def test_an_id_says_when_it_was_made_and_is_not_kept_for_ever(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            now = floor.venue.clock.now()
            for id_, code in [
                ("", "BAD_ID"),
                ("first", "BAD_ID"),
                ("-5-x", "BAD_ID"),
                (f"0{now}-x", "BAD_ID"),
                (f"{now}", "BAD_ID"),
                (f"{now}-", "BAD_ID"),
                (f"{now}-{'x' * 80}", "BAD_ID"),
                ("١٢٣-x", "BAD_ID"),
                (f"{now}-\0", "BAD_ID"),
                (f"{now}-\ud800", "BAD_ID"),
                (f"{now - IDS_KEPT_MS - 1000}-x", "STALE"),
                (f"{now + AHEAD_MS + 60_000}-x", "ISSUED_AHEAD"),
            ]:
                order = Order(id_, Actor("T1-1", "terminal"), ClearBets("T1-1"))
                assert code_of(await floor.venue.submit("table/T1", order)) == code
            late = await floor.bet("T1", "T1-1", "small", 500, f"{now - IDS_KEPT_MS + 60_000}-x")
            assert isinstance(late, Registered)

    run(test())


def test_the_close_is_a_command_in_the_same_inbox_and_a_late_bet_is_refused(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            bet = floor.bet("T1", "T1-1", "small", 500)
            close = floor.send("table/T1", DEALER, CloseBets(bell=True))
            late = floor.bet("T1", "T1-2", "small", 500)
            answers = await asyncio.gather(bet, close, late)
            assert [type(answer) for answer in answers] == [Registered, Registered, Refusal]
            refusal = answers[2]
            assert isinstance(refusal, Refusal)
            assert (refusal.code, refusal.clause) == ("BETS_CLOSED", "5.7")

    run(test())


def test_a_full_inbox_refuses_and_the_dealer_still_gets_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.gate.clear()
            nothing_is_looked_up(floor.venue.writer("table/T1"))
            monkeypatch.setattr(writing, "INBOX_MAX", 5)
            bets = [asyncio.create_task(floor.bet("T1", "T1-1", "small", 100)) for _ in range(8)]
            close = asyncio.create_task(floor.send("table/T1", DEALER, CloseBets(bell=True)))
            await asyncio.sleep(0)
            journal.gate.set()
            answers = await asyncio.gather(*bets)
            assert [code_of(each) for each in answers if isinstance(each, Refusal)] == ["BUSY"] * 3
            assert isinstance(await close, Registered)
            assert floor.venue.table("T1").live == 500

    run(test())


def test_ids_are_looked_up_many_in_one_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            asked: list[int] = []
            answered_among = journal.answered_among

            async def count(stream: str, many: Sequence[tuple[str, str]]) -> Any:
                asked.append(len(many))
                return await answered_among(stream, many)

            monkeypatch.setattr(journal, "answered_among", count)
            monkeypatch.setattr(writing, "LOOKED_UP_AT_ONCE", 80)
            ids = [floor.new_id() for _ in range(200)]
            bets = [order(id_, PlaceBets("T1-1", (BoxStake("small", 100),))) for id_ in ids]
            first = await asyncio.gather(*(floor.venue.submit("table/T1", each) for each in bets))
            assert all(isinstance(each, Registered) for each in first)
            assert asked == [80, 80, 40]
            # Forgotten in memory, each answer is found in the journal: the same, and not another's.
            floor.venue.writer("table/T1").known.begin(floor.venue.clock.now() + AHEAD_MS)
            other = order(ids[0], PlaceBets("T1-1", (BoxStake("big", 100),)))
            again = await asyncio.gather(
                *(floor.venue.submit("table/T1", each) for each in (*bets, other))
            )
            assert again[:-1] == first
            assert code_of(again[-1]) == "ID_REUSED"

    run(test())


def order(id_: str, command: PlaceBets) -> Order:
    """Make a terminal's order."""
    return Order(id_, Actor(command.terminal, "terminal"), command)


def test_commands_whose_ids_are_being_looked_up_are_bounded_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            monkeypatch.setattr(writing, "INBOX_MAX", 5)
            answers = await asyncio.gather(
                *(floor.bet("T1", "T1-1", "small", 100) for _ in range(8))
            )
            assert [code_of(each) for each in answers if isinstance(each, Refusal)] == ["BUSY"] * 3

    run(test())


def test_what_is_not_durable_yet_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "UNDURABLE_MAX", 10)

    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.gate.clear()
            journal.arrived.clear()
            bets = [asyncio.create_task(floor.bet("T1", "T1-1", "small", 100)) for _ in range(40)]
            await journal.arrived.wait()
            writer = floor.venue.writer("table/T1")
            await until(lambda: len(writer._in_flight[0]) + 10 + len(writer._inbox) == 40)
            # Some are being written, ten are decided behind them, the rest waits.
            assert floor.venue.table("T1").live == (len(writer._in_flight[0]) + 10) * 100
            journal.gate.set()
            await asyncio.gather(*bets)
            assert floor.venue.table("T1").live == 4_000

    run(test())


def test_refusals_that_are_not_durable_yet_are_bounded_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "UNDURABLE_MAX", 10)
    monkeypatch.setattr(writing, "INBOX_MAX", 5)

    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            writer = floor.venue.writer("table/T1")
            nothing_is_looked_up(writer)
            journal.gate.clear()
            journal.arrived.clear()
            first = asyncio.create_task(floor.bet("T1", "T1-1", "small", 150))
            await journal.arrived.wait()
            answers: list[Answer] = []
            now, off_step = floor.venue.clock.now(), PlaceBets("T1-1", (BoxStake("small", 150),))
            for number in range(20):
                writer.submit_then(order(f"{now}-{number}", off_step), answers.append)
                # As much as may be is decided before the next command comes.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            # Ten are decided behind the one that is being written, and five wait.
            assert [len(writer._decided), len(writer._inbox)] == [10, 5]
            assert [*map(code_of, answers)] == ["BUSY"] * 5
            journal.gate.set()
            assert code_of(await first) == "OFF_STEP"
            await until(lambda: writer.is_idle)
            assert [*map(code_of, answers[5:])] == ["OFF_STEP"] * 15

    run(test())


def test_a_journal_that_cannot_write_suspends_its_table_and_loses_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path, "T1", "T2") as (floor, journal):
            kept = await floor.bet("T1", "T1-1", "small", 500)
            assert isinstance(kept, Registered)
            journal.failures.append(NothingWrittenError("the disk is full"))
            journal.gate.clear()
            journal.arrived.clear()
            ids = [floor.new_id() for _ in range(3)]
            first = asyncio.create_task(floor.bet("T1", "T1-1", "small", 600, ids[0]))
            await journal.arrived.wait()
            behind = [
                asyncio.create_task(floor.bet("T1", "T1-2", "big", 700, id_)) for id_ in ids[1:]
            ]
            await until(lambda: floor.venue.table("T1").live == 500 + 600 + 2 * 700)
            journal.gate.set()
            answers = await asyncio.gather(first, *behind)
            assert [code_of(answer) for answer in answers] == ["RETRY"] * 3
            assert floor.venue.suspended() == {"table/T1": "the disk is full"}
            shown = [
                notice.code for notice in floor.venue.announcements if notice.stream == "table/T1"
            ]
            assert shown == ["suspended"]
            assert code_of(await floor.bet("T1", "T1-1", "small", 600)) == "TABLE_SUSPENDED"
            # The other table goes on.
            assert isinstance(await floor.bet("T2", "T2-1", "small", 500), Registered)
            assert await floor.venue.resume("table/T1") is None
            # Bets were open at the stop: the round is void, and the stake is back [D9].
            assert floor.venue.table("T1").live == 0
            await floor.do("table/T1", DEALER, OpenBets())
            assert isinstance(await floor.bet("T1", "T1-1", "small", 600, ids[0]), Registered)
            assert await stakes(tmp_path) == 2

    run(test())


@pytest.mark.parametrize("deaf", [0, 2])
def test_an_unknown_outcome_is_read_back_before_anyone_is_answered(
    tmp_path: Path, deaf: int
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.lose_answer, journal.reopen_failures = True, deaf
            answer = await floor.bet("T1", "T1-1", "small", 500)
            assert isinstance(answer, Registered)
            assert floor.venue.suspended() == {}
            assert await stakes(tmp_path) == 1
            # A refusal that was written before the connection was lost is read back too.
            journal.lose_answer = True
            assert code_of(await floor.bet("T1", "T1-1", "small", 550)) == "OFF_STEP"
            assert floor.venue.suspended() == {}

    run(test())


def test_an_unknown_outcome_that_was_not_written_is_asked_for_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.failures.append(OutcomeUnknownError("the line went dead"))
            assert code_of(await floor.bet("T1", "T1-1", "small", 500)) == "RETRY"
            why = "the journal was interrupted before it had written: the line went dead"
            assert floor.venue.suspended() == {"table/T1": why}
            assert await stakes(tmp_path) == 0

    run(test())


def test_a_checkpoint_whose_answer_was_lost_is_not_signed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            monkeypatch.setattr("taisai.runtime.journal.group_commit.CHECKPOINT_EVERY", 1)
            journal.lose_answer = True
            assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
            for _ in range(3):
                assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
            journal.lose_answer = True
            await floor.venue.committer.checkpoint()
            await floor.venue.committer.checkpoint()
            journal.failures.append(OutcomeUnknownError("the line went dead"))
            with pytest.raises(OutcomeUnknownError):
                await floor.venue.committer.checkpoint()
            assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
            numbers = [each.number for each in await journal.checkpoints()]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) >= 6

    run(test())


def test_a_journal_that_cannot_be_read_back_answers_nobody_for_certain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisai.runtime.journal.group_commit.READ_BACK_SECONDS", 0.0)

    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.lose_answer, journal.reopen_failures = True, 100
            id_ = floor.new_id()
            assert code_of(await floor.bet("T1", "T1-1", "small", 500, id_)) == "RETRY"
            assert "table/T1" in floor.venue.suspended()
            assert "does not answer" in (await floor.venue.resume("table/T1") or "")
            journal.reopen_failures = 0
            assert await floor.venue.resume("table/T1") is None
            # It had been written: sent again with the same id, it is registered.
            assert isinstance(await floor.bet("T1", "T1-1", "small", 500, id_), Registered)
            assert await stakes(tmp_path) == 1

    run(test())


def test_a_second_writer_on_a_stream_stops_this_one_and_no_other(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path, "T1", "T2") as (floor, journal):
            journal.gate.clear()
            bets = [
                asyncio.create_task(floor.bet(table, f"{table}-1", "small", 500))
                for table in ("T1", "T2")
            ]
            await journal.arrived.wait()
            other = await SqliteJournal.open(tmp_path / "journal.sqlite")
            intruding = (await journal.heads(["table/T1"]))["table/T1"]
            stolen = [page async for page in other.read("table/T1")][-1][-1]
            record = stolen._replace(version=intruding.version + 1)
            await other.write([Append("table/T1", intruding, [record])])
            await other.close()
            journal.gate.set()
            answers = await asyncio.gather(*bets)
            assert code_of(answers[0]) == "RETRY"
            assert isinstance(answers[1], Registered)
            assert list(floor.venue.suspended()) == ["table/T1"]
            # The other writer's event does not follow on the chain, and the table stays shut.
            assert "breaks at version" in (await floor.venue.resume("table/T1") or "")

    run(test())


def test_a_fault_of_ours_stops_one_table_with_its_money_as_the_journal_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with betting(tmp_path, "T1", "T2") as (floor, _):
            await floor.bet("T1", "T1-1", "small", 500)
            writer = floor.venue.writer("table/T1")

            def trip(*_: object) -> Balances:
                raise AssertionError("the books do not agree")

            kind = writer.kind
            monkeypatch.setattr(writer, "kind", replace(kind, evolve=trip))
            assert code_of(await floor.bet("T1", "T1-1", "small", 500)) == "RETRY"
            assert "the books do not agree" in floor.venue.suspended()["table/T1"]
            assert isinstance(await floor.bet("T2", "T2-1", "small", 500), Registered)
            monkeypatch.setattr(writer, "kind", kind)
            assert await floor.venue.resume("table/T1") is None
            assert await stakes(tmp_path) == 1

    run(test())
    assert "fault of ours" in caplog.text


def test_what_cannot_be_written_down_stops_one_table_with_all_that_its_turn_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path, "T1", "T2") as (floor, _):
            await floor.bet("T1", "T1-1", "small", 500)
            encode = msgspec.json.encode

            def trip(event: object) -> bytes:
                if "T1-2" in repr(event):
                    raise UnicodeEncodeError("utf-8", "T1-2", 0, 1, "a surrogate")
                return encode(event)

            with monkeypatch.context() as patch:
                patch.setattr(writing, "_encode", trip)
                bets = [floor.bet("T1", f"T1-{number}", "small", 500) for number in (1, 2, 3)]
                answers = await asyncio.gather(*bets, floor.bet("T2", "T2-1", "small", 500))
            assert [*map(code_of, answers[:3])] == ["RETRY"] * 3
            assert isinstance(answers[3], Registered)
            assert "UnicodeEncodeError" in floor.venue.suspended()["table/T1"]
            assert await floor.venue.resume("table/T1") is None
            assert await stakes(tmp_path) == 1

    run(test())


def test_no_snapshot_is_signed_of_a_state_that_may_be_ahead_of_its_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            writer = floor.venue.writer("table/T1")
            monkeypatch.setattr(writing, "snapshot_is_due", lambda *_: True)
            assert writer.take().snapshot is not None
            writer.suspend("a test")
            assert writer.take().snapshot is None

    run(test())


def test_who_gives_up_waiting_takes_nothing_from_who_asks_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            journal.gate.clear()
            journal.arrived.clear()
            id_ = floor.new_id()
            gone = asyncio.create_task(floor.bet("T1", "T1-1", "small", 500, id_))
            await journal.arrived.wait()
            gone.cancel()
            again = asyncio.create_task(floor.bet("T1", "T1-1", "small", 500, id_))
            await asyncio.sleep(0)
            journal.gate.set()
            assert isinstance(await again, Registered)
            assert gone.cancelled()
            assert floor.venue.table("T1").live == 500

    run(test())


def test_bets_of_many_boxes_are_one_decision(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            bets = (BoxStake("small", 500), BoxStake("total-9", 300))
            command = PlaceBets("T1-1", bets)
            await floor.do("table/T1", Actor("T1-1", "terminal"), command)
            record = journal.batches[-1][0].records[0]
            assert record.cause is not None
            assert b"T1-1" in record.cause

    run(test())


def test_who_trips_over_an_answer_holds_back_nobody_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with betting(tmp_path, "T1", "T2") as (floor, _):
            nothing_is_looked_up(floor.venue.writer("table/T1"))

            def trip(_: object) -> None:
                raise RuntimeError("nobody is there")

            def deaf(*_: object) -> None:
                raise RuntimeError("nobody listens")

            command = PlaceBets("T1-1", (BoxStake("small", 500),))
            order = Order(floor.new_id(), Actor("T1-1", "terminal"), command)
            floor.venue.submit_then("table/T1", order, trip)
            answers = await asyncio.gather(
                floor.bet("T1", "T1-2", "small", 500), floor.bet("T2", "T2-1", "small", 500)
            )
            assert all(isinstance(answer, Registered) for answer in answers)
            floor.venue.writer("table/T1").publish = deaf
            for table in ("T1", "T2"):
                answer = await floor.bet(table, f"{table}-1", "small", 500)
                assert isinstance(answer, Registered)
            assert floor.venue.suspended() == {}

    run(test())
    assert "nobody is there" in caplog.text
    assert "nobody listens" in caplog.text


def test_a_fault_of_ours_in_writing_suspends_and_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):

            async def trip(*_: object) -> None:
                raise RuntimeError("a fault")

            with monkeypatch.context() as patch:
                patch.setattr(journal, "write", trip)
                assert code_of(await floor.bet("T1", "T1-1", "small", 500)) == "RETRY"
            assert floor.venue.suspended() == {"table/T1": "a fault of ours: RuntimeError: a fault"}
            assert await floor.venue.resume("table/T1") is None

    run(test())


def test_what_was_kept_of_an_id_and_cannot_be_read_leaves_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            id_ = floor.new_id()
            await floor.bet("T1", "T1-1", "small", 500, id_)
            floor.venue.writer("table/T1").known.begin(floor.venue.clock.now() + AHEAD_MS)
            whole = await journal.answered("table/T1", "terminal/T1-1", id_)
            assert whole is not None
            for kept in (whole._replace(answer=b"{"), whole._replace(last=whole.last + 9)):

                async def damaged(*_: object, kept: object = kept) -> object:
                    return kept

                with monkeypatch.context() as patch:
                    patch.setattr(journal, "answered", damaged)
                    again = await floor.bet("T1", "T1-1", "small", 500, id_)
                assert code_of(again) == "RETRY"
            assert await stakes(tmp_path) == 1

    run(test())


def test_resuming_a_table_that_is_not_suspended_changes_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            bets = [floor.bet("T1", "T1-1", "small", 100) for _ in range(20)]
            resumed = [floor.venue.resume("table/T1") for _ in range(3)]
            await asyncio.gather(*bets, *resumed)
            assert floor.venue.table("T1").live == 2_000
            floor.venue.writer("table/T1").suspend("a reason")
            assert await asyncio.gather(*(floor.venue.resume("table/T1") for _ in range(3))) == [
                None,
                None,
                None,
            ]
            assert floor.venue.table("T1").live == 0

    run(test())


def test_ids_are_forgotten_by_the_time_of_events_and_not_of_a_clock_that_is_ahead(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            id_ = floor.new_id()
            await floor.bet("T1", "T1-1", "small", 500, id_)
            clock, wall, steady = (
                floor.venue.clock,
                floor.venue.clock._wall,
                floor.venue.clock._steady,
            )
            # Both clocks have gone on: one alone would not be believed.
            clock._wall = lambda: wall() + 2 * IDS_KEPT_MS * 1_000_000
            clock._steady = clock._tick = lambda: steady() + 2 * IDS_KEPT_MS * 1_000_000
            assert clock.now() > floor.venue.committer.at + IDS_KEPT_MS
            await floor.venue.committer.checkpoint()
            await floor.venue._forget()
            assert await journal.answered("table/T1", "terminal/T1-1", id_) is not None
            # After the next event, it is the journal's time too.
            assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
            await floor.venue._forget()
            # … and once that is signed, a verifier knows by it which ids may be missing.
            assert await journal.answered("table/T1", "terminal/T1-1", id_) is not None
            await floor.venue.committer.checkpoint()
            await floor.venue._forget()
            assert await journal.answered("table/T1", "terminal/T1-1", id_) is None

    run(test())


def test_a_snapshot_that_cannot_be_taken_keeps_no_answer_from_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ArithmeticError("it cannot be signed")

    async def test() -> None:
        async with betting(tmp_path, "T1", "T2") as (floor, journal):
            with monkeypatch.context() as patch:
                patch.setattr(writing, "snapshot_is_due", lambda *_: True)
                patch.setattr(floor.venue.writer("table/T2"), "sign_snapshot", fail)
                journal.gate.clear()
                journal.arrived.clear()
                one = asyncio.create_task(floor.bet("T1", "T1-1", "small", 500))
                await journal.arrived.wait()
                # Taken while the other table's bet is durable and not answered yet.
                two = asyncio.create_task(floor.bet("T2", "T2-1", "small", 500))
                await until(lambda: floor.venue.table("T2").live == 500)
                journal.gate.set()
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    answers = await asyncio.gather(one, two)
                assert {type(answer) for answer in answers} == {Registered}
            assert "no snapshot can be taken of table/T2" in caplog.text
            assert floor.venue.suspended() == {}

    run(test())
