"""PAR sheets: every figure counted another way, the same bytes each time, and no markup let in."""

import json
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from importlib import resources
from itertools import pairwise, product
from math import sqrt

import msgspec
import pytest

import taisai
from taisai.core.rules.bets import Bet
from taisai.core.rules.dice import result_of
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.settlement import Settlement, settle
from taisai.maths.errors import MathsError
from taisai.maths.par import sheet as par
from taisai.maths.par.sheet import ROUNDS, ParSheet, par_sheet
from taisai.maths.par.writers import WRITERS, data_of, writer_for
from taisai.maths.sessions.exact import session
from taisai.rulebooks.answers import odds_of

ADDRESSES = [
    f"{key}/{number}"
    for key in ("ts6", "tso5", "etg8", "div9")
    for number in taisai.rulebook(key).pay_tables
]


def fresh_sheet_of(address: str) -> ParSheet:
    table = taisai.pay_table(address)
    return par_sheet(taisai.rulebook(table.rulebook_key), table)


sheet_of = cache(fresh_sheet_of)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_figure_is_what_216_settled_throws_come_to(address: str) -> None:
    table = taisai.pay_table(address)
    bets = [Bet("a", key, 2) for key in table.boxes]
    nets: dict[str, list[int]] = {key: [] for key in table.boxes}
    settled = {}
    for dice in product(range(1, 7), repeat=3):
        result = result_of(dice)
        if result not in settled:
            settled[result] = settle(table, result, bets)
        round_ = settled[result]
        assert isinstance(round_, Settlement)
        for bet in round_.bets:
            nets[bet.box].append(bet.back - bet.stake)
    sheet = sheet_of(address)
    for box in data_of(sheet)["boxes"]:
        net = nets[box["box"]]
        mean = Fraction(sum(net), 2 * 216)
        assert box["ways"] == sum(each > 0 for each in net) == sum(box["ways_by_price"].values())
        assert Fraction(box["probability"]) == Fraction(box["ways"], 216)
        assert Fraction(box["return"]) == 1 + mean
        assert Fraction(box["house_edge"]) == -mean
        variance = Fraction(sum(each**2 for each in net), 4 * 216) - mean**2
        assert Fraction(box["variance"]) == variance
        assert float(box["standard_deviation"]) == pytest.approx(sqrt(variance), abs=1e-11)
        assert float(box["volatility_index"]) == pytest.approx(1.6448536269 * sqrt(variance))
    assert all(check.held for check in sheet.checks)


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_sheet_agrees_with_the_odds_command(address: str) -> None:
    table = taisai.pay_table(address)
    odds = msgspec.to_builtins(odds_of(taisai.rulebook(table.rulebook_key), table))
    data = data_of(sheet_of(address))
    assert {key: data[key] for key in ("pay_table", "rulebook", "layout")} == {
        key: odds[key] for key in ("pay_table", "rulebook", "layout")
    }
    assert [
        {key: box[key] for key in told}
        for box, told in zip(data["boxes"], odds["boxes"], strict=True)
    ] == odds["boxes"]


def test_figures_a_laboratory_would_look_up() -> None:
    boxes = {box["box"]: box for box in data_of(sheet_of("etg8/1"))["boxes"]}
    assert boxes["total-8"]["return"] == "133/144"
    assert boxes["total-8"]["pays"] == "8.5"
    assert boxes["single-1"]["ways_by_price"] == {"1": 75, "2": 15, "12": 1}
    # An even chance of 35/72 has the variance 1 - 1/36².
    assert boxes["small"]["variance"] == "1295/1296"
    assert boxes["small"]["wins_on_triples"] == []
    assert (boxes["small"]["clause"], boxes["small"]["triple_clause"]) == ("4.1.1", "3.9")
    assert boxes["total-9"]["wins_on_triples"] == [[3, 3, 3]]
    assert len(boxes["any-triple"]["wins_on_triples"]) == 6


@pytest.mark.parametrize("box", ["small", "total-4", "single-3", "any-triple"])
def test_the_band_of_a_thousand_rounds_is_that_of_the_exact_session(box: str) -> None:
    (figures,) = [each for each in sheet_of("etg8/1").boxes if each.box.key == box]
    band = figures.bands[0]
    bankroll = session(figures.net, 1000).bankroll
    staked = 1000 * figures.box.step
    low, high = (int((end - 1) * staked) for end in (band.low, band.high))
    assert (low, high) == (bankroll.quantile("0.05"), bankroll.quantile("0.95"))
    assert bankroll.at_most(high) - bankroll.below(low) >= Fraction(9, 10)
    assert band.exact


def test_bands_close_in_on_the_return_as_the_usual_formula_says() -> None:
    for figures in sheet_of("ts6/2").boxes:
        back = figures.return_to_player
        widths = [band.high - band.low for band in figures.bands]
        assert widths == sorted(widths, reverse=True)
        assert all(band.low < back < band.high for band in figures.bands)
        last = figures.bands[-1]
        assert last.rounds == ROUNDS[-1] == 10**7
        # By then a session is nearly normal: the two differ by little of their width.
        assert float(last.low) == pytest.approx(last.near_low, abs=0.01 * float(widths[-1]))
        assert float(last.high) == pytest.approx(last.near_high, abs=0.01 * float(widths[-1]))


@pytest.mark.parametrize("suffix", WRITERS)
def test_the_same_rulebook_gives_the_same_bytes(suffix: str) -> None:
    write = WRITERS[suffix]
    assert write(sheet_of("div9/2")) == write(fresh_sheet_of("div9/2"))


def test_a_date_is_in_the_sheet_only_if_it_was_given() -> None:
    table = taisai.pay_table("ts6/1")
    dated = par_sheet(taisai.rulebook("ts6"), table, "1 June 2026")
    for write in WRITERS.values():
        assert "1 June 2026" in write(dated)
        assert "Dated" not in write(sheet_of("ts6/1"))


def test_a_check_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = par._settled_by_throw

    def miscounted(table: PayTable) -> dict[str, tuple[int, int, int]]:
        found = counted(table)
        wins, back, squares = found["small"]
        return {**found, "small": (wins + 1, back, squares)}

    monkeypatch.setattr(par, "_settled_by_throw", miscounted)
    sheet = fresh_sheet_of("ts6/1")
    assert [check.held for check in sheet.checks].count(False) == 1
    assert "**not held**: Ways" in WRITERS[".md"](sheet)
    assert '<li class="failed">Not held: Ways' in WRITERS[".html"](sheet)


# --- pages ---------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Reads a page: rows, words, and whether every tag is closed in its turn."""

    VOID = ("meta", "line", "circle", "polygon", "polyline")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("address", ["etg8/1", "ts6/3"])
def test_a_page_holds_every_box_and_asks_for_nothing(address: str) -> None:
    sheet = sheet_of(address)
    page = WRITERS[".html"](sheet)
    reader = read(page)
    tags = [tag for tag, _ in reader.tags]
    rows = 1 + len(sheet.boxes) + 1 + 2 * len(sheet.families)
    assert tags.count("tr") == rows
    assert tags.count("svg") == 2
    assert tags.count("thead") == 2
    assert not {"script", "link", "img", "iframe", "object"} & set(tags)
    assert not any({"src", "href", "onload"} & set(attributes) for _, attributes in reader.tags)
    assert "://" not in page
    words = " ".join(reader.words)
    assert sheet.rulebook.sha256 in words
    for figures in sheet.boxes:
        assert figures.box.key in reader.words
        assert figures.box.bet_name in reader.words


def test_markdown_rows_have_the_cells_of_their_heading() -> None:
    lines = WRITERS[".md"](sheet_of("etg8/2")).splitlines()
    for before, line in pairwise(lines):
        if before.startswith("|") and line.startswith("|"):
            assert before.count("|") == line.count("|")
    assert sum(line.startswith("| domino-") for line in lines) == 15 + 2


def hostile() -> Rulebook:
    """Make a rulebook whose words would be markup if they were not escaped."""
    text = (resources.files("taisai.rulebooks") / "etg8.toml").read_text("utf-8")
    title = 'title = "Sic Bo (also known as Tai Sai) (Electronic Table Game)"'
    assert title in text
    text = text.replace(title, 'title = "<script>alert(1)</script> | [x](y) \\u001b[2J"')
    return taisai.read_rulebook(text, "mine.toml")


def test_words_of_a_rulebook_are_never_markup() -> None:
    rulebook = hostile()
    sheet = par_sheet(rulebook, rulebook.pay_tables[1])
    page = WRITERS[".html"](sheet)
    read(page)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    text = WRITERS[".md"](sheet)
    assert r"\<script\>alert(1)\</script\> \| \[x\](y)" in text
    assert "\x1b" not in page + text
    assert json.loads(WRITERS[".json"](sheet))["rulebook"]["title"] == rulebook.content.title


def test_the_edge_of_the_player_is_told_as_a_check_that_does_not_hold() -> None:
    text = (resources.files("taisai.rulebooks") / "etg8.toml").read_text("utf-8")
    own = text.replace('pays = "8.5"', 'pays = "9.5"', 1)
    assert own != text
    rulebook = taisai.read_rulebook(own, "mine.toml", allow_player_edge=True)
    table = rulebook.pay_tables[1]
    assert table.boxes["total-8"].house_edge == Fraction(-1, 48)
    sheet = par_sheet(rulebook, table)
    assert [check.said for check in sheet.checks if not check.held] == [
        "Every box has a house edge above zero."
    ]
    read(WRITERS[".html"](sheet))
    assert "102.0833 %" in WRITERS[".md"](sheet)


def test_what_is_no_sheet_is_refused() -> None:
    with pytest.raises(MathsError, match=r"a\.pdf is no PAR sheet; name a \.md, \.html or \.json"):
        writer_for("somewhere/a.pdf")
    with pytest.raises(MathsError, match="ts6/1 is no pay table of the rulebook etg8"):
        par_sheet(taisai.rulebook("etg8"), taisai.pay_table("ts6/1"))


def test_a_box_that_never_wins_can_be_drawn_too() -> None:
    text = (resources.files("taisai.rulebooks") / "ts6.toml").read_text("utf-8")
    own = text.replace("small = { totals = [4, 5, 6, 7, 8, 9, 10],", "small = { totals = [3],", 1)
    assert own != text
    rulebook = taisai.read_rulebook(own, "mine.toml")
    sheet = par_sheet(rulebook, rulebook.pay_tables[1])
    (small,) = [figures for figures in sheet.boxes if figures.box.key == "small"]
    # A total of 3 is a triple, to which Small loses.
    assert small.return_to_player == small.variance == 0
    assert all(band.low == band.high == 0 and band.exact for band in small.bands)
    assert all(check.held for check in sheet.checks)
    read(WRITERS[".html"](sheet))


@pytest.mark.parametrize("ending", [".md", ".html"])
def test_a_document_without_a_list_of_triple_winners_has_no_heading_of_one(ending: str) -> None:
    heading = "What wins on a triple, by the document"
    write = writer_for(f"sheet{ending}")
    assert heading not in write(sheet_of("div9/2"))
    assert heading in write(sheet_of("ts6/2"))
