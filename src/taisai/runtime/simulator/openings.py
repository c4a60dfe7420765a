"""The opening of a table with its mistakes: fewer tumbles, other seals, wrong lights, slips."""

from collections.abc import Callable, Sequence

from taisai.core.kernel.messages import Actor, Command
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.approval import ASPECTS, AdoptDepartures, SetDepartures
from taisai.core.table.opening import (
    DICE,
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
    WithdrawEquipment,
)
from taisai.core.table.setup import AdoptRulebook
from taisai.core.table.state import Departure, TableState
from taisai.runtime.answers import HOST
from taisai.runtime.opening import Act, acts_wanted
from taisai.runtime.simulator.crowd import Chance


def next_act(state: TableState, chance: Chance) -> Command | None:
    """Give the next act that an opening needs, unless there is none or it is forgotten."""
    wanted = acts_wanted(state)
    if not wanted or chance.happens(0.15):
        return None
    return _slip_of(wanted[0] if state.tested is None else VerifyTest(right=True), chance)


def _slip_of(act: Act, chance: Chance) -> Command:
    """Give the right command for an act, or now and then a wrong one."""
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
    """Make up an act that may not be needed."""
    acts: list[Act] = [SwitchOn("mains"), RunTest(throw), VerifyTest(right=True), TryTumbler(3)]
    others = [ReadSeal("seal"), RegisterEquipment("bell", "2")]
    return chance.pick([*acts, *others, WithdrawEquipment(chance.pick(["bell", "dice", "cat"]))])


def withdrawal(state: TableState, chance: Chance) -> Command:
    """Choose equipment, or the dice, to withdraw from a closed table."""
    return WithdrawEquipment(chance.pick([*state.registered, DICE]))


def write_departures(
    state: TableState,
    rulebooks: Sequence[Rulebook],
    send: Callable[[Actor, Command], object],
    ask: Callable[[Actor, Command], object],
) -> None:
    """Have a rulebook refused that is approved for others, then record the departures [D30]."""
    papers = tuple(
        Departure(book.key, aspect, "the authority", f"letter {number}")
        for number, book in enumerate(rulebooks, start=1)
        for aspect in ASPECTS
    )
    # Half of them stand in the plan; two persons adopt the others.
    planned, adopted = papers[::2], papers[1::2]
    if state.operator is None or state.departures == planned + adopted:
        return
    adopt = AdoptRulebook(rulebooks[0].canonical.decode(), next(iter(rulebooks[0].pay_tables)))
    send(Actor("pia", "pit-manager"), adopt)
    send(HOST, SetDepartures(planned))
    ask(Actor("pia", "pit-manager"), AdoptDepartures(adopted))
