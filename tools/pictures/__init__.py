"""Takes pictures of every screen at every size, in both rooms and three languages, for a review."""
