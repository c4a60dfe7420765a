"""`taisai odds`: what each box of a pay table pays, its chance and its house edge, exactly."""

import argparse
from fractions import Fraction

import msgspec

from taisai.cli.shelves import find_pay_table, find_rulebook, shelf_of
from taisai.cli.tables import align
from taisai.cli.titles import title_of
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.rulebooks.answers import odds_of

_HEADINGS = ("box", "bet", "pays", "ways", "chance", "", "house edge", "")


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai odds`."""
    shelf = shelf_of(arguments)
    table = find_pay_table(shelf, arguments.pay_table)
    rulebook = find_rulebook(shelf, table.rulebook_key)
    if arguments.json:
        answer = msgspec.json.encode(odds_of(rulebook, table))
        print(msgspec.json.format(answer, indent=1).decode())
        return 0
    print(title_of(rulebook, table))
    print(_odds_table(table))
    return 0


def _odds_table(table: PayTable) -> str:
    return align(_HEADINGS, [_row(box) for box in table.boxes.values()], right="  rrrrrr")


def _row(box: BettingBox) -> tuple[str, ...]:
    return (
        box.key,
        box.bet_name,
        " / ".join(write_odds(odds) for odds in box.odds),
        str(box.ways),
        write_fraction(box.probability),
        _per_cent(box.probability),
        write_fraction(box.house_edge),
        _per_cent(box.house_edge),
    )


def _per_cent(value: Fraction) -> str:
    return f"{float(value * 100):.2f} %"
