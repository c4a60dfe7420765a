"""Every route of a venue, subject by subject."""

from types import ModuleType
from typing import Any

from taisai.server.http.accounts import approvals, staff, terminals
from taisai.server.http.audit import exports, journal
from taisai.server.http.cage import drawer, vouchers
from taisai.server.http.figures import days, meters, pit
from taisai.server.http.rules import rulebooks
from taisai.server.http.site import demo as demo_routes
from taisai.server.http.site import health, pages
from taisai.server.http.tables import console, lobby, resume, statistics, terminal

_SUBJECTS: tuple[ModuleType, ...] = (
    *(lobby, statistics, rulebooks, console, staff, terminals, approvals, terminal),
    *(vouchers, drawer, meters, days, pit, journal, exports, resume, health, pages),
)


def _subjects(*, demo: bool) -> tuple[ModuleType, ...]:
    """List the subjects; only a demo has the demo's routes."""
    return (*_SUBJECTS, demo_routes) if demo else _SUBJECTS


def handlers(*, demo: bool) -> list[Any]:
    """List the handlers of all routes."""
    return [handler for subject in _subjects(demo=demo) for handler in subject.handlers]


def examples(*, demo: bool) -> dict[Any, Any]:
    """Collect the examples of bodies and answers, by their types."""
    found: dict[Any, Any] = {}
    for subject in _subjects(demo=demo):
        found |= getattr(subject, "examples", {})
    return found
