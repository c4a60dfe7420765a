"""`taisai simulate`: rounds played from a seed, held against the exact answer."""

import argparse
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from taisai.cli.answers import Answer
from taisai.cli.bet_files import PLAYER, read_bet
from taisai.cli.progress import Bar
from taisai.cli.refused import Refused, Wrong
from taisai.cli.shelves import find_pay_table, find_rulebook, shelf_of
from taisai.cli.tables import align
from taisai.cli.titles import title_of
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.money import write_fraction
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.failures import MathsError
from taisai.maths.simulating import Betting, Simulation, SlatesInTurn, simulate
from taisai.maths.slates import Slate
from taisai.rulebooks.answers import identity_of

if TYPE_CHECKING:
    from taisai.maths.simulated_sessions import Share, SimulatedSessions

CONFIDENCE = 0.95
#: Beyond this many rounds the exact chances of a session take longer than a person waits.
_EXACT_ROUNDS_MAX = 2_000


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai simulate`."""
    shelf = shelf_of(arguments)
    table = find_pay_table(shelf, arguments.pay_table)
    rulebook = find_rulebook(shelf, table.rulebook_key)
    try:
        answer, text = _play(arguments, table)
    except MathsError as error:
        raise Refused(str(error)) from None
    if arguments.json:
        whole = {"pay_table": table.address, "rulebook": identity_of(rulebook), **answer}
        print(msgspec.json.format(msgspec.json.encode(whole), indent=1).decode())
    else:
        print(_headed(rulebook, table, text))
    return 0


def _play(arguments: argparse.Namespace, table: PayTable) -> tuple[Answer, str]:
    """Play what was asked for, and tell it to programs and to people."""
    betting, told = _betting(arguments, table)
    if arguments.sessions is None:
        if arguments.bank is not None:
            raise Wrong("--bank is what a session is played on; it needs --sessions")
        with Bar(max(1, arguments.rounds)) as bar:
            played = simulate(
                betting,
                arguments.rounds,
                arguments.seed,
                engine=arguments.engine,
                threads=arguments.threads,
                progress=bar.step,
            )
        return {**told, **_answer(played)}, _text(played)
    if not isinstance(betting, SlatesInTurn) or len(betting.slates) != 1:
        raise Wrong("sessions are of one slate; --sessions goes with --bet alone")
    return _play_sessions(arguments, betting.slates[0], told)


def _betting(arguments: argparse.Namespace, table: PayTable) -> tuple[Betting, Answer]:
    """Read what lies on the table, round by round, and how to tell it again."""
    if arguments.draw is None:
        if arguments.stakes is not None:
            raise Wrong("--stakes are what --draw draws among; it needs --draw")
        if not arguments.bet:
            raise Wrong("nothing is bet; give --bet BOX=STAKE, or --draw BETS")
        slates = [_slate(table, texts) for texts in (arguments.bet, *arguments.then)]
        return SlatesInTurn(slates), {"slates": [_bets(slate) for slate in slates]}
    if arguments.bet or arguments.then:
        raise Wrong("bets are given or drawn, not both; leave --bet or --draw out")
    if arguments.stakes is None:
        raise Wrong("--draw needs the stakes to draw among, like --stakes 100 10000")
    # Drawn bets are played in columns, which need the extra with numpy.
    from taisai.maths.varying import DrawnBets  # noqa: PLC0415

    low, high = arguments.stakes
    drawn = DrawnBets(table, arguments.draw, low, high)
    told = {"bets": drawn.bets, "lowest": low, "highest": high, "step": drawn.step}
    return drawn, {"drawn": told}


def _slate(table: PayTable, texts: Sequence[str]) -> Slate:
    bets = [read_bet(text) for text in texts]
    if any(bet["player"] != PLAYER for bet in bets):
        raise Wrong("a slate is one player's; write its bets like 'small=1000'")
    return Slate.of(table, [(bet["box"], bet["stake"]) for bet in bets])


def _bets(slate: Slate) -> list[Answer]:
    return [{"box": box, "stake": stake} for box, stake in slate.stakes.items()]


def _answer(played: Simulation) -> Answer:
    return {
        "rounds": played.rounds,
        "seed": played.seed,
        "engine": played.engine,
        "staked": played.tally.staked,
        "net": played.tally.net,
        "mean": write_fraction(played.mean),
        "standard_error": played.standard_error,
        "confidence": CONFIDENCE,
        "interval": played.interval(CONFIDENCE),
        "house_edge": write_fraction(played.house_edge),
        "exact": {
            "mean": write_fraction(played.exact_mean),
            "standard_error": played.exact_standard_error,
        },
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
        ("house edge", _per_cent(played.house_edge), ""),
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


def _play_sessions(arguments: argparse.Namespace, slate: Slate, told: Answer) -> tuple[Answer, str]:
    # Sessions are played in columns, which need the extra with numpy.
    from taisai.maths.simulated_sessions import RepeatedSession, simulate_sessions  # noqa: PLC0415

    with Bar(max(1, arguments.rounds * arguments.sessions)) as bar:
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
        **told,
        "rounds": played.rounds,
        "sessions": played.sessions,
        "bank": arguments.bank,
        "seed": played.seed,
        "engine": played.engine,
        "net": played.net,
        "confidence": CONFIDENCE,
        **{name: _share(share, exact.get(name)) for name, share in counted.items()},
    }
    return answer, _sessions_text(played, counted, exact)


def _exact_chances(slate: Slate, arguments: argparse.Namespace) -> dict[str, float]:
    """Give the exact chances that are soon counted: of the end without a bank, of ruin with one."""
    if arguments.rounds > _EXACT_ROUNDS_MAX:
        return {}
    if arguments.bank is not None:
        from taisai.maths.ruin import ruin_within  # noqa: PLC0415 - only where a bank is given

        return {"ruined": float(ruin_within(slate, arguments.bank, arguments.rounds).ruined)}
    from taisai.maths.sessions import is_quick, session  # noqa: PLC0415 - only for sessions

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


def _headed(rulebook: Rulebook, table: PayTable, text: str) -> str:
    return f"{title_of(rulebook, table).rstrip()}\n\n{text}"


def _figure(amount: Fraction) -> str:
    return f"{float(amount):+,.4f}"


def _small(error: float | None) -> str:
    return "-" if error is None else f"{error:,.4f}"


def _span(interval: tuple[float, float], form: str = "+,.4f") -> str:
    low, high = interval
    return f"{low:{form}} to {high:{form}}"


def _per_cent(value: Fraction) -> str:
    return f"{float(value * 100):.3f} %"
