"""What only a chip table has: seats, colours, bets on the layout, payout, gaming day."""
