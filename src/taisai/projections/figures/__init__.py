"""Figures: what tables took and paid, compared with what their rules lead one to expect."""
