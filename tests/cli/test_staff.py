"""`taisai staff` as the two persons who set a venue up see it, and as the venue sees it after."""

import asyncio
import os
import pty
import re
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from taisai.cli.venue.environment import JOURNAL_VARIABLE
from taisai.cli.venue.halves import WIPE
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.round import OpenBets
from taisai.core.table.state import Phase
from taisai.runtime.answers import Registered
from taisai.runtime.installation import open_venue
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.checkpoints import read_checkpoint
from taisai.runtime.journal.contract import Head
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.operations.process import CREDENTIALS_FILE, held
from taisai.runtime.streams import VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.hashing import Cost
from taisai.server.settings import Settings
from tests.cli.command import Answer, taisai
from tests.keys.test_directory import PASSPHRASE
from tests.kit.floor import Floor
from tests.kit.people import DEALER

JOURNAL = "journal.sqlite"
SECRET = "a password of some length"  # noqa: S105 - it opens nothing but this test
PIN = "135792"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a stopped venue's data directory, with a round under way; tests must not change it."""
    place = tmp_path_factory.mktemp("made")
    create_keys(place / "keys")
    asyncio.run(found(place))
    return place


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """Give a copy of that directory, which a test may change."""
    return Path(shutil.copytree(made, tmp_path / "data"))


@pytest.fixture(scope="module")
def with_ann(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the same with Ann Lee on the staff; tests must not change it."""
    place = Path(shutil.copytree(made, tmp_path_factory.mktemp("ann") / "data"))
    assert add(place, "Ann Lee").status == 0
    return place


async def found(place: Path, *, demo: bool = False) -> None:
    floor = await Floor.open(place / JOURNAL, load_keys(place / "keys"))
    assert isinstance(await open_venue(floor.venue, "Harbour", "SGD", demo=demo), Registered)
    await floor.add_table(terminals=1)
    await floor.do("table/T1", DEALER, OpenBets())
    await floor.bet("T1", "T1-1", "small", 1_000)
    await floor.venue.stop()


def add(data: Path, person: str, *more: str, by: str = "Ann Lee") -> Answer:
    persons = ("--person", person, "--by", by, "--second", "Bob Tan")
    return taisai("staff", "add", str(data), *persons, *(more or ("--role", "dealer")), *half(data))


def half(data: Path) -> tuple[str, str]:
    """Give the path of the second half's file, which is not there yet."""
    (data.parent / "half").unlink(missing_ok=True)
    return "--second-half", str(data.parent / "half")


def second_half(data: Path) -> str:
    """Read the second half, as its recipient does."""
    file = data.parent / "half"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return file.read_text().strip()


def heads(data: Path) -> dict[str, Head]:
    """Read the heads of all streams, and check that the newest checkpoint has them."""

    async def read() -> dict[str, Head]:
        journal = await SqliteJournal.open(data / JOURNAL, read_only=True)
        try:
            (newest,) = await journal.checkpoints(newest=1)
            covered = read_checkpoint(newest)
            found = await journal.heads()
            assert {stream: covered.head(stream) for stream in covered.heads} == found
            return found
        finally:
            await journal.close()

    return asyncio.run(read())


def staff(data: Path) -> list[Any]:
    found: list[Any] = taisai("staff", "list", str(data), "--json").json["staff"]
    return found


def test_the_first_person_is_put_on_the_staff_and_logs_in_with_the_code(data: Path) -> None:
    before = heads(data)
    more = ("--role", "shift-manager", "--role", "technician", "--json")
    added = add(data, " Ann   Lee ", *more)
    assert (added.status, added.err) == (0, "")
    answer = added.json
    assert (answer["person"], answer["roles"]) == ("Ann Lee", ["shift-manager", "technician"])
    assert (answer["by"], answer["second"]) == ("Ann Lee", "Bob Tan")
    after = heads(data)
    assert answer["venue_version"] == after[VENUE].version == before[VENUE].version + 2
    assert {**after, VENUE: None} == {**before, VENUE: None}, "no table was touched"
    assert stat.S_IMODE((data / CREDENTIALS_FILE).stat().st_mode) == 0o600
    halves = (answer["half"], second_half(data))
    assert halves[1] not in added.out
    for each in halves:
        assert each.encode() not in (data / CREDENTIALS_FILE).read_bytes()
        assert each.encode() not in (data / JOURNAL).read_bytes()
    assert taisai("audit", "verify", str(data), "--json").json["verified"] is True
    asyncio.run(log_in(data, " ".join(halves)))


async def log_in(data: Path, code: str) -> None:
    """Let the person use the code, once, in the venue, which runs again."""
    floor = await Floor.open(data / JOURNAL, load_keys(data / "keys"))
    cheap = Cost(memory_kib=8, passes=1)
    accounts = Accounts.open(data / CREDENTIALS_FILE, floor.venue, Settings(data), cost=cheap)
    try:
        for half in code.split():
            alone = await accounts.set_credentials("Ann Lee", half, SECRET, PIN)
            assert alone == refuse("BAD_CODE")
        assert await accounts.set_credentials("ann lee", code.lower(), SECRET, PIN) is None
        again = await accounts.set_credentials("Ann Lee", code, SECRET, PIN)
        assert isinstance(again, Refusal)
        begun = await accounts.log_in("Ann Lee", SECRET, "technician", "the office")
        assert not isinstance(begun, Refusal)
        assert begun[1].person == "Ann Lee"
        assert floor.venue.table("T1").phase is not Phase.NEW
    finally:
        await accounts.settled()
        accounts.close()
        await floor.venue.stop()


def test_people_are_told_who_is_on_the_staff_and_the_code_once(data: Path) -> None:
    empty = taisai("staff", "list", str(data))
    assert (empty.status, empty.out.split(";")[0]) == (0, "Nobody is on the staff of this venue")
    told = add(data, "Cyd Wu", "--role", "cage").out
    assert told.startswith("Cyd Wu is on the staff as cage, by Ann Lee and Bob Tan.\n")
    first, second = told.split("\n\n  ")[1].split("\n\n")[0].splitlines()
    assert first.startswith("the first, for Ann Lee:  ")
    assert second.endswith("/half, for Bob Tan to read and to delete")
    code = first.split()[-1]
    for each in (code, second_half(data)):
        assert len(each.replace("-", "")) == 15
    assert second_half(data) not in told
    add(data, "Ann Lee", "--role", "auditor")
    table = taisai("staff", "list", str(data)).out
    assert code not in table
    head, _, first, second = table.splitlines()
    assert head.split() == ["person", "roles", "since", "by"]
    assert first.startswith("Ann Lee  auditor")
    assert second.startswith("Cyd Wu   cage")
    assert second.endswith("Z  Ann Lee and Bob Tan")
    events = taisai("audit", "events", str(data)).out
    assert "Cyd Wu is appointed as cashier, by Ann Lee and Bob Tan" in events
    assert code not in events


@pytest.mark.parametrize(
    ("person", "more", "by", "said"),
    [
        ("Cyd Wu", (), "bob  TAN", "the second person must be another person"),
        ("Cyd Wu", ("--role", "king"), "Ann Lee", "name one or more roles, each once, of these"),
        ("Cyd Wu", ("--role", "cage", "--role", "cage"), "Ann Lee", "name one or more roles"),
        ("ann LEE", (), "Ann Lee", "Ann Lee is on the staff already"),
        (" ", (), "Ann Lee", "' ' is no name of a person"),
        ("Cyd\x1b[2J", (), "Ann Lee", "is no name of a person"),
        ("x" * 65, (), "Ann Lee", "a name is missing, or is not one"),
    ],
)
def test_a_slip_is_told_in_a_sentence_and_changes_nothing(
    with_ann: Path, person: str, more: tuple[str, ...], by: str, said: str
) -> None:
    before, kept = heads(with_ann), (with_ann / CREDENTIALS_FILE).read_bytes()
    refused = add(with_ann, person, *more, by=by)
    assert (refused.status, refused.out) == (1, "")
    assert refused.err.startswith("taisai: ")
    assert said in refused.err
    assert not (with_ann.parent / "half").exists()
    assert len(refused.err.splitlines()) == 1
    assert heads(with_ann) == before
    assert (with_ann / CREDENTIALS_FILE).read_bytes() == kept


def test_a_venue_that_runs_is_left_alone(data: Path) -> None:
    with held(data):
        refused = add(data, "Cyd Wu")
        assert (refused.status, staff(data)) == (1, [])
    assert f"another venue is running on {data}" in refused.err


def test_where_there_is_no_venue_there_is_no_staff(tmp_path: Path) -> None:
    place = tmp_path / "data"
    assert "there is no data directory" in add(place, "Cyd Wu").err
    place.mkdir()
    assert f"there is no journal in {place}" in add(place, "Cyd Wu").err

    async def begin() -> None:
        await (await SqliteJournal.open(place / JOURNAL)).close()

    asyncio.run(begin())
    assert "there is no directory" in add(place, "Cyd Wu").err
    create_keys(place / "keys")
    refused = add(place, "Cyd Wu")
    assert refused.status == 1
    assert "there is no venue in this journal yet" in refused.err
    asyncio.run(found(place, demo=True))
    assert "this is a demo venue" in add(place, "Cyd Wu").err
    assert staff(place) == []
    elsewhere = add(place, "Cyd Wu", "--role", "cage", "--journal", str(tmp_path / "none"))
    assert "there is no journal" in elsewhere.err
    assert not (place / CREDENTIALS_FILE).exists()
    assert not (tmp_path / "none").exists()


def test_a_venue_in_a_database_is_found_by_its_address(
    made: Path, tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Path(shutil.copytree(made, tmp_path / "data"))
    (place / JOURNAL).unlink()
    shutil.rmtree(default_anchor(place / "keys"))
    monkeypatch.setenv(JOURNAL_VARIABLE, postgres_url)
    assert "there is no venue in this journal yet" in add(place, "Cyd Wu").err

    async def begin() -> None:
        keys = load_keys(place / "keys")
        anchor = default_anchor(place / "keys")
        floor = await Floor.open(await open_journal(postgres_url), keys, anchor=anchor)
        await open_venue(floor.venue, "Harbour", "SGD")
        await floor.venue.stop()

    asyncio.run(begin())
    assert add(place, "Cyd Wu").status == 0
    monkeypatch.delenv(JOURNAL_VARIABLE)
    named = add(place, "Ann Lee", "--role", "cage", "--journal", postgres_url)
    assert named.status == 0
    on_staff = taisai("staff", "list", postgres_url, "--json").json["staff"]
    assert [each["person"] for each in on_staff] == ["Ann Lee", "Cyd Wu"]
    assert not (place / JOURNAL).exists()


def test_keys_under_a_passphrase_ask_for_it(tmp_path: Path) -> None:
    place, secret = tmp_path / "data", tmp_path / "passphrase"
    place.mkdir()
    create_keys(place / "keys", PASSPHRASE)
    secret.write_text(PASSPHRASE)
    secret.chmod(0o600)

    async def begin() -> None:
        floor = await Floor.open(place / JOURNAL, load_keys(place / "keys", PASSPHRASE))
        await open_venue(floor.venue, "Harbour", "SGD")
        await floor.venue.stop()

    asyncio.run(begin())
    refused = add(place, "Cyd Wu")
    assert refused.status == 1
    assert "passphrase" in refused.err
    assert PASSPHRASE not in refused.err
    more = ("--role", "cage", "--passphrase-file", str(secret))
    assert add(place, "Cyd Wu", *more).status == 0
    assert [each["person"] for each in staff(place)] == ["Cyd Wu"]


def alter(data: Path, text: bytes, by: bytes) -> None:
    content = (data / JOURNAL).read_bytes()
    assert content.count(text) == 1
    (data / JOURNAL).write_bytes(content.replace(text, by))


def test_a_damaged_venue_is_told_in_a_sentence(data: Path) -> None:
    add(data, "Cyd Wu")
    alter(data, b'"person":"Cyd Wu","roles"', b'"person":"Max Wu","roles"')
    refused = add(data, "Ann Lee")
    assert (refused.status, len(refused.err.splitlines())) == (1, 1)
    assert "the venue's own stream does not verify: venue breaks at version" in refused.err
    alter(data, b'"person":"Max Wu","roles"', b'"person":"M\xffx Wu","roles"')
    refused = taisai("staff", "list", str(data))
    assert (refused.status, len(refused.err.splitlines())) == (1, 1)
    assert "venue cannot be read at version" in refused.err


def test_no_screen_and_no_answer_has_both_halves(data: Path) -> None:
    persons = ("--person", "Cyd Wu", "--role", "cage", "--by", "Ann Lee", "--second", "Bob Tan")
    asked, before = ("staff", "add", str(data), *persons), heads(data)
    for more in ((), ("--json",)):
        refused = taisai(*asked, *more)
        assert (refused.status, refused.out) == (1, "")
        assert "name a new file for the second with --second-half FILE" in refused.err
    (data.parent / "taken").write_text("mine")
    for place, said in (("taken", "is there already"), ("no/such", "cannot be made")):
        refused = taisai(*asked, "--second-half", str(data.parent / place))
        assert (refused.status, said in refused.err) == (1, True)
    assert (data.parent / "taken").read_text() == "mine"
    assert heads(data) == before
    # On a terminal each is shown alone, and wiped before the next.
    screens = at_a_terminal(*asked)
    shown = [re.findall(r"\b(?:[0-9A-Z]{5}-){2}[0-9A-Z]{5}\b", screen) for screen in screens]
    assert [len(each) for each in shown] == [1, 1, 0]
    assert "for Ann Lee alone" in screens[0]
    assert "for Bob Tan alone" in screens[1]
    assert "Start the venue" in screens[2]
    assert [each["person"] for each in staff(data)] == ["Cyd Wu"]


def at_a_terminal(*arguments: str) -> list[str]:
    """Run `taisai` on a terminal with Enter pressed at once; give the screens it wiped."""
    command = [sys.executable, "-m", "taisai", *arguments]
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, command)  # noqa: S606 - our own words
    os.write(terminal, b"\n" * 4)
    said = b""
    # A terminal whose program has ended cannot be read any more.
    with suppress(OSError):
        while more := os.read(terminal, 4_096):
            said += more
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0, said
    return said.decode().split(WIPE)


@pytest.mark.parametrize("option", ["--person", "--role", "--by", "--second"])
def test_every_part_is_asked_for(tmp_path: Path, option: str) -> None:
    given = {"--person": "a", "--role": "cage", "--by": "b", "--second": "c"}
    rest = [part for name, value in given.items() if name != option for part in (name, value)]
    wrong = taisai("staff", "add", str(tmp_path), *rest)
    assert (wrong.status, wrong.out) == (2, "")
    assert option in wrong.err


def test_a_restored_venue_has_codes_made_for_its_people_by_two_persons(data: Path) -> None:
    add(data, "Ann Lee", "--role", "technician")
    backup, new = data.parent / "b.sqlite", data.parent / "new"
    keys = ("--keys", str(data.parent / "published.keys"))
    taisai("keys", "publish", str(data / "keys"), keys[1])
    assert taisai("backup", str(data), str(backup), *keys).status == 0
    two = ("--by", "Bob Tan", "--second", "Cy Ong")
    own = ("--keys", str(data / "keys"))
    assert taisai("restore", str(backup), str(new), *two, *own).status == 0
    shutil.copytree(data / "keys", new / "keys")
    asked = ("staff", "code", str(new), "--person", "ann lee")
    alone = taisai(*asked, "--by", "Bob Tan", "--second", "bob tan", *half(new))
    assert (alone.status, "another person" in alone.err) == (1, True)
    assert taisai("staff", "code", str(new), "--person", "Zoe", *two, *half(new)).status == 1
    made = taisai(*asked, *two, "--json", *half(new)).json
    assert (made["person"], made["by"], made["second"]) == ("Ann Lee", "Bob Tan", "Cy Ong")
    told = taisai(*asked, *two, *half(new)).out
    (first,) = (line.split()[-1] for line in told.splitlines() if "the first, for Bob Tan:" in line)
    asyncio.run(log_in(new, f"{first} {second_half(new)}"))
    assert taisai("audit", "verify", str(new), *keys, "--json").json["verified"] is True
