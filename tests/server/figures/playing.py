"""Play for the tests of figures: rounds with many bets, and every way of correcting one."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from random import Random

from taisai.core.rules.dice import Faces, result_of
from taisai.core.rules.paytable import PayTable
from taisai.core.table.corrections import CorrectSettledRound, VoidSettledRounds
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import CloseBets, OpenBets
from taisai.core.table.tumble import RecordTumble
from taisai.projections.figures.days import GamingDays
from taisai.projections.figures.tally import Tally
from taisai.runtime.streams import table_stream
from taisai.server.figures.follower import read_fold
from tests.kit.floor import Floor
from tests.kit.people import DEALER, PIT, SUPERVISOR

Stakes = dict[str, int]
Played = list[tuple[Stakes, Faces]]


async def play(floor: Floor, table: str, seed: int, rounds: int) -> Played:
    """Play rounds with varied bets, by hand; give the stakes by box, and the dice."""
    chance, played = Random(seed), []  # noqa: S311 - the same play each time
    pay_table = floor.venue.table(table).pay_table
    assert pay_table is not None
    for _ in range(rounds):
        tumbles_first = pay_table.rulebook_key == "div9"
        if tumbles_first:
            await floor.do(table_stream(table), DEALER, RecordTumble(3))
        await floor.do(table_stream(table), DEALER, OpenBets())
        stakes = await _bet(floor, table, chance, [*pay_table.boxes])
        faces = (chance.randint(1, 6), chance.randint(1, 6), chance.randint(1, 6))
        await floor.do(table_stream(table), DEALER, CloseBets(bell=True))
        if not tumbles_first:
            await floor.do(table_stream(table), DEALER, RecordTumble(3))
        await floor.enter(table, faces)
        await floor.settle(table)
        played.append((stakes, faces))
    return played


async def _bet(floor: Floor, table: str, chance: Random, boxes: list[str]) -> Stakes:
    stakes: Stakes = {}
    for terminal in (f"{table}-1", f"{table}-2"):
        for box in chance.sample(boxes, 4):
            stake = chance.randint(1, 5) * 100
            await floor.bet(table, terminal, box, stake)
            stakes[box] = stakes.get(box, 0) + stake
    return stakes


async def void_round(floor: Floor, table: str) -> None:
    """Play a round that a bad tumble makes void, before any dice are seen."""
    stream = table_stream(table)
    await floor.do(stream, DEALER, OpenBets())
    await floor.bet(table, f"{table}-1", "small", 500)
    await floor.do(stream, SUPERVISOR, ReportIrregularity("bad-tumble"))


async def correct(floor: Floor, table: str, number: int, faces: Faces) -> None:
    """Settle a round again."""
    command = CorrectSettledRound(number, faces, "the camera says so")
    await floor.both(table_stream(table), PIT, command, SUPERVISOR)


async def reverse(floor: Floor, table: str, first: int) -> None:
    """Void all rounds from one on, for a chipped die."""
    command = VoidSettledRounds(first, "a die is chipped")
    await floor.both(table_stream(table), PIT, command, SUPERVISOR)


def wins_of(table: PayTable, stakes: Stakes) -> Iterable[Fraction]:
    """Give the house's win on each of the 216 throws."""
    for dice in product(range(1, 7), repeat=3):
        yield won_on(table, stakes, dice)


def won_on(table: PayTable, stakes: Stakes, dice: tuple[int, ...]) -> Fraction:
    """Give the house's win for one throw."""
    won = Fraction()
    for box, stake in stakes.items():
        odds = table.boxes[box].odds_on(result_of(dice))
        won += stake if odds is None else -odds * stake
    return won


def expected_of(table: PayTable, played: Played) -> tuple[int, Fraction, Fraction, Fraction]:
    """Add up turnover, win, theory and variance, throw by throw."""
    turnover, win, theory, variance = 0, Fraction(), Fraction(), Fraction()
    for stakes, faces in played:
        wins = [*wins_of(table, stakes)]
        mean = sum(wins, Fraction()) / 216
        turnover += sum(stakes.values())
        win += won_on(table, stakes, faces)
        theory += mean
        variance += sum(((each - mean) ** 2 for each in wins), Fraction()) / 216
    return turnover, win, theory, variance


def assert_meters(floor: Floor, table: str, tally: Tally) -> None:
    """Compare the tally with the meters of the table itself."""
    meters, held = floor.venue.table(table).meters, tally.state
    of_table = meters["table"]
    assert sum(day.collected - day.paid for day in held.days.values()) == of_table.hold
    assert (held.drop, held.out) == (of_table.drop, of_table.out)
    dealers = {name for name in meters if name.startswith("dealer:")}
    assert {f"dealer:{name}" for name, each in held.dealers.items() if each.pace.last_at} == dealers
    assert sum(each.turnover for each in held.dealers.values()) == held.sums.turnover
    assert sum(each.win for each in held.kinds.values()) == held.sums.win
    # The meters also keep what was corrected later; the sums have the rounds as they are now.
    if not (held.sums.reversed or of_table.corrections):
        assert (held.sums.turnover, held.sums.win) == (of_table.turnover, of_table.hold)
        for kind, each in held.kinds.items():
            meter = meters[f"kind:{kind}"]
            assert (each.turnover, each.win) == (meter.turnover, meter.hold)


async def read_tally(
    floor: Floor, stream: str, version: int, gaming_days: GamingDays | None = None
) -> Tally:
    """Tally a table up to a version, from its journal."""
    tally = Tally(gaming_days)
    await read_fold(floor.venue.journal, stream, version, lambda *_: None, tally)
    return tally
