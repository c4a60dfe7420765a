"""How slates, sessions and comparisons are asked for: `taisai slate`, `session` and `compare`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, add_rulebook, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_slates(commands: "Commands") -> None:
    """Enter `taisai slate`, `taisai session` and `taisai compare`."""
    _add_slate(commands)
    _add_session(commands)
    _add_compare(commands)


def _add_slate(commands: "Commands") -> None:
    command = add_command(
        commands,
        "slate",
        "show what one round of a set of bets brings, exactly",
        "Tells its distribution, mean, variance, skewness, hit rate and house edge.",
        "taisai slate ts6/2 --bet small=1000 single-3=500",
    )
    _add_bets(command)
    _add_plot(command, "the distribution")


def _add_session(commands: "Commands") -> None:
    command = add_command(
        commands,
        "session",
        "show what so many rounds of the same bets bring",
        "Whole numbers where that takes seconds, otherwise floats with their error stated; the\n"
        "answer says which.",
        "taisai session ts6/2 --bet small=1000 --rounds 1000",
    )
    _add_bets(command)
    command.add_argument(
        "--rounds", type=int, metavar="N", required=True, help="how many rounds are played"
    )
    command.add_argument(
        "--method",
        choices=("auto", "exact", "float"),
        default="auto",
        help="whole numbers, floats, or whichever is sensible (auto)",
    )
    command.add_argument(
        "--quantile",
        metavar="SHARE",
        nargs="+",
        action="extend",
        help="shares of all sessions, like 0.05; otherwise seven from 0.01 to 0.99",
    )
    command.add_argument(
        "--at-least",
        metavar="NET",
        type=int,
        nargs="+",
        action="extend",
        default=[],
        help="also tell the chance of at least so much in the end; below zero is a loss",
    )
    command.add_argument(
        "--distribution",
        action="store_true",
        help="with --json and whole numbers: every amount with its exact weight, as strings",
    )
    _add_plot(command, "the distribution of the bankroll")
    command.add_argument(
        "--fan", metavar="FILE", type=named, help="also draw how the bankroll spreads, likewise"
    )


def _add_compare(commands: "Commands") -> None:
    command = add_command(
        commands,
        "compare",
        "compare two pay tables box by box, and what is cheapest to play on each",
        "Cheapest per unit staked, in a round at the least stake, for the same standard\n"
        "deviation, and among slates that win something on every result.",
        "taisai compare ts6/2 etg8/2",
    )
    _add_own_rulebook(command)
    command.add_argument("pay_table", metavar="A", help="a pay table, like ts6/2")
    command.add_argument("other", metavar="B", help="another, like etg8/2")
    command.add_argument(
        "--min",
        type=int,
        metavar="AMOUNT",
        default=1,
        help="the least that may be staked on a box (the smallest that pays whole)",
    )
    _add_plot(command, "both tables' edges")


def _add_bets(command: Parser) -> None:
    _add_own_rulebook(command)
    command.add_argument("pay_table", metavar="PAYTABLE", help="a pay table, like ts6/2")
    command.add_argument(
        "--bet",
        metavar="BOX=STAKE",
        nargs="+",
        action="extend",
        required=True,
        help="a bet in every round, stake in minor units",
    )


def _add_own_rulebook(command: Parser) -> None:
    add_rulebook(command)
    command.add_argument(
        "--allow-player-edge",
        action="store_true",
        help="take a rulebook of your own even where a box has no house edge",
    )


def _add_plot(command: Parser, what: str) -> None:
    command.add_argument(
        "--plot",
        metavar="FILE",
        type=named,
        help=f"also draw {what}, as .png or .svg (extra: plots)",
    )
