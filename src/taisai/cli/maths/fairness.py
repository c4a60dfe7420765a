"""`taisai fairness`: whether observed throws are of fair dice, and which bias could be found."""

import argparse

from taisai.cli.command import Output, argument, command, place, whole
from taisai.cli.records.journals import filters
from taisai.maths.errors import missing_extra


@command(
    "taisai fairness throws.csv --confidence 0.99 --plot throws.svg",
    place(
        "where",
        "a file of throws, - for standard input; or a journal: its file, its data directory,"
        " or a postgresql:// address",
    ),
    argument(
        "--confidence C",
        "how sure a verdict against the dice must be, over all tests together (0.99)",
        type=float,
        default=0.99,
    ),
    argument(
        "--order",
        "whether each column is always the same die; auto: unless all throws lie sorted",
        choices=("auto", "kept", "lost"),
        default="auto",
    ),
    whole("--lags K", "how many throws back echoes go (5)", default=5),
    whole("--seed N", "the seed of Monte Carlo draws (1)", default=1),
    place("--plot", "also draw a picture, .png or .svg"),
    argument(
        "--by",
        "of a journal: test each set of dice at each table (so otherwise), each table, or all"
        " rounds together",
        choices=("dice", "table", "all"),
    ),
    *filters("of a journal: "),
    detail="Reads CSV (three columns, or a column dice), a JSON array or JSON Lines of throws, or\n"
    "the rounds of a journal. Tests results, totals, faces, pairs of dice, runs and echoes,\n"
    "and watches throw by throw; says how large a bias could have been found. docs/maths.md\n"
    "tells the methods.",
)
def fairness(arguments: argparse.Namespace) -> Output:
    try:
        # The tests need numpy, which is an extra; only this command may fail without it.
        from taisai.cli.maths.fairness_report import fairness_output  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise missing_extra("testing throws for fairness", "maths") from None
    return fairness_output(arguments)
