"""How people and machines prove who they are, how long that holds, and how often they may try."""
