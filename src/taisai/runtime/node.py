"""The runtime of a node: it decides for the streams that it owns, and follows those that it needs.

An office follows all streams, as far as they are durable and sealed. An owner follows only the
venue and the cage, which its own decisions need: a table that it takes from another node is read
back from its newest snapshot, once no other node can write to it [D44]. Commands for a stream go
to its owner. The node that owns the venue's own stream signs.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Any, Self

from taisai.core.kernel.messages import Order
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.setup import TableCreated
from taisai.runtime.answers import AGAIN, Answer, Registered
from taisai.runtime.clock import Clock
from taisai.runtime.interruption import finish_round
from taisai.runtime.journal.contract import (
    Append,
    FencedError,
    Head,
    JournalError,
    Record,
    genesis,
)
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.notary import Notary
from taisai.runtime.ownership.ownership import (
    ELSEWHERE,
    Ownership,
    Streams,
    resumed_notice,
    stopping_notice,
)
from taisai.runtime.ownership.rows import Rows
from taisai.runtime.ownership.tenure import OwnerRow, Tenure, Terms
from taisai.runtime.recovery import (
    BrokenChainError,
    check_links,
    read_ahead,
    read_back,
    recover,
)
from taisai.runtime.runtime import Runtime
from taisai.runtime.signing import Signing
from taisai.runtime.streams import CAGE, VENUE, table_of, table_stream
from taisai.runtime.timekeeper import Timekeeper
from taisai.runtime.writer import OnAnswer, Writer, give

OFFICE, OWNER = "office", "owner"
#: How often events of other nodes are looked for if no message says that there are any.
FOLLOW_SECONDS = 0.5
#: How often an owner follows the seals of other owners. It needs them only when it opens a stream,
#: and follows them then too.
ALL_FOLLOWED_SECONDS = 2.0
#: Followers are notified of new events so often at most: a message costs as much as some bets do,
#: and a page of events is cheaper to follow than each of them alone.
STIR_SECONDS = 0.02
#: So many events of other nodes are applied before the loop does other work.
FOLLOWED_AT_ONCE = 200
#: So many events, and a few more, may have to be read back when a table is taken over.
TAIL_EVENTS = 1_000
#: How often it is checked whether a new stream has an owner.
ADMIT_SECONDS = 0.05
#: After so long it is logged that a new stream waits for one.
WAIT_SECONDS = 2.0
#: How often it is checked whether a checkpoint is due, or another node has signed one; and how
#: often old ids are forgotten.
SIGN_SECONDS = 1.0
FORGET_SECONDS = 60.0
#: How often a command is sent to another node, and the pause between two tries (3 s in all).
ASKED_TIMES = 30
AGAIN_SECONDS = 0.1
#: What an office needs besides its streams must be read in this time, or others are opened first.
OFFICE_SECONDS = 3.0
#: How often it is checked whether a table that is to be left is between two rounds.
REST_SECONDS = 0.02

#: Sends a command to the owner of a stream, by the name of that node.
Forward = Callable[[str, str, Order, OnAnswer], None]

_log = logging.getLogger(__name__)


def _decisions(records: Sequence[Record]) -> Iterator[Sequence[Record]]:
    """Give records in chunks that never split a decision."""
    start, end = 0, FOLLOWED_AT_ONCE
    while end < len(records):
        while end < len(records) and records[end].cause is None:
            end += 1
        yield records[start:end]
        start, end = end, end + FOLLOWED_AT_ONCE
    if start < len(records):
        yield records[start:]


class _Owned(Streams):
    """Opens, shuts and finishes a node's streams, as its leases require."""

    node: "NodeRuntime"

    async def open(self, stream: str, epoch: int) -> None:
        """Open a stream here."""
        await self.node.open_stream(stream, epoch)

    def shut(self, stream: str, why: str) -> None:
        """Stop deciding for a stream."""
        self.node.shut_stream(stream, why)

    async def finish(self, stream: str) -> None:
        """Finish a stream's round."""
        await self.node.finish_stream(stream)


async def _nothing() -> None:
    """Do nothing."""


class NodeRuntime(Runtime):
    """A running node; made by `join`, ended by `stop`."""

    journal: PostgresJournal
    ownership: Ownership
    rows: Rows
    _terms: Terms
    #: The streams of other nodes that are followed; `None`: all of them.
    _followed: frozenset[str] | None
    #: Sends commands to other nodes; at first it refuses them.
    forward: Forward
    #: Called soon after batches of this node, to notify the nodes that follow it.
    stirred: Callable[[], None]
    #: Called when the set of streams that this node owns has changed.
    owned_changed: Callable[[], None]
    #: Called before this node decides for the venue's stream, once no former office can.
    before_office: Callable[[], Awaitable[None]]
    #: Called when this node must not go on: another process has its name, or events that it has
    #: followed are lost. It decides nothing more then.
    on_fenced: Callable[[FencedError], None]

    @classmethod
    async def join(
        cls, url: str, leases: NodeLeases, keys: VenueKeys, terms: Terms | None = None
    ) -> Self:
        """Join the nodes of a venue: read the streams back and follow them; none is owned yet."""
        terms = terms or Terms()
        rows = Rows(url, leases, terms)
        journal = await PostgresJournal.open(url, node=leases)
        try:
            passed = time.monotonic
            owned, tenure = _Owned(), Tenure(leases.node, terms, leases.epochs)
            ownership = Ownership(tenure, rows, owned, terms, passed)
            ownership.time.learn((await rows.beat()).at, passed())
            notary = await Notary.open(journal, keys, None)
            followed = None if OFFICE in leases.roles else frozenset({VENUE, CAGE})
            started = await read_back(journal, keys, shared=True, only=followed)
            clock = Clock(ownership.time.ns)
            timekeeper = Timekeeper(clock, journal, None)
            await timekeeper.begin(started.at)
            node = cls(journal, keys, timekeeper, started, {}, notary)
            node.rows = rows
            owned.node, node.ownership = node, ownership
            node._terms = terms
            node._followed = followed
            node._begin()
            node._add_writers(started)
            if OFFICE in leases.roles:
                await rows.add([VENUE, CAGE], OFFICE)
        except BaseException:
            await rows.close()
            await journal.close()
            raise
        return node

    def _begin(self) -> None:
        self.name = self.ownership.tenure.node
        self.forward = lambda _node, stream, _order, then: then(
            refuse("TABLE_SUSPENDED", stream=stream)
        )
        self.stirred = lambda: None
        self.owned_changed = lambda: None
        self.before_office = _nothing
        self._fenced = False
        self.on_fenced = lambda _: None
        committer = self.committer
        committer.to_sign = committer.tail.heads
        committer.signs = lambda: self.owns(VENUE)
        committer.after_batch = self._stir
        self._stirring: asyncio.TimerHandle | None = None
        #: The checkpoints of all nodes, signed by the one that owns the venue's own stream.
        self.signing = Signing(self.journal, committer, self._keys.public)
        #: Streams are opened and followed one at a time.
        self._one_at_a_time = asyncio.Lock()
        self._news = asyncio.Event()
        #: Answers of other nodes, each with the version that must be followed here first.
        self._unknown: dict[str, list[tuple[int, OnAnswer, Answer]]] = {}
        self._stopping = False
        #: Tables that move to another node after their rounds.
        self._leaving: set[str] = set()
        #: When all events of other nodes were last followed.
        self.followed_at = time.monotonic()
        #: When the chains of all nodes were last followed.
        self._all_followed_at = -math.inf
        #: The owner of each stream, and the rows that say so.
        self._owners: dict[str, str | None] = {}
        self._owners_seen: Sequence[OwnerRow] = ()

    def start(self) -> None:
        """Start to beat, to take streams, and to follow the other nodes."""
        self._run_beside(self._beat(), self._follow_all(), self._sign(), self._retry())

    def _stir(self) -> None:
        """Notify followers soon, once for all that is written by then."""
        if self._stirring is None:
            loop = asyncio.get_running_loop()
            self._stirring = loop.call_later(STIR_SECONDS, self._say_stirred)

    def _say_stirred(self) -> None:
        self._stirring = None
        self.stirred()

    async def _beat(self) -> None:
        """Beat until this node must not go on; then suspend everything."""
        try:
            await self.ownership.run()
        except FencedError as error:
            self._fenced = True
            self._suspend_all(str(error))
            self.on_fenced(error)

    # --- whose a stream is -------------------------------------------------------------------

    def owns(self, stream: str) -> bool:
        """Say whether this node decides for a stream."""
        writer = self._writers.get(stream)
        return writer is not None and writer.elsewhere is None

    def owner_of(self, stream: str) -> str | None:
        """Say which node owns a stream, by the last beat."""
        seen = self.ownership.seen
        if seen is not None and seen.owners is not self._owners_seen:
            self._owners_seen = seen.owners
            self._owners = {row.stream: row.node for row in seen.owners}
        return self._owners.get(stream)

    def _add_writer(self, stream: str, started: Any) -> None:
        super()._add_writer(stream, started)
        writer = self._writers[stream]
        writer.elsewhere = partial(self._forward, stream)
        tenure, passed = self.ownership.tenure, time.monotonic
        writer.holds = lambda: tenure.holds(stream, passed()) is not None
        writer.on_suspended = self._suspended
        if table_of(stream) is not None:
            writer.tail_max = TAIL_EVENTS
        if not self.follows(stream):
            writer.suspended, writer.passing = ELSEWHERE, True
        elif writer.suspended is None:
            self.committer.heads[stream] = writer.head

    def follows(self, stream: str) -> bool:
        """Say whether this node follows a stream while another one owns it."""
        return self._followed is None or stream in self._followed

    def is_followed(self, stream: str) -> bool:
        """Say whether another node decides for a stream, so that its state here is durable."""
        held = stream in self.ownership.tenure.epochs
        return not held and self._writers[stream].suspended is None

    def suspended(self) -> dict[str, str]:
        """Name the suspended streams that this node owns or follows, each with why."""
        found = super().suspended()
        epochs = self.ownership.tenure.epochs
        return {each: why for each, why in found.items() if self.follows(each) or each in epochs}

    def _forward(self, stream: str, order: Order, on_answer: OnAnswer) -> None:
        node = self.owner_of(stream)
        if node is None or node == self.name:
            on_answer(refuse("TABLE_SUSPENDED", stream=stream))
        else:
            self.forward(node, stream, order, partial(self._answered, stream, on_answer))

    def _answered(self, stream: str, on_answer: OnAnswer, answer: Answer) -> None:
        """Pass on an answer once its events have been followed here."""
        last = answer.last if isinstance(answer, Registered) else 0
        if not self.follows(stream) or self._writers[stream].head.version >= last:
            on_answer(answer)
        else:
            self._unknown.setdefault(stream, []).append((last, on_answer, answer))
            self.look()

    def _give_known(self, stream: str) -> None:
        """Pass on the answers whose events have now been followed."""
        waiting, known = self._unknown.pop(stream, ()), self._writers[stream].head.version
        for last, on_answer, answer in waiting:
            if last <= known:
                give(on_answer, answer)
            else:
                self._unknown.setdefault(stream, []).append((last, on_answer, answer))

    def _suspended(self, stream: str, why: str) -> None:
        """Let the next beat reopen a stream that was suspended only because of the journal."""
        self.announce(stream, "suspended", why)
        if self._writers[stream].passing:
            self.ownership.note_shut(stream)

    async def submit(self, stream: str, order: Order) -> Answer:
        """Send a command; to another node it is sent again for a while, until it is accepted."""
        writer = self.writer(stream)
        for _ in range(ASKED_TIMES - 1):
            answer = await writer.submit(order)
            again = isinstance(answer, Refusal) and answer.code in AGAIN
            if not again or writer.elsewhere is None or self._stopping:
                return answer
            await asyncio.sleep(AGAIN_SECONDS)
        return await writer.submit(order)

    async def _submit_here(self, stream: str, order: Order) -> Answer:
        """Send the command of a device, if this node still owns its table."""
        if not self.owns(stream):
            return refuse("TABLE_SUSPENDED", stream=stream)
        return await self.submit(stream, order)

    def equip(self, stream: str, *, distrusted: bool = False) -> None:
        """Start a table's tumbler, if this node owns the table."""
        if self.owns(stream):
            super().equip(stream, distrusted=distrusted)

    def _published(self, stream: str, batch: Sequence[Registered]) -> None:
        super()._published(stream, batch)
        if batch and batch[0].first == 1 and isinstance(batch[0].events[0], TableCreated):
            # The table may have been created by a request to another node.
            self.equip(stream)

    async def admit(self, stream: str, *, chips: bool) -> None:
        """Have a new stream owned by a node: a chip table by the one with the cage."""
        role = OFFICE if chips else OWNER
        await self.rows.add([stream], role)
        self.add_stream(stream)
        waits = "%s waits for a node with the role %s that takes it"
        loop = asyncio.get_running_loop()
        saying = loop.call_later(WAIT_SECONDS, _log.info, waits, stream, role)
        try:
            while self.owner_of(stream) is None or not self._is_reached(stream):  # noqa: ASYNC110
                await asyncio.sleep(ADMIT_SECONDS)
        finally:
            saying.cancel()

    def _is_reached(self, stream: str) -> bool:
        """Say whether a stream's owner is another node, or this one and already deciding."""
        return self.owner_of(stream) != self.name or self.owns(stream)

    # --- opening, shutting, finishing --------------------------------------------------------

    async def open_stream(self, stream: str, epoch: int) -> None:
        """Bring a stream that this node now owns up to its end, and decide for it from then on."""
        _log.info("%s is opened by epoch %d", stream, epoch)
        self.add_stream(stream)
        if stream == VENUE:
            try:
                async with asyncio.timeout(OFFICE_SECONDS):
                    await self.before_office()
            except TimeoutError as error:
                raise JournalError("what belongs to the office cannot be read") from error
        async with self._one_at_a_time:
            await self.committer.settled()
            await self.signing.see()
            await self.signing.follow()
            writer = self._writers[stream]
            try:
                await self._bring_up(writer)
            except BrokenChainError as error:
                writer.suspend(str(error))
                return
            if stream == VENUE:
                await self._begin_office()
            ahead = await read_ahead(self.journal, [stream], self.clock.now())
            writer.elsewhere = None
            writer.begin(ahead)
        self._resend(stream)
        self.announce(stream, "resumed", resumed_notice(self.name, writer.head.version))
        if table_of(stream) is not None:
            await self._resume_table(stream)
        self.transfers.again()
        self.owned_changed()

    def owned(self) -> dict[str, int]:
        """Name the streams that this node decides for, each with its epoch."""
        epochs = self.ownership.tenure.epochs
        return {stream: epoch for stream, epoch in epochs.items() if self.owns(stream)}

    async def _bring_up(self, writer: Writer) -> None:
        """Bring a stream up to its end; no record may be there that is not sealed."""
        stream = writer.stream
        known = self.committer.tail.heads.get(stream)
        if writer.suspended is not None or writer.elsewhere is None:
            # Nothing may be decided on the state read back before its end is checked.
            writer.elsewhere = partial(self._forward, stream)
            read = await self._read_again(stream)
            self.clock.not_before(read.at)
            writer.resume_from(read, self._keys.voucher)
        elif known is not None and known.version > writer.head.version:
            await self._advance(writer, known)
        found = (await self.journal.heads([stream])).get(stream, genesis(stream))
        if found != writer.head or found != (known or genesis(stream)):
            raise BrokenChainError(
                f"{stream} ends at version {found.version}, and what was sealed of it at"
                f" {writer.head.version}"
            )
        self._note_head(stream, found)

    def shut_stream(self, stream: str, why: str) -> None:
        """Stop deciding for a stream; it is followed once it has been read back."""
        writer = self._writers.get(stream)
        if writer is None:
            # The stream was lost before it could be opened.
            return
        self._let_go(stream)
        writer.suspend(why, passing=True)
        writer.elsewhere = partial(self._forward, stream)
        self.owned_changed()

    def _let_go(self, stream: str) -> None:
        """Stop a stream's device and transfers here; the next owner starts them again."""
        self._devices.by_table.pop(table_of(stream) or "", None)
        self.transfers.forget(stream)

    def is_leaving(self, stream: str) -> bool:
        """Say whether a table moves to another node after its round: no new round starts here."""
        return stream in self._leaving

    async def finish_stream(self, stream: str) -> None:
        """Finish the round that is under way, and leave the stream with a snapshot."""
        writer = self._writers[stream]
        self._leaving.add(stream)
        try:
            if not await self._rest(writer):
                if writer.elsewhere is None:
                    # It is suspended, and is left suspended.
                    self.shut_stream(stream, ELSEWHERE)
                return
        finally:
            self._leaving.discard(stream)
        self._let_go(stream)
        if writer.is_durable and writer.head.version > writer.snapshot_at:
            try:
                await self.journal.write([Append(stream, writer.head, (), (), writer.snapshot())])
            except JournalError as error:
                # All events are durable; the next owner only has to read more of them back.
                _log.warning("%s is left without a snapshot: %s", stream, error)
        writer.elsewhere = partial(self._forward, stream)
        if not self.follows(stream):
            writer.suspend(ELSEWHERE, passing=True)
        self.owned_changed()

    async def _rest(self, writer: Writer) -> bool:
        """Decide until a round is over, then nothing more; false if the stream was lost first."""

        def refuse_all(_: Order, then: OnAnswer) -> None:
            then(refuse("TABLE_SUSPENDED", stream=writer.stream))

        while writer.elsewhere is None and writer.suspended is None:
            if self._stopping or writer.kind.at_rest(writer.state):
                # No more commands are accepted; those accepted are answered.
                writer.elsewhere = refuse_all
                while not writer.is_idle:
                    await self.committer.settled()
                    await asyncio.sleep(0)
                if writer.elsewhere is not refuse_all:
                    return False
                if self._stopping or writer.kind.at_rest(writer.state):
                    return True
                # A command accepted before has started another round: it is finished here too.
                writer.elsewhere = None
            await asyncio.sleep(REST_SECONDS)
        return False

    # --- following ---------------------------------------------------------------------------

    def look(self) -> None:
        """Look for events of other nodes now."""
        self._news.set()

    async def _follow_all(self) -> None:
        while True:
            try:
                async with asyncio.timeout(FOLLOW_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                pass
            self._news.clear()
            try:
                if not self.journal.is_open:
                    # The outcome of a batch was unknown for so long that reading back was given up.
                    await self.committer.reopen()
                await self.catch_up()
            except FencedError as error:
                self.ownership.end(error)
                return
            except JournalError as error:
                # A node that cannot beat either has logged that.
                if not self.ownership.is_away:
                    _log.warning("others cannot be followed: %s", error)
                await asyncio.sleep(FOLLOW_SECONDS)
            except BrokenChainError as error:
                self.announce(VENUE, "journal", str(error))
                await asyncio.sleep(SIGN_SECONDS)
            except Exception:  # noqa: BLE001 - logged: else the state here would grow stale
                _log.exception("others cannot be followed: a fault of ours")
                await asyncio.sleep(SIGN_SECONDS)

    async def catch_up(self) -> None:
        """Apply all events that other nodes have written by now."""
        async with self._one_at_a_time:
            heads, began, chains = self.committer.tail.heads, time.monotonic(), self._chains()
            await self.signing.follow(chains)
            if chains is None:
                self._all_followed_at = began
            for stream in self.state.streams:
                # Commands may arrive for it before its first seal is followed here.
                self.add_stream(stream)
            for stream in [*heads]:
                self.add_stream(stream)
                if self.follows(stream) and stream not in self.ownership.tenure.epochs:
                    await self._follow(self._writers[stream], heads[stream])
            self.followed_at = time.monotonic()

    def _chains(self) -> list[int] | None:
        """Name the chains that are to be followed now; `None`: all of them.

        Only an office may write the streams that an owner follows; a former one still has a row.
        """
        seen, all_for = self.ownership.seen, time.monotonic() - self._all_followed_at
        if self._followed is None or seen is None or all_for >= ALL_FOLLOWED_SECONDS:
            return None
        return [row.chain for row in seen.nodes if OFFICE in row.roles]

    async def _follow(self, writer: Writer, head: Head) -> None:
        """Bring a stream of another node up to a head; one that this node owned is read back."""
        try:
            if writer.suspended is None and writer.head.version < head.version:
                await self._advance(writer, head)
            elif writer.suspended is not None and writer.passing:
                await self.committer.settled()
                read = await recover(
                    self.journal, self._keys, writer.stream, None, head, shared=True
                )
                writer.elsewhere = partial(self._forward, writer.stream)
                writer.resume_from(read, self._keys.voucher)
                self._note_head(writer.stream, read.head)
                self.announce(writer.stream, "resumed", ELSEWHERE)
        except BrokenChainError as error:
            writer.suspend(str(error))

    async def _advance(self, writer: Writer, head: Head) -> None:
        """Read and publish the new events of a stream, up to a sealed head."""
        records: list[Record] = []
        found = writer.head
        pages = self.journal.read(writer.stream, after=writer.head.version, upto=head.version)
        async for page in pages:
            found = check_links(found, page)
            records += page
        if found != head:
            raise BrokenChainError(f"{writer.stream} is not as it was sealed at {head.version}")
        for some in _decisions(records):
            batch = writer.follow(some)
            self.clock.not_before(some[-1].at)
            if writer.stream == VENUE:
                for registered in batch:
                    self.timekeeper.note(registered.events)
            self.publisher.publish(writer.stream, batch)
            # The node must go on beating while it follows many events.
            await asyncio.sleep(0)
        self._note_head(writer.stream, head)

    def _note_head(self, stream: str, head: Head) -> None:
        if head.version:
            self.committer.heads[stream] = head
            self._give_known(stream)

    # --- the office --------------------------------------------------------------------------

    async def _begin_office(self) -> None:
        """Sign before the first event, and add an owner's row for every stream of the venue."""
        await self.signing.begin()
        by_role: dict[str, list[str]] = {OFFICE: [], OWNER: []}
        for stream in self.state.streams:
            state = self._writers[stream].state if stream in self._writers else None
            chips = getattr(state, "chips", None) is not None
            by_role[OFFICE if chips or stream == CAGE else OWNER].append(stream)
        for role, streams in by_role.items():
            if streams:
                await self.rows.add(streams, role)

    async def _sign(self) -> None:
        """Sign new events if this node has the venue's stream, and forget old ids."""
        forgot = time.monotonic()
        while True:
            await asyncio.sleep(SIGN_SECONDS)
            try:
                if not self.owns(VENUE):
                    await self.signing.see()
                    continue
                await self.signing.sign_if_due()
                if time.monotonic() - forgot >= FORGET_SECONDS:
                    await self._forget()
                    forgot = time.monotonic()
            except FencedError as error:
                self.ownership.end(error)
                return
            except (JournalError, BrokenChainError) as error:
                if not self.ownership.is_away:
                    self.announce(VENUE, "journal", str(error))

    # --- the end -----------------------------------------------------------------------------

    def _try_again(self) -> None:
        self._devices.attend_where(self._is_ready)
        self.transfers.again()

    async def stop(self) -> None:
        """Finish the rounds of this node's tables, and leave all its streams."""
        self.announce(VENUE, "stopping", stopping_notice(self.name))
        self._stopping = True
        for table in self.table_names():
            stream = table_stream(table)
            if self.owns(stream):
                await finish_round(self._writers[stream], self.device(table))
        await self.transfers.settled()
        try:
            # A fenced node's streams go to others, and its name may be another's.
            if not self._fenced:
                await self._leave_all()
        except JournalError as error:
            self.announce(VENUE, "journal", str(error))
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self.rows.close()
        await self.journal.close()

    async def _leave_all(self) -> None:
        """Leave every stream; once a beat has shown that this node drains, it takes none."""
        if self.owns(VENUE):
            await self.signing.end()
        await self.rows.drain(self.name)
        await asyncio.sleep(3 * self._terms.beat)
        await self.ownership.stop()
