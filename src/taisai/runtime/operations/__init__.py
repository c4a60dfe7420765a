"""What an operator does with an installation: run it, back it up, restore it, administer it."""
