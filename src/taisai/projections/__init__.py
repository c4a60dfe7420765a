"""Read models: what is shown of a stream, folded from its durable events."""
