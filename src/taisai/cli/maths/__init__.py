"""Commands of the mathematics: slates, sessions, ruin, plans, simulations, exposure, fairness."""
