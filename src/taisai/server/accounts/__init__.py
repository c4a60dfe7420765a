"""People and machines: how they prove who they are, how long that holds, how often they may ask."""
