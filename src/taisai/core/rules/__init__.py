"""The rules alone: money, dice, boxes, pay tables, limits and settlement; no table, no people."""
