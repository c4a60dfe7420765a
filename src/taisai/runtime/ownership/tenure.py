"""What a node knows of the others, and what it makes of that: no clock, no database, no waiting.

Every node beats: it raises a number in its own row, and reads the rows of all. A node whose number
another has not seen change for long enough, counted on that other's own clock, is silent, and its
streams are taken over. No two clocks are ever compared. An owner's right to decide ends by itself,
a little sooner than anybody may find it silent: counted from before its last beat was sent.

Silence is counted only while one beats oneself: whoever was away, or found the database away, has
heard nothing of anybody, and that says nothing about them.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from taisai.core.kernel.messages import Instant


class Terms(NamedTuple):
    """How long what takes, in seconds."""

    #: So often a node beats.
    beat: float = 0.1
    #: After so long without a beat an owner decides nothing more.
    suspend: float = 0.75
    #: Who was silent for so long is taken over.
    take_over: float = 0.9
    #: So much longer others have to be heard again after one was away oneself.
    grace: float = 1.0
    #: What could not be opened for so long is left to another.
    give_up: float = 10.0


class NodeRow(NamedTuple):
    """A node as everybody sees it."""

    node: str
    fence: int
    roles: Sequence[str]
    beat: int
    draining: bool
    #: The number of its chain of seals.
    chain: int = 0


class OwnerRow(NamedTuple):
    """Whose a stream is: by which epoch, for nodes of which role, and where it is wanted."""

    stream: str
    epoch: int
    node: str | None
    role: str
    wanted: str | None


class Seen(NamedTuple):
    """What a beat brings back; `at` is the time by the database's clock."""

    nodes: Sequence[NodeRow]
    owners: Sequence[OwnerRow]
    at: Instant


class Taking(NamedTuple):
    """A stream to be taken: what must still be as it was seen, and what to end its former by."""

    stream: str
    epoch: int
    former: str | None
    beat: int | None
    fence: int | None


class Duties(NamedTuple):
    """What a node has to do by what it has seen."""

    #: Streams that it had, and another has by now.
    lost: tuple[str, ...]
    #: Streams that nobody has, or nobody who is heard of.
    take: tuple[Taking, ...]
    #: Streams that are to go elsewhere, once they are at rest.
    leave: tuple[str, ...]


class _Heard(NamedTuple):
    """What was last seen of a node, and for how long it has not changed."""

    beat: int
    fence: int
    silent: float


class Tenure:
    """The streams that one node has, and for how long; `epochs` is what its journal writes by."""

    def __init__(self, node: str, terms: Terms, epochs: dict[str, int]) -> None:
        self.node = node
        self.epochs = epochs
        #: Until when it may decide, by its own clock.
        self.deadline = -math.inf
        #: Since when it might, without a break.
        self._since = math.inf
        self._terms = terms
        self._heard: dict[str, _Heard] = {}
        self._asked = -math.inf
        #: When each stream was taken or left: what was asked for before that does not know of it.
        self._changed: dict[str, float] = {}

    def holds(self, stream: str, now: float) -> int | None:
        """Give the epoch by which the node may decide for a stream; none where it may not."""
        return self.epochs.get(stream) if now < self.deadline else None

    def take(self, epochs: Mapping[str, int], sent: float, now: float) -> None:
        """Have streams that were asked for at a time, unless the right to decide ended since.

        Then others may have found this node silent, and taken them over before it was told.
        """
        if self._since <= sent and now < self.deadline:
            self.epochs.update(epochs)
            self._changed.update(dict.fromkeys(epochs, now))

    def leave(self, stream: str) -> int | None:
        """Have a stream no more; gives by which epoch it was had, until `left` says that it is.

        Until then every row may be of before: whoever took it for its own would have it back.
        """
        if stream in self.epochs:
            self._changed[stream] = math.inf
        return self.epochs.pop(stream, None)

    def left(self, stream: str, now: float) -> None:
        """Note that a stream is left, or that nobody can say."""
        self._changed[stream] = now

    def note(self, seen: Seen, asked: float, answered: float) -> Duties:
        """Note what a beat brought back, and when it was sent and answered; say what is to do."""
        self._listen(seen.nodes, asked, answered)
        if asked >= self.deadline:
            self._since = asked
        # It was sent then, or later: others hear nothing sooner.
        self.deadline = asked + self._terms.suspend
        rows = [row for row in seen.owners if self._changed.get(row.stream, -math.inf) < asked]
        lost = tuple(self._lost(rows, {row.stream for row in seen.owners}))
        able = [row for row in seen.nodes if not row.draining and self._is_heard(row.node)]
        others = {row.node: row for row in seen.nodes if row.node != self.node}
        take = tuple(_taking(row, others) for row in rows if self._is_mine_to_take(row, able))
        return Duties(lost, take, tuple(self._to_leave(rows, able)))

    def heirs(self, stream: str, seen: Seen) -> dict[str, str]:
        """Say who else is to have a stream, and what goes with it; nothing, if there is nobody."""
        row = next((row for row in seen.owners if row.stream == stream), None)
        able = [row for row in seen.nodes if not row.draining and self._is_heard(row.node)]
        others = [row for row in able if row.node != self.node]
        # By another lot each time it passes on: in the end it comes to whoever can open it.
        heir = None if row is None else _chosen(row._replace(wanted=None), others, row.epoch)
        if row is None or heir is None:
            return {}
        if row.role == "owner":
            return {stream: heir}
        mine = [each for each in seen.owners if each.stream in self.epochs]
        return {each.stream: heir for each in mine if each.role == row.role}

    def _listen(self, nodes: Iterable[NodeRow], asked: float, answered: float) -> None:
        """Count how long each has been silent, as far as this node was there to hear it.

        A beat that is seen may be as new as the answer; one that is missing was when it was asked.
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
        """Say whether a stream is nobody's who is heard of, and this node is to have it."""
        if row.node == self.node:
            # Had before this process was there, or taken without being told so: nobody else will.
            return row.stream not in self.epochs
        free = row.node is None or not self._is_heard(row.node)
        return free and _chosen(row, able) == self.node

    def _to_leave(self, rows: Sequence[OwnerRow], able: Sequence[NodeRow]) -> Iterator[str]:
        """Name the streams that are wanted elsewhere, if there is anybody there to have them."""
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
    """Choose who is to have a stream: where it is wanted, or by lot, everywhere the same."""
    names = [each.node for each in able if row.role in each.roles]
    if row.wanted in names:
        return row.wanted
    # What is an office's stays together: fills are between streams of one process.
    about = row.stream if row.role == "owner" else row.role
    return max(names, key=lambda node: _lot(about, node, lots), default=None)


def _lot(stream: str, node: str, lots: int) -> bytes:
    more = f"\0{lots}" if lots else ""
    return hashlib.sha256(f"{stream}\0{node}{more}".encode()).digest()
