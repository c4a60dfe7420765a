"""How long a test waits for an expected event: long, since the machine may be busy."""

TIMEOUT_SECONDS = 60
