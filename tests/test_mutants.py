"""The campaign of mutants can be run: its edits apply, and it knows every key of the schema."""

from taisai.rulebooks import KEYS, rulebook
from tools.mutants import edit_faults, keys_of, mutant, read_by_hand


def test_every_edit_applies() -> None:
    by_hand = read_by_hand()
    assert by_hand.edits
    assert list(edit_faults(by_hand)) == []


def test_every_key_of_the_schema_is_known() -> None:
    keys = {".".join(path) for path in keys_of()}
    known = {"procedure.tumble.by", "procedure.entry.echo", "procedure.settlement.order"}
    assert known | {"approval.forms", "kinds.totals", "irregularities.ruling"} <= keys
    assert not any(key.startswith("pay_tables.layout") for key in keys)
    assert set(read_by_hand().unnoticed) <= keys


def test_a_changed_key_is_another_rulebook_or_is_refused() -> None:
    for key in KEYS:
        other = mutant(key, ("procedure", "tumble", "at_least"))
        assert other is not None
        assert other.sha256 != rulebook(key).sha256
        assert other.content.procedure.tumble.at_least == 4
    # Singapore's procedure and rulings say the same of amending: one alone cannot be changed.
    assert mutant("ts6", ("procedure", "amendment", "until")) is None
