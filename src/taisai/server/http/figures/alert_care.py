"""Care of alerts over HTTP: the pit acknowledges or assigns one, or reads the past ones."""

from itertools import dropwhile, islice
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.names import NOTE_MAX
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.reason import Reason, refuse
from taisai.core.venue.alerts import BLANK_MAX, AcknowledgeAlert, AssignAlert
from taisai.core.venue.state import AlertStep
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.server.http.figures.alerts import Alerts, venue_if_open
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    Carried,
    CommandId,
    InLanguage,
    TheApplication,
    answered,
    durably,
    order,
    text,
    whole,
)
from taisai.server.http.frame.problems import RefusedError
from taisai.server.roles import SEE_PIT
from taisai.wording import plain, say

#: The roles that may acknowledge or assign an alert.
ACTING = tuple(sorted(COMMANDS[AcknowledgeAlert].by))
#: The most past alerts in one answer.
HISTORY_MAX = 100

Asked = Request[Any, Any, Any]
Name = Annotated[str, PathParameter(max_length=NAME_MAX, description="an alert, as the pit has it")]
Note = Annotated[str, Meta(max_length=NOTE_MAX, examples=["The reader is being cleaned."])]
Before = Annotated[str, text("only what was touched before this alert, as an answer named it")]
Limit = Annotated[int, whole("so many at most", 1, HISTORY_MAX)]


class AlertSeen(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody has seen an alert, and may say what they found."""

    id: CommandId
    note: Note = ""


class AlertGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """An alert is to be in the hands of a person: one's own, or somebody's a manager names."""

    id: CommandId
    person: Annotated[str, Meta(max_length=NAME_MAX, examples=["Sue Lim"])]
    note: Note = ""


class PastAlert(Struct, frozen=True):
    """An alert that somebody did something about, and whether it is over."""

    alert: str
    table: str | None
    sentence: str
    over: bool
    acknowledged: AlertStep | None
    person: str | None
    #: Everything that was done, the oldest first.
    steps: tuple[AlertStep, ...]


class AlertHistory(Struct, frozen=True):
    """Alerts that somebody did something about, those touched last first."""

    alerts: list[PastAlert]
    #: Asks for those before; null where there are none.
    before: str | None


@post(
    "/api/pit/alerts/{alert:str}/acknowledge",
    **route("reports", "Acknowledge an alert", ACTING, PROBLEMS, status=200),
)
async def acknowledge(
    application: TheApplication,
    request: Asked,
    caller: TheCaller,
    alert: Name,
    data: JSONBody[AlertSeen],
) -> Response[Carried]:
    """Say that one has seen an alert; it is written down who did, when, and what they noted."""
    runtime = application.runtime
    table, reason = _found(runtime, request, alert)
    command = AcknowledgeAlert(alert, reason, table, data.note.strip())
    return answered(await order(runtime, VENUE, caller.actor, data.id, command))


@post(
    "/api/pit/alerts/{alert:str}/assign",
    **route("reports", "Take an alert, or give it to somebody", ACTING, PROBLEMS, status=200),
)
async def assign(
    application: TheApplication,
    request: Asked,
    caller: TheCaller,
    alert: Name,
    data: JSONBody[AlertGiven],
) -> Response[Carried]:
    """Put an alert in the hands of a person: a supervisor's own, or whose a manager says."""
    runtime = application.runtime
    table, reason = _found(runtime, request, alert)
    command = AssignAlert(alert, reason, data.person, table, data.note.strip())
    return answered(await order(runtime, VENUE, caller.actor, data.id, command))


def _found(runtime: Runtime, request: Asked, alert: str) -> tuple[str | None, Reason]:
    """Find a present alert, or a past one that was acknowledged or assigned."""
    alerts: Alerts = request.app.state.alerts
    for each in alerts.found():
        if each.alert == alert:
            return each.table, plain(each.reason, BLANK_MAX)
    care = runtime.state.alerts.get(alert)
    if care is None:
        raise RefusedError(refuse("ALERT_OVER"))
    return care.table, care.reason


@get("/api/pit/alerts", **route("reports", "What was done about alerts", SEE_PIT))
async def alert_history(
    application: TheApplication,
    request: Asked,
    limit: Limit = 20,
    before: Before = "",
    language: InLanguage = "en",
) -> AlertHistory:
    """List the alerts that somebody did something about, those touched last first.

    The venue remembers some hundreds; all of them are among the significant events.
    """
    runtime = application.runtime
    alerts: Alerts = request.app.state.alerts
    now = {each.alert for each in alerts.found()}
    async with durably(runtime, *venue_if_open(runtime)):
        newest = iter(reversed(runtime.state.alerts.items()))
        if before:
            newest = islice(dropwhile(lambda each: each[0] != before, newest), 1, None)
        listed = list(islice(newest, limit + 1))
        shown = [
            PastAlert(
                alert=name,
                table=care.table,
                sentence=say(care.reason, language),
                over=name not in now,
                acknowledged=care.acknowledged,
                person=care.person,
                steps=care.steps,
            )
            for name, care in listed[:limit]
        ]
    return AlertHistory(shown, shown[-1].alert if len(listed) > limit else None)
