"""Passwords, PINs, codes, keys and tokens are on no disk, in no log, in no repr and in no error."""

import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.core.kernel.messages import Equipment
from taisai.runtime.installation import add_table
from taisai.server.accounts.accounts import Accounts
from taisai.server.http.accounts import approvals as approving
from taisai.server.http.accounts import staff as people
from taisai.server.http.accounts import terminals as enrolling
from taisai.server.http.frame.access import Caller
from taisai.server.http.frame.openapi import example_of
from taisai.server.http.routes import read_and_written
from tests.kit.accounts import code_for, password_of
from tests.kit.floor import run
from tests.server.accounts.doorway import Doorway, doorway

PIN, OTHER_PIN = "902718281845", "902718281846"
KEY = "/api/tables/T1/terminals/T1-1/key"


async def _lives(door: Doorway) -> list[str]:
    """Let people use every kind of secret, right and wrong; give all the secrets."""
    said = [PIN, OTHER_PIN, "a wrong password of theirs"]
    for person in ("Tom", "Mei"):
        code = await code_for(door.home.accounts, person)
        body = {"code": code, "password": password_of(person), "pin": PIN}
        await door.told(204, None, "POST", f"/api/staff/{person}/credentials", body)
        await door.told(403, None, "POST", f"/api/staff/{person}/credentials", body)
        door.tokens[person] = (await door.log_in(person)).json()["token"]
        said += [code, code.replace("-", ""), password_of(person), door.tokens[person]]
    wrong = {"person": "Tom", "password": said[2], "role": "technician"}
    for _ in range(6):
        await door.ask(None, "POST", "/api/sessions", wrong)
        await door.ask(None, "POST", "/api/sessions", {**wrong, "person": said[2]})
    await add_table(door.home.venue, "T1", Equipment())
    body = {"id": door.id(), "terminal": "T1-1", "place": "seat 1"}
    waiting = await door.told(202, "Tom", "POST", "/api/tables/T1/terminals", body)
    assert (await door.grant("Mei", "T1", waiting, pin=OTHER_PIN)).status_code == 403
    assert (await door.grant("Mei", "T1", waiting, pin=PIN)).status_code == 200
    said.append((await door.told(201, "Tom", "POST", KEY, {"id": door.id()}))["key"])
    await door.told(204, "Mei", "DELETE", "/api/sessions/current")
    await door.home.accounts.settled()
    return said


def test_no_secret_is_on_the_disk_or_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> list[str]:
        async with doorway(tmp_path) as door:
            said = await _lives(door)
            # While the venue runs, the newest rows are in the write-ahead log.
            _search(tmp_path, said)
            return said

    with caplog.at_level(logging.DEBUG):
        said = run(work())
    assert len({*said}) == 12
    found = _search(tmp_path, said)
    assert {"journal.db", "credentials.db"} <= found
    assert [secret for secret in said if secret in caplog.text] == []


def _search(directory: Path, said: list[str]) -> set[str]:
    files = {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}
    for name, data in files.items():
        assert [secret for secret in said if secret.encode() in data] == [], name
    return {*files}


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    async def work() -> None:
        async with doorway(tmp_path):
            # Names are no secrets, and are in the journal.
            with pytest.raises(AssertionError):
                _search(tmp_path, ["Sue Lim"])

    run(work())


def test_a_fault_of_ours_tells_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stumble(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Accounts, "log_in", stumble)

    async def work() -> None:
        async with doorway(tmp_path) as door:
            body = {"person": "Dan", "password": password_of("Dan"), "role": "dealer"}
            response = await door.ask(None, "POST", "/api/sessions", body)
            assert response.status_code == 500
            assert "bug" not in response.text
            assert password_of("Dan") not in response.text

    run(work())
    assert "a bug" in caplog.text
    assert password_of("Dan") not in caplog.text


SECRETS = ("password", "pin", "code", "token", "key")


OF_PEOPLE = (people.__name__, enrolling.__name__, approving.__name__)
READ, WRITTEN = read_and_written(demo=False)


@pytest.mark.parametrize(
    "kind", sorted({each for each in (*READ, *WRITTEN) if each.__module__ in OF_PEOPLE}, key=str)
)
def test_what_goes_over_the_wire_does_not_show_its_secrets(kind: type) -> None:
    fields: dict[str, Any] = example_of(kind)
    example: object = msgspec.convert(fields, kind)
    for name in SECRETS:
        if isinstance(fields.get(name), str):
            assert fields[name] not in repr(example)
            assert fields[name] not in str(example)


def test_a_caller_does_not_show_its_token() -> None:
    assert "very secret" not in repr(Caller("dealer", "here", None, "very secret"))
