"""A state is restored from its snapshot exactly, with the order of its content, and goes on."""

import base64
import os
import random
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import Raw, Struct

from taisai.core import snapshots as snapshot
from taisai.core.cage.state import CageState, voucher_number
from taisai.core.cage.vouchers import PayVoucher, PrintVoucher, TakeVoucher
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.snapshots import (
    CAGE,
    VENUE,
    Carried,
    SnapshotError,
    pack_table,
    rounds_needed,
    unpack_cage,
    unpack_table,
)
from taisai.core.streams import TableEvent
from taisai.core.table import state as table_state
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.round import RoundSettled
from taisai.core.table.setup import AdoptRulebook, CloseTable, GiveNotice, SetLimits
from taisai.core.table.state import (
    Meter,
    Position,
    RoundRecord,
    TableState,
    every_meter,
)
from taisai.core.venue.state import VenueState
from taisai.rulebooks import KEYS, rulebook
from taisai.runtime.simulator import World
from taisai.runtime.simulator.venue import deep_copy
from tests.kit.tables import KEY, Cage, Table, open_cage, open_table

SEEDS = (48, 115, 116)
#: Some events are rare: worlds are played until they have happened, but not for ever. In the
#: first three all have; after a change of the simulator others may, which then belong in front.
MORE_SEEDS = (*SEEDS, *range(1, 41))
ROUNDS = 60
RESTART_EVERY = 4
HELD = 4

Unpack = Callable[[bytes], object]


class Restarting(World):
    """A world in which everything is packed and unpacked again and again, without effect."""

    steps = 0
    restarts = 0

    def __init__(self, seed: int) -> None:
        #: For each struct of a state, the fields that had other values than at first.
        self.used: dict[type[Struct], set[str]] = defaultdict(set)
        super().__init__(seed, [rulebook(key) for key in KEYS])

    def step(self) -> None:
        super().step()
        self.steps += 1
        if self.steps % RESTART_EVERY == 0:
            self.restart()

    def restart(self) -> None:
        venue = self.venue
        venue.state = self.again("venue", venue.state)
        venue.cage = self.again("cage", venue.cage)
        for name, table in venue.tables.items():
            venue.tables[name] = self.again(name, table)
            for part in (*table.positions.values(), *every_meter(table).values()):
                self.note_used(part)
            for record in table.history.values():
                self.note_used(record)
        self.restarts += 1

    def again(self, stream: str, state: Any) -> Any:
        packed = self.venue.packed(stream)
        unpacked = self.venue.unpacked(stream, packed)
        assert unpacked == state
        assert unpacked is not state
        assert deep_copy(unpacked) == deep_copy(state), "everything is in the same order"
        assert self.venue.packed(stream) == packed
        self.note_used(state)
        return unpacked

    def note_used(self, part: Struct) -> None:
        for each in msgspec.structs.fields(part):
            first = each.default
            if first is msgspec.NODEFAULT and each.default_factory is not msgspec.NODEFAULT:
                first = each.default_factory()
            if getattr(part, each.name) != first:
                self.used[type(part)].add(each.name)


@cache
def restarted(seed: int) -> Restarting:
    world = Restarting(seed)
    play(world)
    return world


def play(world: World) -> None:
    """Play a world whose tables hold so few rounds that others are also corrected [D24]."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_state, "HISTORY_ROUNDS", HELD)
        for _ in world.run(ROUNDS):
            pass


#: Whole worlds, without counting branches, which would take three times as long.
UNCOUNTED = pytest.mark.no_cover


@UNCOUNTED
@pytest.mark.parametrize("seed", SEEDS)
def test_a_world_restarted_from_snapshots_goes_on_as_if_it_had_not_been(seed: int) -> None:
    undisturbed = World(seed, [rulebook(key) for key in KEYS])
    play(undisturbed)
    world = restarted(seed)
    assert world.restarts > 10
    assert world.venue.fingerprint == undisturbed.venue.fingerprint
    assert world.venue.tally == undisturbed.venue.tally


@UNCOUNTED
@pytest.mark.parametrize("kind", [TableState, Position, Meter, RoundRecord, CageState, VenueState])
def test_every_field_of_a_state_was_carried_with_something_in_it(kind: type[Struct]) -> None:
    """Packing uses no names of fields: a new field is packed too, and must be seen here."""
    unseen = set(kind.__struct_fields__)
    for seed in MORE_SEEDS:
        unseen -= restarted(seed).used[kind]
        if not unseen:
            return
    pytest.fail(f"{kind.__name__} was never packed with anything in {sorted(unseen)}")


# --- the rounds of a table ------------------------------------------------------------------------


def by_version(table: Table) -> dict[int, TableEvent]:
    return dict(enumerate(table.told, 1))


def comes_back(table: Table) -> None:
    packed = pack_table(table.state)
    known = by_version(table)
    unpacked = unpack_table(packed, {version: known[version] for version in rounds_needed(packed)})
    assert unpacked == table.state
    assert deep_copy(unpacked) == deep_copy(table.state)


def played() -> Table:
    """Settle a round without bets, one with bets, void one, settle the second by other dice."""
    table = open_table("ts6/2")
    table.betting().settled(1, 2, 3)
    table.betting(t7={"small": 3_000}, t8={"big": 2_000}).settled(1, 2, 4)
    table.betting(t7={"big": 1_000}).settled(1, 2, 5)
    table.betting(t7={"big": 1_000})
    table.agrees("shift-manager", Rule("a cat", (), voids_round=True))
    table.agrees("supervisor", CorrectSettledRound(2, (4, 5, 6), "seen on camera"))
    return table


def version_of(table: Table, kind: str, number: int) -> int:
    (version,) = [
        version
        for version, event in by_version(table).items()
        if type(event).__name__ == kind and getattr(event, "round", None) == number
    ]
    return version


def test_a_round_knows_the_event_that_last_set_it() -> None:
    table = played()
    assert {number: record.version for number, record in table.state.history.items()} == {
        1: version_of(table, "RoundSettled", 1),
        2: version_of(table, "RoundResettled", 2),
        3: version_of(table, "RoundSettled", 3),
        4: version_of(table, "RoundVoided", 4),
    }


def test_only_rounds_that_have_lines_are_read_again() -> None:
    table = played()
    again = [version_of(table, "RoundResettled", 2), version_of(table, "RoundSettled", 3)]
    assert rounds_needed(pack_table(table.state)) == again
    assert rounds_needed(pack_table(TableState())) == []
    comes_back(table)


def test_a_reversed_round_keeps_its_lines() -> None:
    table = played()
    table.agrees("supervisor", VoidSettledRounds(2, "a chipped die"))
    assert [record.void for record in table.state.history.values()] == [False, True, True, True]
    assert [len(record.lines) for record in table.state.history.values()] == [0, 2, 1, 0]
    comes_back(table)


def test_rounds_are_kept_with_the_rules_they_were_played_by() -> None:
    table = played()
    table.does("supervisor", GiveNotice())
    table.does("supervisor", CloseTable())
    canonical = rulebook("div9").canonical.decode()
    table.agrees("pit-manager", AdoptRulebook(canonical, 1), "supervisor")
    table.agrees("supervisor", SetLimits(LimitsAsked(1_000, 100_000)))
    comes_back(table)


def test_a_table_that_was_only_created_comes_back() -> None:
    comes_back(Table().created())
    assert unpack_table(pack_table(TableState()), {}) == TableState()


def test_amounts_may_be_as_large_as_the_table_takes_them() -> None:
    table = open_table("ts6/2", LimitsAsked(1_000, 10**24, 100, 10**24, {"big": (None, 10**23)}))
    comes_back(table)
    assert table.state.limits is not None
    assert table.state.limits.of("big").maximum == 10**23


def without(version: int, known: dict[int, TableEvent]) -> dict[int, TableEvent]:
    return {each: event for each, event in known.items() if each != version}


def test_a_round_whose_event_is_not_given_or_another_is_refused() -> None:
    table = played()
    known, packed = by_version(table), pack_table(table.state)
    second, third = rounds_needed(packed)
    right = known[third]
    assert isinstance(right, RoundSettled)
    wrong: dict[str, dict[int, TableEvent]] = {
        f"at version {third}, and there is nothing": without(third, known),
        f"round 3 should have 1 settled lines at version {third}": {
            **known,
            third: msgspec.structs.replace(right, lines=()),
        },
        "there is RoundSettled": {**known, third: msgspec.structs.replace(right, faces=(6, 6, 6))},
        "and there is RoundSettled": {**known, third: msgspec.structs.replace(right, round=4)},
        "round 2 should have 2 settled lines": {**known, second: right},
        "there is TableCreated": {**known, third: known[1]},
    }
    for sentence, rounds in wrong.items():
        with pytest.raises(SnapshotError, match=sentence):
            unpack_table(packed, rounds)


# --- secrets --------------------------------------------------------------------------------------


def busy_cage() -> Cage:
    cage = open_cage(approve_above=5_000)
    for value in range(1_000, 21_000, 500):
        cage.does("system", PrintVoucher(f"T1-{value}", "T1", "7", value))
    *_, number = cage.state.by_number
    cage.does("cage", PayVoucher(number))
    number, *_ = cage.state.by_number
    cage.does("terminal", TakeVoucher(number, "T1", "7"))
    return cage


def test_no_secret_of_the_cage_is_in_a_snapshot() -> None:
    cage = busy_cage()
    packed = CAGE.sealed(cage.state)
    assert len(cage.state.by_number) == 39
    assert cage.state.pending is not None
    for secret in (KEY, KEY.hex().encode(), base64.b64encode(KEY)):
        assert secret not in packed
    for serial in range(1, 41):
        assert voucher_number(KEY, serial).encode() not in packed


def test_the_numbers_of_live_vouchers_follow_from_the_key() -> None:
    cage = busy_cage()
    again = unpack_cage(CAGE.sealed(cage.state), KEY)
    assert again == cage.state
    assert list(again.by_number.items()) == list(cage.state.by_number.items())
    other = unpack_cage(CAGE.sealed(cage.state), b"another key")
    assert other.by_number.keys().isdisjoint(cage.state.by_number)


# --- broken snapshots -----------------------------------------------------------------------------


def snapshots() -> list[tuple[str, bytes, Unpack]]:
    table = played()
    known = by_version(table)
    venue = VenueState(3, "the venue", "SGD", {"cage", "T1"}, staff={"Ann": ("dealer",)})
    return [
        ("table", pack_table(table.state), lambda data: unpack_table(data, known)),
        ("rounds", pack_table(table.state), rounds_needed),
        ("cage", CAGE.sealed(busy_cage().state), lambda data: unpack_cage(data, KEY)),
        ("venue", VENUE.sealed(venue), VENUE.opened),
    ]


@pytest.mark.parametrize("which", range(4))
def test_damaged_bytes_are_refused(which: int) -> None:
    _, packed, unpack = snapshots()[which]
    unpack(packed)
    chance = random.Random(which)  # noqa: S311 - a seeded choice of what is damaged
    lengths = {*range(40), *(chance.randrange(len(packed)) for _ in range(60)), len(packed) - 1}
    for length in lengths:
        with pytest.raises(SnapshotError, match="this snapshot cannot be read: it "):
            unpack(packed[:length])
    for bit in (*range(14 * 8), *(chance.randrange(len(packed) * 8) for _ in range(400))):
        damaged = bytearray(packed)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(SnapshotError, match="this snapshot cannot be read: it "):
            unpack(bytes(damaged))


def test_a_snapshot_in_another_format_is_refused() -> None:
    packed = VENUE.sealed(VenueState())
    assert packed[:2] == b"\x00\x01"
    with pytest.raises(SnapshotError, match="it is of format 258, and this program reads format 1"):
        VENUE.opened(b"\x01\x02" + packed[2:])


def test_a_snapshot_of_something_else_is_refused() -> None:
    kinds = {"table" if name == "rounds" else name: packed for name, packed, _ in snapshots()}
    for name, _, unpack in snapshots():
        for other in kinds.keys() - {"table" if name == "rounds" else name}:
            with pytest.raises(SnapshotError, match="it is of something else, or a program made"):
                unpack(kinds[other])


def resealed(change: Callable[[list[Any]], None]) -> bytes:
    """Change a table's snapshot, and make its checksum right again."""
    body = pack_table(played().state)[14:]
    parts = list(msgspec.json.decode(body, type=tuple[Raw, Any, Any, Any]))
    change(parts)
    return snapshot._sealed(snapshot.TABLE.fingerprint, parts)


def put(part: int, value: Any) -> Callable[[list[Any]], None]:
    def change(parts: list[Any]) -> None:
        parts[part] = value

    return change


BROKEN: list[tuple[str, Callable[[list[Any]], None]]] = [
    ("the rulebook in it does not hold together: ", put(0, {})),
    ("the rulebook in it does not hold together: ", put(0, "骰")),
    ("there is no pay table 9 in its rulebook, ts6", put(1, 9)),
    ("there is no pay table None in its rulebook, ts6", put(1, None)),
    ("what it holds is not a state: Expected `int", put(1, "2")),
    ("what it holds is not a state: Expected `array`, got `int`", put(2, 5)),
    ("what it holds is not a state: Expected `array` of length", put(3, [])),
    ("what it holds is not a state: Expected `array` of length 4", lambda parts: parts.pop()),
]


@pytest.mark.parametrize(("sentence", "change"), BROKEN)
def test_what_looks_whole_and_is_no_state_is_refused(
    sentence: str, change: Callable[[list[Any]], None]
) -> None:
    unpack_table(resealed(lambda _: None), by_version(played()))
    with pytest.raises(SnapshotError, match=sentence):
        unpack_table(resealed(change), by_version(played()))


# --- the layout of a snapshot ---------------------------------------------------------------------


def layouts() -> Iterator[list[str]]:
    """Give the layouts of states that differ in one thing each."""
    inner = msgspec.defstruct("Inner", [("low", int), ("high", int)], array_like=True)
    turned = msgspec.defstruct("Inner", [("high", int), ("low", int)], array_like=True)
    for fields in (
        [("one", int), ("two", int)],
        [("two", int), ("one", int)],
        [("one", int), ("three", int)],
        [("one", int), ("two", str)],
        [("one", int), ("two", int), ("three", int)],
        [("one", dict[str, inner])],  # type: ignore[valid-type]
        [("one", dict[str, turned])],  # type: ignore[valid-type]
    ):
        yield list(Carried(msgspec.defstruct("State", fields)).layout())


def test_states_with_other_fields_have_other_layouts() -> None:
    told = ["\n".join(layout) for layout in layouts()]
    assert len(set(told)) == len(told) == 7


def test_a_field_that_is_rebuilt_is_no_part_of_the_layout() -> None:
    kind = msgspec.defstruct("State", [("one", int), ("two", int)])
    carried = Carried(kind, "two")
    assert list(carried.layout()) == ["one: <class 'int'>"]
    assert carried.pack(kind(1, 2)) == (1,)


def test_a_new_command_leaves_old_snapshots_readable() -> None:
    layout = "\n".join(snapshot.TABLE.layout())
    assert "Pending" in layout
    assert set(re.findall(r"taisai\.core\.kernel\.messages\.(Order)", layout)) == {"Order"}


def test_equal_states_are_packed_alike_in_every_process() -> None:
    script = (
        "import hashlib\n"
        "from taisai.core.venue.state import VenueState\n"
        "from taisai.core.snapshots import VENUE, pack_table\n"
        "from taisai.core.table.state import TableState\n"
        "names = [str(number) for number in range(50)]\n"
        "table = TableState(checks=frozenset(names), sides=frozenset(names[:9]))\n"
        "packed = pack_table(table) + VENUE.sealed(VenueState(1, '', '', set(names)))\n"
        "print(hashlib.sha256(packed).hexdigest())\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "42")
    }
    assert len(told) == 1
