"""Every route of a venue, subject by subject, and the OpenAPI document that describes them."""

from functools import cache
from types import ModuleType
from typing import Any

from litestar import Litestar
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler

from taisai.server.http.accounts.subjects import SUBJECTS as PEOPLE
from taisai.server.http.audit import journal, standing
from taisai.server.http.cage.subjects import SUBJECTS as CAGE
from taisai.server.http.figures.subjects import SUBJECTS as FIGURES
from taisai.server.http.frame.access import the_caller
from taisai.server.http.frame.openapi import make_document, types_of_routes
from taisai.server.http.rules import rulebooks, words
from taisai.server.http.site import demo as demo_routes
from taisai.server.http.site import founding, health, pages
from taisai.server.http.tables.subjects import SUBJECTS as TABLES

_SUBJECTS: tuple[ModuleType, ...] = (
    *(*TABLES, rulebooks, words, *PEOPLE),
    *(*CAGE, *FIGURES, journal, standing, founding, health, pages),
)


def handlers(*, demo: bool) -> list[Any]:
    """List the handlers of all routes; those of the demo only for a demo."""
    return handlers_of(*_SUBJECTS, *((demo_routes,) if demo else ()))


def handlers_of(*subjects: ModuleType) -> list[Any]:
    """List the handlers that some modules have."""
    there = (each for subject in subjects for each in vars(subject).values())
    return [each for each in there if isinstance(each, HTTPRouteHandler)]


@cache
def describe(*, demo: bool) -> dict[str, Any]:
    """Describe every address of a venue as an OpenAPI document."""
    return make_document(_routes(demo=demo))


def read_and_written(*, demo: bool) -> tuple[list[Any], list[Any]]:
    """List the types of all request bodies, and of all answers."""
    return types_of_routes(_routes(demo=demo))


def _routes(*, demo: bool) -> Litestar:
    """Make the routes only, without a venue."""
    return Litestar(
        route_handlers=handlers(demo=demo),
        dependencies={
            "application": Provide(lambda: None, sync_to_thread=False),
            "caller": Provide(the_caller, sync_to_thread=False),
        },
        logging_config=None,
        openapi_config=None,
    )
