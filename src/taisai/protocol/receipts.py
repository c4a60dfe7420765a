"""A receipt: what a venue signs for a terminal, of how far the record of its table had come."""

from typing import Annotated

from msgspec import Meta, Struct

from taisai.core.kernel.messages import Instant

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
