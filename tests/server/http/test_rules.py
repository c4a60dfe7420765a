"""Rulebooks, odds, layouts and words over HTTP: the same as elsewhere, and cached by browsers."""

import hashlib

import pytest

import taisai
from taisai.core.rules.boxes import BOX_NAMES
from taisai.rulebooks import KEYS
from tests.kit.desk import Desk
from tests.server.http.test_problems import problem

ADDRESSES = [table.address for key in KEYS for table in taisai.rulebook(key).pay_tables.values()]


def test_odds_and_rulebooks_are_answered(desk: Desk) -> None:
    odds = desk.get("visitor", "/api/pay-tables/etg8/1/odds").json()
    (eight,) = [each for each in odds["boxes"] if each["box"] == "total-8"]
    assert (eight["pays"], eight["ways"], eight["house_edge"]) == ("8.5", 21, "11/144")
    rulebooks = desk.get("visitor", "/api/rulebooks").json()["rulebooks"]
    assert [each["key"] for each in rulebooks] == list(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_a_rulebook_is_told_by_the_very_bytes_of_its_fingerprint(desk: Desk, key: str) -> None:
    response = desk.get("visitor", f"/api/rulebooks/{key}")
    assert hashlib.sha256(response.content).hexdigest() == taisai.rulebook(key).sha256
    assert response.headers["etag"] == f'"{taisai.rulebook(key).sha256}"'


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("language", ["en", "zh-Hant"])
def test_a_layout_has_every_box_named(desk: Desk, address: str, language: str) -> None:
    path = f"/api/pay-tables/{address}/layout"
    layout = desk.get("visitor", path, language=language).json()
    table = taisai.pay_table(address)
    names = desk.get("visitor", f"/api/words/{language}").json()["boxes"]
    assert {area["box"] for area in layout["areas"]} == table.boxes.keys()
    for area in layout["areas"]:
        assert area["name"] == names[area["box"]]
        assert area["x"] + area["w"] <= layout["columns"]
        assert area["y"] + area["h"] <= layout["rows"]
    assert all("{" not in each["text"] for each in layout["captions"])


def test_words_are_whole_in_every_language(desk: Desk) -> None:
    english = desk.get("visitor", "/api/words/en").json()
    for language in ("zh-Hans", "zh-Hant"):
        words = desk.get("visitor", f"/api/words/{language}").json()
        assert words["boxes"].keys() == set(BOX_NAMES)
        assert words["sentences"].keys() == english["sentences"].keys()


def test_what_never_changes_is_asked_for_once(desk: Desk) -> None:
    path = "/api/pay-tables/ts6/2/odds"
    first = desk.client.get(path)
    assert "max-age" in first.headers["cache-control"]
    again = desk.client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = desk.client.get(path, headers={"if-none-match": '"another"'})
    assert other.content == first.content
    exact = desk.client.get(path, params={"sha256": taisai.rulebook("ts6").sha256})
    assert exact.content == first.content
    assert "immutable" in exact.headers["cache-control"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/rulebooks/ts7", "UNKNOWN_RULEBOOK"),
        ("/api/rulebooks/ts6?sha256=" + "0" * 64, "UNKNOWN_RULEBOOK"),
        ("/api/pay-tables/ts6/9/odds", "NO_SUCH_PAY_TABLE"),
        ("/api/pay-tables/zz/1/layout", "UNKNOWN_RULEBOOK"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(desk: Desk, path: str, code: str) -> None:
    assert "there are: ts6" in problem(desk.client.get(path), 404, code)["detail"]
