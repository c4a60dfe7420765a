"""The limits of a table: minimum, maximum, stake step and Differential, checked when set."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.bets import box_refusal
from taisai.core.rules.boxes import BOX_NAMES, Kind
from taisai.core.rules.money import is_amount
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, because, refuse, shown


class BoxLimits(Struct, frozen=True):
    """The least that each player may have on a box [D33], and the most that may be on it."""

    minimum: int
    maximum: int


class Limits(Struct, frozen=True):
    """Limits in force on a pay table: in general, and of the boxes that have their own."""

    step: int
    general: BoxLimits
    boxes: Mapping[str, BoxLimits] = {}
    differential: int | None = None

    def of(self, box: str) -> BoxLimits:
        """Find the limits of a box."""
        return self.boxes.get(box, self.general)


def set_limits(table: PayTable, setting: LimitsAsked) -> Limits | Refusal:
    """Put limits in force on a table, or refuse them with the first fault found.

    [ts6 3.3; etg8 3.3, 4.1.2]
    """
    general = BoxLimits(setting.minimum, setting.maximum)
    limits = Limits(
        step=table.step if setting.step is None else setting.step,
        general=general,
        boxes=_own_limits(table, setting, general) if setting.boxes else {},
        differential=setting.differential,
    )
    if not is_amount(limits.step) or limits.step == 0:
        return _bad("STEP", value=shown(limits.step))
    return next(_setting_refusals(table, setting, limits), limits)


def has_differential(table: PayTable) -> bool:
    """Say whether the rulebook knows a Differential on this pay table."""
    return any(pair[0] in table.boxes for pair in table.limit_rules.differential_pairs)


def displayed_limits(table: PayTable, setting: LimitsAsked) -> Limits | Refusal:
    """List the limits for the sign of a table, the Differential among them; empty without limits.

    [ts6 1.3, 3.3; tso5 1.3, 3.3; etg8 3.3] [D31]
    """
    rules = table.limit_rules
    if setting.differential is not None and not has_differential(table):
        return refuse("NO_DIFFERENTIAL", rules.decision)
    limits = set_limits(table, setting)
    if isinstance(limits, Refusal):
        return limits
    for name, amount in _amounts(setting):
        if amount == 0:
            return _bad("NOTHING", rules.displayed_clause, name=name, step_cents=limits.step)
    if limits.differential is None and has_differential(table):
        return refuse("DIFFERENTIAL_MISSING", rules.displayed_clause)
    return limits


def step_not_whole(step: int, smallest: int) -> Refusal:
    """Refuse a step at which a payment of the pay table is not a whole number of minor units."""
    return _bad("STEP_NOT_WHOLE", step_cents=step, smallest_cents=smallest)


def off_step(box: str, stake: int, step: int) -> Refusal:
    """Refuse a stake that is off the table's step, or whose payment is not whole minor units."""
    reason = because("OFF_STEP", box=box, stake_cents=stake, step_cents=step)
    return Refusal("OFF_STEP", reason)


def below_minimum(table: PayTable, limits: Limits, box: str, stake: int) -> Refusal:
    """Refuse a bet under the minimum, or advise its player of it [ts6 5.2]."""
    minimum = limits.of(box).minimum
    reason = because("BELOW_MINIMUM", box=box, stake_cents=stake, minimum_cents=minimum)
    rules = table.limit_rules
    return Refusal("BELOW_MINIMUM", reason, rules.advised_clause or rules.decision)


def above_maximum(table: PayTable, limits: Limits, box: str, total: int) -> Refusal:
    """Refuse what is over the maximum, of a box or of a player as the rulebook says."""
    rules = table.limit_rules
    maximum = limits.of(box).maximum
    code = "ABOVE_MAXIMUM_OF_BOX" if rules.scope == "box" else "ABOVE_MAXIMUM_OF_PLAYER"
    reason = because(code, box=box, total_cents=total, maximum_cents=maximum)
    return Refusal("ABOVE_MAXIMUM", reason, rules.rejected_clause or rules.decision)


def above_differential(
    table: PayTable, limits: Limits, pair: tuple[str, str], totals: Mapping[str, int]
) -> tuple[str, int, Refusal] | None:
    """Refuse bets that put one side further ahead of the other than the Differential allows.

    Returns the larger side, by how much it is too large, and the refusal; None where it is not.

    [ts6 1.3]
    """
    if limits.differential is None:
        return None
    smaller, larger = sorted(pair, key=lambda box: totals.get(box, 0))
    over = totals.get(larger, 0) - totals.get(smaller, 0) - limits.differential
    if over <= 0:
        return None
    allowed = limits.differential
    reason = because(
        "ABOVE_DIFFERENTIAL",
        box=larger,
        other_box=smaller,
        over_cents=over,
        differential_cents=allowed,
    )
    return larger, over, Refusal("ABOVE_DIFFERENTIAL", reason, table.limit_rules.rejected_clause)


def _own_limits(table: PayTable, setting: LimitsAsked, general: BoxLimits) -> dict[str, BoxLimits]:
    """Resolve overrides: a kind's apply to its boxes, and a box's own override its kind's."""
    own: dict[str, BoxLimits] = {}
    for box in table.boxes.values():
        for name in (box.kind.value, box.key):
            minimum, maximum = setting.boxes.get(name, (None, None))
            before = own.get(box.key, general)
            if (minimum, maximum) != (None, None):
                own[box.key] = BoxLimits(
                    before.minimum if minimum is None else minimum,
                    before.maximum if maximum is None else maximum,
                )
    return own


def _setting_refusals(table: PayTable, setting: LimitsAsked, limits: Limits) -> Iterator[Refusal]:
    for name in setting.boxes:
        yield from filter(None, [_override_refusal(table, name)])
    if limits.step % table.step:
        yield step_not_whole(limits.step, table.step)
    for name, value in _amounts(setting):
        if not is_amount(value):
            yield _bad("AMOUNT", name=name, value=shown(value))
        elif value % limits.step:
            yield _bad("OFF_STEP", name=name, amount_cents=value, step_cents=limits.step)
    yield from _range_refusals(limits)


def _range_refusals(limits: Limits) -> Iterator[Refusal]:
    low, high = limits.general.minimum, limits.general.maximum
    if low > high:
        yield _bad("MINIMUM_ABOVE_MAXIMUM", minimum_cents=low, maximum_cents=high)
    for box, own in limits.boxes.items():
        if own.minimum > own.maximum:
            amounts = {"minimum_cents": own.minimum, "maximum_cents": own.maximum}
            yield _bad("BOX_MINIMUM_ABOVE_MAXIMUM", box=box, **amounts)


def _override_refusal(table: PayTable, name: str) -> Refusal | None:
    if name in table.kinds:
        return None
    if name in list(Kind) and name not in BOX_NAMES:
        reason = because("KIND_NOT_ON_TABLE", kind=name, pay_table=table.address)
        return Refusal("BOX_NOT_ON_TABLE", reason)
    return box_refusal(table, name)


def _amounts(setting: LimitsAsked) -> Iterator[tuple[str, int]]:
    yield "min", setting.minimum
    yield "max", setting.maximum
    if setting.differential is not None:
        yield "differential", setting.differential
    for name, (minimum, maximum) in setting.boxes.items():
        if minimum is not None:
            yield f"boxes.{name}.min", minimum
        if maximum is not None:
            yield f"boxes.{name}.max", maximum


def _bad(fault: str, clause: str | None = None, /, **params: int | str) -> Refusal:
    return Refusal("BAD_LIMITS", because(f"BAD_LIMITS_{fault}", **params), clause)
