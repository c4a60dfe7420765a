"""Words over HTTP: the sentences of a page in another language."""

import httpx
import pytest

from tests.kit.desk import Desk
from tests.server.http.test_problems import problem


def say(desk: Desk, language: str, *reasons: object) -> httpx.Response:
    return desk.post("visitor", f"/api/words/{language}", {"reasons": list(reasons)})


def test_a_refusal_is_said_again_with_the_same_blanks(desk: Desk) -> None:
    refused = problem(desk.get("visitor", "/api/pay-tables/etg8/99/odds"), 404, "NO_SUCH_PAY_TABLE")
    assert refused["detail"] == "there is no such pay table; there are: etg8/1, etg8/2, etg8/3"
    reason = {"code": refused["code"], "params": refused["params"]}
    stake = {"code": "STORY_BET", "params": {"stake_cents": 150_000, "box": "total-9"}}
    answer = say(desk, "zh-Hant", reason, stake).json()
    assert answer == {
        "language": "zh-Hant",
        "sentences": [
            "沒有這個賠率表；現有：etg8/1, etg8/2, etg8/3",
            "投注：1,500.00，押「點數 9」",
        ],
    }


@pytest.mark.parametrize(
    "reason",
    [
        {"code": "NOTHING_OF_OURS", "params": {}},
        {"code": "STORY_BET", "params": {"stake_cents": 1}},
        {"code": "STORY_BET", "params": {"stake_cents": 1, "box": "no-box"}},
        {"code": "STORY_BET", "params": {"stake_cents": "x", "box": "small"}},
    ],
)
def test_what_we_never_gave_as_a_reason_is_not_said(desk: Desk, reason: object) -> None:
    problem(say(desk, "en", reason), 404, "NO_SUCH_REASON")


def test_the_reasons_of_one_request_are_limited(desk: Desk) -> None:
    many = [{"code": "GAME_OVER", "params": {}}] * 51
    problem(say(desk, "en", *many), 400, "BAD_REQUEST")
    problem(say(desk, "fr"), 400, "BAD_REQUEST")
