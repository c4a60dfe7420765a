"""The goals: each figure to reach, with the bench that measures it.

A bench reports a figure by its key, and `bench.page` prints all of them on one page. Goals are
defined only here.
"""

import os
from pathlib import Path
from typing import NamedTuple

#: The variable with the file in which benches store figures; without it they only print them.
FIGURES_FILE = "TAISAI_BENCH_FIGURES"
#: From this speed on, in per cent of a copy of the same bytes, memory limits a payout: four times
#: `take` in place is 85 % of moving the bytes in a loop without lookups.
COPY_LIMIT = 85.0


class Goal(NamedTuple):
    """A figure to reach, with its lower or upper bound."""

    key: str
    work: str
    bench: str
    bound: float
    at_most: bool = False
    unit: str = " x"
    #: Another figure that also reaches the goal, with its lower bound.
    unless: tuple[str, float] | None = None

    def is_reached(self, figure: float) -> bool:
        """Say whether a figure reaches the goal."""
        return figure <= self.bound if self.at_most else figure >= self.bound

    @property
    def to_reach(self) -> str:
        """Write the goal."""
        return f"{'<=' if self.at_most else '>='} {self.bound:g}{self.unit}"


def at_least(
    key: str, work: str, bench: str, bound: float, unless: tuple[str, float] | None = None
) -> Goal:
    """Make a goal that is a ratio, and should be large."""
    return Goal(key, work, bench, bound, unless=unless)


def at_most(key: str, work: str, bench: str, bound: float, unit: str = " x") -> Goal:
    """Make a goal that should be small."""
    return Goal(key, work, bench, bound, at_most=True, unit=unit)


#: The goals of one process, compared with the least that any program would have to do.
NEAR_THE_LIMIT = (
    at_least(
        "live bets", "registered bets over sockets, against the bare server", "live_bets", 0.55
    ),
    at_most("live p99", "p99 of an answer, against the bare server's", "live_bets", 1.5),
    at_least(
        "durable 64",
        "durable bets, 64 in flight, against the gameless insert",
        "durable_bets",
        0.55,
    ),
    at_least(
        "durable 1000",
        "durable bets, 1,000 in flight, against the gameless insert",
        "durable_bets",
        0.50,
    ),
    at_least("postgres 64", "PostgreSQL against our SQLite at 64 in flight", "durable_bets", 0.90),
    at_most("bet among many", "a bet among 100,000, against one among ten", "table", 1.15),
    at_most(
        "fan-out",
        "a result to the last of 5,000 terminals, against a bare broadcast",
        "live_fanout",
        2.0,
    ),
    at_most(
        "gateways own",
        "the venue's time a bet beside a gateway, against one process",
        "gateways",
        0.62,
    ),
    at_most("gateways together", "the same with its gateway's", "gateways", 1.12),
    at_most("owner own", "an owner's time a bet, against one process", "nodes", 0.62),
    at_most("owner together", "the same with its gateway's, and NATS'", "nodes", 1.25),
    at_least(
        "take-overs in time",
        "of owners lost with 20 tables: all open elsewhere within 2 s",
        "takeovers",
        0.99,
    ),
    at_least(
        "rate after a take-over",
        "events in the first five seconds after, against those before",
        "takeovers",
        0.7,
    ),
    at_most(
        "NATS restart", "bets again after NATS is back, at the most", "nats_restarts", 1.0, " s"
    ),
    at_most("false take-overs", "tables that pass on while disks stall", "stalls", 0, ""),
    at_most(
        "two owners by two venues",
        "two owners' time a bet by one's, on one PostgreSQL; by that of venues",
        "nodes",
        1.05,
    ),
    at_most("settle", "taisai settle, against decoding and encoding alone", "settle_lines", 12.0),
    at_least("settle jobs", "taisai settle --jobs 2, against one process", "settle_lines", 1.8),
    at_most("verify", "verify of 1,000,000 events on two cores, against one replay", "verify", 1.0),
    at_most(
        "verify memory",
        "its peak of memory at twice the events, against that",
        "verify",
        1.15,
    ),
    at_most("cold odds", "cold taisai odds, against python -c pass", "cold_start", 7.0),
    at_most("cold rules", "cold taisai rules, against python -c pass", "cold_start", 9.0),
    at_least(
        "moments",
        "exact moments of 104 boxes, against dyce, both given the compiled rows",
        "maths_exact",
        30.0,
    ),
    at_least(
        "payouts 64",
        "payouts of 64 bits, against take with every array in place",
        "maths_engines",
        4.0,
        unless=("payouts 64 of the copy", COPY_LIMIT),
    ),
    at_most(
        "tail",
        "the longest answer at 80 % of the highest rate, against the p99",
        "tails",
        10.0,
    ),
    at_most("epoch", "an append that compares the epoch of its stream, without", "epoch", 1.08),
    at_most("epochs", "the same, of 20 streams", "epoch", 1.08),
    at_most("recovery", "ready after recovery at 1,000,000 events", "recovery", 0.5, " s"),
    at_most("connection", "memory for each connection", "live_held", 20.0, " KB"),
)

#: Goals that were reached before, and must stay reached.
KEPT = (
    at_least("live draft", "live bets, against one transaction per bet", "live_bets", 10.0),
    at_most(
        "generator", "of its core, what the generator of live bets uses", "live_bets", 90, " %"
    ),
    at_least(
        "postgres 1000", "PostgreSQL against our SQLite at 1,000 in flight", "durable_bets", 0.50
    ),
    at_least("durable draft", "durable bets, against one transaction per bet", "durable_bets", 8.0),
    at_most("bet", "a bet decided and applied, against a dict insert", "table", 40.0),
    at_most("settlement", "settling 100,000 bets, against a plain loop", "table", 3.0),
    at_least(
        "start SQLite", "bets right after a start, against later, on SQLite", "first_seconds", 0.70
    ),
    at_least("start PostgreSQL", "bets right after a start, on PostgreSQL", "first_seconds", 0.70),
    at_most("past answer", "rounds of long ago put right, an answer", "past_rounds", 2.0, " s"),
    at_most("past bet", "a bet meanwhile, at most", "past_rounds", 0.1, " s"),
    at_most("held refused", "10,000 terminals held: bets refused", "live_held", 0, ""),
    at_most("held lost", "connections lost", "live_held", 0, ""),
    at_most("held wrong", "terminals with other lines than their bets", "live_held", 0, ""),
    at_most("flood", "what was not kept while strangers flood the venue", "flood", 0, ""),
    at_least("moments dice", "moments of 104 boxes, from three dice", "maths_exact", 30.0),
    at_least("session small", "a session of 1,000 rounds of Small", "maths_exact", 500.0),
    at_least("session single-1", "a session of 1,000 rounds of a Single", "maths_exact", 1000.0),
    at_least("session total-4", "a session of 1,000 rounds of Total 4", "maths_exact", 500.0),
    at_least(
        "payouts 32",
        "payouts of 32 bits, against take in place",
        "maths_engines",
        4.0,
        unless=("payouts 32 of the copy", COPY_LIMIT),
    ),
    at_least("columns numba", "a million bets settled on numba, by polars", "maths_engines", 12.0),
    at_least("columns numpy", "a million bets settled on numpy, by polars", "maths_engines", 4.0),
    at_least("objects", "a one-bet round, against a plain environment", "maths_engines", 1.0),
    at_least(
        "exposure worst", "exposure after a bet, the worst case, by numpy", "maths_exposure", 100.0
    ),
    at_least("exposure boxes", "the same, by numpy that sums boxes first", "maths_exposure", 100.0),
    at_most("exposure flat", "the same among 100,000 bets, against ten", "maths_exposure", 1.25),
    at_most("layout update", "the layout drawn anew, 95 of 100", "layout_trace", 8.0, " ms"),
    at_most("layout task", "the longest task of the page", "layout_trace", 50.0, " ms"),
    at_most("heap", "what a terminal keeps of a round", "terminal_heap", 4.0, " KB"),
)

GOALS = (*NEAR_THE_LIMIT, *KEPT)
_GOALS = {goal.key: goal for goal in GOALS}


def tell(key: str, figure: float) -> bool:
    """Print a figure beside its goal, store it if there is a file, and return if it is reached."""
    goal = _GOALS[key]
    reached = goal.is_reached(figure)
    missed = "" if reached else "   MISSED"
    print(
        f"{goal.work:70} {figure:>9.2f}{goal.unit}   to reach {goal.to_reach}{missed}", flush=True
    )
    note(key, figure)
    return reached


def note(key: str, figure: float) -> None:
    """Store a figure, if there is a file for figures."""
    file = os.environ.get(FIGURES_FILE)
    if file is not None:
        with Path(file).open("a", encoding="utf-8") as figures:
            print(f"{key}\t{figure}", file=figures)


def read_noted(file: Path) -> dict[str, float]:
    """Read the stored figures; of a repeated figure the last counts."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    noted = (line.split("\t") for line in lines)
    return {key: float(figure) for key, figure in noted}
