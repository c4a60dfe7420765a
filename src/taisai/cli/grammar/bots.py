"""How many bots play at a house at once: `taisai bots`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import add_command, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_bots(commands: "Commands") -> None:
    """Enter `taisai bots`."""
    command = add_command(
        commands,
        "bots",
        "have many terminals bet at a house at once, and count what comes of it",
        "In a demo house the terminals are asked for; in another they are read from a file, one\n"
        "JSON object a line with table, terminal and key. Each bets within the limits of its\n"
        "table while bets are open, and keeps its own books. Exit status 1 when something was not\n"
        "as it should be: a bet without an answer, a refusal that nobody earned, money that does\n"
        "not add up.",
        "taisai bots --terminals 5000 --seconds 30",
    )
    command.add_argument(
        "--terminals", type=int, metavar="N", default=100, help="how many terminals (100)"
    )
    command.add_argument(
        "--seconds", type=float, metavar="S", default=30.0, help="how long they bet (30)"
    )
    command.add_argument(
        "--rate",
        type=float,
        metavar="R",
        default=0.5,
        help="bets a second of each terminal, while bets are open (0.5)",
    )
    command.add_argument(
        "--address",
        metavar="URL",
        type=named,
        default="http://127.0.0.1:8888",
        help="the house (http://127.0.0.1:8888)",
    )
    command.add_argument(
        "--keys",
        metavar="FILE",
        type=named,
        help="the keys of terminals of a house that is no demo",
    )
    command.add_argument(
        "--processes", type=int, metavar="P", default=1, help="how many processes to use (1)"
    )
