"""Records for auditors: rounds, bets, money and events, read from the journal alone."""
