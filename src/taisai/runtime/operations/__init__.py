"""The operation of an installation: to run it, back it up, restore it, administer it."""
