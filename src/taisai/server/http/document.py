"""The OpenAPI document of a venue, made from its routes alone."""

from functools import cache
from typing import Any

from litestar import Litestar
from litestar.di import Provide

from taisai.server.http.frame.access import the_caller
from taisai.server.http.frame.openapi import make_document, types_of_routes
from taisai.server.http.routes import examples, handlers


@cache
def describe(*, demo: bool) -> dict[str, Any]:
    """Describe every address of a venue as an OpenAPI document."""
    return make_document(_routes(demo=demo), examples(demo=demo))


def read_and_written(*, demo: bool) -> tuple[list[Any], list[Any]]:
    """List the types of all request bodies, and of all answers."""
    return types_of_routes(_routes(demo=demo))


def _routes(*, demo: bool) -> Litestar:
    """Make the routes alone, with no venue behind them."""
    return Litestar(
        route_handlers=handlers(demo=demo),
        dependencies={
            "application": Provide(lambda: None, sync_to_thread=False),
            "caller": Provide(the_caller, sync_to_thread=False),
        },
        logging_config=None,
        openapi_config=None,
    )
