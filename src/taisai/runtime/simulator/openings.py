"""What goes wrong when a table is opened: fewer tumbles, other seals, wrong lights, slips."""

from collections.abc import Callable, Sequence

from taisai.core.kernel.messages import Actor, Command
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.approval import ASPECTS, SetDepartures
from taisai.core.table.opening import (
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
)
from taisai.core.table.setup import AdoptRulebook
from taisai.core.table.state import Departure, TableState
from taisai.runtime.answers import HOST
from taisai.runtime.opening import Act, acts_wanted
from taisai.runtime.simulator.crowd import Chance


def next_act(state: TableState, chance: Chance) -> Command | None:
    """Think of the next act that an opening wants, unless none is or it is forgotten."""
    wanted = acts_wanted(state)
    if not wanted or chance.happens(0.15):
        return None
    return _slip_of(wanted[0] if state.tested is None else VerifyTest(right=True), chance)


def _slip_of(act: Act, chance: Chance) -> Command:
    """Do an act as it should be done, or now and then otherwise."""
    if chance.happens(0.75):
        return RunTest(chance.throw()) if isinstance(act, RunTest) else act
    match act:
        case RegisterEquipment(equipment=equipment):
            other = RegisterEquipment(chance.pick(["lucky-cat", equipment]), "9")
            return chance.pick([other, RegisterEquipment(equipment, " ")])
        case SwitchOn():
            return SwitchOn(chance.pick([" ", "generator"]))
        case RunTest():
            return chance.pick([RunTest((1, 2, 7)), VerifyTest(right=True)])
        case VerifyTest():
            return VerifyTest(right=False, note=chance.pick(["Big is dark", " "]))
        case TryTumbler():
            return TryTumbler(chance.pick([0, 2, 5, -1]))
        case ReadSeal(seal=seal):
            read = ReadSeal(chance.pick(["seal 0", seal.upper(), " "]))
            return chance.pick([read, ReadSeal(seal, intact=False)])


def any_act(chance: Chance, throw: tuple[int, int, int]) -> Command:
    """Think of an act that nobody may have asked for."""
    acts: list[Act] = [SwitchOn("mains"), RunTest(throw), VerifyTest(right=True), TryTumbler(3)]
    return chance.pick([*acts, ReadSeal("seal"), RegisterEquipment("bell", "2")])


def write_departures(
    state: TableState, rulebooks: Sequence[Rulebook], send: Callable[[Actor, Command], object]
) -> None:
    """Have a rulebook refused that is for others, and then put on record what departs [D30]."""
    written = tuple(
        Departure(book.key, aspect, "the authority", f"letter {number}")
        for number, book in enumerate(rulebooks, start=1)
        for aspect in ASPECTS
    )
    if state.operator is None or state.departures == written:
        return
    adopt = AdoptRulebook(rulebooks[0].canonical.decode(), next(iter(rulebooks[0].pay_tables)))
    send(Actor("pia", "pit-manager"), adopt)
    send(HOST, SetDepartures(written))
