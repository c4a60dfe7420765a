"""The same tests on every backend, each in an empty place; a test may be a coroutine."""

import asyncio
import inspect
from pathlib import Path

import pytest

from tests.contract.journals import Place, PostgresPlace, SqlitePlace


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Give a place where no journal has been created yet."""
    if request.param == "sqlite":
        return SqlitePlace(tmp_path / "venue.journal")
    return PostgresPlace(request.getfixturevalue("postgres_url"))
