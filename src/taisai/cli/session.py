"""`taisai session`: what so many rounds of the same bets bring."""

import argparse
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

import msgspec

from taisai.cli.answers import Answer
from taisai.cli.asked_slates import asked_slate, slate_answer
from taisai.cli.refused import Refused, Wrong
from taisai.cli.tables import align
from taisai.cli.titles import title_of
from taisai.core.rules.money import write_fraction
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.failures import MathsError
from taisai.maths.sessions import (
    Session,
    approximate_session,
    check_rounds,
    is_quick,
    session,
)
from taisai.maths.slates import Slate

if TYPE_CHECKING:
    from taisai.maths.long_sessions import Chance, LongSession

_SHARES = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")

_FIFTEEN = Context(prec=15, Emax=MAX_EMAX, Emin=MIN_EMIN)


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai session`."""
    try:
        rulebook, slate = asked_slate(arguments)
        played = _played(arguments, slate)
        answer = _answer(arguments, rulebook, slate, played)
        _plot(arguments, slate, played)
    except MathsError as error:
        raise Refused(str(error)) from None
    if arguments.json:
        print(msgspec.json.format(msgspec.json.encode(answer), indent=1).decode())
    else:
        print(_text(rulebook, slate, answer))
    return 0


def _played(arguments: argparse.Namespace, slate: Slate) -> "Session | LongSession":
    """Play the session in whole numbers or in floats, as asked or as is sensible."""
    check_rounds(arguments.rounds)
    exact = arguments.method == "exact"
    if arguments.method == "auto":
        exact = is_quick(slate, arguments.rounds)
    if arguments.distribution and not (exact and arguments.json):
        raise Wrong("--distribution needs --json and a session in whole numbers")
    return (
        session(slate, arguments.rounds) if exact else approximate_session(slate, arguments.rounds)
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
        return {"probability": _digits(chance), "relative_error": "0"}
    return {
        "probability": f"{chance.value:.15g}",
        "relative_error": f"{chance.relative_error:.1e}",
    }


def _digits(chance: Fraction) -> str:
    """Write a fraction of any size to fifteen digits."""
    quotient = _FIFTEEN.divide(Decimal(chance.numerator), Decimal(chance.denominator))
    return f"{quotient:.15g}"


def _exact_answer(played: Session) -> Answer:
    bankroll = played.bankroll
    return {
        "total": _written(bankroll.total),
        "nets": bankroll.values,
        "weights": [_written(weight) for weight in bankroll.weights],
    }


def _written(number: int) -> str:
    # A Decimal: Python itself writes no whole number of more than some thousand digits.
    return f"{Decimal(number):f}"


def _plot(arguments: argparse.Namespace, slate: Slate, played: "Session | LongSession") -> None:
    if arguments.plot is None and arguments.fan is None:
        return
    from taisai.maths.fans import fan  # noqa: PLC0415 - pictures need extras
    from taisai.maths.plots import plot_distribution, plot_fan  # noqa: PLC0415

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
    bets = ", ".join(f"{stake:,} on {box}" for box, stake in slate.stakes.items())
    return "\n\n".join(
        [
            title_of(rulebook, slate.pay_table).rstrip(),
            f"{answer['rounds']:,} rounds of {bets}; {_method(answer)}",
            _chances(answer),
            f"The net that a share of sessions does not pass\n{_quantiles(answer)}",
        ]
    )


def _method(answer: Answer) -> str:
    if answer["method"] == "exact":
        return "in whole numbers, exactly"
    worst = max(float(each["relative_error"]) for each in _all_chances(answer))
    return f"in floats, each chance to within {worst:.1e} of itself"


def _all_chances(answer: Answer) -> list[Answer]:
    return [answer["ahead"], answer["even"], answer["behind"], *answer["at_least"]]


def _chances(answer: Answer) -> str:
    loss, variance = Fraction(answer["expected_loss"]), Fraction(answer["variance"])
    rows = [
        ("expected loss", f"{float(loss):,.2f} ({answer['expected_loss']} exactly)"),
        ("standard deviation", f"{sqrt(variance):,.2f}"),
        *((name, _chance(answer[name])) for name in ("ahead", "even", "behind")),
        *((f"at least {each['net']:,}", _chance(each)) for each in answer["at_least"]),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {told}" for name, told in rows)


def _chance(told: Answer) -> str:
    """Write a chance in hundredths where that can be read, else as it stands."""
    value = Decimal(told["probability"])
    if value == 0 or value > Decimal("0.0001"):
        return f"{100 * value:.5f} %"
    return f"{value:.5e}"


def _quantiles(answer: Answer) -> str:
    rows = [(each["share"], f"{each['net']:+,}") for each in answer["quantiles"]]
    return align(("share", "net"), rows, right="rr")
