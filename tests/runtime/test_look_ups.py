"""Commands whose ids are looked up in the journal first: what happens to them meanwhile."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from taisai.core.kernel.messages import BoxStake, Order
from taisai.core.table.betting import PlaceBets
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.writer import OnAnswer
from tests.kit.floor import Floor, run, until
from tests.runtime.test_writer import betting, order

BET = PlaceBets("T1-1", (BoxStake("small", 100),))


def made_long_ago(floor: Floor, count: int) -> list[Order]:
    """Make bets with ids that are looked up: they may have been answered before the start."""
    made = floor.venue.clock.now() - 60_000
    return [order(f"{made}-{number}", BET) for number in range(count)]


def test_a_callback_that_fails_costs_no_other_command_of_its_look_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with betting(tmp_path) as (floor, _):
            writer, answers = floor.venue.writer("table/T1"), list[Answer]()
            known, *others = made_long_ago(floor, 6)
            assert isinstance(await writer.submit(known), Registered)

            def trip(_: Answer) -> None:
                raise RuntimeError("nobody is there")

            writer.submit_then(known, trip)
            for each in others:
                writer.submit_then(each, answers.append)
            await until(lambda: len(answers) == 5)
            assert all(isinstance(each, Registered) for each in answers)
            assert writer.is_idle

    run(test())
    assert "nobody is there" in caplog.text


def test_a_command_whose_stream_has_left_meanwhile_goes_to_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decided here it would suspend a stream that is followed, or go into a state not checked."""

    async def test() -> None:
        async with betting(tmp_path) as (floor, journal):
            writer, answers = floor.venue.writer("table/T1"), list[Answer]()
            known, new = made_long_ago(floor, 2)
            registered = await writer.submit(known)
            looking, left = asyncio.Event(), asyncio.Event()
            look_up = journal.answered_among

            async def wait(stream: str, asked: Sequence[tuple[str, str]]) -> Any:
                looking.set()
                await left.wait()
                return await look_up(stream, asked)

            monkeypatch.setattr(journal, "answered_among", wait)
            sent_on: list[Order] = []

            def elsewhere(order: Order, _: OnAnswer) -> None:
                sent_on.append(order)

            for each in (known, new):
                writer.submit_then(each, answers.append)
            await looking.wait()
            before, writer.elsewhere = writer.head, elsewhere
            left.set()
            await until(lambda: writer.is_idle)
            # What the journal has is the answer, whoever decides now.
            assert sent_on == [new]
            assert answers == [registered]
            assert (writer.head, floor.venue.suspended()) == (before, {})
            writer.elsewhere = None

    run(test())
