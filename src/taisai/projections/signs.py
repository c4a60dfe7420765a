"""What is on the sign of a table: by which rulebook it is played, and its limits [D31]."""

from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.limits import Limits, set_limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.protocol.views import RulebookName


def rulebook_shown(rulebook: Rulebook, pay_table: PayTable | None) -> RulebookName:
    """Name a rulebook, and the pay table of it that is in use."""
    assert pay_table is not None, "a rulebook is adopted with a pay table"
    content = rulebook.content
    return RulebookName(
        content.key, content.title, content.version, rulebook.sha256, pay_table.address
    )


def limits_shown(limits: Limits) -> LimitsAsked:
    """Show limits as they are in force on each box."""
    return LimitsAsked(
        limits.general.minimum,
        limits.general.maximum,
        limits.step,
        limits.differential,
        {box: (each.minimum, each.maximum) for box, each in limits.boxes.items()},
    )


def limits_set(table: PayTable, asked: LimitsAsked) -> LimitsAsked:
    """Show limits that were set on a pay table."""
    limits = set_limits(table, asked)
    assert isinstance(limits, Limits), "limits were checked before they were set"
    return limits_shown(limits)
