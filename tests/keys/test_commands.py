"""`taisai keys` as people and programs use it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from taisai.runtime.keys.directory import create_keys, load_keys, rotate_keys
from tests.cli.command import taisai
from tests.keys.test_directory import DAMAGES, PASSPHRASE


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Give a directory with keys."""
    create_keys(tmp_path / "keys")
    return tmp_path / "keys"


def test_from_the_first_key_to_the_auditors_file(tmp_path: Path) -> None:
    name, file = str(tmp_path / "keys"), str(tmp_path / "published")
    created = taisai("keys", "create", name, "--json").json
    first = created["fingerprint"]
    assert (created["place"], created["protected"], len(created["keys"])) == (name, False, 1)
    assert taisai("keys", "publish", name, file, "--json").json["fingerprint"] == first
    rotation = ["rotate", name, "--by", "Ann Lee", "--second", "Bob Tan", "--json"]
    rotated = taisai("keys", *rotation).json
    assert rotated["fingerprint"] != first
    assert [key["by"] for key in rotated["keys"]] == [None, "Ann Lee"]
    checked = taisai("keys", "check", name, "--held", file, "--json").json
    assert checked["sound"] is True
    assert checked["checked"][-1] == f"they follow on the keys in {file}"
    stale = taisai("keys", "check", file, "--held", file)
    assert stale.status == 0
    published = taisai("keys", "publish", name)
    assert [json.loads(line)["number"] for line in published.out.splitlines()] == [1, 2]
    shown = taisai("keys", "show", name, "--json").json
    assert [key["fingerprint"] for key in shown["keys"]] == [first, rotated["fingerprint"]]


def test_people_are_told_what_to_do_next(tmp_path: Path) -> None:
    name = str(tmp_path / "keys")
    created = taisai("keys", "create", name)
    assert re.search(r"\n  ([0-9a-f]{4} ){7}[0-9a-f]{4}\n", created.out)
    assert "put a copy of the directory in a safe" in created.out
    rotated = taisai("keys", "rotate", name, "--by", "Ann Lee", "--second", "Bob Tan")
    assert rotated.out.startswith("Key 2 now signs; the one before it is destroyed here.")
    assert "The voucher and sealing keys are as before" in rotated.out
    assert "start the venue again" in rotated.out
    shown = taisai("keys", "show", name).out
    assert "voucher.key      makes the numbers of vouchers" in shown
    assert "The secret ones are not under a passphrase." in shown
    assert re.search(r"^  2  ([0-9a-f]{4} ){8} 20\S+Z  Ann Lee and Bob Tan$", shown, re.MULTILINE)
    assert taisai("keys", "check", name).out.startswith(f"The keys in {name} are sound:\n- nobody")
    assert f"keys are in {name}.txt" in taisai("keys", "publish", name, f"{name}.txt").out


@pytest.mark.parametrize(("name", "sentence"), [(name, said) for name, _, said in DAMAGES])
def test_a_damaged_file_is_answered_in_one_sentence(
    directory: Path, name: str, sentence: str
) -> None:
    damage = next(each for known, each, said in DAMAGES if (known, said) == (name, sentence))
    damage(directory / name)
    answer = taisai("keys", "check", str(directory))
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith(f"taisai: {directory}")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


def test_mistakes_are_answered_in_one_sentence(directory: Path, tmp_path: Path) -> None:
    name, two = str(directory), ["--by", "Ann", "--second", "ann"]
    (tmp_path / "junk").write_text("junk")
    for arguments, status, sentence in [
        (["create", name], 1, f"{name} is there already, and nothing is written over"),
        (["show", f"{name}-no"], 1, f"there is no directory {name}-no; 'taisai keys create'"),
        (["show", f"{tmp_path}/junk"], 1, f"{tmp_path}/junk, line 1: no endorsement of a key"),
        (["check", name, "--held", f"{tmp_path}/no"], 1, f"{tmp_path}/no is missing"),
        (["rotate", name, *two], 1, "rotating the key takes two different persons; Ann was"),
        (["rotate", name, "--by", "Ann"], 2, "the following arguments are required: --second"),
        (["publish", name, f"{tmp_path}/junk"], 1, f"{tmp_path}/junk, line 1: no endorsement"),
        (["publish", name, f"{tmp_path}/no/f"], 1, f"{tmp_path}/no/f cannot be written: No such"),
        ([], 2, "the following arguments are required: COMMAND; 'taisai keys --help' shows how"),
        (["melt"], 2, "argument COMMAND: invalid choice: 'melt'"),
        (["show", name, "--rulebook", "x"], 2, "unrecognized arguments: --rulebook x"),
    ]:
        answer = taisai("keys", *arguments)
        assert (answer.status, answer.out) == (status, ""), arguments
        assert answer.err.startswith(f"taisai: {sentence}"), arguments
        assert answer.err.count("\n") == 1


def test_a_secret_open_to_others_is_answered_with_the_remedy(directory: Path) -> None:
    file = directory / "sealing.key"
    file.chmod(0o644)
    refused = taisai("keys", "check", str(directory))
    remedy = re.search("run: (.+)", refused.err)
    assert remedy is not None
    subprocess.run(remedy.group(1).split(), check=True, timeout=60)
    assert taisai("keys", "check", str(directory)).status == 0


def test_keys_put_back_to_older_ones_are_told_from_forged(directory: Path, tmp_path: Path) -> None:
    held, older, other = tmp_path / "held", tmp_path / "older", tmp_path / "other"
    older.write_bytes(load_keys(directory).public.lines())
    held.write_bytes(rotate_keys(directory, "Ann", "Bob").lines())
    other.write_bytes(create_keys(tmp_path / "another venue").lines())
    for file, sentence in ((older, "held knows newer keys than"), (other, "was forged")):
        refused = taisai("keys", "check", str(file), "--held", str(held))
        assert refused.status == 1
        assert sentence in refused.err


def test_a_passphrase_from_a_file_or_the_environment(tmp_path: Path) -> None:
    name, file = str(tmp_path / "keys"), tmp_path / "passphrase"
    file.write_text(PASSPHRASE + "\n")
    file.chmod(0o600)
    given = ["--passphrase-file", str(file)]
    assert taisai("keys", "create", name, "--json", *given).json["protected"] is True
    assert taisai("keys", "show", name, "--json").json["protected"] is True
    assert "signing.key is protected by a passphrase" in taisai("keys", "check", name).err
    assert taisai("keys", "check", name, *given).status == 0
    rotation = ["rotate", name, "--by", "Ann", "--second", "Bob"]
    assert taisai("keys", *rotation, *given).status == 0
    done = subprocess.run(
        [sys.executable, "-m", "taisai", "keys", "check", name],
        env={**os.environ, "TAISAI_PASSPHRASE": PASSPHRASE},
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert b"are sound" in done.stdout


def test_a_passphrase_file_that_is_amiss(tmp_path: Path) -> None:
    file = tmp_path / "passphrase"
    given = ["keys", "create", str(tmp_path / "keys"), "--passphrase-file", str(file)]
    missing = taisai(*given)
    assert (missing.status, missing.out) == (1, "")
    assert f"the passphrase file {file} cannot be read: No such file" in missing.err
    for text, mode, status, sentence in [
        ("a long enough passphrase", 0o644, 1, f"can be read by others; run: chmod 600 {file}"),
        ("two lines\nof passphrase", 0o600, 1, "is not one line of UTF-8 text"),
        ("", 0o600, 1, "is not one line of UTF-8 text"),
        ("short", 0o600, 1, "a passphrase has 12 to 1,000 characters; this one has 5"),
    ]:
        file.write_text(text)
        file.chmod(mode)
        answer = taisai(*given)
        assert answer.status == status
        assert sentence in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["passphrase"]


@pytest.mark.parametrize("command", ["", "create", "show", "check", "rotate", "publish"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    told = taisai("keys", *command.split(), "--help")
    assert told.status == 0
    assert f"example:\n  taisai keys {command}" in told.out


def test_the_cold_path_of_odds_does_without_keys() -> None:
    code = (
        "import sys; from taisai.cli import main; main(['odds', 'etg8/2', '--json']); "
        "print(sorted({'cryptography', 'apsw', 'taisai.runtime'} & set(sys.modules)), "
        "file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    assert done.stderr.strip() == "[]"
