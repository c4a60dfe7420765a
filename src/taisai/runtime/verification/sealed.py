"""Checking the seals of a journal, and that what they seal is there.

Without the venue's own key it is checked that seals follow on each other up to the newest
checkpoint; with it, also that the venue made those that no checkpoint covers yet.
"""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from taisai.core.kernel.messages import Instant
from taisai.runtime.journal.checkpoints import read_checkpoint
from taisai.runtime.journal.contract import Head, Heads, IdempotencyRecord, Journal
from taisai.runtime.journal.seals import (
    SEALS_AT_ONCE,
    Followed,
    Keyring,
    Sealed,
    SealError,
    beginning,
    chain_of,
    commands_hash,
    hash_of,
    read_seal,
)
from taisai.runtime.verification.report import Fault
from taisai.runtime.verification.signatures import Checkpoints
from taisai.wording import told


class Group(NamedTuple):
    """The stored ids of one batch."""

    batch: int
    commands: Sequence[IdempotencyRecord]


class Seals:
    """Follows the seals of a journal once, and the ids of commands with them."""

    def __init__(self, journal: Journal, checkpoints: Checkpoints, sealing: bytes | None) -> None:
        self.faults: list[Fault] = []
        self.count = 0
        self._journal = journal
        self._signed = checkpoints.seals
        newest = checkpoints.newest
        self._forgotten: Instant = 0 if newest is None else newest[1].forgotten
        self._covered = {} if newest is None else newest[1].heads
        signed = () if newest is None else newest[1].followed
        #: How far each chain had come when the newest checkpoint was signed.
        self._upto = {chain_of(each.number): each.number for each in signed}
        self._sealing = sealing
        #: The heads in seals that no checkpoint covers.
        self._heads: set[tuple[str, Head]] = set()
        #: The last version of each stream that was ever sealed.
        self._last: dict[str, int] = {}

    async def check(self, heads: Heads) -> None:
        """Follow all seals, and report what they do not cover."""
        try:
            await self._follow()
        except SealError as error:
            self.faults.append(Fault("seal", str(error)))
            return
        for stream, head in heads.items():
            signed = self._covered[stream][0] if stream in self._covered else 0
            if head.version > signed and (stream, head) not in self._heads:
                ends = {"version": signed, "last": head.version}
                said = told("FAULT_NOT_VOUCHED", stream=stream, **ends)
                self.faults.append(Fault("event", said, stream, signed + 1))
            if head.version < self._last.get(stream, 0):
                await self._check_end(stream)

    async def _check_end(self, stream: str) -> None:
        """Report a stream whose end is missing; a stream that grows meanwhile has caught up."""
        heads, last = await self._journal.heads([stream]), self._last[stream]
        version = heads[stream].version if stream in heads else 0
        if version < last:
            said = told("FAULT_END_SEALED", stream=stream, version=version, last=last)
            self.faults.append(Fault("event", said, stream, version + 1))

    async def _follow(self) -> None:
        groups = self._groups()
        group = await anext(groups, None)
        for chain in sorted({*self._upto, *await self._journal.chains()}):
            async for said in self._sealed(chain):
                while group is not None and group.batch < said.number:
                    await self._look_for(group)
                    group = await anext(groups, None)
                of_it = group if group is not None and group.batch == said.number else None
                await self._check_commands(said, () if of_it is None else of_it.commands)
                if of_it is not None:
                    group = await anext(groups, None)
        while group is not None:
            await self._look_for(group)
            group = await anext(groups, None)

    async def _sealed(self, chain: int) -> AsyncIterator[Sealed]:
        """Follow one chain from its beginning to its end."""
        at = beginning(chain)
        keys = None if self._sealing is None else Keyring(self._sealing)
        while page := await self._journal.seals_after(at.number, SEALS_AT_ONCE):
            for seal in page:
                said = read_seal(seal, at)
                if keys is not None and not keys.check(seal, at.hash):
                    raise SealError(told("SEAL_NOT_OURS", number=seal.number))
                at = Followed(said.number, hash_of(seal.data))
                self._note(said, at.hash)
                yield said
        signed = self._upto.get(chain, 0)
        if signed > at.number:
            self.faults.append(Fault("seal", told("FAULT_SEAL_GONE", number=signed)))

    def _note(self, said: Sealed, hash_: str) -> None:
        self.count += 1
        signed = self._signed.get(said.number)
        if signed is not None and signed != hash_:
            raise SealError(told("SEAL_NOT_SIGNED", number=said.number))
        for stream, (version, head) in said.heads.items():
            # Chains are read one by one, so heads do not come in order.
            self._last[stream] = max(version, self._last.get(stream, 0))
            if said.number > self._upto.get(chain_of(said.number), 0):
                self._heads.add((stream, Head(version, bytes.fromhex(head))))

    async def _look_for(self, group: Group) -> None:
        """Find ids that are in no batch; one may have been sealed since its chain was read."""
        found = await self._journal.seals_after(group.batch - 1, 1)
        if not found or found[0].number != group.batch:
            self._stray(group)

    async def _check_commands(self, said: Sealed, kept: Sequence[IdempotencyRecord]) -> None:
        if said.commands == commands_hash(kept) or await self._may_be_forgotten(said):
            return
        first = {"id": kept[0].id, "stream": kept[0].stream} if kept else {}
        code = "FAULT_IDS_OTHER" if kept else "FAULT_IDS_GONE"
        self.faults.append(Fault("command", told(code, batch=said.number, **first)))

    async def _may_be_forgotten(self, said: Sealed) -> bool:
        """Say whether the ids of a batch may be forgotten, by the newest checkpoint now."""
        if said.issued is None:
            return False
        if said.issued >= self._forgotten:
            for newest in await self._journal.checkpoints(newest=1):
                self._forgotten = max(self._forgotten, read_checkpoint(newest).forgotten)
        return said.issued < self._forgotten

    def _stray(self, group: Group) -> None:
        first = group.commands[0]
        said = told("FAULT_ID_STRAY", id=first.id, stream=first.stream)
        self.faults.append(Fault("command", said))

    async def _groups(self) -> AsyncIterator[Group]:
        """Read the stored ids, batch by batch."""
        batch, commands = 0, list[IdempotencyRecord]()
        async for page in self._journal.commands():
            for number, command in page:
                if number != batch and commands:
                    yield Group(batch, commands)
                    commands = []
                batch = number
                commands.append(command)
        if commands:
            yield Group(batch, commands)
