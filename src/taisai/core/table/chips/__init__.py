"""What a chip table has beside the rest: seats, colours, bets on the layout, payout, gaming day."""
