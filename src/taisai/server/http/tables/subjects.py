"""The subjects of tables, in the order of the document."""

from types import ModuleType

from taisai.server.http.tables import console, floor, lobby, sessions, terminal

SUBJECTS: tuple[ModuleType, ...] = (lobby, floor, console, sessions, terminal)
