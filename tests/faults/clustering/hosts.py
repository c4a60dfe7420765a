"""Hosts for the processes of a cluster: this machine, or namespaces with their own addresses.

A namespace has a network of its own and a cable to a switch, which can be pulled. Making them takes
root and `ip`; without these, all hosts are this machine, and only proxies can be cut.
"""

import ctypes
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.postgres import UNPRIVILEGED

#: The hosts' network, the switch between them, and the names of a namespace and its cable.
NETWORK = "10.77.0"
SWITCH = "taisai-sw"
#: The directory of the namespaces' names.
NAMES = Path("/run/netns")
_NEW_NETWORK, _NEW_MOUNTS = 0x40000000, 0x00020000


@dataclass(frozen=True)
class Host:
    """A machine: its address, and the command that runs programs there."""

    name: str
    address: str = "127.0.0.1"
    run_by: list[str] = field(default_factory=list)
    namespace: str | None = None

    @property
    def run_unprivileged_by(self) -> list[str]:
        """Give the command for a program that must not run as root."""
        if self.namespace is None:
            return []
        return [*self.run_by, "setpriv", f"--reuid={UNPRIVILEGED}", "--clear-groups"]

    def socket(self) -> socket.socket:
        """Make a socket of this host, from any process."""
        if self.namespace is None:
            return socket.socket()
        ours = os.open("/proc/self/ns/net", os.O_RDONLY)
        theirs = os.open(NAMES / self.namespace, os.O_RDONLY)
        try:
            _enter(theirs)
            try:
                return socket.socket()
            finally:
                _enter(ours)
        finally:
            os.close(ours)
            os.close(theirs)

    def pull(self) -> None:
        """Pull its cable, without notice to anybody."""
        _ip("link", "set", f"{self.namespace}-c", "down")

    def plug(self) -> None:
        """Put its cable back."""
        _ip("link", "set", f"{self.namespace}-c", "up")


def _enter(namespace: int) -> None:
    """Let this thread make its sockets in a namespace."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace, _NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "a namespace cannot be entered")


def leave_network() -> None:
    """Give this process a network and names of its own, invisible outside and left nowhere.

    A browser on the machine would abort its requests whenever a host comes or goes.
    """
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NETWORK | _NEW_MOUNTS):
        raise OSError(ctypes.get_errno(), "a network of our own cannot be had")
    NAMES.mkdir(exist_ok=True)
    for command in (
        ("mount", "--make-rprivate", "/"),
        ("mount", "-t", "tmpfs", "tmpfs", str(NAMES)),
        ("ip", "link", "set", "lo", "up"),
    ):
        subprocess.run(command, check=True, capture_output=True)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def can_have_namespaces() -> bool:
    """Say whether namespaces can be made here: as root, with the programs for it."""
    return os.geteuid() == 0 and all(map(shutil.which, ("ip", "mount", "setpriv")))


@contextmanager
def hosts(*names: str, namespaces: bool) -> Iterator[dict[str, Host]]:
    """Make hosts of these names; namespaces are deleted afterwards."""
    if not namespaces:
        yield {name: Host(name) for name in names}
        return
    with ExitStack() as stack:
        _ip("link", "add", SWITCH, "type", "bridge")
        stack.callback(_ip, "link", "del", SWITCH)
        _ip("address", "add", f"{NETWORK}.1/24", "dev", SWITCH)
        _ip("link", "set", SWITCH, "up")
        yield {name: _namespaced(stack, name, number) for number, name in enumerate(names, 2)}


def _namespaced(stack: ExitStack, name: str, number: int) -> Host:
    """Make a namespace with an address, and its cable in the switch."""
    space, address = f"ts-{name}", f"{NETWORK}.{number}"
    _ip("netns", "add", space)
    stack.callback(_ip, "netns", "del", space)
    _ip("link", "add", f"{space}-c", "type", "veth", "peer", "name", "eth0", "netns", space)
    # Its end is deleted with it; deleting a namespace itself may take time.
    stack.callback(_ip, "link", "del", f"{space}-c")
    _ip("link", "set", f"{space}-c", "master", SWITCH, "up")
    for command in (
        ("address", "add", f"{address}/24", "dev", "eth0"),
        ("link", "set", "eth0", "up"),
        ("link", "set", "lo", "up"),
    ):
        _ip("-n", space, *command)
    return Host(name, address, ["ip", "netns", "exec", space], space)
