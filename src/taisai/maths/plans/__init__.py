"""Betting plans: rules for the next stake by the outcomes so far, and the plans' final outcome."""
