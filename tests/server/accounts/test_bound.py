"""`credentials.db` is bound to its house and journal: rows written by others open nothing."""

import shutil
from pathlib import Path

import apsw
import pytest

from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.staff import CodeMade, CredentialsSet
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import CredentialsError, hash_of
from taisai.server.settings import Settings
from tests.kit.accounts import CHEAP, PLACE, Household, code_for, household, password_of, pin_of
from tests.kit.floor import run


def _reopen(home: Household, file: Path) -> None:
    home.accounts = Accounts.open(file, home.venue, Settings(file.parent), cost=CHEAP)


def _changed(file: Path, sql: str, *values: object) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(sql, values)
    connection.close()


@pytest.mark.parametrize(
    ("sql", "of"),
    [
        # Another password, another person's, a newer one, another key, a code that lasts longer.
        ("UPDATE persons SET (password, pin) = ('$argon2id$x', 'y') WHERE person = 'Mei'", "Mei"),
        (
            (
                "INSERT OR REPLACE INTO persons SELECT 'Mei', password, pin, version, mac"
                " FROM persons WHERE person = 'Dan'"
            ),
            "Mei",
        ),
        ("UPDATE persons SET version = version + 1 WHERE person = 'Dan'", "Dan"),
        ("INSERT OR REPLACE INTO keys VALUES ('T1', 'T1-1', ?, 0, x'00')", "T1"),
        ("UPDATE codes SET expires = expires + 1 WHERE person = 'Cat'", "Cat"),
    ],
)
def test_a_row_that_the_house_did_not_write_is_named_and_refused(
    sql: str, of: str, tmp_path: Path
) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Mei", "Dan")) as home:
            await code_for(home.accounts, "Cat")
            home.accounts.issue_key("T1", "T1-1")
            home.accounts.close()
            file = tmp_path / "credentials.db"
            _changed(file, sql, *([hash_of("mine")] if "?" in sql else []))
            with pytest.raises(CredentialsError, match=rf"of {of} .* not written by this venue"):
                _reopen(home, file)
            # With the file moved away the house opens, and new codes are made.
            file.unlink()
            _reopen(home, file)

    run(work())


def test_an_older_file_put_back_brings_no_old_password_code_or_key(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            file, old = tmp_path / "credentials.db", tmp_path / "old.db"
            unused = await code_for(home.accounts, "Cat")
            home.accounts.close()
            shutil.copy(file, old)
            _reopen(home, file)
            given = ("a password of today", "271845")
            assert await home.accounts.set_credentials("Cat", unused, *given) is None
            newer = await code_for(home.accounts, "Dan")
            assert await home.accounts.set_credentials("Dan", newer, *given) is None
            home.accounts.close()
            shutil.copy(old, file)
            _reopen(home, file)
            before = await home.accounts.log_in("Dan", password_of("Dan"), "dealer", PLACE)
            assert before == refuse("LOG_IN_REFUSED")
            again = await home.accounts.set_credentials("Cat", unused, *given)
            assert again == refuse("BAD_CODE")
            assert not home.accounts.has_credentials("Dan")
            # Two persons have a new code made, and everything works again.
            anew = await code_for(home.accounts, "Dan")
            assert await home.accounts.set_credentials("Dan", anew, *given) is None
            assert not isinstance(
                await home.accounts.log_in("Dan", given[0], "dealer", PLACE), Refusal
            )

    run(work())


def test_what_is_made_and_set_is_in_the_journal(tmp_path: Path) -> None:
    async def work() -> None:
        async with household(tmp_path, equipped=("Dan",)) as home:
            events = await home.events()
            assert CodeMade("Dan", "Mei", "Max") in events
            assert events[-1] == CredentialsSet("Dan")
            assert pin_of("Dan") not in str(events)

    run(work())
