"""`taisai session`: the outcome of so many rounds of the same bets."""

import argparse
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from taisai.cli.command import (
    ROUNDS,
    Answer,
    Output,
    Wrong,
    argument,
    command,
    flag,
    place,
    plot,
    read_whole,
    several,
)
from taisai.cli.maths.figures import digits
from taisai.cli.maths.slate import SLATE, slate_answer, slate_of
from taisai.cli.text import align, align_rows, stakes_text, title_of
from taisai.core.rules.money import write_fraction
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.sessions.exact import Session, approximate_session, check_rounds, is_quick
from taisai.maths.sessions.exact import session as exact_session
from taisai.maths.slates import Slate

if TYPE_CHECKING:
    from taisai.maths.sessions.approximate import Chance, LongSession

_SHARES = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")


@command(
    "taisai session ts6/2 --bet small=1000 --rounds 1000",
    *SLATE,
    ROUNDS,
    argument(
        "--method",
        "whole numbers, floats, or whichever is sensible (auto)",
        choices=("auto", "exact", "float"),
        default="auto",
    ),
    several(
        "--quantile SHARE", "shares of all sessions, like 0.05; otherwise seven from 0.01 to 0.99"
    ),
    several(
        "--at-least NET",
        "also tell the chance of at least so much in the end; below zero is a loss",
        type=read_whole,
        default=[],
    ),
    flag(
        "--distribution",
        "with --json and whole numbers: every amount with its exact weight, as strings",
    ),
    plot("the distribution of the bankroll"),
    place("--fan", "also draw how the bankroll spreads, likewise"),
    detail="Whole numbers where that takes seconds, otherwise floats with their error stated; the\n"
    "answer says which.",
)
def session(arguments: argparse.Namespace) -> Output:
    rulebook, slate = slate_of(arguments)
    played = _played(arguments, slate)
    answer = _answer(arguments, rulebook, slate, played)
    _plot(arguments, slate, played)
    return Output(lambda: answer, lambda: _text(rulebook, slate, answer))


def _played(arguments: argparse.Namespace, slate: Slate) -> "Session | LongSession":
    """Compute the session in whole numbers or in floats, as requested or as its size demands."""
    check_rounds(arguments.rounds)
    exact = arguments.method == "exact"
    if arguments.method == "auto":
        exact = is_quick(slate, arguments.rounds)
    if arguments.distribution and not (exact and arguments.json):
        raise Wrong("--distribution needs --json and a session in whole numbers")
    return (
        exact_session(slate, arguments.rounds)
        if exact
        else approximate_session(slate, arguments.rounds)
    )


def _answer(
    arguments: argparse.Namespace, rulebook: Rulebook, slate: Slate, played: "Session | LongSession"
) -> Answer:
    at_least = played.bankroll.at_least if isinstance(played, Session) else played.at_least
    answer = {
        **slate_answer(rulebook, slate),
        "rounds": played.rounds,
        "method": "exact" if isinstance(played, Session) else "float",
        "mean": write_fraction(played.mean),
        "variance": write_fraction(played.variance),
        "expected_loss": write_fraction(played.expected_loss),
        "ahead": _chance_answer(played.ahead),
        "even": _chance_answer(played.even),
        "behind": _chance_answer(played.behind),
        "at_least": [{"net": net, **_chance_answer(at_least(net))} for net in arguments.at_least],
        "quantiles": [
            {"share": share, "net": played.quantile(share)}
            for share in arguments.quantile or _SHARES
        ],
    }
    if arguments.distribution and isinstance(played, Session):
        answer["exact"] = _exact_answer(played)
    return answer


def _chance_answer(chance: "Fraction | Chance") -> Answer:
    """Write a chance as a decimal that may have any exponent, with the bound on its error."""
    if isinstance(chance, Fraction):
        return {"probability": digits(chance), "relative_error": "0"}
    return {
        "probability": f"{chance.value:.15g}",
        "relative_error": f"{chance.relative_error:.1e}",
    }


def _exact_answer(played: Session) -> Answer:
    bankroll = played.bankroll
    return {
        "total": _written(bankroll.total),
        "nets": bankroll.values,
        "weights": [_written(weight) for weight in bankroll.weights],
    }


def _written(number: int) -> str:
    # A Decimal, since Python refuses to write a whole number of more than some thousand digits.
    return f"{Decimal(number):f}"


def _plot(arguments: argparse.Namespace, slate: Slate, played: "Session | LongSession") -> None:
    if arguments.plot is None and arguments.fan is None:
        return
    from taisai.maths.plots import plot_distribution, plot_fan  # noqa: PLC0415
    from taisai.maths.sessions.exact import fan  # noqa: PLC0415 - pictures need extras

    title = f"Bankroll after {played.rounds:,} rounds, {slate.pay_table.address}"
    if arguments.plot is not None:
        shape = played.bankroll if isinstance(played, Session) else played.outline()
        plot_distribution(shape, arguments.plot, title)
    if arguments.fan is not None:
        spread = fan(slate, played.rounds)
        expected = [float(each) for each in spread.expected]
        title = f"Bankroll over {played.rounds:,} rounds, {slate.pay_table.address}"
        plot_fan(spread.rounds, spread.quantiles, arguments.fan, title, expected)


def _text(rulebook: Rulebook, slate: Slate, answer: Answer) -> str:
    rounds = f"{answer['rounds']:,} rounds of {stakes_text(slate.stakes)}; {_method(answer)}"
    quantiles = [(each["share"], f"{each['net']:+,}") for each in answer["quantiles"]]
    passed = "The net that a share of sessions does not pass"
    return "\n\n".join(
        [
            title_of(rulebook, slate.pay_table),
            rounds,
            _chances(answer),
            f"{passed}\n{align(('share', 'net'), quantiles, right='rr')}",
        ]
    )


def _method(answer: Answer) -> str:
    if answer["method"] == "exact":
        return "in whole numbers, exactly"
    chances = [answer["ahead"], answer["even"], answer["behind"], *answer["at_least"]]
    worst = max(float(each["relative_error"]) for each in chances)
    return f"in floats, each chance to within {worst:.1e} of itself"


def _chances(answer: Answer) -> str:
    loss, variance = Fraction(answer["expected_loss"]), Fraction(answer["variance"])
    rows = [
        ("expected loss", f"{float(loss):,.2f} ({answer['expected_loss']} exactly)"),
        ("standard deviation", f"{sqrt(variance):,.2f}"),
        *((name, _chance(answer[name])) for name in ("ahead", "even", "behind")),
        *((f"at least {each['net']:,}", _chance(each)) for each in answer["at_least"]),
    ]
    return align_rows(rows)


def _chance(answer: Answer) -> str:
    """Write a chance in per cent if that can be read, else as it is."""
    value = Decimal(answer["probability"])
    if value == 0 or value > Decimal("0.0001"):
        return f"{100 * value:.5f} %"
    return f"{value:.5e}"
