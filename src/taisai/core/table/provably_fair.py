"""The secrets of a verifiable table: published as a chain, one for each round, revealed after it.

A round opens only on a chain whose end is published and with every earlier secret revealed, so the
venue can neither choose a throw against known bettors nor withhold one. When a secret is revealed,
its dice are compared with the entered ones; if they differ, the table stops. Two persons may
abandon a chain, whose secrets a restored venue could otherwise use again; the venue itself retires
one, between rounds, when it cannot show that its journal is the newest.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from itertools import islice

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.names import two_persons_refusal
from taisai.core.kernel.registry import TABLE, applies, command, decides, event
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import voided
from taisai.core.table.setup import TableStopped
from taisai.core.table.state import (
    IN_ROUND,
    Chain,
    RoundRecord,
    TableState,
    ground_of,
    outcome_is_recorded,
    ruling_on,
)

SECRET_BYTES = 32
#: The largest multiple of six that a byte can reach: this and larger bytes are thrown away, so
#: that each face has 42 of the 252 values that are left.
FAIR_BELOW = 252
#: The most rounds of a chain, and the most characters of its sealed text.
CHAIN_LENGTH_MAX = 1_000_000
SEALED_MAX = 512
#: The reason to stop a table whose dice are not those of its secret.
DRAWN_OTHERWISE = "drawn-otherwise"


@command(at=TABLE, by=("system",))
class PublishChain(Command, frozen=True):
    """Publish the end of a chain of secrets, with its beginning sealed for the venue alone."""

    commitment: str
    length: int
    sealed: str


@event(at=TABLE, routine=True, posts=False)
class ChainPublished(Event, frozen=True):
    """The end of a chain of secrets, one for each round from `first` on, before any bet on them."""

    commitment: str
    length: int
    sealed: str
    first: int


@decides
def publish_chain(
    state: TableState, command: PublishChain, _actor: Actor, _at: Instant
) -> Decision:
    """Publish the end of a new chain; a chain that still has secrets is never replaced."""
    refusal = _between_rounds(state)
    if refusal is not None:
        return refusal
    due = secret_due(state)
    if due is not None:
        return refuse("SECRET_TO_REVEAL", round=due)
    if state.chain is not None and not state.chain.used_up:
        return refuse("CHAIN_GOES_ON", left=state.chain.left)
    if not _is_chain(command):
        return refuse("BAD_CHAIN", most=CHAIN_LENGTH_MAX)
    published = ChainPublished(
        commitment=command.commitment,
        length=command.length,
        sealed=command.sealed,
        first=state.round + 1,
    )
    return (published,)


def secret_due(state: TableState) -> int | None:
    """Give the ended round whose secret is not revealed yet."""
    chain = state.chain
    if chain is None or state.phase in IN_ROUND or state.round < chain.next_round:
        return None
    return chain.next_round


def _between_rounds(state: TableState) -> Refusal | None:
    if not is_verifiable(state):
        return refuse("NOT_VERIFIABLE")
    return refuse("ROUND_UNDER_WAY") if state.phase in IN_ROUND else None


def is_verifiable(state: TableState) -> bool:
    """Say whether the dice of a table follow from secrets."""
    return state.equipment.tumbler == "verifiable"


def _is_chain(command: PublishChain) -> bool:
    """Check the shape of a chain; only the holder of the key can check what is sealed."""
    return (
        secret_from(command.commitment) is not None
        and type(command.length) is int
        and 1 <= command.length <= CHAIN_LENGTH_MAX
        and 1 <= len(command.sealed) <= SEALED_MAX
        and command.sealed.isascii()
        and command.sealed.isalnum()
    )


def secret_from(text: str) -> bytes | None:
    """Read a secret or a link, written as 64 small hexadecimal digits."""
    if len(text) != 2 * SECRET_BYTES or not set(text) <= set("0123456789abcdef"):
        return None
    return bytes.fromhex(text)


@applies
def chain_published(state: TableState, event: ChainPublished) -> None:
    state.chain = Chain(
        commitment=event.commitment,
        length=event.length,
        sealed=event.sealed,
        first=event.first,
        link=event.commitment,
    )


@command(at=TABLE, by=("system",))
class RevealSecret(Command, frozen=True):
    round: int
    secret: str


@event(at=TABLE, routine=True, significant=lambda event: not event.agrees, posts=False)
class SecretRevealed(Event, frozen=True):
    """The secret of a round that is over, the dice it gives, and whether those were shown."""

    round: int
    secret: str
    drawn: Faces
    agrees: bool


@decides
def reveal_secret(
    state: TableState, command: RevealSecret, _actor: Actor, _at: Instant
) -> Decision:
    """Reveal the secret of the round that has just ended, settled or void."""
    refusal = _between_rounds(state)
    if refusal is not None:
        return refusal
    due, chain = secret_due(state), state.chain
    if due is None or chain is None or command.round != due:
        return refuse("NO_SECRET_DUE")
    secret = secret_from(command.secret)
    if secret is None or link_of(secret).hex() != chain.link:
        return refuse("WRONG_SECRET", round=due)
    drawn, shown = drawn_dice(secret, state.table, due), _shown(state, chain)
    agrees = shown is None or shown == drawn
    revealed = SecretRevealed(due, command.secret, drawn, agrees)
    if agrees or state.stopped is not None:
        return (revealed,)
    return (revealed, TableStopped(ground_of(state, None), DRAWN_OTHERWISE))


def link_of(secret: bytes) -> bytes:
    """Give the link before a secret, which was known before the secret was."""
    return hashlib.sha256(secret).digest()


def drawn_dice(secret: bytes, table: str, round: int) -> Faces:
    """Draw the dice of a round from its secret, from low to high.

    The bytes come from HMAC-SHA-256 with the secret as key, block after block; the message is
    `table:round:counter`, which is unambiguous because no table's name holds a colon.
    """
    low, middle, high = sorted(islice(fair_faces(_bytes_of(secret, table, round)), 3))
    return low, middle, high


def fair_faces(values: Iterable[int]) -> Iterator[int]:
    """Turn bytes into equally likely faces: bytes beyond a multiple of six are thrown away."""
    return (value % 6 + 1 for value in values if value < FAIR_BELOW)


def _bytes_of(secret: bytes, table: str, round: int) -> Iterator[int]:
    counter = 0
    while True:
        message = f"{table}:{round}:{counter}".encode()
        yield from hmac.digest(secret, message, "sha256")
        counter += 1


def _shown(state: TableState, chain: Chain) -> Faces | None:
    """Give the faces that the round showed: its result, or the reading of the device alone."""
    return state.reported.get("device") if chain.shown is None else chain.shown


@applies
def secret_revealed(state: TableState, event: SecretRevealed) -> None:
    assert state.chain is not None, "a secret is revealed of a chain that was published"
    state.chain.link = event.secret
    state.chain.revealed += 1
    state.chain.shown = None
    # The newest round is always among those that are kept.
    state.history[event.round].drawn = event.drawn


@command(at=TABLE, by=("system",))
class AbandonChain(Command, frozen=True):
    """Use no more secrets of a chain: from a backup on, those that follow may be known."""

    by: str
    second: str
    note: str


@event(at=TABLE, posts=False)
class ChainAbandoned(Event, frozen=True):
    """No secret of the chain serves another round; the one that is owed still comes out."""

    by: str
    second: str
    note: str


@decides
def abandon_chain(
    state: TableState, command: AbandonChain, _actor: Actor, _at: Instant
) -> Decision:
    """End a chain whose next secrets may be known, and void a round whose dice come from it.

    The secret of its last round is still owed: abandoning a chain withholds nothing.
    """
    if not is_verifiable(state):
        return refuse("NOT_VERIFIABLE")
    if state.chain is None:
        return refuse("NO_CHAIN")
    if state.chain.used_up:
        return refuse("CHAIN_USED_UP")
    refusal = two_persons_refusal(command.by, command.second)
    if refusal is not None:
        return refusal
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    abandoned = ChainAbandoned(command.by, command.second, command.note)
    if state.phase not in IN_ROUND or outcome_is_recorded(state):
        return (abandoned,)
    return (abandoned, voided(state, _why_void(state)))


def _why_void(state: TableState) -> str:
    """Give the code that voids a round without dice; if dice prevail, no clause covers it."""
    found = ruling_on(state, "interrupted-without-outcome")
    return found.code if found is not None and found.ruling == "void-round" else "not-covered"


@applies
def chain_abandoned(state: TableState, _: ChainAbandoned) -> None:
    assert state.chain is not None, "a chain is abandoned that was published"
    state.chain.last = state.round


@command(at=TABLE, by=("system",))
class RetireChain(Command, frozen=True):
    """Use no more secrets of a chain: the venue cannot show that its history is the newest."""

    note: str


@event(at=TABLE, posts=False)
class ChainRetired(Event, frozen=True):
    """No secret of the chain serves another round; the one that is owed still comes out."""

    note: str


@decides
def retire_chain(state: TableState, command: RetireChain, _actor: Actor, _at: Instant) -> Decision:
    """End a chain between rounds, as a lost history may already have shown its next secrets.

    It voids no round, so nobody can get rid of a throw by stopping the venue.
    """
    refusal = _between_rounds(state)
    if refusal is not None:
        return refusal
    if state.chain is None:
        return refuse("NO_CHAIN")
    if not state.chain.goes_on:
        return refuse("CHAIN_USED_UP")
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    return (ChainRetired(command.note),)


@applies
def chain_retired(state: TableState, _: ChainRetired) -> None:
    assert state.chain is not None, "a chain is retired that was published"
    state.chain.last = state.round


def chain_refusal(state: TableState) -> Refusal | None:
    """Refuse to begin a round without a chain for its dice, or while a secret is owed."""
    if not is_verifiable(state):
        return None
    if state.chain is None:
        return refuse("NO_CHAIN")
    due = secret_due(state)
    if due is not None:
        return refuse("SECRET_TO_REVEAL", round=due)
    if state.chain.used_up:
        return refuse("CHAIN_USED_UP")
    return None


def drawn_refusal(
    state: TableState, record: RoundRecord, faces: Faces, clause: str
) -> Refusal | None:
    """Refuse to correct a round to other dice than its secret gives."""
    if not is_verifiable(state):
        return None
    drawn, number = record.drawn, record.number
    if drawn is None:
        return refuse("SECRET_TO_REVEAL", clause, round=number)
    if faces != drawn:
        dice = " ".join(str(face) for face in drawn)
        return refuse("DRAWN_OTHERWISE", clause, round=number, dice=dice)
    return None
