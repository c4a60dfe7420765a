"""Statistics over HTTP: public, of the rounds the table keeps, and cached until the next one."""

import msgspec
from msgspec import structs

from taisai.core.table.corrections import CorrectSettledRound, VoidSettledRounds
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import OpenBets
from taisai.core.table.state import HISTORY_ROUNDS
from taisai.projections.table_view import view_of
from taisai.protocol import FRAME_MAX
from tests.kit.desk import Desk
from tests.kit.people import DEALER, PIT, SUPERVISOR
from tests.server.http.test_problems import problem
from tests.server.http.test_tables import play, set_up


def test_what_came_up_is_counted_for_everybody(desk: Desk) -> None:
    desk.do(set_up(desk, "S1", rounds=4))
    told = desk.get("visitor", "/api/tables/S1/statistics").json()
    assert (told["table"], told["rounds"], told["clause"]) == ("S1", 4, "5.8")
    assert "information only" in told["note"]
    totals = {each["name"]: each for each in told["totals"]}
    assert [*totals] == [str(total) for total in range(3, 19)]
    assert totals["6"]["seen"] == 4
    # Ten throws of 216 make six: 4 x 10/216 is 5/27, or 0.2.
    assert totals["6"]["expected"] == {"exact": "5/27", "rounded": "0.2"}
    faces = {each["name"]: (each["seen"], each["expected"]["exact"]) for each in told["faces"]}
    assert faces == {face: (4 if face in "123" else 0, "2") for face in "123456"}
    assert {each["name"]: each["seen"] for each in told["sizes"]} == {
        "small": 4,
        "big": 0,
        "triple": 0,
    }
    assert {each["name"]: each["seen"] for each in told["parities"]} == {
        "odd": 0,
        "even": 4,
        "triple": 0,
    }
    boxes = {each["box"]: each for each in told["boxes"]}
    assert len(boxes) == 104
    assert (boxes["small"]["seen"], boxes["small"]["since"]) == (4, 0)
    assert (boxes["big"]["since"], boxes["big"]["longest"]) == (None, 4)
    assert told["hot"][0]["box"] == "three-123"
    assert len(told["hot"]) == len(told["cold"]) == 5
    newest = told["results"][0]
    assert (newest["round"], newest["faces"], newest["total"]) == (4, [1, 2, 3], 6)
    assert (newest["size"], newest["parity"]) == ("small", "even")
    assert newest["call"] == "1, 2, 3, total 6"


def test_they_are_kept_until_a_round_is_over_and_said_in_each_language(desk: Desk) -> None:
    desk.do(set_up(desk, "S2", rounds=1))
    path = "/api/tables/S2/statistics"
    first = desk.get("visitor", path)
    assert first.headers["cache-control"] == "public, no-cache"
    tag = {"if-none-match": first.headers["etag"]}
    assert desk.client.get(path, headers=tag).status_code == 304
    chinese = desk.get("visitor", path, language="zh-Hans").json()
    assert chinese["boxes"][0]["name"] != first.json()["boxes"][0]["name"]
    assert "仅供参考" in chinese["note"]
    desk.do(play(desk, "S2", 1))
    again = desk.client.get(path, headers=tag)
    assert (again.status_code, again.json()["rounds"]) == (200, 2)


def test_what_was_put_right_is_counted_as_it_stands(desk: Desk) -> None:
    desk.do(set_up(desk, "S3", rounds=3))
    path = "/api/tables/S3/statistics"
    before = desk.get("visitor", path).json()
    assert before["rounds"] == 3
    correct = CorrectSettledRound(2, (6, 6, 6), "the camera says so")
    desk.do(desk.floor.both("table/S3", PIT, correct, SUPERVISOR))
    corrected = desk.get("visitor", path).json()
    assert {each["name"]: each["seen"] for each in corrected["sizes"]}["triple"] == 1
    view = desk.get("visitor", "/api/tables/S3").json()["rounds"]
    assert (view["2"]["total"], view["2"]["size"], view["2"]["parity"]) == (18, "triple", "triple")
    void = VoidSettledRounds(3, "a die is chipped")
    desk.do(desk.floor.both("table/S3", PIT, void, SUPERVISOR))
    assert desk.get("visitor", path).json()["rounds"] == 2
    view = desk.get("visitor", "/api/tables/S3").json()["rounds"].values()
    assert [each["void"] for each in view] == [False, False, True]


def test_a_round_without_dice_is_on_no_road(desk: Desk) -> None:
    desk.do(set_up(desk, "S4"))

    async def voided() -> None:
        await desk.floor.do("table/S4", DEALER, OpenBets())
        await desk.floor.do("table/S4", SUPERVISOR, ReportIrregularity("bad-tumble"))

    desk.do(voided())
    assert desk.get("visitor", "/api/tables/S4/statistics").json()["rounds"] == 0
    (shown,) = desk.get("visitor", "/api/tables/S4").json()["rounds"].values()
    assert shown == {
        "round": 1,
        "faces": None,
        "void": True,
        "total": None,
        "size": None,
        "parity": None,
    }


def test_a_table_without_a_clause_for_it_says_so_all_the_same(desk: Desk) -> None:
    told = desk.get("visitor", "/api/tables/division-9/statistics").json()
    assert told["clause"] is None
    assert told["note"]
    problem(desk.get("visitor", "/api/tables/zz/statistics"), 404, "UNKNOWN_TABLE")


def test_a_long_history_still_fits_into_a_frame(desk: Desk) -> None:
    desk.do(set_up(desk, "S5", rounds=1, pay_table="ts6/3"))
    state = structs.replace(desk.venue.table("S5"))
    record, first = state.history[1], 10**9
    numbers = range(first, first + HISTORY_ROUNDS)
    state.history = {number: structs.replace(record, number=number) for number in numbers}
    state.box_totals = dict.fromkeys(state.pay_table.boxes if state.pay_table else (), 10**9)
    view = view_of(state)
    assert [*view.rounds] == [*numbers[-120:]]
    assert len(msgspec.json.encode(view)) < FRAME_MAX / 3
