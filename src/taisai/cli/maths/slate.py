"""`taisai slate`: the exact outcome of one round of a set of bets."""

import argparse
from collections.abc import Iterable
from fractions import Fraction

from taisai.cli.catalogue import pay_table_of
from taisai.cli.command import (
    PAY_TABLE,
    PLAYER_EDGE,
    RULEBOOK,
    Answer,
    Output,
    Wrong,
    bets,
    command,
    pick,
    plot,
)
from taisai.cli.rules.round_input import PLAYER, read_bet
from taisai.cli.text import align, title_of
from taisai.core.rules.dice import THROWS
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.slates import Slate
from taisai.rulebooks.answers import identity_of
from taisai.wording import per_cent

#: The arguments of every command about a slate.
SLATE = (RULEBOOK, PLAYER_EDGE, PAY_TABLE, bets(required=True))


@command(
    "taisai slate ts6/2 --bet small=1000 single-3=500",
    *SLATE,
    plot("the distribution"),
    detail="Tells its distribution, mean, variance, skewness, hit rate and house edge.",
)
def slate(arguments: argparse.Namespace) -> Output:
    rulebook, slate = slate_of(arguments)
    if arguments.plot is not None:
        from taisai.maths.plots import plot_distribution  # noqa: PLC0415 - an extra, for pictures

        plot_distribution(slate.net, arguments.plot, f"Net of a round, {slate.pay_table.address}")
    return Output(lambda: _answer(rulebook, slate), lambda: _text(rulebook, slate))


def slate_of(arguments: argparse.Namespace) -> tuple[Rulebook, Slate]:
    """Put the given bets on the named pay table."""
    rulebook, table = pay_table_of(arguments)
    return rulebook, slate_on(table, arguments.bet)


def slate_on(table: PayTable, texts: Iterable[str]) -> Slate:
    """Put bets as they are written on a pay table."""
    read = [read_bet(text) for text in texts]
    if any(bet["player"] != PLAYER for bet in read):
        raise Wrong("a slate is one player's; write its bets like 'small=1000'")
    return Slate.of(table, [(bet["box"], bet["stake"]) for bet in read])


def bets_answer(slate: Slate) -> list[Answer]:
    """Give the stake on each box as data."""
    return [{"box": box, "stake": stake} for box, stake in slate.stakes.items()]


def slate_answer(rulebook: Rulebook, slate: Slate) -> Answer:
    """Begin an answer about a slate: its pay table, and the stake on each box."""
    where = {"pay_table": slate.pay_table.address, "rulebook": identity_of(rulebook)}
    return {**where, "bets": bets_answer(slate), "staked": slate.staked}


def _answer(rulebook: Rulebook, slate: Slate) -> Answer:
    return {
        **slate_answer(rulebook, slate),
        **pick(slate.net, "mean", "variance", "standard_deviation", "third_central_moment"),
        **pick(slate.net, "skewness", "skewness_squared"),
        **pick(slate, "hit_rate", "ahead", "expected_loss", "house_edge"),
        "edge_per_unit": slate.house_edge,
        **pick(slate, "edge_at_risk", "return_to_player"),
        "distribution": [
            {"net": value, "ways": weight, "probability": Fraction(weight, THROWS)}
            for value, weight in slate.net.pairs()
        ],
    }


def _text(rulebook: Rulebook, slate: Slate) -> str:
    parts = [title_of(rulebook, slate.pay_table), _bets(slate), _summary(slate)]
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
    net, loss = slate.net, slate.expected_loss
    variance = write_fraction(net.variance)
    skewness_squared = write_fraction(abs(net.skewness_squared))
    return "\n".join(
        [
            f"staked              {slate.staked:,}",
            f"a bet wins          {_chance(slate.hit_rate)}",
            f"more than staked    {_chance(slate.ahead)}",
            f"expected loss       {float(loss):,.2f} a round ({write_fraction(loss)} exactly)",
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


def _chance(chance: Fraction) -> str:
    return f"{chance * THROWS} of {THROWS} throws, {per_cent(chance)}"


def _share(share: Fraction) -> str:
    return f"{per_cent(share)} ({write_fraction(share)} exactly)"
