"""What a bet and a settlement cost at an electronic table, compared with the least possible work.

Three figures, each with a reference measured in turn with it in the same process: a bet, and
putting the same data into a `dict`; a bet with 100,000 on the table, and one with ten; settling
100,000 bets of 10,000 terminals, and a plain loop that makes the same lines and postings and checks
nothing.
"""

import argparse
import gc
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench.goals import tell

import taisai
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.ledger import HOUSE, credits_of, postings_of, stakes_of
from taisai.core.kernel.messages import (
    Actor,
    BoxStake,
    Equipment,
    LimitsAsked,
    Order,
    Posting,
    SettledLine,
)
from taisai.core.rules.dice import result_of
from taisai.core.rules.reason import Refusal
from taisai.core.streams import TableEvent
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, PlaceBets
from taisai.core.table.positions import CreditsReceived
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    ResultConfirmed,
    ResultEntered,
    RoundSettled,
    RoundStarted,
    Settle,
)
from taisai.core.table.setup import (
    DiceRegistered,
    LimitsSet,
    RulebookAdopted,
    TableCreated,
    TableOpened,
    TerminalEnrolled,
)
from taisai.core.table.state import TableState, pay_table_in_force
from taisai.core.table.tumble import TumbleRecorded

RUNS = 9
TERMINALS = 10_000
BETS_EACH = 10
BETS = 20_000
SAMPLES = 2_000
STAKE = 1_000
FACES = (2, 3, 5)

_clock = time.perf_counter


def opened_table() -> TableState:
    """Open a table with limits and Differential, and ten thousand terminals with credits."""
    rulebook = taisai.rulebook("ts6")
    state = TableState()
    limits = LimitsAsked(STAKE, 10**12, 100, 10**11)
    canonical = rulebook.canonical.decode()
    happened: list[TableEvent] = [
        TableCreated("T1", "SGD", Equipment(), None),
        RulebookAdopted(rulebook.key, rulebook.sha256, canonical, 2),
        LimitsSet(limits),
        DiceRegistered("D1", "S1", "ann"),
        TableOpened("ann"),
    ]
    for number in range(TERMINALS):
        happened.append(TerminalEnrolled(f"{number}", f"place {number}"))
        happened.append(CreditsReceived(f"cage-{number}", f"{number}", 10**12, 0))
    happened += [RoundStarted(1, 0), BetsOpened("", "3.2", "ann")]
    for event in happened:
        evolve(state, event)
    return state


def lay_bets(state: TableState, bets: int, seed: int) -> None:
    """Place so many bets, each on a random box."""
    source = random.Random(seed)  # noqa: S311 - a seeded workload, nothing secret
    boxes = list(pay_table_in_force(state).boxes)
    each = max(1, bets // TERMINALS)
    for number in range(bets // each):
        chosen = tuple(BoxStake(box, STAKE) for box in source.sample(boxes, each))
        evolve(state, BetsRegistered(f"{number}", chosen))
    assert sum(len(seat.bets) for seat in state.positions.values()) == bets


def orders(count: int, seed: int) -> list[Order]:
    """Make orders of one bet each, by terminals in random order."""
    source = random.Random(seed)  # noqa: S311 - a seeded workload, nothing secret
    boxes = list(taisai.pay_table("ts6/2").boxes)
    made = []
    for number in range(count):
        terminal = f"{source.randrange(TERMINALS)}"
        bet = (BoxStake(source.choice(boxes), STAKE),)
        made.append(Order(f"order-{number}", Actor(terminal, "terminal"), PlaceBets(terminal, bet)))
    return made


def apply(state: TableState, order: Order, at: int) -> None:
    """Decide an order and apply its events; nothing here is refused."""
    decision = decide(state, order, at)
    assert not isinstance(decision, Refusal), decision
    for event in decision:
        evolve(state, event)


def timed(work: Callable[[], object]) -> float:
    """Time one piece of work, after a garbage collection."""
    gc.collect()
    began = _clock()
    work()
    return _clock() - began


def turns(name: str) -> Iterator[int]:
    """Count the runs, and print the progress."""
    for run in range(RUNS):
        print(f"\r{name}: run {run + 1} of {RUNS}", end="", file=sys.stderr, flush=True)
        yield run
    print("\r\x1b[K", end="", file=sys.stderr)


def measure_bet() -> tuple[float, float]:
    """Give the seconds of a bet decided and applied, and of the same data put into a dict."""
    made = orders(BETS, seed=1)
    rows = [
        (order.id, order.command.terminal, order.command.bets[0].box, STAKE)
        for order in made
        if isinstance(order.command, PlaceBets)
    ]
    bets, inserts = [], []
    for _ in turns("a bet"):
        state = opened_table()
        kept: dict[str, dict[str, object]] = {}

        def insert(kept: dict[str, dict[str, object]] = kept) -> None:
            for at, (order_id, terminal, box, stake) in enumerate(rows):
                kept[order_id] = {"terminal": terminal, "box": box, "stake": stake, "at": at}

        def bet(state: TableState = state) -> None:
            for at, order in enumerate(made):
                for event in decide(state, order, at):  # type: ignore[union-attr]
                    evolve(state, event)

        inserts.append(timed(insert) / BETS)
        bets.append(timed(bet) / BETS)
        assert state.live == BETS * STAKE, "every bet was taken"
    return statistics.median(bets), statistics.median(inserts)


def measure_flat() -> tuple[float, float]:
    """Give the seconds of a bet with 100,000 on the table, and of the same bet with ten."""
    many, few = opened_table(), opened_table()
    lay_bets(many, TERMINALS * BETS_EACH, seed=2)
    lay_bets(few, 10, seed=2)
    taken: dict[int, list[float]] = {id(many): [], id(few): []}
    made = orders(SAMPLES, seed=3)
    for run in turns("a bet among many"):
        for number, order in enumerate(made, run):
            # Objects of both tables, such as a terminal's name, would be cached for the second one.
            state = (many, few)[number % 2]
            began = _clock()
            apply(state, order, 0)
            taken[id(state)].append(_clock() - began)
            put_back(state, order)
    return statistics.median(taken[id(many)]), statistics.median(taken[id(few)])


def put_back(state: TableState, order: Order) -> None:
    """Take a bet off again, so that there are as many as before."""
    assert isinstance(order.command, PlaceBets)
    evolve(state, BetsWithdrawn(order.command.terminal, order.command.bets))


def measure_settlement() -> tuple[float, float]:
    """Give the seconds of settling a full table, and of a plain loop over the same bets."""
    settled, plain = [], []
    settle = Order("settle", Actor("ann", "dealer"), Settle())
    for run in turns("a settlement"):
        state = opened_table()
        lay_bets(state, TERMINALS * BETS_EACH, seed=run)
        bets = {name: dict(seat.bets) for name, seat in state.positions.items()}
        odds = odds_of(state)
        for event in closed_and_confirmed(state):
            evolve(state, event)
        decision = decide(state, settle, 0)
        assert not isinstance(decision, Refusal)
        (event,) = decision
        assert isinstance(event, RoundSettled)
        lines, postings = plain_loop(bets, odds)
        assert (tuple(lines), postings) == (event.lines, list(postings_of(event)))
        del decision, event, lines, postings
        plain.append(timed(partial(plain_loop, bets, odds)))
        settled.append(timed(partial(apply, state, settle, 0)))
    return statistics.median(settled), statistics.median(plain)


def closed_and_confirmed(state: TableState) -> list[TableEvent]:
    """Bring a round to where it can be settled."""
    winners = pay_table_in_force(state).winners(result_of(FACES))
    return [
        BetsClosed("", bell=False, clause="3.6", by="ann"),
        TumbleRecorded(3, flat=True, concealed=True, by="ann"),
        ResultEntered(FACES, "keyed", "ann"),
        ResultConfirmed(FACES, winners, "ann"),
    ]


def odds_of(state: TableState) -> dict[str, tuple[int, int]]:
    """Give what each box pays, as two whole numbers; none if it loses."""
    found = {}
    for key, box in pay_table_in_force(state).boxes.items():
        odds = box.odds_on(result_of(FACES))
        found[key] = (0, 1) if odds is None else odds.as_integer_ratio()
    return found


def plain_loop(
    bets: dict[str, dict[str, int]], odds: dict[str, tuple[int, int]]
) -> tuple[list[SettledLine], list[Posting]]:
    """Make the lines and postings of a settlement, and check nothing."""
    lines: list[SettledLine] = []
    lost: dict[str, int] = {}
    kept: dict[str, int] = {}
    paid: dict[str, int] = {}
    for terminal, stakes in bets.items():
        for box, stake in stakes.items():
            numerator, denominator = odds[box]
            if numerator:
                won = stake * numerator // denominator
                lines.append(SettledLine(terminal, box, stake, won, stake + won))
                kept[terminal] = kept.get(terminal, 0) + stake
                paid[terminal] = paid.get(terminal, 0) + won
            else:
                lines.append(SettledLine(terminal, box, stake, 0, 0))
                lost[terminal] = lost.get(terminal, 0) + stake
    postings = [Posting(stakes_of(name), HOUSE, amount) for name, amount in lost.items()]
    postings += [Posting(stakes_of(name), credits_of(name), back) for name, back in kept.items()]
    postings += [Posting(HOUSE, credits_of(name), won) for name, won in paid.items()]
    return lines, postings


def main() -> None:
    """Measure the three, and print each beside its goal."""
    rows = [
        ("bet", "a bet, against a dict insert", *measure_bet()),
        ("bet among many", "a bet among 100,000, against one among 10", *measure_flat()),
        ("settlement", "settling 100,000 bets, against a plain loop", *measure_settlement()),
    ]
    print(f"{'':<44} {'measured':>12} {'reference':>12} {'ratio':>8}")
    for _, name, measured, reference in rows:
        ratio = measured / reference
        said = f"{write(measured):>12} {write(reference):>12} {ratio:>6.2f} x"
        print(f"{name:<44} {said}")
    print()
    for key, _, measured, reference in rows:
        tell(key, measured / reference)


def write(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    return f"{seconds * 1e3:.1f} ms" if seconds > 1e-3 else f"{seconds * 1e6:.2f} µs"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    RUNS = options.parse_args().runs
    main()
