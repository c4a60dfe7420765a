"""The clauses that the dealer's console cites, for the clause tests; it has no expectations."""

from taisai.core.rules.reason import Refusal
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.server.console.guide import gauges_for
from taisai.server.console.irregularities import Particulars, irregularities_for
from taisai.server.console.steps import steps_for
from tests.kit.tables import Table


def cited_for(table: Table, command: str) -> str | None:
    """Give the clause that the console shows beside a step."""
    steps = steps_for(table.state, "dealer", "en", table.at, automatic=False).steps
    return next(each.clause for each in steps if each.command == command)


def cited_for_return(table: Table) -> str | None:
    """Give the clause that the console cites for bets that go back after a bad tumble."""
    found = irregularities_for(
        table.state, "supervisor", "en", table.at, Particulars(), "bad-tumble"
    )
    return [*found[0].will, *found[0].agreed][-1].clause


def cited_for_differential(table: Table) -> str | None:
    """Give the clause beside the gauge of Big and Small, where nothing goes back."""
    gauges = gauges_for(table.state, "en", table.at)
    assert not isinstance(gauges, Refusal)
    return gauges.pairs[0].clause


def ruled_at(table: Table, code: str) -> tuple[str, str | None]:
    """Let the dealer report an irregularity; give its ruling and clause."""
    reported = table.does("dealer", ReportIrregularity(code, "seen"))[0]
    assert isinstance(reported, IrregularityReported)
    return reported.ruling, reported.clause
