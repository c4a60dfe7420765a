"""`taisai bots`: many terminals that bet at once, with a live display and a summary."""

import argparse

from taisai.cli.command import Output, argument, command, place, whole
from taisai.extras import require

TERMINALS_MAX = 100_000


@command(
    "taisai bots --terminals 5000 --seconds 30",
    whole("--terminals N", "how many terminals (100)", least=1, most=TERMINALS_MAX, default=100),
    argument("--seconds S", "how long they bet (30)", type=float, default=30.0),
    argument(
        "--rate R",
        "bets a second of each terminal, while bets are open (0.5)",
        type=float,
        default=0.5,
    ),
    place("--address URL", "the venue (http://127.0.0.1:8888)", default="http://127.0.0.1:8888"),
    place("--keys", "the keys of terminals of a venue that is no demo"),
    whole("--processes P", "how many processes to use (1)", default=1),
    detail="In a demo venue the terminals are asked for; in another they are read from a file, "
    "one\n"
    "JSON object a line with table, terminal and key. Each bets within the limits of its\n"
    "table while bets are open, and keeps its own books. Exit status 1 when something was not\n"
    "as it should be: a bet without an answer, a refusal that nobody earned, money that does\n"
    "not add up.",
)
def bots(arguments: argparse.Namespace) -> Output:
    require("playing at a live venue", "server")
    # Not at the top: the bots need extras, and `--help` does not.
    from taisai.cli.venue.bot_load import bots_output  # noqa: PLC0415

    return bots_output(arguments)
