"""Requests read strictly: nothing is guessed, and an unknown parameter is refused, not ignored.

A body is read into the same type that the document describes.
"""

from functools import lru_cache
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.enums import ParamType
from litestar.exceptions import InternalServerException, ValidationException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.params import ParameterKwarg
from msgspec import Struct

from taisai.core.rules.reason import shown
from taisai.server.http.frame.problems import ProblemError
from taisai.server.strictly import twice_in


class Secret(Struct, frozen=True):
    """A body or an answer with something in it that nobody may read in a log."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON is read strictly by its route's types: the text "5" is no number."""

    async def body(self) -> bytes:
        """Read the body; a connection that ends before it is no fault of ours."""
        try:
            return await super().body()
        except InternalServerException:
            detail = "the line ended before the body did"
            raise ProblemError(HTTPStatus.BAD_REQUEST, "BODY_BROKEN_OFF", detail) from None

    async def json(self) -> Any:
        """Read the body as the route's type, or say what is wrong with it."""
        taken = self.route_handler.parsed_fn_signature.parameters.get("data")
        type_ = Any if taken is None else taken.annotation
        try:
            return msgspec.convert(_decode(await self.body()), type_)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise _wrong(str(error)) from None
        except RecursionError:
            raise _wrong("it is nested too deeply") from None


def _decode(body: bytes) -> Any:
    """Read JSON strictly: 1e3 and 100.0 are no whole numbers, and no key may occur twice."""
    read = msgspec.json.decode(body)
    twice = twice_in(body)
    if twice is not None:
        raise msgspec.DecodeError(f"the key {shown(twice)} is there twice")
    return read


def _wrong(message: str) -> ValidationException:
    return ValidationException(
        "the body is wrong", extra=[{"message": message, "key": "body", "source": "body"}]
    )


#: The parameter that every address takes: problems are worded in that language.
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
