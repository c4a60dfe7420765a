"""Checks a venue that was killed, from its journal and the answers it had given, alone.

The journal must be whole by itself: chained, signed, replayable, accepted by the auditor, with
books that balance. And it must agree with the answers: each registered command once, with the
versions given; no refused one; no command that nobody sent.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from taisai.core.cage.vouchers import VoucherIssued, VoucherTaken
from taisai.core.kernel.ledger import Ledger
from taisai.core.kernel.messages import Event, Instant, SettledLine
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, PlaceBets, RoundVoided
from taisai.core.table.interruption import InterruptionRecorded
from taisai.core.table.positions import CashedOut, CreditsReceived
from taisai.core.table.round import BetsClosed, RoundSettled, RoundStarted
from taisai.core.table.state import Meter
from taisai.runtime.auditor import AuditError, Auditor
from taisai.runtime.journal.checkpoints import CheckpointError, check_checkpoint, check_snapshot
from taisai.runtime.journal.contract import Head, Journal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.recovery import BrokenChainError, recover
from taisai.runtime.streams import CAGE, VENUE, kind_of, table_of
from tests.faults.killing.crowd import Memory, PromiseBrokenError, Request
from tests.faults.killing.reading import Decision, Key, Stream, in_causal_order, read_stream
from tests.kit.people import OPENER

#: The roles that are played outside the venue.
OUTSIDE = ("terminal", "cage")
#: The cashier with the drawer is one of the venue's own staff.
_STAFF = f"{OPENER.role}/{OPENER.person}"


class Checked(NamedTuple):
    """The counts of what was checked."""

    events: int
    decisions: int
    rounds: int
    checkpoints: int
    snapshots: int
    interruptions: int
    transits_open: int


NOTHING_CHECKED = Checked(0, 0, 0, 0, 0, 0, 0)


async def check(
    journal: Journal,
    keys: VenueKeys,
    memory: Memory,
    *,
    at_rest: bool = False,
    roles: Sequence[str] = OUTSIDE,
) -> Checked:
    """Check everything; `at_rest` says that no money can be in transit any more.

    Every command of people in these roles must be in the memory.
    """
    try:
        streams = {name: await read_stream(journal, keys, name) for name in await journal.heads()}
        checkpoints = await _check_checkpoints(journal, keys, streams)
        snapshots = [await _check_snapshots(journal, keys, each) for each in streams.values()]
        auditor = audit(streams)
    except (BrokenChainError, CheckpointError, AuditError) as error:
        raise PromiseBrokenError(str(error)) from error
    rounds = sum(
        check_rounds(name, [event for decision in each.decisions for event in decision.events])
        for name, each in streams.items()
        if table_of(name) is not None
    )
    interruptions = sum(
        check_interruptions(name, each.decisions, memory.born)
        for name, each in streams.items()
        if table_of(name) is not None
    )
    decisions = [decision for each in streams.values() for decision in each.decisions]
    check_told(memory.requests, decisions, roles)
    transits = check_transits(streams, at_rest=at_rest)
    return Checked(
        events=sum(each.head.version for each in streams.values()),
        decisions=auditor.decisions,
        rounds=rounds,
        checkpoints=checkpoints,
        snapshots=sum(snapshots),
        interruptions=interruptions,
        transits_open=transits,
    )


# --- the journal by itself -------------------------------------------------------------------


async def _check_checkpoints(
    journal: Journal, keys: VenueKeys, streams: Mapping[str, Stream]
) -> int:
    """Check every signature, and each signed head against the chain."""
    previous = None
    for checkpoint in await journal.checkpoints():
        covered = check_checkpoint(checkpoint, keys.public, previous)
        for name in covered.heads:
            version, hash_ = covered.head(name)
            held = streams[name].hashes if name in streams else ()
            if len(held) <= version or held[version] != hash_:
                raise PromiseBrokenError(
                    f"checkpoint {checkpoint.number} has {name} at version {version}, which the"
                    " journal has not, or not so"
                )
        previous = checkpoint
    return 0 if previous is None else previous.number


async def _check_snapshots(journal: Journal, keys: VenueKeys, stream: Stream) -> int:
    """Check each snapshot's signature, and that reading back from one gives the same state."""
    snapshots = await journal.snapshots(stream.name)
    for snapshot in snapshots:
        if not check_snapshot(snapshot, keys.public):
            raise PromiseBrokenError(f"a snapshot of {stream.name} is not signed by the venue")
        if stream.hashes[snapshot.version] != snapshot.head:
            raise PromiseBrokenError(f"a snapshot of {stream.name} is of another chain")
    kind = kind_of(stream.name)
    end = Head(len(stream.hashes) - 1, stream.hashes[-1])
    read = await recover(journal, keys, stream.name, None, end)
    if kind.pack(read.state) != kind.pack(stream.state):
        raise PromiseBrokenError(f"{stream.name} is not what it was when read from a snapshot")
    return len(snapshots)


def audit(streams: Mapping[str, Stream]) -> Auditor:
    """Let the auditor see every decision, then compare its books with the ledgers."""
    auditor = Auditor()
    for decision in in_causal_order([each.decisions for each in streams.values()]):
        auditor.observe(_place(decision.stream), decision.events, decision.at)
    for name, stream in streams.items():
        if name == VENUE:
            continue
        ledger: Ledger = stream.state.ledger
        if sum(ledger.balances.values()):
            raise PromiseBrokenError(f"the ledger of {name} does not sum to zero")
        auditor.compare(_place(name), ledger.balances)
        if name != CAGE:
            meter = stream.state.meters.get("table", Meter())
            auditor.compare_meter(_place(name), meter.turnover, meter.collected, meter.won)
    return auditor


def _place(stream: str) -> str:
    return table_of(stream) or stream


# --- money and rounds, computed independently ------------------------------------------------


def check_transits(streams: Mapping[str, Stream], *, at_rest: bool) -> int:
    """Check that the ledgers' money in transit is what left and has not arrived."""
    left: dict[str, int] = {}
    held = 0
    for stream in streams.values():
        if stream.name != VENUE:
            held += stream.state.ledger.total("transit:")
        for decision in stream.decisions:
            for event in decision.events:
                _carry(left, event)
    on_the_way = [amount for amount in left.values() if amount]
    if held != sum(on_the_way):
        raise PromiseBrokenError(f"{held} is in transit, and {sum(on_the_way)} is on its way")
    if at_rest and on_the_way:
        raise PromiseBrokenError(f"{on_the_way} is still on its way in a venue at rest")
    return len(on_the_way)


def _carry(left: dict[str, int], event: Event) -> None:
    """Add money that left, and subtract what arrived, in whatever order they are read."""
    match event:
        case CashedOut(transit=transit, amount=amount):
            left[transit] = left.get(transit, 0) + amount
        case VoucherTaken(transit=transit, value=amount):
            left[transit] = left.get(transit, 0) + amount
        case CreditsReceived(transit=transit, amount=amount):
            left[transit] = left.get(transit, 0) - amount
        case VoucherIssued(transit=str(transit), value=amount):
            left[transit] = left.get(transit, 0) - amount
        case _:
            pass


def check_rounds(name: str, events: Iterable[Event]) -> int:
    """Check that each round settles or is void once, with every bet on the layout and no other."""
    rounds = _Rounds(name)
    for event in events:
        rounds.follow(event)
    return rounds.ended


class _Rounds:
    """The rounds of a table: the one under way, those that ended, the bets on the boxes."""

    def __init__(self, name: str) -> None:
        self.ended = 0
        self._name = name
        self._number = 0
        self._lying: dict[tuple[str, str], int] = {}

    def follow(self, event: Event) -> None:
        """Apply an event about bets or rounds, and ignore others."""
        match event:
            case RoundStarted(round=begun):
                if begun != self._number + 1 or self.ended != self._number or self._lying:
                    raise self._wrong(f"round {begun} began on round {self._number}")
                self._number = begun
            case BetsRegistered(terminal=terminal, bets=bets):
                for bet in bets:
                    self._put(terminal, bet.box, bet.stake)
            case BetsWithdrawn(terminal=terminal, bets=bets):
                for bet in bets:
                    self._put(terminal, bet.box, -bet.stake)
            case BetsClosed(rejected=rejected):
                for terminal, box, stake in rejected:
                    self._put(terminal, box, -stake)
            case RoundSettled(round=over, lines=lines) | RoundVoided(round=over, returned=lines):
                self._end(over, lines)
            case _:
                pass

    def _put(self, terminal: str, box: str, stake: int) -> None:
        lies = self._lying.get((terminal, box), 0) + stake
        if lies < 0 or not self._under_way:
            raise self._wrong(f"{stake} of {terminal} on {box}, outside a round or below nothing")
        if lies:
            self._lying[terminal, box] = lies
        else:
            del self._lying[terminal, box]

    @property
    def _under_way(self) -> bool:
        return self._number > self.ended

    def _end(self, over: int, lines: Sequence[SettledLine]) -> None:
        found = {(line.position, line.box): line.stake for line in lines}
        if over != self._number or not self._under_way:
            raise self._wrong(f"round {over} ended, and round {self._number} was under way")
        if found != self._lying or len(found) != len(lines):
            raise self._wrong(f"round {over} ended with {found}, and {self._lying} lay there")
        self.ended, self._lying = over, {}

    def _wrong(self, sentence: str) -> PromiseBrokenError:
        return PromiseBrokenError(f"{self._name}: {sentence}")


def check_interruptions(name: str, decisions: Sequence[Decision], born: Sequence[Instant]) -> int:
    """Check that a venue that finds a round under way rules on it before anything else [D9]."""
    venues = iter([*born, 2**62])
    venue, next_venue = next(venues), next(venues)
    under_way, count = False, 0
    for decision in decisions:
        begins = decision.at > next_venue
        while decision.at > next_venue:
            venue, next_venue = next_venue, next(venues)
        event = decision.events[0]
        if isinstance(event, InterruptionRecorded):
            count += 1
        elif begins and under_way:
            raise PromiseBrokenError(
                f"{name}: the venue begun at {venue} found a round under way, and"
                f" {decision.sender} did {type(event).__name__} before it was ruled on"
            )
        for each in decision.events:
            if isinstance(each, RoundStarted):
                under_way = True
            elif isinstance(each, RoundSettled | RoundVoided):
                under_way = False
    return count


# --- answers ---------------------------------------------------------------------------------


def check_told(
    requests: Sequence[Request], decisions: Iterable[Decision], roles: Sequence[str] = OUTSIDE
) -> None:
    """Compare the answers with the journal, in both directions."""
    held: dict[Key, Decision] = {}
    for decision in decisions:
        if decision.sender.partition("/")[0] not in roles or decision.sender == _STAFF:
            continue
        if decision.key in held:
            raise PromiseBrokenError(f"{decision.key} was carried out twice")
        held[decision.key] = decision
    for request in requests:
        _check_one(request, held.pop(request.key, None))
    if held:
        raise PromiseBrokenError(f"nobody has asked for {next(iter(held))}")


def _check_one(request: Request, decision: Decision | None) -> None:
    told = request.answer
    if decision is None:
        if told is not None and told.refused is None:
            raise PromiseBrokenError(
                f"{request.sentence} was told registered at version {told.first}, and is lost"
            )
        return
    if not request.sent:
        raise PromiseBrokenError(f"{request.sentence} was carried out and never sent")
    if told is not None and told.refused is not None:
        raise PromiseBrokenError(f"{request.sentence} was refused and carried out all the same")
    if told is not None and (told.first, told.last) != (decision.first, decision.last):
        raise PromiseBrokenError(
            f"{request.sentence} was told version {told.first}, and is at {decision.first}"
        )
    command, event = request.order.command, decision.events[0]
    if isinstance(command, PlaceBets) and event != BetsRegistered(command.terminal, command.bets):
        raise PromiseBrokenError(f"{request.sentence} was registered as {event}")
