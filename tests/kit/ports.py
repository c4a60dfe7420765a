"""Free ports."""

import socket


def free_port() -> int:
    """Give a port of the loopback address that was free a moment ago."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
