"""Figures: what a table has shown and earned, held against what its rules lead one to expect."""
