"""What a node knows of the other nodes, and decides from it: no clock, no database, no waiting.

Every node beats: it raises a number in its own row, and reads the rows of all. If another node has
not seen that number change for long enough, by its own clock, the node is silent, and its streams
are taken over. No two clocks are ever compared. An owner's right to decide expires by itself, a
little sooner than any node may find it silent: counted from before its last beat was sent.

A node counts silence only while it beats itself: one that was away, or could not reach the
database, has heard from no other node, and that says nothing about them.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from taisai.core.kernel.messages import Instant


class Terms(NamedTuple):
    """The periods of leases, in seconds."""

    #: A node beats at this interval.
    beat: float = 0.1
    #: After so long without a beat an owner decides nothing more.
    suspend: float = 0.75
    #: A node that was silent for so long is taken over.
    take_over: float = 0.9
    #: So much longer a node waits for the others after it was away itself.
    grace: float = 1.0
    #: A stream that failed to open for so long is left to another.
    give_up: float = 10.0


class NodeRow(NamedTuple):
    """The row of a node."""

    node: str
    fence: int
    roles: Sequence[str]
    beat: int
    draining: bool
    #: The number of its chain of seals.
    chain: int = 0


class OwnerRow(NamedTuple):
    """The lease of a stream: its epoch, its node, the role it needs, and the node wanted next."""

    stream: str
    epoch: int
    node: str | None
    role: str
    wanted: str | None


class Seen(NamedTuple):
    """The rows that a beat reads; `at` is the time by the database's clock."""

    nodes: Sequence[NodeRow]
    owners: Sequence[OwnerRow]
    at: Instant


class Taking(NamedTuple):
    """A stream to be taken: what must still be as it was seen, and its former owner's fence."""

    stream: str
    epoch: int
    former: str | None
    beat: int | None
    fence: int | None


class Duties(NamedTuple):
    """What a node has to do after a beat."""

    #: Streams that it had, and another node has by now.
    lost: tuple[str, ...]
    #: Streams without an owner, or whose owner is silent.
    take: tuple[Taking, ...]
    #: Streams that are to go to another node after their rounds.
    leave: tuple[str, ...]


class _Heard(NamedTuple):
    """What was last seen of a node, and for how long it has been silent."""

    beat: int
    fence: int
    silent: float


class Tenure:
    """The leases of one node; its journal writes by `epochs`."""

    def __init__(self, node: str, terms: Terms, epochs: dict[str, int]) -> None:
        self.node = node
        self.epochs = epochs
        #: Until when it may decide, by its own clock.
        self.deadline = -math.inf
        #: Since when it might decide, without a break.
        self._since = math.inf
        self._terms = terms
        self._heard: dict[str, _Heard] = {}
        self._asked = -math.inf
        #: When each stream was taken or left: rows asked for before that do not show it.
        self._changed: dict[str, float] = {}

    def holds(self, stream: str, now: float) -> int | None:
        """Give the epoch by which the node may decide for a stream; `None` if it may not."""
        return self.epochs.get(stream) if now < self.deadline else None

    def take(self, epochs: Mapping[str, int], sent: float, now: float) -> None:
        """Note that streams were taken, unless the right to decide has expired since `sent`.

        Then others may have found this node silent, and have taken them over meanwhile.
        """
        if self._since <= sent and now < self.deadline:
            self.epochs.update(epochs)
            self._changed.update(dict.fromkeys(epochs, now))

    def leave(self, stream: str) -> int | None:
        """Stop having a stream; give the epoch that it was had by.

        Its rows are ignored until `left` is called: an older one would show it as this node's.
        """
        if stream in self.epochs:
            self._changed[stream] = math.inf
        return self.epochs.pop(stream, None)

    def left(self, stream: str, now: float) -> None:
        """Note that a stream was left, or that this is not known."""
        self._changed[stream] = now

    def note(self, seen: Seen, asked: float, answered: float) -> Duties:
        """Note the rows that a beat read, and when it was sent and answered; give the duties."""
        self._listen(seen.nodes, asked, answered)
        if asked >= self.deadline:
            self._since = asked
        # From before the beat was sent: no other node can have seen it sooner.
        self.deadline = asked + self._terms.suspend
        rows = [row for row in seen.owners if self._changed.get(row.stream, -math.inf) < asked]
        lost = tuple(self._lost(rows, {row.stream for row in seen.owners}))
        able = [row for row in seen.nodes if not row.draining and self._is_heard(row.node)]
        others = {row.node: row for row in seen.nodes if row.node != self.node}
        take = tuple(_taking(row, others) for row in rows if self._is_mine_to_take(row, able))
        return Duties(lost, take, tuple(self._to_leave(rows, able)))

    def heirs(self, stream: str, seen: Seen) -> dict[str, str]:
        """Name the node that is to have a stream, and those that go with it; empty if none can."""
        row = next((row for row in seen.owners if row.stream == stream), None)
        able = [row for row in seen.nodes if not row.draining and self._is_heard(row.node)]
        others = [row for row in able if row.node != self.node]
        # The epoch changes the lot, so that in the end it comes to a node that can open it.
        heir = None if row is None else _chosen(row._replace(wanted=None), others, row.epoch)
        if row is None or heir is None:
            return {}
        if row.role == "owner":
            return {stream: heir}
        mine = [each for each in seen.owners if each.stream in self.epochs]
        return {each.stream: heir for each in mine if each.role == row.role}

    def _listen(self, nodes: Iterable[NodeRow], asked: float, answered: float) -> None:
        """Count how long each node has been silent, while this node itself was beating.

        A new beat may be as new as the answer; a missing one was missing when the rows were asked.
        """
        gone, self._asked = asked - self._asked, asked
        away = gone > self._terms.suspend
        heard = {}
        for row in nodes:
            known = self._heard.get(row.node)
            if away:
                silent = asked - answered - self._terms.grace
            elif known is None or known[:2] != (row.beat, row.fence):
                silent = asked - answered
            else:
                silent = known.silent + min(gone, 2 * self._terms.beat)
            heard[row.node] = _Heard(row.beat, row.fence, silent)
        self._heard = heard

    def _is_heard(self, node: str) -> bool:
        if node == self.node:
            return True
        return node in self._heard and self._heard[node].silent < self._terms.take_over

    def _lost(self, rows: Sequence[OwnerRow], there: set[str]) -> Iterator[str]:
        mine = {row.stream for row in rows if row.node == self.node}
        known = {row.stream: row.epoch for row in rows}
        for stream, epoch in [*self.epochs.items()]:
            gone = stream not in there
            if gone or (stream in known and (known[stream] != epoch or stream not in mine)):
                del self.epochs[stream]
                yield stream

    def _is_mine_to_take(self, row: OwnerRow, able: Sequence[NodeRow]) -> bool:
        """Say whether a stream has no owner, or a silent one, and this node is to take it."""
        if row.node == self.node:
            # From before this process, or from a take whose answer was lost: no other takes it.
            return row.stream not in self.epochs
        free = row.node is None or not self._is_heard(row.node)
        return free and _chosen(row, able) == self.node

    def _to_leave(self, rows: Sequence[OwnerRow], able: Sequence[NodeRow]) -> Iterator[str]:
        """Name the streams that are to go to another node, if that node can take them."""
        draining = all(each.node != self.node for each in able)
        for row in rows:
            if row.stream in self.epochs and (draining or row.wanted is not None):
                chosen = _chosen(row, able)
                if chosen not in (None, self.node) and (draining or chosen == row.wanted):
                    yield row.stream


def _taking(row: OwnerRow, others: Mapping[str, NodeRow]) -> Taking:
    former = None if row.node is None else others.get(row.node)
    if former is None:
        return Taking(row.stream, row.epoch, None, None, None)
    return Taking(row.stream, row.epoch, former.node, former.beat, former.fence)


def _chosen(row: OwnerRow, able: Iterable[NodeRow], lots: int = 0) -> str | None:
    """Choose the node for a stream: the one wanted, or by a lot that is the same on every node."""
    names = [each.node for each in able if row.role in each.roles]
    if row.wanted in names:
        return row.wanted
    # An office's streams stay together: fills are between streams of one process.
    about = row.stream if row.role == "owner" else row.role
    return max(names, key=lambda node: _lot(about, node, lots), default=None)


def _lot(stream: str, node: str, lots: int) -> bytes:
    more = f"\0{lots}" if lots else ""
    return hashlib.sha256(f"{stream}\0{node}{more}".encode()).digest()
