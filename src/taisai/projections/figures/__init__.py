"""Figures: what tables took and paid, held against what their rules lead one to expect."""
