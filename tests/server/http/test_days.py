"""Reports of gaming days: the day computed by hand, as JSON, CSV and a page; what is refused."""

import csv
import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import OpenTable
from taisai.server.http.cage import drawer
from taisai.server.http.figures.day_files import COLUMNS, band_picture, day_page, day_report_csv
from taisai.server.http.figures.views import DayReport, WinBand
from taisai.server.http.frame.openapi import example_of
from taisai.wording import LANGUAGES, words
from tests.kit.desk import Desk, opened
from tests.kit.floor import FLOAT
from tests.kit.people import SUPERVISOR
from tests.server.figures.chip_table_days import (
    COUNTED_WIN,
    THEORY,
    TURNOVER,
    VARIANCE,
    WIN,
    ChipTable,
    begin_day,
    end_day,
    on,
)
from tests.server.figures.playing import play
from tests.server.http.test_pit import alerts_in, pit, table_in
from tests.server.http.test_problems import problem

#: A report with one of everything.
REPORT: DayReport = msgspec.convert(example_of(DayReport), DayReport)
PLAN = """
[venue]
day_starts = {hour}

[[tables]]
name = "tai-sai"
pay_table = "ts6/2"
minimum = 100
maximum = 1_000_000
differential = 1_000_000
"""
#: The roles that may not read reports.
NOT_FOR = ("visitor", "terminal", "dealer", "cage", "technician")


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Give a venue of its own, in which F1 has had its day and E1 has played five rounds."""
    with far_from_morning(tmp_path_factory.mktemp("days")) as desk:
        chip_table = ChipTable(desk.floor, "F1")

        async def play_all() -> None:
            await chip_table.set_up()
            await begin_day(chip_table, today(desk))
            await end_day(chip_table)
            await desk.floor.add_table("E1", "etg8/2", terminals=2, credit=10_000_000)
            await play(desk.floor, "E1", 3, 5)

        desk.do(play_all())
        pit(desk)
        yield desk


@contextmanager
def far_from_morning(where: Path) -> Iterator[Desk]:
    """Open a venue whose gaming day began half a day ago: no new one begins during the test."""
    plan = where / "floor.toml"
    if not plan.exists():
        plan.write_text(PLAN.format(hour=(datetime.now(UTC).hour + 12) % 24), encoding="utf-8")
    with opened(where / "data", tables=plan) as desk:
        yield desk


def today(desk: Desk) -> str:
    return desk.application.gaming_days.gaming_date_at(desk.venue.clock.now())


def report(desk: Desk, date: str | None = None, language: str = "en") -> dict[str, Any]:
    path = f"/api/reports/day/{date or today(desk)}"
    answer = desk.get("pit-manager", path, language=language)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def of_table(told: dict[str, Any], table: str) -> dict[str, Any]:
    (found,) = (each for each in told["tables"] if each["day"]["table"] == table)
    return dict(found)


def test_reports_are_for_the_pit_alone(venue: Desk) -> None:
    date = today(venue)
    for path in (
        "/api/reports/days",
        "/api/reports/days/csv",
        f"/api/reports/day/{date}",
        f"/api/reports/day/{date}/csv",
        f"/api/reports/day/{date}/page",
    ):
        for caller in ("supervisor", "pit-manager", "shift-manager", "auditor"):
            assert venue.get(caller, path).status_code == 200
        for caller in NOT_FOR:
            assert venue.get(caller, path).status_code in (401, 403)


def test_the_day_done_by_hand(venue: Desk) -> None:
    told = report(venue)
    assert (told["currency"], told["date"], told["missing"]) == ("SGD", today(venue), [])
    chip_table = of_table(told, "F1")
    day = chip_table["day"]
    assert (day["form"], day["open"]) == ("chips", False)
    figures = day["figures"]
    assert (figures["rounds"], figures["turnover"], figures["win"]) == (2, TURNOVER, WIN)
    assert figures["theory"] == round(THEORY)
    assert figures["sigma"] == round(float(VARIANCE) ** 0.5)
    # 70.00 of 170.00, and 6 in 216.
    assert (figures["hold_percent"], figures["theory_percent"]) == (41.18, 2.78)
    assert (day["collected"], day["paid"], day["corrections"]) == (12_000, 5_000, 0)
    assert (day["drop"], day["out"], day["win"]) == (40_000, 33_000, COUNTED_WIN)
    count = day["count"]
    assert (count["opening"], count["fills"], count["credits"]) == (0, 200_000, 50_000)
    assert (count["drop"], count["drop_expected"]) == (39_500, 40_000)
    assert (count["closing"], count["closing_expected"]) == (117_100, 117_000)
    assert (count["win"], count["difference"], count["between"]) == (COUNTED_WIN, -400, 0)
    dealers = {each["person"]: each["figures"] for each in chip_table["dealers"]}
    assert (dealers["dan"]["win"], dealers["dora"]["win"]) == (10_000, -3_000)
    kinds = {each["kind"]: each for each in chip_table["kinds"]}
    assert [*kinds] == ["small", "odd"], "the one with the most turnover stands first"
    assert (kinds["small"]["rounds"], kinds["small"]["win"]) == (2, 5_000)
    assert (kinds["odd"]["hold_percent"], kinds["odd"]["name"]) == (100.0, "Odd")


def test_all_tables_are_added_up(venue: Desk) -> None:
    told = report(venue, language="zh-Hant")
    tables = [each["day"] for each in told["tables"]]
    assert {"E1", "F1"} <= {each["table"] for each in tables}
    assert told["open"], "an electronic table plays on"
    for name in ("rounds", "turnover", "win", "bets"):
        together = sum(each["figures"][name] for each in tables)
        assert told["total"][name] == together
        assert sum(each["figures"][name] for each in told["dealers"]) == together
    assert sum(each["win"] for each in told["kinds"]) == told["total"]["win"]
    assert told["win"] == sum(each["win"] for each in tables)
    (dan,) = (each for each in told["dealers"] if each["person"] == "dan")
    assert {"E1", "F1"} <= set(dan["tables"])
    electronic = of_table(told, "E1")["day"]
    assert (electronic["form"], electronic["open"], electronic["count"]) == (
        *("terminals", True, None),
    )
    assert {each["kind"]: each["name"] for each in told["kinds"]}["small"] == "小"


def test_days_are_listed_by_date_and_table(venue: Desk) -> None:
    date = today(venue)
    told = venue.get("auditor", "/api/reports/days", table="F1").json()
    assert told["until"] == date
    (day,) = told["days"]
    assert (day["table"], day["date"], day["win"]) == ("F1", date, COUNTED_WIN)
    given = {"from": date, "to": date}
    tables = [
        each["table"] for each in venue.get("auditor", "/api/reports/days", **given).json()["days"]
    ]
    assert tables == sorted(tables)
    assert {"E1", "F1"} <= set(tables)
    before = venue.get("auditor", "/api/reports/days", **{"from": "2020-01-01", "to": "2020-01-31"})
    assert before.json()["days"] == []
    problem(venue.get("auditor", "/api/reports/days", table="nowhere"), 404, "UNKNOWN_TABLE")


@pytest.mark.parametrize("date", ["2026-02-30", "20261116", "today", "2026-1-1", "0000-00-00"])
def test_a_bad_date_gets_a_sentence(venue: Desk, date: str) -> None:
    for path in (f"/api/reports/day/{date}", f"/api/reports/day/{date}/page"):
        found = problem(venue.get("auditor", path), 409, "NOT_A_DATE")
        assert found["detail"].endswith("is no date: one is written as 2026-11-16")
    answer = venue.get("auditor", "/api/reports/days", to=date, language="zh-Hans")
    found = problem(answer, 409, "NOT_A_DATE")
    assert date in found["detail"]
    assert "不是日期" in found["detail"]


def test_dates_that_are_no_span_get_a_sentence(venue: Desk) -> None:
    backwards = {"from": "2026-11-17", "to": "2026-11-16"}
    found = problem(venue.get("auditor", "/api/reports/days", **backwards), 409, "DATES_BACKWARDS")
    assert found["detail"] == "the first date, 2026-11-17, is after the last, 2026-11-16"
    long = {"from": "2026-01-01", "to": "2026-12-31"}
    found = problem(venue.get("auditor", "/api/reports/days", **long), 409, "TOO_MANY_DATES")
    assert "365 days: at most 100" in found["detail"]
    # The first day of all has none before it.
    assert venue.get("auditor", "/api/reports/days", to="0001-01-02").status_code == 200


# --- CSV -----------------------------------------------------------------------------------------


def rows_of(text: str) -> list[dict[str, str]]:
    rows = [*csv.DictReader(StringIO(text, newline=""))]
    assert tuple(rows[0]) == COLUMNS
    return rows


def test_a_day_as_csv_is_one_tidy_table(venue: Desk) -> None:
    answer = venue.get("auditor", f"/api/reports/day/{today(venue)}/csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert f"gaming-day-{today(venue)}.csv" in answer.headers["content-disposition"]
    rows = rows_of(answer.text)
    assert {each["row"] for each in rows} == {
        *("table", "table-dealer", "table-kind", "dealer", "kind", "venue"),
    }
    (chip_table,) = (each for each in rows if each["row"] == "table" and each["table"] == "F1")
    assert (chip_table["win"], chip_table["win_decimal"]) == ("7000", "70.00")
    assert (chip_table["counted_win"], chip_table["counted_win_decimal"]) == ("6600", "66.00")
    assert (chip_table["difference"], chip_table["difference_decimal"]) == ("-400", "-4.00")
    assert (chip_table["drop"], chip_table["drop_counted"], chip_table["currency"]) == (
        "40000",
        "39500",
        "SGD",
    )
    assert (chip_table["open"], chip_table["date"]) == ("false", today(venue))
    (odd,) = (
        each
        for each in rows
        if (each["row"], each["table"], each["name"]) == ("table-kind", "F1", "odd")
    )
    assert (odd["turnover_decimal"], odd["rounds"], odd["closing"]) == ("20.00", "1", "")
    (whole,) = (each for each in rows if each["row"] == "venue")
    told = report(venue)
    assert int(whole["turnover"]) == told["total"]["turnover"]


def test_what_rows_are_called_and_what_alerts_there_are_is_written_down() -> None:
    page = (Path(__file__).parents[3] / "docs" / "gaming_day.md").read_text("utf-8")
    kinds = {each["row"] for each in rows_of(day_report_csv(REPORT))}
    assert kinds == {"table", "table-dealer", "table-kind", "dealer", "kind", "venue"}
    codes = {
        code for code in words("en")["sentences"] if re.fullmatch(r"PIT_\w+_(DIFFERS|LATE)", code)
    }
    assert len(codes) == 6
    for name in kinds | codes:
        assert f"`{name}`" in page, name


def test_days_as_csv(venue: Desk) -> None:
    answer = venue.get("auditor", "/api/reports/days/csv", table="F1")
    (row,) = rows_of(answer.text)
    assert (row["row"], row["book_win"], row["closing_decimal"]) == ("table", "6600", "1171.00")


def named(text: str) -> DayReport:
    """Give the document's example report, with a text wherever a person may write one."""
    built = msgspec.to_builtins(REPORT)
    table = built["tables"][0]
    built["venue"] = table["day"]["table"] = text
    table["dealers"][0]["person"] = built["dealers"][0]["person"] = text
    table["day"]["count"]["opened_by"] = text
    return msgspec.convert(built, DayReport)


def test_a_name_is_no_formula_in_csv() -> None:
    for text in ("=1+1", "+1", "-1", "@x", "\tx"):
        rows = rows_of(day_report_csv(named(text)))
        assert rows[0]["table"] == f"'{text}"
        assert rows[1]["name"] == f"'{text}"


# --- the page ------------------------------------------------------------------------------------


class Read(HTMLParser):
    """The content of a page: its elements, the files they load, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open, "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_complete_in_itself(venue: Desk, language: str) -> None:
    path = f"/api/reports/day/{today(venue)}/page"
    answer = venue.get("auditor", path, language=language)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    (policy,) = answer.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    read = Read(answer.text)
    assert ("html", {"lang": language}) in read.elements
    asks = {"src", "href", "action", "style", "srcset", "data"}
    assert not any(asks & attributes.keys() for _, attributes in read.elements)
    assert not read.count("script") + read.count("link") + read.count("img")
    assert "@import" not in answer.text
    assert "url(" not in answer.text
    assert read.count("caption") == read.count("table")
    for tag, attributes in read.elements:
        if tag == "svg":
            assert attributes["role"] == "img"
            assert attributes["aria-label"]


def test_a_page_writes_the_win_out_with_its_figures(venue: Desk) -> None:
    answer = venue.get("auditor", f"/api/reports/day/{today(venue)}/page")
    text = " ".join("".join(Read(answer.text).text).split())
    assert "Win = drop + closing − opening − fills + credits" in text
    assert "395.00 + 1,171.00 − 0.00 − 2,000.00 + 500.00 = 66.00" in text
    assert f"Gaming day{today(venue)}" in text
    hour = venue.application.gaming_days.day_starts
    assert f"Starts at{hour:02d}:00, UTC" in text
    assert "still under way" in text


def test_the_style_of_a_page_is_the_one_that_its_policy_lets_in(venue: Desk) -> None:
    answer = venue.get("auditor", f"/api/reports/day/{today(venue)}/page")
    style = answer.text.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in answer.headers["content-security-policy"]


def test_a_page_is_opened_and_its_totals_come_once(venue: Desk) -> None:
    answer = venue.get("auditor", f"/api/reports/day/{today(venue)}/page")
    assert answer.headers["content-disposition"].startswith("inline;")
    style = answer.text.partition("<style>")[2].partition("</style>")[0]
    # The browser prints a footer group again on every page of the table.
    assert "tfoot { display: table-row-group;" in style


def test_a_name_is_no_mark_up_on_a_page() -> None:
    text = "<script>alert(1)</script>\"'&"
    page = day_page(named(text), "en")
    read = Read(page)
    assert not read.count("script")
    assert "".join(read.text).count("<script>alert(1)</script>\"'&") >= 5


def test_a_day_on_which_nothing_was_played_says_so(venue: Desk) -> None:
    answer = venue.get("auditor", "/api/reports/day/2020-01-01/page")
    assert "Nothing was played on this gaming day." in answer.text
    assert "still under way" not in answer.text


def test_a_picture_has_its_marks_where_the_figures_are() -> None:
    band = WinBand(22_652, 261_968, -15_199, 299_819)
    figures = structs.replace(REPORT.total, win=131_400, theory=142_310, band=band)
    drawn = Read(band_picture(figures, "all of it")).elements
    bars = [attributes for tag, attributes in drawn if tag == "rect"]
    (line,) = (attributes for tag, attributes in drawn if tag == "line")

    def place(amount: int) -> float:
        # 128 wide between margins of 6, from the lowest to the highest: 315,018 apart.
        return 6 + (amount + 15_199) * 128 / 315_018

    assert float(str(bars[0]["x"])) == 6.0
    assert float(str(bars[0]["width"])) == 128.0
    assert float(str(bars[1]["x"])) == pytest.approx(place(22_652), abs=0.06)
    assert float(str(line["x1"])) == pytest.approx(place(142_310), abs=0.06)


# --- the pit -------------------------------------------------------------------------------------


def test_the_pit_shows_a_chip_tables_day(venue: Desk) -> None:
    chip_table = ChipTable(venue.floor, "F2")

    async def begin() -> None:
        await chip_table.set_up()
        await begin_day(chip_table, today(venue))

    venue.do(begin())
    table = table_in(pit(venue), "F2")
    assert (table["form"], table["today"]["win"]) == ("chips", WIN)
    assert (table["terminals"], table["connected"]) == (0, 0)
    assert table["day"] == {
        "date": today(venue),
        "opening": 0,
        "fills": 200_000,
        "credits": 0,
        "drop": 0,
        # The person who asks may be the one to count it.
        "in_box": None,
        # 2,000.00 less 200.00 of chips sold; 100.00 collected, 50.00 of it changed; 50.00 paid.
        "rack": 180_000,
        "seats": 2,
        "win": WIN,
        "difference": 0,
    }
    assert (table["drop"], table["out"]) == (None, 0)
    told = table_in(venue.get("auditor", "/api/pit").json(), "F2")
    assert (told["drop"], told["day"]["in_box"], told["day"]["rack"]) == (40_000, 40_000, 180_000)
    ended = table_in(pit(venue), "F1")
    assert (ended["form"], ended["day"]) == ("chips", None)
    electronic = table_in(pit(venue), "E1")
    assert (electronic["form"], electronic["day"]) == ("terminals", None)
    assert electronic["today"]["rounds"] == 5
    day = of_table(report(venue), "F2")["day"]
    assert (day["open"], day["win"], day["count"]["win"]) == (True, WIN, None)


def test_the_worst_of_a_chip_table_is_of_what_plays(venue: Desk) -> None:
    chip_table = ChipTable(venue.floor, "F4")
    full = {seat: (on("small", Pieces(10_000, 1)),) for seat in ("1", "2")}

    async def bet() -> None:
        await chip_table.set_up()
        await chip_table.open_day(today(venue))
        await chip_table.receive_fill(await chip_table.send_fill(*FLOAT), *FLOAT)
        await venue.floor.do(chip_table.stream, SUPERVISOR, OpenTable())
        for seat in full:
            bought = BuyChips(seat, (Pieces(10_000, 1),), 10_000)
            await chip_table.deal(TakeSeat(seat), bought)
        await chip_table.deal(OpenBets(), *(RecordBets(*each) for each in full.items()))

    venue.do(bet())
    table = table_in(pit(venue), "F4")
    # 200.00 lies there, and Small takes 100.00.
    assert (table["staked"], table["worst"]) == (20_000, 10_000)


def test_counts_that_differ_are_told_to_the_pit(venue: Desk) -> None:
    found = alerts_in(pit(venue), "F1")
    drop, closing = found["PIT_DROP_DIFFERS"], found["PIT_CLOSING_DIFFERS"]
    assert (drop["level"], closing["level"]) == ("watch", "watch")
    assert drop["at"] > 0
    assert drop["sentence"] == (
        f"the drop of table F1 on gaming day {today(venue)} was counted at 395.00;"
        " the books say 400.00"
    )
    assert "1,171.00" in closing["sentence"]
    assert "1,170.00" in closing["sentence"]
    assert "PIT_OPENING_DIFFERS" not in found


def test_chips_that_are_too_long_on_their_way_are_told_to_the_pit(
    venue: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip_table = ChipTable(venue.floor, "F3")
    chips = (Pieces(10_000, 5),)

    async def send() -> tuple[str, str]:
        await chip_table.set_up()
        await chip_table.open_day(today(venue))
        await chip_table.receive_fill(await chip_table.send_fill(*chips), *chips)
        return await chip_table.send_fill(*chips), await chip_table.send_credit(*chips)

    fill, credit = venue.do(send())
    assert not {"PIT_FILL_LATE", "PIT_CREDIT_LATE"} & alerts_in(pit(venue), "F3").keys()
    monkeypatch.setattr(drawer, "LATE_MS", -1)
    found = alerts_in(pit(venue), "F3")
    assert found["PIT_FILL_LATE"]["level"] == "act"
    assert f"fill {fill} of 500.00" in found["PIT_FILL_LATE"]["sentence"]
    assert f"credit {credit} of 500.00" in found["PIT_CREDIT_LATE"]["sentence"]

    async def receive() -> None:
        await chip_table.receive_fill(fill, *chips)
        await chip_table.receive_credit(credit, *chips)

    venue.do(receive())
    assert not {"PIT_FILL_LATE", "PIT_CREDIT_LATE"} & alerts_in(pit(venue), "F3").keys()


def test_days_are_there_again_after_a_stop(tmp_path: Path) -> None:
    with far_from_morning(tmp_path) as desk:
        chip_table = ChipTable(desk.floor, "F1")

        async def one_day() -> None:
            await chip_table.set_up()
            await begin_day(chip_table, today(desk))
            await end_day(chip_table)

        desk.do(one_day())
        pit(desk)
        date = today(desk)
        before = of_table(report(desk, date), "F1")
    with far_from_morning(tmp_path) as desk:
        pit(desk)
        assert of_table(report(desk, date), "F1") == before
