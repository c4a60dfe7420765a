"""How the dice of a round lie, folded from its events: whether tumbled, and whether in sight."""

from collections.abc import Callable
from typing import Any

from taisai.core.kernel.messages import Event
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.betting import RoundVoided
from taisai.core.table.interruption import OutcomeTestified
from taisai.core.table.irregularities import (
    IrregularityReported,
    ReportDeclined,
    report_shows_dice,
)
from taisai.core.table.round import ResultEntered, ResultReported, RoundSettled, RoundStarted
from taisai.core.table.state import Phase
from taisai.core.table.tumble import CoverLifted, TumbleRecorded, tumble_shows_dice
from taisai.protocol.views import Changes, TableView

_NOT_TUMBLED: Changes = {"tumbled": False, "uncovered": False}
_SEEN: Changes = {"uncovered": True}


def dice_lie(view: TableView, rulebook: Rulebook | None, event: Event) -> Changes:
    """Give what an event changes in how the dice lie; the view is as it was before it."""
    if isinstance(event, TumbleRecorded):
        assert rulebook is not None, "dice are tumbled under a rulebook"
        shows = tumble_shows_dice(rulebook, Phase(view.phase), view.doubts, event)
        return {"tumbled": True, **(_SEEN if shows else {})}
    lie = _LIE.get(type(event))
    return {} if lie is None else lie(view, event)


def _reported(view: TableView, event: IrregularityReported) -> Changes:
    shows = report_shows_dice(event, Phase(view.phase), tumbled=view.tumbled)
    return _SEEN if shows else {}


_LIE: dict[type[Event], Callable[[TableView, Any], Changes]] = {
    RoundStarted: lambda _, __: _NOT_TUMBLED,
    OutcomeTestified: lambda _, __: {"tumbled": True},
    CoverLifted: lambda _, __: _SEEN,
    ResultReported: lambda _, __: _SEEN,
    ResultEntered: lambda _, __: _SEEN,
    IrregularityReported: _reported,
    ReportDeclined: lambda _, event: _NOT_TUMBLED if event.tumbles_again else {},
    RoundSettled: lambda _, __: _NOT_TUMBLED,
    RoundVoided: lambda _, __: _NOT_TUMBLED,
}
