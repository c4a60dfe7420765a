"""The recipe in the documentation: it runs as printed, and agrees with venue and auditor."""

import hashlib
import hmac
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from taisai.core.table import provably_fair as verifiable
from taisai.core.table.provably_fair import drawn_dice, link_of, secret_from
from taisai.runtime.auditor import provably_fair as audited
from taisai.runtime.auditor.provably_fair import dice_of, link_before
from taisai.runtime.tumblers import link_at, links_from

PAGE = Path(__file__).parent.parent.parent / "docs" / "tumblers.md"
(RECIPE,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
PRINTED = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[0]
NAMES = ("T1", "table nine", "骰寶", "x" * 64)


def recipe() -> dict[str, Any]:
    """Give the functions of the recipe, without the example below them."""
    functions, _, _ = RECIPE.partition("noted =")
    named: dict[str, Any] = {}
    exec(functions, named)  # noqa: S102 - the recipe of our own page, run as a player would
    return named


def secrets(count: int) -> list[bytes]:
    return [hashlib.sha256(f"secret {number}".encode()).digest() for number in range(count)]


def test_the_recipe_runs_on_python_alone_and_prints_what_the_page_shows() -> None:
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RECIPE], capture_output=True, check=True, text=True
    )
    assert told.stdout == PRINTED


def test_the_recipe_is_a_few_lines() -> None:
    assert len([line for line in RECIPE.splitlines() if line.strip()]) <= 20


def test_the_recipe_the_venue_and_the_auditor_draw_the_same_dice() -> None:
    dice = recipe()["dice"]
    seen = set()
    for number, secret in enumerate(secrets(2_000), 1):
        name, round_ = NAMES[number % 4], number**3
        drawn = drawn_dice(secret, name, round_)
        assert list(drawn) == dice(name, round_, secret.hex())
        assert drawn == dice_of(secret.hex(), name, round_)
        seen.add(drawn)
    assert len(seen) == 56, "every result comes up"


def test_the_recipe_the_venue_and_the_auditor_go_back_the_same_way() -> None:
    before = recipe()["before"]
    for secret in secrets(50):
        assert link_of(secret).hex() == before(secret.hex()) == link_before(secret.hex())


def test_the_example_of_the_page_is_a_chain_of_the_venues_own_making() -> None:
    last = "e3e6b696a46462d344fe65cd0fce371141a097c888d79d41284bacfe0aa2f825"
    links = links_from(bytes.fromhex(last), 10_000)
    for index, name in enumerate(("noted", "first", "second")):
        assert f'{name} = "{link_at(links, index).hex()}"' in RECIPE


def test_known_answers() -> None:
    """HMAC by openssl, faces by hand: bytes 227 185 76, then 214 201 244, then 29 134 58."""
    key = bytes.fromhex("54bd305c3708e4b1376d745ad8732f4b65adfb8df42c53cab8acd46955567967")
    assert drawn_dice(key, "T1", 1) == (5, 6, 6)
    assert drawn_dice(key, "T1", 2) == (4, 5, 5)
    assert drawn_dice(key, "骰寶", 12) == (3, 5, 6)


def test_when_a_block_has_too_few_faces_the_counter_goes_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No secret with such a block is known, so the blocks are made up here."""
    blocks = {"T1:7:0": bytes([255] * 31 + [5]), "T1:7:1": bytes([252, 7, 0] + [255] * 29)}

    class Scripted:
        @staticmethod
        def digest(_: bytes, message: bytes, __: object) -> bytes:
            return blocks[message.decode()]

        @staticmethod
        def new(_: bytes, message: bytes, __: object) -> Any:
            return type("Block", (), {"digest": lambda _: blocks[message.decode()]})()

    monkeypatch.setattr(verifiable, "hmac", Scripted)
    monkeypatch.setattr(audited, "_keyed_hash", lambda _, message: blocks[message])
    cooked = recipe()
    cooked["hmac"] = Scripted
    assert drawn_dice(bytes(32), "T1", 7) == (1, 2, 6)
    assert dice_of("00" * 32, "T1", 7) == (1, 2, 6)
    assert cooked["dice"]("T1", 7, "00" * 32) == [1, 2, 6]


def test_the_auditors_keyed_hash_is_hmac() -> None:
    for secret in secrets(20):
        expected = hmac.digest(secret, b"T1:5:0", "sha256")
        assert audited._keyed_hash(secret.hex(), "T1:5:0") == expected


@pytest.mark.parametrize(
    "text", ["", "ab" * 31, "ab" * 33, "AB" * 32, "0x" + "ab" * 31, " " * 64, "é" * 64, "١" * 64]
)
def test_what_is_no_secret_is_not_read_as_one(text: str) -> None:
    assert secret_from(text) is None
    assert not audited._is_hash(text)


def test_a_secret_is_64_small_hexadecimal_digits() -> None:
    assert secret_from("0f" * 32) == b"\x0f" * 32
    assert audited._is_hash("0f" * 32)
