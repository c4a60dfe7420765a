"""How long a test waits for what must come: long, since a machine may be busy with other things."""

TIMEOUT_SECONDS = 60
