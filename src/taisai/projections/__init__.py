"""Read models: what is derived from durable events, once, for screens, records and exports."""
