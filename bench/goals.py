"""The figures to reach: each with its goal and the bench that measures it.

A bench notes what it has measured by the figure's key; `bench.page` sets all of them on one page.
"""

import os
from pathlib import Path
from typing import NamedTuple

#: Names the file to which benches note their figures; without it they only print them.
FIGURES_FILE = "TAISAI_BENCH_FIGURES"


class Goal(NamedTuple):
    """A figure to reach: at least so much, or at most."""

    key: str
    work: str
    bench: str
    bound: float
    at_most: bool = False
    unit: str = " x"
    #: Another figure by which the goal is reached as well, and the least that it has to be.
    unless: tuple[str, float] | None = None


GOALS = (
    Goal(
        "live bets",
        "registered bets over sockets, against the bare server",
        "live_bets",
        0.55,
    ),
    Goal(
        "live p99",
        "p99 of an answer, against the bare server's",
        "live_bets",
        1.5,
        at_most=True,
    ),
    Goal(
        "durable 64",
        "durable bets, 64 in flight, against the gameless insert",
        "durable_bets",
        0.55,
    ),
    Goal(
        "durable 1000",
        "durable bets, 1,000 in flight, against the gameless insert",
        "durable_bets",
        0.50,
    ),
    Goal(
        "postgres 64",
        "PostgreSQL against our SQLite at 64 in flight",
        "durable_bets",
        0.90,
    ),
    Goal(
        "bet among many",
        "a bet among 100,000, against one among ten",
        "table",
        1.15,
        at_most=True,
    ),
    Goal(
        "fan-out",
        "a result to the last of 5,000 terminals, against a bare broadcast",
        "live_fanout",
        2.0,
        at_most=True,
    ),
    Goal(
        "settle",
        "taisai settle, against decoding and encoding alone",
        "settle_lines",
        12.0,
        at_most=True,
    ),
    Goal(
        "settle jobs",
        "taisai settle --jobs 2, against one process",
        "settle_lines",
        1.8,
    ),
    Goal(
        "verify",
        "verify of 1,000,000 events on two cores, against one replay",
        "verify",
        1.0,
        at_most=True,
    ),
    Goal(
        "verify memory",
        "its peak of memory, against that at a quarter of the events",
        "verify",
        1.15,
        at_most=True,
    ),
    Goal(
        "cold odds",
        "cold taisai odds, against python -c pass",
        "cold_start",
        7.0,
        at_most=True,
    ),
    Goal(
        "cold rules",
        "cold taisai rules, against python -c pass",
        "cold_start",
        9.0,
        at_most=True,
    ),
    Goal(
        "moments",
        "exact moments of 104 boxes, against dyce, both given the compiled rows",
        "maths_exact",
        30.0,
    ),
    Goal(
        "payouts 64",
        "payouts of 64 bits, against take with every array in place",
        "maths_engines",
        4.0,
        unless=("payouts 64 of the copy", 60.0),
    ),
    Goal(
        "recovery",
        "ready after recovery at 1,000,000 events",
        "recovery",
        0.5,
        at_most=True,
        unit=" s",
    ),
    Goal(
        "connection",
        "memory for each connection",
        "live_held",
        20.0,
        at_most=True,
        unit=" KB",
    ),
)


def note(key: str, figure: float) -> None:
    """Note what was measured, where somebody gathers it."""
    file = os.environ.get(FIGURES_FILE)
    if file is not None:
        with Path(file).open("a", encoding="utf-8") as figures:
            print(f"{key}\t{figure}", file=figures)


def read_noted(file: Path) -> dict[str, float]:
    """Read what was noted; of a figure noted twice the last counts."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    noted = (line.split("\t") for line in lines)
    return {key: float(figure) for key, figure in noted}
