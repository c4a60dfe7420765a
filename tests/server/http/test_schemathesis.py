"""Every address, requested by every kind of caller, with valid and invalid input.

The server must not fail, and every answer must be one that the OpenAPI document describes.
"""

import os
import zlib
from copy import deepcopy
from http import HTTPStatus
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection

from taisai.server.http.routes import describe
from taisai.server.http.site.demo import TERMINALS_AT_ONCE
from tests.kit.desk import CALLERS, Desk

#: `make soak` asks for more.
EXAMPLES = int(os.environ.get("TAISAI_SCHEMATHESIS_EXAMPLES", "4"))
#: Each of these answers reads the whole journal in a process of its own.
READING = r"^/api/(exports|audit/events|tables/\{table\}/rounds/\{round\})"
SEATS_MAX = 3

AnyCase = Case[Any]

schema = schemathesis.openapi.from_dict(deepcopy(describe(demo=True)))
schema.config.generation.update(modes=list(GenerationMode))
quick = schema.exclude(path_regex=READING)
reading = schema.include(path_regex=READING)


@schema.hook
def map_body(_: Any, body: Any) -> Any:
    """Seat a few terminals instead of hundreds: each takes a dozen commands.

    A float without a fraction is sent as a whole number: the document allows 3.0 for 3, which no
    reader here does.
    """
    body = _written_whole(body)
    if not isinstance(body, dict):
        return body
    count = body.get("count")
    if isinstance(count, int) and SEATS_MAX < count <= TERMINALS_AT_ONCE:
        return {**body, "count": SEATS_MAX}
    return body


def _written_whole(value: Any) -> Any:
    match value:
        case dict():
            return {key: _written_whole(each) for key, each in value.items()}
        case list():
            return [_written_whole(each) for each in value]
        case float() if value.is_integer():
            return int(value)
    return value


def caller_of(case: AnyCase) -> str:
    """Choose the caller by the content of the request, so that each request always has the same.

    Half of all requests come from a caller who may use the address.
    """
    roles: list[str] = case.operation.definition.raw["x-roles"]
    content = repr((case.path_parameters, case.query, case.body, case.headers))
    number = zlib.crc32(content.encode("utf-8", "surrogatepass"))
    pool = roles if number % 2 else CALLERS
    return pool[number // 2 % len(pool)]


def check(desk: Desk, case: AnyCase) -> None:
    """Send a request, and compare the answer with the document."""
    headers = desk.headers(caller_of(case))
    response = case.call(base_url=desk.address, headers=headers, timeout=60)
    # An address that is too long is refused as such; the check does not know that refusal.
    too_long = response.status_code == HTTPStatus.REQUEST_URI_TOO_LONG
    refused = [negative_data_rejection] if too_long else []
    case.validate_response(response, excluded_checks=[ignored_auth, *refused])
    assert response.headers["x-content-type-options"] == ["nosniff"]


_settings = settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[*HealthCheck],
)


@quick.parametrize()
@_settings
def test_everybody_may_ask_anything(desk: Desk, case: AnyCase) -> None:
    check(desk, case)


@reading.parametrize()
@settings(_settings, max_examples=max(2, EXAMPLES // 6))
def test_auditors_may_ask_anything(desk: Desk, case: AnyCase) -> None:
    check(desk, case)
