"""Lanes between processes: ordered, batched by turns of the loop, over any transport."""
