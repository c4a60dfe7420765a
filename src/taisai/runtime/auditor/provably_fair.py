"""Auditing the secrets of a verifiable table: bound before the bets, one a round, all revealed.

Links and dice are computed here a second way, from what is published alone.
"""

import hashlib
from itertools import count, islice
from string import hexdigits

from taisai.core.kernel.messages import Instant
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import RoundResettled
from taisai.core.table.provably_fair import (
    ChainAbandoned,
    ChainPublished,
    ChainRetired,
    SecretRevealed,
)
from taisai.core.table.setup import TableStopped
from taisai.runtime.auditor.approvals import one_alone
from taisai.runtime.auditor.pay_tables import Throw
from taisai.runtime.auditor.registry import audits, routine
from taisai.runtime.auditor.table import UNDER_WAY, AuditedTable, Bound, throw_of

_BLOCK = 64
#: The face for each byte: 42 values a face; the last four values have none.
_FACE_OF = {value: face for face in range(1, 7) for value in range(face - 1, 252, 6)}


@routine
@audits
def published(table: AuditedTable, event: ChainPublished, _: Instant) -> None:
    """A chain is published between rounds, for the rounds to come, when the last is used up."""
    table.expect("closed", "between")
    if table.equipment.tumbler != "verifiable":
        raise table.wrong("secrets were published for dice that do not follow from any")
    if table.bound is not None:
        _expect_revealed(table, table.bound)
        if table.bound.left:
            raise table.wrong(
                "a chain was given up with {left} secrets left", left=table.bound.left
            )
    if event.first != table.round + 1 or event.length < 1 or not event.sealed:
        raise table.wrong(
            "a chain of {length} was published from round {first} on",
            length=event.length,
            first=event.first,
        )
    if not _is_hash(event.commitment):
        raise table.wrong("a chain was published whose end is no hash")
    table.bound = Bound(event.commitment, event.first, event.length)


def check_bound(table: AuditedTable) -> None:
    """Check that a new round's dice are bound, and every earlier secret is revealed."""
    if table.equipment.tumbler != "verifiable":
        return
    if table.bound is None:
        raise table.wrong("a round begins before any chain of secrets is published")
    _expect_revealed(table, table.bound)
    if not table.bound.left:
        raise table.wrong("a round begins and no secret is left for it")


def _expect_revealed(table: AuditedTable, bound: Bound) -> None:
    if bound.next_round <= table.round:
        raise table.wrong(
            "the secret of round {next_round} was not revealed", next_round=bound.next_round
        )


@routine
@audits
def revealed(table: AuditedTable, event: SecretRevealed, _: Instant) -> None:
    """A secret is revealed once its round is over; it leads to the one before, and to the dice."""
    table.expect("closed", "between")
    bound = table.bound
    if bound is None or event.round != bound.next_round or event.round != table.round:
        raise table.wrong(
            "a secret of round {round} was revealed, which was not due", round=event.round
        )
    if not _is_hash(event.secret) or link_before(event.secret) != bound.known:
        raise table.wrong(
            "the secret of round {round} does not lead to the one before it", round=event.round
        )
    drawn = dice_of(event.secret, table.name, event.round)
    if event.drawn != drawn:
        raise table.wrong(
            "the secret gives the dice {drawn}, not {drawn_2}", drawn=drawn, drawn_2=event.drawn
        )
    shown = table.shown or table.reported.get("device")
    if event.agrees != (shown in (None, drawn)):
        dice = {"shown": shown, "drawn": drawn}
        if event.agrees:
            raise table.wrong("dice {shown} are said to agree with the secret's {drawn}", **dice)
        raise table.wrong("dice {shown} are said to disagree with the secret's {drawn}", **dice)
    if not event.agrees and not table.stopped:
        table.due = (TableStopped,)
    table.rounds[event.round].drawn = drawn
    table.shown = None
    table.bound = Bound(event.secret, event.round + 1, bound.left - 1, bound.ended)


@audits
def abandoned(table: AuditedTable, event: ChainAbandoned, _: Instant) -> None:
    """Two persons abandon a chain: a round without its dice is void; due secrets stay due."""
    bound = table.bound
    if bound is None or not bound.left:
        raise table.wrong("a chain was abandoned, and there is none that goes on")
    if one_alone(event.by, event.second) or not event.note.strip():
        raise table.wrong("{by} alone abandoned a chain, or nobody said why", by=event.by)
    table.bound = _ended(table, bound)
    if table.phase in UNDER_WAY and table.throw is None and "device" not in table.reported:
        table.due = (RoundVoided,)


@audits
def retired(table: AuditedTable, event: ChainRetired, _: Instant) -> None:
    """The venue retires a chain between rounds, with a reason; due secrets stay due."""
    table.expect("closed", "between")
    bound = table.bound
    if bound is None or not bound.left or bound.ended:
        raise table.wrong("a chain was retired, and there is none that goes on")
    if not event.note.strip():
        raise table.wrong("a chain was retired, and nothing says why")
    table.bound = _ended(table, bound)


def _ended(table: AuditedTable, bound: Bound) -> Bound:
    owed = table.round - bound.next_round + 1
    return Bound(bound.known, bound.next_round, owed, ended=True)


def check_stop(table: AuditedTable, event: TableStopped, *, agrees: bool) -> None:
    """Check the reason for which a table stops, if dice were shown that are not its secret's."""
    if agrees or table.stopped:
        raise table.wrong("it stopped though its dice agree with the secret, or twice")
    if event.clause != table.rules_in_force().ground_of("not-covered"):
        raise table.wrong("it stopped by {clause}", clause=event.clause)


def check_corrected(table: AuditedTable, event: RoundResettled) -> None:
    """Check that a round is corrected by the dice of its secret and by no others."""
    drawn = table.played(event.round).drawn
    if table.equipment.tumbler == "verifiable" and throw_of(event.faces) != drawn:
        raise table.wrong(
            "round {round} was settled again by {faces}, not {drawn}",
            round=event.round,
            faces=event.faces,
            drawn=drawn,
        )


def _is_hash(text: str) -> bool:
    return len(text) == 64 and all(each in hexdigits and not each.isupper() for each in text)


def link_before(secret: str) -> str:
    """Compute the link before a secret, which was known before it."""
    return hashlib.new("sha256", bytes.fromhex(secret)).hexdigest()


def dice_of(secret: str, table: str, round: int) -> Throw:
    """Compute the dice of a round from its secret, keyed hash and all, by their definitions."""
    blocks = (_keyed_hash(secret, f"{table}:{round}:{counter}") for counter in count())
    faces = (_FACE_OF[value] for block in blocks for value in block if value in _FACE_OF)
    return throw_of(tuple(islice(faces, 3)))


def _keyed_hash(secret: str, message: str) -> bytes:
    key = bytes.fromhex(secret).ljust(_BLOCK, b"\0")
    inner = hashlib.sha256(bytes(each ^ 0x36 for each in key) + message.encode()).digest()
    return hashlib.sha256(bytes(each ^ 0x5C for each in key) + inner).digest()
