"""Signs and lights of a table: its rulebook and departures [D30], its limits [D31], lit boxes."""

from collections import Counter
from collections.abc import Iterator, Sequence

from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.dice import result_of
from taisai.core.rules.limits import Limits, set_limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.approval import outside
from taisai.core.table.state import Departure, Phase, TableState
from taisai.protocol.views import Apart, RulebookName, SignLine


def rulebook_shown(rulebook: Rulebook, pay_table: PayTable | None) -> RulebookName:
    """Name a rulebook and its pay table in use."""
    assert pay_table is not None, "a rulebook is adopted with a pay table"
    content = rulebook.content
    return RulebookName(
        content.key, content.title, content.version, rulebook.sha256, pay_table.address
    )


def apart_of(state: TableState) -> tuple[Apart, ...]:
    """Show where a table plays outside its rulebook's approval now."""
    here = (state.operator, state.form, state.equipment.tumbler)
    return apart_shown(state.rulebook, *here, state.departures)


def apart_shown(
    rulebook: Rulebook | None,
    operator: str | None,
    form: str,
    tumbler: str,
    departures: Sequence[Departure],
) -> tuple[Apart, ...]:
    """Show the written departures from a rulebook; at a demo, all that is not approved [D30]."""
    if rulebook is None:
        return ()
    if operator is None:
        return tuple(Apart(each.aspect) for each in outside(rulebook, operator, form, tumbler))
    return tuple(
        Apart(each.aspect, each.approved_by, each.reference)
        for each in departures
        if each.rulebook == rulebook.key
    )


def limits_shown(limits: Limits) -> LimitsAsked:
    """Show the limits in force on each box."""
    return LimitsAsked(
        limits.general.minimum,
        limits.general.maximum,
        limits.step,
        limits.differential,
        {box: (each.minimum, each.maximum) for box, each in limits.boxes.items()},
    )


def sign_of(table: PayTable, limits: Limits) -> tuple[SignLine, ...]:
    """Write the whole sign, if limits differ: a line for each kind, and for each box that differs.

    [ts6 3.3; tso5 3.3; etg8 3.3] [D31]
    """
    if all(limits.of(box) == limits.general for box in table.boxes):
        return ()
    kinds: dict[str, list[str]] = {}
    for box in table.boxes.values():
        kinds.setdefault(box.kind.value, []).append(box.key)
    return tuple(line for kind, boxes in kinds.items() for line in _lines(kind, boxes, limits))


def _lines(kind: str, boxes: list[str], limits: Limits) -> Iterator[SignLine]:
    """Write the limits that most boxes of a kind share, if two or more do, and then the others."""
    (most, alike), *_ = Counter(map(limits.of, boxes)).most_common()
    if alike > 1 or len(boxes) == 1:
        yield SignLine(kind, most.minimum, most.maximum)
        boxes = [box for box in boxes if limits.of(box) != most]
    for box in boxes:
        yield SignLine(box, limits.of(box).minimum, limits.of(box).maximum)


def limits_set(table: PayTable, asked: LimitsAsked) -> Limits:
    """Give the limits that were set on a pay table."""
    limits = set_limits(table, asked)
    assert isinstance(limits, Limits), "limits were checked before they were set"
    return limits


def winners_lit(state: TableState) -> tuple[str, ...]:
    """List the boxes that a confirmed result lights."""
    if state.phase is not Phase.CONFIRMED or state.faces is None or state.pay_table is None:
        return ()
    return state.pay_table.winners(result_of(state.faces))


def tested_lit(state: TableState) -> tuple[str, ...]:
    """List the boxes that a test run on the closed table lights [D32]."""
    if state.tested is None or state.pay_table is None:
        return ()
    return state.pay_table.winners(result_of(state.tested))
