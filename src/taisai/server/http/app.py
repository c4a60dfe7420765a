"""The HTTP application: every route, what guards them, and the document that describes them."""

from functools import cache
from types import ModuleType
from typing import Any, Self

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.events import BaseEventEmitterBackend
from litestar.routes import HTTPRoute
from litestar.types import Scope

from taisai.server.figures.following import Figures
from taisai.server.http import (
    audit,
    cage,
    console,
    days,
    drawer,
    exports,
    health,
    pages,
    people,
    pit,
    reports,
    resuming,
    rules,
    statistics,
    tables,
    terminal,
)
from taisai.server.http import demo as demonstrating
from taisai.server.http.bodies import StrictRequest
from taisai.server.http.clerks import Clerks
from taisai.server.http.document import make_document, types_of_routes
from taisai.server.http.guarding import guard, the_caller
from taisai.server.http.problems import HANDLERS, RefusedError
from taisai.server.http.queries import known_parameters
from taisai.server.http.security import BODY_MAX, Security
from taisai.server.http.tallying import reading_by
from taisai.server.http.verifications import Verifications
from taisai.server.metrics import Metrics
from taisai.server.premises import Premises


class _NoNews(BaseEventEmitterBackend):
    """The framework's own events, of which there are none: what happens, the house publishes."""

    __slots__ = ()

    def emit(self, event_id: str, *args: Any, **kwargs: Any) -> None:
        """Tell nobody."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """End nothing."""


_SUBJECTS: tuple[ModuleType, ...] = (
    *(tables, statistics, rules, console, people, terminal, cage, drawer),
    *(reports, days, pit, audit, exports, resuming, health, pages),
)


def make_app(premises: Premises) -> Litestar:
    """Make the application of a house.

    Routes are given the `premises` and their `caller` by those names; what they share is in the
    application's state. What was begun for them is ended with the application.
    """
    metrics, clerks = Metrics(premises), Clerks(premises.settings)
    verifications = Verifications(clerks, premises.house.clock)
    figures = _figures(premises)

    async def count(error: Exception, _: Scope) -> None:
        if isinstance(error, RefusedError):
            metrics.refused(error.refusal.code)

    async def begin() -> None:
        figures.begin()

    async def end() -> None:
        await figures.close()
        await verifications.close()
        await clerks.close()

    app = Litestar(
        route_handlers=_handlers(demo=premises.demo is not None),
        dependencies={
            "premises": Provide(lambda: premises, sync_to_thread=False),
            "caller": Provide(the_caller, sync_to_thread=False),
        },
        guards=[guard, known_parameters],
        exception_handlers=HANDLERS,
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
                "premises": premises,
                "metrics": metrics,
                "clerks": clerks,
                "verifications": verifications,
                "statistics": statistics.Writings(),
                "figures": figures,
                "document": describe(demo=premises.demo is not None),
            }
        ),
    )
    premises.house.committer.on_commit = metrics.committed
    methods = {
        route.path_format: ", ".join(sorted(route.methods))
        for route in app.routes
        if isinstance(route, HTTPRoute)
    }
    app.asgi_handler = Security(app.asgi_handler, premises.settings, metrics.answered, methods)
    return app


def _figures(premises: Premises) -> Figures:
    """Make the figures, with clerks of their own: whoever asks for an audit waits for no figure."""
    clerks, gaming_days = Clerks(premises.settings), premises.gaming_days
    return Figures(premises.house, reading_by(clerks, gaming_days), gaming_days)


def _subjects(*, demo: bool) -> tuple[ModuleType, ...]:
    """Give the subjects of a house; one that is no demo does not even know the demo's."""
    return (*_SUBJECTS, demonstrating) if demo else _SUBJECTS


def _handlers(*, demo: bool) -> list[Any]:
    return [handler for subject in _subjects(demo=demo) for handler in subject.handlers]


@cache
def describe(*, demo: bool) -> dict[str, Any]:
    """Describe every address of a house as an OpenAPI document."""
    examples: dict[Any, Any] = {}
    for subject in _subjects(demo=demo):
        examples |= getattr(subject, "examples", {})
    return make_document(_routes(demo=demo), examples)


def read_and_written(*, demo: bool) -> tuple[list[Any], list[Any]]:
    """List the types of all bodies that a house reads, and of all answers that it gives."""
    return types_of_routes(_routes(demo=demo))


def _routes(*, demo: bool) -> Litestar:
    """Make the routes alone, with no house behind them."""
    given = {"premises": Provide(lambda: None, sync_to_thread=False)}
    return Litestar(
        route_handlers=_handlers(demo=demo),
        dependencies={**given, "caller": Provide(the_caller, sync_to_thread=False)},
        logging_config=None,
        openapi_config=None,
    )
