"""`taisai serve` as a process: opened, stopped, opened again, refused; and its output."""

import asyncio
import io
import json
import logging
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from taisai.cli import main
from taisai.cli.commands import parse
from taisai.client import TerminalKey, connect
from taisai.core.table.round import CloseBets
from taisai.protocol.server_messages import Done, Registered
from taisai.server import logs
from tests.kit.certificates import certificate

TIMEOUT_SECONDS = 30
EVERYWHERE = ".".join("0000")
TABLES = """
[[tables]]
name = "T1"
pay_table = "ts6/2"
minimum = 100
maximum = 10_000
differential = 10_000
tumbler = "simulated"
dealer = "automatic"
countdown_seconds = 5
result_seconds = 0
pause_seconds = 0
"""


class Running:
    """A venue in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]", address: str) -> None:
        self.process = process
        self.address = address

    def get(self, path: str) -> Any:
        return httpx.get(f"{self.address}{path}").raise_for_status().json()

    def post(self, path: str, **body: object) -> Any:
        return httpx.post(f"{self.address}{path}", json=body).raise_for_status().json()

    def stop(self, *signals: int) -> tuple[int, str]:
        """Send it signals, and give its exit status and its output."""
        for number in signals or (signal.SIGTERM,):
            self.process.send_signal(number)
        _, said = self.process.communicate(timeout=TIMEOUT_SECONDS)
        return self.process.returncode, said


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "taisai", "serve", *map(str, arguments)]


@contextmanager
def venue(*arguments: object) -> Iterator[Running]:
    """Start a venue, wait until it prints its address, and leave no process behind."""
    process = subprocess.Popen(
        command(*arguments, "--port", 0), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.communicate()[1])
        yield Running(process, line.strip())
    except BaseException as error:
        process.kill()
        error.add_note(process.communicate()[1] or "")
        raise
    finally:
        process.kill()
        process.communicate()


def refused(*arguments: object) -> tuple[int, str]:
    """Start a venue that does not open, and give its exit status and its output."""
    done = subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def sentence(said: str) -> str:
    """Give the one sentence for people, whatever else is in the log."""
    (line,) = [line for line in said.splitlines() if line.startswith("taisai: ")]
    assert "Traceback" not in said
    return line


def test_a_demo_is_opened_stopped_politely_and_goes_on_from_there(tmp_path: Path) -> None:
    told = (*demo_at(tmp_path), "--bots", 0, "--log", "json")
    with venue(*told) as running:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", running.address)
        assert running.get("healthz")["alive"] is True
        seat = running.post("api/demo/terminals")
        assert (seat["table"], seat.pop("credits")) == ("T1", 100_000)
        number = asyncio.run(bets(running, TerminalKey(**seat)))
        status, said = running.stop()
    assert status == 0
    messages = [json.loads(line)["message"] for line in said.splitlines()]
    assert any("the rounds under way are finished" in message for message in messages)
    assert messages[-1] == "the venue is closed; all that is registered is in its journal"

    with venue(*told, "--gateways", 1) as running:
        # Stopped while bets were open, it closed them, drew and settled: nothing is void.
        rounds = running.get("api/tables/T1/rounds")["rounds"]
        settled = [each for each in rounds if each["round"] == number]
        assert [each["void"] for each in settled] == [False]
        assert asyncio.run(bets(running, TerminalKey(**seat))) > number
        # At a second signal it stops at once; the journal is as good as after a power cut.
        status, _ = running.stop(signal.SIGINT, signal.SIGINT)
        assert status in (0, 128 + signal.SIGINT)

    status, said = refused("--data", tmp_path / "data", "--port", 0)
    assert status == 1
    assert "of a demo venue, and opens with --demo alone" in sentence(said)


def demo_at(path: Path) -> tuple[object, ...]:
    """Give the arguments of a demo with one quick table."""
    (path / "floor.toml").write_text(TABLES)
    return ("--demo", "--data", path / "data", "--tables", path / "floor.toml")


async def bets(running: Running, seat: TerminalKey) -> int:
    """Bet from a terminal as soon as bets are called for, and give the round."""
    async with connect(running.address, terminal=seat) as live:
        table = await live.watch(seat.table)
        await live.until(lambda: table.taking_bets, TIMEOUT_SECONDS)
        answer = await live.place({"small": 100})
        assert isinstance(answer, Registered)
        return table.round


def test_bots_keep_a_demo_lively(tmp_path: Path) -> None:
    async def watches(address: str) -> None:
        async with connect(address) as live:
            table = await live.watch("T1")
            await live.until(lambda: bool(table.totals), TIMEOUT_SECONDS)

    with venue(*demo_at(tmp_path), "--bots", 3) as running:
        asyncio.run(watches(running.address))
        assert running.stop()[0] == 0


def test_a_dealer_takes_the_table_over_and_hands_it_back(tmp_path: Path) -> None:
    async def deals(address: str, token: str) -> None:
        async with connect(address, session=token) as live:
            table = await live.watch("T1")
            await live.until(lambda: table.closes_at is not None, TIMEOUT_SECONDS)
            assert isinstance(await live.deal("T1", automatic=False), Done)
            await live.until(lambda: table.dealer == "person", TIMEOUT_SECONDS)
            assert table.closes_at is None
            assert isinstance(await live.ask("T1", CloseBets(bell=True)), Registered)
            await live.until(lambda: table.faces is not None, TIMEOUT_SECONDS)
            assert isinstance(await live.deal("T1", automatic=True), Done)
            number = table.round
            await live.until(lambda: table.round > number, TIMEOUT_SECONDS)

    with venue(*demo_at(tmp_path), "--bots", 0) as running:
        token = running.post("api/demo/staff", role="dealer")["token"]
        asyncio.run(deals(running.address, token))
        assert running.stop()[0] == 0


def test_a_venue_speaks_tls_where_it_has_a_certificate(tmp_path: Path) -> None:
    chain, secret = certificate(tmp_path)
    trusted = ssl.create_default_context(cafile=chain)
    tls = ("--certificate", chain, "--private-key", secret)
    with venue(*demo_at(tmp_path), "--bots", 0, *tls) as running:
        assert running.address.startswith("https://127.0.0.1:")
        alive = httpx.get(f"{running.address}healthz", verify=trusted)
        assert alive.status_code == 200
        assert "max-age=" in alive.headers["strict-transport-security"]
        assert running.stop()[0] == 0


def test_a_certificate_and_a_key_that_do_not_belong_together_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chain, _ = certificate(tmp_path)
    _, other = certificate(tmp_path, "other")
    asked = ["serve", "--demo", "--data", str(tmp_path / "data"), "--certificate", str(chain)]
    for wrong in (other, chain):
        assert main([*asked, "--private-key", str(wrong)]) == 1
        assert "cannot be used" in sentence(capsys.readouterr().err)
    assert not (tmp_path / "data").exists()


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, said = refused("--demo", "--data", tmp_path / "data", "--port", port)
    assert status == 1
    assert f"127.0.0.1:{port} cannot be listened on" in sentence(said)
    assert not (tmp_path / "data" / "journal.sqlite").exists()


def test_a_wrong_file_of_tables_is_told_in_a_sentence(tmp_path: Path) -> None:
    floor = tmp_path / "floor.toml"
    floor.write_text(TABLES.replace("ts6/2", "ts6/7"))
    status, said = refused("--demo", "--data", tmp_path / "data", "--tables", floor, "--port", 0)
    assert status == 1
    assert f"{floor}: table T1, pay_table: there is no pay table 'ts6/7'" in sentence(said)


def test_a_real_venue_says_who_and_what_is_missing(tmp_path: Path) -> None:
    data, floor = tmp_path / "venue", tmp_path / "floor.toml"
    floor.write_text('[venue]\nname = "The Bell"\ncurrency = "NZD"\n')
    with venue("--data", data, "--tables", floor, "--log", "text") as running:
        told = running.get("api/venue")
        assert (told["name"], told["currency"], told["founded"]) == ("The Bell", "NZD", False)
        assert running.process.stdout is not None
        printed = [running.process.stdout.readline() for _ in range(4)]
        assert "nobody on its staff yet" in printed[0]
        for line, which in zip(printed[2:], ("first", "second"), strict=True):
            assert re.fullmatch(rf"  for the {which}: +([A-Z2-9]{{5}}-?){{3}}\n", line)
        # Nobody came: it stops as it began, and two persons may be engaged without the page.
        assert running.stop()[0] == 0
    engage = ["staff", "add", str(data), "--person", "Ann Lee", "--role", "shift-manager"]
    two = ["--by", "Ann Lee", "--second", "Bob Tan", "--second-half", str(data.parent / "half")]
    assert main([*engage, *two]) == 0
    with venue("--data", data, "--log", "text") as running:
        told = running.get("api/venue")
        assert (told["demo"], told["founded"], told["name"]) == (False, True, "The Bell")
        assert running.stop()[0] == 0
    status, said = refused("--demo", "--data", data, "--port", 0)
    assert status == 1
    assert "of a real venue, and never opens with --demo" in sentence(said)
    (data / "keys").rename(tmp_path / "elsewhere")
    status, said = refused("--data", data, "--port", 0)
    assert status == 1
    assert f"there are no keys in {data / 'keys'}; put those of the venue there" in sentence(said)


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        ("", 2, "name the data directory with --data"),
        (f"--demo --host {EVERYWHERE}", 2, "a demo lets anybody in, so it listens on a loopback"),
        ("--demo --host 10.1.2.3", 2, "10.1.2.3 is none"),
        ("--data d --bots 3", 2, "bots play in a demo alone"),
        ("--demo --bots some", 2, 'argument --bots: "some" is no whole number'),
        ("--demo --bots 1001", 1, "--bots is 1001; a number from 0 to 1,000 is right"),
        ("--demo --port 70000", 1, "--port is 70000; a number from 0 to 65,535 is right"),
        ("--data d --certificate c", 2, "a certificate and its private key go together"),
        ("--data d --journal d/journal.sqlite", 2, "--journal is a database, postgresql://"),
        ("--data d --certificate c --private-key k", 1, "there is no certificate c"),
        ("--data d --journal postgresql://h/d", 1, "the first with: taisai keys create d/keys"),
        ("--data d --passphrase-file none", 1, "the passphrase file none cannot be read"),
        ("--demo --log xml", 2, "argument --log: invalid choice"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_opened(
    arguments: str,
    status: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments.split()]) == status
    assert told in sentence(capsys.readouterr().err)
    assert [*tmp_path.iterdir()] == []


def test_the_help_tells_how_a_venue_comes_about(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["serve", "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    for each in (
        "two persons found the house",
        "taisai staff add",
        "--demo",
        "--journal",
        "--tables",
    ):
        assert each in told


# --- the log --------------------------------------------------------------------------------------


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Write the log to where a test can read it, and restore the settings afterwards."""
    root = logging.getLogger()
    before = root.level, {name: logging.getLogger(name).level for name in logs._QUIET}
    written = io.StringIO()
    yield written
    for handler in [*root.handlers]:
        if isinstance(handler, logging.StreamHandler) and handler.stream is written:
            root.removeHandler(handler)
    logging.captureWarnings(capture=False)
    root.setLevel(before[0])
    for name, level in before[1].items():
        logging.getLogger(name).setLevel(level)


def test_a_line_of_the_log_is_a_json_object(lines: io.StringIO) -> None:
    logs.set_up("json", lines)
    logging.getLogger("taisai.test").warning(
        "table %s", "T1", extra={"round": 7, "path": Path("x")}
    )
    (line,) = lines.getvalue().splitlines()
    told = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", told.pop("time"))
    assert told == {
        "level": "warning",
        "logger": "taisai.test",
        "message": "table T1",
        "fields": {"round": 7, "path": "x"},
    }


def test_a_line_for_people_has_the_time_and_what_happened(lines: io.StringIO) -> None:
    logs.set_up("text", lines)
    logging.getLogger("taisai.test").info("round\n%d", 7)
    logging.getLogger("taisai.test").error("it fell")
    first, second = lines.getvalue().splitlines()
    assert re.fullmatch(r"\d\d:\d\d:\d\d round\S+7", first)
    assert second.endswith(" error: it fell")


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_password_of_a_database_is_in_the_log(lines: io.StringIO, form: logs.LogFormat) -> None:
    logs.set_up(form, lines)
    address = "postgresql://house:sesame@db/venue?password=sesame"
    logger = logging.getLogger("taisai.test")
    logger.info("opened %s", address, extra={"place": address})
    try:
        raise OSError(f"cannot reach {address}")
    except OSError:
        logger.exception("at %s", address)
    assert "sesame" not in lines.getvalue()
    assert "db/venue" in lines.getvalue()


def test_a_driver_that_cannot_connect_again_yet_says_nothing_of_its_own(
    lines: io.StringIO,
) -> None:
    logs.set_up("text", lines)
    logging.getLogger("asyncpg.pool").warning("retrying", exc_info=OSError("no server"))
    assert lines.getvalue() == ""


def test_what_was_raised_is_in_the_same_object(lines: io.StringIO) -> None:
    logs.set_up("json", lines)
    try:
        raise ValueError("odd")
    except ValueError:
        logging.getLogger("taisai.test").exception("a fault")
    (line,) = lines.getvalue().splitlines()
    assert json.loads(line)["raised"].endswith("ValueError: odd\n")


def test_the_web_servers_own_messages_go_the_same_way_once(lines: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").addHandler(logging.StreamHandler(io.StringIO()))
    logs.set_up("json", io.StringIO())
    logs.set_up("json", lines)
    logging.getLogger("uvicorn.error").error("a broken request")
    logging.getLogger("uvicorn.error").info("started")
    (line,) = lines.getvalue().splitlines()
    assert json.loads(line)["logger"] == "uvicorn.error"


def test_a_message_is_cut_where_it_has_no_end(lines: io.StringIO) -> None:
    logs.set_up("json", lines)
    logging.getLogger("taisai.test").info("x" * 100_000)
    assert len(lines.getvalue()) < logs.MESSAGE_MAX + 200


def test_make_serve_opens_the_demo_and_make_cluster_one_of_nodes() -> None:
    root = Path(__file__).parents[2]
    goals = ["serve", "cluster", "cluster-chaos", "soak"]
    shown = subprocess.run(
        ["make", "--dry-run", "--always-make", *goals, "PORT=9123", "GATEWAYS=2"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MAKEFLAGS": ""},
    ).stdout
    assert '/taisai serve --demo --data ".taisai-demo" --port "9123" --gateways "2"' in shown
    assert "/.taisai-demo/" in (root / ".gitignore").read_text(encoding="utf-8")
    lines = [line.rpartition("/python ")[2] for line in shown.splitlines()]
    assert "-m tools.cluster" in lines
    assert "-m tools.cluster --chaos 20" in lines
    # Both campaigns, each with its own file to continue from.
    assert "-m tools.soak_cluster" in lines
    nodes = "-m tools.soak_cluster --nodes --faults 500 --kept build/soak_nodes.json"
    assert nodes in " ".join(shown.replace("\\\n", " ").split())
