"""Ruin against the bank: the same questions for many banks at once, in floats, for a picture."""

from typing import NamedTuple

from taisai.maths.errors import MathsError
from taisai.maths.ruin.banded import solved_for_all
from taisai.maths.ruin.exits import chance_of_ruin
from taisai.maths.ruin.float_bounds import ruin_at_levels
from taisai.maths.ruin.walk import Net, Walk, check_rounds, walk_of
from taisai.maths.ruin.within import Course

#: Banks that a picture shows, about.
BANKS = 200


class Curves(NamedTuple):
    """Banks in minor units, and by the name of each question its answers for all of them."""

    banks: list[int]
    chances: dict[str, list[float]]


def ruin_curves(
    net: Net, bank: int, *, rounds: int | None = None, target: int | None = None
) -> Curves:
    """Ask for the chance of ruin of banks up to twice a bank, or below its target."""
    if rounds is None and target is None:
        raise MathsError("ruin against the bank needs a number of rounds or a target to draw")
    walk = walk_of(net, bank, target=target)
    levels = _levels(walk)
    chances = {}
    if rounds is not None:
        check_rounds(rounds)
        plain = Walk(walk.steps, walk.start, None, walk.scale)
        name = f"within {rounds:,} rounds"
        chances[name] = ruin_at_levels(Course(plain, rounds), levels)
    if walk.ceiling is not None:
        solved = solved_for_all(chance_of_ruin(walk, walk.ceiling))
        chances[f"before {target:,}"] = [solved[level] for level in levels]
    return Curves([bank + (level - walk.start) * walk.scale for level in levels], chances)


def _levels(walk: Walk) -> list[int]:
    """Choose levels from the lowest to twice the bank's, as many as a picture can show."""
    last = 2 * walk.start + 1 if walk.ceiling is None else walk.ceiling - 1
    return sorted({last * place // BANKS for place in range(BANKS + 1)})
