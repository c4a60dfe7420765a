"""The clause ledger: complete and fresh, with complaints when it is not."""

import ast
from pathlib import Path
from typing import Any

import pytest

from taisai.rulebooks import KEYS
from tools import clause_ledger
from tools.clause_ledger import (
    LEDGER,
    ByHand,
    Document,
    Entry,
    LedgerError,
    Standing,
    citations_in,
    clause_of,
    complaints,
    data_by_clause,
    docstrings_in,
    entries_of,
    is_below,
    keys_of,
    main,
    named_tests,
    read_documents,
    read_issues,
    render,
    rows_of,
    stale,
    transcribed_in,
)

ISSUES = {"3": "the electronic table"}
RULEBOOK: dict[str, Any] = {
    "title": "A game",
    "publisher": "Nobody",
    "clauses": [
        {"number": "1", "gist": "A heading."},
        {"number": "1.1", "gist": "Limits are shown."},
        {"number": "1.1(a)", "gist": "On the layout."},
        {"number": "Appendix A", "gist": "The layout."},
    ],
    "limits": {"displayed_clause": "1.1", "decision": "D6"},
}
CODE = {"1.1(a)": ["core.rules.limits.set_limits"]}
NOT_SOFTWARE = "it is a heading"
SOUND = Document(
    key="made",
    transcribed=["1", "1.1", "1.1(a)", "Appendix A"],
    rulebook=RULEBOOK,
    entries={
        "1": Entry(not_software="it is a heading"),
        "Appendix A": Entry(issue={"3": "the layout"}),
    },
    code=CODE,
    tests={"test_made.py": ["test_1_1_limits_are_shown", "test_1_1_a_the_layout_shows_them"]},
    taken_out=frozenset({"1.1", "1.1(a)"}),
)


def changed(**fields: Any) -> Document:
    """Copy the sound document with some fields changed."""
    sound = {name: getattr(SOUND, name) for name in SOUND.__struct_fields__}
    return Document(**{**sound, **fields})


def entry(number: str, **fields: Any) -> dict[str, Entry]:
    """Give the sound document's entries with one of them changed."""
    return {**SOUND.entries, number: Entry(**fields)}


# --- the ledger of the project -------------------------------------------------------------------


def test_every_clause_of_every_document_is_accounted_for() -> None:
    assert list(complaints(read_documents(), read_issues())) == []


def test_the_ledger_is_fresh() -> None:
    assert list(stale(LEDGER, render(read_documents(), read_issues()))) == []


def test_the_ledger_has_a_row_for_every_transcribed_clause() -> None:
    # Counted by hand in the transcriptions.
    rows = {document.key: rows_of(document) for document in read_documents()}
    assert {key: len(rows[key]) for key in KEYS} == {"ts6": 67, "tso5": 67, "etg8": 59, "div9": 100}
    text = LEDGER.read_text("utf-8")
    assert all(f"\n| {row.number} | {row.gist} |" in text for each in rows.values() for row in each)


# --- its complaints ------------------------------------------------------------------------------


def test_a_sound_document_gives_no_complaint() -> None:
    assert list(complaints([SOUND], ISSUES)) == []
    assert [row.standing for row in rows_of(SOUND)] == [
        Standing.NOT_SOFTWARE,
        Standing.CARRIED_OUT,
        Standing.CARRIED_OUT,
        Standing.COMING,
    ]


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (
            changed(transcribed=[*SOUND.transcribed, "1.2"], entries=entry("1.2")),
            "made 1.2 is transcribed, but the rulebook does not list it.",
        ),
        (
            changed(transcribed=[*SOUND.transcribed, "1.1"]),
            "made 1.1 is transcribed 2 times; once is right.",
        ),
        (
            changed(code=CODE | {"7.7": ["core.rules.limits.set_limits"]}),
            "core.rules.limits.set_limits cites made 7.7, which does not exist.",
        ),
        (
            changed(code=CODE | {"7…": ["web/src/play/index.tsx"]}),
            "web/src/play/index.tsx cites made 7…, which does not exist.",
        ),
        (
            changed(tests={**SOUND.tests, "test_made_more.py": ["test_9_9_nothing"]}),
            "tests/rules/test_made_more.py: test_9_9_nothing is named by no clause of made.",
        ),
        (
            changed(entries=entry("7.7")),
            "tools/ledger/made.toml, 7.7: made has no such clause.",
        ),
        (
            changed(entries=entry("Appendix A", issue={"2": "the layout"})),
            (
                "tools/ledger/made.toml, Appendix A: issue 2 is not open; "
                "say what carries the clause out now."
            ),
        ),
        (
            changed(entries=entry("1", not_software=NOT_SOFTWARE, issue={"3": "more"})),
            "tools/ledger/made.toml, 1: it is not software, and yet has an issue; one is right.",
        ),
        (
            changed(code=CODE | {"1": ["core.rules.limits"]}),
            "made 1 is called not software, but the rulebook, code or a test holds it.",
        ),
        (
            changed(entries=entry("1.1", not_software="a sign on the wall")),
            "made 1.1 is called not software, but the rulebook, code or a test holds it.",
        ),
        (
            changed(taken_out=SOUND.taken_out | {"7.7"}),
            "tools/ledger/edits.toml: made has no clause 7.7.",
        ),
        (
            changed(entries=entry("1.1", shown="a sign on the wall")),
            "made 1.1 is shown, but tools/ledger/edits.toml takes it out.",
        ),
    ],
)
def test_what_does_not_hold_is_named_in_a_sentence(document: Document, sentence: str) -> None:
    assert sentence in list(complaints([document], ISSUES))


def test_a_clause_of_the_rulebook_that_was_not_transcribed_is_named() -> None:
    document = changed(
        transcribed=["1", "1.1", "1.1(a)"],
        entries={"1": SOUND.entries["1"]},
    )
    expected = "made Appendix A is in the rulebook's list, but was not transcribed."
    assert list(complaints([document], ISSUES)) == [expected]


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (changed(tests={}), "made 1.1 is unaccounted for: it has no test. Name a test test_1_1_…,"),
        (
            changed(code={}),
            (
                "made 1.1(a) is unaccounted for: it has neither data nor code. "
                "Name a test test_1_1_a_…,"
            ),
        ),
    ],
)
def test_a_clause_unaccounted_for_is_named_with_what_it_lacks(
    document: Document, what: str
) -> None:
    assert any(sentence.startswith(what) for sentence in complaints([document], ISSUES))


def test_a_clause_whose_behaviour_nothing_takes_out_is_not_carried_out() -> None:
    document = changed(taken_out=frozenset({"1.1(a)"}))
    (sentence,) = complaints([document], ISSUES)
    assert sentence.startswith("made 1.1 is not carried out: nothing shows that a test fails")


def test_a_clause_that_is_only_shown_says_so() -> None:
    document = changed(entries=entry("1.1", shown="a sign"), taken_out=frozenset({"1.1(a)"}))
    assert list(complaints([document], ISSUES)) == []
    assert rows_of(document)[1].standing is Standing.SHOWN


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "clause"),
    [
        ("test_4_1_d_ii_triple_wins", "4.1(d)(ii)"),
        ("test_4_1_d_doubles", "4.1(d)"),
        ("test_4_10_odds", "4.10"),
        ("test_4_1_bets", "4.1"),
        ("test_appendix_a_cells", "Appendix A"),
        ("test_4_100_nothing", None),
        ("test_4_1more", None),
    ],
)
def test_a_test_belongs_to_the_longest_number_its_name_starts_with(
    test: str, clause: str | None
) -> None:
    numbers = ["4.1", "4.1(d)", "4.1(d)(ii)", "4.10", "Appendix A"]
    assert clause_of(test, numbers) == clause


def test_a_file_counts_for_the_rulebooks_its_name_starts_with() -> None:
    assert keys_of("test_ts6_tso5.py") == ["ts6", "tso5"]
    assert keys_of("test_ts6_tso5_irregularities.py") == ["ts6", "tso5"]
    assert keys_of("test_div9_bets.py") == ["div9"]
    assert keys_of("test_decisions.py") == []


def test_citations_are_found_wherever_a_rulebook_has_them() -> None:
    rulebook = {
        "kinds": {
            "small": {"loses": "3.9", "loses_to_triple": "3.10"},
            "big": {"loses": "3.9", "loses_to_triple": "3.10"},
            "four": {"loses": "3.9"},
        },
        "limits": {"pro_rata_clause": "5.1.1"},
        "irregularities": [{"code": "over-limit", "clause": "5.1", "decision": "D4"}],
        "procedure": {"tumble": {"clause": "3.7"}},
        "pay_tables": [
            {
                "number": 1,
                "clause": "4.1.1",
                "bets": [{"kind": "small", "boxes": ["small"], "rows": [{"pays": "1"}]}],
                "layout": {"clause": "Appendix A", "examples_clause": "Appendix B"},
            }
        ],
    }
    assert data_by_clause(rulebook) == {
        "3.9": ["kinds.*.loses"],
        "3.10": ["kinds.{small, big}.loses_to_triple"],
        "5.1.1": ["limits.pro_rata_clause"],
        "5.1": ["irregularities over-limit"],
        "3.7": ["procedure.tumble.clause"],
        "4.1.1": ["pay_tables 1", "pay_tables 1.bets (rows: 1, boxes: 1)"],
        "Appendix A": ["pay_tables 1.layout.clause"],
        "Appendix B": ["pay_tables 1.layout.examples_clause"],
    }


def test_a_citation_may_name_several_clauses_of_several_documents() -> None:
    text = "Share it [ts6 5.1.1] [D2].\n\n[ts6 3.2,\n    3.6; div9 4.1…] [etg8] [other 1]"
    assert list(citations_in(text)) == [
        ("ts6", "5.1.1"),
        ("ts6", "3.2"),
        ("ts6", "3.6"),
        ("div9", "4.1…"),
    ]


def test_a_citation_counts_for_what_its_docstring_is_about() -> None:
    source = 'class Box:\n    """A box [ts6 1.1]."""\n    def lit(self):\n        """Say."""\n'
    assert list(docstrings_in(ast.parse(source), "core.boxes")) == [
        ("core.boxes", ""),
        ("core.boxes.Box", "A box [ts6 1.1]."),
        ("core.boxes.Box.lit", "Say."),
    ]


def test_a_citation_of_everything_below_counts_for_each_clause_below() -> None:
    document = changed(code={"1.1…": ["core.rules.limits"]})
    assert [row.code for row in rows_of(document)] == [[], [], ["core.rules.limits"], []]
    assert not is_below("4.10", "4.1…")
    assert is_below("4.1.1", "4.1…")


def test_remarks_and_blank_lines_are_no_clauses() -> None:
    assert transcribed_in("# a remark\n1\n\n1.1(a)\n") == ["1", "1.1(a)"]


def test_only_functions_named_as_tests_are_tests() -> None:
    source = "def test_1_1_one(): ...\ndef help_one(): ...\nclass Test: ...\n"
    assert named_tests(source) == ["test_1_1_one"]


def test_an_entry_for_several_clauses_is_each_ones_own() -> None:
    by_hand = ByHand({"1.1, 1.2": Entry(not_software="a sign")}, headings=("1",))
    entries = entries_of("made", by_hand)
    assert entries == {
        "1": Entry(not_software="it is a heading"),
        "1.1": Entry(not_software="a sign"),
        "1.2": Entry(not_software="a sign"),
    }


def test_two_entries_for_a_clause_are_one_too_many() -> None:
    by_hand = ByHand({"1.1, 1.2": Entry()}, headings=("1.2",))
    with pytest.raises(LedgerError, match=r"^tools/ledger/made.toml, 1.2: it has two entries.$"):
        entries_of("made", by_hand)


# --- the command ---------------------------------------------------------------------------------


def test_check_fails_on_a_stale_ledger_until_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clause_ledger, "LEDGER", tmp_path / "clauses.md")
    assert main(["--check"]) == 1
    sentence = "docs/clauses.md is stale: run 'make ledger' and commit what it writes.\n"
    assert capsys.readouterr().err == sentence
    assert main(["--write"]) == 0
    assert main(["--check"]) == 0
    assert (tmp_path / "clauses.md").read_text("utf-8") == LEDGER.read_text("utf-8")


def test_an_entry_that_cannot_be_read_is_told_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clause_ledger, "BY_HAND", tmp_path)
    (tmp_path / "ts6.toml").write_text('[clauses."1.1"]\nbecause = "no such field"\n', "utf-8")
    assert main(["--check"]) == 1
    assert capsys.readouterr().err.startswith("tools/ledger/ts6.toml cannot be read: ")
