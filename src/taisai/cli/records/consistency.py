"""`taisai audit consistency`: a proof that one checkpoint continues another, for anybody."""

import argparse
from pathlib import Path

from taisai.cli.command import Output, Refused, Wrong, command, place
from taisai.cli.records.journals import reading
from taisai.cli.records.verify import KEYS, Proved
from taisai.core.rules.reason import printable
from taisai.runtime.journal.checkpoints import (
    read_checkpoint_file,
    read_proof_file,
    write_proof_file,
)
from taisai.runtime.journal.contract import Checkpoint, Journal
from taisai.runtime.verification.consistency import (
    check_between,
    check_streams,
    checkpoints_between,
)


@command(
    "taisai audit consistency monday.json friday.json --journal data --keys published.keys",
    place("old", "a checkpoint that was held"),
    place("new", "a newer one"),
    place("--journal WHERE", "the journal: the checkpoints between are read, its events followed"),
    place("--proof FILE", "the checkpoints between, where the journal is not at hand"),
    place("--save-proof FILE", "write the checkpoints between to a file, for others"),
    KEYS,
    detail="Each checkpoint carries the hash of the one before it: with those between, anybody\n"
    "who has the public keys can tell that nothing older was altered. With --journal every\n"
    "stream is followed from the old checkpoint to the new one as well.",
)
def consistency(arguments: argparse.Namespace) -> Output:
    old = read_checkpoint_file(Path(arguments.old))
    new = read_checkpoint_file(Path(arguments.new))
    public = Proved(arguments, arguments.journal or "").public
    between, followed = _between(arguments, old, new)
    check_between(old, new, between, public)
    if arguments.save_proof is not None:
        file = Path(arguments.save_proof)
        if file.exists():
            raise Refused(f"{file} is there already, and nothing is written over; name another")
        write_proof_file(between, file)
    events = "" if followed is None else f", and {followed:,} events lead from the one to the other"
    signed = "" if public is not None else " No signature was checked: name the keys with --keys."
    text = f"Checkpoint {new.number} grew out of checkpoint {old.number}{events}.{signed}"
    about = {"old": old.number, "new": new.number, "between": len(between), "events": followed}
    return Output(
        lambda: {"consistent": True, "signed": public is not None, **about},
        lambda: printable(text),
    )


def _between(
    arguments: argparse.Namespace, old: Checkpoint, new: Checkpoint
) -> tuple[list[Checkpoint], int | None]:
    if arguments.journal is not None and arguments.proof is not None:
        raise Wrong("the checkpoints between come from --journal or from --proof, not from both")
    if arguments.proof is not None:
        return read_proof_file(Path(arguments.proof)), None
    if arguments.journal is None:
        return [], None

    async def look(journal: Journal) -> tuple[list[Checkpoint], int]:
        between = await checkpoints_between(journal, old, new)
        return between, await check_streams(journal, old, new)

    return reading(arguments.journal, look)
