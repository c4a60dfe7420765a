"""Data files that lie beside a module, read with what every interpreter has loaded anyway."""

import os


def read_beside(module: str, name: str) -> bytes:
    """Read a data file that lies beside a module, given by its `__file__`."""
    # The path libraries take longer to import than a command takes to answer.
    folder = os.path.dirname(module)  # noqa: PTH120
    with open(f"{folder}/{name}", "rb") as file:  # noqa: PTH123
        return file.read()
