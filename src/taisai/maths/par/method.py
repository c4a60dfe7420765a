"""How each figure of a PAR sheet was worked out, in the sheet's own words."""

from taisai.maths.par.sheet import CONFIDENCE, DEVIATIONS
from taisai.maths.sessions.quantile_bands import CHANCE_ERROR

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

#: What was worked out, and how.
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
