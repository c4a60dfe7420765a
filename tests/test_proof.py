"""A rulebook file is proved when it is loaded: each fault is refused in a sentence."""

from collections.abc import Callable
from importlib import resources

import pytest

import taisai
from taisai.core.rules.rulebook import rulebook_from_canonical
from taisai.rulebooks import KEYS
from taisai.wording import LANGUAGES


def text_of(key: str) -> str:
    return (resources.files("taisai.rulebooks") / f"{key}.toml").read_text("utf-8")


def changed(key: str, old: str, new: str, times: int = 1) -> str:
    """Spoil a rulebook file: replace `old` by `new` in its first `times` places."""
    text = text_of(key)
    assert old in text, f"{key}.toml does not say {old!r}; the test spoils nothing"
    return text.replace(old, new, times)


def faults_of(text: str) -> list[str]:
    with pytest.raises(taisai.RulebookError) as caught:
        taisai.read_rulebook(text, "spoilt.toml")
    assert all(fault.startswith("spoilt.toml, ") for fault in caught.value.faults)
    return caught.value.faults


@pytest.mark.parametrize("key", KEYS)
def test_our_own_rulebooks_are_proved_and_go_through_their_canonical_form(key: str) -> None:
    rulebook = taisai.rulebook(key)
    again = rulebook_from_canonical(rulebook.canonical, "journal")
    assert again == rulebook
    assert len(rulebook.sha256) == 64
    assert rulebook.player_edges == ()
    assert tuple(rulebook.content.summary) == LANGUAGES


def test_a_rulebook_may_have_no_summary() -> None:
    lines = text_of("ts6").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("summary."))
    assert taisai.read_rulebook(text, "x").content.summary == {}


def test_the_fingerprint_is_of_the_content_and_not_of_its_spelling() -> None:
    spaced = text_of("ts6").replace("\n\n", "\n\n# a remark\n\n")
    assert taisai.read_rulebook(spaced, "x").sha256 == taisai.rulebook("ts6").sha256
    other = changed("ts6", 'pays = "180"', 'pays = "179"')
    assert taisai.read_rulebook(other, "x").sha256 != taisai.rulebook("ts6").sha256


@pytest.mark.parametrize(
    ("old", "new", "box", "edge"),
    [
        # 21 of 216 throws at 85 to 1: 1 - 21 x 86 / 216 = -265/36
        ('pays = "8.5"', 'pays = "85"', "total-8", "-265/36"),
        # 24 of 216 at 75101 to 1: 1 - 24 x 75102 / 216 = -25031/3
        ('pays = "7.5"', 'pays = "75101"', "four-6543", "-25031/3"),
        # 24 of 216 at 75 to 1: 1 - 24 x 76 / 216 = -67/9
        ('pays = "7.5"', 'pays = "75"', "four-6543", "-67/9"),
        # 16 of 216 at 115 to 1: 1 - 16 x 116 / 216 = -205/27
        ('pays = "11.5"', 'pays = "115"', "double-1", "-205/27"),
    ],
)
def test_each_misreading_of_the_scan_is_refused(old: str, new: str, box: str, edge: str) -> None:
    faults = faults_of(changed("etg8", old, new))
    odds = new.split('"')[1]
    assert faults[0] == (
        f"spoilt.toml, pay table 1, box {box}: odds of {odds} to 1 leave a house edge of {edge}; "
        "it must be above zero"
    )
    assert all("pay table 1" in fault for fault in faults)


def test_an_edge_of_exactly_nothing_is_refused_too() -> None:
    # Single at 1, 2 and 20: 75 + 15 x 2 + 1 x 20 paid against 125 lost is a fair game.
    faults = faults_of(changed("ts6", '3 = "12"', '3 = "20"'))
    assert len(faults) == 6
    assert faults[0].endswith(
        "box single-1: odds of 1, 2, 20 to 1 leave a house edge of 0; it must be above zero"
    )


TRIPLE_CLAUSE = "loses_to_triple is a clause for small, big, odd and even, and for no other kind"

SPOILT = [
    (
        "a duplicate box",
        lambda: changed("ts6", '"domino-14", "domino-12"', '"domino-14", "domino-14"'),
        "pay table 1, box domino-14: it is listed 2 times; once is right",
    ),
    (
        "a duplicate clause",
        lambda: changed("ts6", 'number = "1.2"', 'number = "1.1"'),
        "clauses: number '1.1' is given 2 times; once is right",
    ),
    (
        "an unknown clause of a pay table",
        lambda: changed("ts6", 'clause = "4.1.2"', 'clause = "4.1.9"'),
        "pay_tables 2 clause: clause '4.1.9' is not in the rulebook's list of clauses",
    ),
    (
        "an unknown clause of a loss",
        lambda: changed("div9", 'loses = "4.1(j)"', 'loses = "4.1(z)"'),
        "kinds four loses: clause '4.1(z)' is not in the rulebook's list of clauses",
    ),
    (
        "a malformed decision",
        lambda: changed("ts6", 'decision = "D8"', 'decision = "8"'),
        "irregularities 12 decision: '8' is no decision; write it like 'D6'",
    ),
    (
        "an area pointing at no box",
        lambda: changed("ts6", '{ box = "total-17", x', '{ box = "total-18", x'),
        (
            "pay table 1, box total-18: an area of the layout points at it, "
            "but the pay table has no such box"
        ),
    ),
    (
        "a box without an area",
        lambda: changed("ts6", '{ box = "total-17", x', '{ box = "total-18", x'),
        "pay table 1, box total-17: no area of the layout points at it",
    ),
    (
        "an area over another",
        lambda: changed("ts6", '{ box = "double-6", x = 12', '{ box = "double-6", x = 11'),
        "pay table 1, box double-6: the area lies over box big",
    ),
    (
        "an area off the grid",
        lambda: changed("ts6", '{ box = "total-4", x = 78', '{ box = "total-4", x = 79'),
        "pay table 1, box total-4: the area leaves the grid of 84 by 16",
    ),
    (
        "an area without a size",
        lambda: changed(
            "ts6", '{ box = "big", x = 0, y = 0, w = 12', '{ box = "big", x = 0, y = 0, w = 0'
        ),
        "pay table 1, box big: an area needs a size of at least 1 by 1",
    ),
    (
        "a grid too fine",
        lambda: changed("ts6", "columns = 84", "columns = 8400"),
        "pay table 1, layout: a grid of 8400 by 16 must be 1 to 1000 each way",
    ),
    (
        "a caption of no box",
        lambda: changed("ts6", 'pays_of = "double-6"', 'pays_of = "odd"'),
        "pay table 1, box odd: caption each-double needs a box of kind double",
    ),
    (
        "an area that prints something twice",
        lambda: changed("ts6", '["totals", "loses-to-triple"]', '["totals", "totals"]'),
        "pay table 1, box big: an area of the layout prints something twice",
    ),
    (
        "a range of totals with gaps",
        lambda: changed("div9", 'prints = ["loses-to-triple"]', 'prints = ["totals"]'),
        "pay table 2, box odd: its totals do not follow one another, so no range is printed",
    ),
    (
        "totals of a box that has none",
        lambda: changed(
            "ts6", '{ box = "double-6", x', '{ prints = ["totals"], box = "double-6", x'
        ),
        "pay table 1, box double-6: only small, big, odd and even print totals or triples",
    ),
    (
        "a triple list with too much",
        lambda: changed(
            "ts6", '"total-9", "total-12", "total-15"', '"total-8", "total-12", "total-15"'
        ),
        "pay table 1, box total-8: the list of triple winners has it, but no triple wins it",
    ),
    (
        "a triple list with too little",
        lambda: changed("ts6", '  { clause = "3.10.3", kind = "double" },\n', ""),
        "pay table 1, box double-1: a triple wins it, but the list of triple winners lacks it",
    ),
    (
        "a triple winner of no kind",
        lambda: changed(
            "ts6", 'clause = "3.10.3", kind = "double"', 'clause = "3.10.3", kind = "pairs"'
        ),
        "triple_winners: there is no kind of bet 'pairs'",
    ),
    (
        "a Double that should lose to a triple",
        lambda: changed(
            "ts6",
            'double = { loses = "3.9" }',
            'double = { loses = "3.9", loses_to_triple = "3.10" }',
        ),
        "kind double: " + TRIPLE_CLAUSE,
    ),
    (
        "a caption that lies about one box of its kind",
        lambda: changed(
            "ts6",
            'rows = [{ name = "Double Dice Bet", pays = "11" }]',
            'rows = [{ name = "A", pays = "9", boxes = ["double-1"] }, { name = "B", pays = "11", '
            'boxes = ["double-2", "double-3", "double-4", "double-5", "double-6"] }]',
        ),
        "pay table 1, box double-6: caption each-double prints odds that not every double box pays",
    ),
    (
        "a Differential where limits are each player's own",
        lambda: changed(
            "etg8", 'scope = "player"', 'scope = "player"\ndifferential_pairs = [["big", "small"]]'
        ),
        "limits: a Differential goes with boxes that all players share",
    ),
    (
        "a side of two Differentials",
        lambda: changed("ts6", '["odd", "even"]', '["odd", "small"]'),
        "limits: 'small' is in 2 pairs of the Differential; one is right",
    ),
    (
        "a box that does not exist",
        lambda: changed("ts6", '"domino-14", "domino-12"', '"domino-41", "domino-12"'),
        "pay table 1, box domino-41: there is no such box",
    ),
    (
        "a box of another kind",
        lambda: changed("ts6", '"domino-14", "domino-12"', '"double-1", "domino-12"'),
        "pay table 1, box double-1: it is of kind double, not domino",
    ),
    (
        "a box that no row prices",
        lambda: changed("ts6", 'boxes = ["total-4", "total-17"] }', 'boxes = ["total-4"] }'),
        "pay table 1, box total-17: 0 rows of the pay table price it; one is right",
    ),
    (
        "a box that two rows price",
        lambda: changed(
            "ts6",
            'boxes = ["total-4", "total-17"] }',
            'boxes = ["total-4", "total-17", "total-5"] }',
        ),
        "pay table 1, box total-5: 2 rows of the pay table price it; one is right",
    ),
    (
        "a row for a box that is not listed",
        lambda: changed(
            "ts6", 'boxes = ["total-4", "total-17"] }', 'boxes = ["total-4", "total-17", "odd"] }'
        ),
        (
            "pay table 1, box odd: row 'Total Sum Combination (4 or 17) Bet' prices it, "
            "but it is not listed"
        ),
    ),
    (
        "a kind without boxes",
        lambda: changed("ts6", 'kind = "small"\nboxes = ["small"]', 'kind = "small"\nboxes = []'),
        "pay table 1, kind small: it lists no box",
    ),
    (
        "a kind twice",
        lambda: changed("ts6", 'kind = "big"\nboxes = ["big"]', 'kind = "small"\nboxes = ["big"]'),
        "pay table 1, bets: kind 'small' is given 2 times; once is right",
    ),
    (
        "a kind the rulebook does not define",
        lambda: changed("ts6", "\npair = { loses", "\ntriple-2 = { loses"),
        "pay table 2, kind pair: it is not among the rulebook's kinds",
    ),
    (
        "a kind that does not exist",
        lambda: changed("ts6", "\npair = { loses", "\ntriple-2 = { loses"),
        (
            "kind triple-2: there is no such kind of bet; the kinds are small, big, odd, even, "
            "single, total, domino, double, any-triple, triple, four, three, pair"
        ),
    ),
    (
        "Small without totals",
        lambda: changed("ts6", "small = { totals = [4, 5, 6, 7, 8, 9, 10], ", "small = { "),
        "kind small: totals are listed for small, big, odd and even, and for no other kind",
    ),
    (
        "a total that three dice cannot show",
        lambda: changed("ts6", "totals = [4, 5, 6, 7", "totals = [2, 5, 6, 7"),
        "kind small: totals [2, 5, 6, 7, 8, 9, 10] must be different numbers from 3 to 18",
    ),
    (
        "a loss to a triple without its clause",
        lambda: changed("ts6", ', loses_to_triple = "3.10" }', " }"),
        "kind small: " + TRIPLE_CLAUSE,
    ),
    (
        "one price where three are due",
        lambda: changed("ts6", 'pays = { 1 = "1", 2 = "2", 3 = "12" }', 'pays = "1"'),
        "pay table 1, box single-1: pays must be a price each for 1, 2 and 3 dice",
    ),
    (
        "three prices where one is due",
        lambda: changed("ts6", 'pays = "180"', 'pays = { 1 = "180" }'),
        "pay table 1, box triple-1: pays must be one price",
    ),
    (
        "a price for four dice",
        lambda: changed("ts6", '3 = "12"', '4 = "12"'),
        "pay table 1, box single-1: pays names ['1', '2', '4'] dice; 1, 2 and 3 are right",
    ),
    (
        "odds that are no number",
        lambda: changed("ts6", 'pays = "180"', 'pays = "180to1"'),
        "pay table 1, box triple-1: '180to1' is no odds; write them like '62', '8.5' or '35/3'",
    ),
    (
        "odds over nothing",
        lambda: changed("ts6", 'pays = "180"', 'pays = "180/0"'),
        "pay table 1, box triple-1: '180/0' divides by zero; write odds like '62', '8.5' or '35/3'",
    ),
    (
        "odds of nothing",
        lambda: changed("ts6", 'pays = "180"', 'pays = "0"'),
        "pay table 1, box triple-1: odds of 0 to 1 pay nothing; odds are above zero",
    ),
    (
        "a pay table twice",
        lambda: changed("ts6", "number = 2\n", "number = 1\n"),
        "pay_tables: number 1 is given 2 times; once is right",
    ),
    (
        "a pay table numbered nought",
        lambda: changed("ts6", "number = 2\n", "number = 0\n"),
        "pay table 0: the number must be 1 or more",
    ),
    (
        "no pay table",
        lambda: (
            text_of("ts6")
            .partition("# Pay Table 1")[0]
            .replace("[limits]", "[limits]")
            .replace("people = [", "pay_tables = []\npeople = [", 1)
        ),
        "pay_tables: there is none; a rulebook has at least one pay table",
    ),
    (
        "a key with capitals",
        lambda: changed("ts6", 'key = "ts6"', 'key = "TS 6"'),
        "key: 'TS 6' is no key; lower-case letters, digits and dashes make one",
    ),
    (
        "a time without a zone",
        lambda: changed("ts6", "08:00:00+08:00", "08:00:00"),
        "effective: the time has no zone; write it like 2023-10-06T08:00:00+08:00",
    ),
    (
        "a ruling out of thin air",
        lambda: changed("ts6", ', ruling = "settle", clause = "5.3"', ', ruling = "settle"'),
        "irregularity walked-away: neither a clause nor a decision rules it",
    ),
    (
        "a person out of thin air",
        lambda: changed("div9", ', decision = "D6" },\n]', " },\n]"),
        "person shift-manager: neither a clause nor a decision names the role",
    ),
    (
        "pro rata of one player",
        lambda: changed("ts6", 'scope = "box"', 'scope = "player"'),
        (
            "limits: ['player', 'pro-rata', 'stands'] do not go together; "
            "['box', 'pro-rata', 'stands'] and ['player', 'refused', 'refused'] do"
        ),
    ),
    (
        "pro rata without its clause",
        lambda: changed("ts6", 'pro_rata_clause = "5.1.1"\n', ""),
        "limits: pro_rata_clause is missing; what plays outside the limits cites its clause",
    ),
    (
        "a refusal without its decision",
        lambda: changed(
            "etg8", 'below_minimum = "refused"\n', 'below_minimum = "refused"\n#'
        ).replace('decision = "D6"\n', "\n", 1),
        "limits: a bet outside the limits is refused, and no decision says why",
    ),
    (
        "a Differential without its clause",
        lambda: changed("ts6", 'differential_clause = "1.3"\n', ""),
        "limits: differential_clause is missing; the Differential cites its clause",
    ),
    (
        "a Differential of unlike boxes",
        lambda: changed("ts6", '["big", "small"]', '["big", "total-4"]'),
        "limits: ['big', 'total-4'] is no pair for the Differential; ['big', 'small'] is",
    ),
    (
        "a Differential with one side",
        lambda: changed("ts6", '["big", "small"], ["odd", "even"]', '["big", "even"]'),
        "pay table 1, box big: the other side of its Differential is not on the table",
    ),
    (
        "a summary in no language",
        lambda: changed("ts6", "summary.zh-Hans", "summary.Chinese"),
        "summary: 'Chinese' is no language; write it like 'en' or 'zh-Hans'",
    ),
    (
        "a summary that is not in English",
        lambda: changed("ts6", "summary.en", "summary.fr"),
        "summary: there is none in English, which others fall back on; write summary.en",
    ),
    (
        "a game for no table",
        lambda: changed("ts6", 'forms = ["chips"]', "forms = []"),
        "approval: a form of table and a source of dice are wanted, at least one each",
    ),
    (
        "a part of the procedure that is nobody's",
        lambda: changed("div9", 'by = ["supervisor"]\nuntil', "by = []\nuntil"),
        "procedure amendment by: nobody is named; name at least one role",
    ),
    (
        "a part of the procedure that is a stranger's",
        lambda: changed("div9", 'by = ["supervisor"]\ntitle', 'by = ["pit-manager"]\ntitle'),
        "procedure opening by: role 'pit-manager' is not among the rulebook's people",
    ),
    (
        "an LED without its clause",
        lambda: changed("div9", 'echo_clause = "3.3(a)(iii)"\n', ""),
        "procedure entry: echo and echo_clause go together",
    ),
    (
        "a ruling against the procedure",
        lambda: changed("div9", 'until = "settlement"', 'until = "any-time"'),
        (
            "irregularity wrong-entry: procedure and limits make it 'dice-prevail', "
            "not 'amend-before-settlement'"
        ),
    ),
    (
        "a ruling against the limits",
        lambda: changed("ts6", 'ruling = "reject-then-pro-rata"', 'ruling = "refuse"'),
        (
            "irregularity over-limit: procedure and limits make it 'reject-then-pro-rata', "
            "not 'refuse'"
        ),
    ),
    (
        "a ruling by another clause than the limits'",
        lambda: changed("ts6", 'pro-rata", clause = "5.1",', 'pro-rata", clause = "5.2",'),
        "irregularity over-limit: procedure and limits cite '5.1' for it, not '5.2'",
    ),
    (
        "a ruling that no table could carry out",
        lambda: changed("etg8", 'ruling = "return-bets"', 'ruling = "settle"'),
        "irregularity terminal-lost-unregistered: it is ruled return-bets, not settle",
    ),
    (
        "an announcement without words",
        lambda: changed("ts6", 'opens_words = "Place your Bets, please"\n', ""),
        "procedure betting: an announcement has opens_words, and a notice has none",
    ),
]


@pytest.mark.parametrize(
    ("spoil", "fault"), [case[1:] for case in SPOILT], ids=[case[0] for case in SPOILT]
)
def test_a_fault_is_refused_in_a_sentence(spoil: Callable[[], str], fault: str) -> None:
    assert f"spoilt.toml, {fault}" in faults_of(spoil())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("this is = not = toml", "spoilt.toml, not TOML: "),
        ("x = " + "[" * 5000, "spoilt.toml, not a rulebook: it is nested too deeply"),
        ('key = "mine"', "spoilt.toml, not a rulebook: the key 'title' is missing"),
        (
            "surprise = 1\n" + text_of("ts6"),
            "spoilt.toml, not a rulebook: there is no key 'surprise'",
        ),
    ],
)
def test_what_is_no_rulebook_at_all_is_refused(text: str, fault: str) -> None:
    (found,) = faults_of(text)
    assert found.startswith(fault)


def test_what_is_no_canonical_form_is_refused() -> None:
    with pytest.raises(taisai.RulebookError, match="journal, not a canonical rulebook: "):
        rulebook_from_canonical(b"{}", "journal")


def test_a_players_edge_is_taken_where_asked_for_and_named() -> None:
    text = changed("ts6", 'pays = "180"', 'pays = "216"')
    rulebook = taisai.read_rulebook(text, "generous.toml", allow_player_edge=True)
    assert rulebook.player_edges == tuple(f"ts6/1 triple-{face}" for face in range(1, 7))
    with pytest.raises(taisai.RulebookError):
        rulebook_from_canonical(rulebook.canonical, "journal")


def test_odds_may_be_written_without_quotes() -> None:
    bare = changed("etg8", 'pays = "8.5"', "pays = 8.5")
    assert str(taisai.read_rulebook(bare, "x").pay_tables[1].boxes["total-8"].odds[0]) == "17/2"
    whole = changed("etg8", 'pays = "12"', "pays = 12")
    assert taisai.read_rulebook(whole, "x").sha256 != taisai.rulebook("etg8").sha256
