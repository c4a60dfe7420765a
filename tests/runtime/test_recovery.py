"""Starting again: the state as it was, the rule for an interruption, and damaged streams."""

import asyncio
from itertools import pairwise
from pathlib import Path

import apsw
import pytest

from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.approvals import Decline
from taisai.core.kernel.messages import Actor, Equipment
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import CashOut
from taisai.core.table.round import CloseBets, OpenBets
from taisai.core.table.state import Phase, TableState
from taisai.runtime import writer as writing
from taisai.runtime.answers import Registered
from taisai.runtime.journal import group_commit as committing
from taisai.runtime.journal.checkpoints import check_checkpoint
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.recovery import StartupError
from taisai.runtime.verification.verifier import Asked, verify
from tests.kit.floor import Floor, keys, run, until
from tests.kit.news import news_of
from tests.kit.people import DEALER, PIT, SUPERVISOR

SIMULATED, VERIFIABLE = Equipment("simulated"), Equipment("verifiable")


class Cut:
    """A venue that is cut off: nothing is finished or reported, and the file stays as it is."""

    def __init__(self, path: Path) -> None:
        self.path = path / "journal.sqlite"
        self.keys: VenueKeys = keys()

    async def open(self) -> Floor:
        """Open the venue on the present file."""
        return await Floor.open(self.path, self.keys)

    async def cut(self, floor: Floor) -> None:
        """Let the process vanish, as far as the journal can tell."""
        await floor.venue.committer.settled()
        for task in floor.venue._background:
            task.cancel()
        await floor.venue.journal.close()

    def edit(self, sql: str, *given: object) -> None:
        """Change the file, unknown to the venue."""
        connection = apsw.Connection(str(self.path))
        connection.execute(sql, given)
        connection.close()


async def begun(cut: Cut, equipment: Equipment | None = None, pay_table: str = "ts6/2") -> Floor:
    """Create a venue with a round under way and a bet on it."""
    floor = await cut.open()
    await floor.found()
    stream = await floor.add_table("T1", pay_table, equipment=equipment)
    await floor.do(stream, DEALER, OpenBets())
    assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
    return floor


def rulings(floor: Floor) -> list[str]:
    return [each.text for each in floor.venue.announcements if each.code == "interrupted"]


def held(state: TableState) -> int:
    return state.ledger.balance("terminal:T1-1")


def test_the_state_read_back_is_the_state_that_was(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.close_and_enter("T1", (1, 2, 3))
        await floor.settle("T1")
        states = (floor.venue.table("T1"), floor.venue.cage, floor.venue.state)
        await cut.cut(floor)
        floor = await cut.open()
        assert (floor.venue.table("T1"), floor.venue.cage, floor.venue.state) == states
        assert rulings(floor) == []
        await floor.venue.stop()

    run(test())


def test_bets_still_open_at_the_stop_are_void(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        await cut.cut(await begun(cut))
        floor = await cut.open()
        state = floor.venue.table("T1")
        assert (state.phase, state.live, held(state)) == (Phase.READY, 0, 100_000)
        assert state.history[1].void
        assert rulings(floor) == ["round 1 was under way: the round is void"]
        await floor.venue.stop()

    run(test())


def test_physical_dice_wait_for_two_persons(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.do("table/T1", DEALER, CloseBets(bell=True))
        await cut.cut(floor)
        floor = await cut.open()
        assert rulings(floor) == [
            "round 1 was under way: it waits for two persons who say what happened"
        ]
        supervisor, pit = Actor("sue", "supervisor"), Actor("pat", "pit-manager")
        # The journal has no tumble: two persons testify to it.
        declared = DeclareOutcome((1, 2, 3), ("tumbled",))
        await floor.both("table/T1", supervisor, declared, pit)
        await floor.settle("T1")
        assert held(floor.venue.table("T1")) == 100_500
        await floor.venue.stop()

    run(test())


def test_a_report_of_the_dice_waits_through_a_restart_and_verifying_lists_what_was_found(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        report = ReportIrregularity("dice-exposed", "the cover slipped")
        await floor.do("table/T1", DEALER, report)
        await cut.cut(floor)
        floor = await cut.open()
        state = floor.venue.table("T1")
        assert (state.phase, state.doubts) == (Phase.NO_MORE_BETS, ("dice-exposed",))
        (waits,) = state.lasting.values()
        assert waits.order.command == report
        await floor.do("table/T1", SUPERVISOR, Decline(waits.hash, "the camera shows it on"))
        await floor.both("table/T1", SUPERVISOR, DeclareOutcome((1, 2, 3), ("tumbled",)), PIT)
        await floor.settle("T1")
        await floor.venue.stop()
        journal = await SqliteJournal.open(cut.path, read_only=True)
        proved = await verify(journal, Asked(cut.keys.public))
        await journal.close()
        assert proved.verified, proved.faults
        assert (
            "table/T1, round 1: dice seen too early, reported by dan, was found by sue (supervisor)"
            " not to have happened: the camera shows it on"
        ) in proved.notes

    run(test())


def test_a_recorded_result_is_concluded(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.close_and_enter("T1", (1, 2, 3))
        await cut.cut(floor)
        floor = await cut.open()
        assert rulings(floor) == ["round 1 was under way: the round is concluded"]
        await floor.settle("T1")
        assert held(floor.venue.table("T1")) == 100_500
        await floor.venue.stop()

    run(test())


def test_a_simulated_draw_is_there_or_the_round_is_void(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut, SIMULATED)
        del floor.venue._devices.by_table["T1"]
        await floor.do("table/T1", DEALER, CloseBets(bell=True))
        await cut.cut(floor)
        floor = await cut.open()
        assert rulings(floor) == ["round 1 was under way: the round is void"]
        await floor.do("table/T1", DEALER, OpenBets())
        await floor.do("table/T1", DEALER, CloseBets(bell=True))
        await until(lambda: floor.venue.table("T1").phase is Phase.RESULT)
        faces = floor.venue.table("T1").faces
        await cut.cut(floor)
        floor = await cut.open()
        assert floor.venue.table("T1").faces == faces
        assert rulings(floor) == ["round 2 was under way: the round is concluded"]
        await floor.venue.stop()

    run(test())


def test_a_verifiable_tumbler_concludes_from_its_sealed_secret(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await cut.open()
        await floor.found()
        stream = await floor.add_table("T1", equipment=VERIFIABLE)
        await until(lambda: floor.venue.table("T1").chain is not None)
        await floor.do(stream, DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "small", 500)
        device = floor.venue._devices.by_table.pop("T1")
        drawn = device._tumbler.drawn("T1", 1)  # type: ignore[attr-defined]
        await floor.do("table/T1", DEALER, CloseBets(bell=True))
        await cut.cut(floor)
        floor = await cut.open()
        await until(lambda: floor.venue.table("T1").phase is Phase.RESULT)
        assert floor.venue.table("T1").faces == drawn
        assert rulings(floor) == ["round 1 was under way: the round is concluded"]
        await floor.settle("T1")
        # The secret is revealed when the round is over, and the next one can begin.
        await until(lambda: floor.venue.table("T1").chain.revealed == 1)  # type: ignore[union-attr]
        await floor.do("table/T1", DEALER, OpenBets())
        await floor.venue.stop()

    run(test())


def test_a_polite_stop_closes_the_bets_and_finishes_the_round_of_a_device(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut, SIMULATED)
        await floor.do(await floor.add_table("T2"), DEALER, OpenBets())
        await floor.bet("T2", "T2-1", "big", 700)
        news = news_of(floor.venue, "table/T1")
        stopping = asyncio.create_task(floor.venue.stop())
        await asyncio.sleep(0)
        refused = await floor.bet("T2", "T2-1", "big", 700)
        assert getattr(refused, "code", None) == "VENUE_STOPPING"
        await stopping
        heard = [
            type(event).__name__ for each in news.queue for event in getattr(each, "events", ())
        ]
        assert heard == [
            "BetsClosed",
            "TumbleRecorded",
            "ResultEntered",
            "ResultConfirmed",
            "RoundSettled",
        ]
        floor = await cut.open()
        state, keyed = floor.venue.table("T1"), floor.venue.table("T2")
        assert (state.phase, state.round, state.history[1].void) == (Phase.READY, 1, False)
        # Dice that a person must look at wait for that person; the bets stand.
        assert (keyed.phase, keyed.live) == (Phase.NO_MORE_BETS, 700)
        await floor.venue.stop()

    run(test())


def test_money_in_transit_at_the_stop_arrives_once_after_it(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        cashed = Actor("T1-2", "terminal")

        def drop(*_: object) -> None:
            """Carry nothing, as if the process died first."""

        floor.venue.transfers.carry = drop  # type: ignore[method-assign, assignment]
        await floor.do("table/T1", cashed, CashOut("T1-2"))
        await floor.sell(4_000)
        await cut.cut(floor)
        floor = await cut.open()
        await floor.venue.transfers.settled()
        assert floor.venue.table("T1").transits_open == {}
        worth = sorted(voucher.value for voucher in floor.venue.cage.outstanding.values())
        assert worth == [4_000, 100_000]
        await cut.cut(floor)
        floor = await cut.open()
        await floor.venue.transfers.settled()
        assert len(floor.venue.cage.outstanding) == 2
        await floor.venue.stop()

    run(test())


def test_money_that_a_table_will_not_have_comes_back_as_a_voucher(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await begun(Cut(tmp_path))
        number = await floor.sell(4_000)
        take = TakeVoucher(number, "T1", "nobody")
        await floor.do("cage", Actor("nobody", "terminal"), take)
        await floor.venue.transfers.settled()
        cage = floor.venue.cage
        assert [voucher.value for voucher in cage.outstanding.values()] == [4_000]
        assert cage.transits_open == {}
        await floor.venue.stop()

    run(test())


def test_a_result_waits_for_no_snapshot_which_comes_when_the_next_round_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.close_and_enter("T1", (1, 2, 3))
        writer = floor.venue.writer("table/T1")
        monkeypatch.setattr(writing, "SNAPSHOT_EVERY", writer.head.version - writer.snapshot_at)
        before = writer.snapshot_at
        await floor.settle("T1")
        assert writer.snapshot_at == before
        await floor.do("table/T1", DEALER, OpenBets())
        assert writer.snapshot_at == writer.head.version
        await floor.venue.stop()

    run(test())


def test_a_long_round_has_snapshots_that_keep_its_tail_short(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await begun(Cut(tmp_path))
        writer = floor.venue.writer("table/T1")

        async def tails(most: int, bets: int) -> list[int]:
            """Give the length of the tail after each bet, beginning at a snapshot."""
            writer.tail_max = 1
            for _ in writer.state.positions:
                if writer.head.version > writer.snapshot_at:
                    await floor.bet("T1", "T1-1", "small", 100)
            assert writer.head.version == writer.snapshot_at
            writer.tail_max, found = most, []
            for _ in range(bets):
                await floor.bet("T1", "T1-1", "small", 100)
                found.append(writer.head.version - writer.snapshot_at)
            return found

        for _ in range(3):
            await floor.bet("T1", "T1-1", "small", 100)
        assert writer.snapshot_at == 0
        assert len(writer.state.positions) == 3
        assert await tails(5, 6) == [1, 2, 3, 4, 0, 1]
        # With more terminals than that, a snapshot is as long as an event for each.
        assert await tails(2, 4) == [1, 2, 0, 1]
        assert writer.state.phase is Phase.BETTING
        (newest, *_) = await floor.venue.journal.snapshots("table/T1")
        assert newest.version == writer.snapshot_at
        await floor.venue.stop()

    run(test())


def test_a_snapshot_is_taken_at_rest_and_spares_the_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "SNAPSHOT_EVERY", 3)

    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.close_and_enter("T1", (1, 2, 3))
        await floor.settle("T1")
        state, version = floor.venue.table("T1"), floor.venue.writer("table/T1").head.version
        await cut.cut(floor)
        journal = await SqliteJournal.open(cut.path)
        snapshots = await journal.snapshots("table/T1")
        await journal.close()
        assert snapshots[0].version == version
        assert len(snapshots) == 2
        floor = await cut.open()
        assert floor.venue.table("T1") == state
        assert floor.venue.writer("table/T1").snapshot_at == version
        # Lines of settled rounds are read back from their events.
        assert floor.venue.table("T1").history[1].lines == state.history[1].lines
        await floor.venue.stop()

    run(test())


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE snapshots SET data = x'7b7d' WHERE version = ?",
        "UPDATE snapshots SET signature = zeroblob(64) WHERE version = ?",
        "UPDATE snapshots SET key = 'another' WHERE version = ?",
        "UPDATE snapshots SET head = zeroblob(32) WHERE version = ?",
    ],
)
def test_a_damaged_snapshot_is_refused_and_the_journal_replayed_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(writing, "SNAPSHOT_EVERY", 3)

    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.close_and_enter("T1", (1, 2, 3))
        await floor.settle("T1")
        state, version = floor.venue.table("T1"), floor.venue.writer("table/T1").head.version
        await cut.cut(floor)
        cut.edit(damage, version)
        floor = await cut.open()
        assert floor.venue.table("T1") == state
        refused = [each for each in floor.venue.announcements if each.code == "snapshot-refused"]
        assert [each.stream for each in refused] == ["table/T1"]
        assert str(version) in refused[0].text
        await floor.venue.stop()

    run(test())


def test_checkpoints_cover_all_heads_and_follow_on_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committing, "CHECKPOINT_EVERY", 10)

    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        for _ in range(30):
            await floor.bet("T1", "T1-2", "big", 100)
        await floor.venue.stop()
        journal = await SqliteJournal.open(cut.path)
        checkpoints = await journal.checkpoints()
        heads = await journal.heads()
        await journal.close()
        assert len(checkpoints) >= 4
        covered = check_checkpoint(checkpoints[0], cut.keys.public)
        for before, checkpoint in pairwise(checkpoints):
            covered = check_checkpoint(checkpoint, cut.keys.public, before)
        assert {name: covered.head(name) for name in covered.heads} == heads

    run(test())


async def with_two_tables(cut: Cut) -> int:
    """Create a venue of two tables, stop it, and give the end of the first one's journal."""
    floor = await begun(cut)
    await floor.add_table("T2")
    await floor.close_and_enter("T1", (1, 2, 3))
    await floor.settle("T1")
    version = floor.venue.writer("table/T1").head.version
    await cut.cut(floor)
    return version


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET data = x'7b7d' WHERE stream = 'table/T1' AND version = ?",
        "UPDATE events SET shape = 2 WHERE stream = 'table/T1' AND version = ?",
        "UPDATE events SET cause = x'5b5d' WHERE stream = 'table/T1' AND version = ?",
        "UPDATE events SET at = at + 1 WHERE stream = 'table/T1' AND version = ?",
        "UPDATE events SET hash = zeroblob(32) WHERE stream = 'table/T1' AND version = ?",
        "DELETE FROM events WHERE stream = 'table/T1' AND version = ?",
    ],
)
def test_a_table_whose_journal_does_not_verify_does_not_open_and_says_where(
    tmp_path: Path, damage: str
) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        version = await with_two_tables(cut) - 6
        cut.edit(damage, version)
        floor = await cut.open()
        assert list(floor.venue.suspended()) == ["table/T1"]
        assert f"table/T1 breaks at version {version}" in floor.venue.suspended()["table/T1"]
        assert [each.code for each in floor.venue.announcements if each.stream == "table/T1"] == [
            "broken"
        ]
        answer = await floor.bet("T1", "T1-1", "small", 500)
        assert getattr(answer, "code", None) == "TABLE_SUSPENDED"
        assert f"version {version}" in (await floor.venue.resume("table/T1") or "")
        await floor.do("table/T2", DEALER, OpenBets())
        await floor.venue.stop()

    run(test())


def test_a_stream_that_has_vanished_or_lost_its_end_is_missed(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.add_table("T2")
        await floor.venue.stop()
        cut.edit("DELETE FROM events WHERE stream = 'table/T2'")
        cut.edit("DELETE FROM snapshots")
        cut.edit("DELETE FROM events WHERE stream = 'table/T1' AND version > 20")
        floor = await cut.open()
        suspended = floor.venue.suspended()
        assert set(suspended) == {"table/T1", "table/T2"}
        assert "ends at version 20" in suspended["table/T1"]
        assert "ends at version 0" in suspended["table/T2"]
        await floor.venue.stop()

    run(test())


def test_a_broken_stream_is_not_trusted_after_the_next_checkpoint(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.add_table("T2")
        await floor.venue.stop()
        cut.edit("DELETE FROM snapshots")
        cut.edit("DELETE FROM events WHERE stream = 'table/T1' AND version > 20")
        for _ in range(2):
            floor = await cut.open()
            await floor.do("table/T2", DEALER, OpenBets())
            await floor.close_and_enter("T2", (1, 2, 3))
            await floor.settle("T2")
            await floor.venue.committer.checkpoint()
            assert "table/T1" in (await floor.venue.resume("table/T1") or "")
            await floor.venue.stop()
        floor = await cut.open()
        assert list(floor.venue.suspended()) == ["table/T1"]
        await floor.venue.stop()

    run(test())


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET data = x'7b' WHERE stream = 'table/T1' AND version = ?",
        "UPDATE events SET shape = 9 WHERE stream = 'table/T1' AND version = ?",
        "UPDATE events SET shape = 70000 WHERE stream = 'table/T1' AND version = ?",
        "UPDATE events SET at = at + 1 WHERE stream = 'table/T1' AND version = ?",
    ],
)
def test_damage_to_a_round_that_a_snapshot_names_shuts_one_table(
    tmp_path: Path, damage: str
) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.add_table("T2")
        await floor.close_and_enter("T1", (1, 2, 3))
        settled = await floor.settle("T1")
        await floor.venue.stop()
        cut.edit(damage, settled.last)
        floor = await cut.open()
        assert list(floor.venue.suspended()) == ["table/T1"]
        assert f"table/T1 breaks at version {settled.last}" in floor.venue.suspended()["table/T1"]
        await floor.venue.stop()

    run(test())


def test_a_check_that_fails_itself_is_told_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.venue.stop()

        def trip(*_: object) -> None:
            raise RuntimeError("a fault")

        monkeypatch.setattr("taisai.runtime.recovery.verify_before", trip)
        floor = await cut.open()
        await floor.venue.checked()
        assert [each.code for each in floor.venue.announcements if "checked" in each.text] == [
            "unverified"
        ]
        await floor.venue.stop()

    run(test())


def test_what_breaks_before_the_checkpoint_is_found_in_the_background(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        await floor.add_table("T2")
        await floor.venue.stop()
        cut.edit("UPDATE events SET at = at + 1 WHERE stream = 'table/T1' AND version = 3")
        floor = await cut.open()
        await until(lambda: "table/T1" in floor.venue.suspended())
        assert "table/T1 breaks at version 3" in floor.venue.suspended()["table/T1"]
        await floor.venue.checked()
        assert "is broken: table/T1" in floor.venue.announcements[-1].text
        assert list(floor.venue.suspended()) == ["table/T1"]
        assert "breaks at version 3" in (await floor.venue.resume("table/T1") or "")
        assert list(floor.venue.suspended()) == ["table/T1"]
        await floor.venue.stop()

    run(test())


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("UPDATE checkpoints SET signature = zeroblob(64)", "is not signed by the key"),
        ("UPDATE checkpoints SET key = 'k'", "none of this venue's"),
        ("UPDATE events SET at = at + 1 WHERE stream = 'venue' AND version = 1", "the venue's own"),
    ],
)
def test_a_venue_that_cannot_trust_its_own_stream_does_not_open(
    tmp_path: Path, damage: str, sentence: str
) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        floor = await begun(cut)
        if "stream" in damage:
            await cut.cut(floor)
        else:
            await floor.venue.stop()
        cut.edit(damage)
        with pytest.raises(StartupError, match=sentence):
            await cut.open()

    run(test())


def test_time_never_goes_back_in_a_journal(tmp_path: Path) -> None:
    async def test() -> None:
        cut = Cut(tmp_path)
        await cut.cut(await begun(cut))
        cut.edit("SELECT 1")
        floor = await cut.open()
        floor.venue.clock._wall = lambda: 0
        before = floor.venue.clock.now()
        await until(lambda: floor.venue.clock.now() > before)
        await floor.do("table/T1", DEALER, OpenBets())
        assert floor.venue.clock.behind_ms > 0
        pages = [page async for page in floor.venue.journal.read("table/T1")]
        times = [record.at for page in pages for record in page]
        assert times == sorted(times)
        assert times[-1] >= before
        await floor.venue.stop()

    run(test())
