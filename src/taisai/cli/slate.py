"""`taisai slate`: what one round of a set of bets brings, exactly."""

import argparse
from fractions import Fraction

import msgspec

from taisai.cli.answers import Answer
from taisai.cli.asked_slates import asked_slate, slate_answer
from taisai.cli.refused import Refused
from taisai.cli.tables import align
from taisai.cli.titles import title_of
from taisai.core.rules.dice import THROWS
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.failures import MathsError
from taisai.maths.slates import Slate


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai slate`."""
    try:
        rulebook, slate = asked_slate(arguments)
        _plot(arguments, slate)
    except MathsError as error:
        raise Refused(str(error)) from None
    if arguments.json:
        answer = msgspec.json.encode(_answer(rulebook, slate))
        print(msgspec.json.format(answer, indent=1).decode())
    else:
        print(_text(rulebook, slate))
    return 0


def _plot(arguments: argparse.Namespace, slate: Slate) -> None:
    if arguments.plot is None:
        return
    from taisai.maths.plots import plot_distribution  # noqa: PLC0415 - an extra, for pictures alone

    plot_distribution(slate.net, arguments.plot, f"Net of a round, {slate.pay_table.address}")


def _answer(rulebook: Rulebook, slate: Slate) -> Answer:
    net = slate.net
    return {
        **slate_answer(rulebook, slate),
        "mean": write_fraction(net.mean),
        "variance": write_fraction(net.variance),
        "standard_deviation": net.standard_deviation,
        "third_central_moment": write_fraction(net.third_central_moment),
        "skewness": net.skewness,
        "skewness_squared": write_fraction(net.skewness_squared),
        "hit_rate": write_fraction(slate.hit_rate),
        "ahead": write_fraction(slate.ahead),
        "expected_loss": write_fraction(slate.expected_loss),
        "house_edge": write_fraction(slate.house_edge),
        "edge_per_unit": write_fraction(slate.edge_per_unit),
        "edge_at_risk": write_fraction(slate.edge_at_risk),
        "return_to_player": write_fraction(slate.return_to_player),
        "distribution": [
            {"net": value, "ways": weight, "probability": write_fraction(Fraction(weight, THROWS))}
            for value, weight in net.pairs()
        ],
    }


def _text(rulebook: Rulebook, slate: Slate) -> str:
    parts = [title_of(rulebook, slate.pay_table).rstrip(), _bets(slate), _summary(slate)]
    return "\n\n".join([*parts, _distribution(slate)])


def _bets(slate: Slate) -> str:
    rows = []
    for key, stake in slate.stakes.items():
        box = slate.pay_table.boxes[key]
        pays = " / ".join(write_odds(odds) for odds in box.odds)
        edge = write_fraction(box.house_edge)
        rows.append((key, f"{stake:,}", pays, str(box.ways), edge, per_cent(box.house_edge)))
    headings = ("box", "stake", "pays", "ways", "house edge", "")
    return align(headings, rows, right=" rrrrr")


def _summary(slate: Slate) -> str:
    net = slate.net
    variance = write_fraction(net.variance)
    skewness_squared = write_fraction(abs(net.skewness_squared))
    return "\n".join(
        [
            f"staked              {slate.staked:,}",
            f"a bet wins          {_chance(slate.hit_rate)}",
            f"more than staked    {_chance(slate.ahead)}",
            f"expected loss       {_amount(slate.expected_loss)}",
            f"house edge          {_share(slate.house_edge)} of each unit staked",
            f"                    {_share(slate.edge_at_risk)} of the most a round can cost",
            f"standard deviation  {net.standard_deviation:,.2f} (variance {variance} exactly)",
            f"skewness            {net.skewness:.4f} (its square {skewness_squared} exactly)",
        ]
    )


def _distribution(slate: Slate) -> str:
    rows = [
        (
            f"{value:+,}",
            str(weight),
            write_fraction(Fraction(weight, THROWS)),
            per_cent(Fraction(weight, THROWS)),
        )
        for value, weight in slate.net.pairs()
    ]
    return align(("net", "ways", "chance", ""), rows, right="rrrr")


def per_cent(value: Fraction) -> str:
    """Write a share for people, in hundredths."""
    return f"{float(value * 100):.2f} %"


def _chance(chance: Fraction) -> str:
    return f"{chance * THROWS} of {THROWS} throws, {per_cent(chance)}"


def _share(share: Fraction) -> str:
    return f"{per_cent(share)} ({write_fraction(share)} exactly)"


def _amount(amount: Fraction) -> str:
    return f"{float(amount):,.2f} a round ({write_fraction(amount)} exactly)"
