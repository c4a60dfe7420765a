"""Problem details (RFC 9457): every error over HTTP, in one form and with one sentence.

A refusal of the venue keeps its code, its clause and its wording. A fault of a request itself is
described in English, for the people who write such requests. A fault of ours is shown only as a
number, which is in the log beside the traceback.
"""

import logging
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Literal

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from msgspec import Struct

from taisai.core.rules.reason import Refusal, because, printable, refuse
from taisai.runtime.answers import AGAIN, UnknownStreamError
from taisai.wording import LANGUAGES, say

PROBLEM = "application/problem+json"
#: A caller of a busy venue is told to try again after so long.
RETRY_SECONDS = 1
#: How many faults of a request are shown.
ERRORS_SHOWN = 20
#: A longer sentence about a request is cut: it may quote the request.
DETAIL_MAX = 400

_log = logging.getLogger(__name__)


class RequestFault(Struct, frozen=True, omit_defaults=True):
    """What is wrong with a part of a request."""

    message: str
    key: str = ""
    source: Literal["body", "cookie", "header", "path", "query", ""] = ""


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error: what is wrong in one sentence, and a code for programs.

    `type` leads to the sentence of a refusal's code, and `params` fill its blanks; `clause` is the
    rulebook's. With `incident` the fault is ours, and the number is in the log.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    clause: str | None = None
    errors: tuple[RequestFault, ...] = ()
    incident: str | None = None
    params: Mapping[str, int | str] = {}


def problem_of(status: HTTPStatus, code: str, detail: str, **more: Any) -> Problem:
    """Make the problem of a faulty request, which the venue was not asked about."""
    return Problem("about:blank", status.phrase, status.value, detail[:DETAIL_MAX], code, **more)


#: The status of a refusal by its code; every other refusal is a conflict with the present state.
STATUS_OF_CODE: dict[str, HTTPStatus] = {
    "LOG_IN_REFUSED": HTTPStatus.UNAUTHORIZED,
    "NOT_LOGGED_IN": HTTPStatus.UNAUTHORIZED,
    "BAD_CODE": HTTPStatus.FORBIDDEN,
    "MAY_NOT_APPROVE": HTTPStatus.FORBIDDEN,
    "NOT_ALLOWED": HTTPStatus.FORBIDDEN,
    "NOT_YOUR_TERMINAL": HTTPStatus.FORBIDDEN,
    "ROLE_NOT_HELD": HTTPStatus.FORBIDDEN,
    "PERSON_SUSPENDED": HTTPStatus.FORBIDDEN,
    "WRONG_PIN": HTTPStatus.FORBIDDEN,
    "NO_RECEIPT": HTTPStatus.NOT_FOUND,
    "NO_TABLE": HTTPStatus.NOT_FOUND,
    "NO_HALF": HTTPStatus.NOT_FOUND,
    "UNKNOWN_PERSON": HTTPStatus.NOT_FOUND,
    "UNKNOWN_TERMINAL": HTTPStatus.NOT_FOUND,
    "PIN_LOCKED": HTTPStatus.TOO_MANY_REQUESTS,
    "TOO_FAST": HTTPStatus.TOO_MANY_REQUESTS,
    "TOO_MANY_TRIES": HTTPStatus.TOO_MANY_REQUESTS,
    **dict.fromkeys(AGAIN, HTTPStatus.SERVICE_UNAVAILABLE),
}


class ProblemError(Exception):
    """A problem, raised to be answered to the caller."""

    def __init__(
        self,
        status: HTTPStatus,
        code: str,
        detail: str,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.problem = problem_of(status, code, detail)
        self.headers = headers or {}


class RefusedError(Exception):
    """A refusal of the venue, raised to be answered to the caller in their language.

    The status is that of its code, unless another is given; `seconds` is when to try again.
    """

    def __init__(
        self, refusal: Refusal, status: HTTPStatus | None = None, seconds: int | None = None
    ) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.status = status or STATUS_OF_CODE.get(refusal.code, HTTPStatus.CONFLICT)
        self.seconds = seconds


def not_found(code: str, /, **params: int | str) -> RefusedError:
    """Say that there is no such thing, and name those that there are."""
    return RefusedError(refuse(code, **_cut(params)), HTTPStatus.NOT_FOUND)


def busy(code: str, seconds: int = RETRY_SECONDS, /, **params: int | str) -> RefusedError:
    """Say that a request cannot be served now, and when to try again."""
    return RefusedError(refuse(code, **_cut(params)), HTTPStatus.SERVICE_UNAVAILABLE, seconds)


def _cut(params: Mapping[str, int | str]) -> dict[str, int | str]:
    """Cut a text in a sentence: it may quote the error of a disk or a worker."""
    return {
        name: value[:DETAIL_MAX] if isinstance(value, str) else value
        for name, value in params.items()
    }


def language_of(request: Request[Any, Any, Any]) -> str:
    """Choose a language: the one in the address, else the first accepted one that we have."""
    asked = request.query_params.get("language")
    if asked in LANGUAGES:
        return str(asked)
    for part in request.headers.get("accept-language", "")[:200].split(","):
        found = _language(part.partition(";")[0].strip().lower())
        if found is not None:
            return found
    return "en"


def _language(tag: str) -> str | None:
    if not tag.startswith("zh"):
        return "en" if tag.startswith("en") else None
    traditional = any(part in ("hant", "tw", "hk", "mo") for part in tag.split("-"))
    return "zh-Hant" if traditional else "zh-Hans"


def refusal_problem(refusal: Refusal, language: str, status: HTTPStatus | None = None) -> Problem:
    """Show a refusal of the venue."""
    status = status or STATUS_OF_CODE.get(refusal.code, HTTPStatus.CONFLICT)
    return Problem(
        type=f"/api/words/{language}#{refusal.code}",
        title=status.phrase,
        status=status.value,
        detail=printable(say(refusal.reason, language)),
        code=refusal.code,
        clause=refusal.clause,
        params=refusal.reason.params,
    )


def answer(problem: Problem, headers: dict[str, str] | None = None) -> Response[bytes]:
    """Write a problem as an answer."""
    return Response(
        msgspec.json.encode(problem),
        status_code=problem.status,
        media_type=PROBLEM,
        headers=headers or {},
    )


def _on_refusal(request: Request[Any, Any, Any], error: RefusedError) -> Response[bytes]:
    problem = refusal_problem(error.refusal, language_of(request), error.status)
    seconds = error.seconds or error.refusal.reason.params.get("seconds", RETRY_SECONDS)
    again = problem.status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS)
    return answer(problem, {"retry-after": str(seconds)} if again else None)


#: Our codes for the errors that the framework raises by itself.
_CODES = {
    HTTPStatus.BAD_REQUEST: "BAD_REQUEST",
    HTTPStatus.UNAUTHORIZED: "NOT_LOGGED_IN",
    HTTPStatus.FORBIDDEN: "NOT_ALLOWED",
    HTTPStatus.NOT_FOUND: "NO_SUCH_ADDRESS",
    HTTPStatus.METHOD_NOT_ALLOWED: "NO_SUCH_METHOD",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "BODY_TOO_LARGE",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "NOT_JSON",
}
_SENTENCES = {
    HTTPStatus.NOT_FOUND: "there is nothing at this address; /openapi.json lists all there are",
    HTTPStatus.METHOD_NOT_ALLOWED: "this address takes no such method; Allow lists those it takes",
}


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Show an error that the framework raised by itself."""
    if isinstance(error, ValidationException):
        return answer(_invalid(error))
    if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _on_fault(request, error)
    status = HTTPStatus(error.status_code)
    detail = _SENTENCES.get(status) or printable(error.detail)[:DETAIL_MAX] or status.description
    code = _CODES.get(status, status.name)
    return answer(problem_of(status, code, detail), dict(error.headers or {}))


def _invalid(error: ValidationException) -> Problem:
    extra = error.extra if isinstance(error.extra, list) else []
    faults = tuple(_fault(each) for each in extra[:ERRORS_SHOWN] if isinstance(each, dict))
    listed = "; ".join(
        f"{each.key}: {each.message}" if each.key else each.message for each in faults
    )
    detail = listed or printable(error.detail)
    return problem_of(HTTPStatus.BAD_REQUEST, "BAD_REQUEST", detail, errors=faults)


def _fault(extra: dict[str, Any]) -> RequestFault:
    source = str(extra.get("source", ""))
    sources = ("body", "cookie", "header", "path", "query")
    return RequestFault(
        message=printable(str(extra.get("message", "it is not right")))[:DETAIL_MAX],
        key=printable(str(extra.get("key", "")))[:64],
        source=source if source in sources else "",  # type: ignore[arg-type]
    )


def _on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Show a fault of ours as a number; the traceback is in the log beside it."""
    incident = secrets.token_hex(6)
    where = f"{request.scope.get('method', '')} {request.scope.get('path', '')[:200]}"
    _log.error("incident %s at %s", incident, printable(where), exc_info=error)
    ours = because("FAULT", incident=incident)
    status, detail = HTTPStatus.INTERNAL_SERVER_ERROR, say(ours, language_of(request))
    more = {"incident": incident, "params": ours.params}
    return answer(problem_of(status, ours.code, detail, **more))


HANDLERS: dict[type[Exception] | int, Any] = {
    ProblemError: lambda _, error: answer(error.problem, error.headers),
    RefusedError: _on_refusal,
    UnknownStreamError: lambda request, _: _on_refusal(
        request, not_found("UNKNOWN_TABLE", there="–")
    ),
    HTTPException: on_http,
    Exception: _on_fault,
}
