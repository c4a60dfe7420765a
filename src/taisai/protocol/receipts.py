"""Receipts: what a venue signs for a terminal, of how far the record of its table had come.

And for a player, of what a round came to for them.
"""

from typing import Annotated

from msgspec import Meta, Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.dice import Faces

_HASH = "43eaa8e4fa353717a513bcca9d01041f662209b296c4796c094317e694c71b1c"


class Receipt(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's stream at a moment: its durable version, the hash there, and the venue's signature.

    Every event before it is bound by that hash. Whoever keeps it can show later whether a journal
    still has what the venue had then: `taisai audit receipt`.
    """

    stream: Annotated[str, Meta(min_length=1, max_length=200, examples=["table/T1"])]
    version: Annotated[int, Meta(ge=1)]
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64, examples=[_HASH])]
    at: Instant
    key: Annotated[str, Meta(max_length=64, examples=[_HASH[:32]])]
    signature: Annotated[
        str, Meta(pattern="^([0-9a-f]{128})?$", max_length=128, examples=[_HASH * 2])
    ] = ""


class ReceiptLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The bets of a player on one box, settled: what they won, and what went back in all."""

    box: Annotated[str, Meta(max_length=64)]
    stake: int
    won: int
    back: int


class RoundReceipt(Struct, frozen=True, forbid_unknown_fields=True):
    """What a round came to for one player, and the event of the journal that says so, signed.

    The hash is that of the event by which the round stands as it does, which binds every event
    before it. `taisai audit receipt` finds by a journal whether it has the round so.
    """

    stream: Annotated[str, Meta(min_length=1, max_length=200, examples=["table/T1"])]
    version: Annotated[int, Meta(ge=1)]
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64, examples=[_HASH])]
    round: Annotated[int, Meta(ge=1)]
    #: The session that bet, by its name: the position, and the how manieth player there.
    session: Annotated[str, Meta(max_length=200, examples=["T1-1@3"])]
    faces: Faces | None
    #: Whether the round was voided after it was settled: then the stakes went back.
    void: bool
    bets: Annotated[tuple[ReceiptLine, ...], Meta(max_length=1_000)]
    #: When it was signed.
    at: Instant
    key: Annotated[str, Meta(max_length=64, examples=[_HASH[:32]])]
    signature: Annotated[
        str, Meta(pattern="^([0-9a-f]{128})?$", max_length=128, examples=[_HASH * 2])
    ] = ""
