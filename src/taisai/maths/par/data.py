"""A PAR sheet as JSON: what `taisai odds --json` tells of each box, and everything else.

Odds and fractions are exact texts. Floats are texts of so many digits as well, so that the bytes do
not depend on who writes them.
"""

import json
from typing import Any

import msgspec

from taisai.core.rules.dice import RESULTS, THROWS
from taisai.core.rules.money import write_fraction, write_odds
from taisai.maths.par.method import METHOD
from taisai.maths.par.sheet import CONFIDENCE, DEVIATIONS, Band, BoxFigures, ParSheet
from taisai.maths.par.words import triple_rule_of
from taisai.rulebooks.answers import identity_of, pays_of

#: Raised when a key changes its meaning.
FORMAT = 1


def write_json(sheet: ParSheet) -> str:
    """Write a sheet as JSON."""
    return json.dumps(data_of(sheet), ensure_ascii=False, indent=1) + "\n"


def data_of(sheet: ParSheet) -> dict[str, Any]:
    """Give a sheet as plain data."""
    content, table = sheet.rulebook.content, sheet.table
    data: dict[str, Any] = {
        "par_sheet": FORMAT,
        "pay_table": table.address,
        "rulebook": msgspec.structs.asdict(identity_of(sheet.rulebook)),
        "publisher": content.publisher,
        "layout": table.layout.name,
        "clause": table.clause,
        "step": table.step,
        "throws": THROWS,
        "results": len(RESULTS),
        "confidence": write_fraction(CONFIDENCE),
        "volatility_z": f"{DEVIATIONS:.12f}",
        "boxes": [_box(figures) for figures in sheet.boxes],
        "triple_rule": triple_rule_of(sheet),
        "method": [{"of": name, "is": said} for name, said in METHOD],
        "checks": [{"said": check.said, "held": check.held} for check in sheet.checks],
    }
    if sheet.dated is not None:
        data["dated"] = sheet.dated
    return data


def _box(figures: BoxFigures) -> dict[str, Any]:
    box = figures.box
    return {
        "box": box.key,
        "kind": box.kind.value,
        "name": box.bet_name,
        "pays": pays_of(box),
        "ways": box.ways,
        "ways_by_price": {write_odds(odds): ways for odds, ways in figures.pays_on},
        "probability": write_fraction(box.probability),
        "return": write_fraction(figures.return_to_player),
        "house_edge": write_fraction(box.house_edge),
        "variance": write_fraction(figures.variance),
        "standard_deviation": f"{figures.standard_deviation:.12f}",
        "volatility_index": f"{figures.volatility_index:.12f}",
        "step": box.step,
        "clause": box.wins_clause,
        "loses_clause": box.loses_clause,
        "triple_clause": box.triple_clause,
        "wins_on_triples": [list(result.faces) for result in figures.triples_won],
        "bands": [_band(band) for band in figures.bands],
    }


def _band(band: Band) -> dict[str, Any]:
    return {
        "rounds": band.rounds,
        "low": write_fraction(band.low),
        "high": write_fraction(band.high),
        "exact": band.exact,
        "normal_low": f"{band.near_low:.9f}",
        "normal_high": f"{band.near_high:.9f}",
    }
