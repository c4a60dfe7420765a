"""The OpenAPI document, made from the routes and their types.

Schemas are made from the same types that requests are read into and answers are written from, so
that they agree. Roles, limits and problems are taken from the routes too.
"""

import tomllib
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from importlib import resources
from inspect import cleandoc
from typing import Annotated, Any, get_args, get_origin

import msgspec
from litestar import Litestar
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import KwargDefinition
from litestar.response import Response, Stream
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec import inspect

from taisai.server.accounts.sessions import SESSION_COOKIE
from taisai.server.http.frame.access import EVERYBODY
from taisai.server.http.frame.dependencies import WHOLE_MAX
from taisai.server.http.frame.problems import PROBLEM, Problem, problem_of


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


_EXAMPLES, _DOCUMENT = _read("examples.toml"), _read("document.toml")
_TEXTS: dict[str, str] = _EXAMPLES["texts"]
_NUMBERS: dict[str, int] = _EXAMPLES["numbers"]
_PROBLEMS = {HTTPStatus[name]: told for name, told in _DOCUMENT["problems"].items()}
_KEPT: dict[str, Any] = _DOCUMENT["kept"]
_FACES = [2, 2, 5]
_AMOUNT = 10_000


# Examples are made from the types: a field has the value of its name in `examples.toml`, else the
# example of its own type, else any value that its type allows. Sums do not add up: an example
# shows only the form.


def example_of(type_: Any) -> Any:
    """Give an example of a type, as plain data."""
    return _example(inspect.type_info(type_), "")


def _example(info: inspect.Type, name: str) -> Any:
    match info:
        case inspect.Metadata(extra_json_schema={"examples": [first, *_]}):
            return first
        case inspect.Metadata():
            return _example(info.type, name)
        case inspect.StructType():
            return _struct(info)
        case inspect.UnionType():
            # A field that may be null is shown with a value.
            there = (each for each in info.types if not isinstance(each, inspect.NoneType))
            return _example(next(there), name)
        case inspect.TupleType():
            faces = len(info.item_types) == len(_FACES)
            return _FACES if faces else [_example(each, name) for each in info.item_types]
        case inspect.DictType():
            key = "118" if isinstance(info.key_type, inspect.IntType) else _TEXTS["box"]
            return {key: _example(info.value_type, name)}
        case inspect.CollectionType():
            return [_example(info.item_type, name)]
        case _:
            return _plain(info, name)


def _struct(info: inspect.StructType) -> dict[str, Any] | list[Any]:
    fields = {field.encode_name: _example(field.type, field.name) for field in info.fields}
    if info.array_like:
        return [*fields.values()]
    return fields if info.tag is None else {str(info.tag_field): info.tag, **fields}


def _plain(info: inspect.Type, name: str) -> Any:
    match info:
        case inspect.StrType() | inspect.AnyType():
            return _TEXTS.get(name, name.replace("_", " "))
        case inspect.IntType():
            usual = _NUMBERS["at"] if name.endswith("_at") else _AMOUNT
            return min(_NUMBERS.get(name, usual), info.le or _NUMBERS["expires"])
        case inspect.LiteralType():
            return _TEXTS[name] if _TEXTS.get(name) in info.values else info.values[0]
        case inspect.EnumType():
            return next(iter(info.cls)).value
        case inspect.FloatType():
            return 0.25
        case inspect.BoolType():
            return False
        case inspect.DateTimeType():
            return "2026-11-16T06:00:00+08:00"
        case _:
            raise TypeError(f"no example is known for {info}")


OPENAPI = "3.1.0"
JSON = "application/json"
_REF = "#/components/schemas/{name}"
#: A caller with a wrong session or key is told so at every address.
_ANYWHERE = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.REQUEST_URI_TOO_LONG,
    HTTPStatus.MISDIRECTED_REQUEST,
    HTTPStatus.TOO_MANY_REQUESTS,
)
_RESERVED = frozenset({"request", "data", "state", "scope", "headers", "cookies", "body", "query"})


def make_document(app: Litestar) -> dict[str, Any]:
    """Make the document of an application."""
    operations, schemes = [*_operations(app)], _DOCUMENT["schemes"]
    types = _Types([each for operation in operations for each in operation.types()])
    paths: dict[str, Any] = {}
    for operation in sorted(operations, key=lambda each: (each.path, each.method)):
        paths.setdefault(operation.path, {})[operation.method] = operation.write(types)
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Tai Sai",
            "version": "1",
            "summary": "The live venue over HTTP",
            "description": _DOCUMENT["introduction"],
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in _DOCUMENT["tags"].items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(types.components.items())),
            "responses": {_named(status): _problem_answer(status) for status in _PROBLEMS},
            "securitySchemes": {**schemes, "cookie": {**schemes["cookie"], "name": SESSION_COOKIE}},
        },
    }


def types_of_routes(app: Litestar) -> tuple[list[Any], list[Any]]:
    """List the types of all request bodies, and of all answers."""
    read: list[Any] = []
    written: list[Any] = [Problem]
    for operation in _operations(app):
        body, answers = operation.body_and_answers()
        read += [] if body is None else [body]
        written += [each for each in answers if each not in (None, bytes)]
    return read, written


def _operations(app: Litestar) -> Iterator["_Operation"]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if handler.resolve_include_in_schema():
                    yield _Operation(route, handler)


class _Types:
    """The schemas of all types that any operation reads or writes."""

    def __init__(self, types: Sequence[Any]) -> None:
        self._types = list(types)
        self._schemas, self.components = msgspec.json.schema_components(
            [*self._types, Problem], ref_template=_REF
        )

    def schema(self, type_: Any) -> dict[str, Any]:
        """Give the schema of a type, or a reference to it."""
        return self._schemas[self._types.index(type_)]

    def content(self, type_: Any, *, example: bool = True) -> dict[str, Any]:
        """Describe the content of a body or an answer, with an example; a file has neither."""
        if type_ is bytes:
            return {}
        shown = {"example": example_of(type_)} if example else {}
        return {"schema": self.schema(type_), **shown}


class _Operation:
    """One method of one address."""

    def __init__(self, route: HTTPRoute, handler: HTTPRouteHandler) -> None:
        self.path = route.path_format
        self.method = next(iter(handler.http_methods)).lower()
        self._route = route
        self._handler = handler
        given = {"application", *handler.resolve_dependencies()}
        self._parameters = {
            name: field
            for name, field in handler.parsed_fn_signature.parameters.items()
            if name not in given | _RESERVED
        }
        body = handler.parsed_fn_signature.parameters.get("data")
        self._body = None if body is None else body.annotation
        # An answer that is passed on as it comes names its own media type.
        answer = _answered(handler.parsed_fn_signature.return_type.raw)
        self._answer = handler.opt.get("answer", answer)

    def types(self) -> Iterator[Any]:
        """Give every type that the operation reads or writes."""
        yield from (_constrained(field) for field in self._parameters.values())
        body, answers = self.body_and_answers()
        yield from (each for each in (body, *answers) if each is not None)

    def body_and_answers(self) -> tuple[Any, list[Any]]:
        """Give the type of the body, if there is one, and those of the answers."""
        others = [spec.data_container for spec in (self._handler.responses or {}).values()]
        return self._body, [self._answer, *others]

    def write(self, types: _Types) -> dict[str, Any]:
        """Write the operation down."""
        handler = self._handler
        operation: dict[str, Any] = {
            "operationId": handler.handler_name,
            "tags": [*handler.resolve_tags()],
            "summary": handler.summary,
            "description": self._description(),
            "x-roles": [*self._handler.opt["roles"]],
            "responses": self._responses(types),
        }
        if self._parameters or self._fixed:
            operation["parameters"] = [*self._written_parameters(types)]
        if self._body is not None:
            content = {JSON: types.content(self._body)}
            operation["requestBody"] = {"required": True, "content": content}
        if self._roles:
            operation["security"] = [*self._security()]
        return operation

    @property
    def _roles(self) -> tuple[str, ...]:
        roles = tuple(self._handler.opt["roles"])
        return () if roles == EVERYBODY else roles

    def _description(self) -> str:
        text = self._handler.description or cleandoc(self._handler.fn.__doc__ or "")
        return f"{text}\n\nFor: {', '.join(self._roles)}." if self._roles else text

    def _security(self) -> Iterator[dict[str, list[str]]]:
        if "terminal" in self._roles:
            yield {"terminal": []}
        if set(self._roles) != {"terminal"}:
            yield {"session": []}
            yield {"cookie": []}

    def _written_parameters(self, types: _Types) -> Iterator[dict[str, Any]]:
        for name, field in self._parameters.items():
            in_path = name in self._route.path_parameters
            kwarg = field.kwarg_definition
            required = in_path or field.is_required
            schema = types.schema(_constrained(field))
            if not required and field.default not in ("", WHOLE_MAX):
                schema = {**schema, "default": field.default}
            written: dict[str, Any] = {
                "name": getattr(kwarg, "name", None) or name,
                "in": "path" if in_path else "query",
                "required": required,
                "schema": schema,
            }
            if isinstance(kwarg, KwargDefinition) and kwarg.description is not None:
                written["description"] = kwarg.description
            yield written
        if self._fixed:
            yield _DOCUMENT["if_none_match"]

    @property
    def _fixed(self) -> bool:
        return bool(self._handler.opt.get("fixed"))

    def _responses(self, types: _Types) -> dict[str, Any]:
        handler = self._handler
        status = HTTPStatus(handler.status_code)
        said = handler.response_description or status.description or status.phrase
        found: dict[str, Any] = {str(status.value): {"description": said}}
        media = handler.opt.get("media", (_media(handler),))
        if self._answer is not None:
            content = types.content(self._answer, example=handler.opt.get("example", True))
            found[str(status.value)]["content"] = dict.fromkeys(media, content)
        if self._fixed:
            found[str(status.value)]["headers"] = _KEPT
            found["304"] = {"description": "What the browser has still holds.", "headers": _KEPT}
        for code, spec in (handler.responses or {}).items():
            content = {JSON: types.content(spec.data_container)}
            found[str(int(code))] = {"description": spec.description, "content": content}
        for problem in sorted(self._problems()):
            found.setdefault(
                str(problem.value), {"$ref": f"#/components/responses/{_named(problem)}"}
            )
        return dict(sorted(found.items()))

    def _problems(self) -> Iterator[HTTPStatus]:
        yield from _ANYWHERE
        if self._body is not None:
            yield HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if self._roles or self.method != "get":
            yield HTTPStatus.FORBIDDEN
        if self._route.path_parameters:
            yield HTTPStatus.NOT_FOUND
        yield from (HTTPStatus(each) for each in self._handler.opt.get("problems", ()))


def _answered(annotation: Any) -> Any:
    """Find the type of an answer; None if a route answers nothing, bytes for a file."""
    if annotation is Stream:
        return bytes
    if isinstance(get_origin(annotation), type) and issubclass(get_origin(annotation), Response):
        (annotation,) = get_args(annotation)
    return None if annotation in (None, type(None)) else annotation


def _media(handler: HTTPRouteHandler) -> str:
    media = handler.media_type or JSON
    return media.value if isinstance(media, MediaType) else str(media)


_CONSTRAINTS = ("ge", "gt", "le", "lt", "max_length", "min_length", "pattern", "multiple_of")


def _constrained(field: FieldDefinition) -> Any:
    """Give a parameter's type with its limits, as the schema shows them."""
    kwarg = field.kwarg_definition
    annotation = field.annotation
    if not isinstance(kwarg, KwargDefinition):
        return annotation
    limits = {name: getattr(kwarg, name) for name in _CONSTRAINTS}
    limits = {name: value for name, value in limits.items() if value is not None}
    return Annotated[annotation, msgspec.Meta(**limits)] if limits else annotation


def _named(status: HTTPStatus) -> str:
    return "".join(word.capitalize() for word in status.name.split("_"))


def _problem_answer(status: HTTPStatus) -> dict[str, Any]:
    code, detail = _PROBLEMS[status]
    example = msgspec.to_builtins(problem_of(status, code, detail))
    content = {PROBLEM: {"schema": {"$ref": _REF.format(name="Problem")}, "example": example}}
    answer: dict[str, Any] = {"description": status.phrase, "content": content}
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        answer["headers"] = _DOCUMENT["again"]
    return answer
