"""`taisai fairness`: whether observed throws are those of fair dice, and what could be found."""

import argparse

from taisai.cli.command import Output, argument, command, place
from taisai.cli.records.journals import filters
from taisai.maths.errors import missing_extra


@command(
    "taisai fairness throws.csv --confidence 0.99 --plot throws.svg",
    place(
        "where",
        help="a file of throws, - for standard input; or a journal: its file, its data directory,"
        " or a postgresql:// address",
    ),
    argument(
        "--confidence",
        type=float,
        default=0.99,
        metavar="C",
        help="how sure a verdict against the dice must be, over all tests together (0.99)",
    ),
    argument(
        "--order",
        choices=("auto", "kept", "lost"),
        default="auto",
        help="whether each column is always the same die; auto: unless all throws lie sorted",
    ),
    argument("--lags", type=int, default=5, metavar="K", help="how many throws back echoes go (5)"),
    argument("--seed", type=int, default=1, metavar="N", help="the seed of Monte Carlo draws (1)"),
    place("--plot", help="also draw a picture, .png or .svg"),
    argument(
        "--by",
        choices=("dice", "table", "all"),
        help="of a journal: test each set of dice at each table (so otherwise), each table, or all"
        " rounds together",
    ),
    *filters("of a journal: "),
    detail="Reads CSV (three columns, or a column dice), a JSON array or JSON Lines of throws, or\n"
    "the rounds of a journal. Tests results, totals, faces, pairs of dice, runs and echoes,\n"
    "and watches throw by throw; says how large a bias could have been found. docs/maths.md\n"
    "tells the methods.",
)
def fairness(arguments: argparse.Namespace) -> Output:
    """Answer `taisai fairness`."""
    try:
        # The tests need numpy, which is an extra; only what asks for it may miss it.
        from taisai.cli.maths.fairness_report import fairness_output  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise missing_extra("testing throws for fairness", "maths") from None
    return fairness_output(arguments)
