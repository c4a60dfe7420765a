"""How long a test waits for something that must come: long, since a machine may be busy."""

TIMEOUT_SECONDS = 60
