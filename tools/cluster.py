"""A demo cluster on this machine: PostgreSQL, NATS, an office, two owners and two gateways.

`python -m tools.cluster` prints the addresses; with `--chaos SECONDS` one of the nodes is killed or
paused after every so many seconds, and started or continued again, while you play and watch.
"""

import argparse
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from taisai.runtime.keys.directory import create_keys
from tests.kit.nats_server import nats_server
from tests.postgres import own_server

#: The roles of each node of the demo.
NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "west": ("owner",),
    "gate-a": ("gateway",),
    "gate-b": ("gateway",),
}


def free_ports(count: int) -> list[int]:
    """Find free ports."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in taken]
    for each in taken:
        each.close()
    return ports


def write_cluster(
    directory: Path,
    journal: str,
    nats: str,
    nodes: Mapping[str, tuple[str, ...]],
    floor: str = "",
) -> Path:
    """Write the plan of a demo cluster with all nodes on this machine, and its floor plan."""
    lines = [f'journal = "{journal}"', "demo = true"]
    if floor:
        tables = directory / "floor.toml"
        tables.write_text(floor, "utf-8")
        lines.append(f'tables = "{tables}"')
    lines += ["[nats]", f'servers = ["{nats}"]']
    for (name, roles), port in zip(nodes.items(), free_ports(len(nodes)), strict=True):
        lines += [
            "[[node]]",
            f'name = "{name}"',
            f"roles = {[*roles]}",
            f'data = "{directory / name}"',
            f'keys = "{directory / "keys"}"',
            f"port = {port}",
        ]
    file = directory / "cluster.toml"
    file.write_text("\n".join(lines).replace("'", '"') + "\n", "utf-8")
    return file


class DemoNode:
    """One node in a process of its own."""

    def __init__(self, file: Path, name: str) -> None:
        self.name = name
        self._file = file
        self._log = file.with_name(f"{name}.log")
        self.process = self._begin()

    def _begin(self) -> "subprocess.Popen[str]":
        given = ("node", "--cluster", str(self._file), "--name", self.name, "--log", "text")
        with self._log.open("a") as log:
            return subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "taisai", *given],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def address(self) -> str:
        """Wait until it is ready; return its address."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        if not line:
            raise SystemExit(f"{self.name} did not begin:\n{self._log.read_text()}")
        return line

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()

    def start_again(self) -> str:
        """Start it again; return its address."""
        self.process = self._begin()
        return self.address()

    def pause(self, seconds: float) -> None:
        """Pause it at any point of its work, for a while."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stop it properly."""
        self.process.terminate()
        self.wait()

    def wait(self) -> None:
        """Wait until it has ended, as it was told to: a second signal would end it at once."""
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()


def _trouble(nodes: Sequence[DemoNode], chance: random.Random) -> None:
    """Kill or pause one of the owners or gateways."""
    node = chance.choice([each for each in nodes if each.name != "office"])
    if chance.random() < 0.5:
        print(f"{node.name} is killed", flush=True)
        node.kill()
        time.sleep(3)
        print(f"{node.name} is started again: {node.start_again()}", flush=True)
    else:
        print(f"{node.name} is stopped for three seconds", flush=True)
        node.pause(3)


def main() -> None:
    """Start a cluster, and keep it running until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chaos", type=float, metavar="SECONDS", default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    # Its nodes end with it, however it is ended.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _run(asked.chaos, asked.seed)
    except KeyboardInterrupt:
        print("stopped")


def _run(chaos: float, seed: int) -> None:
    """Run a cluster and its servers; leave nothing behind."""
    made = tempfile.TemporaryDirectory(prefix="taisai-cluster-")
    with own_server() as server, nats_server() as nats, made as home:
        directory = Path(home)
        create_keys(directory / "keys")
        file = write_cluster(directory, server.url, nats.url, NODES)
        nodes: list[DemoNode] = []
        try:
            nodes.extend(DemoNode(file, name) for name in NODES)
            _keep(nodes, file, chaos, seed)
        finally:
            for each in nodes:
                each.process.terminate()
            for each in nodes:
                each.wait()


def _keep(nodes: Sequence[DemoNode], file: Path, chaos: float, seed: int) -> None:
    """Print the address of each node, and with `--chaos` make trouble now and then."""
    addresses = {each.name: each.address() for each in nodes}
    for name, roles in NODES.items():
        print(f"{name:8} {', '.join(roles):8} {addresses[name]}", flush=True)
    print(f"open {addresses['gate-a']} or {addresses['gate-b']}", flush=True)
    print(f"taisai cluster status --cluster {file}", flush=True)
    chance = random.Random(seed)  # noqa: S311 - which node is killed, nothing secret
    while True:
        time.sleep(chaos or 3_600)
        if chaos:
            _trouble(nodes, chance)


if __name__ == "__main__":
    main()
