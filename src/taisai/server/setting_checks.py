"""Checks of the settings of a venue, for `taisai serve` and for nodes, before anything is opened.

It only reads: files that are named must be there, and what is written must mean something.
"""

import re
import ssl
from pathlib import Path

from taisai.runtime.recovery import StartupError
from taisai.server.door.places import read_network
from taisai.server.settings import Settings, is_loopback

PORT_MAX = 65_535
#: More processes than this need several machines.
GATEWAYS_MAX = 64
_ADDRESS = re.compile(r"https?://[^/\s;,']+/?")
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]?")


class SettingsError(StartupError):
    """Settings that contradict each other, or say what they cannot mean."""


def check_settings(settings: Settings) -> None:
    """Refuse settings with which a venue could not serve, or would serve whom it must not."""
    check_demo_host(settings)
    if not 0 <= settings.port <= PORT_MAX:
        raise SettingsError(f"{settings.port} is no port; between 0 and {PORT_MAX} is right")
    for network in settings.proxies:
        try:
            read_network(network)
        except ValueError:
            raise SettingsError(
                f"the proxy {network!r} is no address; one like 10.0.0.7 or 10.0.0.0/24 is right"
            ) from None
    for address in settings.addresses:
        read_address(address)
    for name in settings.hosts:
        if not _HOST.fullmatch(name):
            raise SettingsError(
                f"{name!r} is no name under which a browser finds a venue; one is like"
                " venue.example, without a port"
            )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    load_certificate(context, settings.certificate, settings.private_key)


def check_demo_host(settings: Settings) -> None:
    """Refuse a demo on the network."""
    if settings.demo and not is_loopback(settings.host):
        raise SettingsError(
            "a demo lets anybody in, so it listens on a loopback address alone, like 127.0.0.1;"
            f" {settings.host} is none"
        )


def read_address(text: str) -> str:
    """Read an address under which browsers and clients find a venue."""
    if not _ADDRESS.fullmatch(text):
        raise SettingsError(f"{text!r} is no address of a venue; one is like https://10.0.0.5:8888")
    return text.rstrip("/")


def load_certificate(context: ssl.SSLContext, chain: Path | None, key: Path | None) -> None:
    """Load a certificate and its key, if there is one; a fault in them is raised as a sentence."""
    if chain is None and key is None:
        return
    if chain is None or key is None:
        raise SettingsError("a certificate and its private key go together; name both, or none")
    for what, file in (("certificate", chain), ("private key", key)):
        if not file.is_file():
            raise StartupError(f"there is no {what} {file}; name the file")
    try:
        # Without this, a key with a passphrase would ask for it on the terminal.
        context.load_cert_chain(chain, key, password="")
    except (OSError, ValueError) as error:
        raise StartupError(
            f"the certificate {chain} and the private key {key} cannot be used: {error}; both are"
            " PEM files, the key without a passphrase"
        ) from None
