"""The thread of a journal does its work in order, and tells the loop of each outcome."""

import asyncio
import threading

import pytest

from taisai.runtime.journal.journal_thread import JournalThread


def fail(why: str) -> None:
    raise LookupError(why)


def test_work_is_done_in_order_on_one_thread_and_its_outcome_given() -> None:
    done: list[tuple[int, str]] = []

    def note(number: int) -> int:
        done.append((number, threading.current_thread().name))
        return number * number

    async def main() -> list[int]:
        thread = JournalThread("a thread")
        thread.submit(note, 0)
        found = await asyncio.gather(*(thread.run(note, number) for number in (1, 2, 3)))
        thread.end()
        return found

    assert asyncio.run(main()) == [1, 4, 9]
    assert done == [(number, "a thread") for number in range(4)]


def test_a_fault_is_raised_where_its_work_is_waited_for_and_the_thread_goes_on() -> None:
    async def main() -> int:
        thread = JournalThread("a thread")
        with pytest.raises(LookupError, match="not there"):
            await thread.run(fail, "not there")
        found = await thread.run(len, "four")
        thread.end()
        return found

    assert asyncio.run(main()) == 4


def test_a_fault_in_work_that_nobody_waits_for_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> int:
        thread = JournalThread("a thread")
        thread.submit(fail, "nobody waits")
        found = await thread.run(len, "four")
        thread.end()
        return found

    assert asyncio.run(main()) == 4
    assert "nobody waits" in caplog.text


def test_work_whose_waiter_was_cancelled_is_done_all_the_same() -> None:
    begun, gate, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert gate.wait(30)
        done.set()

    async def main() -> None:
        thread = JournalThread("a thread")
        waiting = thread.run(work)
        await asyncio.to_thread(begun.wait)
        waiting.cancel()
        gate.set()
        await thread.run(len, "")
        assert done.is_set()
        thread.end()

    asyncio.run(main())


def test_the_end_waits_for_what_was_given_before() -> None:
    gate, done = threading.Event(), threading.Event()

    def work() -> None:
        assert gate.wait(30)
        done.set()

    thread = JournalThread("a thread")
    thread.submit(work)
    threading.Timer(0.05, gate.set).start()
    thread.end()
    assert done.is_set()


def test_work_outlives_the_loop_that_waited_for_it() -> None:
    gate, thread = threading.Event(), JournalThread("a thread")

    async def main() -> None:
        waiting = thread.run(gate.wait, 30)
        assert not waiting.done()

    asyncio.run(main())
    gate.set()

    async def later() -> int:
        return await thread.run(len, "four")

    assert asyncio.run(later()) == 4
    thread.end()
