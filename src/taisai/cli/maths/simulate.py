"""`taisai simulate`: rounds played from a seed, compared with the exact answer."""

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING

from taisai.cli.catalogue import pay_table_of
from taisai.cli.command import (
    PAY_TABLE,
    PLAYER_EDGE,
    RULEBOOK,
    Answer,
    Output,
    Wrong,
    argument,
    bets,
    command,
    pick,
    whole,
)
from taisai.cli.maths.slate import bets_answer, slate_on
from taisai.cli.progress import ProgressLine
from taisai.cli.text import align, title_of
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.paytable import PayTable
from taisai.maths.simulation.rounds import Betting, Simulation, SlatesInTurn, simulate
from taisai.maths.slates import Slate
from taisai.rulebooks.answers import identity_of
from taisai.wording import per_cent

if TYPE_CHECKING:
    from taisai.maths.simulation.sessions import Share, SimulatedSessions

CONFIDENCE = 0.95
#: For more rounds than this the exact chances of a session take too long.
_EXACT_ROUNDS_MAX = 2_000


@command(
    "taisai simulate ts6/2 --bet small=1000 --rounds 1000000 --seed 7",
    *(RULEBOOK, PLAYER_EDGE, PAY_TABLE),
    bets(default=[]),
    argument(
        "--then BOX=STAKE",
        "the bets of the next round; given as often as wanted, then from the first again",
        nargs="+",
        action="append",
        default=[],
    ),
    whole("--draw BETS", "draw so many bets for each round instead"),
    whole(
        "--stakes LOW HIGH",
        "with --draw: each stake is one of these or between, a multiple of the step",
    ),
    whole("--rounds N", "how many rounds, or in a session", required=True),
    whole("--sessions M", "play so many sessions of one slate"),
    whole(
        "--bank AMOUNT", "with --sessions: a player stops when the bank no longer covers the bets"
    ),
    whole("--seed S", "the seed of the dice, zero or more", required=True),
    argument(
        "--engine",
        "what plays the rounds; otherwise numba if installed, with the same answer",
        choices=("numba", "numpy"),
    ),
    whole("--threads T", "how many threads play; otherwise one a processor"),
    detail="The same seed gives the same rounds on every machine. The bets are the same in every\n"
    "round, or slates in turn (--then), or drawn for each round (--draw). With --sessions,\n"
    "tells how many sessions of so many rounds end ahead, or lose a bank.",
)
def simulate_rounds(arguments: argparse.Namespace) -> Output:
    rulebook, table = pay_table_of(arguments)
    answer, text = _play(arguments, table)
    return Output(
        lambda: {"pay_table": table.address, "rulebook": identity_of(rulebook), **answer},
        lambda: f"{title_of(rulebook, table)}\n\n{text}",
    )


class Bar(ProgressLine):
    """A bar that fills as rounds are played, with the rate and the time left."""

    WIDTH = 30

    def __init__(self, rounds: int) -> None:
        super().__init__()
        self._rounds = max(1, rounds)

    def step(self, done: int) -> None:
        """Show how many rounds are done."""
        self.show(lambda seconds: self._line(done, seconds))

    def _line(self, done: int, seconds: float) -> str:
        full = self.WIDTH * done // self._rounds
        rate = done / seconds
        left = (self._rounds - done) / max(rate, 0.001)
        bar = "#" * full + "." * (self.WIDTH - full)
        counts = f"{done:,} of {self._rounds:,} rounds"
        return f"[{bar}] {counts}, {rate:,.0f} a second, {left:,.0f} s left"


def _play(arguments: argparse.Namespace, table: PayTable) -> tuple[Answer, str]:
    """Play the simulation, and make the answer for programs and for people."""
    betting, shown = _betting(arguments, table)
    if arguments.sessions is None:
        if arguments.bank is not None:
            raise Wrong("--bank is what a session is played on; it needs --sessions")
        with Bar(arguments.rounds) as bar:
            played = simulate(
                betting,
                arguments.rounds,
                arguments.seed,
                engine=arguments.engine,
                threads=arguments.threads,
                progress=bar.step,
            )
        return {**shown, **_answer(played)}, _text(played)
    if not isinstance(betting, SlatesInTurn) or len(betting.slates) != 1:
        raise Wrong("sessions are of one slate; --sessions goes with --bet alone")
    return _play_sessions(arguments, betting.slates[0], shown)


def _betting(arguments: argparse.Namespace, table: PayTable) -> tuple[Betting, Answer]:
    """Read the bets of each round, and make their description for the answer."""
    if arguments.draw is None:
        if arguments.stakes is not None:
            raise Wrong("--stakes are what --draw draws among; it needs --draw")
        if not arguments.bet:
            raise Wrong("nothing is bet; give --bet BOX=STAKE, or --draw BETS")
        slates = [slate_on(table, texts) for texts in (arguments.bet, *arguments.then)]
        return SlatesInTurn(slates), {"slates": [bets_answer(slate) for slate in slates]}
    if arguments.bet or arguments.then:
        raise Wrong("bets are given or drawn, not both; leave --bet or --draw out")
    if arguments.stakes is None:
        raise Wrong("--draw needs the stakes to draw among, like --stakes 100 10000")
    # Drawn bets are played in columns, which need the extra with numpy.
    from taisai.maths.simulation.columns import DrawnBets  # noqa: PLC0415

    low, high = arguments.stakes
    drawn = DrawnBets(table, arguments.draw, low, high)
    shown = {"bets": drawn.bets, "lowest": low, "highest": high, "step": drawn.step}
    return drawn, {"drawn": shown}


def _answer(played: Simulation) -> Answer:
    return {
        **pick(played, "rounds", "seed", "engine"),
        **pick(played.tally, "staked", "net"),
        **pick(played, "mean", "standard_error", "house_edge"),
        "confidence": CONFIDENCE,
        "interval": played.interval(CONFIDENCE),
        "exact": {"mean": played.exact_mean, "standard_error": played.exact_standard_error},
        "deviation_in_standard_errors": played.deviation,
        "results": [
            {"faces": result.faces, "seen": seen}
            for result, seen in zip(RESULTS, played.tally.results, strict=True)
        ],
    }


def _text(played: Simulation) -> str:
    error, interval = played.standard_error, played.interval(CONFIDENCE)
    rows = [
        ("rounds", f"{played.rounds:,}", ""),
        ("staked", f"{played.tally.staked:,}", ""),
        ("net", f"{played.tally.net:+,}", _figure(played.exact_net)),
        ("net of a round", _figure(played.mean), _figure(played.exact_mean)),
        ("  standard error", _small(error), _small(played.exact_standard_error)),
        ("  95 % interval", "-" if interval is None else _span(interval), ""),
        ("house edge", per_cent(played.house_edge, 3), ""),
    ]
    table = align(("", "played", "exactly"), rows, right=" rr")
    return f"{table}\n\n{_verdict(played.deviation)}\n{_source(played.seed, played.engine)}"


def _verdict(deviation: float) -> str:
    side = "above" if deviation > 0 else "below"
    if not deviation:
        return "The mean is the exact one."
    return f"The mean lies {abs(deviation):.2f} standard errors {side} the exact one."


def _source(seed: int, engine: str) -> str:
    return f"Seed {seed}, played by the {engine} engine; every engine gives the same."


def _play_sessions(
    arguments: argparse.Namespace, slate: Slate, shown: Answer
) -> tuple[Answer, str]:
    # Sessions are played in columns, which need the extra with numpy.
    from taisai.maths.simulation.sessions import RepeatedSession, simulate_sessions  # noqa: PLC0415

    with Bar(arguments.rounds * arguments.sessions) as bar:
        played = simulate_sessions(
            RepeatedSession(slate, arguments.rounds, arguments.bank),
            arguments.sessions,
            arguments.seed,
            engine=arguments.engine,
            threads=arguments.threads,
            progress=bar.step,
        )
    exact = _exact_chances(slate, arguments)
    shares = {name: getattr(played, name) for name in ("ahead", "even", "behind", "ruined")}
    counted = {name: share for name, share in shares.items() if share is not None}
    answer = {
        **shown,
        **pick(played, "rounds", "sessions", "seed", "engine", "net"),
        "bank": arguments.bank,
        "confidence": CONFIDENCE,
        **{name: _share(share, exact.get(name)) for name, share in counted.items()},
    }
    return answer, _sessions_text(played, counted, exact)


def _exact_chances(slate: Slate, arguments: argparse.Namespace) -> dict[str, float]:
    """Give the exact chances, if quick to count: of the end without a bank, of ruin with one."""
    if arguments.rounds > _EXACT_ROUNDS_MAX:
        return {}
    if arguments.bank is not None:
        from taisai.maths.ruin import ruin_within  # noqa: PLC0415 - only where a bank is given

        return {"ruined": float(ruin_within(slate, arguments.bank, arguments.rounds).ruined)}
    from taisai.maths.sessions.exact import is_quick, session  # noqa: PLC0415 - only for sessions

    if not is_quick(slate, arguments.rounds):
        return {}
    whole = session(slate, arguments.rounds)
    return {name: float(getattr(whole, name)) for name in ("ahead", "even", "behind")}


def _share(share: "Share", exact: float | None) -> Answer:
    return {
        "sessions": share.count,
        "share": share.value,
        "standard_error": share.standard_error,
        "interval": share.interval(CONFIDENCE),
        "exact": exact,
        "deviation_in_standard_errors": None if exact is None else share.deviation(exact),
    }


def _sessions_text(
    played: "SimulatedSessions", shares: "dict[str, Share]", exact: dict[str, float]
) -> str:
    rows = []
    for name, share in shares.items():
        true = exact.get(name)
        rows.append(
            (
                name,
                f"{share.count:,}",
                f"{share.value:.5f}",
                _span(share.interval(CONFIDENCE), ".5f"),
                "-" if true is None else f"{true:.5f}",
                "-" if true is None else f"{share.deviation(true):+.2f}",
            )
        )
    headings = ("", "sessions", "share", "95 % interval", "exactly", "standard errors")
    head = f"{played.sessions:,} sessions of {played.rounds:,} rounds"
    table = align(headings, rows, right=" rrrrr")
    return f"{head}\n{table}\n\n{_source(played.seed, played.engine)}"


def _figure(amount: Fraction) -> str:
    return f"{float(amount):+,.4f}"


def _small(error: float | None) -> str:
    return "-" if error is None else f"{error:,.4f}"


def _span(interval: tuple[float, float], form: str = "+,.4f") -> str:
    low, high = interval
    return f"{low:{form}} to {high:{form}}"
