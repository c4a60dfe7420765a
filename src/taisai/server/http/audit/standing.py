"""How well the journal is attested: its newest checkpoint, the anchor, and the cosignatures.

A witness's cosignature is brought here as a file, checked against the journal, and stored beside
the data; it proves nothing beyond what the witness itself says.
"""

import asyncio
from pathlib import Path
from typing import Annotated, Any

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import refuse
from taisai.runtime.journal.anchor import AnchorError, fault_by
from taisai.runtime.journal.checkpoints import read_checkpoint
from taisai.runtime.journal.contract import Journal
from taisai.runtime.operations.witness import (
    Cosigned,
    WitnessError,
    check_cosigned,
    read_cosigned,
    write_cosigned,
)
from taisai.runtime.runtime import Runtime
from taisai.server.http.frame.access import route
from taisai.server.http.frame.dependencies import WHOLE_MAX, InLanguage, TheApplication
from taisai.server.http.frame.problems import RefusedError
from taisai.server.roles import AUDIT
from taisai.wording import say_again, told

#: The directory of co-signatures, beside the data; and for how many witnesses.
WITNESSES = "witnesses"
WITNESSES_MAX = 16

_HASH: dict[str, Any] = {"pattern": "^[0-9a-f]+$", "min_length": 64, "max_length": 64}
_SIGNATURE: dict[str, Any] = {"pattern": "^[0-9a-f]+$", "min_length": 128, "max_length": 128}


class CheckpointStanding(Struct, frozen=True):
    """The newest checkpoint: all heads at one moment, signed by a key of the venue."""

    number: int
    at: Instant
    events: int
    key: str


class AnchorStanding(Struct, frozen=True):
    """What the anchor remembers, and whether the journal still holds it."""

    number: int
    at: Instant
    fault: str | None


class WitnessStanding(Struct, frozen=True):
    """What a witness co-signed last, and whether the journal still holds it."""

    public: str
    number: int
    at: Instant
    #: How many checkpoints there are after it.
    behind: int
    fault: str | None


class Standing(Struct, frozen=True):
    """How well the journal is attested now."""

    at: Instant
    events: int
    #: Null before the first one is signed.
    checkpoint: CheckpointStanding | None
    #: Events that wait for the next checkpoint.
    waiting: int
    #: Null where there is none, or it cannot be read.
    anchor: AnchorStanding | None
    #: Why the anchor cannot be read.
    anchor_fault: str | None
    witnesses: list[WitnessStanding]


class CosignedAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What `taisai witness sign` wrote."""

    number: Annotated[int, Meta(ge=1, le=WHOLE_MAX)]
    hash: Annotated[str, Meta(**_HASH, examples=["5f" * 32])]
    at: Annotated[int, Meta(ge=0, le=WHOLE_MAX)]
    public: Annotated[str, Meta(**_HASH, examples=["7f" * 32], description="the witness's key")]
    signature: Annotated[str, Meta(**_SIGNATURE, examples=["0c" * 64])]


@get("/api/audit/standing", **route("audit", "How the journal is attested", AUDIT, (503,)))
async def standing(application: TheApplication, language: InLanguage = "en") -> Standing:
    """Say what the newest checkpoint is, what the anchor remembers, what witnesses signed."""
    runtime = application.runtime
    journal, events = (
        runtime.journal,
        sum(head.version for head in runtime.committer.heads.values()),
    )
    newest = await journal.checkpoints(newest=1)
    covered = read_checkpoint(newest[0]) if newest else None
    anchor, fault = await _anchor(runtime, language)
    last = 0 if covered is None else covered.number
    kept = await asyncio.to_thread(_kept, application.settings.data / WITNESSES)
    return Standing(
        at=runtime.clock.now(),
        events=events,
        checkpoint=None
        if covered is None
        else CheckpointStanding(covered.number, covered.at, covered.events, newest[0].key),
        waiting=max(0, events - (0 if covered is None else covered.events)),
        anchor=anchor,
        anchor_fault=fault,
        witnesses=[await _witness(journal, each, last, language) for each in kept],
    )


async def _anchor(runtime: Runtime, language: str) -> tuple[AnchorStanding | None, str | None]:
    try:
        anchored = await asyncio.to_thread(runtime.notary.anchored)
    except AnchorError as error:
        return None, say_again(str(error), language)
    if anchored is None:
        return None, None
    fault = _said(await fault_by(anchored, runtime.journal), language)
    return AnchorStanding(anchored.number, anchored.at, fault), None


async def _witness(
    journal: Journal, cosigned: Cosigned, last: int, language: str
) -> WitnessStanding:
    fault = _said(await _fault(journal, cosigned), language)
    behind = max(0, last - cosigned.number)
    return WitnessStanding(cosigned.public, cosigned.number, cosigned.at, behind, fault)


def _said(fault: str | None, language: str) -> str | None:
    return None if fault is None else say_again(fault, language)


async def _fault(journal: Journal, cosigned: Cosigned) -> str | None:
    """Say why a witness's checkpoint is not of this journal; None if it is."""
    found = await journal.checkpoints_after(cosigned.number - 1, 1)
    if not found or found[0].number != cosigned.number:
        return told("WITNESS_BEYOND", number=cosigned.number)
    try:
        check_cosigned(cosigned, found[0], cosigned.public)
    except WitnessError as error:
        return str(error)
    return None


def _kept(directory: Path) -> list[Cosigned]:
    """Read the stored cosignatures; a file that is none is left out."""
    found = []
    for file in sorted(directory.glob("*.json"))[:WITNESSES_MAX]:
        try:
            found.append(read_cosigned(file))
        except (WitnessError, OSError):
            continue
    return found


@post(
    "/api/audit/cosignatures",
    **route("audit", "Take in what a witness signed", AUDIT, (409, 503), status=200),
)
async def take_cosignature(
    application: TheApplication, data: JSONBody[CosignedAsked], language: InLanguage = "en"
) -> WitnessStanding:
    """Check what a witness co-signed against the journal, and keep it: the newest of each."""
    journal = application.runtime.journal
    cosigned = Cosigned(data.number, data.hash, data.at, data.public, data.signature)
    fault = await _fault(journal, cosigned)
    if fault is not None:
        raise RefusedError(refuse("NOT_COSIGNED", detail=say_again(fault, language)))
    await asyncio.to_thread(_keep, application.settings.data / WITNESSES, cosigned)
    newest = await journal.checkpoints(newest=1)
    return await _witness(journal, cosigned, newest[0].number, language)


def _keep(directory: Path, cosigned: Cosigned) -> None:
    """Store a witness's cosignature, unless a newer one of theirs is stored."""
    kept = {each.public: each for each in _kept(directory)}
    before = kept.get(cosigned.public)
    if before is None and len(kept) >= WITNESSES_MAX:
        raise RefusedError(refuse("NO_MORE_ROOM", most=WITNESSES_MAX))
    if before is None or before.number < cosigned.number:
        directory.mkdir(parents=True, exist_ok=True)
        write_cosigned(cosigned, directory / f"{cosigned.public}.json")
