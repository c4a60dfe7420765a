"""`taisai audit receipt`: whether a journal still has what a venue signed for a terminal."""

import argparse
from pathlib import Path

from taisai.cli.command import Output, Refused, command, place
from taisai.cli.records.journals import WHERE, reading
from taisai.cli.records.verify import KEYS, Proved
from taisai.core.rules.reason import printable
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.receipts import check_receipt, hold_against, read_receipt


@command(
    "taisai audit receipt receipt.json data --keys published.keys",
    place("file FILE", "a receipt that a terminal was given"),
    WHERE,
    KEYS,
    detail="A receipt names an event of a table's stream by its hash, which binds every event\n"
    "before it. That the stream is whole up to there is for 'audit verify' to say.",
)
def receipt(arguments: argparse.Namespace) -> Output:
    held = read_receipt(Path(arguments.file))
    proved = Proved(arguments, arguments.where)
    if proved.public is None:
        raise Refused("a receipt is worth its signature: name the public keys with --keys")
    check_receipt(held, proved.public)

    async def look(journal: Journal) -> None:
        await hold_against(held, journal)

    reading(arguments.where, look)
    notes = "".join(f" Note: {each}." for each in proved.notes)
    text = (
        f"The journal has {held.stream} up to version {held.version} as the venue signed it.{notes}"
    )
    about = {"stream": held.stream, "version": held.version, "hash": held.hash, "at": held.at}
    return Output(lambda: {"held": True, **about, "notes": proved.notes}, lambda: printable(text))
