"""A client that saw a newer checkpoint than the venue has reports it, and the pit is told [D36]."""

from pathlib import Path

from taisai.client import connect
from tests.kit.floor import run
from tests.kit.servers import opened


def test_a_venue_that_is_behind_what_a_terminal_saw_tells_its_pit(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path / "data") as live:
            await live.floor.add_table("T1", terminals=1, credit=0)
            key = live.key("T1", "T1-1")
            newest = live.venue.committer.newest
            assert newest is not None
            async with live.sit(key, checkpoint=newest.number) as wire:
                welcome = await wire.until("Welcome")
            assert welcome["checkpoint"] == newest.number
            assert [each for each in live.venue.announcements if each.code == "behind"] == []
            seen = newest.number + 3
            for _ in range(2):
                async with live.sit(key, checkpoint=seen) as wire:
                    await wire.until("Welcome")
            # A visitor has no proof, and is not believed.
            async with live.visit(checkpoint=seen + 1) as wire:
                await wire.until("Welcome")
            [told] = [each for each in live.venue.announcements if each.code == "behind"]
            assert told.text.startswith(f"terminal T1-1 was told of checkpoint {seen}")

    run(play())


def test_a_client_remembers_the_newest_checkpoint_and_tells_a_venue_that_is_behind(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with opened(tmp_path / "data") as live:
            async with connect(live.address) as first:
                assert not first.behind
                newest = await live.venue.committer.checkpoint()
                await first.ping()
                assert first.checkpoint == newest.number
            async with connect(live.address, checkpoint=newest.number + 2) as second:
                assert second.behind
                assert second.checkpoint == newest.number + 2

    run(play())
