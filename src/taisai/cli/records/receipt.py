"""`taisai audit receipt`: whether a journal still holds what a venue signed in a receipt."""

import argparse
from pathlib import Path

from taisai.cli.command import Output, Refused, command, place
from taisai.cli.records.journals import WHERE, reading
from taisai.cli.records.verify import KEYS, Proved
from taisai.core.rules.reason import printable
from taisai.protocol.receipts import RoundReceipt
from taisai.runtime.journal.contract import Journal
from taisai.runtime.journal.receipts import check_receipt, hold_against, read_receipt
from taisai.runtime.records.receipts import hold_round_against
from taisai.wording import write_amount


@command(
    "taisai audit receipt receipt.json data --keys published.keys",
    place("file FILE", "a receipt that a terminal was given, or a player for a round"),
    WHERE,
    KEYS,
    detail="A receipt names an event of a table's stream by its hash, which binds every event\n"
    "before it. That the stream is whole up to there is for 'audit verify' to say. Of a\n"
    "player's receipt the round is played again: it must have come to what the receipt says.",
)
def receipt(arguments: argparse.Namespace) -> Output:
    held = read_receipt(Path(arguments.file))
    proved = Proved(arguments, arguments.where)
    if proved.public is None:
        raise Refused("a receipt is worth its signature: name the public keys with --keys")
    check_receipt(held, proved.public)

    async def look(journal: Journal) -> None:
        await hold_against(held, journal)
        if isinstance(held, RoundReceipt):
            await hold_round_against(held, journal)

    reading(arguments.where, look)
    notes = "".join(f" Note: {each}." for each in proved.notes)
    text = (
        f"The journal has {held.stream} up to version {held.version} as the venue signed it."
        f"{_of_round(held) if isinstance(held, RoundReceipt) else ''}{notes}"
    )
    about: dict[str, object]
    about = {"stream": held.stream, "version": held.version, "hash": held.hash, "at": held.at}
    if isinstance(held, RoundReceipt):
        about |= {"round": held.round, "session": held.session}
    return Output(lambda: {"held": True, **about, "notes": proved.notes}, lambda: printable(text))


def _of_round(held: RoundReceipt) -> str:
    """Describe how the round ended."""
    staked, back = sum(bet.stake for bet in held.bets), sum(bet.back for bet in held.bets)
    dice = "" if held.faces is None else f" on {', '.join(map(str, held.faces))}"
    came = "the round is void" if held.void else f"{write_amount(back)} went back"
    return f" Round {held.round}{dice}: {held.session} staked {write_amount(staked)}, and {came}."
