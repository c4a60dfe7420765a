"""The texts and cells of a PAR sheet: the same in Markdown and in HTML."""

from collections.abc import Callable

from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.reason import printable
from taisai.maths.par.sheet import CONFIDENCE, DEVIATIONS, ROUNDS, Band, BoxFigures, ParSheet
from taisai.maths.plots import boxes_text
from taisai.maths.sessions.quantile_bands import CHANCE_ERROR
from taisai.rulebooks import is_approved
from taisai.wording import per_cent

#: Headings of the table of boxes; the second of each pair says whether its cells are numbers.
BOX_HEADINGS = (
    ("Box", False),
    ("Bet", False),
    ("Pays to\u00a01", True),
    ("Ways of 216", True),
    ("Probability", True),
    ("", True),
    ("Return (RTP)", True),
    ("House edge", True),
    ("", True),
    ("Standard deviation", True),
    ("Volatility index", True),
    ("On a triple", False),
    ("Clauses: win · loss · triple", False),
)
#: Headings of the table of bands, likewise.
BAND_HEADINGS = (("Boxes", False), *((f"{rounds:,} rounds", True) for rounds in ROUNDS))


def title_of(sheet: ParSheet) -> str:
    """Write the heading of the sheet."""
    return f"PAR sheet {sheet.table.address}: {printable(sheet.rulebook.content.title)}"


def identity_rows(sheet: ParSheet) -> list[tuple[str, str]]:
    """Write the rows that identify the document, the pay table and the content of the figures."""
    content, table = sheet.rulebook.content, sheet.table
    layout, since = table.layout, content.effective
    by_clause = "" if layout.clause == layout.name else f", clause {layout.clause}"
    rows = [
        ("Game", content.title),
        ("Published by", content.publisher),
        ("Standing", _standing(sheet)),
        ("Version", content.version or "none given in the document"),
        ("In effect since", "no date in the document" if since is None else since.isoformat()),
        ("Pay table", f"{table.address}, clause {table.clause}"),
        ("Layout", f"{layout.name}{by_clause}"),
        ("Boxes", str(len(table.boxes))),
        ("Stake step", f"{table.step} (at it every payment is a whole number of minor units)"),
        ("SHA-256 of the rulebook", sheet.rulebook.sha256),
    ]
    if sheet.dated is not None:
        rows.append(("Dated", sheet.dated))
    return [(name, printable(value)) for name, value in rows]


def _standing(sheet: ParSheet) -> str:
    """Say whether the rulebook is an approved one; any file may claim to be."""
    if is_approved(sheet.rulebook):
        return "an approved rulebook, unchanged"
    return "NOT an approved rulebook: a file of somebody's own"


def summary_of(sheet: ParSheet) -> list[tuple[str, str]]:
    """Write the extremes of the table, one line each."""
    edges = sorted(sheet.boxes, key=lambda each: each.box.house_edge)
    swings = sorted(sheet.boxes, key=lambda each: each.volatility_index)
    return [
        ("Highest return", _extreme(sheet, edges[0])),
        ("Lowest return", _extreme(sheet, edges[-1])),
        ("Least volatile", _swing(sheet, swings[0])),
        ("Most volatile", _swing(sheet, swings[-1])),
    ]


def box_cells(figures: BoxFigures) -> list[str]:
    """Describe a box in the cells of its row."""
    box = figures.box
    return [
        box.key,
        printable(box.bet_name),
        " / ".join(map(write_odds, box.odds)),
        ways_text(figures),
        write_fraction(box.probability),
        per_cent(box.probability, 4),
        per_cent(figures.return_to_player, 4),
        write_fraction(box.house_edge),
        per_cent(box.house_edge, 4),
        f"{figures.standard_deviation:.6f}",
        f"{figures.volatility_index:.6f}",
        on_triples(figures),
        f"{box.wins_clause} · {box.loses_clause} · {box.triple_clause}",
    ]


def ways_text(figures: BoxFigures) -> str:
    """Give the ways to win, for a box with several odds the ways for each."""
    if len(figures.box.odds) == 1:
        return str(figures.box.ways)
    return f"{figures.box.ways} ({' / '.join(str(ways) for _, ways in figures.pays_on)})"


def on_triples(figures: BoxFigures) -> str:
    """Say on which triples a box wins."""
    won = figures.triples_won
    if not won:
        return "loses"
    if len(won) == 6:
        return "wins on every triple"
    return f"wins on {', '.join('-'.join(map(str, result.faces)) for result in won)}"


def family_name(family: list[BoxFigures]) -> str:
    """Name a group of boxes with the same chances and odds."""
    return boxes_text([figures.box.key for figures in family])


def band_text(band: Band) -> str:
    """Write a band of returns, with a mark at an end that is not certain."""
    mark = "" if band.exact else "≈ "
    return f"{mark}{per_cent(band.low, 3)} – {per_cent(band.high, 3)}"


def near_text(band: Band) -> str:
    """Write the same band by the volatility index."""
    return f"{100 * band.near_low:.3f} % – {100 * band.near_high:.3f} %"


def triple_rule_of(sheet: ParSheet) -> list[str]:
    """Give the document's own list of bets that win on a triple, with clauses, if it has one."""
    kinds = sheet.table.kinds
    listed = [
        f"{entry.clause}: "
        + (", ".join(entry.boxes) or f"every box of the kind {entry.kind} that the triple meets")
        for entry in sheet.rulebook.content.triple_winners
        if entry.kind in kinds
    ]
    return [printable(line) for line in listed]


def _extreme(sheet: ParSheet, figures: BoxFigures) -> str:
    edge = figures.box.house_edge
    alike = _families(sheet, lambda each: each.box.house_edge == edge)
    return f"{per_cent(figures.return_to_player, 4)} (edge {per_cent(edge, 4)}): {alike}"


def _swing(sheet: ParSheet, figures: BoxFigures) -> str:
    alike = _families(sheet, lambda each: each.variance == figures.variance)
    return f"index {figures.volatility_index:.4f}: {alike}"


def _families(sheet: ParSheet, meant: Callable[[BoxFigures], bool]) -> str:
    return "; ".join(family_name(family) for family in sheet.families if meant(family[0]))


# --- how each figure was computed ----------------------------------------------------------------


_CHANCE = """
Three dice fall in 216 equally likely throws, which show 56 distinct results. Ways counts the throws
on which the box wins by the pay table; probability is ways / 216."""

_RETURN = """
Return = sum over the winning throws of (odds + 1) / 216; house edge = 1 − return. Odds, chances and
edges are exact fractions; percentages are rounded for print."""

_DEVIATION = """
σ = √(E[x²] − E[x]²), x the net result of one unit staked for one round."""

_INDEX = f"""
VI = z·σ with z = {DEVIATIONS:.6f}, which holds {100 * CONFIDENCE} % of a normal distribution. By
the usual formula the return after N rounds lies within return ± VI / √N."""

_BANDS = f"""
Between the ends of a band lie at least {100 * CONFIDENCE} % of all sessions of N independent rounds
of one equal stake. The ends are the 5 % and 95 % quantiles of the session's own distribution, not
of a normal one, found by summing its characteristic function over a window that holds all but 10⁻¹⁵
of it (Bernstein's bound). An end is certain to the last unit where the chances on both sides of it
differ from the share by more than {CHANCE_ERROR:.0e}, over a thousand times what the sums were
found wrong by; one that is not is marked ≈."""

_CLAUSES = """
Numbers are those of the document as the rulebook lists them: the clause that a win cites, a loss,
and a loss to a triple."""

_IDENTITY = """
The SHA-256 is of the rulebook's canonical form, as taisai rules --json tells it. The same rulebook
gives this sheet byte for byte."""

#: Each figure, and how it was computed.
METHOD: tuple[tuple[str, str], ...] = tuple(
    (of, " ".join(said.split()))
    for of, said in (
        ("Chance", _CHANCE),
        ("Return and edge", _RETURN),
        ("Standard deviation", _DEVIATION),
        ("Volatility index", _INDEX),
        ("Bands of return", _BANDS),
        ("Clauses", _CLAUSES),
        ("Identity", _IDENTITY),
    )
)
