"""The venue: its tables, staff, keys, alerts and nodes. Importing it registers its subjects."""

from taisai.core.venue import alerts, nodes, setup, staff, terminal_keys

__all__ = ["alerts", "nodes", "setup", "staff", "terminal_keys"]
