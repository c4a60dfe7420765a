"""Parameters that no address takes are shown to whoever sent them: a slip is never passed over."""

from functools import lru_cache
from http import HTTPStatus
from typing import Any

from litestar.connection import ASGIConnection
from litestar.enums import ParamType
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.params import ParameterKwarg

from taisai.core.rules.reason import shown
from taisai.server.http.frame.problems import ProblemError

#: Every address takes it: problems are worded in it.
_ALWAYS = "language"
#: Addresses that are remembered; there are about fifty.
_ADDRESSES_MAX = 500


async def known_parameters(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuse a parameter that the address does not take, and name those that it does."""
    if not connection.scope["query_string"]:
        return
    assert isinstance(handler, HTTPRouteHandler), "sockets do not come here"
    if not handler.resolve_include_in_schema():
        return
    taken = _taken(handler)
    for name in connection.query_params:
        if name not in taken and name != _ALWAYS:
            there = ", ".join(sorted(taken)) or "none"
            detail = f"there is no parameter {shown(name)} here; there are: {there}"
            raise ProblemError(HTTPStatus.BAD_REQUEST, "UNKNOWN_PARAMETER", detail)


@lru_cache(maxsize=_ADDRESSES_MAX)
def _taken(handler: BaseRouteHandler) -> frozenset[str]:
    given = handler.resolve_dependencies()
    return frozenset(
        kwarg.name or name
        for name, field in handler.parsed_fn_signature.parameters.items()
        if name not in given
        and isinstance(kwarg := field.kwarg_definition, ParameterKwarg)
        and kwarg.param_type is ParamType.QUERY
    )
