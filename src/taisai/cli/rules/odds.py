"""`taisai odds`: what each box of a pay table pays, its chance and its house edge, exactly."""

import argparse

from taisai.cli.catalogue import pay_table_of
from taisai.cli.command import PAY_TABLE, PLAYER_EDGE, RULEBOOK, Output, command
from taisai.cli.text import align, per_cent, title_of
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import BettingBox
from taisai.rulebooks.answers import odds_of

_HEADINGS = ("box", "bet", "pays", "ways", "chance", "", "house edge", "")


@command("taisai odds etg8/2", RULEBOOK, PAY_TABLE, PLAYER_EDGE)
def odds(arguments: argparse.Namespace) -> Output:
    """Answer `taisai odds`."""
    rulebook, table = pay_table_of(arguments)
    return Output(
        lambda: odds_of(rulebook, table),
        lambda: (
            f"{title_of(rulebook, table)}\n\n"
            f"{align(_HEADINGS, [_row(box) for box in table.boxes.values()], right='  rrrrrr')}"
        ),
    )


def _row(box: BettingBox) -> tuple[str, ...]:
    return (
        box.key,
        box.bet_name,
        " / ".join(write_odds(odds) for odds in box.odds),
        str(box.ways),
        write_fraction(box.probability),
        per_cent(box.probability),
        write_fraction(box.house_edge),
        per_cent(box.house_edge),
    )
