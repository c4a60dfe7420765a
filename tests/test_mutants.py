"""The campaign of mutants can run: its edits apply, and it knows every key of the schema."""

import re
from collections import Counter

import msgspec

from taisai.core.rules import schema
from taisai.rulebooks import KEYS, rulebook
from tests.test_proof import SPOILT
from tools.clause_ledger import read_results
from tools.mutants.by_hand import edit_faults, read_edits, read_unnoticed
from tools.mutants.campaign import places
from tools.mutants.keys import changed, places_of


def test_every_edit_applies() -> None:
    assert list(edit_faults(read_edits())) == []


def test_an_edit_that_does_not_apply_is_told() -> None:
    edits = read_edits()
    lost = msgspec.structs.replace(edits.edit[0], find="what nobody ever wrote")
    twice = msgspec.structs.replace(edits, edit=(lost, edits.edit[1], edits.edit[1]))
    assert list(edit_faults(twice)) == [
        f"{lost.file}: 'what nobody ever wrote' is there 0 times; once is right",
        f"{edits.edit[1].takes_out!r} is taken out 2 times; once is right",
    ]


def test_every_place_of_a_key_is_known_and_geometry_is_left_alone() -> None:
    names = {place.name for place in places_of("ts6")}
    assert {"procedure.tumble.by", "kinds small.totals", "approval.forms", "limits.scope"} <= names
    # Each entry of a list is a place of its own, and so is each price of a single die.
    assert {"irregularities bad-tumble.ruling", "irregularities die-not-flat.ruling"} <= names
    assert {f"pay_tables 2.bets single.rows Single Dice Bet.pays {n}" for n in (1, 2, 3)} <= names
    # It has no order of collecting and paying, but could; it has no rule for spoken bets.
    assert "procedure.settlement.order" in names
    assert "procedure.betting.oral_clause" not in names
    assert not any("layout" in name for name in names)
    for key in KEYS:
        found = [place.name for place in places_of(key)]
        assert len(found) == len(set(found)), "no two places have the same name"


def test_a_place_cites_what_stands_beside_it() -> None:
    places = {place.name: place for place in places_of("ts6")}
    # Its own clauses, those of the person who tumbles, and their parents; no others.
    beside = places["procedure.tumble.at_least"].beside
    assert {"1.2", "1.5", "3.7", "5.5", "5.5.3", "D5"} <= beside
    assert beside.isdisjoint({"3.8", "5.5.1", "D6"})
    assert {"3.9", "3.10", "4.1.2"} <= places["kinds odd.totals"].beside
    assert {"5.5.1", "#bad-tumble"} <= places["irregularities bad-tumble.ruling"].beside


def test_a_changed_place_is_another_rulebook_or_is_refused() -> None:
    for key in KEYS:
        places = {place.name: place for place in places_of(key)}
        other = changed(places["procedure.tumble.at_least"])
        assert other.rulebook is not None
        assert other.fault is None
        assert other.rulebook.content.procedure.tumble.at_least == 4
        assert other.rulebook.sha256 != rulebook(key).sha256
    # Singapore's procedure and rulings say the same of amending: one alone cannot be changed.
    refused = changed(
        {place.name: place for place in places_of("ts6")}["procedure.amendment.until"]
    )
    assert refused.fault is not None
    assert read_unnoticed().cited(refused.fault) == "a ruling against the procedure"


def test_a_refusal_counts_by_a_case_that_cites_it() -> None:
    cases = {name: fault for name, _, fault in SPOILT}
    for refusal in read_unnoticed().refused:
        assert re.search(refusal.says, cases[refusal.test]), refusal.test


def test_what_need_not_be_noticed_is_there() -> None:
    unnoticed = read_unnoticed()
    places = [place for key in KEYS for place in places_of(key)]
    known = {place.key for place in places} | {str(place) for place in places}
    assert {*unnoticed.printed, *unnoticed.equivalent} <= known


def test_every_key_of_the_schema_stands_in_some_rulebook() -> None:
    there = {place.key for key in KEYS for place in places_of(key)}
    limits = schema.LimitsContent.__struct_fields__
    assert {f"limits.{name}" for name in limits} <= there
    parts = {
        "tumble": schema.TumbleContent,
        "betting": schema.BettingContent,
        "entry": schema.EntryContent,
        "amendment": schema.AmendmentContent,
        "settlement": schema.SettlementContent,
    }
    for part, content in parts.items():
        assert {f"procedure.{part}.{name}" for name in content.__struct_fields__} <= there


def test_nothing_survived_when_it_was_last_run_whole() -> None:
    results = read_results()
    assert list(results.documents) == list(KEYS)
    assert results.survived == ()
    for found in results.documents.values():
        assert found.taken_out == found.noticed > 0
        assert found.changed == found.key_noticed + found.refused + found.unnoticed


def test_the_counts_are_those_of_the_edits_and_keys_there_are_now() -> None:
    """After a later change the counts are wrong: run 'make mutants', then 'make ledger'."""
    edits, unnoticed, documents = read_edits(), read_unnoticed(), read_results().documents
    cited = Counter(
        citation.partition(" ")[0] for edit in edits.edit for citation in edit.citations
    )
    assert {key: found.taken_out for key, found in documents.items()} == cited
    keys = Counter(place.document for place in places(unnoticed))
    assert {key: found.changed for key, found in documents.items()} == keys
