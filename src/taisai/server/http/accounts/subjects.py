"""The subjects of people and machines, in the order of the document."""

from types import ModuleType

from taisai.server.http.accounts import approvals, enrolments, staff, terminals

SUBJECTS: tuple[ModuleType, ...] = (staff, terminals, enrolments, approvals)
