"""The routes about figures, subject by subject."""

from types import ModuleType

from taisai.server.http.figures import alert_care, days, meters, nodes, pit

SUBJECTS: tuple[ModuleType, ...] = (meters, days, pit, alert_care, nodes)
