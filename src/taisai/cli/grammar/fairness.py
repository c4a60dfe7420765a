"""How tests of fairness are asked for: `taisai fairness`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_fairness(commands: "Commands") -> None:
    """Enter `taisai fairness`."""
    command = add_command(
        commands,
        "fairness",
        "test whether observed throws are those of fair dice",
        "Reads CSV (three columns, or a column dice), a JSON array or JSON Lines of throws, or\n"
        "the rounds of a journal. Tests results, totals, faces, pairs of dice, runs and echoes,\n"
        "and watches throw by throw; says how large a bias could have been found. docs/maths.md\n"
        "tells the methods.",
        "taisai fairness throws.csv --confidence 0.99 --plot throws.svg",
    )
    command.add_argument(
        "where",
        metavar="FILE",
        type=named,
        help="a file of throws, - for standard input; or a journal: its file, its data directory,"
        " or a postgresql:// address",
    )
    command.add_argument(
        "--confidence",
        type=float,
        default=0.99,
        metavar="C",
        help="how sure a verdict against the dice must be, over all tests together (0.99)",
    )
    command.add_argument(
        "--order",
        choices=("auto", "kept", "lost"),
        default="auto",
        help="whether each column is always the same die; auto: unless all throws lie sorted",
    )
    command.add_argument(
        "--lags", type=int, default=5, metavar="K", help="how many throws back echoes go (5)"
    )
    command.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the seed of Monte Carlo draws (1)"
    )
    command.add_argument(
        "--plot", metavar="FILE", type=named, help="also draw a picture, .png or .svg"
    )
    _add_choices(command)


def _add_choices(command: Parser) -> None:
    """Let a person choose from a journal."""
    command.add_argument(
        "--by",
        choices=("dice", "table", "all"),
        help="of a journal: test each set of dice at each table (so otherwise), each table, or all"
        " rounds together",
    )
    command.add_argument(
        "--from",
        dest="since",
        metavar="TIME",
        help="of a journal: only rounds from this time on, like 2026-03-01T18:30:00+08:00",
    )
    command.add_argument("--until", metavar="TIME", help="of a journal: only before this time")
    command.add_argument(
        "--table",
        dest="tables",
        metavar="T",
        nargs="+",
        action="extend",
        default=[],
        help="of a journal: only these tables",
    )
