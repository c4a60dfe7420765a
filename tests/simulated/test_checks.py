"""The checks around a simulated venue can fail: each one is given a venue that does wrong."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from taisai.core import snapshots as snapshot
from taisai.core.kernel import decider as table
from taisai.core.kernel.messages import Instant, Order
from taisai.core.rules.reason import Reason, Refusal
from taisai.core.table.past import Past
from taisai.core.table.positions import CashOut
from taisai.core.table.state import Meter, Phase, TableState
from taisai.rulebooks import rulebook
from taisai.runtime.auditor import AuditError
from taisai.runtime.simulator import Finding, World, simulate, venue
from taisai.runtime.streams import TABLES, kind_of


@pytest.fixture
def world() -> World:
    """Give a world in the middle of its day."""
    played = World(32, [rulebook("ts6")])
    for _ in played.run(20):
        pass
    return played


def play_on(world: World, steps: int = 400) -> None:
    for _ in range(steps):
        world.step()


def deciding_with(monkeypatch: pytest.MonkeyPatch, effect: Any) -> None:
    """Let deciding have an effect on the state, which it must not."""

    def decide(state: TableState, order: Order, at: Instant, past: Past) -> Any:
        decision = table.decide(state, order, at, past)
        effect(state)
        return decision

    monkeypatch.setattr(venue, "decide", decide)


def test_a_decision_that_changes_the_state_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bump(state: TableState) -> None:
        state.placements += 1

    deciding_with(monkeypatch, bump)
    with pytest.raises(Finding, match=r"deciding \w+ changed the state$"):
        play_on(world)


def test_a_decision_that_changes_the_state_deep_inside_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def touch(state: object) -> None:
        if isinstance(state, TableState):
            state.meters.setdefault("nobody looks here", Meter()).turnover += 1

    deciding_with(monkeypatch, touch)
    with pytest.raises(Finding, match=r"changed the state somewhere deep in it"):
        play_on(world)


def test_a_state_that_its_journal_does_not_give_is_found(world: World) -> None:
    world.venue.check_replay()
    (name, *_) = world.venue.tables
    world.venue.tables[name].meters["table"].voided += 1
    with pytest.raises(Finding, match=f"the replayed state of {name} is not the live one"):
        world.venue.check_replay()


def test_a_snapshot_that_gives_another_state_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pack(state: TableState) -> bytes:
        return snapshot.pack_table(msgspec.structs.replace(state, live=state.live + 1))

    (name, *_) = world.venue.tables
    kinds = {name: replace(TABLES, pack=pack)}
    monkeypatch.setattr(venue, "kind_of", lambda stream: kinds.get(stream) or kind_of(stream))
    with pytest.raises(Finding, match=f"the unpacked state of {name} is not the live one"):
        world.venue.check_replay()


def test_a_snapshot_that_does_not_lead_to_the_live_state_is_found(world: World) -> None:
    """The oldest order is forgotten first: the same orders in another sequence are not the same."""
    world.venue.check_replay()
    cage = world.venue.cage
    turned = dict(reversed(cage.issued_by_order.items()))
    packed = snapshot.CAGE.sealed(msgspec.structs.replace(cage, issued_by_order=turned))
    world.venue._snapshots["cage"] = packed
    with pytest.raises(Finding, match="the recovered state of cage is not the live one"):
        world.venue.check_replay()


def test_a_ledger_that_does_not_sum_to_zero_is_found(world: World) -> None:
    world.venue.check_sums()
    world.venue.cage.ledger.balances["cash:counter"] += 5
    with pytest.raises(Finding, match="the ledger of cage does not sum to zero"):
        world.venue.check_sums()


def test_a_meter_that_shows_another_turnover_is_found(world: World) -> None:
    (name, *_) = world.venue.tables
    world.venue.tables[name].meters["table"].turnover += 1
    with pytest.raises(AuditError, match="its meter shows a turnover of"):
        world.venue.check_sums()


def test_a_balance_that_was_tampered_with_is_found(world: World) -> None:
    (name, *_) = world.venue.tables
    balances = world.venue.tables[name].ledger.balances
    balances["terminal:1"] = balances.get("terminal:1", 0) + 100
    balances["house:bank"] = balances.get("house:bank", 0) - 100
    # The core's own books agree with it: only a second computation can find it.
    world.venue.tables[name].positions["1"].corrections += 100
    with pytest.raises(AuditError, match=r"is -?\d+ in the ledger, not -?\d+"):
        play_on(world)


def test_a_table_that_forgets_what_it_received_doubles_money(world: World) -> None:
    """The router resends after a crash; only the table's memory keeps it from receiving twice."""

    def forget(steps: int) -> Iterator[None]:
        for _ in range(steps):
            world.step()
            for state in world.venue.tables.values():
                state.transits_received.runs.clear()
            yield

    world.router._crash = 0.9
    with pytest.raises(AuditError, match="was received twice"):
        for _ in forget(4000):
            pass


def test_a_refusal_without_a_sentence_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(venue, "say", lambda _: "")
    refusal = Refusal("NO_WORDS", Reason("NO_WORDS"))
    with pytest.raises(Finding, match="the refusal NO_WORDS has no sentence"):
        world.venue._note_refusal(refusal)


def test_money_that_nobody_carries_is_found(world: World) -> None:
    pit = world.pits[0]
    (terminal, *_) = (
        name for name in pit.terminals if pit.state.ledger.balance(f"terminal:{name}")
    )
    supervisor = world.chance.actor("supervisor")
    pit.state.positions[terminal].locked = False
    world.venue.auditor.table(pit.table).positions[terminal].locked = False
    world.venue.send(pit.table, supervisor, CashOut(terminal))
    with pytest.raises(Finding, match=r"the replayed state|still on its way"):
        world._end()


def test_a_world_at_a_standstill_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "step", lambda: None)
    with pytest.raises(Finding, match="nobody gets any further"):
        for _ in world.run(10_000):
            pass


def test_whatever_the_core_raises_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(state: Any, order: Order, at: Instant, past: Past) -> Any:
        confirmed = isinstance(state, TableState) and state.phase is Phase.CONFIRMED
        assert not confirmed, "the table is broken"
        return table.decide(state, order, at, past)

    monkeypatch.setattr(venue, "decide", decide)
    with pytest.raises(Finding, match="AssertionError: the table is broken"):
        simulate(1, 10, [rulebook("div9")])
