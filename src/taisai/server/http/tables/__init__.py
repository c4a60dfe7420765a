"""Tables over HTTP: for everybody, for the Game Console, and for a Player Terminal."""
