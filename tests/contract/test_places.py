"""The place of a journal, as it is shown to people: never with a password."""

from pathlib import Path

import pytest

from taisai.runtime.journal.location import shown_place, without_passwords


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("data/journal.sqlite", "data/journal.sqlite"),
        (Path("ann@home:1"), "ann@home:1"),
        ("postgresql://host/venue", "postgresql://host/venue"),
        ("postgresql://ann:pw@host:5432/venue?sslmode=require", "postgresql://host:5432/venue"),
        ("postgresql://ann:p@w@host/venue", "postgresql://host/venue"),
        ("postgresql://ann:p/w@host/venue", "postgresql://…"),
        ("postgresql://ann:p?w@host/venue", "postgresql://…"),
        ("postgresql:///venue?password=p@w", "postgresql://…"),
        ("postgresql:///venue?host=/run&password=pw", "postgresql:///venue"),
        ("postgresql://ann:pw@host:no-port/venue", "postgresql://host:no-port/venue"),
        ("postgresql://ann:pw/venue", "postgresql://…"),
        ("postgresql://ann:pw@[::1]:5432,other/venue", "postgresql://[::1]:5432,other/venue"),
        ("postgresql://[bad", "postgresql://[bad"),
    ],
)
def test_a_place_is_shown_without_what_is_secret(where: str | Path, shown: str) -> None:
    assert shown_place(where) == shown


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("there is no journal data", "there is no journal data"),
        ("mail ann@host", "mail ann@host"),
        ("x: postgresql://a:p@h/d is none", "x: postgresql://h/d is none"),
        ("no postgres:/a:p@h/d there", "no postgres:/h/d there"),
        ("at 'mysql://a:p@h?password=q'", "at 'mysql://h?password=…'"),
    ],
)
def test_a_sentence_is_told_without_what_is_secret(said: str, shown: str) -> None:
    assert without_passwords(said) == shown
