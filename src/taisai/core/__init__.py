"""The pure core: rules and money, with no I/O, no clock, no randomness and no floats."""
