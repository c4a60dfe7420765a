"""How a simulation is asked for: `taisai simulate`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, add_rulebook

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_simulate(commands: "Commands") -> None:
    """Enter `taisai simulate`."""
    command = add_command(
        commands,
        "simulate",
        "play rounds from a seed, and hold what they bring against the exact answer",
        "The same seed gives the same rounds on every machine. The bets are the same in every\n"
        "round, or slates in turn (--then), or drawn for each round (--draw). With --sessions,\n"
        "tells how many sessions of so many rounds end ahead, or lose a bank.",
        "taisai simulate ts6/2 --bet small=1000 --rounds 1000000 --seed 7",
    )
    add_rulebook(command)
    command.add_argument(
        "--allow-player-edge",
        action="store_true",
        help="take a rulebook of your own even where a box has no house edge",
    )
    command.add_argument("pay_table", metavar="PAYTABLE", help="a pay table, like ts6/2")
    _add_bets(command)
    _add_sessions(command)
    command.add_argument(
        "--seed", type=int, metavar="S", required=True, help="the seed of the dice, zero or more"
    )
    command.add_argument(
        "--engine",
        choices=("numba", "numpy"),
        help="what plays the rounds; otherwise numba if installed, with the same answer",
    )
    command.add_argument(
        "--threads", type=int, metavar="T", help="how many threads play; otherwise one a processor"
    )


def _add_bets(command: Parser) -> None:
    command.add_argument(
        "--bet",
        metavar="BOX=STAKE",
        nargs="+",
        action="extend",
        default=[],
        help="a bet in every round, stake in minor units",
    )
    command.add_argument(
        "--then",
        metavar="BOX=STAKE",
        nargs="+",
        action="append",
        default=[],
        help="the bets of the next round; given as often as wanted, then from the first again",
    )
    command.add_argument(
        "--draw", type=int, metavar="BETS", help="draw so many bets for each round instead"
    )
    command.add_argument(
        "--stakes",
        type=int,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="with --draw: each stake is one of these or between, a multiple of the step",
    )


def _add_sessions(command: Parser) -> None:
    command.add_argument(
        "--rounds", type=int, metavar="N", required=True, help="how many rounds, or in a session"
    )
    command.add_argument(
        "--sessions", type=int, metavar="M", help="play so many sessions of one slate"
    )
    command.add_argument(
        "--bank",
        type=int,
        metavar="AMOUNT",
        help="with --sessions: a player stops when the bank no longer covers the bets",
    )
