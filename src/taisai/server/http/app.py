"""The HTTP application: all routes, their guards, and the document that describes them."""

from typing import Any, Self

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.events import BaseEventEmitterBackend
from litestar.exceptions import NotFoundException
from litestar.routes import HTTPRoute
from litestar.types import Scope

from taisai.server.application import Application
from taisai.server.figures.follower import Figures
from taisai.server.http.audit.journal_workers import JournalWorkers, Verifications, reading_by
from taisai.server.http.figures.alerts import Alerts
from taisai.server.http.frame.access import guard, the_caller
from taisai.server.http.frame.problems import HANDLERS, RefusedError
from taisai.server.http.frame.requests import StrictRequest, known_parameters
from taisai.server.http.frame.security import BODY_MAX, Security
from taisai.server.http.routes import describe, handlers
from taisai.server.http.site.pages import unknown_address
from taisai.server.http.tables.lobby import Writings
from taisai.server.metrics import Metrics


class _NoNews(BaseEventEmitterBackend):
    """The framework's own events: there are none, since the venue publishes its events itself."""

    __slots__ = ()

    def emit(self, event_id: str, *args: Any, **kwargs: Any) -> None:
        """Do nothing."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """End nothing."""


def make_app(application: Application) -> Litestar:
    """Make the application of a venue.

    Routes receive the `application` and their `caller` by those names; the objects they share are
    in the application's state, and are closed with the application.
    """
    metrics, workers = Metrics(application), JournalWorkers(application.settings)
    verifications = Verifications(workers, application.runtime.clock)
    figures = _figures(application)
    questions = application.hub.questions
    alerts = Alerts(application.runtime, figures, lambda: questions.wrong_vouchers)

    async def count(error: Exception, _: Scope) -> None:
        if isinstance(error, RefusedError):
            metrics.refused(error.refusal.code)

    async def begin() -> None:
        figures.begin()
        alerts.begin()

    async def end() -> None:
        alerts.close()
        await figures.close()
        await verifications.close()
        await workers.close()

    app = Litestar(
        route_handlers=handlers(demo=application.demo is not None),
        dependencies={
            "application": Provide(lambda: application, sync_to_thread=False),
            "caller": Provide(the_caller, sync_to_thread=False),
        },
        guards=[guard, known_parameters],
        exception_handlers={**HANDLERS, NotFoundException: unknown_address},
        after_exception=[count],
        event_emitter_backend=_NoNews,
        on_startup=[begin],
        on_shutdown=[end],
        logging_config=None,
        openapi_config=None,
        request_class=StrictRequest,
        request_max_body_size=BODY_MAX,
        state=State(
            {
                "application": application,
                "metrics": metrics,
                "workers": workers,
                "verifications": verifications,
                "statistics": Writings(),
                "figures": figures,
                "alerts": alerts,
                "document": describe(demo=application.demo is not None),
            }
        ),
    )
    application.runtime.committer.on_commit = metrics.committed
    settings, methods = application.settings, _methods(app)
    app.asgi_handler = Security(app.asgi_handler, settings, metrics.answered, methods)
    return app


def _methods(app: Litestar) -> dict[str, str]:
    """Give the methods that each address takes."""
    return {
        route.path_format: ", ".join(sorted(route.methods))
        for route in app.routes
        if isinstance(route, HTTPRoute)
    }


def _figures(application: Application) -> Figures:
    """Make the figures, with workers of their own, so that an audit never waits for them."""
    workers, gaming_days = JournalWorkers(application.settings), application.gaming_days
    return Figures(application.runtime, reading_by(workers, gaming_days), gaming_days)
