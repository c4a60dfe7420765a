"""Read models: views and figures folded from events. Pure: no clock, no disk, no network."""
