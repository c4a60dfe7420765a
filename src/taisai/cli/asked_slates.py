"""A slate as it is asked for on a command line, and how its bets are answered."""

import argparse

from taisai.cli.answers import Answer
from taisai.cli.bet_files import PLAYER, read_bet
from taisai.cli.refused import Wrong
from taisai.cli.shelves import find_pay_table, find_rulebook, shelf_of
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.slates import Slate
from taisai.rulebooks.answers import identity_of


def asked_slate(arguments: argparse.Namespace) -> tuple[Rulebook, Slate]:
    """Put the bets that were given on the pay table that was named."""
    shelf = shelf_of(arguments)
    table = find_pay_table(shelf, arguments.pay_table)
    bets = [read_bet(text) for text in arguments.bet]
    for bet in bets:
        if bet["player"] != PLAYER:
            raise Wrong("a slate is one player's; write its bets like 'small=1000'")
    slate = Slate.of(table, [(bet["box"], bet["stake"]) for bet in bets])
    return find_rulebook(shelf, table.rulebook_key), slate


def slate_answer(rulebook: Rulebook, slate: Slate) -> Answer:
    """Begin an answer about a slate: where it is played, and what lies on which box."""
    return {
        "pay_table": slate.pay_table.address,
        "rulebook": identity_of(rulebook),
        "bets": [{"box": box, "stake": stake} for box, stake in slate.stakes.items()],
        "staked": slate.staked,
    }
