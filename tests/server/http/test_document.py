"""The OpenAPI document: fresh, complete, with examples that its own schemas accept."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from taisai.server.http.routes import describe
from tests.kit.desk import CALLERS, Desk
from tools import openapi_page

DOCUMENT = describe(demo=True)


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every operation by its method and address."""
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def contents(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give an operation's request and its successful answers."""
    yield from operation.get("requestBody", {}).get("content", {}).values()
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            yield from answer.get("content", {}).values()


def test_the_page_is_fresh() -> None:
    assert openapi_page.PAGE.read_text(encoding="utf-8") == openapi_page.page()


def test_every_operation_says_what_it_does_and_for_whom() -> None:
    names = [operation["operationId"] for _, operation in operations()]
    assert len(names) == len(set(names))
    tags = {each["name"] for each in DOCUMENT["tags"]}
    for name, operation in operations():
        assert operation["summary"], name
        assert operation["description"], name
        assert set(operation["tags"]) <= tags, name
        assert set(operation["x-roles"]) <= set(CALLERS), name
        assert ("security" in operation) == ("visitor" not in operation["x-roles"]), name


@pytest.mark.parametrize(("name", "operation"), [*operations()])
def test_examples_are_what_the_schemas_ask_for(name: str, operation: dict[str, Any]) -> None:
    for content in contents(operation):
        if "schema" in content:
            schema = {**content["schema"], "components": DOCUMENT["components"]}
            if "example" in content:
                jsonschema_rs.validate(schema, json.loads(json.dumps(content["example"])))
            else:
                assert name == "GET /api/rulebooks/{key}", "a rulebook is too long for an example"


def test_a_venue_serves_its_own_document(desk: Desk) -> None:
    response = desk.get("visitor", "/openapi.json")
    assert response.json() == json.loads(json.dumps(DOCUMENT))
    assert "etag" in response.headers


def test_a_venue_that_is_no_demo_knows_none_of_its_addresses() -> None:
    paths = describe(demo=False)["paths"]
    assert not any("demo" in path for path in paths)
    assert len(paths) < len(DOCUMENT["paths"])
