"""Extras: which packages each brings, and the sentence where one that is needed is missing."""

from importlib.util import find_spec

from taisai.core.errors import SentenceError

#: What code imports of each extra of `pyproject.toml`, by the name under which it is imported.
BRINGS = {
    "server": (
        "argon2",
        "httptools",
        "httpx",
        "litestar",
        "picows",
        "prometheus_client",
        "rich",
        "uvicorn",
        "uvloop",
    ),
    "maths": ("numpy",),
    "fast": ("numba",),
    "plots": ("matplotlib",),
    "parquet": ("pyarrow",),
    "postgres": ("asyncpg",),
    "cluster": (),
}


class MissingExtraError(SentenceError, ImportError):
    """What was asked for needs packages that are not installed; the text has the command."""


def needs(what: str, extra: str) -> str:
    """Write the sentence with the command that installs what is missing."""
    return f'{what} needs an extra: pip install "taisai[{extra}]"'


def require(what: str, extra: str) -> None:
    """Refuse to go on without the packages of an extra."""
    if any(find_spec(package) is None for package in BRINGS[extra]):
        raise MissingExtraError(needs(what, extra))


def extra_of(missing: ImportError) -> str | None:
    """Find the extra that brings what could not be imported."""
    package = (missing.name or "").partition(".")[0]
    return next((extra for extra, brings in BRINGS.items() if package in brings), None)
