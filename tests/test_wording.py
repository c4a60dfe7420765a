"""The sentences: complete in three languages, each with its blanks."""

import ast
import json
import re
import string
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import taisai
import taisai.protocol.client_messages  # importing it registers every command
from taisai.core.kernel.messages import Equipment, Role
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.boxes import BOX_NAMES, Kind
from taisai.core.rules.dice import RESULTS, call_of
from taisai.core.rules.outcome import losing_reason, winning_reason
from taisai.core.rules.reason import Reason, because
from taisai.core.rules.schema import IrregularityContent
from taisai.core.table.chips.layout_bets import BetPutRight
from taisai.rulebooks import KEYS
from taisai.wording import (
    LANGUAGES,
    name,
    name_box,
    plain,
    say_again,
    told,
    word_area,
    words,
    write_amount,
)

SOURCE = Path(taisai.__file__).parent


def blanks(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def codes_given() -> set[str]:
    """Collect every code the program gives, literal or made from a kind."""
    codes = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                codes.add(node.value)
    return codes


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_sentence_with_the_same_blanks(language: str) -> None:
    english, other = words("en"), words(language)
    for section, templates in english.items():
        assert set(other[section]) == set(templates)
        for code, template in templates.items():
            assert blanks(other[section][code]) == blanks(template), code


def reasons_of_outcomes() -> list[Reason]:
    reasons = [call_of(result) for result in RESULTS]
    for address in ("div9/2", "ts6/3", "etg8/1"):
        for box in taisai.pay_table(address).boxes.values():
            for result in RESULTS:
                odds = box.odds_on(result)
                if odds is None:
                    reasons.append(losing_reason(box.name, result))
                else:
                    reasons.append(winning_reason(box.name, odds, result))
    return reasons


def test_every_outcome_of_every_box_is_a_sentence_that_fills_its_blanks() -> None:
    used = set()
    for reason in reasons_of_outcomes():
        assert set(reason.params) >= blanks(words("en")["sentences"][reason.code]), reason
        for language in LANGUAGES:
            said = taisai.say(reason, language)
            assert "{" not in said
            assert said.strip() == said
        used.add(reason.code)
    unused = {
        code
        for code in words("en")["sentences"]
        if code.endswith(("_WINS", "_LOSES")) or "_WINS_" in code or "_LOSES_" in code
    } - used
    assert unused == set()


def test_no_sentence_is_left_over() -> None:
    made = {reason.code for reason in reasons_of_outcomes()}
    bad_limits = {f"BAD_LIMITS_{code}" for code in codes_given()}
    keys = {f"{what}_KEY_OF_{code}" for what in ("UNKNOWN", "MISSING") for code in codes_given()}
    # The sentences of events and requests are named after their classes, and tested one by one with
    # the records.
    named = {code for code in words("en")["sentences"] if code.startswith(("EVENT_", "REQUEST_"))}
    assert set(words("en")["sentences"]) <= made | codes_given() | bad_limits | keys | named


def test_sentences_read_as_people_expect() -> None:
    def said(address: str, box: str, dice: tuple[int, int, int]) -> str:
        settlement = taisai.settle(
            taisai.pay_table(address), taisai.result_of(dice), [taisai.Bet("a", box, 100)]
        )
        assert isinstance(settlement, taisai.Settlement)
        return taisai.say(settlement.bets[0].reason)

    assert (
        said("ts6/2", "small", (2, 2, 2)) == "Small loses: triple 2 takes every Small and Big bet"
    )
    assert said("ts6/2", "odd", (5, 5, 5)) == "Odd loses: triple 5 takes every Odd and Even bet"
    assert said("ts6/2", "big", (1, 2, 3)) == "Big loses: total 6 is not big"
    assert said("ts6/2", "even", (1, 2, 3)) == (
        "Even wins at 1 to 1: total 6 is even, and the dice are no triple"
    )
    assert said("ts6/2", "double-4", (4, 4, 4)) == (
        "Double 4 wins at 11 to 1, once only: all three dice show 4"
    )
    assert said("ts6/2", "domino-12", (1, 1, 3)) == "Domino 1 and 2 loses: no die shows 2"
    assert said("ts6/2", "domino-12", (4, 4, 3)) == (
        "Domino 1 and 2 loses: the dice show neither 1 nor 2"
    )
    assert said("ts6/2", "four-6543", (6, 6, 5)) == (
        "Four Numbers 6543 loses: 5, 6 and 6 are not three different numbers"
    )
    assert said("ts6/2", "four-6543", (1, 6, 5)) == (
        "Four Numbers 6543 loses: 1 is not one of the four numbers"
    )
    assert said("etg8/1", "total-8", (1, 1, 6)) == (
        "Total 8 wins at 8.5 to 1: the dice add up to 8"
    )


def test_every_box_has_a_name_of_its_own_in_every_language() -> None:
    for language in LANGUAGES:
        names = {name_box(key, language) for key in BOX_NAMES}
        assert len(names) == len(BOX_NAMES) == 117
    assert {box.kind for box in BOX_NAMES.values()} == set(Kind)


def test_every_caption_on_our_chip_tables_has_words() -> None:
    blanks_given = {"odds": "1", "one": "1", "two": "2", "three": "12"}
    used = {"pays"}
    for key in KEYS:
        for table in taisai.rulebook(key).pay_tables.values():
            for printed in table.layout.captions:
                used.add(printed.code)
                for language in LANGUAGES:
                    assert "{" not in name("captions", printed.code, language, **blanks_given)
            for area in table.layout.areas:
                used |= set(area.prints)
                for language in LANGUAGES:
                    assert "{" not in "".join(word_area(table, area, language))
    assert used == set(words("en")["captions"])


@pytest.mark.parametrize(
    ("cents", "written"),
    [(0, "0.00"), (5, "0.05"), (123456, "1,234.56"), (-150, "-1.50"), (10**9, "10,000,000.00")],
)
def test_amounts_are_written_for_people(cents: int, written: str) -> None:
    assert write_amount(cents) == written


def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(words("zh-Hans")["sentences"], "CALL_TRIPLE", "")
    assert taisai.say(because("CALL_TRIPLE", face=2, total=6), "zh-Hans") == "triple 2, total 6"


def test_every_command_and_every_role_has_a_name() -> None:
    assert {each.__name__ for each in COMMANDS} | {"Deal"} == set(words("en")["commands"])
    roles = {role for part in get_args(Role) for role in get_args(part)}
    assert roles | {"visitor"} == set(words("en")["roles"])
    refused = because("NOT_ALLOWED", role="pit-manager", command="RecordBets")
    assert taisai.say(refused) == "no pit manager may record bets on the layout"
    assert taisai.say(refused, "zh-Hans") == "赌区经理不可记录台面投注"
    elsewhere = because("NOT_ALLOWED", role="dealer", command="GET /metrics")
    assert taisai.say(elsewhere) == "no dealer may GET /metrics"


#: Former Chinese names of things, each with the only present one; in both scripts.
OTHER_NAMES = {
    "a supervisor (主任)": "主管",
    "a seat of a chip table (号座位)": "号位|號位",
    "the map of the floor (场地图)": "楼面图|樓面圖",
    "what plays of a bet (有效)": "参与|參與",
    # A large win alone is 人工派彩 or 人手派彩: paid by hand, as on the button.
    "paying (赔付)": "(?<!人工)(?<!人手)派彩|派付",
    "collecting (收取)": "收注",
    "a process (进程)": "[一个個]程序",
    "a chance (概率)": "机会|機會",
    "no round yet (尚未开局)": "未进行任何一局|未進行任何一局",
    "a camera (摄像头, 鏡頭)": "相机|相機|攝像",
    "a large win (大额赢彩)": "大额赢注|大額贏注",
    "the staff (职员)": "服务员|服務員|员工|員工",
    "a die (粒)": "[颗顆]骰",
    "bets on the layout (台面投注)": "[台檯]上投注",
    "a drawer of the cage (钱箱)": "现金箱|現金箱",
    "the round is void (本局作废)": "此局作[废廢]",
    "the house (赌场)": "场馆|場館|场地(?!图)|場地(?!圖)|(?<![赌本])场所|(?<![賭本])場所",
    "the house edge (庄家优势)": "赌场优势|賭場優勢",
    "closing a table (关台)": "收台|收檯",
    "dragging (拖动, 拖曳)": "拖動|拖拽",
}


@pytest.mark.parametrize("thing", OTHER_NAMES)
def test_one_thing_has_one_name_in_chinese_on_every_screen(thing: str) -> None:
    screens = Path(__file__).parents[1] / "web" / "src" / "words"
    files = [*SOURCE.glob("wording/*zh-*.toml"), *screens.glob("zh-*/*.json")]
    assert {path.parent.name for path in files} == {"wording", "zh-Hans", "zh-Hant"}
    assert [
        f"{path.parent.name}/{path.name}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(OTHER_NAMES[thing], line)
    ] == []


def test_traditional_chinese_has_its_own_quotation_marks() -> None:
    screens = Path(__file__).parents[1] / "web" / "src" / "words"
    files = [*SOURCE.glob("wording/*zh-Hant.toml"), *screens.glob("zh-Hant/*.json")]
    assert len(files) > 2
    # What stands before the sign of a table is the English that it is in place of.
    assert [
        f"{path.name}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search("[“”]", line.rpartition('" = "')[2])
    ] == []


def test_every_code_that_an_event_has_within_its_sentence_has_words() -> None:
    rulings = get_args(get_type_hints(IrregularityContent)["ruling"])
    reasons = get_args(get_type_hints(BetPutRight)["reason"])
    sources = ("keyed", "device", "declared")
    tumblers = get_args(get_type_hints(Equipment)["tumbler"])
    forms = ("chips", "terminals")
    of_tables = {*tumblers, *forms}
    # A round that was cut short may wait for its ruling [D9].
    assert {*rulings, "wait", *reasons, *sources, *of_tables} == set(words("en")["codes"])
    drawn = because("NOT_FOR_DICE", approved="keyed, reader", here="simulated")
    assert taisai.say(drawn, "zh-Hans").endswith("为荷官输入、设备读取，而本桌为服务器模拟")
    other = because("NOT_FOR_OPERATOR", approved="One House", here="Another, and Sons")
    assert taisai.say(other).endswith(
        "approved for One House, and the house is operated by Another, and Sons"
    )
    tested = because("EVENT_LAYOUT_TESTED", by="sue", faces="1 1 1", lit="small, triple-1")
    assert taisai.say(tested, "zh-Hans").endswith("亮起 小, 围骰 1")
    issued = because("EVENT_VOUCHER_ISSUED", place="counter", serial=7, value_cents=500)
    assert taisai.say(issued, "zh-Hans") == "发出凭单 7，面值 5.00（柜台）"
    changed = because("EVENT_ROLES_CHANGED", by="a", second="b", person="c", roles="dealer, cage")
    assert taisai.say(changed, "zh-Hant").endswith("荷官、賬房出納")
    given = because("EVENT_COLOUR_RELEASED", seat="2", colour="red")
    assert "紅" in taisai.say(given, "zh-Hant")
    busy = {name: because("BUSY", stream=name) for name in ("cage", "venue", "table/SB-1")}
    said = [taisai.say(each, "zh-Hans").split("，")[0] for each in busy.values()]
    assert all(name in text for name, text in zip(("账房", "赌场", "赌桌 SB-1"), said, strict=True))
    unlit = because("EVENT_LAYOUT_TESTED", by="sue", faces="1 1 1", lit="–")
    assert taisai.say(unlit) == "test run by sue: 1 1 1 entered, lit were –"


def calls_of(*names: str) -> set[str]:
    """Collect the codes that are the first argument of functions with these names."""
    return {
        node.args[0].value
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in names
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def test_whatever_is_refused_has_a_sentence() -> None:
    codes = calls_of("refuse", "not_found", "busy", "told")
    assert "UNKNOWN_TABLE" in codes, "the search finds what it is meant to find"
    assert codes <= set(words("en")["sentences"])


def test_what_was_told_is_said_in_another_language_with_the_sentences_in_its_blanks() -> None:
    why = told("BYTE_NOT_AS_HASHED", byte=7, field="data", found="0x67", expected="0x66")
    breaks = told("FAULT_BREAKS", stream="table/T1", version=3, why=why)
    error = ValueError(breaks)
    assert f"{error}" == (
        "table/T1 breaks at version 3: byte 7 of its data is 0x67, and its hash is of 0x66"
    )
    assert say_again(str(error), "zh-Hans") == (
        "赌桌 T1 在版本 3 处断裂：其数据的第 7 字节为 0x67，而哈希所依据的是 0x66"
    )
    assert say_again("the disk is full", "zh-Hans") == "the disk is full"
    written = plain(breaks.reason, 40)
    assert type(written.params["why"]) is str
    assert written.params["why"] == "byte 7 of its data is 0x67, and its hash"


def test_only_what_is_wrong_with_a_request_itself_is_told_in_english_alone() -> None:
    written = (SOURCE / "server/http").rglob("*.py")
    found = {
        code
        for path in written
        for code in re.findall(r'raise ProblemError\(\s*[\w.]+, "(\w+)"', path.read_text("utf-8"))
    }
    assert found == {
        *("BODY_BROKEN_OFF", "UNKNOWN_PARAMETER", "ADDRESS_TOO_LONG"),
        *("UNKNOWN_HOST", "OTHER_ORIGIN"),
    }


def test_each_notice_of_the_venue_has_a_name_on_the_screens() -> None:
    codes: set[str] = set()
    for path in (SOURCE / "runtime").rglob("*.py"):
        codes |= set(re.findall(r'announce[(,]\s*\w+, "([\w-]+)"', path.read_text("utf-8")))
    assert {"suspended", "clock", "unverified"} <= codes
    for language in LANGUAGES:
        page = SOURCE.parents[1] / "web/src/words" / language / "audit.json"
        named = {key.removeprefix("notice_") for key in json.loads(page.read_text("utf-8"))}
        assert codes <= named
