"""`taisai witness`: a second machine that co-signs only checkpoints of one history."""

import argparse
import time
from pathlib import Path

from taisai.cli.command import Output, Refused, argument, command, pick, place
from taisai.core.rules.reason import printable
from taisai.runtime.journal.checkpoints import read_checkpoint_file, read_proof_file
from taisai.runtime.keys.signing import read_public
from taisai.runtime.operations.witness import (
    check_cosigned,
    cosign,
    create_witness,
    read_cosigned,
    write_cosigned,
)

_DIRECTORY = place("directory DIRECTORY", "the directory of the witness")
_CHECKPOINT = place("checkpoint", "the checkpoint, as 'audit verify --save-checkpoint' writes it")


@command(
    "taisai witness create witness --keys published.keys",
    _DIRECTORY,
    place("--keys PUBLIC", "the public keys of the venue, as published", required=True),
    detail="Its key stays in the directory. Tell its public key to whoever is to trust it.",
)
def create(arguments: argparse.Namespace) -> Output:
    public = create_witness(Path(arguments.directory), read_public(Path(arguments.keys)))
    text = f"The witness {printable(arguments.directory)} is made. Its public key is\n\n  {public}"
    return Output(lambda: {"public": public}, lambda: text)


@command(
    "taisai witness sign witness newest.json --proof proof.jsonl --to cosigned.json",
    _DIRECTORY,
    _CHECKPOINT,
    place("--proof FILE", "the checkpoints since the last one, by 'audit consistency'"),
    place("--to FILE", "the file to write what is signed to", required=True),
    detail="The first checkpoint is taken as it is; each later one must follow on the last. One\n"
    "that does not is refused: the venue was rolled back, or has two histories.",
)
def sign(arguments: argparse.Namespace) -> Output:
    file = Path(arguments.to)
    if file.exists():
        raise Refused(f"{file} is there already, and nothing is written over; name another")
    between = [] if arguments.proof is None else read_proof_file(Path(arguments.proof))
    now = time.time_ns() // 1_000_000
    checkpoint = read_checkpoint_file(Path(arguments.checkpoint))
    cosigned = cosign(Path(arguments.directory), checkpoint, between, now)
    write_cosigned(cosigned, file)
    text = f"Checkpoint {cosigned.number} is co-signed, in {printable(str(file))}."
    return Output(lambda: pick(cosigned, "number", "hash", "at", "public"), lambda: text)


@command(
    "taisai witness check cosigned.json newest.json --public 7f0c…",
    place("cosigned", "what the witness signed"),
    _CHECKPOINT,
    argument("--public KEY", "the witness's public key, 64 hexadecimal digits", required=True),
)
def check(arguments: argparse.Namespace) -> Output:
    cosigned = read_cosigned(Path(arguments.cosigned))
    checkpoint = read_checkpoint_file(Path(arguments.checkpoint))
    check_cosigned(cosigned, checkpoint, arguments.public)
    text = f"The witness has co-signed checkpoint {checkpoint.number}."
    return Output(lambda: {"cosigned": True, "number": checkpoint.number}, lambda: text)
