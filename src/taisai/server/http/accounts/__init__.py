"""Staff over HTTP: log-in, credentials, terminals' keys, and approvals by a second person."""
